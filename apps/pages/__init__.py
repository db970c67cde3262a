"""One page kit for every command: the list, figures, panels of players; pages work offline."""

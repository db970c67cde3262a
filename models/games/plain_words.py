"""Names of columns in lower case without accents and marks, and the few that modules other than readers use."""

import re

from halfpoint.models.games.find_player import strip_accents

#: columns with the name of a player
NAMES = ("player", "name", "engine", "model", "item", "club", "team", "program", "playername", "spieler", "joueur")
#: columns with the round of a game; `@round` in the vocabulary of readers
ROUNDS = (*["round", "rd", "rnd", "runde", "ronda", "ronde", "rodada", "runda", "kolo", "turno", "fordulo", "тур"],)


def plain_word(column: str) -> str:
    """A column's name in lower case without accents, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", strip_accents(column))

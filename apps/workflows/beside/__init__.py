"""Tables of games checked and completed: spellings, duplicates, and files of ratings, line-ups and values by player."""

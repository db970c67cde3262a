"""Games as numbers: rows of a table, columns and levels coded, the days on which players play."""

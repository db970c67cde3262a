"""Readers of files and data frames to a table of games: CSV, PGN, Parquet, the study's text format, compressed or
not."""

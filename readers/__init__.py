"""Readers of files and data frames into a table of games: CSV, PGN, Parquet and others, compressed or not."""

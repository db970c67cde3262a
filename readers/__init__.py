"""Readers of files and data frames into a table of games (CSV, PGN, Parquet and others), and data sets.

A reader knows the table of games and nothing else. The names below are imported on first use; `read` is also the name
of a module, and as an attribute of this package it is the function.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

from .list import lineups as lineups

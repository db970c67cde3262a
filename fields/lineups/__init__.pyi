from .list import lineups as lineups
from .team_match import team_match as team_match

from .list import leaderboard as leaderboard
from .next_judgements import next_comparisons as next_comparisons

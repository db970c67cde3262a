from .agreement import krippendorff_alpha as krippendorff_alpha
from .certificate import certificate as certificate
from .cheap_judges import cheap_judges as cheap_judges
from .engine_match import sequential_test as sequential_test
from .list import leaderboard as leaderboard
from .next_pairs import next_comparisons as next_comparisons
from .sprt import Sprt as Sprt

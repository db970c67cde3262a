r"""The protocol of the competition that Elo++ won: Elo versus the Rest of the World, Kaggle 2010.

65,053 games of 8,631 players over 100 months were given with results, 7,809 games of months 101 to 105 without. A
forecast is White's expected score of each game; what is judged is how well it adds up by player and month:

    RMSE = sqrt( mean over (player, month) of (points scored - points expected)^2 )

Sonas (2010), kaggle.com/c/chess, "Evaluation"; Sismanis (2010), section 4. Files of the competition (Month #, White
Player #, Black Player #, Score) are read by `halfpoint.readers.read.read` with
columns={"period": "Month #", "white": "White Player #", "black": "Black Player #", "score": "Score"}.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats, check_expected
from halfpoint.models.games.rating_system import RatingSystem
from halfpoint.models.games.table import GameTable


def monthly_error(games: GameTable, expected_score: Floats) -> float:
    """The competition's RMSE over players and months; lower is better."""
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    expected, score = check_expected(expected_score, games.score)
    surplus = score - expected
    player = np.concatenate([games.white, games.black]).astype(np.int64)
    month = np.concatenate([games.period, games.period])
    _, cell = np.unique(np.stack([player, month]), axis=1, return_inverse=True)
    total = np.bincount(cell.ravel(), np.concatenate([surplus, -surplus]))
    return float(np.sqrt(np.mean(total**2)))


def compete(training: GameTable, test: GameTable, systems: Mapping[str, RatingSystem]) -> pd.DataFrame:
    """The competition's RMSE of rating systems that learn the training months and no later one, best first.

    Systems are new ones by name, which are changed. Columns system and rmse.
    """
    if training.period is None:
        raise EvaluationError(training.source, "a period for each game", "none")
    rows = []
    for name, system in systems.items():
        for period in np.unique(training.period):
            system.learn(training.take(training.period == period))
        expected = np.empty(len(test))
        for month in () if test.period is None else np.unique(test.period):
            here = test.period == month
            expected[here] = system.forecast(test.take(here)).expected_score
        rows.append((name, monthly_error(test, expected)))
    return pd.DataFrame(rows, columns=["system", "rmse"]).sort_values("rmse", kind="stable").reset_index(drop=True)

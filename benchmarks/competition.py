r"""The protocol of the competition that Elo++ won: Elo versus the Rest of the World, Kaggle 2010.

65,053 games of 8,631 players over 100 months had results, 7,809 games of months 101 to 105 did not. A forecast is
White's expected score of each game; the criterion is the error of its sums by player and month:

    RMSE = sqrt( mean over (player, month) of (points scored - points expected)^2 )

Sonas (2010), kaggle.com/c/chess, "Evaluation"; Sismanis (2010), section 4. Files of the competition (Month #, White
Player #, Black Player #, Score) are read by `halfpoint.readers.read.read` with columns={"period": "Month #", "white":
"White Player #", "black": "Black Player #", "score": "Score"}; `simulated_competition` makes as many games.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats, check_expected
from halfpoint.models.games.rating_system import RatingSystem
from halfpoint.models.games.table import GameTable, code_players

PLAYERS, MONTHS, TEST_MONTHS = 8_631, 100, 5
GAMES, TEST_GAMES = 65_053, 7_809


def monthly_error(games: GameTable, expected_score: Floats) -> float:
    """RMSE of the competition over players and months; lower is better."""
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
    """RMSE of rating systems that learn only the training months, best first.

    Systems are new ones by name, which the function updates. Columns system and rmse.
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


def simulated_competition(seed: int = 1, scale: float = 1.0) -> tuple[GameTable, GameTable, Floats]:
    """SIMULATED training and test games of the competition's size, and White's true expected scores in the test.

    Strengths are normal with sd 200 Elo and walk by 10 Elo a month; players of similar strength meet, some play ten
    times as often as others, White's advantage is 35 Elo, and no rating is printed, as in the competition.
    """
    rng = np.random.default_rng(seed)
    players = max(4, round(PLAYERS * scale))
    counts = rng.multinomial(round(GAMES * scale), np.full(MONTHS, 1.0 / MONTHS))
    after = rng.multinomial(round(TEST_GAMES * scale), np.full(TEST_MONTHS, 1.0 / TEST_MONTHS))
    strength = rng.normal(0.0, 200.0, players)
    activity = rng.gamma(0.5, 1.0, players)
    names = np.array([f"{number}" for number in range(players)])
    parts: list[tuple[Floats, ...]] = []
    for number, count in enumerate([*counts.tolist(), *after.tolist()], 1):
        strength = strength + rng.normal(0.0, 10.0, players)
        white = rng.choice(players, count, p=activity / activity.sum())
        order = np.argsort(strength)
        rank = np.empty(players, dtype=np.int64)
        rank[order] = np.arange(players)
        step = rng.integers(1, max(2, players // 8), count) * rng.choice((-1, 1), count)
        black = order[(rank[white] + step) % players]
        black = np.where(black == white, order[(rank[white] + 1) % players], black)
        expected = 1.0 / (1.0 + 10.0 ** (-(strength[white] - strength[black] + 35.0) / 400.0))
        half = 0.35 * 2.0 * np.minimum(expected, 1.0 - expected)  # draws
        uniform = rng.random(count)
        score = np.where(uniform < expected - half / 2, 1.0, np.where(uniform < expected + half / 2, 0.5, 0.0))
        parts.append((white, black, score, np.full(count, number), expected))
    white, black, score, month, expected = (np.concatenate(column) for column in zip(*parts, strict=True))
    tables = []
    for here in (month <= MONTHS, month > MONTHS):
        known, one, two = code_players(names[white[here].astype(int)], names[black[here].astype(int)])
        period = month[here].astype(np.int64)
        tables.append(GameTable(known, one, two, score[here], period, name="SIMULATED competition", simulated=True))
    return tables[0], tables[1], expected[month > MONTHS]

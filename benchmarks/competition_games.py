"""Games as many as those of the competition that Elo++ won (`competition.py`), SIMULATED."""

import numpy as np

from halfpoint.models.games.table import Floats, GameTable, code_players

PLAYERS, MONTHS, TEST_MONTHS = 8_631, 100, 5
GAMES, TEST_GAMES = 65_053, 7_809


def simulated_competition(seed: int = 1, scale: float = 1.0) -> tuple[GameTable, GameTable, Floats]:
    """SIMULATED training and test games of the competition's size, and White's true chances in the test.

    Strengths are normal with sd 200 Elo and walk by 10 Elo a month; players of like strength meet, some play ten times
    as often as others, White is worth 35 Elo, and no rating is printed, as in the competition.
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

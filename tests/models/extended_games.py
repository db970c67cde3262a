"""Games and parameters for the tests of the extended models: small, unequal, with a colour advantage, known truth."""

from dataclasses import replace

import numpy as np

from halfpoint.games.select import Selection, select
from halfpoint.games.table import GameTable, code_players
from halfpoint.games.units import to_natural
from halfpoint.models.anchor_scale import MIDDLE
from halfpoint.models.beyond import rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.extended import Extended, scores

TERMS = 1  # columns of the formulas used here


def schedule(games: int, monitored: int, seed: int, months: int = 6, opponents: int = 12) -> Selection:
    """Return games among monitored players and against anchored opponents; all drawn, to be replaced by `play`."""
    rng = np.random.default_rng(seed)
    players = np.array([f"M{i:02d}" for i in range(monitored)] + [f"O{i:02d}" for i in range(opponents)])
    strength_elo = np.concatenate([np.full(monitored, 2705.0), np.linspace(2450, 2850, opponents)])
    white = rng.integers(0, monitored, games)
    black = (white + rng.integers(1, players.size, games)) % players.size
    swap = rng.random(games) < 0.5
    white, black = np.where(swap, black, white), np.where(swap, white, black)
    names, white_code, black_code = code_players(players[white], players[black])
    table = GameTable(
        names,
        white_code,
        black_code,
        np.full(games, 0.5),
        period=rng.integers(1, months + 1, games),
        white_rating_elo=strength_elo[white],
        black_rating_elo=strength_elo[black],
        covariates={"rapid": (rng.random(games) < 0.4).astype(float)},
        simulated=True,
    )
    return select(table, players[:monitored])


def truth(entry: Extended, players: int, seed: int, months: int = 6) -> dict[str, np.ndarray]:
    """Return one draw of parameters, shape (1, ...) each."""
    rng = np.random.default_rng(seed)
    strength = MIDDLE + np.linspace(-0.9, 0.9, players)
    p: dict[str, np.ndarray] = {"strength": strength[None], "advantage": np.array([0.5])}
    if entry.strength == "walk":
        steps = 0.2 * np.cumsum(rng.standard_normal((players, months)), axis=1)
        p |= {"strength": (strength[:, None] + steps)[None], "innovation_spread": np.array([0.2])}
    if entry.advantage == "pooled":
        p |= {"advantage": 0.25 + 0.2 * rng.standard_normal((1, players)), "advantage_mean": np.array([0.25])}
    if entry.family != "bradley_terry":
        p["log_draw"] = np.array([0.8])
    if entry.draw_slope:
        p["draw_slope"] = np.array([0.5])
    if entry.draw_tendency:
        p["draw_tendency"] = 0.5 * rng.standard_normal((1, players))
    if entry.scaled:
        p["anchor_scale"] = np.array([1.8])
    if entry.level:
        p["anchor_level"] = np.array([MIDDLE + 0.3])
    for target in entry.formulas:
        p[f"{target}_effect"] = np.full((1, TERMS), 0.6)
    return p


def play(entry: Extended, selection: Selection, p: dict[str, np.ndarray], seed: int) -> Selection:
    """Return the games with outcomes drawn from the parameters (half points: decisive games only)."""
    rng = np.random.default_rng(seed)
    rows = rows_of(entry, selection, 1)
    probability = np.exp(log_probability(scores(entry, p, rows), entry.normalised))[0]
    if entry.normalised == (0, 2):
        probability[:, 1] = 0.0
    outcome = (rng.random(len(selection))[:, None] > np.cumsum(probability, axis=1)).sum(axis=1)
    return replace(selection, games=replace(selection.games, score=np.minimum(outcome, 2) / 2.0))


ELO_100 = to_natural(100.0)

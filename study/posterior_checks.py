r"""Posterior predictive checks: games simulated from the posterior beside the games that were played.

Three views, each with the share observed, the model's mean and its 95% interval of simulated shares:

    draw share by rating gap        does the draw formula bend as draws do?
    White's score by rating gap     is the score curve as steep as it should be?
    by player                       score and draw share of each player: who is not like the model says?

The rating gap is White's FIDE rating on the day less Black's. Games are simulated one set a draw, so the interval has
the uncertainty of parameters and of chance. A half-point model has no draws: it is checked on scores, with decisive
games.

Gelman, Meng & Stern (1996) Stat. Sin. 6:733; Gabry et al. (2019) J. R. Stat. Soc. A 182:389, section 5.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.games.select import Selection

Quantity = Literal["draw", "score"]
INTERVAL = (0.025, 0.975)


def simulate(probability: Floats, seed: int) -> npt.NDArray[np.int8]:
    """Return simulated outcomes, shape (draw, game), from probabilities, shape (draw, game, outcome)."""
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(probability, axis=-1)[..., :2]
    return np.asarray((rng.random(probability.shape[:2])[..., None] > cumulative).sum(axis=-1), dtype=np.int8)


def value_of(outcome: npt.NDArray[np.int8] | npt.NDArray[np.int32], quantity: Quantity) -> Floats:
    """Return 1 for a draw and 0 otherwise, or White's score."""
    return np.asarray(outcome == 1, dtype=np.float64) if quantity == "draw" else outcome / 2.0


def grouped(group: npt.NDArray[np.int64], observed: Floats, simulated: Floats, labels: list[str]) -> pd.DataFrame:
    """Return observed and simulated means by group; groups without games are left out.

    `tail` is the smaller share of simulated means beyond the observed one (counting ties half), doubled: a two-sided
    tail probability.
    """
    rows = []
    for code, label in enumerate(labels):
        mine = group == code
        if not mine.any():
            continue
        means, seen = simulated[:, mine].mean(axis=1), float(observed[mine].mean())
        low, high = np.quantile(means, INTERVAL)
        below = float((means < seen).mean() + (means == seen).mean() / 2)
        tail = 2 * min(below, 1 - below)
        rows.append((label, int(mine.sum()), seen, float(means.mean()), float(low), float(high), tail))
    columns = ["group", "games", "observed", "expected", "low", "high", "tail"]
    return pd.DataFrame(rows, columns=columns).set_index("group")


def by_rating_gap(
    selection: Selection,
    simulated: npt.NDArray[np.int8],
    quantity: Quantity,
    width_elo: float = 50.0,
    most: float = 250.0,
) -> pd.DataFrame:
    """Return observed and simulated shares by rating gap; simulated (draw, game), from `simulate`.

    By bin of `width_elo` ("-50 to 0"), beyond `most` all games in one: games, observed, expected, low, high, tail. An
    `EvaluationError` if a rating on the day is unknown.
    """
    games = selection.games
    if games.white_rating_elo is None or games.black_rating_elo is None:
        raise EvaluationError(games.source, "ratings on the day", "none")
    gap = games.white_rating_elo - games.black_rating_elo
    if np.isnan(gap).any():
        raise EvaluationError(
            games.source, "ratings on the day of every game", f"{int(np.isnan(gap).sum())} games without"
        )
    edges = np.arange(-most, most + width_elo / 2, width_elo)
    names = [f"below {edges[0]:g}", *(f"{low:g} to {low + width_elo:g}" for low in edges[:-1]), f"above {edges[-1]:g}"]
    group = np.searchsorted(edges, gap, side="right").astype(np.int64)
    return grouped(group, value_of(games.outcome, quantity), value_of(simulated, quantity), names)


def by_player(selection: Selection, simulated: npt.NDArray[np.int8], quantity: Quantity) -> pd.DataFrame:
    """Return observed and simulated shares by monitored player, smallest tail first; scores are the player's own."""
    seats = np.concatenate([selection.white, selection.black]).astype(np.int64)
    own, theirs = (
        np.concatenate([value, 1.0 - value if quantity == "score" else value], axis=-1)
        for value in (value_of(selection.games.outcome, quantity), value_of(simulated, quantity))
    )
    return grouped(seats, own, theirs, selection.players.tolist()).sort_values("tail", kind="stable")

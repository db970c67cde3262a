r"""A simulated list: printed ratings with errors, and players with different inclinations to draw.

    E = 1 / (1 + e^-u),   u = R_i - R_j + m_i - m_j + 40 Elo,     log nu = 1.2 + t_i + t_j - 0.25 |R_i - R_j| / 100 Elo
    P(win) : P(draw) : P(loss) = w : nu : 1 / w,    w such that E is the expected score

Every month a player's rating is their strength with a new independent error; m is the permanent error of the list. No
number comes from real players.
"""

import numpy as np

from halfpoint.models.games.simulate import outcome_probabilities, scores_drawn
from halfpoint.models.games.table import Floats, GameTable, code_players
from halfpoint.models.games.units import to_natural


def simulated_list(
    games: int = 9000, players: int = 120, months: int = 18, seed: int = 20140501
) -> tuple[GameTable, dict[str, Floats]]:
    """SIMULATED games with printed ratings, events and months, and the true values.

    Parameters
    ----------
    games, players, months, seed : int
        Number of players, and the seed.

    Returns
    -------
    games : GameTable
    truth : dict of str to array, shape (player,)
        `inclination`, a player's excess of draws, and `missed_elo`, the permanent error of the list, in the order of
        the games' players.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"Player {k + 1:03d}" for k in range(players)])
    strength_elo = rng.normal(2600.0, 70.0, players)
    missed_elo, inclination = rng.normal(0.0, 12.0, players), rng.normal(0.0, 0.4, players)
    printed = np.round(strength_elo + rng.normal(0.0, 25.0, (months + 1, players)))
    month = np.sort(rng.integers(1, months + 1, games))
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    lead_elo = strength_elo[white] - strength_elo[black] + missed_elo[white] - missed_elo[black] + 40.0
    half = to_natural(lead_elo) / 2.0
    gap = np.abs(printed[month, white] - printed[month, black]) / 100.0
    log_draw = 1.2 + inclination[white] + inclination[black] - 0.25 * gap
    ahead = half + np.arcsinh(np.exp(log_draw) / 2.0 * np.sinh(half))
    score = scores_drawn(outcome_probabilities(2.0 * ahead, log_draw), rng)
    letters = rng.choice(list("ABCD"), games)
    event = np.array([f"Event {m:02d}{letter}" for m, letter in zip(month, letters, strict=True)])
    coded, first, second = code_players(names[white], names[black])
    ratings = {"white_rating_elo": printed[month, white], "black_rating_elo": printed[month, black]}
    table = GameTable(
        coded, first, second, score, period=month, event=event, **ratings, name="simulated list", simulated=True
    )
    rows = np.searchsorted(names, coded)
    return table, {"inclination": inclination[rows], "missed_elo": missed_elo[rows]}

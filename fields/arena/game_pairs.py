r"""Pairs of games with reversed colours from one opening: the Elo difference with the error of pairs.

An opening that favours White favours both engines once; the two games of a pair are not independent, their sum is. With
n pairs, of whose points (0, 1/2, 1, 3/2, 2) the shares are p_k (the pentanomial counts),

    s = sum_k p_k x_k / 2,   se^2 = sum_k p_k (x_k / 2 - s)^2 / n
    Elo = 400 log10(s / (1 - s)),   LOS = Phi((s - 1/2) / se)

LOS is the likelihood of superiority as engine testers say it: the probability that the first is the stronger under a
flat prior, by normal theory. The error of single games ignores that the two go together: it is stated beside.

Elo (1978) for the curve; the pentanomial model is that of engine testing frameworks (fishtest, fastchess).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm

from halfpoint.games.table import GameTable
from halfpoint.games.units import ELO_PER_NATURAL

POINTS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
COLUMNS = ("ll", "ld", "dd_wl", "wd", "ww")


def game_pairs(games: GameTable, opening: npt.NDArray[np.str_]) -> pd.DataFrame:
    """Return each two players' pairs of games and what they say, the most pairs first.

    Games of one opening and the same two players are paired in the order of the table, one of each colour; what is left
    over has no pair.

    Parameters
    ----------
    games : GameTable
        The games.
    opening : array of str, shape (game,)
        From which position each began.

    Returns
    -------
    DataFrame
        first, second, pairs, ll, ld, dd_wl, wd, ww (pairs by the first's points, 0 to 2), score, elo, elo_error (one
        standard error, of pairs), elo_error_of_games (as if games were independent), los; empty where nothing is
        paired. Elo and errors are NaN where the first has all points or none.
    """
    low, high = np.minimum(games.white, games.black), np.maximum(games.white, games.black)
    frame = pd.DataFrame({"low": low, "high": high, "opening": opening, "turned": games.white == high})
    frame["points"] = np.where(frame["turned"], 1.0 - games.score, games.score)
    frame["number"] = frame.groupby(["low", "high", "opening", "turned"], sort=False).cumcount()
    keys = ["low", "high", "opening", "number"]
    both = frame[~frame["turned"]].merge(frame[frame["turned"]], on=keys, suffixes=("", "_turned"))
    rows = []
    for key, part in both.groupby(["low", "high"], sort=True):
        one, two = np.asarray(key, dtype=np.int64).tolist()
        total = (part["points"] + part["points_turned"]).to_numpy()
        count = np.array([(np.isclose(total, point)).sum() for point in POINTS])
        single = part[["points", "points_turned"]].to_numpy().ravel()
        rows.append([games.players[one], games.players[two], len(part), *count, *said(count, single)])
    names = ["first", "second", "pairs", *COLUMNS, "score", "elo", "elo_error", "elo_error_of_games", "los"]
    made = pd.DataFrame(rows, columns=names)
    return made.sort_values("pairs", ascending=False, kind="stable", ignore_index=True)


def said(count: npt.NDArray[np.int64], single: npt.NDArray[np.float64]) -> list[float]:
    """Return score, Elo, its error by pairs and by games, and LOS."""
    share = count / count.sum()
    score = float(share @ POINTS / 2.0)
    error = float(np.sqrt(share @ (POINTS / 2.0 - score) ** 2 / count.sum()))
    apart = float(single.std() / np.sqrt(single.size))
    if not 0.0 < score < 1.0:
        return [score, np.nan, np.nan, np.nan, float(score)]
    slope = ELO_PER_NATURAL / (score * (1.0 - score))
    los = float(norm.cdf((score - 0.5) / error)) if error > 0 else float(score > 0.5) + 0.5 * (score == 0.5)
    return [score, float(ELO_PER_NATURAL * np.log(score / (1.0 - score))), slope * error, slope * apart, los]

r"""What can be wrong with a leaderboard before anybody reads it: tests of position, of transitivity, of who judges.

    position        z = mean / sd of what being shown first is worth; p = 2 Phi(-|z|)
    intransitivity  T = sum over pairs r_ij^2 / v_ij,  r_ij: score less expected score of a pair's judgements, v_ij: its
                    variance; compared with the T of judgements simulated from the posterior (posterior predictive)
    concentration   n_eff = 1 / sum_k share_k^2: as many judges who judge equally often say as much

A strength for each and a position effect leave nothing for r_ij but chance: a circle (A beats B, B beats C, C beats A)
is what is left over. A test finds its fault where p < 0.01, so that a clean board of two tests is blamed by one of them
in at most 2% of cases; posterior predictive p-values lean to the middle, so that the second does so less often.
Concentration is no test: it is found where one judge gives at least a tenth of the judgements, or where n_eff < 10.

Gelman, Meng & Stern (1996) Stat. Sinica 6:733 for posterior predictive discrepancies; Jiang, Lim, Yao & Ye (2011)
Math. Program. 127:203 for circles as what no strengths explain; Hirschman-Herfindahl's index for n_eff.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm

from halfpoint.evaluation.digits import decimals, interval
from halfpoint.games.table import Codes, Floats

ALPHA = 0.01
LARGEST_SHARE, FEWEST_JUDGES = 0.1, 10.0
LEAST_VARIANCE = 0.5  # of a pair's score: about three judgements; fewer say nothing of a circle


@dataclass(frozen=True)
class Finding:
    """What one check of an audit found."""

    name: str  # its name in JSON
    found: bool | None  # whether the fault was found; None where the check only tells, or had nothing to look at
    words: str  # the answer, one sentence
    numbers: dict[str, Any] = field(default_factory=dict)  # the numbers behind it


def position(
    first_wins: int, second_wins: int, worth_elo: Floats, sides: tuple[str, str], unit: str = "judgement"
) -> Finding:
    """Return whether being shown first is worth anything, from draws of its worth, Elo points, shape (draw,)."""
    mean, sd = float(worth_elo.mean()), float(worth_elo.std(ddof=1))
    p = float(2.0 * norm.sf(abs(mean) / sd)) if sd > 0 else 1.0
    share = first_wins / max(first_wins + second_wins, 1)
    low, high = np.quantile(worth_elo, [0.025, 0.975])
    worth = interval({"mean": mean, "low": float(low), "high": float(high)}, noun=" Elo")
    digits = decimals(200.0 / np.sqrt(max(first_wins + second_wins, 1)))
    words = (
        f"{sides[0]} wins {100 * share:.{digits}f}% of the decided {unit}s; all else equal it is worth {worth}, "
        "which the ratings allow for"
    )
    found = p < ALPHA if unit == "judgement" else None
    return Finding("position", found, words, {"share": share, "worth_elo": mean, "sd_elo": sd, "p": p})


def by_pair(white: Codes, black: Codes, players: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the number of each game's pair, and the sign of its first side: 1 where it has the smaller code."""
    low, high = np.minimum(white, black).astype(np.int64), np.maximum(white, black)
    return np.unique(low * players + high, return_inverse=True)[1].ravel(), np.where(white < black, 1.0, -1.0)


def discrepancy(score: Floats, expected: Floats, variance: Floats, pair: Any, sign: Floats) -> float:
    """Return T, the sum over pairs of squared standardised surplus."""
    count = int(pair.max()) + 1
    surplus = np.bincount(pair, sign * (score - expected), count)
    whole = np.bincount(pair, variance, count)
    told = whole >= LEAST_VARIANCE
    return float((surplus[told] ** 2 / whole[told]).sum())


def intransitivity(white: Codes, black: Codes, score: Floats, draws: Any, players: int, seed: int = 7) -> Finding:
    """Return whether pairs differ from what strengths say; `draws` has probabilities (game, 3), a draw each."""
    pair, sign = by_pair(white, black, players)
    rng = np.random.default_rng([seed, 8])
    observed, simulated = [], []
    for p in draws:
        expected = p[:, 2] + 0.5 * p[:, 1]
        variance = p[:, 2] + 0.25 * p[:, 1] - expected**2
        uniform = rng.random(score.size)
        again = np.where(uniform < p[:, 2], 1.0, np.where(uniform < p[:, 2] + p[:, 1], 0.5, 0.0))
        observed.append(discrepancy(score, expected, variance, pair, sign))
        simulated.append(discrepancy(again, expected, variance, pair, sign))
    more = int((np.array(simulated) >= np.array(observed)).sum())
    p_value = (1 + more) / (1 + len(simulated))
    ratio = float(np.mean(observed) / max(np.mean(simulated), 1e-12))
    words = (
        f"pairs differ from what strengths say by {ratio:.2f} times what chance gives (posterior predictive p "
        f"{p_value:.3f})"
    )
    numbers = {"ratio": ratio, "p": p_value, "pairs": int(pair.max()) + 1, "replications": len(simulated)}
    return Finding("intransitivity", p_value < ALPHA, words, numbers)


def concentration(judges: npt.NDArray[Any]) -> Finding:
    """Return whether few judges decide."""
    names, counts = np.unique(judges, return_counts=True)
    share = counts / counts.sum()
    effective, top = float(1.0 / (share**2).sum()), int(np.argmax(share))
    found = bool(share[top] >= LARGEST_SHARE or effective < FEWEST_JUDGES)
    words = (
        f"{names.size:,} judges, as good as {effective:.0f} who judge equally often; {str(names[top])[:40]} gives "
        f"{share[top]:.1%} of the judgements"
    )
    numbers = {"judges": int(names.size), "effective": effective, "largest_share": float(share[top])}
    return Finding("concentration", found, words, numbers)


def swapped(
    white: Codes, black: Codes, score: Floats, group: npt.NDArray[Any], sides: tuple[str, str] | None = None
) -> Finding | None:
    """Return how often the verdict stays with the seat where the same two were judged in both orders; None if never."""
    low, high = np.minimum(white, black), np.maximum(white, black)
    key = pd.DataFrame({"group": group, "low": low, "high": high})
    turned = white > black
    number = key.groupby(["group", "low", "high"], sort=False).ngroup().to_numpy()
    first = pd.Series(np.where(turned, np.nan, score)).groupby(number).mean()
    second = pd.Series(np.where(turned, 1.0 - score, np.nan)).groupby(number).mean()
    both = first.notna() & second.notna()
    if not both.any():
        return None
    pairs = int(both.sum())
    agree = float((first[both] == second[both]).mean())
    seat = float(((first[both] > 0.5) & (second[both] < 0.5)).mean())
    last = float(((first[both] < 0.5) & (second[both] > 0.5)).mean())
    words = (
        f"{pairs:,} pairs judged in both orders: {agree:.1%} get the same verdict, {seat:.1%} go to who is shown first "
        f"both times and {last:.1%} to who is shown second"
    )
    if sides is not None:
        words = (
            f"{pairs:,} pairs of games with reversed seats: of {seat:.1%} {sides[0]} wins both games, of {last:.1%} "
            f"{sides[1]}"
        )
    numbers = {"pairs": pairs, "same": agree, "first_both_times": seat, "second_both_times": last}
    return Finding("both orders", None, words, numbers)

r"""Pairs of games with reversed colours from one opening: the Elo difference with the error of pairs.

An opening that favours White favours both engines once; the two games of a pair are dependent, but sums of pairs are
independent. With n pairs and shares p_k of the points 0, 1/2, 1, 3/2, 2 (the pentanomial counts),

    s = sum_k p_k x_k / 2,   se^2 = sum_k p_k (x_k / 2 - s)^2 / n
    Elo = 400 log10(s / (1 - s)),   LOS = Phi((s - 1/2) / se)

LOS is the likelihood of superiority in engine testing: the probability that the first engine is stronger under a flat
prior, by normal theory. The error of single games, which ignores the correlation within pairs, is reported beside it.

Pairs are identified by the headers of a PGN: the starting position (FEN), the round (x.1 and x.2, or x twice), the
order of games with alternating colours, or the name of the opening (Opening, ECO), which is weaker evidence, since it
describes the moves played.

Elo (1978) for the curve; the pentanomial model is used by engine testing frameworks (fishtest, fastchess).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm

from halfpoint.evaluation.rating_list import interval_ends
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.pgn import read_pgn_headers

_POINTS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
COLUMNS = ("ll", "ld", "dd_wl", "wd", "ww")
_OPENING = ("FEN", "Opening", "ECO")
_TAGS = (*_OPENING, "Round")
_NO_ROUND = ("", "?", "-")
_PAIRS_BY = ("auto", "order")
_INTERVAL = 0.95


@dataclass(frozen=True)
class EloOfScore:
    """Elo difference from the points of independent units (games, or pairs of games)."""

    score: float  #: mean share of the points
    elo: float  #: difference and one standard error; NaN where the first has all points or none
    elo_error: float
    low_elo: float  #: its 95% interval, of the score's ends; infinite where these pass all points or none
    high_elo: float
    los: float  #: likelihood of superiority


def read_engine_games(files: Sequence[str | Path]) -> tuple[GameTable, Counter[str]]:
    """The games of PGN files with the keys of their pairs, and the number set apart by reason."""
    tables, set_aside = [], Counter[str]()
    for number, file in enumerate(files):
        reading = read_pgn_headers(file, tags=_TAGS)
        covariates = {**reading.games.covariates, "file": np.full(len(reading.games), number)}
        tables.append(replace(reading.games, covariates=covariates))
        set_aside.update(reading.apart)
    return concatenate_tables(tables), set_aside


def elo_of_counts(counts: npt.NDArray[np.integer]) -> EloOfScore:
    """Elo difference from counts (games by outcome, or pairs by points 0 to 2)."""
    points, share = np.linspace(0.0, 1.0, len(counts)), counts / counts.sum()
    score = float(share @ points)
    error = float(np.sqrt(share @ (points - score) ** 2 / counts.sum()))
    reach = float(norm.ppf(0.5 + 0.5 * _INTERVAL)) * error
    low, high = _elo_of_score(np.clip([score - reach, score + reach], 0.0, 1.0)).tolist()
    if not 0.0 < score < 1.0:
        return EloOfScore(score, np.nan, np.nan, np.nan, np.nan, score)
    los = float(norm.cdf((score - 0.5) / error)) if error > 0 else float(score > 0.5) + 0.5 * (score == 0.5)
    slope = ELO_PER_NATURAL / (score * (1.0 - score))
    return EloOfScore(score, float(_elo_of_score(np.float64(score))), slope * error, low, high, los)


def _elo_of_score(score: Floats | np.float64) -> Floats:
    """Elo difference of an expected score; infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(ELO_PER_NATURAL * (np.log(score) - np.log1p(-score)))


def pair_keys(games: GameTable, by: str = "auto") -> tuple[npt.NDArray[np.str_] | None, str]:
    """Key shared by the two games of a pair, by game, and its source.

    The first criterion that pairs games: FEN; the round, if each two players have x.1 and x.2, or meet in it at most
    twice; the order, if rounds increase by one per game and each two players always change colours; the opening by any
    of its names. Openings are returned if no criterion pairs games. "order" uses the order alone.
    """
    if by not in _PAIRS_BY:
        raise GameTableError("--pairs", " | ".join(_PAIRS_BY), repr(by))
    if by == "order":
        return _order_keys(games)[0], "order"
    nothing = np.full(len(games), "")
    tags = {tag: np.asarray(games.covariates.get(tag, nothing)).astype(np.str_) for tag in _TAGS}
    opening = nothing
    for tag in _OPENING:
        opening = np.where(opening == "", tags[tag], opening)
    order, alternate = _order_keys(games)
    numbered = np.unique(tags["Round"]).size == len(games) and not np.isin(tags["Round"], _NO_ROUND).any()
    candidates = {
        "FEN": tags["FEN"], "round": _round_keys(games, tags["Round"]),
        "order": order if alternate and numbered else None, "opening": opening,
    }  # fmt: skip
    for evidence, keys in candidates.items():
        if keys is not None and (keys != "").all() and len(in_pairs(games, keys)):
            return keys, evidence
    return (opening, "opening") if (opening != "").all() and np.unique(opening).size > 1 else (None, "")


def _order_keys(games: GameTable) -> tuple[npt.NDArray[np.str_], bool]:
    """Consecutive games of each pair of players, by game, and whether colours alternate."""
    low, high = np.minimum(games.white, games.black), np.maximum(games.white, games.black)
    met = pd.DataFrame({"low": low, "high": high}).groupby(["low", "high"], sort=False)
    turned = pd.Series(games.white == high)
    alternate = (turned ^ (met.cumcount() % 2 == 1)).groupby([low, high]).nunique().max() == 1
    return (met.cumcount() // 2).to_numpy().astype(np.str_), bool(alternate)


def _round_keys(games: GameTable, rounds: npt.NDArray[np.str_]) -> npt.NDArray[np.str_] | None:
    """Round and players as keys, by game; None if rounds are unknown or are not pairs of games."""
    if np.isin(rounds, _NO_ROUND).any():
        return None
    names = np.sort(np.stack([games.white_names, games.black_names]), axis=0)
    parts = [text.rpartition(".") for text in rounds.tolist()]
    halved = all(stem and half in "12" for stem, _, half in parts)
    number = [stem for stem, _, _ in parts] if halved else rounds.tolist()
    keys = np.array([f"{a} - {b}, round {label}" for a, b, label in zip(*names.tolist(), number, strict=True)])
    file = np.asarray(games.covariates.get("file", np.zeros(len(games))))
    often = pd.DataFrame({"key": keys, "file": file}).value_counts().max()
    return keys if halved or often <= 2 else None


def in_pairs(games: GameTable, keys: npt.NDArray[np.str_]) -> pd.DataFrame:
    """Pairs of games with a common key, one of each colour, in the order of completion."""
    low, high = np.minimum(games.white, games.black), np.maximum(games.white, games.black)
    frame = pd.DataFrame({"low": low, "high": high, "key": keys, "turned": games.white == high})
    frame["points"] = np.where(frame["turned"], 1.0 - games.score, games.score)
    frame["game"] = np.arange(len(games))
    frame["number"] = frame.groupby(["low", "high", "key", "turned"], sort=False).cumcount()
    pairs = frame[~frame["turned"]].merge(
        frame[frame["turned"]], on=["low", "high", "key", "number"], suffixes=("", "_turned")
    )
    complete = pairs[["game", "game_turned"]].max(axis=1)
    columns = ["low", "high", "points", "points_turned", "game", "game_turned"]
    return pairs.assign(complete=complete).sort_values("complete", ignore_index=True)[columns]


def meetings(
    games: GameTable, keys: npt.NDArray[np.str_] | None, rating_elo: Floats, mass: float = _INTERVAL
) -> pd.DataFrame:
    """Results of each pair, most games first; keys (game,) as in `pair_keys`, rating_elo (draw, player).

    Columns first (the player with at least half of the points), second, games, wins, draws, losses (of the first),
    score_percent; elo, low_elo, high_elo, los_percent: the difference of the two by the draws of the model; and, if
    there are pairs of games, pairs, ll, ld, dd_wl, wd, ww.
    """
    low, high = np.minimum(games.white, games.black), np.maximum(games.white, games.black)
    points = np.where(games.white == low, games.score, 1.0 - games.score)
    paired = None if keys is None else in_pairs(games, keys)
    rows = []
    for key, part in pd.DataFrame({"low": low, "high": high, "points": points}).groupby(["low", "high"]):
        first, second = np.asarray(key, dtype=np.int64).tolist()
        pair_scores = np.empty(0)
        if paired is not None:
            ours = paired[(paired["low"] == first) & (paired["high"] == second)]
            pair_scores = ours[["points", "points_turned"]].to_numpy().mean(axis=1)
        single = part["points"].to_numpy()
        if single.mean() < 0.5:
            single, pair_scores, first, second = 1.0 - single, 1.0 - pair_scores, second, first
        gap = rating_elo[:, first] - rating_elo[:, second]
        elo = float(gap.mean()), *interval_ends(gap, mass).tolist(), 100.0 * float((gap > 0).mean())
        names = [str(games.players[place]) for place in (first, second)]
        rows.append((*names, len(single), *counts_of(single, 3).tolist()[::-1], 100.0 * float(single.mean()), *elo,
                     len(pair_scores), *counts_of(pair_scores, 5).tolist()))  # fmt: skip
    columns = ["first", "second", "games", "wins", "draws", "losses", "score_percent", "elo", "low_elo", "high_elo"]
    frame = pd.DataFrame(rows, columns=[*columns, "los_percent", "pairs", *COLUMNS])
    frame = frame if frame["pairs"].any() else frame.drop(columns=["pairs", *COLUMNS])
    return frame.sort_values("games", ascending=False, kind="stable", ignore_index=True)


def counts_of(shares: Floats, outcomes: int) -> npt.NDArray[np.int64]:
    """Number of units by share of their points, the shares equally spaced from 0 to 1."""
    return np.bincount(np.rint(shares * (outcomes - 1)).astype(np.int64), minlength=outcomes)

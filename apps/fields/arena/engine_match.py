"""Sequential test of two engines from their games: decision, drift, Elo, expected games, posterior."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.arena.asked import PRIOR, PRIOR_SD_ELO
from halfpoint.apps.fields.arena.game_pairs import counts_of, elo_of_counts, in_pairs, pair_keys, read_engine_games
from halfpoint.apps.fields.arena.sequential_estimate import after_stop, whenever_looked
from halfpoint.apps.fields.arena.sprt import Sprt, normalized_elo, smooth_counts
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.page import Chart, Page
from halfpoint.apps.workflows.answer import Answer, answer_page, records
from halfpoint.evaluation.digits import decimals, fixed_decimals, in_percent
from halfpoint.evaluation.first_sentences.comparisons import sequential_decision
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.table import Floats
from halfpoint.readers.read import detect

_PAIRED = 0.5  # of the games, from which on pairs decide
_NORMAL_95 = 1.959964
_SHOWN = {"elo": ["elo", "low_elo", "high_elo"],
         "normalised elo": ["normalized", "normalized_low", "normalized_high"]}  # fmt: skip
_DRAWN = 150  # points of the drift in the page
_UNBOUNDED = 3_000.0  # Elo points, from which on an interval excludes nothing
_STEPS = 20_000  # of the drift at most; a longer match is checked that often


@dataclass(frozen=True)
class _Match:
    """Points of one engine against another, in the order in which games ended."""

    first: str
    second: str
    games: Floats  #: (game,), the first's points
    pairs: Floats  #: (pair,), the first's share of pairs with reversed colours, in the order of second games
    complete: npt.NDArray[np.int64]  #: (pair,), after how many games each pair was complete
    evidence: str  #: evidence for the pairs (FEN, round, opening); empty if absent
    set_aside: dict[str, int]  #: games that were set apart: reason and number
    simulated: bool = False  #: whether they are generated


@dataclass(frozen=True, eq=False, repr=False)
class SequentialTest(Answer):
    """Sequential test of two engines.

    `frame` has a row for pairs, if any, and a row for games: by, units, counts (by points of the first engine, from
    none to all), score_percent, elo with low_elo and high_elo (95%), normalized with its ends, los_percent, llr.
    `about` has title, answer, note, decision (H0, H1, go on), numbers of the test, llr with its bounds lower and upper,
    games_at_decision, after_stop (median-unbiased difference of the games up to the stop, in Elo points of the test,
    with its interval), whenever (interval in Elo points, valid at every look), wide_enough, posterior (p_above_elo0,
    p_above_elo1), p_h1 (probability that H1 will be accepted) and games_left, both over the posterior.
    """

    test: Sprt
    drift: pd.DataFrame  #: games, llr as the match went on; empty where only counts are known
    outlook: pd.DataFrame  #: difference_elo, p_h1, games_left: if elo0, the estimate, or elo1 is true

    def page(self) -> Page:
        """Page: the log likelihood ratio between the bounds, and the list."""
        if self.drift.empty:
            return answer_page(self.frame, self.about, look=self.look)
        ends = self.drift["games"].iloc[[0, -1]].tolist()
        shown = self.drift.iloc[:: -(-len(self.drift) // _DRAWN)].rename(columns={"games": "x", "llr": "y"})
        rows = shown.assign(series="log likelihood ratio")[["series", "x", "y"]].to_dict("records")
        rows += [
            {"series": f"{name} accepted", "x": x, "y": y}
            for name, y in zip(("H0", "H1"), self.test.bounds, strict=True)
            for x in ends
        ]
        title = "Log likelihood ratio during the match"
        return answer_page(
            self.frame, self.about, Chart("figure-drift", title, "lines", rows, "games", "ratio"), look=self.look
        )


def sequential_test(
    source: str | Path | Sequence[str | Path] | npt.ArrayLike,
    test: Sprt | None = None,
    *,
    first: str | None = None,
    second: str | None = None,
    prior_sd_elo: float = PRIOR_SD_ELO,
    pairs: str = "auto",
    width_elo: float | None = None,
) -> SequentialTest:
    """Test whether a match of two engines may stop.

    Parameters
    ----------
    source : path, sequence of paths, or counts
        PGN files of one match in the order in which they were played; or three counts (losses, draws, wins of the
        first), or five (pairs by the first's points, 0 to 2).
    test : Sprt, optional
        elo0, elo1, alpha, beta, normalized; 0 and 2 Elo points at 0.05 by default.
    first, second : str, optional
        The engines, needed if there are more than two; by default the first is White in the first game.
    prior_sd_elo : float
        Standard deviation of the difference before the games, around 0, for the Bayesian probabilities.
    pairs : {"auto", "order"}
        Rule for pairs of games: by headers (`halfpoint.apps.fields.arena.game_pairs`), or consecutive games.
    width_elo : float, optional
        Stop as well once the interval valid at every look has at most this width.

    Raises
    ------
    HalfpointError
        If a file, a name or a number is invalid; in one line.

    Examples
    --------
    >>> found = sequential_test([379, 10170, 21828, 10640, 343], Sprt(0.0, 2.0, normalized=True))
    >>> found.about["decision"], round(found.about["llr"], 2)
    ('H1', 2.95)
    """
    test = test or Sprt()
    if width_elo is not None:
        PRIOR.require("--width", width_elo, GameTableError)
    files = [source] if isinstance(source, str | Path) else list(source)  # type: ignore[arg-type]
    if not files:
        raise GameTableError("sprt", "PGN files, or --counts", "neither")
    if isinstance(files[0], str | Path):
        match = _match_of(files, first, second, pairs)
        counts = {"games": counts_of(match.games, 3), "pairs": counts_of(match.pairs, 5)}
    else:
        if first or second:
            raise GameTableError("--first, --second", "PGN files, which name engines", "counts")
        counts = _counts_given(files)
        match = _Match("first", "second", np.empty(0), np.empty(0), np.empty(0, np.int64), "--counts", {})
    by = "pairs" if 2 * counts["pairs"].sum() >= max(_PAIRED * counts["games"].sum(), 1) else "games"
    tally = counts[by]
    drift, course = _drift_of(match, test, by)
    ratio = float(test.ratio(tally))
    decision, games_then = _first_decision(drift, ratio, test)
    until = tally if games_then is None else course[int(np.argmax(drift["games"].to_numpy() == games_then))]
    stopped = after_stop(test, until, decision if decision in ("H0", "H1") else "")
    whenever = whenever_looked(tally)
    outlook, belief = _looked_ahead(test, tally, ratio if decision == "go on" else None, decision, prior_sd_elo)
    nonempty = {name: counts[name] for name in ("pairs", "games") if counts[name].sum()}
    frame = pd.DataFrame([{"by": name} | _row_of(count, test) for name, count in nonempty.items()])
    losses, draws, wins = nonempty["games"].tolist() if "games" in nonempty else (None,) * 3
    stands = f"{counts['pairs'].sum():,} pairs of games"
    if "games" in nonempty:
        stands = f"{counts['games'].sum():,} games, +{wins:,} ={draws:,} -{losses:,}"
    about: dict[str, object] = {
        "title": f"{match.first} against {match.second}: {stands}{' (SIMULATED games)' * match.simulated}",
        "simulated": match.simulated, "first": match.first, "second": match.second,
        **asdict(test), "lower": test.bounds[0], "upper": test.bounds[1], "by": by, "llr": ratio, "decision": decision,
        "games_at_decision": games_then, "wins": wins, "draws": draws, "losses": losses,
        "pentanomial": nonempty["pairs"].tolist() if "pairs" in nonempty else None, "pairs_by": match.evidence,
        "prior_sd_elo": prior_sd_elo, **belief, "outlook": records(outlook), "after_stop": list(stopped),
        "whenever": list(whenever),
        "wide_enough": None if width_elo is None else whenever[1] - whenever[0] <= width_elo,
    }  # fmt: skip
    words = _words_of(about, match, outlook, test)
    about |= {"answer": words[0], "note": " ".join(words[1:])}
    look = Look(in_short(frame), digits=2, chances=("los_percent",))
    return SequentialTest(frame, about, test, drift, outlook, look=look)


EXPECTED_COUNTS = "three counts (losses, draws, wins) or five (pairs by points, 0 to 2), not all 0"


def _counts_given(numbers: Sequence[Any]) -> dict[str, npt.NDArray[np.int64]]:
    """Counts of games and of pairs from three or five numbers."""
    are_counts = [isinstance(number, int | np.integer) and 0 <= number < 10**12 for number in numbers]
    if len(numbers) not in (3, 5) or not all(are_counts) or not sum(numbers):
        raise GameTableError("--counts", EXPECTED_COUNTS, ",".join(map(str, numbers)))
    empty = {"games": np.zeros(3, dtype=np.int64), "pairs": np.zeros(5, dtype=np.int64)}
    return empty | {"games" if len(numbers) == 3 else "pairs": np.array(numbers, dtype=np.int64)}


def _match_of(paths: Sequence[Any], first: str | None, second: str | None, pairs_by: str) -> _Match:
    """The match of two engines from PGN files."""
    [(most, often)] = Counter(Path(path).resolve() for path in paths).most_common(1)
    if often > 1:
        raise GameTableError("sprt", "every file once", f"{most.name} twice")
    for path in paths:
        kind = detect(path)
        if kind != "pgn":
            raise GameTableError(str(path), "PGN of two engines", kind, "Or give counts: --counts 12,80,15.")
    all_games, set_aside = read_engine_games(paths)
    white, black = all_games.white_names, all_games.black_names
    engine, opponent = _sides_of(white, black, first, second)
    ours = ((white == engine) & (black == opponent)) | ((white == opponent) & (black == engine))
    if not ours.any():
        raise GameTableError(
            "--first, --second", "two engines with common games", f"no game of {engine!r} and {opponent!r}"
        )
    games = all_games.take(ours)
    points = np.where(white[ours] == engine, games.score, 1.0 - games.score)
    keys, evidence = pair_keys(games, pairs_by)
    pairs = np.empty((0, 2), dtype=np.int64)
    if keys is not None:
        pairs = in_pairs(games, keys)[["game", "game_turned"]].to_numpy()
    share, complete = points[pairs].sum(axis=1) / 2.0, pairs.max(axis=1, initial=0) + 1
    return _Match(
        engine, opponent, points, share, complete, evidence if len(pairs) else "", dict(set_aside), all_games.simulated
    )


def _sides_of(
    white: npt.NDArray[np.str_], black: npt.NDArray[np.str_], first: str | None, second: str | None
) -> tuple[str, str]:
    """The first and the second engine."""
    names = sorted({*white.tolist(), *black.tolist()})
    players = Players(names)
    chosen = [None if name is None else names[players.find(name, option)]
              for name, option in ((first, "--first"), (second, "--second"))]  # fmt: skip
    if chosen[0] is None and len(names) == 2:
        chosen[0] = next(name for name in [white[0], black[0]] if name != chosen[1])
    if chosen[1] is None and len(names) == 2:
        chosen[1] = next(name for name in names if name != chosen[0])
    if chosen[0] is None or chosen[1] is None:
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        raise GameTableError("sprt", "two engines", f"{len(names)} ({shown})", "Name two: --first NAME --second NAME.")
    if chosen[0] == chosen[1]:
        raise GameTableError("--second", f"an engine other than {chosen[0]!r}", repr(chosen[1]))
    return str(chosen[0]), str(chosen[1])


def _drift_of(match: _Match, test: Sprt, by: str) -> tuple[pd.DataFrame, npt.NDArray[np.int64]]:
    """The ratio and the counts during the match, after every unit, or at 20,000 equally spaced ones."""
    units, outcomes = (match.pairs, 5) if by == "pairs" else (match.games, 3)
    if not units.size:
        return pd.DataFrame({"games": np.empty(0, np.int64), "llr": np.empty(0)}), np.empty((0, outcomes), np.int64)
    looks = np.unique(np.linspace(0, units.size - 1, min(units.size, _STEPS)).astype(np.int64))
    hit = np.rint(units * (outcomes - 1)).astype(np.int64)[:, None] == np.arange(outcomes)
    cumulative = hit.cumsum(axis=0)[looks]
    games = match.complete[looks] if by == "pairs" else looks + 1
    return pd.DataFrame({"games": games, "llr": test.ratio(cumulative)}), cumulative


def _first_decision(drift: pd.DataFrame, ratio: float, test: Sprt) -> tuple[str, int | None]:
    """The decision at the first bound crossed, and the number of games."""
    lower, upper = test.bounds
    path = drift["llr"].to_numpy() if len(drift) else np.array([ratio])
    out = np.flatnonzero((path <= lower) | (path >= upper))
    if not out.size:
        return "go on", None
    return "H1" if path[out[0]] >= upper else "H0", int(drift["games"].iloc[out[0]]) if len(drift) else None


def _looked_ahead(
    test: Sprt, counts: npt.NDArray[np.int64], ratio: float | None, decision: str, prior_sd_elo: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    """Outlook of the test at three differences, and the posterior of the difference."""
    difference, weight = test.belief(counts, prior_sd_elo)
    stands = test.bounds[decision == "H1"] if ratio is None else ratio
    three = [test.elo0, test.estimate(counts), test.elo1]
    (chance, left), (chances, lefts) = (
        test.outlook(differences, smooth_counts(counts), stands) for differences in (three, difference)
    )
    outlook = {"if": ["elo0", "found", "elo1"], "difference_elo": three, "p_h1": chance, "games_left": left}
    step = difference[1] - difference[0]
    low, high = np.interp([0.025, 0.975], weight.cumsum(), difference)
    above = {
        f"p_above_{name}": float(weight @ np.clip((difference - bound) / step + 0.5, 0.0, 1.0))
        for name, bound in (("elo0", test.elo0), ("elo1", test.elo1))
    }
    above |= {"believed_elo": float(weight @ difference), "believed_low": float(low), "believed_high": float(high)}
    return pd.DataFrame(outlook), above | {"p_h1": float(weight @ chances), "games_left": float(weight @ lefts)}


def _row_of(counts: npt.NDArray[np.int64], test: Sprt) -> dict[str, object]:
    """Row of results from counts."""
    estimate = elo_of_counts(counts)
    is_alike = np.count_nonzero(counts) < 2  # then nothing measures the spread of points
    normal, error = (np.nan, np.nan) if is_alike else normalized_elo(counts)
    return {
        "elo": estimate.elo, "low_elo": estimate.low_elo, "high_elo": estimate.high_elo,
        "llr": float(test.ratio(counts)), "los_percent": 100.0 * estimate.los,
        "score_percent": 100.0 * estimate.score, "units": int(counts.sum()),
        "counts": " ".join(map(str, counts.tolist())), "normalized": normal,
        "normalized_low": normal - _NORMAL_95 * error, "normalized_high": normal + _NORMAL_95 * error,
    }  # fmt: skip


def in_short(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows for the terminal, Elo with one digit more than usual because the hypotheses are close."""
    table = frame[["by", "llr", "score_percent"]].copy()
    for name, columns in _SHOWN.items():
        table[f"{name} (95%)"] = [
            f"{of(mean)} ({of(low)} to {of(high)})" if high > low else "none (all alike)"
            for mean, low, high in frame[columns].to_numpy()
            for of in [partial(fixed_decimals, digits=decimals((high - low) / 10.0))]
        ]
    return table.assign(los_percent=frame["los_percent"], counts=frame["counts"], units=frame["units"])


def _words_of(about: dict[str, Any], match: _Match, outlook: pd.DataFrame, test: Sprt) -> list[str]:
    """Answer in sentences: the action, its reason, and the rest."""
    hypothesis = f"elo1 = {test.elo1:g}" if about["decision"] == "H1" else f"elo0 = {test.elo0:g}"
    bounds, after = (about["lower"], about["upper"]), about["games_at_decision"]
    action = (about["decision"], f"{hypothesis} {test.unit}", after, about["llr"], bounds, about["by"])
    lines = [sequential_decision(*action)]
    if about["decision"] == "go on":
        expected = "; ".join(
            f"{row['games_left']:,.0f} if the difference is {row['difference_elo']:.1f}"
            for row in outlook.round({"difference_elo": 1}).drop_duplicates("difference_elo").to_dict("records")
        )
        lines.append(
            f"Expected games left: {expected}. By the current posterior {about['games_left']:,.0f}, and H1 is accepted "
            f"with probability {in_percent(about['p_h1'])}."
        )
    (estimate, least, most), (low, high) = about["after_stop"], about["whenever"]
    when = "so far" if about["decision"] == "go on" else "when it stopped"
    sentence = f"Corrected for the stopping rule, the difference {when} is {estimate:.1f} {test.unit} ({least:.1f} to "
    sentence = f"{sentence}{most:.1f}, 95%); " if np.isfinite(estimate) else ""
    always = f"{low:.1f} to {high:.1f} Elo is valid whenever the match stops."
    if high - low > _UNBOUNDED:
        always = "With so few games there is no interval that is valid whenever the match stops."
        sentence = sentence.replace("; ", ". ")
    lines.append(f"{sentence}{always}")
    if about["wide_enough"]:
        narrow = f"Stop: the always-valid interval is {high - low:.1f} Elo wide, at most the requested width."
        lines[0] = f"{narrow} {lines[0].removeprefix('Go on. ')}"
    lines.append(
        f"If the difference is N(0, {about['prior_sd_elo']:g}^2) {test.unit} before the games, it is "
        f"{about['believed_elo']:.0f} ({about['believed_low']:.0f} to {about['believed_high']:.0f}) after them, above "
        f"{test.elo0:g} with probability {in_percent(about['p_above_elo0'])}, above {test.elo1:g} with "
        f"{in_percent(about['p_above_elo1'])}."
    )
    if match.games.size:
        alone = match.games.size - 2 * match.pairs.size
        pairs = f"{match.pairs.size:,} pairs by {match.evidence}, {alone:,} games without a pair"
        lines.append(f"{pairs if match.evidence else 'No pairs of games with reversed colours were found'}.")
    if match.set_aside:
        lines.append(
            "Set apart: " + ", ".join(f"{count:,} {reason}" for reason, count in match.set_aside.items()) + "."
        )
    return lines

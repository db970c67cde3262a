"""Results of a backtest: scores by game for each system, tables by period and overall, differences from a reference.

Systems without a draw probability get one from the common rule, whose parameter is fitted on their own forecasts of the
training months. So every system has an expected score and three probabilities, and the tables name the source of the
draws.

Differences of log scores to the reference are paired by game. Their standard errors treat games as independent
(`se_naive`) or group the games of an event (`se_event`), of a player (`se_player`), or of either (`se_two_way`); on
sides of several people the games of a person are grouped, with any partner. Use `se_two_way` and its 95% interval,
`low` and `high`: a forecast's error about a player or an event affects all of their games, so that the naive error is
too small. A difference splits into a part for drawn or decisive, and a part for the winner of decisive games.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation import scores
from halfpoint.evaluation.calibration_curves import calibration_of_outcomes
from halfpoint.evaluation.differences import PairedErrors, SharedGames
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rolling import Rolled
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.draw_curve import fit_log_draw, outcome_of
from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.plugins import Rows
from halfpoint.models.games.table import Codes, GameTable, Texts

type Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Score:
    """A score of forecasts."""

    name: str  # of its column
    heading: str  # on the terminal
    #: probabilities of loss, draw and win, shape (game, 3), expected scores, outcomes and scores of games, shape
    #: (game,) each -> one value a game
    of: Callable[[Floats, Floats, Codes, Floats], Floats]


CORE = (
    Score("log_score", "log score", lambda p, e, o, y: scores.log_score(p, o)),
    Score("deviance", "deviance", lambda p, e, o, y: scores.binomial_deviance(e, y)),
    Score("definetti", "De Finetti", lambda p, e, o, y: scores.de_finetti(p, o)),
    Score("rps", "RPS", lambda p, e, o, y: scores.ranked_probability_score(p, o)),
    Score("accuracy", "accuracy", lambda p, e, o, y: scores.accuracy(p, o)),
)
SCORES = Rows("halfpoint.scores", Score)  # these and those of installed packages
_MOST_WITH_ERRORS = 200
_PARTS = ("draw", "decisive")  # of a log score: drawn or not, and who wins if not


@dataclass(frozen=True, eq=False)
class JudgedForecasts:
    """One system's forecasts, with probabilities for every game it forecasts."""

    name: str  # of the system
    title: str  # likewise
    expected_score: Floats  # (game,): White's expected score, NaN where there is no forecast
    outcome: Floats  # (game, 3): loss, draw, win
    draws: str  # "own", or "rule" if the draw probabilities come from the common rule
    log_draw: float  # the rule's number; NaN where the system has its own
    seconds: float  # time to forecast and learn all games
    # (game, 5): forecasts of the margins, as in `halfpoint.evaluation.rolling.Rolled`
    margin: Floats | None = None


def judge(name: str, title: str, games: GameTable, rolled: Rolled, training: Mask) -> JudgedForecasts:
    """Forecasts with probabilities; missing probabilities come from the rule fitted on the training months.

    Raises `EvaluationError` if the system forecasts none of these games. Shapes: training (game,).
    """
    has_forecast = ~np.isnan(rolled.expected_score)
    has_outcome = ~np.isnan(rolled.outcome).any(axis=1)
    seconds = float(np.nansum(rolled.seconds))
    margin = rolled.margin if np.isfinite(rolled.margin).any() else None
    if (has_outcome == has_forecast).all():
        expected = np.where(has_forecast, scores.expected_score(rolled.outcome), np.nan)
        return JudgedForecasts(name, title, expected, rolled.outcome, "own", float("nan"), seconds, margin)
    fitted = has_forecast & training
    if not fitted.any():
        raise EvaluationError(name, "forecasts in the training months", "none", "Begin judging later (--from).")
    log_draw = fit_log_draw(rolled.expected_score[fitted], games.outcome[fitted])
    outcome = np.full((len(games), 3), np.nan)
    outcome[has_forecast] = outcome_of(rolled.expected_score[has_forecast], log_draw)
    return JudgedForecasts(name, title, rolled.expected_score, outcome, "rule", log_draw, seconds, margin)


def score_games(games: GameTable, system: JudgedForecasts) -> dict[str, Floats]:
    """Each score, shape (game,), NaN where the system has no forecast."""
    has_forecast = ~np.isnan(system.expected_score)
    p, e = system.outcome[has_forecast], np.clip(system.expected_score[has_forecast], 0.0, 1.0)
    o, y = games.outcome[has_forecast], games.score[has_forecast]
    by_score = {}
    for name, score in SCORES.items():
        by_score[name] = np.full(len(games), np.nan)
        by_score[name][has_forecast] = score.of(p, e, o, y)
    return by_score


_LONGEST_EVENT = 12  # periods


def events_of(games: GameTable) -> npt.NDArray[np.int64]:
    """Label of each game's event, shape (game,): a name in consecutive periods, else the period.

    A yearly tournament is a new event each time; a name used for more than twelve periods, as "Friendly" does, is a
    kind of game, of which each period is an event.
    """
    period = np.zeros(len(games), dtype=np.int64) if games.period is None else np.asarray(games.period, dtype=np.int64)
    if games.event is None:
        return np.unique(period, return_inverse=True)[1].ravel().astype(np.int64)
    name = np.unique(games.event, return_inverse=True)[1].ravel()
    order = np.lexsort((period, name))
    new = np.ones(len(games), dtype=np.bool_)
    new[1:] = (np.diff(name[order]) != 0) | (np.diff(period[order]) > 1)
    label = np.empty(len(games), dtype=np.int64)
    label[order] = np.cumsum(new) - 1
    begin = np.flatnonzero(new)
    lasts = np.append(period[order][begin[1:] - 1], period[order][-1:]) - period[order][begin]
    within = np.where(lasts[label] >= _LONGEST_EVENT, period, 0)
    return np.unique(np.stack([label, within]), axis=1, return_inverse=True)[1].ravel().astype(np.int64)


def log_score_parts(games: GameTable, system: JudgedForecasts) -> dict[str, Floats]:
    """The two parts of a log score, shape (game,) each: draw or not, and the winner if not drawn."""
    p, drawn = system.outcome, games.outcome == 1
    with np.errstate(divide="ignore", invalid="ignore"):
        total = -np.log(p[np.arange(len(games)), games.outcome])
        whether = -np.where(drawn, np.log(p[:, 1]), np.log(p[:, 0] + p[:, 2]))
    return {"draw": whether, "decisive": np.where(drawn, 0.0, total - whether)}


def shared_games(games: GameTable, mask: Mask | npt.NDArray[np.intp], event: npt.NDArray[np.int64]) -> SharedGames:
    """Events and players that some games share (mask or indexes), for the errors of differences of these games."""
    white, black = (games.members(codes[mask]) for codes in (games.white, games.black))
    return SharedGames(event[mask], white, black)


def paired_difference(games: GameTable, gap: Floats, mask: Mask, event: npt.NDArray[np.int64]) -> PairedErrors:
    """The mean of a difference over some games with its errors; infinite gaps are kept."""
    return shared_games(games, mask, event).errors(gap[mask])


class Comparison:
    """Rows of the tables of systems and a reference, one system at a time; their games are read once.

    Parameters
    ----------
    games : GameTable
        The games of all forecasts.
    reference : JudgedForecasts
        Forecasts that the others are set against.
    stretches : mapping of str to array of bool, shape (game,)
        Sets of games of `rows_overall`.
    """

    def __init__(self, games: GameTable, reference: JudgedForecasts, stretches: Mapping[str, Mask]) -> None:
        self.games, self.reference, self.event = games, reference.name, events_of(games)
        self._losses, self._parts = score_games(games, reference)["log_score"], log_score_parts(games, reference)
        period = np.zeros(len(games), dtype=np.int64) if games.period is None else games.period
        self._stretches = {
            name: (mask, shared_games(games, mask, self.event), np.unique(period[mask], return_inverse=True)[1].ravel())
            for name, mask in stretches.items()
            if mask.any()
        }
        self._periods: dict[bytes, SharedGames] = {}  # by the games, which are the same for most systems

    def rows_overall(self, system: JudgedForecasts, scored: Mapping[str, Floats]) -> list[dict[str, object]]:
        """Rows of a system in `overall`, from its scores by game (`score_games`)."""
        parts, rows = log_score_parts(self.games, system), []
        has_forecast = ~np.isnan(system.expected_score)
        for stretch, (mask, shared, periods) in self._stretches.items():
            if not has_forecast[mask].all():
                continue
            row: dict[str, object] = {"system": system.name, "set": stretch, "games": shared.games}
            row["periods"] = int(periods.max()) + 1
            row |= {score: float(scored[score][mask].mean()) for score in SCORES}
            row["reference"] = self.reference
            gap = scored["log_score"][mask] - self._losses[mask]
            row |= shared.errors(gap).columns()
            row["periods_better"] = int((np.bincount(periods, weights=gap) < 0.0).sum())
            for part in _PARTS:
                part_errors = shared.errors(parts[part][mask] - self._parts[part][mask])
                row[f"difference_{part}"], row[f"se_{part}"] = part_errors.mean, part_errors.two_way
            rows.append(row | {"title": system.title, "draws": system.draws})
        return rows

    def rows_by_period(
        self, system: JudgedForecasts, scored: Mapping[str, Floats], mask: Mask
    ) -> list[dict[str, object]]:
        """Rows of a system in `by_period`, from its scores by game (`score_games`)."""
        period = self.games.period
        if period is None:
            raise EvaluationError(self.games.source, "a period for each game", "none")
        judged = np.flatnonzero(mask & ~np.isnan(system.expected_score))
        judged = judged[np.argsort(period[judged], kind="stable")]
        periods, begin = np.unique(period[judged], return_index=True)
        lead, rows = 0.0, []
        for number, in_period in zip(periods, np.split(judged, begin[1:]), strict=False):
            gap = scored["log_score"][in_period] - self._losses[in_period]
            lead -= float(np.nansum(gap))
            row: dict[str, object] = {"period": int(number), "system": system.name, "games": int(in_period.size)}
            row |= {score: float(scored[score][in_period].mean()) for score in SCORES}
            is_paired = np.isfinite(self._losses[in_period])
            if is_paired.any() and periods.size <= _MOST_WITH_ERRORS:
                key = in_period[is_paired].tobytes()
                if key not in self._periods:
                    self._periods[key] = shared_games(self.games, in_period[is_paired], self.event)
                errors = self._periods[key].errors(gap[is_paired])
                row |= {"difference": errors.mean, "se_two_way": errors.two_way}
            rows.append(row | {"cumulative_lead": lead})
        return rows


def overall(
    games: GameTable, systems: Mapping[str, JudgedForecasts], stretches: Mapping[str, Mask], reference: str
) -> pd.DataFrame:
    """One row for each set of games and system: mean scores, the difference to the reference, its errors.

    Columns system, set, games, periods, each score, reference, `difference` (log score of the system less the
    reference's, nats per game, below 0 is better), se_naive, se_event, se_player, se_two_way, low and high (95%, by
    `se_two_way`), periods_better, `difference_draw` and `difference_decisive` with their two-way errors, title,
    draws. A system that does not forecast every game of a set is left out. Shapes: stretches (game,).
    """
    if reference not in systems:
        raise EvaluationError("reference system", ", ".join(systems), repr(reference))
    comparison = Comparison(games, replace(systems[reference], name=reference), stretches)
    rows = {
        name: comparison.rows_overall(replace(system, name=name), score_games(games, system))
        for name, system in systems.items()
    }
    return joined_rows(rows, stretches)


def joined_rows(rows: Mapping[str, Sequence[Mapping[str, object]]], stretches: Iterable[str]) -> pd.DataFrame:
    """Table of `overall` from the rows of each system."""
    joined = [row for stretch in stretches for part in rows.values() for row in part if row["set"] == stretch]
    table = pd.DataFrame(joined)
    return table.sort_values(["set", "log_score"], kind="stable").reset_index(drop=True) if joined else table


def left_out(
    games: GameTable, systems: Mapping[str, JudgedForecasts], stretches: Mapping[str, Mask], monitored: Texts
) -> dict[str, list[str]]:
    """Forecasters excluded from a set of games for missing forecasts, with the reason, one line each.

    Shapes: stretches (game,), monitored (player,).
    """
    newest = games.time if games.period is None else games.period
    debut = np.full(games.players.size, np.inf)
    is_monitored = np.isin(games.players, monitored)
    nobody = ~(is_monitored[games.white] | is_monitored[games.black])
    seats = [(games.white, games.white_rating_elo), (games.black, games.black_rating_elo)]
    for codes, _ in seats:
        np.minimum.at(debut, codes, newest)
    reasons: dict[str, list[str]] = {}
    for stretch, mask in stretches.items():
        for name, system in systems.items():
            has_forecast = ~np.isnan(system.expected_score)
            lost = np.flatnonzero(mask & ~has_forecast)
            if not lost.size:
                continue
            game = int(lost[0])
            new = [games.players[codes[game]] for codes, rating in seats
                   if debut[codes[game]] == newest[game] and (rating is None or np.isnan(rating[game]))]  # fmt: skip
            why = "no reason is known"
            if not has_forecast.any() or newest[game] < newest[has_forecast].min():
                why = "it had learned too few games"
            elif nobody[game] and not (has_forecast & nobody).any():
                why = "neither is monitored"
            elif new:
                why = f"{new[0]} had not played before, and has no rating"
            example = f"{games.white_names[game]} - {games.black_names[game]}, {games.place(game)}: {why}"
            of_all = f"{count_noun(int(lost.size), 'game')} of {int(mask.sum()):,}"
            reasons.setdefault(stretch, []).append(f"{name} is left out: it has no forecast of {of_all} ({example})")
    return reasons


def by_period(games: GameTable, systems: Mapping[str, JudgedForecasts], mask: Mask, reference: str) -> pd.DataFrame:
    """One row for each period and system: mean scores, and the cumulative lead over the reference.

    Columns period, system, games, each score, `difference` (log score less the reference's) with its two-way error
    `se_two_way` if there are at most 200 periods, and `cumulative_lead`, the sum over all games so far of the
    reference's log score less the system's, in nats: the gain of the system.
    """
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    comparison = Comparison(games, systems[reference], {})
    rows = [
        comparison.rows_by_period(replace(system, name=name), score_games(games, system), mask)
        for name, system in systems.items()
    ]
    return pd.DataFrame([row for part in rows for row in part])


def calibration(games: GameTable, systems: Mapping[str, JudgedForecasts], mask: Mask, bins: int = 10) -> pd.DataFrame:
    """Calibration tables of all systems, stacked, with a first column `system`."""
    parts = []
    for name, system in systems.items():
        judged = mask & ~np.isnan(system.expected_score)
        if judged.any():
            part = calibration_of_outcomes(system.outcome[judged], games.outcome[judged], bins)
            part.insert(0, "system", name)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)

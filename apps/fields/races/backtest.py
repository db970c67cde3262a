"""Comparison of forecasts of events: Plackett-Luce, Weng-Lin, TrueSkill, Elo, and equal probabilities.

Events are forecast in blocks by every forecaster, each block from all earlier events only. A forecast is scored by the
log of its probability of the whole order, and of the winner; ties may have any order, as may competitors without a
place behind all others. Scores are per event, and differences paired by event. Parameters of rating systems are chosen
from a small grid by the log score of the order on the second half of the training events after learning the first half;
Plackett-Luce estimates its spread. New competitors have each forecaster's prior.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from halfpoint.apps.fields.races.chances import Chances, Strengths, log_order, log_winner
from halfpoint.apps.fields.races.entrants import MODEL, columns_asked, formula_of
from halfpoint.apps.fields.races.list import counts
from halfpoint.apps.fields.races.model import Sampling, declare_races, sampler
from halfpoint.apps.fields.races.read import Races, read_races
from halfpoint.apps.fields.races.system import SYSTEMS, system_of
from halfpoint.apps.fields.races.table import Ints, RaceTable
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.options import Say, silent
from halfpoint.evaluation.differences import Difference, mean_difference
from halfpoint.evaluation.first_sentences.comparisons import best_forecaster
from halfpoint.inference.diagnostics.convergence import FREE_LEVEL
from halfpoint.inference.effort_limits import SAMPLING_SEED
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.table import Floats

_UNIFORM = "uniform"
_FORECASTERS = (MODEL, *SYSTEMS)
_TRAIN, _BLOCKS = Range(0.05, 0.95), Range(1, 10_000)
_REFIT = Sampling(draws=250, tune=300)
_USED = 400  # draws that a forecast is the mean over


@dataclass(frozen=True, eq=False, repr=False)
class RacesBacktest(Answer):
    """Scores of each forecaster on held-out events.

    A row of `frame` is a forecaster, best first by the order: events, log_order and log_winner (means over events,
    natural logarithms), with the differences from equal probabilities and their standard errors, paired by event;
    behind_best and its error.
    """

    scores: pd.DataFrame  #: one row a judged event: event, competitors, `log_order NAME`, `log_winner NAME`


def races_backtest(
    races: Races,
    forecasters: Sequence[str] = _FORECASTERS,
    columns: Mapping[str, str] | None = None,
    *,
    unplaced: str = "last",
    sides: str | None = None,
    date_format: str | None = None,
    form: str | None = None,
    say: Say = silent,
    train: float = 0.5,
    blocks: int = 10,
    seed: int = SAMPLING_SEED,
) -> RacesBacktest:
    """Forecast the later events of a file from earlier events, and score the forecasts.

    Parameters
    ----------
    races : str, Path, DataFrame or RaceTable
        A CSV file (`halfpoint.apps.fields.races.read`), its events in the order in which they took place.
    forecasters : sequence of str
        Some of plackett-luce, also "with strength ~ FORMULA" (`races_rate`), weng-lin, trueskill, elo, uniform.
    columns, unplaced, sides, date_format, form
        As for `halfpoint.apps.fields.races.list.races_rate`.
    say : callable
        Called with a line at each stage.
    train : float
        Share of the events used for training only.
    blocks : int
        Number of blocks of the remaining events; each block is forecast from all earlier events.
    seed : int
        The same seed gives the same forecasts.

    Raises
    ------
    HalfpointError
        If the file is refused, a number is out of its range, a forecaster does not exist, or there are too few events
        for training and scoring.
    """
    for name, bounds, value in (("train", _TRAIN, train), ("blocks", _BLOCKS, blocks), ("seed", SEED, seed)):
        bounds.require(name, value, GameTableError)
    models = {name: formula_of(name) for name in forecasters if name.startswith(MODEL)}
    wrong = [name for name in forecasters if name not in SYSTEMS and name not in models]
    if wrong or not forecasters:
        raise GameTableError("--systems", ", ".join(_FORECASTERS), ", ".join(wrong) or "none")
    formula_columns = dict.fromkeys(name for formula in models.values() for name in columns_asked(formula))
    table = read_races(races, columns, unplaced, list(formula_columns), sides, date_format, form)
    first = int(np.ceil(train * len(table)))
    if first < 2 or len(table) - first < 2:
        raise GameTableError(table.source, "two or more events to learn and two to judge", f"{len(table)} in all")
    cuts = np.unique(np.linspace(first, len(table), min(blocks, len(table) - first) + 1).astype(np.int64))
    names = list(dict.fromkeys((*forecasters, _UNIFORM)))
    judged = between(table, first, len(table))
    scores_of: dict[str, Floats] = {}
    notes, verdicts = list(table.notes), list[str]()
    for name in names:
        if name in models:
            log_scores, bad = _by_model(table, cuts, seed, say, models[name])
            verdicts += [f"NOT CONVERGED: {bad} of {len(cuts) - 1} refits of {name}"] if bad else []
        else:
            numbers = tune_rating(table, first, name)
            log_scores = by_system(table, cuts, name, numbers)
            chosen = ", ".join(f"{key} {value:g}" for key, value in numbers.items())
            notes += [f"{SYSTEMS[name].title}: {chosen}."] * bool(chosen)
        scores_of[name] = log_scores
        say(f"{name}: {judged.events.size:,} events forecast")
    scores = pd.DataFrame({"event": judged.events, "competitors": judged.sizes} | {
        f"{what} {name}": scores_of[name][k] for k, what in enumerate(("log_order", "log_winner")) for name in names
    })  # fmt: skip
    winner_only = int(np.isnan(scores_of[_UNIFORM][0]).sum())
    notes += [f"{winner_only} events with too many ties are scored by the winner alone."] * bool(winner_only)
    frame = pd.DataFrame([_row_of(name, scores_of[name], scores_of[_UNIFORM]) for name in names])
    frame = frame.sort_values("log_order", ascending=False, ignore_index=True)
    best = scores_of[str(frame["forecaster"].iloc[0])]
    gaps = [_difference(best[0], scores_of[name][0]) for name in frame["forecaster"]]
    frame = frame.assign(behind_best=[gap.mean for gap in gaps], behind_error=[gap.standard_error for gap in gaps])
    notes.append(
        f"{counts(table)}; the first {first:,} are learned, then {len(cuts) - 1} blocks, each forecast from all events "
        "before it. Mean natural log of the chance of the whole order and of the winner, higher is better; differences "
        "from all equal, paired by event, with standard errors."
    )
    about = about_table(
        table, f"Forecasts of {len(judged):,} events of {table.name}", "events", answer=_answer_of(frame),
        verdict="; ".join(verdicts) or "converged", note="\n".join(notes),
    )  # fmt: skip
    return RacesBacktest(frame, about, scores, look=Look(digits=3))


def between(table: RaceTable, first: int, last: int) -> RaceTable:
    """Events from one up to another."""
    number = np.arange(len(table))
    return table.take(np.asarray((number >= first) & (number < last)))


def _walk_events(table: RaceTable, cuts: Ints, after: Callable[[int], Chances]) -> Floats:
    """Log probabilities of orders and winners, shape (2, event), from the events before each block."""
    parts = ((after(a), between(table, a, b)) for a, b in pairwise(cuts.tolist()))
    return np.concatenate([np.stack([log_order(*part), log_winner(*part)]) for part in parts], axis=1)


def by_system(table: RaceTable, cuts: Ints, name: str, numbers: Mapping[str, float]) -> Floats:
    """Scores of a rating system, shape (2, event)."""
    system, learned = system_of(name, table.people.size, numbers), 0

    def after(first: int) -> Chances:
        nonlocal learned
        system.learn(between(table, learned, first))
        learned = first
        return system.chances(table)

    return _walk_events(table, cuts, after)


def tune_rating(table: RaceTable, first: int, name: str) -> Mapping[str, float]:
    """Parameters of a system with the best log score of orders on the later half of the training events."""
    tried = SYSTEMS[name].tuned
    if not tried:
        return {}
    cuts = np.unique(np.linspace(first // 2, first, 6).astype(np.int64))
    worth = [np.nanmean(by_system(table, cuts, name, numbers)[0]) for numbers in tried]
    return tried[int(np.argmax(worth))]


def _by_model(table: RaceTable, cuts: Ints, seed: int, say: Say, formula: str) -> tuple[Floats, int]:
    """Scores of Plackett-Luce with a formula, shape (2, event), and the number of refits without convergence.

    Future events have the weight 0, so that one compiled model is used for all blocks; with a formula each block has
    its own model, with coordinates for the levels seen so far.
    """
    say("compiling the model")
    number, bad = np.arange(len(table)), 0
    declared = declare_races(table, formula=formula)
    run = None if formula else sampler(declared)

    def after(first: int) -> Chances:
        nonlocal bad
        earlier = replace(declared, weight=(number < first).astype(np.float64))
        fitted = (run or sampler(earlier))(earlier, replace(_REFIT, seed=seed))
        bad += not fitted.diagnosis.verdict.startswith("converged")
        say(f"{first:,} events: {fitted.diagnosis.verdict.replace(f' ({FREE_LEVEL})', '')}")
        strength = declared.entrants.strengths(draws_of(fitted.posterior))
        return Strengths(strength[:: max(len(strength) // _USED, 1)])

    return _walk_events(declared.entrants.table, cuts, after), bad


def _row_of(name: str, scores: Floats, equal: Floats) -> dict[str, object]:
    """Row of a table of a backtest."""
    row: dict[str, object] = {"forecaster": name, "events": scores.shape[1]}
    for k, what in enumerate(("log_order", "log_winner")):
        against = _difference(scores[k], equal[k])
        row |= {
            what: float(np.nanmean(scores[k])),
            f"{what}_gain": against.mean,
            f"{what}_error": against.standard_error,
        }
    return row


def _difference(first: Floats, second: Floats) -> Difference:
    """Mean difference of two scores over their common events, paired by event."""
    in_both = ~(np.isnan(first) | np.isnan(second))
    return mean_difference(first[in_both], second[in_both])


def _answer_of(frame: pd.DataFrame) -> str:
    """The best forecaster of orders and of winners in a sentence."""
    gains = {
        str(row["forecaster"]): {
            what: (float(row[f"log_{what}_gain"]), float(row[f"log_{what}_error"])) for what in ("order", "winner")
        }
        for row in frame.to_dict("records")
    }
    return best_forecaster(gains, _UNIFORM)

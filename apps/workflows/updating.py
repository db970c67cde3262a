r"""Update a trace with further games: by reweighting its draws, or by a new fit to all games.

    w_s = product over further games of P(result | draw s)

If the weights vary little, draws resampled with them are draws of the posterior after all games, in any order of the
games. If the weights vary more, or the games change the data of the model's priors (new players, other printed
ratings), the model is refitted to all games: the games in the trace and the further games. Normal draws of thousands of
players, which have no weights, are moved instead of weighted (`halfpoint.apps.workflows.moved_draws`).

Further games of known players take milliseconds: the draws of other players are neither read nor copied until they are
requested (`halfpoint.apps.workflows.appended_games`, `halfpoint.inference.traces.resampled`).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

import numpy as np
import xarray as xr

from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.appended_games import Appended
from halfpoint.apps.workflows.beside.anchor_list import Anchored
from halfpoint.apps.workflows.intake import Account, take_in
from halfpoint.apps.workflows.moved_draws import Moved, moved_draws
from halfpoint.apps.workflows.options import (
    Games,
    Intake,
    ReadingContext,
    Run,
    Say,
    Wanted,
    no_progress,
    records_of,
    silent,
)
from halfpoint.inference.diagnostics.importance_ratios import Importance, importance
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.fit import fit
from halfpoint.inference.location import FROM, centre_ratings, is_location_fixed
from halfpoint.inference.traces.resampled import replaced, resampled
from halfpoint.inference.traces.trace_record import constant_data_of, goals_in
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import GOALS, model_in, reads_in, traits_in
from halfpoint.models.declaration.trace_games import games_in, keeps_games
from halfpoint.models.formulas.own_likelihood import OWN_LIKELIHOOD
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.periods import about_joined, concatenate_tables
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import MARGINS, Codes, Floats, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.reading.traits import Traits
from halfpoint.systems.rating_state import RatingState

_LEFT = 0.4  # share of draws that are effective, below which the model is fitted anew
_EVEN_K = 0.5  # Pareto k of the weights from which on it is, too
_BOTH = ("chain", "draw")
_NO_TOTAL = "the log likelihood of all games"  # left out of traces whose draws have moved


@dataclass(frozen=True, eq=False)
class _Reweighted:
    """Draws after reweighting by further games."""

    draws: Codes  # (draw,): indexes into the draws before
    share: float  # effective share of them
    words: str  # the method used, in words


@overload
def update(
    trace: RatingState, games: Games, *, monitor: Wanted = None, min_games: int | None = None, rare: str = "auto",
    groups: str = "refuse", names: str | Path | None = None, drop_duplicates: bool = False, faulty: str = "error",
    time_control: Sequence[str] | None = None, fide_lists: Sequence[str | Path] = (), anchors: Anchored | None = None,
    facts: str = "auto", reader: Mapping[str, object] | None = None, draws: int = 1000, tune: int = 200,
    chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> RatingState: ...  # fmt: skip


@overload
def update(
    trace: Trace, games: Games, *, monitor: Wanted = None, min_games: int | None = None, rare: str = "auto",
    groups: str = "refuse", names: str | Path | None = None, drop_duplicates: bool = False, faulty: str = "error",
    time_control: Sequence[str] | None = None, fide_lists: Sequence[str | Path] = (), anchors: Anchored | None = None,
    facts: str = "auto", reader: Mapping[str, object] | None = None, draws: int = 1000, tune: int = 200,
    chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> xr.DataTree: ...  # fmt: skip


@suggests_keywords
def update(
    trace: Trace | RatingState, games: Games, *, monitor: Wanted = None, min_games: int | None = None,
    rare: str = "auto", groups: str = "refuse", names: str | Path | None = None, drop_duplicates: bool = False,
    faulty: str = "error", time_control: Sequence[str] | None = None, fide_lists: Sequence[str | Path] = (),
    anchors: Anchored | None = None, facts: str = "auto", reader: Mapping[str, object] | None = None, draws: int = 1000,
    tune: int = 200, chains: int = 4, seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None,
    method: str = "auto", force: bool = False, say: Say = silent, reading: ReadingContext = no_progress,
    progress: bool = False, verbose: bool = False, executor: Executor | None = None,
) -> xr.DataTree | RatingState:  # fmt: skip
    """Update the trace of a model, or the state of a rating system, with further games.

    Parameters
    ----------
    trace : str, Path, DataTree or RatingState
        A trace of `rate`, or of a model that uses only players, results, ratings and dates; or the state of a rating
        system (`halfpoint.systems.rating_state.RatingState`), which learns the games in the order of time.
    games : str, Path, list of these, GameTable or DataFrame
        The further games; players who are not in the trace enter as the model's new players.
    monitor, min_games, rare, groups, names, drop_duplicates, faulty, time_control, fide_lists, anchors, facts, reader
        Reading of games, as in `halfpoint.apps.workflows.rate`.
    draws, tune, chains, seed, sampler, cores
        Sampling if weights are unreliable (`halfpoint.inference.effort_limits.Effort`).
    method, force, say, reading, progress, verbose, executor
        Method and progress reports (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    DataTree or RatingState
        The trace of all games; its attribute `updated` names the method. For a state, the state after the games.

    Raises
    ------
    HalfpointError
        If the trace does not contain its games, or the further games cannot be read.

    Examples
    --------
    >>> import halfpoint as hp
    >>> table, _ = hp.simulate(games=400, players=6, seed=3)
    >>> rated = hp.rate(table.take(slice(0, 395)), model="davidson-population-neutral")
    >>> hp.update(rated.trace, table.take(slice(395, 400))).attrs["games"]
    400
    """
    intake, effort, run = records_of(locals(), Intake, Effort, Run)
    table = take_in(games, None, Account(tell=run.say), intake)
    if isinstance(trace, RatingState):
        return trace.learned(table)
    return update_trace(trace_from(trace), table, effort, run)


def update_trace(tree: xr.DataTree, further: GameTable, effort: Effort, run: Run) -> xr.DataTree:
    """Trace of all games; see `update`."""
    _require_games(tree)
    appended = Appended.of(tree, further)
    if appended is not None and (moved := moved_draws(tree, appended)) is not None:
        run.say(f"update: normal draws updated by {count_noun(len(appended), 'game')}")
        return _moved(tree, moved, appended)
    if appended is not None and (log := appended.log_likelihood(tree)) is not None:
        reweighted = _reweighted(tree, log, len(appended), run)
        if reweighted is not None:
            return _resampled(tree, reweighted, log, appended.data(), _about_all(tree, further))
    model = model_in(tree.attrs)
    earlier, names = games_in(tree), tree["posterior"]["player"].to_numpy().astype(np.str_)
    if earlier.period is not None and further.period is None:
        further = replace(further, period=np.full(len(further), earlier.period.max() + 1), date=None)
    elif earlier.period is None and (earlier.date is not None or further.date is None):
        further = replace(further, period=None)
    if earlier.has_margins:
        further = replace(further, covariates={**further.covariates, MARGINS[0]: further.margin})
    constant = tree["constant_data"].to_dataset()
    everyone = bool((constant["white"] >= 0).all() and (constant["black"] >= 0).all())
    before = select(earlier, names)
    table = _joined(earlier, further)
    new = table.people[~np.isin(table.people, names)] if everyone else table.people[:0]
    after = select(table, np.concatenate([names, new]))
    if "prior_elo" in constant:
        prior = np.stack([constant[name].to_numpy() for name in ("prior_elo", "prior_error_elo")], axis=1)
        after = replace(after, prior_elo=np.concatenate([prior, np.full((new.size, 2), np.nan)]))
    moves = bool(reads_in(tree.attrs).every)
    why = count_noun(new.size, "new player") if new.size else _unlike(traits_in(tree.attrs), moves, before, after)
    why = why or ("its likelihood is user-defined" if tree.attrs["family"] == OWN_LIKELIHOOD else "")
    if not why:
        log = _log_likelihood(tree, after, len(before))
        reweighted = _reweighted(tree, log, len(after) - len(before), run)
        if reweighted is not None:
            data = constant_data_of(after, reads_in(tree.attrs)), xr.Dataset({"score": ("game", after.games.score)})
            trace = _resampled(tree, reweighted, log, data, _about(after.games))
            fixed = str(tree.attrs[FROM]) if is_location_fixed(tree) else ""
            posterior, level = centre_ratings(trace["posterior"].to_dataset(), after, fixed)
            trace["posterior"] = xr.DataTree(posterior)
            trace.attrs.update(level)
            return trace
        why = f"{_worth(tree, importance(log)):,.0f} of {log.size:,} draws would be effective"
    run.say(f"update: fitted again to all {len(after):,} games, since {why}")
    declared = declare_model(model, after, tree.attrs["edition"])
    times = max(1, tree["posterior"].sizes["draw"] * tree["posterior"].sizes["chain"] // (effort.draws * effort.chains))
    refit = fit(declared, run.method, effort, 0, run.say, times)
    refit.attrs["updated"] = f"fitted again to all games, since {why}"
    if GOALS in tree.attrs:
        parts: list[tuple[Mapping[Any, Any], int]] = [(tree.attrs, len(earlier)), (goals_in(further), len(further))]
        products, games = zip(*((part[GOALS], count) for part, count in parts if GOALS in part), strict=True)
        refit.attrs[GOALS] = float(np.average(products, weights=games))
    return refit


def selection_of(tree: xr.DataTree) -> Selection:
    """The games of a trace that keeps them, and its players."""
    constant = tree["constant_data"].to_dataset()
    selection = select(games_in(tree), tree["posterior"]["player"].to_numpy().astype(np.str_))
    if "prior_elo" not in constant:
        return selection
    prior = [constant[name].to_numpy() for name in ("prior_elo", "prior_error_elo")]
    return replace(selection, prior_elo=np.stack(prior, axis=1))


def _about_all(tree: xr.DataTree, further: GameTable) -> tuple[str, str | None]:
    """The name and the hash of the games of a trace and further ones."""
    return about_joined([(tree.attrs["data_name"], tree.attrs["data_sha256"] or None), _about(further)])


def _about(games: GameTable) -> tuple[str, str | None]:
    """The name and the hash of games."""
    return games.name, games.sha256


def _require_games(tree: xr.DataTree) -> None:
    """Raise `GameTableError` unless the trace has the games its model needs, with equal weights."""
    fault, is_unfit = "", not keeps_games(tree) or bool(reads_in(tree.attrs).effects)
    if "constant_data" not in tree.children or "side_player" in tree["constant_data"] or is_unfit:
        fault = f"a trace of {tree.attrs['model']} without its games"
    elif tree.attrs.get("edited"):
        fault = "a trace of an edited model"
    elif tree.attrs["weighting"] != "equal":
        fault = f"weights {tree.attrs['weighting']}"
    if fault:
        remedy = "Rate the earlier and the further files together: halfpoint rate FILE FILE."
        raise GameTableError("--from", "a trace with its games and equal weights", fault, remedy)


def _joined(earlier: GameTable, further: GameTable) -> GameTable:
    """Games of two tables in one table, without periods if neither table has any."""
    table = concatenate_tables([earlier, further])
    return replace(table, period=None) if earlier.period is None and further.period is None else table


def _unlike(traits: Traits, moves: bool, before: Selection, after: Selection) -> str:
    """Reason why draws of the earlier games cannot be weighted, in words; empty if they can."""
    if moves:
        return "strengths walk on to the dates of the further games"
    if traits.by_scores and not np.allclose(before.ratings_elo(), after.ratings_elo(), equal_nan=True):
        return "printed ratings used as prior means have changed"
    return ""


def _log_likelihood(tree: xr.DataTree, after: Selection, first: int) -> Floats:
    """Log likelihood of all games under each draw, (draw,)."""
    reading, some = reading_of(tree), slice(first, None)
    games, anchors = after.games.take(np.arange(first, len(after))), to_natural(np.nan_to_num(after.anchor_elo[some]))
    rows = reading.rows(games, after.white[some], after.black[some], (anchors, anchors))
    if rows.margin is not None:  # their scale is that of all games
        law = reading.outcome.margin
        rows = replace(rows, margin=law.of(after.games)[some])
    index = np.arange(len(rows)), games.outcome.astype(np.intp)
    return np.concatenate(
        [log_chunk[:, index[0], index[1]].sum(axis=1) for _, log_chunk in reading.chunks(rows, likelihood=True)]
    )


def _worth(tree: xr.DataTree, weights: Importance) -> float:
    """Effective number of draws with weights, including the loss by earlier updates."""
    return weights.effective * float(tree.attrs.get("update_share", 1.0))


def _reweighted(tree: xr.DataTree, log: Floats, games: int, run: Run) -> _Reweighted | None:
    """Draws resampled by log weights (draw,) of further games; None if too few would be effective."""
    weights = importance(log)
    worth = _worth(tree, weights)
    if not (weights.trusted and weights.pareto_k < _EVEN_K and worth >= _LEFT * log.size):
        return None
    words = f"draws reweighted by {count_noun(games, 'game')}, {worth:,.0f} effective"
    run.say(f"update: {words}")
    seed = int(tree.attrs["seed"]) + int(tree.attrs["games"]) + games
    return _Reweighted(weights.resampled(log.size, seed), worth / log.size, words)


def _resampled(
    tree: xr.DataTree,
    reweighted: _Reweighted,
    log: Floats,
    data: tuple[xr.Dataset, xr.Dataset],
    about: tuple[str, str | None],
) -> xr.DataTree:
    """A trace of resampled draws, with constant and observed data, name and hash of all games."""
    posterior, statistics = (tree[name].to_dataset() for name in ("posterior", "sample_stats"))
    if "log_likelihood_total" in statistics:
        total = statistics["log_likelihood_total"].transpose(*_BOTH)
        statistics = statistics.assign(log_likelihood_total=total + log.reshape(total.shape))
    drawn = [
        group.assign({name: resampled(value, reweighted.draws) for name, value in group.data_vars.items()})
        for group in (posterior, statistics)
    ]
    trace = _joined_trace(tree, (*drawn, *data), about)
    names = [name for name in ("min_ess_bulk", "min_ess_tail", "effective_draws") if name in tree.attrs]
    least = {name: min(float(tree.attrs[name]), reweighted.share * log.size) for name in names}
    trace.attrs |= least | {"updated": reweighted.words, "update_share": reweighted.share}
    return trace


def _moved(tree: xr.DataTree, moved: Moved, games: Appended) -> xr.DataTree:
    """A trace of draws after the draws of some players have moved."""
    posterior, statistics = (tree[name].to_dataset() for name in ("posterior", "sample_stats"))
    drawn = dict(posterior.data_vars)
    for name, new in moved.values.items():
        drawn[name] = replaced(posterior[name], moved.players, new, moved.shift.get(name))
    statistics = statistics.drop_vars("log_likelihood_total", errors="ignore")
    trace = _joined_trace(tree, (posterior.assign(drawn), statistics, *games.data()), _about_all(tree, games.further))
    count = int(tree.attrs.get("moved_games", 0)) + len(games)
    trace.attrs |= {"moved_games": count, "updated": f"normal draws updated by {count_noun(count, 'game')}"}
    trace.attrs["left_out"] = _NO_TOTAL
    return trace


def _joined_trace(tree: xr.DataTree, groups: tuple[xr.Dataset, ...], about: tuple[str, str | None]) -> xr.DataTree:
    """A trace of groups, posterior, statistics, constant and observed data, with the attributes of an earlier one."""
    names = ("posterior", "sample_stats", "constant_data", "observed_data")
    trace = xr.DataTree.from_dict({name: xr.DataTree(group) for name, group in zip(names, groups, strict=True)})
    games = int(groups[-1].sizes["game"])
    trace.attrs = dict(tree.attrs) | {"data_name": about[0], "data_sha256": about[1] or "", "games": games}
    return trace

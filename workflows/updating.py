r"""Update a trace with further games: by reweighting its draws, or by a new fit to all games.

    w_s = product over further games of P(result | draw s)

Where the weights vary little, draws resampled with them are of the posterior after all games, whatever order these came
in: milliseconds. Where they do not, or the games change what the model's priors are made from, as new players and other
printed ratings do, all games are fitted: those that the trace keeps and the further ones.
"""

from dataclasses import replace
from typing import Any, Unpack, overload

import numpy as np
import xarray as xr

from halfpoint.games.errors import GameTableError, count_noun
from halfpoint.games.periods import concatenate_tables
from halfpoint.games.select import Selection, select
from halfpoint.games.table import Floats, GameTable
from halfpoint.games.units import to_natural
from halfpoint.inference.diagnostics.importance_ratios import importance
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.location import FROM, centre_ratings, is_location_fixed
from halfpoint.inference.traces.trace_record import constant_data_of
from halfpoint.models.declared import declare_model
from halfpoint.models.posterior_reader import games_in, keeps_games, reading_of
from halfpoint.models.trace_attributes import model_in, reads_in, traits_in
from halfpoint.models.traits import Traits
from halfpoint.systems.rating_state import RatingState
from halfpoint.workflows.answers import Trace, trace_from
from halfpoint.workflows.intake import Account, Games, Intake, take_in
from halfpoint.workflows.options import RateOptions, Run, into_records

_LEFT = 0.4  # share of draws that are effective, below which the model is fitted anew
_EVEN_K = 0.5  # Pareto k of the weights from which on it is, too
_BOTH = ("chain", "draw")


@overload
def update(trace: RatingState, games: Games, **options: Unpack[RateOptions]) -> RatingState: ...


@overload
def update(trace: Trace, games: Games, **options: Unpack[RateOptions]) -> xr.DataTree: ...


def update(trace: Trace | RatingState, games: Games, **options: Unpack[RateOptions]) -> xr.DataTree | RatingState:
    """Update the trace of a model, or the state of a rating system, with further games.

    Parameters
    ----------
    trace : str, Path, DataTree or RatingState
        A trace of `rate`, or of a model that reads players, results, ratings and dates alone; or what a rating system
        has learned (`halfpoint.systems.rating_state.RatingState`), which learns the games in the order of time.
    games : str, Path, list of these, GameTable or DataFrame
        The further games; players whom the trace does not know enter as the model has new ones.
    **options
        As in `halfpoint.workflows.rate`: what is done to games (`Intake`), how the model is fitted where weights do not
        serve (`halfpoint.inference.effort_limits.Effort`), by which method and who hears of it (`Run`).

    Returns
    -------
    DataTree or RatingState
        The trace of all games; its attribute `updated` says how it was made. Of a state, the state after the games.

    Raises
    ------
    HalfpointError
        If the trace does not keep its games, or the further ones cannot be read.

    Examples
    --------
    >>> import halfpoint as hp
    >>> table, _ = hp.simulate(games=400, players=6, seed=3)
    >>> rated = hp.rate(table.take(slice(0, 395)), model="davidson-population-neutral")
    >>> hp.update(rated.trace, table.take(slice(395, 400))).attrs["games"]
    400
    """
    intake, effort, run = into_records(options, Intake, Effort, Run)
    table = take_in(games, None, Account(tell=run.say), intake)
    if isinstance(trace, RatingState):
        return trace.learned(table)
    return updated(trace_from(trace), table, effort, run)[0]


def updated(tree: xr.DataTree, further: GameTable, effort: Effort, run: Run) -> tuple[xr.DataTree, Selection]:
    """Trace of all games, and all games; see `update`."""
    _require_games(tree)
    model = model_in(tree.attrs)
    earlier, names = games_in(tree), tree["posterior"]["player"].to_numpy().astype(np.str_)
    if earlier.period is not None and further.period is None:
        further = replace(further, period=np.full(len(further), earlier.period.max() + 1), date=None)
    elif earlier.period is None and (earlier.date is not None or further.date is None):
        further = replace(further, period=None)
    constant = tree["constant_data"].to_dataset()
    everyone = bool((constant["white"] >= 0).all() and (constant["black"] >= 0).all())
    before = select(earlier, names)
    table = _joined(earlier, further)
    new = table.people[~np.isin(table.people, names)] if everyone else table.people[:0]
    after = select(table, np.concatenate([names, new]))
    if "prior_elo" in constant:
        known = np.stack([constant[name].to_numpy() for name in ("prior_elo", "prior_error_elo")], axis=1)
        after = replace(after, prior_elo=np.concatenate([known, np.full((new.size, 2), np.nan)]))
    moves = bool(reads_in(tree.attrs).every)
    why = count_noun(new.size, "new player") if new.size else _unlike(traits_in(tree.attrs), moves, before, after)
    if not why:
        weights, log = _weights_of(tree, after, len(before))
        worth = weights.effective * float(tree.attrs.get("update_share", 1.0))
        if weights.trusted and weights.pareto_k < _EVEN_K and worth >= _LEFT * log.size:
            kept = weights.resampled(log.size, int(tree.attrs["seed"]) + len(after))
            said = f"draws weighed with {count_noun(len(after) - len(before), 'game')}, {worth:,.0f} effective"
            run.say(f"update: {said}")
            return _weighed(tree, after, kept, log, worth / log.size, said), after
        why = f"{worth:,.0f} of {log.size:,} draws would be effective"
    run.say(f"update: fitted again to all {len(after):,} games, since {why}")
    declared = declare_model(model, after, tree.attrs["edition"])
    times = max(1, tree["posterior"].sizes["draw"] * tree["posterior"].sizes["chain"] // (effort.draws * effort.chains))
    chains: dict[str, Any] = {} if run.method == "normal" else {"adapt": True}
    found = fit(declared, run.method, effort, 0, run.say, times, **chains)
    found.attrs["updated"] = f"fitted again to all games, since {why}"
    return found, after


def _require_games(tree: xr.DataTree) -> None:
    """Raise `GameTableError` unless the trace has the games its model needs, with equal weights."""
    found, apart = "", not keeps_games(tree) or bool(reads_in(tree.attrs).effects)
    if "constant_data" not in tree.children or "side_player" in tree["constant_data"] or apart:
        found = f"one of {tree.attrs['model']} without them"
    elif tree.attrs.get("edited"):
        found = "one of an edited model"
    elif tree.attrs["weighting"] != "equal":
        found = f"weights {tree.attrs['weighting']}"
    if found:
        raise GameTableError("--from", "a trace with its games and equal weights", found, "Rate all files again.")


def _joined(earlier: GameTable, further: GameTable) -> GameTable:
    """Games of both tables in one; without dates, no time."""
    table = concatenate_tables([earlier, further])
    return replace(table, period=None) if earlier.period is None and further.period is None else table


def _unlike(traits: Traits, moves: bool, before: Selection, after: Selection) -> str:
    """Reason why draws of the earlier games cannot be weighted, in words; empty if they can."""
    if moves:
        return "strengths walk on to the dates of the further games"
    if traits.by_scores and not np.allclose(before.ratings_elo(), after.ratings_elo(), equal_nan=True):
        return "printed ratings used as prior means have changed"
    return ""


def _weights_of(tree: xr.DataTree, after: Selection, first: int) -> tuple[Any, Floats]:
    """Weights of draws and the log likelihood of the games from the first one on, (draw,)."""
    reading, some = reading_of(tree), slice(first, None)
    games, known = after.games.take(np.arange(first, len(after))), to_natural(np.nan_to_num(after.anchor_elo[some]))
    rows = reading.rows(games, after.white[some], after.black[some], (known, known))
    index = np.arange(len(rows)), games.outcome.astype(np.intp)
    log = np.concatenate([one[:, index[0], index[1]].sum(axis=1) for _, one in reading.chunks(rows, likelihood=True)])
    return importance(log), log


def _weighed(tree: xr.DataTree, after: Selection, kept: Any, log: Floats, share: float, said: str) -> xr.DataTree:
    """Trace of the kept draws, with further games and their log likelihood, (draw,)."""
    shape = tree["posterior"].sizes["chain"], tree["posterior"].sizes["draw"]

    def drawn(value: xr.DataArray) -> xr.DataArray:
        if not set(_BOTH) <= set(value.dims):
            return value
        ordered = value.transpose(*_BOTH, ...)
        flat = ordered.to_numpy().reshape(-1, *ordered.shape[2:])
        return ordered.copy(data=flat[kept].reshape(ordered.shape))

    posterior, statistics = (tree[name].to_dataset() for name in ("posterior", "sample_stats"))
    if "log_likelihood_total" in statistics:
        total = statistics["log_likelihood_total"].transpose(*_BOTH)
        statistics = statistics.assign(log_likelihood_total=total + log.reshape(shape))
    fixed = str(tree.attrs[FROM]) if is_location_fixed(tree) else ""
    posterior, level = centre_ratings(posterior.map(drawn), after, fixed)
    groups = {
        "posterior": posterior,
        "sample_stats": statistics.map(drawn),
        "observed_data": xr.Dataset({"score": ("game", after.games.score)}),
        "constant_data": constant_data_of(after, reads_in(tree.attrs)),
    }
    made = xr.DataTree.from_dict({name: xr.DataTree(one) for name, one in groups.items()})
    made.attrs = dict(tree.attrs) | level
    told = [name for name in ("min_ess_bulk", "min_ess_tail", "effective_draws") if name in tree.attrs]
    least = {name: min(float(tree.attrs[name]), share * log.size) for name in told}
    data: dict[str, Any] = {"data_name": after.games.name, "data_sha256": after.games.sha256 or "", "games": len(after)}
    made.attrs.update(data | least | {"updated": said, "update_share": share})
    return made

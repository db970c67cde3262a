r"""Leave-one-out for games with high Pareto k, by moment matching: draws are moved until their weights are reliable.

Draws given all games represent draws without game i by weights 1 / p(y_i | draw). If these depend on few draws, the
draws are shifted, scaled and rotated to the mean and covariance of the weighted draws, and weighted again (Paananen,
Piironen, Bürkner and Vehtari 2021, Stat. Comput. 31:16). ArviZ implements it; the log density and the likelihood of a
game come from the model, compiled again with the games in the trace. It takes seconds, without a refit for each such
game.
"""

import warnings
from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.evaluation.comparison import Compared
from halfpoint.evaluation.criteria import LIMIT_K
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.declaration.trace_attributes import model_in
from halfpoint.models.declaration.trace_games import games_in, keeps_games
from halfpoint.models.errors import NoLoopError, OwnCodeError
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.sparse_affine import NotAffineError

_arviz = LazyModule("arviz_stats")

MOST = 50  # games; of more the model is at fault
_SAME = 1e-3  # log likelihood of a game, which a trace keeps in single precision


def _declared_again(tree: xr.DataTree) -> Declared | None:
    """Model on the games of its trace, None if its function is missing or reads columns that the trace lacks."""
    constant = tree["constant_data"].to_dataset()
    if "side_player" in constant or "prior_elo" in constant or tree.attrs.get("edited") or not keeps_games(tree):
        return None
    try:
        model = model_in(tree.attrs)
    except OwnCodeError:
        return None
    chosen = select(games_in(tree), tree["posterior"]["player"].to_numpy().astype(np.str_))
    return declare_model(model, chosen, tree.attrs["edition"])


def match_moments(tree: xr.DataTree, compared: Compared) -> Compared:
    """Comparison line with games of Pareto k above 0.7 recomputed by moment matching.

    Unchanged if there are no such games or more than `MOST`, if games are weighted, if the trace lacks inputs of its
    model, or if the model has no compiled loop.
    """
    log_likelihood = (
        each_game(tree) if tree.attrs["weighting"] == "equal" and 0 < (compared.unreliable or 0) <= MOST else None
    )
    if log_likelihood is None or (declared := _declared_again(tree)) is None:
        return compared
    likelihood = log_likelihood.astype(np.float64)
    posterior = tree["posterior"].to_dataset().sel(draw=likelihood["draw"])
    try:
        numbers = numbers_of(declared)
        density_at = density(numbers)
    except (NotAffineError, NoLoopError):  # a density of its graph alone
        return compared
    shape, p = (likelihood.sizes["chain"], likelihood.sizes["draw"]), draws_of(posterior)
    rows, outcome = declared.game_rows, declared.selection.games.outcome
    reader = reader_of(declared)

    def as_draws(values: Floats) -> xr.DataArray:
        array = values.reshape(*shape, *values.shape[1:])
        coords: dict[str, xr.DataArray] = {name: likelihood[name] for name in ("chain", "draw")}
        return xr.DataArray(array, dims=("chain", "draw", "coordinate")[: array.ndim], coords=coords)

    def points(place: xr.DataArray) -> Floats:
        return np.ascontiguousarray(place.transpose("chain", "draw", ...).to_numpy().reshape(shape[0] * shape[1], -1))

    def log_density(place: xr.DataArray) -> xr.DataArray:
        return as_draws(np.array([density_at(point)[0] for point in points(place)]))

    def likelihood_of(place: xr.DataArray, game: int) -> xr.DataArray:
        row = np.array([game])
        values = expand(declared, numbers, points(place))
        reading = reader.at(values, rows.take(row)).under(values)
        return as_draws(reading.log_likelihood(None)[:, 0, int(outcome[game])])

    count = shape[0] * shape[1]
    start = as_draws(
        np.array([declared.coordinates({name: value[k] for name, value in p.items()}) for k in range(count)])
    )
    recomputed, stored = likelihood_of(start, 0), likelihood["score"].isel(game=0, drop=True)
    if np.abs(recomputed - stored).max() > _SAME:  # other games, or others' draws, than it seems
        return compared
    alone = xr.DataTree.from_dict({"posterior": posterior, "log_likelihood": likelihood})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of k that stay high: the table counts them
        before = _arviz.loo(alone, pointwise=True, reff=1.0)
        after = _arviz.loo_moment_match(
            alone, before, log_density, likelihood_of, start, reff=1.0, k_threshold=LIMIT_K, pointwise=True
        )
    k = np.asarray(after.pareto_k, dtype=np.float64)
    terms = np.where(np.asarray(before.pareto_k) > LIMIT_K, np.asarray(after.elpd_i), compared.terms["elpd_loo"])
    values = {**compared.values, "elpd_loo": float(terms.sum())}
    terms_of_scores, unreliable = {**compared.terms, "elpd_loo": terms}, int((k > LIMIT_K).sum())
    return replace(compared, values=values, max_pareto_k=float(k.max()), terms=terms_of_scores, unreliable=unreliable)

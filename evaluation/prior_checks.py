r"""What a prior says before any game is seen, in Elo points and in shares of draws; and how much it matters afterwards.

The prior predictive draws every parameter from its prior and reports what a chess player can judge: ratings, the gap
between two players, White's advantage, and between two players who meet at one rating the shares of draws and of
White's score. Sensitivity by power-scaling raises the prior (or the likelihood) to the powers 0.99 and 1.01, reweights
the draws, and reports how far each posterior moves; above 0.05 is worth a look.

Gabry et al. (2019) J. R. Stat. Soc. A 182:389, section 3. Kallioinen, Paananen, Buerkner & Vehtari (2024) Stat. Comput.
34:57, from ArviZ.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.games.select import Selection, select
from halfpoint.games.table import GameTable
from halfpoint.games.units import ELO_PER_NATURAL, to_elo
from halfpoint.models.declared import Declared
from halfpoint.models.elo_scale import elo_scale, ratings_in_elo
from halfpoint.models.parts.strength import MIDDLE
from halfpoint.models.posterior_reader import REPORTED, draws_of
from halfpoint.models.prior_draws import PriorDraws
from halfpoint.models.rows import meetings

_QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def example_games() -> Selection:
    """A few games in two periods, for priors that are asked about without any games.

    Four players meet one another and an opponent anchored at 2705, the study's mean rating.
    """
    names = np.array(["first", "fourth", "known", "second", "third"])
    pairs = [(white, black) for white in range(names.size) for black in range(names.size) if white != black]
    white, black = np.array(pairs, dtype=np.int32).T
    count, number = white.size, np.arange(white.size)
    rating, score = np.full(count, to_elo(MIDDLE)), np.resize([1.0, 0.5, 0.0], count)
    beside = {"rapid": (number % 3 == 0).astype(np.float64), "margin": np.zeros(count), "deal": number % 2}
    games = GameTable(
        names, white, black, score, period=number % 2 + 1, white_rating_elo=rating, black_rating_elo=rating,
        covariates=beside, name="example", simulated=True,
    )  # fmt: skip
    return select(games, names[names != "known"], "any")


def prior_table(declared: Declared, count: int = 2000, seed: int = 1) -> pd.DataFrame:
    """Quantiles 2.5, 25, 50, 75 and 97.5% of what the prior of a model says, one line a quantity with its unit.

    Its games matter only in so far as priors depend on who plays; an `EvaluationError` if fewer than two are monitored.
    """
    if declared.selection.players.size < 2:
        raise EvaluationError("prior", "two monitored players", "one")
    drawn = PriorDraws(declared.model).several(count, seed).expand_dims("chain")
    p = draws_of(drawn)
    rating = ratings_in_elo(declared, drawn)["rating_elo"][0].transpose("draw", "player").to_numpy()
    pivot, elo = (np.broadcast_to(np.ravel(value), count) for value in elo_scale(declared, drawn))
    lines: dict[str, Floats] = {
        "rating of a player (Elo)": rating[:, 0],
        "gap between two players (Elo)": np.abs(rating[:, 0] - rating[:, 1]),
    }
    formula, first, second = declared.spec.outcome.at(p), np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int32)
    whole = np.zeros(count)
    if declared.spec.advantage.kind != "none":
        a, b = declared.spec.advantage.at(p, meetings(first, second, np.zeros(1), np.zeros(1)))
        whole = np.broadcast_to(np.asarray(a + b), (count, 1))[:, 0]
        lines["White's advantage (Elo)"] = whole * elo
    probability = np.exp(formula.log_probability(whole, np.zeros(count), p.get(formula.lam)))
    if formula.draws:
        lines["share of draws between equals (%)"] = 100 * probability[:, 1]
        lines["White's score between equals (%)"] = 100 * (probability[:, 2] + probability[:, 1] / 2)
    else:
        lines["White's score between equals (%)"] = 100 * probability[:, 2]
    lines |= _further_lines(p, declared, pivot, elo)
    table = pd.DataFrame({name: np.quantile(value, _QUANTILES) for name, value in lines.items()}).T
    table.columns = [f"{100 * q:g}%" for q in _QUANTILES]
    table.index.name = "quantity"
    return table


def _further_lines(p: Mapping[str, Floats], declared: Declared, pivot: Floats, elo: Floats) -> dict[str, Floats]:
    """What the priors beyond the study say: scales, spreads, and how draws and effects move shares.

    Shapes: p (draw, ...).
    """
    lines: dict[str, Floats] = {name: p[name] for name in ("anchor_scale",) if name in p}
    if "anchor_level" in p:
        lines["anchor_level (Elo)"] = p["anchor_level"] * ELO_PER_NATURAL
    if "strength_mean" in p:
        lines["strength_mean (Elo)"] = pivot + (p["strength_mean"] - pivot / ELO_PER_NATURAL) * elo
    for name in ("advantage_mean", "advantage_spread", "strength_spread", "innovation_spread"):
        if name in p:
            lines[f"{name} (Elo)"] = p[name] * elo

    def draws(log_draw: Floats) -> Floats:
        return 100 * np.asarray(declared.spec.outcome.at(p).draw_rate(log_draw))

    if "draw_slope" in p:
        lines["draw_slope"] = p["draw_slope"]
        for above in (-200, 200):
            moved = p["log_draw"] + p["draw_slope"] * above / elo
            lines[f"share of draws between equals of {2705 + above} (%)"] = draws(moved)
    if "draw_tendency" in p:
        lines["draw_tendency_spread"] = p["draw_tendency_spread"]
        lines["share of draws of two players with tendencies (%)"] = draws(
            p["log_draw"] + p["draw_tendency"][:, :2].sum(axis=1)
        )
    for name in [name for name in p if name.endswith("_effect")]:
        for place, term in enumerate(declared.model.coords[f"{name.removesuffix('_effect')}_term"]):
            value = p[name][:, place]
            if name == "log_draw_effect":
                lines[f"share of draws between equals, {term} (%)"] = draws(p["log_draw"] + value)
            else:
                lines[f"{name} of {term} (Elo)"] = value * elo
    return lines


def sensitivity(trace: xr.DataTree, names: list[str] | None = None) -> pd.DataFrame:
    """How much posteriors move when the prior or the likelihood is power-scaled, and ArviZ's `diagnosis`.

    Of `rating_elo` and the scalar parameters by default. An `EvaluationError` where the trace lacks the log density of
    its draws, which nutpie records.
    """
    posterior = trace["posterior"].to_dataset()
    scalars = [str(name) for name in posterior if posterior[name].ndim == 2 and name not in REPORTED]
    chosen = names or [*scalars, "rating_elo"]
    tree = xr.DataTree.from_dict(
        {
            "posterior": posterior[chosen],
            "log_prior": xr.Dataset({"prior": log_prior(trace)}),
            "log_likelihood": xr.Dataset({"games": trace["sample_stats"]["log_likelihood_total"]}),
        }
    )
    import arviz as az  # brings pyplot

    table: pd.DataFrame = az.psense_summary(tree, var_names=chosen, round_to=6)
    return table


def log_prior(trace: xr.DataTree) -> xr.DataArray:
    """The log density of the stated priors at every draw, dims chain, draw, up to a constant.

    It is what the sampler's log density has besides the likelihood. Spreads are sampled on the log scale, whose
    Jacobian (log of the spread) is no part of the prior and is taken off; so are populations and walks, which are
    learned: of them the priors of their means and spreads remain.
    """
    statistics, posterior = trace["sample_stats"].to_dataset(), trace["posterior"].to_dataset()
    if "rated_spread" in posterior:
        raise EvaluationError("prior sensitivity", "a model whose priors are those it states", "one around ratings")
    if "logp" not in statistics:
        raise EvaluationError("trace", "the log density of every draw (logp)", "none", "Sample it anew with nutpie.")
    if "log_likelihood_total" not in statistics:
        raise EvaluationError("trace", "the log likelihood of its games", "an edited model without one")
    density = statistics["logp"] - statistics["log_likelihood_total"]
    for name in map(str, posterior.data_vars):
        if name.endswith("_spread"):
            density = density - np.log(posterior[name])
    return density - _population_log_prior(posterior, trace.attrs)


def _population_log_prior(posterior: xr.Dataset, attributes: Mapping[Any, Any]) -> xr.DataArray:
    """The log density of populations and walks as they are sampled, dims chain, draw, up to a constant."""
    total = xr.DataArray(0.0)
    for name in ("advantage", "draw_tendency", "strength", "volatility"):
        if f"{name}_spread" in posterior:
            mean, spread = posterior.get(f"{name}_mean", 0.0), posterior[f"{name}_spread"]
            total = total - (((posterior[name] - mean) / spread) ** 2).sum("player") / 2
            total = total - attributes.get(f"{name}_centring", 0.0) * np.log(spread)
    if "innovation_spread" in posterior:
        pace = next((np.exp(posterior[name]) for name in ("pace", "volatility") if name in posterior), 1.0)
        steps = posterior["strength"].diff("month", label="lower") / (posterior["innovation_spread"] * pace)
        total = total - (steps**2).sum(("player", "month")) / 2
    if "pace" in posterior:
        total = total - ((posterior["pace"].diff("month") / posterior["pace_spread"]) ** 2).sum(("player", "month")) / 2
    return total

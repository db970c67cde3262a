r"""Prior predictive quantities in Elo points and shares of draws, and sensitivity to the prior.

The prior predictive draws every parameter from its prior and reports quantities that a chess player can judge: ratings,
the gap between two players, White's advantage, and between two players who meet at one rating the shares of draws and
of White's score. Sensitivity by power-scaling raises the prior (or the likelihood) to the powers 0.99 and 1.01,
reweights the draws, and reports how far each posterior moves; moves above 0.05 deserve attention.

Gabry et al. (2019) J. R. Stat. Soc. A 182:389, section 3. Kallioinen, Paananen, Buerkner & Vehtari (2024) Stat. Comput.
34:57, from ArviZ.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import elo_scale, ratings_in_elo, reading_from
from halfpoint.models.declaration.posterior_reader import REPORTED, Reading
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL, to_elo
from halfpoint.models.language.model import is_own
from halfpoint.models.language.populations import MIDDLE
from halfpoint.models.reading.prior_draws import prior_of

_QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def example_games() -> Selection:
    """Invented games in two periods, for prior checks without data.

    Four players meet one another and an opponent anchored at 2705, the study's mean rating.
    """
    names = np.array(["first", "fourth", "known", "second", "third"])
    pairs = [(white, black) for white in range(names.size) for black in range(names.size) if white != black]
    white, black = np.array(pairs, dtype=np.int32).T
    count, number = white.size, np.arange(white.size)
    rating, score = np.full(count, to_elo(MIDDLE)), np.resize([1.0, 0.5, 0.0], count)
    covariates = {"rapid": (number % 3 == 0).astype(np.float64), "margin": np.zeros(count), "deal": number % 2}
    games = GameTable(
        names, white, black, score, period=number % 2 + 1, white_rating_elo=rating, black_rating_elo=rating,
        covariates=covariates, name="example", simulated=True,
    )  # fmt: skip
    return select(games, names[names != "known"], "any")


def prior_table(declared: Declared, count: int = 2000, seed: int = 1) -> pd.DataFrame:
    """Quantiles 2.5, 25, 50, 75 and 97.5% of prior predictive quantities, one line each with its unit.

    Its games matter only if priors depend on the players. Raises `EvaluationError` if fewer than two players are
    monitored.
    """
    if declared.selection.players.size < 2:
        raise EvaluationError("prior", "two monitored players", "one")
    drawn = prior_of(declared.model, count, seed).expand_dims("chain")
    drawn = drawn.assign(ratings_in_elo(declared, drawn))
    rating = drawn["rating_elo"][0].transpose("draw", "player").to_numpy()
    reading, formula = reading_from(declared, drawn), declared.outcome
    lines: dict[str, Floats] = {
        "rating of a player (Elo)": rating[:, 0],
        "gap between two players (Elo)": np.abs(rating[:, 0] - rating[:, 1]),
    }
    if is_own(declared.spec):  # variables may have any names and roles: a player meets an equal, themselves
        if "advantage_elo" in drawn:
            lines["White's advantage (Elo)"] = drawn["advantage_elo"][0].to_numpy().reshape(count, -1)[:, 0]
        first = np.zeros(1, dtype=np.int32)
        probability = reading.probabilities(reading.today(first, first))[..., 0].T
    else:
        lead = np.zeros(count) if declared.traits.seats == "none" else _lead(reading, reading.p, count)
        if declared.traits.seats != "none":
            lines["White's advantage (Elo)"] = lead * np.ravel(elo_scale(reading, declared, drawn)[1])
        log = formula.at(reading.p).log_probability(lead, np.zeros(count), reading.p.get(formula.lam))
        probability = np.exp(log)
    if formula.draws:
        lines["share of draws between equals (%)"] = 100 * probability[:, 1]
        lines["White's score between equals (%)"] = 100 * (probability[:, 2] + probability[:, 1] / 2)
    else:
        lines["White's score between equals (%)"] = 100 * probability[:, 2]
    if formula is not LIKELIHOOD:
        pivot, elo = (np.broadcast_to(np.ravel(value), count) for value in elo_scale(reading, declared, drawn))
        lines |= _further_lines(reading.p, declared, pivot, elo)
    table = pd.DataFrame({name: np.quantile(value, _QUANTILES) for name, value in lines.items()}).T
    table.columns = [f"{100 * q:g}%" for q in _QUANTILES]
    table.index.name = "quantity"
    return table


def _lead(reading: Reading, p: dict[str, Floats], count: int) -> Floats:
    """White's lead over an equal player by advantages, natural units, (draw,)."""
    alike = {**p, "strength": np.zeros_like(p["strength"])}
    first, second = np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int32)
    lead = np.empty(count)
    for part, sides in replace(reading, p=alike).under(reading.today(first, second)):
        lead[part] = np.broadcast_to(sides.white - sides.black, (len(lead[part]), 1))[:, 0]
    return lead


def _further_lines(p: Mapping[str, Floats], declared: Declared, pivot: Floats, elo: Floats) -> dict[str, Floats]:
    """Prior predictive lines of models beyond the study: scales, spreads, draws and effects.

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
        return 100 * np.asarray(declared.outcome.at(p).draw_rate(log_draw))

    if "draw_slope" in p:
        lines["draw_slope"] = p["draw_slope"]
        for above in (-200, 200):
            moved = p["log_draw"] + p["draw_slope"] * above / elo
            lines[f"share of draws between equals of {2705 + above} (%)"] = draws(moved)
    if "draw_tendency" in p:
        lines["draw_tendency_spread"] = p["draw_tendency_spread"]
        lines["share of draws of two players with their tendencies (%)"] = draws(
            p["log_draw"] + p["draw_tendency"][:, :2].sum(axis=1)
        )
    for name in [name for name in p if name.endswith("_effect") and declared.reads.effects]:
        for place, term in enumerate(declared.model.coords[f"{name.removesuffix('_effect')}_term"]):
            value = p[name][:, place]
            if name == "log_draw_effect":
                lines[f"share of draws between equals, {term} (%)"] = draws(p["log_draw"] + value)
            else:
                lines[f"{name} of {term} (Elo)"] = value * elo
    return lines


def sensitivity(trace: xr.DataTree, names: list[str] | None = None) -> pd.DataFrame:
    """Change of posteriors under power-scaled prior or likelihood, and ArviZ's `diagnosis`.

    By default for `rating_elo` and the scalar parameters. Raises `EvaluationError` if the trace lacks the group
    `log_prior`, or its games' log likelihood.
    """
    if "log_prior" not in trace.children:
        raise EvaluationError(
            "prior sensitivity", "a trace with the group log_prior", "none", "Fit it --with log_prior."
        )
    if "log_likelihood_total" not in trace["sample_stats"]:
        raise EvaluationError("trace", "the log likelihood of its games", "an edited model without it")
    posterior = trace["posterior"].to_dataset()
    scalars = [str(name) for name in posterior if posterior[name].ndim == 2 and name not in REPORTED]
    chosen = names or [*scalars, "rating_elo"]
    likelihood = xr.Dataset({"games": trace["sample_stats"]["log_likelihood_total"]})
    groups = {"posterior": posterior[chosen], "log_prior": trace["log_prior"], "log_likelihood": likelihood}
    import arviz as az  # brings pyplot

    table: pd.DataFrame = az.psense_summary(xr.DataTree.from_dict(groups), var_names=chosen, round_to=6)
    return table

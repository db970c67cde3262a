r"""One board from expensive judges (people) and cheap judges (models that judge the same pairs with a bias).

    dear     eta = g_a - g_b + h
    cheap j  eta = k_j (g_a - g_b) + b_ja - b_jb + h_j
    first : tie : second = exp(eta / 2) : exp(l) : exp(-eta / 2)   with l of the expensive judges, l_j of a cheap judge

    g ~ N(0, s^2),  s ~ HalfNormal(2);   b_j ~ t_j Student(2),  t_j ~ HalfNormal(1/2);   log k_j ~ N(0, 1/2^2)
    h, h_j ~ N(0, 1/2^2);   l, l_j ~ N(0, 2^2)                     natural units

g  strength by the expensive judges, the scale of the board;  k_j  sharpness of a cheap judge;  b_j  bias of a cheap
judge for a competitor (its own answers, say);  h  first position;  l  ties. If a cheap judge agrees with the expensive
judges, t_j is small and its votes count almost fully; otherwise they count for little. Student's tails allow a large
bias for a few competitors and a small bias for the rest. Intervals of g are valid for any bias that is one number per
competitor.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.arena.agreement import krippendorff_alpha, units_of
from halfpoint.apps.fields.arena.read import Judgements, judgements_of
from halfpoint.apps.workflows.answer import Answer
from halfpoint.apps.workflows.options import Games
from halfpoint.evaluation.rating_list import RatingList
from halfpoint.inference.adaptive import SamplingPlan, sample_adaptively
from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.components import connected_groups
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_elo
from halfpoint.models.pymc_import import pm, pt

LEVEL_ELO = 1500.0
_PRIORS = {"spread": 2.0, "bias_spread": 0.5, "log_sharpness": 0.5, "first": 0.5, "log_tie": 2.0}
_ACCEPTANCE, _TAILS = 0.95, 2.0
_INTERVAL = (0.025, 0.975)


@dataclass(frozen=True, eq=False)
class JudgedCells:
    """Votes summed by first answer, second answer, and judge; judge 0 is all expensive judges."""

    players: npt.NDArray[np.str_]
    judges: tuple[str, ...]  # the cheap ones, judges 1, 2, ...
    first: npt.NDArray[np.int64]  # (cell,), index into players
    second: npt.NDArray[np.int64]
    judge: npt.NDArray[np.int64]
    counts: Floats  # (cell, 3): wins of the second, ties, wins of the first

    def without_cheap(self) -> "JudgedCells":
        """Cells with the expensive votes alone."""
        return replace(self, counts=np.where(self.judge[:, None] == 0, self.counts, 0.0))

    def votes(self, judge: int) -> float:
        """Number of votes of a judge."""
        return float(self.counts[self.judge == judge].sum())


def judged_cells(judgements: Judgements, cheap: Sequence[str]) -> JudgedCells:
    """Cells of judgements with named cheap judges; an error without expensive judges."""
    games = judgements.games
    if "judge" not in games.covariates:
        raise GameTableError(games.source, "a column of judges", "none", "Name it: --columns judge=COLUMN.")
    names = np.asarray(games.covariates["judge"]).astype(np.str_)
    wrong = [name for name in cheap if name not in names]
    if wrong or not cheap:
        examples = ", ".join(np.unique(names)[:8].tolist())
        raise GameTableError("--cheap", f"judges of the file, such as {examples}", repr(wrong[0]) if wrong else "none")
    code = np.zeros(len(games), dtype=np.int64)
    for place, name in enumerate(cheap, 1):
        code[names == name] = place
    if not (code == 0).any():
        raise GameTableError("--cheap", "votes of expensive judges as well", "none", "Leave a judge out of --cheap.")
    dear = code == 0
    group = connected_groups(games.players, games.white[dear], games.black[dear], np.zeros(0, dtype=np.int64))
    if not group.comparable:
        description = group.describe().replace("\n  ", "; ")
        raise GameTableError(
            games.source, f"{judgements.noun}s connected by expensive votes", description, "Judge further pairs."
        )
    key = (games.white.astype(np.int64) * games.players.size + games.black) * (len(cheap) + 1) + code
    kinds, place = np.unique(key, return_inverse=True)
    counts = np.zeros((kinds.size, 3))
    np.add.at(counts, (place, games.outcome), 1.0 if games.weight is None else games.weight)
    pair, judge = np.divmod(kinds, len(cheap) + 1)
    first, second = np.divmod(pair, games.players.size)
    return JudgedCells(games.players, tuple(cheap), first, second, judge, counts)


def judges_model(cells: JudgedCells) -> "pm.Model":
    """PyMC model of expensive and cheap judges; the counts are its data."""
    cheap = len(cells.judges)
    coords = {"player": cells.players.astype(object), "judge": np.array(cells.judges, dtype=object)}
    with pm.Model(coords=coords) as graph:
        counts = pm.Data("counts", cells.counts)
        spread = pm.HalfNormal("spread", _PRIORS["spread"])
        strength = pm.Deterministic("strength", spread * pm.Normal("strength_unit", dims="player"), dims="player")
        first = pm.Normal("first", 0.0, _PRIORS["first"], shape=cheap + 1)
        log_tie = pm.Normal("log_tie", 0.0, _PRIORS["log_tie"], shape=cheap + 1)
        log_sharpness = pm.Normal("log_sharpness", 0.0, _PRIORS["log_sharpness"], dims="judge")
        bias_spread = pm.HalfNormal("bias_spread", _PRIORS["bias_spread"], dims="judge")
        unit = pm.StudentT("bias_unit", _TAILS, dims=("judge", "player"))
        bias = pm.Deterministic("bias", bias_spread[:, None] * unit, dims=("judge", "player"))
        sharp = pt.concatenate([pt.ones(1), pt.exp(log_sharpness)])
        biases = pt.concatenate([pt.zeros((1, cells.players.size)), bias])
        player, opponent, judge = cells.first, cells.second, cells.judge
        eta = (
            sharp[judge] * (strength[player] - strength[opponent])
            + biases[judge, player]
            - biases[judge, opponent]
            + first[judge]
        )
        tie = log_tie[judge]
        total = pt.logsumexp(pt.stack([-eta / 2.0, tie, eta / 2.0]), axis=0)
        log_likelihood = (counts[:, 2] - counts[:, 0]) * eta / 2.0 + counts[:, 1] * tie - counts.sum(axis=1) * total
        pm.Potential("log_likelihood", log_likelihood.sum())
    return graph


def judges_sampler(cells: JudgedCells) -> Callable[[JudgedCells, Effort], tuple[xr.Dataset, Diagnosis]]:
    """Compile the model once; the function samples it on cells of the same pairs and judges."""
    import nutpie

    from halfpoint.inference.nuts import all_draws, split_raw_trace

    compiled = nutpie.compile_pymc_model(judges_model(cells))

    def run(other_cells: JudgedCells, effort: Effort) -> tuple[xr.Dataset, Diagnosis]:
        compiled_model = compiled.with_data(counts=other_cells.counts)

        def draw(plan: SamplingPlan) -> tuple[xr.Dataset, xr.Dataset, int]:
            draws, statistics = split_raw_trace(all_draws(compiled_model, plan, effort))
            parameters = draws[["strength", "spread", "first", "log_tie", "log_sharpness", "bias_spread", "bias"]]
            return parameters, statistics, sum(value[0, 0].size for value in parameters.data_vars.values())

        first_plan = SamplingPlan(effort.draws, effort.tune, _ACCEPTANCE)
        posterior, _, _, diagnoses = sample_adaptively(draw, first_plan, effort.chains, free_level=True)
        return posterior, diagnoses[-1]

    return run


def contrast_variance(posterior: xr.Dataset) -> float:
    """Mean posterior variance of the difference of two strengths, natural units squared."""
    draws = posterior["strength"].transpose("chain", "draw", "player").to_numpy()
    flat = draws.reshape(-1, draws.shape[-1])
    centred = flat - flat.mean(axis=1, keepdims=True)
    return float(2.0 * centred.var(axis=0, ddof=1).sum() / (flat.shape[1] - 1))


@dataclass(frozen=True, eq=False, repr=False)
class JudgedBoard(Answer):
    """Board of expensive and cheap judges; its frame is the `RatingList` on the expensive ones' scale."""

    judges: (
        pd.DataFrame
    )  #: one row a cheap judge: votes, sharpness, first_elo, bias_elo (spread), each with _low, _high
    bias: pd.DataFrame  #: bias of each cheap judge for each competitor, Elo points: mean, low, high


def cheap_judges(
    battles: Games | Judgements,
    cheap: Sequence[str],
    effort: Effort | None = None,
    reader: Mapping[str, object] | None = None,
) -> JudgedBoard:
    """Rank competitors by the votes of expensive judges, supported by votes of cheap judges.

    Parameters
    ----------
    battles : str, Path, DataFrame, GameTable or Judgements
        Judgements with a column of judges (`halfpoint.apps.fields.arena.read`).
    cheap : sequence of str
        The judges whose bias is estimated; all other judges are expensive.
    effort : Effort, optional
        Draws, tuning draws, chains, seed.
    reader : mapping, optional
        Options of the reader of tables: columns, outcomes, date_format, ignore.

    Returns
    -------
    JudgedBoard
        The list, the cheap judges, their biases; `about` has alpha of all judges and of the expensive judges, and
        dear_votes_saved: 1 less the ratio of the mean variances of differences, with the cheap votes and without.

    Raises
    ------
    HalfpointError
        If a judge is unknown, no expensive votes are left, or the expensive votes do not connect all competitors.
    """
    judgements = battles if isinstance(battles, Judgements) else judgements_of(battles, options=reader)
    cells, effort = judged_cells(judgements, cheap), effort or Effort(500, 500, 4)
    run = judges_sampler(cells)
    posterior, diagnosis = run(cells, effort)
    alone, _ = run(cells.without_cheap(), effort)
    saved = 1.0 - contrast_variance(posterior) / contrast_variance(alone)
    centred = posterior["strength"] - posterior["strength"].mean("player")
    ratings = (LEVEL_ELO + to_elo(1.0) * centred).transpose("chain", "draw", "player")
    listed = RatingList.of_draws(ratings, noun=judgements.noun).frame
    unit, verdict = units_of(judgements.games)
    names = np.asarray(judgements.games.covariates["judge"]).astype(np.str_)
    dear = ~np.isin(names, list(cheap))
    alpha = krippendorff_alpha(unit, verdict), krippendorff_alpha(unit[dear], verdict[dear])
    judges = _judges_of(posterior, cells)
    agreed = ", ".join(f"{what} {value:.2f}" for what, value in zip(("all", "the expensive ones"), alpha, strict=True)
                       if np.isfinite(value))  # fmt: skip
    of_cheap = sum(cells.votes(place + 1) for place in range(len(cheap)))
    note = (
        f"By {cells.votes(0):,.0f} expensive votes and {of_cheap:,.0f} of {count_noun(len(cheap), 'cheap judge')}: "
        f"variances of differences are {100 * saved:.0f}% smaller than by the expensive votes alone, of which "
        f"{cells.votes(0) / (1.0 - saved):,.0f} would be needed."
        + (f" Krippendorff's alpha: {agreed}." if agreed else "")
    )
    about = {
        "title": f"Board of {len(listed)} {judgements.noun}s by expensive and cheap judges", "note": note,
        "data": judgements.games.name, "simulated": judgements.games.simulated, "verdict": diagnosis.verdict,
        "alpha": alpha[0], "alpha_dear": alpha[1], "dear_votes_saved": saved,
    }  # fmt: skip
    return JudgedBoard(listed, about, judges, _bias_of(posterior))


def _with_ends(name: str, draws: Any) -> dict[str, Floats]:
    """Mean and ends of the 95% interval of draws, by name."""
    low, high = (draws.quantile(q, ("chain", "draw")).to_numpy() for q in _INTERVAL)
    return {name: draws.mean(("chain", "draw")).to_numpy(), f"{name}_low": low, f"{name}_high": high}


def _judges_of(posterior: xr.Dataset, cells: JudgedCells) -> pd.DataFrame:
    """Table of the cheap judges, one a row."""
    votes = [int(cells.votes(place + 1)) for place in range(len(cells.judges))]
    first = posterior["first"].isel({posterior["first"].dims[-1]: slice(1, None)})
    columns = _with_ends("sharpness", np.exp(posterior["log_sharpness"]))
    columns |= _with_ends("first_elo", to_elo(1.0) * first)
    columns |= _with_ends("bias_elo", to_elo(1.0) * posterior["bias_spread"])
    return pd.DataFrame({"judge": cells.judges, "votes": votes} | columns)


def _bias_of(posterior: xr.Dataset) -> pd.DataFrame:
    """Bias of each cheap judge for each competitor, the largest first, with 95% intervals."""
    bias = to_elo(1.0) * (posterior["bias"] - posterior["bias"].mean("player"))
    bias = bias.transpose("chain", "draw", "judge", "player")
    frame = pd.DataFrame({name: value.ravel() for name, value in _with_ends("bias_elo", bias).items()})
    judge, player = (posterior["bias"][name].to_numpy().astype(str) for name in ("judge", "player"))
    frame.insert(0, "judge", np.repeat(judge, player.size))
    frame.insert(1, "player", np.tile(player, judge.size))
    return frame.sort_values(["judge", "bias_elo"], ascending=[True, False], ignore_index=True)

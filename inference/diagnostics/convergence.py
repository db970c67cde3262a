"""Convergence checks of a sampler: thresholds from the literature, and a verdict in words.

R-hat      rank-normalised split R-hat below 1.01                     Vehtari et al. (2021), Bayesian Analysis 16:667
ESS        bulk and tail effective sample size at least 100 a chain   the same
divergent  no divergent transition                                    Betancourt (2017), arXiv:1701.02434
E-BFMI     energy fraction of missing information at least 0.3        Betancourt (2016), arXiv:1604.00695

All reported quantities are judged: ratings, advantage, draws, effects, spreads, scales. Without anchored opponents
games identify differences only and every list sets its level by a convention; then the mean over the players is
subtracted from strengths and ratings before they are judged. The verdict names the level, which depends on the prior
alone, but does not judge it.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from halfpoint.models.games.table import Floats
from halfpoint.models.rhat_ess import rhat_and_ess

MAX_RHAT = 1.01
MIN_ESS_PER_CHAIN = 100
MIN_EBFMI = 0.3
_SOME = 20  # numbers of a variable that are checked if draws are independent
_BY_CHANCE = 5.0  # over draws a chain: R-hat of independent draws, less 1, is above it once in a million at four chains
_RATINGS = ("rating_elo", "rating_elo_by_month")  # like strengths on a scale whose origin only anchors fix
_ROUNDING = 1e-4  # natural units: a difference of strengths in single precision
DIAGNOSED = "diagnosed"  # attribute of a variable, 0 for those without R-hat: fixed numbers, functions of draws
_LEVELS = ("strength_mean", "level", "anchor_level")  # where that origin is
FREE_LEVEL = "the level is a convention, no rating in the model fixes it"


@dataclass(frozen=True)
class Diagnosis:
    """Worst convergence figures over all parameters, and the verdict."""

    max_rhat: float  # largest rank-normalised split R-hat
    min_ess_bulk: float  # smallest effective sample sizes
    min_ess_tail: float  # likewise
    divergences: int  # divergent transitions after tuning
    min_ebfmi: float  # smallest E-BFMI of a chain; NaN if the sampler records no energy
    faults: tuple[str, ...]  # what fails, in words; empty if nothing does
    free_level: bool = False  # whether the level of the ratings is free and was left out

    @property
    def converged(self) -> bool:
        """True if no check fails."""
        return not self.faults

    @property
    def as_record(self) -> dict[str, object]:
        """Attributes of a trace that record the diagnosis."""
        figures = {name: getattr(self, name) for name in ("max_rhat", "min_ess_bulk", "min_ess_tail", "divergences")}
        return {"verdict": self.verdict, "converged": int(self.converged)} | figures

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        text = "converged" if self.converged else "NOT CONVERGED: " + "; ".join(self.faults)
        return f"{text} ({FREE_LEVEL})" if self.free_level else text


def _reported_variables(posterior: xr.Dataset, free_level: bool = False) -> xr.Dataset:
    """Variables of a posterior that a verdict judges, in the form in which they are reported."""
    same = [name for name in _RATINGS if _has_dims_of_strength(posterior, name)]  # strengths in Elo points
    if not free_level:
        judged = posterior.drop_vars(same)
        fixed = [name for name in _LEVELS if name in judged and float(np.ptp(judged[name].to_numpy())) == 0.0]
        return judged.drop_vars(fixed)  # fixed levels are numbers of the model
    twice = ["strength"] if same else []
    renamed = _strengths_of_other_names(posterior)
    judged = posterior.drop_vars([*(name for name in _LEVELS if name in posterior), *twice])
    names = [name for name in (*_RATINGS, "strength", *renamed) if name in judged]
    players = {name: [dim for dim in judged[name].dims if dim not in ("chain", "draw")] for name in names}
    return judged.assign({name: judged[name] - judged[name].mean(players[name], skipna=False) for name in names})


def _strengths_of_other_names(posterior: xr.Dataset) -> list[str]:
    """Names of variables by player that equal the strengths, at the end of a walk, up to a number in each draw."""
    if "strength" not in posterior or "player" not in posterior["strength"].dims:
        return []
    strength, names = posterior["strength"], []
    strength = strength.isel(month=-1, drop=True) if "month" in strength.dims else strength
    for name, value in posterior.items():
        last = value.isel(month=-1, drop=True) if "month" in value.dims else value
        if name != "strength" and name not in _RATINGS and last.dims == strength.dims:
            gap = (last - strength).to_numpy()
            if np.ptp(gap, axis=-1).max(initial=0.0) < _ROUNDING:
                names.append(str(name))
    return names


def _has_dims_of_strength(posterior: xr.Dataset, name: str) -> bool:
    """True if a variable has the dims of the strengths."""
    return name in posterior and "strength" in posterior and posterior[name].dims == posterior["strength"].dims


def format_figure(value: float, limit: float, digits: int = 0) -> str:
    """Format a figure that misses its limit, with enough digits to show it."""
    written = next((f"{value:.{places}f}" for places in range(digits, 12) if float(f"{value:.{places}f}") != limit), "")
    return written or f"{value}"


def judged_numbers(posterior: xr.Dataset, free_level: bool = False) -> list[Floats]:
    """All numbers that a verdict judges, (number, chain, draw) of each variable, without those that never move.

    The level is free if no rating fixes it (`_reported_variables`). Fixed numbers and functions of draws, whose
    attribute `diagnosed` is 0, have no R-hat.
    """
    numbers = [name for name, value in posterior.items() if not value.attrs.get(DIAGNOSED, 1)]
    parameters = _reported_variables(posterior.drop_vars(numbers), free_level)
    flat = [value.transpose("chain", "draw", ...).to_numpy() for value in parameters.data_vars.values() if value.size]
    flat = [value.reshape(*value.shape[:2], -1) for value in flat]
    moving = [np.ptp(value, axis=(0, 1)) > 0.0 for value in flat]  # unlike the correlation of a thing with itself
    flat = [np.moveaxis(value, 2, 0) for value in flat]
    return [value[is_moving] if is_moving.any() else value for value, is_moving in zip(flat, moving, strict=True)]


def diagnose(
    posterior: xr.Dataset,
    sample_stats: xr.Dataset,
    free_level: bool = False,
    independent: bool = False,
    figures: Floats | None = None,
    thinned: bool = False,
) -> Diagnosis:
    """Diagnose sampled chains, from datasets with dims chain and draw.

    Statistics have `diverging` and, if recorded, `energy`; the level is free if no rating fixes it. R-hat and effective
    sizes of independent draws vary by chance alone: a sample of the numbers is checked, and the limit of R-hat is
    higher if draws are few. `figures` are those of all judged numbers, (3, number), if they are known. Of draws that
    are an even share of others (`thinned`) a quarter has to be effective at most.
    """
    chains = posterior.sizes["chain"]
    if figures is None:
        flat = judged_numbers(posterior, free_level)
        if independent:
            flat = [value[:: -(-len(value) // _SOME)] for value in flat]
        figures = np.concatenate([rhat_and_ess(value) for value in flat], axis=1)  # NaN of what never moves, a fault
    rhat, (bulk, tail) = float(figures[0].max()), figures[1:].min(axis=1).tolist()
    divergences = int(sample_stats["diverging"].sum()) if "diverging" in sample_stats else 0
    ebfmi = float("nan")
    if "energy" in sample_stats and sample_stats.sizes["draw"] > 1:
        energy = sample_stats["energy"].transpose("chain", "draw").to_numpy()
        ebfmi = float(np.min((np.diff(energy, axis=1) ** 2).mean(axis=1) / energy.var(axis=1)))
    needed = MIN_ESS_PER_CHAIN * chains
    needed = min(needed, chains * posterior.sizes["draw"] // 4) if thinned else needed
    faults = []
    by_chance = independent or thinned
    highest = max(MAX_RHAT, 1.0 + _BY_CHANCE / posterior.sizes["draw"]) if by_chance else MAX_RHAT
    if not rhat < highest:
        far = f"R-hat {format_figure(rhat, highest, 3)}, should be below {highest:.3g}"
        faults.append(far if chains > 1 else "one chain only, no R-hat")
    if not bulk >= needed:
        faults.append(f"bulk ESS {format_figure(bulk, needed)}, should be at least {needed}")
    if not tail >= needed:
        faults.append(f"tail ESS {format_figure(tail, needed)}, should be at least {needed}")
    if divergences:
        faults.append(f"{divergences} divergent transitions, should be none")
    if ebfmi < MIN_EBFMI:
        faults.append(f"E-BFMI {format_figure(ebfmi, MIN_EBFMI, 2)}, should be at least {MIN_EBFMI}")
    return Diagnosis(rhat, bulk, tail, divergences, ebfmi, tuple(faults), free_level)

"""One table of models; only comparable models are ranked together.

Two log likelihoods are comparable if they are of the same games, give these games the same weights, and are densities
of the same observation. A half-point likelihood does not sum to one over loss, draw and win, and a weighted sum counts
some games more than once, so numbers of different kinds are not comparable.

A difference has two errors: over games (the standard error of the paired differences of the games' terms, two-way if
events and players are known: games that share either are grouped), and over draws (the Monte Carlo errors of both
models). If the 95% interval of both errors together, by Student's t as in backtests, contains 0, the difference is not
significant. The error is somewhat too small if models predict almost the same (Sivula, Magnusson, Matamoros and Vehtari
2020, arXiv:2008.10296). The probability that a row is worse than the best of its kind is the area of the same t on that
side of 0; by that paper it is too extreme for fewer than 100 games, or models less than 4 nats apart. `caution` names
the reason.

The best of many rows may be the best by luck. Among K rows of equal worth, whose criteria vary around the median with
the standard deviation s of the upper half (about that median), the best row is expected to lead the median by

    s Phi^-1(1 - 1 / (2 (K - 1)))

and a smaller lead may be due to chance (McLatchie and Vehtari 2024, Stat. Comput. 34:132, in the form of ArviZ, which
needs 12 rows or more).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.criteria import (
    LIMIT_K,
    aicm,
    aicm_error,
    aicm_printed,
    leave_one_out,
    log_likelihood,
    terms_per_game,
)
from halfpoint.evaluation.differences import paired_errors, sum_difference
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.first_sentences.comparisons import best_model
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.catalogue import edition_of
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.games.lazy_import import LazyModule

_special = LazyModule("scipy.special")

HIGHER = ("elpd_loo",)  # criteria of which more is better
_DEVIANCES = ("aicm", "aicm_printed")  # which are twice as far apart as logs
_FEWEST_GAMES, _LEAST_NATS, _MANY_ROWS = 100, 4.0, 12  # below which, or from how many rows, a difference is doubtful
CANNOT = "undecided"
type Labels = npt.NDArray[np.generic]  # names, or numbers for them
_Observation = Literal["half points", "three outcomes", "margins"]


@dataclass(frozen=True)
class Likelihood:
    """Kind of observation and weights of a log likelihood."""

    observation: _Observation  #: Bradley-Terry's half-point score, or Davidson's loss, draw and win
    weighting: str = "equal"  #: name of the weights of the games
    games: str = "training"  #: name of the games (training, A, B, ...)


@dataclass(frozen=True)
class Compared:
    """One line of a comparison."""

    name: str  #: model and edition; the edition of a reference model is empty
    edition: str  #: likewise
    likelihood: Likelihood  #: kind of its log likelihood
    #: criteria by name; of `elpd_loo` more is better, of the others less
    values: Mapping[str, float] = field(default_factory=dict)
    converged: bool = True  #: whether the sampler passed its diagnosis; a failed run is marked
    #: Monte Carlo standard errors of the criteria, by name; those that are not known are left out
    mc_errors: Mapping[str, float] = field(default_factory=dict)
    #: (game,) by name: what each game adds to a criterion; those that are not known are left out
    terms: Mapping[str, Floats] = field(default_factory=dict)
    max_pareto_k: float = float("nan")  #: largest Pareto k of a game left out; NaN where none was
    unreliable: int | None = None  #: how many games have a Pareto k above 0.7
    #: event, shape (game,), White and Black of each game, shape (game,) or who is on their sides, (game, seat): games
    #: that share one of them are not independent
    shared: tuple[Labels, Labels, Labels] | None = None

    def loss(self, by: str) -> float:
        """Criterion with lower values better; infinite if unknown."""
        return -self.values[by] if by in HIGHER and by in self.values else self.values.get(by, float("inf"))

    @property
    def title(self) -> str:
        """Name, with the edition in brackets if there is one."""
        return f"{self.name} ({self.edition})" if self.edition else self.name


def comparison_line(tree: xr.DataTree) -> Compared:
    """A trace as one line of a comparison, with criteria by game if available.

    Raises `EvaluationError` for an edited model without a likelihood of games, or if the draws are not the model's own
    (moved by further games, or widened).
    """
    attributes = tree.attrs
    if "log_likelihood_total" not in tree["sample_stats"] or "widened" in attributes:
        actual = f"an edited model without it ({attributes.get('edited', '')})"
        actual = "draws updated by further games" if "moved_games" in attributes else actual
        actual = "draws that allow for correlated games" if "widened" in attributes else actual
        raise EvaluationError(
            str(attributes["model"]), "the log likelihood of its games", actual, "Leave this trace out."
        )
    total = tree["sample_stats"]["log_likelihood_total"].transpose("chain", "draw").to_numpy()
    summary, terms, loo = log_likelihood(total), {}, None
    values = {"neg_mean_loglik": -summary.mean, "aicm": aicm(total), "aicm_printed": aicm_printed(total)}
    errors = {"neg_mean_loglik": summary.mc_error, "aicm": aicm_error(total), "aicm_printed": 2 * summary.mc_error}
    if (by_game := each_game(tree)) is not None:
        pointwise, weight = by_game["score"].to_numpy().astype(np.float64), tree["constant_data"]["weight"].to_numpy()
        values["aicm_printed"] = aicm_printed(total, pointwise)
        terms, loo = terms_per_game(pointwise * weight), leave_one_out(pointwise, weight)
        values["elpd_loo"], errors["elpd_loo"] = loo.elpd, loo.mc_error
        terms["elpd_loo"] = loo.elpd_per_game
    worth = float(attributes.get("effective_draws", total.size))  # repeated draws are not independent
    data = f"{attributes['data_name']} {attributes['data_sha256'][:12]} {attributes['games']}"
    return Compared(
        attributes["model"] + (" (edited)" if attributes.get("edited") else ""),
        edition_of(attributes),
        Likelihood(attributes["observation"], attributes["weighting"], data),
        values,
        bool(attributes["converged"]),
        {name: error * float(np.sqrt(max(1.0, total.size / worth))) for name, error in errors.items()},
        terms,
        float("nan") if loo is None else float(loo.pareto_k.max()),
        None if loo is None else loo.unreliable,
        players_of(tree),
    )


def players_of(tree: xr.DataTree) -> tuple[Labels, Labels, Labels]:
    """Event, White and Black of each game of a trace; without events each game is its own event.

    If sides have several people, the people of each side, shape (game, seat): partners change, and a model's errors
    concern people.
    """
    games = tree["constant_data"].to_dataset()
    if "side_player" in games:
        white, black = (games["side_player"].to_numpy()[games[name].to_numpy()] for name in ("white", "black"))
    else:
        white, black = (games[name].to_numpy().astype(np.str_) for name in ("white_name", "black_name"))
    event = games["event"].to_numpy().astype(np.str_) if "event" in games else np.arange(len(white))
    return event, white, black


@dataclass(frozen=True)
class _Gap:
    """Difference of a model from the best of its kind, and its significance."""

    difference: float  #: in the criterion; positive
    games_error: float  #: standard error over games, paired; NaN where the terms of the games are not known
    mc_error: float  #: Monte Carlo standard error; NaN where it is not known
    words: str  #: the better model, or undecided
    p_worse: float = float("nan")  #: chance that the model is worse than the best; NaN for the best itself
    caution: str = ""  #: why that chance is too sure


def _error_of_games(first: Floats, second: Floats, shared: tuple[Labels, Labels, Labels] | None) -> tuple[float, float]:
    """Standard error over games of a sum of paired differences, two-way if players are known, and its freedom."""
    if shared is not None:
        event, *seats = shared
        for label in (event, np.arange(first.size)):  # one event has no variance between events: by players alone
            errors = paired_errors(first - second, label, *seats)
            if np.isfinite(errors.two_way):
                return first.size * errors.two_way, errors.freedom
    return sum_difference(first, second).standard_error, first.size - 1.0


def chance_worse(difference: float, games_error: float, freedom: float, mc_error: float) -> float:
    """Probability that a difference is above 0: Student's t, with Satterthwaite's degrees of freedom of both errors.

    An unknown error is NaN and ignored; the result is NaN if both errors are unknown.
    """
    if np.isnan([games_error, mc_error]).all():
        return float("nan")
    games, draws = np.nan_to_num([games_error, mc_error]) ** 2
    degrees = freedom * ((games + draws) / games) ** 2 if games > 0.0 else np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(_special.stdtr(degrees, np.divide(difference, np.sqrt(games + draws))))


def is_told(difference: float, games_error: float, freedom: float, mc_error: float) -> bool:
    """True if the 95% interval of a difference excludes 0; arguments as for `chance_worse`."""
    return chance_worse(abs(difference), games_error, freedom, mc_error) > 0.975


def _criterion_gap(model: Compared, best: Compared, by: str) -> _Gap:
    """Difference of a model from the best of its kind."""
    difference = model.loss(by) - best.loss(by)
    nothing = float("nan")
    if model is best:
        return _Gap(0.0, 0.0, 0.0, "best")
    terms, best_terms = model.terms.get(by), best.terms.get(by)
    games_error, freedom, caution = nothing, np.inf, ""
    if terms is not None and best_terms is not None and terms.shape == best_terms.shape:
        games_error, freedom = _error_of_games(terms, best_terms, model.shared)
        caution = f"fewer than {_FEWEST_GAMES} games" if terms.size < _FEWEST_GAMES else ""
    least = _LEAST_NATS * (2.0 if by in _DEVIANCES else 1.0)
    caution = caution or (f"difference below {least:g}" if difference < least else "")
    mc_error = hypot(model.mc_errors.get(by, nothing), best.mc_errors.get(by, nothing))
    p_worse = chance_worse(difference, games_error, freedom, mc_error)
    if not model.converged or not best.converged:
        words = f"{CANNOT}: not converged"
    elif not np.isfinite([games_error, mc_error]).any():
        words = f"{CANNOT}: unknown errors"
    else:
        words = f"{best.title} is better" if p_worse > 0.975 else CANNOT
    return _Gap(difference, games_error, mc_error, words, p_worse, caution)


def best_by_chance(loss: Floats) -> bool:
    """True if the lead of the best of many rows, (row,), lower being better, may be chance.

    Examples
    --------
    >>> best_by_chance(np.arange(12.0)), best_by_chance(np.append(np.arange(11.0), -30.0))
    (True, False)
    """
    if loss.size < _MANY_ROWS:
        return False
    ahead = np.sort(loss)[loss.size // 2] - loss
    upper = ahead[ahead >= np.median(ahead)]
    expected = np.sqrt(np.mean(upper**2)) * _special.ndtri(1.0 - 0.5 / (loss.size - 1))
    return bool(ahead.max() <= expected)


def refusal(models: Sequence[Compared]) -> str:
    """Reason why models cannot be ranked together, in words; empty if they can."""
    reasons = []
    kinds = {model.likelihood for model in models}
    if len({kind.observation for kind in kinds}) > 1:
        reasons.append(
            "half-point and three-outcome likelihoods are densities of different observations; "
            "compare them by the expected score"
        )
    if len({kind.weighting for kind in kinds}) > 1:
        names = ", ".join(sorted({kind.weighting for kind in kinds}))
        reasons.append(f"the games have different weights ({names}), so the sums are of different data")
    if len({kind.games for kind in kinds}) > 1:
        names = ", ".join(sorted({kind.games for kind in kinds}))
        reasons.append(f"the games differ ({names})")
    return "; ".join(reasons)


def comparison_table(models: Sequence[Compared], by: str = "aicm") -> pd.DataFrame:
    """All models in one table, ranked by a criterion within each kind of likelihood and never across kinds.

    Columns games, observation, weighting, name, edition, the criteria, `mc_error` of the ranking criterion,
    `difference` to the best of the kind, `difference_se` over games (two-way) and `difference_mc_error` over draws,
    `p_worse`, the probability that the row is worse than the best, `caution` if `p_worse` is too extreme, `better` in
    words, `rank` within the kind, `max_pareto_k` and `games_above_0.7` of PSIS-LOO, `converged`, and
    `not_comparable_with` with kinds and reasons. `attrs["refusal"]` has the whole reason, `attrs["by_chance"]` the
    number of rows among which the best may lead by luck, else 0.
    """
    kinds = sorted({model.likelihood for model in models}, key=lambda k: (k.games, k.observation, k.weighting))
    columns = list(dict.fromkeys(name for model in models for name in model.values))
    rows, nothing, by_chance = [], float("nan"), 0
    for kind in kinds:
        mates = [model for model in models if model.likelihood == kind]
        strangers = refusal(models) if len(kinds) > 1 else ""
        ranked = sorted((model for model in mates if by in model.values), key=lambda model: model.loss(by))
        by_chance = max(by_chance, len(ranked) * best_by_chance(np.array([model.loss(by) for model in ranked])))
        for model in sorted(mates, key=lambda model: model.loss(by)):
            is_ranked = by in model.values
            away = _criterion_gap(model, ranked[0], by) if is_ranked else _Gap(nothing, nothing, nothing, "")
            row: dict[str, object] = {"games": kind.games, "observation": kind.observation, "weighting": kind.weighting}
            row |= {"name": model.name, "edition": model.edition}
            row |= {name: model.values.get(name, nothing) for name in columns}
            row |= {"mc_error": model.mc_errors.get(by, nothing), "difference": away.difference}
            row |= {"difference_se": away.games_error, "difference_mc_error": away.mc_error}
            row |= {"p_worse": away.p_worse, "caution": away.caution, "better": away.words}
            row["rank"] = 1 + sum(mate.loss(by) < model.loss(by) for mate in ranked) if is_ranked else None
            row |= {"max_pareto_k": model.max_pareto_k, f"games_above_{LIMIT_K}": model.unreliable}
            rows.append(row | {"converged": model.converged, "not_comparable_with": strangers})
    table = pd.DataFrame(rows)
    if rows:
        for column in ("rank", f"games_above_{LIMIT_K}"):
            table[column] = table[column].astype("Int64")
    table.attrs |= {"refusal": refusal(models), "by_chance": by_chance}
    return table


def best_in_words(table: pd.DataFrame) -> str:
    """Name the best row of each kind, and state if the next row is significantly worse, in sentences."""
    kinds = table.groupby(["games", "observation", "weighting"], sort=False, dropna=False)
    sentences = []
    for (_, observation, _), rows in kinds:
        ranked = rows[rows["rank"].notna()]
        place = "" if kinds.ngroups == 1 else f" of {observation}"
        if len(ranked) > 1:
            names = ranked["name"]
            if names.iloc[0] == names.iloc[1]:
                names = names + [f" ({edition})" if edition else "" for edition in ranked["edition"]]
            second, many = ranked.iloc[1], int(table.attrs["by_chance"])
            verdict = str(second["better"])
            doubt = "" if verdict.endswith(" is better") else "not significantly"
            doubt = "with doubt, as not both converged" if verdict.endswith("not converged") else doubt
            doubt = doubt or (f"not reliably ({second['caution']})" if second["caution"] else "")
            doubt = doubt or (f"perhaps by chance among {many} rows" if many else "")
            errors = second[["difference_se", "difference_mc_error"]].to_numpy(dtype=np.float64)
            error = float(errors[np.isfinite(errors)][:1].sum())  # that of the table
            sentences.append(best_model(names.iloc[0], names.iloc[1], float(second["difference"]), error, doubt, place))
    if not sentences and kinds.ngroups > 1:
        return "No two of these models can be compared: their likelihoods are not of the same data."
    return " ".join(sentences)


def in_short(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """A comparison for a terminal: differences in one criterion and verdicts; probabilities in percent."""
    columns = ["rank", "name", "difference", "se", "verdict", "p_worse", by, "edition", "converged", "caution"]
    columns += ["mc_error", "max_pareto_k"]
    columns += [f"games_above_{LIMIT_K}", "observation", "weighting"]
    verdict = table["better"].where(~table["better"].str.endswith(" is better"), "worse")
    table = table.assign(verdict=verdict, p_worse=100.0 * table["p_worse"]).rename(columns={"difference_se": "se"})
    alike = [name for name in ("edition", "observation", "weighting", "converged") if table[name].nunique() < 2]
    empty = [name for name in ("edition", "caution") if (table[name] == "").all()]
    gone = {*empty, *(name for name in alike if name != "edition" and table[name].iloc[0] not in (False,))}
    return table[[name for name in columns if name in table and name not in gone]]

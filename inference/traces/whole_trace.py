"""Checks that a file is a complete trace: groups, variables, shapes, players, attributes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.inference.diagnostics.importance_ratios import ENOUGH, HARMLESS_K, ROUNDING, limit_of_k
from halfpoint.inference.location import ATTRIBUTE
from halfpoint.models.declaration.elo_scale import scale_of
from halfpoint.models.declaration.pointwise import POINTWISE
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import BY_HAND, GOALS, THINNING
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.rows.column_coding import SIZE

_TEXTS = (
    "model",
    "model_record",
    "family",
    "observation",
    "edition",
    "weighting",
    "data_name",
    "data_sha256",
    "verdict",
    "level_from",
)
_OF_ALL = {
    "data_simulated": (0, 1), "converged": (0, 1), "divergences": (0, np.inf), "max_rhat": (0, np.inf),
    "min_ess_bulk": (0, np.inf), "min_ess_tail": (0, np.inf),
}  # fmt: skip
RANGES = _OF_ALL | {"draws": (1, np.inf), "chains": (1, np.inf), "approximate": (0, 1), "effective_draws": (0, np.inf)}
RANGES |= {GOALS: (0, np.inf), THINNING: (1, np.inf)}
_NUMBERS = ("games", "players", *_OF_ALL)
_UNKNOWN = ("max_rhat", "min_ess_bulk", "min_ess_tail")  # NaN where there is one chain, or nothing moves
_HARMLESS = 1.0 - HARMLESS_K  # power of the number of draws that are effective
_ROUNDING = 1e-4  # of ratings; large traces hold single precision
_GROUPS = ("posterior", "sample_stats", "observed_data", "constant_data")
_OF_GAMES = {
    "white": "if", "black": "if", "anchor_elo": "if", "weight": "if", "white_name": "OUT", "black_name": "OUT",
    "event": "OUT", "period": "if", "date": "M", "white_rating_elo": "f", "black_rating_elo": "f",
}  # fmt: skip
_OF_PLAYERS = {"prior_elo": "f", "prior_error_elo": "f"}
_MAY_LACK = ("event", "period", "date", "white_rating_elo", "black_rating_elo", *_OF_PLAYERS)


def fault_of(tree: xr.DataTree) -> str:
    """Describe the first fault of a trace; empty if absent."""
    faults = (_fault_of_posterior, _fault_of_games, _fault_of_numbers, _fault_of_method, _fault_of_ratings)
    return missing_part(tree, _TEXTS, _NUMBERS, _GROUPS) or next(filter(None, (fault(tree) for fault in faults)), "")


def missing_part(tree: xr.DataTree, texts: Sequence[str], numbers: Sequence[str], groups: Sequence[str]) -> str:
    """Name the first attribute or group missing in a trace; empty if none is missing."""
    for name in texts:
        if not isinstance(tree.attrs.get(name), str):
            return f"no text in the attribute {name!r}"
    for name in numbers:
        if not _is_number(tree.attrs.get(name)):
            return f"no number in the attribute {name!r}"
    return next((f"no group {group!r}" for group in groups if group not in tree.children), "")


def _fault_of_numbers(tree: xr.DataTree) -> str:
    """Name an attribute whose number contradicts the draws and games."""
    counts = {"games": tree["observed_data"].sizes["game"], "players": tree["posterior"].sizes["player"]}
    for name, count in counts.items():
        if tree.attrs[name] != count:
            return f"{tree.attrs[name]} {name} in the attributes, and {count} in the groups"
    if not _is_number(tree.attrs.get(ATTRIBUTE, 0.0)):
        return f"no number in the attribute {ATTRIBUTE!r}"
    for name, (least, most) in RANGES.items():
        value = tree.attrs.get(name, least)
        if not _is_number(value):
            return f"no number in the attribute {name!r}"
        if not (least <= value <= most or (np.isnan(value) and name in _UNKNOWN)):
            return f"{name} {value:g} in the attributes, which is from {least:g} to {most:g}"
    rate = tree["posterior"].to_dataset().get("draw_rate")
    if rate is not None and not (float(rate.min()) >= 0.0 and float(rate.max()) <= 1.0):
        return "draw rates beyond 0 and 1"
    return ""


def _fault_of_method(tree: xr.DataTree) -> str:
    """Name an attribute that contradicts the method of the draws.

    A sampler records its transitions. Draws of an approximation have k and an effective number instead, and are
    accepted if both meet the limits; if ratios hardly vary, more than S^(3/4) of S draws are effective, and any k is
    accepted.
    """
    attributes, approximate = tree.attrs, tree.attrs.get("approximate")
    if "diverging" in tree["sample_stats"]:
        said = [name for name in ("sampler", "method") if attributes.get(name) == "normal"]
        said += [name for name in ("pareto_k", "effective_draws") if name in attributes]
        said += ["approximate"] if approximate else []
        return f"{said[0]} in the attributes, and transitions of a sampler" if said else ""
    if fault := missing_part(tree, (), ("approximate", "pareto_k", "effective_draws"), ()):
        return fault
    k, effective = float(attributes["pareto_k"]), float(attributes["effective_draws"])
    count = tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]
    fits = k < limit_of_k(effective, count) or (not np.isnan(k) and effective >= count**_HARMLESS)
    if not (fits and effective >= (1.0 - ROUNDING) * ENOUGH) and (attributes["converged"] or not approximate):
        return f"converged in the attributes, and Pareto k {k:.2f} with {effective:,.0f} effective draws"
    if str(attributes["verdict"]).startswith("APPROXIMATE") != bool(approximate):
        return f"approximate {approximate} in the attributes, and another verdict"
    return ""


def _fault_of_ratings(tree: xr.DataTree) -> str:
    """Describe ratings that do not follow from the strengths; no check if a model has a scale.

    A rating is pivot + (E strength - pivot) scale / E, E = 400 / ln 10, with one pivot for all draws. If the level is a
    convention, differences are compared.
    """
    posterior = tree["posterior"].to_dataset()
    rating = posterior.get("rating_elo")
    if rating is None:
        return ""
    try:
        reading = reading_of(tree)
        outcome = reading.outcome
    except ModelError:
        return ""
    if ATTRIBUTE in tree.attrs:
        level = rating.mean("player")
        if not float(np.abs(level - tree.attrs[ATTRIBUTE]).max()) <= _ROUNDING * (1.0 + float(np.abs(rating).max())):
            return "ratings whose level differs from the recorded level"
    if reading.traits.walks or reading.traits.by_scores or "anchor_scale" in posterior:
        return ""
    if outcome.lam not in posterior and reading.traits.draws:
        return ""
    if (
        reading.worth is None or reading.reads.columns
    ):  # sides that are no sums over players: ratings are no strengths times a scale
        return ""
    record = reading.worth.record
    if any(len(parts) > 1 for seat in ("white", "black") for _, *parts in record.get(seat, ())):
        return ""  # a seat that multiplies strengths
    strength = posterior["strength"].transpose("chain", "draw", ...)
    scale = scale_of(outcome, posterior)
    residual = rating - strength * scale
    if ATTRIBUTE in tree.attrs:
        residual = residual - residual.mean("player")
        scale = xr.zeros_like(scale) + ELO_PER_NATURAL if isinstance(scale, xr.DataArray) else ELO_PER_NATURAL
    share = 1.0 - scale / ELO_PER_NATURAL
    pivot = float((residual * share).sum() / (share**2 * xr.ones_like(residual)).sum()) if np.any(share != 0.0) else 0.0
    far = float(np.abs(residual - pivot * share).max())
    near = _ROUNDING * (1.0 + float(np.abs(rating).max()))
    return "" if far <= near else "ratings that are not those of its strengths"


def _is_number(value: object) -> bool:
    """True if an attribute is one real number (NaN included)."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def fault_of_draws(posterior: xr.Dataset, by_hand: bool = False) -> str:
    """Describe a fault in the draws of ratings and strengths of players; optional in a trace finished by hand."""
    rating = posterior.get("rating_elo")
    if rating is None and by_hand:
        return ""
    if rating is None or set(rating.dims) != {"chain", "draw", "player"} or 0 in rating.shape:
        return "no draws of rating_elo with chain, draw and player"
    if "player" not in posterior.coords or posterior["player"].dtype.kind not in "OUT":
        return "no names of players"
    names = posterior["player"].to_numpy().tolist()
    if not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        return "players who are not texts, each once"
    if "strength" not in posterior:
        return "no draws of strength"
    for name, value in posterior.data_vars.items():
        if not {"chain", "draw"} <= set(value.dims):
            return f"draws of {name!r} without chain and draw"
        if value.dtype.kind != "f" or not np.isfinite(value.to_numpy()).all():
            return f"draws of {name!r} that are not finite numbers"
    return ""


def _fault_of_posterior(tree: xr.DataTree) -> str:
    """Describe a fault in the draws."""
    posterior, statistics = tree["posterior"].to_dataset(), tree["sample_stats"].to_dataset()
    wrong = fault_of_draws(posterior, tree.attrs.get("edited") == BY_HAND) or _fault_of_model(tree, posterior)
    if wrong:
        return wrong
    total = statistics.get("log_likelihood_total")
    if total is None and "log likelihood of all games" in str(tree.attrs.get("left_out", "")):
        return ""
    if total is None or set(total.dims) != {"chain", "draw"} or total.dtype.kind != "f":
        return "no log_likelihood_total with chain and draw"
    return "" if np.isfinite(total.to_numpy()).all() else "log likelihoods that are not finite"


def _fault_of_model(tree: xr.DataTree, posterior: xr.Dataset) -> str:
    """Describe a fault in the record of the model, or why it cannot read the draws.

    Two players who meet are checked under the first draw. Missing code of a user, which files do not contain, is no
    fault.
    """
    try:
        reading = reading_of(tree)
    except OwnCodeError:
        return ""
    except ModelError as error:
        return str(error)
    if formula_named(reading.formula) is None:
        return ""
    if not all(target + SIZE in tree["constant_data"] for target in reading.reads.effects.fixed_formulas()):
        return "no columns of its effects"
    if reading.worth is None:
        return ""
    seat = np.array([0, posterior.sizes["player"] - 1], dtype=np.int32)
    first = {name: value[:1] for name, value in reading.p.items()}
    try:
        probability = replace(reading, p=first).pairing(seat, seat[::-1].copy())[0]
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        return f"draws that the model it names cannot read ({type(error).__name__}: {error})"
    if probability.shape != (2, 3) or not np.isfinite(probability).all():
        return "draws under which the model it names gives no probabilities"
    return ""


def _fault_of_games(tree: xr.DataTree) -> str:
    """Describe a fault in the games."""
    constant, observed = tree["constant_data"].to_dataset(), tree["observed_data"].to_dataset()
    players = tree["posterior"].sizes["player"]
    score = observed.get("score")
    if score is None or score.dims != ("game",) or not np.isin(score.to_numpy(), (0.0, 0.5, 1.0)).all():
        return "scores other than 0, 0.5 and 1"
    for dim, count, table in (("game", score.size, _OF_GAMES), ("player", players, _OF_PLAYERS)):
        for name, kinds in table.items():
            value = constant.get(name)
            if value is None and name in _MAY_LACK:
                continue
            if value is None or value.dims != (dim,) or value.size != count or value.dtype.kind not in kinds:
                return f"no {name!r} of every {dim}"
    if not (np.isfinite(constant["weight"]) & (constant["weight"] >= 0.0)).all():
        return "weights of games that are not numbers from 0"
    least = -1
    if "side_player" in constant:
        fault = _fault_of_sides(constant, players)
        if fault:
            return fault
        least, players = 0, constant.sizes["side"]
    for name in ("white", "black"):
        codes = constant[name].to_numpy()
        if codes.dtype.kind != "i" or (codes.size and not (codes.min() >= least and codes.max() < players)):
            return f"a player of {name!r} who is not in the list"
    for name in (group for group in POINTWISE if group in tree.children):
        value = tree[name].to_dataset().get("score")
        if value is None or set(value.dims) != {"chain", "draw", "game"} or value.sizes["game"] != score.size:
            return "no log likelihood of every game"
        if value.dtype.kind != "f" or not np.isfinite(value.to_numpy()).all():
            return "log likelihoods of games that are not finite"
    return ""


def _fault_of_sides(constant: xr.Dataset, players: int) -> str:
    """Describe a fault in the members of sides."""
    who, share = constant["side_player"], constant.get("side_share")
    if share is None or who.dims != ("side", "seat") or share.dims != who.dims or 0 in who.shape:
        return "sides without people and their shares"
    codes, parts = who.to_numpy(), share.to_numpy()
    if codes.dtype.kind != "i" or codes.min() < -1 or codes.max() >= players or (codes.max(axis=1) < 0).any():
        return "a side without players, or with a player who is not in the list"
    if parts.dtype.kind != "f" or not np.isfinite(parts).all() or not np.array_equal(parts > 0, codes >= 0):
        return "shares of play of seated players that are not numbers above 0"
    return ""

"""Properties of a model as a whole, read from its graph, as texts and numbers for a trace."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from halfpoint.models.language.laws import Law
from halfpoint.models.language.model import is_own

if TYPE_CHECKING:
    import pymc as pm

    from halfpoint.models.declaration.declared import Declared
    from halfpoint.models.games.table import Floats, Integers

SCALE = "anchor_scale"
_DRAWS = 400  # of a prior of a user's function
_VAGUE = 12.0  # standard deviation of a prior of strengths, natural units (2,084 Elo points), that is uninformative


@dataclass(frozen=True)
class Traits:
    """Properties of a model."""

    draws: bool = False  # whether its formula has a draw parameter, or a width of margins
    walks: bool = False  # whether strengths have periods
    independent: bool = False  # whether players share nothing but the games
    pooled: bool = False  # whether players are of a population with a learned spread
    enters: bool = False  # whether the model gives the worth of a player who enters later
    by_scores: bool = False  # whether Elo points are those of the scores even where anchors have a learned scale
    printed: bool = False  # whether it reads printed ratings of players whom it knows
    seats: str = "none"  # advantage of the first seat: none, common, player (half of it each) or pooled
    level: float = 0.0  # prior mean of the strengths, natural units
    vague: bool = False  # whether games alone determine strengths: a fixed prior that is flat, wide or of all together

    @property
    def halves(self) -> bool:
        """True if every player has half an advantage of their own."""
        return self.seats in ("player", "pooled")

    @property
    def as_record(self) -> dict[str, object]:
        """The traits as texts and numbers."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from a record; `TypeError` if it has other fields or kinds."""
        kinds = {field.name: type(field.default) for field in fields(cls)}
        record = {"vague": not record.get("pooled"), **record}  # which earlier traces do not have
        if set(record) != set(kinds) or not all(type(record[name]) is kind for name, kind in kinds.items()):
            raise TypeError("traits with values of wrong types")
        if record["seats"] not in ("none", "common", "player", "pooled") or not np.isfinite(record["level"]):
            raise TypeError("traits with invalid values")
        return cls(**record)

    @classmethod
    def of(cls, declared: "Declared") -> Self:
        """Read the properties of a declared model from its graph."""
        laws: dict[str, Law] = {law.name: law for law in declared.laws}
        strength = laws.get(declared.strength)
        walk = None if strength is None else strength.transition
        base = strength
        while base is not None and base.transition is not None:
            base = laws.get(base.transition.level or base.transition.beside)
        upstream = set() if base is None else _behind(base.name, laws)
        spreads = {block.spread for law in laws.values() for block in law.gaussian if block.spread}
        unread = base is not None and bool(base.unread) and bool(upstream)  # of another family, with learned numbers
        pooled = bool(spreads & upstream) or unread or (base is not None and _is_stretched(base, laws))
        scaled_spreads = [block.spread for law in laws.values() if SCALE in law.parents for block in law.gaussian]
        rated = any(spread in spreads - {SCALE} for spread in scaled_spreads)
        return cls(
            draws=declared.has_lam,
            walks=walk is not None or "month" in (declared.dims.get(declared.strength) or ()),
            independent=not upstream,
            pooled=pooled,
            enters=pooled and walk is not None and (walk.begins is not None or bool(walk.beside)),
            by_scores=rated or declared.reads.reads_printed,
            printed=declared.reads.reads_printed,
            seats=_seats(laws),
            level=0.0 if base is None else _level_of(base, laws, declared),
            vague=not pooled
            and (
                _is_vague_by_draws(declared)
                if is_own(declared.spec)
                else _is_vague(base, upstream, laws, _unit_of(declared))
            ),
        )


def _is_vague_by_draws(declared: "Declared") -> bool:
    """True if the prior of a player in a user's function is wider than `_VAGUE`, or has no draws."""
    model, free = declared.model, [str(rv.name) for rv in declared.model.free_RVs]
    by_player = [name for name in free if "player" in (model.named_vars_to_dims.get(name) or ())]
    names = [declared.strength] if declared.strength in model.named_vars else by_player or free
    return not names or max(_prior_spread(model, name) for name in names) > _VAGUE


def _level_of(base: Law, laws: Mapping[str, Law], declared: "Declared") -> float:
    """Prior mean of the strengths; by draws if a user's function multiplies a variable that is not centred at 0."""
    level, sums = _prior_mean(base.name, laws), getattr(base.made, "terms", ())
    if level == 0.0 or not is_own(declared.spec) or all(np.allclose(c, 1.0) for c, index in sums if index):
        return level
    values = _prior_values(declared.model, base.name)
    return level if values is None else float(values.mean())


def _prior_spread(model: "pm.Model", name: str) -> float:
    """Standard deviation of a player's value under the prior, by draws; infinite if it cannot be drawn."""
    values = _prior_values(model, name)
    if values is None:
        return float("inf")
    low, high = np.quantile(values, [0.1587, 0.8413], axis=0)
    return float(np.max(high - low) / 2.0)


def _prior_values(model: "pm.Model", name: str) -> "Floats | None":
    """Draws of a variable from the prior, (draw, value), or None without any."""
    from halfpoint.models.pymc_import import interpreted, pm

    try:
        values = pm.draw(model[name], _DRAWS, random_seed=1, mode=interpreted())
        return np.asarray(values, dtype=np.float64).reshape(_DRAWS, -1)
    except Exception:
        return None


def _is_stretched(law: Law, laws: Mapping[str, Law]) -> bool:
    """True if a sum of other variables multiplies them by a learned spread."""
    numbers = [laws[parent].hyperparameter for parent in law.parents if parent in laws]
    return law.made is not None and any(
        number is not None and number.kind in ("spread", "positive") for number in numbers
    )


def _is_vague(base: Law | None, upstream: set[str], laws: Mapping[str, Law], unit: float) -> bool:
    """True if a strength has no prior that can be read and is narrower than `_VAGUE` units."""
    if base is None:
        return True
    prior_laws = [base, *(laws[name] for name in upstream if name in laws)]
    widths = [law.gaussian[0].sd for law in prior_laws if law.gaussian and "player" in law.dims]
    return not widths or max(float(sd.max()) for sd in widths) > _VAGUE * unit


def _unit_of(declared: "Declared") -> float:
    """Natural unit of strengths: 1, or the spread of margins if that is larger."""
    margin = declared.rows.margin
    return 1.0 if margin is None or not margin.size else max(1.0, float(margin.std()))


def _seats(laws: Mapping[str, Law]) -> str:
    """Kind of the first-seat advantage, in a word."""
    if "advantage" not in laws:
        return "none"
    if "player" not in laws["advantage"].dims:
        return "common"
    return "pooled" if any(block.spread for block in laws["advantage"].gaussian) else "player"


def _behind(name: str, laws: Mapping[str, Law]) -> set[str]:
    """Names of all variables that a law depends on, directly or through others."""
    upstream, queue = set[str](), [name]
    for current in queue:  # which grows
        parents = laws[current].parents - upstream if current in laws else set()
        upstream |= parents
        queue += sorted(parents)
    return upstream


def _prior_mean(name: str, laws: Mapping[str, Law]) -> float:
    """Prior mean of a variable, equal for its members; 0 if its law does not give it."""
    law = laws[name]
    if law.hyperparameter is not None and law.hyperparameter.kind == "number":
        return float(law.hyperparameter.mean)
    if law.made is not None:
        parts = [part for part in sorted(law.parents) if part in laws and len(laws[part].dims) >= len(law.dims) - 1]
        players = [part for part in parts if laws[part].gaussian]
        return _prior_mean(players[0], laws) if players else 0.0
    total = 0.0
    for block in law.gaussian[:1]:
        total -= sum(float(np.mean(c)) for c, index in block.form.terms if not index)
        for parent in sorted(law.parents - {block.spread}):
            number = laws[parent].hyperparameter
            share = sum(float(np.mean(c)) for c, index in block.form.terms if index and _is_number(index, parent, laws))
            if number is not None and number.kind == "number" and share:
                total -= share * number.mean
    return float(total)


def _is_number(index: "tuple[Integers, ...]", parent: str, laws: Mapping[str, Law]) -> bool:
    """True if a term of a law is of a single number."""
    return len(index) == 1 and np.ptp(index[0]) == 0 and laws[parent].dims == ()

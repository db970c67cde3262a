r"""Values of players at the end of the games: sums of parameters, kept in a trace as numbers and names.

    white side of i against j     w_i = sum_k c_k v_k           black side      b_j,  likewise
    lam of i against j            l_ij = l + p_i + q_j          if the model's graph has this form

v are parameters of the posterior, or products of two. On sides of several people each person contributes by their
share. With this record `match`, `rank`, `tournament` and `pair` read a trace without PyMC and without the model's own
code.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.rows.rows import Side

if TYPE_CHECKING:
    from halfpoint.models.declaration.posterior_reader import Reading
    from halfpoint.models.reading.sides import Sides
    from halfpoint.models.reading.sparse_affine import SparseAffine

_LONGEST = 200_000  # numbers that a record of places may have
_PAIRS, _NEAR = 20, 1e-9  # pairs of players whose sides are compared, and how nearly


@dataclass(frozen=True, eq=False)
class Worth:
    """Sums over parameters by player, as a trace records them."""

    record: Mapping[str, Any]  # "white", "black", "first", "second": terms of each player; "lam": terms of all

    @property
    def text(self) -> str:
        """The record as JSON."""
        return json.dumps(self.record)

    def under(
        self, p: Mapping[str, Floats], white: Codes | Side, black: Codes | Side
    ) -> tuple[Floats, Floats, Floats | None]:
        """The two sides and lam under draws, (draw, row)."""
        first, second = (self._of_side(name, p, side) for name, side in (("white", white), ("black", black)))
        if "lam" not in self.record:
            return first, second, None
        lam = self.values("lam", p)
        for name, side in (("first", white), ("second", black)):
            if self.record[name]:
                lam = lam + self._of_side(name, p, side)
        return first, second, lam

    def by_side(self, p: Mapping[str, Floats], side: Codes | Side) -> dict[str, Floats]:
        """The sums of the record of each side, (draw, row), or of all, (draw, 1)."""
        names = [name for name in self.record if name != "lam"]
        sums = {name: self._of_side(name, p, side) for name in names}
        return sums | ({"lam": self.values("lam", p)} if "lam" in self.record else {})

    def _of_side(self, name: str, p: Mapping[str, Floats], side: Codes | Side) -> Floats:
        """A sum of each side, (draw, row), or of all, (draw, 1)."""
        codes = side.players if isinstance(side, Side) else side
        players, places = np.unique(codes, return_inverse=True)
        if not 1 < players.size <= codes.size // 2:  # else there are nearly as many players as rows
            return _seated(self.values(name, p), side)
        seats: Codes = np.asarray(places, dtype=np.int32).reshape(codes.shape)
        return _seated(self.values(name, p, players), replace(side, players=seats) if isinstance(side, Side) else seats)

    def lead(self, p: Mapping[str, Floats]) -> Floats:
        """White's side less Black's of each player, (draw, player), or of all, (draw, 1): terms of both cancel."""
        white, black = self.record["white"], self.record["black"]
        ahead = {"white": [term for term in white if term not in black], "black": [x for x in black if x not in white]}
        if len(white) - len(ahead["white"]) != len(black) - len(ahead["black"]):  # a term stands there twice
            ahead = {"white": white, "black": black}
        first, second = (Worth(ahead).values(name, p) for name in ("white", "black"))
        return np.asarray(first - second)

    def of_players(self, posterior: xr.Dataset, players: Integers) -> "tuple[Worth, dict[str, Floats]] | None":
        """The worth of some players and the values that it uses, (draw, value), without reading other players' values.

        None if a parameter has more than one dimension besides chain and draw.
        """
        columns: dict[str, list[int]] = {}
        record: dict[str, list[Any]] = {}
        for key, terms in self.record.items():
            record[key] = []
            for c, *parts in terms:
                term = [[c[k] for k in players] if len(c) > 1 and key != "lam" else c]
                for name, begin, stride, count, places in parts:
                    of_player = places or range(begin, begin + stride * count, stride)
                    needed = [begin] if count == 1 and not places else [of_player[k] for k in players]
                    column = columns.setdefault(name, [])
                    column += [place for place in dict.fromkeys(needed) if place not in column]
                    term.append([name, 0, 1, len(needed), [column.index(place) for place in needed]])
                record[key].append(term)
        values: dict[str, Floats] = {}
        for name, places in columns.items():
            value = posterior[name].transpose("chain", "draw", ...)
            if value.ndim > 3:
                return None
            value = value.isel({value.dims[2]: places}) if value.ndim == 3 else value
            values[name] = value.to_numpy().reshape(posterior.sizes["chain"] * posterior.sizes["draw"], -1)
        return Worth(record), values

    def values(self, name: str, p: Mapping[str, Floats], players: Integers | Codes | None = None) -> Floats:
        """A sum of each player, or of some, (draw, player), or of all, (draw, 1)."""
        total: Floats = np.zeros((1, 1))
        for c, *parts in self.record[name]:
            product: Floats = np.asarray(c, dtype=np.float64).reshape(1, -1)
            if players is not None and product.size > 1:
                product = product[:, players]
            for part in parts:
                product = product * _places(p, *part, players=players)
            total = total + product
        return total


def _places(
    p: Mapping[str, Floats],
    name: str,
    begin: int,
    stride: int,
    count: int,
    places: list[int],
    *,
    players: Integers | Codes | None = None,
) -> Floats:
    """Values of a parameter at indices of all players or of some, (draw, player)."""
    value = np.asarray(p[name])
    flat = value.reshape(value.shape[0], -1)
    if players is not None and (len(places) > 1 or count > 1):
        return flat[:, np.asarray(places, dtype=np.int64)[players] if places else begin + stride * players]
    if places:
        return flat[:, places]
    return flat[:, begin : begin + 1] if count == 1 else flat[:, begin : begin + stride * (count - 1) + 1 : stride]


def _seated(values: Floats, side: Codes | Side) -> Floats:
    """Value of each side, (draw, row), from the value of each player, (draw, player)."""
    if values.shape[-1] == 1:
        return values
    if not isinstance(side, Side):
        return values[:, side]
    total: Floats = np.zeros(1)
    for seat in range(side.players.shape[1]):
        total = total + values[:, side.players[:, seat]] * side.share[:, seat]
    return total


def recorded_terms(form: "SparseAffine", slots: Mapping[str, tuple[int, tuple[int, ...]]]) -> list[object] | None:
    """Record of a sum of each player: coefficients, and the name and places of each parameter; None if too long."""
    terms = getattr(form, "terms", None)
    if terms is None:
        return [[np.ravel(_short(np.asarray(form, dtype=np.float64))).tolist()]]
    record: list[object] = []
    for c, index in terms:
        if not np.any(c):
            continue
        parts: list[object] = []
        for place in index:
            part = _recorded_place(np.asarray(place), slots)
            if part is None:
                return None
            parts.append(part)
        record.append([np.ravel(_short(np.asarray(c))).tolist(), *parts])
    return record


def _short(values: Floats) -> Floats:
    """Reduce equal values to one."""
    return values.ravel()[:1] if values.size and np.ptp(values) == 0.0 else values


def _recorded_place(place: Integers, slots: Mapping[str, tuple[int, tuple[int, ...]]]) -> list[object] | None:
    """Places of one parameter as a record; None if values are shared, or too many."""
    flat = np.ravel(place)
    for name, (start, shape) in slots.items():
        size = int(np.prod(shape, dtype=np.int64))
        if not (flat.min() >= start and flat.max() < start + size):
            continue
        at = flat - start
        steps = np.unique(np.diff(at))
        if at.size == 1 or (steps.size == 1 and steps[0] == 0):
            return [name, int(at[0]), 1, 1, []]
        if steps.size == 1 and steps[0] > 0:
            return [name, int(at[0]), int(steps[0]), int(at.size), []]
        return [name, 0, 1, int(at.size), at.tolist()] if at.size <= _LONGEST else None
    return None


def worth_from_text(text: object, names: Mapping[str, tuple[int, ...]], players: int) -> Worth | None:
    """Values of players that a trace records, for parameters of given shapes; None if missing or misfitting."""
    if not isinstance(text, str) or not text:
        return None
    try:
        record = json.loads(text)
        for key, terms in record.items():
            if key not in ("white", "black", "first", "second", "lam"):
                return None
            for c, *parts in terms:
                slope = np.asarray(c, dtype=np.float64)
                if slope.ndim != 1 or slope.size not in (1, players) or not np.isfinite(slope).all() or len(parts) > 2:
                    return None
                if not all(_fits(part, names, players) for part in parts):
                    return None
        return Worth(record) if {"white", "black"} <= set(record) else None
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def _fits(part: Any, names: Mapping[str, tuple[int, ...]], players: int) -> bool:
    """True if a recorded place is one of the values of a parameter."""
    name, begin, stride, count, places = part
    size = int(np.prod(names[name], dtype=np.int64)) if name in names else 0
    integers = all(isinstance(number, int) for number in (begin, stride, count, *places))
    if not integers or count not in (1, players) or stride < 1 or begin < 0:
        return False
    if places:
        return bool(len(places) == count and min(places) >= 0 and max(places) < size)
    return bool(begin + stride * (count - 1) < size)


def worth_of(reading: "Reading") -> Worth | None:
    """Values of players at the end of a fit's games, read from the function's graph; None if they are not sums.

    Also None if the worth of a side depends on the other side, for instance through printed ratings in a draw
    parameter.
    """
    from halfpoint.models.reading.law_forms import merge_terms
    from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine

    players = int(reading.players.size)
    if reading.by_list or not players:
        return None
    everyone, opponent = np.arange(players, dtype=np.int32), np.zeros(players, dtype=np.int32)
    pairs = np.random.default_rng(0).integers(0, players, (2, _PAIRS)).astype(np.int32)
    first = {name: value[:1] for name, value in reading.p.items()}
    rows = reading.today(np.concatenate([everyone, opponent, pairs[0]]), np.concatenate([opponent, everyone, pairs[1]]))
    if rows.at_end is None:
        return None
    try:
        row_sides = reading._read(rows, first)
    except (NotAffineError, NotImplementedError):
        return None
    if row_sides.forms is None:
        return None
    white, black, lam, *_ = (
        form
        if form is None or isinstance(form, SparseAffine)
        else SparseAffine.numbers(np.broadcast_to(form, len(rows)))
        for form in row_sides.forms
    )
    assert white is not None
    assert black is not None
    sums = {"white": merge_terms(white[:players]), "black": merge_terms(black[players : 2 * players])}
    if lam is not None:
        lam_of_first = lam[:1]
        common = lam_of_first.rearrange((players,), lambda array: np.broadcast_to(array, (players,)))
        sums |= {
            "first": merge_terms(lam[:players] - common),
            "second": merge_terms(lam[players : 2 * players] - common),
            "lam": merge_terms(lam_of_first),
        }
    record: dict[str, object] = {}
    for name, form in sums.items():
        terms = recorded_terms(form, row_sides.slots)
        if terms is None:
            return None
        record[name] = terms
    worth = Worth(record)
    return worth if _holds(worth, row_sides.under(first), first, *pairs) else None


def _holds(worth: Worth, sides: "Sides", p: Mapping[str, Floats], white: Codes, black: Codes) -> bool:
    """True if the record gives the sides of the last rows, pairs of players, under one draw."""
    values = worth.under(p, white, black)
    for side, recorded in zip((sides.white, sides.black, sides.lam), values, strict=True):
        if side is None or recorded is None:
            if side is not recorded:
                return False
        elif not np.allclose(side[..., -_PAIRS:] if side.shape[-1] > 1 else side, recorded, rtol=_NEAR, atol=_NEAR):
            return False
    return True

r"""A model function of this package run without PyMC: on sums of the values of its variables in place of a graph.

    mean = pm.Normal("strength_mean", 0, 1)                a variable: the sum with one term, 1 v_k
    games.white(g) + delta                                 a sparse sum over the rows, (row,)

A function of this package uses few operations: normal, half-normal and log-normal variables, sums, products with
numbers, indexing, walks, scales. Inside `stand_in` the names `pm` and `pt` of `pymc_import` mean the functions below,
which note each variable with the sums in its prior. Laws, layout and sides follow from these notes, and equal those
that are read from the PyMC graph of the same function. Anything else raises `NoSumError`; the graph is read then, as it
always is for a function of a user and for a model that was edited.

A node has two sums: `form` over the values of a layout, and `free` over the free variables, with a walk as its level,
from which units are computed (`information`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.laws import Hyperparameter, Law
from halfpoint.models.language.walk_matrices import law_of_walks
from halfpoint.models.pymc_import import standing_in
from halfpoint.models.reading.information import Informed, Seen, at_centre, information_of, units_of
from halfpoint.models.reading.law_forms import Form, LawForms, positive
from halfpoint.models.reading.layout import Layout
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, Term, flat_terms, joined
from halfpoint.models.reading.sum_nodes import Node, NoSumError, ScaleNode, WalkNode, free_form
from halfpoint.models.rows.opponents_rows import pad_rows

if TYPE_CHECKING:
    from scipy.sparse import sparray

    from halfpoint.models.declaration.declared import Declared
    from halfpoint.models.formulas.outcome import Outcome
    from halfpoint.models.language.games import Games
    from halfpoint.models.language.model import Model

_STEP = 1e-4  # of the slope of a scale
_SCALES = 1 << 40  # where scales begin among free variables until the number of these is known
_FUNCTIONS = "halfpoint.models."  # modules of functions that are run so

type Shape = tuple[int, ...]


class SumModel:
    """The variables of a model function and the sums in their priors, in their order.

    With `slots`, sums are of the values in these slots, through all other named sums.
    """

    def __init__(
        self, games: "Games", coords: Mapping[str, Iterable[object]], slots: Mapping[str, tuple[int, Shape]] | None
    ) -> None:
        self.coords = {str(name): list(labels) for name, labels in coords.items()}
        self.rows, self.given = len(games.rows), slots
        self.named_vars: dict[str, Node] = {}
        self.dims: dict[str, tuple[str, ...]] = {}
        self.slots: dict[str, tuple[int, Shape]] = {} if slots is None else dict(slots)
        self.start: dict[str, tuple[int, Shape]] = {}  # of free variables among all of them
        self.size = self.values = 0
        self.scales: list[str] = []  # the logarithm of each
        self.priors: dict[str, tuple[str, tuple[Any, ...]]] = {}  # family and parents by name, in the order of names
        self.steps: set[str] = set()  # of walks, which take no room among the values
        self.outcome: Any = None
        self.sides: list[Node | None] = []
        self.model: Model
        self.view: Callable[[], Games]

    def __enter__(self) -> "SumModel":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __getitem__(self, name: str) -> Node:
        return self.named_vars[name]

    def _place(self, name: str, shape: Shape) -> Form | None:
        """Values of a variable: in its slot if slots are given, else in the next one."""
        if self.given is not None:
            return SparseAffine.of(*self.given[name]) if name in self.given else None
        self.slots[name] = self.values, shape
        self.values += int(np.prod(shape, dtype=np.int64))
        return SparseAffine.of(*self.slots[name])

    def _note(self, name: str, node: Node, family: str, parents: tuple[Any, ...], dims: tuple[str, ...]) -> Node:
        self.named_vars[name], self.priors[name], self.dims[name] = node, (family, parents), dims
        return node

    def free(
        self, family: str, name: str, parents: tuple[Any, ...], dims: str | Sequence[str] | None, shape: Any
    ) -> Node:
        """Note a free variable."""
        if name in self.named_vars:
            raise NoSumError(f"{name} twice")
        dims = (dims,) if isinstance(dims, str) else tuple(dims or ())
        full_shape = tuple(len(self.coords[dim]) for dim in dims) if dims else tuple(np.atleast_1d(shape).tolist())
        full_shape = full_shape if dims or shape is not None else ()
        self.start[name] = self.size, full_shape
        self.size += int(np.prod(full_shape, dtype=np.int64))
        node = Node(self._place(name, full_shape), SparseAffine.of(*self.start[name]), name)
        return self._note(name, node, family, parents, dims)

    def named(self, name: str, value: object, dims: str | Sequence[str] | None) -> Node:
        """Note a deterministic variable."""
        dims = (dims,) if isinstance(dims, str) else tuple(dims or ())
        if isinstance(value, WalkNode):
            steps = value.steps.name
            if list(self.start)[-1] != steps or (self.given is None and list(self.slots)[-1] != steps):
                raise NoSumError("steps that other variables follow")
            if self.given is None:
                self.values -= int(np.prod(self.slots.pop(steps)[1], dtype=np.int64))
            self.steps.add(steps)
            level: Any = value.level.free
            full_shape = (*level.shape, value.periods)
            free = level[..., None].rearrange(full_shape, lambda array: np.broadcast_to(array, full_shape))
            if self.given is not None and name not in self.given:
                raise NoSumError("a walk as sums of its steps")
            node = Node(self._place(name, full_shape), free, name)
            return self._note(name, node, "walk", (value.law, value.steps), dims)
        if isinstance(value, ScaleNode):
            free = SparseAffine.of(_SCALES + len(self.scales), ())
            self.scales.append(value.log.name)
            return self._note(name, Node(self._place(name, ()), free, name), "scale", (value.log,), dims)
        node = value if isinstance(value, Node) else Node(np.asarray(value, dtype=np.float64), np.asarray(value))
        full_shape = node.form.shape
        place = self._place(name, full_shape)
        named_node = Node(node.form if place is None else place, node._free, name)
        return self._note(name, named_node, "sum", (node,), dims)

    def observe(
        self, outcome: "Outcome", white: object, black: object, lam: object, numbers: Mapping[str, object] | None
    ) -> Node:
        """Note the games: formula and sides of each row."""
        if self.outcome is not None or numbers or outcome.further:
            raise NoSumError("further numbers of a formula")
        self.outcome = outcome
        self.sides = [None if side is None else self._rows(side) for side in (white, black, lam)]
        return Node(None, None, "games")

    def _rows(self, value: object) -> Node:
        node = value if isinstance(value, Node) else Node(np.asarray(value, np.float64), np.asarray(value, np.float64))
        if node.ndim > 1:
            raise NoSumError("several values for a row")
        return node.map(lambda form: np.zeros(self.rows) + form) if node.ndim == 0 else node

    def add_coords(self, coords: Mapping[str, Iterable[object]]) -> None:
        """Add labels of dims."""
        self.coords |= {str(name): list(labels) for name, labels in coords.items()}

    def at(self, slots: Mapping[str, tuple[int, Shape]]) -> "SumModel | None":
        """The same with the values of some variables in given slots, through all others."""
        sum_run = run_on_sums(self.model, self.view, slots)
        return None if sum_run is None else sum_run[0]

    def layout(self, read: Callable[[], Layout]) -> "SlotsOnly":
        """Coordinates and slots; `read` returns the layout with operations."""
        return SlotsOnly(list(self.start.items()), self.slots, self.size, self.values, read)

    def laws(self, declared: "Declared") -> list[Law]:
        """Laws of the variables on the cells of a declared model."""
        law_forms = LawForms(self.slots, self.values)
        design, informed = self._informed(declared)

        def unit(name: str, sd: Floats) -> Floats:
            if design is None or informed is None:
                return sd
            begin, shape = self.start[name]
            members = slice(begin, begin + int(np.prod(shape, dtype=np.int64)))
            alike = self.dims[name] in ((), ("player",))
            return units_of(design, informed, members, sd, self.centre[members].reshape(shape), alike)[1]

        for name in self.slots:
            law_forms.found[name] = self._law(law_forms, name, unit)
        return law_forms.finished()

    def _law(self, law_forms: LawForms, name: str, unit: Callable[[str, Floats], Floats]) -> Law:
        (family, parents), law = self.priors[name], Law(name, self.dims[name], name in self.start)
        if family == "walk":
            transition, steps = parents
            parent_names = (transition.spread, transition.level, transition.beside, transition.pace)
            law = Law(name, self.dims[name], False, parents=frozenset(filter(None, parent_names)))
            if self.priors[steps.name][0] != "normal" or self._numbers(steps.name) != [0.0, 1.0]:
                raise NoSumError("steps that are not standard normal")
            return replace(law, transition=transition)
        if family == "scale":
            scale = law_forms.scale(law, law_forms.found.get(parents[0].name))
            if scale is None:
                raise NoSumError(f"the exponential of {parents[0].name}")
            return scale
        if family == "sum":
            return law_forms.made(law, parents[0].form)
        if family == "autoregression":
            return law_forms.autoregression(law, *parents)
        numbers = [node.form if isinstance(node, Node) else np.asarray(node, dtype=np.float64) for node in parents]
        if family == "normal":
            mean, wide = numbers
            return law_forms.normal(law, mean, wide, lambda sd: unit(name, np.asarray(wide)))
        (_, shape), parameters = self.slots[name], self._numbers(name)
        if shape != () or None in parameters:
            raise NoSumError(f"{name}, several numbers or with other variables in its prior")
        if family == "half_normal":
            return replace(law, role="spread", hyperparameter=Hyperparameter("spread", 0.0, parameters[0], 1.0))
        return replace(law, hyperparameter=positive(log_normal(*parameters)))

    def _numbers(self, name: str) -> list[Any]:
        """Parents of a prior as one number each, None for others."""
        forms = [node.form if isinstance(node, Node) else np.asarray(node) for node in self.priors[name][1]]
        return [
            None if isinstance(form, SparseAffine) or np.ptp(form) > 0 else float(np.ravel(form)[0]) for form in forms
        ]

    def _informed(self, declared: "Declared") -> tuple[Seen | None, Informed | None]:
        """Information in the games about the free variables, None where the sides are no sums of these."""
        self.centre = np.zeros(self.size)
        for name, (begin, shape) in self.start.items():
            members = slice(begin, begin + int(np.prod(shape, dtype=np.int64)))
            self.centre[members] = np.ravel(np.broadcast_to(self._centre(name), shape))
        centre, slope = self.centre, dict[int, tuple[int, float]]()
        for number, log in enumerate(self.scales):
            log_begin = self.start[log][0]
            low, high = (float(np.exp(centre[log_begin] + step)) for step in (-_STEP, _STEP))
            slope[self.size + number] = log_begin, (high - low) / (2.0 * _STEP)
            centre = np.append(centre, (low + high) / 2.0)
        white, black, lam = ((None if side is None else side._free) for side in self.sides)
        if white is None or black is None or (lam is None and self.sides[2] is not None):
            return None, None
        terms = (
            self._placed(flat_terms(white - black, self.rows)),
            [] if lam is None else self._placed(flat_terms(lam, self.rows)),
        )
        begins = {name: begin for name, (begin, _) in self.start.items()}
        shapes = {name: shape for name, (_, shape) in self.start.items()}
        players = {name for name in self.start if self.dims[name] in ((), ("player",))}
        design = Seen.of(self.outcome, declared.cells, declared.rows, begins, shapes, self.size, terms, players)
        return design, information_of(design, centre, slope)

    def _centre(self, name: str) -> Any:
        """Centre of a prior, given the centres of the variables before it."""
        family, parents = self.priors[name]
        free = [free_form(parent) for parent in parents]
        if family == "autoregression" or any(form is None for form in free) or any(map(_has_scale, free)):
            return 0.0
        if family == "log_normal":
            return np.exp(free[0] + 0.5 * np.square(free[1]))
        return at_centre(free[0], self.centre) if family == "normal" else 0.5 * at_centre(free[0], self.centre)

    def _placed(self, terms: list[Term]) -> list[Term]:
        """Terms with scales placed after the free variables."""

        def place(index: Integers) -> Integers:
            return np.where(index >= _SCALES, index - _SCALES + self.size, index)

        return [(c, tuple(map(place, index))) for c, index in terms]


class SlotsOnly(Layout):
    """Coordinates and slots of a layout, whose operations are read from the graph where they are needed."""

    def __init__(
        self,
        coordinates: list[tuple[str, tuple[int, Shape]]],
        slots: dict[str, tuple[int, Shape]],
        count: int,
        values: int,
        read: Callable[[], Layout],
    ) -> None:
        names = [(name, shape) for name, (_, shape) in coordinates]
        self.__dict__ |= {
            "coordinates": names,
            "slots": slots,
            "count": count,
            "values": values,
            "computed": [],
            "read": read,
        }

    def __getattribute__(self, name: str) -> Any:
        if name in ("operations", "between", "constant", "unread"):
            return getattr(object.__getattribute__(self, "read")(), name)
        return object.__getattribute__(self, name)


def log_normal(mean: float, sd: float) -> Callable[[Floats], Floats]:
    """Log density of the log-normal distribution, one value at a time."""

    def density(x: Floats) -> Floats:
        xs = np.asarray(x, dtype=np.float64)
        with np.errstate(all="ignore"):
            log = -0.5 * np.power((np.log(xs) - mean) / sd, 2) - 0.5 * np.log(2.0 * np.pi) - np.log(sd) - np.log(xs)
        return np.where(xs > 0.0, log, -np.inf)

    return density


def _has_scale(form: object) -> bool:
    return isinstance(form, SparseAffine) and any(np.any(part >= _SCALES) for _, index in form.terms for part in index)


class _Functions:
    """The functions of PyMC, PyTensor and this package that make variables, for one run of a model function."""

    def __init__(self, games: "Games", slots: Mapping[str, tuple[int, Shape]] | None) -> None:
        self.games, self.slots = games, slots

    def Model(self, coords: Mapping[str, Iterable[object]]) -> SumModel:  # noqa: N802
        self.model = SumModel(self.games, coords, self.slots)
        return self.model

    def modelcontext(self, _: None) -> SumModel:
        return self.model

    def Normal(  # noqa: N802
        self, name: str, mu: object = 0.0, sigma: object = 1.0, dims: str | None = None, shape: Any = None
    ) -> Node:
        return self.model.free("normal", name, (mu, sigma), dims, shape)

    def HalfNormal(self, name: str, sigma: object) -> Node:  # noqa: N802
        return self.model.free("half_normal", name, (sigma,), None, None)

    def LogNormal(self, name: str, mu: object, sigma: object) -> Node:  # noqa: N802
        return self.model.free("log_normal", name, (mu, sigma), None, None)

    def Autoregression(self, name: str, spread: Node, matrix: "sparray", dims: str | None = None) -> Node:  # noqa: N802
        weight, place = pad_rows(matrix)
        return self.model.free("autoregression", name, (weight, place, spread.form), dims, None)

    def Deterministic(self, name: str, value: object, dims: str | None = None) -> Node:  # noqa: N802
        return self.model.named(name, value, dims)

    def exp(self, value: Node) -> Node:
        if value.name not in self.model.start:
            raise NoSumError("the exponential of a sum")
        return ScaleNode(value)

    def constant(self, value: object) -> Node:
        return Node(np.asarray(value, dtype=np.float64), np.asarray(value, dtype=np.float64))

    def concatenate(self, values: Sequence[Node]) -> Node:
        return values[0].map(lambda *forms: joined(0, forms), *values[1:])

    def walks(
        self,
        level: Node,
        spread: object,
        steps: Node,
        matrix: Floats,
        begins: Integers | None = None,
        pace: object = None,
    ) -> Node:
        if pace is not None:
            raise NoSumError("walks at paces")
        return WalkNode(law_of_walks(level, spread, begins), level, steps, matrix.shape[1])

    def observe_games(self, outcome: "Outcome", games: "Games", *sides: Any) -> Node:
        if outcome.scores is None:
            games.margin(outcome.margin)  # which notes that margins are read
        return self.model.observe(outcome, *sides)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NoSumError(f"{name}, which is not a sum")


def run_on_sums(
    model: "Model", view: Callable[[], "Games"], slots: Mapping[str, tuple[int, Shape]] | None = None
) -> tuple[SumModel, "Games"] | None:
    """Run a function of this package on sums, with the games that it read; None if its graph has to be read."""
    if not str(getattr(model.function, "__module__", "")).startswith(_FUNCTIONS):
        return None
    games = view()
    try:
        with standing_in(_Functions(games, slots)):
            sum_model = model.call(games)
        if not isinstance(sum_model, SumModel) or sum_model.outcome is None:
            return None
        for side in sum_model.sides:
            if side is not None:
                _ = side.form
    except (NotAffineError, NotImplementedError):
        return None
    except TypeError:
        if model.keywords:  # of wrong types, which the run of the graph reports
            return None
        raise
    sum_model.model, sum_model.view = model, view
    return sum_model, games

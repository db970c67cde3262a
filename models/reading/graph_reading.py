"""One reading of a model's graph: its parts with a fast form, and reasons why others have none.

    layout      compiled loops (`inference.loops`)            else names and shapes; nutpie samples the graph
    laws        walks, units, the normal approximation        else names, dims and parents
    strength    the variable by player that enters both sides, whatever its name

Other consumers do not decide whether a model is read: a fast form that is absent is replaced by evaluation of the graph
under the draws (`reading.sides`), by pairs of players (`declaration.pair_ratings`), or by PyMC's own coordinates.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError, NoLoopError, in_words
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.language.laws import Law
from halfpoint.models.pymc_import import Node
from halfpoint.models.reading.layout import Layout

if TYPE_CHECKING:
    import pymc as pm


@dataclass(eq=False)
class GraphReading:
    """A finished PyMC model, read on demand."""

    model: "pm.Model"
    why: dict[str, str] = field(default_factory=dict)  # "layout", "laws" -> why it has no fast form

    def _attempt[T](self, part: str, fast: Callable[[], T], general: Callable[[], T]) -> T:
        """Fast form of a part, else the general form with the reason; refused models are still refused."""
        try:
            return fast()
        except ModelError:
            raise
        except Exception as error:
            self.why[part] = in_words(error)
            return general()

    @property
    def reasons(self) -> dict[str, str]:
        """Reasons in words of the parts that have no fast form, by part."""
        _ = self.laws  # which reads the layout
        return dict(self.why)

    @cached_property
    def layout(self) -> Layout:
        """Places of the variables among sampled coordinates and values."""
        layout = self._attempt("layout", self._layout_with_operations, self._layout_of_names)
        if layout.unread:
            self.why.setdefault("layout", layout.unread)
        return layout

    @cached_property
    def laws(self) -> list[Law]:
        """Variables of the model, each with its law given the others."""
        from halfpoint.models.reading.read_laws import read_laws

        layout = self.layout
        return self._attempt("laws", lambda: read_laws(self.model, layout), self._laws_of_names)

    @cached_property
    def strength(self) -> str:
        """Variable by player that enters both sides: `strength` if it is one of several, else the first; or empty."""
        from halfpoint.models.reading.games_variable import games_of, sides_of

        if games_of(self.model).op.outcome is LIKELIHOOD:
            return ""
        white, black, *_ = sides_of(self.model)
        in_both_sides = self._behind([white], nearest=True) & self._behind([black], nearest=True)
        axes = self.model.named_vars_to_dims
        names = [name for name in self.model.named_vars if name in in_both_sides and "player" in (axes.get(name) or ())]
        return "strength" if "strength" in names or not names else names[0]

    @property
    def discrete(self) -> str:
        """Name of the first free variable of whole numbers, which has no gradient; empty without one."""
        return next((str(rv.name) for rv in self.model.free_RVs if not rv.dtype.startswith("float")), "")

    def _layout_with_operations(self) -> Layout:
        from halfpoint.models.reading.games_variable import games_of
        from halfpoint.models.reading.model_variables import shape_of
        from halfpoint.models.reading.read_graph import read_layout

        if games_of(self.model).op.outcome is LIKELIHOOD:
            raise NoLoopError("its likelihood is PyMC's own")
        if self.discrete:
            raise NoLoopError(f"{self.discrete} is discrete")
        layout = read_layout(self.model)
        for name, (_, shape) in layout.slots.items():
            if name in self.model.named_vars and shape != shape_of(self.model, self.model[name]):
                raise NoLoopError(f"{name} is sampled in another number of coordinates than it has values")
        return layout

    def _layout_of_names(self) -> Layout:
        """Names and shapes of the variables, without operations."""
        from halfpoint.models.reading.model_variables import shape_of

        layout = Layout(unread=self.why["layout"])
        for variable in [*self.model.free_RVs, *self.model.deterministics]:
            shape = shape_of(self.model, variable)
            layout.slots[str(variable.name)] = layout.values, shape
            layout.values += int(np.prod(shape, dtype=np.int64))
        layout.count = layout.values
        layout.coordinates = [(str(rv.name), layout.slots[str(rv.name)][1]) for rv in self.model.free_RVs]
        return layout

    def _laws_of_names(self) -> list[Law]:
        """Names, dims and parents of the variables."""
        free, laws = {str(rv.name) for rv in self.model.free_RVs}, []
        for name in self.layout.slots:
            axes = self.model.named_vars_to_dims.get(name) or ()
            dims = tuple(str(dim) for dim in axes if dim is not None)
            parents = frozenset(self._behind([self.model[name]]) - {name})
            laws.append(Law(name, dims, free=name in free, parents=parents, unread=self.why["laws"]))
        return laws

    def _behind(self, nodes: list[Node], nearest: bool = False) -> set[str]:
        """Names of the variables on which nodes depend, or of the nearest ones."""
        from pytensor.graph.traversal import walk

        named = {variable: str(variable.name) for variable in [*self.model.free_RVs, *self.model.deterministics]}

        def inputs_of(node: Node) -> list[Node]:
            return [] if node.owner is None or (nearest and node in named) else node.owner.inputs

        return {named[node] for node in walk(nodes, inputs_of) if node in named}

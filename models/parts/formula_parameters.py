"""Further parameters of a formula: numbers that all games share, beside the sides and the draw parameter."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from halfpoint.models.errors import ModelError
from halfpoint.models.parts.blocks import Block, parameter
from halfpoint.models.parts.part import ModelContext, Part
from halfpoint.models.parts.priors import Prior, moments

_DIMS = ("chain", "draw")  # of every trace


@dataclass(frozen=True)
class FormulaParameters(Part):
    """The further parameters of a formula."""

    priors: Mapping[str, Prior] = field(default_factory=dict)  #: by name: mean and standard deviation, or a family

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters, by their names."""
        taken = next((name for name in self.priors if name in site.known or name in {*_DIMS, *site.terms}), None)
        if taken is not None:
            raise ModelError(f"parameters: expected a name that the model has not, found {taken!r}. Name it otherwise.")
        return [
            parameter(name, f"{name} of the formula", prior=prior, unit=site.overall(moments(prior)[1]))
            for name, prior in self.priors.items()
        ]

"""Names of the version before: what moved or was renamed is found under its old name, with a warning of the new one.

Whole modules by `MOVED`, single names of a module by `RENAMED`; both go with the next release.
"""

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_ROOMS = {
    "models.formulas": "models: outcome bradley_terry davidson draw_curve rao_kupper margin index=football_index",
    "models.parts": (
        "models: part advantage anchors correlated draw_parameter effects formula_parameters strength two_speeds "
        "volatility populations priors blocks listed=corrected_list formula=design_matrix coding=column_coding"
    ),
    "models": "models: reading=posterior_reader",
    "inference": "inference: limits=effort_limits level=location margins=margin_forecasts fitter=reweighted_sampler",
    "inference.gaussian": (
        "inference.normal: mode conditional=variational nested=hyperparameter_grid draws=transport rows=affine_rows "
        "curvature=matrix_free_precision parts=latent_split posterior=posterior_density refit=reweighted_fit"
    ),
    "inference.diagnostics": "inference: diagnose=convergence",
    "games": "games: partners=identifiability",
}


def _moved() -> dict[str, str]:
    """New names of modules by the old ones."""
    found = {"halfpoint.inference.normal": "halfpoint.inference.gaussian"}
    for room, text in _ROOMS.items():
        folder, _, names = text.partition(": ")
        for old, _, new in (name.partition("=") for name in names.split()):
            found[f"halfpoint.{folder}.{old}"] = f"halfpoint.{room}.{new or old}"
    return found


MOVED = _moved()
RENAMED = {
    "halfpoint.models.rows": {"each": "expand_rows"},
    "halfpoint.inference.reweighted_sampler": {"Fitter": "ReweightedSampler"},
}


class _Finder(MetaPathFinder, Loader):
    """The modules of `MOVED` under their old names."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The specification of a module that moved."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module that it is now in its place."""
        old = module.__name__
        warnings.warn(f"{old} is now {MOVED[old]}", DeprecationWarning, stacklevel=2)
        sys.modules[old] = import_module(MOVED[old])


def install() -> None:
    """Let Python find what moved, once."""
    if not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())  # before a folder of that name with nothing but old bytecode


def renamed(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module in which names changed."""

    def find(name: str) -> Any:
        new = RENAMED[module].get(name)
        if new is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now {module}.{new}", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], new)

    return find

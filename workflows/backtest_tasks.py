"""A backtest on many machines: each system or model is a task of its own, whose files a later run finds.

A task tunes one forecaster and rolls it through the periods. What it leaves is what `halfpoint backtest` leaves by
itself: the frozen numbers, and after each period forecasts and state in one file. A task that lost its worker is begun
again by another one and goes on after the last period that was done.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from halfpoint.games.errors import HalfpointError
from halfpoint.inference.limits import Effort
from halfpoint.models.catalogue import Edition
from halfpoint.systems.catalogue import SYSTEMS, SystemSpec, system
from halfpoint.workflows.backtest_run import Plan, is_finished, rolled_path, run_one
from halfpoint.workflows.cluster import run
from halfpoint.workflows.entrants import bayesian


@dataclass(frozen=True, eq=False)
class Rolling:
    """One forecaster rolled through all periods; what the worker needs to make it travels by name."""

    plan: Plan  # the backtest; its folder is shared by all machines
    name: str  # a rating system or a model of the catalogue
    edition: Edition  # edition of a model of the study
    effort: Effort | None  # sampling of a model; None: its normal approximation

    @property
    def path(self) -> Path:
        """Return the file of forecasts and state."""
        return rolled_path(self.plan, self.name)

    def spec(self) -> SystemSpec:
        """Return the entry of the forecaster."""
        if self.name in SYSTEMS:
            return system(self.name)
        return bayesian(self.name, self.plan.monitored, self.edition, self.effort, self.plan.games, self.plan.first)

    def finished(self) -> bool:
        """Return whether all periods are done."""
        return is_finished(self.plan, self.spec())

    def make(self) -> None:
        """Roll on from the last period that is done."""
        run_one(self.plan, self.spec())


def fan_out(
    plan: Plan,
    names: Sequence[str],
    edition: Edition,
    effort: Effort | None,
    scheduler: str,
    say: Callable[[str], None],
) -> None:
    """Roll forecasters on the workers of a Dask scheduler; afterwards `run` finds everything done."""
    shared = replace(plan, folder=plan.folder.resolve())
    faults = []
    for end in run([Rolling(shared, name, edition, effort) for name in names], scheduler):
        if end.fault:
            faults.append(f"{end.path.stem}: expected forecasts from the scheduler, found {end.fault}")
        else:
            say(f"{end.path.stem}: {'was there' if end.reused else 'rolled by a worker'}")
    if faults:
        raise HalfpointError("; ".join(faults))

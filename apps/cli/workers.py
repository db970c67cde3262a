"""The options `--workers` and `--cluster`, which select the processes of independent fits."""

from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer

from halfpoint.apps.cli.options import HOW, range_option
from halfpoint.apps.workflows.options import WORKERS, Say


@dataclass(frozen=True)
class Workers:
    """Options for processes that run independent fits."""

    panel: ClassVar[str] = HOW
    workers: Annotated[int | None, range_option(WORKERS, help="Processes for independent fits.")] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Dask scheduler, such as tcp://host:8786, whose workers run independent fits."
        ),
    ] = None

    def executor(self, say: Say) -> AbstractContextManager[Executor | None]:
        """Open the executor that the options select."""
        from halfpoint.apps.workflows.executor import executor_of

        return executor_of(self.workers, self.cluster, say)

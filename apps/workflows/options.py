"""Options as records, made once by a command or a caller of a workflow and passed as a whole."""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import Any

from halfpoint.apps.workflows.intake import Progress, Say, silent
from halfpoint.inference.effort_limits import METHODS
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word

type ReadingContext = Callable[[str], AbstractContextManager[Progress | None]]


def no_progress(name: str) -> AbstractContextManager[Progress | None]:
    """A context without progress reports."""
    return nullcontext()


@dataclass(frozen=True)
class Run:
    """Settings of a run: method, reuse of finished results, reporting."""

    #: independent draws of a normal approximation with exact weights if they are reliable, else NUTS; or one of the
    #: two
    method: str = "auto"
    #: sample even if the finished trace is there, and replace files that are not of an earlier run
    force: bool = False
    say: Say = silent  #: gets a line on every step; silent by default
    #: of a file's name: a context in which it is read, that gives a callable of the bytes read and its size, or None
    reading: ReadingContext = no_progress
    progress: bool = False  #: show the sampler's progress bar
    verbose: bool = False  #: also report how the draws were made and judged, as `summary` does
    #: where independent fits run (`halfpoint.apps.workflows.executor`); one after the other in this process without one
    executor: Executor | None = None

    def draws_text(self, text: str) -> str:
        """Short text about draws and their verdict, or the whole text with `verbose`."""
        plain, separator, separated = text.partition("; separated: ")
        short = re.split(r" \(|[:,;] ", plain, maxsplit=1)[0] + separator + separated
        return text if self.verbose or text.startswith("NOT") else short

    def require(self, methods: Sequence[str] = METHODS) -> None:
        """Raise `GameTableError` if the method is invalid."""
        require_word("--method", self.method, methods, GameTableError)


def records_of(values: Mapping[str, Any], *kinds: type) -> list[Any]:
    """Records of several kinds from the `locals()` of a function whose keywords are their fields."""
    return [kind(**{option.name: values[option.name] for option in fields(kind)}) for kind in kinds]


def words(names: str | Sequence[str]) -> list[str]:
    """Names from a comma-separated text or a sequence."""
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]

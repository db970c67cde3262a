"""Options as records, made once by a command or a caller of a workflow and passed as a whole."""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from halfpoint.apps.workflows.intake import IntakeOptions, Progress, Say, silent
from halfpoint.inference.effort_limits import METHODS, EffortOptions
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word

type _Reading = Callable[[str], AbstractContextManager[Progress | None]]


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
    reading: _Reading = no_progress
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


RunOptions = TypedDict("RunOptions", {
    "method": str, "force": bool, "say": Say, "reading": _Reading, "progress": bool, "verbose": bool,
    "executor": Executor | None
}, total=False)  # fmt: skip


class RateOptions(IntakeOptions, EffortOptions, RunOptions, total=False):
    """Keywords of `rate` and `update`."""


def into_records(options: Mapping[str, Any], *kinds: type) -> list[Any]:
    """Records of several kinds from options by name; missing options keep their defaults."""
    kind_of = {option.name: kind for kind in kinds for option in fields(kind)}
    strange = next((name for name in options if name not in kind_of), None)
    if strange is not None:
        raise TypeError(f"unexpected option {strange!r}; expected {', '.join(sorted(kind_of))}")
    return [kind(**{name: value for name, value in options.items() if kind_of[name] is kind}) for kind in kinds]


def words(names: str | Sequence[str]) -> list[str]:
    """Names from a comma-separated text or a sequence."""
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]

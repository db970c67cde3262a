"""The study of 2014 reproduced: protocol, slips, claims, printed numbers and the run that compares them.

`run_study` is what `halfpoint study` does; it is imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.study.run.run_study import run_study

__all__ = ["run_study"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from halfpoint.study.run.run_study import run_study

        return run_study
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

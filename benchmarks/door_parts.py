"""CPU seconds of one command by part, which add up to the total: door.md.

    python benchmarks/door_parts.py rate games.csv --out out --force

Seconds of a part exclude those of its inner parts; an import counts wherever it happens. Extras are hidden, as in a
plain installation. If Python may not write bytecode, imports compile each source again.
"""

import importlib._bootstrap as imports
import runpy
import sys
import time
from collections.abc import Callable
from importlib.machinery import PathFinder
from typing import Any

EXTRAS = ("chess", "coverage", "dask", "distributed", "jax", "jaxlib", "matplotlib", "numpyro", "openskill", "pooch")
PARTS = {
    "reading": ("apps.workflows.rating_list:take_in", "apps.workflows.rating_list:are_cells"),
    "choice of the model": ("apps.workflows.rating_list:suggest", "apps.workflows.rating_list:in_time"),
    "declaring": ("apps.workflows.trace_of_games:declare",),
    "normal approximation": ("inference.fit:gaussian_draws",),
    "trace, made": ("inference.fit:_with_normal",),
    "diagnosis": ("inference.sample:diagnose",),
    "checks": ("apps.workflows.trace_of_games:_unlike_the_model",),
    "trace, written": ("apps.workflows.trace_of_games:write",),
    "list": ("apps.workflows.rating_list:_list_players",),
    "page": (
        "apps.workflows.rating_list:rated_page",
        "apps.workflows.rating_list:people_of",
        "apps.workflows.rating_list:put_page",
    ),
}


class Clock:
    """CPU seconds by part, with a stack of active parts."""

    def __init__(self) -> None:
        self.stack, self.seconds, self.last = ["rest"], dict[str, float](), time.process_time()

    def charge(self) -> None:
        """Add the seconds since the last call to the current part."""
        now = time.process_time()
        self.seconds[self.stack[-1]] = self.seconds.get(self.stack[-1], 0.0) + now - self.last
        self.last = now

    def of(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Function whose seconds are added to a part."""

        def call(*args: Any, **keywords: Any) -> Any:
            self.charge()
            self.stack.append(part)
            try:
                return function(*args, **keywords)
            finally:
                self.charge()
                self.stack.pop()

        return call


def main() -> None:
    """Run the command and print the parts, the largest first."""
    clock, find = Clock(), PathFinder.find_spec
    PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] in EXTRAS else find(name, *rest)
    places = [(part, *place.split(":")) for part, several in PARTS.items() for place in several]
    load = clock.of("imports", imports._find_and_load)

    def with_clocks(name: str, import_: Callable[..., Any]) -> Any:
        """Module by name, with its parts timed once it is loaded."""
        module = load(name, import_)
        for part, owner, function in places:
            if name == f"halfpoint.{owner}" and name not in timed:
                setattr(module, function, clock.of(part, getattr(module, function)))
        timed.add(name)
        return module

    timed = set[str]()
    imports._find_and_load = with_clocks
    import numba.core.ccallback as functions
    import numba.core.dispatcher as loops

    for owner in (loops.Dispatcher, functions.CFunc):
        owner.compile = clock.of("compiled code", owner.compile)
    sys.argv[0] = "halfpoint"
    try:
        runpy.run_module("halfpoint", run_name="__main__")
    except SystemExit:
        clock.charge()
    for part, seconds in sorted(clock.seconds.items(), key=lambda one: -one[1]):
        print(f"{part:22s} {seconds:6.2f}", file=sys.stderr)
    print(f"{'total':22s} {sum(clock.seconds.values()):6.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()

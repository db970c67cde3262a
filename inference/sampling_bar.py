"""One bar for all chains of NUTS, at most 80 columns, with the time left; in notebooks too."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_WIDEST = 80


@contextmanager
def sampling_bar(shown: bool) -> Iterator[Callable[[Sequence[Any]], None] | None]:
    """What nutpie tells how far each chain is, None where nothing is shown: not asked for, or no terminal."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console()
    console = Console(width=min(_WIDEST, console.width))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    nowhere = not (console.is_terminal or console.is_jupyter)
    with Progress(*columns, console=console, transient=True, disable=nowhere) as bar:
        task = bar.add_task("sampling", total=None)

        def heard(chains: Sequence[Any]) -> None:
            done, total = (sum(getattr(one, name) for one in chains) for name in ("finished_draws", "total_draws"))
            tuning = sum(one.tuning for one in chains)
            divergent = sum(one.divergences for one in chains)
            words = "tuning" if tuning else "sampling"
            more = f", {divergent} divergent" if divergent else ""
            bar.update(task, completed=done, total=total, description=f"{words} {len(chains)} chains{more}")

        yield heard

"""One bar for all chains of NUTS, at most 80 columns wide, with the time left; in notebooks as text without widgets."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import Any

_WIDEST = 80


@contextmanager
def sampling_bar(shown: bool) -> Iterator[Callable[[Sequence[object]], None] | None]:
    """A function of nutpie's records of its chains that redraws the bar; None if not requested."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console()
    notebook, console = console.is_jupyter, Console(width=min(_WIDEST, console.width))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=notebook or not console.is_terminal) as bar:
        task = bar.add_task("sampling", total=None)
        draw = _in_notebook() if notebook else None

        def heard(chains: Sequence[Any]) -> None:
            done, total = (sum(getattr(chain, name) for chain in chains) for name in ("finished_draws", "total_draws"))
            tuning = sum(chain.tuning for chain in chains)
            divergent = sum(chain.divergences for chain in chains)
            words = "tuning" if tuning else "sampling"
            suffix = f", {divergent} divergent" if divergent else ""
            bar.update(task, completed=done, total=total, description=f"{words} {len(chains)} chains{suffix}")
            if draw is not None:
                draw(bar)

        yield heard
        if draw is not None:
            draw("")


def _in_notebook() -> Callable[[object], None]:
    """Make a function that prints in one output of the cell, replacing its earlier text."""
    from IPython.display import display
    from rich.console import Console

    place: Any = display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def draw(shown: Any) -> None:
        text = StringIO()
        Console(file=text, width=_WIDEST, force_jupyter=False, color_system=None).print(shown)
        place.update({"text/plain": text.getvalue().rstrip()}, raw=True)

    return draw

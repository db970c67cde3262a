"""Output of an answer: a table on the terminal, JSON, or a CSV, JSON or HTML file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from halfpoint.apps.cli.options import Force, OwnModel, Quiet, know
from halfpoint.apps.cli.scripting import STANDARD, AsJson, put_json, record_of, status_of
from halfpoint.apps.cli.terminal import console, put_table, reading_bar, say, table_of, timed_lines
from halfpoint.apps.workflows.options import Run
from halfpoint.models.games.errors import printable

if TYPE_CHECKING:
    import pandas as pd

    from halfpoint.apps.pages.cells import Look
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.models.games.single_files import Files


_LONG = 23  # letters of a cell beyond which it may be broken between words
_CONTEXTS = 6  # side by side


def answer_file(context: typer.Context, option: typer.CallbackParam, path: Path | None) -> Path | None:
    """The output file of an answer; an unknown suffix is refused before any work starts."""
    if path is not None and (path != STANDARD or option.opts[0] != "--out"):
        from halfpoint.apps.workflows.answer import kind_of

        kind_of(path, option.opts[0])
    return path


@dataclass(frozen=True)
class Answering:
    """Options of a command that prints an answer."""

    as_json: AsJson = False
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", callback=answer_file, help="Also write a file: .csv, .json or a page, .html; -: print CSV."
        ),
    ] = None
    force: Force = False

    def also_read(self) -> tuple[object, ...]:
        """Files read in addition to the arguments of a command."""
        return ()

    def give(
        self, make: "Callable[[Files], Answer]", *reads: object, side_files: Mapping[str, Path | None] | None = None
    ) -> None:
        """Make an answer, write it to the requested files, print it, and exit with the code of its verdict.

        `make` gets the `side_files`, those of the options beside --out; `reads` are never written over.
        """
        from halfpoint.apps.workflows.answer import as_csv
        from halfpoint.models.games.single_files import files

        side_files, reads = side_files or {}, (*reads, *self.also_read())
        plain = self.out == STANDARD and not self.as_json
        written = {"--out": None if self.out == STANDARD else self.out}
        written |= {f"--{name}": path for name, path in side_files.items()}
        with files(written, reads=reads, force=self.force) as places:
            answer = make(places)
            write_answer(places, "--out", answer)
        if plain:
            typer.echo(as_csv(answer.frame), nl=False)
            end(answer.about.get("verdict"))
            return
        look = answer.look
        shown = answer.frame if self.as_json or look.frame is None else look.frame
        show(shown, answer.about, self, look)
        for path in () if self.as_json else filter(None, side_files.values()):
            say(f"Written to {path}")
        end(answer.about.get("verdict"))


@dataclass(frozen=True)
class Traced(Answering):
    """Output options of an answer from a trace, and the user's model of the trace."""

    own: OwnModel = None

    def also_read(self) -> tuple[object, ...]:
        """File of a user's model, which is registered."""
        know(self.own)
        return (self.own,)


@dataclass(frozen=True)
class Folder(Answering):
    """Options of a command that writes tables, a page and a trace."""

    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for tables, page and trace.")] = None


TERMINAL = Answering()


def folder_beside(files: Sequence[Path], what: str) -> Path:
    """Folder in the working directory for the results of some files: named after the first."""
    return Path(f"{files[0].name.partition('.')[0]}-{what}")


@dataclass(frozen=True)
class Sampled:
    """Options of running a sampler."""

    method: Annotated[
        str, typer.Option(help="auto (normal approximation if its weights pass, else nuts) | normal | nuts.")
    ] = "auto"
    force: Force = False
    quiet: Quiet = False


@dataclass(frozen=True)
class Running(Sampled):
    """Options of running a sampler, with progress."""

    force: Annotated[
        bool, typer.Option("--force", help="Sample again, and replace files that halfpoint did not write.")
    ] = False
    as_json: AsJson = False
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also print details of the sampling.")] = False

    @property
    def run(self) -> Run:
        """Settings of the run for a workflow."""
        still = self.quiet or self.as_json
        reading = partial(reading_bar, quiet=still)
        return Run(self.method, self.force, timed_lines(self.as_json), reading, not still, self.verbose)


def write_answer(places: "Files", option: str, answer: "Answer") -> None:
    """Write an answer to the file of an option, if given."""
    from halfpoint.apps.workflows.answer import Answer, as_json_text, put_answer

    if option not in places:
        return
    if option == "--out" and places.places[option][1].endswith(".json"):  # in its printed form
        places.text(option, as_json_text(record_of(Answer.record(answer))))
    else:
        put_answer(places, option, answer)


def end(*verdicts: object) -> None:
    """End the command with exit code 3 if a verdict reports that the sampler did not converge."""
    if code := status_of({"groups": [{"verdict": verdict} for verdict in verdicts]})["exit_code"]:
        raise typer.Exit(code)


def show(
    frame: "pd.DataFrame",
    about: dict[str, Any],
    how: Answering = TERMINAL,
    look: "Look | None" = None,
) -> None:
    """Print an answer in the layout of its look."""
    from halfpoint.apps.pages.cells import PLAIN, cells_of
    from halfpoint.apps.workflows.answer import Answer

    if how.as_json:
        put_json(Answer(frame, about).record())
        return
    columns = cells_of(frame, replace(look or PLAIN, frame=None))
    table = table_of(escape_text(str(about["title"])), ())
    for column in columns:
        short_cells = column.right or max(map(len, column.texts), default=0) <= _LONG
        table.add_column(escape(column.heading), justify="right" if column.right else "left", no_wrap=short_cells)
    for row in zip(*([escape_text(text) for text in column.texts] for column in columns), strict=True):
        table.add_row(*row)
    if about.get("answer"):
        console.print(escape_text(str(about["answer"])))
    put_table(table)
    if not str(about.get("verdict", "converged")).startswith(("converged", "approximate")):
        console.print(escape_text(Run().draws_text(str(about["verdict"]))), style="bold red")
    for line in str(about.get("note") or "").splitlines():
        console.print(escape_text(line))
    if how.out is not None:
        say(f"Written to {how.out}")


def flush_right(table: "pd.DataFrame", names: tuple[str, ...]) -> "pd.DataFrame":
    """Texts of one length in every column except columns of names."""
    import pandas as pd

    wide = {name: 0 if name in names else int(texts.str.len().max()) for name, texts in table.items()}
    return pd.DataFrame({name: texts.str.rjust(wide[name]) for name, texts in table.items()})


def show_contexts(frame: "pd.DataFrame", lists: "Mapping[str, pd.DataFrame]", noun: str, column: str) -> None:
    """Print the largest lists of contexts side by side (`apps.workflows.contexts`), rank and rating in one cell."""
    import pandas as pd

    from halfpoint.apps.workflows.contexts import side_by_side

    table, names = side_by_side(frame, lists, noun), list(lists)
    columns = {"rank": table["rank"].astype(str).tolist(), noun: table[noun].tolist()}
    columns["all"] = [f"{rating:.0f}" for rating in table["rating_elo"]]
    for name in names[:_CONTEXTS]:
        cells = zip(table[f"{name} rank"], table[f"{name} elo"], strict=True)
        columns[name] = [f"{'~' if pd.isna(rank) else f'{rank:.0f}:'} {rating:.0f}" for rank, rating in cells]
    most = f"The {_CONTEXTS} largest of {len(names)}. " if len(names) > _CONTEXTS else ""
    note = f"{most}Rank and rating, partly pooled with the other columns. ~: estimated from the other columns alone."
    show(flush_right(pd.DataFrame(columns), (noun,)), {"title": f"By {column}", "note": note})


def escape_text(text: str) -> str:
    """Text from a file in a safe form for the terminal: no markup, no control characters."""
    return escape(printable(text))

"""`halfpoint demo`: six small files of SIMULATED results, commands that use them, and their pages."""

import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.app import application
from halfpoint.apps.cli.options import Force, Quiet, command
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import console, say
from halfpoint.models.games.errors import HalfpointError, printable

_NOT_CONVERGED = 3


@dataclass(frozen=True)
class _Step:
    """Command of the demo, and its page."""

    command: str
    page: str


_STEPS = (
    _Step("rate club.pgn --out club", "club/report.html"),
    _Step("rate football.csv --out football", "football/report.html"),
    _Step("forecast football fixtures.csv --out football/forecast.html", "football/forecast.html"),
    _Step(
        "tournament football clubs.txt --format season --results season.csv --fixtures fixtures.csv "
        "--out football/season.html",
        "football/season.html",
    ),
    _Step("sprt engines.pgn --elo0 0 --elo1 20 --out engines/sprt.html", "engines/sprt.html"),
    _Step("leaderboard arena.csv --out arena", "arena/leaderboard.html"),
    _Step("bridge score bridge.csv --out bridge", "bridge/report.html"),
    _Step("races rate grandprix.csv --draws 500 --out grandprix", "grandprix/report.html"),
)


@command("Rate and list", 2)
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files and the pages.")] = Path(
        "halfpoint-demo"
    ),
    browser: Annotated[bool, typer.Option(help="Open the pages in a browser.")] = True,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write pages of six small SIMULATED examples, and print the command that makes each.

    A chess club, a football season with fixtures, a match of engines, an arena of language models, a bridge club and a
    Grand Prix. Run the printed commands on files of your own.
    """
    from halfpoint.apps.workflows.answer import describe_page, index_html
    from halfpoint.models.games.results import results
    from halfpoint.readers.datasets.examples import EXAMPLES, example_file

    with results(out, "demo", force=force) as place:
        for name, file in EXAMPLES.items():
            place.text(file, example_file(name).read_text(encoding="utf-8"))
    pages: list[dict[str, str]] = []
    codes: list[int] = []
    shown, quiet = browser and not as_json and sys.stdout.isatty(), quiet or as_json
    for step in _STEPS:
        if not quiet:
            say(f"$ halfpoint {step.command}")
        began = time.monotonic()
        with chdir(out), _silenced():
            words = [*step.command.split(), *(["--force"] if force else [])]
            code = application(words)(words, standalone_mode=False)
        if code not in (None, 0, _NOT_CONVERGED):
            raise HalfpointError(f"demo: halfpoint {step.command} ended with exit code {code}")
        pages.append(describe_page(step.page, out / step.page))
        codes.append(code or 0)
        if shown and len(pages) == 1:  # to read while the others are made
            webbrowser.open((out / step.page).resolve().as_uri())
        if not quiet:
            say(f"  {pages[-1]['answer']} ({time.monotonic() - began:.0f} s)")
    with results(out, "demo pages", force=force) as place:
        files = {file: file for file in EXAMPLES.values()}
        place.text("index.html", index_html("halfpoint: six SIMULATED examples", pages, files))
    if as_json:
        rows = [
            {"command": f"halfpoint {step.command}", "exit_code": code, "page": step.page, **described}
            for step, code, described in zip(_STEPS, codes, pages, strict=True)
        ]
        about = {"title": "Pages of six SIMULATED examples", "simulated": True, "rows": rows}
        put_json({**about, "index": "index.html", "folder": printable(str(out))})
        return
    say(f"Pages in {out / 'index.html'}; all results are SIMULATED")
    if shown:
        webbrowser.open((out / "index.html").resolve().as_uri())


@contextmanager
def _silenced() -> Iterator[None]:
    """Suppress the output of a command, except errors."""
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before

"""`halfpoint site`: a site of a followed competition, in editions."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halfpoint.apps.cli.options import Force, Quiet, command
from halfpoint.apps.cli.output import end
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.surroundings import tell
from halfpoint.apps.cli.terminal import say, timed_lines
from halfpoint.models.games.errors import HalfpointError, count_noun, printable

if TYPE_CHECKING:
    from halfpoint.apps.fields.site.build import Site
    from halfpoint.apps.workflows.schemas.site import SiteRecord


@command("Rate and list", 3)
def site_command(
    settings: Annotated[Path, typer.Argument(help="Settings (TOML): title, games, fixtures, places, ...")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the site.")] = Path("public"),
    watching: Annotated[
        bool, typer.Option("--watch", help="Write the site again whenever a file changes, until Ctrl-C.")
    ] = False,
    trace: Annotated[Path | None, typer.Option(help="Also write the trace, for rank, match and forecast.")] = None,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write a site that follows a league, club, arena or engine list, and keep an edition at each change of its files.

    A page for each club or player, games to come, a sheet for the notice board, cards to share, data, a feed, and
    scores of earlier forecasts. Settings: games = "games.csv" is enough; add fixtures, season, places, title.
    """
    from halfpoint.apps.fields.site.build import site
    from halfpoint.apps.fields.site.settings import read_settings
    from halfpoint.apps.fields.site.watching import watch

    def make() -> "Site":
        lines = timed_lines(as_json) if not quiet else _silent
        written = site(settings, out, force=force, trace=trace, say=lines, progress=not (quiet or as_json))
        _report(written, as_json)
        return written

    def make_again() -> None:
        try:
            make()
        except HalfpointError as error:
            tell(printable(str(error)))

    written = make()
    if watching:
        files = [read_settings(settings).files]

        def files_now() -> tuple[Path, ...]:
            with suppress(HalfpointError, OSError):  # reported when the site is made
                files[0] = read_settings(settings).files
            return files[0]

        say("Watching; Ctrl-C ends it.")
        try:
            watch(files_now, make_again)
        except KeyboardInterrupt:
            return
    end(written.edition["verdict"])


def _silent(line: str) -> None:
    """Report nothing."""


def _report(written: "Site", as_json: bool) -> None:
    """Print a site in a few lines, or as JSON."""
    edition = written.edition
    if as_json:
        record: SiteRecord = {
            "title": edition["title"], "kind": edition["kind"], "simulated": edition["simulated"],
            "verdict": edition["verdict"], "converged": edition["converged"], "model": edition["model"],
            "answer": written.answer, "changed": written.changed, "edition": edition["edition"],
            "new": written.new, "day": edition["day"], "pages": written.pages, "missing": list(written.missing),
            "index": "index.html", "folder": printable(str(written.folder)), "rows": edition["changes"],
        }  # fmt: skip
        put_json(record)
        return
    say(written.answer)
    if written.changed:
        say(written.changed)
    which = (
        f"Edition {edition['edition']}" if written.new else f"Edition {edition['edition']} again: no file has changed"
    )
    say(f"{which}. {count_noun(written.pages, 'page')} in {written.folder / 'index.html'}")
    for line in written.missing:
        say(f"Left out: {line}")

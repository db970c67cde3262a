"""A site of a followed competition from its settings: every page, card, table and the feed of one edition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from os import environ
from pathlib import Path

import numpy as np
import pandas as pd
from markupsafe import Markup

from halfpoint.apps.fields.site import drawings, further_pages, pages
from halfpoint.apps.fields.site.cards import drawing
from halfpoint.apps.fields.site.data_files import feed, put_tables
from halfpoint.apps.fields.site.edition import (
    FOLDER,
    Edition,
    Row,
    edition_of,
    file_of,
    games_in_print,
    read_editions,
)
from halfpoint.apps.fields.site.judged import Judgement, judge
from halfpoint.apps.fields.site.people_pages import people_pages
from halfpoint.apps.fields.site.settings import Settings, read_settings
from halfpoint.apps.pages.page import packaged_text, render_template
from halfpoint.apps.workflows.answer import as_json_text, records
from halfpoint.apps.workflows.competitors import with_competitors
from halfpoint.apps.workflows.followed import Followed
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Run, Say, silent
from halfpoint.models.games.results import Results, results
from halfpoint.models.games.table import Floats
from halfpoint.systems.odds import columns_of

_COMMAND = "site"
_NOT_IN_TABLES = ("places_percent", "address")


@dataclass(frozen=True, eq=False)
class Site:
    """A site that was written."""

    folder: Path  #: where it is
    edition: Edition  #: its numbers, as in data/edition.json
    editions: int  #: number of editions kept
    new: bool  #: whether files or settings changed since the last edition
    pages: int  #: number of pages
    answer: str  #: first sentence of the home page
    changed: str  #: what changed since the earlier edition, in words; empty in the first
    missing: tuple[str, ...]  #: what was left out, and the package that makes it


def site(
    settings: str | Path, out: str | Path, *, force: bool = False, trace: str | Path | None = None,
    say: Say = silent, progress: bool = False,
) -> Site:  # fmt: skip
    """Write the site of a followed competition: pages, cards, data and feed; earlier editions are kept.

    Parameters
    ----------
    settings : str or Path
        A TOML file (`halfpoint.apps.fields.site.settings`): games, and perhaps title, kind, fixtures, season, scoring,
        places, names, odds, address, model, seed and options of the reader.
    out : str or Path
        Folder of the site.
    force : bool
        Replace files that halfpoint did not write.
    trace : str or Path, optional
        File for the trace, for `rank`, `match` and `forecast`.
    say : callable
        Called with a line on every step.
    progress : bool
        Show the sampler's progress.

    Returns
    -------
    Site

    Raises
    ------
    HalfpointError
        If settings, a file or an earlier edition are invalid, or the folder cannot be written to.
    """
    chosen = read_settings(Path(settings))
    if trace is not None:
        chosen = replace(chosen, source=replace(chosen.source, trace=Path(trace)))
    with results(out, _COMMAND, reads=chosen.files, force=force, keeps=(f"{FOLDER}/",)) as place:
        earlier = read_editions(place.folder, place.shown)
        followed = chosen.build(chosen.source, Run(say=say, progress=progress))
        edition = edition_of(followed, chosen, earlier, _today())
        new = len(earlier) < edition["edition"]
        before = earlier if new else earlier[:-1]
        count, missing = _put(place, chosen, followed, edition, before)
    return Site(
        Path(out),
        edition,
        edition["edition"],
        new,
        count,
        pages.home_answer(edition),
        pages.changed_sentence(edition),
        missing,
    )


def _today() -> str:
    """Day of the run; of SOURCE_DATE_EPOCH, if set, for the same bytes again."""
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return str(moment.date())


def _put(
    place: Results, settings: Settings, followed: Followed, edition: Edition, before: Sequence[Edition]
) -> tuple[int, tuple[str, ...]]:
    """Write all files of an edition; return the number of pages and the omitted parts."""
    games = games_in_print(followed, settings)
    judged = judge(before, games, _odds(settings, followed, games))
    rows = records(games)
    missing = []
    if not find_spec("matplotlib"):
        missing.append("cards (PNG): pip install 'halfpoint[figures]'")
    put_tables(place, _tables(edition, games, followed, settings))
    place.text("data/edition.json", as_json_text(edition | {"judged": [judgement.record() for judgement in judged]}))
    place.text(file_of(edition["edition"]), as_json_text(edition))
    all_pages = list(_pages(edition, before, rows, judged, _courses(followed, settings, edition, before)))
    frame = _frame(edition, settings, all_pages, cards=bool(find_spec("matplotlib")))
    for page in all_pages:
        place.text(page.file, _html(page, frame))
    home_copy = replace(all_pages[0], file=file_of(edition["edition"]).replace(".json", ".html"), card=None)
    place.text(home_copy.file, _html(_led_up(home_copy), frame))
    sentences = [pages.home_answer(published) for published in (*before, edition)]
    place.text("feed.xml", feed([*before, edition], sentences, settings.address))
    if frame["cards"]:
        with drawing() as artist:
            for page in all_pages:
                if page.card is not None:
                    place.aside(page.picture).write_bytes(artist.png(page.card))
    return len(all_pages), tuple(missing)


def _pages(
    edition: Edition, before: Sequence[Edition], rows: Sequence[Row], judged: Sequence[Judgement],
    courses: tuple[Mapping[str, drawings.Course], bool],
) -> Iterator[pages.SitePage]:  # fmt: skip
    """All pages of an edition, the home page first."""
    earlier = before[-1] if before else None
    yield pages.home(edition)
    if edition["seasonal"]:
        yield further_pages.ratings(edition)
    coming = further_pages.games_to_come(edition)
    if coming is not None:
        yield coming
    yield further_pages.what_changed(edition)
    yield further_pages.sheet(edition, earlier, rows)
    yield further_pages.how_good([*before, edition], judged)
    yield further_pages.embed(edition)
    yield from people_pages(edition, rows, *courses)


def _frame(edition: Edition, settings: Settings, all_pages: Sequence[pages.SitePage], cards: bool) -> dict[str, object]:
    """What all pages share."""
    titles = {
        "index.html": "Table" if edition["seasonal"] else "Ratings", "fixtures.html": "Games to come",
        "ratings.html": "Ratings", "changes.html": "What changed", "sheet.html": "Notice board",
        "forecasts.html": "How good are these forecasts?",
    }  # fmt: skip
    written = {page.file for page in all_pages}
    until = f"{pages.short_day(edition['day'])}, " if edition["day"] else ""
    return {
        "title": edition["title"], "simulated": edition["simulated"], "address": settings.address, "cards": cards,
        "nav": {file: words for file, words in titles.items() if file in written}, "kinds": ("xlsx", "csv", "json"),
        "edition": f"{until}edition {edition['edition']}", "model": edition["model"],
        "verdict": Run().draws_text(edition["verdict"]).capitalize() if edition["converged"] else edition["verdict"],
        "warning": "" if edition["converged"] else f"{edition['verdict']}: do not use these numbers.",
    }  # fmt: skip


@cache
def _style() -> Markup:
    """Style of sites, beyond the style of all pages."""
    return Markup(packaged_text("halfpoint.apps.fields.site:site.css"))


def _html(page: pages.SitePage, frame: Mapping[str, object]) -> str:
    """A page as HTML."""
    name = page.title if "/" in page.file and not page.file.startswith(FOLDER) else ""
    heading = name if page.answer.partition(":")[0] != name else ""
    shown = {"page": page, "site": frame, "own_style": _style()}
    return render_template("halfpoint.apps.fields.site:site.html.j2", {**shown, "name": heading})


def _led_up(page: pages.SitePage) -> pages.SitePage:
    """A home page in a folder: its links lead up."""
    parts = [
        replace(part, parts=[Markup(str(fragment).replace('<a href="', '<a href="../')) for fragment in part.parts])
        for part in page.parts
    ]
    return replace(page, parts=parts)


def _tables(edition: Edition, games: pd.DataFrame, followed: Followed, settings: Settings) -> dict[str, pd.DataFrame]:
    """Tables of the data, with the columns of the commands."""
    rows = pd.DataFrame(
        [{key: value for key, value in row.items() if key not in _NOT_IN_TABLES} for row in edition["rows"]]
    )
    renamed = rows.rename(columns={"name": edition["noun"]})
    tables = {"ratings": renamed, "games": games}
    if edition["seasonal"]:
        chances = pd.DataFrame([row["places_percent"] for row in edition["rows"]])
        chances.columns = [f"place_{k}_percent" for k in range(1, chances.shape[1] + 1)]
        tables |= {"table": renamed, "places": pd.concat([renamed[[edition["noun"]]], chances], axis=1)}
        tables["ratings"] = renamed[renamed["rank"].notna()].sort_values("rank") if "rank" in renamed else renamed
    if edition["coming"]:
        tables["fixtures"] = pd.DataFrame(edition["coming"])
    if followed.history is not None:
        names = [settings.names.get(name, name) for name in followed.history["name"]]
        tables["history"] = followed.history.assign(name=names)
    return tables


def _courses(
    followed: Followed, settings: Settings, edition: Edition, before: Sequence[Edition]
) -> tuple[dict[str, drawings.Course], bool]:
    """Ratings through time by name, and True if by dates: ratings of the model, else of the editions."""
    unit = edition["unit"]
    courses: dict[str, list[tuple[float, float, float, float]]] = {}
    if followed.history is not None:
        columns = (f"rating_{unit}", f"low_{unit}", f"high_{unit}")
        for row in records(followed.history):
            name = settings.names.get(row["name"], row["name"])
            courses.setdefault(name, []).append(
                (drawings.day_number(str(row["period"])), *(row[column] for column in columns))
            )
        dated = bool(followed.history["period"].astype(str).str.contains("-").any())
        if dated and edition["day"]:
            last_day = drawings.day_number(edition["day"])
            for course in courses.values():
                course.append((max(last_day, course[-1][0]), *course[-1][1:]))
        return dict(courses), dated
    dated = all(published["day"] for published in (*before, edition))
    for published in (*before, edition):
        when = drawings.day_number(published["day"]) if dated else float(published["edition"])
        for row in published["rows"]:
            if row.get(f"rating_{unit}") is not None:
                values = (row[f"rating_{unit}"], row[f"low_{unit}"], row[f"high_{unit}"])
                courses.setdefault(row["name"], []).append((when, *values))
    return dict(courses), dated


def _odds(settings: Settings, followed: Followed, games: pd.DataFrame) -> Floats | None:
    """Chances of loss, draw and win by the odds of the file, in the order of `games`, shape (game, outcome)."""
    if not settings.odds:
        return None
    source = settings.source
    table = games_from(list(source.games), source.reader)
    with_odds, specs = with_competitors(table, settings.odds, ())
    columns = columns_of(specs[0].name)
    chances = np.stack([np.asarray(with_odds.covariates[name], dtype=np.float64) for name in columns], axis=1)
    names = settings.names
    by_game: dict[tuple[str, str, str], object] = {}
    days = [""] * len(table) if table.date is None else [str(day) for day in table.date]
    for number, day in enumerate(days):
        pair = [str(seat_names[number]) for seat_names in (table.white_names, table.black_names)]
        by_game[names.get(pair[0], pair[0]), names.get(pair[1], pair[1]), day] = chances[number]
    dated = list(games["day"]) if "day" in games else [""] * len(games)
    nothing = np.full(3, np.nan)
    keys = zip(
        games["first"], games["second"], [day or "NaT" if table.date is not None else "" for day in dated], strict=True
    )
    return np.array([by_game.get(key, nothing) for key in keys])

"""Editions of a site: the numbers of one day, kept as JSON, compared with the edition before.

Pages are written from an edition alone, so that every number on them is one of its JSON. A change is reported where a
number moved by more than one unit: a point, a percentage point, an Elo point, a tenth of an IMP.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.site.settings import Settings
from halfpoint.apps.workflows.answer import records
from halfpoint.apps.workflows.followed import Followed
from halfpoint.evaluation.seasons import zone_column
from halfpoint.models.games.errors import GameTableError

SCHEMA = 1
FOLDER = "editions"
_LONGEST = 60  # letters of an address
_TENTH, _UNIT = 0.1, 1.0

type Row = Mapping[str, Any]  # of a table, by the names of columns, as its JSON has it
type Edition = dict[str, Any]


def edition_of(followed: Followed, settings: Settings, earlier: Sequence[Edition], today: str) -> Edition:
    """Numbers of an edition; the same files and settings have the number and day of the earlier edition."""
    names = _printed(followed, settings)
    rows = _rows(followed, names, earlier[-1] if earlier else None)
    coming = [] if followed.coming is None else records(_with_names(followed.coming, names))
    days = [row["day"] for row in records(followed.games) if row.get("day")] if "day" in followed.games else []
    about = followed.about
    edition: Edition = {
        "schema": SCHEMA,
        "title": settings.title, "kind": settings.kind, "noun": followed.noun, "unit": followed.unit,
        "day": max(days, default=None), "made": today, "files": hash_of(settings),
        "simulated": bool(about["simulated"]), "converged": bool(about["converged"]), "verdict": str(about["verdict"]),
        "model": str(about["model"]), "note": str(about.get("note", "")), "games": len(followed.games),
        "played": followed.played, "left": followed.left, "seasonal": followed.season is not None,
        "scoring": settings.source.scoring,
        "zones": {name: list(ends) for name, ends in settings.source.zones.items()},
        "advantage": _mean(about.get("advantage_elo")), "draw_rate": _mean(about.get("draw_rate")),
        "shares": _shares(followed.games), "rows": rows, "coming": coming,
    }  # fmt: skip
    same = bool(earlier) and earlier[-1]["files"] == edition["files"]
    before = earlier[:-1] if same else earlier
    edition["edition"] = earlier[-1]["edition"] if same else len(earlier) + 1
    if same:
        edition["made"] = earlier[-1]["made"]
    edition["since"] = {name: before[-1][name] for name in ("edition", "day", "games")} if before else None
    edition["changes"] = changes_between(before[-1], edition) if before else []
    old = {row["name"]: row for row in before[-1]["rows"]} if before else {}
    for row in rows:
        row |= (
            {f"{column}_before": old.get(row["name"], {}).get(column) for column in measures_of(edition)} if old else {}
        )
    return edition


def _mean(value: Mapping[str, float] | None) -> float | None:
    """Mean of a number with an interval."""
    return None if value is None else float(value["mean"])


def _shares(games: pd.DataFrame) -> list[float] | None:
    """Shares of losses, draws and wins of the first seat so far, each result added once, so that none is impossible."""
    if "score" not in games or games["score"].isna().any():
        return None
    counts = np.bincount(np.rint(2.0 * games["score"]).astype(int), minlength=3) + 1.0
    return [float(share) for share in counts / counts.sum()]


def hash_of(settings: Settings) -> str:
    """SHA-256 of the files and settings of an edition."""
    digest = sha256()
    for file in settings.files:
        digest.update(sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _printed(followed: Followed, settings: Settings) -> Mapping[str, str]:
    """Printed names; an error if a name of the settings fits no player, or two players have the same printed name."""
    sides = (followed.games["first"], followed.games["second"], followed.listed["name"])
    everybody = {str(name) for column in sides for name in column}
    everybody |= set() if followed.season is None else {str(name) for name in followed.season["name"]}
    strange = next((name for name in settings.names if name not in everybody), None)
    if strange is not None:
        raise GameTableError(f"{settings.path}, names", "names in the files", repr(strange))
    edition = [settings.names.get(name, name) for name in sorted(everybody)]
    twice = next((name for name in edition if edition.count(name) > 1), None) if settings.names else None
    if twice is not None:
        raise GameTableError(f"{settings.path}, names", "a printed name for each", f"{twice!r} twice")
    return settings.names


def _with_names(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Frame with printed names."""
    columns = [name for name in ("name", "first", "second") if name in frame]
    return frame.assign(**{column: [names.get(str(name), str(name)) for name in frame[column]] for column in columns})


def games_in_print(followed: Followed, settings: Settings) -> pd.DataFrame:
    """Every game with printed names, the latest last."""
    games = _with_names(followed.games, settings.names)
    return games.sort_values("day", kind="stable", ignore_index=True) if "day" in games else games


def _rows(followed: Followed, names: Mapping[str, str], before: Edition | None) -> list[dict[str, Any]]:
    """A row for each rated player, in the order of the table, else of the list."""
    listed = {row.pop("name"): row for row in records(followed.listed)}
    season = {} if followed.season is None else {row.pop("name"): row for row in records(followed.season)}
    places = {} if followed.places is None else {row.pop("name"): row for row in records(followed.places)}
    old_addresses = {row["name"]: row["address"] for row in before["rows"]} if before else {}
    order = list(season) if season else list(listed)
    printed = [names.get(name, name) for name in order]
    addresses = dict(zip(printed, _addresses(printed, old_addresses), strict=True))
    rows = []
    for place, name in enumerate(order, 1):
        printed_name = names.get(name, name)
        played = listed.get(name, {}).get("games")
        row = {"place": place, "name": printed_name, "address": addresses[printed_name], **listed.get(name, {})}
        row |= {"rated_games": played} | season.get(name, {})
        if places:
            row["places_percent"] = list(places[name].values())
        rows.append(row)
    return rows


def _addresses(names: Sequence[str], old_addresses: Mapping[str, str]) -> Iterable[str]:
    """Addresses of pages, unique letters and digits of ASCII; a name keeps its address of the earlier edition."""
    taken = {old_addresses[name] for name in names if name in old_addresses}
    for number, name in enumerate(names, 1):
        if name in old_addresses:
            yield old_addresses[name]
            continue
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST].strip("-") or f"no-{number}"
        address = next(
            candidate
            for candidate in (stem, *(f"{stem}-{k}" for k in range(2, len(names) + 2)))
            if candidate not in taken
        )
        taken.add(address)
        yield address


def has_champion(zones: Mapping[str, Sequence[int]]) -> bool:
    """True if the settings give the first place a name of its own.

    Examples
    --------
    >>> has_champion({"winner": [1, 1]}), has_champion({"promoted": [1, 2]})
    (True, False)
    """
    return [1, 1] in [list(places) for places in zones.values()]


def measures_of(edition: Edition) -> dict[str, tuple[str, str, float]]:
    """Numbers that are compared between editions: column, its name, its unit in words, and its size."""
    unit = edition["unit"]
    rating = {"elo": ("rating", "Elo", _UNIT), "imps": ("rating", "IMPs a board", _TENTH)}[unit]
    if not edition["seasonal"]:
        return {f"rating_{unit}": rating, "best_percent": ("strongest", "%", _UNIT)}
    measures = {"points": ("points at the end", "points", _UNIT)}
    if not has_champion(edition["zones"]):
        measures["title_percent"] = ("champion", "%", _UNIT)
    measures |= {f"{zone_column(name)}_percent": (name, "%", _UNIT) for name in edition["zones"]}
    return measures | {f"rating_{unit}": rating}


def changes_between(before: Edition, after: Edition) -> list[Row]:
    """Changes above one unit, the largest of each measure first, and names that are new or missing."""
    old = {row["name"]: row for row in before["rows"]}
    changes: list[Row] = []
    for column, (what, unit, size) in measures_of(after).items():
        moved = []
        for row in after["rows"]:
            pair = old.get(row["name"], {}).get(column), row.get(column)
            if None not in pair and abs(pair[1] - pair[0]) > size:
                moved.append({"name": row["name"], "what": what, "unit": unit, "before": pair[0], "after": pair[1]})
        changes += sorted(moved, key=lambda change: -abs(change["after"] - change["before"]))
    names = {row["name"] for row in after["rows"]}
    empty = {"unit": "", "before": None, "after": None}
    changes += [{"name": name, "what": "new", **empty} for name in sorted(names - old.keys())]
    return changes + [{"name": name, "what": "no longer listed", **empty} for name in sorted(old.keys() - names)]


def read_editions(folder: Path, shown: str) -> list[Edition]:
    """Earlier editions in a site's folder, in order; `GameTableError` if one is damaged or missing."""
    editions = []
    for number, path in enumerate(sorted((folder / FOLDER).glob("[0-9]*.json")), 1):
        place = f"{shown}/{FOLDER}/{path.name}"
        try:
            edition = json.loads(path.read_text(encoding="utf-8"))
            complete = edition["schema"] == SCHEMA and edition["edition"] == number
            complete = complete and {"rows", "files", "unit", "changes", "coming", "made"} <= edition.keys()
        except (ValueError, KeyError, TypeError):
            edition, complete = {}, False
        if not complete:
            remedy = "Restore it, or remove it and all later editions."
            raise GameTableError(place, f"edition {number} of this site by halfpoint", "another file", remedy)
        editions.append(edition)
    return editions


def file_of(number: int) -> str:
    """File of an edition."""
    return f"{FOLDER}/{number:04d}.json"

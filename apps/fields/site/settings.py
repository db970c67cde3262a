"""Settings of a site: a TOML file of about eight lines, beside the files that it names."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from halfpoint.apps.workflows.followed import Kind, Source
from halfpoint.evaluation.tournament_options import SCORINGS, Calendar
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.plugins import Installed
from halfpoint.models.games.ranges import SEED, shorten_value
from halfpoint.readers.options import options_in_mapping

KINDS = Installed("halfpoint.sites")
_READER = ("columns", "ignore", "date_format", "outcomes", "sides", "better", "rope")
_EXPECTED: dict[str, tuple[Any, str]] = {
    "title": (str, 'a text, such as title = "Our league 2025-26"'),
    "games": ((str, list), 'a file or files, such as games = "games.csv"'),
    "kind": (str, 'a kind of competition, such as kind = "league"'),
    "fixtures": (str, 'a file of games to come, such as fixtures = "fixtures.csv"'),
    "season": ((str, date), "the first day of the season, such as season = 2025-08-01"),
    "scoring": (str, 'points of a win, a draw and a loss, such as scoring = "3-1-0"'),
    "places": (dict, 'names of places, such as places = {champion = "1", relegation = "18-20"}'),
    "names": (dict, 'printed names, such as names = {"Man City" = "Manchester City"}'),
    "odds": (str, 'columns of decimal odds as in backtest --odds, such as odds = "B365"'),
    "address": (str, 'the address of the site, such as address = "https://club.example/table"'),
    "model": (str, 'a model of `halfpoint models`, such as model = "davidson-common"'),
    "seed": (int, "a whole number, such as seed = 1"),
}
_PLACES = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_ADDRESS = re.compile(r"https?://[^\s\"<>]+")


@dataclass(frozen=True)
class Settings:
    """Settings of a site."""

    title: str
    kind: str
    source: Source
    names: Mapping[str, str] = field(default_factory=dict)  # printed names by names of the files
    odds: str = ""  # columns of decimal odds
    address: str = ""  # of the published site, with a slash at its end
    path: Path = Path()  # of the settings

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that the site is made from."""
        further = () if self.source.fixtures is None else (self.source.fixtures,)
        return (self.path, *self.source.games, *further)

    @property
    def build(self) -> Kind:
        """Function of the kind."""
        kind: Kind = KINDS[self.kind]
        return kind


def read_settings(path: Path) -> Settings:
    """Settings from a TOML file; `GameTableError` with the file, the key and an example."""
    try:
        toml = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameTableError(str(path), "settings of a site as TOML", str(error)) from error
    keys = (*_EXPECTED, *_READER)
    for key, value in toml.items():
        if key not in keys:
            raise GameTableError(f"{path}, {key}", " | ".join(keys), "another key")
        kinds, expected = _EXPECTED.get(key, (object, ""))
        if not isinstance(value, kinds) or isinstance(value, bool) or value in ("", [], {}):
            raise GameTableError(f"{path}, {key}", expected, shorten_value(value))
    if "games" not in toml:
        raise GameTableError(str(path), _EXPECTED["games"][1], "no games")
    reader = options_in_mapping({key: toml[key] for key in _READER if key in toml}, path, _READER)
    games = [toml["games"]] if isinstance(toml["games"], str) else toml["games"]
    if not all(isinstance(name, str) and name for name in games):
        raise GameTableError(f"{path}, games", _EXPECTED["games"][1], shorten_value(games))
    kind = toml.get("kind", "league" if "fixtures" in toml else "list")
    if kind not in KINDS:
        raise GameTableError(f"{path}, kind", " | ".join(sorted(KINDS)), repr(kind))
    scoring, seed = toml.get("scoring", "3-1-0"), toml.get("seed", Source.seed)
    if scoring not in SCORINGS:
        raise GameTableError(f"{path}, scoring", " | ".join(SCORINGS), repr(scoring))
    if seed not in SEED:
        raise GameTableError(f"{path}, seed", str(SEED), shorten_value(seed))
    address = toml.get("address", "")
    if address and not _ADDRESS.fullmatch(address):
        raise GameTableError(f"{path}, address", _EXPECTED["address"][1], shorten_value(address))
    folder = path.parent
    source = Source(
        tuple(folder / name for name in games), folder / toml["fixtures"] if "fixtures" in toml else None,
        _day(path, toml.get("season")), scoring, _zones(path, toml.get("places", {})),
        toml.get("model", "auto"), seed, reader,
    )  # fmt: skip
    for file in (*source.games, *filter(None, [source.fixtures])):
        if not file.is_file():
            raise GameTableError(f"{path}, {file.name}", "a file beside the settings", f"none at {file}")
    title = toml.get("title", path.stem.replace("_", " "))
    printed = _names(path, toml.get("names", {}))
    odds, place = toml.get("odds", ""), f"{address.rstrip('/')}/" if address else ""
    return Settings(title, kind, source, printed, odds, place, path)


def _day(path: Path, value: Any) -> date | None:
    """First day of the season."""
    try:
        return value if value is None or isinstance(value, date) else date.fromisoformat(value)
    except ValueError:
        raise GameTableError(f"{path}, season", _EXPECTED["season"][1], repr(value)) from None


def _names(path: Path, names: Mapping[str, Any]) -> dict[str, str]:
    """Printed names."""
    wrong = next((key for key, value in names.items() if not isinstance(value, str) or not value.strip()), None)
    if wrong is not None:
        raise GameTableError(f"{path}, names, {wrong}", _EXPECTED["names"][1], shorten_value(names[wrong]))
    return dict(names)


def _zones(path: Path, places: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """First and last place of each name."""
    zones = {}
    for name, value in places.items():
        match = _PLACES.fullmatch(str(value).strip())
        if match is None:
            raise GameTableError(f"{path}, places, {name}", 'a place or places, such as "18-20"', shorten_value(value))
        zones[name] = (int(match[1]), int(match[2] or match[1]))
    Calendar(zones=zones)
    return zones

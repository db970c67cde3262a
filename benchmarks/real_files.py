"""Real files whose printed ratings are hidden: chess of strong players, and seasons of football with odds.

$HALFPOINT_DATA_DIR/outside holds the games: otb-2015-2017.pgn.gz (chess, both players rated 2500 or more) and
football/E0_*.csv (a league with Bet365's odds). RULES make the files of each kind; they were fixed before any result
was read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.intake import games_from
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import FAST, time_classes
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.read import read

WHITE_ELO, LAST_DAYS = 35.0, 91
TEAMS = re.compile(r"TCh|Teams|ECC|Olympiad|League", re.IGNORECASE)
RULES = {  # an event is an event at a site in a year; fast ones by `halfpoint.models.games.time_classes`
    "Swiss": "classical, no teams, 9 rounds or more, 40 players or more",
    "Swiss, fast": "the same, fast",
    "team events": "classical, 25 players or more, 60 games or more",
    "leagues of a year": "national team leagues, all of one year",
    "matched": "classical events of 6 to 16 players in which 80% of pairs or more meet, all of one half year",
    "clubs": "classical events in one country in one year, if 5 or more, 30 players or more, 150 games or more",
    "half years": "all games of a half year",
    "football": "a season of the league whose matches all have odds",
}


@dataclass(frozen=True)
class File:
    """A real file: games without ratings, printed ratings of each game's sides (game,), order, groups for errors."""

    name: str
    games: GameTable
    order: np.ndarray  # (game,): by which games are cut in two
    group: np.ndarray  # (game,): event or season
    white_elo: np.ndarray
    black_elo: np.ndarray
    first_seat_elo: float = WHITE_ELO
    fair: np.ndarray | None = None  # (game,): expected scores of the odds

    def take(self, rows: np.ndarray) -> "File":
        """Some games of a file."""
        parts = {name: getattr(self, name)[rows] for name in ("order", "group", "white_elo", "black_elo")}
        fair = None if self.fair is None else self.fair[rows]
        return replace(self, games=self.games.take(rows), fair=fair, **parts)

    def printed(self) -> tuple[dict[str, float], float]:
        """Printed rating of each player, and first-seat advantage, Elo points."""
        white, black = self.games.white_names, self.games.black_names
        if self.fair is None:
            named = pd.Series(np.concatenate([self.white_elo, self.black_elo]), np.concatenate([white, black]))
            return named.groupby(level=0).mean().to_dict(), self.first_seat_elo
        late = self.games.date > self.games.date.max() - np.timedelta64(LAST_DAYS, "D")
        names = np.unique([white, black])
        design = (white[late, None] == names).astype(float) - (black[late, None] == names)
        gap = np.log(self.fair[late] / (1.0 - self.fair[late])) * ELO_PER_NATURAL
        found = np.linalg.lstsq(np.column_stack([design, np.ones(late.sum())]), gap, rcond=None)[0]
        return dict(zip(names.tolist(), found[:-1].tolist(), strict=True)), float(found[-1])


def chess(folder: Path) -> Iterator[tuple[str, File]]:
    """Files of chess by kind."""
    whole = read(folder / "otb-2015-2017.pgn.gz", tags=("Site", "Round"))
    site, turn = whole.covariates["Site"], whole.covariates["Round"]
    turn = np.array([int(found[0]) if (found := re.match(r"\d+", one)) else 0 for one in turn.tolist()])
    year, month = (whole.date.astype(f"datetime64[{unit}]").astype(str) for unit in "YM")
    half = np.array([f"{one[:4]}-{1 + (one[5:] > '06')}" for one in month.tolist()])
    country = np.array([f"{one[-3:]} {when}" for one, when in zip(site.tolist(), year.tolist(), strict=True)])
    keys = [f"{one}, {where}, {when}" for one, where, when in zip(whole.event, site, year, strict=True)]
    event = np.unique(keys, return_inverse=True)[1]
    fast = np.isin(time_classes(whole), FAST)
    hidden = replace(whole, white_rating_elo=None, black_rating_elo=None, covariates={})
    order = whole.date.astype(np.int64) * 1000 + turn
    every = File("", hidden, order, event, whole.white_rating_elo, whole.black_rating_elo)
    facts = {}
    for number in range(event.max() + 1):
        here = np.flatnonzero(event == number)
        pairs = {frozenset(pair) for pair in zip(whole.white[here].tolist(), whole.black[here].tolist(), strict=True)}
        count = len(frozenset().union(*pairs))
        facts[number] = {
            "name": whole.event[here[0]], "fast": fast[here].mean() > 0.5, "players": count, "games": here.size,
            "team": TEAMS.search(whole.event[here[0]]) is not None, "rounds": turn[here].max(),
            "meet": len(pairs) / (count * (count - 1) / 2),
        }  # fmt: skip
    of = pd.DataFrame(facts).T
    swiss = (of["rounds"] >= 9) & (of["players"] >= 40) & (of["team"] == False)  # noqa: E712
    slow = of["fast"] == False  # noqa: E712
    team = slow & (of["team"] == True)  # noqa: E712
    closed = slow & ~team & (of["meet"] >= 0.8) & of["players"].between(6, 16)
    by_event = {
        "Swiss": swiss & slow, "Swiss, fast": swiss & ~slow,
        "team events": team & (of["players"] >= 25) & (of["games"] >= 60),
    }  # fmt: skip
    for kind, asked in by_event.items():
        for number in of.index[asked]:
            yield kind, replace(every.take(event == number), name=str(number))
    national = team & of["name"].str.startswith("TCh")
    for kind, asked, when in (("leagues of a year", national, year), ("matched", closed, half)):
        here = np.isin(event, of.index[asked])
        for one in np.unique(when[here]):
            yield kind, replace(every.take(here & (when == one)), name=str(one))
    for one in np.unique(country):
        here = (country == one) & np.isin(event, of.index[slow])
        if here.sum() < 150 or np.unique(event[here]).size < 5:
            continue
        if (part := replace(every.take(here), name=str(one))).games.people.size >= 30:
            yield "clubs", part
    for one in np.unique(half):
        yield "half years", replace(every.take(half == one), name=str(one))


def football(folder: Path) -> Iterator[tuple[str, File]]:
    """Seasons of football with odds, margins of the bookmaker removed in proportion."""
    for path in sorted((folder / "football").glob("E0_*.csv")):
        frame = pd.read_csv(path, encoding="latin-1", on_bad_lines="skip").dropna(subset=["HomeTeam"])
        if not {"B365H", "B365D", "B365A"} <= set(frame) or frame[["B365H", "B365D", "B365A"]].isna().any(axis=None):
            continue
        chance = 1.0 / frame[["B365H", "B365D", "B365A"]].to_numpy()
        fair = (chance[:, 0] + chance[:, 1] / 2.0) / chance.sum(axis=1)
        score = frame["FTR"].map({"H": 1.0, "D": 0.5, "A": 0.0})
        day = pd.to_datetime(frame["Date"], dayfirst=True, format="mixed")
        frame_of_games = pd.DataFrame(
            {"date": day, "home": frame["HomeTeam"], "away": frame["AwayTeam"], "score": score}
        )
        games = games_from(frame_of_games)
        none = np.full(len(games), np.nan)
        group = np.full(len(games), path.stem)
        yield "football", File(path.stem, games, games.date.astype(np.int64), group, none, none, fair=fair)

"""`rate` without options on real files, without their printed ratings.

    .venv/bin/python benchmarks/bench_real.py [--files N] [--bare] [--record FILE] [KIND ...]

rates real files ($HALFPOINT_DATA_DIR/outside: otb-2015-2017.pgn.gz, chess of players rated 2500 or more, and
football/E0_*.csv, a league with Bet365's odds) as `rate` does, without their ratings. `RULES` select the files of each
kind; they were fixed before any result was read. There are two criteria:

The printed ratings: shares of 90% intervals of differences of pairs that contain the printed difference, if printed
differences have errors of 0, 30 and 50 Elo (standard deviation, added to the draws); the slope of the printed
difference on the difference of the list (1 is right, below 1 the list is too wide); the rank correlation. The printed
rating of a player is the mean of the player's ratings in the file. The rating of a football club is computed by least
squares from its odds of the last 91 days, as expected scores.

The last third of the games, forecast from the list of the first two thirds, between players whom it lists:
cross-entropy of the expected score in nats a game, and slope of the score on the forecast (1 is right, below 1
forecasts are too bold), compared with `davidson-population` (`bt-population` without draws) and with the printed
ratings of the first part on Elo's curve with 35 Elo for White, or the home advantage of the odds. Differences are
paired.

If the weights of the normal draws fail, `rate` runs NUTS for minutes; here the draws without weights are used instead,
and such files are counted. Standard errors are over files; of forecasts by event, of football by season. With
`--record` each file is a line of FILE (sums, without games and ratings), and files of an earlier run are not rated
again.
"""

import argparse
import json
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from bench_defaults import TAILS, expected, with_error
from scipy.stats import spearmanr

from halfpoint.apps import workflows
from halfpoint.apps.workflows.intake import games_from
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import FAST, time_classes
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.language.model import Model
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
    """Real file: games without ratings, printed ratings of each game's sides (game,), order, groups for errors."""

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
    """Seasons of football with odds, without the bookmaker's margin (in proportion)."""
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


PAIRS, DRAWS, ERRORS_ELO, LONGEST_S = 4000, 1000, (0, 30, 50), 600
NAMES = ("default", "population", "printed")
HEADS = (
    "kind", "files", "players", "held, %", "held with 30, %", "held with 50, %", "slope", "rank r", "width, Elo",
    "sd printed", "sd list", "population: held with 30, %", "population: slope", "population: rank r", "rows",
    "unweighted", "CPU s",
)  # fmt: skip
FORECAST_HEADS = (
    "kind", "events", "games", "default", "less population", "less printed", "slope: default", "population", "printed",
)  # fmt: skip


class WeightsError(Exception):
    """Failure of the weights of normal draws, after which NUTS would run."""


def rated(games: GameTable, model: str | Model) -> tuple[dict, pd.Index, str, str]:
    """Draws of ratings and strengths (draw, player), players, model and method of `rate`."""
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        if "NUTS, which takes longer" in line:
            raise WeightsError

    try:
        found, method = workflows.rate(games, model=model, groups="largest", say=say), "weighted"
    except WeightsError:
        row = next((line.split()[1].rstrip(":") for line in lines if line.startswith("model ")), model)
        found, method = workflows.rate(games, model=row, groups="largest", method="normal"), "unweighted"
    posterior = found.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    kept = np.linspace(0, posterior.sizes["sample"] - 1, DRAWS).astype(int)
    posterior = posterior.isel(sample=np.unique(kept))
    posterior = posterior.isel(month=-1) if "month" in posterior["strength"].dims else posterior
    values = {name: posterior[name].transpose("sample", ...).to_numpy() for name in ("rating_elo", "strength")}
    values |= {name: posterior[name].to_numpy()[:, None] for name in ("advantage", "log_draw") if name in posterior}
    players = pd.Index(posterior["player"].to_numpy().astype(str))
    return values, players, found.about["model"], method


def coverage(file: File, model: str | Model, rng: np.random.Generator) -> dict:
    """Compare the list of a file with its printed ratings."""
    began = time.process_time()
    values, players, name, method = rated(file.games, model)
    seconds = time.process_time() - began
    draws, printed = values["rating_elo"], np.array([file.printed()[0][one] for one in players])
    one, other = np.triu_indices(players.size, 1)
    if one.size > PAIRS:
        kept = rng.choice(one.size, PAIRS, replace=False)
        one, other = one[kept], other[kept]
    apart, true = draws[:, one] - draws[:, other], printed[one] - printed[other]
    row = {"model": name, "method": method, "seconds": seconds, "players": players.size, "games": len(file.games)}
    for error in ERRORS_ELO:
        low, high = np.quantile(apart + rng.normal(0.0, 1.0, apart.shape) * error, TAILS, axis=0)
        row[f"within {error}"] = float(((low <= true) & (true <= high)).mean())
        row[f"width {error}"] = float(np.median(high - low))
    listed = draws.mean(axis=0)
    away, truth = listed - listed.mean(), printed - printed.mean()
    row |= {"slope": float(away @ truth / (away @ away)), "rank": float(spearmanr(listed, printed)[0])}
    return row | {"sd printed": float(printed.std()), "sd list": float(draws.std(axis=1).mean())}


def forecasts(file: File, model: str | Model) -> tuple[dict, list[str]]:
    """Sums over the held-out games of each group: games, cross-entropies, and sums for slopes."""
    cut = np.quantile(file.order, 2 / 3, method="higher")
    past, later = file.take(file.order < cut), file.take(file.order >= cut)
    printed, first = past.printed()
    white, black, sums = later.games.white_names, later.games.black_names, {}
    listed = [rated(past.games, "auto"), rated(past.games, model)]
    here = np.logical_and.reduce(
        [players.get_indexer(side) >= 0 for _, players, *_ in listed for side in (white, black)]
    )
    white, black, score, group = white[here], black[here], later.games.score[here], later.group[here]
    found = {}
    for name, (values, players, *_) in zip(NAMES[:2], listed, strict=True):
        apart = values["strength"][:, players.get_indexer(white)] - values["strength"][:, players.get_indexer(black)]
        found[name] = expected(apart + values.get("advantage", 0.0), values.get("log_draw")).mean(axis=0)
    apart = np.array([printed[one] - printed[other] for one, other in zip(white, black, strict=True)]) + first
    found[NAMES[2]] = expected(apart / ELO_PER_NATURAL, None)
    for one in np.unique(group):
        at = group == one
        sums[str(one)] = {"games": int(at.sum())} | {
            name: [float(-(score * np.log(e) + (1.0 - score) * np.log1p(-e))[at].sum()),
                   float((e[at] - 0.5) @ (score[at] - 0.5)), float((e[at] - 0.5) @ (e[at] - 0.5))]
            for name, e in found.items()
        }  # fmt: skip
    return sums, [method for *_, method in listed]


def of_lists(kind: str, files: list[dict]) -> str:
    """Row of the table of printed ratings."""
    cells = [kind, str(len(files)), f"{np.median([one['auto']['players'] for one in files]):.0f}"]
    for judge in ("auto", "population"):
        found = [one[judge] for one in files]
        keys = [f"within {error}" for error in (ERRORS_ELO if judge == "auto" else ERRORS_ELO[1:2])]
        cells += [with_error(100.0 * np.array([one[key] for one in found]), 0) for key in keys]
        cells += [with_error(np.array([one[key] for one in found]), 2) for key in ("slope", "rank")]
        if judge == "auto":
            cells += [f"{np.median([one[key] for one in found]):.0f}" for key in ("width 0", "sd printed", "sd list")]
    auto = [one["auto"] for one in files]
    rows = Counter(one["model"] for one in auto)
    cells += [", ".join(f"`{row}` {count}" for row, count in rows.most_common())]
    cells += [
        str(sum(one["method"] == "unweighted" for one in auto)),
        f"{np.median([one['seconds'] for one in auto]):.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def of_forecasts(kind: str, files: list[dict]) -> str:
    """Row of the table of forecasts."""
    groups = [one for file in files for one in file["forecasts"].values() if one["games"]]
    games = np.array([one["games"] for one in groups], dtype=float)
    sums = {name: np.array([one[name] for one in groups]) for name in NAMES}

    def ratio(above: np.ndarray, below: np.ndarray, digits: int, sign: str = "") -> str:
        found = above.sum() / below.sum()
        many = games.size / max(games.size - 1.0, 1.0)
        error = np.sqrt(many * np.square(above - found * below).sum()) / below.sum()
        return f"{found:{sign}.{digits}f} ± {error:.{digits}f}"

    own = sums["default"]
    cells = [kind, str(games.size), f"{games.sum():,.0f}", f"{own[:, 0].sum() / games.sum():.4f}"]
    cells += [ratio(own[:, 0] - sums[name][:, 0], games, 4, "+") for name in NAMES[1:]]
    cells += [ratio(sums[name][:, 1], sums[name][:, 2], 2) for name in NAMES]
    return "| " + " | ".join(cells) + " |"


def judged(file: File, bare: bool) -> dict:
    """All figures of a file, by the default and by a model without opponents; the name is the seed."""
    rng = np.random.default_rng(list(file.name.encode()))
    auto = coverage(file, "auto", rng)
    model: str | Model = f"{auto['model'].split('-')[0]}-population"
    if bare:
        model = replace(find(auto["model"]).but(met=None), name="bare")
    beside = coverage(file, model, rng)
    sums, methods = forecasts(file, model)
    return {"auto": auto, "population": beside, "forecasts": sums, "methods": methods}


def too_long(*_: object) -> None:
    """End a file that takes too long."""
    raise TimeoutError


def main() -> None:
    """Rate the files and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--files", type=int, default=100, help="files of a kind at most")
    parser.add_argument("--bare", action="store_true", help="in place of the population the row without opponents")
    parser.add_argument("--record", type=Path, default=None)
    asked = parser.parse_args()
    folder, found = Path(os.environ["HALFPOINT_DATA_DIR"]) / "outside", {}
    if asked.record is not None and asked.record.exists():
        for line in asked.record.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            found[one["kind"], one["name"]] = one
    signal.signal(signal.SIGALRM, too_long)
    kinds = asked.kinds or list(RULES)
    files, seen = [one for one in chain(chess(folder), football(folder)) if one[0] in kinds], Counter()
    turns = [seen.update([kind]) or seen[kind] for kind, _ in files]
    for turn, (kind, file) in sorted(zip(turns, files, strict=True), key=lambda one: one[0]):  # a file of each kind
        if turn > asked.files or (kind, file.name) in found:
            continue
        signal.alarm(LONGEST_S)
        try:
            one = judged(file, asked.bare)
        except TimeoutError:
            one = {}
        signal.alarm(0)
        found[kind, file.name] = one | {"kind": kind, "name": file.name}
        if asked.record is not None:
            with asked.record.open("a", encoding="utf-8") as record:
                record.write(json.dumps(found[kind, file.name]) + "\n")
    by_kind = {kind: [one for (of, _), one in found.items() if of == kind] for kind in kinds}
    for heads, row_of in ((HEADS, of_lists), (FORECAST_HEADS, of_forecasts)):
        print("| " + " | ".join(heads) + " |\n|---" + "|--:" * (len(heads) - 1) + "|")
        for kind, files in by_kind.items():
            if done := [one for one in files if "auto" in one]:
                print(row_of(kind, done))
        print()
    late = {kind: sum("auto" not in one for one in files) for kind, files in by_kind.items()}
    print(f"Not finished in {LONGEST_S} s: {', '.join(f'{kind} {n}' for kind, n in late.items() if n) or 'none'}.")


if __name__ == "__main__":
    main()

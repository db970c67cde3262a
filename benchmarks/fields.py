"""One table across fields: every rating system, and suitable models, compared with the best reference of each field.

    .venv/bin/python benchmarks/fields.py [FOLDER] [TITLE ...]         or: make fields [FOLDER=...]

Each field is one `halfpoint backtest` month by month, Formula One one `halfpoint races backtest`. FOLDER (by default
$HALFPOINT_DATA_DIR/outside) contains real files, unchanged: chess/*.pgn* or otb-*.pgn*, football/*.csv,
football-five/*.csv*, tennis/atp_matches_*.csv*, formula-one/*.csv*, engines/*.pgn*, arenas/*.csv; `halfpoint data
archives` lists their sources. A field without a file is simulated and labelled so; its reference is the known truth.
With TITLES only these fields are scored again; results of the others are those in build/fields. Writes
benchmarks/tables/fields.md, which has totals and no single games.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from formula_one import placings

from halfpoint.apps.fields.races import races_backtest
from halfpoint.apps.workflows import backtest
from halfpoint.models.games.periods import concatenate
from halfpoint.models.games.simulate import Schedule, Truth, outcome_probabilities, simulate
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import FAST
from halfpoint.models.games.units import to_natural

ROOT = Path(__file__).resolve().parent.parent
PAGE, KEPT = ROOT / "benchmarks" / "tables" / "fields.md", ROOT / "build" / "fields"
MONTHS, JUDGED = 30, 13
LISTS = "listed,listed-draws,listed-full,davidson-population"
HEAD = """# A table across fields

Which forecaster is best in which field? Every rating system of the package, and the models with a normal approximation,
forecast each month from the earlier months; parameters of the systems are tuned on the months before the first scored
one. Each table is one `halfpoint backtest`. Written by `make fields`; each section names its commit, and some the
seconds.

Log score in nats a game, less that of the field's best reference with two-way errors by event, or month, and player;
below 0 is better than the reference. Draws are a system's own, or by the [common rule](../../docs/rating-office.md).

**Simulated fields are no evidence about real games.** A field marked SIMULATED has a known truth, which is its
reference: its table measures the distance of a system from the best possible forecast. `halfpoint data archives` lists
sources of files, `make fields FOLDER=...` reads them unchanged: `tennis/atp_matches_*.csv`, `engines/*.pgn`,
`arenas/*.csv`, `chess/*.pgn`, `football/*.csv`, `football-five/*.csv`, `formula-one/*.csv`. Forecasts of a whole season
from one fit are on [their own page](../yardstick.md). Daily forecasts of football, with parameters tuned for each
block of seasons, are on [its own page](../../docs/football.md), details on chess on [the page of the
claim](../../docs/beat-the-list.md).

| data | what | from | terms |
|---|---|---|---|
| `tennis/` | ATP matches, a file a season | Jeff Sackmann's tennis_atp | CC BY-NC-SA 4.0, by name, no commercial use |
| `football-five/` | results of five leagues | openfootball | public domain |
| `football/` | Premier League, shots and odds | football-data.co.uk | no licence: fetch it there |
| `otb-*.pgn` | games of players of 2500 and more | PGN Mentor | no licence: fetch it there |
| `formula-one/` | results, drivers, constructors | Ergast through vankesteren/f1model | CC BY 4.0 |

The repository contains none of these games; the tables are totals. Without a bookmaker, a list or a known truth the
reference is the best forecaster, chosen after scoring, so distances from it are slightly too large. If all systems
would take too long, a selection is scored. Monthly forecasts and forecasts of a whole season are in separate tables.

Advantages are tuned once on a grid that ends at 55 Elo, and then fixed. On football before August 2012 the optimum for
Elo and Glicko is larger: with a grid up to 90 the tuning selected 90, with scores of +0.0274 and +0.0248 in the ten
scored seasons. That grid was tried after these seasons had been scored and was not adopted. In the index the advantage
changes over time.
"""


@dataclass(frozen=True)
class Simulated:
    """Simulated field: numbers of players and games a month, and parameters in Elo points (Davidson's draws)."""

    players: int
    games: int
    spread_elo: float
    walk_elo: float
    advantage_elo: float
    log_draw: float


@dataclass(frozen=True)
class Field:
    """Field: its files, its scoring, and its simulated substitute."""

    title: str
    files: tuple[str, ...]
    source: str
    models: str
    options: Mapping[str, Any] = field(default_factory=dict)  # reference "best": whoever has the lowest log score
    systems: str = "all"
    simulated: Simulated | None = None


@dataclass(frozen=True, eq=False)
class Judged:
    """Scored field: its name, reference, scores, and the section of the page."""

    title: str
    reference: str
    rows: list[dict[str, Any]]
    text: str
    commit: str
    cpu: float  # seconds


# where all are too dear for what they tell: hundreds of clubs or players, and years to tune on
SOME = "elo,glicko,glicko-2,stephenson,elo-plus-plus,trueskill,kappa-elo,egf,world-football,base-rates"
CHESS = ("chess/*.pgn*", "otb-*.pgn*")
PEOPLE = "Games of players rated 2500 and more, from PGN Mentor's files; FIDE's list of the day is the reference"
FIELDS = (
    Field(
        "Chess, not known to be fast", CHESS, PEOPLE, LISTS,
        {"begin": "2016-01", "time_control": ("classical", "unknown")},
    ),
    Field("Chess, fast", CHESS, PEOPLE, LISTS, {"begin": "2016-01", "time_control": FAST}),
    Field(
        "Football", ("football/*.csv",), "football-data.co.uk, Bet365's odds of the day are the reference",
        "davidson-population-neutral", {"begin": "2012-08", "odds": "B365"},
    ),
    Field(
        "Five leagues", ("football-five/*.csv*",),
        "England, Spain, Germany, Italy, France, from openfootball "
        "(public domain), which never meet: one run over all of them",
        "davidson-population-neutral", {"begin": "2022-08", "reference": "best"},
        f"{SOME},elo-margin,glicko-margin,index-margin",
    ),
    Field(
        "Tennis", ("tennis/atp_matches_201[0-4].csv*",), "ATP matches of 2010 to 2014 from Jeff Sackmann "
        "(CC BY-NC-SA 4.0), seats assigned at random; without odds, so the best forecaster is the reference",
        "bt-population-even", {"begin": "2014-01", "reference": "best"},
        f"{SOME},elo-normal,plackett-luce,performance-quantile,scrabble,chessmetrics",
        simulated=Simulated(120, 240, 200.0, 25.0, 0.0, -np.inf),
    ),
    Field(
        "Engines", ("engines/*.pgn*",), "Games of engines", "davidson-population", {"reference": "base-rates"},
        simulated=Simulated(40, 400, 120.0, 12.0, 30.0, 1.6),
    ),
    Field(
        "Arenas", ("arenas/*.csv",), "Battles of models, two answers judged blind", "davidson-population",
        {"reference": "base-rates"}, simulated=Simulated(60, 500, 100.0, 0.0, 10.0, 0.4),
    ),
)  # fmt: skip


def played(of: Simulated, seed: int = 20140501) -> tuple[GameTable, pd.DataFrame]:
    """Simulated games of all months, and the true probabilities of each pair in each month."""
    rng = np.random.default_rng(seed)
    names = np.array([f"P{number:03d}" for number in range(of.players)])
    wider = 1.0 + np.exp(of.log_draw) / 2.0  # so that 400 Elo are odds of 10 to 1 in expected score between equals
    strength = to_natural(rng.normal(0.0, of.spread_elo, of.players)) * wider
    months, known = [], []
    for month in range(1, MONTHS + 1):
        strength = strength + to_natural(rng.normal(0.0, of.walk_elo, of.players)) * wider
        truth = Truth(names, strength, to_natural(of.advantage_elo) * wider, of.log_draw)
        white = rng.integers(0, of.players, of.games).astype(np.int32)
        black = ((white + rng.integers(1, of.players, of.games)) % of.players).astype(np.int32)
        when = np.full(of.games, month, dtype=np.int64)
        months.append(simulate(truth, Schedule(white, black, when), rng, "simulated"))
        chances = outcome_probabilities(truth.difference(white, black), of.log_draw)
        columns = dict(zip(("loss", "draw", "win"), chances.T, strict=True))
        known.append(pd.DataFrame({"white": names[white], "black": names[black], "period": month} | columns))
    return reduce(concatenate, months), pd.concat(known).drop_duplicates(["white", "black", "period"])


def judged(one: Field, files: list[str], commit: str, say: Callable[[str], None]) -> Judged:
    """Scores of a field and its section of the page, from files or simulated games."""
    begun, common = time.process_time(), {"every": "month", "method": "normal", "say": say} | dict(one.options)
    with TemporaryDirectory() as out:
        games, named = list(files), common.pop("reference", None)
        if not files:
            assert one.simulated is not None
            games, truth = played(one.simulated)
            told, named = Path(out) / "truth.csv", "truth"
            truth.to_csv(told, index=False)
            common |= {"begin": JUDGED, "forecasts": told}
        chosen = {} if named in (None, "best") else {"reference": named}
        where = str(Path(out) / "run")
        found = backtest(games, one.systems, one.models, where, **common, **chosen)
        if named == "best":  # forecasts are there: this sets them against the best, and works out no other
            best = found.stretch()["system"].iloc[0]
            found = backtest(games, one.systems, one.models, where, **common, reference=best)
    rows, reference = found.stretch().to_dict("records"), found.plan.reference
    about = f"{one.source}." if files else f"**SIMULATED**: {in_words(one.simulated)}."
    text = wrapped(f"{about} {int(rows[0]['games']):,} games scored.")
    text += f"| forecaster | draws | log score | less `{reference}` | accuracy |\n|---|---|--:|--:|--:|\n"
    for row in rows:
        less = "0" if row["system"] == reference else f"{row['difference']:+.4f} ± {row['se_two_way']:.4f}"
        cells = [f"`{row['system']}`", row["draws"], f"{row['log_score']:.4f}", less, f"{row['accuracy']:.3f}"]
        text += "| " + " | ".join(cells) + " |\n"
    kept = [{name: row[name] for name in ("system", "games", "log_score", "difference", "se_two_way")} for row in rows]
    title = one.title if files else f"{one.title}, SIMULATED"
    return Judged(title, reference, kept, text, commit, time.process_time() - begun)


def races(folder: Path, commit: str, say: Callable[[str], None]) -> Judged:
    """Formula One: the log score of whole orders, race by race."""
    begun = time.process_time()
    asked = ["plackett-luce", "weng-lin", "trueskill", "elo"]
    found = races_backtest(placings(folder), asked, train=0.5, blocks=4, say=say)
    rows = found.frame.to_dict("records")
    first = rows[0]["forecaster"]
    text = wrapped(
        "Results of 2014 to 2021 from Ergast through the f1model repository (CC BY 4.0), who finished by its rule: "
        f"{rows[0]['events']} races judged after as many, in four blocks, each after a fit to all before it. Mean log "
        "chance of the order of all who finished, and of the winner, in nats a race: higher is better. All of these "
        "rate drivers alone; the row with cars and seasons of the [page of rankings](../../docs/several-people.md) is "
        "not among them, as its four fits were too dear."
    )
    text += "| forecaster | order | more than all equal | behind the best | winner |\n|---|--:|--:|--:|--:|\n"
    for row in rows:
        behind = "0" if row["forecaster"] == first else f"{row['behind_best']:.3f} ± {row['behind_error']:.3f}"
        gain = f"{row['log_order_gain']:+.3f} ± {row['log_order_error']:.3f}"
        text += f"| `{row['forecaster']}` | {row['log_order']:.3f} | {gain} | {behind} | {row['log_winner']:.3f} |\n"
    return Judged("Formula One", "uniform", [], text, commit, time.process_time() - begun)


def summary(fields: list[Judged]) -> str:
    """Table of all fields: the reference, and the best forecasters."""
    text = "\n| field | games | reference | log score | best beside it | less reference | Elo | Glicko | base rates |\n"
    text += "|---|--:|---|--:|---|--:|--:|--:|--:|\n"
    for one in (one for one in fields if one.rows):
        rows = pd.DataFrame(one.rows).set_index("system")
        own = [name for name in rows.index if name != one.reference and not name.startswith(f"{one.reference}-")]
        first, shown = (
            rows.loc[own[0]],
            [f"{rows.loc[name, 'difference']:+.4f}" for name in ("elo", "glicko", "base-rates")],
        )
        cells = [
            one.title,
            f"{int(first['games']):,}",
            f"`{one.reference}`",
            f"{rows.loc[one.reference, 'log_score']:.4f}",
        ]
        cells += [f"`{own[0]}`", f"{first['difference']:+.4f} ± {first['se_two_way']:.4f}", *shown]
        text += "| " + " | ".join(cells) + " |\n"
    return text


def wrapped(text: str) -> str:
    """Paragraph of a page."""
    return fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n\n"


def in_words(of: Simulated | None) -> str:
    """Describe the simulation in words."""
    assert of is not None
    draws = "no draws" if np.isinf(of.log_draw) else f"Davidson's draws, ln ν {of.log_draw:g}"
    return (
        f"{of.players} players, {of.games} games in each of {MONTHS} months, strengths of {of.spread_elo:g} Elo "
        f"that walk by {of.walk_elo:g} a month, first seat {of.advantage_elo:g} Elo, {draws}; "
        "the reference is the truth"
    )


def main(folder: str | None = None, *titles: str) -> None:
    """Score all fields, or some of them, and write the page."""
    data = os.environ.get("HALFPOINT_DATA_DIR")
    place = Path(folder) if folder else Path(data) / "outside" if data else None
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()
    found: list[Judged] = []

    def add(title: str, work: Callable[[], Judged]) -> None:
        file = KEPT / f"{title}.json"
        if titles and title not in titles:
            found.extend([Judged(**json.loads(file.read_text(encoding="utf-8")))] if file.exists() else [])
            return
        print(f"== {title}", flush=True)
        found.append(work())
        KEPT.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(found[-1])), encoding="utf-8")
        print(f"== {title}: {found[-1].cpu:.0f} CPU s", flush=True)

    def say(line: str) -> None:
        print(line, flush=True)

    for one in FIELDS:
        files = [] if place is None else sorted({str(path) for name in one.files for path in place.glob(name)})
        if files:
            add(one.title, lambda one=one, files=files: judged(one, files, commit, say))
        if one.simulated is not None:
            add(f"{one.title}, SIMULATED", lambda one=one: judged(one, [], commit, say))
    if place is not None and (place / "formula-one").is_dir():
        add("Formula One", lambda: races(place / "formula-one", commit, say))
    text = HEAD + summary(found)
    for one in found:
        text += f"\n## {one.title}\n\n{one.text}\nAt {one.commit}{f', {one.cpu:.0f} CPU s' * (one.cpu > 0.0)}.\n"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Rankings with known truth: events drawn from Plackett-Luce or, with ties, Davidson-Luce; some without a place."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.fields.races.table import LAST, RaceTable
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.readers.words import SIMULATED
from halfpoint.games.single_files import files
from halfpoint.games.table import Codes, Floats
from halfpoint.games.units import to_elo, to_natural
from halfpoint.inference.level import LEVEL_ELO
from halfpoint.workflows.answer import as_csv
from halfpoint.workflows.options import into_records

COMPETITORS, EVENTS, FIELD = Range(2, 10_000), Range(1, 100_000), Range(2, 200)
SPREAD_ELO, SHARE = Range(0.0, 4000.0), Range(0.0, 0.9)
RANGES = {"competitors": COMPETITORS, "events": EVENTS, "field": FIELD, "spread_elo": SPREAD_ELO, "ties": SHARE,
          "unplaced": SHARE, "seed": SEED}  # fmt: skip


def placing(strength: Floats, rng: np.random.Generator, log_tie: Floats | None = None) -> tuple[Codes, Codes]:
    """Return one event among strengths, natural units, with log d_2, ..., d_D: who from first to last, their groups."""
    if log_tie is None or not len(log_tie):
        order = np.argsort(-(strength + rng.gumbel(size=strength.size)))
        return order.astype(np.int32), np.arange(strength.size, dtype=np.int32)
    left, who, group = list(range(strength.size)), list[int](), list[int]()
    prevalence = np.concatenate([[0.0], log_tie])
    number = 0
    while left:
        sets = [one for size in range(1, len(prevalence) + 1) for one in combinations(left, size)]
        score = np.array([prevalence[len(one) - 1] + strength[list(one)].mean() for one in sets])
        chance = np.exp(score - score.max())
        chosen = sets[rng.choice(len(sets), p=chance / chance.sum())]
        who += chosen
        group += [number] * len(chosen)
        left = [one for one in left if one not in chosen]
        number += 1
    return np.array(who, dtype=np.int32), np.array(group, dtype=np.int32)


@dataclass(frozen=True)
class Season:
    """Who races, and how often.

    Parameters
    ----------
    competitors, events, field : int
        How many there are, and how many drawn at random take part in an event.
    spread_elo : float
        Standard deviation of the strengths, Elo points.
    ties : float
        Chance that two equals alone share their place.
    unplaced : float
        Share of the last ones of an event who get no place.
    seed : int
        The same seed gives the same events.

    Raises
    ------
    GameTableError
        If a number is out of its range.
    """

    competitors: int = 24
    events: int = 60
    field: int = 8
    spread_elo: float = 200.0
    ties: float = 0.0
    unplaced: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        for name, allowed in RANGES.items():
            allowed.require(name, getattr(self, name), GameTableError)
        if self.field > self.competitors:
            raise GameTableError("--field", f"at most the {self.competitors} competitors", f"{self.field}")


def races_simulate(out: str | Path | None = None, force: bool = False, **season: Any) -> tuple[RaceTable, pd.DataFrame]:
    """Simulate events of competitors with known strengths, and write them as CSV with the truth beside them.

    Parameters
    ----------
    out : str or Path, optional
        CSV file, a row a placing; the truth goes beside it as .truth.csv. Without it nothing is written.
    force : bool
        Replace a file that halfpoint did not write.
    **season
        Who races (`Season`: competitors, events, field, spread_elo, ties, unplaced, seed).

    Returns
    -------
    races : RaceTable
        Marked as simulated.
    truth : DataFrame
        competitor, rating_elo.

    Raises
    ------
    HalfpointError
        If a number is out of its range, or the file cannot be written.
    """
    [one] = into_records(season, Season)
    return events_of(out, one, force)


def events_of(out: str | Path | None, season: Season, force: bool = False) -> tuple[RaceTable, pd.DataFrame]:
    """Return the events and the truth; arguments as in `races_simulate`, options as a record."""
    competitors, events, field, ties = season.competitors, season.events, season.field, season.ties
    beside = None if out is None else Path(out).with_suffix(".truth.csv")
    with files({"OUT": out, "OUT (the truth)": beside}, force=force) as places:
        rng = np.random.default_rng(season.seed)
        strength = rng.normal(0.0, to_natural(season.spread_elo), competitors)
        log_tie = np.log([2.0 * ties / (1.0 - ties)]) if ties > 0.0 else None
        behind = int(season.unplaced * field)
        who, group = [], []
        for _ in range(events):
            there = rng.choice(competitors, field, replace=False)
            order, shared = placing(strength[there], rng, log_tie)
            shared = np.where(shared >= field - behind, LAST, shared)  # by places, so that a tie is no reason
            who.append(there[order])
            group.append(shared)
        width, digits = len(str(competitors)), len(str(events))
        names = np.array([f"Competitor {number:0{width}d}" for number in range(1, competitors + 1)])
        table = RaceTable(
            names, np.array([f"SIMULATED {number:0{digits}d}" for number in range(1, events + 1)]),
            np.arange(0, events * field + 1, field), np.concatenate(who).astype(np.int32),
            np.concatenate(group).astype(np.int32), name="races SIMULATED", source="simulated races", simulated=True,
        )  # fmt: skip
        truth = pd.DataFrame({"competitor": names, "rating_elo": LEVEL_ELO + to_elo(strength - strength.mean())})
        if out is not None:
            places.text("OUT", as_csv(rows_of(table)))
            places.text("OUT (the truth)", as_csv(truth))
    return table, truth


def rows_of(table: RaceTable) -> pd.DataFrame:
    """Return events as a row a placing, as `read_races` reads it: event, competitor, place; DNF for who has none."""
    row, place = np.arange(table.who.size), []
    first = 0
    for k in row.tolist():
        start = k == table.start[table.event[k]]
        if start or table.group[k] != table.group[k - 1]:
            first = k - int(table.start[table.event[k]]) + 1
        place.append(str(first) if table.placed[k] else "DNF")
    names = {"event": table.events[table.event], "competitor": table.competitors[table.who]}
    return pd.DataFrame(names | {"place": place} | ({SIMULATED: 1} if table.simulated else {}))

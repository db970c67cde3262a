"""Simulated rankings: events from Plackett-Luce or, with ties, Davidson-Luce, with some unplaced competitors."""

from collections.abc import Iterable
from itertools import combinations, repeat
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.races.options import Season
from halfpoint.apps.fields.races.table import LAST, Ints, RaceTable
from halfpoint.apps.workflows.answer import as_csv
from halfpoint.apps.workflows.options import records_of
from halfpoint.apps.workflows.simulation import with_truth
from halfpoint.inference.location import LEVEL_ELO
from halfpoint.models.games.simulate import numbered_names
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.readers.words import SIMULATED


def placing(strength: Floats, rng: np.random.Generator, log_tie: Floats | None = None) -> tuple[Codes, Codes]:
    """Simulate one event from strengths, natural units, with log d_2, ..., d_D: the order, and the groups of ties."""
    if log_tie is None or not len(log_tie):
        order = np.argsort(-(strength + rng.gumbel(size=strength.size)))
        return order.astype(np.int32), np.arange(strength.size, dtype=np.int32)
    remaining, places = list(range(strength.size)), list[tuple[int, ...]]()
    prevalence = np.concatenate([[0.0], log_tie])
    while remaining:
        sets = [tied for size in range(1, len(prevalence) + 1) for tied in combinations(remaining, size)]
        score = np.array([prevalence[len(tied) - 1] + strength[list(tied)].mean() for tied in sets])
        chance = np.exp(score - score.max())
        places.append(sets[rng.choice(len(sets), p=chance / chance.sum())])
        remaining = [competitor for competitor in remaining if competitor not in places[-1]]
    group = np.repeat(np.arange(len(places), dtype=np.int32), [len(tied) for tied in places])
    return np.concatenate(places).astype(np.int32), group


def drawn_races(
    strength: Floats, fields: Iterable[Ints], placed: Iterable[int], rng: np.random.Generator,
    log_tie: Floats | None = None, name: str = "races", source: str = "races",
) -> RaceTable:  # fmt: skip
    """Simulated events of fields, shape (event, competitor), with a given number of places each."""
    who, group = [], []
    for field, most in zip(fields, placed, strict=False):
        order, shared = placing(strength[field], rng, log_tie)
        who.append(field[order])
        group.append(np.where(shared >= most, LAST, shared))  # by places, so that a tie is no reason
    start = np.concatenate([[0], np.cumsum([people.size for people in who])])
    names, events = numbered_names("Competitor", strength.size), numbered_names("SIMULATED", len(who))
    rows, groups = (np.concatenate(parts).astype(np.int32) for parts in (who, group))
    return RaceTable(names, events, start, rows, groups, name=name, source=source, simulated=True)


def races_simulate(
    out: str | Path | None = None, force: bool = False, *, competitors: int = 24, events: int = 60, field: int = 8,
    spread_elo: float = 200.0, ties: float = 0.0, unplaced: float = 0.0, seed: int = 1,
) -> tuple[RaceTable, pd.DataFrame]:  # fmt: skip
    """Simulate events of competitors with known strengths as CSV, with a second file of the true values.

    Parameters
    ----------
    out : str or Path, optional
        CSV file, one row per placing; the truth is written to FILE.truth.csv. By default no file is written.
    force : bool
        Replace a file that halfpoint did not write.
    competitors, events, field, spread_elo, ties, unplaced, seed
        Settings of the simulation (`Season`).

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
    [settings] = records_of(locals(), Season)
    competitors, events, field, ties = settings.competitors, settings.events, settings.field, settings.ties

    def make_races() -> tuple[RaceTable, pd.DataFrame]:
        rng = np.random.default_rng(settings.seed)
        strength = rng.normal(0.0, to_natural(settings.spread_elo), competitors)
        log_tie = np.log([2.0 * ties / (1.0 - ties)]) if ties > 0.0 else None
        placed = field - int(settings.unplaced * field)
        fields = (rng.choice(competitors, field, replace=False) for _ in range(events))
        table = drawn_races(strength, fields, repeat(placed), rng, log_tie, "races SIMULATED", "simulated races")
        elo = LEVEL_ELO + to_elo(strength - strength.mean())
        return table, pd.DataFrame({"competitor": table.competitors, "rating_elo": elo})

    return with_truth(out, force, make_races, lambda table: [as_csv(rows_of(table))])


def rows_of(table: RaceTable) -> pd.DataFrame:
    """Rows of events, a placing each, as `read_races` reads them: event, competitor, place; DNF without place."""
    place = pd.Series(table.group).groupby(table.event).rank(method="min").astype(int).astype(str)
    return pd.DataFrame({
        "event": table.events[table.event], "competitor": table.competitors[table.who],
        "place": place.where(table.has_place, "DNF"), **({SIMULATED: 1} if table.simulated else {}),
    })  # fmt: skip

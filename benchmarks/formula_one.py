"""Formula One's hybrid era: variance due to car and driver, compared with the published model.

    .venv/bin/python benchmarks/formula_one.py [FOLDER] [RULE ...]

FOLDER (by default $HALFPOINT_DATA_DIR/outside/formula-one) contains results, races, drivers, constructors and status of
Ergast as CSV, compressed or not. Seasons 2014 to 2021, the model of van Kesteren & Bergkamp (2023), with their rule of
classification and with two others. With RULES only these are fitted ("none": none); results of the others are those in
build/formula_one. Writes a section of context.md, which has totals and estimates, and no single races.
"""

import os
import sys
import time
from pathlib import Path

import pandas as pd
from records import section

from halfpoint.apps.fields.races import races_rate
from halfpoint.apps.fields.races.forecast import read_races_trace
from halfpoint.apps.fields.races.model import Sampling
from halfpoint.apps.workflows.options import Run
from halfpoint.models.games.units import to_elo

SEASONS, KEPT = (2014, 2021), Path(__file__).resolve().parent.parent / "build" / "formula_one"
MODEL = "plackett-luce with strength ~ (1 | constructor) + (1 | player:season) + (1 | constructor:season)"
RULES = {
    "paper": "theirs: up to the last who was running at the end",
    "classified": "who is classified, the others left out",
    "last": "who is not classified is behind all who are",
}
SPREADS = {
    "strength_constructor_spread": "constructor",
    "strength_constructor_season_spread": "constructor in a season",
    "strength_spread": "driver",
    "strength_season_spread": "driver in a season",
}
PAPER = {"constructor": 1.63, "constructor in a season": 0.73, "driver": 0.54, "driver in a season": 0.35}
SHOWN, MASS = 12, (0.055, 0.945)  # drivers; ends of their intervals of 89%


def tables(folder):
    """Five tables of Ergast."""
    names = ("results", "races", "drivers", "constructors", "status")
    return {one: pd.read_csv(next(Path(folder).glob(f"{one}.csv*")), na_values="\\N") for one in names}


def placings(folder, rule="paper", seasons=SEASONS):
    """One row per placing: race, date, season, driver, constructor, place (empty if unclassified by the rule)."""
    t = tables(folder)
    rows = t["results"].merge(t["races"][["raceId", "year", "date"]], on="raceId")
    rows = rows.merge(t["drivers"][["driverId", "driverRef"]], on="driverId")
    rows = rows.merge(t["constructors"][["constructorId", "constructorRef"]], on="constructorId")
    rows = rows.merge(t["status"], on="statusId")
    rows = rows[rows["year"].between(*seasons)].sort_values(["date", "raceId", "positionOrder"])
    order = rows["positionOrder"]
    if rule == "paper":
        running = rows["status"].eq("Finished") | rows["status"].str.startswith("+")
        last = order.where(running).groupby(rows["raceId"]).transform("max")
        there = order <= last
    else:
        there = rows["position"].notna()
    rows = rows.assign(place=order.where(there).astype("Int64").astype(str).replace("<NA>", ""))
    rows = rows if rule == "last" else rows[there]
    names = {"raceId": "race", "year": "season", "driverRef": "driver", "constructorRef": "constructor"}
    return rows.rename(columns=names)[["race", "date", "season", "driver", "constructor", "place"]]


def rated(folder, rule):
    """Fit the model to placings by a rule and write its trace, with CPU seconds."""
    begun = time.process_time()
    found = races_rate(
        placings(folder, rule), KEPT / rule, model=MODEL, groups="largest", how=Sampling(draws=500, tune=500),
        run=Run(force=True),
    )  # fmt: skip
    used = time.process_time() - begun
    (KEPT / f"{rule}.txt").write_text(f"{used:.0f}", encoding="utf-8")
    print(f"{rule}: {found.about['verdict']}; {found.trace.attrs['sampling']}; {used:.0f} CPU s", flush=True)


def cell(draws):
    """Mean and 89% interval of draws."""
    low, high = (float(draws.quantile(one)) for one in MASS)
    return f"{float(draws.mean()):.2f} ({low:.2f} to {high:.2f})"


def best(effect, dim, count):
    """First levels of an effect: names, with centred means and 89% intervals."""
    apart = effect - effect.mean(dim)
    order = apart.mean(("chain", "draw")).to_series().sort_values(ascending=False).index[:count]
    return [(str(name), cell(apart.sel({dim: name}))) for name in order]


def main(folder=None, *rules):
    """Fit by all rules and write the page."""
    place = Path(folder) if folder else Path(os.environ["HALFPOINT_DATA_DIR"]) / "outside" / "formula-one"
    for rule in [one for one in rules or RULES if one in RULES]:
        rated(place, rule)
    there = {rule: words for rule, words in RULES.items() if (KEPT / f"{rule}.txt").exists()}
    fits = {rule: read_races_trace(KEPT / rule / "trace.nc") for rule in there}
    used = ", ".join((KEPT / f"{rule}.txt").read_text(encoding="utf-8") for rule in there)
    read = placings(place)
    rows, shares = {name: [f"{PAPER[name]:.2f}"] for name in PAPER}, ["0.88 (0.775 to 0.945)"]
    for tree in fits.values():
        posterior = tree["posterior"].to_dataset()
        for name, called in SPREADS.items():
            rows[called].append(cell(posterior[name]))
        square = {called: posterior[name] ** 2 for name, called in SPREADS.items()}
        car = square["constructor"] + square["constructor in a season"]
        shares.append(cell(car / sum(square.values())))
    posterior = fits["paper"]["posterior"].to_dataset()
    verdicts = "; ".join(f"{rule}: {one.attrs['verdict'].partition(' (')[0]}" for rule, one in fits.items())
    text = (
        "# Formula One: the car and the driver\n\n"
        f"Seasons {SEASONS[0]} to {SEASONS[1]}, {read['race'].nunique()} races, {read['driver'].nunique()} drivers, "
        f"{read['constructor'].nunique()} constructors, {len(read):,} placings by the paper's rule.\n"
        f'`halfpoint races rate races.csv --model "{MODEL}"`,\n'
        "spreads half-normal (400 Elo; theirs are half-t), by rules of who has a place; "
        f"{used} CPU s.\nVerdicts: {verdicts}.\n\n"
        "Standard deviations, natural units, means and 89% intervals:\n\n"
        f"| standard deviation | paper | {' | '.join(there.values())} |\n|---|--:|{'--:|' * len(there)}\n"
    )
    text += "".join(f"| {name} | {' | '.join(found)} |\n" for name, found in rows.items())
    text += f"| **share of the car in the variance** | {' | '.join(shares)} |\n"
    text += "\nBy the paper's rule, natural units less the mean of all, with 89% intervals:\n\n"
    text += "| | driver, all seasons | | driver in 2021 | | constructor | |\n|--:|---|--:|---|--:|---|--:|\n"
    season = posterior["strength_season"]
    last = [str(name) for name in season["player:season"].to_numpy() if str(name).endswith(f":{SEASONS[1]}")]
    form = season.sel({"player:season": last}).rename({"player:season": "player"})
    form = form.assign_coords(player=[name.split(":")[0] for name in last])
    columns = [
        best(posterior["strength"], "player", SHOWN),
        best(posterior["strength"].sel(player=form["player"]) + form, "player", SHOWN),
        best(posterior["strength_constructor"], "constructor", SHOWN),
    ]
    for number, each in enumerate(zip(*columns, strict=True), 1):
        text += f"| {number} | " + " | ".join(f"{name} | {value}" for name, value in each) + " |\n"
    one = to_elo(1.0)
    text += (
        f"\nA natural unit is {one:.0f} Elo. The share (88%) is of the paper's abstract, as is that Hamilton and\n"
        "Verstappen are the best drivers, Mercedes, Ferrari and Red Bull the best constructors; its standard\n"
        "deviations and the interval of the share stand here as others quote them; its drivers are in a figure,\n"
        "not in a table.\n\n"
        "Data: Ergast by permission through vankesteren/f1model (CC BY 4.0). van Kesteren & Bergkamp (2023) J.\n"
        "Quant. Anal. Sports 19:273, arXiv 2203.08489.\n"
    )
    section(Path(__file__).with_name("context.md"), text, "python benchmarks/formula_one.py")


if __name__ == "__main__":
    main(*sys.argv[1:])

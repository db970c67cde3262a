"""Paired comparisons for posteriordb: eight posteriors in its layout, with reference draws that pass its checks.

    python benchmarks/posteriordb.py --out FOLDER [--only NAME,...]

Programs are in `benchmarks/posteriors/programs.toml`; real tables are those of `tests/reference/counts`, each
with its source; the others were simulated here with fixed seeds (`--simulate` writes them again). Reference draws are
Stan's, 10 chains of 10,000 iterations after as many of warm-up, every tenth kept. The checks are posteriordb's
(doc/REFERENCE_POSTERIOR_DEFINITION.md and its R package, check_reference_posterior_draws):

    10,000 draws;  R-hat <= 1.01;  no divergence;  E-FMI >= 0.2 in every chain
    |autocorrelation at lag 1| <= 0.05, on average over chains;  ESS, bulk and tail, within 10,000 +- 4 sqrt(7) 100

STAN_PYTHON is a Python that has PyStan (`make bench` makes one, .venv-stan). With all eight the command also writes
sampling.md and the points at which `tests/models/test_posteriordb.py` compares densities.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import arviz_base
import arviz_stats
import numpy as np
import records

HERE = Path(__file__).parent
FOLDER, COUNTS = HERE / "posteriors", HERE.parent / "tests" / "reference" / "counts"
STORED = FOLDER / "data.json"  # the simulated data, and points with their log densities by model
PROGRAMS = tomllib.loads((FOLDER / "programs.toml").read_text(encoding="utf-8"))  # by model and language
REFERENCES = PROGRAMS.pop("references")
SETTINGS = {"chains": 10, "iterations": 10_000, "warmup": 10_000, "thin": 10, "seed": 20_260, "adapt_delta": 0.9}
DRAWS, MOST_LAG, LEAST_EFMI, MOST_RHAT = 10_000, 0.05, 0.2, 1.01
ESS_ROOM = 4.0 * np.sqrt(7.0 * DRAWS)
NOBODY = "halfpoint"


def stored() -> dict[str, Any]:
    """Simulated data and log densities of the repository."""
    return dict(json.loads(STORED.read_text(encoding="utf-8")))


def store(part: str, values: Any) -> None:
    """Replace one part of the stored data, each of whose entries is a line."""
    parts = (stored() if STORED.is_file() else {}) | {part: values}
    blocks = [
        f"{json.dumps(name)}: {{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(one)}" for key, one in block.items())
        for name, block in parts.items()
    ]
    STORED.write_text("{\n" + "\n},\n".join(blocks) + "\n}\n}\n", encoding="utf-8")


@dataclass(frozen=True)
class Posterior:
    """Posterior: a program on data."""

    model: str
    data: str
    title: str
    row: str  # of the catalogue of halfpoint
    shown: tuple[str, ...]  # of the reference draws
    sampled: tuple[str, ...]  # in the order of the program
    references: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name in posteriordb."""
        return f"{self.data}-{self.model}"

    @property
    def positive(self) -> list[str]:
        """Sampled parameters that are positive."""
        return [name for name in self.sampled if name.endswith("_spread")]


_OF_ALL, _RAW = ("strength_mean", "strength_spread"), ("strength_mean", "strength_spread", "strength_raw")
POSTERIORS = (
    Posterior(
        "bradley_terry", "american_league_1987", "Bradley-Terry", "bt",
        ("strength",), ("strength",), ("agresti2002categorical", "bradley1952rank"),
    ),
    Posterior(
        "bradley_terry_population", "american_league_1987", "Bradley-Terry with home advantage, of a population",
        "bt-population", (*_OF_ALL, "strength", "advantage"), (*_RAW, "advantage"),
        ("agresti2002categorical", "bradley1952rank"),
    ),
    Posterior(
        "davidson", "puddings", "Davidson's model of ties", "davidson",
        ("strength", "log_draw"), ("strength", "log_draw"), ("davidson1970extending",),
    ),
    Posterior(
        "davidson_player", "karpov_kasparov_anand", "Davidson with a White advantage of each player", "davidson-player",
        ("strength", "advantage", "log_draw"), ("strength", "advantage", "log_draw"),
        ("davidson1970extending", "pires2020elo"),
    ),
    Posterior(
        "rao_kupper", "karpov_kasparov_anand", "Rao-Kupper with White's advantage", "rao-kupper",
        ("strength", "advantage", "log_draw"), ("strength", "advantage", "log_draw"), ("rao1967ties",),
    ),
    Posterior(
        "bradley_terry_walk", "league_of_periods", "Bradley-Terry with strengths that walk", "bt-population-walk",
        (*_OF_ALL, "innovation_spread", "strength", "advantage"),
        (*_OF_ALL, "innovation_spread", "level_raw", "step_raw", "advantage"), ("glickman1999parameter",),
    ),
    Posterior(
        "plackett_luce", "races", "Plackett-Luce", "plackett-luce",
        ("strength_spread", "strength"), ("strength_spread", "strength_raw"), ("plackett1975analysis",),
    ),
    Posterior(
        "margins", "league_of_margins", "Margins, normal", "margin-normal",
        (*_OF_ALL, "strength", "advantage", "log_width"), (*_RAW, "advantage", "log_width"), ("stefani1980improved",),
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ data
def table_of(file: str, **known: float) -> dict[str, Any]:
    """Table of counts as data of a program; the reference player is the last one."""
    table = json.loads((COUNTS / f"{file}.json").read_text(encoding="utf-8"))
    names = sorted({name for row in table["counts"] for name in row[:2]} - {table["reference"]})
    names = [*names, table["reference"]]
    first, second, wins, ties, losses = zip(*table["counts"], strict=True)
    data: dict[str, Any] = {"players": len(names), "rows": len(first)}
    data |= {"first": [names.index(one) + 1 for one in first], "second": [names.index(one) + 1 for one in second]}
    data |= {"wins": list(wins), "ties": list(ties), "losses": list(losses)} | known
    return {"title": table["source"], "players": names, "data": data}


def league(players: int, periods: int, rng: np.random.Generator) -> dict[str, Any]:
    """Double round robins in every period, of players with random-walk strengths."""
    level, steps = rng.normal(0.0, 0.8, players), rng.normal(0.0, 0.2, (players, periods - 1))
    strength = level[:, None] + np.concatenate([np.zeros((players, 1)), steps.cumsum(axis=1)], axis=1)
    rows = [(i, j, t) for t in range(periods) for i in range(players) for j in range(players) if i != j]
    first, second, period = np.array(rows).T
    wins = rng.random(len(rows)) < 1.0 / (1.0 + np.exp(strength[second, period] - strength[first, period] - 0.3))
    data = {"players": players, "periods": periods, "rows": len(rows)}
    data |= {"first": (first + 1).tolist(), "second": (second + 1).tolist(), "period": (period + 1).tolist()}
    return data | {"wins": wins.astype(int).tolist(), "losses": (~wins).astype(int).tolist()}


def races(players: int, events: int, places: int, rng: np.random.Generator) -> dict[str, Any]:
    """Rankings without ties of randomly drawn players."""
    strength, order = rng.normal(0.0, 1.0, players), []
    for _ in range(events):
        there = rng.choice(players, places, replace=False)
        finish = strength[there] + rng.gumbel(size=places)  # Yellott (1977): the order of these is Plackett-Luce
        order.append((there[np.argsort(-finish)] + 1).tolist())
    return {"players": players, "events": events, "places": places, "order": order}


def margins(players: int, rng: np.random.Generator) -> dict[str, Any]:
    """Double round robin with margins, in points."""
    strength = rng.normal(0.0, 6.0, players)
    first, second = np.array([(i, j) for i in range(players) for j in range(players) if i != j]).T
    margin = np.rint(strength[first] - strength[second] + 3.0 + rng.normal(0.0, 11.0, first.size))
    data = {"players": players, "rows": first.size, "first": (first + 1).tolist(), "second": (second + 1).tolist()}
    return data | {"margin": margin.tolist()}


def simulated() -> dict[str, Any]:
    """Simulated data by name, from fixed seeds."""
    tables = {}
    for number, (name, made, title) in enumerate((
        ("league_of_periods", lambda rng: league(8, 6, rng), "Eight players, double round robins in six periods"),
        ("races", lambda rng: races(10, 30, 6, rng), "Thirty races of six of ten competitors"),
        ("league_of_margins", lambda rng: margins(8, rng), "Eight teams, a double round robin, margins in points"),
    )):  # fmt: skip
        found = {"title": f"{title}; simulated by benchmarks/posteriordb.py of halfpoint, seed {number}"}
        found["data"] = made(np.random.default_rng(number))
        tables[name] = found
    return dict(sorted(tables.items()))


def data_of(name: str) -> dict[str, Any]:
    """Data of a posterior with their title: a table of counts with its source, or simulated."""
    elo = np.log(10.0) / 400.0
    if name == "american_league_1987":
        return table_of("baseball", known=2705.0 * elo)
    if name == "puddings":
        return table_of("puddings", known=0.0)
    if name == "karpov_kasparov_anand":
        return table_of("kka", known=0.0, known_advantage=0.1)
    return dict(stored()["simulated"][name])


# ------------------------------------------------------------------------------------------------------------ draws
def sampled(one: Posterior) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, float]]:
    """Stan's draws of a posterior by name, points with their log density, and CPU seconds."""
    asked = SETTINGS | {"sampled": one.sampled, "shown": one.shown, "positive": one.positive, "points": 20}
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "program.stan").write_text(PROGRAMS[one.model]["stan"])
        (folder / "data.json").write_text(json.dumps(data_of(one.data)["data"]))
        (folder / "settings.json").write_text(json.dumps(asked))
        worker = [os.environ["STAN_PYTHON"], str(HERE / "stan_programs.py"), "reference", text]
        subprocess.run(worker, check=True, stdout=sys.stderr, env=os.environ | {"XDG_CACHE_HOME": text})
        draws = dict(np.load(folder / "draws.npz"))
        points, measured = (json.loads((folder / f"{part}.json").read_text()) for part in ("points", "measured"))
    return draws, points, measured


def gates(one: Posterior, draws: dict[str, Any]) -> dict[str, Any]:
    """Checks that posteriordb requires of reference draws, by parameter."""
    shown = arviz_base.convert_to_dataset({name: np.squeeze(draws[name]) for name in one.shown})
    by = {
        "r_hat": arviz_stats.rhat(shown),
        "effective_sample_size_bulk": arviz_stats.ess(shown, method="bulk"),
        "effective_sample_size_tail": arviz_stats.ess(shown, method="tail"),
    }
    found: dict[str, Any] = {
        "diagnostics_information": {"names": [name for name in flat(one, draws)]},
        "ndraws": int(np.prod(draws["energy__"].shape[:2])),
        "nchains": SETTINGS["chains"],
    }
    for key, value in by.items():
        found[key] = [float(x) for name in one.shown for x in np.ravel(value[name].to_numpy())]
    lag = [lag_one(values) for values in flat(one, draws).values()]
    energy = np.squeeze(draws["energy__"])
    fraction = (np.diff(energy, axis=1) ** 2).sum(axis=1) / ((energy - energy.mean(axis=1, keepdims=True)) ** 2).sum(1)
    return found | {
        "divergent_transitions": np.squeeze(draws["divergent__"]).sum(axis=1).astype(int).tolist(),
        "expected_fraction_of_missing_information": fraction.tolist(),
        "mean_lag1_ac": [float(each.mean()) for each in lag],
        "mean_absolute_lag1_ac": [float(np.abs(each).mean()) for each in lag],
    }


def flat(one: Posterior, draws: dict[str, Any]) -> dict[str, Any]:
    """Draws of scalars, (chain, draw), by their names in Stan."""
    found = {}
    for name in one.shown:
        value = np.squeeze(draws[name])
        for place in np.ndindex(value.shape[2:]):
            label = f"{name}[{','.join(str(k + 1) for k in place)}]" if place else name
            found[label] = value[(..., *place)]
    return found


def lag_one(values: Any) -> Any:
    """Autocorrelation of each chain at lag 1."""
    about = values - values.mean(axis=1, keepdims=True)
    return (about[:, 1:] * about[:, :-1]).sum(axis=1) / (about**2).sum(axis=1)


def checks(found: dict[str, Any]) -> dict[str, bool]:
    """Passed checks."""
    sizes = np.array(found["effective_sample_size_bulk"] + found["effective_sample_size_tail"])
    return {
        "ndraws_is_10k": found["ndraws"] == DRAWS,
        "nchains_is_gte_4": found["nchains"] >= 4,
        "ess_within_bounds": bool((np.abs(sizes - DRAWS) <= ESS_ROOM).all()),
        "r_hat_below_1_01": max(found["r_hat"]) <= MOST_RHAT,
        "efmi_above_0_2": min(found["expected_fraction_of_missing_information"]) >= LEAST_EFMI,
        "abs_mean_lag1_ac_below_0_05": max(found["mean_absolute_lag1_ac"]) <= MOST_LAG,
        "no_divergent_transitions": sum(found["divergent_transitions"]) == 0,
    }


# ------------------------------------------------------------------------------------------------------------ layout
def write(one: Posterior, draws: dict[str, Any], found: dict[str, Any], out: Path) -> None:
    """Write a posterior into a folder in posteriordb's layout."""
    data, today = data_of(one.data), date.today().isoformat()
    who = {"added_by": NOBODY, "added_date": today}
    values = flat(one, draws)
    dimensions = {name: sum(label.split("[")[0] == name for label in values) for name in one.shown}
    save(out / f"posteriors/{one.name}.json", {
        "name": one.name, "keywords": ["paired comparison"], "model_name": one.model, "data_name": one.data,
        "reference_posterior_name": one.name, "references": list(one.references), "dimensions": dimensions, **who,
    })  # fmt: skip
    save(out / f"models/info/{one.model}.info.json", {
        "name": one.model, "keywords": ["paired comparison"], "title": one.title, "description": one.title,
        "references": list(one.references), **who,
        "model_implementations": {
            "stan": {"model_code": f"models/stan/{one.model}.stan"},
            "pymc": {"model_code": f"models/pymc/{one.model}.py"},
        },
    })  # fmt: skip
    for kind, ending in (("stan", "stan"), ("pymc", "py")):
        save(out / f"models/{kind}/{one.model}.{ending}", PROGRAMS[one.model][kind])
    said = data["title"] + "".join(f"; {k + 1}: {name}" for k, name in enumerate(data.get("players", ())))
    save(out / f"data/info/{one.data}.info.json", {
        "name": one.data, "keywords": ["paired comparison"], "title": data["title"].split(":")[0], "description": said,
        "data_file": f"data/data/{one.data}.json", "references": list(one.references), **who,
    })  # fmt: skip
    save(out / f"data/data/{one.data}.json", data["data"], True)
    stem = out / "reference_posteriors"
    chains = [{label: value[chain].tolist() for label, value in values.items()} for chain in range(SETTINGS["chains"])]
    save(stem / f"draws/draws/{one.name}.json", chains, True)
    arguments = {"chains": SETTINGS["chains"], "iter": SETTINGS["iterations"] + SETTINGS["warmup"]}
    arguments |= {key: SETTINGS[key] for key in ("warmup", "thin", "seed")}
    information = {
        "name": one.name,
        "inference": {
            "method": "stan_sampling",
            "method_arguments": arguments | {"control": {"adapt_delta": SETTINGS["adapt_delta"]}},
        },
        "diagnostics": found, "checks_made": checks(found), "comments": None, **who,
    }  # fmt: skip
    save(stem / f"draws/info/{one.name}.info.json", information)
    sizes = np.array([mean_size(value) for value in values.values()])
    for statistic, power in (("mean", 1), ("mean_squared_value", 2)):
        moments = {"names": list(values)}
        moments[statistic] = [float((value**power).mean()) for value in values.values()]
        spread = np.array([(value**power).std() for value in values.values()])
        moments[f"mcse_{statistic}"] = (spread / np.sqrt(sizes)).tolist()
        save(stem / f"summary_statistics/{statistic}/{statistic}/{one.name}.json", moments)
        save(stem / f"summary_statistics/{statistic}/info/{one.name}.info.json", information)
    save(out / "references/references.bib", REFERENCES)


def mean_size(values: Any) -> float:
    """Effective number of draws for a mean."""
    return float(arviz_stats.ess(arviz_base.convert_to_dataset({"x": values}), method="mean")["x"])


def save(path: Path, what: Any, zipped: bool = False) -> None:
    """Write text or JSON, optionally as the only member of a zip."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = what if isinstance(what, str) else json.dumps(what, indent=None if zipped else 2) + "\n"
    if not zipped:
        path.write_text(text, encoding="utf-8")
        return
    with zipfile.ZipFile(f"{path}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(path.name, text)


# ------------------------------------------------------------------------------------------------------------ page
HEAD = """# Reference posteriors of paired comparisons

Eight posteriors in the layout of posteriordb, each a Stan program and a PyMC program on free data, 10,000 reference
draws by Stan. posteriordb's checks are R-hat at most 1.01, ESS (bulk and tail) from 8,942 to 11,058,
autocorrelation at lag 1 at most 0.05 on average over the chains, E-FMI at least 0.2, no divergence. CPU seconds include
compilation and sampling of 10 chains of 20,000 iterations.

| posterior | numbers | divergent | R-hat | ESS, from | to | lag 1 | E-FMI | gates | compile, s | sample, s |
|---|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|
"""


def line(one: Posterior, found: dict[str, Any], measured: dict[str, float]) -> str:
    """Row of the page."""
    sizes = found["effective_sample_size_bulk"] + found["effective_sample_size_tail"]
    passed = checks(found)
    failed = ", ".join(name for name, good in passed.items() if not good)
    return (
        f"| {one.name} | {len(found['r_hat'])} | {sum(found['divergent_transitions'])} | {max(found['r_hat']):.4f} "
        f"| {min(sizes):,.0f} | {max(sizes):,.0f} | {max(found['mean_absolute_lag1_ac']):.3f} "
        f"| {min(found['expected_fraction_of_missing_information']):.2f} | {failed or 'all passed'} "
        f"| {measured['compile']:.0f} | {measured['sample']:.0f} |\n"
    )


def main() -> None:
    """Write the folder; for all posteriors also the page and the points."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder to write, in posteriordb's layout")
    parser.add_argument("--only", help="names of programs, by commas; the page is written once all are there")
    parser.add_argument("--simulate", action="store_true", help="write the simulated data anew, and nothing else")
    asked = parser.parse_args()
    if asked.simulate:
        store("simulated", simulated())
        return None
    if asked.out is None or "STAN_PYTHON" not in os.environ:
        parser.error("expected --out FOLDER and STAN_PYTHON, a Python with PyStan")
    wanted = [one for one in POSTERIORS if asked.only is None or one.model in asked.only.split(",")]
    for one in wanted:
        made = asked.out / "made" / f"{one.model}.json"
        if not made.is_file():  # a run that was stopped goes on
            draws, points, measured = sampled(one)
            found = gates(one, draws)
            write(one, draws, found, asked.out)
            save(made, {"points": points, "found": found, "measured": measured})
            print(line(one, found, measured), end="", flush=True)
    made = {one: asked.out / "made" / f"{one.model}.json" for one in POSTERIORS}
    if all(path.is_file() for path in made.values()):
        each = {one: json.loads(path.read_text(encoding="utf-8")) for one, path in made.items()}
        text = HEAD + "".join(line(one, which["found"], which["measured"]) for one, which in each.items())
        points = {one.model: which["points"] for one, which in each.items()}
        store("log_densities", points)
        records.section(HERE / "sampling.md", text, "python benchmarks/posteriordb.py --out FOLDER")
    return None


if __name__ == "__main__":
    main()

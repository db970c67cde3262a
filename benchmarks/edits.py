"""Edits of functions and of finished graphs in every use: applied, refused by name, or ignored.

`python benchmarks/edits.py [WORD ...]` makes benchmarks/edits.md of the edits in tests/helpers/edited_models.py, or of
those whose names contain one of the words; `-ROUTE` leaves a route out. Simulated games of 8 players, seed 11.

    density     the compiled log density is PyMC's own (`Model.logp`) at four points near 0, up to a constant: far
                out PyMC's own skew normal density loses its digits
    NUTS        the likelihood in a trace is that of its games as computed for forecasts, draw by draw
    normal      strengths, less their mean, agree with those of NUTS within Monte Carlo error
    auto        likewise, by the method that `rate` chooses
    forecast    the log probability of each game of the fit is that of the trace's pointwise likelihood
    later       games after the last period have probabilities; without periods those of the games of the fit
    reopened    after writing and reading, a trace forecasts the same
    newcomers   a player who is not in the trace is drawn from the population
    prior       the group `prior` has draws of every variable
    match, rank, compare   answers
    backtest    the function, which forecasts period after period

A cell is "yes", or "no:" with the message of a refusal; any other exception or a disagreement is IGNORED OR WRONG.
"""

import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
import edited_models as edits
import records
from rating_games import simulated

import halfpoint as hp
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.trace_groups import prior_draws
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare, resolve
from halfpoint.models.declaration.hand_written import declared_of, games_view
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select

OUT = Path(__file__).with_name("edits.md")
EFFORT, MANY = Effort(draws=250, tune=250, chains=2, seed=3), Effort(draws=1000, chains=4, seed=1)
AT_ONCE = 2
NEAR = 5.0  # Monte Carlo errors
ROUTES = (
    "density", "NUTS", "normal", "auto", "forecast", "later", "reopened", "newcomers", "prior", "match", "rank",
    "compare", "backtest",
)  # fmt: skip
Case = tuple[Callable[[], Any], Any]  # the declared model, made anew, and its function if it has one


def played() -> Any:
    """400 games of 8 players in 4 periods, with a column."""
    games, _ = simulated(11, players=8, games=400, periods=4, draw=0.3)
    return replace(games, covariates={**games.covariates, "fast": np.arange(400) % 2 * 1.0})


GAMES = played()
CHOSEN = select(GAMES, GAMES.players)


def cases() -> dict[str, Case]:
    """Every edit."""
    found: dict[str, Case] = {}
    for name, function in edits.FUNCTIONS.items():
        found[name] = (lambda function=function: declare(function, CHOSEN), function)
    for name, (parts, finish) in edits.GRAPHS.items():

        def finished(parts: Any = parts, finish: Any = finish) -> Any:
            return declared_of(finish(edits.made(games_view(CHOSEN), **parts)))

        found[f"graph: {name}"] = (finished, None)
    return found


def agrees(one: Any, other: Any, atol: float) -> str:
    """Text "yes", or the difference of two arrays."""
    apart = float(np.abs(np.asarray(one) - np.asarray(other)).max())
    return "yes" if apart <= atol else f"IGNORED OR WRONG: {apart:.2g} apart"


class Edit:
    """One edit in every use."""

    def __init__(self, case: Case) -> None:
        self.make, self.function = case
        self.trace: Any = None

    def density(self) -> str:
        declared = self.make()
        if compile_declared(declared).route == "graph":
            return "yes"  # by PyMC's graph itself
        at, graph = density(numbers_of(declared)), declared.model.compile_logp(mode="FAST_COMPILE")
        start = declared.model.initial_point().values()  # where PyMC would start
        shapes = {one.name: np.shape(x) for one, x in zip(declared.model.value_vars, start, strict=True)}
        apart = []
        for seed in range(4):
            x, place, point = 0.2 * np.random.default_rng(seed).standard_normal(declared.layout.count), 0, {}
            for name, shape in shapes.items():
                size = int(np.prod(shape, dtype=int))
                point[name], place = x[place : place + size].reshape(shape), place + size
            apart.append(at(x)[0] - float(graph(point)))
        return agrees(apart, apart[0], 1e-7)

    def nuts(self) -> str:
        self.trace = fit(self.make(), "nuts", EFFORT)
        each = each_game(self.trace)
        if each is None:
            return f"yes, without {self.trace.attrs['left_out'] or 'each game'}"
        weight = self.trace["constant_data"]["weight"].to_numpy()
        total = (each["score"].to_numpy().astype(float) * weight).sum(axis=-1)
        return agrees(total, self.trace["sample_stats"]["log_likelihood_total"], 1e-2)

    def normal(self, method: str = "normal") -> str:
        near, exact = (one["posterior"].to_dataset() for one in (fit(self.make(), method, MANY), self.trace))
        name = "strength" if "strength" in near else "rating_elo"
        one, other = (found[name] - found[name].mean("player") for found in (near, exact))
        both, over = ("chain", "draw"), np.sqrt(2.0 / min(500.0, float(self.trace.attrs["min_ess_bulk"])))
        return agrees((one.mean(both) - other.mean(both)) / other.std(both), 0.0, NEAR * over)

    def auto(self) -> str:
        return self.normal("auto")

    def forecast(self) -> str:
        each = each_game(self.trace)
        found = forecast(self.trace, GAMES).log_predictive
        return "yes" if each is None else agrees(found, each["score"], 1e-4)

    def later(self) -> str:
        later = replace(GAMES, period=np.asarray(GAMES.period) + 3)
        chance = forecast(self.trace, later).probability
        return agrees(chance.sum(axis=0), 1.0, 1e-9)

    def reopened(self) -> str:
        with TemporaryDirectory() as folder:
            again = read(write(self.trace, Path(folder) / "trace.nc"))
        return agrees(forecast(again, GAMES).mean_expected, forecast(self.trace, GAMES).mean_expected, 1e-6)

    def newcomers(self) -> str:
        wider = with_newcomers(self.trace, ["Somebody new"])["posterior"]["strength"]
        moves = float(wider.sel(player="Somebody new").std())
        return "yes" if wider.sizes["player"] == 9 and moves > 0.0 else "IGNORED OR WRONG: no draws of their own"

    def prior(self) -> str:
        declared = self.make()
        found = prior_draws(declared, 1, 200)
        drawn = {one.name for one in (*declared.model.free_RVs, *declared.model.deterministics)}
        lost = [name for name in self.trace["posterior"] if name not in found and name in drawn]
        return "yes" if not lost else f"IGNORED OR WRONG: no {lost[0]}"

    def match(self) -> str:
        names = self.trace["posterior"]["player"].to_numpy()[:2]
        games = 1 if "half points" in str(self.trace.attrs["observation"]) else 2
        return "yes" if hp.match(self.trace, *names, games=games).note else "IGNORED OR WRONG: nothing said"

    def rank(self) -> str:
        return "yes" if len(hp.rank(self.trace).frame) == 8 else "IGNORED OR WRONG: another number of players"

    def compare(self) -> str:
        return "yes" if len(hp.compare([self.trace]).frame) == 1 else "IGNORED OR WRONG: no row"

    def backtest(self) -> str:
        if self.function is None:
            return "no: a finished graph cannot read other games"
        few = Effort(draws=50, tune=100, chains=2, seed=1)
        found = roll(GAMES, Forecaster(resolve(self.function), GAMES, GAMES.players, few)).expected_score
        return "yes" if np.isfinite(found).sum() > 100 else "IGNORED OR WRONG: no forecasts"


def cell(edit: Edit, route: str) -> str:
    """Result of an edit in a use."""
    try:
        return str(getattr(edit, route.lower())())
    except HalfpointError as error:
        return f"no: {error}"
    except Exception as error:  # what a user would see as a traceback
        return f"IGNORED OR WRONG: {type(error).__name__}: {error}"[:160].replace("\n", " ")


def row_of(name: str, routes: list[str]) -> tuple[str, list[str], float]:
    """Results of an edit in each use, and its CPU seconds."""
    warnings.simplefilter("ignore")
    start = time.process_time()
    edit = Edit(cases()[name])
    return name, [cell(edit, route) for route in routes], time.process_time() - start


def main(words: list[str]) -> None:
    """Run the edits, several at a time, and write the table as it grows."""
    routes = [route for route in ROUTES if f"-{route}" not in words]
    given = [word for word in words if not word.startswith("-")]
    names = [name for name in cases() if not given or any(word in name for word in given)]
    rows, notes = [], dict[str, int]()
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        for name, found, seconds in pool.map(row_of, names, [routes] * len(names)):
            for place, said in enumerate(found):
                if said.startswith("no: "):
                    found[place] = f"no ({notes.setdefault(said.removeprefix('no: '), len(notes) + 1)})"
            rows.append(f"| {name} | " + " | ".join(found) + " |")
            print(rows[-1], f"{seconds:.0f} s", flush=True)
            put(words, routes, rows, notes)


def put(words: list[str], routes: list[str], rows: list[str], notes: dict[str, int]) -> None:
    """Write the table so far."""
    text = "\n".join(rows)
    cells = len(rows) * len(routes)
    refused, wrong = text.count("| no ("), text.count("WRONG")
    asked = " ".join(["python benchmarks/edits.py", *(f'"{word}"' for word in words)])
    lines = ["# Edits over every route", "", f"    {asked}", ""]
    lines += ["| | edits | cells | refused by name | wrong |", "|---|--:|--:|--:|--:|"]
    lines += [f"| all | {len(rows)} | {cells} | {refused} | {wrong} |", ""]
    lines += ["| edit | " + " | ".join(routes) + " |", "|---" * (1 + len(routes)) + "|", *rows, ""]
    lines += [f"{number}. {said}" for said, number in notes.items()]
    records.section(OUT, "\n".join(lines) + "\n", asked)


if __name__ == "__main__":
    main(sys.argv[1:])

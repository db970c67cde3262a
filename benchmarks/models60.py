"""Sixty models as users write them, in every use: answered, refused by name before sampling, or wrong.

`python benchmarks/models60.py [NAME ...]` runs the models of typed_models.py and adds a line for each to
build/models60.jsonl; `--page` makes edits.md of these lines. Simulated games of 12 players in 8 months, with goals.

    declare, print, sample, netcdf, reopen, match, rank, prior, normal     answers
    forecast    expected scores are those of plain PyMC: the function is run on stand-ins for games, and its sides are
                evaluated under the draws of the trace one after the other
    new         two games of a player who is not in the trace, but has a row in the tables of the functions
    backtest    one month
    cli         `halfpoint forecast trace.nc next.csv --model FILE:NAME`
    calibrate   two simulations of the first games
    generic     models that compiled loops sample: sampled by the graph instead, and forecast; twice the fast forecasts,
                within Monte Carlo error

A cell is "yes", "no" with the message of a refusal, "slow" beyond a limit of CPU seconds, or WRONG.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import pandas as pd
import pymc as pm
import pytensor
import pytensor.tensor as pt
import records
import typed_models
from pytensor.graph.replace import clone_replace
from typed_models import NAMES, PLAYERS

import halfpoint as hp
from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.simulation_based_calibration import calibrate
from halfpoint.models.declaration.catalogue import resolve
from halfpoint.models.errors import NoLoopError
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.reading import affine as affine_forms
from halfpoint.models.reading.graph_reading import GraphReading
from halfpoint.models.reading.sparse_affine import NotAffineError

HERE = Path(__file__).parent
LINES, PAGE = HERE.parent / "build" / "models60.jsonl", HERE / "edits.md"
ROUTES = (
    "declare",
    "print",
    "sample",
    "netcdf",
    "forecast",
    "new",
    "match",
    "rank",
    "reopen",
    "normal",
    "backtest",
    "cli",
    "calibrate",
    "generic",
)
EFFORT = {"draws": 60, "tune": 120, "chains": 2}
LIMIT = float(os.environ.get("LIMIT", "60"))  # CPU seconds of a route
NEAR, FAR = 1e-6, 12.0  # percent: of the same draws, and of 120 draws by two samplers


def games() -> pd.DataFrame:
    """Simulated games in eight months."""
    rng, players, count = np.random.default_rng(5), 12, 420
    strength = rng.normal(0, 0.6, players)
    white = rng.integers(0, players, count)
    black = (white + rng.integers(1, players, count)) % players
    day, rapid = np.sort(rng.integers(0, 240, count)), (rng.random(count) < 0.4).astype(int)
    gap = strength[white] + 0.3 + 0.2 * rapid - strength[black]
    home, away = (rng.poisson(np.exp(0.2 + sign * gap / 2)) for sign in (1, -1))
    outcome = 1 + np.sign(home - away)
    days = (pd.Timestamp("2023-01-01") + pd.to_timedelta(day, unit="D")).strftime("%Y-%m-%d")
    names, result = np.array(PLAYERS), np.array(["0-1", "1/2-1/2", "1-0"])[outcome]
    columns = {"rapid": rapid, "year": 2023 + day / 365.25, "venue": rng.integers(0, 5, count)}
    goals = {"white_goals": home, "black_goals": away, "diff": home - away, "res": outcome}
    return pd.DataFrame(
        {"white": names[white], "black": names[black], "result": result, "date": days, **columns, **goals}
    )


GAMES = games()
COMING = pd.DataFrame(
    {
        "white": ["P00", "P01", "P05"], "black": ["P07", "P02", "P11"], "rapid": [0, 1, 1],
        "date": ["2023-08-10", "2023-08-11", "2023-08-20"], "year": [2023.6, 2023.61, 2023.63], "venue": [0, 1, 4],
    }
)  # fmt: skip
NEW = COMING.assign(black=["P07", "Newbie", "P11"], white=["P00", "P01", "Newbie"])


class Slow(BaseException):
    """Raised when one use exceeds its limit of CPU seconds."""


class Fitted(np.ndarray):
    """Column of fixtures with the summaries of the games of the fit."""

    def __new__(cls, values: Any, fit: Any) -> "Fitted":
        made = np.asarray(values, dtype=float).view(cls)
        for name in ("mean", "std", "min", "max"):
            setattr(made, name, getattr(fit, name) if name != "std" else lambda: float(np.std(fit)))
        made.fit = fit
        return made

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        plain = [one.fit if function is np.median else np.asarray(one) for one in inputs]
        return function(*plain, **options)


class StandIn:
    """Games as seen by a function, without halfpoint."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self.rows, self.every = rows, 0
        place = {name: k for k, name in enumerate(PLAYERS)}
        self.seats = [rows[side].map(place).to_numpy() for side in ("white", "black")]
        self.periods = pd.to_datetime(GAMES.date).dt.month.max()

    @property
    def coords(self) -> dict[str, Any]:
        months = {"month": range(self.periods), "innovation": range(self.periods - 1)}
        return {"player": PLAYERS, "outcome": ["loss", "draw", "win"]} | (months if self.every else {})

    def by(self, every: int) -> "StandIn":
        self.every = every
        return self

    @property
    def period(self) -> Any:
        return (pd.to_datetime(self.rows.date).dt.month - 1).to_numpy()

    def _side(self, x: Any, who: Any) -> Any:
        return x[(who, self.period)] if getattr(x, "ndim", 1) == 2 else x[who]

    def white(self, x: Any) -> Any:
        return self._side(x, self.seats[0])

    def black(self, x: Any) -> Any:
        return self._side(x, self.seats[1])

    def column(self, name: str) -> Any:
        if name not in self.rows:
            return np.zeros(len(self.rows))
        return Fitted(self.rows[name], GAMES[name].to_numpy().astype(float))

    observed = column


def by_plain_pymc(function: Any, trace: Any) -> Any:
    """Expected scores of the fixtures by the function on stand-ins, (game,); None without a simple form."""
    sides: dict[str, Any] = {}

    def davidson(games: Any, white: Any, black: Any, log_draw: Any) -> None:
        sides["logs"] = (black, log_draw + (white + black) / 2, white)

    def rao_kupper(games: Any, white: Any, black: Any, log_draw: Any) -> None:
        theta, one, other = 1 + pt.exp(log_draw), pt.exp(white), pt.exp(black)
        sides["chances"] = [other / (other + theta * one), None, one / (one + theta * other)]
        sides["chances"][1] = 1 - sides["chances"][0] - sides["chances"][2]

    def bernoulli(games: Any, white: Any, black: Any) -> None:
        sides["chances"] = [pt.sigmoid(black - white), 0 * white, pt.sigmoid(white - black)]

    def outcome(games: Any, scores: Any, white: Any, black: Any, lam: Any = None) -> None:
        sides["logs"] = scores(white, black, lam)

    ours = {"davidson": davidson, "rao_kupper": rao_kupper, "bernoulli": bernoulli, "outcome": outcome}
    held = {name: function.__globals__[name] for name in ours}
    function.__globals__.update(ours)
    try:
        model = function(StandIn(COMING))
    finally:
        function.__globals__.update(held)
    if "logs" in sides:
        logs = pt.stack([pt.as_tensor(x) + pt.zeros(len(COMING)) for x in sides["logs"]], -1)
        chances = pt.special.softmax(logs, axis=-1)
        score = chances[:, 2] + chances[:, 1] / 2
    elif "chances" in sides:
        score = sides["chances"][2] + sides["chances"][1] / 2
    else:
        observed, count = model.observed_RVs, pt.arange(60)[:, None]
        if len(observed) == 2:
            first, second = (pt.exp(pm.logp(one, count)) for one in observed)
            score = (first[1:] * pt.cumsum(second, 0)[:-1]).sum(0) + (first * second).sum(0) / 2
        elif "Ordered" in function.__doc__ or "ordered" in function.__doc__ or function.__name__ == "categorical":
            win, draw = (pt.exp(pm.logp(observed[0], pt.full((len(COMING),), k))) for k in (2, 1))
            score = win + draw / 2
        else:
            return None
    posterior = trace["posterior"]
    sources = [one for one in model.free_RVs if str(one.name) in posterior]
    if len(sources) < len(model.free_RVs):  # a trace keeps no rotated variables, but what follows from them
        sources += [one for one in model.deterministics if str(one.name) in posterior]
    values = [posterior[str(one.name)].transpose("chain", "draw", ...).to_numpy() for one in sources]
    inputs = [one.type() for one in sources]
    at = pytensor.function(
        inputs, clone_replace(score, dict(zip(sources, inputs, strict=True))), mode="FAST_COMPILE",
        on_unused_input="ignore",
    )  # fmt: skip
    flat = [value.reshape(-1, *value.shape[2:]).astype(one.dtype) for value, one in zip(values, inputs, strict=True)]
    return np.mean([at(*draws) for draws in zip(*flat, strict=True)], axis=0)


def cpu_seconds() -> float:
    """CPU seconds of this process and its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Routes:
    """One model in every use."""

    def __init__(self, name: str) -> None:
        self.name, self.function, self.found = name, getattr(typed_models, name), dict[str, Any]()
        self.generic_seconds: tuple[float, float] | None = None  # of sampling and forecasts, without fast forms

    def go(self, route: str, act: Callable[[], Any]) -> Any:
        """Run a use, and record its outcome and CPU seconds."""
        before, value = cpu_seconds(), None
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = act()
            end = value if isinstance(value, str) and value.startswith("WRONG") else "yes"
        except HalfpointError as error:
            end = f"no: {error}"
            if "damaged" in end:
                end = f"WRONG: {error}"
        except Slow:
            end = "slow"
        except BaseException as error:
            end = f"WRONG: {type(error).__name__}: {str(error)[:200]}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.found[route] = [end, round(cpu_seconds() - before, 2)]
        print(f"{self.name:14s} {route:9s} {self.found[route][1]:6.1f} {end[:160]}", flush=True)
        return value

    def checked(self, trace: Any) -> str:
        """Text "yes", or the difference of forecasts from plain PyMC."""
        shown = hp.forecast(trace, COMING).frame["expected_percent"].to_numpy()
        wanted = by_plain_pymc(self.function, trace)
        if wanted is None:
            return "yes, unchecked"
        gap = float(np.abs(100 * wanted - shown).max())
        return "yes" if gap < NEAR else f"WRONG: {gap:.2g} percent apart"

    def typed(self, path: Path) -> None:
        """Command line: an answer, or a refusal in one line."""
        coming = path.with_name("next.csv")
        COMING.to_csv(coming, index=False)
        words = ["halfpoint", "forecast", str(path), str(coming), "--model", f"{typed_models.__file__}:{self.name}"]
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            raise HalfpointError(done.stderr) if "Traceback" not in done.stderr else RuntimeError(done.stderr[-300:])

    def calibrated(self) -> None:
        """Ranks of true values drawn from the prior."""
        some = hp.read(GAMES[:150])
        chosen = experiment(resolve(self.function), design=hp.select(some, PLAYERS))
        calibrate(chosen, 2, seed=7, effort=Effort(draws=60, tune=120, chains=2))

    def without_fast_forms(self, trace: Any) -> str:
        """Strengths and forecasts by the graph alone, compared with the loops."""

        def none(*_: object, **__: object) -> None:
            raise NoLoopError("fast forms are not allowed")

        def no_sums(*_: object, **__: object) -> None:
            raise NotAffineError("fast forms are not allowed")

        before, fast = cpu_seconds(), hp.forecast(trace, COMING).frame["expected_percent"].to_numpy()
        with patch.object(GraphReading, "_layout_with_operations", none), patch.object(affine_forms, "affine", no_sums):
            model = hp.declare(self.function, hp.select(hp.read(GAMES), PLAYERS))
            graph = hp.sample(model, seed=3, **EFFORT)
            sampled = cpu_seconds()
            slow = hp.forecast(graph, COMING).frame["expected_percent"].to_numpy()
            self.generic_seconds = sampled - before, cpu_seconds() - sampled
            again = hp.forecast(trace, COMING).frame["expected_percent"].to_numpy()
        if not str(graph.attrs["route"]).startswith("graph"):
            return "WRONG: not sampled by the graph"
        if (gap := float(np.abs(again - fast).max())) > NEAR:
            return f"WRONG: {gap:.2g} percent between sums and graph under the same draws"
        gap = float(np.abs(slow - fast).max())
        return "yes" if gap < FAR else f"WRONG: {gap:.2g} percent between loops and graph"

    def run(self) -> dict[str, Any]:
        """All uses of the model."""
        model = self.go("declare", lambda: hp.declare(self.function, hp.select(hp.read(GAMES), PLAYERS)))
        if model is not None:
            self.go("print", lambda: f"{model}"[:0])
            trace = self.go("sample", lambda: hp.sample(model, seed=3, **EFFORT))
            if trace is not None:
                self.found["route"] = f"{trace.attrs.get('route')}: {trace.attrs.get('route_reason')}"
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "trace.nc"
                    self.go("netcdf", lambda: trace.to_netcdf(path))
                    self.go("forecast", lambda: self.checked(trace))
                    self.go("new", lambda: hp.forecast(trace, NEW, new="all"))
                    self.go("match", lambda: hp.match(trace, "P00", "P05", games=4, colours="white"))
                    self.go("rank", lambda: hp.rank(trace))
                    self.go("reopen", lambda: hp.rank(path))
                    self.go("cli", lambda: self.typed(path))
                    if trace.attrs.get("route") == "compiled":
                        self.go("generic", lambda: self.without_fast_forms(trace))
                self.go("calibrate", self.calibrated)
            self.go("normal", lambda: hp.rate(GAMES, model=self.function, method="normal"))
            few = {"systems": ["elo"], "models": [self.function], "begin": 8, **EFFORT}
            self.go("backtest", lambda: hp.backtest(GAMES, **few))
        return {"name": self.name, **self.found, "generic_seconds": self.generic_seconds, "commit": records.now()[0]}


def page() -> str:
    """Page of the last result of each model."""
    lines = {line["name"]: line for line in map(json.loads, LINES.read_text().splitlines())}
    notes: dict[str, int] = {}

    def cell(line: dict[str, Any], route: str) -> str:
        end = line.get(route, ["", 0.0])[0]
        if end.startswith("no: "):
            return f"no ({notes.setdefault(end[4:], len(notes) + 1)})"
        return end

    rows, costs = [], []
    for name in [name for name in NAMES if name in lines]:
        line = lines[name]
        by = "graph" if line.get("route", "").startswith("graph") else "loops" if "route" in line else ""
        rows.append("| " + " | ".join([name, *(cell(line, route) for route in ROUTES), by]) + " |")
        fast = [line[route][1] for route in ("sample", "forecast") if route in line]
        generic = line.get("generic_seconds") or ()
        if by == "graph":
            fast, generic = (), fast
        if fast or generic:
            numbers = [f"{x:.1f}" for x in fast] or ["", ""]
            numbers += [f"{x:.1f}" for x in generic] or ["", ""]
            costs.append("| " + " | ".join([name, *numbers]) + " |")
    cells = [line[route][0] for line in lines.values() for route in ROUTES if route in line]
    counts = [sum(cell.startswith(word) for cell in cells) for word in ("yes", "no", "slow", "WRONG")]
    sampled = sum(line.get("sample", [""])[0] == "yes" for line in lines.values())
    commits = Counter(line["commit"] for line in lines.values()).most_common()
    head = ["model", *ROUTES, "sampled by"]
    costs_head = ["model", *(f"{what} by {by}" for by in ("loops", "graph") for what in ("sampled", "forecast"))]
    return "\n".join(
        [
            "# Sixty models over every route", "", "    python benchmarks/models60.py", "",
            "Commits: " + ", ".join(f"{commit} ({count} models)" for commit, count in commits) + ".", "",
            "| models | sampled | cells | answered | refused | slow | wrong |", "|--:|--:|--:|--:|--:|--:|--:|",
            f"| {len(lines)} | {sampled} | {len(cells)} | " + " | ".join(map(str, counts)) + " |", "",
            "| " + " | ".join(head) + " |", "|" + "---|" * len(head), *rows, "",
            "CPU seconds of 2 x 180 iterations and of a forecast, by compiled loops and by the graph, compilation "
            "included:", "", "| " + " | ".join(costs_head) + " |", "|---" + "|--:" * 4 + "|", *costs, "",
            "Refusals:", "", *(f"{number}. {text.strip().splitlines()[0]}" for text, number in notes.items()), "",
        ]
    )  # fmt: skip


def main() -> None:
    """Run models, or write the page."""
    if sys.argv[1:] == ["--page"]:
        records.section(PAGE, page(), "python benchmarks/models60.py")
        return
    signal.signal(signal.SIGPROF, _ring)
    for name in sys.argv[1:] or NAMES:
        with LINES.open("a") as lines:
            lines.write(json.dumps(Routes(name).run()) + "\n")


def _ring(*_: object) -> None:
    raise Slow


if __name__ == "__main__":
    main()

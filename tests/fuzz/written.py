"""Valid files of each kind that fields read or halfpoint writes, and their readers.

Making them takes seconds, so they are made on request. If a run has several files, the damaged file replaces one of
them, and the run is read.
"""

import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "apps" / "fields" / "bridge"))
sys.path.insert(0, str(Path(__file__).parent))
from costly_packed import ROWS, workbook
from made import HEADER, MADE_UP, match_of_records, traveller

from halfpoint.apps import workflows
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.races.read import read_races
from halfpoint.apps.study.page import report
from halfpoint.apps.study.run.run_study import run_study
from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.backtest_run import tuned_before, tuned_mark, tuned_path
from halfpoint.apps.workflows.calibration import Part
from halfpoint.apps.workflows.options import Trial
from halfpoint.evaluation.protocol import Choice
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.inference.traces.netcdf import write as write_trace
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.models.games.array_files import write_arrays
from halfpoint.models.games.atomic_write import write_json
from halfpoint.models.games.result_record import RECORD
from halfpoint.models.games.results import results
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.readers.cells import cells_of, expand_cells, write_cells
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import system
from halfpoint.systems.rating_state import RatingState

OF_A_STUDY = {
    name.rpartition("/")[2]: name for name in ("summary.json", "tables/predictive.csv", "figures/figures.json")
}
SHARE = {
    "trace.nc": 8,
    "battles.jsonl": 4,
    "games.xlsx": 20,
    **dict.fromkeys(OF_A_STUDY, 40),
}  # these are slow: so many times fewer
KINDS = ["trace.nc", "rolled.npz", "ranks.npz", "tuned.json", "choice.json", "record.json", *OF_A_STUDY]
KINDS += ["battles.jsonl", "deals.csv", "deals.pbn", "deals.lin", "stints.csv", "races.csv"]
KINDS += ["games.xlsx", "games.html", "games.sgf", "games.xml", "elo.json", "cells.parquet"]
BOARDS = [(1, "None", ("4S", "N", 10), ("4S", "N", 9)), (3, "EW", ("3NT", "W", 9), ("2HX", "S", 7))]
RACES = "race,date,driver,place\n" + "".join(
    f"R{k},2024-0{k}-01,{name},{place}\n"
    for k in range(1, 7)
    for name, place in zip("ABCD", ("1", "2=", "2=", "DNF"), strict=True)
)
STINTS = "off1,off2,def1,def2,points,game\n" + "".join(f"A,B{k % 3},C,D{k % 4},{k % 3},{k // 3}\n" for k in range(12))
TEXTS = {
    "deals.csv": "\n".join([HEADER, *traveller([420, 400, -50, 450])]) + "\n",
    "deals.pbn": match_of_records(BOARDS),
    "deals.lin": MADE_UP,
    "stints.csv": STINTS,
    "races.csv": RACES,
    "games.html": "<!-- club --><html><table><tr><th>white<th>black<th>result</tr>"
    + "".join(f"<tr><td>Ann<td colspan='1'>Bob{k}</td><td>1-0</td></tr>" for k in range(6))
    + "</table></html>",
    "games.sgf": "".join(f"(;GM[1]PB[Ann]PW[Bob {k}]RE[B+R]C[a \\] b];B[aa])\n" for k in range(6)),
    "games.xml": '<?xml version="1.0"?><Tournament><Players><Player name="Ann" firstName="A" rating="1500"/>'
    '<Player name="Bob" firstName="B" rating="1400"/></Players><Games>'
    + "".join(
        f'<Game roundNumber="{k}" whitePlayer="ANNA" blackPlayer="BOBB" result="RESULT_WHITEWINS"/>'
        for k in range(1, 5)
    )
    + "</Games></Tournament>",
}
ELO = system("elo")


@cache
def scratch():
    """Folder of this process, removed at its end."""
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


@cache
def plan():
    """Backtest of games of four players."""
    truth = Truth(np.array(["Ann", "Bo", "Cy", "Di"]), np.array([15.0, 15.4, 14.8, 15.1]), 0.2)
    games = simulate(truth, round_robin(4, 6), 1)
    return BacktestPlan(games, 3, {}, "all", games.players, scratch() / "backtest")


def elo():
    """Elo as built by a backtest."""
    return ELO.build(ELO.start)


def ranks():
    """Part of a calibration."""
    return Part(scratch(), "bt-common", Trial(20, 1), 0, 20)


def make(kind, path):
    """Write the valid file of a kind."""
    games = plan().games
    if kind in TEXTS:
        path.write_text(TEXTS[kind], encoding="utf-8")
    elif kind == "battles.jsonl":
        simulate_arena(models=4, battles=30, judges=3).battles.to_json(path, orient="records", lines=True)
    elif kind == "games.xlsx":
        workbook(path, ROWS)
    elif kind == "elo.json":
        RatingState("elo").learned(games).save(path)
    elif kind == "cells.parquet":
        write_cells(cells_of(games), path, simulated=True)
    elif kind == "trace.nc":
        chosen = select(games, games.players, "both")
        write_trace(workflows.fit(chosen, "bt-common", method="normal", draws=20, chains=2), path)
    elif kind == "rolled.npz":
        roll(games, elo(), path, "x")
    elif kind == "ranks.npz":
        about = {"mark": np.asarray(ranks().mark), "draws": np.asarray(9), "divergences": np.asarray(0)}
        about["normal"] = np.zeros(20, dtype=np.bool_)
        write_arrays(path, about | {"rank/advantage": np.arange(20) % 10})
    elif kind == "tuned.json":
        write_json({"fingerprint": tuned_mark(plan(), ELO), "settings": dict(ELO.start), "loss": 0.5, "tried": 3}, path)
    elif kind == "choice.json":
        Choice.of(LISTED, "listed-full", test={"file": "x", "sha256": "0"}).write(path)
    elif kind == "record.json":
        with results(scratch() / "recorded", "x") as place:
            place.text("a.csv", "1\n")
        shutil.copy(scratch() / "recorded" / RECORD, path)
    else:
        folder = scratch() / "study"
        if not folder.exists():
            run_study(folder, models=("bt-common",), replica=True, draws=20, tune=20, chains=2)
        shutil.copy(folder / OF_A_STUDY[kind], path)


@cache
def sound(kind):
    """Bytes of the valid file of a kind."""
    path = scratch() / f"sound-{kind}"
    make(kind, path)
    return path.read_bytes()


def read_back(kind, path):
    """Read a file by its usual reader; True if it is accepted as valid."""
    if kind in OF_A_STUDY:
        sound(kind)
        here = scratch() / "study" / OF_A_STUDY[kind]
        shutil.copy(path, here)
        try:
            report(scratch() / "study", scratch() / "page.html")
        finally:
            here.write_bytes(sound(kind))
    elif kind == "rolled.npz":
        shutil.copy(path, scratch() / "rolled.npz")  # beside which its seconds are written
        roll(plan().games, elo(), scratch() / "rolled.npz", "x")
    elif kind == "ranks.npz":
        shutil.copy(path, ranks().path)
        return ranks().is_finished() and ranks().ranks() is not None
    elif kind == "tuned.json":
        tuned_path(plan(), ELO).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tuned_path(plan(), ELO))
        found = tuned_before(plan(), ELO)
        return found is not None and ELO.build(found.settings) is not None
    elif kind == "record.json":
        sound(kind)
        folder = scratch() / "recorded"
        for name in (RECORD, ".halfpoint.next"):
            shutil.copy(path, folder / name)
        with results(folder, "x", force=True) as place:
            place.text("a.csv", "1\n")
        assert [one.name for one in sorted(folder.iterdir())] == [RECORD, "a.csv"]
    else:
        readers = {"trace.nc": read_trace, "choice.json": Choice.from_file}
        readers |= {"stints.csv": read_lineups, "races.csv": read_races}
        readers |= dict.fromkeys(("games.xlsx", "games.html", "games.sgf", "games.xml"), read)
        readers |= {"elo.json": RatingState.read, "cells.parquet": lambda one: expand_cells([one])}
        readers |= {"battles.jsonl": lambda one: read_judgements(one, kind="jsonl")}
        readers |= {f"deals.{end}": lambda one, end=end: read_results(one, kind=end) for end in ("csv", "pbn", "lin")}
        readers[kind](path)
    return True

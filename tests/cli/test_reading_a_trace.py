"""What only reads a trace imports no sampler, no compiler and no figures; each command in a fresh process."""

import subprocess
import sys

import pytest

import halfpoint as hp
from halfpoint.inference.traces import write

HEAVY = ("pymc", "pytensor", "nutpie", "numba", "matplotlib.pyplot")
CALL = f"""
import sys
sys.argv = ["halfpoint", *sys.argv[1:]]
from halfpoint.cli import main
try:
    main()
finally:
    print("loaded", *({set(HEAVY)!r} & set(sys.modules)), file=sys.stderr)
"""
COMMANDS = {
    "match": ("match", "trace.nc", "Player 1", "Player 2"),
    "rank": ("rank", "trace.nc"),
    "summary": ("summary", "trace.nc"),
    "compare": ("compare", "trace.nc", "trace.nc"),
    "tournament": ("tournament", "trace.nc", "players.txt", "--double", "--tie-break", "buchholz"),
    "knockout": ("tournament", "trace.nc", "players.txt", "--format", "knockout"),
    "two players": ("forecast", "trace.nc", "--white", "Player 1", "--black", "Player 2"),
    "games to come": ("forecast", "trace.nc", "games.pgn"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trace")
    table, _ = hp.simulate(place / "games.pgn", games=200, players=4, seed=1)
    declared = hp.declare("davidson-population", hp.select(table, table.players, "both"))
    write(hp.sample(declared, draws=100, tune=200, chains=2, seed=1), place / "trace.nc")
    (place / "players.txt").write_text("".join(f"Player {k}\n" for k in range(1, 5)), encoding="utf-8")
    return place


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_only_reads_a_trace_imports_no_sampler(folder, name):
    words = [sys.executable, "-c", CALL, *COMMANDS[name]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr  # 3: chains as short as these have not converged
    assert done.stderr.splitlines()[-1] == "loaded"


def test_bridge_is_scored_without_a_sampler(tmp_path):
    hp.fields.bridge.bridge_simulate(tmp_path / "results.csv", players=8, sessions=1, boards=4, seed=1)
    words = [sys.executable, "-c", CALL, "bridge", "score", "results.csv"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not {"pymc", "pytensor", "nutpie", "matplotlib.pyplot"} & set(done.stderr.splitlines()[-1].split())

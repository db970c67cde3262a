"""Commands that read a trace import no sampler, compiler or figures; all run in one process."""

import json
import subprocess
import sys

import pytest

import halfpoint as hp
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import write

OF_SIDES = ("scipy.sparse",)  # of sums that are a model's sides
OF_SOME = ("scipy.special", "scipy.sparse", "polars")  # of Student's t, of line-ups and of games in a file
HEAVY = (
    *("pymc", "pytensor", "nutpie", "numba", "matplotlib.pyplot", "arviz", "arviz_stats", "jax"),
    *("dask", "distributed"),  # which xarray imports wherever they are installed
    *("scipy.stats", "scipy.optimize", *OF_SOME),
)
CALL = f"""
import json, sys
from halfpoint.apps.cli.app import main
found = {{}}
for name, words in json.loads(sys.argv[1]).items():
    sys.argv = ["halfpoint", *words]
    try:
        main()
    except SystemExit as end:
        found[name] = [end.code or 0, *({set(HEAVY)!r} & set(sys.modules))]
print(json.dumps(found), file=sys.stderr)
"""
FEW = ("--simulations", "200")
COMMANDS = {
    "match": ("match", "trace.nc", "Player 1", "Player 2"),
    "rank": ("rank", "trace.nc"),
    "summary": ("summary", "trace.nc"),
    "tournament": ("tournament", "trace.nc", "players.txt", "--double", "--tie-break", "buchholz", *FEW),
    "knockout": ("tournament", "trace.nc", "players.txt", "--format", "knockout", *FEW),
    "compare": ("compare", "trace.nc", "trace.nc"),  # from here on OF_SOME
    "two players": ("forecast", "trace.nc", "--white", "Player 1", "--black", "Player 2"),
    "games to come": ("forecast", "trace.nc", "games.pgn"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trace")
    table, _ = hp.simulate(place / "games.pgn", games=200, players=4, seed=1)
    declared = hp.declare("davidson-population", hp.select(table, table.players, "both"))
    write(fit(declared, "normal", draws=200, chains=2, seed=1), place / "trace.nc")
    (place / "players.txt").write_text("".join(f"Player {k}\n" for k in range(1, 5)), encoding="utf-8")
    (place / "teams.csv").write_text("team,player\n" + "".join(f"{k % 2},Player {k}\n" for k in range(1, 5)))
    return place


def loaded(folder, commands):
    """Exit code of each command and the heavy modules loaded after it."""
    words = [sys.executable, "-c", CALL, json.dumps(commands)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


@pytest.fixture(scope="module")
def answers(folder):
    """Modules loaded by each command, one after the other in one process, bridge last."""
    hp.fields.bridge.bridge_simulate(folder / "results.csv", players=8, sessions=1, boards=4, seed=1)
    return loaded(folder, COMMANDS | {"bridge": ("bridge", "score", "results.csv")})


def test_commands_that_only_read_a_trace_import_no_sampler(answers):
    assert list(answers) == [*COMMANDS, "bridge"]
    for name in COMMANDS:
        code, *heavy = answers[name]
        needed = OF_SOME if name in ("compare", "two players", "games to come") else OF_SIDES
        # 3: draws as few as these are approximate
        assert (code in (0, 3), set(heavy) - {*needed}) == (True, set()), name


def test_bridge_is_scored_without_a_sampler(answers):
    code, *heavy = answers["bridge"]
    assert code == 0
    assert not {"pymc", "pytensor", "nutpie", "matplotlib.pyplot", "arviz"} & set(heavy)

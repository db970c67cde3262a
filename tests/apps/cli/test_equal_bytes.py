"""Two runs with one seed write and print the same bytes, in any folder and for any hash seed, except seconds."""

import json
import shutil

import pytest
from json_cases import cases
from zygote import Zygote

from halfpoint.models.games.result_record import TIMING

DONE = (0, 3)  # 3: too short a run to converge
# of unlike ways to answer: games, tables of a trace, a folder, draws; `make slow` runs all
QUICK = ("cells", "leaderboard", "bridge score", "rank")


@pytest.fixture(scope="module")
def other():
    """Second server, with another hash seed."""
    server = Zygote(PYTHONHASHSEED="7")
    yield server
    server.close()


@pytest.fixture
def twice(inputs, tmp_path, zygote, other):
    """Function: arguments -> exit code, output and files by name, of two runs in two processes and folders."""

    def run(words, study=False):
        found = []
        for name, server in (("here", zygote), ("elsewhere", other)):
            folder = tmp_path / name
            shutil.copytree(inputs, folder / "inputs")
            (folder / "run").mkdir()
            if study:
                few = ("--draws", "60", "--tune", "60", "--chains", "2", "--quiet")
                server.run(["study", "--replica", "--models", "bt-common", "--out", "inputs/study", *few], folder)
            before = set(folder.rglob("*"))
            code, out, errors, _ = server.run(words, folder)
            assert code in (1, *DONE), errors
            paths = [path for path in folder.rglob("*") if path.is_file() and path not in before]
            found.append((code, out, {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}))
        return found

    return run


CASES = [
    pytest.param(*one, marks=[pytest.mark.slow] * (one[0] not in QUICK), id=f"{one[0]}-{number}")
    for number, one in enumerate([*cases(), *cases(slow=True)])
]


@pytest.mark.further
@pytest.mark.parametrize(("name", "words"), CASES)
def test_files_and_records_are_equal(name, words, twice):
    (code, out, files), (code_there, out_there, files_there) = twice((*words, "--json"), name == "report")
    assert code == code_there
    assert files.keys() == files_there.keys()
    unequal = [path for path in files if files[path] != files_there[path]]
    assert [path for path in unequal if not path.endswith((f"/{TIMING}", f".{TIMING}"))] == []
    assert out == out_there
    if name == "backtest":
        timing = json.loads(files[f"run/{TIMING}"])["systems"]
        assert {row["system"] for row in timing} == {"elo"}
        assert min(row["seconds_per_1000_games"] for row in timing) > 0.0

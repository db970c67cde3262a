"""Traces, states and choices that name code: no command runs it."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import h5py
import pytest
from earlier_traces import COMMANDS, GAMES, PAIR, unpacked
from few_cases import few

import halfpoint as hp
from halfpoint.models.declaration.fingerprint import fingerprint
from halfpoint.models.declaration.record import model_of
from halfpoint.models.games.errors import HalfpointError
from halfpoint.systems.rating_state import RatingState


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Folder with a trace of a population, games and players."""
    folder = tmp_path_factory.mktemp("hostile")
    unpacked("6-split", folder)
    (folder / "games.csv").write_text(GAMES)
    (folder / "players.txt").write_text("Ann\nBo\nCy\nDee\n")
    return folder


def hostile(place, path, function, keywords, family="unknown"):
    """Copy of the trace whose record names a function, with its true hash and keywords."""
    shutil.copy(place / "6-split.nc", path)
    with h5py.File(path, "r+") as file:
        record = json.loads(file.attrs["model_record"])
        where = {"place": f"{function.__module__}:{function.__qualname__}", "sha256": fingerprint(function)}
        file.attrs["model_record"] = json.dumps(record | {"function": where, "keywords": keywords})
        file.attrs["model_worth"] = ""
        file.attrs["family"] = family
    return path


def marks(games, path):
    """Function of a loaded module that was not given as a model; a call writes a file."""
    Path(path).touch()


@pytest.fixture
def payloads(place, tmp_path, monkeypatch):
    """Traces that would write a file, and the file."""
    sentinel, module = tmp_path / "ran", ModuleType("loaded_elsewhere")
    module.marks = marks
    monkeypatch.setitem(sys.modules, "loaded_elsewhere", module)
    shell = {"file": "/bin/sh", "args": ["sh", "-c", f"echo ran >> {sentinel}"]}
    traces = [
        hostile(place, tmp_path / f"{family}-{function.__name__}.nc", function, keywords, family)
        for function, keywords in ((os.spawnv, shell), (marks, {"path": str(sentinel)}))
        for family in ("unknown", "davidson")
    ]
    return traces, sentinel


@pytest.mark.cases(3)
@pytest.mark.parametrize("command", few(COMMANDS, 5))
def test_no_command_runs_what_a_trace_names(place, payloads, halfpoint, tmp_path, command):
    traces, sentinel = payloads
    words = {"games": place / "games.csv", "players": place / "players.txt", "out": tmp_path / "out"}
    for trace in traces[::3]:
        code, _, error = halfpoint(*(word.format(trace=trace, **words) for word in COMMANDS[command]))
        assert not sentinel.exists(), trace.name
        assert code in (0, 2, 3), error
        assert "Traceback" not in error


def test_no_function_runs_what_a_trace_names(place, payloads):
    """Functions without a command; of each function one trace, the families in turn."""
    traces, sentinel = payloads
    for trace in traces[::3]:
        for call in (
            lambda tree: hp.update(tree, place / "games.csv"),
            lambda tree: hp.workflows.season(tree, place / "games.csv"),
            hp.with_predictive,
            lambda tree: hp.rank(hp.open(tree, data_only=True)),
        ):
            with suppress(HalfpointError):
                call(trace)
            assert not sentinel.exists(), trace.name


def test_a_process_of_its_own_runs_nothing_either(payloads):
    traces, sentinel = payloads
    script = Path(sys.executable).parent / "halfpoint"
    done = subprocess.run([script, "match", traces[0], *PAIR], capture_output=True, text=True)
    assert done.returncode == 2
    assert "the function 'spawnv' of os:spawnv is missing. Pass it again: --model FILE.py:NAME" in done.stderr
    assert not sentinel.exists()


def test_the_payload_would_run_if_the_function_were_a_model(payloads):
    from halfpoint.models.language.model import Model

    traces, sentinel = payloads
    model = Model("given", marks, {"path": str(sentinel)})
    with h5py.File(traces[2]) as file:
        found = model_of(json.loads(file.attrs["model_record"]))
    assert found.function is marks
    with pytest.raises(HalfpointError, match="expected a function that returns its"):
        found.run(None)
    assert sentinel.exists()
    del model


@pytest.mark.parametrize("name", ["os:system", "halfpoint.systems.elo.Elo", "elo.Elo", "mine.py:system", "__import__"])
def test_a_state_names_a_system_of_the_catalogue(name):
    record = json.loads(RatingState("elo").json())
    refused = pytest.raises(HalfpointError, match="expected a rating state as JSON, found other text")
    with refused:
        RatingState.of_json(json.dumps(record | {"system": name}))
    for numbers in ({"build": "os:system"}, {"newcomer": 3.0}):
        with refused:
            RatingState.of_json(json.dumps(record | {"numbers": numbers}))
    for dtype in ("O", "V8", [["f", "O"]]):
        state = {"rating": {"dtype": dtype, "shape": [1], "values": [1.0]}}
        with refused:
            RatingState.of_json(json.dumps(record | {"state": state}))

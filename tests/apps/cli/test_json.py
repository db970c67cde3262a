"""Every command with `--json`, for each exit code, valid by its schema; `-` for standard input and output."""

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
import typer
from json_cases import DRAWN, FURTHER, SAMPLED, SLOW, WRONG, cases
from json_records import SCHEMAS, record_in, strict_validator, validator
from writing_commands import GAMES, TRACE, WRITING

from halfpoint.apps.cli.app import COMMANDS, application
from halfpoint.apps.workflows.answer import as_csv, as_json_text
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.readers.read import read

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"]


def names():
    """Each command and each of its options by name."""
    for name in COMMANDS:
        command = typer.main.get_command(application([name])).commands[name]
        for part, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {part}".strip(), {word for given in one.params for word in given.opts}


def test_every_command_has_json_and_a_schema():
    found = dict(names())
    assert [name for name, options in found.items() if "--json" not in options] == []
    files = {path.name.partition(".")[0] for path in SCHEMAS.glob("*.v1.json")}
    assert files == {name.replace(" ", "-") for name in found} | {"error"}
    for path in SCHEMAS.glob("*.json"):
        one = validator(f"halfpoint.{path.name.removesuffix('.json')}").schema
        assert one["title"] == f"halfpoint.{path.name.removesuffix('.json')}"
    tried = {name.partition(",")[0] for name in (*WRITING, *FURTHER, *SLOW)} | {"data fetch"}
    assert tried >= found.keys()


@pytest.mark.cases(3)
@pytest.mark.parametrize(("name", "words"), [pytest.param(*one, id=f"{one[0]}-{k}") for k, one in enumerate(cases())])
def test_an_answer_is_as_its_schema_says(name, words, place, zygote):
    code, out, errors, _ = zygote.run([*words, "--json"], place)
    assert code in (0, 3), errors
    record = record_in(out, code, strict_validator)
    assert record["schema"] == f"halfpoint.{name.partition(',')[0].replace(' ', '-')}.v1"
    assert record["status"]["code"] in ("ok", *SAMPLED)
    if "converged" in record:
        assert record["status"]["code"] in (("converged", "approximate") if record["converged"] else SAMPLED[:2])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"), [pytest.param(*one, id=f"{one[0]}-{k}") for k, one in enumerate(cases(slow=True))]
)
def test_an_answer_that_takes_long_is_as_its_schema_says(name, words, place, zygote):
    if name == "report":
        study = ["study", "--replica", "--models", "bt-common", "--out", "inputs/study"]
        assert zygote.run([*study, *DRAWN], place)[0] in (0, 3)
    code, out, errors, _ = zygote.run([*words, "--json"], place)
    assert code in (0, 1, 3), errors
    record_in(out, code)


def test_draws_that_did_not_converge_are_named_by_code(place, zygote):
    words = ["fit", GAMES, "--model", "davidson-common", "--method", "nuts", "--out", "x.nc", "--quiet"]
    code, out, errors, _ = zygote.run([*words, "--draws", "20", "--tune", "1", "--chains", "2", "--json"], place)
    assert code == 3, errors
    assert record_in(out, code)["status"]["code"] == "not-converged"
    code, out, _, _ = zygote.run(["rank", "x.nc", "--json"], place)
    assert (code, record_in(out, code)["status"]["code"]) == (3, "not-converged")


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_a_record_and_a_line(name, place, zygote):
    code, out, errors, _ = zygote.run([*WRONG[name], "--json"], place)
    record = record_in(out, code)
    assert code == 2
    assert errors == f"halfpoint: {record['message']}\n"
    wanted = {"usage": "usage", "option": "usage", "games": "game-table", "model": "model", "missing": "inference"}
    assert record["status"]["code"] == wanted.get(name, "input")
    if name == "games":
        assert record["where"] == "inputs/players.txt"


def test_a_command_that_is_stopped_says_so(place):
    words = [*WRITING["rate"].words, "--draws", "5000", "--method", "nuts", "--json"]
    one = subprocess.Popen([*COMMAND, *words], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (place / "run" / ".halfpoint.lock").exists():
        assert one.poll() is None
        time.sleep(0.01)
    one.send_signal(signal.SIGTERM)
    out, _ = one.communicate(timeout=600)
    assert one.returncode == 143
    assert record_in(out, 143)["status"]["code"] == "stopped"


def piped(place, words, given=b""):
    """Exit code, output and errors of a command with bytes on standard input."""
    done = subprocess.run([*COMMAND, *words], cwd=place, input=given, capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.slow
def test_standard_input_and_output_are_a_dash(place):
    code, games, errors = piped(place, ["simulate", "-", "--games", "160", "--players", "8"])
    assert (code, errors) == (0, "")
    (place / "mine.pgn").write_bytes(games)
    table, same = read(place / "mine.pgn"), read(place / GAMES)
    assert (table.score == same.score).all()
    assert table.simulated
    fit = ["fit", "-", "--model", "davidson-common", "--method", "normal", "--out", "-"]
    code, trace, errors = piped(place, fit, games)
    assert code == 0, errors
    (place / "mine.nc").write_bytes(trace)
    drawn, other = (read_trace(place / name)["posterior"]["rating_elo"] for name in ("mine.nc", TRACE))
    assert drawn.equals(other)
    code, rows, errors = piped(place, ["rank", "-", "--out", "-"], trace)
    assert (code, errors) == (0, "")
    listed = pl.read_csv(io.BytesIO(rows))
    assert listed["rank"].to_list() == list(range(1, 9))
    code, out, errors = piped(place, ["rank", "-", "--json"], trace)
    assert [row["player"] for row in record_in(out, code)["rows"]] == listed["player"].to_list()
    assert not {path.name for path in place.iterdir()} - {"inputs", "run", "mine.pgn", "mine.nc"}


def test_standard_input_is_named_so_and_read_once(place, zygote):
    code, _, errors, _ = zygote.run(["rank", "-"], place, given=b"nothing")
    assert code == 2
    assert errors.startswith("halfpoint: standard input: expected a NetCDF trace")
    code, out, errors, _ = zygote.run(["compare", "-", "-", "--json"], place, given=b"nothing")
    assert record_in(out, 2)["found"] == "2 times", errors
    code, _, errors, _ = zygote.run(["rate", GAMES, "--out", "-"], place)
    assert (code, errors.count("\n")) == (2, 1)
    assert not (place / "-").exists()


def test_numbers_are_whole_in_every_file():
    frame = pl.DataFrame({"name": ["=1+1", "-x", "-10.57", "+1e-3", "-1+cmd|' /C calc'!A0"]}).to_pandas()
    lines = as_csv(frame.assign(value=[-10.57, 1 / 3, 2e-300, -0.1, 1e22])).splitlines()[1:]
    assert [line.partition(",")[0] for line in lines[:4]] == ["'=1+1", "'-x", "-10.57", "+1e-3"]
    assert [float(line.rpartition(",")[2]) for line in lines] == [-10.57, 1 / 3, 2e-300, -0.1, 1e22]
    assert lines[4].startswith("'-1+cmd")
    record = json.loads(as_json_text({"a": [1 / 3, float("nan")], "b": {"c": float("inf"), "d": 2e-300}}))
    assert record == {"a": [1 / 3, None], "b": {"c": None, "d": 2e-300}}


def test_schemas_are_in_the_reference():
    page = (Path(__file__).parents[3] / "docs" / "traces.md").read_text(encoding="utf-8")
    assert [path.name for path in SCHEMAS.glob("*.json") if f"`{path.name}`" not in page] == []

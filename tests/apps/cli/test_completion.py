"""Help and completion come from the commands: without a library of numbers, at the width of the terminal."""

import os
import resource
import subprocess
import sys

import h5py
import pytest

from halfpoint.apps.cli.app import COMMANDS
from halfpoint.apps.cli.completion import completer_of
from halfpoint.models.declaration.catalogue import CATALOGUE
from halfpoint.systems.catalogue import SYSTEMS

COMMAND = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"
HEAVY = (
    "import sys; print([one for one in ('numpy', 'pandas', 'pymc', 'xarray') if one in sys.modules], file=sys.stderr)"
)


def run(*words, **variables):
    """Exit code, output and errors of a command in a process of its own, which reports the libraries it imported."""
    code = f"import atexit; atexit.register(lambda: exec({HEAVY!r})); {COMMAND}"
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | variables
    made = subprocess.run([sys.executable, "-c", code, *words], env=env, capture_output=True, text=True, check=False)
    return made.returncode, made.stdout, made.stderr


def complete(*words, begun=""):
    """Completions of a begun word after others."""
    line = " ".join(["halfpoint", *words, begun])
    return run(_HALFPOINT_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) + 1))


def test_both_options_of_the_help_print_it_at_the_width_of_the_terminal_without_numpy():
    long, short, wide = run("mle", "--help"), run("mle", "-h"), run("mle", "--help", COLUMNS="150")
    assert long[0] == 0
    assert long == short
    assert "--reference" in long[1]
    assert long[2].strip() == "[]"
    assert max(map(len, wide[1].splitlines())) == 150
    assert max(map(len, long[1].splitlines())) == 80


def test_the_help_is_printed_whatever_else_is_typed():
    plain = run("mle", "--help")
    assert run("mle", "games.csv", "--nothing", "--help") == plain
    below = run("bridge", "score", "--help")
    assert "halfpoint bridge score [OPTIONS]" in below[1]
    assert run("bridge", "--help", "score")[1] != below[1]


@pytest.mark.parametrize("words", [("mle", "--nothing"), ("bridge", "nothing", "--help"), ("nothing", "--help")])
def test_a_mistake_is_still_told_in_a_line(words):
    code, _, error = run(*words)
    assert code == 2
    assert error.startswith("halfpoint: No such ")


def test_tab_completes_options_and_models_without_numpy():
    code, out, error = complete("mle", begun="--mo")
    assert (code, out.split(), error.strip()) == (0, ["--model"], "[]")
    code, out, error = complete("mle", "--model", begun="bt-com")
    assert (code, error.strip()) == (0, "[]")
    assert out.split() == [name for name in CATALOGUE if name.startswith("bt-com")]


def test_tab_completes_players_of_the_trace(tmp_path):
    with h5py.File(tmp_path / "trace.nc", "w") as file:
        file["posterior/player"] = [b"Carlsen", b"Caruana", b"Nakamura"]
    code, out, _ = complete("match", str(tmp_path), begun="Car")
    assert (code, out.split()) == (0, ["Carlsen", "Caruana"])


@pytest.mark.parametrize("players", [3, [b"\xff", b"Ann"], None, "text", "too long"])
def test_tab_completes_nothing_from_a_trace_without_names(tmp_path, monkeypatch, players):
    path = tmp_path / "trace.nc"
    if players == "text":
        path.write_text("no HDF5", encoding="utf-8")
    elif players != "too long":
        with h5py.File(path, "w") as file:
            group = file.create_group("posterior")
            if players is None:
                group.create_group("player")
            else:
                group["player"] = players
    word = f"{'x' * 5000}.nc" if players == "too long" else str(path)
    monkeypatch.setenv("COMP_WORDS", f"halfpoint match {word} ")
    assert completer_of("first")("") == []


@pytest.mark.parametrize(("option", "catalogue"), [("models", CATALOGUE), ("system", SYSTEMS)])
def test_the_names_that_complete_are_those_of_the_catalogues(option, catalogue):
    assert completer_of(option)("") == list(catalogue)


def test_files_and_numbers_have_no_completion_of_names():
    assert completer_of("out") is completer_of("draws") is None


def test_the_help_of_any_command_takes_a_part_of_a_second():
    for name in ("rate", "study", "leaderboard"):
        seconds = []
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            assert run(name, "--help")[0] == 0
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert min(seconds) < 0.6


def test_no_command_brings_a_library_of_numbers_before_it_has_something_to_do():
    code = (
        "import sys\nfrom halfpoint.apps.cli.app import COMMANDS\n"
        "for name in COMMANDS:\n    COMMANDS[name]\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {COMMANDS.entry(name).module for name in COMMANDS} <= loaded
    assert not {"numpy", "pandas", "polars", "scipy", "numba", "xarray", "h5py", "pymc", "matplotlib"} & loaded

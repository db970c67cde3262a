"""Cached help and completion: equal to fresh ones, without a sampler, invalidated by changes of the source."""

import os
import subprocess
import sys

import pytest

COMMAND = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"
HEAVY = (
    "import sys; print([one for one in ('numpy', 'pandas', 'pymc', 'xarray') if one in sys.modules], file=sys.stderr)"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Function: arguments, variables -> exit code, output and errors of a process, with a cache for this module."""
    place = tmp_path_factory.mktemp("cache")

    def ran(*words, **variables):
        code = f"import atexit; atexit.register(lambda: exec({HEAVY!r})); {COMMAND}"
        env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        env |= {"XDG_CACHE_HOME": str(place / "cache"), "HOME": str(place)} | variables
        made = subprocess.run(
            [sys.executable, "-c", code, *words], env=env, capture_output=True, text=True, check=False
        )
        return made.returncode, made.stdout, made.stderr

    return ran


@pytest.fixture(scope="module")
def first(run):
    """Output of the first command."""
    return run("mle", "--help")


def test_help_is_the_same_the_second_time_and_imports_no_sampler(run, first):
    again, short = run("mle", "--help"), run("mle", "-h")
    assert first[0] == again[0] == 0
    assert first[1] == again[1] == short[1]
    assert "--reference" in first[1]
    assert "numpy" in first[2]
    assert again[2].strip() == "[]"
    wide = run("mle", "--help", COLUMNS="150")
    assert max(map(len, wide[1].splitlines())) > max(map(len, first[1].splitlines()))


def test_tab_completes_options_and_models_without_a_sampler(run, first):
    assert first[0] == 0
    words = {"_HALFPOINT_COMPLETE": "complete_bash", "COMP_CWORD": "2"}
    code, out, error = run(**words, COMP_WORDS="halfpoint mle --mo")
    assert (code, out.split(), error.strip()) == (0, ["--model"], "[]")
    code, out, _ = run(**words | {"COMP_CWORD": "3"}, COMP_WORDS="halfpoint mle --model bt-com")
    assert "bt-common" in out.split()


def test_a_mistake_is_still_told_in_a_line(run, first):
    assert first[0] == 0
    code, _, error = run("mle", "--nothing")
    assert code == 2
    assert error.startswith("halfpoint: ")

"""Commands in environments with missing, full, damaged or unusual parts: correct results or one clear line."""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from few_cases import few

COMMAND = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"
FIRST_LOOP = """
import numba
import numpy as np
from halfpoint.inference.loops.vector_arithmetic import kept
def add(values):
    total = 0.0
    for value in values:
        total += value
    return total
print(kept(numba.njit, add)(np.arange(5.0)))
"""
WITHOUT_RIGHTS = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: root without them minds the modes of files
DROP_BOUND = 24  # PR_CAPBSET_DROP


def run(
    *words, code=COMMAND, flags=(), folder=None, limit=None, addresses=None, ordinary=False, out=subprocess.PIPE,
    **environment,
):  # fmt: skip
    """Run a command in a child; return exit code, standard output and standard error."""

    def surround():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if addresses is not None:
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
        if ordinary and os.geteuid() == 0:
            for right in WITHOUT_RIGHTS:
                ctypes.CDLL(None).prctl(DROP_BOUND, right, 0, 0, 0)

    done = subprocess.run(
        [sys.executable, *flags, "-c", code, *map(str, words)],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=out,
        stderr=subprocess.PIPE,
        preexec_fn=surround,
        timeout=300,
        check=False,
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def told(answer, text):
    """Check that a command ended with code 2 and one line with a text."""
    code, out, errors = answer
    assert (code, out) == (2, ""), errors
    assert errors.startswith("halfpoint: ")
    assert errors.count("\n") == 1
    assert text in errors


def test_a_disk_that_is_full_is_told_and_leaves_the_file_of_before(tmp_path, halfpoint):
    assert halfpoint("simulate", tmp_path / "games.pgn", "--games", "100")[0] == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    answer = run("simulate", "games.pgn", "--games", "5000", "--seed", "2", folder=tmp_path, limit=100_000)
    told(answer, "games.pgn: expected a place to write, found File too large. Choose another folder.")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_an_output_that_is_full_is_told(tmp_path):
    with Path("/dev/full").open("w") as full:
        told(run("models", "bt", out=full), "output: cannot be written: No space left on device.")


@pytest.mark.further
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_an_output_that_is_full_is_no_fault_of_the_folder_of_results(tmp_path, halfpoint):
    assert halfpoint("simulate", tmp_path / "games.pgn", "--games", "100")[0] == 0
    words = ("backtest", "games.pgn", "--systems", "elo", "--every", "week", "--out", "run")
    with Path("/dev/full").open("w") as full:
        answer = run(*words, folder=tmp_path, out=full)
        told(answer, "output: cannot be written: No space left on device. The finished fits are kept in")
        assert run("models", "nobody", out=full, code=f"import os; os.dup2(1, 2); {COMMAND}")[0] == 2


@pytest.mark.parametrize("addresses", few([0.8e9, 1.3e9, 1.6e9], 2))
def test_a_limit_on_addresses_that_libraries_do_not_survive_is_told(tmp_path, addresses):
    answer = run("rate", "none.pgn", "--out", "run", folder=tmp_path, addresses=int(addresses))
    told(answer, "memory: expected 1.7 GB of addresses for libraries, found ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("NUMBA_DISABLE_JIT", "1"), ("OMP_NUM_THREADS", "x"), ("POLARS_MAX_THREADS", "0"), ("NUMBA_NUM_THREADS", "-3")],
)
def test_variables_that_end_libraries_in_a_traceback_are_told(name, value):
    told(run("models", **{name: value}), f"{name}: expected ")


@pytest.mark.further
def test_variables_that_are_empty_or_of_a_screen_change_nothing(tmp_path, halfpoint):
    assert halfpoint("simulate", tmp_path / "games.pgn", "--games", "100", "--players", "2")[0] == 0
    environment = {"OMP_NUM_THREADS": "", "POLARS_MAX_THREADS": "2", "NUMBA_DISABLE_JIT": "0", "MPLBACKEND": "nonsense"}
    code, _, errors = run("sprt", "games.pgn", "--out", "match.html", folder=tmp_path, **environment)
    assert (code, errors) == (0, "")


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o555)
    told(
        run("simulate", shut / "games.pgn", ordinary=True),
        "games.pgn: expected a file in a folder to write to, found Permission denied. Choose another OUT.",
    )
    told(
        run("rate", "none.pgn", "--out", shut / "run", ordinary=True), "run: expected a folder to write to, found Perm"
    )


def test_without_a_home_compiled_code_is_kept_for_the_run(tmp_path):
    shut = tmp_path / "home"
    shut.mkdir(mode=0o555)
    code = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli.surroundings import prepare; prepare()\n"
    code += "import pytensor; print(pytensor.config.base_compiledir)"
    environment = {"HOME": str(shut), "XDG_CACHE_HOME": str(shut), "TMPDIR": str(tmp_path), "PYTENSOR_FLAGS": ""}
    answer = run(code=code, ordinary=True, **environment)
    assert answer[0] == 0, answer[2]
    assert answer[1].startswith(str(tmp_path / "halfpoint-"))
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


@pytest.mark.further
@pytest.mark.full_disk
@pytest.mark.parametrize("ending", few(["*.nbi", "*.nbc"], 1))
def test_a_damaged_or_full_cache_of_compiled_code_is_compiled_anew(tmp_path, ending):
    script = tmp_path / "loop.py"
    script.write_text(FIRST_LOOP)
    code = f"import runpy; runpy.run_path({str(script)!r})"
    caches = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(code=code, limit=1000, **caches) == (0, "10.0\n", "")
    assert run(code=code, **caches) == (0, "10.0\n", "")
    files = list((tmp_path / "cache").rglob(ending))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:20] + b"garbage")
    assert run(code=code, **caches) == (0, "10.0\n", "")
    for file in (tmp_path / "cache").rglob("*.nbi"):
        assert b"garbage" not in file.read_bytes()


@pytest.mark.further
def test_two_processes_compile_into_one_cache(tmp_path):
    script = tmp_path / "loop.py"
    script.write_text(FIRST_LOOP)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    children = [
        subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [child.communicate(timeout=300) for child in children] == [(b"10.0\n", b"")] * 2


def test_out_that_is_a_file_a_folder_a_device_or_a_link(halfpoint, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "link.pgn").symlink_to(tmp_path / "folder" / "real.pgn")
    refusals = {
        (
            "rate",
            "none.pgn",
            "--out",
            "file",
        ): "file: expected a folder to write to, found a file.",
        ("rate", "none.pgn", "--out", "file/x"): "file/x: expected a folder to write to, found Not a directory.",
        (
            "rate",
            "none.pgn",
            "--out",
            "circle",
        ): "circle: expected a folder to write to, found a link",
        ("simulate", "folder"): "folder: expected a file or a free name, found a folder.",
        (
            "simulate",
            "circle",
        ): "circle: expected a file in a folder to write to, found Too many",
    }
    for words, text in refusals.items():
        places = [str(tmp_path / word) if number and word[0] != "-" else word for number, word in enumerate(words)]
        code, out, errors = halfpoint(*places)
        assert (code, out) == (2, "")
        assert errors.startswith(f"halfpoint: {tmp_path}/{text}")
        assert errors.count("\n") == 1
    code, _, errors = halfpoint("simulate", "/dev/null")
    assert code == 2
    assert errors == "halfpoint: /dev/null: expected a file or a free name, found a device or a pipe.\n"
    assert halfpoint("simulate", tmp_path / "link.pgn", "--games", "20")[0] == 0  # a dangling link is followed
    assert (tmp_path / "link.pgn").is_symlink()
    assert (tmp_path / "folder" / "real.pgn").read_text().count("[White ") == 20
    assert (tmp_path / "file").read_text() == "mine"


def test_paths_in_any_script_and_from_another_folder(halfpoint, tmp_path, monkeypatch):
    folder = tmp_path / "Ünï 例 [red]\n\x1b[2J é"
    folder.mkdir()
    monkeypatch.chdir(folder)
    code, out, errors = halfpoint("simulate", "../games\n.pgn", "--games", "20")
    assert (code, errors) == (0, "")
    assert out.startswith("20 SIMULATED games of 60 players in ../games\\n.pgn, the truth in ")
    assert out[:-1].isprintable()
    assert (tmp_path / "games\n.pgn").read_text().count("[White ") == 20
    code, out, errors = halfpoint("rate", folder / "none.pgn", "--out", folder / "run")
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert errors[:-1].isprintable()
    assert list(folder.iterdir()) == []


NAME = "İI ı ß Ж.pgn"


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    assert run("simulate", NAME, "--games", "30", folder=folder)[0] == 0
    return folder


@pytest.mark.further
@pytest.mark.parametrize("locale", few(["tr_TR.UTF-8", "de_DE.UTF-8", "C"], 1))
def test_locales_change_nothing(locale, plain, tmp_path):
    here = {"LC_ALL": locale, "LANG": locale, "PYTHONIOENCODING": "ascii"}
    code, out, errors = run("simulate", NAME, "--games", "30", folder=tmp_path, **here)
    assert (code, errors) == (0, "")
    assert out.isascii()
    for path in plain.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@pytest.mark.further
def test_a_python_without_docstrings_is_told():
    told(run("models", flags=("-OO",)), "python -OO removes docstrings")
    assert run("models", "bt", flags=("-O",))[0] == 0


def test_one_draw_in_all_is_refused_before_anything_is_written(halfpoint, tmp_path):
    assert halfpoint("simulate", tmp_path / "games.pgn", "--games", "50", "--players", "4")[0] == 0
    for words in (["rate", tmp_path / "games.pgn"], ["study", "--replica", "--models", "bt"]):
        answer = halfpoint(*words, "--out", tmp_path / "run", "--draws", "1", "--chains", "1")
        told(answer, "--draws: one chain needs 2 draws or more. Give --draws 2.")
        assert not (tmp_path / "run").exists()


@pytest.mark.further
def test_settings_of_other_libraries_in_the_folder_decide_nothing(tmp_path):
    for name in ("arvizrc", "matplotlibrc", ".numba_config.yaml"):
        (tmp_path / name).write_text("data.http_protocol : nonsense\nfont.size : enormous\ndisable_jit: 1\n")
    code = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli.surroundings import prepare; prepare()\n"
    code += "import arviz_base, matplotlib, numba; print(matplotlib.rcParams['font.size'], numba.config.DISABLE_JIT)"
    assert run(code=code, folder=tmp_path) == (0, "10.0 0\n", "")


def test_an_answer_that_did_not_converge_ends_with_code_3(halfpoint, tmp_path):
    assert halfpoint("simulate", tmp_path / "games.pgn", "--games", "100", "--players", "4")[0] == 0
    words = ["--model", "davidson-common", "--method", "nuts", "--draws", "10", "--tune", "10", "--chains", "2"]
    words += ["--quiet"]
    code, out, errors = halfpoint("fit", tmp_path / "games.pgn", "--out", tmp_path / "trace.nc", *words)
    assert (code, "NOT CONVERGED" in out, errors) == (3, True, "")
    trace = tmp_path / "trace.nc"
    for command in (
        ["summary", trace],
        ["rank", trace, "--out", tmp_path / "rank.csv"],
        ["match", trace, "Player 1", "Player 2", "--json"],
        ["compare", trace, "--out", tmp_path / "compare.csv"],
        ["forecast", trace, "--white", "Player 1", "--black", "Player 2"],
        ["next", trace, "--target", "all"],
    ):
        code, out, errors = halfpoint(*command)
        assert (code, errors) == (3, ""), command
        assert "NOT CONVERGED" in out
    assert (tmp_path / "rank.csv").exists()
    assert (tmp_path / "compare.csv").exists()


def test_json_has_fields_for_scripts_of_what_is_approximate(halfpoint, tmp_path):
    games, traces = tmp_path / "games.pgn", [tmp_path / "few.nc", tmp_path / "many.nc"]
    assert halfpoint("simulate", games, "--games", "100", "--players", "4")[0] == 0
    for trace, draws in zip(traces, ("50", "500"), strict=True):  # 400 effective draws are asked for
        words = ("--model", "davidson-common", "--method", "normal", "--draws", draws, "--chains", "4", "--quiet")
        assert halfpoint("fit", games, "--out", trace, *words)[0] == 0
    for command in (["rank"], ["match", "Player 1", "Player 2"], ["next"]):
        for trace, approximate in zip(traces, (True, False), strict=True):
            code, out, errors = halfpoint(command[0], trace, *command[1:], "--json")
            assert (code, errors) == (0, ""), command
            told = json.loads(out)
            assert (told["approximate"], told["converged"]) == (approximate, not approximate), command
    code, out, _ = halfpoint("compare", *traces, "--json")
    assert (code, json.loads(out)["approximate"]) == (3, True)

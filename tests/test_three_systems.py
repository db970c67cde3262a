"""Portability: nothing specific to Linux; definitions of CI, release and conda agree with pyproject.toml."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from halfpoint.models.games.memory import processors

ROOT = Path(__file__).parents[1]
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
ONE_SYSTEM = {  # what Windows or macOS lack, and the one file that asks for it with a way out
    r"\bsched_getaffinity\b": {"models/games/memory.py"},
    r"\bimport (fcntl|pwd|grp|termios|tty|pty|msvcrt|winreg)\b": set(),
    r"\bimport resource\b|/proc/|/sys/|\bos\.sysconf\b": {"models/games/memory.py"},
    r"\bos\.(fork|getuid|geteuid|setsid|nice|uname|mkfifo|link|symlink|killpg)\b": {
        "inference/loops/written_modules.py",
        "models/games/result_record.py",  # where there are owners
    },
    r"[\"']/(tmp|usr|etc|var|home)\b": set(),
    r"\bsignal\.SIG(HUP|KILL|USR1|USR2|PIPE|ALRM)\b": set(),
    r"\bshell=True\b": set(),
}


@pytest.mark.parametrize("pattern", ONE_SYSTEM)
def test_what_one_system_has_is_asked_for_in_one_place(pattern):
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    assert found <= ONE_SYSTEM[pattern]


def test_processors_are_counted_on_systems_that_tell_less(monkeypatch):
    assert processors() >= 1
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    if hasattr(os, "sched_getaffinity"):
        assert processors() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert processors() == os.cpu_count()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors() == 1


def test_memory_is_told_where_neither_proc_nor_sysconf_is(monkeypatch):
    from halfpoint.models.games import memory

    monkeypatch.setattr(memory, "Path", lambda name: Path("nowhere") / name.lstrip("/"))
    monkeypatch.delattr(os, "sysconf", raising=False)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert memory.available_bytes() == memory.UNKNOWN_BYTES


def test_text_files_have_the_same_bytes_on_every_system(tmp_path, monkeypatch):
    import io

    from halfpoint.models.games.atomic_write import write_text

    opened = []
    true_open = io.open
    monkeypatch.setattr(io, "open", lambda *given, **named: opened.append((given, named)) or true_open(*given, **named))
    write_text(tmp_path / "one.txt", "a\nb\n")
    assert (tmp_path / "one.txt").read_bytes() == b"a\nb\n"
    assert any("" in (named.get("newline"), *given[-1:]) for given, named in opened)


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_are_whole_and_ask_for_little(name):
    flow = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    for job in flow["jobs"].values():
        assert set(job) <= {"runs-on", "strategy", "steps", "timeout-minutes", "needs", "environment", "permissions"}
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(r"[\w-]+/[\w-]+@[\w./-]+", step.get("uses", "a/b@c"))
            for script in re.findall(r"\.ci/\w+(?:\.py)?(?![\w/])", step.get("run", "")):
                assert (ROOT / script).is_file()


def test_the_wheel_is_used_on_three_systems_and_every_python(project):
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    matrix = flow["jobs"]["wheel"]["strategy"]["matrix"]
    assert {one.partition("-")[0] for one in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert project["requires-python"] == f">={matrix['python'][0]}"


def test_a_release_is_published_without_a_token():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    publish = yaml.safe_load(text)["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in text
    assert "password" not in text


def test_the_recipe_needs_what_the_wheel_needs(project):
    recipe = yaml.safe_load((ROOT / ".ci/conda/recipe.yaml").read_text(encoding="utf-8"))
    asked = {one.replace(" ", "") for one in recipe["requirements"]["run"]} - {f"python{project['requires-python']}"}
    assert asked == set(project["dependencies"])
    assert recipe["build"]["python"]["entry_points"] == ["halfpoint = halfpoint.apps.cli:main"]


def test_one_version_everywhere():
    answer = subprocess.run([sys.executable, ROOT / ".ci/release.py"], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "")
    wrong = subprocess.run([sys.executable, ROOT / ".ci/release.py", "--tag", "v99"], capture_output=True, text=True)
    assert wrong.returncode == 1
    assert "tag: expected v" in wrong.stdout

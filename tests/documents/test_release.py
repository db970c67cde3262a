"""Release workflows: locked dependencies only, signing jobs without code of the repository, reproducible bytes."""

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from email import message_from_string
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
INSTALLS = re.compile(r"\b(?:pip|uv|pipx|conda|mamba|npm|npx|cargo|gem|apt-get|apt|brew|curl|wget)\b")
TRUSTED = ("actions/download-artifact", "actions/attest-build-provenance", "pypa/gh-action-pypi-publish")


def jobs():
    """Jobs of the workflows."""
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        for name, job in workflow["jobs"].items():
            yield f"{path.stem}, {name}", job


def runs(job):
    """Shell lines of a job."""
    return [line for step in job["steps"] for line in step.get("run", "").splitlines()]


def test_nothing_is_installed_without_a_hash():
    seen = 0
    for name, job in jobs():
        for line in runs(job):
            if INSTALLS.search(line):
                assert re.fullmatch(r"python -m pip install --require-hashes -r \.ci/requirements/\w+\.txt", line), (
                    name,
                    line,
                )
                seen += 1
    assert seen >= 3
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in makefile.splitlines():
        if re.search(r"\bpip install\b", line):
            assert "--require-hashes" in line or "--no-deps --no-build-isolation -e ." in line, line


def test_every_requirement_is_locked_by_hash():
    names = {path.stem for path in (ROOT / ".ci" / "requirements").glob("*.txt")}
    assert names >= {"lock", "installer", "build", "audit"}
    for path in (ROOT / ".ci" / "requirements").glob("*.txt"):
        entries = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
        assert all("==" in one and "--hash=sha256:" in one for one in entries), path.name
    wanted = {re.match(r"[\w-]+", line)[0] for line in (ROOT / ".ci" / "requirements" / "build.in").read_text().split()}
    locked = (ROOT / ".ci" / "requirements" / "build.txt").read_text()
    assert all(re.search(rf"^{name}==", locked, re.MULTILINE) for name in wanted)


def test_what_can_sign_or_publish_runs_no_code_that_was_installed():
    for name, job in jobs():
        rights = job.get("permissions", {})
        if {"id-token", "attestations"} & rights.keys():
            assert not runs(job), name
            assert all(step["uses"].partition("@")[0] in TRUSTED for step in job["steps"]), name
        elif rights.get("contents") == "write":
            assert name == "release, pages"
        else:
            assert set(rights.values()) <= {"read"}, name
    assert "--locked" in "".join(runs(dict(jobs())["release, build"]))


def copied(place, when, mask):
    """Copy of the tracked files, with its own times and modes."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, place / name)
            (place / name).chmod(0o666 & ~mask)
            os.utime(place / name, (when, when))
    return place


@pytest.mark.parametrize("repository", ["", "https://example.org/us/halfpoint"])
def test_links_of_a_release_lead_to_its_repository(repository, tmp_path):
    place = copied(tmp_path / "source", 1_700_000_000, 0o022)
    code = f"from setuptools import build_meta; build_meta.prepare_metadata_for_build_wheel({str(tmp_path)!r})"
    environment = os.environ | {"HALFPOINT_REPOSITORY": repository}
    subprocess.run([sys.executable, "-c", code], cwd=place, env=environment, check=True, capture_output=True)
    [metadata] = tmp_path.glob("*.dist-info/METADATA")
    found = message_from_string(metadata.read_text(encoding="utf-8"))
    links = re.findall(r"(!?)\[[^]]*\]\(([^)]+)\)", str(found.get_payload()))
    assert len(links) > 15
    assert (
        "!",
        f"{repository}/raw/v{found['Version']}/docs/figures/page-rate.png".lstrip("/"),
    ) in links or not repository
    pages = [
        link.partition("#")[0].partition(f"/v{found['Version']}/")[2] or link.partition("#")[0] for _, link in links
    ]
    assert all((ROOT / page).exists() for page in pages)
    assert all(link.startswith(f"{repository}/") for _, link in links) == bool(repository)
    urls = [url.partition(", ")[2] for url in found.get_all("Project-URL", [])]
    assert all(url.startswith(repository) for url in urls)
    assert len(urls) == (4 if repository else 0)


@pytest.mark.slow
def test_two_builds_of_one_commit_are_the_same_bytes(tmp_path):
    found = []
    for name, when, mask, zone in (("one", 1_600_000_000, 0o022, "UTC"), ("two", 1_700_000_000, 0o077, "Asia/Tokyo")):
        place = copied(tmp_path / name / "source", when, mask)
        if name == "two":
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
                subprocess.run([*git, *words], cwd=place, check=True)
            (place / "models" / "games" / "untracked.py").write_text("1\n")
            (place / "models" / "games" / "units.py").write_text("changed = 1\n")
        environment = {"SOURCE_DATE_EPOCH": "1750000000", "TZ": zone, "PYTHONHASHSEED": str(len(found) + 1)}
        subprocess.run(
            [sys.executable, place / ".ci" / "build.py", tmp_path / name / "dist"],
            check=True, env=os.environ | environment, capture_output=True, preexec_fn=lambda mask=mask: os.umask(mask),
        )  # fmt: skip
        built = sorted((tmp_path / name / "dist").iterdir())
        found.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in built})
    assert sorted(Path(name).suffix for name in found[0]) == [".gz", ".whl"]
    assert found[0] == found[1]


def test_the_time_of_a_build_is_that_of_the_commit(monkeypatch):
    seconds = runpy.run_path(str(ROOT / ".ci" / "build.py"))["seconds"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    assert seconds() == 1_750_000_000
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert 1_700_000_000 < seconds() < 4_000_000_000

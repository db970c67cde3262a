"""Publish the documentation of a version and keep that of earlier versions.

`python .ci/site.py --version 0.2.0` takes build/site and commits it to the branch gh-pages of the remote origin as the
folder 0.2.0, with versions.json, which the pages' list of versions reads, and an index.html that redirects to the
newest release. The folders of other versions are not changed.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
FIRST = "first-of-pages"  # where the branch is made, for a moment
INDEX = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>halfpoint</title>
<meta http-equiv="refresh" content="0; url={0}/">
<link rel="canonical" href="{0}/">
<p><a href="{0}/">halfpoint {0}</a>
</html>
"""


def is_version(name: str) -> bool:
    """True if the name of a folder is a version."""
    try:
        Version(name)
    except InvalidVersion:
        return False
    return True


def add(built: Path, site: Path, version: str) -> list[str]:
    """Put the pages of a version into the site; return its versions, newest first."""
    if not (built / "index.html").is_file():
        sys.exit(f"{built}: expected the built documentation, found no index.html. Run make docs first.")
    shutil.rmtree(site / version, ignore_errors=True)
    leave = shutil.ignore_patterns(".buildinfo")
    shutil.copytree(built, site / version, ignore=leave)
    names = [path.name for path in site.iterdir() if path.is_dir() and is_version(path.name)]
    names.sort(key=Version, reverse=True)
    newest = next((name for name in names if not Version(name).is_prerelease), names[0])
    (site / "versions.json").write_text(json.dumps(names) + "\n", encoding="utf-8")
    (site / "index.html").write_text(INDEX.format(newest), encoding="utf-8")
    (site / ".nojekyll").touch()  # folders whose names begin with _ are pages too
    return names


def git(*words: str, at: Path) -> str:
    """Run git and return what it printed."""
    return subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True).stdout.strip()


def publish(built: Path, version: str, repository: Path, remote: str, branch: str) -> list[str]:
    """Add a version to the branch of the remote, which is created if missing; return its versions."""
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site"
        if git("ls-remote", "--heads", remote, branch, at=repository):
            git("fetch", "--depth=1", remote, branch, at=repository)
            git("worktree", "add", "--detach", str(site), "FETCH_HEAD", at=repository)
        else:
            git("worktree", "add", "--detach", str(site), at=repository)
            git("checkout", "--orphan", FIRST, at=site)
            git("rm", "-r", "--force", "-q", ".", at=site)
        try:
            names = add(built, site, version)
            git("add", "--all", "--force", at=site)
            if git("status", "--porcelain", at=site):
                git("commit", "-q", "-m", f"Documentation of {version}", at=site)
                git("push", "-q", remote, f"HEAD:refs/heads/{branch}", at=site)
        finally:
            git("worktree", "remove", "--force", str(site), at=repository)
            if git("branch", "--list", FIRST, at=repository):
                git("branch", "-D", FIRST, at=repository)
    return names


def main() -> None:
    """Publish the requested version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True, help="of what was built, such as 0.2.0 or v0.2.0")
    parser.add_argument("--built", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--remote", default="origin")
    parser.add_argument("--branch", default="gh-pages")
    asked = parser.parse_args()
    version = asked.version.removeprefix("v")
    if not is_version(version):
        sys.exit(f"--version: expected a version such as 0.2.0, found {asked.version}")
    names = publish(asked.built, version, ROOT, asked.remote, asked.branch)
    print(f"{asked.branch}: {', '.join(names)}")  # noqa: T201


if __name__ == "__main__":
    main()

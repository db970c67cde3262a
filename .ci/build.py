"""Build wheel and source archive into a folder, the same bytes from the same commit: `python .ci/build.py dist`.

The build runs without isolation, with the versions locked in .ci/requirements/build.txt, on the files of the commit:
untracked files and changes of the checkout are left out. Details that differ between machines are set afterwards: times
(of the commit, or SOURCE_DATE_EPOCH), modes, owners and the order of files.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EARLIEST = 315532800  # 1980, before which a zip file has no times


def seconds() -> int:
    """Seconds of the build: SOURCE_DATE_EPOCH, else the time of the commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    found = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    return int(found.stdout)


def same_wheel(path: Path, when: int) -> None:
    """Rewrite a wheel with a single time and plain modes."""
    with zipfile.ZipFile(path) as old:
        parts = [(name, old.read(name)) for name in sorted(old.namelist(), key=lambda one: (".dist-info/" in one, one))]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts:
            info = zipfile.ZipInfo(name, time.gmtime(max(when, EARLIEST))[:6])
            info.external_attr, info.create_system, info.compress_type = 0o100644 << 16, 3, zipfile.ZIP_DEFLATED
            new.writestr(info, content)


def same_archive(path: Path, when: int) -> None:
    """Rewrite a source archive with a single time, without owners and with plain modes."""
    content = io.BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as new:
        for one in sorted(old.getmembers(), key=lambda member: member.name):
            info = tarfile.TarInfo(one.name)
            info.size, info.mtime, info.type = one.size, when, one.type
            info.mode = 0o755 if one.isdir() or one.mode & 0o100 else 0o644
            new.addfile(info, old.extractfile(one) if one.isfile() else None)
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=when) as packed:
        packed.write(content.getvalue())


def main(folder: Path) -> None:
    """Build both archives with reproducible bytes."""
    when = seconds()
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(when)}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    with tempfile.TemporaryDirectory() as name:
        source = ROOT
        if (ROOT / ".git").exists():  # not in an unpacked source archive
            packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
            source = Path(name)
            with tarfile.open(fileobj=io.BytesIO(packed)) as commit:
                commit.extractall(source, filter="data")
        subprocess.run(command, check=True, cwd=source, env=environment)
    for path in folder.iterdir():
        if path.suffix == ".whl":
            same_wheel(path, when)
        elif path.name.endswith(".tar.gz"):
            same_archive(path, when)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

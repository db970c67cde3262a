"""Run notebooks from top to bottom without writing anything into them; the first failing cell is reported.

`python notebooks/run.py [NAME ...]` runs those whose file name contains one of the words, by default all. By
default notebooks run on small or simulated data; HALFPOINT_NOTEBOOK_DATA=real selects the study's games.

`--keep FOLDER` writes each with its outputs to FOLDER/NAME.ipynb, for the documentation. A notebook is not run again if
its output there was made from the same notebook, code, locked dependencies and data.
"""

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
LIMIT_SECONDS = 1800
MADE = "halfpoint"  # where a kept notebook's metadata say what it was made from


def chosen(words: list[str]) -> list[Path]:
    """The notebooks whose name contains one of the words; all if there are no words."""
    notebooks = sorted(path for path in FOLDER.glob("[0-9]*.py"))
    return [path for path in notebooks if not words or any(word in path.name for word in words)]


def run(path: Path) -> tuple[NotebookNode, float]:
    """Run a notebook and return it with its outputs, and the seconds it took.

    Raises
    ------
    CellExecutionError
        If a cell fails.
    """
    start = time.perf_counter()
    notebook = jupytext.read(path)
    client = NotebookClient(
        notebook,
        timeout=LIMIT_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute()
    return notebook, time.perf_counter() - start


def sources() -> str:
    """SHA-256 of everything that determines a notebook's outputs, except the notebook itself and its data."""
    packages = sorted(path.parent for path in ROOT.glob("*/__init__.py"))
    files = [path for folder in packages for path in sorted(folder.rglob("*")) if path.is_file()]
    known = [path for path in files if "__pycache__" not in path.parts]
    found = hashlib.sha256(sys.version.encode())
    for path in [*known, ROOT / ".ci" / "requirements" / "lock.txt"]:
        found.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def kept(path: Path, key: str) -> bool:
    """True if a notebook with outputs exists there and its key is the given one."""
    if not path.is_file():
        return False
    try:
        return nbformat.read(path, as_version=4).metadata.get(MADE, {}).get("key") == key
    except (nbformat.reader.NotJSONError, nbformat.ValidationError):
        return False


def keep(notebook: NotebookNode, path: Path, key: str, seconds: float) -> None:
    """Write a notebook with its outputs, whole or not at all."""
    notebook.metadata[MADE] = {"key": key, "seconds": round(seconds, 1)}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    nbformat.write(notebook, part)
    part.replace(path)


def main() -> None:
    """Run the requested notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="NAME", help="words in the names of notebooks; none: all of them")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write them there with their outputs")
    asked = parser.parse_args()
    data = os.environ.get("HALFPOINT_NOTEBOOK_DATA", "small")
    paths = chosen(asked.words)
    if not paths:
        sys.exit(f"notebooks: expected a word in a notebook's name, found {' '.join(asked.words)}")
    code = sources() if asked.keep else ""
    for path in paths:
        key = hashlib.sha256(f"{code} {data}".encode() + path.read_bytes()).hexdigest()
        target = asked.keep / f"{path.stem}.ipynb" if asked.keep else None
        if target and kept(target, key):
            print(f"{path.name}: kept", flush=True)
            continue
        try:
            notebook, seconds = run(path)
        except CellExecutionError as error:
            sys.exit(f"{path.name}: a cell failed\n{error}")
        if target:
            keep(notebook, target, key, seconds)
        print(f"{path.name}: {seconds:.0f} s ({data} data)", flush=True)


if __name__ == "__main__":
    main()

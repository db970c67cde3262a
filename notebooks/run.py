"""Run notebooks from top to bottom without writing anything into them; the first failing cell is told.

`python notebooks/run.py [NAME ...]` runs those whose file name holds one of the words, all of them if none is given. By
default notebooks run on small or simulated data; HALFPOINT_NOTEBOOK_DATA=real takes the study's games.
"""

import os
import sys
import time
from pathlib import Path

import jupytext
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).resolve().parent
LIMIT_SECONDS = 1800


def chosen(words: list[str]) -> list[Path]:
    """Return the notebooks whose name holds one of the words; all if there are no words."""
    notebooks = sorted(path for path in FOLDER.glob("[0-9]*.py"))
    return [path for path in notebooks if not words or any(word in path.name for word in words)]


def run(path: Path) -> float:
    """Run a notebook and return the seconds it took.

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
    return time.perf_counter() - start


def main() -> None:
    """Run the notebooks that are asked for."""
    data = os.environ.get("HALFPOINT_NOTEBOOK_DATA", "small")
    paths = chosen(sys.argv[1:])
    if not paths:
        sys.exit(f"notebooks: expected a word in a notebook's name, found {' '.join(sys.argv[1:])}")
    for path in paths:
        try:
            seconds = run(path)
        except CellExecutionError as error:
            sys.exit(f"{path.name}: a cell failed\n{error}")
        print(f"{path.name}: {seconds:.0f} s ({data} data)", flush=True)


if __name__ == "__main__":
    main()

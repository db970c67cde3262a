"""The default command on files in the formats of other sites: seconds, verdict, and ratings compared with the truth.

    .venv/bin/python benchmarks/bench_outside.py [KIND ...]

The files are simulated (`tests/outside/kinds.py`), so the truth is known. Each is rated by `halfpoint rate FILE --out
FOLDER` in a separate process, without options. Writes benchmarks/outside.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import records  # noqa: E402
from outside.judged import judge  # noqa: E402
from outside.kinds import KINDS  # noqa: E402

HALFPOINT = Path(sys.executable).with_name("halfpoint")
HEADER = """# Outside files

Results of `halfpoint rate FILE --out FOLDER` without options on files in the formats of other sites. The games are
simulated with a known truth (`tests/outside/kinds.py`); `benchmarks/bench_outside.py` writes this table. Seconds are
wall time of the whole command, its start and the compiling of the model included.

- *error*: root mean square of list minus truth in Elo points, and the value expected from the list's standard
  deviations. Without ratings in the file, both are centred first.
- *95%*: share of the listed players with finite truth whose 95% interval contains it.

| kind | games | players | model | seconds | verdict | error | expected | 95% |
| --- | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: |
"""


def row_of(kind: str, folder: Path) -> str:
    """Row of the table for one kind."""
    folder.mkdir()
    path, truth = KINDS[kind].make(folder)
    start = time.perf_counter()
    words = [str(HALFPOINT), "rate", str(path), "--out", str(folder / "run"), "--json", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    cells = [kind, f"{truth.games:,}", f"{len(truth.rating_elo)}"]
    if done.returncode:
        told = done.stderr.strip().splitlines()[-1].replace(str(folder), "").replace("|", "/")
        return " | ".join(["", *cells, "", f"{seconds:.0f}", f"exit {done.returncode}: {told}", "", "", ""])[1:-1] + "|"
    answer = json.loads(done.stdout)
    found = judge(answer["rows"], truth)
    cells += [answer["model"], f"{seconds:.0f}", answer["verdict"].replace("|", "/"), f"{found.error_elo:.0f}"]
    return "| " + " | ".join([*cells, f"{found.expected_elo:.0f}", f"{found.covered} of {found.players}"]) + " |"


def main() -> None:
    chosen = sys.argv[1:] or list(KINDS)
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for number, kind in enumerate(chosen):
            rows.append(row_of(kind, Path(folder) / str(number)))
            print(rows[-1], flush=True)
    if len(chosen) == len(KINDS):
        text = HEADER + "\n".join(rows) + f"\n\n{os.cpu_count()} cores.\n"
        records.page(HERE / "outside.md", text, "python benchmarks/bench_outside.py")


if __name__ == "__main__":
    main()

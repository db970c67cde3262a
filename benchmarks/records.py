"""Records of what benchmarks measured, `records/NAME.json`: each figure with its command, commit and machine.

Their schema is `records/schema.json`; `tests/documents/test_records.py` holds the pages to them.
"""

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def figure(name: str, value: float, unit: str = "", error: float | None = None) -> dict[str, Any]:
    """Return a figure as a record has it."""
    return {"name": name, "value": float(value), "unit": unit} | ({} if error is None else {"error": float(error)})


def write(page: str, command: str, figures: list[dict[str, Any]], **settings: float) -> None:
    """Write one run to the record of a page, in place of an earlier one of the same command."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(asked, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    machine += f", Python {platform.python_version()}"
    run = {"command": command, "commit": commit, "machine": machine, "settings": settings, "figures": figures}
    path = HERE / "records" / f"{page}.json"
    earlier = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.is_file() else []
    runs = [one for one in earlier if one["command"] != command]
    record = {"page": f"benchmarks/{page}.md", "runs": [*runs, run]}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

"""Fail if a notebook has outputs, execution counts or a file larger than 200 kB."""

import json
import sys
from pathlib import Path

LARGEST = 200_000
FOLDER = Path(__file__).resolve().parent.parent / "notebooks"


def faults(path: Path) -> list[str]:
    """Describe the faults of a notebook."""
    found = []
    if path.stat().st_size > LARGEST:
        found.append(f"expected at most {LARGEST} bytes, found {path.stat().st_size}")
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        if cell.get("outputs") or cell.get("execution_count"):
            found.append(f"cell {number}: expected no outputs, found some. Clear them before committing.")
    return found


def main() -> None:
    """Check every notebook."""
    lines = [f"{path.name}: {fault}" for path in sorted(FOLDER.glob("**/*.ipynb")) for fault in faults(path)]
    if lines:
        sys.exit("\n".join(lines))


if __name__ == "__main__":
    main()

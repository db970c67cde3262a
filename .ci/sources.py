"""Write docs/sources.md from docs/sources.csv; with --check, fail if it is not up to date."""

import csv
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
SOURCES = {
    "A": "Pires (2014), the thesis",
    "B": "Pires and Bueno Filho (2020), the paper",
    "C": "Wikipedia (Indonesian), the Elo rating system",
    "D": "Krajowski-Kukiel (2011), ratings in bridge",
    "E": "Neighbours of the sources",
}
HEAD = """# The sources, row by row

Each section and formula of the four sources that the project grew from: where it is, or why it is not. The page is
written from `docs/sources.csv` by `.ci/sources.py`; a test holds that every function it names exists. A row works if
its code is in use and tested; the note of a row that is partial or absent says so first.

"""


def rows() -> list[dict[str, str]]:
    """The rows of the file."""
    with (DOCS / "sources.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def page() -> str:
    """The page."""
    known = rows()
    counts = {state: sum(row["state"] == state for row in known) for state in ("works", "partial", "absent")}
    text = HEAD + f"Of {len(known)} rows {counts['works']} work, {counts['partial']} are partial and "
    text += f"{counts['absent']} absent, whose notes say why.\n"
    for letter, title in SOURCES.items():
        text += f"\n## {letter}. {title}\n\n| place | what | where | note |\n|---|---|---|---|\n"
        for row in known:
            if row["row"].startswith(letter):
                names = " ".join(f"`{name}`" for name in row["names"].split())
                note = row["note"] if row["state"] == "works" else f"{row['state']}: {row['note']}"
                cells = f"{row['row']} {row['place']}", row["what"], names, note
                text += "| " + " | ".join(cells) + " |\n"
    return text


def main() -> None:
    """Write or check."""
    file = DOCS / "sources.md"
    if "--check" not in sys.argv[1:]:
        file.write_text(page(), encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != page():
        sys.exit("docs/sources.md: it is not what docs/sources.csv says. Run `.venv/bin/python .ci/sources.py`.")


if __name__ == "__main__":
    main()

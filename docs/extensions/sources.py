"""Write the page of the sources from docs/sources.csv, before Sphinx reads its sources."""

import csv
from pathlib import Path

from generated_page import write_at_start

DOCS = Path(__file__).resolve().parent.parent
SOURCES = {
    "A": "Pires (2014), the thesis",
    "B": "Pires and Bueno Filho (2020), the paper",
    "C": "Wikipedia (Indonesian), the Elo rating system",
    "D": "Krajowski-Kukiel (2011), ratings in bridge",
    "E": "Neighbours of the sources",
}
HEAD = """# The sources, row by row

Each section and formula of the four sources that the project grew from, and the functions that implement it
(`docs/sources.csv`). A row works if its code is in use and tested.

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


def setup(app):
    """Generate the page when the builder starts."""
    return write_at_start(app, "sources", page)

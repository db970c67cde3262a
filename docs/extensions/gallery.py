"""Write the gallery before Sphinx reads its sources: each notebook with its outputs, and a page of cards with pictures.

Notebooks are run by `notebooks/run.py`, which keeps them in build/notebooks and runs a notebook again only if the
notebook, the code, the locked dependencies or the data have changed. HALFPOINT_DOCS_NOTEBOOKS=kept runs none: it uses
the notebooks of build/notebooks as they are, and shows the others without outputs and pictures.

The picture of a notebook is the first of its cell tagged `thumbnail`.
"""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
from folding import scrolled
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build" / "notebooks"
SECTIONS = {
    "Rate": {
        "14-rate-a-club": "A club's PGN: the list, who is stronger than whom, a match.",
        "15-a-season-of-football": "Half of a season rated, the other half forecast, and what came of it.",
        "16-tennis-without-draws": "Winners and losers only: chances of winning, and a knock-out draw.",
        "01-a-first-rating-list": "Chess players among opponents with known ratings, step by step.",
        "13-an-engine-match": "Game pairs, likelihood of superiority, and when one may stop looking.",
        "12-rate-an-arena": "Language models before judges: tiers, position, length, what to judge next.",
    },
    "Forecast and judge": {
        "08-rating-systems": "A backtest: sixteen rating systems forecast the same months and are scored.",
        "05-forecasts-and-their-scores": "Probabilities for games to come, their scores, their calibration.",
        "09-can-elo-be-improved": "The printed list, corrected, against the printed list.",
    },
    "Models": {
        "04-add-your-own-model": "Elo's normal curve as a row of one's own, compared and backtested.",
        "02-the-twelve-models": "The twelve models of the study side by side.",
        "03-what-survives": "The study's conclusions in three editions: what holds and what falls.",
        "07-beyond-the-study": "Scales, draws, memory, movement: five questions that the study leaves open.",
        "06-posterior-to-netcdf-and-back": "A trace as a file: for ArviZ, for xarray, and back.",
    },
    "Other games": {
        "10-a-bridge-club": "Duplicate bridge: scores of a deal, ratings of a club, next week's seating.",
        "11-line-ups": "Basketball: a network of units, and plus-minus.",
    },
}
ABOUT = """# Gallery

Each page is a notebook of the folder `notebooks`, run when this documentation was built, on games that halfpoint
simulates: nothing has to be downloaded. Notebooks 01 to 09 are about the study's games; a simulated replica stands in
for them here, and `HALFPOINT_NOTEBOOK_DATA=real` runs them on the games themselves.
"""


def run() -> None:
    """Bring build/notebooks up to date."""
    if os.environ.get("HALFPOINT_DOCS_NOTEBOOKS") == "kept":
        return
    environment = {key: value for key, value in os.environ.items() if key != "HALFPOINT_NOTEBOOK_DATA"}
    command = [sys.executable, str(ROOT / "notebooks" / "run.py"), "--keep", str(KEPT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExtensionError(f"the notebooks of the gallery:\n{done.stderr}")


def picture(notebook):
    """Picture of a notebook as bytes of PNG."""
    for cell in notebook.cells:
        if "thumbnail" in cell.metadata.get("tags", ()):
            for output in cell.outputs:
                if "image/png" in output.get("data", {}):
                    return base64.b64decode(output["data"]["image/png"])
    return None


def readable(notebook, title, seconds, source):
    """Fold long outputs, give pictures words, and say where the page comes from, in place."""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata["mystnb"] = {"image": {"alt": f"Figure: {title}"}}
        for output in cell.outputs:
            data = output.get("data", {})
            if "text/html" in data:
                data["text/html"] = scrolled(data["text/html"])
    ran = f"run in {seconds:.0f} s when these pages were built, on simulated games" if seconds else "not run"
    where = f"`notebooks/{source}`, {ran}."
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(f"```{{container}} where\n{where}\n```"))


def write(path, data):
    """Write a file if it changed, so that Sphinx rereads only what is new."""
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)


def card(name, title, line, pictured):
    """Card of a notebook."""
    picture = f"[![{title}]({name}.png)]({name}.ipynb)\n\n" if pictured else ""
    return f"::::{{container}} card\n{picture}**[{title}]({name}.ipynb)**\n\n{line}\n::::\n"


def generate(app):
    """Write gallery/: notebooks, pictures, and the page of cards."""
    run()
    listed = {name for section in SECTIONS.values() for name in section}
    there = {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.py")}
    if listed != there:
        raise ExtensionError(f"gallery: cards and notebooks differ: {sorted(listed ^ there)}")
    folder = Path(app.srcdir) / "gallery"
    folder.mkdir(exist_ok=True)
    index, tree, written = [ABOUT], [], {"index.md"}
    for section, lines in SECTIONS.items():
        index.append(f"## {section}\n\n:::::{{container}} cards\n")
        for name, line in lines.items():
            ran = (KEPT / f"{name}.ipynb").is_file()
            notebook = (
                nbformat.read(KEPT / f"{name}.ipynb", as_version=4)
                if ran
                else jupytext.read(ROOT / "notebooks" / f"{name}.py")
            )
            title = re.search(r"^# (?:\d+\. )?(.+)$", notebook.cells[0].source, re.MULTILINE)[1]
            thumbnail = picture(notebook)
            if ran and thumbnail is None:
                raise ExtensionError(f"gallery: {name}: expected a picture in a cell tagged thumbnail, found none")
            readable(notebook, title, notebook.metadata.get("halfpoint", {}).get("seconds"), f"{name}.py")
            write(folder / f"{name}.ipynb", nbformat.writes(notebook).encode())
            written.add(f"{name}.ipynb")
            if thumbnail is not None:
                write(folder / f"{name}.png", thumbnail)
                written.add(f"{name}.png")
            index.append(card(name, title, line, thumbnail is not None))
            tree.append(name)
        index.append(":::::\n")
    index.append("\n".join(["```{toctree}", ":hidden:", "", *tree, "```", ""]))
    write(folder / "index.md", "\n".join(index).encode())
    for old in folder.iterdir():
        if old.name not in written:
            old.unlink()


def setup(app):
    """Generate when the builder starts."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The notebook for Google Colab installs halfpoint, rates an uploaded file or the example, and downloads the page."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from halfpoint.readers.datasets.examples import example_file

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "colab.ipynb"


def cells():
    """Sources of the code cells."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_first_cell_installs_the_package_if_it_is_missing(monkeypatch):
    commands = []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("subprocess.run", lambda command, check: commands.append(command))
    exec(cells()[0], {})
    assert commands == [[sys.executable, "-m", "pip", "install", "--quiet", "halfpoint[figures,office]"]]


@pytest.mark.further  # two lists
@pytest.mark.parametrize("uploads", [True, False])
def test_the_cells_run_in_colab_and_elsewhere(uploads, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    downloads = []
    if uploads:
        (tmp_path / "club.pgn").write_bytes(example_file("club").read_bytes())
        package, files = ModuleType("google.colab"), ModuleType("google.colab.files")
        files.upload, files.download = lambda: {"club.pgn": b""}, downloads.append
        package.files = files
        for name, module in {"google": ModuleType("google"), "google.colab": package}.items():
            monkeypatch.setitem(sys.modules, name, module)
    names = {}
    for cell in cells():
        exec(cell, names)
    assert len(names["rated"].frame) >= 8
    assert (tmp_path / "ratings" / "report.html").is_file()
    assert downloads == (["ratings/report.html", "ratings/ratings.csv"] if uploads else [])

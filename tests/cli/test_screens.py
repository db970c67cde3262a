"""Every page that a command writes: the answer and the terminal's first table on it, with and without scripts."""

import contextlib
import re

import pytest
from browser import FLAGS, needed
from playwright.sync_api import sync_playwright
from typed import typed

from halfpoint.cli import terminal
from halfpoint.games.datasets.examples import EXAMPLES, example_file

NORMAL = "--method normal --draws 300 --chains 2"
MADE = (f"rate club.pgn --out club {NORMAL}", f"rate football.csv --out football {NORMAL}",
        f"fit club.pgn --model davidson --out club/plain.nc {NORMAL}",
        f"fit club.pgn --model davidson-common --out club/common.nc {NORMAL}")  # fmt: skip
PAGES = {
    "rate": MADE[0],
    "rank": "rank club --out rank.html",
    "match": "match club Ash Birch --games 6 --out match.html",
    "forecast": "forecast football fixtures.csv --out forecast.html",
    "tournament": "tournament football clubs.txt --out tournament.html",
    "season": "tournament football clubs.txt --format season --results season.csv --fixtures fixtures.csv "
    "--simulations 500 --out season.html",
    "pair": "pair football clubs.txt --out pair.html",
    "compare": "compare club/plain.nc club/common.nc --out compare.html",
    "criteria": "criteria club/plain.nc club/common.nc --out criteria.html",
    "mle": "mle club.pgn --out mle.html",
    "list": "list club.pgn --out list.html",
    "performance": "performance club.pgn --out performance.html",
    "cross": "performance club.pgn --cross --event SIMULATED_club_evening_2 --out cross.html",
    "pool": "pool club.pgn --systems elo --out pool.html",
    "sprt": "sprt engines.pgn --elo1 20 --out sprt.html",
    "leaderboard": "leaderboard arena.csv --out arena --method normal",
    "next": "next football --pairs 4 --out next.html",
    "bridge score": "bridge score bridge.csv --out bridge",
    "bridge rate": "bridge rate bridge.csv --out elo",
    "races list": "races list grandprix.csv --out races.html",
}  # fmt: skip
WRITTEN = {"rate": "club/report.html", "leaderboard": "arena/leaderboard.html", "bridge score": "bridge/report.html",
           "bridge rate": "elo/report.html"}  # fmt: skip
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each command printed, and the folder of the pages."""
    folder = tmp_path_factory.mktemp("screens")
    for name, file in EXAMPLES.items():
        (folder / file).write_text(example_file(name).read_text(encoding="utf-8"), encoding="utf-8")
    before, terminal.console.width = terminal.console.width, 1000
    said = {}
    with contextlib.chdir(folder):
        for words in MADE:
            assert typed(*words.split())[0] in (0, 3), words
        for name, words in PAGES.items():
            code, said[name], error = typed(*[word.replace("_", " ") for word in words.split()])
            assert code in (0, 3), error
    terminal.console.width = before
    return folder, said


def first_table(text):
    """The cells of the first table that a command printed, without headings."""
    lines = text.splitlines()
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    body = []
    for line in lines[rule + 1 :]:
        if not line.strip():
            break
        body.append(line)
    return body


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_answers_first_and_has_the_terminals_numbers(printed, width, scripts):
    """The answer and the first row on the first screen; at 1280 every number of the terminal's first table."""
    folder, said = printed
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=needed(), args=list(FLAGS))
        context = opened.new_context(viewport={"width": width, "height": 800}, java_script_enabled=scripts)
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        for name in PAGES:
            page.goto((folder / WRITTEN.get(name, f"{name.replace(' list', '')}.html")).as_uri())
            answer = page.locator("#answer")
            assert len(answer.inner_text()) > 10, name
            assert "SIMULATED" in page.inner_text("header"), name
            first = page.locator("table tbody tr").first.bounding_box()
            assert first["y"] + first["height"] <= 800, name
            if scripts:
                assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            if width == 1280:
                shown = page.inner_text("main").replace("−", "-").replace("–", " ")
                there = set(NUMBER.findall(shown))
                rows = first_table(said[name])[:100]  # as many as the page shows at first
                missing = {one for line in rows for one in NUMBER.findall(line)} - there
                assert not missing, (name, sorted(missing)[:8], rows[0])
        assert not faults
        opened.close()


def test_no_table_in_a_file_loses_a_column(printed, monkeypatch):
    """At 80 columns every heading and cell of the wide table is there, whole, in one block or another."""
    folder, said = printed
    monkeypatch.chdir(folder)
    monkeypatch.setattr(terminal.console, "width", 80)
    for name in ("rank", "season", "compare", "performance", "cross", "list", "criteria"):
        words = [word.replace("_", " ") for word in PAGES[name].split()]
        narrow = typed(*words, "--force")[1]
        assert "…" not in narrow
        wide = {cell for line in first_table(said[name]) for cell in re.split(r"\s{2,}", line.strip())}
        joined = " ".join(narrow.split())
        assert all(" ".join(cell.split()) in joined for cell in wide if len(cell) < 24), name

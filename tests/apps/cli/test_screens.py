"""Every page of a command: the answer and the terminal's first table, with and without scripts.

HALFPOINT_SCREENS names a folder for pictures of all of them.
"""

import contextlib
import os
import re
import subprocess
import sys
from itertools import takewhile

import pandas as pd
import pytest
from browser import FLAGS, needed
from playwright.sync_api import sync_playwright
from typed import typed
from typer import Typer
from typer.main import get_command

from halfpoint.apps.cli import app, terminal
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.readers.datasets.examples import EXAMPLES, example_file

NORMAL = "--method normal --draws 300 --chains 2"
ANSWERS = {  # commands that write a page with --out FILE.html, in more than one of their ways
    "rank": "rank club",
    "match": "match club Ash Birch --games 6",
    "match of teams": "match club --boards boards.csv",
    "forecast": "forecast football fixtures.csv",
    "tournament": "tournament football clubs.txt",
    "tournament knockout": "tournament football four.txt --format knockout",
    "tournament season": "tournament football clubs.txt --format season --results season.csv --fixtures fixtures.csv "
    "--simulations 500",
    "pair": "pair football clubs.txt",
    "compare": "compare club/plain.nc club/common.nc",
    "criteria": "criteria club/plain.nc club/common.nc",
    "mle": "mle club.pgn",
    "list": "list club.pgn",
    "list all": "list club.pgn --system all",
    "performance": "performance club.pgn",
    "performance cross": "performance club.pgn --cross --event SIMULATED_club_evening_2",
    "pool": "pool club.pgn --systems elo",
    "sprt": "sprt engines.pgn --elo1 20",
    "next": "next football --pairs 4",
    "markets": "markets football.csv fixtures.csv",
    "claims": "claims club.pgn",
    "judges": "judges arena.csv --cheap judge-20 --draws 60 --tune 60 --chains 2",
    "lineups": "lineups stints.csv --bootstrap 20",
    "bridge forecast": "bridge forecast bridge.csv bridge.csv",
    "bridge seat": "bridge seat bridge.csv pairs.txt",
    "races list": "races list grandprix.csv",
    "races backtest": "races backtest grandprix.csv --systems elo,uniform",
    "races forecast": "races forecast prix --field Kolibri,Girlitz,Star",
}  # fmt: skip
FOLDERS = {  # and with --out FOLDER: the page in it
    "rate": (f"rate club.pgn --out club {NORMAL}", "club/report.html"),
    "rate football": (f"rate football.csv --out football {NORMAL}", "football/report.html"),
    "races rate": ("races rate grandprix.csv --draws 200 --tune 200 --chains 2 --out prix", "prix/report.html"),
    "leaderboard": ("leaderboard arena.csv --out arena --method normal", "arena/leaderboard.html"),
    "bridge score": ("bridge score bridge.csv --out bridge", "bridge/report.html"),
    "bridge rate": ("bridge rate bridge.csv --out elo", "elo/report.html"),
    "backtest": ("backtest club.pgn --systems elo,base-rates --out tested", "tested/report.html"),
}  # fmt: skip
TRACES = (f"fit club.pgn --model davidson --out club/plain.nc {NORMAL}",
          f"fit club.pgn --model davidson-common --out club/common.nc {NORMAL}")  # fmt: skip
ELSEWHERE = {"report", "demo"}  # pages of tests/study, and of all these commands (test_demo.py)
PAGES = {name: page for name, (_, page) in FOLDERS.items()} | {name: f"{name}.html" for name in ANSWERS}
BROAD = {"list all", "markets", "tournament season", "bridge score"}  # scripts leave out columns at 1280, to be chosen
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
WIDE = 1000


def words_of(name):
    """Arguments of a command."""
    words = FOLDERS[name][0] if name in FOLDERS else f"{ANSWERS[name]} --out {name.replace(' ', '~')}.html"
    return [word.replace("_", " ").replace("~", " ") for word in words.split()]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Folder of the pages, and the output of each command at full width, at 80 and at 160 columns."""
    folder = tmp_path_factory.mktemp("screens")
    for name, file in EXAMPLES.items():
        (folder / file).write_text(example_file(name).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "four.txt").write_text("Alderton\nBirkwell\nCresthaven\nElmsworth\n", encoding="utf-8")
    (folder / "boards.csv").write_text("team,player\nRed,Ash\nRed,Birch\nBlue,Gorse\nBlue,Hazel\n", encoding="utf-8")
    (folder / "pairs.txt").write_text("Tom Birch & Nora Ash\nAdam Larch & Jana Maple\n", encoding="utf-8")
    stints = simulate_lineups(teams=3, games=20, transfers=3, seed=3)[0]
    seats = {"off": stints.offence, "def": stints.defence}
    sides = {f"{side}{k + 1}": stints.players[who] for side, all_ in seats.items() for k, who in enumerate(all_.T)}
    made = pd.DataFrame(sides).assign(points=stints.points, possessions=stints.possessions, simulated=1)
    made.to_csv(folder / "stints.csv", index=False)
    before, said = terminal.console.width, {}
    with contextlib.chdir(folder):
        for name in ("rate", "rate football"):
            said[name, WIDE] = run(words_of(name))
        for words in TRACES:
            run(words.split())
        for name in (*FOLDERS, *ANSWERS):
            for terminal.console.width in (WIDE, 160, 80):
                said[name, terminal.console.width] = run(words_of(name))
    terminal.console.width = before
    return folder, said


def run(words):
    """Output of a command."""
    code, out, error = typed(*words)
    assert code in (0, 3), (words, error)
    return out


def test_every_command_that_writes_a_page_is_here():
    """Commands whose option --out has pages, or a folder with one."""
    known = set()
    for name, target in app.COMMANDS.items():
        several = isinstance(target, Typer)
        own = {one.name: one.callback for one in target.registered_commands} if several else {name: target}
        for below, function in own.items():
            alone = Typer(add_completion=False)
            alone.command(below)(function)
            helps = [one.help or "" for one in get_command(alone).params if "--out" in one.opts]
            known |= {f"{name} {below}" if several else name for one in helps if "page" in one}
    mine = {" ".join(words_of(name)[: 1 + (words_of(name)[0] in ("races", "bridge"))]) for name in PAGES}
    assert known == mine | ELSEWHERE


def table_lines(text):
    """Headings of the first table of a command, and its rows."""
    lines = text.splitlines()
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    return lines[rule - 1], list(takewhile(str.strip, lines[rule + 1 :]))


def contrast(page, place):
    """Contrast of a text with the background of the page, by WCAG 2.2."""
    text = page.eval_on_selector(place, "one => getComputedStyle(one).color")
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    if ground.endswith(", 0)"):
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = []
    for colour in (text, ground):
        shares = [int(one) / 255.0 for one in re.findall(r"\d+", colour)[:3]]
        linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05), light[1]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_answers_first_and_has_the_terminals_numbers(printed, width, scripts, colours):
    folder, said = printed
    wrong, chromium = {}, needed()  # a browser cannot be asked for within another
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=list(FLAGS))
        context = opened.new_context(
            viewport={"width": width, "height": 800}, java_script_enabled=scripts, color_scheme=colours
        )
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        for name, file in PAGES.items():
            page.goto((folder / file).as_uri())
            found = []
            if pictures := os.environ.get("HALFPOINT_SCREENS"):
                page.screenshot(path=f"{pictures}/{name}-{width}-{colours}-{'on' if scripts else 'off'}.png")
            answer = page.locator("#answer")
            found += ["no answer"] * (len(answer.inner_text()) <= 10)
            found += ["no SIMULATED"] * ("SIMULATED" not in page.inner_text("header"))
            ratio, ground = contrast(page, "#answer")
            found += [f"contrast {ratio:.1f}"] * (ratio < 7.0)
            found += ["the ground"] * ((ground < 0.2) != (colours == "dark"))
            first = page.locator("main table tbody tr").first.bounding_box()
            found += [f"the first row at {first['y']:.0f}"] * (first["y"] + first["height"] > 800)
            wide = page.evaluate("document.documentElement.scrollWidth") if scripts else 0
            found += [f"{wide} wide"] * (wide > width)
            if not scripts or (width == 1280 and name not in BROAD):
                shown = page.inner_text("main").replace("−", "-").replace("–", " ")
                rows = table_lines(said[name, WIDE])[1][:100]  # as many as the page shows at first
                missing = {one for line in rows for one in NUMBER.findall(line)} - set(NUMBER.findall(shown))
                found += [f"without {sorted(missing)[:8]} of {rows[0]}"] if missing else []
            if found:
                wrong[name] = found
        opened.close()
    assert not faults
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 160])
def test_no_table_in_a_file_loses_a_column(printed, width):
    _, said = printed
    wrong = {}
    for name in PAGES:
        narrow = said[name, width]
        heading, rows = table_lines(said[name, WIDE])
        wide = {" ".join(cell.split()) for line in (heading, *rows) for cell in re.split(r"\s{2,}", line.strip())}
        joined = set(narrow.split())  # a text may be broken between words
        lost = sorted(cell for cell in wide if not set(cell.split()) <= joined)
        head, rows = table_lines(narrow)
        over = max(map(len, map(str.rstrip, (head, *rows)))) - width
        if lost or over > 0 or "…" in narrow:
            wrong[name] = (lost, over, "…" in narrow)
    assert not wrong


@pytest.mark.further
def test_a_file_is_as_wide_as_columns_says(tmp_path):
    for columns in ("", "60", "160"):
        environment = {**os.environ, "COLUMNS": columns}
        with (tmp_path / "out.txt").open("w+", encoding="utf-8") as file:
            subprocess.run([sys.executable, "-m", "halfpoint", "models"], stdout=file, check=True, env=environment)
            file.seek(0)
            text = file.read()
        widest = max(len(line.rstrip()) for line in table_lines(text)[1])
        assert 0.5 * int(columns or 80) < widest <= int(columns or 80)
        assert "…" not in text

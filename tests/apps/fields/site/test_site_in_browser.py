"""Every page of a site in a browser without scripts: answer and key numbers in the first screen, numbers as in JSON.

HALFPOINT_SCREENS names a folder for pictures of all of them.
"""

import json
import os
import re
from pathlib import Path

import pytest
from browser import FLAGS, axe, needed
from few_cases import few
from playwright.sync_api import sync_playwright

from halfpoint.evaluation.digits import fixed_decimals, in_percent

pytestmark = pytest.mark.browser
SIZES = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
# name and cells of each row of the tables
ROWS = """[...document.querySelectorAll('tbody tr:has(th[scope=row])')].map((row) => [
  row.querySelector('th').innerText, [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())])"""
NUMBER = re.compile(r"[▲▼]?\s?[<>]?[-−+]?\d[\d.,]*%?")


def printed(value, digits):
    return fixed_decimals(value, digits).replace("-", "−")


def in_print(edition):
    """Numbers of an edition as pages print them, by name and heading."""
    found = {}
    for row in edition["rows"]:
        for column, value in row.items():
            if isinstance(value, int | float) and value is not None:
                whole = {printed(value, 0), printed(value, 1), printed(value, 2)}
                share = {in_percent(value / 100.0), in_percent(value / 100.0).removesuffix("%")}
                found.setdefault(row["name"], set()).update(whole | (share if "_percent" in column else set()))
            if column.endswith("_before") and value is not None:
                now = row[column.removesuffix("_before")]
                moved = {f"{sign} {printed(abs(now - value), d)}" for sign in "▲▼" for d in (0, 1, 2)}
                found[row["name"]].update(moved | {"="})
    return found


@pytest.fixture(scope="module")
def browser():
    """Pages of one headless browser without a network, by whether scripts run."""
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=needed(), args=list(FLAGS))
        settings = {"offline": True, "bypass_csp": True}
        yield {runs: chromium.new_context(java_script_enabled=runs, **settings).new_page() for runs in (False, True)}
        chromium.close()


def all_pages(folder):
    """Pages of a site: those in its folder, two of clubs, an earlier edition."""
    clubs = [folder / f"club/{name}.html" for name in ("alderton", "dunmere-sons-1899")]
    return [*sorted(folder.glob("*.html")), *clubs, folder / "editions/0001.html"]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_every_page_fits_and_has_its_answer_in_the_first_screen(league, browser, width, scheme):
    folder, _, made = league
    browser = browser[False]
    browser.emulate_media(color_scheme=scheme)
    browser.set_viewport_size({"width": width, "height": 844 if width < 500 else 900})
    screens = os.environ.get("HALFPOINT_SCREENS")
    for path in all_pages(folder / "public"):
        browser.goto(path.resolve().as_uri())
        if screens:
            name = path.relative_to(folder / "public").with_suffix("").as_posix().replace("/", "-")
            browser.screenshot(path=str(Path(screens) / f"site-{name}-{width}-{scheme}.png"), full_page=True)
        height = browser.viewport_size["height"]
        answer = browser.locator("h1").bounding_box()
        assert 0 < answer["y"] + answer["height"] < height / 2, path
        numbers = browser.locator(".facts dd:visible, main td:visible, .lead:visible").first.bounding_box()
        if path.name != "changes.html" or made.edition["changes"]:
            assert numbers["y"] + numbers["height"] < height, path
        main = browser.locator("body").bounding_box()
        assert main["width"] <= width, path
        for table in browser.locator(".list > table").all():
            box = table.bounding_box()
            assert box["x"] + box["width"] <= width + 1, path  # nothing has to be scrolled across


@pytest.mark.further
def test_numbers_of_tables_are_those_of_the_json(league, browser):
    folder, _, _ = league
    public = folder / "public"
    edition = json.loads((public / "data/edition.json").read_text(encoding="utf-8"))
    known, browser = in_print(edition), browser[True]
    browser.set_viewport_size({"width": 1280, "height": 900})
    checked = 0
    for name in ("index.html", "ratings.html", "changes.html", "embed.html"):
        browser.goto((public / name).resolve().as_uri())
        for who, cells in browser.evaluate(ROWS):
            for number in [one for cell in cells if who in known for one in cell.split(" to ")]:
                if NUMBER.fullmatch(number):
                    assert number in known[who] or number.lstrip("▲▼ ") in known[who], (name, who, number)
                    checked += 1
    assert checked > 200
    chances = {
        (row["first"], row["second"]): [in_percent(row[f"{k}_percent"] / 100.0).strip("<>%") for k in
                                        ("win", "draw", "loss")]
        for row in edition["coming"]
    }  # fmt: skip
    browser.goto((public / "fixtures.html").resolve().as_uri())
    rows = browser.evaluate(
        """[...document.querySelectorAll('main tbody tr')].map((row) => [
          row.querySelector('th').innerText, [...row.querySelectorAll('.shares span')].map((one) => one.innerText)])"""
    )
    assert len(rows) == len(edition["coming"])
    for game, shown in rows:
        expected = chances[tuple(game.split(" – "))]
        assert all(not one or abs(int(one) - int(expected[k])) <= 1 for k, one in enumerate(shown)), game


@pytest.mark.further
@pytest.mark.parametrize("scheme", few(["light", "dark"], 1))
def test_axe_finds_nothing(league, browser, scheme):
    folder, _, _ = league
    page = browser[True]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in all_pages(folder / "public"):
        page.goto(path.resolve().as_uri())
        page.evaluate(axe())
        found = page.evaluate("axe.run()")["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == [], path
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        assert len(ids) == len(set(ids)), path

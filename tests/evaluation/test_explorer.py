"""The explorer page in headless Chromium: choose, sort, search, and compare the numbers with the draws."""

import numpy as np
import pandas as pd
import pytest
from browser import FLAGS, needed
from playwright.sync_api import sync_playwright

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.report.explorer import (
    Chances,
    explorer_page,
    explorer_record,
    meetings_of,
    results_of,
    thinned_draws,
)

NAMES = np.array(["Short", "<script>alert(1)</script>", "Álvarez, Z", "=HYPERLINK(1)", 'O\'Neil "Q" & co'])


def made_up():
    """Return forecasts of five unequal players with a White advantage, shape (draw, white, black, outcome)."""
    chance = np.random.default_rng(4)
    strength = np.linspace(1.0, -1.0, 5) + 0.2 * chance.normal(size=(300, 5))
    white, black = strength[:, :, None] + 0.3, strength[:, None, :]
    log_draw = (0.5 + 0.1 * chance.normal(size=300))[:, None, None]
    scores = np.exp(np.stack(np.broadcast_arrays(black, log_draw + (white + black) / 2, white), axis=-1))
    return strength * 400 / np.log(10), scores / scores.sum(axis=-1, keepdims=True)


def made_up_record(seats="white"):
    """Return the record of the page of the made-up players."""
    elo, probability = made_up()
    every = np.concatenate([probability, probability[..., 2:] + probability[..., 1:2] / 2], axis=-1)
    summary = np.stack([every.mean(0), *np.quantile(every, [0.025, 0.975], axis=0)], axis=-1).astype(np.float32)
    columns = {"player": NAMES, "mean": elo.mean(0), "sd": elo.std(0), "low": elo.min(0), "high": elo.max(0)}
    ratings = pd.DataFrame(columns)
    counts = results_of(np.array([0, 1, 2, -1]), np.array([1, 2, 0, 3]), np.array([1.0, 0.5, 0.0, 1.0]), 5)
    results = dict(zip(NAMES.tolist(), counts, strict=True))
    about = {"title": "made up SIMULATED", "answer": "<b>not bold</b>"}
    names = NAMES[[0, 1, 2, 4]], NAMES[[1, 2, 0, 3]]
    met = meetings_of(
        np.array([0, 1, 2, -1]), np.array([1, 2, 0, 3]), np.array([1.0, 0.5, 0.0, 1.0]), names, (np.zeros(4),) * 2
    )
    stronger = (elo[:, :, None] > elo[:, None, :]).mean(axis=0)
    months = {"Short": pd.DataFrame({"time": [1, 2], "mean": [0.0, 5.0], "low": [-9.0, -3.0], "high": [9.0, 13.0]})}
    chances = Chances(NAMES, summary, True, 300, stronger)
    opponents = {NAMES[number]: rows for number, rows in met.groupby("player")}
    return explorer_record(ratings, chances, results, about, ratings, months, None, opponents, seats)


@pytest.fixture(scope="module")
def browser():
    chromium = needed()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser, tmp_path):
    """Return the page, opened from a file; any console error or failed request fails the test."""
    path = tmp_path / "explorer.html"
    path.write_text(explorer_page(made_up_record()), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    faults = []
    opened.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    opened.goto(path.as_uri())
    yield opened
    assert faults == []
    opened.close()


def shown(page, kind):
    """Return mean, low and high of a row of the pair table, as fractions."""
    cells = page.locator(f"#explorer-pair-table tr[data-kind={kind}] td").all_inner_texts()
    low, high = cells[2].split(" to ")
    return [float(text.rstrip("%")) / 100 for text in (cells[1], low, high)]


@pytest.mark.browser
def test_the_numbers_of_a_pair_are_those_of_the_draws(page):
    opened = page
    opened.fill("#explorer-white", "Álvarez, Z")
    opened.fill("#explorer-black", "Short")
    probability = made_up()[1][:, 2, 0].T
    for kind, value in zip(("loss", "draw", "win"), probability, strict=True):
        expected = [value.mean(), *np.quantile(value, [0.025, 0.975])]
        assert expected[2] - expected[1] > 0.02, "so that whole percents are all it deserves"
        np.testing.assert_allclose(shown(opened, kind), expected, atol=0.00502)
    expected_score = probability[2] + probability[1] / 2
    assert shown(opened, "score")[0] == pytest.approx(expected_score.mean(), abs=0.00502)


@pytest.mark.browser
def test_every_pair_travels_as_precisely_as_it_is_shown(page):
    summary, stronger = page.evaluate(
        """() => {
          const record = JSON.parse(document.getElementById("explorer-data").textContent);
          const read = (text) => [...new Uint16Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)];
          return [read(record.chances), read(record.stronger)];
        }"""
    )
    elo, probability = made_up()
    means = np.array(summary).reshape(5, 5, 4, 3)[:, :, :3, 0] / 65535
    np.testing.assert_allclose(means, probability.mean(axis=0), atol=1e-5)
    expected = (elo[:, :, None] > elo[:, None, :]).mean(axis=0)
    np.testing.assert_allclose(np.array(stronger).reshape(5, 5) / 65535, expected, atol=1e-5)


@pytest.mark.browser
@pytest.mark.parametrize("typed", ["ALVAREZ, z", "alvarez z", "  Álvarez,   Z "])
def test_names_are_found_in_any_case_and_without_accents(page, typed):
    page.fill("#explorer-white", typed)
    page.fill("#explorer-black", "SHORT")
    assert page.inner_text("#explorer-pair-answer").startswith("Álvarez, Z is stronger than Short with probability")
    page.fill("#explorer-search", typed)
    assert page.locator("#explorer-list tbody td:nth-child(2) button").all_inner_texts() == ["Álvarez, Z"]


@pytest.mark.browser
def test_a_link_leads_to_two_players_and_to_one(page):
    page.fill("#explorer-white", "=HYPERLINK(1)")
    page.fill("#explorer-black", "Álvarez, Z")
    answer, link = page.inner_text("#explorer-pair-answer"), page.url
    assert "#white=" in link
    page.goto("about:blank")
    page.goto(link)
    assert page.inner_text("#explorer-pair-answer") == answer
    page.goto("about:blank")
    page.goto(link.partition("#")[0] + "#player=alvarez%20z")
    assert page.inner_text("#explorer-player-page p >> nth=0").startswith("Álvarez, Z: rank 3 of 5")


@pytest.mark.browser
def test_two_players_past_games_are_counted(page):
    page.fill("#explorer-white", "Short")
    page.fill("#explorer-black", "<script>alert(1)</script>")
    assert "They met 1 time: 1 win, 0 draws, 0 losses for Short." in page.inner_text("#explorer-pair-answer")
    page.fill("#explorer-black", "=HYPERLINK(1)")
    assert "They never met." in page.inner_text("#explorer-pair-answer")
    page.fill("#explorer-player", "=HYPERLINK(1)")
    opponents = page.locator("#explorer-player-page .explorer-met tbody tr").all_inner_texts()
    assert [row.split() for row in opponents] == [["O'Neil", '"Q"', "&", "co", "0", "1", "0", "0", "1"]]


@pytest.mark.browser
def test_points_and_score_of_the_list(page):
    rows = page.locator("#explorer-list tbody tr")
    cells = [rows.nth(k).locator("td").all_text_contents() for k in range(5)]
    games = dict(zip(NAMES.tolist(), (row[6:9] for row in cells), strict=True))
    assert games["Short"] == ["2", "2", "100%"]
    assert games["Álvarez, Z"] == ["2", "0.5", "25%"]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("seats", "said"), [("home", ("Home", "Away", "at home")), ("first", ("First", "Second", "named first"))]
)
def test_the_words_are_those_of_the_sport(browser, tmp_path, seats, said):
    path = tmp_path / "explorer.html"
    path.write_text(explorer_page(made_up_record(seats)), encoding="utf-8")
    opened = browser.new_page()
    opened.goto(path.as_uri())
    labels = [opened.inner_text(f"label[for=explorer-{seat}]") for seat in ("white", "black")]
    assert (*labels, opened.inner_text("#explorer-pair-for").split(", ")[-1]) == said
    assert "White" not in opened.inner_text("body")
    opened.close()


@pytest.mark.browser
def test_swapping_colours_exchanges_the_players(page):
    opened = page
    before = opened.input_value("#explorer-white"), opened.input_value("#explorer-black")
    opened.focus("#explorer-swap")
    opened.keyboard.press("Enter")
    assert (opened.input_value("#explorer-black"), opened.input_value("#explorer-white")) == before


@pytest.mark.browser
def test_the_list_sorts_and_searches(page):
    opened = page
    names = "#explorer-list tbody td:nth-child(2) button"
    assert opened.locator(names).all_inner_texts() == NAMES.tolist()
    opened.click("#explorer-list th[data-key=mean] button")
    assert opened.locator(names).all_inner_texts() == NAMES[::-1].tolist()
    assert opened.get_attribute("#explorer-list th[data-key=mean]", "aria-sort") == "ascending"
    opened.fill("#explorer-search", "o'n")
    assert opened.locator(names).all_inner_texts() == ['O\'Neil "Q" & co']


@pytest.mark.browser
def test_names_from_files_are_text(page):
    opened = page
    assert opened.locator("#explorer-list tbody script").count() == 0
    assert opened.inner_text("#explorer-answer") == "<b>not bold</b>"
    opened.locator("#explorer-list tbody button").nth(1).click()
    assert opened.inner_text("#explorer-player-page p >> nth=0").startswith("<script>alert(1)</script>: rank 2 of 5")


@pytest.mark.browser
def test_a_players_page_counts_their_games(page):
    opened = page
    opened.fill("#explorer-player", "Short")
    text = opened.inner_text("#explorer-player-page")
    assert "As White: 1 win, 0 draws, 0 losses." in text
    assert "As Black: 1 win, 0 draws, 0 losses." in text
    assert "Rating through time" in text
    assert opened.locator("#explorer-player-page svg[aria-label^='Rating through time']").count() == 1


@pytest.mark.browser
def test_unknown_players_are_told_and_leave_no_numbers(page):
    opened = page
    opened.fill("#explorer-white", "Nobody")
    assert opened.inner_text("#explorer-pair-answer") == "Choose two different players of the list."
    assert opened.locator("#explorer-pair-table tbody tr").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows(page, width, scheme):
    opened = page
    opened.emulate_media(color_scheme=scheme)
    opened.set_viewport_size({"width": width, "height": 900})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    wider = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert opened.eval_on_selector_all(".explorer-scroll", wider) == 0


def test_thinning_keeps_both_ends_and_at_most_2000_draws():
    kept = thinned_draws(10_000)
    assert kept.size == 2000
    assert (kept[0], kept[-1]) == (0, 9999)
    assert thinned_draws(7).tolist() == list(range(7))


def test_players_without_results_are_refused():
    ratings = pd.DataFrame({"player": ["A"], "mean": [0.0], "sd": [1.0], "low": [-1.0], "high": [1.0]})
    chances = Chances(np.array(["A"]), np.zeros((1, 1, 4, 3), dtype=np.float32), True, 1, np.full((1, 1), 0.5))
    with pytest.raises(EvaluationError, match="the same players"):
        explorer_record(ratings, chances, {}, {})


def test_the_page_carries_the_licences_of_what_it_carries():
    """ISC asks for the notice in all copies."""
    text = explorer_page(made_up_record())
    for holder in ("Mike Bostock", "Observable"):
        assert holder in text.partition("<!--")[2].partition("-->")[0]
    assert text.count("Permission to use, copy, modify") >= 1

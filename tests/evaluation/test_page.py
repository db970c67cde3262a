"""Page in headless Chromium: choose, sort, search, open and close; numbers compared with the draws."""

import numpy as np
import pandas as pd
import pytest
from browser import FLAGS, faults_of_access, needed
from playwright.sync_api import sync_playwright

from halfpoint.apps.pages.listing import listing
from halfpoint.apps.pages.page import Chart, Page, Section, page_html, words_of
from halfpoint.apps.pages.people import Chances, Known, meetings_of, people_record, thinned_draws
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rating_list import results_of

NAMES = np.array(["Short", "<script>alert(1)</script>", "Álvarez, Z", "=HYPERLINK(1)", 'O\'Neil "Q" & co'])


def made_up():
    """Forecasts of five different players with a White advantage, shape (draw, white, black, outcome)."""
    chance = np.random.default_rng(4)
    strength = np.linspace(1.0, -1.0, 5) + 0.2 * chance.normal(size=(300, 5))
    white, black = strength[:, :, None] + 0.3, strength[:, None, :]
    log_draw = (0.5 + 0.1 * chance.normal(size=300))[:, None, None]
    scores = np.exp(np.stack(np.broadcast_arrays(black, log_draw + (white + black) / 2, white), axis=-1))
    return strength * 400 / np.log(10), scores / scores.sum(axis=-1, keepdims=True)


def made_up_page(seats="white"):
    """Page of the simulated players."""
    elo, probability = made_up()
    every = np.concatenate([probability, probability[..., 2:] + probability[..., 1:2] / 2], axis=-1)
    summary = np.stack([every.mean(0), *np.quantile(every, [0.025, 0.975], axis=0)], axis=-1).astype(np.float32)
    columns = {"player": NAMES, "mean": elo.mean(0), "sd": elo.std(0), "low": elo.min(0), "high": elo.max(0)}
    ratings = pd.DataFrame(columns)
    counts = results_of(np.array([0, 1, 2, -1]), np.array([1, 2, 0, 3]), np.array([1.0, 0.5, 0.0, 1.0]), 5)
    results = dict(zip(NAMES.tolist(), counts, strict=True))
    names = NAMES[[0, 1, 2, 4]], NAMES[[1, 2, 0, 3]]
    met = meetings_of(
        np.array([0, 1, 2, -1]), np.array([1, 2, 0, 3]), np.array([1.0, 0.5, 0.0, 1.0]), names, (np.zeros(4),) * 2
    )
    stronger = (elo[:, :, None] > elo[:, None, :]).mean(axis=0)
    months = {"Short": pd.DataFrame({"time": [1, 2], "mean": [0.0, 5.0], "low": [-9.0, -3.0], "high": [9.0, 13.0]})}
    chances = Chances(NAMES, summary, True, 300, stronger)
    opponents = {NAMES[number]: rows for number, rows in met.groupby("player")}
    people = people_record(ratings, chances, results, Known(ratings, months, None, opponents), seats)
    rows = ratings.assign(points=[1.5, 0.5, 0.5, 0.5, 0.0], converged=[True, False, True, True, True])
    rows.insert(0, "rank", np.arange(1, 6))
    conclusions = pd.DataFrame({"conclusion": ["one", "two"], "verdict": ["holds", "falls"], "value": [0.25, np.nan]})
    interval = [{"name": name, "mean": 0.0, "low": -1.0, "high": 1.0} for name in NAMES]
    line = [{"series": "pool", "x": day, "y": 1.0} for day in ("2024-01-01", "2024-02-01")]
    periods = [{"series": "pool", "x": number, "y": 1.0} for number in (3, 4, 5)]
    bins = [{"series": "model", "x": 0.4, "y": 0.5, "low": 0.3, "high": 0.7, "games": 9}]
    sections = [
        Section("ratings", "Rating list", [listing(rows, "rating-list", "Rating list", noun="player", people=True)]),
        Section("more", "More", [listing(conclusions, "conclusions", "Conclusions", filtered="verdict")], folded=True),
        Section("figures", "Figures", [
            Chart("intervals", "Intervals", "intervals", interval, "Elo", zero="nobody"),
            Chart("lines", "Lines", "lines", line, "month", "Elo"),
            Chart("periods", "Periods", "lines", periods, "period", "Elo"),
            Chart("time", "Time", "time", [], "", "Elo"),
            Chart("bins", "Bins", "reliability", bins, "forecast", "came"),
        ], ["<i>not slanted</i>"], "beware of <u>this</u>"),
    ]  # fmt: skip
    return page_html(
        Page("made up", "<b>not bold</b>", sections, {"Games": "4"}, "", True, ["by <hand>"], people), "index.html"
    )


@pytest.fixture(scope="module")
def window():
    """One window of a browser for all tests, and the list of its console errors and failed requests."""
    chromium, faults = needed(), []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        opened = browser.new_page()
        opened.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on(
            "request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None
        )
        yield opened, faults
        browser.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(made_up_page(), encoding="utf-8")
    return path


@pytest.fixture
def page(window, file):
    """The page, opened anew from a file; any console error or failed request fails the test."""
    opened, faults = window
    opened.set_viewport_size({"width": 1280, "height": 900})
    opened.emulate_media(media="screen", color_scheme="light")
    faults.clear()
    opened.goto(file.as_uri())
    yield opened
    assert faults == []


def shown(page, kind):
    """Mean, low and high of a row of the pair table, as shares."""
    cells = page.locator(f"#two-table tr[data-kind={kind}] td").all_inner_texts()
    low, high = cells[2].split(" to ")
    return [float(text.rstrip("%")) / 100 for text in (cells[1], low, high)]


@pytest.mark.browser
def test_the_numbers_of_a_pair_are_those_of_the_draws(page):
    opened = page
    opened.fill("#two-white", "Álvarez, Z")
    opened.fill("#two-black", "Short")
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
          const record = JSON.parse(document.getElementById("data").textContent).people;
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
@pytest.mark.parametrize(("figure", "expected"), [("periods", ["3", "4", "5"]), ("time", ["1", "2"])])
def test_axes_of_periods_have_whole_numbers(page, figure, expected):
    labels = page.locator(f"figure[data-chart={figure}] svg g[font-variant]:not([text-anchor]) text")
    assert labels.all_text_contents() == expected


@pytest.mark.browser
@pytest.mark.parametrize("typed", ["ALVAREZ, z", "alvarez z", "  Álvarez,   Z "])
def test_names_are_found_in_any_case_and_without_accents(page, typed):
    page.fill("#two-white", typed)
    page.fill("#two-black", "SHORT")
    assert page.inner_text("#two-answer").startswith("Álvarez, Z is stronger than Short with probability")
    page.fill("#rating-list-search", typed)
    assert page.locator("#rating-list tbody th button").all_inner_texts() == ["Álvarez, Z"]


@pytest.mark.browser
def test_a_link_leads_to_two_players_and_to_one(page):
    page.fill("#two-white", "=HYPERLINK(1)")
    page.fill("#two-black", "Álvarez, Z")
    answer, link = page.inner_text("#two-answer"), page.url
    assert "#white=" in link
    page.goto("about:blank")
    page.goto(link)
    assert page.inner_text("#two-answer") == answer
    page.goto("about:blank")
    page.goto(link.partition("#")[0] + "#player=alvarez%20z")
    assert page.inner_text(".panel > td > div p >> nth=0").startswith("Álvarez, Z: rank 3 of 5")


@pytest.mark.browser
def test_two_players_past_games_are_counted(page):
    page.fill("#two-white", "Short")
    page.fill("#two-black", "<script>alert(1)</script>")
    assert "They met 1 time: 1 win, 0 draws, 0 losses for Short." in page.inner_text("#two-answer")
    page.fill("#two-black", "=HYPERLINK(1)")
    assert "They never met." in page.inner_text("#two-answer")
    page.click("#rating-list tbody th button >> text==HYPERLINK(1)")
    opponents = page.locator(".panel .met >> nth=0 >> tbody tr").all_inner_texts()
    assert [row.split() for row in opponents] == [["O'Neil", '"Q"', "&", "co", "0", "0", "0", "1"]]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("seats", "said"), [("home", ("Home", "Away", "at home")), ("first", ("First", "Second", "named first"))]
)
def test_the_words_are_those_of_the_sport(window, tmp_path, seats, said):
    path, (opened, _) = tmp_path / "page.html", window
    path.write_text(made_up_page(seats), encoding="utf-8")
    opened.goto(path.as_uri())
    labels = [opened.inner_text(f"label[for=two-{seat}]") for seat in ("white", "black")]
    assert (*labels, opened.inner_text("#two-for").split(", ")[-1]) == said
    assert "White" not in opened.inner_text("body")


@pytest.mark.browser
def test_swapping_colours_exchanges_the_players(page):
    opened = page
    before = opened.input_value("#two-white"), opened.input_value("#two-black")
    opened.focus("#two-swap")
    opened.keyboard.press("Enter")
    assert (opened.input_value("#two-black"), opened.input_value("#two-white")) == before


@pytest.mark.browser
def test_the_list_sorts_and_searches_and_gives_what_is_seen(page):
    names = "#rating-list tbody th button"
    assert page.locator(names).all_inner_texts() == NAMES.tolist()
    heading = page.locator("#rating-list thead th", has_text="Mean")
    heading.locator("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    heading.locator("button").press("Enter")
    assert page.locator(names).all_inner_texts() == NAMES[::-1].tolist()
    assert heading.get_attribute("aria-sort") == "ascending"
    with page.expect_download() as got:
        page.click("#rating-list button >> text=CSV")
    lines = got.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "Rank,Player,Mean,95% interval from,95% interval to,Points"
    assert [line.split(",")[0] for line in lines[1:]] == ["5", "4", "3", "2", "1"]
    assert lines[2].split(",")[1] == "'=HYPERLINK(1)", "no spreadsheet runs a cell"


@pytest.mark.browser
def test_conclusions_are_chosen_by_their_verdict(page):
    page.click("#more summary")
    page.select_option("#conclusions-only", "falls")
    assert page.locator("#conclusions tbody th").all_inner_texts() == ["two"]


@pytest.mark.browser
def test_names_from_files_are_text(page):
    assert page.locator("tbody script, header b, i i, main u u").count() == 0
    assert page.inner_text("#answer") == "<b>not bold</b>"
    assert page.inner_text("#figures p.warning") == "beware of <u>this</u>"
    page.locator("#rating-list tbody th button").nth(1).click()
    assert page.inner_text(".panel > td > div p >> nth=0").startswith("<script>alert(1)</script>: rank 2 of 5")


@pytest.mark.browser
def test_a_panel_counts_games_and_leads_back(page):
    page.click("#rating-list tbody th button >> text=Short")
    text = page.inner_text(".panel")
    assert "As White: 1 win, 0 draws, 0 losses." in text
    assert "As Black: 1 win, 0 draws, 0 losses." in text
    assert "no" not in page.locator(".panel dd").all_inner_texts()
    assert page.locator(".panel svg[aria-label^='Rating through time']").count() == 1
    page.select_option(".panel select", "Álvarez, Z")
    assert "Stronger than Álvarez, Z with probability" in page.inner_text(".panel")
    page.click(".panel button.back")
    assert page.locator(".panel").count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Short"


@pytest.mark.browser
def test_chances_in_a_panel_are_those_of_the_pair_from_either_seat(page):
    page.click("#rating-list tbody th button >> text=Short")
    page.select_option(".panel select", "Álvarez, Z")
    rows = page.locator(".panel .columns .met >> nth=-1 >> tbody tr")
    probability = made_up()[1].mean(axis=0)
    for row, (white, black, mine) in enumerate([(0, 2, (2, 1, 0)), (2, 0, (0, 1, 2))]):
        shown = [float(text.strip("%")) for text in rows.nth(row).locator("td").all_inner_texts()[1:4]]
        np.testing.assert_allclose(shown, 100 * probability[white, black][list(mine)], atol=0.51)


@pytest.mark.browser
def test_unknown_players_leave_no_numbers(page):
    page.fill("#two-white", "Nobody")
    assert page.inner_text("#two-answer") == "Choose two different players of the list."
    assert page.locator("#two-table tbody tr").count() == 0


@pytest.mark.cases(2)
@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_and_everybody_can_read_it(page, width, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    for summary in page.query_selector_all("main section > details > summary"):
        summary.click()
    page.locator("#rating-list tbody th button").nth(0).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("figure svg[role=img], #two-chart svg[role=img]").count() >= 4
    assert faults_of_access(page) == []
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.browser
def test_a_telephone_has_name_rating_and_interval_and_the_rest_in_the_panel(page):
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("#rating-list thead th").all_inner_texts()[:3] == ["Rank", "Player", "Mean"]
    assert " to " in page.inner_text("#rating-list tbody tr >> nth=0")
    rows = page.evaluate(
        "[...document.querySelectorAll('tbody tr')].filter(r => r.getBoundingClientRect().bottom < 844)"
    )
    assert len(rows) >= 3


def test_a_file_is_named_in_words():
    assert [words_of(name) for name in ("a_b.pgn.gz", "c-1.2.csv SIMULATED", ".csv", "games", "Dr.Adler.csv")] == [
        "a b", "c-1.2", ".csv", "games", "Dr.Adler",
    ]  # fmt: skip


def test_numbers_with_their_ends_become_an_interval_and_marks_stay_with_their_rows():
    frame = pd.DataFrame({
        "name": ["bt", "dv"], "edition": ["x", "y"], "rating_elo": [1.0, 2.0], "low_elo": [0.0, np.nan],
        "high_elo": [4.0, 3.0], "rank_low": [1, 1], "rank_high": [2, 2], "best_percent": [40.0, 60.0],
        "tier": [1, 2], "empty": [None, None], "new": [True, False],
    })  # fmt: skip
    made = listing(frame, "x", "X", failed=frozenset({("dv", "y")}))
    kinds = {one.name: one.kind for one in made.columns}
    assert kinds == {
        "name": "text", "edition": "text", "rating_elo": "number", "rating_elo_between": "span",
        "rating_elo_drawn": "bar", "ranks": "ranks", "best_percent": "percent", "tier": "number", "new": "text",
    }  # fmt: skip
    assert made.rows[0][4] == [1.0, 0.0, 4.0]
    assert made.rows[1][3:5] == (None, None)
    assert (made.marks, made.tiers) == ({1: "not converged"}, (1,))
    assert made.rows[0][-1] == "yes"


def test_thinning_keeps_both_ends_and_at_most_2000_draws():
    kept = thinned_draws(10_000)
    assert kept.size == 2000
    assert (kept[0], kept[-1]) == (0, 9999)
    assert thinned_draws(7).tolist() == list(range(7))


def test_players_without_results_are_refused():
    ratings = pd.DataFrame({"player": ["A"], "mean": [0.0], "sd": [1.0], "low": [-1.0], "high": [1.0]})
    chances = Chances(np.array(["A"]), np.zeros((1, 1, 4, 3), dtype=np.float32), True, 1, np.full((1, 1), 0.5))
    with pytest.raises(EvaluationError, match="the same players"):
        people_record(ratings, chances, {})


def test_the_page_carries_the_licences_of_what_it_carries():
    text = made_up_page()
    for holder in ("Mike Bostock", "Observable"):
        assert holder in text.partition("<!--")[2].partition("-->")[0]
    assert text.count("Permission to use, copy, modify") >= 1

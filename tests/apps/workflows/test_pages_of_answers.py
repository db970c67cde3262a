"""Every answer can be written as a page; the index page of a folder lists its pages."""

import pandas as pd
import pytest
from browser import faults_of_access, opened

from halfpoint.apps.workflows.answer import Answer, as_csv, put_page, records
from halfpoint.models.games.results import results

FRAME = pd.DataFrame({
    "player": ["Ann", "<b>Bob</b>"], "title_percent": [60.0, 40.0], "mc_error_percent": 0.5, "new": [True, False],
})  # fmt: skip
ABOUT = {"title": "Cup of a_b.csv (SIMULATED games)", "data": "a_b.csv", "simulated": True, "note": "As drawn."}


def test_a_page_says_who_leads_and_what_is_wrong():
    page = Answer(FRAME, ABOUT | {"verdict": "NOT CONVERGED: R-hat"}).page()
    assert (page.title, page.simulated) == ("Cup of a b", True)
    assert page.answer.startswith("The sampler did not converge (R-hat)")
    assert Answer(FRAME, ABOUT).page().answer == "Ann wins the title with a chance of 60%."
    assert page.warning.startswith("NOT CONVERGED")
    assert Answer(FRAME[["player"]], {"title": "T", "note": "Two. Three."}).page().answer == "Two"


def test_the_second_page_of_a_folder_brings_the_index(tmp_path):
    Answer(FRAME, ABOUT).write(tmp_path / "one.html")
    assert sorted(path.name for path in tmp_path.glob("[!.]*")) == ["one.html"]
    Answer(FRAME, ABOUT | {"title": "Again & more"}).write(tmp_path / "two.html")
    Answer(FRAME, ABOUT).write(tmp_path / "three.csv")
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="one.html">SIMULATED: Cup of a b<' in index
    assert 'href="two.html">SIMULATED: Again &amp; more<' in index
    assert 'href="index.html"' in (tmp_path / "two.html").read_text(encoding="utf-8")


def test_a_folder_of_results_has_an_index_that_is_nobodys(tmp_path):
    for command in ("rate", "leaderboard"):
        with results(tmp_path, command) as place:
            place.text(f"{command}.csv", "1")
            put_page(place, f"{command}.html", Answer(FRAME, ABOUT).page())
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert index.count("<a href") == 4


@pytest.mark.parametrize("name", ["index.html"])
def test_somebodys_own_index_stays(tmp_path, name):
    (tmp_path / name).write_text("mine", encoding="utf-8")
    for page in ("one.html", "two.html"):
        Answer(FRAME, ABOUT).write(tmp_path / page)
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_files_have_zeros_for_residues_of_rounding():
    frame = pd.DataFrame({
        "difference": [0.1 + 0.2 - 0.3 - 1e-16, -4.7e-17, 0.25, float("nan")], "p_value": [1e-20, 0.5, 0.1, 1.0],
        "elo": [-2000.0, 1e-10, -0.0, 1e-3], "games": [1, 2, 3, 4], "all": [-4.7e-17, 3e-17, 0.0, -0.0],
    })  # fmt: skip
    lines = as_csv(frame).splitlines()
    assert lines[1:] == ["0.0,1e-20,-2000.0,1,0.0", "0.0,0.5,0.0,2,0.0", "0.25,0.1,0.0,3,0.0", ",1.0,0.001,4,0.0"]
    assert [row["all"] for row in records(frame)] == [0.0] * 4
    assert frame["all"].iloc[0] == -4.7e-17, "the frame of the answer keeps its numbers"


@pytest.mark.further
@pytest.mark.browser
def test_answer_and_index_can_be_read(tmp_path):
    for page in ("one.html", "two.html"):
        Answer(FRAME, ABOUT).write(tmp_path / page)
    for page in ("two.html", "index.html"):
        with opened(tmp_path / page, tmp_path / f"profile-{page}", 390, "dark") as (seen, complaints):
            assert faults_of_access(seen) == []
            assert complaints == []
            assert seen.evaluate("document.documentElement.scrollWidth") <= 390

"""`halfpoint study` on the replica ends with a report, which is checked in a browser."""

import json
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from browser import faults_of_access, opened
from typed import typed

from halfpoint.apps.study.judged_sets import COLUMNS
from halfpoint.apps.study.page import report
from halfpoint.apps.study.report_sections import answer, times, verdict
from halfpoint.models.games.errors import HalfpointError

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run of two models on the replica, too short to converge."""
    folder = tmp_path_factory.mktemp("run")
    names = "bt-common,davidson-player"
    options = ["--replica", "--models", names, "--draws", 40, "--tune", 60, "--chains", 2, "--quiet", "--out", folder]
    with pytest.MonkeyPatch.context() as patch:  # pictures beside the page, which test_study_command has
        patch.setattr("halfpoint.apps.study.run.figures.save_png", lambda _, path, *__: path.write_bytes(b""))
        code, _, error = typed("study", *options)
    assert code == 3, error
    return folder


def test_tables_of_a_run_keep_the_contract(run):
    table = pd.read_csv(run / "tables" / "predictive.csv", keep_default_na=False, na_values=[""])
    assert tuple(table.columns) == COLUMNS
    assert table["name"].iloc[0] == "fide_elo"
    models = table[table["edition"] == "computed"]
    assert set(models["name"]) == {"bt-common", "davidson-player"}
    own = models[(models["name"] == "davidson-player") & (models["set"] == "B")]
    assert set(zip(own["imputation"], own["anchors"], strict=True)) == {
        (imputation, anchors) for imputation in ("zero", "mean", "mirror") for anchors in ("list", "day")
    }
    assert models["rps"].notna().eq(models["name"] != "bt-common").all()
    assert (models["neg2_lpd"] <= models["neg2_mean_log_predictive"]).all()  # Jensen
    assert not (run / "tables" / "published.csv").exists()  # simulated games are never set beside printed numbers
    chance = np.log(3) * 2 * 411  # a model that knows nothing; these do know something
    assert (models.loc[(models["set"] == "A") & models["rps"].notna(), "neg2_lpd"] < chance).all()


def test_report_says_what_it_is_made_of(run):
    page = (run / "report.html").read_text(encoding="utf-8")
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert "<title>SIMULATED: " in page
    for text in (f"Seed {summary['run']['seed']}", "pymc 6", "2 of 2 runs did NOT converge", 'class="mark"'):
        assert text in page
    assert typed("report", run, "--out", run / "again.html")[0] == 3  # NOT CONVERGED, like the run
    assert (run / "again.html").read_text(encoding="utf-8") == page


def test_the_answer_stands_first_and_says_nothing_of_the_world(run):
    page = (run / "report.html").read_text(encoding="utf-8")
    marks = ["<h1>Can Elo ratings be improved?</h1>", 'id="answer"', 'data-chart="figure-scores"']
    marks += ['<section id="claims"', '<section id="ratings"', '<section id="convergence"', "SHA-256"]
    assert [page.index(mark) for mark in marks] == sorted(page.index(mark) for mark in marks)
    head = page[page.index("<h1>") : page.index("<section")]
    assert "answers nothing about chess" in head
    assert not {"Yes", "No"} & set(re.findall(r"\w+", head))
    assert "conclusions" not in head


def test_the_answer_is_told_in_a_hundred_games(run):
    table = pd.read_csv(run / "tables" / "predictive.csv", keep_default_na=False, na_values=[""])
    row = table[(table["set"] == "A") & (table["name"] == "bt-common")].iloc[-1]
    factor = 10.0 ** (-100.0 * row["deviance_score_difference"])
    said = answer({"predictive": table}, simulated=False)
    assert f"gives {times(factor)} the chance that FIDE's rating gives them" in said


@pytest.mark.parametrize(
    ("difference", "error", "said"),
    [(-0.0196, 0.0023, "Yes."), (0.01, 0.004, "No."), (-0.0025, 0.0019, "These games do not decide it.")],
)
def test_an_answer_needs_two_standard_errors(difference, error, said):
    assert verdict(difference, error).startswith(said)


@pytest.mark.further
@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme", "screens"), [(390, "dark", 8), (1280, "light", 6)])
def test_page_in_a_browser(run, tmp_path, width, scheme, screens):
    with opened(run / "report.html", tmp_path, width, scheme) as (page, complaints):
        assert page.evaluate("document.documentElement.scrollHeight") <= screens * 800
        assert page.locator("figure svg").count() == 3
        for summary in page.query_selector_all("main section > details > summary"):
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#rating-list tbody th").first.inner_text() != ""
        names = page.locator("#rating-list tbody th button, #ratings-computed tbody th button").all_inner_texts()
        assert all(", " in name for name in names), "the same names everywhere"
        assert faults_of_access(page) == []
        assert complaints == []


def test_folders_without_a_run_are_told_in_one_line(tmp_path):
    code, _, error = typed("report", tmp_path)
    assert code == 2
    assert error.count("\n") == 1
    assert "summary.json: expected the summary of a run" in error
    for text, said in (("[1", "expected JSON"), ("{}", "found no 'data'")):
        (tmp_path / "summary.json").write_text(text, encoding="utf-8")
        with pytest.raises(HalfpointError, match=said):
            report(tmp_path)
    assert not (tmp_path / "report.html").exists()


DAMAGES = [
    ("summary.json", lambda text: text.replace('"converged"', '"konverged"')),
    ("summary.json", lambda text: text.replace('"draws"', '"drows"')),
    ("summary.json", lambda _: "[]"),
    ("summary.json", lambda _: '{"data": 1, "models": 2, "run": 3}'),
    ("summary.json", lambda _: '{"data": {}, "models": [], "run": {}}'),
    ("summary.json", lambda text: text[: len(text) // 2]),
    ("figures/figures.json", lambda _: "{}"),
    ("figures/figures.json", lambda text: text.replace('"runs"', '"walks"')),
    *[
        (f"tables/{name}.csv", change)
        for place, name in enumerate(("predictive", "calibration", "ratings", "claims", "models"))
        for kind, change in enumerate(
            (
                lambda text: "",
                lambda text: text.split("\n")[0] + "\n",
                lambda text: text.replace(",", ";"),
                lambda text: text.partition(",")[2],
                lambda text: "x,y\n1,2\n",
            )
        )
        if (place + kind) % 2 == 0
    ],
]


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    "number", [pytest.param(one, marks=() if one % 3 == 0 else pytest.mark.slow) for one in range(len(DAMAGES))]
)
def test_a_damaged_run_is_told_by_its_file(run, tmp_path, number):
    """A page, or one line that names a file of the run; never a traceback."""
    name, change = DAMAGES[number]
    shutil.copytree(run, tmp_path / "run")
    path = tmp_path / "run" / name
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    said, page = "", tmp_path / "page.html"
    try:
        report(tmp_path / "run", page)
    except HalfpointError as error:
        said = str(error)
    if page.exists():
        assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    else:
        assert str(tmp_path / "run") in said
        assert "expected" in said
        assert said.isprintable()

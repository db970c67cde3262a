"""Football league on the terminal: fixtures with days, named places, home and away."""

import pandas as pd
import pytest

import halfpoint as hp
from halfpoint.apps import workflows
from halfpoint.readers.datasets.examples import example_file


@pytest.fixture(scope="module")
def league():
    return hp.rate(hp.load("football"), method="normal", draws=300, chains=2).trace


def test_fixtures_have_their_days(league):
    rows = [("2025-12-06", "Alderton", "Dunmere"), ("", "Fernley", "Dunmere"), ("2026-01-13", "Dunmere", "Fernley")]
    fixtures = pd.DataFrame(rows, columns=["date", "home", "away"])
    found = workflows.forecast(league, fixtures)
    assert [row["day"] for row in found.record()["rows"]] == ["2025-12-06", None, "2026-01-13"]
    assert found.look.frame["day"].tolist() == ["06 Dec", "", "13 Jan"]
    listed = found.page().sections[0].parts[0]
    place = [column.name for column in listed.columns].index("day")
    assert [row[place] for row in listed.rows] == ["2025-12-06", None, "2026-01-13"]
    later = pd.DataFrame([*rows, ("2026-12-06", "Alderton", "Dunmere")], columns=["date", "home", "away"])
    assert workflows.forecast(league, later).look.frame["day"].tolist()[0] == "2025-12-06"
    assert "day" not in workflows.forecast(league, fixtures[["home", "away"]]).frame


def test_places_have_names(league, tmp_path, halfpoint):
    league.to_netcdf(tmp_path / "trace.nc")
    words = ["tournament", tmp_path / "trace.nc", example_file("clubs"), "--format", "season", "--simulations", 200]
    code, out, _ = halfpoint(*words, "--zones", "Top Two=1-2, last=10", "--out", tmp_path / "season.csv")
    assert code == 0
    assert "Places: Top Two 1 to 2, last 10." in " ".join(out.split())
    assert ("top two" in out, "zone" in out) == (True, False)
    chances = pd.read_csv(tmp_path / "season.csv")[["zone_top_two_percent", "zone_last_percent"]].sum()
    assert chances.tolist() == pytest.approx([200.0, 100.0])
    for zones in ("last=9-11", "last=3-2", "last=", "=1", "a=1,a=2"):
        code, _, error = halfpoint(*words, "--zones", zones)
        assert (code, error.count("\n")) == (2, 1)
        assert error.startswith("halfpoint: --zones: expected")


def test_a_backtest_says_home_where_the_file_does(tmp_path):
    for name, seat in (("football", "Home"), ("club", "White")):
        found = workflows.backtest(str(example_file(name)), "elo", out=tmp_path / name)
        [chart] = [one for one in found.charts if one.id == "figure-calibration"]
        assert f"Score of {seat} in bins" in chart.title
        assert chart.x == f"forecast score of {seat}"

"""`halfpoint races`: from a file to ratings, pages, forecasts and backtests; errors in one line."""

import json

import numpy as np
import pandas as pd
import pytest
from made_races import made_trace

from halfpoint.apps.fields.races.forecast import races_forecast, read_races_trace
from halfpoint.apps.fields.races.list import races_list, rate_events
from halfpoint.apps.fields.races.read import read_races
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.inference.traces.netcdf import write

STRENGTH = np.linspace(1.0, -1.0, 6)


@pytest.fixture
def file(halfpoint, tmp_path):
    words = ("--competitors", 6, "--events", 40, "--field", 4, "--ties", 0.1, "--unplaced", 0.25, "--seed", 3)
    code, out, _ = halfpoint("races", "simulate", tmp_path / "r.csv", *words)
    assert code == 0
    assert "40 SIMULATED events of 6" in out
    return tmp_path / "r.csv"


@pytest.fixture
def trace(file, tmp_path):
    write(made_trace(read_races(file), STRENGTH), tmp_path / "trace.nc")
    return tmp_path / "trace.nc"


def test_a_list_is_the_function(halfpoint, file, tmp_path):
    for system, words in (("elo", ("--set", "k=20")), ("trueskill", ())):
        code, out, _ = halfpoint("races", "list", file, "--system", system, *words, "--json")
        assert code == 0
        found = races_list(file, system, numbers={"k": 20.0} if words else None).frame
        assert [row["competitor"] for row in json.loads(out)["rows"]] == found["competitor"].tolist()
    code, out, _ = halfpoint("races", "list", file, "--system", "elo", "--out", tmp_path / "list.html")
    assert code == 0
    assert "without a place: behind all placed" in out
    page = (tmp_path / "list.html").read_text()
    assert "Competitor 1" in page
    assert "simulated" in page.lower()


def test_a_forecast_from_a_trace(halfpoint, trace, tmp_path):
    names = "competitor 1,Competitor 3,Competitor 4,Competitor 6"
    code, out, _ = halfpoint("races", "forecast", trace, "--field", names, "--simulations", 20_000, "--json")
    assert code == 0
    answer = json.loads(out)
    draws = read_races_trace(trace)["posterior"]["strength"].to_numpy()[..., [0, 2, 3, 5]]
    share = np.exp(draws) / np.exp(draws).sum(axis=-1, keepdims=True)
    found = {row["competitor"]: row for row in answer["rows"]}
    assert [row["win_percent"] for row in answer["rows"]] == pytest.approx(100.0 * share.mean(axis=(0, 1)))
    for row in answer["rows"]:
        assert sum(row[f"place_{place}_percent"] for place in range(1, 5)) == pytest.approx(100.0)
        assert abs(row["place_1_percent"] - row["win_percent"]) < 4.5 * answer["mc_error_percent"]
    assert found["Competitor 1"]["mean_place"] < found["Competitor 6"]["mean_place"]
    (tmp_path / "field.txt").write_text("Competitor 2\n\nCompetitor 5\n")
    code, out, _ = halfpoint("races", "forecast", trace, "--field", tmp_path / "field.txt", "--out", tmp_path / "f.csv")
    assert code == 0
    two = pd.read_csv(tmp_path / "f.csv")
    assert two["win_percent"].sum() == pytest.approx(100.0)
    gap = read_races_trace(trace)["posterior"]["strength"].to_numpy()[..., [1, 4]]
    chance = 1.0 / (1.0 + np.exp(gap[..., 1] - gap[..., 0]))  # of two: Bradley-Terry's, exactly
    assert two["win_percent"][0] == pytest.approx(100.0 * chance.mean())
    assert races_forecast(trace, ["Competitor 2", "Competitor 5"], seed=2).frame["competitor"][0] == "Competitor 2"


def test_a_list_of_a_trace_and_its_page(file, trace):
    found = rate_events(read_races_trace(trace), read_races(file))
    assert found.frame["competitor"].tolist() == [f"Competitor {number}" for number in range(1, 7)]
    assert found.frame["rating_elo"].mean() == pytest.approx(1500.0)
    assert found.frame["rating_elo"].diff().dropna().to_numpy() == pytest.approx(-0.4 * 400.0 / np.log(10.0), abs=4.0)
    assert (found.frame["low_elo"] < found.frame["rating_elo"]).all()
    assert "Two equal competitors share a place with probability" in found.note
    assert found.page().answer == "Competitor 1 is the strongest (>99%)."
    assert found.page().simulated


def test_a_backtest_of_systems(halfpoint, file, tmp_path):
    words = ("--systems", "elo,uniform", "--blocks", 3, "--out", tmp_path / "b.csv")
    code, out, _ = halfpoint("races", "backtest", file, *words)
    assert code == 0
    assert "each forecast from" in " ".join(out.split())
    rows = pd.read_csv(tmp_path / "b.csv").set_index("forecaster")
    assert rows.loc["uniform", "log_order_gain"] == 0.0
    assert rows["events"].tolist() == [20, 20]


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("list", "none.csv"), "none.csv"),
        (("list", "FILE", "--system", "glicko"), "--system: expected weng-lin | trueskill | elo"),
        (("list", "FILE", "--set", "k=20"), "--set: expected numbers of weng-lin: sigma, beta, tau, found 'k'"),
        (("list", "FILE", "--unplaced", "first"), "--unplaced: expected last | out, found 'first'"),
        (("list", "FILE", "--columns", "place=x"), "--columns: expected FIELD=COLUMN"),
        (("list", "FILE", "--out", "FILE"), "found an input file"),
        (("list", "FILE", "--out", "x.txt"), "--out: expected a file that ends in .csv, .json or .html"),
        (("rate", "FILE", "--groups", "apart"), "--groups: expected refuse | largest, found 'apart'"),
        (("rate", "none.csv", "--out", "run"), "none.csv"),
        (("rate", "FILE", "--draws", "0"), "--draws: expected a whole number"),
        (("forecast", "FILE", "--field", "A,B"), "expected a NetCDF trace"),
        (("forecast", "TRACE", "--field", "Competitor 1"), "--field: expected two or more competitors"),
        (("forecast", "TRACE", "--field", "Competitor 1,Bob"), "--field: expected a player who is rated, found 'Bob'"),
        (("forecast", "TRACE", "--field", ","), "--field: expected A,B,C, or a file"),
        (("forecast", "TRACE", "--field", "Competitor 1,Competitor 1"), "--field: expected every name once"),
        (("backtest", "FILE", "--systems", "glicko"), "--systems: expected plackett-luce"),
        (("backtest", "FILE", "--train", "2"), "--train: expected"),
        (("simulate", "x.csv", "--field", "30"), "--field: expected at most the 24 competitors, found 30"),
    ],
)
def test_what_is_wrong_is_one_line(halfpoint, file, trace, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    given = [{"FILE": file, "TRACE": trace}.get(word, word) for word in words]
    code, out, error = halfpoint("races", *given)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert message in error
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_trace_of_races_is_no_trace_of_games_and_must_be_whole(halfpoint, trace, tmp_path):
    code, _, error = halfpoint("rank", trace)
    assert (code, error.count("\n")) == (2, 1)
    assert "expected schema" in error
    tree = read_races_trace(trace)
    with pytest.raises(ValueError, match="expected schema"):
        read_trace(trace)
    del tree["posterior"]["strength"]
    write(tree, tmp_path / "broken.nc")
    code, _, error = halfpoint("races", "forecast", tmp_path / "broken.nc", "--field", "Competitor 1,Competitor 2")
    assert (code, error.count("\n")) == (2, 1)
    assert "the trace of races is damaged: no draws of strength" in error


def test_draws_that_do_not_agree_are_said_by_the_exit_code(halfpoint, file, tmp_path):
    tree = made_trace(read_races(file), STRENGTH)
    draws = tree["posterior"]["strength"].to_numpy().copy()
    draws[1, :, 0] += 3.0
    both = {name: (("chain", "draw", "player"), draws) for name in ("strength", "rating_elo")}
    tree["posterior"] = tree["posterior"].to_dataset().assign(both)
    write(tree, tmp_path / "apart.nc")
    code, out, _ = halfpoint("races", "forecast", tmp_path / "apart.nc", "--field", "Competitor 1,Competitor 2")
    assert code == 3
    assert "NOT CONVERGED" in out


@pytest.mark.slow
def test_rate_finds_the_truth_and_its_folder_is_whole(halfpoint, tmp_path):
    words = ("--competitors", 12, "--events", 80, "--field", 6, "--ties", 0.05, "--unplaced", 0.2, "--seed", 5)
    assert halfpoint("races", "simulate", tmp_path / "r.csv", *words)[0] == 0
    code, out, _ = halfpoint("races", "rate", tmp_path / "r.csv", "--out", tmp_path / "run", "--quiet", "--json")
    assert code == 0
    truth = pd.read_csv(tmp_path / "r.csv.truth.csv").set_index("competitor")["rating_elo"]
    rows = pd.DataFrame(json.loads(out)["rows"]).set_index("competitor")
    inside = (rows["low_elo"] <= truth[rows.index]) & (truth[rows.index] <= rows["high_elo"])
    assert inside.sum() >= 9  # of 12 at 95%: fewer in 1 of 500 runs
    assert np.corrcoef(rows["rating_elo"], truth[rows.index])[0, 1] > 0.8
    made = {path.name for path in (tmp_path / "run").iterdir() if not path.name.startswith(".")}
    assert made == {"ratings.csv", "report.html", "trace.nc", "index.html"}
    names = ",".join(rows.index[:3])
    assert halfpoint("races", "forecast", tmp_path / "run" / "trace.nc", "--field", names)[0] == 0
    code, out, _ = halfpoint("races", "backtest", tmp_path / "r.csv", "--blocks", 2, "--json")
    assert code in (0, 3)
    found = pd.DataFrame(json.loads(out)["rows"]).set_index("forecaster")
    assert found.loc["plackett-luce", "log_order_gain"] > 2.0 * found.loc["plackett-luce", "log_order_error"]

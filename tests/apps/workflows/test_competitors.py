"""Odds and external forecasts as competitors: probabilities compared with published examples, rows, errors."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from halfpoint.apps.workflows.backtesting import backtest
from halfpoint.evaluation.scores import ranked_probability_score
from halfpoint.models.games.errors import HalfpointError
from halfpoint.systems.odds import proportional, shin


def test_shins_method_on_published_examples():
    # the README of the package shin (mberk/shin), and the vignette of the R package implied
    assert shin([2.6, 2.4, 4.3]) == pytest.approx([0.37299406033208965, 0.4047794109200184, 0.2222265287474275], 1e-12)
    odds = [[4.20, 3.70, 1.95], [2.45, 3.70, 2.90], [2.05, 3.20, 3.80]]
    expected = [[0.2315716, 0.2635742, 0.5048542], [0.4000221, 0.2629271, 0.3370508], [0.4645882, 0.2919788, 0.2434331]]
    assert shin(odds) == pytest.approx(np.array(expected), abs=3e-6)  # the vignette stops its iteration early
    plain = [[0.2331556, 0.2646631, 0.5021813], [0.3988848, 0.2641264, 0.3369888], [0.4586948, 0.2938514, 0.2474538]]
    assert proportional(odds) == pytest.approx(np.array(plain), abs=5e-8)
    # of two outcomes: each loses half of the margin (Jullien & Salanie 1994)
    assert shin([1.5, 2.74]) == pytest.approx(
        [1 / 1.5 - 0.5 * (1 / 1.5 + 1 / 2.74 - 1), 1 / 2.74 - 0.5 * (1 / 1.5 + 1 / 2.74 - 1)]
    )


def test_odds_that_carry_no_margin_and_long_odds():
    fair = 1.0 / np.array([0.2, 0.3, 0.5])
    for odds in (fair, 1.02 * fair):
        assert shin(odds) == pytest.approx([0.2, 0.3, 0.5])
    sharp = np.array([1.01, 51.0, 501.0])
    assert shin(sharp).sum() == pytest.approx(1.0)
    assert (shin(sharp)[1:] < proportional(sharp)[1:]).all()  # the longer, the more is taken out


@pytest.fixture
def season(tmp_path):
    """Games of a year with known true probabilities, and odds of a bookmaker who knows them, with a margin of 5%."""
    rng = np.random.default_rng(31)
    size = 480
    lead = rng.normal(0.3, 0.8, size)
    win, loss = 1 / (1 + np.exp(0.6 - lead)), 1 / (1 + np.exp(0.6 + lead))
    p = np.stack([win, 1 - win - loss, loss], axis=1)
    result = np.array([rng.choice(3, p=one) for one in p])
    home = rng.integers(0, 10, size)
    frame = pd.DataFrame({"Date": (np.datetime64("2012-01-02") + np.arange(size)).astype(str)})
    frame["HomeTeam"] = [f"Club {k}" for k in home]
    frame["AwayTeam"] = [f"Club {k}" for k in (home + rng.integers(1, 10, size)) % 10]
    frame["FTR"] = np.array(list("HDA"))[result]
    for seat, column in zip("HDA", (1.0 / (1.05 * p)).T, strict=True):
        frame[f"B365{seat}"] = column
    frame.to_csv(tmp_path / "season.csv", index=False)
    return frame, p, tmp_path / "season.csv"


def test_odds_are_a_row_with_paired_errors(season):
    _, p, path = season
    found = backtest(str(path), "elo,base-rates", begin="2012-06", odds="B365")
    rows = found.stretch().set_index("system")
    assert found.plan.reference == "B365"
    assert set(rows.index) == {"B365", "B365-shin", "elo", "base-rates"}
    late = found.plan.games.period >= 6
    outcome = found.plan.games.outcome[late]
    assert rows.loc["B365", "log_score"] == pytest.approx(-np.log(p[:, ::-1][late, outcome]).mean())
    assert rows.loc["B365", "rps"] == pytest.approx(ranked_probability_score(p[:, ::-1][late], outcome).mean())
    assert rows.loc["B365", "difference"] == 0.0
    assert rows.loc["elo", "difference"] > 2.0 * rows.loc["elo", "se_two_way"] > 0.0
    first = found.stretch().iloc[0]
    answer = found.page().answer
    assert answer.startswith(f"{first['title']} has the lowest log score of 4 systems on ")
    rival = first if first["system"] != "B365" else found.stretch().iloc[1]
    assert f"{abs(rival['difference']):.5f} less than" in answer
    assert ("not significantly different" in answer) == (rival["low"] <= 0.0 <= rival["high"])


def test_three_columns_by_name_and_several_prefixes(season, tmp_path):
    frame, _, path = season
    frame.rename(columns={"B365H": "one", "B365D": "x", "B365A": "two"}).assign(
        PSH=frame["B365H"], PSD=frame["B365D"], PSA=frame["B365A"]
    ).to_csv(path, index=False)
    rows = backtest(str(path), "elo", begin=6, odds="one/x/two,PS").stretch().set_index("system")
    assert rows.loc["one", "log_score"] == rows.loc["PS", "log_score"]


def test_a_file_of_forecasts_in_any_order(season, tmp_path):
    frame, p, path = season
    told = frame[["Date", "HomeTeam", "AwayTeam"]].assign(win=p[:, 0], draw=p[:, 1], loss=p[:, 2])
    told.sample(frac=1.0, random_state=1).to_csv(tmp_path / "model.csv", index=False)
    found = backtest(str(path), "elo", begin=6, odds="B365", forecasts=tmp_path / "model.csv", out=tmp_path / "out")
    rows = found.stretch().set_index("system")
    assert rows.loc["model", "log_score"] == pytest.approx(rows.loc["B365", "log_score"], abs=1e-12)
    assert rows.loc["model", "se_two_way"] < 1e-12
    long = pl.read_parquet(tmp_path / "out" / "forecasts.parquet").filter(pl.col("system") == "model")
    assert long.select("win", "draw", "loss").to_numpy() == pytest.approx(p)


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", ["=B", "\uff1dB", "@B", "-B"])
def test_no_table_of_a_backtest_runs_a_forecaster_as_a_formula(season, tmp_path, name):
    frame, _, path = season
    frame = frame.rename(columns={f"B365{seat}": f"{name}{seat}" for seat in "HDA"})
    frame.to_csv(path, index=False)
    backtest(str(path), "elo", begin=6, odds=name, out=tmp_path / "out")
    tables = {file.name: file.read_text() for file in (tmp_path / "out").glob("*.csv")}
    assert f"'{name}" in tables["scores.csv"]
    assert {file for file, text in tables.items() if re.search(rf"(^|[,\"]){name}", text, re.MULTILINE)} == set()


def test_games_without_odds_are_judged_of_nobody(season):
    frame, _, path = season
    frame.loc[400:409, "B365D"] = np.nan
    frame.to_csv(path, index=False)
    lines = []
    found = backtest(str(path), "elo", begin=6, odds="B365", say=lines.append)
    late = int((found.plan.games.period >= 6).sum())
    assert set(found.stretch()["games"]) == {late - 10}
    assert any(line.startswith("B365: no forecast of 10 games") for line in lines)
    frame.assign(B365H=np.where(frame.index < 100, frame["B365H"], np.nan)).to_csv(path, index=False)
    with pytest.raises(HalfpointError, match=r"expected games with forecasts of B365, found none\. Judge"):
        backtest(str(path), "elo", begin=6, odds="B365")


@pytest.mark.parametrize(
    ("odds", "change", "message"),
    [
        ("PSC", {}, r"three columns of odds, PSCH, PSCD, PSCA, found no numbers in PSCH, PSCD, PSCA\. Give --odds"),
        ("B365H/B365D", {}, "found 2 columns"),
        ("B365,B365", {}, "a unique name of each forecaster, found 'B365'"),
        ("B365", {"B365D": 0.9}, r"line 2 \(Club \d - Club \d\): expected decimal odds above 1"),
        ("B365", {"B365D": "evens"}, "found no numbers in B365D"),
    ],
)
def test_odds_that_are_none_are_one_line(season, odds, change, message):
    frame, _, path = season
    frame.assign(**change).to_csv(path, index=False)
    with pytest.raises(HalfpointError, match=message) as error:
        backtest(str(path), "elo", begin=6, odds=odds)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"win": 0.9}, "line 2 .*: expected three probabilities whose sum is 1"),
        ({"win": "much"}, "numbers in the columns loss, draw, win"),
        ({"HomeTeam": "Nobody"}, "expected forecasts of the games of .* Check the spelling"),
        ({"Date": "2012-01-02", "HomeTeam": "Club 1", "AwayTeam": "Club 2"}, "line 3: expected one forecast of a game"),
    ],
)
def test_forecasts_that_are_none_are_one_line(season, tmp_path, change, message):
    frame, p, path = season
    told = frame[["Date", "HomeTeam", "AwayTeam"]].assign(win=p[:, 0], draw=p[:, 1], loss=p[:, 2])
    told.assign(**change).to_csv(tmp_path / "model.csv", index=False)
    with pytest.raises(HalfpointError, match=message) as error:
        backtest(str(path), "elo", begin=6, forecasts=tmp_path / "model.csv")
    assert "\n" not in str(error.value)

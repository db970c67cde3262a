"""`halfpoint backtest` from files to tables, and its errors."""

import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rating_games import simulated

from halfpoint.apps.cli.app import application
from halfpoint.apps.workflows.backtesting import backtest
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.result_record import PARTS, read_record

SMALL = Effort(draws=150, tune=150, chains=2, cores=1)


def run(*words):
    """Run the command in this process."""
    application(["backtest"])(["backtest", *map(str, words)], standalone_mode=False)


def write_csv(games, path):
    """Write games as a CSV file that halfpoint reads."""
    columns = {"white": games.white_names, "black": games.black_names, "score": games.score, "period": games.period}
    columns |= {"white_rating_elo": games.white_rating_elo, "black_rating_elo": games.black_rating_elo}
    pd.DataFrame(columns | {"event": games.event}).to_csv(path, index=False)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.csv"
    write_csv(simulated(81, players=16, games=600, periods=9)[0], path)
    return path


def test_files_of_a_backtest(file, tmp_path):
    run(file, "--systems", "glicko,base-rates", "--from", 5, "--out", tmp_path)
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert set(scores["system"]) == {"fide-rating", "glicko", "base-rates"}  # the reference is always there
    assert set(scores["reference"]) == {"fide-rating"}  # the games have ratings
    assert (scores.loc[scores["system"] == "fide-rating", "difference"] == 0.0).all()
    row = scores[scores["system"] == "glicko"].iloc[0]
    assert row["difference_draw"] + row["difference_decisive"] == pytest.approx(row["difference"], abs=1e-12)
    assert row["low"] < row["difference"] < row["high"]
    assert row["se_two_way"] >= max(row["se_event"], row["se_player"])
    long = pl.read_parquet(tmp_path / "forecasts.parquet")
    assert long.shape == (3 * 600, 13)
    games = pd.read_csv(file)
    for name in ("white", "black", "event"):  # who met whom where, to join with the file
        assert long[name].to_list() == games[name].tolist() * 3
    assert set(long["set"]) == set(scores["set"])
    assert set(long["time_class"]) <= {"classical", "unknown"}
    probabilities = long.select("loss", "draw", "win").to_numpy()
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    # the table of scores is what the long table says
    judged = long.filter((pl.col("system") == "glicko") & (pl.col("period") >= 5))
    chosen = judged.select("loss", "draw", "win").to_numpy()[
        np.arange(len(judged)), (2 * judged["score"].to_numpy()).astype(int)
    ]
    row = scores[scores["system"] == "glicko"].iloc[0]
    assert row["log_score"] == pytest.approx(-np.log(chosen).mean(), abs=1e-12)
    assert row["games"] == len(judged)
    periods = pd.read_csv(tmp_path / "scores_by_period.csv")
    last = periods[(periods["system"] == "glicko") & (periods["period"] == 9)].iloc[0]
    assert last["cumulative_lead"] == pytest.approx(-row["difference"] * row["games"], abs=1e-9)
    record = json.loads((tmp_path / "backtest.json").read_text())
    assert record["systems"]["glicko"]["draws"] == "rule"
    assert record["systems"]["glicko"]["settings"].keys() == {"advantage", "deviation", "growth"}
    page = (tmp_path / "report.html").read_text()
    for figure in ("lead", "calibration", "scores"):
        assert f'"figure-{figure}"' in page


def test_the_contract_of_the_scores_and_a_listed_model_on_any_file(file, tmp_path):
    run(file, "--systems", "elo", "--models", "listed-draws", "--reference", "elo", "--from", 5, "--out", tmp_path)
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert scores.columns[:18].tolist() == [
        "system", "set", "games", "periods", "log_score", "deviance", "definetti", "rps", "accuracy", "reference",
        "difference", "se_naive", "se_event", "se_player", "se_two_way", "low", "high", "periods_better",
    ]  # fmt: skip
    assert set(scores["system"]) == {"elo", "listed-draws"}
    assert set(scores["reference"]) == {"elo"}
    row = scores[scores["system"] == "listed-draws"].iloc[0]
    assert (row["periods"], row["draws"]) == (5, "own")
    long = pl.read_parquet(tmp_path / "forecasts.parquet").filter(pl.col("system") == "listed-draws")
    assert long["period"].min() == 5  # nothing is fitted before --from
    periods = pd.read_csv(tmp_path / "scores_by_period.csv").pivot(index="period", columns="system", values="log_score")
    assert row["periods_better"] == (periods["listed-draws"] < periods["elo"]).sum()
    assert json.loads((tmp_path / "backtest.json").read_text())["error_to_believe"] == "se_two_way"


def test_a_second_run_uses_what_is_there(file, tmp_path):
    run(file, "--systems", "elo", "--from", 5, "--out", tmp_path)
    first = (tmp_path / "rolled" / "elo.npz").stat().st_mtime_ns
    scores = (tmp_path / "scores.csv").read_text()
    run(file, "--systems", "elo", "--from", 5, "--out", tmp_path)
    assert (tmp_path / "rolled" / "elo.npz").stat().st_mtime_ns == first
    assert (tmp_path / "scores.csv").read_text() == scores


def test_what_a_backtest_goes_on_from_comes_with_its_results(file, tmp_path):
    words = (file, "--systems", "elo", "--from", 8, "--out", tmp_path)
    left = tmp_path / PARTS / "rolled"
    left.mkdir(parents=True)
    (left / ".elo.npz.killed.part").write_bytes(b"half")
    run(*words)
    files = {path.relative_to(tmp_path).as_posix() for path in (tmp_path / "rolled").iterdir()}
    names = ("elo", "fide-rating")
    assert files == {f"rolled/{name}{ending}" for name in names for ending in (".npz", ".timing.json")}
    assert files | {"tuned/elo.json"} <= read_record(tmp_path).keys()
    assert not (tmp_path / PARTS).exists()
    (tmp_path / "rolled" / "elo.npz").write_bytes(b"somebody's")
    with pytest.raises(HalfpointError, match=r"rolled/elo\.npz: .* changed since\. .* --force"):
        run(*words)
    assert (tmp_path / "rolled" / "elo.npz").read_bytes() == b"somebody's"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--systems", "glicko,elo-event"), "--systems elo-event: expected an event for each game, found none"),
        (("--systems", "glicko", "--models", "margin-normal"), "model margin-normal: .*expected a margin"),
    ],
)
def test_a_missing_column_is_known_before_the_first_game(words, said, file, tmp_path, capsys):
    pd.read_csv(file).drop(columns="event").to_csv(tmp_path / "games.csv", index=False)
    with pytest.raises(HalfpointError, match=said):
        run(tmp_path / "games.csv", *words, "--from", 8, "--out", tmp_path / "out", "--method", "normal")
    assert "glicko:" not in capsys.readouterr().out
    assert not list((tmp_path / "out").glob("**/*.npz"))


def test_margins_have_a_table_of_their_own(tmp_path, capsys):
    rng = np.random.default_rng(4)
    goals = rng.poisson(1.4, (120, 2))
    table = {"Date": np.repeat(np.datetime64("2024-01-01") + 31 * np.arange(12), 10).astype(str)}
    table |= {
        "HomeTeam": ["Ash", "Elm"] * 60,
        "AwayTeam": ["Oak", "Yew"] * 60,
        "FTHG": goals[:, 0],
        "FTAG": goals[:, 1],
    }
    pd.DataFrame(table).to_csv(tmp_path / "goals.csv", index=False)
    run(tmp_path / "goals.csv", "--systems", "elo,margin-rates", "--from", 8, "--out", tmp_path / "out")
    printed = capsys.readouterr().out
    assert "differences to margin-rates" in printed
    found = pd.read_csv(tmp_path / "out" / "margins.csv")
    assert found.loc[0, ["system", "difference", "se_two_way"]].tolist() == ["margin-rates", 0.0, 0.0]
    assert f"{found.loc[0, 'crps']:.4f}"[:5] in printed.replace("\n", "")


@pytest.mark.parametrize(
    ("days", "remedy"),
    [(7, "Use shorter periods: --every week."), (1, "Use shorter periods: --every day."), (0, "Add games")],
)
def test_files_of_one_month_name_periods_that_suit_them(days, remedy, tmp_path):
    rows = [
        f"{date(2024, 1, 1 + days * (k // 20))},P{k % 5},P{(k + 1) % 5},{'1-0' if k % 3 else '0-1'}" for k in range(80)
    ]
    (tmp_path / "a.csv").write_text("\n".join(["date,white,black,result", *rows]))
    with pytest.raises(HalfpointError, match=f"expected games of 3 periods or more, found 1. {remedy}"):
        run(tmp_path / "a.csv", "--systems", "elo", "--out", tmp_path / "out")
    if days:
        run(tmp_path / "a.csv", "--systems", "elo", "--out", tmp_path / "out", *remedy.rstrip(".").split()[-2:])


def test_the_first_scored_period_of_few_has_two_before_it(tmp_path):
    rows = [f"2024-0{1 + k // 20}-01,P{k % 5},P{(k + 1) % 5},{'1-0' if k % 3 else '0-1'}" for k in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["date,white,black,result", *rows]))
    found = backtest(str(tmp_path / "a.csv"), "elo")
    assert found.stretch()["games"].iloc[0] == 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "1"], "a period with two or more before it"),
        (["--from", "40"], "--from: expected a period"),
        (["--systems", "glico"], "Did you mean 'glicko'"),
        (["--models", "davidson-comon"], "Did you mean 'davidson-common'"),
        (["--every", "year"], "month | week | day"),
        (["--edition", "all"], "one edition"),
    ],
)
def test_mistakes_are_told_in_one_line(file, tmp_path, words, message):
    with pytest.raises(HalfpointError) as error:
        run(file, "--out", tmp_path, *words)
    assert message in str(error.value)
    assert "\n" not in str(error.value)

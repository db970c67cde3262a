"""Doubles from the command line: simulate, rate, rank, match, forecast, page; pairs that never split."""

import csv
import json

import numpy as np
import pytest
from browser import opened
from typed import typed

FEW = ["--draws", "300", "--tune", "400", "--chains", "2", "--quiet"]


def ran(*arguments):
    """Run the command line, which must succeed."""
    code, _, error = typed(*arguments)
    assert not code, error


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def doubles(tmp_path_factory):
    """Folder with 700 simulated games of doubles among 12 players, and the results of `rate`."""
    folder = tmp_path_factory.mktemp("doubles")
    ran("simulate", folder / "doubles.csv", "--games", 700, "--players", 12, "--people", 2, "--log-draw", -100)
    ran("rate", folder / "doubles.csv", "--out", folder / "run", *FEW)
    return folder


@pytest.mark.draws
def test_people_are_rated_from_the_games_of_their_sides(doubles):
    truth = {row["player"]: float(row["rating_elo"]) for row in rows(doubles / "doubles.csv.truth.csv")}
    rated = rows(doubles / "run" / "ratings.csv")
    assert sorted(row["player"] for row in rated) == sorted(truth)
    known = np.array([truth[row["player"]] for row in rated])
    mean, sd = (np.array([float(row[name]) for row in rated]) for name in ("rating_elo", "sd_elo"))
    assert np.abs((mean - mean.mean() - known + known.mean()) / sd).max() < 4
    assert sum(int(row["games"]) for row in rated) == 4 * 700
    about = json.loads((doubles / "run" / "ratings.json").read_text())
    assert about["model"] == "bt-matched"
    assert about["not_told"] == []
    assert "700 games among 12 players, on 66 different sides of 2" in about["account"]


def test_rank_match_and_forecast_take_sides(doubles, halfpoint):
    trace = doubles / "run" / "trace.nc"
    code, out, _ = halfpoint("rank", trace, "--json")
    assert code in (0, 3)
    assert len(json.loads(out)["rows"]) == 12
    code, out, _ = halfpoint("match", trace, "Player 01+Player 02", "player 04 + player 03", "--games", 3, "--json")
    assert code in (0, 3)
    found = json.loads(out)
    chance = {row["score"]: row["probability_percent"] for row in found["rows"]}
    assert sum(chance.values()) == pytest.approx(100)
    assert not {0.5, 1.5} & chance.keys()  # who never draws has no half points
    assert "Player 01 + Player 02 wins the match" in found["answer"]
    code, out, _ = halfpoint(
        "forecast", trace, "--white", "Player 01+Player 02", "--black", "Player 03+Player 04", "--json"
    )
    one = json.loads(out)["rows"][0]
    (doubles / "next.csv").write_text(
        "white_1,white_2,black_1,black_2\nPlayer 02,Player 01,Player 03,Player 04\nPlayer 05,,Player 06,Player 07\n"
    )
    code, out, _ = halfpoint("forecast", trace, doubles / "next.csv", "--json")
    assert code in (0, 3)
    assert json.loads(out)["rows"][0]["expected_percent"] == pytest.approx(one["expected_percent"])
    assert json.loads(out)["rows"][1]["white"] == "Player 05"
    for words, message in (
        (("match", trace, "Player 01+Player 02", "Player 02"), "players: expected two different players"),
        (("match", trace, "Player 01+Player 01", "Player 02"), "side: expected every player once"),
    ):
        code, _, err = halfpoint(*words)
        assert code == 2
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.draws
def test_pairs_that_never_split_are_listed_as_pairs_and_said(tmp_path, halfpoint):
    ran("simulate", tmp_path / "steady.csv", "--games", 300, "--players", 8, "--people", 2, "--steady")
    code, out, _ = halfpoint("rate", tmp_path / "steady.csv", "--out", tmp_path / "run", *FEW)
    assert code in (0, 3)
    assert "Always together, so listed as one name: Player 1 + Player 2" in " ".join(out.split())
    pairs = [f"Player {k} + Player {k + 1}" for k in (1, 3, 5, 7)]
    assert sorted(row["player"] for row in rows(tmp_path / "run" / "ratings.csv")) == pairs
    truth = {row["player"]: float(row["rating_elo"]) for row in rows(tmp_path / "steady.csv.truth.csv")}
    rated = rows(tmp_path / "run" / "ratings.csv")
    known = np.array([np.mean([truth[name] for name in row["player"].split(" + ")]) for row in rated])
    mean, sd = (np.array([float(row[name]) for row in rated]) for name in ("rating_elo", "sd_elo"))
    assert np.abs((mean - mean.mean() - known + known.mean()) / sd).max() < 4
    assert sd.max() < 60  # a member alone is known to about the spread of the population: over 100
    code, out, _ = halfpoint("rank", tmp_path / "run" / "trace.nc", "--json")
    assert sorted(row["player"] for row in json.loads(out)["rows"]) == pairs


@pytest.mark.browser
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--white", "Player 01+Player 02", "--black", "Player 03+Player 04", "--white-rating", 1800],
            "--white-rating: expected a side of one player, found 'Player 01 + Player 02'. Leave it out.",
        ),
    ],
)
def test_a_rating_stands_for_nobody_on_a_side_of_several(doubles, halfpoint, words, message):
    code, _, err = halfpoint("forecast", doubles / "run" / "trace.nc", *words)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_somebody_new_on_a_side_is_named(doubles, halfpoint):
    words = ("--white", "Player 01+Zed", "--black", "Player 03+Player 04")
    code, _, err = halfpoint("forecast", doubles / "run" / "trace.nc", *words)
    assert code == 2
    assert "found 'Zed'" in err
    assert "--new Zed" in err
    words += ("--new", "Zed")
    code, out, _ = halfpoint("forecast", doubles / "run" / "trace.nc", *words)
    assert code == 0
    assert "Player 01 + Zed (new)" in out
    assert "New, each drawn from the population of the" in out


def test_the_page_sets_sides_against_each_other(doubles, tmp_path):
    with opened(doubles / "run" / "report.html", tmp_path) as (page, complaints):
        assert page.locator("#rating-list tbody tr").count() == 12
        first, second = (page.locator(f"#two-{side}").input_value() for side in ("white", "black"))
        assert not set(first.split(" + ")) & set(second.split(" + "))
        shown = page.locator("#two-table tbody tr td").nth(1).inner_text()
        with_run = json.loads(page.evaluate("document.getElementById('data').textContent"))["people"]
        assert first in with_run["paired"]
        assert 0 < float(shown.removesuffix("%")) < 100
        page.locator("#two-black").fill(first)
        assert "Choose two sides without a player in common" in page.locator("#two-answer").inner_text()
        page.locator("#two-black").fill(" + ".join(reversed(second.split(" + "))))
        assert f"{first} is stronger than {second}" in page.locator("#two-answer").inner_text()
        assert complaints == []


def test_sides_are_for_tables_not_for_pgn(tmp_path, halfpoint):
    ran("simulate", tmp_path / "games.pgn", "--games", 50, "--players", 4)
    code, _, err = halfpoint("rate", tmp_path / "games.pgn", "--out", tmp_path / "run", "--sides", "+")
    assert code == 2
    assert "--sides: expected a CSV or Parquet file, found PGN" in err
    code, _, err = halfpoint("simulate", tmp_path / "doubles.pgn", "--people", 2)
    assert code == 2
    assert "--people: expected a CSV file (PGN has one player a side)" in err

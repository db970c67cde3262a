"""`halfpoint list` and `halfpoint performance`: input files, tables and output files, errors in one line."""

import json

import numpy as np
import pandas as pd
from rating_games import simulated, table

GAMES, _ = simulated(91, players=20, games=500, periods=8)


def test_a_list_is_printed_and_written(halfpoint, tmp_path):
    file = tmp_path / "games.csv"
    pd.DataFrame({
        "white": GAMES.white_names, "black": GAMES.black_names, "score": GAMES.score, "period": GAMES.period,
        "white_rating_elo": GAMES.white_rating_elo, "black_rating_elo": GAMES.black_rating_elo,
    }).to_csv(file, index=False)  # fmt: skip
    log, out = tmp_path / "log.csv", tmp_path / "list.json"
    code, text, error = halfpoint(
        "list", file, "--system", "elo", "--set", "k=20,advantage=0", "--log", log, "--out", out
    )
    assert (code, error) == (0, "")
    assert "Rating list by Elo, logistic, by period after period 8" in text
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 20
    assert set(pd.read_csv(log)["white_k"]) == {20.0}
    for wrong in (["--system", "elos"], ["--set", "k"], ["--every", "year"], ["--at", "never"]):
        code, text, error = halfpoint("list", file, *wrong)
        assert (code, text) == (2, "")
        assert error.count("\n") == 1


def event_games():
    """Two events: a double round robin of three rated players, and a game with an unrated player."""
    ratings = {"A": 2600.0, "B": 2500.0, "C": 2400.0, "D": np.nan}
    pairs = [
        ("A", "B", 1),
        ("B", "C", 0.5),
        ("C", "A", 0.5),
        ("B", "A", 0),
        ("C", "B", 0),
        ("A", "C", 1),
        ("A", "D", 1),
    ]
    white, black, score = zip(*pairs, strict=True)
    sides = {"white_rating_elo": [ratings[n] for n in white], "black_rating_elo": [ratings[n] for n in black]}
    return table(white, black, score, event=np.array(["Round robin"] * 6 + ["Match"]), **sides)


def test_performances_are_printed_and_written(halfpoint, tmp_path):
    games = event_games()
    file, titles, out = tmp_path / "games.csv", tmp_path / "titles.csv", tmp_path / "found.json"
    pd.DataFrame({
        "white": games.white_names, "black": games.black_names, "score": games.score, "event": games.event,
        "white_rating_elo": games.white_rating_elo, "black_rating_elo": games.black_rating_elo,
    }).to_csv(file, index=False)  # fmt: skip
    titles.write_text("player,title\nA,GM\n", encoding="utf-8")
    code, text, error = halfpoint(
        "performance", file, "--event", "Round robin", "--player", "A", "--titles", titles, "--out", out
    )
    assert (code, error) == (0, "")
    assert json.loads(out.read_text(encoding="utf-8"))["rows"][0]["performance_fide_elo"] == 2786.0
    code, text, error = halfpoint("performance", file, "--event", "nowhere")
    assert (code, text, error.count("\n")) == (2, "", 1)


def test_pools_of_systems(halfpoint, tmp_path):
    file, out = tmp_path / "games.csv", tmp_path / "pool.json"
    pd.DataFrame({
        "white": GAMES.white_names, "black": GAMES.black_names, "score": GAMES.score, "period": GAMES.period,
        "white_rating_elo": GAMES.white_rating_elo, "black_rating_elo": GAMES.black_rating_elo,
    }).to_csv(file, index=False)  # fmt: skip
    code, text, error = halfpoint("pool", file, "--systems", "elo,fide", "--out", out)
    assert (code, error) == (0, "")
    assert len(json.loads(out.read_text(encoding="utf-8"))["rows"]) == 16
    code, text, error = halfpoint("pool", file, "--systems", "elos")
    assert (code, text, error.count("\n")) == (2, "", 1)

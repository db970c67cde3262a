"""`halfpoint lineups`: the command equals the function, and errors are one line."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import lineups
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.models.games.errors import GameTableError

CSV = """gameId,offensePlayer1Id,offensePlayer2Id,defensePlayer1Id,defensePlayer2Id,points,possessions
1,a,b,c,d,2,1
1,c,d,b,a,3,2
2,a,b,d,c,0,1
"""


@pytest.fixture(scope="module")
def season():
    """Season with connected teams, and its truth."""
    return simulate_lineups(teams=6, games=240, transfers=6, seed=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("off1,off2,def1,def2\na,b,c,d\n", r"header: expected columns for points"),
        ("points\n1\n", "columns for offence and defence"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,a,c,d,2,1"), "line 2, offence: expected different players, found 'a' twice"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,b,c,b,2,1"), "line 2, players: expected no player on both sides"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,,c,d,2,1"), "line 2, offence: expected a player in every seat"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,b,c,d,two,1"), "line 2, column points: expected a number, found 'two'"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,b,c,d,2,0"), "line 2, possessions: expected possessions above 0"),
        (CSV.replace("1,a,b,c,d,2,1", "1,a,b,c,d,-2,1"), "line 2, points: expected points >= 0"),
        ("offence,defence,points\na+b,c+d,1\na+b,c,1\n", "line 3, defence: expected 2 players"),
        (CSV.split("\n", 1)[0] + "\n", "at least one stint"),
    ],
)
def test_what_is_wrong_is_one_line(halfpoint, tmp_path, text, message):
    file = tmp_path / "stints.csv"
    file.write_text(text)
    with pytest.raises(GameTableError, match=message):
        read_lineups(file)
    code, out, error = halfpoint("lineups", file, "--out", tmp_path / "x.csv")
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.further
def test_the_command_is_the_function(halfpoint, tmp_path, season):
    table, _ = season
    rows = [
        {"game": table.game[r], "offence": "+".join(table.players[table.offence[r]]),
         "defence": "+".join(table.players[table.defence[r]]), "points": table.points[r], "possessions": 5}
        for r in range(4000)
    ]  # fmt: skip
    file = tmp_path / "stints.csv"
    pd.DataFrame(rows).to_csv(file, index=False)
    words = ("--bootstrap", 60, "--seed", 2, "--minimum", 30)
    code, out, _ = halfpoint("lineups", file, *words, "--json", "--out", tmp_path / "rated.csv")
    assert code == 0
    answer = json.loads(out)
    found = lineups.lineups(file, bootstrap=60, seed=2, minimum=30.0)
    assert [row["player"] for row in answer["rows"]] == found.frame["player"].tolist()
    np.testing.assert_allclose([row["plus_minus"] for row in answer["rows"]], found.frame["plus_minus"])
    assert "parts" in answer["note"]
    assert pd.read_csv(tmp_path / "rated.csv").shape == found.frame.shape
    best = found.frame[found.frame["part"] == 1].sort_values("total_rank")["total_share"]
    assert best.is_monotonic_decreasing
    code, out, _ = halfpoint("lineups", file, *words, "--eigenvector", "--plain", "--weight", "raw", "--ridge", 500)
    assert code == 0
    assert "minutes" in out
    assert found.units["points"].sum() == table.points[:4000].sum()


@pytest.mark.parametrize(
    "words", [("--weight", "x"), ("--bootstrap", "-1"), ("--ridge", "0"),
              ("--minimum", "99999"), ("--columns", "points=x")]
)  # fmt: skip
def test_options_out_of_range_are_one_line(halfpoint, tmp_path, words):
    file = tmp_path / "stints.csv"
    file.write_text(CSV)
    code, _, error = halfpoint("lineups", file, *words)
    assert (code, error.count("\n")) == (2, 1)
    assert words[0] in error

"""Points of both sides in several units: matches of teams, sets, games and goals, of which the largest unit decides."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

RING = [("Ann", "Bob", 1), ("Bob", "Cid", 0), ("Cid", "Ann", 1), ("Ann", "Cid", 0)]
TEAMS = [("Ann", "Bob", (9, 3), (29, 17)), ("Bob", "Cid", (8, 8), (30, 31)), ("Cid", "Ann", (7, 9), (30, 29))]
BY_TEAMS = [("Ann", "Bob", 1), ("Bob", "Cid", 0.5), ("Cid", "Ann", 0)]
TENNIS = [("Ann", "Bob", "4:5", "12:10", "75:70"), ("Bob", "Cid", "6:3", "12:10", "70:72"),
          ("Cid", "Ann", "3:3", "6:6", "50:51")]  # fmt: skip


def games_of(folder, header, rows):
    """The games of a table as (first, second, score)."""
    (folder / "games.csv").write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    games = read(folder / "games.csv")
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


UNITS = ["Spiele,Sätze", "Spiele,Punkte", "Sätze,Spiele", "Sätze,Punkte", "Games,Hits"]


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("turned", [False, True])
def test_the_winner_has_more_of_the_larger_units(tmp_path, units, turned):
    order = -1 if turned else 1
    header = ",".join(f"{unit} Heim,{unit} Gast" for unit in units.split(",")[::order])
    rows = [(a, b, *(number for pair in (few, many)[::order] for number in pair)) for a, b, few, many in TEAMS]
    assert games_of(tmp_path, f"Heim,Gast,{header}", rows) == BY_TEAMS


@pytest.mark.parametrize("units", ["Matches,Sätze,Spiele", "Rubbers,Games,Points", "Spiele,Sätze,Bälle"])
@pytest.mark.parametrize("turned", [False, True])
def test_matches_of_a_team_decide_before_sets_and_games(tmp_path, units, turned):
    order = -1 if turned else 1
    rows = [(a, b, *points[::order]) for a, b, *points in TENNIS]
    games = games_of(tmp_path, ",".join(["Heim", "Gast", *units.split(",")[::order]]), rows)
    assert games == [("Ann", "Bob", 0), ("Bob", "Cid", 1), ("Cid", "Ann", 0.5)]


@pytest.mark.parametrize("units", ["Sätze,Spiele", "Spiele,Sätze"])
def test_sets_decide_before_games_of_tennis(tmp_path, units):
    order = -1 if units.startswith("Spiele") else 1
    rows = [(a, b, *points[::order]) for a, b, _, *points in TENNIS]
    assert games_of(tmp_path, f"Spieler 1,Spieler 2,{units}", rows) == [
        *RING[:1],
        ("Bob", "Cid", 1),
        ("Cid", "Ann", 0.5),
    ]


def test_results_of_chess_and_points_of_a_table_are_no_units(tmp_path):
    rows = [(a, b, f"{s}-{1 - s}", k) for k, (a, b, s) in enumerate(RING, 10)]
    assert games_of(tmp_path, "White,Black,Result,Score", rows) == RING


@pytest.mark.parametrize("counts", ["1,1", "14,14"])
def test_goals_decide_beside_numbers_of_games(tmp_path, counts):
    rows = [(a, b, 2 * s, 1 - s, counts) for a, b, s in RING]
    assert games_of(tmp_path, "Heim,Gast,Tore Heim,Tore Gast,Spiele Heim,Spiele Gast", rows) == RING


@pytest.mark.parametrize("column", ["Matches", "Partien", "Rubbers"])
def test_numbers_of_matches_are_no_points(tmp_path, column):
    rows = [(a, b, 2 * s, 1 - s, 3 + k) for k, (a, b, s) in enumerate(RING)]
    assert games_of(tmp_path, f"Home,Away,Home goals,Away goals,{column}", rows) == RING


def test_units_of_similar_number_are_asked_for(tmp_path):
    with pytest.raises(GameTableError, match="expected one column for white_goals"):
        games_of(tmp_path, "Heim,Gast,Spiele Heim,Spiele Gast,Gole Heim,Gole Gast", [("Ann", "Bob", 3, 1, 4, 5)])

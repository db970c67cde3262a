"""Rows of quarters, halves and maps beside their total: the totals alone are games, of any order and name."""

from pathlib import Path

import numpy as np
import pytest

from halfpoint.readers.read import read

CLUBS = ("Hawks", "Bulls", "Heat", "Suns")
PAIRS = [(one, other) for one in CLUBS for other in CLUBS if one != other]


def _file(folder: Path, header: str, rows: list[str]) -> Path:
    path = folder / "games.csv"
    path.write_text("\n".join([header, *rows, ""]))
    return path


@pytest.mark.parametrize("total_first", [False, True])
@pytest.mark.parametrize(("column", "end"), [("period", ""), ("Quarter", ""), ("Quarter", ".0")])  # as pandas writes
def test_quarters_beside_their_total(tmp_path: Path, column: str, end: str, total_first: bool) -> None:
    rng = np.random.default_rng(7)
    rows, gaps = [], []
    for number, (home, away) in enumerate(PAIRS):
        quarters = rng.integers(10, 35, (4, 2))
        lines = [f"{number},Q{k + 1},{home},{away},{x}{end},{y}{end}" for k, (x, y) in enumerate(quarters.tolist())]
        whole = f"{number},Total,{home},{away},{quarters[:, 0].sum()}{end},{quarters[:, 1].sum()}{end}"
        rows += [whole, *lines] if total_first else [*lines, whole]
        gaps.append(quarters[:, 0].sum() - quarters[:, 1].sum())
    games = read(_file(tmp_path, f"game_id,{column},home,away,home_score,away_score", rows))
    assert games.white_names.tolist() == [home for home, _ in PAIRS]
    np.testing.assert_array_equal(games.score, (np.sign(gaps) + 1) / 2)
    assert any(note.startswith(f"set apart: {4 * len(PAIRS)} games, parts of games") for note in games.notes)


def test_maps_beside_the_number_of_maps_that_each_side_won(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    rows, scores = [], []
    for number, (home, away) in enumerate(PAIRS):
        won = [0, 0]
        while max(won) < 2:
            winner = int(rng.integers(2))
            won[winner] += 1
            rows.append(f"{number},Map {sum(won)},{home},{away},{'13-7' if winner == 0 else '8-13'}")
        rows.append(f"{number},overall,{home},{away},{won[0]}-{won[1]}")
        scores.append(float(won[0] > won[1]))
    games = read(_file(tmp_path, "match_id,map,team1,team2,score", rows))
    assert games.score.tolist() == scores


@pytest.mark.parametrize("last", ["3,2", "4,1"])
def test_series_of_games_are_games(tmp_path: Path, last: str) -> None:
    """Of three games of each pair the last is the sum of the others, but in the last series."""
    series = ["2,1", "1,1", "3,2"]
    rows = [f"{home},{away},{goals}" for home, away in PAIRS for goals in series]
    rows = [*rows[:-1], f"{PAIRS[-1][0]},{PAIRS[-1][1]},{last}"]
    games = read(_file(tmp_path, "home,away,home_goals,away_goals", rows))
    assert len(games) == (len(PAIRS) if last == "3,2" else 3 * len(PAIRS))


@pytest.mark.parametrize("dates", [False, True])
def test_legs_beside_their_aggregate_are_games(tmp_path: Path, dates: bool) -> None:
    rng = np.random.default_rng(9)
    rows, games_played = [], []
    for number, (home, away) in enumerate([("Hawks", "Bulls"), ("Heat", "Suns"), ("Bulls", "Suns")]):
        (a, b), (c, d) = rng.integers(0, 4, (2, 2)).tolist()
        legs = [(home, away, a, b), (away, home, c, d)]
        days = [f"2026-03-{8 * number + 1:02d}", f"2026-03-{8 * number + 4:02d}", ""]
        for label, day, game in zip(("1", "2", "Agg"), days, [*legs, (home, away, a + d, b + c)], strict=True):
            rows.append(",".join(map(str, [label, *([day] if dates else []), *game])))
        games_played += [(*leg[:2], (np.sign(leg[2] - leg[3]) + 1) / 2) for leg in legs]
    games = read(_file(tmp_path, f"Leg,{'Date,' if dates else ''}Home,Away,HG,AG", rows))
    assert [*zip(games.white_names, games.black_names, games.score, strict=True)] == games_played


def test_games_of_several_days_beside_their_series_are_games(tmp_path: Path) -> None:
    rows = []
    for number, (home, away) in enumerate(PAIRS):
        won = [number % 3, 2]
        scores = ["90-80"] * won[0] + ["70-85"] * won[1]
        for k, score in enumerate(scores):
            rows.append(f"Game {k + 1},2026-{number + 1:02d}-{2 * k + 1:02d},{home},{away},{score}")
        rows.append(f"Series,,{home},{away},{won[0]}-{won[1]}")
    games = read(_file(tmp_path, "Game,Date,Team1,Team2,Score", rows))
    assert len(games) == sum(number % 3 + 2 for number in range(len(PAIRS)))
    assert games.score.sum() == sum(number % 3 for number in range(len(PAIRS)))

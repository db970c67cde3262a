"""Preferences by the name of an item in a column for each pair, and rewards of agents in nested JSON."""

import json
from collections import Counter

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

PAIRS = [("Brew A", "Brew B"), ("Brew A", "Brew C"), ("Brew B", "Brew C")]
ANSWERS = [("Brew A", "Brew C", "Brew C"), ("Brew B", "Brew A", "No preference"), ("Brew A", "", "Brew B")]


def results(games):
    """The number of games by first side, second side and score."""
    return Counter(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def panel(folder, answers, mark=" vs "):
    """The path of a file with a column for each pair."""
    header = ",".join(["Panelist", *map(mark.join, PAIRS)])
    (folder / "panel.csv").write_text("\n".join([header, *(f"P{k}," + ",".join(row) for k, row in enumerate(answers))]))
    return folder / "panel.csv"


@pytest.mark.parametrize("mark", [" vs ", " v ", ":", " / "])
def test_the_cell_names_the_preferred_item(tmp_path, mark):
    expected = Counter()
    for row in ANSWERS:
        for (first, second), cell in zip(PAIRS, row, strict=True):
            score = {first: 1.0, second: 0.0, "No preference": 0.5}.get(cell)
            expected += Counter() if score is None else Counter([(first, second, score)])
    assert results(read(panel(tmp_path, ANSWERS, mark))) == expected


def test_an_item_of_another_pair_is_an_error(tmp_path):
    with pytest.raises(GameTableError):
        read(panel(tmp_path, [*ANSWERS, ("Brew C", "Brew A", "Brew B")]))


@pytest.mark.parametrize("key", ["agents", "players"])
def test_rewards_of_minus_one_are_losses(tmp_path, key):
    games = [("net-1", "net-2", 1), ("net-2", "net-3", -1), ("net-3", "net-1", 0), ("net-1", "net-2", -1)]
    lines = [
        json.dumps({"game": k, key: [{"name": a, "reward": reward}, {"name": b, "reward": -reward}]})
        for k, (a, b, reward) in enumerate(games)
    ]
    (tmp_path / "play.jsonl").write_text("\n".join(lines))
    expected = Counter((a, b, (reward + 1) / 2) for a, b, reward in games)
    assert results(read(tmp_path / "play.jsonl")) == expected


def test_minus_one_of_both_sides_is_no_game(tmp_path):
    lines = [
        json.dumps({"game": k, "players": [{"name": a, "score": x}, {"name": b, "score": y}]})
        for k, (a, b, x, y) in enumerate([("Ann", "Bob", 3, 1), ("Bob", "Cid", 0, 2), ("Cid", "Ann", -1, -1)])
    ]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    assert results(read(tmp_path / "games.jsonl")) == Counter([("Ann", "Bob", 1.0), ("Bob", "Cid", 0.0)])

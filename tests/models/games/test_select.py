"""Games of monitored players: arguments of another class, and one name in place of a list."""

from dataclasses import replace

import numpy as np
import pytest

import halfpoint as hp
from halfpoint.models.declaration.hand_written import declared_of
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.select import ANCHORED, anchors, merge, monitored_players, most_active, read_players, select
from halfpoint.models.games.table import GameTable


@pytest.fixture(scope="module")
def games():
    return hp.read([("Ash", "Birch", 1.0), ("Birch", "Cedar", 0.5), ("Cedar", "Ash", 0.0)])


def test_one_name_is_one_player(games):
    assert isinstance(games, GameTable)
    with pytest.raises(HalfpointError, match="rating"):  # opponents of Ash have none
        hp.select(games, "Ash")
    alone = hp.select(games, np.array(["Ash", "Birch"]), "both")
    assert alone.players.tolist() == ["Ash", "Birch"]
    assert len(alone) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda games: hp.select("games.csv", ["Ash"]), r"games: expected GameTable, found str\. Use hp\.read"),
        (lambda games: hp.select(games, 2), r"monitored: expected Iterable, found int\. Give the names in a list\."),
        (lambda games: hp.declare("davidson-common", games), r"selection: expected Selection, found GameTable\. Use"),
        (lambda games: hp.declare("davidson-common", "games.csv"), r"selection: expected Selection, found str\."),
        (declared_of, r"declared: expected Declared or Model, found GameTable\. Use hp\.declare"),
        (lambda games: hp.compare(games), r"trace: expected a trace, a file or a result of hp\.rate, found GameTable"),
    ],
)
def test_an_argument_of_another_class_is_one_line(games, call, message):
    with pytest.raises(HalfpointError, match=message) as raised:
        call(games)
    assert "\n" not in str(raised.value)


def rated(rows):
    """Table of games with the ratings of White and Black on the day."""
    names = sorted({name for row in rows for name in row[:2]})
    white, black = (np.array([names.index(row[side]) for row in rows], dtype=np.int32) for side in (0, 1))
    score, *ratings = (np.array([row[k] for row in rows], dtype=np.float64) for k in (2, 3, 4))
    return GameTable(np.array(names), white, black, score, white_rating_elo=ratings[0], black_rating_elo=ratings[1])


ROWS = [
    ("a", "b", 1.0, 1500, 1600), ("b", "c", 0.5, 1600, 1700), ("c", "d", 0.0, 1700, 1800), ("b", "a", 0.0, 1600, 1500),
    ("a", "b", 0.5, 1500, 1600), ("c", "a", 1.0, 1700, 1500), ("c", "a", 0.0, 1750, 1500), ("a", "c", 1.0, 1500, 1700),
]  # fmt: skip


def test_any_rule_keeps_games_with_a_monitored_player_and_anchors_the_other():
    selection = select(rated(ROWS), ["b", "a"], "any")
    assert selection.players.tolist() == ["b", "a"]
    assert len(selection) == 7  # all but c against d
    assert selection.white.tolist() == [1, 0, 0, 1, ANCHORED, ANCHORED, 1]
    assert selection.black.tolist() == [0, ANCHORED, 1, 0, 1, 1, ANCHORED]
    np.testing.assert_array_equal(selection.anchor_elo, [np.nan, 1700, np.nan, np.nan, 1700, 1750, 1700])
    assert len(select(rated(ROWS), ["b", "a"], "both")) == 3
    with pytest.raises(GameTableError, match="games of the 2 monitored players"):
        select(rated(ROWS), ["b", "d"], "both")


def test_cells_are_sums_over_equal_games_sorted_by_white_black_and_anchor():
    cells = merge(select(rated(ROWS), ["a", "b"], "any"))
    rows = list(zip(cells.white.tolist(), cells.black.tolist(), np.nan_to_num(cells.anchor_elo).tolist(), strict=True))
    assert rows == [(-1, 0, 1700), (-1, 0, 1750), (0, -1, 1700), (0, 1, 0), (1, -1, 1700), (1, 0, 0)]
    assert cells.weight.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0], [1, 0, 0]]
    assert cells.cell_of_row.tolist() == [3, 4, 5, 3, 0, 1, 2]
    assert len(cells) == 6


@pytest.mark.parametrize("among", ["any", "both"])
@pytest.mark.parametrize("keyed", [False, True])
def test_cells_keep_the_games_of_random_tables(among, keyed):
    """The weight of every pair, anchor and key is the number of its games by result, by a plain dictionary."""
    rng = np.random.default_rng(4)
    rows = []
    for _ in range(300):
        one, other = rng.choice(6, 2, replace=False)
        rows.append(("abcdef"[one], "abcdef"[other], rng.integers(3) / 2.0, *(1500 + 100 * rng.integers(3, size=2))))
    selection = select(rated(rows), list("fbd"), among)
    key = rng.integers(0, 3, len(selection)) if keyed else None
    cells, counted = merge(selection, key), {}
    stratum = np.zeros(len(selection), dtype=int) if key is None else key
    columns = selection.white, selection.black, np.nan_to_num(selection.anchor_elo), stratum
    for row, score in zip(
        zip(*(column.tolist() for column in columns), strict=True), selection.games.score, strict=True
    ):
        counted.setdefault(row, [0, 0, 0])[int(2 * score)] += 1
    parts = cells.white, cells.black, np.nan_to_num(cells.anchor_elo), cells.key
    merged = dict(zip(zip(*(part.tolist() for part in parts), strict=True), cells.weight.tolist(), strict=True))
    assert merged == counted
    pairs = list(zip(cells.white.tolist(), cells.black.tolist(), strict=True))
    assert pairs == sorted(pairs)
    np.testing.assert_array_equal(cells.white[cells.cell_of_row], selection.white)
    np.testing.assert_array_equal(cells.key[cells.cell_of_row], stratum)
    heavy = cells.sum_weights(selection.games.outcome, np.full(len(selection), 2.5))
    np.testing.assert_allclose(heavy, 2.5 * cells.weight)


def test_further_rows_are_of_their_games():
    selection = select(rated(ROWS), ["a", "b"], "both")
    cells = merge(selection, np.array([0, 0, 0, 1, 1]), np.array([[2, 0], [2, 1]]))
    assert cells.cell_of_row.size == 5
    assert cells.cell_of_game.tolist() == cells.cell_of_row[:3].tolist()
    assert cells.by_row(np.array([7, 8, 9])).tolist() == [7, 8, 9, 9, 7]
    assert cells.by_row(np.array([7, 8, 9]), np.array([1, 2])).tolist() == [7, 8, 9, 1, 2]
    assert cells.weight.sum() == 5.0
    assert cells.weight_of_games.sum() == 3.0


def test_seats_of_cells():
    cells = merge(select(rated(ROWS), ["a", "b"], "any"))
    people, weight = cells.seats(cells.white)
    assert people[:, 0].tolist() == cells.white.tolist()
    assert weight[:, 0].tolist() == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]


def test_opponents_without_a_rating_are_named():
    games = rated([("a", "b", 1.0, 1500, np.nan), *[("a", "c", 0.5, 1500, np.nan)] * 6])
    white, black = np.zeros(7, dtype=np.int32), np.full(7, ANCHORED)
    with pytest.raises(GameTableError, match=r"7 games without one \(.*a - b; .* and 2 more\)"):
        anchors(games, white, black)
    assert np.isnan(anchors(games, white, white)).all()


def test_the_most_active_players():
    games = rated(ROWS)  # a 6 games, b 4, c 5, d 1
    assert most_active(games, 2).tolist() == ["a", "c"]
    assert most_active(games, at_least=4).tolist() == ["a", "c", "b"]
    assert most_active(games, 1, 4).tolist() == ["a"]
    for arguments in ({}, {"count": 0}):
        with pytest.raises(GameTableError, match="a count >= 1"):
            most_active(games, **arguments)
    with pytest.raises(GameTableError, match="a player with at least 7 games, found at most 6"):
        most_active(games, at_least=7)
    assert monitored_players(None, games).tolist() == list("abcd")
    assert monitored_players(2, games).tolist() == ["a", "c"]
    assert monitored_players(("d", "a"), games).tolist() == ["d", "a"]


def test_names_in_a_file(tmp_path):
    path = tmp_path / "players.txt"
    path.write_text("# club\n Ann \n\nBo, Jr\n")
    assert read_players(path).tolist() == ["Ann", "Bo, Jr"]
    assert monitored_players(path, rated(ROWS)).tolist() == ["Ann", "Bo, Jr"]
    for text, message in (("# none\n", "at least one player"), ("Player,Rating\nAnn,1500\n", "a name a line")):
        path.write_text(text)
        with pytest.raises(GameTableError, match=message):
            read_players(path)


def test_the_mean_of_the_anchors_counts_games():
    """Games between two players have no anchor."""
    assert select(rated(ROWS), ["b", "a"], "any").anchor_mean_elo() == pytest.approx(
        (5 * 1700 + 1750) / 6 - 0.0, abs=20
    )
    chosen = select(rated(ROWS), ["b", "a"], "any")
    known = chosen.anchor_elo[~np.isnan(chosen.anchor_elo)]
    assert chosen.anchor_mean_elo() == pytest.approx(known.mean())
    # of a list with errors: b is known by 1800; its games against a count, and those of a against anchors
    prior = np.array([[1800.0, 30.0], [np.nan, np.nan]])
    listed = replace(chosen, prior_elo=prior)
    white = np.where(chosen.white < 0, chosen.anchor_elo, np.where(chosen.white == 0, 1800.0, np.nan))
    black = np.where(chosen.black < 0, chosen.anchor_elo, np.where(chosen.black == 0, 1800.0, np.nan))
    alone = [b if np.isnan(w) else w for w, b in zip(white, black, strict=True) if np.isnan(w) != np.isnan(b)]
    assert len(alone) == 6
    assert listed.anchor_mean_elo() == pytest.approx(np.mean(alone))
    assert listed.has_error.tolist() == [True, False]
    assert listed.has_anchors
    both = select(rated(ROWS), ["b", "a"], "both")
    assert replace(both, prior_elo=np.array([[1800.0, 30.0], [1700.0, 30.0]])).anchor_mean_elo() == 1750.0
    assert not both.has_anchors

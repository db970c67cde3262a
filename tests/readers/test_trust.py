"""Checks of a table before use: spellings, duplicates, players who never meet, players with few games."""

from dataclasses import replace

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfpoint.apps.workflows.beside.duplicates import (
    drop_duplicates,
    find_duplicates,
    name_score,
    propose,
    read_accepted,
    rename,
    write_proposals,
)
from halfpoint.models.games.components import POOL, components, pool_into_one, require_comparable, split
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import select
from halfpoint.readers.read import read


def table(*pairs, **columns):
    """Table of the pairs "A B", all drawn."""
    white, black = zip(*(pair.split(" - ") for pair in pairs), strict=True)
    names = list(columns)
    fields = {"date", "period", "white_rating_elo", "black_rating_elo"}
    frame = pandas.DataFrame({"white": white, "black": black, "score": 0.5} | columns)
    return read(frame, covariates=[name for name in names if name not in fields])


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("Adams, Michael", "Adams,Michael", 100, 100),
        ("Adams, Mi", "Adams,Michael", 94, 94),
        ("Adams, M", "Adams, Michael", 88, 88),
        ("CarlsenMagnus", "Carlsen, Magnus", 100, 100),
        ("Magnus Carlsen", "Carlsen, Magnus", 100, 100),
        ("Vachier-Lagrave, Maxime", "Vachier Lagrave, Maxime", 100, 100),
        ("Müller, Karsten", "Muller, Karsten", 100, 100),
        ("Nepomniachtchi, Ian", "Nepomniachtchy, Ian", 90, 99),
        ("Magnus, Carlsen", "Carlsen, Magnus", 92, 92),
        ("Adams, Michael", "Adams, John", 0, 50),
        ("Peña, Carlos", "Peña, Carols", 95, 95),
        ("John Smith", "John Simth", 95, 95),
        ("Carlsen, Henrik", "Carlsen, Magnus", 0, 80),
        ("Wang, Hao", "Wang, Yue", 0, 80),
        ("Ding, Liren", "Giri, Anish", 0, 0),
    ],
)
def test_names_are_scored(one, other, low, high):
    assert low <= name_score(one, other)[0] <= high
    assert name_score(one, other)[0] == name_score(other, one)[0]


def test_proposals_are_merged_only_when_accepted(tmp_path):
    games = table(
        "Adams, Michael - Giri, Anish",
        "Adams, Michael - Wang, Hao",
        "Adams,Mi - Wang, Yue",
        "Wang, Hao - Wang, Yue",
        "=Giri, Anish - Wang, Yue",
    )
    proposals = propose(games)
    found = {(item.name, item.same_as) for item in proposals}
    assert found == {("Adams,Mi", "Adams, Michael"), ("=Giri, Anish", "Giri, Anish")}
    path = tmp_path / "names.csv"
    write_proposals(proposals, path)
    assert read_accepted(path) == {}
    assert ",=Giri" not in path.read_text()
    assert '"=Giri' not in path.read_text()
    path.write_text(path.read_text().replace('\n,"Adams', '\nyes,"Adams').replace("\n,\"'", "\nYES,\"'"))
    accepted = read_accepted(path)
    assert accepted == {"Adams,Mi": "Adams, Michael", "=Giri, Anish": "Giri, Anish"}
    merged = rename(games, accepted)
    assert merged.white_names.tolist() == ["Adams, Michael"] * 3 + ["Wang, Hao", "Giri, Anish"]
    assert [item.name for item in tmp_path.iterdir()] == ["names.csv"]


def test_the_same_fide_id_is_proposed_and_opponents_are_not():
    pairs = ["Shirov, A - Adams, M", "Chirov, Alexei - Adams, M", "Adams, M - Adams, Mi"]
    games = table(*pairs, WhiteFideId=["2209390", "2209390", "400041"], BlackFideId=["400041", "400041", "0"])
    assert [(item.name, item.same_as, item.reason) for item in propose(games)] == [
        ("Chirov, Alexei", "Shirov, A", "the same FIDE id")
    ]


def test_thousands_of_like_names_are_not_all_compared(monkeypatch):
    names = [f"Player, Number {number:05d}" for number in range(3000)]
    games = table(*(f"{one} - {other}" for one, other in zip(names[::2], names[1::2], strict=True)))
    calls = []
    monkeypatch.setattr(
        "halfpoint.apps.workflows.beside.duplicates.name_score", lambda *pair: calls.append(pair) or (0.0, "")
    )
    propose(games)
    assert len(calls) <= 2 * 50 * len(names)  # by surname and by given name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,same_as\n", "the header accept,name,same_as,score,reason"),
        ("accept,name,same_as,score,reason\nmaybe,A,B,90,x\n", "line 2: expected yes or no"),
        ("accept,name,same_as,score,reason\nyes,A,B,90,x\nyes,A,C,90,x\n", "one spelling for 'A'"),
        ("accept,name,same_as,score,reason\nyes,A,B,90,x\nyes,B,A,90,x\n", "a cycle of spellings"),
    ],
)
def test_a_broken_file_of_proposals_is_told(tmp_path, text, expected):
    (tmp_path / "names.csv").write_text(text)
    with pytest.raises(GameTableError, match=expected):
        read_accepted(tmp_path / "names.csv")


def test_accepted_spellings_may_form_a_chain(tmp_path):
    (tmp_path / "names.csv").write_text("accept,name,same_as,score,reason\nyes,A,B,90,x\nyes,B,C,90,x\n")
    assert read_accepted(tmp_path / "names.csv") == {"A": "C", "B": "C"}


def test_merging_opponents_is_refused():
    with pytest.raises(GameTableError, match="two different players"):
        rename(table("A - B"), {"A": "B"})


def test_duplicates_are_found_and_dropped():
    pairs = ["A - B", "A - B", "B - A", "A - B", "A - B"]
    dates = ["2012-01-01", "2012-01-01", "2012-01-01", "2012-01-02", "2012-01-01"]
    games = table(*pairs, date=dates)
    found = find_duplicates(games)
    assert (found.copy.tolist(), found.original.tolist(), found.certain.tolist()) == ([1, 4], [0, 0], [False, False])
    assert found.describe(games).startswith("2 possible duplicate games\n")  # no word of moves, which it has not
    assert len(drop_duplicates(games, found)) == 5
    assert len(drop_duplicates(games, found, certain_only=False)) == 3
    with_moves = table(*pairs, date=dates, moves=[7, 7, 7, 7, 8], Round=["1", "1", "1", "1", "2"])
    found = find_duplicates(with_moves)
    assert found.describe(with_moves).startswith("1 possible duplicate game (1 with identical moves)\n")
    assert (found.copy.tolist(), found.certain.tolist()) == ([1], [True])
    assert len(drop_duplicates(with_moves, found)) == 4


def test_simulated_games_are_no_duplicates_unless_their_moves_agree():
    pairs, dates = ["A - B", "A - B"], ["2012-01-01", "2012-01-01"]
    assert len(find_duplicates(replace(table(*pairs, date=dates), simulated=True))) == 0
    found = find_duplicates(replace(table(*pairs, date=dates, moves=[7, 7]), simulated=True))
    assert (found.copy.tolist(), found.certain.tolist()) == ([1], [True])


def test_games_without_a_date_are_no_duplicates_unless_their_moves_agree():
    assert len(find_duplicates(table("A - B", "A - B"))) == 0
    assert len(find_duplicates(table("A - B", "A - B", date=["", ""]))) == 0
    assert find_duplicates(table("A - B", "A - B", date=["", ""], moves=[1, 1])).copy.tolist() == [1]


def test_groups_that_never_meet_are_told():
    games = table("A - B", "C - D", "D - E", "B - A")
    found = components(games)
    assert dict(zip(found.players.tolist(), found.component.tolist(), strict=True)) == dict(A=1, B=1, C=0, D=0, E=0)
    assert found.sizes.tolist() == [3, 2]
    with pytest.raises(
        GameTableError, match="2 groups of players who never meet one another; 3 players: C, D, E; 2 players"
    ):
        require_comparable(games)
    assert [part.players.tolist() for part in split(games)] == [["C", "D", "E"], ["A", "B"]]
    require_comparable(split(games)[0])


def test_anchored_opponents_join_the_monitored_players():
    pairs = ["A - B", "A - x", "C - D", "y - D"]
    games = table(*pairs, white_rating_elo=2500, black_rating_elo=2500)
    assert not components(games).comparable
    joined = components(select(games, ["A", "B", "C", "D"]))
    assert joined.comparable
    assert joined.anchored.tolist() == [True]
    apart = components(select(table("A - B", "A - x", "C - D", white_rating_elo=1, black_rating_elo=1), list("ABCD")))
    assert apart.anchored.tolist() == [True, False]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda p: p[0] != p[1]), min_size=1))
def test_components_are_those_of_a_search(pairs):
    games = table(*(f"{one} - {other}" for one, other in pairs))
    group = {name: {name} for name in games.players.tolist()}
    for one, other in pairs:
        union = group[str(one)] | group[str(other)]
        for name in union:
            group[name] = union
    found = components(games)
    for name, number in zip(found.players.tolist(), found.component.tolist(), strict=True):
        assert set(found.players[found.component == number].tolist()) == group[name]
    assert (np.diff(found.sizes) <= 0).all()


def test_players_with_few_games_are_pooled():
    games = table("A - B", "B - A", "A - x", "y - B", "x - y")
    pooled = pool_into_one(games, 3)
    assert pooled.players.tolist() == ["x", "y"]
    assert pooled.left_out == 1
    assert pooled.games.white_names.tolist() == ["A", "B", "A", POOL]
    assert pool_into_one(games, 1).games is games
    with pytest.raises(GameTableError, match="a player with at least 9 games, found at most 3"):
        pool_into_one(games, 9)
    with pytest.raises(GameTableError, match="a whole number from 1 to"):
        pool_into_one(games, 0)

"""Sides of several people: read from every file format, checked, renamed, pooled, and identifiable or not."""

import numpy as np
import pandas as pd
import polars
import pytest

from halfpoint.apps.workflows.beside.duplicates import find_duplicates, propose, rename
from halfpoint.models.games.components import POOL, components, pool_into_one, split
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.identifiability import DENSE_PEOPLE, identifiable_groups
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate_sides import meetings
from halfpoint.readers.read import read

GAMES = [
    (("Ann", "Bob"), ("Carl", "Dora"), 1.0),
    (("Bob", "Carl"), ("Ann", "Dora"), 0.5),
    (("Dora", "Bob"), ("Carl", "Ann"), 0.0),
]


def seated(games):
    """People on each side and the score of each game."""
    rows = zip(games.members(games.white), games.members(games.black), games.score, strict=True)
    return [
        (*(tuple(games.people[k] for k in side if k >= 0) for side in (white, black)), score)
        for white, black, score in rows
    ]


EXPECTED = [(tuple(sorted(white)), tuple(sorted(black)), score) for white, black, score in GAMES]


def as_cells(path, mark):
    rows = [f"{mark.join(white)},{mark.join(black)},{score}" for white, black, score in GAMES]
    path.write_text("\n".join(["white,black,score", *rows]))


def as_columns(path, header):
    rows = [",".join((*white, *black, str(score))) for white, black, score in GAMES]
    path.write_text("\n".join([header, *rows]))


@pytest.mark.parametrize(
    "header",
    [
        "white_1,white_2,black_1,black_2,score",
        "Home 1,Home 2,Away 1,Away 2,Score",
        "home_player_1,home_player_2,away_player_1,away_player_2,result",
        "team1_player1,team1_player2,team2_player1,team2_player2,score",
        "player_a_1,player_a_2,player_b_1,player_b_2,score",
    ],
)
def test_numbered_columns_are_the_people_of_a_side(tmp_path, header):
    as_columns(tmp_path / "games.csv", header)
    games = read(tmp_path / "games.csv")
    assert seated(games) == EXPECTED
    assert games.notes == ()
    assert games.players.tolist() == sorted({" + ".join(side) for row in EXPECTED for side in row[:2]})
    assert games.people.tolist() == ["Ann", "Bob", "Carl", "Dora"]


def test_columns_of_other_names_are_told_by_the_option(tmp_path):
    as_columns(tmp_path / "games.csv", "north,south,east,west,score")
    columns = {"white_1": "north", "white_2": "south", "black_1": "east", "black_2": "west"}
    assert seated(read(tmp_path / "games.csv", columns=columns)) == EXPECTED


def test_winners_and_losers_of_doubles_as_tennis_files_name_them(tmp_path):
    path = tmp_path / "doubles.csv"
    path.write_text(
        "winner1_name,winner2_name,loser1_name,loser2_name,winner1_hand,score\n"
        "Ann,Bob,Carl,Dora,R,6-3 6-4\nCarl,Ann,Bob,Dora,L,7-6 6-4\n"
    )
    games = read(path)
    assert seated(games) == [(("Ann", "Bob"), ("Carl", "Dora"), 1.0), (("Ann", "Carl"), ("Bob", "Dora"), 1.0)]
    assert (games.covariates["neutral"] == 1).all()


def test_a_plus_is_found_and_told_and_can_be_kept(tmp_path):
    as_cells(tmp_path / "games.csv", "+")
    games = read(tmp_path / "games.csv")
    assert seated(games) == EXPECTED
    assert games.notes == (
        "sides of several people, such as 'Ann+Bob': names are split at '+' (--sides whole keeps them)",
    )
    whole = read(tmp_path / "games.csv", sides="whole")
    assert whole.sides is None
    assert "Ann+Bob" in whole.players


def test_other_marks_are_told_and_never_taken_by_themselves(tmp_path):
    as_cells(tmp_path / "games.csv", " / ")
    games = read(tmp_path / "games.csv")
    assert games.sides is None
    assert games.notes == ("names such as 'Ann / Bob' are kept whole (--sides '/' reads sides of several people)",)
    assert seated(read(tmp_path / "games.csv", sides="/")) == EXPECTED


@pytest.mark.parametrize(
    "names",
    [
        ("Fritz+", "C++", "Komodo + GPU", "Stockfish+NNUE"),
        ("Fritz", "Stockfish+NNUE", "Komodo", "Houdini"),
        ("Rook+Pawn", "Rook+Bishop", "Rook+Knight", "Rook+Queen"),  # somebody always first
        ("openai/gpt-4", "openai/gpt-5", "meta/llama-3", "meta/llama-4"),
        ("Brighton & Hove Albion", "Fulham", "Leeds", "Derby"),
    ],
)
def test_names_of_single_players_with_a_mark_in_them_stay_whole(names):
    rows = [(names[i], names[j], 1.0) for i in range(4) for j in range(4) if i != j]
    games = read(pd.DataFrame(rows, columns=["white", "black", "score"]))
    assert games.sides is None
    assert games.notes == ()
    assert games.players.tolist() == sorted(names)


def test_lists_of_frames_and_parquet_with_shares_of_play(tmp_path):
    table = {
        "white": [list(white) for white, _, _ in GAMES],
        "black": [list(black) for _, black, _ in GAMES],
        "score": [score for _, _, score in GAMES],
        "white_share": [[1.0, 0.5], [1.0, 1.0], [0.25, 1.0]],
    }
    polars.DataFrame(table).write_parquet(tmp_path / "games.parquet")
    for games in (read(pd.DataFrame(table)), read(tmp_path / "games.parquet")):
        assert seated(games) == EXPECTED
        share = {name: games.sides.share[k].tolist() for k, name in enumerate(games.players.tolist())}
        assert share["Ann + Bob (0.5)"] == [1.0, 0.5]
        assert share["Bob + Dora (0.25)"] == [1.0, 0.25]
        assert games.sides.weights[games.white[0]].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_shares_in_columns_and_in_cells_are_the_same(tmp_path):
    (tmp_path / "columns.csv").write_text(
        "white_1,white_2,black_1,white_share_1,white_share_2,score\nAnn,Bob,Carl,1,0.5,1\nBob,,Ann,1,,0\n"
    )
    (tmp_path / "cells.csv").write_text("white,black,white_share,score\nAnn+Bob,Carl,1+0.5,1\nBob,Ann,1,0\n")
    one, other = read(tmp_path / "columns.csv"), read(tmp_path / "cells.csv", sides="+")
    assert one.players.tolist() == other.players.tolist() == ["Ann", "Ann + Bob (0.5)", "Bob", "Carl"]
    np.testing.assert_array_equal(one.sides.share, other.sides.share)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ("Ann+Bob,Bob+Carl,1", {"sides": "+"}, "line 2: expected every player on one side, found 'Bob' on both"),
        ("Ann+Ann,Bob,1", {"sides": "+"}, "column white: expected every player once on a side, found 'Ann' again"),
        ("+,Bob,1", {"sides": "+"}, "column white: expected a player's name, found none"),
        ("Ann,Bob,1", {"sides": " "}, "--sides: expected a separator of names"),
    ],
)
def test_mistakes_are_one_line_with_their_place(tmp_path, rows, options, message):
    (tmp_path / "games.csv").write_text(f"white,black,score\n{rows}\n")
    with pytest.raises(GameTableError) as error:
        read(tmp_path / "games.csv", **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_share_must_be_a_number_and_have_a_name():
    def frame(share, second):
        row = {"white_1": "Ann", "white_2": second, "black_1": "Carl", "white_share_2": share, "score": 1.0}
        return read(pd.DataFrame([row]))

    with pytest.raises(GameTableError, match="a share of play, a number of at least 0, found 'half'"):
        frame("half", "Bob")
    with pytest.raises(GameTableError, match=r"a player's name for every share, found '0\.5'"):
        frame("0.5", "")


def test_where_nobody_has_a_partner_the_table_is_one_of_single_players():
    games = read(pd.DataFrame([("Ann", "Bob", 1.0)], columns=["white", "black", "score"]), sides="+")
    assert games.sides is None


def read_games(rows):
    """Games of sides from rows of two texts and a score."""
    return read(pd.DataFrame(rows, columns=["white", "black", "score"]), sides="+")


def test_games_taken_have_their_sides_and_people_only():
    games = read_games([("Ann+Bob", "Carl+Dora", 1.0), ("Eva+Finn", "Ann+Carl", 0.0)]).take(np.array([1]))
    assert games.players.tolist() == ["Ann + Carl", "Eva + Finn"]
    assert games.people.tolist() == ["Ann", "Carl", "Eva", "Finn"]
    assert seated(games) == [(("Eva", "Finn"), ("Ann", "Carl"), 0.0)]


def test_spellings_are_proposed_of_people_not_of_sides_and_merged():
    games = read_games([("Moreau, Lena+Bob", "Carl+Dora", 1.0), ("Moreau, L.+Dora", "Bob+Carl", 1.0)])
    [found] = propose(games)
    assert {found.name, found.same_as} == {"Moreau, Lena", "Moreau, L."}
    merged = rename(games, {"Moreau, L.": "Moreau, Lena"})
    assert merged.people.tolist() == ["Bob", "Carl", "Dora", "Moreau, Lena"]
    partners = read_games([("Moreau, Lena+Moreau, L.", "Carl+Dora", 1.0)])
    assert propose(partners) == []  # nobody partners themselves


def test_a_game_stands_twice_whatever_the_order_of_partners():
    rows = {"white": ["Ann+Bob", "Bob+Ann"], "black": ["Carl+Dora", "Dora+Carl"], "score": [1.0, 1.0]}
    games = read(pd.DataFrame(rows | {"date": "2024-05-01"}), sides="+")
    assert len(find_duplicates(games)) == 1


def test_partners_join_groups():
    games = read_games([("Ann+Bob", "Carl+Dora", 1.0), ("Ann+Eva", "Finn+Gil", 1.0), ("Hal+Ida", "Jo+Kim", 0.0)])
    found = components(games)
    assert found.sizes.tolist() == [7, 4]
    assert [part.people.size for part in split(games)] == [7, 4]


def test_people_with_few_games_become_one_who_may_sit_beside_anybody():
    games = read_games([("Ann+Bob", "Carl+Dora", 1.0), ("Ann+Carl", "Bob+Eva", 1.0), ("Ann+Carl", "Bob+Finn", 0.0)])
    pooled = pool_into_one(games, 2)
    assert pooled.players.tolist() == ["Dora", "Eva", "Finn"]
    assert pooled.games.people.tolist() == [POOL, "Ann", "Bob", "Carl"]
    assert seated(pooled.games)[0] == (("Ann", "Bob"), (POOL, "Carl"), 1.0)


def test_only_games_of_people_who_are_all_rated_are_selected():
    games = read_games([("Ann+Bob", "Carl+Dora", 1.0), ("Ann+Carl", "Bob+Eva", 1.0)])
    chosen = select(games, ["Dora", "Carl", "Bob", "Ann"], "both")
    assert len(chosen) == 1
    assert chosen.players[chosen.sides.members[chosen.white[0]]].tolist() == ["Ann", "Bob"]
    assert chosen.games_of_players.tolist() == [1, 1, 1, 1]
    with pytest.raises(GameTableError, match="sides of rated people only, found Ann \\+ Carl - Bob \\+ Eva"):
        select(games, ["Dora", "Carl", "Bob", "Ann"], "any")


def test_the_first_person_is_monitored_only_if_named():
    games = read_games([("Ann+Bob", "Carl+Dora", 1.0), ("Bob+Carl", "Dora+Eva", 1.0), ("Bob+Carl", "Dora+Finn", 0.0)])
    chosen = select(games, ["Bob", "Carl", "Dora", "Eva"], "both")
    assert len(chosen) == 1
    assert chosen.games_of_players.tolist() == [1, 1, 1, 1]
    with pytest.raises(GameTableError, match="games among the 2 monitored players alone, found none"):
        select(games, ["Ann", "Bob"], "both")


# ---- who is told apart


def told_of(rows):
    games = read_games([(white, black, 1.0) for white, black in rows])
    return identifiable_groups(games.sides, games.white, games.black)


def test_a_pair_that_never_splits_is_known_only_as_a_pair():
    found = told_of([("A+B", "C+D"), ("A+B", "C+E"), ("D+E", "A+B"), ("C+D", "E+F"), ("C+E", "D+F"), ("D+E", "C+F")])
    assert found.together == ["A + B"]
    assert not found.kind.any()
    assert found.describe() == ["always together, so listed as one name: A + B"]


def test_mixed_doubles_tell_nothing_between_women_and_men():
    women, men = ["Wendy", "Wilma", "Wanda"], ["Max", "Moe", "Mik"]
    rows = [(f"{w}+{m}", f"{v}+{n}") for w in women for m in men for v in women for n in men if w < v and m != n]
    found = told_of(rows)
    assert found.together == []
    kinds = dict(zip(found.names.tolist(), found.kind.tolist(), strict=True))
    assert len({kinds[w] for w in women}) == len({kinds[m] for m in men}) == 1
    assert kinds["Wendy"] != kinds["Max"]
    assert "2 groups of players whose difference is not identified" in found.describe()[0]
    assert told_of([*rows, ("Wendy", "Max")]).apart  # a game of singles mends it


def test_a_triangle_of_partners_tells_all_apart_and_a_square_does_not():
    triangle = ["A+B", "B+C", "C+A"]
    others = ["X+Y", "Y+Z", "Z+X"]
    assert told_of([(one, other) for one in triangle for other in others]).apart
    square = ["A+B", "B+C", "C+D", "D+A"]
    found = told_of([(one, other) for one in square for other in others])
    kinds = dict(zip(found.names.tolist(), found.kind.tolist(), strict=True))
    assert kinds["A"] == kinds["C"] != kinds["B"] == kinds["D"]
    assert len({kinds[name] for name in "XYZ"}) == 1


@pytest.mark.parametrize("steady", [0, 5])
def test_many_people_are_told_apart_as_few_are(steady, monkeypatch):
    white, black = meetings(60, 90, 4)
    rows = [(f"P{a}+P{b}", f"P{c}+P{d}") for (a, b), (c, d) in zip(white.tolist(), black.tolist(), strict=True)]
    rows += [(f"S{k}a+S{k}b", f"P{k}+P{k + 9}") for k in range(steady)]
    whole = told_of(rows)
    monkeypatch.setattr("halfpoint.models.games.identifiability.DENSE_PEOPLE", 0)
    assert DENSE_PEOPLE > 60
    sparse = told_of(rows)
    assert sparse.together == whole.together == [f"S{k}a + S{k}b" for k in range(steady)]
    assert sparse.kind.tolist() == whole.kind.tolist()


def test_told_is_the_rank_of_the_design():
    rng = np.random.default_rng(3)
    for _ in range(20):
        rows = []
        for _ in range(int(rng.integers(3, 12))):
            who = rng.permutation(9)[: int(rng.integers(2, 5))]
            cut = int(rng.integers(1, who.size))
            rows.append(tuple("+".join(f"P{k}" for k in side) for side in (who[:cut], who[cut:])))
        games = read_games([(white, black, 1.0) for white, black in rows])
        if games.sides is None:
            continue
        found = identifiable_groups(games.sides, games.white, games.black)
        weight = np.zeros((len(games.sides), games.people.size))
        for k, (who, part) in enumerate(zip(games.sides.members, games.sides.weights, strict=True)):
            weight[k, who[who >= 0]] = part[who >= 0]
        design = weight[games.white] - weight[games.black]
        rank = np.linalg.matrix_rank(design)
        units = found.units
        for i, one in enumerate(units):
            for j, other in enumerate(units):
                contrast = np.zeros(games.people.size)
                contrast[one] += 1 / one.size
                contrast[other] -= 1 / other.size
                seen = np.linalg.matrix_rank(np.vstack([design, contrast])) == rank
                assert seen == (found.kind[i] == found.kind[j])

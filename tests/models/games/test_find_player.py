"""A typed name finds the exact player, or the only one up to case and accents; otherwise the message has the nearest
names.
"""

import numpy as np
import pytest

from halfpoint.apps.workflows.beside.duplicates import name_score, propose
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players, find_players
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players

RATED = ["Sowiński, Jan", "Łoś, Ewa", "Großmann, Ida", "Özgür Işık", "Stockfish 16", "Stockfish 17", "Ann", "ann"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Sowiński, Jan", "Sowiński, Jan"),
        ("sowinski, jan", "Sowiński, Jan"),
        ("SOWINSKI,JAN", "Sowiński, Jan"),
        ("los, ewa", "Łoś, Ewa"),
        ("Grossmann,  Ida", "Großmann, Ida"),
        ("Ozgur Isik", "Özgür Işık"),
        ("stockfish 17", "Stockfish 17"),
        ("Ann", "Ann"),
        ("ann", "ann"),
        ("sowinski", "Sowiński, Jan"),  # the only one of that surname, before a comma or at the end
        ("Işık", "Özgür Işık"),
    ],
)
def test_case_and_accents_are_folded(typed, meant):
    assert find_players([typed], RATED, "player") == [meant]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Sowinsky, Jan", ". Did you mean 'Sowiński, Jan'"),
        ("Stockfish", ", which fits 2 names. Did you mean 'Stockfish 16' or 'Stockfish 17'?"),
        ("ANN", ", which fits 2 names. Did you mean 'Ann' or 'ann'?"),
        ("qqqq", ". Players are 'Sowiński, Jan', 'Łoś, Ewa', 'Großmann, Ida', ..."),
    ],
)
def test_the_nearest_names_are_told(typed, names):
    with pytest.raises(GameTableError) as caught:
        Players(RATED).find(typed)
    assert str(caught.value).startswith(f"player: expected a player who is rated, found {typed!r}{names}")


@pytest.mark.parametrize("name", [None, 5, ["Ann"], np.array(["Ann"])])
def test_a_name_that_is_no_text_is_refused(name):
    with pytest.raises(GameTableError, match="player: expected a name, found"):
        Players(RATED).find(name)


def test_a_surname_of_several_is_nobody_and_files_are_not_matched_by_it():
    with pytest.raises(GameTableError, match="Did you mean 'Adler, Ann' or 'Adler, Ben'"):
        find_players(["adler"], ["Adler, Ann", "Adler, Ben", "Egger, Eva"], "player")
    assert Players(["Adler, Ann", "Egger, Eva"]).place("Egger") is None


def test_one_player_named_twice_is_refused():
    with pytest.raises(GameTableError, match="every name once"):
        find_players(["Łoś, Ewa", "Los, Ewa"], RATED, "player")


def test_monitored_players_are_found_as_they_are_typed():
    players, white, black = code_players(["Sowiński, Jan", "Łoś, Ewa"], ["Łoś, Ewa", "Großmann, Ida"])
    games = GameTable(players, white, black, np.array([1.0, 0.5]))
    assert select(games, ["sowinski, jan", "LOS, EWA"], "both").players.tolist() == ["Sowiński, Jan", "Łoś, Ewa"]


@pytest.mark.parametrize(
    ("one", "other", "proposed"),
    [
        ("Sowiński, Jan", "Sowinski, Jan", True),
        ("Łoś, Ewa", "Los, E", True),
        ("Løkke, Ida", "LOKKE, IDA", True),
        ("Stockfish 16", "Stockfish 17", False),
        ("RubiChess 20240817", "RubiChess 20240617", False),
        ("Ethereal 14.25", "Ethereal 14.26", False),
        ("gpt-4-0125-preview", "gpt-4-1106-preview", False),
        ("Stockfish", "Stockfish 17", False),
    ],
)
def test_spellings_are_proposed_and_versions_are_not(one, other, proposed):
    players, white, black = code_players([one, other], ["Somebody", "Somebody"])
    games = GameTable(players, white, black, np.array([1.0, 0.5]))
    pairs = [{found.name, found.same_as} for found in propose(games)]
    assert ({one, other} in pairs) == proposed
    assert (name_score(one, other)[0] >= 85) == proposed

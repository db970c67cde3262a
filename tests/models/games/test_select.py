"""Games of monitored players: arguments of another class, and one name in place of a list."""

import numpy as np
import pytest

import halfpoint as hp
from halfpoint.models.declaration.hand_written import declared_of
from halfpoint.models.games.errors import HalfpointError
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

"""Tables and errors survive the transfer as bytes; other bytes are refused without running any of them."""

import pickle
from dataclasses import fields
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.table_bytes import bytes_of_error, bytes_of_games, games_or_error
from halfpoint.readers import read


@pytest.fixture
def games(tmp_path):
    """Games of sides, with ratings, days, an event and a further column."""
    path = tmp_path / "club.csv"
    path.write_text(
        "white1,white2,black1,black2,result,date,event,minutes/side\n"
        "Ann,Bob,Çem,Di,1-0,2024-01-03,Open,3\nÇem,Ann,Bob,Di,½-½,,,5\n"
    )
    return read(path, covariates=["minutes/side"])


def test_a_table_is_the_same_after_the_journey(games):
    there = games_or_error(bytes_of_games(games))
    assert isinstance(there, GameTable)
    pairs = [(there, games), (there.sides, games.sides)]
    for one, other in pairs:
        for item in fields(other):
            value, wanted = getattr(one, item.name), getattr(other, item.name)
            if item.name not in ("sides", "covariates"):
                np.testing.assert_equal(value, wanted)
                assert getattr(value, "dtype", None) == getattr(wanted, "dtype", None)
    assert {name: value.tolist() for name, value in there.covariates.items()} == {"minutes/side": [3.0, 5.0]}
    assert not there.score.flags.writeable


def test_an_error_keeps_its_parts_and_the_places_of_further_rows():
    error = GameTableError("a, line 2", "x", "y\n", "Do.").at(lambda row: f"a, line {row}", [2, 5])
    there = games_or_error(bytes_of_error(error))
    assert (type(there), str(there), there.places) == (GameTableError, str(error), ["a, line 2", "a, line 5"])
    assert str(games_or_error(bytes_of_error(HalfpointError("alone")))) == "alone"


def test_other_bytes_are_refused_and_not_run(games, tmp_path):
    marker = tmp_path / "ran"

    class Runs:
        def __reduce__(self):
            return (Path.touch, (marker,))

    whole, objects = bytes_of_games(games), BytesIO()
    np.lib.format.write_array(objects, np.array([Runs()], dtype=object), allow_pickle=True)
    line, _, arrays = whole.partition(b"\n")
    odd = [b"", pickle.dumps(Runs()), b"[" * 100_000, b"[]", b"9" * 5000, b'{"error": ["a", "b"], "places": []}']
    odd += [
        line + b"\n" + objects.getvalue() + arrays,
        whole[:-1],
        line.replace(b'"games"', b'"other"') + b"\n" + arrays,
    ]
    odd += [line + b"\n" + arrays.replace(b"'shape': (2,)", b"'shape': (10000000000000000,)")]
    for content in odd:
        with pytest.raises(ValueError, match="in the answer of the reading process"):
            games_or_error(content)
    assert not marker.exists()


def test_a_column_of_objects_does_not_travel(games):
    covariates = {"odd": np.array([{}, {}], dtype=object)}
    table = GameTable(games.players, games.white, games.black, games.score, covariates=covariates)
    with pytest.raises(ValueError, match="Object arrays"):
        bytes_of_games(table)

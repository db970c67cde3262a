"""Options of a table in Python: as values, and as the texts of the command line."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

ROWS = "A,B,S,Place\nx,y,1,Rome\ny,z,0,Rome\nz,x,1,Oslo\nx,z,0,Oslo\n"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "games.csv").write_text(ROWS)
    return tmp_path / "games.csv"


@pytest.mark.parametrize("columns", ["white=A,black=B,score=S", {"white": "A", "black": "B", "score": "S"}])
@pytest.mark.parametrize(("ignore", "covariates"), [("Place", ()), (["Place"], ()), ((), "Place"), ((), ["Place"])])
def test_a_text_is_as_on_the_command_line(path, columns, ignore, covariates):
    games = read(path, columns=columns, ignore=ignore, covariates=covariates)
    assert games.white_names.tolist() == ["x", "y", "z", "x"]
    assert games.score.tolist() == [1, 0, 1, 0]
    assert ("Place" in games.covariates) == bool(covariates)
    assert not any("Place" in note for note in games.notes)


@pytest.mark.parametrize("columns", [["A", "B"], 5, "white", "white=A,white=B"])
def test_columns_of_another_kind_are_one_line(path, columns):
    with pytest.raises(GameTableError, match="columns: expected"):
        read(path, columns=columns)


@pytest.mark.parametrize("outcomes", [5, ["1=first"], 0.5])
def test_outcomes_of_another_kind_are_one_line(path, outcomes):
    with pytest.raises(GameTableError, match="outcomes: expected"):
        read(path, columns="white=A,black=B,score=S", outcomes=outcomes)

"""Formulas of columns: read as written, players' columns at both seats, refusals in one line."""

from dataclasses import replace

import numpy as np
import pytest
from extended_games import schedule

from halfpoint.models.errors import ModelError
from halfpoint.models.formula import design, of_players


def test_columns_are_those_of_the_formula():
    games = schedule(30, 3, 1).games
    games = replace(games, covariates={**games.covariates, "control": np.tile(["blitz", "classical", "rapid"], 10)})
    made = design({"advantage": "0 + rapid", "log_draw": "0 + rapid:control"}, games)
    np.testing.assert_array_equal(made.columns["advantage"][:, 0], games.covariates["rapid"])
    expected = games.covariates["rapid"][:, None] * (
        games.covariates["control"][:, None] == ["blitz", "classical", "rapid"]
    )
    np.testing.assert_array_equal(made.columns["log_draw"], expected)


@pytest.mark.parametrize(
    ("formulas", "says"),
    [
        ({"advantage": "0 + speed"}, "Columns at hand: rapid"),
        ({"advantage": "rapid"}, "without an intercept"),
        ({"advantage": "0 + ("}, "does not work"),
        ({"colour": "0 + rapid"}, "advantage | log_draw | log_width | strength"),
    ],
)
def test_a_formula_that_does_not_work_is_named(formulas, says):
    with pytest.raises(ModelError) as caught:
        design(formulas, schedule(30, 3, 6).games)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_players_value_stands_at_both_seats():
    games = schedule(60, 3, 8).games
    ages = {name: 20.0 + number for number, name in enumerate(games.players.tolist())}
    aged = of_players(games, "age", ages)
    for side, codes in (("white", games.white), ("black", games.black)):
        assert aged.covariates[f"{side}_age"].tolist() == [ages[name] for name in games.players[codes]]


def test_every_player_needs_a_value():
    games = schedule(60, 3, 8).games
    ages = {name: 30.0 for name in games.players.tolist() if name != "O11"}
    with pytest.raises(ModelError, match="O11"):
        of_players(games, "age", ages)

"""Covariates: formulas read as written, players' columns at both seats, refusals in one line."""

from dataclasses import replace

import numpy as np
import pytest
from extended_games import schedule, truth

from halfpoint.games.select import select
from halfpoint.models.beyond import EXTENDED, prepare, rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.catalogue import declare
from halfpoint.models.covariates import design, of_players
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, scores


def aged(selection):  # type: ignore[no-untyped-def]
    names = selection.games.players.tolist()
    games = of_players(selection.games, "age", {name: 20.0 + 3 * number for number, name in enumerate(names)})
    return select(games, selection.players.tolist())


def test_columns_are_those_of_the_formula() -> None:
    games = schedule(30, 3, 1).games
    games = replace(games, covariates={**games.covariates, "control": np.tile(["blitz", "classical", "rapid"], 10)})
    made = design({"advantage": "0 + rapid", "log_draw": "0 + rapid:control"}, games)
    np.testing.assert_array_equal(made.columns["advantage"][:, 0], games.covariates["rapid"])
    expected = games.covariates["rapid"][:, None] * (
        games.covariates["control"][:, None] == ["blitz", "classical", "rapid"]
    )
    np.testing.assert_array_equal(made.columns["log_draw"], expected)


def test_an_effect_moves_the_outcome_it_acts_on() -> None:
    """log odds of win against loss grow by the effect on the advantage; draw odds by the effect on log_draw."""
    entry, selection = EXTENDED["davidson-rapid"], schedule(60, 4, 2)
    p = truth(entry, 4, 3)
    rows = rows_of(entry, selection)
    plain = log_probability(
        scores(entry, {**p, **{f"{t}_effect": np.zeros((1, 1)) for t in entry.formulas}}, rows), (0, 1, 2)
    )
    moved = log_probability(scores(entry, p, rows), (0, 1, 2))
    rapid = selection.games.covariates["rapid"]
    change = (moved - plain)[0]
    np.testing.assert_allclose(change[:, 2] - change[:, 0], 0.6 * rapid, atol=1e-9)
    np.testing.assert_allclose(change[:, 1] - change[:, [0, 2]].mean(axis=1), 0.6 * rapid, atol=1e-9)


def test_a_players_covariate_acts_at_his_seat_and_not_on_anchored_opponents() -> None:
    selection = aged(schedule(60, 4, 4))
    entry = Extended("x", formulas={"strength": "0 + age"})
    p = {**truth(Extended("x"), 4, 5), "strength_effect": np.array([[0.02]])}
    rows = rows_of(entry, selection)
    aging = {f"{side}_age": selection.games.covariates[f"{side}_age"] for side in ("white", "black")}
    shifted = 0.02 * (
        np.where(selection.white >= 0, aging["white_age"], 0) - np.where(selection.black >= 0, aging["black_age"], 0)
    )
    ours = log_probability(scores(entry, p, rows), (0, 1, 2))[0]
    plain = log_probability(scores(Extended("x"), p | {"strength_effect": np.zeros((1, 1))}, rows), (0, 1, 2))[0]
    np.testing.assert_allclose((ours - plain)[:, 2] - (ours - plain)[:, 0], shifted, atol=1e-9)
    cells, model = prepare(entry, selection)
    assert model["strength_effect"].ndim == 1
    assert cells.weight.sum() == 60


@pytest.mark.parametrize(
    ("formulas", "says"),
    [
        ({"advantage": "0 + speed"}, "Columns at hand: rapid"),
        ({"advantage": "rapid"}, "without an intercept"),
        ({"advantage": "0 + ("}, "does not work"),
        ({"colour": "0 + rapid"}, "advantage | log_draw | strength"),
    ],
)
def test_a_formula_that_does_not_work_is_named(formulas: dict[str, str], says: str) -> None:
    with pytest.raises(ModelError) as caught:
        design(formulas, schedule(30, 3, 6).games)
    assert says in str(caught.value)


def test_a_model_without_its_covariate_says_so() -> None:
    selection = schedule(30, 3, 7)
    selection = replace(selection, games=replace(selection.games, covariates={}))
    with pytest.raises(ModelError, match="covariates of advantage"):
        declare("davidson-rapid", selection)


def test_every_player_needs_a_value() -> None:
    games = schedule(60, 3, 8).games
    ages = {name: 30.0 for name in games.players.tolist() if name != "O11"}
    with pytest.raises(ModelError, match="O11"):
        of_players(games, "age", ages)

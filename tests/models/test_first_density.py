"""Mistakes in a model of a user's own are named in one line when it is declared."""

import numpy as np
import pymc as pm
import pytest

import halfpoint as hp
from halfpoint.models import davidson, outcome
from halfpoint.models.errors import ModelError


def normal(scale=0.7, mean=0.0, **shape):
    """Strengths with a prior."""
    return pm.Normal("strength", mean, scale, **(shape or {"dims": "player"}))


def of_sides(games, white, black):
    davidson(games, white, black, pm.Normal("log_draw", 0, 1))


def plain(**prior):
    """Function that adds Davidson's model with a prior of strengths."""

    def add(games):
        g = normal(**prior)
        of_sides(games, games.white(g), games.black(g))

    return add


def with_formula(scores):
    """Function that adds a model with a formula."""

    def add(games):
        g = normal()
        outcome(games, scores, games.white(g), games.black(g), pm.Normal("log_draw", 0, 1))

    return add


def with_potential(games):
    plain()(games)
    pm.Potential("level", pm.math.log(pm.math.sum(games.white(np.full(6, -1.0)))))


def with_random_scale(games):
    spread = pm.Normal("spread", 0, 1)
    g = normal(pm.math.abs(spread))
    of_sides(games, games.white(g), games.black(g))


def on_half_the_line(sign):
    """Function that adds a potential which is defined where the sum of the strengths has a sign."""

    def add(games):
        g = normal()
        of_sides(games, games.white(g), games.black(g))
        pm.Potential("half", pm.math.log(sign * pm.math.sum(g)))

    return add


def declared(add, model=None):
    """Declared model of a function whose variables `add` makes, or of another model."""

    def mine(games):
        with pm.Model(coords=games.coords) as graph:
            add(games)
        return graph

    table, _ = hp.simulate(games=60, players=6, seed=2)
    return hp.declare(model or mine, hp.select(table, table.players, "both"))


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (plain(scale=-1.0), "model mine: strength needs sigma > 0"),
        (plain(scale=0.0), "model mine: strength needs sigma > 0"),
        (plain(scale=np.nan), "model mine: strength needs sigma > 0"),
        (plain(mean=np.nan), "model mine: the log density of strength is not a number"),
        (plain(scale=np.ones(3)), "model mine: the log density of strength has no value: ValueError"),
        (plain(shape=3), "model mine: expected 6 values of strength, one per player, found 3"),
        (lambda games: of_sides(games, normal(), 0.0), "model mine: the log density of games has no value"),
        (lambda games: of_sides(games, games.white("g"), 0.0), "expected a variable by player, found 'g'"),
        (lambda games: of_sides(games, games.white(None), 0.0), "expected a variable by player, found None"),
        (lambda games: of_sides(games, games.black(normal(size=())), 0.0), "by player, found a single number"),
        (lambda games: of_sides(games, np.inf, games.black(normal())), "log density of games is not a number"),
        (lambda games: davidson(games, games.white(normal()), 0.0, None), "model mine: its log density has no value"),
        (with_formula(lambda white, black, log_draw: (black, white)), "model mine: its log density has no value"),
        (with_formula(lambda white, black, log_draw: None), "model mine: its log density has no value"),
        (with_potential, "model mine: the log density of level is not a number"),
        (lambda games: games.column(None), "games.column: expected the name of a column, found NoneType"),
        (lambda games: games.column(np.ones(2)), "games.column: expected the name of a column, found ndarray"),
        (lambda games: games.observed(3), "games.observed: expected the name of a column, found int"),
        *((lambda games, every=every: games.by(every), "months of a period: expected a whole number from 1 to 1,200")
          for every in (0, -3, 0.5, "month", None, 10**9)),
    ],
)  # fmt: skip
def test_a_mistake_is_named_in_one_line(add, message):
    with pytest.raises(ModelError) as raised:
        declared(add)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_sound_models_are_declared():
    of_half = on_half_the_line(1.0), on_half_the_line(-1.0)  # at one of them the first point has no density
    for add in (plain(), plain(shape=6), with_random_scale, *of_half):  # a scale of 0 at the start is no mistake
        assert "strength" in declared(add).model.named_vars


def test_the_print_of_a_likelihood_of_its_own_has_no_formula_of_sides():
    def margins(games):
        g = normal()
        pm.Normal("margin", games.white(g) - games.black(g), 1.0, observed=games.observed("result") - 1.0)

    printed, of_sides_printed = (str(declared(add)) for add in (margins, plain()))
    assert printed.startswith("mine: a likelihood of its own\non 60 games")
    assert "margin ~ Normal(" in printed
    assert "P(loss) : P(draw) : P(win) = e^B" not in printed
    assert "P(loss) : P(draw) : P(win) = e^B" in of_sides_printed


def test_a_variable_with_the_name_of_a_dim_is_to_be_renamed():
    with pytest.raises(ModelError, match=r"name 'outcome' conflicts with an existing dimension name. Rename the var"):
        declared(lambda games: pm.Normal("outcome"))


@pytest.mark.parametrize(
    ("strength", "message"),
    [
        ((15, -1), "model mine: strength needs sigma > 0, found -1"),
        ((15, 0), "model mine: strength needs sigma > 0, found 0"),
        ((15, np.nan), "model mine: strength needs sigma > 0, found nan"),
        ((np.nan, 1), "model mine: a parameter of the prior of strength is not a number"),
        ((1, 2, 3), r"model mine: its function failed \(study.py:\d+\)"),
        (None, r"model mine: its function failed \(study.py:\d+\)"),
        ("wide", r"model mine: its function failed \(study.py:\d+\)"),
    ],
)
def test_wrong_numbers_of_a_model_of_the_catalogue_are_refused(strength, message):
    with pytest.raises(ModelError, match=message):
        declared(None, hp.find("davidson-common").but("mine", strength=strength))

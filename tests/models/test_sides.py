"""The sides of rows under draws of the parameters, by hand, and from the graph as from sums."""

import numpy as np
import pymc as pm
import pytest

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import DAVIDSON, davidson
from halfpoint.models.language.games import OWN
from halfpoint.models.language.model import Model
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.sides import Reader, RowSides, _padded, _taken, evaluate
from halfpoint.models.reading.sparse_affine import SparseAffine
from halfpoint.models.rows.rows import meetings

PLAYERS = np.array(["a", "b", "c"])
DRAWS = {
    "strength": np.array([[1.0, 2.0, 4.0], [0.5, 0.0, -1.0]]),
    "advantage": np.array([0.25, -0.5]),
    "log_draw": np.array([1.0, 2.0]),
}
WHITE = [[1.25, 2.25, 4.25], [0.0, -0.5, -1.5]]  # strengths of a, b and c, and the advantage
BLACK = [[2.0, 4.0, 1.0], [0.0, -1.0, 0.5]]  # strengths of b, c and a


def rows(period=None):
    """Games a - b, b - c and c - a."""
    nothing = np.zeros(3)
    white, black = np.array([0, 1, 2], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32)
    return meetings(white, black, nothing, nothing, period)


def power(values, exponent):
    """A power by products."""
    return values if exponent == 1 else values * power(values, exponent - 1)


def own(games, exponent=1):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        advantage = pm.Normal("advantage", 0.0, 1.0)
        draw = pm.Normal("log_draw", 0.0, 1.0)
        white, black = power(games.white(strength), exponent), power(games.black(strength), exponent)
        davidson(games, white + advantage, black, draw)
    return model


@pytest.mark.parametrize("model", [find("davidson-common"), Model("own", own)])
def test_sides_are_strengths_and_the_advantage(model):
    sides = Reader(model, Reads(), PLAYERS).at(DRAWS, rows())
    assert sides.forms is not None
    values = sides.under(DRAWS)
    np.testing.assert_allclose(values.white, WHITE)
    np.testing.assert_allclose(values.black, BLACK)
    np.testing.assert_allclose(np.broadcast_to(values.lam, (2, 3)), [[1.0] * 3, [2.0] * 3])
    eta, lam = np.subtract(WHITE, BLACK), np.array([[1.0], [2.0]])
    scores = np.stack([-eta / 2.0, np.broadcast_to(lam, eta.shape), eta / 2.0], axis=-1)
    expected = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(values.log_probability(), expected)


@pytest.mark.parametrize("draws", [1, 2])
def test_other_sides_are_evaluated_by_the_graph(draws):
    """Squares of strengths are products of two parameters, cubes are no sum of products."""
    some = {name: value[:draws] for name, value in DRAWS.items()}
    strength, advantage = some["strength"], some["advantage"][:, None]
    for exponent in (2, 3):
        sides = Reader(Model("own", own, {"exponent": exponent}), Reads(), PLAYERS).at(some, rows())
        assert (sides.forms is None) == (exponent == 3)
        values = sides.under(some)
        np.testing.assert_allclose(values.white, strength**exponent + advantage)
        np.testing.assert_allclose(values.black, strength[:, [1, 2, 0]] ** exponent)
        assert sides.bytes_of_a_draw >= 1


def test_a_draw_that_is_missing_is_named():
    some = {name: DRAWS[name] for name in ("strength", "advantage")}
    sides = Reader(Model("own", own, {"exponent": 3}), Reads(), PLAYERS).at(some, rows())
    with pytest.raises(ModelError, match="expected draws of 'log_draw', which the sides of a game read, found none"):
        sides.under(some)


def test_walks_have_the_state_of_the_period():
    walk = np.arange(12.0).reshape(1, 3, 4)
    p = {"strength": walk, "advantage": np.zeros(1), "log_draw": np.zeros(1)}
    reader = Reader(find("davidson-walk"), Reads(every=1), PLAYERS, periods=4)
    values = reader.at(p, rows(np.array([0, 3, 1]))).under(p)
    np.testing.assert_allclose(values.white, [[0.0, 7.0, 9.0]])
    np.testing.assert_allclose(values.black, [[4.0, 11.0, 1.0]])


def test_facts_about_players_are_padded_for_new_players():
    reader = Reader(
        find("davidson-population"), Reads(columns=(f"{OWN}heat", "ranked")), np.array(list("abcde")),
        ratings_elo=np.array([1500.0, 1600.0, 1700.0]), prior_elo=np.array([[1500.0, 20.0]]),
        entered=np.array([0, 2, 1]), first_period=5, fresh=("e",),
    )  # fmt: skip
    view = reader.view(rows(), {"strength": 5}, 3)
    facts = view.facts
    assert facts.ratings_elo()[:3].tolist() == [1500.0, 1600.0, 1700.0]
    assert np.isnan(facts.ratings_elo()[3:]).all()
    assert facts.prior_elo.shape == (5, 2)
    assert np.isnan(facts.prior_elo[1:]).all()
    assert facts.entered(1).tolist() == [0, 2, 1, 0, 0]
    assert facts.periods(1) == (5, 3)
    assert facts.margin(None).tolist() == [0.0, 0.0, 0.0]
    assert view.weight.shape == (3, 3)
    assert facts.has("heat")
    assert facts.has("ranked")
    assert not facts.has("wind")
    assert facts.fresh == ("e",)
    bare = Reader(find("davidson"), Reads(), PLAYERS).view(rows(), {}, 1).facts
    assert bare.ratings_elo().tolist() == [0.0, 0.0, 0.0]
    assert bare.entered(1).tolist() == [0, 0, 0]
    assert bare.prior_elo is None


def test_sums_under_draws_by_hand():
    p = {"x": np.array([[1.0, 2.0], [3.0, 4.0]]), "y": np.array([10.0, 20.0])}
    slots = {"x": (0, (2,)), "y": (2, ())}
    index = np.array([0, 1, 0])
    form = SparseAffine(
        (3,), [(np.array([1.0, 2.0, 3.0]), ()), (np.ones(3), (index,)), (np.full(3, 2.0), (index, np.full(3, 2)))]
    )
    expected = [[1 + 1 + 20, 2 + 2 + 40, 3 + 1 + 20], [1 + 3 + 120, 2 + 4 + 160, 3 + 3 + 120]]
    np.testing.assert_allclose(evaluate(form, p, slots), expected)
    np.testing.assert_allclose(evaluate(np.array([1.0, 2.0]), p, slots), [[1.0, 2.0]])


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ([0, 1], [[1.0, 2.0], [3.0, 4.0]]),
        ([1, 1], [[2.0], [4.0]]),  # equal places are one column
        ([2, 2], [[10.0], [20.0]]),
        ([0, 2, 1], [[1.0, 10.0, 2.0], [3.0, 20.0, 4.0]]),  # of two parameters
        ([3, 4], [[5.0, 6.0], [7.0, 8.0]]),
        ([1, 3, 2], [[2.0, 5.0, 10.0], [4.0, 7.0, 20.0]]),
    ],
)
def test_values_are_taken_from_the_parameter_that_has_the_place(place, expected):
    p = {"x": np.array([[1.0, 2.0], [3.0, 4.0]]), "y": np.array([10.0, 20.0]), "z": np.array([[5.0, 6.0], [7.0, 8.0]])}
    slots = {"x": (0, (2,)), "y": (2, ()), "z": (3, (2,))}
    np.testing.assert_allclose(_taken(np.array(place), p, slots), expected)


def test_padding():
    assert _padded(np.array([1.0, 2.0]), 2).tolist() == [1.0, 2.0]
    assert _padded(np.array([1.0, 2.0]), 1).tolist() == [1.0]
    whole = _padded(np.array([1, 2]), 4)
    assert whole.tolist() == [1, 2, 0, 0]
    assert whole.dtype.kind == "i"
    assert _padded(np.array([[1.0, 2.0]]), 2, 7.0).tolist() == [[1.0, 2.0], [7.0, 7.0]]


def test_sums_take_no_memory_by_draw():
    sums = RowSides(DAVIDSON, (), {}, [], [], {}, 3)
    assert sums.bytes_of_a_draw == 1

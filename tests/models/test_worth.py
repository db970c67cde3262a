"""Records of players' strengths: coefficients and indices of sums, and the restored values, by hand."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.declaration.worth import Worth, recorded_terms, worth_from_text, worth_of
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.rows.rows import meetings

STRENGTH = {"strength": (5, (3,))}  # values 5 to 7 of all
STRENGTHS, FIRST = ["strength", 0, 1, 3, []], ["strength", 0, 1, 1, []]  # places of all players, and of the first
P = {"strength": np.array([[1.0, 2.0, 4.0]])}


def record_of(form):
    """Record with one form for both sides."""
    return Worth({"white": recorded_terms(form, STRENGTH), "black": recorded_terms(form, STRENGTH)})


def sums(*terms):
    """Form of terms: coefficients and the indices of a parameter."""
    return SimpleNamespace(terms=[(np.array(c), tuple(np.array(place) for place in places)) for c, *places in terms])


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (np.array([3.0, 3.0, 3.0]), [[3.0]]),
        (np.array([1.0, 2.0, 4.0]), [[1.0, 2.0, 4.0]]),  # a number of each player
        (sums(([1.0, 1.0, 1.0], [5, 6, 7])), [[1.0, 2.0, 4.0]]),
        (sums(([1.0, 2.0, 3.0], [5, 6, 7])), [[1.0, 4.0, 12.0]]),
        (sums(([2.0, 2.0, 2.0], [7, 5, 5])), [[8.0, 2.0, 2.0]]),
        (sums(([1.0, 1.0, 1.0], [6, 6, 6])), [[2.0]]),  # shared by all
        (sums(([1.0, 0.5, 1.0], [5, 6, 7], [7, 7, 7])), [[4.0, 4.0, 16.0]]),  # a product of two
        (sums(([1.0, 1.0, 1.0], [5, 6, 7]), ([-1.0, -1.0, -1.0], [5, 5, 5])), [[0.0, 1.0, 3.0]]),
    ],
)
def test_values_are_the_sums_by_hand(form, expected):
    made = record_of(form)
    assert made.values("white", P).tolist() == expected
    again = worth_from_text(made.text, {"strength": (3,)}, 3)
    assert again is not None
    assert again.values("black", P).tolist() == expected


def test_equal_coefficients_are_recorded_once():
    assert recorded_terms(sums(([2.0, 2.0, 2.0], [5, 6, 7])), STRENGTH) == [[[2.0], ["strength", 0, 1, 3, []]]]
    assert recorded_terms(sums(([2.0, 2.0, 1.0], [5, 6, 7])), STRENGTH) == [
        [[2.0, 2.0, 1.0], ["strength", 0, 1, 3, []]]
    ]


@pytest.mark.parametrize(
    "form",
    [
        sums(([1.0, 2.0, 3.0], [5, 6, 7])),
        sums(([2.0, 2.0, 2.0], [7, 5, 5])),
        sums(([1.0, 1.0, 1.0], [6, 6, 6])),
        sums(([1.0, 0.5, 1.0], [5, 6, 7], [7, 7, 7]), ([-1.0, -1.0, -1.0], [5, 5, 5])),
    ],
)
def test_some_players_have_the_values_that_they_have_among_all(form):
    posterior = xr.Dataset({"strength": (("chain", "draw", "player"), [[[1.0, 2.0, 4.0], [3.0, 0.5, 7.0]]])})
    made, every = record_of(form), {"strength": posterior["strength"].to_numpy().reshape(2, 3)}
    for players in ([0], [2, 1], [0, 1, 2]):
        some, values = made.of_players(posterior, np.array(players))
        whole = np.broadcast_to(made.values("white", every), (2, 3))[:, players]
        assert np.broadcast_to(some.values("white", values), whole.shape).tolist() == whole.tolist()


@pytest.mark.parametrize(
    ("white", "black", "lead"),
    [
        ([[[1.0], STRENGTHS], [[1.0], FIRST]], [[[1.0], STRENGTHS]], [[1.0]]),  # what both sides have cancels
        ([[[1.0], STRENGTHS]], [[[1.0], STRENGTHS]], [[0.0]]),
        ([[[1.0], STRENGTHS], [[1.0], STRENGTHS]], [[[1.0], STRENGTHS]], [[1.0, 2.0, 4.0]]),  # once of two
        ([[[1.0], STRENGTHS]], [[[1.0, 1.0, 0.5], STRENGTHS]], [[0.0, 0.0, 2.0]]),
    ],
)
def test_the_lead_of_the_first_seat_by_hand(white, black, lead):
    assert Worth({"white": white, "black": black}).lead(P).tolist() == lead


def test_values_of_some_players_are_those_of_all():
    worth = record_of(sums(([1.0, 0.5, 2.0], [5, 6, 7], [7, 7, 5]), ([-1.0, -1.0, -1.0], [6, 6, 6])))
    some = np.array([2, 0])
    assert worth.values("white", P, some).tolist() == worth.values("white", P)[:, some].tolist()
    rows = np.array([2, 2, 0, 2, 0, 2])
    white, black, _ = worth.under(P, rows, np.ones_like(rows))
    assert white.tolist() == worth.values("white", P)[:, rows].tolist()
    assert black.tolist() == worth.values("black", P)[:, np.ones_like(rows)].tolist()


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        ({}, True),
        ({"begin": 1}, False),  # the last place is beyond the parameter
        ({"begin": -1}, False),
        ({"stride": 2}, False),
        ({"stride": 0}, False),
        ({"count": 2}, False),
        ({"count": 1, "begin": 2}, True),
        ({"count": 1, "begin": 3}, False),
        ({"places": [2, 1, 0]}, True),
        ({"places": [2, 1]}, False),
        ({"places": [3, 1, 0]}, False),
        ({"places": [-1, 1, 0]}, False),
        ({"places": [0.5, 1, 0]}, False),
        ({"name": "level"}, False),
    ],
)
def test_places_of_a_record_are_within_its_parameter(change, whole):
    part = {"name": "strength", "begin": 0, "stride": 1, "count": 3, "places": []} | change
    terms = [[[1.0], list(part.values())]]
    text = json.dumps({"white": terms, "black": terms})
    assert (worth_from_text(text, {"strength": (3,)}, 3) is not None) == whole


@pytest.mark.parametrize(
    "text",
    [
        "", None, "[]", '{"white": []}', '{"white": [], "black": [], "other": []}', "{",
        '{"white": [[[1.0, 2.0]]], "black": []}', '{"white": [[[Infinity]]], "black": []}',
    ],
)  # fmt: skip
def test_other_records_are_refused(text):
    assert worth_from_text(text, {"strength": (3,)}, 3) is None


@pytest.mark.parametrize("name", ["davidson-player-draws", "davidson-strength-draws", "davidson-common"])
def test_pairs_have_the_sides_and_the_draw_parameter_of_the_function(name):
    """The record of players at the end of the games against the function run on the rows."""
    rng = np.random.default_rng(3)
    players = np.array(list("abcd"))
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 1, 2, 3, 0, 2], [1, 2, 3, 0, 2, 0]))
    games = GameTable(players, white, black, np.array([1.0, 0.5, 0.0, 1.0, 0.5, 0.5]))
    declared = declare(name, select(games, players, "both"))
    p = {key: rng.normal(size=(3, *shape)) for key, (_, shape) in declared.layout.kept_slots().items()}
    reading = Reading(
        name, declared.traits, declared.reads, declared.outcome.name, p, players, given=declared.spec,
    )  # fmt: skip
    worth = worth_of(reading)
    first, second = np.array([3, 0, 1], dtype=np.int32), np.array([0, 2, 3], dtype=np.int32)
    sides = reader_of(declared).at(p, meetings(first, second, np.zeros(3), np.zeros(3))).under(p)
    for by_record, expected in zip(worth.under(p, first, second), (sides.white, sides.black, sides.lam), strict=True):
        np.testing.assert_allclose(np.broadcast_to(by_record, (3, 3)), np.broadcast_to(expected, (3, 3)))

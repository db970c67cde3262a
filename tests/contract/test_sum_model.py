"""Functions of this package run on sums: distributions, layout and sides equal those of their PyMC graphs exactly."""

import json
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from types import SimpleNamespace

import numpy as np
import pymc as pm
import pytest
from covering_rows import by_row
from made_traces import OWN, ROWS, declared

from halfpoint.apps import workflows
from halfpoint.models import davidson
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.linear_form import sees_level
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.reading.law_forms import LawForms
from halfpoint.models.reading.sparse_affine import SparseAffine
from halfpoint.models.reading.sum_model import _Functions
from halfpoint.models.reading.sum_nodes import NoSumError

FROM_GRAPHS = {  # walks at paces, of two speeds and by days are no sums of few variables; nor are models of one's own
    "bt-volatility-walk", "davidson-volatility-walk", "bt-stochastic-variance-walk",
    "davidson-stochastic-variance-walk",
    "margin-walk", "index-walk", "bt-ou", "davidson-ou", "bt-matern", "davidson-matern", *OWN,
}  # fmt: skip
EACH = [(name, "anchored") for name in ROWS] + [(name, "unanchored") for name in ROWS[::6]]
SEASON = (
    "davidson-matched",
    "davidson-matched-walk",
    "davidson-matched-yearly-walk",
    "davidson-rated-matched",
    "bt-rated",
)


def season(seed, anchored=()):
    """Games of 12 players over 26 months, three of whom enter late, half of them with a rating."""
    rng = np.random.default_rng(seed)
    period = np.sort(rng.integers(1, 27, 260))
    players = np.where(period < 14, 9, 12)
    white = rng.integers(0, players)
    black = (white + rng.integers(1, players)) % players
    rating = np.where(np.arange(12) % 2, 1500.0 + 40.0 * np.arange(12), np.nan)
    table = GameTable(
        np.array([f"P{k:02d}" for k in range(12)]), white.astype(np.int32), black.astype(np.int32),
        rng.choice([0.0, 0.5, 1.0], 260), period=period, white_rating_elo=rating[white], black_rating_elo=rating[black],
    )  # fmt: skip
    return select(table, [name for name in table.people if name not in anchored])


def by_graph(one):
    """The same model on the same games, read from its graph."""
    made = Declared(one.spec, one.edition, one.selection, one.cells, one.rows, one.ground, one.reads)
    made.__dict__["sums"] = None
    return made


def assert_equal(a, b, place):
    """Compare records, sums, arrays and densities, bit for bit."""
    if isinstance(a, SparseAffine):
        assert a.shape == b.shape, place
        assert len(a.terms) == len(b.terms), place
        for (c, index), (d, other) in zip(a.terms, b.terms, strict=True):
            np.testing.assert_array_equal(np.broadcast_to(c, a.shape), np.broadcast_to(d, a.shape), place)
            assert_equal(index, other, place)
    elif is_dataclass(a):
        assert type(a) is type(b), place
        for field in fields(a):
            assert_equal(getattr(a, field.name), getattr(b, field.name), f"{place}.{field.name}")
    elif isinstance(a, tuple | list):
        assert len(a) == len(b), place
        for one, other in zip(a, b, strict=True):
            assert_equal(one, other, place)
    elif isinstance(a, np.ndarray):
        np.testing.assert_array_equal(a, b, place, strict=True)
    elif callable(a):
        at = np.concatenate([[-1.0, 0.0], np.geomspace(1e-9, 1e6, 400)])
        np.testing.assert_array_equal(a(at), b(at), place)
    else:
        assert a == b, place


def assert_same_reading(one):
    """Compare everything read from a model without its graph with the reading of the graph."""
    other = by_graph(one)
    assert_equal(one.laws, other.laws, "laws")
    assert "model" not in one.__dict__
    for name in ("coordinates", "slots", "count", "values"):
        assert getattr(one.layout, name) == getattr(other.layout, name)
    assert list(one.layout.slots) == list(other.layout.slots)
    assert one.traits == other.traits
    assert one.outcome is other.outcome
    assert {name: list(labels) for name, labels in one.coords.items()} == other.coords
    lasting = {law.name for law in one.laws if law.made is None}
    for kept in (set(one.layout.slots), lasting):
        slots = {name: slot for name, slot in one.layout.slots.items() if name in kept}
        assert_equal(one.sides(slots), other.sides(slots), "sides")


@pytest.mark.parametrize(("name", "data"), by_row(EACH))
def test_sums_equal_the_graph(name, data):
    one = replace(declared(name, data))
    assert (one.current_sums is None) == (name in FROM_GRAPHS)
    if name not in FROM_GRAPHS:
        assert_same_reading(one)


@pytest.mark.parametrize("name", SEASON)
@pytest.mark.parametrize("anchored", [(), ("P01", "P03")])
def test_sums_equal_the_graph_on_longer_histories(name, anchored):
    assert_same_reading(declare(name, season(len(name), anchored)))


def test_an_edited_model_is_read_from_its_graph():
    one = declare("davidson-population", select(season(1).games, season(1).games.people))
    assert one.current_sums is not None
    with one.model:
        pm.Potential("nearly", -(one.model["strength"].sum() ** 2))
    assert one.current_sums is None
    assert one.layout.operations


def test_keywords_and_functions_of_a_user():
    narrow = find("davidson-population").but("narrow", spread=0.3)
    assert_same_reading(declare(narrow, season(2)))

    def mine(games):
        with pm.Model(coords=games.coords) as model:
            g = pm.Normal("strength", 0.0, 1.0, dims="player")
            davidson(games, games.white(g), games.black(g), 0.0)
        return model

    assert declare(mine, season(2)).current_sums is None


@pytest.mark.parametrize("outcome", [DAVIDSON, HALF_POINTS])
def test_marked_scores_lose_their_level(outcome):
    assert not outcome.sees_level
    assert not sees_level(outcome)
    assert replace(outcome, over=()).sees_level  # nothing takes the level out of scores that are not normalised


PROGRAM = """
import json, sys
from halfpoint.apps.cli.app import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["halfpoint", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
    assert not {"pymc", "pytensor"} & set(sys.modules), words
"""


def test_rate_and_the_readers_of_its_trace_do_without_pymc(tmp_path):
    games = tmp_path / "games.csv"
    results = ["1-0", "0-1", "1/2-1/2"] * 6
    pairs = [(a, b) for a in "ABC" for b in "ABC" if a != b] * 3
    rows = [f"{a},{b},{result}" for (a, b), result in zip(pairs, results, strict=True)]
    games.write_text("\n".join(["white,black,result", *rows]) + "\n")
    out = str(tmp_path / "out")
    first = ["rate", str(games), "--out", out, "--model", "davidson-matched"]
    workflows.rate(games, model="davidson-matched")  # writes the loop
    commands = [
        [*first, "--force"],
        ["rank", f"{out}/trace.nc"],
        ["match", f"{out}/trace.nc", "A", "B"],
        ["summary", f"{out}/trace.nc"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_priors_without_numbers_are_those_of_pymc():
    """`pm.Normal(name)` has the mean 0 and the standard deviation 1, also on sums."""
    games = view_of_rows()
    functions = _Functions(games, None)
    with functions.Model({"player": ["Ann", "Bo"]}) as model:
        functions.Normal("strength", dims="player")
        functions.Normal("wide", sigma=2.0, shape=3)
    assert model.priors == {"strength": ("normal", (0.0, 1.0)), "wide": ("normal", (0.0, 2.0))}
    assert model.start == {"strength": (0, (2,)), "wide": (2, (3,))}
    assert (model.size, model.values) == (5, 5)


def view_of_rows():
    """A view of three rows."""
    return SimpleNamespace(rows=range(3))


def test_priors_that_read_variables_or_have_a_shape_are_no_numbers():
    functions = _Functions(view_of_rows(), None)
    with functions.Model({"player": ["Ann", "Bo"]}) as model:
        mean = functions.Normal("mean")
        functions.LogNormal("moving", mean, 1.0)
        functions.LogNormal("still", 0.0, 1.0)
        model.free("log_normal", "several", (0.0, 1.0), None, 2)
    forms = LawForms(model.slots, model.values)
    assert model._law(forms, "still", lambda name, sd: sd).hyperparameter.kind == "positive"
    for name in ("moving", "several"):
        with pytest.raises(NoSumError, match=f"{name}, several numbers or with other variables in its prior"):
            model._law(forms, name, lambda name, sd: sd)

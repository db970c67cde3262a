"""Models composed of parts: invariants for any parameters, and two implementations of one likelihood."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from composed import (
    Anchors,
    Common,
    DrawParameter,
    Free,
    Model,
    Nothing,
    PerPlayer,
    Pooled,
    Population,
    Rated,
    Walk,
    about,
    game_rows,
)
from covering_rows import by_row
from extended_games import log_probability, play, schedule, truth
from few_cases import few
from graph_density import own_density
from hypothesis import given, settings
from hypothesis import strategies as st
from pytensor.compile.mode import Mode
from pytensor.graph.basic import Variable

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared, log_likelihood
from halfpoint.models.declaration.catalogue import EDITIONS, FURTHER, TWELVE, declare, find
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.draw_curve import DRAW_CURVE
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.populations import MIDDLE
from halfpoint.models.reading.sparse_affine import NotAffineError
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.rows import meetings

INTERPRETED = Mode(linker="py", optimizer="fast_compile")
PLAYERS = ("Ada", "Boris", "Chen", "Dora", "Emil")
RENAMED = ("Zoe", "Ada", "Mia", "Boris", "Chen")  # sorts in another order than PLAYERS
ROWS = (*TWELVE, *FURTHER)  # those around a printed list: `test_listed`
ALIKE = [name for name in ROWS if not find(name).weighted]


def over(entry):
    return list(about(entry).outcome.over) or [0, 1, 2]


@pytest.mark.parametrize("name", by_row(ROWS))
def test_probabilities_sum_to_one(name):
    entry, selection = find(name), schedule(80, 5, 1)
    p = truth(entry, 5, 2)
    if about(entry).kind == "player":
        p["advantage"] = np.linspace(-0.2, 0.4, 5)[None]
    logs = log_probability(entry, p, game_rows(entry, selection))
    assert logs.shape == (1, 80, 3)
    np.testing.assert_allclose(np.exp(logs[..., over(entry)]).sum(axis=-1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("name", by_row(FURTHER))
def test_graph_arrays_and_compiled_code_give_one_log_likelihood(name):
    entry = find(name)
    declared = declare(name, play(entry, schedule(60, 4, 3), truth(entry, 4, 4), 5))
    model = declared.model
    rng = np.random.default_rng(6)
    named = [*model.free_RVs, *model.deterministics]
    names = [one.name for one in named if not one.name.endswith("_noncentred")]
    potential = model.logp(model.observed_RVs)
    outputs = [potential, *model.replace_rvs_by_values([model[name] for name in names])]
    compute = pytensor.function(model.value_vars, outputs, mode=INTERPRETED, on_unused_input="ignore")
    start = model.initial_point()
    point = [start[value.name] + 0.3 * rng.standard_normal(np.shape(start[value.name])) for value in model.value_vars]
    potential, *values = compute(*point)
    p = {name: np.asarray(value)[None] for name, value in zip(names, values, strict=True)}

    def of(rows):
        return reader_of(declared).at(p, rows).under(p).log_likelihood(rows.margin)[0]

    logs = of(declared.rows)
    np.testing.assert_allclose(potential, (declared.cells.weight * logs).sum(), rtol=1e-10)
    single = of(game_rows(entry, declared.selection))
    by_game = single[np.arange(60), declared.selection.games.outcome].sum()
    np.testing.assert_allclose(potential, by_game, rtol=1e-10)
    np.testing.assert_allclose(log_likelihood(declared, numbers_of(declared), p), [potential], rtol=1e-10)


@pytest.mark.parametrize("name", ["davidson-scaled", "davidson-all-draws", "davidson-walk-scaled"])
def test_neutral_parameters_give_davidson_with_common_advantage(name):
    entry, selection = find(name), schedule(50, 4, 7)
    p = truth(entry, 4, 8)
    p["anchor_scale"] = np.array([1.0])
    for extra in ("draw_slope", "draw_tendency"):
        if extra in p:
            p[extra] = 0.0 * p[extra]
    constant = p["strength"][..., 0] if about(entry).walks else p["strength"]
    if about(entry).walks:
        p["strength"] = np.repeat(constant[..., None], 6, axis=-1)
    ours = log_probability(entry, p, game_rows(entry, selection))[0]
    anchor = np.nan_to_num(selection.anchor_elo) * np.log(10) / 400
    seats = np.append(constant[0], 0.0)
    white = seats[selection.white] + np.where(selection.white < 0, anchor, 0) + p["advantage"]
    black = seats[selection.black] + np.where(selection.black < 0, anchor, 0)
    np.testing.assert_allclose(ours, DAVIDSON.log_probability(white, black, p["log_draw"]), rtol=1e-9)


@pytest.mark.parametrize("name", ["davidson-all-draws", "rao-kupper-all-draws", "bt-scaled"])
def test_without_advantage_turning_colours_turns_outcomes(name):
    entry, selection = find(name), schedule(50, 4, 9)
    p = truth(entry, 4, 10) | {"advantage": np.zeros(1)}
    known = to_natural(np.nan_to_num(selection.anchor_elo))
    rows, turned = (
        meetings(white, black, known, known)
        for white, black in ((selection.white, selection.black), (selection.black, selection.white))
    )
    ours, theirs = log_probability(entry, p, rows), log_probability(entry, p, turned)
    np.testing.assert_allclose(ours, theirs[..., ::-1], rtol=1e-9)


@given(st.floats(-2, 2), st.floats(0.3, 3))
@settings(max_examples=20, deadline=None)
def test_raising_all_strengths_and_anchors_changes_nothing(lift, scale):
    entry, selection = find("davidson-scaled"), schedule(40, 4, 11)
    p = truth(entry, 4, 12) | {"anchor_scale": np.array([scale])}
    known = to_natural(np.nan_to_num(selection.anchor_elo))
    rows, moved = (
        meetings(selection.white, selection.black, rating, rating) for rating in (known, known + lift / scale)
    )
    ours = log_probability(entry, p, rows)
    theirs = log_probability(entry, {**p, "strength": p["strength"] + lift}, moved)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_rows_mark_who_is_anchored_and_at_what_rating():
    selection = schedule(30, 3, 14)
    rows = game_rows(find("davidson-common"), selection)
    for side, codes in ((rows.white, selection.white), (rows.black, selection.black)):
        np.testing.assert_array_equal(side.anchored == 1, codes < 0)
        np.testing.assert_array_equal(side.share[:, 0] == 0, codes < 0)
        np.testing.assert_allclose(side.rating[codes < 0] * 400 / np.log(10), selection.anchor_elo[codes < 0])
        np.testing.assert_array_equal(side.rating[codes >= 0], 0.0)
    assert ((rows.white.anchored + rows.black.anchored) == 1).any()


def test_the_twelve_are_apart_from_the_others():
    assert len(TWELVE) == 12
    assert not set(TWELVE) & set(FURTHER)


def test_editions_of_the_study_do_not_exist_beyond_it():
    with pytest.raises(ModelError, match="described"):
        declare("davidson-scaled", schedule(40, 4, 1), "computed")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_model_of_the_study_keeps_its_own_edition(edition):
    model, games = find("davidson-common-weighted", edition), schedule(40, 4, 1)
    declared, named = declare(model, games), declare(model.name, games, edition)
    assert declared.edition == named.edition
    at = np.full(declared.layout.count, 0.3)
    assert own_density(declared.model)(at)[0] == own_density(named.model)(at)[0]


def test_another_formula_under_a_known_name_is_compiled_for_itself():
    def heavier_draws(white, black, lam):
        return black - white, lam + 0.1 * (white - black), 0.0 * white

    selection = play(find("davidson-common"), schedule(200, 4, 1), truth(find("davidson-common"), 4, 2), 3)
    own = declare(Model("own", Outcome("davidson", heavier_draws), draws=DrawParameter()), selection)
    assert compile_declared(own).route == "compiled"
    compiled, x = density(numbers_of(own)), 0.3 * np.random.default_rng(1).standard_normal(own.layout.count)
    p = {"strength": MIDDLE + np.linspace(-1, 1, 4)[None], "advantage": np.array([0.2]), "log_draw": np.array([0.4])}
    logs = log_probability(own.spec, p, own.rows)[0]
    expected = (own.cells.weight * logs).sum()
    assert log_likelihood(own, numbers_of(own), p)[0] == pytest.approx(expected, rel=1e-10)
    plain = declare(Model("plain", DAVIDSON, draws=DrawParameter()), selection)
    assert log_likelihood(plain, numbers_of(plain), p)[0] != pytest.approx(expected, rel=1e-3)
    moves = 1e-5 * np.eye(x.size)
    slopes = [(compiled(x + move)[0] - compiled(x - move)[0]) / 2e-5 for move in moves]
    assert compiled(x)[1] == pytest.approx(np.array(slopes), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (Model("own", HALF_POINTS, effects=Effects({"log_draw": "0 + rapid"})), "effects on log_draw: expected a draw"),
    ],
)
def test_a_draw_parameter_that_is_missing_or_unseen_is_refused(model, says):
    with pytest.raises(ModelError) as caught:
        declare(model, schedule(40, 4, 1))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


STRENGTHS = (Free((15.5, 2.0)), Population(), Walk(), Rated())
ADVANTAGES = (Nothing(), Common(), Common(neutral=True), PerPlayer(), Pooled())
DRAWS = (DrawParameter(), DrawParameter(slope=(0.0, 1.0)), DrawParameter(tendency=0.5))
ANCHORS = (Anchors(), Anchors((0.0, 1.0)), Anchors((0.0, 1.0), (MIDDLE, 0.5)))
EFFECTS = (Effects(), Effects({"advantage": "0 + rapid", "log_draw": "1 | neutral"}))


@pytest.mark.parametrize("seed", few(range(16)))
def test_parts_combine_freely(seed):
    rng = np.random.default_rng(seed)
    strength, advantage, draws, effects = (
        parts[rng.integers(len(parts))] for parts in (STRENGTHS, ADVANTAGES, DRAWS, EFFECTS)
    )
    anchors = ANCHORS[1] if isinstance(strength, Rated) else ANCHORS[rng.integers(3)]
    if draws.slope and (isinstance(strength, Rated) or anchors.level):
        draws = DRAWS[2]  # slope, scale and level are a product of three, which goes through its graph
    outcome = (DAVIDSON, RAO_KUPPER, DRAW_CURVE)[rng.integers(3)]
    entry = Model("own", outcome, strength, advantage, draws, anchors, effects)
    games = schedule(120, 5, seed).games
    score = rng.integers(0, 3, 120) / 2.0
    players = np.array([name for name in games.players.tolist() if seed % 2 or name.startswith("M")])
    declared = declare(entry, select(replace(games, score=score), players))
    compiled, graph = density(numbers_of(declared)), own_density(declared.model)
    x = 0.4 * rng.standard_normal(declared.layout.count)
    (value, gradient), (expected, slope) = compiled(x), graph(x)
    assert value == pytest.approx(expected, rel=1e-10)
    assert gradient == pytest.approx(slope, rel=1e-9, abs=1e-9 * np.abs(slope).max())


@dataclass(frozen=True)
class Bent(Common):
    """Advantage that is not a sum of parameters."""

    bend: Any = None

    def declare(self, games):
        return self.bend(super().declare(games)[0]), 0.0


BENT = {
    "power": lambda a: a**2 + 0.1 * a,
    "exp": lambda a: pt.exp(a) if isinstance(a, Variable) else np.exp(a),
    "quotient": lambda a: 1.0 / (4.0 + a),
    "size": lambda a: abs(a),
    "three": lambda a: a * a * a,
}


@pytest.mark.parametrize("bend", few(BENT, 2))
def test_a_part_that_is_no_sum_is_told_from_one_and_keeps_its_graph(bend):
    selection = play(find("davidson-common"), schedule(200, 4, 1), truth(find("davidson-common"), 4, 2), 3)
    entry = Model("bent", DAVIDSON, advantage=Bent(bend=BENT[bend]), draws=DrawParameter())
    declared = declare(entry, selection)
    with pytest.raises(NotAffineError):
        numbers_of(declared)
    p = {"strength": MIDDLE + np.linspace(-1, 1, 4), "advantage": np.float64(0.2), "log_draw": np.float64(0.4)}
    x = declared.coordinates(p)
    logs = log_probability(entry, {name: np.asarray(value)[None] for name, value in p.items()}, declared.rows)[0]
    compute = pytensor.function(
        declared.model.value_vars, declared.model.logp(declared.model.observed_RVs), mode=INTERPRETED
    )
    shapes = [np.shape(value) for value in (p["strength"], p["advantage"], p["log_draw"])]
    pieces = [piece.reshape(shape) for piece, shape in zip(np.split(x, [4, 5]), shapes, strict=True)]
    np.testing.assert_allclose(compute(*pieces), (declared.cells.weight * logs).sum(), rtol=1e-10)


def renamed(games, names):
    """Same games under other names, with re-sorted players."""
    table = np.asarray([names[PLAYERS.index(player)] for player in games.players])
    order = np.argsort(table)
    rank = np.argsort(order).astype(np.int32)
    return replace(games, players=table[order], white=rank[games.white], black=rank[games.black])


@cache
def played(every=1):
    strength = np.array([0.4, 0.0, -0.3, 0.8, -0.9])
    found = simulate(
        Truth(np.array(PLAYERS), strength, np.array([0.3, 0.0, 0.1, -0.2, 0.2]), log_draw=0.5), round_robin(5, 6), 7
    )
    columns = {name: np.resize(values, len(found)) for name, values in (("rapid", [0, 1, 0]), ("neutral", [1, 0, 0]))}
    columns["margin"] = (2.0 * found.score - 1.0) * np.resize([1.0, 3.0], len(found))
    rating = np.array([2600.0, 2650.0, 2700.0, 2500.0, 2800.0])
    ratings = {"white_rating_elo": rating[found.white], "black_rating_elo": rating[found.black]}
    return replace(found, period=np.resize([1, 1 + every], len(found)), covariates=columns, **ratings)


@pytest.fixture(scope="module", params=by_row(ALIKE))
def likelihoods(request):
    """Compiled log likelihood of a model: plain, with doubled weights, and with other names."""
    name = request.param
    table = played(about(find(name)).every)
    plain = select(table, PLAYERS)
    relabelled = select(renamed(table, RENAMED), sorted(RENAMED))
    doubled = plain.with_weights(np.full(len(plain), 2.0), "test")

    def function(selection):
        declared = declare(name, selection, "described")
        numbers = numbers_of(declared)
        return lambda p: float(log_likelihood(declared, numbers, {key: value[None] for key, value in p.items()})[0])

    return name, *map(function, (plain, doubled, relabelled))


@settings(max_examples=10, deadline=None)
@given(drawn=st.lists(st.floats(-3, 3), min_size=10, max_size=10), lam=st.floats(-3, 3), shift=st.floats(-9, 9))
def test_level_weights_and_labels(likelihoods, drawn, lam, shift):
    name, plain, doubled, relabelled = likelihoods
    entry = find(name)
    values = {key: value[0] for key, value in truth(entry, 5, 1, months=2).items()}
    base = np.array(drawn[:5])
    values["strength"] = MIDDLE + (base[:, None] + 0.1 * np.arange(2) if about(entry).walks else base)
    if "advantage" in values:
        single = about(entry).kind == "common"
        values["advantage"] = np.float64(drawn[5]) if single else np.array(drawn[5:])
    if "log_draw" in values:
        values["log_draw"] = np.float64(lam)
    found = plain(values)
    if "draw_slope" not in values:
        shifted = values | {"strength": values["strength"] + shift}
        assert plain(shifted) == pytest.approx(found, rel=1e-7), "adding a constant to all strengths changes nothing"
    assert doubled(values) == pytest.approx(2 * found), "doubling all weights doubles the log likelihood"
    order = np.argsort(RENAMED)
    each = ("strength", "draw_tendency", *(["advantage"] if about(entry).halves else []))
    permuted = {key: value[order] if key in each else value for key, value in values.items()}
    assert relabelled(permuted) == pytest.approx(found), "relabelling players permutes the answer"


def test_a_misspelt_keyword_of_another_model_is_refused():
    with pytest.raises(ModelError, match=r"model narrow: .*found 'strenght'\. Did you mean 'strength'\?"):
        find("davidson-common").but("narrow", strenght=(15.6, 0.5))
    assert find("davidson-common").but("narrow", strength=(15.6, 0.5)).parameters["strength"] == (15.6, 0.5)

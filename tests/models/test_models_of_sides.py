"""Models on sides of several people: a side is the mean of its people; everything else is as with one player a side."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from covering_rows import by_row
from graph_density import own_density

from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import FURTHER, declare, find
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.posterior_reader import draws_of, reading_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import merge, select
from halfpoint.models.games.sides import code_sides
from halfpoint.models.games.simulate import Truth
from halfpoint.models.games.simulate_sides import MarginTruth, meetings, simulate_margins, simulate_sides
from halfpoint.models.games.units import to_natural
from halfpoint.readers.read import read

NAMES = np.array([f"P{k:02d}" for k in range(14)])
ROWS = [name for name in FURTHER if not name.endswith("-rated") and "rapid" not in name]


def doubles(games=60, seed=5, **truth):
    """Simulated doubles of 14 people with periods, half the games on neutral ground."""
    strength = to_natural(2705.0) + np.linspace(-1.5, 1.5, NAMES.size)
    known = Truth(NAMES, strength, **{"advantage": 0.3, "log_draw": 0.2} | truth)
    table = simulate_sides(known, *meetings(NAMES.size, games, seed), seed)
    return replace(
        table,
        period=np.arange(games) * 3 // games,
        covariates={"neutral": (np.arange(games) % 2).astype(float), "margin": 4.0 * table.score - 2.0},
    )


def everybody(games):
    return select(games, games.people, "both")


@pytest.mark.parametrize("name", by_row(ROWS, also=("davidson-population",)))
def test_compiled_equals_graph(name):
    one = declare(name, everybody(doubles()))
    own, compute = own_density(one.model), density(numbers_of(one))
    for seed in (1, 2):
        point = np.random.default_rng(seed).standard_normal(one.layout.count)
        (value, gradient), (own_value, own_gradient) = compute(point), own(point)
        assert value == pytest.approx(own_value, rel=1e-11)
        assert gradient == pytest.approx(own_gradient, rel=1e-8, abs=1e-8 * np.abs(own_gradient).max())


def test_a_side_is_the_mean_of_its_people_by_their_shares():
    rows = [("A + B", "C", 1.0), ("C + A + D", "B + E", 0.5), ("E", "D", 0.0)]
    share = [[1.0, 0.25], [1.0, 0.5, 0.5], [1.0]]
    frame = pd.DataFrame(rows, columns=["white", "black", "score"]).assign(white_share=share)
    for side in ("white", "black"):
        frame[side] = frame[side].str.split(" + ", regex=False)
    selection = everybody(read(frame))
    declared = declare("davidson-common", selection)
    strength = np.array([15.0, 16.0, 17.0, 18.0, 19.0])  # A to E
    p = {"strength": strength[None], "advantage": np.array([0.25]), "log_draw": np.array([0.5])}
    found = reader_of(declared).at(p, declared.rows).under(p)
    white, black, lam = found.white, found.black, found.lam
    found = {
        (round(float(w), 9), round(float(b), 9))
        for w, b in zip(white[0], np.broadcast_to(black, white.shape)[0], strict=True)
    }
    expected = [
        ((15 + 0.25 * 16) / 1.25 + 0.25, 17.0),
        ((17 * 1.0 + 15 * 0.5 + 18 * 0.5) / 2 + 0.25, (16 + 19) / 2),  # shares in the order of the cell
        (19 + 0.25, 18.0),
    ]
    assert found == {(round(w, 9), round(b, 9)) for w, b in expected}
    assert (lam == 0.5).all()


@pytest.mark.parametrize("name", by_row(ROWS, also=("davidson-population",)))
def test_sides_of_one_are_players(name):
    plain = doubles()
    single = [{name: 1.0} for name in NAMES.tolist()]
    rng = np.random.default_rng(2)
    white = rng.integers(0, NAMES.size, len(plain)).astype(np.int32)
    black = ((white + rng.integers(1, NAMES.size, len(plain))) % NAMES.size).astype(np.int32)
    players, first, second, sides = code_sides(single, white, black, "games")
    with_sides = replace(plain, players=players, white=first, black=second, sides=sides)
    one, other = (declare(name, everybody(games)) for games in (with_sides, replace(with_sides, sides=None)))
    for seed in (1, 2):
        point = np.random.default_rng(seed).standard_normal(one.layout.count)
        assert density(numbers_of(one))(point)[0] == pytest.approx(density(numbers_of(other))(point)[0], rel=1e-12)


def test_the_level_of_all_is_seen_by_no_game_whatever_the_sizes_of_sides():
    rows = [("A+B", "C", 1.0), ("C+A+D", "B", 0.5), ("D", "A+B", 0.0)]
    games = read(pd.DataFrame(rows, columns=["white", "black", "score"]), sides="+")
    declared = declare("davidson", everybody(games))
    strength = np.array([[15.0, 16.0, 14.5, 17.0]])
    p = {"log_draw": np.array([0.3])}
    one, moved = (
        reader_of(declared).at(p | {"strength": s}, declared.rows).under(p | {"strength": s}).log_probability()
        for s in (strength, strength + 2.5)
    )
    np.testing.assert_allclose(one, moved, rtol=1e-12)


def test_games_between_the_same_sides_are_merged_whoever_is_named_first():
    rows = [("A+B", "C+D", 1.0), ("B+A", "D+C", 0.0)]
    games = read(pd.DataFrame(rows, columns=["white", "black", "score"]), sides="+")
    assert len(merge(everybody(games))) == 1


@pytest.fixture(scope="module")
def trace():
    games = replace(doubles(2500, 8, log_draw=-np.inf, advantage=0.35), covariates={}, period=None)
    return games, sample(declare("bt-population", everybody(games)), draws=500, tune=500, chains=2, seed=3)


@pytest.mark.draws
def test_what_was_simulated_is_found(trace):
    _, tree = trace
    assert tree.attrs["converged"], tree.attrs["verdict"]
    strength = tree["posterior"]["strength"].to_numpy().reshape(-1, NAMES.size)
    strength = strength - strength.mean(axis=1, keepdims=True)
    truth = np.linspace(-1.5, 1.5, NAMES.size)
    z = (strength.mean(axis=0) - truth) / strength.std(axis=0)
    assert np.abs(z).max() < 3.5
    assert (z**2).mean() == pytest.approx(1.0, abs=4 * np.sqrt(2 / NAMES.size))
    assert np.corrcoef(strength.mean(axis=0), truth)[0, 1] > 0.97
    advantage = tree["posterior"]["advantage"].to_numpy()
    assert abs(advantage.mean() - 0.35) < 4 * advantage.std()


def test_forecasts_of_the_games_are_the_pointwise_path_and_a_mean_by_hand(trace):
    games, tree = trace
    few = games.take(np.arange(40))
    found = forecast(tree, few)
    assert found.known_white.all()
    assert found.known_black.all()
    p = draws_of(tree["posterior"].to_dataset())
    white, black = (few.members(side) for side in (few.white, few.black))
    place = {name: k for k, name in enumerate(tree["posterior"]["player"].values.tolist())}
    code = np.array([place[name] for name in few.people.tolist()])
    gap = p["strength"][:, code[white]].mean(-1) - p["strength"][:, code[black]].mean(-1) + p["advantage"][:, None]
    expected = (1 / (1 + np.exp(-gap))).mean(axis=0)
    np.testing.assert_allclose(found.mean_expected, expected, rtol=1e-10)


def test_a_typed_side_is_its_people_in_any_order_and_spelling(trace):
    reading = reading_of(trace[1])
    name, side = reading.side("p03 + P01")
    assert name == "P01 + P03"
    assert sorted(side.players[0].tolist()) == [1, 3]
    assert side.share.tolist() == [[0.5, 0.5]]
    assert reading.side("P03")[0] == "P03"


def test_the_approximation_takes_sides():
    declared = declare("davidson-common", everybody(doubles(200)))
    tree = fit(declared, "normal", draws=200, chains=2)
    assert tree.attrs["separated"] == 0
    assert np.isfinite(tree["posterior"]["rating_elo"].values).all()


@pytest.mark.cases(1)
@pytest.mark.draws
@pytest.mark.parametrize("name", ["davidson-population", "margin-normal"])
def test_approximations_of_people_agree_with_nuts(name):
    games = pairs_with_margins() if name == "margin-normal" else doubles(500)
    declared = declare(name, everybody(games))
    exact, near = fit(declared, "nuts", draws=1000, tune=500, chains=2), fit(declared, "normal", draws=2000, chains=2)
    contrasts = []
    for tree in (exact, near):
        strength = tree["posterior"]["strength"]
        contrasts.append(strength - strength.mean("player"))
    mean, sd = ([one.mean(("chain", "draw")).to_numpy() for one in contrasts],
                [one.std(("chain", "draw")).to_numpy() for one in contrasts])  # fmt: skip
    np.testing.assert_allclose(mean[1], mean[0], atol=0.25 * sd[0].mean())
    np.testing.assert_allclose(sd[1], sd[0], rtol=0.2)


def pairs_with_margins():
    """Games of pairs with margins that are small relative to the prior of their spread."""
    rng = np.random.default_rng(1)
    names = np.array([f"P{k:02d}" for k in range(12)])
    return simulate_margins(MarginTruth(names, rng.normal(size=12), 1.5, 0.3), *meetings(12, 600, 3, 2), 4)


def test_nobody_on_a_side_of_several_is_anchored():
    with pytest.raises(GameTableError, match=r"sides of rated people only.*--rare pool, fit with --rule both"):
        select(doubles(), ["P01", "P02", "P03"], "any")


def test_a_model_of_the_printed_list_refuses_sides():
    with pytest.raises(ModelError, match=r"expected one player a side|expected games with ratings"):
        declare(find("listed"), everybody(doubles()))

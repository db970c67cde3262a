"""Coordinates in which a posterior is nearly standard normal: exact for any fit."""

import numpy as np
import pytest

import halfpoint as hp
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.nested_coordinates import straighten
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate

ROWS = ("davidson-common", "davidson-population", "davidson-rated", "davidson-walk", "listed")


@pytest.fixture(scope="module")
def selection():
    rng = np.random.default_rng(3)
    white = np.repeat(np.arange(8), 12).astype(np.int32)
    black = ((white + rng.integers(1, 8, white.size)) % 8).astype(np.int32)
    strength = 0.6 * rng.standard_normal(8)
    rated = np.round(1500.0 + 170.0 * strength + 30.0 * rng.standard_normal(8))
    months = np.arange(white.size) % 4 + 1
    names = np.array([f"P{k}" for k in range(8)])
    schedule = Schedule(white, black, months, white_rating_elo=rated[white], black_rating_elo=rated[black])
    games = simulate(Truth(names, strength, 0.2, 0.3), schedule, 5)
    return select(games, names[:5])


@pytest.mark.parametrize("name", ROWS)
def test_a_map_moves_no_density(name, selection):
    """log p of the numbers = log p of the coordinates + log |d coordinates / d numbers| + constant, by differences."""
    declared = declare(name, selection)
    numbers = numbers_of(declared)
    straight = straighten(declared, numbers, declared.layout)
    assert straight.transport.size
    own, mapped, size = density(numbers), density(straight), declared.layout.count

    def coordinates(points):
        values = expand(declared, straight, points)
        return np.array(
            [declared.coordinates({key: value[k] for key, value in values.items()}) for k in range(len(points))]
        )

    step, levels = 1e-5 * np.eye(size), []
    for point in np.random.default_rng(1).standard_normal((3, size)):
        turned = (coordinates(point + step) - coordinates(point - step)) / 2e-5
        value, slope = mapped(point)
        levels.append(value - own(coordinates(point[None])[0])[0] - np.linalg.slogdet(turned)[1])
        by_steps = [(mapped(point + one)[0] - mapped(point - one)[0]) / 2e-5 for one in step]
        np.testing.assert_allclose(slope, by_steps, rtol=1e-5, atol=1e-5)
    assert np.ptp(levels) < 1e-6


@pytest.mark.parametrize("name", ROWS)
def test_it_is_nearly_standard_normal(name, selection):
    declared = declare(name, selection)
    numbers = numbers_of(declared)
    points = np.random.default_rng(2).standard_normal((200, declared.layout.count))
    apart = [
        np.std([at(one)[0] + 0.5 * one @ one for one in points])
        for at in (density(straighten(declared, numbers, declared.layout)), density(numbers))
    ]
    assert apart[0] < 1.5
    assert apart[0] < 0.5 * apart[1]


@pytest.mark.slow
def test_a_process_by_days_that_may_stand_for_the_levels_converges():
    table, _ = hp.simulate(games=330, players=12, spread_elo=150.0, advantage_elo=60.0, seed=1)
    declared = declare("davidson-ou", select(table, table.people))
    assert declared.layout.count == 642
    tree = sample(declared, Effort(seed=0), pointwise_draws=0)
    assert tree.attrs["converged"], tree.attrs["verdict"]
    normal = fit(declared, "normal", Effort(draws=2000, seed=1), 0)["posterior"]
    for name in ("rating_elo", "advantage", "log_draw"):
        one, two = (value[name].stack(sample=("chain", "draw")) for value in (tree["posterior"], normal))
        one, two = (value - value.mean("player") if "player" in value.dims else value for value in (one, two))
        apart = (one.mean("sample") - two.mean("sample")) / one.std("sample")
        assert np.abs(apart).max() < 0.2  # 400 effective draws have an error of 0.05

"""Processes by days compared with dense Gaussian processes: covariances, densities, later and intermediate days."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pymc as pm
import pytest
from graph_density import own_density
from scipy.stats import multivariate_normal

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models import davidson, declare
from halfpoint.models.errors import ModelError
from halfpoint.models.games import select
from halfpoint.models.language.day_distributions import Matern, OrnsteinUhlenbeck
from halfpoint.models.rows.days import KERNELS, STATES, TICKS, DayLaw, Visits, whitened
from halfpoint.readers import read

LENGTH, SPREAD = 23.7, 0.8
DISTRIBUTIONS = {"ornstein-uhlenbeck": OrnsteinUhlenbeck, "matern": Matern}
IRREGULAR = np.array([0, 1, 2, 5, 5 * TICKS, 9 * TICKS, 30 * TICKS, 31 * TICKS, 400 * TICKS])  # 24ths of a day
NEAR = {"abs": 1e-9, "rel": 1e-9}


def covariance(kernel, days, length=LENGTH):
    """Covariances of states on days, ordered by part of the state: (state * day, state * day)."""
    apart = days[:, None] - days
    if kernel == "ornstein-uhlenbeck":
        return np.exp(-np.abs(apart) / length)
    r = np.sqrt(3.0) / length
    a, fall = r * np.abs(apart), np.exp(-r * np.abs(apart))
    across = r * apart * fall
    return np.block([[(1.0 + a) * fall, across], [across.T, (1.0 - a) * fall]])


def of_one(ticks=IRREGULAR):
    """Visits of one player."""
    return Visits.of(np.zeros(ticks.size, dtype=np.int64), ticks, 1, int(ticks.max()))


def flat(states):
    """States (visit, ...) ordered by part, as in `covariance`."""
    return np.asarray(states).reshape(len(states), -1).T.ravel()


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_recursion_has_the_covariance_of_the_dense_process(kernel):
    visits, size = of_one(), STATES[kernel]
    root = np.zeros((len(visits), size, len(visits) * size))  # states as sums of independent steps
    for k, (before, days) in enumerate(zip(visits.before, visits.days, strict=True)):
        a, c = KERNELS[kernel](days, LENGTH)
        for i in range(size):
            for j in range(len(c[i])):
                root[k, i, k * size + j] += c[i][j]
            for j in range(size) if before >= 0 else ():
                root[k, i] += a[i][j] * root[before, j]
    found = np.einsum("kin,ljn->ikjl", root, root).reshape(2 * (len(visits) * size,))
    assert found == pytest.approx(covariance(kernel, IRREGULAR / TICKS), abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("length", [0.3, LENGTH, 5000.0])
def test_a_step_loses_no_digits_where_days_are_close_or_far(kernel, length):
    """C C' = 1 - A A' to 1e-9 relative of its least entry, by series of e^x in whole numbers of Python's own."""
    from fractions import Fraction

    for days in (1.0 / TICKS, 1.0, 40.0):
        a, c = KERNELS[kernel](days, length)
        if kernel == "ornstein-uhlenbeck":
            x = Fraction(2.0 * days / length)
            exact = [[1 - _exp(-x)]]
        else:
            x = 2 * Fraction(np.sqrt(3.0) * days / length)
            fall = _exp(-x)
            exact = [[1 - fall * (1 + x + x**2 / 2)], [fall * x**2 / 2, 1 - fall * (1 - x + x**2 / 2)]]
        for i, row in enumerate(exact):
            for j, one in enumerate(row):
                found = sum(c[i][k] * c[j][k] for k in range(min(len(c[i]), len(c[j]))))
                assert found == pytest.approx(float(one), rel=1e-9, abs=1e-70)
        assert len(a) == len(c)


def _exp(x):
    """e^x of a fraction, to about 60 digits."""
    from fractions import Fraction

    halvings = max(0, int(abs(float(x))).bit_length() + 2)
    small, total, term = x / 2**halvings, Fraction(1), Fraction(1)
    for n in range(1, 40):
        term = term * small / n
        total += term
        if abs(term) < Fraction(1, 10**60):
            break
    total = Fraction(int(total * 10**80), 10**80)
    for _ in range(halvings):
        total = Fraction(int(total * total * 10**80), 10**80)
    return total


@pytest.mark.parametrize("kernel", KERNELS)
def test_density_is_that_of_the_dense_process(kernel):
    visits, rng = of_one(), np.random.default_rng(1)
    x = rng.normal(size=(len(visits), STATES[kernel])).squeeze()
    found = pm.logp(DISTRIBUTIONS[kernel].dist(SPREAD, LENGTH, visits), x).eval(mode="FAST_COMPILE")
    dense = SPREAD**2 * covariance(kernel, IRREGULAR / TICKS)
    sign, log_size = np.linalg.slogdet(2.0 * np.pi * dense)
    assert sign == 1.0
    exact = -0.5 * (flat(x) @ np.linalg.solve(dense, flat(x)) + log_size)
    assert found == pytest.approx(exact, rel=1e-7)  # the dense matrix has a condition of up to 1e9


@pytest.mark.cases(1)
@pytest.mark.filterwarnings("ignore:Numba will use object mode")
@pytest.mark.parametrize("kernel", KERNELS)
def test_draws_have_the_covariance(kernel):
    draws, ticks = 8_000, IRREGULAR[4:8]
    found = pm.draw(
        DISTRIBUTIONS[kernel].dist(SPREAD, LENGTH, of_one(ticks)), draws, random_seed=3, mode="FAST_COMPILE"
    )
    expected = covariance(kernel, ticks / TICKS)
    found = np.array([flat(one) for one in found]) / SPREAD
    np.testing.assert_allclose(np.cov(found.T), expected, atol=5.0 * np.sqrt(2.0 / draws))


@pytest.mark.parametrize("kernel", KERNELS)
def test_days_that_come_later_or_lie_between_have_the_conditional_law_of_the_dense_process(kernel):
    known, new = IRREGULAR[2:8], np.array([-50, 3 * TICKS, 4 * TICKS, 20 * TICKS, 33 * TICKS, 90 * TICKS])
    base, size, draws = of_one(known), STATES[kernel], 40_000
    whole = base.including(np.zeros(new.size, dtype=np.int64), new, 1, int(known.max()))
    assert whole.tick[len(base) :].tolist() == new.tolist()
    state = np.random.default_rng(5).normal(size=(len(base), size)) * 0.5
    values = np.broadcast_to(state.squeeze() if size == 1 else state, (draws, *(state.shape[:size])))
    law = DayLaw(kernel, "s", "l", 2.0, 1.0)
    p = {"s": np.full(draws, SPREAD / 2.0), "l": np.full(draws, LENGTH)}
    found = law.further(values, p, whole, 7)
    np.testing.assert_array_equal(found[:, : len(base)], values)
    days = np.append(known, new) / TICKS
    dense = SPREAD**2 * covariance(kernel, days)
    here = np.tile(np.arange(days.size) < known.size, size)
    gain = np.linalg.solve(dense[np.ix_(here, here)], dense[np.ix_(here, ~here)]).T
    mean = gain @ flat(state)
    spread = dense[np.ix_(~here, ~here)] - gain @ dense[np.ix_(here, ~here)]
    drawn = found[:, len(base) :].reshape(draws, new.size, size).transpose(0, 2, 1).reshape(draws, -1)
    scale = np.sqrt(np.diag(spread))
    np.testing.assert_allclose((drawn.mean(axis=0) - mean) / scale, 0.0, atol=5.0 / np.sqrt(draws))
    apart = (np.cov(drawn.T) - spread) / np.outer(scale, scale)
    np.testing.assert_allclose(apart, 0.0, atol=5.0 * np.sqrt(2.0 / draws))


def test_a_law_past_the_last_day_is_exact_where_nothing_is_drawn():
    base = of_one(np.array([0, 4 * TICKS]))
    whole = base.including(np.array([0]), np.array([10 * TICKS]), 1, 4 * TICKS)
    for kernel, size in STATES.items():
        state = np.array([[0.3, 0.2][:size], [0.7, -0.4][:size]])
        values = state.reshape(1, *([2] if size == 1 else [2, 2]))
        found = DayLaw(kernel, "", "", 1e-13, LENGTH).further(values, {}, whole, 1)
        days = np.array([0.0, 4.0, 10.0])
        dense, here = covariance(kernel, days), np.tile([True, True, False], size)
        mean = np.linalg.solve(dense[np.ix_(here, here)], dense[np.ix_(here, ~here)]).T @ flat(state)
        assert found[0, 2].ravel() == pytest.approx(mean, **NEAR)


def table(games=60, players=6, seed=2, **columns):
    """Random games on irregular days."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    day = np.sort(rng.integers(0, 200, games))
    names = [f"P{k}" for k in range(players)]
    found = {"white": [names[k] for k in white], "black": [names[k] for k in black]}
    found |= {"score": rng.choice([0.0, 0.5, 1.0], games), "date": (np.datetime64("2024-01-01") + day).astype(str)}
    return pd.DataFrame(found | columns)


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["davidson-ou", "davidson-matern"])
def test_compiled_code_has_the_density_and_the_slopes_of_the_graph(name):
    games = read(table())
    declared = declare(name, select(games, games.people))
    x = 0.5 * np.random.default_rng(0).normal(size=declared.layout.count)
    (value, slope), (own, own_slope) = density(numbers_of(declared))(x), own_density(declared.model)(x)
    assert value == pytest.approx(own, rel=1e-11)
    assert slope == pytest.approx(own_slope, rel=1e-8, abs=1e-8 * np.abs(own_slope).max())


@pytest.mark.parametrize("kernel", KERNELS)
def test_coordinates_are_independent_and_standard_normal(kernel):
    visits, size = of_one(), STATES[kernel]
    y = np.random.default_rng(4).normal(size=(len(visits), size))

    def model(games):
        with pm.Model(coords=games.coords) as made:
            DISTRIBUTIONS[kernel]("form", np.float64(SPREAD), np.float64(LENGTH), visits)
            g = pm.Normal("strength", 0, 1, dims="player")
            davidson(games, white=games.white(g), black=games.black(g), log_draw=0.0)
        return made

    games = read(table())
    declared = declare(model, select(games, games.people))
    rest = np.zeros(declared.layout.count - y.size)
    at = density(numbers_of(declared))
    found = at(np.append(y.ravel(), rest))[0] - at(np.append(np.zeros(y.size), rest))[0]
    assert found == pytest.approx(-0.5 * np.square(y).sum(), rel=1e-9)


def test_sessions_of_a_day_are_moments_apart():
    frame = pd.DataFrame(
        {
            "white": ["A", "B", "A"],
            "black": ["B", "C", "C"],
            "score": [1, 0, 1],
            "date": "2024-01-05",
            "session": [1, 2, 2],
        }
    )
    games = read(frame, covariates=("session",))
    visits = declare("bt-ou", select(games, games.people)).ground.visits()
    assert list(zip(visits.player.tolist(), visits.tick.tolist(), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (2, 1),
    ]
    wrong = read(frame.assign(session=[1, 2, 99]), covariates=("session",))
    with pytest.raises(ModelError, match="expected a session of the day from 1 to 24"):
        declare("bt-ou", select(wrong, wrong.people))


def test_games_without_days_are_refused():
    games = read(table().drop(columns="date"))
    with pytest.raises(ModelError, match="move by days"):
        declare("davidson-ou", select(games, games.people))


def test_the_law_that_is_read_from_the_graph_names_spread_and_length():
    games = read(table())
    for name, kernel in (("bt-ou", "ornstein-uhlenbeck"), ("bt-matern", "matern")):
        law = next(one for one in declare(name, select(games, games.people)).laws if one.name == "form")
        assert law.days == DayLaw(kernel, "form_spread", "form_length")
        assert DayLaw.of(law.days.as_record) == law.days


def test_whitened_sums_are_the_steps():
    rng = np.random.default_rng(8)
    for kernel, size in STATES.items():
        a, c = KERNELS[kernel](3.0, LENGTH)
        before, noise = rng.normal(size=size), rng.normal(size=size)
        now = np.array(a, dtype=float) @ before + [sum(x * y for x, y in zip(row, noise, strict=False)) for row in c]
        rows, log_size = whitened(kernel, 3.0, LENGTH)
        assert np.array(rows, dtype=float) @ np.append(now, before) == pytest.approx(noise, **NEAR)
        assert log_size == pytest.approx(sum(np.log(row[-1]) for row in c), **NEAR)


def test_a_value_beside_itself_in_another_order_is_no_other_value():

    def steps(games):
        with pm.Model(coords=games.coords) as made:
            g = pm.Normal("strength", 15, 1, dims="player")
            twice = 2 * g
            pm.Potential("steps", -((twice[1:] - twice[:-1]) ** 2).sum())
            davidson(games, white=games.white(g), black=games.black(g), log_draw=0.0)
        return made

    games = read(table())
    declared = declare(steps, select(games, games.people))
    x = np.random.default_rng(0).normal(size=declared.layout.count)
    assert density(numbers_of(declared))(x)[0] == pytest.approx(own_density(declared.model)(x)[0], rel=1e-11)


def test_a_term_of_the_normal_approximation_is_the_density_of_the_dense_process():
    from halfpoint.inference.gaussian.day_term import DayTerm

    for kernel, size in STATES.items():
        visits = of_one(IRREGULAR[4:])
        term = DayTerm(DayLaw(kernel, "s", "l"), visits, 0, size * len(visits), 0, 1)
        v, z = np.array([SPREAD, LENGTH]), np.random.default_rng(3).normal(size=size * len(visits))
        order = np.arange(z.size).reshape(-1, size).T.ravel()
        dense = SPREAD**2 * covariance(kernel, IRREGULAR[4:] / TICKS)
        inverse = np.empty_like(dense)
        inverse[np.ix_(order, order)] = np.linalg.inv(dense)
        constant = 0.5 * z.size * np.log(2.0 * np.pi)
        exact = multivariate_normal(np.zeros(z.size), dense).logpdf(z[order]) + constant
        assert term.log_density(z, v) == pytest.approx(exact, rel=1e-7)
        assert term.slope(z, v) == pytest.approx(-inverse @ z, rel=1e-6, abs=1e-6)
        low = np.zeros_like(dense)
        entries = term.precision.tocoo()
        np.add.at(low, (entries.row, entries.col), term.precision_entries(entries.data, v))
        assert low + np.tril(low, -1).T == pytest.approx(inverse, rel=1e-6, abs=1e-6)
        assert replace(term, size=term.size).scaled(v).toarray().T @ term.scaled(v).toarray() == pytest.approx(
            inverse, rel=1e-6, abs=1e-6
        )


def test_further_visits_are_added_once():
    visits = Visits.of(np.array([0, 0, 1]), np.array([0, TICKS, TICKS]), 2, 2 * TICKS)
    assert visits.including(np.array([0, 1]), np.array([TICKS, TICKS]), 2, 2 * TICKS) is visits
    more = visits.including(np.array([0, 1, 2, 0]), np.array([TICKS, 3, TICKS, 3]), 3, 2 * TICKS)
    pairs = list(zip(more.player.tolist(), more.tick.tolist(), strict=True))
    assert pairs[: len(visits)] == list(zip(visits.player.tolist(), visits.tick.tolist(), strict=True))
    assert sorted(pairs[len(visits) :]) == [(0, 3), (1, 3), (2, TICKS), (2, 2 * TICKS)]
    assert more.tick[more.last].tolist() == [2 * TICKS] * 3
    assert more.player[more.last].tolist() == [0, 1, 2]


def test_roots_of_covariances_also_if_they_are_singular():
    """Lower roots are Cholesky's; the root of v v' has a zero in its last place, and 0 has the root 0."""
    from halfpoint.models.rows.days import _root

    rng = np.random.default_rng(2)
    half = rng.normal(size=(4, 2, 2))
    whole = half @ half.swapaxes(1, 2)
    assert _root(whole) == pytest.approx(np.linalg.cholesky(whole))
    v = np.array([0.5, -2.0])
    assert _root(np.outer(v, v)[None]) == pytest.approx(np.array([[[0.5, 0.0], [-2.0, 0.0]]]))
    assert _root(np.zeros((1, 2, 2))).tolist() == [[[0.0, 0.0], [0.0, 0.0]]]
    assert _root(np.diag([0.0, 9.0])[None]).tolist() == [[[0.0, 0.0], [0.0, 3.0]]]
    assert _root(np.array([[[4.0]], [[-1e-18]]])).tolist() == [[[2.0]], [[0.0]]]

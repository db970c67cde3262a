"""Hamiltonian moves: density, prior in closed form, NUTS, verdict, limits, and commands on their traces."""

from dataclasses import replace
from math import erf

import numpy as np
import pytest
import xarray as xr
from monte_carlo import LIMIT, mean_error, means_apart, sds_apart
from test_gaussian_draws import league

from halfpoint.apps.workflows import compare, forecast, match, rank, update
from halfpoint.inference import gaussian
from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian import moves
from halfpoint.inference.gaussian.moves import _Sampler, rough_thetas, sample_moves
from halfpoint.inference.gaussian.noncentred import Noncentred
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.loops.rows_of_eight import COLUMNS
from halfpoint.inference.simulation_based_calibration import calibrate
from halfpoint.inference.traces.netcdf import BELIEVED, attach_verdict, read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.further_models import DRAW, SEAT
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.populations import WIDE

ROWS = ("davidson-rated", "davidson-matched-walk", "davidson-player", "margin-t", "margin-walk")


def silent(line):
    pass


def chains(values):
    """Draws (column, draw, ...) with the dims of a trace."""
    return xr.DataArray(values, dims=("chain", "draw", *(f"dim_{k}" for k in range(values.ndim - 2))))


@pytest.fixture(scope="module")
def problem():
    return VariationalProblem(declare("davidson-population-walk", league(8, 120)))


@pytest.mark.parametrize("row", ROWS)
def test_the_density_is_that_of_the_model_and_slopes_are_its_differences(row):
    problem = VariationalProblem(declare(row, league(6, 60)))
    at = Noncentred(problem)
    sampler = _Sampler(at, np.random.default_rng(1))
    sampler.begin(rough_thetas(problem)[0], np.full(at.count, 0.2))
    place, way = 0.4 * np.random.default_rng(2).standard_normal((2, at.count + at.size, COLUMNS))
    state = sampler.evaluate(place)
    rise = (sampler.evaluate(place + 1e-5 * way).value - sampler.evaluate(place - 1e-5 * way).value) / 2e-5
    np.testing.assert_allclose((state.slope * way).sum(axis=0), rise, rtol=1e-5, atol=1e-4)
    # the same draws by `log_joint`, less the determinants of z by e and of log s by s
    ratio = at.numbers(state.w)[: at.count] / at.scale[:, None]
    width = np.exp(-at.shrink @ (0.65 * np.log((ratio**2 + 0.3) / 1.3)))
    known, _ = problem.log_joint(at.thetas(state.w).T, state.z.T)
    known += np.log(width).sum(axis=0) + np.log(np.abs(np.vstack([ratio, np.ones(COLUMNS)])))[at.spread].sum(axis=0)
    known -= sum(np.log(np.abs(w)) for line, w in zip(at.lines, state.w, strict=True) if line.signed)
    if problem.parts.further is not None:
        known -= problem.parts.further(problem.parts.values(at.thetas(state.w).T, state.z.T))
    assert np.ptp(state.value - known) < 1e-7


@pytest.mark.draws
def test_without_games_draws_are_those_of_the_prior(problem):
    selection = league(8, 120)
    declared = declare("davidson-population-walk", selection).weighing(np.zeros(len(selection)))
    drawn = sample_moves(VariationalProblem(declared), 5, lambda made: True, silent)
    assert not drawn.stopped
    v = drawn.values
    draws = v.reshape(COLUMNS, -1, v.shape[1])
    for theta, place in ((one, one.places[0]) for one in drawn.parts.thetas):
        s = chains(draws[..., place] / theta.law.sd)
        # half-normal: mean sqrt(2 / pi), mean square 1
        assert abs(s.mean() - np.sqrt(2.0 / np.pi)) < LIMIT * mean_error(s), theta.name
        assert abs((s**2).mean() - 1.0) < LIMIT * mean_error(s**2), theta.name
        assert abs((s < 0.1).mean() - erf(0.1 / np.sqrt(2.0))) < LIMIT * mean_error(1.0 * (s < 0.1)), theta.name
    for term in drawn.parts.terms:
        if term.spread >= 0:  # in units of the spread, standard normal, also where the spread is nearly 0
            units = term.rest(drawn.z.reshape(-1, drawn.z.shape[2]).astype(float), v) / v[:, [term.spread]]
            small = v[:, term.spread] < np.quantile(v[:, term.spread], 0.2)
            assert abs(np.square(units).mean() - 1.0) < 0.05
            assert abs(np.square(units[small]).mean() - 1.0) < 0.1


@pytest.mark.draws
@pytest.mark.slow
@pytest.mark.parametrize("row", ["davidson-population-walk", "davidson-rated", "davidson-matched"])
def test_draws_agree_with_nuts(row):
    declared = declare(row, league(12, 200))
    long = fit(declared, "nuts", draws=2000, tune=1000, chains=4, seed=3)["posterior"]
    drawn = sample_moves(VariationalProblem(declared), 4, lambda made: made.sweeps >= 1500, silent)
    named = declared.layout.named(drawn.values)
    for name in (name for name in named if name in long and np.ptp(named[name]) > 0.0):
        exact = long[name].transpose("chain", "draw", ...)
        moved, exact = chains(named[name].reshape(COLUMNS, -1, *exact.shape[2:])), chains(exact.to_numpy())
        assert means_apart(moved, exact) < LIMIT, name
        assert sds_apart(moved, exact) < LIMIT, name


def spread_of_equals(repeats, spreads):
    """Posterior of the spread of two players with equal results, by quadrature: probabilities on a grid of spreads."""
    apart = np.linspace(-5.0, 5.0, 801)  # strength of the first less that of the second, normal with variance 2 s^2
    unit = np.linspace(-5.0, 5.0, 81)
    seat, drawn = (mean + sd * unit for mean, sd in (SEAT, DRAW))
    prior = -0.5 * (unit[:, None] ** 2 + unit**2)
    total = np.zeros((apart.size, unit.size, unit.size))
    for turn in (1.0, -1.0):  # a win, a draw and a loss of the first player on each seat, Davidson (1970)
        eta = turn * apart[:, None, None] + seat[:, None]
        total += repeats * (drawn - 3.0 * np.logaddexp(np.logaddexp(0.5 * eta, -0.5 * eta), drawn))
    likelihood = np.exp(total + prior - total.max()).sum(axis=(1, 2))
    given_spread = np.exp(-0.25 * (apart / spreads[:, None]) ** 2) / spreads[:, None]
    density = np.exp(-0.5 * (spreads / WIDE) ** 2) * (given_spread @ likelihood)
    return density / density.sum()


@pytest.mark.draws
def test_a_spread_with_mass_at_0_agrees_with_quadrature(monkeypatch):
    monkeypatch.setattr(moves, "_WORK", 3e9)  # a spread that sticks reaches the limit
    repeats = 6
    score = np.tile(np.repeat([0.0, 0.5, 1.0], repeats), 2)
    white = np.repeat([0, 1], 3 * repeats).astype(np.int32)
    table = GameTable(np.array(["A", "B"]), white, 1 - white, score)
    drawn = sample_moves(
        VariationalProblem(declare("davidson-population", select(table, table.people))), 5, lambda made: True, silent
    )
    assert not drawn.stopped
    (theta,) = drawn.parts.thetas
    s = chains(drawn.values[:, theta.places[0]].reshape(COLUMNS, -1))
    spreads = WIDE * (np.arange(4000) + 0.5) / 800.0
    share = spread_of_equals(repeats, spreads)
    exact = (
        (s, spreads),
        (s**2, spreads**2),
        (1.0 * (s < 0.1), 1.0 * (spreads < 0.1)),
        (1.0 * (s < 1.0), 1.0 * (spreads < 1.0)),
    )
    for draws, values in exact:
        assert abs(draws.mean() - share @ values) < LIMIT * mean_error(draws)
    assert (s < 0.1).any("draw").all()  # each column has been there


def test_equal_seeds_give_equal_draws_and_others_agree(problem, monkeypatch):
    first, again = (sample_moves(problem, 1, lambda made: True, silent) for _ in range(2))
    monkeypatch.setattr(moves, "_LARGE", 1)
    other = sample_moves(problem, 2, lambda made: True, silent)
    np.testing.assert_array_equal(first.z, again.z)
    assert other.tuned < first.tuned
    assert means_apart(chains(first.z.astype(float)), chains(other.z.astype(float))) < LIMIT


def test_a_limit_of_work_ends_a_run_that_no_verdict_accepts(problem, monkeypatch):
    monkeypatch.setattr(moves, "_WORK", 0.0)
    drawn = sample_moves(problem, 1, lambda made: False, silent)
    assert drawn.sweeps == moves._LEAST_SWEEPS
    assert "limit of work" in drawn.stopped


def test_an_interrupt_leaves_the_draws_so_far(problem):
    def interrupted(drawn):
        raise KeyboardInterrupt

    drawn = sample_moves(problem, 1, interrupted, silent)
    assert drawn.sweeps * COLUMNS >= drawn.z.shape[1] > 0
    assert "interrupted" in drawn.stopped


def test_columns_that_stay_apart_are_not_accepted(problem):
    drawn = sample_moves(problem, 1, lambda made: True, silent)
    apart = np.arange(COLUMNS)[:, None, None] * drawn.z.std(axis=(0, 1))
    assert moves._lacking(replace(drawn, z=drawn.z + apart.astype(np.float32))) > 10.0


def test_a_column_far_away_does_not_widen_the_metric(problem):
    sampler = _Sampler(Noncentred(problem), np.random.default_rng(1))
    sampler.begin(rough_thetas(problem)[0])
    visited = 0.3 * np.random.default_rng(2).standard_normal((40, sampler.at.count, COLUMNS))
    visited[:, :, 3] += 30.0
    sampler.measure([*visited])
    widths = np.sqrt(np.diag(sampler.root @ sampler.root.T))
    assert (widths < 1.0).all()  # 10 with the column, 0.3 without it
    assert (widths > 0.3).all()


def test_thinning_loses_no_divergent_move(problem):
    sampler = _Sampler(Noncentred(problem), np.random.default_rng(1))
    sampler.begin(rough_thetas(problem)[0])
    record, fine, sweeps_off = moves._Record(4, 0), np.zeros(COLUMNS), (0, 12, 37, 55)
    runaway = np.where(np.arange(COLUMNS) == 3, np.inf, 0.0) + np.where(np.arange(COLUMNS) == 5, 2000.0, 0.0)
    for sweep in range(60):
        rise = np.where(np.arange(COLUMNS) == 3, runaway, 0.0) if sweep in sweeps_off else fine
        record.add(sampler, fine, runaway if sweep == 37 else rise)
    divergent = record.drawn(sampler.at).divergent
    assert record.thinning > 1
    draws_off = {sweep // record.thinning for sweep in sweeps_off}
    # the single one of column 5 is rare: refused like other moves
    np.testing.assert_array_equal(divergent.sum(axis=1), len(draws_off) * (np.arange(COLUMNS) == 3))


@pytest.mark.further
def test_a_trace_of_moves_serves_the_commands(tmp_path, monkeypatch):
    monkeypatch.setattr(gaussian, "FEW", 0)  # no weights
    tree = fit(declare("davidson-population-walk", league(8, 120)), "auto", seed=2)
    about = tree.attrs
    assert (about["method"], about["sampler"], about["converged"], about["chains"]) == ("moves", "moves", 1, COLUMNS)
    assert str(about["verdict"]).startswith("converged")
    assert about["max_rhat"] < 1.01
    assert min(about["min_ess_bulk"], about["min_ess_tail"]) >= 100 * COLUMNS
    assert tree["posterior"].sizes["draw"] == about["draws"]
    place = write(tree, tmp_path / "trace.nc")
    assert len(rank(place).frame) == 8
    assert match(place, "P001", "P002").frame.notna().to_numpy().all()
    assert compare([place, place]).frame["converged"].all()
    further = GameTable(np.array(["P001", "P002"]), np.array([0, 1]), np.array([1, 0]), np.array([1.0, 0.5]))
    coming = forecast(place, further).frame
    assert np.allclose(coming[["loss_percent", "draw_percent", "win_percent"]].sum(axis=1), 100.0)
    later = update(place, replace(further, period=np.array([4, 4])))
    assert later.attrs["games"] == about["games"] + 2
    assert later.attrs["converged"] == 1


@pytest.mark.further
def test_a_trace_with_a_share_of_the_draws_keeps_its_verdict(tmp_path, monkeypatch):
    monkeypatch.setattr(gaussian, "FEW", 0)  # no weights
    monkeypatch.setattr(moves, "_HELD", 5_000)
    tree = fit(declare("davidson-population-walk", league(8, 120)), "auto", seed=2)
    assert tree["posterior"].sizes["draw"] < 100  # fewer draws than the verdict needs effective ones
    reopened = read(write(tree, tmp_path / "trace.nc"))
    assert (reopened.attrs["converged"], reopened.attrs["verdict"]) == (1, tree.attrs["verdict"] + BELIEVED)
    apart = tree["posterior"]["log_draw"] + xr.where(tree["posterior"]["chain"] == 0, 5.0, 0.0)
    tree["posterior"]["log_draw"] = apart.transpose("chain", "draw")  # its own draws contradict the verdict
    attach_verdict(tree, free_level=False)
    assert (tree.attrs["converged"], str(tree.attrs["verdict"])[:20]) == (0, "NOT CONVERGED: R-hat")


@pytest.mark.draws
@pytest.mark.slow
@pytest.mark.parametrize(("row", "files"), [("davidson-population", 200), ("davidson-matched-walk", 60)])
def test_moves_that_stop_at_their_verdict_are_calibrated(row, files, monkeypatch):
    monkeypatch.setattr(gaussian, "FEW", -1)  # no weights
    found = calibrate(experiment(row), files, 3, method="auto")
    assert not found.normal.any()
    assert {name: by for name, by in found.outside(0.999).items() if by > 0} == {}

"""Anchors with errors: closed forms by quadrature, both limits, the stated density, and the contents of a trace."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from composed import Common, DrawParameter, Free, Model, Nothing, about, game_rows
from extended_games import log_probability
from natural_density import NaturalDensity

from halfpoint.apps.workflows.suggest import suggest
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.mode import mode
from halfpoint.inference.location import location_in_words
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_natural
from halfpoint.readers.read import read

FREE = Model("free", HALF_POINTS, Free((0.0, 1e3)), Nothing())
COMMON = Model("common", DAVIDSON, Free(), Common((1.0, 10.0)), DrawParameter())


def played(results):
    """Selection of all players of (white, black, score, times)."""
    rows = [(white, black, score) for white, black, score, times in results for _ in range(times)]
    games = read(pd.DataFrame(rows, columns=["white", "black", "score"]), source="here")
    return select(games, games.players, "both")


def listed(selection, **prior):
    """Selection with ratings and errors by name."""
    rows = [prior.get(str(name), (np.nan, np.nan)) for name in selection.players]
    return replace(selection, prior_elo=np.array(rows))


def round_robin(games=400, seed=2, draws=True):
    """Games of six players, a to f, who are 100 Elo apart by the scores."""
    rng = np.random.default_rng(seed)
    white, black = rng.integers(0, 6, games), rng.integers(1, 6, games)
    black = (white + black) % 6
    x, tie = np.log(10) / 400 * 100 * (white - black), 0.8 if draws else 0.0
    x = x * (2 + tie) / 2
    p = np.stack([np.exp(-x / 2), np.full(games, tie), np.exp(x / 2)], axis=1)
    outcome = (rng.random(games)[:, None] > (p / p.sum(1, keepdims=True)).cumsum(1)[:, :2]).sum(1)
    names = np.array(list("abcdef"))
    return played(zip(names[white], names[black], outcome / 2.0, np.ones(games, dtype=int), strict=True))


def normal(value, mean, sd):
    """Log density of independent normal variables up to a constant."""
    return float((-0.5 * ((value - mean) / sd) ** 2 - np.log(sd) + 0.0 * value).sum())


def by_quadrature(error, won=6, lost=2):
    a, b = np.meshgrid(np.linspace(700, 2300, 1601), np.linspace(1300, 2100, 801), indexing="ij")
    expected = 1 / (1 + 10 ** ((b - a) / 400))
    log = won * np.log(expected) + lost * np.log1p(-expected)
    log += -0.5 * ((a - 1500) / error) ** 2 - 0.5 * ((b - 1700) / 50) ** 2
    p = np.exp(log - log.max())
    p /= p.sum()
    means = [(p * one).sum() for one in (a, b)]
    return means, [np.sqrt((p * (one - mean) ** 2).sum()) for one, mean in zip((a, b), means, strict=True)]


@pytest.mark.parametrize("method", ["normal", pytest.param("nuts", marks=pytest.mark.draws)])
@pytest.mark.parametrize("error", [40.0, 150.0])
def test_two_of_a_list_have_the_posterior_that_a_grid_gives(method, error):
    selection = listed(played([("a", "b", 1.0, 6), ("a", "b", 0.0, 2)]), a=(1500.0, error), b=(1700.0, 50.0))
    how = {} if method == "normal" else {"cores": 1, "progress": False}
    tree = fit(declare_model(FREE, selection), method, Effort(2000, 500, 2, 3), 0, **how)
    rating = tree["posterior"]["rating_elo"]
    means, sds = by_quadrature(error)
    effective = 0.25 * rating.sizes["chain"] * rating.sizes["draw"]  # at the least
    for k, name in enumerate("ab"):
        drawn = rating.sel(player=name).to_numpy()
        assert drawn.mean() == pytest.approx(means[k], abs=4 * sds[k] / np.sqrt(effective))
        assert drawn.std() == pytest.approx(sds[k], rel=4 / np.sqrt(2 * effective))


def test_without_an_error_a_player_is_as_an_anchored_opponent():
    selection = round_robin()
    games = selection.games
    games = games.take(~(np.isin(games.white_names, ["a", "e"]) & np.isin(games.black_names, ["a", "e"])))
    selection = select(games, games.players, "both")
    rated = np.where(np.isin(selection.games.players, ["a", "e"]), [1400, 0, 0, 0, 1800, 0], np.nan)
    ratings = {"white_rating_elo": rated[selection.games.white], "black_rating_elo": rated[selection.games.black]}
    anchored = declare(COMMON, select(replace(selection.games, **ratings), ["b", "c", "d", "f"]))
    near = declare(COMMON, listed(selection, a=(1400.0, 1e-3), e=(1800.0, 1e-3)))
    one, other = mode(anchored), mode(near)
    others = [1, 2, 3, 5]
    np.testing.assert_allclose(other.values["strength"][others], one.values["strength"], atol=1e-4)
    np.testing.assert_allclose(other.errors["strength"][others], one.errors["strength"], rtol=1e-4)
    np.testing.assert_allclose(other.values["strength"][[0, 4]], to_natural(np.array([1400.0, 1800.0])), atol=1e-6)
    for name in ("advantage", "log_draw"):
        assert other.values[name] == pytest.approx(one.values[name], abs=1e-4)


def test_with_a_large_error_nothing_is_known_but_differences():
    selection = round_robin()
    plain, far = mode(declare_model(FREE, selection)), mode(declare_model(FREE, listed(selection, c=(2000.0, 1e5))))
    strength = [one.values["strength"] - one.values["strength"][0] for one in (plain, far)]
    np.testing.assert_allclose(strength[1], strength[0], atol=1e-4)
    apart = np.array([1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    assert far.error_of(strength=apart) == pytest.approx(plain.error_of(strength=apart), rel=1e-4)


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", ["davidson-population-scaled", "davidson-scaled", "bt-population", "davidson-rated"])
def test_density_is_that_of_the_stated_priors_and_the_formula(name):
    selection = listed(round_robin(60), b=(1500.0, 30.0), e=(1850.0, 12.0))
    if name == "davidson-rated":  # of the others one without a rating
        rated = np.array([1420.0, np.nan, 1610.0, 1700.0, np.nan, np.nan])
        ratings = {"white_rating_elo": rated[selection.games.white], "black_rating_elo": rated[selection.games.black]}
        selection = replace(selection, games=replace(selection.games, **ratings))
    declared = declare(name, selection)
    entry, numbers, compiled = declared.spec, numbers_of(declared), density(numbers_of(declared))
    points = 0.4 * np.random.default_rng(6).standard_normal((4, declared.layout.count))
    drawn = expand(declared, numbers, points)
    spreads = {"rated_spread": 200.0, "unrated_spread": 400.0, "strength_spread": 400.0}
    positive = [one for one in (*spreads, "anchor_scale") if one in drawn]
    names = [one for one in drawn if one not in ("log_anchor_scale", "anchor_level")]
    graph = NaturalDensity(declared.model, names, positive)
    middle = to_natural(1675.0) if name != "davidson-rated" else to_natural(np.mean([1420.0, 1610.0, 1700.0]))
    rating, error = to_natural(np.array([1500.0, 1850.0])), to_natural(np.array([30.0, 12.0]))
    differences = []
    for k, point in enumerate(points):
        p = {one: drawn[one][k] for one in names}
        kappa, (a, b, c, d, e, f) = p.get("anchor_scale", 1.0), p["strength"]
        expected = normal(np.array([b, e]), middle + kappa * (rating - middle), kappa * error)
        others = np.array([a, c, d, f])
        if name == "davidson-rated":
            told = middle + kappa * (to_natural(np.array([1420.0, 1610.0, 1700.0])) - middle)
            expected += normal(others[:3], told, p["rated_spread"]) + normal(f, p["unrated_mean"], p["unrated_spread"])
            expected += normal(p["unrated_mean"], middle, to_natural(400.0))
        elif name == "davidson-scaled":
            expected += normal(others, middle, 400.0)
        else:
            expected += normal(others, p["strength_mean"], p["strength_spread"])
            expected += normal(p["strength_mean"], middle, to_natural(400.0))
        expected += sum(-0.5 * (p[one] / to_natural(scale)) ** 2 for one, scale in spreads.items() if one in p)
        expected += normal(np.log(kappa), 0.0, 1.0) - np.log(kappa) if "anchor_scale" in p else 0.0
        expected += normal(p["advantage"], *entry.parameters["advantage"])
        expected += normal(p["log_draw"], *entry.parameters["log_draw"]) if "log_draw" in p else 0.0
        draw = {one: value[k : k + 1] for one, value in drawn.items()}
        logs = log_probability(entry, draw, game_rows(entry, selection))[0]
        expected += logs[np.arange(60), selection.games.outcome].sum()
        x, log_scale = graph.raw(p)
        np.testing.assert_allclose(x, point, atol=1e-7)
        differences.append((float(graph.logp(x)) - log_scale - expected, compiled(point)[0] - float(graph.logp(x))))
    np.testing.assert_allclose(differences, np.tile(differences[0], (4, 1)), atol=1e-6)


def test_games_without_a_list_have_the_priors_of_the_catalogue():
    selection = round_robin(60)
    nobody = replace(selection, prior_elo=np.full((6, 2), np.nan))
    assert declare("davidson-population", nobody).written() == declare("davidson-population", selection).written()


def test_a_trace_keeps_the_list_and_stands_on_its_level(tmp_path):
    selection = listed(round_robin(), a=(2400.0, 10.0), f=(2900.0, 25.0))
    tree = fit(declare("davidson-population-scaled", selection), "normal", Effort(500, 0, 2, 1), 0)
    write(tree, tmp_path / "trace.nc")
    again = read_trace(tmp_path / "trace.nc")
    kept = again["constant_data"]
    np.testing.assert_array_equal(kept["prior_elo"], selection.prior_elo[:, 0])
    np.testing.assert_array_equal(kept["prior_error_elo"], selection.prior_elo[:, 1])
    assert location_in_words(again).startswith("Level fixed by the anchors")
    found = again["posterior"]["rating_elo"].mean(("chain", "draw"))
    assert abs(float(found.sel(player="a")) - 2400.0) < 3 * 10.0
    assert abs(float(found.sel(player="f")) - 2900.0) < 3 * 25.0
    assert np.all(np.diff(found) > 0)


@pytest.mark.parametrize("name", ["davidson-walk", "davidson-scaled-level", "listed"])
def test_who_has_no_place_for_errors_says_so(name):
    selection = round_robin(60)
    games = replace(selection.games, period=np.arange(60) // 20 + 1)
    rated = {"white_rating_elo": np.full(60, 2000.0), "black_rating_elo": np.full(60, 2000.0)}
    games = replace(games, **rated) if name == "listed" else games
    one = listed(select(games, games.players, "both"), a=(2400.0, 10.0))
    with pytest.raises(
        ModelError, match=r"anchors with errors: model [a-z-]+ does not use ratings with standard errors"
    ):
        declare(name, one)


def test_the_row_follows_what_anchors_tell():
    drawn, decided = round_robin(), round_robin(draws=False)
    assert suggest(listed(drawn, a=(1500.0, 10.0), f=(2000.0, 10.0)))[0] == "davidson-population-scaled"
    assert suggest(listed(drawn, a=(1500.0, 10.0)))[0] == "bt-population"
    assert suggest(listed(decided, a=(1500.0, 10.0), f=(2000.0, 10.0)))[0] == "bt-population"
    assert not about("bt-population").scale

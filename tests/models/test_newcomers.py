"""Players missing from a trace: drawn from its population for any graph, or refused."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from composed import about
from covering_rows import by_row
from pymc.exceptions import ImputationWarning
from scipy.interpolate import BSpline
from scipy.stats import kstest

sys.path.insert(0, str(Path(__file__).parent.parent / "contract"))
from made_traces import trace

import halfpoint as hp
from halfpoint.apps.workflows.answers import match
from halfpoint.apps.workflows.forecasts import forecast
from halfpoint.apps.workflows.tournament_outlook import pair
from halfpoint.models import davidson
from halfpoint.models.declaration.catalogue import CATALOGUE
from halfpoint.models.declaration.newcomers import (
    _one_by_chance,
    _rated_alike,
    _wider,
    takes_newcomers,
    with_newcomers,
)
from halfpoint.models.declaration.worth import Worth
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.reading.prior_draws import prior_of


def shares_nothing(name):
    """True for a model without a population of players."""
    outline = about(name)
    return outline.vague or outline.reads.reads_printed


@pytest.mark.parametrize("name", by_row(CATALOGUE, also=("davidson-population", "davidson-walk")))
def test_a_newcomer_has_all_that_is_a_players_in_every_draw_or_is_refused(name):
    if shares_nothing(name):
        known = trace(name, "unanchored") if "scaled" not in name else trace(name)
        assert not takes_newcomers(known)
        with pytest.raises(HalfpointError, match="expected players of the trace, found 'Nick'"):
            with_newcomers(known, ["Nick"])
        return
    before, after = trace(name, "unanchored"), with_newcomers(trace(name, "unanchored"), ["New, Nick", "Zed"])
    known = before["posterior"].sizes["player"]
    assert after["posterior"]["player"].to_numpy().tolist()[known:] == ["New, Nick", "Zed"]
    for key, values in before["posterior"].data_vars.items():
        found = after["posterior"][key]
        assert set(found.dims) == set(values.dims)
        if "player" not in values.dims:
            states = {"visit": slice(values.sizes["visit"])} if "visit" in values.dims else {}  # theirs come after
            np.testing.assert_array_equal(found.isel(states), values)
            continue
        dims = ("chain", "draw", "player", ...)
        old, made = values.transpose(*dims).to_numpy(), found.transpose(*dims).to_numpy()
        np.testing.assert_array_equal(made[:, :, :known], old)
        new = made[:, :, known:]
        assert np.isfinite(new).all()


def test_a_newcomer_is_one_of_the_population():
    names = [f"new {k}" for k in range(3000)]
    posterior = with_newcomers(trace("davidson-population", "unanchored"), names)["posterior"].to_dataset()
    apart = (posterior["strength"][..., -3000:] - posterior["strength_mean"]) / posterior["strength_spread"]
    assert kstest(apart.to_numpy().ravel(), "norm").pvalue > 1e-4


@pytest.mark.parametrize("name", ["bt", "bt-player-weighted"])
def test_a_newcomer_is_drawn_from_a_prior_that_is_known(name):
    names = [f"new {k}" for k in range(2000)]
    posterior = with_newcomers(trace(name, "unanchored"), names)["posterior"].to_dataset()
    elo = posterior["strength"][..., -2000:].to_numpy().ravel() * 400.0 / np.log(10.0)
    assert kstest((elo - 2705.0) / 400.0, "norm").pvalue > 1e-4


def test_forecasts_matches_and_pairings_take_them_and_say_so(tmp_path):
    made = trace("davidson-population", "unanchored")
    players = made["posterior"]["player"].to_numpy().tolist()
    fixtures = pd.DataFrame({"white": [players[0], "Nick"], "black": [players[1], players[0]]})
    with pytest.raises(HalfpointError, match=r"'Nick'.* --new Nick"):
        forecast(made, fixtures)
    found = forecast(made, fixtures, new="Nick")
    assert found.frame[["white_known", "black_known"]].to_numpy().tolist() == [[True, True], [False, True]]
    assert (found.about["new"], "Nick" in found.note) == (["Nick"], True)
    assert "New, each drawn from the population" in match(made, players[0], "Nick", new="Nick").note
    with pytest.raises(HalfpointError, match="every name once"):
        pair(made, [players[0], "Nick", "Nick"], new="all")
    results = tmp_path / "results.csv"
    results.write_text(f"white,black,score\n{players[0]},{players[1]},1\n{players[2]},{players[3]},0\n")
    present = [players[0], players[2], players[3], "Nick"]  # the second is absent tonight
    paired = pair(made, present, "even", results, new=["Nick"])
    board = {frozenset(one) for one in paired.frame[["white", "black"]].to_numpy().tolist()}
    assert frozenset(players[2:4]) not in board  # they have met
    assert "Nick" in paired.note
    seats = dict(zip(paired.frame["black"], paired.frame["white"], strict=True))
    assert players[0] in seats  # had White against who is absent, and has Black now


def test_fixtures_are_read_as_the_games_of_the_trace_have_their_days(tmp_path):
    made = trace("davidson-population", "unanchored").copy()
    one, other = made["posterior"]["player"].to_numpy().tolist()[:2]
    path = tmp_path / "fixtures.csv"
    path.write_text(f"home,away,date\n{one},{other},03/08/2024\n")
    with pytest.raises(HalfpointError, match="--date-format"):
        forecast(made, path)
    made.attrs["day_first"] = 1
    assert len(forecast(made, path).frame) == 1


def pairs(games):
    """Effects with another dim before that of players, an effect of each pair, a table of pairs, a dtype's name."""
    players, seats = games.coords["player"], np.arange(len(games.coords["player"]))
    with pm.Model(coords={**games.coords, "effect": ["level", "first"], "other": players}) as model:
        effect = pm.Normal("effect_of", 0.0, 0.5, dims=("effect", "player"))
        pair = pm.Normal("half", 0.0, 0.1, shape=(seats.size, seats.size))
        pm.Deterministic("gap", effect[0][:, None] - effect[0][None, :], dims=("player", "other"))
        first, second = games.white(seats).astype(int), games.black(seats).astype(int)
        white = games.white(effect[0]) + games.white(effect[1]) + pair[first, second]
        davidson(games, white, games.black(effect[0]), pm.Normal("lam", 0.0, 1.0))
    return model


def teams(games):
    """Strengths of two teams, by the length of a player's name, and a spline, which fails on no games."""
    team = np.array([len(name) % 2 for name in games.coords["player"]])
    basis = BSpline.design_matrix(games.column("heat"), np.repeat([0.0, 30.0], 4), 3).toarray()
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("team", 0.0, 0.5, shape=2)[team]
        heat = pm.math.dot(basis, pm.Normal("of_heat", 0.0, 0.5, shape=4))
        davidson(games, games.white(strength) + heat, games.black(strength), pm.Normal("lam", 0.0, 1.0))
    return model


@pytest.mark.parametrize("function", [pairs, teams])
def test_newcomers_of_models_with_other_dims(function):
    names = ["Ann", "Bo", "Cleo"]
    rows = [(a, b, result) for a in names for b in names if a != b for result in ("1-0", "0-1", "1/2-1/2")]
    games = pd.DataFrame(rows, columns=["white", "black", "result"]).assign(heat=np.linspace(5.0, 25.0, len(rows)))
    trace = hp.sample(hp.declare(function, hp.select(hp.read(games), names)), draws=30, tune=60, chains=2, seed=1)
    coming = pd.DataFrame({"white": ["Ann", "Ann"], "black": ["Bo", "Di"], "result": "*", "heat": 20.0})
    shown = hp.forecast(trace, coming, new="all").frame
    before = hp.forecast(trace, coming[:1]).frame
    assert shown.win_percent[0] == pytest.approx(before.win_percent[0], abs=1e-9)
    if function is teams:  # Di is in Bo's team
        assert shown.win_percent[1] == pytest.approx(shown.win_percent[0], abs=1e-9)


def imputed(games):
    """Strengths at numbers of a table, one of which is missing."""
    table = pd.Series({"Ann": 1.0, "Bo": np.nan, "Cleo": -1.0, "Di": 2.0})
    values = table.loc[list(games.coords["player"])].to_numpy()
    with pm.Model(coords=games.coords) as model:
        with pytest.warns(ImputationWarning):
            known = pm.Normal("known", 0.0, 1.0, observed=values, dims="player")
        g = pm.Normal("g", known, 0.01, dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("lam", 0.0, 1.0))
    return model


@pytest.mark.further
def test_known_numbers_of_a_table_with_gaps_are_not_drawn_again():
    pairs_of = [("Ann", "Bo"), ("Bo", "Cleo"), ("Cleo", "Ann")]
    rows = [(first, second, result) for first, second in pairs_of for result in ("1-0", "0-1")]
    games = hp.read(pd.DataFrame(rows, columns=["white", "black", "result"]))
    declared = hp.declare(imputed, hp.select(games, ["Ann", "Bo", "Cleo"]))
    prior = prior_of(declared.model, 200, seed=1)["g"]
    np.testing.assert_allclose(prior.sel(player=["Ann", "Cleo"]).mean("draw"), [1.0, -1.0], atol=0.01)
    assert prior.sel(player="Bo").std() == pytest.approx(1.0, rel=0.2)  # of 200 draws
    trace = hp.sample(declared, draws=50, tune=100, chains=2, seed=1, adapt=False)
    g = with_newcomers(trace, ["Di"])["posterior"]["g"]
    np.testing.assert_allclose(g.sel(player=["Ann", "Cleo", "Di"]).mean(("chain", "draw")), [1.0, -1.0, 2.0], atol=0.02)


def autoregression(games):
    """Strengths of another name that change by months, by PyMC's autoregression of order two."""
    games = games.by(1)
    with pm.Model(coords=games.coords) as model:
        form = pm.AR(
            "form", [0.5, 0.1], sigma=0.2, init_dist=pm.Normal.dist(0.0, 0.5, shape=2), dims=("player", "month")
        )
        davidson(games, games.white(form), games.black(form), pm.Normal("lam", 0.0, 1.0))
    return model


def curves(games):
    """Strengths by a Gaussian process over months, whose factor no compiled loop reads."""
    games = games.by(1)
    apart = np.subtract.outer(np.arange(games.periods), np.arange(games.periods))
    with pm.Model(coords=games.coords) as model:
        kernel = pt.exp(-((apart / pm.Gamma("length", 4.0, 1.0)) ** 2)) + 1e-6 * np.eye(games.periods)
        z = pm.Normal("z", 0.0, 0.5, dims=("player", "month"))
        form = pm.Deterministic("form", z @ pt.linalg.cholesky(kernel).T, dims=("player", "month"))
        davidson(games, games.white(form), games.black(form), pm.Normal("lam", 0.0, 1.0))
    return model


def months():
    """Games of three players in three months."""
    names = ["Ann", "Bo", "Cleo"]
    rows = [
        (a, b, result, f"2024-{month:02d}-01")
        for month in (1, 2, 3)
        for a in names for b in names if a != b for result in ("1-0", "0-1", "1/2-1/2")
    ]  # fmt: skip
    return hp.select(hp.read(pd.DataFrame(rows, columns=["white", "black", "result", "date"])), names)


def test_strengths_by_month_that_no_loop_reads_are_walks():
    model = hp.declare(curves, months())
    assert model.layout.computed == ["form"]
    assert model.traits.walks


def test_walks_of_any_name_are_paired_and_take_newcomers():
    trace = hp.sample(hp.declare(autoregression, months()), draws=30, tune=60, chains=2, seed=1)
    wider = with_newcomers(trace, ["Di"])
    spread = wider["posterior"]["form"].sel(player="Di").std(("chain", "draw"))
    assert ((spread > 0.2) & (spread < 0.8)).all()  # the prior's 0.5 and less, of 60 draws
    title = hp.tournament(trace, ["Ann", "Bo", "Cleo"], simulations=400).frame["title_percent"]
    assert title.sum() == pytest.approx(100.0)


def worth(*terms):
    """Record of both seats."""
    return Worth({"white": list(terms), "black": list(terms)})


@pytest.mark.parametrize(
    ("term", "wider"),
    [
        ([[1.0], ["strength", 0, 1, 4, []]], [[1.0], ["strength", 0, 1, 6, []]]),
        ([[2.0], ["level", 3, 2, 4, []]], [[2.0], ["level", 3, 2, 6, []]]),
        ([[2.0], ["shared", 0, 1, 1, []]], [[2.0], ["shared", 0, 1, 1, []]]),  # of all players
        ([[0.5]], [[0.5]]),
        ([[1.0, 2.0, 3.0, 4.0]], None),
        ([[1.0], ["strength", 0, 1, 4, [3, 2, 1, 0]]], None),
    ],
)
def test_a_record_of_worths_is_extended_if_it_has_a_pattern(term, wider):
    text = _wider(worth(term), 4, 2)
    if wider is None:
        assert text == ""
    else:
        assert json.loads(text) == {"white": [wider], "black": [wider]}


def test_ratings_of_newcomers_lie_on_the_line_of_the_others():
    strength = np.random.default_rng(1).normal(size=(2, 3, 6))
    slope, level = np.array([150.0, 180.0])[:, None, None], 1500.0
    rating = level + slope * strength
    posterior = xr.Dataset({"rating_elo": (("chain", "draw", "player"), rating[..., :4])})
    extended = _rated_alike(posterior, {"strength": (("chain", "draw", "player"), strength)}, 2)
    np.testing.assert_allclose(extended["rating_elo"][1], rating)
    assert _rated_alike(posterior, {}, 2) == {}
    months = rating[..., None] + slope[..., None] * np.arange(3.0)
    by_month = xr.Dataset({"rating_elo_by_month": (("chain", "draw", "player", "month"), months[:, :, :4])})
    walked = strength[..., None] + np.arange(3.0)
    extended = _rated_alike(by_month, {"strength": (("chain", "draw", "player", "month"), walked)}, 2)
    np.testing.assert_allclose(extended["rating_elo_by_month"][1], months)


@pytest.mark.parametrize("later", [False, True])
def test_a_newcomer_among_near_opponents_copies_a_founder(later):
    strength = np.random.default_rng(2).normal(size=(2, 50, 3))
    posterior = xr.Dataset({
        "strength": (("chain", "draw", "player"), strength), "advantage": (("chain", "draw"), strength[..., 0]),
        "rating_elo": (("chain", "draw", "player"), strength),
    })  # fmt: skip
    if later:
        posterior["newcomer_mean"] = ("chain", "draw"), np.full((2, 50), 0.25)
    constant = xr.Dataset({"player_entered": ("player", [1, 4, 1])})
    tree = xr.DataTree.from_dict({"posterior": posterior, "constant_data": constant})
    p = _one_by_chance(tree, 2, 1)
    assert list(p) == ["strength"]
    flat = strength.reshape(100, 3)
    np.testing.assert_array_equal(p["strength"][:, :3], flat)
    copies = p["strength"][:, 3:] - (0.25 if later else 0.0)
    is_first, is_third = (np.isclose(copies, flat[:, place : place + 1]) for place in (0, 2))
    assert (is_first ^ is_third).all()  # the founders entered in period 1
    assert 60 < is_first.sum() < 140  # of 200, half of them each; standard deviation 7

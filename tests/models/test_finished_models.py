"""PyMC models finished by hand: their games, later games, matches and lists, compared with sums in NumPy."""

import numpy as np
import pymc as pm
import pytest
from few_cases import few
from rating_games import simulated

import halfpoint as hp
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.finished import _by_player
from halfpoint.models.declaration.hand_written import declared_of, games_view
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select

GAMES, _ = simulated(11, players=8, games=400, periods=4, draw=0.3)
EFFORT = Effort(draws=100, tune=200, chains=2, seed=3)


def made(finish=lambda model: model, every=0, level=lambda games: 0.0, players=GAMES.players):
    """Davidson's model of the games, followed by a further operation."""
    games = games_view(select(GAMES, players))
    games = games.by(every) if every else games
    with pm.Model(coords=games.coords) as model:
        dims = ("player", "month") if every else ("player",)
        strength = pm.Normal("strength", 0.0, 1.0, dims=dims)
        advantage = pm.Normal("advantage", 0.0, 0.5)
        lam = pm.Normal("log_draw", 0.0, 1.0)
        known = {"anchored": 0.0} if len(players) < len(GAMES.players) else {}
        white = games.white(strength, **known) + advantage + level(games)
        davidson(games, white, games.black(strength, **known), lam)
    return declared_of(finish(model))


def fixed_advantage(model):
    return pm.do(model, {"advantage": np.float64(0.1)})


def seen_advantage(model):
    return pm.observe(model, {"advantage": np.float64(0.2)})


def seen_draws(model):
    return pm.observe(model, {"log_draw": np.float64(-0.5)})


def nearer(model):
    with model:
        pm.Potential("near", -2.0 * (model["advantage"] - 0.3) ** 2)
    return model


FINISHED = {fixed_advantage: 0.1, seen_advantage: 0.2, seen_draws: None, nearer: None}


def by_numpy(tree, white, black, advantage=None):
    """Log probabilities of loss, draw and win, (chain, draw, game, outcome), by Davidson's formula."""
    posterior = tree["posterior"]
    strength, lam = posterior["strength"].to_numpy(), posterior["log_draw"].to_numpy()[..., None]
    a = posterior["advantage"].to_numpy()[..., None] if advantage is None else advantage
    half = (strength[..., white] + a - strength[..., black]) / 2.0
    whole = np.logaddexp(np.logaddexp(half, -half), lam)
    return np.stack([-half - whole, lam - whole, half - whole], axis=-1)


@pytest.mark.cases(1)
@pytest.mark.parametrize("method", ["nuts", "normal"])
@pytest.mark.parametrize("finish", few(FINISHED, 2), ids=lambda one: one.__name__)
def test_games_of_a_finished_model_are_those_of_its_graph(finish, method, tmp_path):
    effort = EFFORT if method == "nuts" else Effort(draws=200, chains=2, seed=1)
    tree = fit(made(finish), method, effort)
    selection = select(GAMES, GAMES.players)
    told = by_numpy(tree, selection.white, selection.black, FINISHED[finish])
    at = np.broadcast_to(GAMES.outcome[:, None], (*told.shape[:3], 1))
    own = np.take_along_axis(told, at, axis=-1)[..., 0]
    np.testing.assert_allclose(each_game(tree)["score"], own, atol=2e-6)  # kept in single precision
    if method == "nuts":
        total = tree["sample_stats"]["log_likelihood_total"]
        np.testing.assert_allclose(total, own.sum(axis=-1), atol=1e-9)
    again = read(write(tree, tmp_path / "trace.nc"))
    chance = forecast(again, GAMES).probability.mean(axis=(1, 2))
    np.testing.assert_allclose(chance, np.exp(told).mean(axis=(0, 1)).T, atol=1e-6)
    one, other = again["posterior"]["player"].to_numpy()[:2].tolist()
    single = np.exp(by_numpy(tree, np.array([0]), np.array([1]), FINISHED[finish]))[:, :, 0].mean(axis=(0, 1))
    found = hp.match(again, one, other).frame.set_index("score")["probability_percent"]
    np.testing.assert_allclose(found.loc[[0.0, 0.5, 1.0]], 100.0 * single, atol=1e-3)
    strongest = tree["posterior"]["rating_elo"].mean(("chain", "draw")).to_numpy().argmax()
    assert hp.rank(again).frame.iloc[0]["player"] == GAMES.players[strongest]


def test_games_of_players_beside_opponents_with_a_known_rating(tmp_path):
    tree = fit(made(nearer, players=GAMES.players[[1, 2, 4, 6, 7]]), "normal", Effort(draws=200, chains=2, seed=1))
    again = read(write(tree, tmp_path / "trace.nc"))
    names = again["posterior"]["player"].to_numpy().tolist()
    for one, other in ((0, 4), (3, 1)):
        single = np.exp(by_numpy(tree, np.array([one]), np.array([other])))[:, :, 0].mean(axis=(0, 1))
        found = hp.match(again, names[one], names[other]).frame.set_index("score")["probability_percent"]
        np.testing.assert_allclose(found.loc[[0.0, 0.5, 1.0]], 100.0 * single, atol=1e-3)


def test_what_depends_on_more_than_the_players_is_refused_by_name(tmp_path):
    tree = fit(made(every=1), "nuts", EFFORT)
    again = read(write(tree, tmp_path / "trace.nc"))
    assert "ratings in Elo points" in again.attrs["left_out"]
    with pytest.raises(HalfpointError, match="a model finished by hand"):
        hp.rank(again)
    with pytest.raises(HalfpointError, match="a model finished by hand"):
        forecast(again, GAMES)


def test_the_likelihood_of_a_game_stands_at_that_game():
    tree = fit(made(every=1), "nuts", EFFORT)
    selection, posterior = select(GAMES, GAMES.players), tree["posterior"]
    month = np.asarray(GAMES.period) - int(np.min(GAMES.period))
    strength = posterior["strength"].to_numpy()
    half = (strength[..., selection.white, month] - strength[..., selection.black, month]) / 2.0
    half, lam = half + posterior["advantage"].to_numpy()[..., None] / 2.0, posterior["log_draw"].to_numpy()[..., None]
    whole = np.logaddexp(np.logaddexp(half, -half), lam)
    own = np.choose(GAMES.outcome, [-half - whole, lam - whole, half - whole])
    np.testing.assert_allclose(each_game(tree)["score"], own, atol=1e-5)


@pytest.mark.parametrize(
    ("slope", "place", "alike"),
    [([1.0, 2.0, 1.0], [5, 6, 5], True), ([1.0, 2.0, 1.5], [5, 6, 5], False), ([1.0, 2.0, 1.0], [5, 6, 7], False)],
)
def test_terms_of_players_are_those_of_all_their_rows(slope, place, alike):
    """Players 0, 1 and 0 have three rows."""
    term = _by_player((np.array(slope), (np.array(place),)), np.array([0, 1, 0], dtype=np.int32), 2)
    assert (term is not None) == alike
    if term is not None:
        assert term[0].tolist() == [1.0, 2.0]
        assert term[1][0].tolist() == [5, 6]

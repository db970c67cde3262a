"""Columns read by a user's function: summaries of the fit, requested values, games that depend on other games."""

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import pytest
from scipy.special import softmax

import halfpoint as hp
from halfpoint.models import davidson
from halfpoint.models.errors import ModelError
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.language.column import Column

_NATURAL = 400.0 / np.log(10.0)


def frame(games=60, players=4, seed=3):
    """Games of players in two kinds and several years."""
    rng = np.random.default_rng(seed)
    white = rng.integers(players, size=games)
    black = (white + rng.integers(1, players, size=games)) % players
    names = np.array([f"P{k}" for k in range(players)])
    results = np.array(["1-0", "1/2-1/2", "0-1"])[rng.integers(3, size=games)]
    columns = {"rapid": rng.integers(2, size=games), "year": 2000.0 + rng.integers(20, size=games)}
    return pd.DataFrame({"white": names[white], "black": names[black], "result": results, **columns})


GAMES = frame()


def declared(function):
    return hp.declare(function, hp.select(hp.read(GAMES), sorted(set(GAMES.white) | set(GAMES.black))))


def sampled(function):
    return hp.sample(declared(function), draws=50, tune=100, chains=2, seed=1)


def of_years(scale):
    """Davidson's model with an effect of the year, scaled by a function of the column."""

    def years(games):
        with pm.Model(coords=games.coords) as model:
            strength = pm.Normal("strength", 0.0, 0.7, dims="player")
            slope, lam = pm.Normal("slope", 0.0, 0.5), pm.Normal("log_draw", 0.0, 1.0)
            davidson(games, games.white(strength) + slope * scale(games.column("year")), games.black(strength), lam)
        return model

    return years


def rapid(games):
    """Davidson's model with separate strengths in rapid games."""
    fast = games.column("rapid")
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 0.7, dims="player")
        more = pm.Normal("more", 0.0, 0.5, dims="player")
        advantage, lam = pm.Normal("advantage", 0.0, 0.5), pm.Normal("log_draw", 0.0, 1.0)
        white = games.white(strength) + advantage + fast * games.white(more)
        davidson(games, white, games.black(strength) + fast * games.black(more), lam)
    return model


def flat(trace, *names):
    """Draws of parameters, (draw, ...)."""
    values = [trace["posterior"][name].to_numpy() for name in names]
    return [value.reshape(-1, *value.shape[2:]) for value in values]


def davidson_chances(white, black, lam):
    """Davidson's probabilities of loss, draw and win, computed by hand."""
    return softmax(np.stack(np.broadcast_arrays(black, lam + (white + black) / 2, white), axis=-1), axis=-1)


def test_a_matrix_of_columns_has_summaries_of_the_fit():
    fits, rows = np.array([[1.0, 2.0, 6.0], [3.0, 5.0, 4.0]]).T, np.array([[10.0, 20.0], [0.0, 1.0]]).T
    matrix = np.column_stack([Column.of(row, fit) for row, fit in zip(rows.T, fits.T, strict=True)])
    standard = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    np.testing.assert_allclose(standard, (rows - fits.mean(axis=0)) / fits.std(axis=0))
    np.testing.assert_allclose(standard.std(axis=0), 1.0)
    masked = np.where(np.array([True, False]), Column.of(rows[:, 0], fits[:, 0]), 0.0)
    np.testing.assert_array_equal(masked, [10.0, 0.0])


def test_summaries_are_those_of_the_fit_through_arithmetic():
    fit, rows = np.array([1.0, 2.0, 6.0, 7.0]), np.array([10.0, 20.0])
    column = Column.of(rows, fit)
    np.testing.assert_allclose((column - column.mean()) / column.std(), (rows - fit.mean()) / fit.std())
    np.testing.assert_allclose(np.log(2.0 * column).mean(), np.log(2.0 * fit).mean())
    assert np.median(column + 1.0) == np.median(fit) + 1.0
    assert (np.clip(column, 0.0, 5.0).max(), column.astype(int).sum(), np.ptp(column)) == (5.0, 16, 6.0)
    np.testing.assert_array_equal(np.unique(column), rows)  # of the rows, as any function that is no summary
    np.testing.assert_array_equal(np.where(column > column.mean(), 1.0, 0.0), [1.0, 1.0])


def zscore(year):
    return (year - year.mean()) / year.std()


def about_the_median(year):
    return (year - np.median(year)) / np.ptp(year)


@pytest.mark.parametrize("scale", [zscore, about_the_median])
def test_a_column_scaled_in_the_function_is_scaled_by_the_games_of_the_fit(scale):
    trace = sampled(of_years(scale))
    coming = pd.DataFrame({"white": ["P0", "P1"], "black": ["P1", "P3"], "result": "*", "year": [2003.0, 2031.0]})
    strength, slope, lam = flat(trace, "strength", "slope", "log_draw")
    known = GAMES.year.to_numpy()
    mean, spread = (known.mean(), known.std()) if scale is zscore else (np.median(known), np.ptp(known))
    x = (coming.year.to_numpy() - mean) / spread
    wanted = davidson_chances(strength[:, [0, 1]] + slope[:, None] * x, strength[:, [1, 3]], lam[:, None]).mean(axis=0)
    shown = hp.forecast(trace, coming).frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100
    np.testing.assert_allclose(shown, wanted, atol=1e-12)


@pytest.mark.parametrize(
    "scale", [lambda year: year.argsort().argsort() / 60.0, lambda year: np.unique(year, return_inverse=True)[1]]
)
def test_a_game_that_depends_on_other_games_is_refused_before_sampling(scale):
    with pytest.raises(ModelError, match="depends on the column 'year' of other games"):
        declared(of_years(scale))


def noise_of_games(games, year):
    return pm.Normal("noise", 0.0, 1.0, shape=len(year))


def noise_by_dims(games, year):
    pm.modelcontext(None).add_coord("match", range(len(year)))
    return pm.Normal("noise", 0.0, 1.0, dims="match")


def noise_beside_codes(games, year):
    return pm.Normal("noise", 0.0, 1.0, size=games.observed("result").shape)


def noise_of_levels(games, year):
    return pm.Normal("noise", 0.0, 1.0, shape=len(np.unique(year)))[np.searchsorted(np.unique(year), year)]


def noise_where_missing(games, year):
    return pm.Normal("noise", 0.0, 1.0, observed=np.ma.masked_greater(year, 2010.0))


@pytest.mark.filterwarnings("ignore::pymc.exceptions.ImputationWarning")
@pytest.mark.parametrize(
    "effect", [noise_of_games, noise_by_dims, noise_beside_codes, noise_of_levels, noise_where_missing]
)
@pytest.mark.parametrize("own", [False, True])
def test_a_variable_whose_values_belong_to_single_games_is_refused_before_sampling(effect, own):
    def noisy(games):
        with pm.Model(coords=games.coords) as model:
            strength = pm.Normal("strength", 0.0, 0.7, dims="player")
            gap = games.white(strength) - games.black(strength) + effect(games, games.column("year"))
            if own:
                pm.Binomial("points", n=2, logit_p=gap, observed=games.observed("result"))
            else:
                davidson(games, gap, -gap, 0.0)
        return model

    with pytest.raises(ModelError, match=r"model noisy: the shape of noise\w* depends on the games, \(\d+,\) for all"):
        declared(noisy)


@pytest.fixture(scope="module")
def rapid_trace():
    return sampled(rapid)


def test_a_match_is_at_the_columns_asked_for_and_else_at_their_means(rapid_trace):
    strength, more, advantage, lam = flat(rapid_trace, "strength", "more", "advantage", "log_draw")
    for at, value in (({"rapid": 1}, 1.0), ("rapid=0", 0.0), (None, GAMES.rapid.mean())):
        side = strength + value * more
        wanted = davidson_chances(side[:, 0] + advantage, side[:, 2], lam).mean(axis=0)
        answer = hp.match(rapid_trace, "P0", "P2", colours="white", at=at)
        np.testing.assert_allclose(answer.frame.probability_percent.to_numpy() / 100, wanted, atol=1e-12)
        assert f"rapid = {value:.6g}" in answer.note
    assert "the mean of the games of the fit" in hp.match(rapid_trace, "P0", "P2").note


HALLS = GAMES.assign(hall=np.arange(60) % 5 // 2)  # 24, 24 and 12 games: the mean is .8, the commonest 1


def by_index(hall, effect):
    return effect[pt.cast(hall, "int64")]


def by_numpy_index(hall, effect):
    return effect[hall.astype(int)]


def by_table(hall, effect):
    return effect[np.array([{0.0: 0, 1.0: 1, 2.0: 2}[code] for code in hall])]


def by_indicators(hall, effect):
    return sum(effect[code] * (hall == code) for code in range(3))


@pytest.mark.cases(2)
@pytest.mark.parametrize("read", [by_index, by_numpy_index, by_table, by_indicators])
def test_a_column_that_is_read_as_codes_is_at_the_commonest_code_and_never_between_two(read):
    def of_halls(games):
        with pm.Model(coords=games.coords) as model:
            strength = pm.Normal("strength", 0.0, 0.7, dims="player")
            effect, lam = pm.Normal("effect", 0.0, 1.0, shape=3), pm.Normal("log_draw", 0.0, 1.0)
            davidson(games, games.white(strength) + read(games.column("hall"), effect), games.black(strength), lam)
        return model

    selection = hp.select(hp.read(HALLS), sorted(set(GAMES.white)))
    trace = hp.sample(hp.declare(of_halls, selection), draws=50, tune=100, chains=2, seed=1)
    strength, effect, lam = flat(trace, "strength", "effect", "log_draw")
    for at, code in ((None, 1), ({"hall": 0}, 0), ("hall=2", 2)):
        wanted = davidson_chances(strength[:, 0] + effect[:, code], strength[:, 2], lam).mean(axis=0)
        answer = hp.match(trace, "P0", "P2", colours="white", at=at)
        np.testing.assert_allclose(answer.frame.probability_percent.to_numpy() / 100, wanted, atol=1e-12)
        assert f"hall = {code}" in answer.note
    assert "hall = 1, the commonest of the games of the fit" in hp.match(trace, "P0", "P2").note
    with pytest.raises(HalfpointError, match=r"a code of the column .hall., a whole number, found 0\.5"):
        hp.match(trace, "P0", "P2", at={"hall": 0.5})


@pytest.mark.parametrize(("start", "step", "latest"), [(2019.0, 0.5, 2048.5), (7.0, -1.0, -52.0)])
def test_a_column_that_moves_with_time_alone_is_at_its_latest_value(start, step, latest):
    days = pd.date_range("2020-01-01", periods=60, freq="5D").astype(str)
    dated = GAMES.assign(year=start + step * np.arange(60), date=days).sample(frac=1.0, random_state=1)
    trace = hp.sample(
        hp.declare(of_years(lambda year: year / 100.0), hp.select(hp.read(dated), sorted(set(GAMES.white)))),
        draws=50, tune=100, chains=2, seed=1,
    )  # fmt: skip
    strength, slope, lam = flat(trace, "strength", "slope", "log_draw")
    wanted = davidson_chances(strength[:, 0] + slope * latest / 100.0, strength[:, 2], lam).mean(axis=0)
    answer = hp.match(trace, "P0", "P2", colours="white")
    np.testing.assert_allclose(answer.frame.probability_percent.to_numpy() / 100, wanted, atol=1e-12)
    assert f"year = {latest:.6g}, the latest of the games of the fit" in answer.note
    listed = hp.rate(dated, model=of_years(lambda year: year / 100.0), method="normal")
    assert f"Games have year = {latest:.6g}, the latest" in listed.note


def test_a_list_is_at_the_columns_asked_for(rapid_trace):
    strength, more, lam = flat(rapid_trace, "strength", "more", "log_draw")
    side = strength + more
    elo = 2.0 / (2.0 + np.exp(lam))[:, None] * _NATURAL * (side - side[:, :1])
    shown = hp.rank(rapid_trace, at={"rapid": 1}).frame.set_index("player").rating_elo
    np.testing.assert_allclose((shown - shown["P0"]).sort_index().to_numpy(), elo.mean(axis=0), atol=1e-6)
    assert "rapid = 0.5" in hp.rank(rapid_trace).note or "mean of the games" in hp.rank(rapid_trace).note


def test_a_tournament_is_at_the_columns_asked_for(rapid_trace):
    answers = [hp.tournament(rapid_trace, ["P0", "P1", "P2"], simulations=200, at={"rapid": k}) for k in (0, 1)]
    assert not answers[0].frame.equals(answers[1].frame)
    assert "Games have rapid = 1." in answers[1].note


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ({"blitz": 1}, "'blitz'"),
        ("rapid=fast", "'rapid=fast'"),
        (["2001-01", "2002-01"], "one day"),
        ("rapid=nan", "NAME=NUMBER"),
    ],
)
def test_columns_that_the_model_does_not_read_are_refused(rapid_trace, at, says):
    with pytest.raises(HalfpointError, match="--at") as caught:
        hp.match(rapid_trace, "P0", "P2", at=at)
    assert says in str(caught.value)


def test_a_table_by_player_is_asked_for_real_players_and_refuses_a_new_one_by_name():
    ages = pd.Series({"P0": 20.0, "P1": 30.0, "P2": 40.0, "P3": 50.0})

    def aging(games):
        age = ages.loc[list(games.coords["player"])].to_numpy()
        with pm.Model(coords=games.coords) as model:
            slope, lam = pm.Normal("slope", 0.0, 0.1), pm.Normal("log_draw", 0.0, 1.0)
            strength = pm.Normal("strength", slope * (age - 35.0), 0.5, dims="player")
            davidson(games, games.white(strength), games.black(strength), lam)
        return model

    trace = sampled(aging)
    hp.match(trace, "P0", "P3")
    with pytest.raises(ModelError, match="for the new player 'Nina'") as caught:
        hp.match(trace, "P0", "Nina", new="Nina")
    assert "test_column.py:" in str(caught.value)

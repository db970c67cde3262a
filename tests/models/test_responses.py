"""PyMC likelihoods as games: chances of results compared with SciPy's, with random draws of the parameters."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from scipy import stats
from scipy.special import expit, softmax

import halfpoint as hp
from halfpoint.apps.workflows.moment_matching import match_moments
from halfpoint.inference.loops.engine import numbers_of
from halfpoint.inference.sample import assemble
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.elo_scale import reading_from
from halfpoint.models.errors import ModelError, NoLoopError
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.language.responses import Responses
from halfpoint.models.reading.own_likelihoods import observed_data, weighted_likelihood

PLAYERS, DRAWS = 4, 20
RNG = np.random.default_rng(8)


def frame(games=80):
    """Games with goals, and a code of the result."""
    rng = np.random.default_rng(4)
    white = rng.integers(PLAYERS, size=games)
    black = (white + rng.integers(1, PLAYERS, size=games)) % PLAYERS
    goals = rng.poisson(1.4, size=(2, games))
    names, outcome = np.array([f"P{k}" for k in range(PLAYERS)]), 1 + np.sign(goals[0] - goals[1])
    result = np.array(["0-1", "1/2-1/2", "1-0"])[outcome]
    columns = {"home": goals[0], "away": goals[1], "gap": goals[0] - goals[1], "code": outcome}
    return pd.DataFrame({"white": names[white], "black": names[black], "result": result, **columns})


GAMES = frame()
COMING = pd.DataFrame({"white": ["P0", "P2"], "black": ["P1", "P3"], "result": "*"})
SETTINGS = {"draws": DRAWS // 2, "tune": 0, "chains": 2, "seed": 1}
STATISTICS = xr.Dataset({"diverging": (("chain", "draw"), np.zeros((2, DRAWS // 2), dtype=bool))})
SEATS = np.array([0, 2]), np.array([1, 3])


def players(games, *names):
    """Normal variables by player."""
    return [pm.Normal(name, 0.0, 0.5, dims="player") for name in names]


def poisson(games):
    with pm.Model(coords=games.coords) as model:
        attack, defence = players(games, "attack", "defence")
        mu = pm.Normal("mu", 0.0, 1.0)
        pm.Poisson("h", pt.exp(mu + games.white(attack) - games.black(defence)), observed=games.observed("home"))
        pm.Poisson("a", pt.exp(mu + games.black(attack) - games.white(defence)), observed=games.observed("away"))
    return model


def negative_binomial(games):
    with pm.Model(coords=games.coords) as model:
        attack, defence = players(games, "attack", "defence")
        size = pm.Exponential("size", 0.1)
        for name, mean in (
            ("home", games.white(attack) - games.black(defence)), ("away", games.black(attack) - games.white(defence)),
        ):  # fmt: skip
            pm.NegativeBinomial(name, mu=pt.exp(mean), alpha=size, observed=games.column(name))
    return model


def ordered(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        width = pm.HalfNormal("width", 1.0)
        pm.OrderedLogistic(
            "y", eta=games.white(strength) - games.black(strength), cutpoints=pt.stack([-width, width]),
            observed=games.observed("result"),
        )  # fmt: skip
    return model


def categorical(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        lam = pm.Normal("lam", 0.0, 1.0)
        white, black = games.white(strength), games.black(strength)
        pm.Categorical("y", logit_p=pt.stack([black, lam + 0 * white, white], axis=1), observed=games.column("code"))
    return model


def censored(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        width = pm.HalfNormal("width", 1.0)
        margin = pm.Normal.dist(games.white(strength) - games.black(strength), width)
        pm.Censored("y", margin, lower=-3, upper=3, observed=np.clip(games.observed("gap"), -3, 3))
    return model


def student(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        width = pm.HalfNormal("width", 1.0)
        mean = games.white(strength) - games.black(strength)
        pm.StudentT("y", nu=5, mu=mean, sigma=width, observed=games.observed("gap"))
    return model


def skellam(games):
    """Integer margin: the difference of two Poisson counts, as a user's density."""

    def density(value, first, second):
        k = pt.arange(60)[:, None]
        return pt.log(pt.exp(pm.logp(pm.Poisson.dist(first), k + value) + pm.logp(pm.Poisson.dist(second), k)).sum(0))

    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        gap = (games.white(strength) - games.black(strength)) / 2
        pm.CustomDist(
            "y", pt.exp(gap), pt.exp(-gap), logp=density, dtype="int64", observed=games.observed("gap").astype(int)
        )
    return model


def by_counts(first, second):
    """Chances of loss, draw and win by the two distributions of goals, (draw, game)."""
    k = np.arange(150)[:, None, None]
    one, other = first.pmf(k), second.pmf(k)
    win, draw = (one * (np.cumsum(other, axis=0) - other)).sum(axis=0), (one * other).sum(axis=0)
    return np.stack([1 - win - draw, draw, win], axis=-1)


def by_margin(law):
    """Chances by a margin that is a draw within half a point."""
    low, high = law.cdf(-0.5), law.cdf(0.5)
    return np.stack([low, high - low, 1 - high], axis=-1)


def goals(games):
    """Goals of both sides as rows, (row, 2)."""
    return np.column_stack([games.observed("home"), games.observed("away")]).astype(int)


def rows_of_goals(games):
    with pm.Model(coords=games.coords) as model:
        attack, defence = players(games, "attack", "defence")
        mu = pm.Normal("mu", 0.0, 1.0)
        logs = games.white(attack) - games.black(defence), games.black(attack) - games.white(defence)
        pm.Poisson("goals", pt.exp(mu + pt.stack(logs, axis=1)), observed=goals(games))
    return model


def together(games):
    """Poisson goals with a joint density."""

    def density(value, first, second):
        return pm.logp(pm.Poisson.dist(first), value[..., 0]) + pm.logp(pm.Poisson.dist(second), value[..., 1])

    with pm.Model(coords=games.coords) as model:
        attack, defence = players(games, "attack", "defence")
        mu = pm.Normal("mu", 0.0, 1.0)
        white = pt.exp(mu + games.white(attack) - games.black(defence))
        black = pt.exp(mu + games.black(attack) - games.white(defence))
        law = {"logp": density, "dtype": "int64", "signature": "(),()->(2)"}
        pm.CustomDist("goals", white, black, **law, observed=goals(games))
    return model


def multinomial(games):
    one_of_three = np.eye(3, dtype=int)[games.observed("code").astype(int)]
    with pm.Model(coords=games.coords) as model:
        (strength,), lam = players(games, "strength"), pm.Normal("lam", 0.0, 1.0)
        white, black = games.white(strength), games.black(strength)
        logs = pt.stack([black, lam + 0.0 * white, white], axis=1)
        pm.Multinomial("y", n=1, p=pm.math.softmax(logs, axis=1), observed=one_of_three)
    return model


def wanted(function, p):
    """Chances of loss, draw and win by SciPy, (draw, game, outcome)."""
    w, b = SEATS
    if function in (poisson, rows_of_goals, together, negative_binomial):
        mu = 0.0 if function is negative_binomial else p["mu"][:, None]
        means = [np.exp(mu + p["attack"][:, i] - p["defence"][:, j]) for i, j in ((w, b), (b, w))]
        if function is not negative_binomial:
            return by_counts(*map(stats.poisson, means))
        n = p["size"][:, None]
        return by_counts(*(stats.nbinom(n, n / (n + mean)) for mean in means))
    gap = p["strength"][:, w] - p["strength"][:, b]
    if function is ordered:
        low, high = (expit(cut * p["width"][:, None] - gap) for cut in (-1, 1))
        return np.stack([low, high - low, 1 - high], axis=-1)
    if function in (categorical, multinomial):
        lam = p["lam"][:, None] + 0 * gap
        return softmax(np.stack([p["strength"][:, b], lam, p["strength"][:, w]], axis=-1), axis=-1)
    if function is skellam:
        return by_counts(*(stats.poisson(np.exp(sign * gap / 2)) for sign in (1, -1)))
    law = stats.norm(gap, p["width"][:, None]) if function is censored else stats.t(5, gap, p["width"][:, None])
    return by_margin(law)


def declared(function, games=GAMES):
    return hp.declare(function, hp.select(hp.read(games), [f"P{k}" for k in range(PLAYERS)]))


def drawn(model):
    """Random values of the parameters of a declared model as a posterior."""
    made, rng = {}, np.random.default_rng(5)
    for variable in model.model.free_RVs:
        name, shape = variable.name, model.layout.slots[variable.name][1]
        value = 0.4 * rng.standard_normal((2, DRAWS // 2, *shape))
        made[name] = (
            ("chain", "draw", *model.dims.get(name, ())),
            np.exp(value) + 4.0 * (name == "size") if name in ("width", "size") else value,
        )
    return xr.Dataset(made, coords={"player": model.selection.players.astype(object)})


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "function",
    [
        poisson, rows_of_goals, together, negative_binomial, ordered, categorical, multinomial, censored, student,
        skellam,
    ],
)  # fmt: skip
def test_chances_of_results_follow_from_a_likelihood_of_ones_own(function):
    model = declared(function)
    posterior = drawn(model)
    reading = reading_from(model, posterior)
    p = {name: value.to_numpy().reshape(DRAWS, *value.shape[2:]) for name, value in posterior.items()}
    chances = reading.probabilities(reading.today(*(seat.astype(np.int32) for seat in SEATS)))
    near = 1e-4 if function is together else 1e-9  # which sums scores up to 20
    np.testing.assert_allclose(np.moveaxis(chances, 0, -1), wanted(function, p), atol=near)
    assert model.outcome is LIKELIHOOD
    assert model.reads.requested == {}  # what is observed is not asked of games to come


def test_a_trace_of_a_likelihood_of_ones_own_is_written_opened_and_asked(tmp_path):
    model = declared(poisson)
    trace = assemble(model, drawn(model), STATISTICS, SETTINGS)
    write(trace, tmp_path / "trace.nc")
    again = read(tmp_path / "trace.nc")
    shown = hp.forecast(again, COMING).frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100
    p = {name: trace["posterior"][name].to_numpy().reshape(DRAWS, -1) for name in ("attack", "defence")}
    p["mu"] = trace["posterior"]["mu"].to_numpy().reshape(-1)
    np.testing.assert_allclose(shown, wanted(poisson, p).mean(axis=0), atol=1e-9)
    order = hp.rank(again).frame.player.tolist()
    assert sorted(order) == ["P0", "P1", "P2", "P3"]
    compared = SimpleNamespace(unreliable=1)  # a game whose draws no loop can move
    assert match_moments(again, compared) is compared


@pytest.mark.cases(1)
@pytest.mark.parametrize("function", [poisson, rows_of_goals, together])
def test_pointwise_likelihood_is_of_the_observed_values(function):
    model = declared(function)
    posterior = drawn(model)
    trace = assemble(model, posterior, STATISTICS, SETTINGS)
    attack, defence, mu = (posterior[name].to_numpy() for name in ("attack", "defence", "mu"))
    w, b = (GAMES[side].str[1:].astype(int).to_numpy() for side in ("white", "black"))
    means = [np.exp(mu[..., None] + attack[..., i] - defence[..., j]) for i, j in ((w, b), (b, w))]
    log = sum(stats.poisson(mean).logpmf(GAMES[name]) for mean, name in zip(means, ("home", "away"), strict=True))
    np.testing.assert_allclose(trace["log_likelihood"]["score"].transpose("chain", "draw", "game"), log, atol=1e-8)
    np.testing.assert_allclose(trace["sample_stats"]["log_likelihood_total"], log.sum(axis=-1), atol=1e-6)


def test_weights_count_each_game_and_values_can_be_replaced():
    model = declared(ordered)
    weight = np.zeros((80, 3))
    weight[:10, 0] = 2.0
    whole = weighted_likelihood(model.spec.run(model.view()), weight)
    point = whole.initial_point()
    with model.spec.run(model.view()) as plain:
        each = plain.compile_logp(plain.observed_RVs, sum=False, mode="FAST_COMPILE")(point)[0]
    prior = whole.compile_logp(whole.free_RVs, mode="FAST_COMPILE")(point)
    total = whole.compile_logp(mode="FAST_COMPILE")(point)
    np.testing.assert_allclose(total, prior + 2.0 * each[:10].sum(), rtol=1e-10)
    other = model.seeing(1.0 - model.selection.games.score)
    values = observed_data(model.spec.run(other.view()), weight)["y_values"]
    np.testing.assert_array_equal(values, 2 - observed_data(model.spec.run(model.view()), weight)["y_values"])


def without_games(games):
    with pm.Model(coords=games.coords) as model:
        pm.Normal("strength", 0.0, 1.0, dims="player")
    return model


def of_no_result(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        pm.Normal("y", games.white(strength), 1.0, observed=games.observed("home"))
    return model


def without_logcdf(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        pm.AsymmetricLaplace("y", 1.0, 1.0, games.white(strength), observed=games.observed("gap"))
    return model


def with_a_term_of_scores(games):
    """Dixon and Coles's correction of low scores, as a Potential."""
    model = poisson(games)
    home, away = games.observed("home"), games.observed("away")
    with model:
        rho = pm.Uniform("rho", -0.1, 0.1)
        pm.Potential("low", pt.log1p(rho * ((home == 1) & (away == 1))).sum())
    return model


def with_further_counts(games):
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        pm.Poisson("points", pt.exp(games.white(strength) - games.black(strength)), observed=games.observed("result"))
    return model


def linear(games):
    """A linear model of the score, whose densities are no probabilities."""
    with pm.Model(coords=games.coords) as model:
        (strength,) = players(games, "strength")
        pm.Normal("points", games.white(strength) - games.black(strength), 0.2, observed=games.observed("result") / 2)
    return model


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (with_further_counts, "points has the values 0.0, 1.0, 2.0 with probability 1, found 0.8"),
        (linear, "points has the values 0.0, 0.5, 1.0 with probability 1, found"),
        (without_games, "with a value for each of 80 games"),
        (of_no_result, "found y, which do not"),
        (without_logcdf, "results follow from y, whose distribution has no logcdf"),
        (with_a_term_of_scores, "the Potential low reads the column 'away'"),
    ],
)
def test_models_without_results_are_refused_before_sampling(function, says):
    with pytest.raises(ModelError) as caught:
        declared(function)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "change", [{"kind": "sum"}, {"variables": ["y", "z"]}, {"levels": [[0.0, 7]]}, {"most": 10**9}]
)
def test_a_record_of_other_contents_is_refused(change):
    record = Responses("code", ("y",), ((0.0, 0), (1.0, 1), (2.0, 2))).as_record
    assert Responses.from_record(record).as_record == record
    with pytest.raises((ValueError, TypeError, KeyError)):
        Responses.from_record({**record, **change})


def test_weights_are_refused():
    weighted = GAMES.assign(weight=np.linspace(0.5, 1.5, len(GAMES)))
    with pytest.raises(ModelError, match="without weights for a likelihood of its own"):
        declared(poisson, weighted)


def test_no_compiled_loop_stands_in_for_a_likelihood_of_ones_own():
    model = declared(student)
    assert model.reading.reasons["layout"] == "its likelihood is PyMC's own"
    with pytest.raises(NoLoopError):
        numbers_of(model)


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("games", "function", "kind"),
    [
        ([("0-1", 0, 2), ("1/2-1/2", 1, 1), ("1-0", 2, 0)], "poisson", "scores"),  # home goals look like a code
        ([("0-1", 0, 2), ("1/2-1/2", 1, 1), ("1-0", 2, 0)], "rows_of_goals", "scores"),
        ([("0-1", 0, 2), ("1/2-1/2", 1, 1), ("1-0", 2, 0)], "skellam", "margin"),
        ([("0-1", 0, 1), ("1/2-1/2", 1, 1), ("1-0", 1, 0)], "student", "margin"),
        ([("1/2-1/2", 0, 0), ("1-0", 2, 1), ("1-0", 1, 0)], "poisson", "scores"),  # home goals look like a margin
        ([("0-1", 0, 1), ("1-0", 1, 0)], "categorical", "code"),
        ([("0-1", 0, 1), ("1-0", 1, 0)], "multinomial", "code"),
    ],
)
def test_few_games_are_read_as_many_are(games, function, kind):
    result, home, away = (np.array(column) for column in zip(*games, strict=True))
    code = np.select([result == "0-1", result == "1-0"], [0, 2], 1)
    columns = {"home": home, "away": away, "gap": home - away, "code": code, "white": "P0", "black": "P1"}
    few = hp.select(hp.read(pd.DataFrame({"result": result, **columns})), ["P0", "P1"])
    many = hp.select(hp.read(GAMES), [f"P{k}" for k in range(PLAYERS)])
    few, many = (hp.declare(globals()[function], games).reads.responses for games in (few, many))
    assert (few.kind, few.variables, few.levels) == (kind, many.variables, many.levels)

"""Contract of every model of the catalogue, for any formula and parts: new models are tested automatically.

Rows that cover the others run in the fast suite, all rows in the slow one (`covering_rows`).
"""

from dataclasses import replace

import make_beyond_logp as outside
import numpy as np
import pytest
from composed import about
from covering_rows import COVERING, by_row
from graph_density import own_density
from made_traces import CHAINS, DRAWS, ROWS, chosen, declared, model_of_name, played, points, trace

from halfpoint.inference import adaptive
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecast import IMPUTATIONS, Rule, forecast
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.reweighted_sampler import ReweightedSampler
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.trace_record import SCHEMA
from halfpoint.inference.traces.whole_trace import fault_of
from halfpoint.models.declaration.catalogue import BY_DAYS, declare
from halfpoint.models.declaration.trace_attributes import model_in
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select
from halfpoint.models.rows.rows import months

EACH = [(name, "anchored") for name in ROWS] + [(name, "unanchored") for name in ROWS[::6]]  # nobody anchored: a few
PER_PLAYER = [name for name in ROWS if ("-player" in name and "draws" not in name) or name.endswith("-pooled")]


def log_densities(declared, at):
    """Log p at sampled coordinates."""
    compute = density(numbers_of(declared))
    return np.array([compute(point)[0] for point in at])


@pytest.mark.cases(8)  # half anchored, half not; the density of each is compared with its graph below
@pytest.mark.parametrize("data", outside.DATA)
@pytest.mark.parametrize("name", by_row(ROWS))
def test_it_declares_with_a_finite_density(name, data):
    one = declared(name, data)
    assert one.spec is model_of_name(name)
    assert np.isfinite(log_densities(one, [np.zeros(one.layout.count), *points(one, 3)])).all()


@pytest.mark.cases(13)
@pytest.mark.parametrize(("name", "data"), by_row(EACH, rows=COVERING))
def test_compiled_equals_graph(name, data):
    one = declared(name, data)
    own, compute = own_density(one.model), density(numbers_of(one))
    for point in points(one, 3, size=1.0):
        (value, gradient), (own_value, own_gradient) = compute(point), own(point)
        assert value == pytest.approx(own_value, rel=1e-11)
        assert gradient == pytest.approx(own_gradient, rel=1e-8, abs=1e-8 * np.abs(own_gradient).max())


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(ROWS))
def test_the_order_of_the_games_is_no_part_of_the_density(name):
    one = declared(name)
    order = np.arange(len(played()))[::-1]
    if name.startswith("listed"):  # of two ratings printed in one month the first counts: months turned, not games
        order = np.argsort(-played().period, kind="stable")
    backwards = select(played().take(order), chosen().players)
    at = points(one, 2)
    other = declare(model_of_name(name), backwards)
    assert log_densities(other, at) == pytest.approx(log_densities(one, at), rel=1e-12)


COUNTED = [name for name in ROWS if not model_of_name(name).weighted and name != "index-walk"]  # which counts them back


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(COUNTED))
def test_a_game_that_weighs_two_is_a_game_twice(name):
    weight = np.tile([1.0, 2.0], len(played()))[: len(played())]
    heavy = select(replace(played(), weight=weight), chosen().players)
    assert heavy.weighting == "given"
    twice = select(played().take(np.repeat(np.arange(len(played())), weight.astype(int))), chosen().players)
    one, other = declare(model_of_name(name), heavy), declare(model_of_name(name), twice)
    at = points(one, 2)
    assert log_densities(one, at) == pytest.approx(log_densities(other, at), rel=1e-12)


@pytest.mark.cases(4)
@pytest.mark.parametrize(("name", "data"), by_row(EACH))
def test_its_trace_is_whole_and_comes_back_from_a_file(name, data, tmp_path):
    tree = trace(name, data)
    assert fault_of(tree) == ""
    assert (tree.attrs["schema"], tree.attrs["model"]) == (SCHEMA, name)
    assert not tree.attrs["converged"]  # a dozen draws
    assert tree["posterior"]["rating_elo"].dims == ("chain", "draw", "player")
    assert tree["posterior"]["player"].values.tolist() == list(outside.DATA[data])
    again = read(write(tree, tmp_path / "trace.nc"))
    assert model_in(again.attrs) == model_of_name(name)
    assert again.attrs["weighting"] == tree.attrs["weighting"]
    for group in tree.children:
        assert set(again[group].data_vars) == set(tree[group].data_vars)
        for key, value in tree[group].data_vars.items():
            if group.startswith("log_likelihood"):  # whose files have steps of 2^-13 nats, longer ones below -4
                step = 2.0**-13 * max(1.0, -float(value.min()) / 4.0)
                np.testing.assert_allclose(again[group][key].values, value.values, atol=step)
            else:
                np.testing.assert_array_equal(again[group][key].values, value.values)
    games = chosen(data).games
    np.testing.assert_array_equal(forecast(again, games).probability, forecast(tree, games).probability)


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(name for name in ROWS if not model_of_name(name).weighted))
def test_the_log_likelihood_of_a_trace_is_the_sampled_one(name):
    one, tree = declared(name), trace(name)
    model = replace(one).model
    own, at = own_density(model), points(one, CHAINS * DRAWS)
    with_games = np.array([own(point)[0] for point in at])
    model["results"].set_value(np.zeros_like(one.cells.weight))  # no game weighs anything
    found = with_games - [own(point)[0] for point in at]
    total = tree["sample_stats"]["log_likelihood_total"].values
    # half points leave a constant out where games are drawn: the differences count
    assert np.diff(total.ravel()) == pytest.approx(np.diff(found), abs=1e-8)
    by_game = tree["log_likelihood"]["score"].sum("game").values
    np.testing.assert_allclose(by_game, total, rtol=1e-5)  # kept in single precision


@pytest.mark.parametrize("name", by_row(ROWS))
def test_forecasts_sum_to_one_and_are_the_pointwise_path(name):
    tree, one = trace(name), declared(name)
    rule = None
    if one.traits.seats == "player":  # its anchored opponents have a known half advantage
        rule = Rule("mean", one.spec.parameters["anchored"])
    told = forecast(tree, one.selection.games, rule)
    np.testing.assert_allclose(told.probability.sum(axis=0), 1.0, rtol=1e-12)
    assert (told.probability >= 0.0).all()
    assert told.draws_are_outcomes == one.outcome.draws
    group = "log_likelihood_by_game" if one.spec.weighted else "log_likelihood"
    np.testing.assert_allclose(told.log_predictive, tree[group]["score"].values, rtol=2e-5, atol=2e-6)


def strangers():
    """Games of known players against unknown players, and between them, in the last period."""
    games = played().take(played().period == 6)
    names = games.players.tolist()
    stranger = [f"Stranger {name}" if name in ("Olga", "Piet", "Boris") else name for name in names]
    return replace(games, players=np.array(stranger))


def odds(told):
    """The log odds of a win against a loss, shape (draw, game)."""
    loss, _, win = told.probability.reshape(3, -1, told.probability.shape[-1])
    return np.log(win / loss)


@pytest.mark.parametrize("imputation", IMPUTATIONS)
@pytest.mark.parametrize("name", by_row(ROWS))
def test_rules_of_imputation_are_obeyed_or_refused(name, imputation):
    tree, games = trace(name), strangers()
    if name not in PER_PLAYER and imputation != "zero":
        with pytest.raises(InferenceError, match="expected a model with an advantage per player") as error:
            forecast(tree, games, Rule(imputation))
        assert "\n" not in str(error.value)
        return
    zero, told = forecast(tree, games, Rule("zero")), forecast(tree, games, Rule(imputation))
    players = tree["posterior"]["player"].values.tolist()
    gained = np.zeros((CHAINS * DRAWS, len(games)))
    if name in PER_PLAYER and imputation != "zero":
        half = tree["posterior"]["advantage"].values.reshape(CHAINS * DRAWS, -1)
        for game, (white, black) in enumerate(zip(games.white_names, games.black_names, strict=True)):
            for side, other in ((white, black), (black, white)):
                if side in players:
                    continue
                known = half[:, players.index(other)] if other in players else 0.0
                gained[:, game] += half.mean(axis=1) if imputation == "mean" else -known
    np.testing.assert_allclose(odds(told) - odds(zero), gained, atol=1e-9)
    if name in PER_PLAYER and imputation == "mean":
        given = forecast(tree, games, Rule("mean", 0.25))
        unknown = sum((~np.isin(side, players)).astype(float) for side in (games.white_names, games.black_names))
        np.testing.assert_allclose(odds(given) - odds(zero), np.broadcast_to(0.25 * unknown, gained.shape), atol=1e-9)


@pytest.mark.parametrize("name", by_row(ROWS))
def test_the_scale_of_a_rule_multiplies_the_strengths_of_the_known(name):
    tree, games = trace(name), strangers()
    moved = tree.copy()
    posterior = moved["posterior"].to_dataset()
    names = ("strength", "level", "form") if "form" in posterior else ("strength",)
    moved["posterior"] = posterior.assign({key: 1.01 * posterior[key] for key in names})
    scaled = forecast(tree, games, Rule("zero", scale=1.01)).probability
    np.testing.assert_allclose(scaled, forecast(moved, games, Rule("zero")).probability, rtol=1e-9)
    assert not np.allclose(scaled, forecast(tree, games, Rule("zero")).probability)


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(ROWS))
def test_a_fit_with_weights_has_the_density_of_the_games_that_count(name):
    whole = declare(model_of_name(name), chosen())
    kept = (np.arange(len(whole.selection)) % 2).astype(float)
    half = whole.weighing(kept)
    compute, own = density(numbers_of(half)), own_density(half.model)
    for seed in (1, 2):
        point = 0.5 * np.random.default_rng(seed).standard_normal(half.layout.count)
        assert compute(point)[0] == pytest.approx(own(point)[0], rel=1e-10)
        assert compute(point)[1] == pytest.approx(own(point)[1], rel=1e-8, abs=1e-8)


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(ROWS))
def test_a_fit_is_repeated_by_its_seed(name, monkeypatch):
    monkeypatch.setattr(adaptive, "MOST_RUNS", 2)
    one = declare(model_of_name(name), chosen())
    effort = Effort(draws=20, tune=40, chains=2, seed=3, cores=1)
    first, second = ReweightedSampler(one, effort).fit(), ReweightedSampler(one, effort).fit()
    for key in first.posterior.data_vars:
        np.testing.assert_array_equal(first.posterior[key].values, second.posterior[key].values)
    assert first.diagnosis == second.diagnosis


@pytest.mark.parametrize("name", by_row(name for name in ROWS if not name.startswith("listed")))
def test_a_walk_counts_in_the_unit_it_was_fitted_in(name):
    tree, games = trace(name), chosen().games
    day = np.datetime64("2024-01-01") + np.arange(len(games))
    dated = replace(games, period=None, date=day)
    if not about(model_of_name(name)).walks and name not in BY_DAYS:
        np.testing.assert_array_equal(forecast(tree, dated).probability, forecast(tree, games).probability)
        return
    with pytest.raises(ModelError, match="expected a period for each game") as error:
        forecast(tree, dated)
    assert "\n" not in str(error.value)
    both = replace(games, date=day)
    np.testing.assert_array_equal(forecast(tree, both).probability, forecast(tree, games).probability)
    with pytest.raises(ModelError, match="expected a date for each game"):
        months(games, "date")

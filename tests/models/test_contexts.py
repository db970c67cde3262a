"""Strengths by context, form, walks with entry levels: simulated truth, limits, newcomers, sides of several people."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.workflows.contexts import lists_by_context
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.gaussian import gaussian_draws, unweighted_draws
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select
from halfpoint.models.games.table import LEAD
from halfpoint.models.reading.reads import Reads
from halfpoint.readers.read import read

NAMES = np.array([f"P{number}" for number in range(12)])
LEVELS = np.array(["clay", "grass"])
ROW = "bt-population-even with strength ~ 1 | player:context"
WITHIN = 3.0  # standard deviations, root mean square over 24 players and contexts: chi-square's 1 - 1e-9 is 1.9


def chance(d):
    return 1.0 / (1.0 + np.exp(-d))


def played(spread, games=3000, seed=5, names=NAMES):
    rng, count = np.random.default_rng(seed), len(names)
    strength, apart = rng.normal(0.0, 0.8, count), rng.normal(0.0, spread, (count, 2))
    white = rng.integers(0, count, games)
    black, where = (white + rng.integers(1, count, games)) % count, rng.integers(0, 2, games)
    truth = strength[:, None] + apart
    won = rng.random(games) < chance(truth[white, where] - truth[black, where])
    sides = {"white": names[white], "black": names[black], "score": 1.0 * won, "context": LEVELS[where]}
    return read(pd.DataFrame(sides), covariates=("context",)), truth


def fitted(games, row=ROW, **settings):
    return fit(declare(row, select(games, games.players, "both")), "normal", pointwise_draws=0, **settings)


def pairs(context, white="P0", black="P1"):
    rows = {"white": [white] * len(context), "black": [black] * len(context), "context": context, "score": 0.5}
    return read(pd.DataFrame(rows), covariates=("context",))


@pytest.fixture(scope="module")
def known():
    games, truth = played(0.6)
    return fitted(games), truth


def test_strengths_in_each_context_are_found(known):
    tree, truth = known
    lists, away = lists_by_context(tree), []
    for level, name in enumerate(LEVELS):
        found = lists[name].set_index("player").loc[NAMES]
        expected = (truth[:, level] - truth[:, level].mean()) * 400.0 / np.log(10.0)
        away += ((found["rating_elo"] - found["rating_elo"].mean() - expected) / found["sd_elo"]).tolist()
    assert np.sqrt(np.mean(np.square(away))) < WITHIN
    spread = tree["posterior"]["strength_context_spread"]
    assert abs(float(spread.mean()) - 0.6) < 3.0 * float(spread.std())


def test_spreads_beyond_weights_are_as_uncertain_as_weighted_draws_say():
    games, _ = played(0.4, 4000, names=np.array([f"N{number:02d}" for number in range(60)]))
    declared = declare(ROW, select(games, games.players, "both"))
    exact = gaussian_draws(declared, 2000, 1)
    assert exact.weights.pareto_k < 0.5
    right = declared.layout.named(exact.v[exact.weights.resampled(2000, 1)])
    for factored in (True, False):
        found = declared.layout.named(unweighted_draws(declared, 2000, 1, factored).v)
        for name in ("strength_spread", "strength_context_spread"):
            assert found[name].std() == pytest.approx(right[name].std(), rel=0.2)
            assert found[name].mean() == pytest.approx(right[name].mean(), abs=0.5 * right[name].std())


def test_contexts_that_agree_leave_one_strength():
    games, _ = played(0.0)
    pooled, apart = fitted(games, "bt-population-even"), fitted(games)
    assert float(apart["posterior"]["strength_context_spread"].mean()) < 0.2
    one, other = (forecast(tree, pairs(["clay", "grass"])) for tree in (pooled, apart))
    assert other.mean_expected == pytest.approx(one.mean_expected, abs=0.03)


def test_a_context_of_no_game_is_as_wide_as_contexts_are_apart(known):
    tree, _ = known
    posterior = tree["posterior"].to_dataset()
    p = posterior["strength"].sel(player="P0") - posterior["strength"].sel(player="P1")
    own = p.to_numpy().ravel()
    wide = np.sqrt(2.0) * posterior["strength_context_spread"].to_numpy().ravel()
    drawn = own + wide * np.random.default_rng(1).standard_normal((200, own.size))
    found = forecast(tree, pairs(["ice"]))
    value = found.expected_score.ravel()
    error = 4.0 * value.std() / np.sqrt(value.size)
    assert value.mean() == pytest.approx(chance(drawn).mean(), abs=error)
    assert value.std() == pytest.approx(chance(drawn).std(), rel=0.1)


def test_a_context_of_no_game_is_as_wide_as_a_spread_that_is_given():
    games, _ = played(0.6, 300)
    lead = np.where(games.score == 1.0, 20.0, -20.0)
    games = replace(games, covariates={**games.covariates, LEAD: lead})
    tree = fitted(games, "sets with strength ~ 1 | player:context")
    reading = reading_of(tree)
    assert reading.reads.given["strength | player:context"] == find("sets").parameters["apart"] == 6.0
    seats = np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int32)
    rows = reading.rows(pairs(["ice"]), *seats, (np.zeros(1), np.zeros(1)))
    new = np.concatenate([sides.white - sides.black for _, sides in reading.under(rows)]).ravel()
    own = reading.p["strength"][:, 0] - reading.p["strength"][:, 1]
    assert np.var(new - own) == pytest.approx(2.0 * 6.0**2, rel=4.0 * np.sqrt(2.0 / own.size))
    for spreads in ({"strength | player:context": -6.0}, {"strength | player:context": "6"}):
        record = reading.reads.as_record | {"given": spreads}
        with pytest.raises(TypeError, match="a record of columns with values of wrong types"):
            Reads.from_record(record)
    earlier = Reads.from_record(reading.reads.as_record | {"given": ["strength | player:context"]})
    assert earlier.given == {"strength | player:context": 0.0}  # of traces without the number: levels count 0
    with pytest.raises(ValueError, match="means of columns that are not finite"):
        Reads.from_record(reading.reads.as_record | {"means": {"column:best_of": float("nan")}})


def test_effects_without_a_coding_in_the_trace_are_refused():
    games, _ = played(0.6, 300)
    best_of = np.tile([3.0, 5.0], 150)
    games = replace(games, covariates={**games.covariates, LEAD: np.where(games.score, 9.0, -9.0), "best_of": best_of})
    tree = fitted(games, "sets with strength ~ 1 | player:context")
    tree.attrs["model_reads"] = json.dumps(json.loads(tree.attrs["model_reads"]) | {"effects": {}})
    with pytest.raises(ModelError, match="expected the columns of its effects, found none"):
        forecast(tree, games)


def test_who_plays_in_a_context_without_a_game_of_theirs_is_said():
    games, _ = played(0.6, 400)
    tree = fitted(games, draws=50)
    said = workflows.forecast(tree, pairs(["clay", "ice"], "P2", "P3")).about["note"]
    assert "the spread between levels of context: P2 in ice, P3 in ice." in said
    assert "spread between" not in workflows.forecast(tree, pairs(["clay"])).about["note"]


def test_a_level_of_the_game_alone_is_refused_with_the_formula_that_serves():
    with pytest.raises(ModelError, match=r"1 \| player:surface"):
        find("bt with strength ~ 1 | surface")
    with pytest.raises(ModelError, match="player:surface belong to a side"):
        find("bt with advantage ~ 1 | player:surface")


def test_walks_begin_where_players_enter_and_newcomers_are_like_newcomers():
    rng = np.random.default_rng(2)
    count, quarters, games = 40, 12, 6000
    begin = np.where(np.arange(count) < 20, 0, rng.integers(3, quarters - 1, count))
    walk = np.cumsum(rng.normal(0.0, 0.12, (count, quarters)), axis=1)
    strength = walk - walk[np.arange(count), begin][:, None] + rng.normal(-0.8 * (begin > 0), 0.5)[:, None]
    (white, black), t = rng.integers(0, count, (2, 4 * games)), rng.integers(0, quarters, 4 * games)
    kept = (white != black) & (t >= np.maximum(begin[white], begin[black]))
    white, black, t = (one[kept][:games] for one in (white, black, t))
    won = rng.random(white.size) < chance(strength[white, t] - strength[black, t])
    names = np.array([f"N{number:02d}" for number in range(count)])
    frame = pd.DataFrame({"white": names[white], "black": names[black], "score": 1.0 * won, "period": 1 + 3 * t})
    table = read(frame.assign(neutral=1))
    tree = fitted(table, "bt-entering-walk", draws=500)
    posterior = tree["posterior"].to_dataset()
    for name, truth in (("newcomer_mean", -0.8), ("innovation_spread", 0.12), ("strength_spread", 0.5)):
        value = posterior[name]
        assert abs(float(value.mean()) - truth) < 3.0 * float(value.std()) + 0.05, name
    entry, walks = posterior["entry"], posterior["strength"]
    held = walks.to_numpy()[..., np.arange(count), begin]
    assert entry.to_numpy() == pytest.approx(held, abs=1e-4)
    coming = pd.DataFrame({"white": ["Somebody new"], "black": [names[0]], "period": 1 + 3 * quarters, "neutral": 1})
    found = forecast(with_newcomers(tree, ["Somebody new"]), read(coming.assign(score=0.5)))
    middle = 2705.0 * np.log(10.0) / 400.0 + float(posterior["newcomer_mean"].mean())
    last = float(walks.sel(player=names[0]).isel(month=-1).mean())
    assert float(found.mean_expected[0]) == pytest.approx(chance((middle - last) / 1.1), abs=0.08)


def test_rate_shows_each_context(tmp_path):
    games, _ = played(0.6, 600)
    rated = workflows.rate(games, tmp_path / "rated", model=ROW, method="normal", draws=100)
    assert list(rated.contexts) == ["clay", "grass"] or list(rated.contexts) == ["grass", "clay"]
    assert sum(frame["games"].sum() for frame in rated.contexts.values()) == 1200
    kept = json.loads((tmp_path / "rated" / "ratings.json").read_text(encoding="utf-8"))
    assert set(kept["contexts"]) == {"clay", "grass"} == set(rated.record()["contexts"])
    assert (tmp_path / "rated" / "trace.nc").stat().st_size < 3_000_000  # 600 games, not their likelihoods: 10 MB


def test_sides_of_two_are_the_mean_of_their_members_in_the_context():
    row = find("davidson-context").but("pairs")
    frame = pd.DataFrame({"white": ["A+B", "C+D"] * 30, "black": ["C+D", "A+C"] * 30, "score": [1.0, 0.5] * 30})
    frame["black"] = ["C+D", "A+B"] * 30
    games = read(frame.assign(context=["clay", "grass"] * 30), covariates=("context",), sides="+")
    declared = declare(row, select(games, games.people, "both"))
    code = declared.rows.columns["strength | player:context"]
    levels = declared.coords["player:context"]
    assert code.shape == (len(declared.rows), 2, 2)
    assert {levels[k] for k in code[0].ravel()} == {
        f"{name}:{w}" for name in "ABCD" for w in [levels[code[0, 0, 0]][2:]]
    }

"""Cells in place of games, and shards in place of one table: the same density, means and standard deviations."""

import numpy as np
import pytest
from few_games import few_of

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.shard_places import shards_here
from halfpoint.inference.gaussian.sharded_fit import ShardedFits
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.readers.cells import cells_of, expand_cells, write_cells

PLAYERS, GAMES = 60, 1500


def simulated(rated, neutral):
    """Random pairings of players of known strength."""
    rng = np.random.default_rng(4)
    strength = rng.normal(0.0, 0.8, PLAYERS)
    white = rng.integers(0, PLAYERS, GAMES)
    black = (white + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    even = (rng.random(GAMES) < 0.3).astype(float) * neutral
    score = scores_drawn(outcome_probabilities(strength[white] - strength[black] + 0.2 * (1 - even), 0.1), rng)
    printed = np.rint(2000.0 + strength / to_natural(1.0) + rng.normal(0.0, 80.0, PLAYERS))
    ratings = {"white_rating_elo": printed[white], "black_rating_elo": printed[black]} if rated else {}
    names = np.array([f"P{k:02d}" for k in range(PLAYERS)])
    covariates = {"neutral": even} if neutral else {}
    return GameTable(
        names, white.astype(np.int32), black.astype(np.int32), score, covariates=covariates, simulated=True, **ratings
    )


ROWS = [("davidson-population", False, False), ("davidson-rated", True, False), ("bt-population-neutral", False, True)]


@pytest.mark.parametrize(("name", "rated", "neutral"), ROWS)
def test_cells_have_the_posterior_of_their_games(tmp_path, name, rated, neutral):
    table = simulated(rated, neutral)
    write_cells(cells_of(table), tmp_path / "cells.parquet", simulated=True)
    models = [declare(name, select(one, one.players)) for one in (table, expand_cells([tmp_path / "cells.parquet"]))]
    point = np.random.default_rng(0).normal(0.0, 0.3, models[0].layout.count)
    values = [density(numbers_of(one))(point) for one in models]
    assert values[1][0] == pytest.approx(values[0][0], rel=1e-12)
    assert values[1][1] == pytest.approx(values[0][1], rel=1e-9, abs=1e-9)
    fits = [ReweightedFits(one) for one in models]
    found = [one.fit() for one in fits]
    sd = fits[0].errors(found[0])["strength"]
    means, sds = ([getattr(one, what)(at)["strength"] for one, at in zip(fits, found, strict=True)]
                  for what in ("values", "errors"))  # fmt: skip
    assert np.abs(means[1] - means[0]).max() < 1e-9 * sd.min()
    assert sds[1] == pytest.approx(sds[0], rel=1e-9)


@pytest.mark.further
@pytest.mark.parametrize(
    ("name", "rated", "neutral"), [ROWS[1], *(pytest.param(*row, marks=pytest.mark.slow) for row in (ROWS[0], ROWS[2]))]
)
def test_shards_have_the_fit_of_one_table(tmp_path, name, rated, neutral):
    table = simulated(rated, neutral)
    write_cells(cells_of(table), tmp_path / "cells.parquet", simulated=True)
    one = ReweightedFits(declare(name, select(table, table.players)), factored=False)
    fit = one.fit()
    with shards_here([str(tmp_path / "cells.parquet")], 3) as shards:
        sharded = ShardedFits(declare(name, few_of(table, 12)), table.players, shards)
        found = sharded.fit()
        means, sds = sharded.values(found), sharded.errors(found)
        about_mean = sharded.deviations_about_mean(found)
    expected, errors = one.values(fit), one.errors(fit)
    for parameter in ("strength", "advantage"):
        sd = errors[parameter]
        assert np.abs(means[parameter] - expected[parameter]).max() < 1e-9 * np.min(sd)
        assert sds[parameter] == pytest.approx(sd, rel=1e-9)
    assert shards.sent > 0
    assert shards.received > 0
    if rated:  # the ratings fix the level, and draws have the scale's error too
        return
    drawn = one.draws(fit, 4000, 1)[:, one.parts.of("strength")]
    spread = (drawn - drawn.mean(axis=1, keepdims=True)).std(axis=0)
    # of 4000 draws a standard deviation errs by 1.1%, five times that; a mean over 60 players has a share of 1/60
    assert about_mean == pytest.approx(spread, rel=5 / np.sqrt(2 * 4000) + 1 / PLAYERS)


def test_models_that_read_more_than_seats_are_refused(tmp_path):
    table = simulated(rated=False, neutral=False)
    write_cells(cells_of(table), tmp_path / "cells.parquet", simulated=True)
    for name in ("davidson-matched", "davidson-all-draws"):
        with (
            shards_here([str(tmp_path / "cells.parquet")]) as shards,
            pytest.raises(InferenceError, match="cells in shards: expected a model with the difference of two"),
        ):
            ShardedFits(declare(name, few_of(table, 12)), table.players, shards)

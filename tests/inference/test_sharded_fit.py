"""Fits in shards: bytes that are sent, forms of seats by hand, and the fit of the same games in one table."""

from dataclasses import dataclass

import numpy as np
import pytest
from few_games import few_of

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.matrix_free_precision import Members
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.shard_places import shards_here
from halfpoint.inference.gaussian.sharded_fit import ShardedFits, Shards, Widths, _bytes_of, seat_form
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.readers.cells import cells_of, write_cells

PLAYERS = 40


@dataclass
class Answer:
    """A future with its result."""

    value: object

    def result(self):
        return self.value


def test_bytes_of_arrays_are_counted_at_each_step():
    shards = Shards([lambda name, arguments: Answer((np.zeros(3), 1.0))] * 2)
    results = shards.each("look", np.zeros(10), (np.zeros(2), [np.zeros(1)]), "text")
    assert len(results) == 2
    assert (shards.sent, shards.received, shards.steps) == (2 * 8 * 13, 2 * 8 * 3, 1)
    shards.each("look")
    assert (shards.sent, shards.received, shards.steps) == (2 * 8 * 13, 4 * 8 * 3, 2)
    assert _bytes_of("text") == 0
    assert _bytes_of({"a": np.zeros(2)}) == 0


def test_widths_are_the_largest_of_the_shards_and_thetas_move_all_numbers():
    """The covariance of two thetas has one direction up and one down."""
    asked = []

    def call(name, arguments):
        asked.append((name, arguments))
        return Answer((0.1, 2.0, (0.3, 0.4)) if len(asked) % 2 else (0.2, 1.0, (0.5, 0.1)))

    widths = Widths(Shards([call, call]), np.ones(3), np.ones((3, 1)), np.zeros((3, 0)))
    rng = np.random.default_rng(1)
    ways, turn = [rng.normal(size=3) for _ in range(2)], np.linalg.qr(rng.normal(size=(2, 2)))[0]
    covariance = turn @ np.diag([0.5, -0.2]) @ turn.T
    widths += (ways, covariance)
    assert (widths.moved, widths.variance, widths.widest) == (0.2, 2.0, (0.5, 0.4))
    name, (alone, up, down) = asked[0]
    assert name == "widen"
    assert alone.tolist() == [1.0, 1.0, 1.0]
    assert (up.shape, down.shape) == ((3, 2), (3, 1))
    expected = np.ones((3, 3)) + np.transpose(ways) @ covariance @ np.stack(ways)
    np.testing.assert_allclose(up @ up.T - down @ down.T, expected)
    widths += ([], np.zeros((0, 0)))
    assert widths.up is asked[-1][1][1]
    assert widths.up.shape == (3, 2)


def table(neutral=False, rated=False, games=400, players=PLAYERS):
    """Random games of players whose names are sorted."""
    rng = np.random.default_rng(4)
    strength = rng.normal(0.0, 0.8, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    score = (rng.random(games) < 1.0 / (1.0 + np.exp(strength[black] - strength[white]))).astype(float)
    score[rng.random(games) < 0.3] = 0.5
    printed = np.rint(2000.0 + 150.0 * strength)
    more = {"white_rating_elo": printed[white], "black_rating_elo": printed[black]} if rated else {}
    more |= {"covariates": {"neutral": (rng.random(games) < 0.4).astype(float)}} if neutral else {}
    names = np.array([f"P{k:02d}" for k in range(players)])
    return GameTable(names, white.astype(np.int32), black.astype(np.int32), score, **more)


@pytest.mark.parametrize(
    ("name", "neutral", "slope"),
    [
        # of eta by the advantage, of lam by the draw parameter, where seats differ and on neutral ground
        ("davidson-population", False, [[[1, 0], [1, 0]], [[0, 1], [0, 1]]]),
        ("davidson-population-neutral", True, [[[1, 0], [0, 0]], [[0, 1], [0, 1]]]),
        ("bt-population", False, [[[1], [1]], [[0], [0]]]),
    ],
)
def test_the_form_of_seats_is_that_of_the_model(name, neutral, slope):
    games = table(neutral)
    posterior = PosteriorDensity(declare(name, few_of(games, 6)))
    members = Members(posterior.parts)
    form = seat_form(posterior, members)
    order = np.argsort([["advantage", "log_draw"].index(posterior_name(posterior, z)) for z in form.shared])
    assert form.slope[:, :, order].tolist() == slope
    assert np.array_equal(form.player, posterior.parts.position[posterior.parts.of("strength")])
    assert form.alone == name.startswith("bt")
    assert np.array_equal(form.of, members.of)


def posterior_name(posterior, z):
    """Parameter of a number."""
    parts = posterior.parts
    return next(
        name
        for name in ("advantage", "log_draw")
        if name in parts.declared.layout.slots and parts.position[parts.of(name)] == z
    )


@pytest.mark.parametrize("name", ["davidson-matched", "davidson-all-draws", "davidson-player", "margin-normal"])
def test_other_models_are_refused(name, tmp_path):
    games = table()
    games = GameTable(
        games.players, games.white, games.black, games.score, period=np.arange(len(games)) // 50 + 1,
        covariates={"margin": 2.0 * games.score - 1.0},
    )  # fmt: skip
    write_cells(cells_of(games), tmp_path / "cells.parquet", simulated=True)
    with (
        shards_here([str(tmp_path / "cells.parquet")]) as shards,
        pytest.raises(InferenceError, match=f"cells in shards: .*{name}"),
    ):
        ShardedFits(declare(name, few_of(games, 6)), games.players, shards)


def test_fewer_players_than_a_population_are_refused(tmp_path):
    games = table(players=39)
    write_cells(cells_of(games), tmp_path / "cells.parquet", simulated=True)
    with (
        shards_here([str(tmp_path / "cells.parquet")]) as shards,
        pytest.raises(InferenceError, match="cells in shards: expected at least 40 players, found 39"),
    ):
        ShardedFits(declare("davidson-population", few_of(games, 6)), games.players, shards)


@pytest.mark.parametrize(
    ("name", "neutral"),
    [("davidson-population", False), pytest.param("bt-population-neutral", True, marks=pytest.mark.further)],
)
def test_shards_have_the_fit_of_one_table(tmp_path, name, neutral):
    games = table(neutral)
    write_cells(cells_of(games), tmp_path / "cells.parquet", simulated=True)
    whole = ReweightedFits(declare(name, select(games, games.players, "both")), factored=False)
    fit = whole.fit()
    with shards_here([str(tmp_path / "cells.parquet")], 2) as shards:
        sharded = ShardedFits(declare(name, few_of(games, 6)), games.players, shards)
        assert sharded.rows == len(cells_of(games))
        fitted = sharded.fit()
        means, sds, about_mean = sharded.values(fitted), sharded.errors(fitted), sharded.deviations_about_mean(fitted)
    expected, errors = whole.values(fit), whole.errors(fit)
    for parameter in ("strength", "advantage"):
        sd = errors[parameter]
        assert np.abs(means[parameter] - expected[parameter]).max() < 1e-8 * np.min(sd)
        assert sds[parameter] == pytest.approx(sd, rel=1e-8)
    assert shards.sent > 0
    assert shards.received > 0
    assert 0.0 < about_mean.min() <= about_mean.max() < sds["strength"].max()

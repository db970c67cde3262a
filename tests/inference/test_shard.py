"""Cells of a shard: counts and sums by hand; values, slopes and widths of its rows against NumPy."""

import numpy as np
import polars
import pytest
from scipy.special import log_softmax

from halfpoint.inference.gaussian.shard import SeatForm, Shard
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.cells_file import SCHEMA
from halfpoint.readers.cells import write_cells


def test_a_shard_has_the_counts_of_its_cells_and_their_sums(tmp_path):
    rows = [
        # white, black, neutral ground, loss, draw, win, games with a rating of each side, sums of ratings
        ("Ann", "Bo", False, 3, 0, 300, 303, 2, 303 * 2000.0, 2 * 1500.0),
        ("Bo", "Cy", True, 0, 70_000, 1, 0, 0, 0.0, 0.0),
    ]
    write_cells(polars.DataFrame(rows, schema=SCHEMA, orient="row"), tmp_path / "cells.parquet", simulated=False)
    shard = Shard([tmp_path / "cells.parquet"])
    assert shard.counts.tolist() == [[3, 0], [0, 70_000], [300, 1]]
    assert shard.neutral.tolist() == [False, True]
    players = {row["player"]: row for row in shard.players().to_dicts()}
    results = [tuple(players[name][key] for key in ("wins", "draws", "losses")) for name in ("Ann", "Bo", "Cy")]
    assert results == [(300, 0, 3), (4, 70_000, 300), (0, 70_000, 1)]
    assert [players[name]["rated"] for name in ("Ann", "Bo", "Cy")] == [303, 2, 0]
    assert [players[name]["rating_sum_elo"] for name in ("Ann", "Bo", "Cy")] == [606_000.0, 3000.0, 0.0]
    assert players["Bo"]["neutral"] == 70_001


PLAYERS, Z = 5, 7  # five strengths, then the advantage and the draw parameter


def davidson_of(eta, lam):
    """Log probabilities of loss, draw and win, (row, outcome), and their slopes by eta and lam, (row, outcome, 2)."""
    scores = np.stack([-eta / 2.0, np.broadcast_to(lam, eta.shape), eta / 2.0], axis=-1)
    log_p = log_softmax(scores, axis=-1)
    by = np.array([[-0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])
    return log_p, by - np.einsum("...o,ok->...k", np.exp(log_p), by)[..., None, :]


def information_of(eta, lam):
    """Fisher information of a game about eta and lam, (row, 2, 2)."""
    log_p, slopes = davidson_of(eta, lam)
    return np.einsum("...o,...oi,...oj->...ij", np.exp(log_p), slopes, slopes)


@pytest.fixture(params=[False, True], ids=["seats", "neutral"])
def seated(request, tmp_path, monkeypatch):
    """A shard of 12 cells in blocks of five, slopes of eta and lam, (row, 2, z), and counts, (row, outcome)."""
    monkeypatch.setattr("halfpoint.inference.gaussian.shard._BLOCK", 5)
    rng = np.random.default_rng(7)
    names = np.array(list("abcde"))
    pairs = [(i, j) for i in range(PLAYERS) for j in range(PLAYERS) if i != j][:12]
    neutral = [bool(request.param and k % 3 == 0) for k in range(len(pairs))]
    counts = rng.integers(1, 5, size=(len(pairs), 3))
    rows = [
        (names[i], names[j], even, *map(int, count), 0, 0, 0.0, 0.0)
        for (i, j), even, count in zip(pairs, neutral, counts, strict=True)
    ]
    write_cells(polars.DataFrame(rows, schema=SCHEMA, orient="row"), tmp_path / "cells.parquet", simulated=False)
    shard = Shard([tmp_path / "cells.parquet"])
    shard.players()
    slope = np.zeros((2, 2, 2))
    slope[0, 0, 0], slope[1, :, 1] = 1.0, 1.0
    slope[0, 1, 0] = 0.25  # a rest of the advantage on neutral ground
    of = np.array([-1] * PLAYERS + [0, 1], dtype=np.int32)
    form = SeatForm(DAVIDSON, False, np.arange(PLAYERS, dtype=np.int32), np.array([5, 6]), slope, of)
    assert shard.seat(names, form) == len(pairs)
    design = np.zeros((len(pairs), 2, Z))
    for row, (i, j) in enumerate(pairs):
        design[row, 0, [i, j]] = 1.0, -1.0
        design[row, 0, 5], design[row, 1, 6] = 0.25 if neutral[row] else 1.0, 1.0
    return shard, design, counts.astype(float)


POINT = np.array([0.3, -0.5, 1.2, 0.1, -0.7, 0.2, 0.4])


def test_value_gradient_and_information_are_those_of_davidsons_model(seated):
    shard, design, counts = seated
    eta, lam = (design @ POINT).T
    log_p, slopes = davidson_of(eta, lam)
    value, gradient, (up, information) = shard.look(POINT, False, (0.0, 0.0))
    assert value == pytest.approx((counts * log_p).sum(), rel=1e-6)
    np.testing.assert_allclose(gradient, np.einsum("ro,rok,rkz->z", counts, slopes, design), rtol=1e-5, atol=1e-5)
    of_rows = counts.sum(axis=1)[:, None, None] * information_of(eta, lam)
    product = of_rows[:, 0, 0] * of_rows[:, 1, 1]
    assert up == pytest.approx(max((of_rows[:, 0, 1] ** 2 - product).max(), 0.0), abs=1e-4)
    assert information == pytest.approx(product.max(), rel=1e-3)
    whole = np.einsum("riz,rij,rjy->zy", design, of_rows, design)
    for bent in (None, POINT):
        alone, shared = shard.information(bent)
        np.testing.assert_allclose(alone[:PLAYERS], np.diag(whole)[:PLAYERS], rtol=1e-4)
        np.testing.assert_allclose(shared, whole[:, PLAYERS:], rtol=1e-4, atol=1e-4)
        x = np.random.default_rng(1).normal(size=(Z, 2))
        among = whole[:PLAYERS, :PLAYERS] - np.diag(np.diag(whole)[:PLAYERS])
        np.testing.assert_allclose(shard.between(x)[:PLAYERS], among @ x[:PLAYERS], rtol=1e-4, atol=1e-4)


def test_information_by_expected_results_is_that_of_another_point(seated):
    """Davidson's information follows from eta and lam alone, whatever the results."""
    shard, design, counts = seated
    other = -0.5 * POINT
    shard.look(POINT, False, (0.0, 0.0))
    alone, shared = shard.information(other)
    of_rows = counts.sum(axis=1)[:, None, None] * information_of(*(design @ other).T)
    whole = np.einsum("riz,rij,rjy->zy", design, of_rows, design)
    np.testing.assert_allclose(alone[:PLAYERS], np.diag(whole)[:PLAYERS], rtol=1e-4)
    np.testing.assert_allclose(shared, whole[:, PLAYERS:], rtol=1e-4, atol=1e-4)


def test_rows_are_averaged_over_their_widths(seated):
    """V is diagonal with one way up and one down; averages are Gauss-Hermite sums with 30 nodes each."""
    shard, design, counts = seated
    rng = np.random.default_rng(5)
    alone = rng.uniform(0.02, 0.06, Z)
    up, down = 0.2 * rng.normal(size=(Z, 1)), 0.05 * rng.normal(size=(Z, 1))
    covariance = np.einsum("riz,zy,rjy->rij", design, np.diag(alone) + up @ up.T - down @ down.T, design)
    moved, most, (of_eta, of_lam) = shard.widen(alone, up, down)
    assert moved == np.inf
    assert most == pytest.approx(covariance[:, 0, 0].max())
    assert of_eta == pytest.approx(np.sqrt(covariance[:, 0, 0].max()))
    rest = covariance[:, 1, 1] - covariance[:, 0, 1] ** 2 / covariance[:, 0, 0]
    assert of_lam == pytest.approx(np.sqrt(rest.max()))
    assert shard.widen(alone, up, down)[0] == pytest.approx(0.0, abs=1e-6)
    changed = shard.widen(1.5 * alone, up, down)[0]
    own = np.einsum("rz,z,rz->r", design[:, 0], 0.5 * alone, design[:, 0])
    assert changed == pytest.approx(own.max(), rel=1e-5)
    shard.widen(alone, up, down)

    nodes, share = np.polynomial.hermite_e.hermegauss(30)
    share = share / share.sum()
    root = np.linalg.cholesky(covariance)
    steps = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
    weight = np.outer(share, share).ravel()
    places = (design @ POINT)[:, None] + np.einsum("rij,nj->rni", root, steps)
    log_p, slopes = davidson_of(places[..., 0], places[..., 1])
    value, gradient, _ = shard.look(POINT, True, (0.0, 0.0))
    assert value == pytest.approx(np.einsum("ro,rno,n->", counts, log_p, weight), rel=1e-5)
    expected = np.einsum("ro,rnok,n,rkz->z", counts, slopes, weight, design)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-4)
    of_rows = np.einsum("r,rnij,n->rij", counts.sum(axis=1), information_of(places[..., 0], places[..., 1]), weight)
    whole = np.einsum("riz,rij,rjy->zy", design, of_rows, design)
    np.testing.assert_allclose(shard.information(None)[0][:PLAYERS], np.diag(whole)[:PLAYERS], rtol=1e-3)


def test_every_other_cell_is_in_the_other_shard(tmp_path):
    rows = [("a", "b", False, k, 0, 0, 0, 0, 0.0, 0.0) for k in range(1, 6)]
    write_cells(polars.DataFrame(rows, schema=SCHEMA, orient="row"), tmp_path / "cells.parquet", simulated=False)
    parts = [Shard([tmp_path / "cells.parquet"], number, 2) for number in range(2)]
    assert [part.counts[0].tolist() for part in parts] == [[1, 3, 5], [2, 4]]
    assert parts[0].call("players", ())["losses"].to_list() == [9.0, 0.0]


def test_cells_without_games_are_left_out_and_ratings_are_means(tmp_path):
    rows = [
        ("a", "b", False, 0, 0, 0, 0, 0, 0.0, 0.0),
        ("c", "a", False, 1, 1, 0, 2, 1, 3000.0, 1400.0),
    ]
    write_cells(polars.DataFrame(rows, schema=SCHEMA, orient="row"), tmp_path / "cells.parquet", simulated=False)
    shard = Shard([tmp_path / "cells.parquet"])
    assert shard.counts.tolist() == [[1], [1], [0]]
    assert shard.rating.tolist() == [1400.0, 0.0, 1500.0]

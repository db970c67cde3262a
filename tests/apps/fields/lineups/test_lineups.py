"""Line-ups: printed figures of a small network, walk and bootstrap, ridge by least squares, known truth."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from composed import Common, Free, MarginSpread, Model
from scipy import sparse

from halfpoint.apps.fields import lineups
from halfpoint.apps.fields.lineups.options import NetworkWalk
from halfpoint.apps.fields.lineups.plus_minus import GRID, design_of, integrate_ridge, left_out_errors, plus_minus
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.apps.fields.lineups.system import (
    advantage_of,
    dense_walk,
    incidence,
    leading_eigenvector,
    network_shares,
    together,
    unit_weights,
    unit_z,
    units_of,
)
from halfpoint.apps.fields.lineups.table import ROLES, LineupTable
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models import declare
from halfpoint.models.formulas.margin import MARGIN_NORMAL
from halfpoint.models.games.errors import GameTableError, RatingSystemError
from halfpoint.models.games.select import select
from halfpoint.systems.centrality import centrality

TOY = incidence(np.array([[0, 1], [0, 2], [1, 3], [2, 3]], dtype=np.int32), 4)  # units ab, ac, bd, cd
W = np.array([1.2, 1.0, 0.8, 0.5])


def test_the_toy_network():
    whole = together(TOY, W, diagonal=True)
    np.testing.assert_allclose(
        whole.toarray(), [[2.44, 1.44, 1, 0], [1.44, 2.08, 0, 0.64], [1, 0, 1.25, 0.25], [0, 0.64, 0.25, 0.89]]
    )
    assert centrality(together(TOY, W), 0.85).round(5).tolist() == [0.34960, 0.30480, 0.19520, 0.15040]
    assert centrality(whole, 0.85).round(5).tolist() == [0.33708, 0.29885, 0.20115, 0.16292]
    plain = together(TOY, W, squared=False)
    assert centrality(plain, 0.85).round(5).tolist() == [0.30491, 0.28091, 0.21909, 0.19509]


def test_the_leading_eigenvector_of_the_toy():
    matrix = together(TOY, W)
    vector = leading_eigenvector(matrix)
    assert vector.round(5).tolist() == [0.34893, 0.31336, 0.20373, 0.13398]
    assert float((matrix @ vector / vector).mean()) == pytest.approx(1.87709, abs=5e-6)


@pytest.mark.parametrize("squared", [True, False])
def test_dense_and_sparse_walks_agree(squared):
    dense = dense_walk(TOY.toarray(), W, squared, 0.85)
    np.testing.assert_allclose(dense, centrality(together(TOY, W, squared), 0.85), rtol=1e-12)
    alone = incidence(np.array([[0, 1], [2, 3]], dtype=np.int32), 5)  # the fifth player has no team-mate
    weights = np.array([1.0, 2.0])
    found = dense_walk(alone.toarray(), weights, squared, 0.85)
    np.testing.assert_allclose(found, centrality(together(alone, weights, squared), 0.85), rtol=1e-12)


def test_without_restart_shares_go_with_weighted_degree():
    matrix = together(TOY, W)
    degree = np.asarray(matrix.sum(axis=0))
    np.testing.assert_allclose(centrality(matrix, 0.999999), degree / degree.sum(), atol=1e-5)


def test_parts_that_nobody_joins_have_their_players_share():
    units = incidence(np.array([[0, 1, 2], [0, 1, 3], [4, 5, 6]], dtype=np.int32), 7)
    matrix = together(units, np.array([3.0, 0.1, 9.0]))
    for shares in (centrality(matrix, 0.85), leading_eigenvector(matrix)):
        assert shares[:4].sum() == pytest.approx(4 / 7)
        assert shares[4:].tolist() == pytest.approx([1 / 7] * 3)


@pytest.mark.parametrize("matrix", [sparse.csr_array(np.array([[0.0, -1.0], [1.0, 0.0]])), sparse.csr_array((2, 3))])
def test_centrality_takes_square_matrices_without_negative_entries(matrix):
    with pytest.raises(RatingSystemError, match="square matrix"):
        centrality(matrix, 0.85)


@pytest.fixture(scope="module")
def season():
    """Season with connected teams, and its truth."""
    return simulate_lineups(teams=6, games=240, transfers=6, seed=3)


def test_units_are_summed_over_stints(season):
    table, _ = season
    units = units_of(table)
    assert units.scored.sum() == units.allowed.sum() == table.points.sum()
    assert units.offence.sum() == units.defence.sum() == table.possessions.sum()
    who = tuple(table.offence[7].tolist())
    rows = [tuple(row) == who for row in table.offence.tolist()]
    place = [tuple(row) for row in units.members.tolist()].index(who)
    assert units.scored[place] == table.points[rows].sum()


def test_the_variance_of_a_possession():
    table, _ = simulate_lineups(skill=0.0, seed=2)
    expected = 1.1 / 2.2 * (0.7 * 4 + 0.25 * 9 + 0.05) - 1.1**2
    assert units_of(table).variance == pytest.approx(expected, rel=0.05)


def test_weights_are_shrunk_chances(season):
    units = units_of(season[0])
    kept = units.take(units.possessions_of("total") >= 20)
    for side in ("offence", "defence", "total"):
        w = unit_weights(kept, side)
        assert ((w > 0) & (w < 1)).all()
        z = unit_z(kept, side)
        assert np.array_equal(np.argsort(w), np.argsort(z))
        value, error = advantage_of(kept, side)
        assert (np.abs(z) <= np.abs(value / error) + 1e-12).all()
    raw = unit_weights(kept, "defence", "raw")
    assert raw.min() == 0.0
    np.testing.assert_allclose(unit_weights(kept, "total", "raw"), unit_weights(kept, "offence", "raw") + raw)
    with pytest.raises(RatingSystemError, match="offence"):
        unit_weights(kept, "bench")


def test_p_says_nothing_where_there_is_no_skill():
    found, flat = [], 0
    for seed in range(6):
        table, _ = simulate_lineups(teams=4, games=60, skill=0.0, seed=seed)
        units = units_of(table)
        found.append(
            network_shares(units, table.players.size, "total", NetworkWalk(weight="raw", bootstrap=200, seed=seed)).p
        )
        flat += bool((unit_weights(units.take(units.possessions_of("total") >= 20), "total") == 0.5).all())
    assert flat >= 1
    p = np.concatenate(found)
    assert p.min() > 0.0
    assert p.mean() == pytest.approx(0.5, abs=0.06)  # 240 players, who hang together by teams
    assert 0.02 < (p < 0.1).mean() < 0.2


def test_skill_is_found_by_p_and_better_by_plus_minus(season):
    table, truth = season
    skill = truth.offence + truth.defence
    shares = network_shares(units_of(table), table.players.size, "total", NetworkWalk(bootstrap=300))
    assert shares.counted > 50
    by_p = np.corrcoef(-shares.p, skill[shares.player])[0, 1]
    beside = plus_minus(table)
    by_ridge = np.corrcoef(beside.offence + beside.defence, skill)[0, 1]
    assert 0.4 < by_p < by_ridge
    assert by_ridge > 0.7
    assert beside.left_out_rmse < beside.mean_rmse
    inside = np.abs(beside.offence + beside.defence - skill) < 1.645 * beside.total_sd
    assert 0.8 < inside.mean() <= 1.0  # 90% of 60 players, within three binomial errors


def test_what_a_bootstrap_keeps(season):
    table, _ = season
    units = units_of(table)
    one = network_shares(units, table.players.size, "offence", NetworkWalk(bootstrap=50, seed=4))
    again = network_shares(units, table.players.size, "offence", NetworkWalk(bootstrap=50, seed=4))
    assert np.array_equal(one.p, again.p)
    assert np.isnan(network_shares(units, table.players.size, "offence", NetworkWalk(bootstrap=0)).p).all()
    with pytest.raises(RatingSystemError, match="--minimum"):
        network_shares(units, table.players.size, "offence", NetworkWalk(minimum=1e6))
    for wrong in ({"bootstrap": -1}, {"going_on": 1.0}):
        with pytest.raises(RatingSystemError, match="line-ups"):
            network_shares(units, table.players.size, "offence", NetworkWalk(**wrong))


def test_ridge_is_least_squares_with_rows_of_its_own(season):
    table, _ = season
    few = LineupTable(
        table.players, table.offence[:400], table.defence[:400], table.points[:400], table.possessions[:400],
        table.game[:400],
    )  # fmt: skip
    found = plus_minus(few, ridge=50.0)
    count = few.players.size
    design = np.zeros((400, 2 * count + 1))
    design[:, -1] = 1.0
    for row in range(400):
        design[row, few.offence[row]] = 1.0
        design[row, count + few.defence[row]] = -1.0
    root = np.sqrt(few.possessions)[:, None]
    extra = np.sqrt(50.0) * np.eye(2 * count, 2 * count + 1)
    target = np.concatenate([root[:, 0] * few.points / few.possessions, np.zeros(2 * count)])
    beta = np.linalg.lstsq(np.concatenate([root * design, extra]), target, rcond=None)[0]
    np.testing.assert_allclose(np.concatenate([found.offence, found.defence]), beta[:-1], atol=1e-10)
    assert found.level == pytest.approx(beta[-1])
    with pytest.raises(RatingSystemError, match="--ridge"):
        plus_minus(few, ridge=0.0)


CSV = """gameId,offensePlayer1Id,offensePlayer2Id,defensePlayer1Id,defensePlayer2Id,points,possessions
1,a,b,c,d,2,1
1,c,d,b,a,3,2
2,a,b,d,c,0,1
"""


def test_files_are_read(tmp_path):
    file = tmp_path / "stints.csv"
    file.write_text(CSV)
    table = read_lineups(file)
    assert table.players[table.offence].tolist() == [["a", "b"], ["c", "d"], ["a", "b"]]
    assert table.possessions.tolist() == [1.0, 2.0, 1.0]
    file.write_text("offence;defence;pts\na + b; c+d ;2\nc+d;a+b;1\n")
    table = read_lineups(file)
    assert table.players[table.defence].tolist() == [["c", "d"], ["a", "b"]]
    assert table.points.tolist() == [2.0, 1.0]
    units = units_of(table)
    assert units.offence.tolist() == units.defence.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("wrong", [{"teams": 1}, {"roster": 5}, {"games": 0}, {"base": 3.0}, {"transfers": 99}])
def test_seasons_that_cannot_be(wrong):
    with pytest.raises(GameTableError, match="simulated line-ups"):
        simulate_lineups(**wrong)


def test_who_is_never_apart_is_said(season):
    steady, _ = simulate_lineups(teams=3, rotations=1, games=30, seed=2)
    answer = lineups.lineups(steady, bootstrap=0, minimum=0)
    assert "Always on the floor together" in answer.note
    five = steady.players[steady.offence[0]].tolist()
    assert f"{' + '.join(five)}." in answer.note or f"{' + '.join(five)};" in answer.note
    alike = answer.frame.set_index("player").loc[five, "plus_minus_offence"]
    np.testing.assert_allclose(alike, alike.iloc[0])
    assert "Always on the floor" not in lineups.lineups(season[0], bootstrap=0).note


@pytest.mark.slow
def test_intervals_of_plus_minus_hold_where_the_ridge_is_learned():
    inside, chosen = [], []
    for seed in range(150):
        table, truth = simulate_lineups(teams=3, roster=8, rotations=12, games=5, stints=20, seed=seed)
        found = plus_minus(table)
        both = found.offence + found.defence, truth.offence + truth.defence, found.total_sd
        parts = (
            (found.offence, truth.offence, found.offence_sd),
            (found.defence, truth.defence, found.defence_sd),
            both,
        )
        inside.append([np.mean(np.abs(one - other) < 1.645 * sd) for one, other, sd in parts])
        ridge, _, _ = left_out_errors(table, 1, GRID)
        _, effects, sd, _ = integrate_ridge(
            design_of(table), table.points / table.possessions, table.possessions, ridge
        )
        chosen.append(np.mean(np.abs(effects[:24] + effects[24:] - both[1]) < 1.645 * sd[2]))
    share, error = np.mean(inside, axis=0), np.std(inside, axis=0) / np.sqrt(150)
    assert (np.abs(share - 0.9) < 4 * error + 0.01).all(), share
    page = " ".join((Path(__file__).parents[4] / "docs" / "several-people.md").read_text(encoding="utf-8").split())
    assert f"cover {share[2]:.0%} of the true values, and {np.mean(chosen):.0%} with a single chosen l." in page


def few_stints(season, count=400):
    """First stints of a season."""
    table, _ = season
    return LineupTable(
        table.players, table.offence[:count], table.defence[:count], table.points[:count], table.possessions[:count],
        table.game[:count],
    )  # fmt: skip


def test_the_ridge_is_where_the_model_of_margins_is_highest(season):
    table, prior_sd, spread = few_stints(season), 0.05, 0.6
    table = replace(table, possessions=np.where(np.arange(400) % 3, 5.0, 2.0))
    games, strengths = table.as_games(), Free((0.0, table.offence.shape[1] * prior_sd))
    model = Model("plus-minus", MARGIN_NORMAL, strengths, Common((0.0, 1000.0)), MarginSpread())
    declared = declare(model, select(games, games.people, "both"))
    beside = plus_minus(table, ridge=spread**2 / prior_sd**2)
    names = dict.fromkeys(declared.cells.players.tolist())
    for role, values in zip(ROLES, (beside.offence, beside.defence), strict=True):
        for name, value in zip(table.players.tolist(), values, strict=True):
            names[f"{name} ({role})"] = value * table.offence.shape[1]
    strength = np.array([names[name] for name in declared.cells.players.tolist()])
    p = {"strength": strength, "advantage": beside.level, "log_width": np.log(spread)}
    _, slope = density(numbers_of(declared))(declared.coordinates(p))
    assert np.abs(slope[:-1]).max() < 1e-6 * np.abs(slope[-1])  # all but the width's

"""Abilities with deals of equal variance: normal draws equal the closed form at each of their spreads; coverage."""

import numpy as np
import pytest

from halfpoint.apps.fields.bridge import bridge_abilities
from halfpoint.apps.fields.bridge.as_games import as_games
from halfpoint.apps.fields.bridge.comparison import cross_imps
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select


def test_draws_are_those_of_the_conditional_normal_distribution_at_their_spreads():
    """Strengths g, partnerships p and deals b of a linear model y = D x + e in closed form."""
    table, _ = simulate_club(players=12, sessions=5, boards=12, seed=6)
    games = as_games(table)
    tree = fit(declare("bridge-ability-even", select(games, games.people, "both")), "normal", Effort(1000, seed=4), 0)
    draws = tree["posterior"].to_dataset().stack(sample=("chain", "draw"))
    people, partners = (draws[name].to_numpy().astype(str).tolist() for name in ("player", "partners"))
    size = len(people) + len(partners)
    deals, deal = np.unique(games.covariates["deal"], return_inverse=True)
    matrix = np.zeros((len(games), size + deals.size))
    for row, side, sign in (
        (k, side, s) for k in range(len(games)) for side, s in ((games.white, 1), (games.black, -1))
    ):
        names = games.players[side[row]].split(" + ")
        matrix[row, [people.index(name) for name in names]] += sign / 2.0
        matrix[row, len(people) + partners.index(" + ".join(names))] += sign
    matrix[np.arange(len(games)), size + deal] = 1.0
    y, means, squares = games.covariates["margin"], [], []
    centre = np.eye(size + deals.size)
    centre[: len(people), : len(people)] -= 1.0 / len(people)
    for k in range(0, draws.sizes["sample"], 40):
        one = draws.isel(sample=k)
        spread = [float(one[name]) for name in ("strength_spread", "strength_partners_spread")]
        prior = np.repeat([*spread, 10.0], [len(people), len(partners), deals.size])
        inverse = np.diag(prior**-2.0) + matrix.T @ matrix / np.exp(2.0 * float(one["log_width"]))
        covariance = np.linalg.inv(inverse)
        means.append(centre @ covariance @ matrix.T @ y / np.exp(2.0 * float(one["log_width"])))
        squares.append(np.diag(centre @ covariance @ centre.T))
    strength = draws["strength"].transpose("sample", "player").to_numpy()
    bond = draws["strength_partners"].transpose("sample", "partners").to_numpy()
    drawn = np.concatenate([strength - strength.mean(axis=1, keepdims=True), bond], axis=1)
    exact = np.mean(means, axis=0)[:size]
    sd = np.sqrt(np.mean(squares, axis=0) + np.var(means, axis=0))[:size]
    assert (np.abs(drawn.mean(axis=0) - exact) < 0.1 * sd).all()  # 100 spreads: that is four errors
    np.testing.assert_allclose(drawn.std(axis=0), sd, rtol=0.1)


@pytest.mark.slow
def test_intervals_hold_nineteen_of_twenty_where_points_are_scored():
    clubs = [simulate_club(players=24, sessions=16, boards=24, seed=100 + seed) for seed in range(12)]
    product, square = 0.0, 0.0
    for table, truth in clubs:
        _, ns, ew = table.pairs()
        gap = truth.pair_imps[ns] - truth.pair_imps[ew]
        away = gap - (np.bincount(table.deal, gap) / np.bincount(table.deal))[table.deal]
        product, square = product + away @ cross_imps(table.score_ns, table.deals, "all"), square + away @ away
    scale = product / square
    assert 0.8 < scale < 1.0
    shares = []
    for table, truth in clubs:
        found = bridge_abilities(table, "bridge-ability-even", seed=2).frame.set_index("player").loc[truth.players]
        skill = scale * (truth.skill_imps - truth.skill_imps.mean())
        shares.append(((found["low_imps"] <= skill) & (skill <= found["high_imps"])).mean())
    error = np.std(shares) / np.sqrt(len(shares))
    print(f"{100 * np.mean(shares):.1f}% +- {100 * error:.1f}, an IMP of skill is {scale:.3f} cross-IMPs")
    assert 0.92 - 2.0 * error < np.mean(shares) < 0.98 + 2.0 * error

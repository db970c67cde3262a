"""Abilities in closed form: against SciPy, against NUTS, by draws against whole, coverage, pairs that never split."""

import numpy as np
import pytest
from scipy import stats

from halfpoint.fields.bridge.ability import DRAWS, Spreads, ability, design
from halfpoint.fields.bridge.as_games import as_games
from halfpoint.fields.bridge.comparison import cross_imps
from halfpoint.fields.bridge.simulate import simulate_club
from halfpoint.games.partners import told
from halfpoint.games.select import select
from halfpoint.games.sides import code_sides
from halfpoint.games.table import GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import sample
from halfpoint.models.catalogue import declare

NAMES = np.array([f"P{k:02d}" for k in range(24)])
TRUE = Spreads(2.0, 0.6, 4.7)
NINETY = stats.norm.ppf(0.95)


def club(seed, evenings=12, boards=8, steady=False, people=24, spreads=TRUE):
    """Return the games of a club, margins normal around the truth, and the truth; partners change by the evening."""
    rng = np.random.default_rng(seed)
    names, seats, deals = NAMES[:people], [], []
    for evening in range(evenings):
        order = np.arange(people) if steady else rng.permutation(people)
        pairs = order.reshape(-1, 2)
        for board in range(boards):
            pairs = rng.permutation(pairs)
            seats.append(pairs.reshape(-1, 4))
            deals.append(np.full(people // 4, evening * boards + board))
    seat, deal = np.concatenate(seats), np.concatenate(deals)
    every = [{names[a]: 1.0, names[b]: 1.0} for a, b in np.concatenate([seat[:, :2], seat[:, 2:]]).tolist()]
    codes = np.arange(2 * deal.size, dtype=np.int32)
    players, white, black, sides = code_sides(every, codes[: deal.size], codes[deal.size :], "club")
    about = {"name": "club", "source": "club", "simulated": True, "sides": sides}
    score = np.full(deal.size, 0.5)
    games = GameTable(players, white, black, score, covariates={"margin": score, "deal": deal}, **about)
    equations = design(games)
    truth = np.concatenate(
        [rng.normal(0, spreads.strength, people), rng.normal(0, spreads.partners, equations.partners.size)]
    )
    margin = (
        equations.matrix @ truth + rng.normal(0, spreads.width, deal.size) + rng.normal(0, 3.0, deal.max() + 1)[deal]
    )
    score = (1.0 + np.sign(margin)) / 2.0
    return GameTable(players, white, black, score, covariates={"margin": margin, "deal": deal}, **about), truth


def test_it_is_the_conditional_normal_distribution_with_the_spreads_at_the_maximum():
    games, _ = club(1, evenings=8)
    found, equations = ability(games), design(games)
    matrix, y = equations.matrix.toarray(), equations.margin
    strength, partners, width = found.spreads
    prior = np.where(equations.single, strength, partners) ** 2
    same = equations.deal[:, None] == equations.deal[None]

    def covariance(strength, partners, width):
        prior = np.where(equations.single, strength, partners) ** 2
        return (matrix * prior) @ matrix.T + width**2 * np.eye(y.size) + 100.0 * same

    here = covariance(strength, partners, width)
    expected = stats.multivariate_normal.logpdf(y, np.zeros(y.size), here)
    assert found.log_likelihood == pytest.approx(expected, rel=1e-8)
    gain = (matrix * prior).T @ np.linalg.inv(here)
    mean = gain @ y
    np.testing.assert_allclose(found.covariance, np.diag(prior) - gain @ (matrix * prior), atol=1e-8)
    np.testing.assert_allclose(found.strength, mean[:24] - mean[:24].mean(), atol=1e-8)
    np.testing.assert_allclose(found.bond, mean[24:], atol=1e-8)
    for factor in ((1.05, 1, 1), (0.95, 1, 1), (1, 1.3, 1), (1, 0.7, 1), (1, 1, 1.05), (1, 1, 0.95)):
        other = covariance(*(np.array(found.spreads) * factor))
        nearby = stats.multivariate_normal.logpdf(y, np.zeros(y.size), other) + np.log(factor[0] * factor[1])
        assert nearby < expected


def test_sides_are_the_sum_of_what_they_are_made_of_and_the_level_is_nobodys():
    games, _ = club(2, evenings=3)
    found = ability(games, TRUE)
    assert found.strength.mean() == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(found.side, found.strength[found.members].mean(axis=1) + found.bond)
    index = np.concatenate([found.members, 24 + np.arange(found.partners.size)[:, None]], axis=1)
    pick = np.zeros((found.partners.size, found.covariance.shape[0]))
    np.put_along_axis(pick, index.astype(np.int64), np.array([0.5, 0.5, 1.0]), axis=1)
    pick[:, :24] -= 1.0 / 24.0  # against the mean player
    np.testing.assert_allclose(found.side_sd, np.sqrt(np.diag(pick @ found.covariance @ pick.T)), rtol=1e-9)


def test_by_draws_it_is_the_same():
    games, _ = club(4, evenings=20, boards=6)
    whole, drawn = ability(games, TRUE), ability(games, TRUE, dense=0)
    for name in ("strength", "bond", "side"):
        np.testing.assert_allclose(getattr(drawn, name), getattr(whole, name), atol=1e-5)
    assert (whole.draws, drawn.draws) == (0, DRAWS)
    # the level of all strengths is the population's in the draws, and these players' in the whole
    level = TRUE.strength / np.sqrt(24)
    error = 4.0 * np.sqrt(0.5 / DRAWS)
    for name in ("strength_sd", "side_sd"):
        np.testing.assert_allclose(getattr(drawn, name), np.hypot(getattr(whole, name), level), rtol=error)
    np.testing.assert_allclose(drawn.bond_sd, whole.bond_sd, rtol=error)
    assert abs(np.mean(drawn.bond_sd / whole.bond_sd) - 1.0) < 0.02


def test_the_fixed_point_is_near_the_maximum_of_the_likelihood():
    games, _ = club(5, evenings=30, boards=8)
    whole, drawn = ability(games), ability(games, dense=0)
    np.testing.assert_allclose(drawn.spreads.strength, whole.spreads.strength, rtol=0.05)
    np.testing.assert_allclose(drawn.spreads.width, whole.spreads.width, rtol=0.01)
    np.testing.assert_allclose(drawn.spreads.partners, whole.spreads.partners, rtol=0.15)
    for name in ("strength", "side"):
        np.testing.assert_allclose(getattr(drawn, name), getattr(whole, name), atol=0.1)


def test_nuts_of_the_row_is_the_closed_form_over_its_draws_of_the_spreads():
    """E(x | games) = E of the closed form's mean over the posterior of T, P, s and of the deals' widths."""
    games, _ = club(6, evenings=6, boards=4, people=16)
    declared = declare("bridge-ability", select(games, games.people, "both"))
    tree = sample(declared, draws=1500, tune=700, chains=2, seed=4, cores=2)
    posterior = tree["posterior"].to_dataset().stack(sample=("chain", "draw"))
    names = [name.replace(" & ", " + ") for name in posterior["partners"].values.tolist()]
    assert names == ability(games, TRUE).partners.tolist()
    _, deal = np.unique(games.covariates["deal"].astype(str), return_inverse=True)
    kept = np.arange(0, posterior.sizes["sample"], 6)  # 500: the mean of the ratios below has an error of 0.009
    means, squares = [], []
    for k in kept:
        one = posterior.isel(sample=k)
        spreads = Spreads(
            float(one["strength_spread"]), float(one["strength_partners_spread"]), float(np.exp(one["log_width"]))
        )
        found = ability(games, spreads, np.exp(one["log_width_deal"].to_numpy())[deal])
        means.append(np.concatenate([found.strength, found.bond]))
        squares.append(np.concatenate([found.strength_sd, found.bond_sd]) ** 2)
    strength = posterior["strength"].transpose("sample", "player").to_numpy()
    strength = strength - strength.mean(axis=1, keepdims=True)
    drawn = np.concatenate(
        [strength, posterior["strength_partners"].transpose("sample", "partners").to_numpy()], axis=1
    )
    exact, spread = np.mean(means, axis=0), np.sqrt(np.mean(squares, axis=0) + np.var(means, axis=0))
    error = np.hypot(
        drawn.std(axis=0) / np.sqrt(300.0), np.std(means, axis=0) / np.sqrt(20.0)
    )  # effective draws, at least
    assert (np.abs(drawn.mean(axis=0) - exact) < 4.0 * error).all()
    np.testing.assert_allclose(drawn.std(axis=0), spread, rtol=0.2)
    assert abs(np.mean(drawn.std(axis=0) / spread) - 1.0) < 0.04


def held(name, shares):
    """Print the share of intervals that hold the truth, and say that it is nine tenths within two per cent."""
    error = np.std(shares) / np.sqrt(len(shares))
    print(f"90% intervals of {name}: {100.0 * np.mean(shares):.1f}% hold the truth (+- {100.0 * error:.1f})")
    assert 0.88 - 2.0 * error < np.mean(shares) < 0.92 + 2.0 * error, (name, np.mean(shares), error)


@pytest.mark.slow
def test_intervals_of_players_and_of_pairs_hold_nine_tenths():
    """Clubs of 24 with new partners each evening, margins drawn from the model."""
    inside: dict[str, list[float]] = {"players": [], "pairs": []}
    for seed in range(60):
        games, truth = club(seed)
        found = ability(games)
        assert told(games.sides, games.white, games.black).apart
        strength = truth[:24] - truth[:24].mean()
        side = strength[found.members].mean(axis=1) + truth[24:]
        for name, mean, sd, true in (
            ("players", found.strength, found.strength_sd, strength),
            ("pairs", found.side, found.side_sd, side),
        ):
            inside[name].append(np.mean(np.abs(mean - true) < NINETY * sd))
    for name, shares in inside.items():
        held(f"{name}, IMPs drawn from the model", shares)


@pytest.mark.slow
def test_intervals_hold_nine_tenths_where_points_are_scored():
    """Clubs whose points are scored as in life: IMPs of large swings do not add up, so that abilities are smaller.

    By how much is measured on the same clubs: the slope of cross-IMPs on the true difference of the pairs. Deals are
    more or less wild, which the closed form does not know.
    """
    clubs, answers = [simulate_club(players=24, sessions=16, boards=24, seed=100 + seed) for seed in range(50)], []
    product, square = 0.0, 0.0
    for table, truth in clubs:
        _, ns, ew = table.pairs()
        gap = truth.pair_imps[ns] - truth.pair_imps[ew]
        away = gap - (np.bincount(table.deal, gap) / np.bincount(table.deal))[table.deal]
        won = cross_imps(table.score_ns, table.deals, "all")
        product, square = product + away @ won, square + away @ away
        answers.append(ability(as_games(table)))
    scale = product / square
    print(f"an IMP a board of skill is {scale:.3f} cross-IMPs a board")
    assert 0.8 < scale < 1.0
    inside: dict[str, list[float]] = {"players": [], "pairs": []}
    for (_, truth), found in zip(clubs, answers, strict=True):
        strength = 2.0 * (truth.skill_imps - truth.skill_imps.mean())
        worth = dict(zip((name.replace(" & ", " + ") for name in truth.pairs.tolist()), truth.pair_imps, strict=True))
        side = np.array([worth[name] for name in found.partners.tolist()]) - 2.0 * truth.skill_imps.mean()
        for name, mean, sd, true in (
            ("players", found.strength, found.strength_sd, strength),
            ("pairs", found.side, found.side_sd, side),
        ):
            inside[name].append(np.mean(np.abs(mean - scale * true) < NINETY * sd))
    for name, shares in inside.items():
        held(f"{name}, points scored", shares)


def test_pairs_that_never_split_are_known_as_pairs():
    games, _ = club(3, evenings=6, steady=True)
    found, apart = ability(games, TRUE), told(games.sides, games.white, games.black)
    assert len(apart.together) == 12
    assert "never apart, so known and listed only together" in apart.describe()[0]
    # a pair is known, and of its players nothing but that: their difference has its prior spread
    first, second = found.members.T
    covariance = found.covariance
    difference = covariance[first, first] + covariance[second, second] - 2.0 * covariance[first, second]
    np.testing.assert_allclose(np.sqrt(difference), np.sqrt(2.0) * TRUE.strength, rtol=1e-6)
    assert found.side_sd.max() < 0.5 * found.strength_sd.min()


def test_single_players_and_no_deals():
    """Without people together and without deals it is a regression on differences."""
    rng = np.random.default_rng(3)
    white = rng.integers(0, 6, 80).astype(np.int32)
    black = ((white + rng.integers(1, 6, 80)) % 6).astype(np.int32)
    margin = rng.normal(0, 3.0, 80)
    score = (1.0 + np.sign(margin)) / 2.0
    games = GameTable(NAMES[:6], white, black, score, covariates={"margin": margin})
    found = ability(games, Spreads(1.5, 1.0, 3.0))
    design_matrix = np.eye(6)[white] - np.eye(6)[black]
    precision = np.eye(6) / 1.5**2 + design_matrix.T @ design_matrix / 9.0
    mean = np.linalg.solve(precision, design_matrix.T @ margin / 9.0)
    np.testing.assert_allclose(found.strength, mean - mean.mean(), atol=1e-10)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(precision), atol=1e-10)
    assert found.partners.size == 0


def test_games_without_margins_are_refused():
    games, _ = club(3, evenings=1)
    plain = GameTable(games.players, games.white, games.black, games.score, sides=games.sides)
    with pytest.raises(InferenceError, match="expected a margin, found none"):
        ability(plain)


def test_bridge_results_find_their_players():
    table, truth = simulate_club(players=16, sessions=20, boards=16, seed=9)
    found = ability(as_games(table))
    skill = 2.0 * (truth.skill_imps - truth.skill_imps.mean())
    assert (np.abs(found.strength - skill) < 4.0 * found.strength_sd).all()
    assert found.spreads.width == pytest.approx(4.7, rel=0.2)

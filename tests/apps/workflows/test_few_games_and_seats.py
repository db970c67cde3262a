"""Output of `rate` for players with few games, a match of two, and seats without information."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.apps import workflows
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL

QUICK = {"method": "normal", "draws": 1000}


def club(guests=6, seed=3):
    """Eight regulars, guests with two games against them, and a pair who met no other player."""
    rng = np.random.default_rng(seed)
    count = 8 + guests
    names = np.array([f"Player {number:02d}" for number in range(count)] + ["Visitor 1", "Visitor 2"])
    white = np.concatenate([rng.integers(0, 8, 160), np.repeat(np.arange(8, count), 2), [count]])
    black = np.concatenate([(white[:160] + rng.integers(1, 8, 160)) % 8, rng.integers(0, 8, 2 * guests), [count + 1]])
    truth = Truth(names, rng.normal(0.0, 1.0, names.size), 0.2, 0.1)
    return simulate(truth, Schedule(white.astype(np.int32), black.astype(np.int32)), seed)


def test_players_of_few_games_are_rated_where_a_population_tells_of_them():
    rated = workflows.rate(club(), **QUICK)
    names = rated.frame["player"].tolist()
    assert sorted(names) == [f"Player {number:02d}" for number in range(14)]
    assert "6 players with fewer than 5 games are also rated" in rated.about["account"]
    assert "2 players who never meet the others, and their" in rated.about["account"]
    sd = rated.frame.set_index("player")["sd_elo"]
    assert sd.iloc[[names.index(f"Player {number:02d}") for number in range(8, 14)]].min() > 1.5 * sd["Player 00"]
    for options in ({"model": "davidson-common"}, {"min_games": 5}, {"rare": "pool"}):
        assert "one pooled player" in workflows.rate(club(), **options, **QUICK).about["account"]


def test_a_list_that_rests_on_guests_says_what_it_takes_them_for():
    assert not any("pooled with all players" in line for line in workflows.rate(club(), **QUICK).about["not_told"])
    [line] = workflows.rate(club(guests=60), model="davidson-population", **QUICK).about["not_told"]
    assert line.startswith("43% of the games are of players with fewer than 5, pooled with all players")


def season(found_by_strength, seed=8):
    """Twelve rounds of 60 players with a standard deviation of 350 Elo: opponents by strength or at random, random
    seats.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 350.0, 60) / ELO_PER_NATURAL
    orders = [np.argsort(found_by_strength * strength + rng.normal(0.0, 0.3, 60)) for _ in range(12)]
    pairs = np.concatenate([order.reshape(-1, 2) for order in orders])
    white, black = rng.permuted(pairs, axis=1).astype(np.int32).T
    truth = Truth(np.array([f"Player {number:02d}" for number in range(60)]), strength, 0.2, 0.1)
    return simulate(truth, Schedule(white, black), seed), strength


@pytest.mark.further
def test_a_list_of_opponents_found_by_strength_holds_and_one_population_says_that_it_may_not():
    for by_strength, model in ((0.0, "auto"), (1.0, "auto"), (1.0, "davidson-population")):
        games, strength = season(by_strength)
        rated = workflows.rate(games, model=model, **QUICK)
        drawn = rated.trace["posterior"]["strength"].stack(s=("chain", "draw")).to_numpy()
        low, high = np.quantile(drawn - drawn.mean(axis=0), [0.05, 0.95], axis=1)
        held = ((low <= strength - strength.mean()) & (strength - strength.mean() <= high)).mean()
        said = [line for line in rated.about["not_told"] if "or long chains connect some players" in line]
        assert (held > 0.78, len(said)) == ((True, 0) if model == "auto" else (False, 1))


def match(wins, draws, losses):
    """A against B, colours in turn."""
    score = np.random.default_rng(1).permutation(np.repeat([1.0, 0.5, 0.0], [wins, draws, losses]))
    turned = np.arange(score.size) % 2 == 1
    players = turned.astype(np.int32), (~turned).astype(np.int32)
    return GameTable(np.array(["A", "B"]), *players, np.where(turned, 1.0 - score, score), name="match")


@pytest.mark.parametrize("neutral", [False, True])
@pytest.mark.parametrize(("wins", "draws", "losses"), [(30, 50, 20), (55, 0, 45)])
def test_a_match_of_two_stands_where_its_own_score_puts_it(wins, draws, losses, neutral):
    """55 of 100 points are 400 lg(55/45) = 34.9 Elo, drawn or not (docs/models.md)."""
    played = match(wins, draws, losses)
    played = replace(played, covariates={"neutral": np.ones(100)}) if neutral else played
    rated = workflows.rate(played, draws=1000)
    drawn = rated.trace["posterior"]["rating_elo"]
    gap = (drawn.sel(player="A") - drawn.sel(player="B")).to_numpy().ravel()
    error = gap.std() / np.sqrt(2000.0)  # of some 2,000 effective draws at the least
    assert gap.mean() == pytest.approx(400.0 * np.log10(55 / 45), abs=4 * error + 1.0)  # and some skewness


def test_a_match_that_one_won_outright_is_bounded():
    rated = workflows.rate(match(20, 0, 0), draws=500)
    assert rated.about["model"] == "bt-matched"
    assert rated.frame["rating_elo"].max() - rated.frame["rating_elo"].min() < 1500.0


def test_neutral_ground_tells_nothing_of_seats_and_forecasts_leave_them_out():
    games = replace(club(), covariates={"neutral": np.ones(len(club()))})
    rated = workflows.rate(games, model="davidson-population-neutral", **QUICK)
    assert rated.about["advantage_elo"] is None
    assert "worth" not in rated.about["shared"]
    assert "All games are on neutral ground, so the first-seat advantage is unknown" in rated.note
    reading = reading_of(rated.trace)
    one, other = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    there, back = reading.pairing(one, other), reading.pairing(other, one)
    np.testing.assert_allclose(there, back[..., ::-1], atol=1e-12)  # in every draw


def test_winners_named_first_tell_nothing_of_seats_to_a_row_that_has_them():
    rng = np.random.default_rng(5)
    strength = np.linspace(-1.2, 1.2, 8)
    one = rng.integers(0, 8, 300)
    other = (one + rng.integers(1, 8, 300)) % 8
    won = rng.random(300) < 1.0 / (1.0 + np.exp(strength[other] - strength[one]))
    winner, loser = np.where(won, one, other).astype(np.int32), np.where(won, other, one).astype(np.int32)
    games = GameTable(np.array([f"P{number}" for number in range(8)]), winner, loser, np.ones(300), name="ladder")
    even = workflows.rate(games, model="bt-population-even", **QUICK).frame.set_index("player")
    seated = workflows.rate(games, model="bt-population", **QUICK)
    assert "the first seat always won" in seated.about["account"]
    assert seated.about["advantage_elo"] is None
    found = seated.frame.set_index("player")
    np.testing.assert_allclose(
        found["rating_elo"], even.loc[found.index, "rating_elo"], atol=0.25 * even["sd_elo"].min()
    )

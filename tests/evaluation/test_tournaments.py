"""Tournaments compared with exact enumeration of every result, and with independently written simulations."""

import itertools

import numpy as np
import pytest
from composed import reading_of_draws

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.knockout import bracket, knockout, match_chances, with_results
from halfpoint.evaluation.pairing import swiss_pairs
from halfpoint.evaluation.tournament_options import Rules
from halfpoint.evaluation.tournaments import outlook

ADVANTAGE, LOG_DRAW = 0.35, 0.2
NOTHING = np.empty((0, 3))


def reading(strength):
    """Davidson's model with these strengths, shape (draw, player), one advantage and one draw parameter."""
    strength = np.atleast_2d(np.asarray(strength, dtype=np.float64))
    draws, count = strength.shape
    p = {"strength": strength, "advantage": np.full(draws, ADVANTAGE), "log_draw": np.full(draws, LOG_DRAW)}
    return reading_of_draws("davidson-common", p, [f"player {number}" for number in range(count)])


def game(white, black):
    """Davidson's loss, draw and win by the formula; the advantage is added to White's side."""
    parts = np.exp([black, LOG_DRAW + (white + ADVANTAGE + black) / 2.0, white + ADVANTAGE])
    return parts / parts.sum()


def found(strength, rules, seed=1, count=100_000, played=NOTHING):
    """Outlook of a tournament of all players, in their order."""
    made = reading(strength)
    seat = np.arange(made.players.size, dtype=np.int32)
    names = made.players.tolist()
    result = outlook(made, seat, names, rules, np.random.default_rng(seed), count, np.asarray(played, dtype=np.float64))
    return result.table.loc[names], result.places.loc[names], result


def errors(chance, count):
    """Monte Carlo standard errors of simulated chances, at least that of one success."""
    return np.sqrt(np.maximum(chance * (1.0 - chance), 1.0 / count) / count)


def shared(points):
    """Shares of the title and of each place, shape (player,) and (player, place)."""
    points = np.asarray(points)
    title = (points == points.max()) / (points == points.max()).sum()
    places = np.zeros((points.size, points.size))
    for value in np.unique(points):
        who = np.flatnonzero(points == value)
        better = (points > value).sum()
        places[np.ix_(who, np.arange(better, better + who.size))] = 1.0 / who.size
    return title, places


def enumerated(strength, games, start=0.0, breaks=None):
    """Exact title and place chances over every result of a list of games (white, black)."""
    count = len(strength)
    title, places = np.zeros(count), np.zeros((count, count))
    chances = [game(strength[i], strength[j]) for i, j in games]
    for way in itertools.product(range(3), repeat=len(games)):
        points = np.zeros(count) + start
        for (i, j), outcome in zip(games, way, strict=True):
            points[i] += outcome / 2
            points[j] += 1 - outcome / 2
        weight = np.prod([p[outcome] for p, outcome in zip(chances, way, strict=True)])
        key = points if breaks is None else breaks(points, games, way)
        one, where = shared(key)
        title += weight * one
        places += weight * where
    return title, places


ROUND_ROBIN = [(0, 2), (1, 3), (1, 0), (2, 1), (3, 0), (3, 2)]  # of four: who has White, by the rule of the module


def test_a_round_robin_of_four_against_all_729_results():
    strength = [[0.5, 0.2, 0.0, -0.6], [0.1, 0.4, -0.2, 0.3]]
    exact = [enumerated(one, ROUND_ROBIN) for one in strength]
    title, places = (np.mean([one[part] for one in exact], axis=0) for part in (0, 1))
    table_, where, _ = found(strength, Rules(), count=200_000)
    assert np.all(np.abs(table_["title"] - title) < 4 * errors(title, 200_000))
    assert np.all(np.abs(where.to_numpy() - places) < 4.5 * errors(places, 200_000))
    assert table_["title"].sum() == pytest.approx(1.0)
    assert where.to_numpy().sum(axis=0) == pytest.approx(np.ones(4))
    assert table_["points"].sum() == pytest.approx(6.0)


@pytest.mark.parametrize("tie_break", ["sonneborn-berger", "buchholz"])
def test_tie_breaks_of_finished_tournaments(tie_break):
    parted = 0
    for way in list(itertools.product(range(3), repeat=6))[::7]:
        points, taken, met = np.zeros(4), np.zeros((4, 4)), 1 - np.eye(4)
        for (i, j), outcome in zip(ROUND_ROBIN, way, strict=True):
            taken[i, j], taken[j, i] = outcome / 2, 1 - outcome / 2
        points = taken.sum(axis=1)
        key = 1000 * points + (taken if tie_break == "sonneborn-berger" else met) @ points
        title, places = shared(key)
        played = [(i, j, outcome / 2) for (i, j), outcome in zip(ROUND_ROBIN, way, strict=True)]
        table_, where, _ = found(np.zeros(4), Rules(tie_break=tie_break), count=1, played=played)
        np.testing.assert_allclose(table_["title"], title)
        np.testing.assert_allclose(where, places)
        parted += not np.array_equal(title, shared(points)[0])
    assert (parted > 5) == (tie_break == "sonneborn-berger")  # Buchholz never parts equals of a whole round robin


def test_results_so_far_stay():
    strength = [0.5, 0.2, 0.0, -0.6]
    played = [(1, 0, 0.5), (3, 2, 1.0), (0, 3, 0.0)]  # the last with colours turned
    left = [(0, 2), (1, 3), (2, 1)]
    title, places = enumerated(strength, left, start=np.array([0.5, 0.5, 0.0, 2.0]))
    table_, where, _ = found(strength, Rules(), count=200_000, played=played)
    assert np.all(np.abs(table_["title"] - title) < 4 * errors(title, 200_000))
    assert np.all(np.abs(where.to_numpy() - places) < 4.5 * errors(places, 200_000))
    with pytest.raises(EvaluationError, match="at most 1 games of a pair"):
        found(strength, Rules(), played=[(1, 0, 0.5), (0, 1, 0.5)])


def match_by_hand(one, two):
    white, black = game(one, two), game(two, one)[::-1]
    total = np.convolve(white, black)  # half points 0 to 4
    won, lost = white[2] + black[2], white[0] + black[0]
    return total[3:].sum() + total[2] * won / (won + lost)


def test_a_knockout_of_four_by_hand():
    strength = [0.6, 0.3, 0.1, -0.4]
    table_, where, result = found(strength, Rules("knockout", seeding="listed"))

    def beats(i, j):
        return match_by_hand(strength[i], strength[j])

    first = beats(0, 3) * (beats(1, 2) * beats(0, 1) + beats(2, 1) * beats(0, 2))
    assert table_["title"].iloc[0] == pytest.approx(first, abs=1e-12)
    assert table_["final"].iloc[3] == pytest.approx(beats(3, 0), abs=1e-12)
    assert table_["title"].sum() == pytest.approx(1.0, abs=1e-12)
    assert where.to_numpy().sum(axis=0) == pytest.approx([2.0, 1.0])
    assert result.best_wins == pytest.approx(first)


@pytest.mark.parametrize("count", [2, 3, 5, 6, 8, 13])
def test_byes_go_to_the_first_seeds_and_chances_add_up(count):
    strength = np.linspace(0.5, -0.5, count)
    table_, where, _ = found(strength, Rules("knockout", games=1, decider="coin", seeding="listed"))
    assert table_["title"].sum() == pytest.approx(1.0, abs=1e-12)
    lines = bracket(count)
    byes = [int(max(a, b)) for a, b in lines.reshape(-1, 2) if min(a, b) < 0]
    assert sorted(byes) == list(range(lines.size - count))
    assert where.iloc[byes, 0].to_numpy() == pytest.approx(np.ones(len(byes)))


@pytest.mark.parametrize("decider", ["replay", "armageddon", "coin"])
@pytest.mark.parametrize("games", [1, 2, 3])
def test_one_of_two_wins_a_match(games, decider):
    chance = np.array([[game(a, b) for b in (0.4, 0.0, -0.2)] for a in (0.4, 0.0, -0.2)])
    beats = match_chances(chance, games, decider)
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose((beats + beats.T)[off], 1.0, atol=1e-12)
    assert beats[0, 1] > 0.5


def test_finished_matches_are_decided():
    beats = match_chances(np.array([[game(a, b) for b in (0.4, 0.0)] for a in (0.4, 0.0)]), 2, "coin")
    assert with_results(beats, np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.5]]), 2)[0, 1] == 0.0
    with pytest.raises(EvaluationError, match="finished matches"):
        with_results(beats, np.array([[1.0, 0.0, 0.5]]), 2)


def test_a_knockout_against_plain_simulations():
    rng = np.random.default_rng(8)
    strength, count = rng.normal(0.0, 0.5, 8), 400_000
    order = np.argsort(-strength)
    alive = np.tile(order[[0, 7, 3, 4, 1, 6, 2, 5]], (count, 1))
    while alive.shape[1] > 1:
        one, two = alive[:, ::2], alive[:, 1::2]
        turned = rng.random(one.shape) < 0.5
        white, black = np.where(turned, two, one), np.where(turned, one, two)
        table_ = np.array([[game(a, b) for b in strength] for a in strength])
        chance, uniform = table_[white, black], rng.random(one.shape)
        win = np.where(uniform < chance[..., 2], True, rng.random(one.shape) < 0.5)
        win &= uniform < chance[..., 2] + chance[..., 1]
        alive = np.where(win, white, black)
    plain = np.bincount(alive[:, 0], minlength=8) / count
    exact = found(strength, Rules("knockout", games=1, decider="coin"))[0]["title"].to_numpy()
    assert np.all(np.abs(exact - plain) < 4 * errors(exact, count))


def swiss_by_hand(strength):
    """Exact title chances of a two-round Swiss of four, independently written from the rule."""
    title = np.zeros(4)
    first = [(0, 2), (3, 1)]  # upper half against lower half, White on the odd board to the higher one
    for one in itertools.product(range(3), repeat=2):
        points = np.zeros(4)
        weight = 1.0
        for (i, j), outcome in zip(first, one, strict=True):
            points[i] += outcome / 2
            points[j] += 1 - outcome / 2
            weight *= game(strength[i], strength[j])[outcome]
        standing = sorted(range(4), key=lambda who: (-points[who], who))
        met = {frozenset(pair) for pair in first}
        # the pairing of the four in which the first meets, of those allowed, whom the rule of groups says
        group = [who for who in standing if points[who] == points[standing[0]]]
        half = len(group) // 2
        wanted = group[half:] + group[:half] if half else []
        choice = [who for who in wanted if who != standing[0] and frozenset((standing[0], who)) not in met]
        if not choice:
            choice = [who for who in standing[1:] if frozenset((standing[0], who)) not in met]
        partner = choice[0]
        pairs = [(standing[0], partner), tuple(who for who in standing if who not in (standing[0], partner))]
        white = {0: 1, 3: 1, 2: -1, 1: -1}
        second = []
        for board, (i, j) in enumerate(pairs):
            turned = white[i] > white[j] if white[i] != white[j] else board % 2 == 0
            second.append((j, i) if turned else (i, j))
        for two in itertools.product(range(3), repeat=2):
            final, chance = points.copy(), weight
            for (i, j), outcome in zip(second, two, strict=True):
                final[i] += outcome / 2
                final[j] += 1 - outcome / 2
                chance *= game(strength[i], strength[j])[outcome]
            title += chance * shared(final)[0]
    return title


def test_a_swiss_of_four_against_all_81_results():
    strength = [0.6, 0.3, 0.0, -0.5]
    title = swiss_by_hand(strength)
    assert title.sum() == pytest.approx(1.0)
    table_, _, _ = found(strength, Rules("swiss", rounds=2, seeding="listed"), count=50_000)
    assert np.all(np.abs(table_["title"] - title) < 4 * errors(title, 50_000))


@pytest.mark.parametrize("count", [6, 7, 20, 33])
def test_nobody_meets_anybody_twice_in_a_swiss_while_it_can_be_avoided(count):
    rng = np.random.default_rng(count)
    for _ in range(50):
        points, met = np.zeros(count), np.zeros((count, count), dtype=np.int64)
        colour, last, byes = (np.zeros(count, dtype=np.int64) for _ in range(3))
        for number in range(min(5, count // 3 + 1)):
            white, black, bye = swiss_pairs(points, np.arange(count), met, colour, last, byes, number)
            assert sorted([*white, *black, *([bye] if bye >= 0 else [])]) == list(range(count))
            for i, j in zip(white, black, strict=True):
                met[i, j] += 1
                met[j, i] += 1
                score = rng.choice([0.0, 0.5, 1.0])
                points[i] += score
                points[j] += 1 - score
                colour[i] += 1
                colour[j] -= 1
                last[i], last[j] = 1, -1
            if bye >= 0:
                byes[bye] += 1
                points[bye] += 1
            assert byes.max() <= 1
        assert met.max() == 1
        assert np.abs(colour).max() <= 3


def test_a_live_swiss_goes_on_from_its_rounds():
    strength = [0.6, 0.3, 0.0, -0.5]
    rules = Rules("swiss", rounds=2, seeding="listed")
    over = [(0, 2, 1.0), (3, 1, 0.0), (1, 0, 1.0), (2, 3, 1.0)]
    table_, where, _ = found(strength, rules, count=10, played=over)
    assert table_["points"].tolist() == [1.0, 2.0, 1.0, 0.0]
    assert where.iloc[1].tolist() == [1.0, 0.0, 0.0, 0.0]
    odd, _, _ = found(strength[:3], Rules("swiss", rounds=1, seeding="listed"), count=10, played=[(0, 1, 1.0)])
    assert odd["points"].tolist() == [1.0, 0.0, 1.0]  # the third had the bye


def test_seeding_keeps_the_best_apart():
    strength = np.tile(np.linspace(1.5, -1.5, 8), (40, 1))
    rules = {one: Rules("knockout", games=2, seeding=one) for one in ("rating", "random")}
    chances = {one: found(strength, rule)[2].best_wins for one, rule in rules.items()}
    assert chances["rating"] > chances["random"] + 0.01


def test_the_error_is_that_of_the_draws():
    rng = np.random.default_rng(3)
    strength = rng.normal(0.0, 1.0, (50, 4))
    few, _, _ = found(strength, Rules(), count=20_000)
    many, _, _ = found(strength, Rules(), count=400_000)
    assert np.all(many["mc_error"] > 0.8 * few["mc_error"])
    assert np.all(many["mc_error"] > 0.02)


def test_mistakes_are_named():
    for wrong in ({"format": "league"}, {"tie_break": "lot"}, {"decider": "duel"}, {"seeding": "best"}, {"rounds": 0}):
        with pytest.raises(EvaluationError, match="expected"):
            Rules(**wrong)
    assert knockout(np.array([[0.0, 0.7], [0.3, 0.0]]), np.array([0, 1]))[:, -1].tolist() == [0.7, 0.3]

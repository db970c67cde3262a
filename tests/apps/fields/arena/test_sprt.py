"""Sequential tests: errors, lengths and posterior by simulation and closed forms; matches from PGN; user errors."""

import numpy as np
import pytest
from scipy.stats import kstest, norm

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.engine_match import sequential_test
from halfpoint.apps.fields.arena.game_pairs import counts_of, in_pairs, pair_keys
from halfpoint.apps.fields.arena.likelihood_ratio import shares_at
from halfpoint.apps.fields.arena.sprt import Sprt, normalized_elo, simulate_tests
from halfpoint.apps.pages.page import Chart
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.table import GameTable

PAIRS = np.array([0.02, 0.21, 0.54, 0.21, 0.02])
GAMES = np.array([0.25, 0.5, 0.25])


def test_bounds_are_walds():
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((np.log(0.1 / 0.95), np.log(0.9 / 0.05)))


@pytest.mark.parametrize("normalized", [False, True])
def test_the_outlook_is_walds(normalized):
    test = Sprt(0.0, 10.0, 0.05, 0.1, normalized)
    chance, games = test.outlook([0.0, 10.0], PAIRS)
    assert chance == pytest.approx([0.05, 0.9], abs=2e-3 if not normalized else 1e-9)
    t = test.t_of([0.0, 10.0], PAIRS)
    lower, upper = test.bounds
    step = 0.5 * (t[1] - t[0]) ** 2
    assert games[1] == pytest.approx(2 * (0.9 * upper + 0.1 * lower) / step, rel=5e-3)
    assert games[0] == pytest.approx(2 * (0.05 * upper + 0.95 * lower) / -step, rel=5e-3)
    middle, many = test.outlook([5.0 - 1e-9, 5.0 + 1e-9, 5.0 + 1e-4], PAIRS)
    assert middle == pytest.approx(np.full(3, -lower / (upper - lower)), abs=1e-3)
    assert many == pytest.approx(np.full(3, 2 * upper * -lower / (2 * step)), rel=5e-3)
    assert test.outlook([-400.0, 400.0], PAIRS)[0] == pytest.approx([0.0, 1.0], abs=1e-9)
    assert [float(one) for one in test.outlook(3.0, PAIRS, upper)] == [1.0, 0.0]
    assert [float(one) for one in test.outlook(3.0, PAIRS, lower - 1)] == [0.0, 0.0]


def test_a_walk_from_where_the_ratio_stands_ends_as_the_outlook_says():
    test = Sprt(0.0, 10.0, normalized=True)
    zero, one = test.t_of([0.0, 10.0], PAIRS)
    rng, (lower, upper) = np.random.default_rng(4), test.bounds
    drift, sd = (one - zero) * (test.t_of(8.0, PAIRS) - 0.5 * (zero + one)), one - zero
    walk, ended, passed = np.full(4000, 1.5), np.zeros(4000), np.zeros(4000, dtype=bool)
    going, times = np.arange(4000), 0
    while going.size:
        times += 1
        walk[going] += drift + sd * rng.normal(size=going.size)
        out = (walk[going] >= upper - 0.583 * sd) | (walk[going] <= lower + 0.583 * sd)
        ended[going[out]], passed[going[out]] = times, walk[going[out]] > 0
        going = going[~out]
    chance, games = test.outlook(8.0, PAIRS, 1.5)
    assert passed.mean() == pytest.approx(float(chance), abs=4 * passed.std() / np.sqrt(4000))
    assert 2 * ended.mean() == pytest.approx(float(games), abs=4 * 2 * ended.std() / np.sqrt(4000))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "normalized", "elo1"), [(PAIRS, True, 30.0), (PAIRS, False, 15.0), (GAMES, False, 25.0)]
)
def test_ten_thousand_tests_have_the_errors_that_are_stated_and_the_lengths_that_wald_expects(share, normalized, elo1):
    test, number = Sprt(0.0, elo1, 0.05, 0.1, normalized), 10_000
    for place, (difference, expected) in enumerate([(0.0, 0.05), (elo1 / 2, None), (elo1, 0.9)]):
        true = shares_at(share, difference, normalized)
        accepted, games = simulate_tests(test, true, number, np.random.default_rng([5, place]), look=4)
        chance, length = test.outlook(difference, true)
        error = np.sqrt(0.25 / number)
        if expected is not None:
            error = np.sqrt(expected * (1 - expected) / number)
            wrong, stated = (accepted.mean(), 0.05) if place == 0 else (1 - accepted.mean(), 0.1)
            assert stated * 0.7 < wrong < stated + 4 * error
        assert accepted.mean() == pytest.approx(float(chance), abs=4 * error + 0.03)
        assert 1.0 - 4 * games.std() / games.mean() / np.sqrt(number) < games.mean() / float(length) < 1.2


def test_belief_is_normal_theorys_where_there_are_many_games():
    counts = np.array([300, 2100, 5200, 2200, 310])
    for test in (Sprt(0.0, 4.0, normalized=True), Sprt(0.0, 4.0)):
        difference, weight = test.belief(counts, 30.0)
        mean = float(weight @ difference)
        slope = float(test.t_of(1.0, counts)) * np.sqrt(counts.sum())
        sd = (30.0**-2 + slope**2) ** -0.5
        assert mean == pytest.approx(test.estimate(counts) * (sd * slope) ** 2, abs=0.02 * sd)
        assert np.sqrt(weight @ (difference - mean) ** 2) == pytest.approx(sd, rel=0.01)


@pytest.mark.parametrize("normalized", [False, True])
def test_belief_covers_when_truths_come_from_its_prior(normalized):
    rng, ranks = np.random.default_rng(6), []
    test = Sprt(0.0, 10.0, normalized=normalized)
    for _ in range(200):
        truth = rng.normal(0.0, 50.0)
        counts = rng.multinomial(60, shares_at(PAIRS, truth, normalized))
        difference, weight = test.belief(counts, 50.0)
        ranks.append(np.interp(truth, difference, np.cumsum(weight)))
    assert kstest(ranks, "uniform").pvalue > 0.01
    assert np.mean(np.abs(np.array(ranks) - 0.5) < 0.45) == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 200))


@pytest.mark.parametrize("draws", [2, 4, 8, 20])
def test_belief_after_draws_alone_is_about_that_of_dirichlet_shares(draws):
    """Against the integral over shares with a Dirichlet(1/2) prior given the difference: 84, 74, 59, 35 Elo."""
    difference = np.linspace(-300.0, 300.0, 601)
    score = 1.0 / (1.0 + 10.0 ** (-difference / 400.0))
    angle = (np.arange(2000) + 0.5) / 2000 * np.pi / 2
    most = 2.0 * np.minimum(score, 1.0 - score)[:, None]
    drawn = most * np.sin(angle) ** 2  # its ends have poles of order 1/2, which this removes
    prior = ((score[:, None] - drawn / 2) * (1.0 - score[:, None] - drawn / 2) * drawn) ** -0.5
    prior = prior * most * np.sin(2.0 * angle)
    weight = (prior * drawn**draws).sum(axis=1) / prior.sum(axis=1) * np.exp(-0.5 * (difference / 50.0) ** 2)
    expected = np.interp(0.975, weight.cumsum() / weight.sum(), difference)
    found, share = Sprt().belief([0, draws, 0])
    low, high = np.interp([0.025, 0.975], share.cumsum(), found)
    assert high == pytest.approx(-low, abs=1.0)
    assert expected < high < 1.2 * expected  # the most likely shares in place of all: somewhat too wide


def test_a_few_draws_hold_nothing_at_every_look():
    note = sequential_test([0, 4, 0]).about["note"]
    assert "With so few games there is no interval that is valid whenever the match stops." in note


def test_the_error_of_normalised_elo_is_how_far_estimates_scatter():
    share = np.array([34, 54, 63, 64, 75]) / 290
    found = [normalized_elo(one)[0] for one in np.random.default_rng(7).multinomial(290, share, size=4000)]
    assert normalized_elo(share * 290)[1] == pytest.approx(np.std(found), rel=4 / np.sqrt(2 * 4000) + 0.01)


def pgn(rounds, white="New", black="Old", results=("1-0", "1/2-1/2"), fen=None):
    """Games in pairs: in each round White and Black of the first game exchange seats in the second."""
    text = ""
    for number in rounds:
        for half, result in enumerate(results, start=1):
            sides = (white, black) if half == 1 else (black, white)
            start = f'[FEN "{fen[number]}"]\n' if fen else ""
            name = number if fen else f"{number}.{half}"
            text += f'[Event "m"]\n[Round "{name}"]\n[White "{sides[0]}"]\n[Black "{sides[1]}"]\n{start}'
            text += f'[Result "{result}"]\n\n1. e4 e5 {result}\n\n'
    return text


def test_a_match_in_several_files_is_one_match(tmp_path):
    (tmp_path / "one.pgn").write_text(pgn(range(1, 41)))
    (tmp_path / "two.pgn").write_text(pgn(range(1, 11), results=("0-1", "1/2-1/2")) + pgn([99], results=("*",)))
    found = arena.sequential_test([tmp_path / "one.pgn", tmp_path / "two.pgn"], Sprt(0.0, 50.0))
    about = found.about
    assert (about["first"], about["second"], about["by"], about["pairs_by"]) == ("New", "Old", "pairs", "round")
    assert (about["wins"], about["draws"], about["losses"]) == (40, 50, 10)
    assert about["pentanomial"] == [0, 10, 0, 40, 0]
    assert found.drift["games"].tolist() == list(range(2, 101, 2))
    assert found.drift["llr"].iloc[-1] == pytest.approx(about["llr"])
    assert found.drift["llr"].iloc[9] == pytest.approx(float(found.test.ratio([0, 0, 0, 10, 0])))
    assert found.frame["counts"].tolist() == ["0 10 0 40 0", "10 50 40"]
    assert found.frame["elo"].tolist() == pytest.approx([400 * np.log10(65 / 35)] * 2)
    assert "1 unfinished" in found.note
    turned = arena.sequential_test([tmp_path / "one.pgn", tmp_path / "two.pgn"], Sprt(-50.0, 0.0), first="old")
    assert turned.about["llr"] == pytest.approx(-about["llr"])
    assert turned.about["p_above_elo0"] == pytest.approx(1 - about["p_above_elo1"], abs=1e-3)


def test_the_first_bound_that_is_passed_decides_whatever_comes_after(tmp_path):
    (tmp_path / "up.pgn").write_text(pgn(range(80)))
    (tmp_path / "down.pgn").write_text(pgn(range(80, 240), results=("0-1", "1/2-1/2")))
    found = arena.sequential_test([tmp_path / "up.pgn", tmp_path / "down.pgn"], Sprt(0.0, 30.0))
    assert found.about["decision"] == "H1"
    assert found.about["llr"] < found.test.bounds[0]
    then = found.about["games_at_decision"]
    assert then < 160
    ratio = found.drift.set_index("games")["llr"]
    assert ratio[then - 2] < found.test.bounds[1] <= ratio[then]
    assert f"H1 (elo1 = 30 Elo) is accepted after {then} games" in found.about["answer"]


@pytest.mark.parametrize("kind", ["x.1", "round twice", "fen"])
def test_pairs_are_known_by_rounds_and_by_positions(kind, tmp_path):
    rounds = [f"{number}.{half}" for number in range(1, 5) for half in (1, 2)]
    if kind != "x.1":
        rounds = [one[0] for one in rounds]
    order = [0, 3, 2, 1, 5, 4, 6, 7]
    white = np.array([0, 1] * 4)[order]
    tags = {"Round": np.array(rounds)[order]}
    if kind == "fen":  # each game a round of its own
        tags = {"Round": np.arange(1, 9).astype(str), "FEN": np.array([f"position {one}" for one in rounds])[order]}
    score = np.array([1, 0, 0.5, 0, 0, 1, 0.5, 0.5])[order]
    games = GameTable(
        np.array(["A", "B"]), white.astype(np.int32), (1 - white).astype(np.int32), score, covariates=tags
    )
    keys, where = pair_keys(games)
    assert where == ("FEN" if kind == "fen" else "round")
    found = in_pairs(games, keys)
    points = found[["points", "points_turned"]].to_numpy().mean(axis=1)
    assert counts_of(points, 5).tolist() == [1, 0, 1, 1, 1]
    assert found[["game", "game_turned"]].to_numpy().tolist() == [[2, 1], [0, 3], [5, 4], [6, 7]]


def test_rounds_of_a_tournament_are_no_pairs():
    white, black = np.array([0, 1, 0], np.int32), np.array([1, 0, 1], np.int32)
    for tags in ({"Round": np.array(["1", "1", "1"])}, {"Round": np.array(["?", "?", "?"])}, {}):
        games = GameTable(np.array(["A", "B"]), white, black, np.array([1, 0, 0.5]), covariates=tags)
        assert pair_keys(games) == (None, "")


def test_pairs_are_known_by_order_where_rounds_and_colours_alternate():
    white, black = np.array([0, 1, 0, 1, 0], np.int32), np.array([1, 0, 1, 0, 1], np.int32)
    score, names = np.array([1, 0.5, 0, 1, 1]), np.array(["A", "B"])
    rounds = {"Round": np.arange(1, 6).astype(str)}
    games = GameTable(names, white, black, score, covariates=rounds)
    keys, where = pair_keys(games)
    assert (where, in_pairs(games, keys)[["game", "game_turned"]].to_numpy().tolist()) == ("order", [[0, 1], [2, 3]])
    unknown = GameTable(names, white, black, score)
    assert pair_keys(unknown) == (None, "")
    assert len(in_pairs(unknown, pair_keys(unknown, "order")[0])) == 2
    twice = GameTable(
        names, white[[0, 0, 1, 1]], black[[0, 0, 1, 1]], score[:4], covariates={"Round": rounds["Round"][:4]}
    )
    assert pair_keys(twice) == (None, "")  # the same colours twice
    with pytest.raises(GameTableError, match=r"--pairs: expected auto \| order, found 'rounds'"):
        pair_keys(games, "rounds")


def test_games_without_a_pair_are_tested_one_by_one(tmp_path):
    text = pgn(["-"] * 60, results=("1-0",)) + pgn(["-"] * 30, results=("0-1",))
    (tmp_path / "games.pgn").write_text(text.replace('"-.1"', '"-"'))
    found = arena.sequential_test(tmp_path / "games.pgn", Sprt(0.0, 40.0))
    assert (found.about["by"], found.about["pentanomial"], len(found.drift)) == ("games", None, 90)
    assert "No pairs of games with reversed colours were found" in found.note
    p = [1 / (1 + 10 ** (-d / 400)) for d in (0.0, 40.0)]
    assert found.about["llr"] == pytest.approx(
        60 * np.log(p[1] / p[0]) + 30 * np.log((1 - p[1]) / (1 - p[0])), abs=1e-3
    )
    (chart,) = [part for part in found.page().parts if isinstance(part, Chart)]
    assert {row["series"] for row in chart.rows} == {"log likelihood ratio", "H0 accepted", "H1 accepted"}
    assert [row["y"] for row in chart.rows[:90]] == pytest.approx(found.drift["llr"].tolist())
    found = arena.sequential_test(tmp_path / "games.pgn", Sprt(0.0, 4.0))
    assert found.about["decision"] == "go on"
    assert found.about["p_h1"] == pytest.approx(
        sum(
            weight * float(found.test.outlook(d, [30, 0, 60], found.about["llr"])[0])
            for d, weight in zip(*found.test.belief([30, 0, 60]), strict=True)
        )
    )


def test_two_engines_are_chosen_among_several(tmp_path):
    (tmp_path / "three.pgn").write_text(pgn(range(3)) + pgn(range(3), white="Older"))
    found = arena.sequential_test(tmp_path / "three.pgn", first="older", second="Old")
    assert found.title == "Older against Old: 6 games, +3 =3 -0"
    with pytest.raises(HalfpointError, match="two engines with common games"):
        arena.sequential_test(tmp_path / "three.pgn", first="New", second="Older")


def test_los_is_the_belief_under_a_wide_prior():
    counts = np.array([12, 210, 520, 240, 18])
    difference, weight = Sprt().belief(counts, 200.0)
    share = counts / counts.sum()
    mean = share @ np.linspace(0, 1, 5)
    z = (mean - 0.5) / np.sqrt(share @ (np.linspace(0, 1, 5) - mean) ** 2 / counts.sum())
    assert weight[difference > 0].sum() == pytest.approx(norm.cdf(z), abs=0.01)

"""Default models by kind of file: seats of knockouts, walks within a year, players with ratings, failing draws."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.workflows.intake import Account
from halfpoint.apps.workflows.options import Run
from halfpoint.apps.workflows.rows_by_pairings import by_pairings
from halfpoint.apps.workflows.suggest import in_time, ladder, of_now, suggest, without_seats
from halfpoint.apps.workflows.trace_of_games import Job, _first_that_passes, traces_of
from halfpoint.inference import gaussian
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.gaussian import moves
from halfpoint.inference.gaussian.moves import sample_moves
from halfpoint.models.declaration.catalogue import CATALOGUE
from halfpoint.models.games import select
from halfpoint.readers import read


def whole(frame):
    table = read(frame)
    return select(table, table.players, "both")


def tour(rng, seeded):
    """Fifteen knockouts of sixteen, one a day, with the seed first or random seats."""
    rows, strength = [], rng.normal(0.0, 1.0, 40)
    for event in range(15):
        left = sorted(rng.choice(40, 16, replace=False).tolist(), key=lambda k: -strength[k])
        day = str(np.datetime64("2024-01-01") + np.timedelta64(5 * event, "D"))
        while len(left) > 1:
            half, winners = len(left) // 2, []
            for a, b in zip(left[:half], left[half:][::-1], strict=True):
                first, second = (a, b) if seeded or rng.random() < 0.5 else (b, a)
                won = rng.random() < 1.0 / (1.0 + np.exp(strength[second] - strength[first]))
                rows.append((f"P{first:02d}", f"P{second:02d}", float(won), day))
                winners.append(first if won else second)
            left = winners
    return pd.DataFrame(rows, columns=["white", "black", "score", "date"]), strength


@pytest.mark.parametrize("seeded", [True, False])
def test_seats_of_knockouts_count_unless_they_follow_the_seeds(seeded):
    frame, _ = tour(np.random.default_rng(1), seeded)
    selection, reason = without_seats(whole(frame))
    assert selection.games.all_neutral == seeded == bool(reason)
    assert suggest(selection)[0] == ("bt-matched-even" if seeded else "bt-matched")


@pytest.mark.slow
def test_a_tour_of_seeded_knockouts_covers_the_truth():
    inside, slope = [], []
    for seed in range(3):
        frame, strength = tour(np.random.default_rng([seed, 3]), True)
        rated = workflows.rate(frame, draws=500)
        draws = rated.trace["posterior"]["strength"].stack(sample=("chain", "draw")).transpose("sample", "player")
        truth = strength[[int(name[1:]) for name in draws["player"].to_numpy().astype(str)]]
        apart = draws.to_numpy() - draws.to_numpy().mean(axis=1, keepdims=True)
        low, high = np.quantile(apart, [0.025, 0.975], axis=0)
        truth = truth - truth.mean()
        inside.append(np.mean((low <= truth) & (truth <= high)))
        mean = apart.mean(axis=0)
        slope.append(mean @ truth / (mean @ mean))
    assert np.mean(inside) >= 0.85
    assert 0.75 < np.mean(slope) < 1.35


@pytest.mark.parametrize(("days", "row"), [(300, "davidson-matched"), (700, "davidson-matched-yearly-walk")])
def test_strengths_of_many_players_walk_by_years_where_there_are_years(days, row):
    rng = np.random.default_rng(2)
    first = rng.integers(0, 2100, 9000)
    second = (first + rng.integers(1, 2100, 9000)) % 2100
    day = np.datetime64("2024-01-02") + rng.integers(0, days, 9000).astype("timedelta64[D]")
    frame = pd.DataFrame({"white": [f"P{k:04d}" for k in first], "black": [f"P{k:04d}" for k in second]})
    selection = whole(frame.assign(score=rng.choice([0.0, 0.5, 1.0], 9000), date=day.astype(str)))
    name, _, remark = of_now("davidson-matched", selection, in_time(selection))
    assert name == row
    assert ("constant strengths are assumed" in remark) == (days < 365)


@pytest.mark.parametrize(("players", "row"), [(60, "davidson-matched-walk"), (150, "davidson-matched-yearly-walk")])
def test_strengths_of_eight_years_walk_by_quarters_only_where_these_are_few(players, row):
    rng = np.random.default_rng(6)
    first = rng.integers(0, players, 2000)
    second = (first + rng.integers(1, players, 2000)) % players
    day = np.datetime64("2016-01-02") + rng.integers(0, 8 * 365, 2000).astype("timedelta64[D]")
    frame = pd.DataFrame({"white": [f"P{k:03d}" for k in first], "black": [f"P{k:03d}" for k in second]})
    selection = whole(frame.assign(score=rng.choice([0.0, 0.5, 1.0], 2000), date=day.astype(str)))
    name, recent, _ = of_now("davidson-matched", selection, in_time(selection))
    assert name == row
    assert len(recent) == 2000


def test_every_rung_is_a_row():
    for stem in ("bt", "davidson"):
        for row in ("matched", "matched-even", "matched-neutral", "rated-matched", "population-scaled"):
            assert set(ladder(f"{stem}-{row}", f"{stem}-{row}")) - {"bt-population-scaled"} <= set(CATALOGUE)
        assert ladder(f"{stem}-matched-walk", f"{stem}-matched-even")[1] == f"{stem}-matched-even"


def test_a_row_whose_draws_fail_gives_way_and_the_list_says_so():
    rng = np.random.default_rng(3)
    pairs = np.array([rng.choice(6, 2, replace=False) for _ in range(60)])
    day = np.datetime64("2024-01-01") + np.arange(60).astype("timedelta64[D]") * 4
    frame = pd.DataFrame(np.char.add("P", pairs.astype(str)), columns=["white", "black"])
    selection = whole(frame.assign(score=rng.choice([0.0, 0.5, 1.0], 60), date=day.astype(str)))
    rows, lines = ("davidson-volatility-walk", "davidson-population"), []
    tree = _first_that_passes(selection, rows, Effort(draws=250), Run(method="auto", say=lines.append))
    assert (tree.attrs["model"], tree.attrs["converged"], tree.attrs["asked"]) == ("davidson-population", 1, "auto")
    words = tree.attrs["checks"].splitlines()[0]
    assert words in lines
    assert words.startswith("the draws of davidson-volatility-walk did not pass")
    assert "strengths are constant" in words


def test_rows_in_place_of_another_have_their_own_games():
    """Those of a walk of results are the latest games, those of leads in sets all games."""
    rng = np.random.default_rng(3)
    pairs = np.array([rng.choice(6, 2, replace=False) for _ in range(120)])
    frame = pd.DataFrame(np.char.add("P", pairs.astype(str)), columns=["white", "black"])
    day = np.datetime64("2023-09-01") + np.arange(120).astype("timedelta64[D]") * 2
    games = whole(frame.assign(score=rng.choice([0.0, 0.5, 1.0], 120), date=day.astype(str)))
    latest, lines = games.take(np.arange(120) >= 60), []
    job = Job(games, "davidson-volatility-walk", None, ("davidson-population",), latest)
    [(tree, _)] = traces_of([job], Effort(draws=250), Account(), Run(method="auto", say=lines.append))
    assert (tree.attrs["model"], tree.attrs["games"]) == ("davidson-population", 60)
    assert job.games_of(tree.attrs["model"]) is latest
    assert job.games_of("davidson-volatility-walk") is games
    assert tree.attrs["checks"].splitlines()[0].endswith(", on 60 of 120 games")


@pytest.fixture
def half_year():
    """Sixty random games of six players, one every three days."""
    rng = np.random.default_rng(3)
    pairs = np.array([rng.choice(6, 2, replace=False) for _ in range(60)])
    day = np.datetime64("2024-01-01") + np.arange(60).astype("timedelta64[D]") * 3
    frame = pd.DataFrame(np.char.add("P", pairs.astype(str)), columns=["white", "black"])
    return whole(frame.assign(score=rng.choice([0.0, 0.5, 1.0], 60), date=day.astype(str)))


LADDER = ("davidson-matched-walk", "davidson-matched", "davidson-entering-walk")


def test_moves_that_fail_on_every_rung_are_not_repeated(half_year, monkeypatch):
    sampled = []

    def counted(problem, *arguments):
        sampled.append(problem.declared.spec.name)
        return sample_moves(problem, *arguments)

    monkeypatch.setattr(gaussian, "FEW", 0)  # no weights
    monkeypatch.setattr(gaussian, "sample_moves", counted)
    monkeypatch.setattr(moves, "_WORK", 0.0)
    monkeypatch.setattr(moves, "_LEAST_SWEEPS", moves._ROUND)  # too few for any verdict
    tree = _first_that_passes(half_year, LADDER, Effort(), Run(method="auto"))
    assert (tree.attrs["model"], tree.attrs["method"], tree.attrs["converged"]) == ("davidson-matched", "moves", 0)
    assert "limit of work" in tree.attrs["verdict"]
    assert sampled == list(LADDER)


def test_an_interrupt_ends_the_ladder(half_year, monkeypatch):

    def interrupted(drawn):
        raise KeyboardInterrupt

    monkeypatch.setattr(gaussian, "FEW", 0)  # no weights
    monkeypatch.setattr(moves, "_lacking", interrupted)
    lines = []
    tree = _first_that_passes(half_year, LADDER, Effort(), Run(method="auto", say=lines.append))
    assert tree.attrs["model"] == LADDER[0]
    assert tree.attrs["verdict"].startswith("NOT CONVERGED")
    assert f"interrupted after {moves._ROUND} sweeps" in tree.attrs["verdict"]
    assert not any("did not pass" in line for line in lines)


def test_players_with_ratings_and_few_games_are_rated_and_no_anchors():
    rng, count = np.random.default_rng(4), 24
    strength = np.sort(rng.normal(0.0, 1.0, count))
    elo = np.round(1500.0 + 110.0 * (strength + rng.normal(0.0, 0.3, count)))
    pairs = [(i, i + k) for k in (1, 2, 3) for i in range(count - k)] * 2 + [(0, 1)] * 3
    rows = []
    for a, b in pairs:
        share = np.exp([-(strength[a] - strength[b]) / 2, 0.2, (strength[a] - strength[b]) / 2])
        rows.append((f"P{a:02d}", f"P{b:02d}", rng.choice([0.0, 0.5, 1.0], p=share / share.sum()), elo[a], elo[b]))
    rows.append(("Guest", "P03", 0.5, 1500.0, elo[3]))
    columns = ["white", "black", "score", "white_elo", "black_elo"]
    rated = workflows.rate(pd.DataFrame(rows, columns=columns), method="normal", draws=500)
    assert rated.about["model"] == "davidson-rated-matched"
    assert "Guest" in set(rated.frame["player"])
    assert (rated.frame["high_elo"] - rated.frame["low_elo"]).median() < 500.0
    assert abs(rated.frame["rating_elo"].mean() - np.append(elo, 1500.0).mean()) < 100.0


def near(players, games, seed, reach=6):
    """Games of players with others up to `reach` places away in the order of strength, and all strengths."""
    rng = np.random.default_rng([seed, 5])
    strength = np.sort(rng.normal(0.0, 0.8, players))
    first = rng.integers(0, players - reach, games)
    second = first + rng.integers(1, reach + 1, games)
    turned = rng.random(games) < 0.5
    white, black = np.where(turned, second, first), np.where(turned, first, second)
    won = rng.random(games) < 1.0 / (1.0 + np.exp(strength[black] - strength[white]))
    names = np.char.add("P", np.char.zfill(np.arange(players).astype(str), 3))
    return pd.DataFrame({"white": names[white], "black": names[black], "score": won.astype(float)}), strength


def test_players_who_meet_near_ones_only_have_a_row_of_their_own():
    chain = whole(near(120, 700, 0)[0])
    assert by_pairings(chain, suggest(chain)[0]) == (["bt-chained"], "players meet only others near them")
    walk, still = "davidson-matched-yearly-walk", "davidson-matched"
    assert by_pairings(chain, walk, still)[0] == ["davidson-chained-yearly-walk", "davidson-chained"]
    assert by_pairings(chain, "davidson-rated-matched") == (["davidson-rated-matched"], "")
    clubs = whole(near(60, 700, 0)[0])
    assert by_pairings(clubs, "bt-matched") == (["bt-matched"], "")


@pytest.mark.parametrize("games", [400, 2000])
def test_pairings_by_lot_say_nothing_of_strengths(games):
    rng = np.random.default_rng(games)
    first = rng.integers(0, 100, games)
    pairs = np.stack([first, (first + rng.integers(1, 100, games)) % 100])
    frame = pd.DataFrame({"white": [f"P{k}" for k in pairs[0]], "black": [f"P{k}" for k in pairs[1]], "score": 0.5})
    rows, _ = by_pairings(whole(frame), "davidson-matched")
    assert rows == ["davidson-mixed" if games == 400 else "davidson-matched"]


@pytest.mark.slow
def test_a_chain_covers_the_truth_of_far_players():
    inside, width = [], []
    for seed in range(3):
        frame, strength = near(1000, 6000, seed, reach=12)
        rated = workflows.rate(frame, draws=250)
        assert rated.trace.attrs["model"] == "bt-chained"
        assert rated.trace.attrs["converged"]
        draws = rated.trace["posterior"]["strength"].stack(sample=("chain", "draw")).transpose("sample", "player")
        truth = strength[[int(name[1:]) for name in draws["player"].to_numpy().astype(str)]]
        apart = draws.to_numpy() - draws.to_numpy().mean(axis=1, keepdims=True)
        low, high = np.quantile(apart, [0.025, 0.975], axis=0)
        truth = truth - truth.mean()
        inside.append(np.mean((low <= truth) & (truth <= high)))
        width.append(np.median(high - low))
    assert np.mean(inside) > 0.85
    assert max(width) < 5.0  # natural units: not the prior alone

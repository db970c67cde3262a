"""Detection of pairings by results in simulated events of known kind."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.models.games.pairings import by_results, in_knockouts, of_whole_swiss
from halfpoint.readers import read


def table(pairs, scores=None, **columns):
    """Games of pairs of player numbers."""
    white, black = ([f"P{one:02d}" for one in side] for side in zip(*pairs, strict=True))
    return read(pd.DataFrame({"white": white, "black": black, "score": scores or [1.0] * len(pairs), **columns}))


def swiss(rng, by_points, players=40, rounds=7):
    """Rounds in which neighbours in points meet, or random pairs."""
    points, pairs, scores, dates = np.zeros(players), [], [], []
    for turn in range(rounds):
        order = np.lexsort((rng.random(players), -points if by_points else rng.random(players)))
        for one, other in order.reshape(-1, 2):
            score = float(rng.choice([0.0, 0.5, 1.0]))
            points[one] += score
            points[other] += 1.0 - score
            pairs.append((one, other))
            scores.append(score)
            dates.append(f"2024-03-{turn + 1:02d}")
    return pairs, scores, dates


@pytest.mark.parametrize("seed", range(5))
def test_swiss_pairings_follow_points_and_lots_do_not(seed):
    rng = np.random.default_rng(seed)
    for by_points in (True, False):
        pairs, scores, dates = swiss(rng, by_points)
        follows = by_results(table(pairs, scores, date=dates))
        assert follows.all() if by_points else not follows.any()
    assert not by_results(table(pairs, scores)).any()  # without days nothing is known of an order


def test_a_knockout_follows_results_without_days():
    pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)]
    assert by_results(table(pairs)).all()
    assert not by_results(table([*pairs, (7, 3), (7, 5)], [1.0] * 7 + [0.0, 0.0])).any()


def test_points_are_those_of_the_event():
    rng, whole = np.random.default_rng(8), []
    for event in range(4):
        pairs, scores, dates = swiss(rng, True, players=16, rounds=5)
        names = rng.permutation(30)
        rows = zip(pairs, scores, dates, strict=True)
        whole += [(names[a], names[b], s, f"2024-{event + 1:02d}{d[-3:]}", f"event {event}") for (a, b), s, d in rows]
    a, b, scores, dates, events = map(list, zip(*whole, strict=True))
    games = pd.DataFrame({
        "white": [f"P{k:02d}" for k in a], "black": [f"P{k:02d}" for k in b], "score": scores, "date": dates,
        "event": events,
    })  # fmt: skip
    assert by_results(read(games, covariates=("event",))).all()
    assert by_results(read(games)).all()


def season(rng, players, rounds, name, by_strength=0.0):
    """Random rounds, or pairings by strength with an error; results depend on strengths."""
    strength, rows = rng.normal(0.0, 0.9, players), []
    for turn in range(rounds):
        order = np.argsort(
            by_strength * rng.normal(size=players)
            + strength * (by_strength > 0.0)
            + rng.random(players) * (by_strength == 0.0)
        )
        for a, b in order.reshape(-1, 2):
            share = np.exp([-(strength[a] - strength[b]) / 2, 0.2, (strength[a] - strength[b]) / 2])
            rows.append(
                (
                    f"{name}{a:02d}",
                    f"{name}{b:02d}",
                    rng.choice([0.0, 0.5, 1.0], p=share / share.sum()),
                    f"2024-03-{turn + 1:02d}",
                    name,
                )
            )
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_events_are_judged_apart(seed):
    """In a file of a Swiss event and a league the games of the Swiss event follow from results."""
    rng = np.random.default_rng(seed)
    rows = [(f"P{a:02d}", f"P{b:02d}", s, d, "Swiss") for (a, b), s, d in zip(*swiss(rng, True), strict=True)]
    frame = pd.DataFrame([*rows, *season(rng, 30, 10, "League")], columns=["white", "black", "score", "date", "event"])
    games = read(frame)
    np.testing.assert_array_equal(by_results(games), games.event == "Swiss")


@pytest.mark.parametrize("seed", range(3))
def test_near_opponents_are_no_function_of_points(seed):
    rng = np.random.default_rng(seed)
    for near in (0.1, 0.6, 1.5):
        frame = pd.DataFrame(season(rng, 80, 20, "Club", near), columns=["white", "black", "score", "date", "event"])
        assert not by_results(read(frame)).any()


@pytest.mark.parametrize("columns", [["date"], ["date", "round"], ["round"]])
def test_an_open_of_which_the_top_is_in_the_file_follows_points(columns):
    rng, count = np.random.default_rng(4), 120
    strength = np.sort(rng.normal(0.0, 0.9, count))[::-1]
    points, rows = np.zeros(count), []
    for turn in range(11):
        left = np.lexsort((np.arange(count), -points)).tolist()
        while left:
            a = left.pop(0)
            equal = [b for b in left if points[b] == points[a]] or left
            b = equal[len(equal) // 2]
            left.remove(b)
            share = np.exp([-(strength[a] - strength[b]) / 2, 0.2, (strength[a] - strength[b]) / 2])
            score = rng.choice([0.0, 0.5, 1.0], p=share / share.sum())
            points[a] += score
            points[b] += 1.0 - score
            rows.append((f"P{a:03d}", f"P{b:03d}", score, f"2024-03-{turn + 1:02d}", turn + 1, max(a, b) < count // 2))
    frame = pd.DataFrame(rows, columns=["white", "black", "score", "date", "round", "top"])
    frame = frame[["white", "black", "score", *columns, "top"]]
    whole, part = read(frame.drop(columns="top")), read(frame[frame.top].drop(columns="top"))
    assert by_results(whole).all()
    assert by_results(part).all()
    assert of_whole_swiss(whole, by_results(whole)).all()
    assert not of_whole_swiss(part, by_results(part)).any()


def tour(rng, events=12, size=16, days=1, third=False):
    rows, strength = [], rng.normal(0.0, 1.0, 60)
    for event in range(events):
        left = sorted(rng.choice(60, size, replace=False).tolist(), key=lambda k: -strength[k])
        day = np.datetime64("2024-01-01") + np.timedelta64(7 * event, "D")
        while len(left) > 1:
            half = len(left) // 2
            pairs = list(zip(left[:half], left[half:][::-1], strict=True))
            wins = [bool(rng.random() < 1.0 / (1.0 + np.exp(strength[b] - strength[a]))) for a, b in pairs]
            rows += [(f"P{a:02d}", f"P{b:02d}", float(w), str(day)) for (a, b), w in zip(pairs, wins, strict=True)]
            left = [a if w else b for (a, b), w in zip(pairs, wins, strict=True)]
            if third and half == 2:
                a, b = ((b if w else a) for (a, b), w in zip(pairs, wins, strict=True))
                rows.append((f"P{a:02d}", f"P{b:02d}", 1.0, str(day)))
            day += np.timedelta64(days - 1, "D")
    return pd.DataFrame(rows, columns=["white", "black", "score", "date"])


@pytest.mark.parametrize("days", [1, 2])
def test_a_tour_of_knockouts_follows_results(days):
    rng = np.random.default_rng(3)
    games = read(tour(rng, days=days))
    assert by_results(games).all()
    assert in_knockouts(games).all()
    frame = tour(rng, days=days)
    frame.loc[frame.index % 5 == 0, "score"] = 0.5
    assert not in_knockouts(read(frame)).any()
    assert in_knockouts(read(tour(rng, third=True, size=32))).all()


def test_days_of_a_club_that_plays_on_after_losses_are_no_knockouts():
    rng = np.random.default_rng(5)
    pairs = [tuple(rng.choice(30, 2, replace=False)) for _ in range(600)]
    days = [f"2024-{1 + k // 100:02d}-{1 + k % 100 // 5:02d}" for k in range(600)]
    games = table(pairs, rng.choice([0.0, 1.0], 600).tolist(), date=days)
    assert not by_results(games).any()
    assert not in_knockouts(games).any()

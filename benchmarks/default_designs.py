"""Simulated files with known truth: random pairings, or pairings by strength, results, league or rating.

Each design is a function of a random generator that returns a `File`. Strengths are natural units of Davidson's model,
the first seat is worth 0.25 of them, and two equals draw 38% of their games where games can be drawn.
"""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

ELO = 400.0 / np.log(10.0)
DRAW, SEAT = 0.2, 0.25  # log draw parameter, first seat
_SHARE = 0.62  # Elo points of a natural unit of these games, over those of Bradley and Terry's


@dataclass(frozen=True)
class File:
    """Games in playing order, and the true strengths on the last day."""

    strength: np.ndarray  # (player,), at the end
    white: np.ndarray  # (game,)
    black: np.ndarray
    score: np.ndarray
    day: np.ndarray  # days since the first one
    log_draw: float | None = DRAW  # None where no game can be drawn
    seat: float = SEAT
    ratings: dict[str, np.ndarray] = field(default_factory=dict)  # columns of Elo points, NaN where there is none

    @property
    def frame(self):
        """File in the form for `rate`."""
        names = {one: [f"P{k:04d}" for k in side] for one, side in (("white", self.white), ("black", self.black))}
        frame = pd.DataFrame({**names, "score": self.score, **self.ratings})
        if np.ptp(self.day):
            days = np.datetime64("2024-01-01") + np.asarray(self.day, dtype="timedelta64[D]")
            frame["date"] = days.astype(str)
        return frame


def scores(rng, difference, log_draw=DRAW):
    """Scores of games by the difference of the two sides, including the first-seat advantage."""
    difference = np.asarray(difference, dtype=float)
    if log_draw is None:
        return (rng.random(difference.shape) < 1.0 / (1.0 + np.exp(-difference))).astype(float)
    share = np.exp(np.stack([-difference / 2, np.broadcast_to(log_draw, difference.shape), difference / 2], axis=-1))
    share = (share / share.sum(axis=-1, keepdims=True)).cumsum(axis=-1)
    return (rng.random(difference.shape)[..., None] >= share[..., :2]).sum(axis=-1) / 2.0


def seated(rng, one, other):
    """Pairs with random seats."""
    turned = rng.random(len(one)) < 0.5
    return np.where(turned, one, other), np.where(turned, other, one)


def by_lot(rng, players, games):
    """Random pairs of different players."""
    white = rng.integers(0, players, games)
    return white, (white + rng.integers(1, players, games)) % players


def every_pair(first, size, twice=True):
    """Round robins from a given player on, with both colours or once."""
    here = np.arange(first, first + size)
    pairs = [(i, j) for i in here for j in here if (i != j if twice else i < j)]
    return np.array(pairs).T


def played(rng, strength, white, black, day=None, log_draw=DRAW, **more):
    """File of these games, on random days by default."""
    white, black = np.asarray(white), np.asarray(black)
    score = scores(rng, strength[white] - strength[black] + SEAT, log_draw)
    day = rng.integers(0, 200, len(white)) if day is None else np.asarray(day)
    return File(strength, white, black, score, day, log_draw, **more)


def lots(rng, sd=0.9, heavy=False):
    """Forty players with random pairings."""
    strength = sd / np.sqrt(3.0) * rng.standard_t(3, 40) if heavy else rng.normal(0.0, sd, 40)
    return played(rng, strength, *by_lot(rng, 40, 900))


def _swiss_rounds(rng, strength, seed, rounds, log_draw, seeded=True):
    """Pairs and scores of a Swiss event, round by round: by points, then folded seeds, without rematches."""
    count, met, points = len(strength), set(), np.zeros(len(strength))
    for turn in range(rounds):
        lot = -seed if seeded else rng.random(count)
        left, pairs = list(np.lexsort((lot, -points)) if turn else np.argsort(-seed)), []
        while len(left) > 1:
            one = left.pop(0)
            same = [k for k in left if points[k] == points[one]]
            near = same[len(same) // 2 :] + same[: len(same) // 2] + [k for k in left if points[k] != points[one]]
            other = next((k for k in near if (min(one, k), max(one, k)) not in met), near[0])
            left.remove(other)
            pairs.append((one, other))
            met.add((min(one, other), max(one, other)))
        white, black = seated(rng, *np.array(pairs).T)
        score = scores(rng, strength[white] - strength[black] + SEAT, log_draw)
        points[white] += score
        points[black] += 1.0 - score
        yield white, black, score


def swiss(rng, players, rounds, sd=0.9, log_draw=DRAW, seeded=True):
    """One Swiss event, a round a day."""
    strength = rng.normal(0.0, sd, players)
    seed = strength + rng.normal(0.0, 0.3, players)
    parts = list(_swiss_rounds(rng, strength, seed, rounds, log_draw, seeded))
    white, black, score = map(np.concatenate, zip(*parts, strict=True))
    return File(strength, white, black, score, np.repeat(np.arange(rounds), len(parts[0][0])), log_draw)


def club_nights(rng, players=80, events=5, size=40, rounds=5):
    """Swiss events of a club with varying attendance."""
    strength, parts, days = rng.normal(0.0, 1.2, players), [], []
    seed = strength + rng.normal(0.0, 0.4, players)
    for event in range(events):
        here = rng.choice(players, size, replace=False)
        for turn, (white, black, score) in enumerate(_swiss_rounds(rng, strength[here], seed[here], rounds, DRAW)):
            parts.append((here[white], here[black], score))
            days.append(np.full(len(white), event * 30 + turn))
    white, black, score = map(np.concatenate, zip(*parts, strict=True))
    return File(strength, white, black, score, np.concatenate(days))


def knockouts(rng, players=96, events=24, size=32):
    """Seeded knockouts without draws; strong players enter more often."""
    strength = rng.normal(0.0, 0.9, players)
    elo, parts, days = strength + rng.normal(0.0, 0.4, players), [], []
    for event in range(events):
        share = np.exp(0.5 * elo)
        here = rng.choice(players, size, replace=False, p=share / share.sum())
        bracket = [0]
        while len(bracket) < size:
            bracket = [x for y in bracket for x in (y, 2 * len(bracket) - 1 - y)]
        left = here[np.argsort(-elo[here])][bracket]
        while len(left) > 1:
            white, black = seated(rng, left[::2], left[1::2])
            score = scores(rng, strength[white] - strength[black], None)
            parts.append((white, black, score))
            days.append(np.full(len(white), event * 300 // events))
            left = np.where(score == 1.0, white, black)
    white, black, score = map(np.concatenate, zip(*parts, strict=True))
    return File(strength, white, black, score, np.concatenate(days), None, 0.0)


def promotion(rng, divisions=3, size=10, seasons=3, gap=0.7, moved=2):
    """Divisions with promotion and relegation, three seasons."""
    strength = np.concatenate([rng.normal(-gap * d, 0.45, size) for d in range(divisions)])
    division, parts, days = np.repeat(np.arange(divisions), size), [], []
    for season in range(seasons):
        points = np.zeros(len(strength))
        for d in range(divisions):
            here = np.flatnonzero(division == d)
            white, black = here[every_pair(0, len(here))]
            score = scores(rng, strength[white] - strength[black] + SEAT)
            np.add.at(points, white, score)
            np.add.at(points, black, 1.0 - score)
            parts.append((white, black, score))
            days.append(season * 240 + rng.integers(0, 200, len(white)))
        new = division.copy()
        for d in range(divisions - 1):
            low, high = np.flatnonzero(division == d + 1), np.flatnonzero(division == d)
            new[low[np.argsort(-points[low])[:moved]]] = d
            new[high[np.argsort(points[high])[:moved]]] = d + 1
        division = new
    white, black, score = map(np.concatenate, zip(*parts, strict=True))
    return File(strength, white, black, score, np.concatenate(days))


def leagues(rng, means, sizes, joins, sd=0.55, twice=True, every=False):
    """Leagues of given mean strengths and sizes; neighbours, or all, are connected by a few games."""
    strength = np.concatenate([rng.normal(mean, sd, size) for mean, size in zip(means, sizes, strict=True)])
    first = np.cumsum([0, *sizes])
    parts = [every_pair(begin, size, twice) for begin, size in zip(first, sizes, strict=False)]
    parts = parts if twice else [seated(rng, *one) for one in parts]
    for d in range(len(sizes)):
        for e in range(d + 1, len(sizes)) if every else [d + 1] if d + 1 < len(sizes) else []:
            one, other = (rng.integers(0, sizes[k], joins) + first[k] for k in (d, e))
            parts.append(np.array(seated(rng, one, other)))
    return played(rng, strength, *np.concatenate([np.asarray(one) for one in parts], axis=1))


def clusters(rng, players=60, games=900, gap=2.2):
    """Professionals and amateurs, who meet their own group in four games of five."""
    strong = np.arange(players) < players // 3
    strength = rng.normal(0.0, 0.4, players) + gap * strong
    white, alike = rng.integers(0, players, games), rng.random(games) < 0.8
    black = white.copy()
    for k in range(games):
        pool = np.flatnonzero((strong == strong[white[k]]) == alike[k])
        black[k] = rng.choice(pool[pool != white[k]])
    return played(rng, strength, white, black)


def adaptive(rng, players=30, games=3000, ahead=0.0, width=0.35, sd=0.6, by_need=True):
    """Opponents by current ratings: near, or slightly ahead; players with few games play more often."""
    strength, elo, count, rows = rng.normal(0.0, sd, players), np.zeros(players), np.zeros(players), []
    for _ in range(games):
        need = 1.0 / (count + 5.0) if by_need else np.ones(players)
        one = rng.choice(players, p=need / need.sum())
        share = np.exp(-(((elo - elo[one] - ahead) / width) ** 2) / 2.0) + 1e-3
        share[one] = 0.0
        other = rng.choice(players, p=share / share.sum())
        white, black = (one, other) if rng.random() < 0.5 else (other, one)
        score = float(scores(rng, strength[white] - strength[black] + SEAT))
        step = 0.15 * (score - 1.0 / (1.0 + np.exp(elo[black] - elo[white])))
        elo[white], elo[black] = elo[white] + step, elo[black] - step
        count[[white, black]] += 1
        rows.append((white, black, score))
    white, black, score = map(np.array, zip(*rows, strict=True))
    return File(strength, white, black, score, np.arange(games) * 80 // games)


def matched(rng, noise=0.4, players=120, rounds=30, rated=0.0, own=False):
    """Neighbours in a hidden rating meet each round; a share have ratings in the file, the hidden or other ones."""
    strength = rng.normal(0.0, 1.3, players)
    hidden, parts = strength + rng.normal(0.0, 0.4, players), []
    for _ in range(rounds):
        order = np.argsort(hidden + rng.normal(0.0, noise, players))
        parts.append(seated(rng, order[::2], order[1::2]))
    white, black = (np.concatenate(side) for side in zip(*parts, strict=True))
    file = played(rng, strength, white, black, np.repeat(np.arange(rounds), players // 2) * 2)
    return with_ratings(rng, file, rated, hidden if own else None) if rated else file


def with_ratings(rng, file, share=1.0, rating=None, error=0.4, floor=-np.inf):
    """File with ratings of some players: given ones, or the strength with an error, in Elo points."""
    count = len(file.strength)
    rating = file.strength + rng.normal(0.0, error, count) if rating is None else rating
    listed = np.round(np.maximum(1800.0 + ELO * _SHARE * rating, floor))
    listed = np.where(rng.random(count) < share, listed, np.nan)
    return replace(file, ratings={"white_rating": listed[file.white], "black_rating": listed[file.black]})


def ladder(rng, players=100, rounds=20):
    """Neighbours in current ratings meet, one round a week for four months."""
    strength, elo, parts = rng.normal(0.0, 1.2, players), np.zeros(players), []
    for _ in range(rounds):
        order = np.argsort(elo + rng.normal(0.0, 0.25, players))
        white, black = seated(rng, order[::2], order[1::2])
        score = scores(rng, strength[white] - strength[black] + SEAT)
        step = 0.15 * (score - 1.0 / (1.0 + np.exp(elo[black] - elo[white])))
        elo[white] += step
        elo[black] -= step
        parts.append((white, black, score))
    white, black, score = map(np.concatenate, zip(*parts, strict=True))
    return File(strength, white, black, score, np.repeat(np.arange(rounds), players // 2) * 6)


def accepted(rng, players=60, games=1200, width=0.7):
    """Pairs by lot who play if they are near one another in strength."""
    strength, rows = rng.normal(0.0, 1.0, players), []
    while len(rows) < games:
        one, other = rng.choice(players, 2, replace=False)
        if rng.random() < np.exp(-((strength[one] - strength[other]) ** 2) / (2.0 * width**2)):
            rows.append((one, other))
    return played(rng, strength, *np.array(rows).T)


def ages(rng, players=80, games=1000):
    """Players meet opponents of similar age; strength rises with age, then falls."""
    age = np.sort(rng.random(players))
    strength, rows = rng.normal(0.0, 0.6, players) + 2.2 * np.sin(np.pi * age), []
    for one in rng.integers(0, players, games):
        share = np.exp(-(((age - age[one]) / 0.08) ** 2) / 2.0) + 0.002
        share[one] = 0.0
        rows.append((one, rng.choice(players, p=share / share.sum())))
    return played(rng, strength, *seated(rng, *np.array(rows).T))


def hubs(rng, players=200, few=4, games=1200):
    """A few players meet all others, who meet only them."""
    strength = rng.normal(0.0, 0.9, players)
    strength[:few] += 1.0
    pairs = seated(rng, rng.integers(few, players, games), rng.integers(0, few, games))
    return played(rng, strength, *pairs)


def moving(rng, gain=1.6, share=0.25, days=300):
    """A quarter of the players improve steadily; random pairings."""
    start, better = rng.normal(0.0, 0.9, 40), rng.random(40) < share
    start[better] -= 0.8
    white, black = by_lot(rng, 40, 900)
    day = np.sort(rng.integers(0, days, 900))
    white_now, black_now = (start[who] + gain * better[who] * day / days for who in (white, black))
    return File(start + gain * better, white, black, scores(rng, white_now - black_now + SEAT), day)


def events(rng, low=1.7, share=0.15, sandbag=True):
    """Some players hide their strength in two events of five; or all players have a form for each event."""
    strength, number = rng.normal(0.0, 0.9, 40), 30 if sandbag else 120
    bad = rng.random(40) < share
    white, black = by_lot(rng, 40, 900)
    event = np.arange(900) // number
    shape = (event.max() + 1, 40)
    form = -low * ((rng.random(shape) < 0.4) & bad) if sandbag else rng.normal(0.0, 0.6, shape)
    difference = strength[white] + form[event, white] - strength[black] - form[event, black]
    return File(strength, white, black, scores(rng, difference + SEAT), event * (9 if sandbag else 36))


LEAGUES, CHAIN = tuple(150.0 / ELO * d for d in range(4)), tuple(0.35 * (d - 2.5) for d in range(6))
DESIGNS = {
    "by lot": lots,
    "heavy tails": partial(lots, heavy=True),
    "hubs": hubs,
    "knockouts": knockouts,
    "arena, near and rarely seen": adaptive,
    "matched by a hidden rating": matched,
    "matched, wide": partial(matched, noise=1.2),
    "leagues 150 Elo apart": partial(leagues, means=LEAGUES, sizes=(12,) * 4, joins=10),
    "leagues alike": partial(leagues, means=(0.0,) * 4, sizes=(12,) * 4, joins=10),
    "three divisions with promotion": promotion,
    "two clusters": clusters,
    "Swiss 64 x 9": partial(swiss, players=64, rounds=9),
    "Swiss 200 x 9": partial(swiss, players=200, rounds=9),
    "Swiss 100 x 7 without draws": partial(swiss, players=100, rounds=7, log_draw=None),
    "Swiss 20 x 5": partial(swiss, players=20, rounds=5),
    "Swiss 64 x 9, not seeded": partial(swiss, players=64, rounds=9, seeded=False),
    "Swiss 100 x 9, wide": partial(swiss, players=100, rounds=9, sd=2.5),
    "matched by the ratings of the file": partial(matched, rated=1.0, own=True),
    "matched, other ratings in the file": partial(matched, rated=1.0),
    "matched, other ratings of 60%": partial(matched, rated=0.6),
    "Swiss 64 x 9, ratings": lambda rng: with_ratings(rng, swiss(rng, 64, 9)),
    "by lot, stale ratings": lambda rng: with_ratings(rng, lots(rng), error=0.9),
    "improving juniors": moving,
    "improving fast over two years": partial(moving, gain=2.5, days=700),
    "sandbagging": events,
    "form of the event": partial(events, sandbag=False),
    "accepted by closeness": accepted,
    "clubs": lambda rng: leagues(rng, rng.normal(0.0, 0.8, 5), (12,) * 5, 6, 0.6, twice=False, every=True),
    "club nights": club_nights,
    "ladder": ladder,
    # written after the prior was fixed
    "clubs that play Swiss": partial(club_nights, players=120, events=8, size=32),
    "chain of leagues": partial(leagues, means=CHAIN, sizes=(14,) * 6, joins=6, sd=0.5),
    "leagues of three sizes": partial(
        leagues, means=(0.8, 0.0, -0.8), sizes=(10, 20, 40), joins=20, sd=0.5, twice=False, every=True
    ),
    "challenges": partial(adaptive, players=60, games=900, ahead=0.3, width=0.5, sd=0.9, by_need=False),
    "ages meet": ages,
}

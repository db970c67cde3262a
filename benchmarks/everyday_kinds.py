"""Simulated files with a known truth, by kind: a design is a function (rng) -> `Played` of about ten lines.

`benchmarks/everyday.py` rates them. A new kind has a limit of CPU seconds in units of `import pymc`; strengths are
natural units of Davidson's model. Letters: W, B, S, D, V, R are lists of the games' first and second players, scores,
days, events and rounds; r is a random generator, g the games, w and b or z players of games, s scores.
"""

from dataclasses import dataclass, field

import numpy as np

ELO = 400 / np.log(10)


@dataclass
class Played:
    """Games with their truth, in natural units."""

    theta: np.ndarray  # strength of each player on the last day
    white: np.ndarray
    black: np.ndarray
    score: np.ndarray
    day: np.ndarray | None = None
    event: list | None = None
    rating: np.ndarray | None = None  # printed rating of each player, nan for none
    round: np.ndarray | None = None
    draws: float | None = 0.2  # log draw parameter; None for none
    seat: float = 0.2
    names: list = field(default_factory=list)
    lead: str = ""  # deviation from the model that the games have, in words of the list


def play(rng, gap, draws=0.2):
    """Scores of games by Davidson's formula; `gap` includes White's advantage."""
    lam = -50.0 if draws is None else draws
    p = np.exp(np.stack([gap / 2, np.full_like(gap, lam), -gap / 2]))
    p /= p.sum(axis=0)
    u = rng.random(gap.size)
    return np.where(u < p[0], 1.0, np.where(u < p[0] + p[1], 0.5, 0.0))


def meet(rng, theta, a, b, draws=0.2, seat=0.2, **rest):
    """Games of a and b, with random seats."""
    turn = rng.random(len(a)) < 0.5
    w, z = np.where(turn, b, a), np.where(turn, a, b)
    return Played(theta, w, z, play(rng, theta[w] - theta[z] + seat, draws), draws=draws, seat=seat, **rest)


def printed(rng, theta, error, share):
    """Printed ratings of a share of the players, NaN for the others, roughly in Elo points."""
    return np.where(rng.random(len(theta)) < share, np.round(1600 + 0.7 * ELO * rng.normal(theta, error)), np.nan)


def match(n):
    """Games of two players."""
    return lambda r: meet(r, r.normal(0, 0.4, 2), np.zeros(n, int), np.ones(n, int))


def gauntlet(rivals, games):
    """Player against rivals who do not meet."""
    pairs = np.zeros(rivals * games, int), np.repeat(np.arange(1, rivals + 1), games)
    return lambda r: meet(r, r.normal(0, 0.4, rivals + 1), *pairs)


def round_robin(n, times=1, sd=0.8, draws=0.2):
    """All pairs, several times."""
    a, b = np.array([(i, j) for i in range(n) for j in range(i + 1, n)] * times).T
    return lambda r: meet(r, r.normal(0, sd, n), a, b, draws)


def by_lot(n, games, days=0, step=0.0, draws=0.2, near=0):
    """Random pairings, or with `near` neighbours in strength; strengths walk by `step` a quarter."""

    def design(r):
        start = r.normal(0, 0.8, n)
        day = np.sort(r.integers(0, days, games)) if days else np.zeros(games, int)
        shape = day.max() // 91 + 1, n
        walk = np.cumsum(r.normal(0, step, shape), axis=0) if step else np.zeros(shape)
        if near:
            order = np.argsort(start)
            at = r.integers(0, n, games)
            other = np.clip(at + r.integers(1, near + 1, games) * r.choice([-1, 1], games), 0, n - 1)
            other = np.where(other == at, np.where(at > 0, at - 1, 1), other)
            a, b = order[at], order[other]
        else:
            a = r.integers(0, n, games)
            b = (a + r.integers(1, n, games)) % n
        turn = r.random(games) < 0.5
        w, z = np.where(turn, b, a), np.where(turn, a, b)
        q = day // 91
        gap = start[w] + walk[q, w] - start[z] - walk[q, z] + 0.2
        return Played(start + walk[-1], w, z, play(r, gap, draws), day=day if days else None, draws=draws)

    return design


def swiss(n, rounds, events=1, top=0.0, days=None, names=True, ratings=False, pool=None, apart=14):
    """Folded Swiss events by a seed near the truth; `top` keeps only games of that share of the best players."""

    def design(r):
        people = pool or n
        theta = r.normal(0, 0.9, people)
        seed = theta + r.normal(0, 0.3, people)
        W, B, S, D, V, R = [], [], [], [], [], []
        for e in range(events):
            level = r.normal(0, 0.6)
            p = np.exp(-((seed - level) ** 2) / 1.6)
            inn = r.choice(people, n, replace=False, p=p / p.sum()) if pool else np.arange(n)
            pts, met = np.zeros(n), set()
            for k in range(rounds):
                left, pairs = list(np.lexsort((-seed[inn], -pts))), []
                while len(left) > 1:
                    a = left.pop(0)
                    same = [x for x in left if pts[x] == pts[a]]
                    half = len(same) // 2
                    ask = same[half:] + same[:half] + [x for x in left if pts[x] != pts[a]]
                    b = next((x for x in ask if (min(a, x), max(a, x)) not in met), ask[0])
                    left.remove(b)
                    met.add((min(a, b), max(a, b)))
                    pairs.append((a, b) if r.random() < 0.5 else (b, a))
                w, z = np.array(pairs).T
                s = play(r, theta[inn[w]] - theta[inn[z]] + 0.2)
                pts[w] += s
                pts[z] += 1 - s
                W, B, S, R = W + list(inn[w]), B + list(inn[z]), S + list(s), R + [k + 1] * len(w)
                D += [e * apart + (k if days is None else k * days // rounds)] * len(w)
                V += [f"Open {e + 1}"] * len(w)
        W, B, S, D, R = (np.array(x) for x in (W, B, S, D, R))
        keep = np.ones(len(W), bool)
        if top:
            cut = np.quantile(theta, 1 - top)
            keep = (theta[W] > cut) & (theta[B] > cut)
        rating = printed(r, theta, 0.25, 0.9) if ratings else None
        event = np.array(V)[keep].tolist() if names else None
        return Played(theta, W[keep], B[keep], S[keep], day=D[keep], event=event, rating=rating, round=R[keep])

    return design


def club(n, games, near, share=0.85):
    """Year of a club: opponents near in strength, most players with a printed rating."""

    def design(r):
        g = by_lot(n, games, days=300, near=near)(r)
        g.rating = printed(r, g.theta, 0.3, share)
        return g

    return design


def season(clubs, years=1, draws=0.0, step=0.15):
    """Home-and-away seasons with promotion; White is the home side."""

    def design(r):
        theta = r.normal(0, 0.5, clubs)
        W, B, S, D = [], [], [], []
        for y in range(years):
            pairs = np.array([(i, j) for i in range(clubs) for j in range(clubs) if i != j])
            pairs = pairs[r.permutation(len(pairs))]
            w, z = pairs.T
            W, B, S = W + list(w), B + list(z), S + list(play(r, theta[w] - theta[z] + 0.4, draws))
            D += list(y * 365 + np.arange(len(w)) * 280 // len(w))
            if y < years - 1:
                theta = theta + r.normal(0, step, clubs)
        return Played(theta, np.array(W), np.array(B), np.array(S), day=np.array(D), draws=draws, seat=0.4)

    return design


def knockouts(players=365, events=60, size=48):
    """A year of knockouts, entries and seeds by strength (tennis), without draws."""

    def design(r):
        theta = r.normal(0, 1.0, players)
        W, B, S, D = [], [], [], []
        for e in range(events):
            level = r.choice([0.2, 0.7, 1.2])
            p = np.exp(-((theta - level) ** 2) / 1.2)
            left = list(r.choice(players, size, replace=False, p=p / p.sum()))
            left.sort(key=lambda i: -theta[i] + r.normal(0, 0.3))
            while len(left) > 1:
                half = len(left) // 2
                a, b = np.array(left[:half]), np.array(left[half : 2 * half][::-1])
                s = play(r, theta[a] - theta[b], None)
                W, B, S, D = W + list(a), B + list(b), S + list(s), D + [e * 6] * half
                left = [x if y else z for x, z, y in zip(a, b, s, strict=True)] + left[2 * half :]
        return Played(theta, np.array(W), np.array(B), np.array(S), day=np.array(D), draws=None, seat=0.0)

    return design


def votes(models, games):
    """Votes on models with ties and new models."""

    def design(r):
        theta = r.normal(0, 0.5, models)
        a = r.integers(0, models, games)
        return meet(r, theta, a, (a + r.integers(1, models, games)) % models, 0.0, 0.0)

    return design


def together(*designs):
    """Events of different designs in one file, with players in several of them."""

    def design(r):
        parts = [one(r) for one in designs]
        theta = max((g.theta for g in parts), key=len)
        white, black, event, day = [], [], [], []
        for number, g in enumerate(parts):
            ranks = np.sort(r.choice(len(theta), len(g.theta), replace=False))
            place = np.argsort(theta)[ranks][np.argsort(np.argsort(g.theta))]
            white, black = [*white, *place[g.white]], [*black, *place[g.black]]
            event += [f"Event {number}"] * len(g.white)
            day += [*((np.zeros(len(g.white), int) if g.day is None else g.day) + 20 * number)]
        w, b = np.array(white), np.array(black)
        return Played(theta, w, b, play(r, theta[w] - theta[b] + 0.2), day=np.array(day), event=event)

    return design


def divisions(size=10, count=3, years=2, gap=0.7):
    """Home-and-away divisions with two clubs promoted and relegated a year by points."""

    def design(r):
        theta = np.concatenate([r.normal(-gap * d, 0.45, size) for d in range(count)])
        order, W, B, S, D = np.argsort(np.repeat(np.arange(count), size), kind="stable"), [], [], [], []
        for y in range(years):
            points = np.zeros(len(theta))
            for d in range(count):
                here = order[d * size : (d + 1) * size]
                w, b = np.array([(i, j) for i in here for j in here if i != j]).T
                s = play(r, theta[w] - theta[b] + 0.3)
                np.add.at(points, w, s)
                np.add.at(points, b, 1 - s)
                W, B, S = W + list(w), B + list(b), S + list(s)
                D += list(365 * y + r.integers(0, 250, len(w)))
            order = np.lexsort((-points, np.argsort(order) // size))
            for d in range(1, count):
                order[d * size - 2 : d * size + 2] = np.roll(order[d * size - 2 : d * size + 2], 2)
        return Played(theta, np.array(W), np.array(B), np.array(S), day=np.array(D), seat=0.3)

    return design


def ladder(n=60, rounds=25):
    """Ladder: neighbours by results so far meet every week."""

    def design(r):
        theta, place, W, B, S, D = r.normal(0, 0.9, n), np.zeros(n), [], [], [], []
        for week in range(rounds):
            order = np.argsort(place + r.normal(0, 0.25, n))
            w, b = order[::2], order[1::2]
            s = play(r, theta[w] - theta[b] + 0.2)
            gain = 0.15 * (s - 1 / (1 + np.exp(place[b] - place[w])))
            place[w] += gain
            place[b] -= gain
            W, B, S, D = W + list(w), B + list(b), S + list(s), D + [7 * week] * len(w)
        return Played(theta, np.array(W), np.array(B), np.array(S), day=np.array(D))

    return design


def boards(teams=8, size=6):
    """League of teams that meet once, players approximately in order of strength."""

    def design(r):
        theta = np.concatenate([np.sort(r.normal(m, 0.6, size))[::-1] for m in r.normal(0, 0.4, teams)])
        a, b = np.array([(i, j) for i in range(teams) for j in range(i + 1, teams)]).T
        rank = np.array([np.argsort(np.arange(size) + r.normal(0, 0.7, size)) for _ in a])
        w, z = (a[:, None] * size + rank).ravel(), (b[:, None] * size + np.arange(size)).ravel()
        g = meet(r, theta, w, z)
        g.day = np.repeat(np.arange(len(a)) // (teams // 2) * 7, size)
        return g

    return design


def juniors(n=57, games=306, gain=1.5):
    """Rated juniors in a club with opponents near in strength: a third improve until the end of the year."""

    def design(r):
        g = by_lot(n, games, days=300, near=6)(r)
        g.rating = printed(r, g.theta, 0.5, 0.85)
        g.theta = g.theta + gain * (r.random(n) < 0.33) * 0.5
        g.score = play(r, g.theta[g.white] - g.theta[g.black] + 0.2)
        return g

    return design


def in_play(clubs=20, rounds=6):
    """The first rounds of a league."""

    def design(r):
        theta = r.normal(0, 0.5, clubs)
        pairs = np.concatenate([r.permutation(clubs).reshape(-1, 2) for _ in range(rounds)])
        s = play(r, theta[pairs[:, 0]] - theta[pairs[:, 1]] + 0.4, 0.0)
        return Played(theta, *pairs.T, s, day=np.repeat(np.arange(rounds) * 7, clubs // 2), draws=0.0, seat=0.4)

    return design


def regulars(n=60, games=1500, days=200):
    """Club evenings with attendance by a power of the rank: a few players have most of the games."""

    def design(r):
        theta, often = r.normal(0, 0.8, n), 1.0 / np.arange(1, n + 1)
        a, b = np.array([r.choice(n, 2, replace=False, p=often / often.sum()) for _ in range(games)]).T
        return meet(r, theta, a, b, day=np.sort(r.integers(0, days, games)))

    return design


def coming_and_going(n=150, years=8, games=4000, stay=2.5, step=0.12):
    """Eight years of a club with changing members; strengths walk by quarters."""

    def design(r):
        quarters = 4 * years
        theta = r.normal(0, 0.8, n) + np.cumsum(r.normal(0, step, (quarters, n)), axis=0)
        first = r.uniform(-stay, years, n)
        last, W, B, D = first + r.exponential(stay, n), [], [], []
        for day in np.sort(r.integers(0, 365 * years, games)):
            here = np.flatnonzero((first <= day / 365) & (day / 365 <= last))
            if here.size > 1:
                w, b = r.choice(here, 2, replace=False)
                W, B, D = [*W, w], [*B, b], [*D, day]
        w, b, day = np.array(W), np.array(B), np.array(D)
        at = np.minimum(day // 92, quarters - 1)
        seen = np.isin(np.arange(n), [w, b])
        code = np.cumsum(seen) - 1
        s = play(r, theta[at, w] - theta[at, b] + 0.2)
        return Played(theta[-1][seen], code[w], code[b], s, day=day)

    return design


def apart(sizes=(30, 15), gap=2.0, games=700, across=0.04):
    """Beginners and masters, who seldom meet."""

    def design(r):
        group = np.repeat(np.arange(len(sizes)), sizes)
        theta = r.normal(0, 0.5, len(group)) + gap * group
        a = r.integers(0, len(group), games)
        b = np.array([r.choice(np.flatnonzero((group == group[i]) ^ (r.random() < across))) for i in a])
        return meet(r, theta, a[a != b], b[a != b])

    return design


def draws_by_strength(n=40, games=1500, slope=0.7):
    """Stronger players draw more, as in chess."""

    def design(r):
        theta, (a, b) = r.normal(0, 0.7, n), (x := r.integers(0, n, games), (x + r.integers(1, n, games)) % n)
        score = play(r, theta[a] - theta[b] + 0.2, 0.2 + slope * (theta[a] + theta[b]) / 2)
        return Played(theta, a, b, score, lead="tronger players draw more")

    return design


def with_void_ratings(n=50, games=500):
    """Printed ratings without information on strengths."""

    def design(r):
        g = by_lot(n, games)(r)
        g.rating = np.round(r.normal(1600, 200, n))
        return g

    return design


def winners(n=30, games=500):
    """File of winners and losers, with the winner first."""

    def design(r):
        g = by_lot(n, games, days=80, draws=None)(r)
        lost = g.score == 0.0
        g.white, g.black = np.where(lost, g.black, g.white), np.where(lost, g.white, g.black)
        g.score, g.draws = np.ones(games), None
        return g

    return design


def first_by_strength(n=30, games=600):
    """The player with the higher reputation is named first, although seats matter."""

    def design(r):
        g = by_lot(n, games)(r)
        name = g.theta + r.normal(0, 0.5, n)
        w, b = np.where(name[g.white] > name[g.black], (g.white, g.black), (g.black, g.white))
        return Played(g.theta, w, b, play(r, g.theta[w] - g.theta[b] + 0.2))

    return design


KINDS = {  # kind: (design, limit of CPU seconds in units of `import pymc`)
    "match of 2": (match(2), 5),
    "match of 8": (match(8), 5),
    "match of 20": (match(20), 5),
    "match of 100": (match(100), 5),
    "gauntlet of 4 by 40": (gauntlet(4, 40), 5),
    "gauntlet of 12 by 30": (gauntlet(12, 30), 5),
    "three players": (round_robin(3, 4), 5),
    "round robin of 10": (round_robin(10), 5),
    "double round robin of equals": (round_robin(6, 4, 0.1), 5),
    "mostly drawn": (round_robin(8, 4, 0.4, 3.0), 5),
    "open, 64 by 9, rounds": (swiss(64, 9), 6),
    "open, no event names": (swiss(40, 7, 4, names=False, pool=80), 6),
    "circuit of opens": (swiss(40, 7, 6, pool=100), 8),
    "opens, games of the top only": (swiss(64, 7, 10, top=0.33, pool=200), 8),
    "fast open, top half only": (swiss(120, 13, top=0.5, days=2), 6),
    "open with ratings": (swiss(80, 9, ratings=True), 8),
    "club, by lot": (by_lot(60, 345), 5),
    "club, near": (by_lot(60, 400, days=300, near=6), 6),
    "club with ratings, near": (club(68, 306, 3), 6),
    "club with ratings": (club(68, 306, 8), 6),
    "club with ratings, by lot": (club(60, 400, 59), 6),
    "football season": (season(20), 6),
    "five football seasons": (season(20, 5), 8),
    "tour of knockouts": (knockouts(), 20),
    "votes on 20 models": (votes(20, 3000), 5),
    "two years, 100 players, 5,000 games": (by_lot(100, 5000, 730, 0.15), 6),
    "200 players, 1,000 games, two years": (by_lot(200, 1000, 730, 0.15), 8),
    "one year, 2,100 players, 16,000 games": (by_lot(2100, 16000, 300), 25),
    "near, 1,000 players, 5,000 games": (by_lot(1000, 5000, 300, near=12), 20),
    "100,000 games of 10,000, near": (by_lot(10000, 100000, near=12), 40),
    "two divisions over two years": (divisions(), 10),
    "ladder of a club": (ladder(), 6),
    "league of teams": (boards(), 6),
    "a knockout of 64": (knockouts(64, 1, 64), 6),
    "juniors with ratings": (juniors(), 8),
    "winners and losers": (winners(), 5),
    "a Swiss open and a league": (together(swiss(40, 7), round_robin(16, 2)), 8),
    "knockouts and leagues": (together(knockouts(60, 6, 16), round_robin(20, 2)), 8),
    "a Swiss of 20 by 5": (swiss(20, 5), 5),
    "stronger named first": (first_by_strength(), 5),
    "a league in play": (in_play(), 5),
    "regulars and guests": (regulars(), 6),
    "beginners and masters": (apart(), 5),
    "draws by strength": (draws_by_strength(), 5),
    "ratings that say nothing": (with_void_ratings(), 6),
    "a club's Swiss evenings": (swiss(24, 5, 8, pool=45, days=5, apart=40), 8),
    "eight years of a club": (coming_and_going(), 25),
}

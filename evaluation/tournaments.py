r"""Who wins a tournament to come: round robin, knockout, Swiss and arena, from the draws of a fitted model.

Under one draw of the posterior the strengths are known and games are independent; tournaments are played under many
draws. The forecast is the mean over draws, and its Monte Carlo error is that of the means of the draws, because
tournaments of one draw share its strengths. Results so far stay as they are.

round robin    everybody meets everybody `cycles` times; colours turn from cycle to cycle
knockout       matches of some games, colours by turns; who wins is reckoned, not simulated: the chance of reaching each
               round follows from that of the round before, P_r(i) = P_(r-1)(i) sum_j P_(r-1)(j) P(i beats j)
Swiss          see `halfpoint.evaluation.pairing`; a bye is a point
arena          in each round neighbours in the standing meet, those with equal points in random order, colours by lot;
               2 points for a win, 1 for a draw, doubled after two wins in a row until the next game not won

Places are shared in equal parts by players with equal points, after the tie-break if one is asked for: Buchholz (sum of
the opponents' points) or Sonneborn-Berger (points taken off an opponent times the opponent's points).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.checks import Floats
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import SIMULATIONS, TOURNAMENTS, check_draws_exist
from halfpoint.evaluation.pairing import order_of, swiss_pairs
from halfpoint.games.memory import require_room
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.table import GameTable
from halfpoint.models.reading import Reading, reading_of
from halfpoint.systems.numba_loops import compiled

Format = Literal["round-robin", "knockout", "swiss", "arena"]
TieBreak = Literal["share", "buchholz", "sonneborn-berger"]
Decider = Literal["replay", "armageddon", "coin"]
Seeding = Literal["listed", "rating", "random"]
FORMATS: tuple[Format, ...] = ("round-robin", "knockout", "swiss", "arena")
TIE_BREAKS: tuple[TieBreak, ...] = ("share", "buchholz", "sonneborn-berger")
DECIDERS: tuple[Decider, ...] = ("replay", "armageddon", "coin")
SEEDINGS: tuple[Seeding, ...] = ("listed", "rating", "random")
KINDS = {"round-robin": 0, "swiss": 1, "arena": 2}
ROUNDS = Range(1, 1_000)
MOST_DRAWS = 1_000
TABLE_VALUES = 20_000_000  # chances of pairs worked on at a time


@dataclass(frozen=True)
class Rules:
    """How a tournament is played.

    Parameters
    ----------
    format : {"round-robin", "knockout", "swiss", "arena"}
        See the module.
    cycles : int
        How often each pair of a round robin meets.
    rounds : int
        Rounds of a Swiss or an arena.
    games : int
        Games of a match of a knockout.
    tie_break : {"share", "buchholz", "sonneborn-berger"}
        What parts equal points.
    decider : {"replay", "armageddon", "coin"}
        What decides a drawn match: games until one is won, one game in which Black's draw wins, or a coin; colours by
        lot.
    seeding : {"listed", "rating", "random"}
        Seeds of a knockout and first order of a Swiss: as listed, by the mean rating, or by lot in every draw.

    Raises
    ------
    EvaluationError
        If a word is not known or a number is out of its range.
    """

    format: Format = "round-robin"
    cycles: int = 1
    rounds: int = 9
    games: int = 2
    tie_break: TieBreak = "share"
    decider: Decider = "replay"
    seeding: Seeding = "rating"

    def __post_init__(self) -> None:
        for name, allowed in (
            ("format", FORMATS), ("tie_break", TIE_BREAKS), ("decider", DECIDERS), ("seeding", SEEDINGS),
        ):  # fmt: skip
            if getattr(self, name) not in allowed:
                raise EvaluationError(name.replace("_", " "), " | ".join(allowed), repr(getattr(self, name)))
        for name in ("cycles", "rounds", "games"):
            ROUNDS.require(name, getattr(self, name), EvaluationError)


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is to be expected of a tournament.

    Parameters
    ----------
    table : DataFrame
        By player, best chance first: title, mc_error, tie_first (chance of sharing the most points); points and
        points_sd, or for a knockout final and semi_final, the chances of reaching them.
    places : DataFrame
        Chance of each place (knockout: of reaching each round), players in rows in the order of `table`.
    best_wins : float
        Chance that the strongest player of the draw takes the title, shared titles in parts.
    best_wins_error : float
        Its Monte Carlo error.
    """

    table: pd.DataFrame
    places: pd.DataFrame
    best_wins: float
    best_wins_error: float


def tournament(
    trace: xr.DataTree,
    players: Sequence[str],
    rules: Rules | None = None,
    seed: int = 1,
    tournaments: int = TOURNAMENTS,
    results: GameTable | None = None,
) -> Outlook:
    """Return title and place chances of a tournament.

    Parameters
    ----------
    trace : xarray.DataTree
        A trace of a model with three outcomes.
    players : sequence of str
        Names of players of the trace, two or more.
    rules : Rules, optional
        How it is played; a single round robin by default.
    seed : int
        Seed of the draws and of the games.
    tournaments : int
        How many tournaments to simulate; of a knockout, how many draws to reckon with at most.
    results : GameTable, optional
        Games of the tournament that are over; of a Swiss, of its first rounds.

    Raises
    ------
    EvaluationError
        If there are fewer than two players, one stands twice, a result is not of this tournament, a number is out of
        its range, or the model has no draws.
    HalfpointError
        If the work would not fit in memory.
    """
    rules = rules or Rules()
    SIMULATIONS.require("simulated tournaments", tournaments, EvaluationError)
    SEED.require("seed", seed, EvaluationError)
    reading = reading_of(trace)
    check_draws_exist(reading)
    seat = np.array([reading.index(name) for name in players], dtype=np.int32)
    if seat.size < 2 or np.unique(seat).size < seat.size:
        raise EvaluationError("players", "two different names or more", repr(list(players)))
    rng = np.random.default_rng(seed)
    total = reading.p["strength"].shape[0]
    kept = rng.permutation(total)[: min(total, tournaments, MOST_DRAWS)]
    return outlook(
        reading.thinned(kept), seat, list(players), rules, rng, tournaments, fixed(players, seat, results, reading)
    )


def fixed(
    players: Sequence[str], seat: npt.NDArray[np.int32], results: GameTable | None, reading: Reading
) -> npt.NDArray[np.float64]:
    """Return the results so far as rows of white, black (places in `players`) and score, shape (result, 3)."""
    if results is None:
        return np.empty((0, 3))
    place = {int(one): at for at, one in enumerate(seat)}
    rows = []
    for game in range(len(results)):
        sides = []
        for name in (str(results.white_names[game]), str(results.black_names[game])):
            if (at := place.get(reading.index(name))) is None:
                raise EvaluationError(results.place(game), "players of the tournament", repr(name))
            sides.append(at)
        rows.append([*sides, results.score[game]])
    return np.array(rows, dtype=np.float64)


def outlook(
    reading: Reading,
    seat: npt.NDArray[np.int32],
    names: list[str],
    rules: Rules,
    rng: np.random.Generator,
    tournaments: int,
    played: npt.NDArray[np.float64],
) -> Outlook:
    """Return the outlook from draws: the part that `tournament` shares with checks of it."""
    strength = reading.p["strength"][..., -1] if reading.model.walks else reading.p["strength"]
    strength = strength[:, seat]
    draws, count = strength.shape
    require_room(f"a tournament of {count:,} players", 200.0 * count**2 + 8.0 * draws * count**2, "Take fewer players.")
    share = -(-tournaments // draws)
    title, tied = np.zeros((draws, count)), np.zeros((draws, count))
    points, squares = np.zeros(count), np.zeros(count)
    places = np.zeros((count, count))
    best = np.zeros(draws)
    reached = np.zeros((draws, count, rounds_of(count) + 1))
    by_rating = np.argsort(-strength.mean(axis=0), kind="stable")
    step = max(1, TABLE_VALUES // (3 * count**2))
    for first in range(0, draws, step):
        part = range(first, min(first + step, draws))
        chances = chances_of(reading.thinned(np.asarray(part)), seat)
        for draw in part:
            order = seeds(rules.seeding, by_rating, rng)
            chance = chances[draw - first]
            if rules.format == "knockout":
                beats = match_chances(chance, rules.games, rules.decider)
                known = with_results(beats, played, rules.games)
                reached[draw] = knockout(known, order)
                title[draw] = reached[draw, :, -1]
            else:
                bounds = np.cumsum(chance, axis=-1)[..., :2].copy()
                title[draw], tied[draw] = simulated(
                    bounds, KINDS[rules.format], rules, order, played, share, rng, points, squares, places
                )
            best[draw] = title[draw, int(np.argmax(strength[draw]))]
    error = title.std(axis=0, ddof=1) / np.sqrt(draws) if draws > 1 else single_error(title[0], share)
    columns = {"title": title.mean(axis=0), "mc_error": error}
    if rules.format == "knockout":
        mean = reached.mean(axis=0)
        columns |= {"final": mean[:, -2], "semi_final": mean[:, -3] if mean.shape[1] > 2 else np.ones(count)}
        where = pd.DataFrame(mean[:, 1:], columns=[f"wins round {n}" for n in range(1, mean.shape[1])])
    else:
        total = draws * share
        mean = points / total
        columns |= {"tie_first": tied.mean(axis=0), "points": mean}
        columns["points_sd"] = np.sqrt(np.maximum(squares / total - mean**2, 0.0))
        where = pd.DataFrame(places / total, columns=np.arange(1, count + 1))
    table = pd.DataFrame(columns, index=pd.Index(names, name="player"))
    where.index = table.index
    table = table.sort_values("title", ascending=False, kind="stable")
    best_error = float(best.std(ddof=1) / np.sqrt(draws)) if draws > 1 else 0.0
    return Outlook(table, where.loc[table.index], float(best.mean()), best_error)


def single_error(title: Floats, tournaments: int) -> Floats:
    """Return the Monte Carlo error of titles that were simulated under a single draw, at most that of a coin."""
    return np.asarray(np.sqrt(title * (1.0 - title) / tournaments))


def chances_of(reading: Reading, seat: npt.NDArray[np.int32]) -> Floats:
    """Return loss, draw and win for White i against Black j under each draw, shape (draw, i, j, outcome)."""
    count = seat.size
    white, black = (side.ravel() for side in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    apart = white != black
    found = np.zeros((reading.p["strength"].shape[0], count * count, 3))
    found[:, apart] = reading.pairing(seat[white[apart]], seat[black[apart]])
    return found.reshape(-1, count, count, 3)


def seeds(seeding: Seeding, by_rating: npt.NDArray[np.intp], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the players in the order of their seeds."""
    if seeding == "random":
        return rng.permutation(by_rating.size).astype(np.int64)
    return by_rating.astype(np.int64) if seeding == "rating" else np.arange(by_rating.size, dtype=np.int64)


# Knockout -----------------------------------------------------------------------------------------------------------


def rounds_of(count: int) -> int:
    """Return how many rounds a knockout of so many players has."""
    return int(np.ceil(np.log2(count)))


def bracket(count: int) -> npt.NDArray[np.int64]:
    """Return the seeds in the order of the bracket, -1 for a bye: first against last, and the two best apart.

    Examples
    --------
    >>> bracket(8).tolist()
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    lines = np.array([0])
    while lines.size < count:
        size = 2 * lines.size
        lines = np.stack([lines, size - 1 - lines], axis=1).ravel()
    return np.where(lines < count, lines, -1).astype(np.int64)


def match_chances(chance: Floats, games: int, decider: Decider) -> Floats:
    """Return P(i beats j) in a match, shape (i, j), from chances of games, shape (i, j, outcome), White first."""
    own, other = chance, chance.transpose(1, 0, 2)[..., ::-1]
    more, fewer = -(-games // 2), games // 2
    beats = np.zeros(chance.shape[:2])
    for white in {more, fewer}:  # of an odd number of games, who has White once more is drawn by lot
        spread = np.zeros((*chance.shape[:2], 2 * games + 1))
        spread[..., 0] = 1.0
        for game in range(games):
            p = own if game < white else other
            spread[..., 2:] = (
                spread[..., 2:] * p[..., :1] + spread[..., 1:-1] * p[..., 1:2] + spread[..., :-2] * p[..., 2:]
            )
            spread[..., 1] = spread[..., 1] * p[..., 0] + spread[..., 0] * p[..., 1]
            spread[..., 0] *= p[..., 0]
        won = spread[..., games + 1 :].sum(axis=-1) + spread[..., games] * decided(own, other, decider)
        beats += won / len({more, fewer})
    np.fill_diagonal(beats, 0.0)
    return beats


def decided(own: Floats, other: Floats, decider: Decider) -> Floats:
    """Return P(i wins the decider against j), shape (i, j); `own` with White, `other` with Black."""
    if decider == "coin":
        return np.full(own.shape[:2], 0.5)
    if decider == "armageddon":
        return np.asarray((own[..., 2] + other[..., 1] + other[..., 2]) / 2.0)
    won, lost = own[..., 2] + other[..., 2], own[..., 0] + other[..., 0]
    return np.asarray(np.divide(won, won + lost, out=np.full(won.shape, 0.5), where=won + lost > 0.0))


def with_results(beats: Floats, played: npt.NDArray[np.float64], games: int) -> Floats:
    """Return P(i beats j) with finished matches decided: who has more points of `games` games or more; one won."""
    if not len(played):
        return beats
    found = beats.copy()
    points: dict[tuple[int, int], list[float]] = {}
    for white, black, score in played:
        pair = (int(white), int(black)) if white < black else (int(black), int(white))
        points.setdefault(pair, []).append(score if white < black else 1.0 - score)
    for (one, two), scores in points.items():
        lead = 2.0 * sum(scores) - len(scores)
        over = len(scores) >= games or abs(lead) > games - len(scores)
        if not over or lead == 0.0:
            raise EvaluationError(
                "results", "finished matches, each with a winner", f"{len(scores)} games, lead {lead}"
            )
        found[one, two], found[two, one] = float(lead > 0), float(lead < 0)
    return found


def knockout(beats: Floats, order: npt.NDArray[np.int64]) -> Floats:
    """Return the chance of standing after each round, shape (player, round + 1): all ones, ..., the title.

    Parameters
    ----------
    beats : array of float, shape (player, player)
        P(i beats j).
    order : array of int, shape (player,)
        Players by seed.
    """
    lines = bracket(order.size)
    who = np.where(lines >= 0, order[np.maximum(lines, 0)], -1)
    reach = np.zeros((order.size, rounds_of(order.size) + 1))
    reach[:, 0] = 1.0
    now = np.where(who >= 0, 1.0, 0.0)
    width = 1
    for number in range(1, reach.shape[1]):
        after = np.zeros(now.size)
        for start in range(0, now.size, 2 * width):
            halves = np.arange(start, start + width), np.arange(start + width, start + 2 * width)
            for mine, theirs in (halves, halves[::-1]):
                real = who[mine] >= 0
                against = beats[np.ix_(who[mine[real]], np.maximum(who[theirs], 0))]
                against = np.where(who[theirs] >= 0, against, 0.0) @ now[theirs]
                nobody = 1.0 - now[theirs].sum()  # a bye
                after[mine[real]] = now[mine[real]] * (against + nobody)
        now, width = after, 2 * width
        reach[who[who >= 0], number] = now[who >= 0]
    return reach


# Round robin, Swiss, arena ------------------------------------------------------------------------------------------


def schedule(count: int, cycles: int, played: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], ...]:
    """Return White and Black of the games of a round robin that are still to be played, shape (game,) each.

    Raises
    ------
    EvaluationError
        If a pair has played more games than it meets.
    """
    white, black = np.triu_indices(count, 1)
    turned = (white + black) % 2 == 1
    white, black = np.where(turned, black, white), np.where(turned, white, black)
    rows = [
        (i, j) if cycle % 2 == 0 else (j, i)
        for cycle in range(cycles)
        for i, j in zip(white.tolist(), black.tolist(), strict=True)
    ]
    for one, two, _ in played.tolist():
        pair = (int(one), int(two))
        if pair not in rows:
            pair = (pair[1], pair[0])
        if pair not in rows:
            raise EvaluationError("results", f"at most {cycles} games of a pair", "more")
        rows.remove(pair)
    left = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return left[:, 0].copy(), left[:, 1].copy()


def simulated(
    bounds: Floats, kind: int, rules: Rules, order: npt.NDArray[np.int64], played: npt.NDArray[np.float64], share: int,
    rng: np.random.Generator, points: Floats, squares: Floats, places: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return title shares and chances of sharing the most points under one draw; add points and places to the sums."""
    count = order.size
    white, black = (
        schedule(count, rules.cycles, played) if kind == 0 else (np.empty(0, np.int64), np.empty(0, np.int64))
    )
    title, tied = np.zeros(count), np.zeros(count)
    half = max(1, count // 2)
    done, byes = 0, np.zeros(count, dtype=np.int64)
    if kind:
        done = -(-len(played) // half)
        for first in range(0, len(played) if kind == 1 and count % 2 else 0, half):
            byes[np.setdiff1d(np.arange(count), played[first : first + half, :2].astype(np.int64))[:1]] += 1
    breaks, left = TIE_BREAKS.index(rules.tie_break), max(rules.rounds - done, 0)
    sums = title, tied, points, squares, places
    play_many(bounds, kind, white, black, left, breaks, order, played, byes, share, rng, *sums)
    return title / share, tied / share


@compiled
def play_many(
    bounds: Floats,
    kind: int,
    white: npt.NDArray[np.int64],
    black: npt.NDArray[np.int64],
    rounds: int,
    tie_break: int,
    order: npt.NDArray[np.int64],
    played: npt.NDArray[np.float64],
    byes_so_far: npt.NDArray[np.int64],
    share: int,
    rng: np.random.Generator,
    title: Floats,
    tied: Floats,
    points_sum: Floats,
    squares: Floats,
    places: Floats,
) -> None:
    """Play `share` tournaments under one draw and add up what came of them.

    `bounds` holds, for White i and Black j, the chance of a loss and of a loss or draw.
    """
    count = order.size
    for _ in range(share):
        points = byes_so_far.astype(np.float64)
        met = np.zeros((count, count), dtype=np.int64)
        taken = np.zeros((count, count))
        colour = np.zeros(count, dtype=np.int64)
        last = np.zeros(count, dtype=np.int64)
        byes = byes_so_far.copy()
        streak = np.zeros(count, dtype=np.int64)
        for row in range(played.shape[0]):
            i, j = int(played[row, 0]), int(played[row, 1])
            note(i, j, played[row, 2], kind, points, met, taken, colour, last, streak)
        if kind == 0:
            for game in range(white.size):
                i, j = white[game], black[game]
                note(i, j, outcome_of(bounds, i, j, rng), kind, points, met, taken, colour, last, streak)
        else:
            for number in range(rounds):
                if kind == 1:
                    one, two, bye = swiss_pairs(points, order, met, colour, last, byes, number)
                    if bye >= 0:
                        byes[bye] += 1
                        points[bye] += 1.0
                else:
                    standing = order_of(points, rng.permutation(count))
                    one, two = standing[0 : count - count % 2 : 2].copy(), standing[1::2].copy()
                    for board in range(one.size):
                        if rng.random() < 0.5:
                            one[board], two[board] = two[board], one[board]
                for board in range(one.size):
                    i, j = one[board], two[board]
                    note(i, j, outcome_of(bounds, i, j, rng), kind, points, met, taken, colour, last, streak)
        key = 1e6 * points
        if tie_break > 0:
            for i in range(count):
                for j in range(count):
                    key[i] += (met[i, j] if tie_break == 1 else taken[i, j]) * points[j]
        most = points.max()
        shared = 0
        for i in range(count):
            points_sum[i] += points[i]
            squares[i] += points[i] * points[i]
            shared += points[i] == most
        ranked = np.argsort(-key, kind="mergesort")
        start = 0
        while start < count:
            end = start + 1
            while end < count and abs(key[ranked[end]] - key[ranked[start]]) < 1e-6:
                end += 1
            for at in range(start, end):
                for place in range(start, end):
                    places[ranked[at], place] += 1.0 / (end - start)
                if start == 0:
                    title[ranked[at]] += 1.0 / end
            start = end
        if shared > 1:
            for i in range(count):
                tied[i] += points[i] == most


@compiled
def outcome_of(bounds: Floats, i: int, j: int, rng: np.random.Generator) -> float:
    """Return the score of a simulated game for White."""
    chance = rng.random()
    return 0.0 if chance < bounds[i, j, 0] else 0.5 if chance < bounds[i, j, 1] else 1.0


@compiled
def note(
    i: int, j: int, score: float, kind: int, points: Floats, met: npt.NDArray[np.int64], taken: Floats,
    colour: npt.NDArray[np.int64], last: npt.NDArray[np.int64], streak: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Enter a game: points (an arena's count double and double again on a streak), who met whom, colours."""
    for side in range(2):
        own, other, value = (i, j, score) if side == 0 else (j, i, 1.0 - score)
        if kind == 2:
            points[own] += 2.0 * value * (2.0 if streak[own] >= 2 else 1.0)
            streak[own] = streak[own] + 1 if value == 1.0 else 0
        else:
            points[own] += value
        taken[own, other] += value
        met[own, other] += 1
        colour[own] += 1 if side == 0 else -1
        last[own] = 1 if side == 0 else -1


def round_robin(
    trace: xr.DataTree, players: Sequence[str], cycles: int = 2, seed: int = 1, tournaments: int = TOURNAMENTS
) -> pd.DataFrame:
    """Return title chances in a simulated round robin; colours turn from cycle to cycle.

    Parameters
    ----------
    trace, players, seed, tournaments
        As in `tournament`.
    cycles : int
        How often each pair meets.

    Returns
    -------
    DataFrame
        By player, best chance first: `title` (probability), `mc_error`, chance of a shared first place, and mean and
        standard deviation of the points.
    """
    return tournament(trace, players, Rules(cycles=cycles), seed, tournaments).table


def information(trace: xr.DataTree, players: Sequence[str], thin: int = 1) -> pd.DataFrame:
    """Return what a game of each pair would tell of the strengths, most informative first, for adaptive pairing.

    The expected information of a game is the mutual information of its outcome and the parameters, in bits: the
    entropy of the mean forecast less the mean entropy of the forecasts of the draws (Lindley 1956; Glickman and Jensen
    2005, adaptive paired comparison designs).

    Parameters
    ----------
    trace : xarray.DataTree
        A trace of a model with three outcomes.
    players : sequence of str
        Names of players of the trace.
    thin : int
        Keep every n-th draw of a chain.

    Returns
    -------
    DataFrame
        white, black and bits, one row an ordered pair.
    """
    reading = reading_of(trace, thin)
    check_draws_exist(reading)
    seat = np.array([reading.index(name) for name in players], dtype=np.int32)
    chance = chances_of(reading, seat)

    def entropy(p: Floats) -> Floats:
        return np.asarray(-(p * np.log2(np.maximum(p, 1e-300))).sum(axis=-1))

    bits = entropy(chance.mean(axis=0)) - entropy(chance).mean(axis=0)
    white, black = (side.ravel() for side in np.meshgrid(np.arange(seat.size), np.arange(seat.size), indexing="ij"))
    apart = white != black
    names = np.array(list(players), dtype=np.str_)
    found = pd.DataFrame({"white": names[white], "black": names[black], "bits": bits.ravel()})[apart]
    told: pd.DataFrame = found.sort_values("bits", ascending=False, kind="stable").reset_index(drop=True)
    return told

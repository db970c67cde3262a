r"""Forecast of a tournament: round robin, knockout and Swiss, from the draws of a fitted model.

Under one draw of the posterior the strengths are known and games are independent; tournaments are played under many
draws. The forecast is the mean over draws, and its Monte Carlo error comes from the means of the draws, because
tournaments of one draw share its strengths. Results so far are kept.

round robin    all pairs meet `cycles` times; colours alternate from cycle to cycle
knockout       matches of some games, colours by turns; winners are computed, not simulated: the chance of reaching each
               round follows from the round before, P_r(i) = P_(r-1)(i) sum_j P_(r-1)(j) P(i beats j)
Swiss          see `halfpoint.evaluation.pairing`; a bye is a point

Places are shared in equal parts by players with equal points, after the tie-break if requested: Buchholz (sum of the
opponents' points) or Sonneborn-Berger (points won against an opponent times the opponent's points).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.knockout import knockout, match_chances, rounds_of, with_results
from halfpoint.evaluation.matches import TOURNAMENTS, check_draws_exist
from halfpoint.evaluation.parts import Each, Part, in_turn, parts_of
from halfpoint.evaluation.round_robins import VALUES_AT_ONCE, meet_all, ordered_pairs
from halfpoint.evaluation.round_robins import tournaments as round_robins
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.tournament_options import SIMULATIONS, TIE_BREAKS, Rules, Seeding
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.memory import require_room
from halfpoint.models.games.ranges import SEED
from halfpoint.models.games.simulate import round_robin as every_pair
from halfpoint.models.games.table import GameTable

_MOST_DRAWS = 1_000
_TABLE_VALUES = 20_000_000  # chances of pairs worked on at a time


@dataclass(frozen=True, eq=False)
class Outlook:
    """Forecast of a tournament."""

    # by player, best chance first: title, mc_error, tie_first (chance of sharing the most points); points and
    # points_sd, or for a knockout final and semi_final, the chances of reaching them
    table: pd.DataFrame
    # chance of each place (knockout: of reaching each round), players in rows in the order of `table`
    places: pd.DataFrame
    best_wins: float  # chance that the strongest player of the draw takes the title, shared titles in parts
    best_wins_error: float  # its Monte Carlo error


def tournament(
    trace: xr.DataTree,
    players: Sequence[str],
    rules: Rules | None = None,
    seed: int = 1,
    tournaments: int = TOURNAMENTS,
    results: GameTable | None = None,
    each: Each = in_turn,
) -> Outlook:
    """Title and place chances of a tournament.

    Parameters
    ----------
    trace : xarray.DataTree
        A trace of a model with three outcomes.
    players : sequence of str
        Names of players of the trace, two or more.
    rules : Rules, optional
        Rules of play; a single round robin by default.
    seed : int
        Seed of the draws and of the games.
    tournaments : int
        Number of tournaments to simulate; in a knockout, largest number of draws used.
    results : GameTable, optional
        Games already played in the tournament; in a Swiss, the games of its first rounds.
    each : callable
        Runs the parts of the simulation (`halfpoint.evaluation.parts`).

    Raises
    ------
    EvaluationError
        If there are fewer than two players, a player is listed twice, a result is not of this tournament, a number is
        out of its range, or the model has no draws.
    HalfpointError
        If the work would not fit in memory.
    """
    rules = rules or Rules()
    SIMULATIONS.require("simulated tournaments", tournaments, EvaluationError)
    SEED.require("seed", seed, EvaluationError)
    reading = reading_of(trace)
    check_draws_exist(reading, trace)
    seat = seats_of(reading, players)
    rng = np.random.default_rng(seed)
    total = reading.p["strength"].shape[0]
    subset = rng.permutation(total)[: min(total, tournaments, _MOST_DRAWS)]
    return outlook(
        reading.thin(subset),
        seat,
        list(players),
        rules,
        rng,
        tournaments,
        finished_results(players, seat, results, reading),
        each,
    )


def seats_of(reading: Reading, players: Sequence[str]) -> npt.NDArray[np.int32]:
    """Places of players in a model, shape (player,); each appears once."""
    seat = np.array([reading.index(name) for name in players], dtype=np.int32)
    if seat.size < 2 or np.unique(seat).size < seat.size:
        raise EvaluationError("players", "two different names or more", repr(list(players)))
    return seat


def finished_results(
    players: Sequence[str], seat: npt.NDArray[np.int32], results: GameTable | None, reading: Reading,
    absent: bool = False,
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Results so far as rows of white, black (places in `players`) and score, shape (result, 3).

    Names outside `players` raise `EvaluationError`, or with `absent` have places after them.
    """
    if results is None:
        return np.empty((0, 3))
    place = {int(code): number for number, code in enumerate(seat)}
    rows, register = list[list[object]](), Players(reading.players.tolist())
    further: dict[str, int] = {}
    for game in range(len(results)):
        sides = []
        for name in (str(results.white_names[game]), str(results.black_names[game])):
            position = place.get(-1 if (code := register.meant(name)) is None else code)
            if position is None and not absent:
                raise EvaluationError(results.place(game), "players of the tournament", repr(name))
            sides.append(further.setdefault(name, len(players) + len(further)) if position is None else position)
        rows.append([*sides, results.score[game]])
    return np.array(rows, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Field:
    """Players and rules of a tournament, shared by the parts of its simulation."""

    reading: Reading
    seat: npt.NDArray[np.int32]
    rules: Rules
    played: Floats  # (result, 3)
    by_rating: npt.NDArray[np.intp]
    share: int  # tournaments of a draw


@dataclass(frozen=True, eq=False)
class _Sums:
    """Results of a part, by its draws, and sums over its tournaments."""

    title: Floats  # (draw, player)
    tied: Floats  # (draw, player)
    reached: Floats  # (draw, player, round): of a knockout
    best: Floats  # (draw,): of the strongest player
    points: Floats  # (player,)
    squares: Floats  # (player,)
    places: Floats  # (player, place)


def outlook(
    reading: Reading,
    seat: npt.NDArray[np.int32],
    names: list[str],
    rules: Rules,
    rng: np.random.Generator,
    tournaments: int,
    played: npt.NDArray[np.float64],
    each: Each = in_turn,
) -> Outlook:
    """Outlook from draws, shared by `tournament` and its checks."""
    strength = _strengths(reading, seat)
    draws, count = strength.shape
    require_room(f"a tournament of {count:,} players", 200.0 * count**2 + 8.0 * draws * count**2, "Take fewer players.")
    share = -(-tournaments // draws)
    field = _Field(reading, seat, rules, played, np.argsort(-strength.mean(axis=0), kind="stable"), share)
    parts = list(each(_simulated_part, field, parts_of(draws, tournaments, rng)))
    title, tied, reached, best = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("title", "tied", "reached", "best")
    )
    points, squares, places = (sum(getattr(part, name) for part in parts) for name in ("points", "squares", "places"))
    mean_title = title.mean(axis=0)  # under a single draw the error of the simulation is at most that of a coin
    single = np.sqrt(mean_title * (1.0 - mean_title) / share)
    columns = {"title": mean_title, "mc_error": title.std(axis=0, ddof=1) / np.sqrt(draws) if draws > 1 else single}
    if rules.format == "knockout":
        mean = reached.mean(axis=0)
        columns |= {"final": mean[:, -2], "semi_final": mean[:, -3] if mean.shape[1] > 2 else np.ones(count)}
        chances = pd.DataFrame(mean[:, 1:], columns=[f"wins round {n}" for n in range(1, mean.shape[1])])
    else:
        total = draws * share
        mean = points / total
        columns |= {"tie_first": tied.mean(axis=0), "points": mean}
        columns["points_sd"] = np.sqrt(np.maximum(squares / total - mean**2, 0.0))
        chances = pd.DataFrame(places / total, columns=np.arange(1, count + 1))
    table = pd.DataFrame(columns, index=pd.Index(names, name="player"))
    chances.index = table.index
    table = table.sort_values("title", ascending=False, kind="stable")
    best_error = float(best.std(ddof=1) / np.sqrt(draws)) if draws > 1 else 0.0
    return Outlook(table, chances.loc[table.index], float(best.mean()), best_error)


def _strengths(reading: Reading, seat: npt.NDArray[np.int32]) -> Floats:
    """Strengths of players at the end, shape (draw, player)."""
    return reading.last_strength[:, seat]


def _simulated_part(field: _Field, part: Part) -> _Sums:
    """Tournaments of some draws."""
    (draws, rng), rules, seat = part, field.rules, field.seat
    size, count = len(draws), seat.size
    strength = _strengths(field.reading, seat)[draws]
    title, tied, best = np.zeros((size, count)), np.zeros((size, count)), np.zeros(size)
    points, squares, places = np.zeros(count), np.zeros(count), np.zeros((count, count))
    reached = np.zeros((size, count, rounds_of(count) + 1))
    step = max(1, _TABLE_VALUES // (3 * count**2))
    for first in range(0, size, step):
        some = range(first, min(first + step, size))
        chances = chances_of(field.reading.thin(np.asarray(draws)[some]), seat)
        for draw in some:
            order = _seeds(rules.seeding, field.by_rating, rng)
            chance = chances[draw - first]
            if rules.format == "knockout":
                beats = match_chances(chance, rules.games, rules.decider)
                decided = with_results(beats, field.played, rules.games)
                reached[draw] = knockout(decided, order)
                title[draw] = reached[draw, :, -1]
            else:
                bounds = np.cumsum(chance, axis=-1)[..., :2].copy()
                title[draw], tied[draw] = simulate_draw(
                    bounds, rules, (order, field.played), field.share, rng, (points, squares, places)
                )
            best[draw] = title[draw, int(np.argmax(strength[draw]))]
    return _Sums(title, tied, reached, best, points, squares, places)


def chances_of(reading: Reading, seat: npt.NDArray[np.int32]) -> Floats:
    """Loss, draw and win for White i against Black j under each draw, shape (draw, i, j, outcome)."""
    count = seat.size
    white, black = ordered_pairs(count)
    chance = np.zeros((reading.p["strength"].shape[0], count, count, 3))
    chance[:, white, black] = reading.pairing(seat[white], seat[black])
    return chance


def _seeds(seeding: Seeding, by_rating: npt.NDArray[np.intp], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """The players in the order of their seeds."""
    if seeding == "random":
        return rng.permutation(by_rating.size).astype(np.int64)
    return by_rating.astype(np.int64) if seeding == "rating" else np.arange(by_rating.size, dtype=np.int64)


def _schedule(count: int, cycles: int, played: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """White and Black of the remaining games of a round robin, shape (game,) each."""
    schedule = every_pair(count, cycles)
    rows = list(zip(schedule.white.tolist(), schedule.black.tolist(), strict=True))
    for white, black, _ in played.tolist():
        pair = (int(white), int(black))
        if pair not in rows:
            pair = (pair[1], pair[0])
        if pair not in rows:
            raise EvaluationError("results", f"at most {cycles} games of a pair", "more")
        rows.remove(pair)
    remaining = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return remaining[:, 0].copy(), remaining[:, 1].copy()


def simulate_draw(
    bounds: Floats,
    rules: Rules,
    before: tuple[npt.NDArray[np.int64], Floats],
    share: int,
    rng: np.random.Generator,
    sums: tuple[Floats, Floats, Floats],
) -> tuple[Floats, Floats]:
    """Title shares and chances of sharing the most points under one draw, of seeds and games that are over.

    Points, their squares and places are added to the sums.
    """
    (order, played), (points, squares, places) = before, sums
    count, breaks = order.size, TIE_BREAKS.index(rules.tie_break)
    title, tied = np.zeros(count), np.zeros(count)
    some: Iterable[tuple[Floats, Floats]]
    if rules.format == "round-robin":
        white, black = _schedule(count, rules.cycles, played)
        some = round_robins(bounds[white, black], (white, black, count), played, breaks, share, rng)
    else:
        from halfpoint.evaluation.played_rounds import play_many  # compiled by numba, which takes a second to import

        half = max(1, count // 2)
        byes = np.zeros(count, dtype=np.int64)
        for first in range(0, len(played) if count % 2 else 0, half):
            byes[np.setdiff1d(np.arange(count), played[first : first + half, :2].astype(np.int64))[:1]] += 1
        how, begun = (max(rules.rounds - -(-len(played) // half), 0), breaks), (order, played, byes)
        step = max(1, VALUES_AT_ONCE // count**2)
        some = (play_many(bounds, how, begun, min(step, share - done), rng) for done in range(0, share, step))
    for totals, key in some:
        points += totals.sum(axis=0)
        squares += (totals**2).sum(axis=0)
        title_share, tie_share = meet_all(totals, key, places)
        title, tied = title + title_share, tied + tie_share
    return title / share, tied / share


def round_robin(
    trace: xr.DataTree, players: Sequence[str], cycles: int = 2, seed: int = 1, tournaments: int = TOURNAMENTS
) -> pd.DataFrame:
    """Table of `tournament` for a round robin: each pair meets `cycles` times with alternating colours.

    By player, best chance first: `title` (probability), `mc_error`, `tie_first`, chance of a shared first place, and
    `points` and `points_sd`, mean and standard deviation.
    """
    return tournament(trace, players, Rules(cycles=cycles), seed, tournaments).table

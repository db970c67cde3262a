r"""Elo for duplicate bridge: the system of Krajowski-Kukiel (2011), chapters 3 and 4, as far as the text gives it.

A result at table t of a deal with N tables gives North and South x average cross-IMPs:

    S = 1 if x > m, 0 if x < -m, else 1/2;   m = 1 IMP                                 chapter 4, "more than 1 IMP"
    E = 1 / (1 + 10^(-d / s)),  d = r_p - r_o + gamma held within 400 points           eq. 4.3 and 4.6, rule of 400
    gamma_t = ((R_o - r_o) - (R_p - r_p)) / (c N)                                      eq. 4.7, favourable lines
    R <- R + K (S - E) for both players of the pair; the other pair has 1 - E and 1 - S

r_p, r_o  rating of the pair and of its opponents, the mean of two players (section 3.3.1);  s = 400 Elo points
R_p, R_o  sums over all tables of the pairs on the same line and on the opponents' line
c         2.5 as printed. A result against the field is linear in d_t less the mean of the other tables' d, d = r_NS -
          r_EW, so that c = (N - 1) / N; the edition "corrected" has c = 1

The other method, artificial matches (section 4.1.2): NS_t and EW_u are a team against NS_u and EW_t, for every t != u,

    rho = (NS_t + EW_u) / 2 - (NS_u + EW_t) / 2,   S from imp(s_t - s_u) by the same margin
    change of NS_t = K / (N - 1) sum over u of (S_tu - E(rho_tu)),  that of EW_t is its negative

All results of a rating period change the ratings at its start, by their sum or mean. The text ends before the K factor.
The options here are one K; K G(n) with World Football's goal index and n = ceil(|x| / 3) goals, as section 3.3.1
suggests; and no classes at all, S = Phi(x / w) or (1 + tanh(x / w)) / 2. A new partnership's K can be multiplied by 1 +
a exp(-n / b), n its results so far: our formula, since the author's are not in the text.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.bridge.comparison import Ints, cross_imps, imps_of, matchpoints, percent
from halfpoint.apps.fields.bridge.rules import K_RULES, NUMBERS, BridgeRules, Every
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Codes, Floats, Texts


@dataclass(frozen=True, eq=False)
class BridgeRatings:
    """Ratings after all results, and the changes by each rated result."""

    rules: BridgeRules
    names: Texts  #: (unit,), players or pairs
    rating_elo: Floats  #: (unit,)
    results: Ints  #: (unit,), rated results, and the period of the last one
    last: Ints
    row: Ints  #: (rated,), rows of the table, in the order in which they were rated
    period: Ints  #: (rated,), rating period, from 1
    #: (rated,), E and S of North and South, E by the ratings before the period; with artificial matches their means
    expected: Floats
    outcome: Floats
    gamma_elo: Floats  #: (rated,), gamma of North and South
    change_ns_elo: Floats  #: (rated,), change by the result of either player of the two pairs
    change_ew_elo: Floats
    every: Every  #: the rating period, as it was taken
    periods: Texts  #: (period,), how each is called
    pairs: Texts  #: (pair,), all of the table
    partners: Texts  #: (pair, 2), their players
    ns: Codes  #: (rated,), which pairs met
    ew: Codes
    measured: Floats  #: (rated,), what S is made from for North and South: average cross-IMPs, or percentage less 50
    cross_imps: Floats  #: (rated,), average cross-IMPs

    def of_pairs(self, first: Floats, second: Floats) -> Floats:
        """Ratings of pairs from ratings of their players, (pair,) each."""
        share = self.rules.stronger_share
        return np.asarray(share * np.maximum(first, second) + (1.0 - share) * np.minimum(first, second))


def expected_score(ahead_elo: npt.ArrayLike, scale_elo: float = 400.0, cap_elo: float = 400.0) -> Floats:
    """Expected score E for the lead of a side, gamma included (eq. 4.3, 4.6 with the rule of 400).

    Examples
    --------
    >>> expected_score([200.0, -200.0, 5000.0]).round(4).tolist()
    [0.7597, 0.2403, 0.9091]
    """
    capped = np.clip(np.asarray(ahead_elo, dtype=np.float64), -cap_elo, cap_elo)
    return np.asarray(1.0 / (1.0 + 10.0 ** (-capped / scale_elo)))


def favourable_lines(ns_elo: Floats, ew_elo: Floats, constant: float = 2.5) -> Floats:
    """Gamma of North and South at each table of one deal, (table,) (eq. 4.7); negative for East and West."""
    opposition = (ew_elo.sum() - ew_elo) - (ns_elo.sum() - ns_elo)
    return np.asarray(opposition / (constant * ns_elo.size))


def artificial_expectations(ns_elo: Floats, ew_elo: Floats, scale_elo: float = 400.0, cap_elo: float = 400.0) -> Floats:
    """Expected score of the team of NS_t and EW_u against the team of NS_u and EW_t, shape (table, table).

    The diagonal, which is not a match, is 1/2.
    """
    d = ns_elo - ew_elo
    return expected_score((d[:, None] - d[None, :]) / 2.0, scale_elo, cap_elo)


def _usual_period(table: BridgeTable, period_rule: Every) -> Every:
    """Default rating period; for a tournament without dates its events, or its deals if it is one event."""
    if table.date is not None or not isinstance(period_rule, int):
        return period_rule
    return "deal" if table.event is None or np.unique(table.event).size < 2 else "event"


def periods_of(table: BridgeTable, period_rule: Every) -> tuple[Ints, Texts]:
    """Rating period of each result, from 1, and the name of each period."""
    period_rule = _usual_period(table, period_rule)
    if period_rule == "deal":
        code, deals = pd.factorize(table.deal)
        return code + 1, table.deal_names[deals]
    if period_rule == "event":
        if table.event is None:
            raise GameTableError(table.source, "a column event", "none", "Pass --every 3 (days) or --every deal.")
        code, names = pd.factorize(table.event)
        return code + 1, np.asarray(names, dtype=np.str_)
    assert table.date is not None
    if np.isnat(table.date).any():
        location = table.place(int(np.flatnonzero(np.isnat(table.date))[0]))
        remedy = "Fill the column date, or pass --every event or --every deal."
        raise GameTableError(location, "a date for each result", "none", remedy)
    assert isinstance(period_rule, int)
    first = table.date.min()
    number = (table.date - first).astype(np.int64) // period_rule
    starts = first + (np.arange(number.max() + 1) * period_rule).astype("timedelta64[D]")
    return number + 1, starts.astype(np.str_)


@compile_lazily
def _outcome_of(x: float, rule: int, numbers: Floats) -> float:
    """Score S for x IMPs."""
    if rule == 2:
        return 0.5 * math.erfc(-x / numbers[4] / math.sqrt(2.0))
    if rule == 3:
        return 0.5 * (1.0 + math.tanh(x / numbers[4]))
    return 1.0 if x > numbers[2] else 0.0 if x < -numbers[2] else 0.5


@compile_lazily
def _goal_index_of(x: float, rule: int, numbers: Floats) -> float:
    """Factor of K by the margin: World Football's index of goals by rule 1, else 1."""
    if rule != 1:
        return 1.0
    goals = max(math.ceil(abs(x) / numbers[3]), 1.0)
    if goals <= 1.0:
        return 1.0
    return 1.5 if goals == 2.0 else 1.75 + (goals - 3.0) / 8.0


@compile_lazily
def _expected_of(ahead: float, numbers: Floats) -> float:
    """Expected score E for a lead in Elo points."""
    capped = min(max(ahead, -numbers[9]), numbers[9])
    return float(1.0 / (1.0 + 10.0 ** (-capped / numbers[8])))


@compile_lazily
def _rate_periods(
    bounds: tuple[Ints, Ints],
    sat: tuple[Ints, Ints, Ints, Floats, Ints, Ints],
    rules: tuple[bool, int, bool],
    numbers: Floats,
    units: tuple[Floats, Ints, Ints, Ints],
    log: Floats,
) -> None:
    """Update ratings in place, period by period, with all deals of a period rated from the ratings at its start.

    `log` receives E, S, gamma and the two changes of each row. `bounds` are the starts of periods and deals; `sat` has
    seats, pairs of both lines, IMPs, points and period of each row; `rules` has a flag for matches, the index of
    `k_rule` in `K_RULES`, and a flag for period means; `numbers` are `NUMBERS` of the rules; `units` has ratings,
    results, last periods, and the joint results of each pair.
    """
    periods, deals = bounds
    seats, pair_ns, pair_ew, x, score, period = sat
    by_matches, rule, by_mean = rules
    rating, results, last, together = units
    change = np.zeros(rating.size)
    played = np.zeros(rating.size)
    deal = 0
    for block in range(periods.size - 1):
        while deal < deals.size - 1 and deals[deal] < periods[block + 1]:
            first, end = deals[deal], deals[deal + 1]
            deal += 1
            n = end - first
            ns, ew = np.empty(n), np.empty(n)
            for t in range(n):
                north, south = rating[seats[0, first + t]], rating[seats[1, first + t]]
                ns[t] = numbers[7] * max(north, south) + (1.0 - numbers[7]) * min(north, south)
                east, west = rating[seats[2, first + t]], rating[seats[3, first + t]]
                ew[t] = numbers[7] * max(east, west) + (1.0 - numbers[7]) * min(east, west)
            total = ew.sum() - ns.sum()
            for t in range(n):
                row = first + t
                moved = 0.0
                if by_matches:
                    sum_expected, sum_score = 0.0, 0.0
                    for u in range(n):
                        if u != t:
                            chance = _expected_of((ns[t] + ew[u] - ns[u] - ew[t]) / 2.0, numbers)
                            gain = float(imps_of(score[row] - score[first + u]))
                            won = _outcome_of(gain, rule, numbers)
                            moved += _goal_index_of(gain, rule, numbers) * (won - chance)
                            sum_expected += chance
                            sum_score += won
                    opponents = max(n - 1, 1)
                    moved /= opponents
                    log[row, 0], log[row, 1] = sum_expected / opponents, sum_score / opponents
                    if n == 1:
                        log[row, 0], log[row, 1] = np.nan, np.nan
                else:
                    gamma = (total - ew[t] + ns[t]) / (numbers[0] * n)
                    chance = _expected_of(ns[t] - ew[t] + gamma, numbers)
                    won = _outcome_of(x[row], rule, numbers)
                    moved = _goal_index_of(x[row], rule, numbers) * (won - chance)
                    log[row, 0], log[row, 1], log[row, 2] = chance, won, gamma
                of_ns = numbers[1] * (1.0 + numbers[5] * math.exp(-together[pair_ns[row]] / numbers[6]))
                of_ew = numbers[1] * (1.0 + numbers[5] * math.exp(-together[pair_ew[row]] / numbers[6]))
                log[row, 3], log[row, 4] = of_ns * moved, -of_ew * moved
                for seat in range(4):
                    unit = seats[seat, row]
                    if seat % 2 == 1 and unit == seats[seat - 1, row]:
                        continue  # a pair that is rated as one
                    change[unit] += log[row, 3 + seat // 2]
                    played[unit] += 1.0
        for row in range(periods[block], periods[block + 1]):
            together[pair_ns[row]] += 1
            together[pair_ew[row]] += 1
            for seat in range(4):
                unit = seats[seat, row]
                if played[unit] > 0.0:
                    rating[unit] += change[unit] / played[unit] if by_mean else change[unit]
                    results[unit] += int(played[unit])
                    last[unit] = period[row]
                    change[unit], played[unit] = 0.0, 0.0


def rate(
    table: BridgeTable, rules: BridgeRules | None = None, begun_elo: Mapping[str, float] | None = None
) -> BridgeRatings:
    """Rate players or pairs by all results of a table, starting at `start_elo` or at given ratings.

    Results with an unknown seat, a robot or an adjusted score, and deals played once, are not rated. `GameTableError`
    if there is no time, or no result can be rated.
    """
    chosen = rules or BridgeRules()
    period_rule = _usual_period(table, chosen.every)
    period, called = periods_of(table, period_rule)
    rated = np.flatnonzero(table.can_be_rated)
    if not rated.size:
        expected = "results that can be rated: four names, no robot, another result of the deal"
        raise GameTableError(table.source, expected, "none")
    row = rated[np.lexsort((table.deal[rated], period[rated]))]
    pairs, pair_ns, pair_ew = table.pairs()
    if chosen.unit == "pair":
        names, seats = pairs, np.stack([pair_ns, pair_ns, pair_ew, pair_ew])[:, row].astype(np.int64)
    else:
        names = table.players
        seats = np.stack([table.north, table.south, table.east, table.west])[:, row].astype(np.int64)
    deals = table.deals
    imps = x = cross_imps(table.score_ns, deals)[row]
    if chosen.scoring != "imps":
        x = percent(matchpoints(table.score_ns, deals), deals)[row] - 50.0
    blocks = _boundaries(period[row]), _boundaries(period[row] * table.deal_names.size + table.deal[row])
    begun = begun_elo or {}
    rating = np.array([begun.get(name, chosen.start_elo) for name in names.tolist()])
    results, last = np.zeros(names.size, dtype=np.int64), np.zeros(names.size, dtype=np.int64)
    log = np.zeros((row.size, 5))
    numbers = np.array([getattr(chosen, name) for name in NUMBERS])
    ns, ew, score_ns = (column[row].astype(np.int64) for column in (pair_ns, pair_ew, table.score_ns))
    ways = chosen.method == "matches", K_RULES.index(chosen.k_rule), chosen.total == "mean"
    units = rating, results, last, np.zeros(pairs.size, dtype=np.int64)
    _rate_periods(blocks, (seats, ns, ew, x, score_ns, period[row]), ways, numbers, units, log)
    played = results > 0
    foreseen, outcome, gamma, change_ns, change_ew = log.T
    return BridgeRatings(
        chosen, names[played], rating[played], results[played], last[played], row, period[row], foreseen, outcome,
        gamma, change_ns, change_ew, period_rule, called, pairs, table.players[table.partners()], pair_ns[row],
        pair_ew[row], x, imps,
    )  # fmt: skip


def _boundaries(code: Ints) -> Ints:
    """Starts of the stretches of equal codes, and the end of the last, shape (stretch + 1,)."""
    return np.concatenate([[0], np.flatnonzero(np.diff(code)) + 1, [code.size]]).astype(np.int64)


def ratings_by_player(rated: BridgeRatings) -> tuple[Texts, Floats, Ints]:
    """Players, their ratings and results; if pairs are rated, the mean over a player's pairs by results."""
    if rated.rules.unit == "player":
        return rated.names, rated.rating_elo, rated.results
    players, code = np.unique([name.split(" & ", 1) for name in rated.names.tolist()], return_inverse=True)
    code, results = code.T.ravel(), np.tile(rated.results, 2)
    counted = np.bincount(code, results).astype(np.int64)
    return players, np.bincount(code, results * np.tile(rated.rating_elo, 2)) / counted, counted


@dataclass(frozen=True, eq=False)
class BridgeForecast:
    """Forecast of results, shape (result,) each."""

    expected: Floats  #: expected score of North and South, NaN where a seat has no name
    ns_elo: Floats  #: ratings of the pairs; gamma of North and South (0 with artificial matches)
    ew_elo: Floats
    gamma_elo: Floats


def forecast(rated: BridgeRatings, coming: BridgeTable) -> BridgeForecast:
    """Forecast of results; players without a rating have the initial one."""
    rules = rated.rules
    rating_of = dict(zip(rated.names.tolist(), rated.rating_elo.tolist(), strict=True))
    if rules.unit == "pair":
        pairs, ns, ew = coming.pairs()
        of_pair = np.array([rating_of.get(name, rules.start_elo) for name in pairs.tolist()] + [np.nan])
        ns_elo, ew_elo = of_pair[ns], of_pair[ew]
    else:
        of_player = np.array([rating_of.get(name, rules.start_elo) for name in coming.players.tolist()] + [np.nan])
        ns_elo = rated.of_pairs(of_player[coming.north], of_player[coming.south])
        ew_elo = rated.of_pairs(of_player[coming.east], of_player[coming.west])
    expected, gamma = np.full(len(coming), np.nan), np.zeros(len(coming))
    seated = ~np.isnan(ns_elo + ew_elo)
    order = np.argsort(coming.deal, kind="stable")
    order = order[seated[order]]
    ends = _boundaries(coming.deal[order].astype(np.int64))
    for first, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        rows = order[first:end]
        ns_line, ew_line = ns_elo[rows], ew_elo[rows]
        if rules.method == "matches":
            expectations = artificial_expectations(ns_line, ew_line, rules.scale_elo, rules.cap_elo)
            count = max(rows.size - 1, 1)
            expected[rows] = (expectations.sum(axis=1) - np.diag(expectations) * (rows.size > 1)) / count
        else:
            gamma[rows] = favourable_lines(ns_line, ew_line, rules.constant)
            expected[rows] = expected_score(ns_line - ew_line + gamma[rows], rules.scale_elo, rules.cap_elo)
    return BridgeForecast(expected, ns_elo, ew_elo, gamma)

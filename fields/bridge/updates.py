"""The loops of the bridge ratings: one rating period after the other, all deals of it from the ratings at its start.

`numbers` are those of `BridgeRules`: 0 constant, 1 k, 2 margin, 3 imps_per_goal, 4 spread,
5 boost, 6 boost_results, 7 stronger_share, 8 scale_elo, 9 cap_elo. `rule` is the place of `k_rule` in `K_RULES`.
"""

import math

import numpy as np

from halfpoint.fields.bridge.comparison import Ints, imps_of
from halfpoint.games.compiled_loops import compiled
from halfpoint.games.table import Floats


@compiled
def outcome_of(x: float, rule: int, numbers: Floats) -> float:
    """Return S for x IMPs."""
    if rule == 2:
        return 0.5 * math.erfc(-x / numbers[4] / math.sqrt(2.0))
    if rule == 3:
        return 0.5 * (1.0 + math.tanh(x / numbers[4]))
    return 1.0 if x > numbers[2] else 0.0 if x < -numbers[2] else 0.5


@compiled
def goal_index_of(x: float, rule: int, numbers: Floats) -> float:
    """Return by what the margin multiplies K: World Football's index of goals by rule 1, else 1."""
    if rule != 1:
        return 1.0
    goals = max(math.ceil(abs(x) / numbers[3]), 1.0)
    if goals <= 1.0:
        return 1.0
    return 1.5 if goals == 2.0 else 1.75 + (goals - 3.0) / 8.0


@compiled
def expected_of(ahead: float, numbers: Floats) -> float:
    """Return E for a lead in Elo points."""
    held = min(max(ahead, -numbers[9]), numbers[9])
    return float(1.0 / (1.0 + 10.0 ** (-held / numbers[8])))


@compiled
def rate_periods(
    bounds: tuple[Ints, Ints],
    sat: tuple[Ints, Ints, Ints, Floats, Ints, Ints],
    rules: tuple[bool, int, bool],
    numbers: Floats,
    units: tuple[Floats, Ints, Ints, Ints],
    kept: Floats,
) -> None:
    """Move ratings in place, period after period; `kept` takes E, S, gamma and the two changes of each row.

    `bounds` are where periods and deals begin; `sat` seats, pairs of both lines, IMPs, points and period of each
    row; `rules` whether by matches, the rule of K, whether a period counts by its mean; `units` ratings, results, last
    periods, and results together of each pair.
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
                one, other = rating[seats[0, first + t]], rating[seats[1, first + t]]
                ns[t] = numbers[7] * max(one, other) + (1.0 - numbers[7]) * min(one, other)
                one, other = rating[seats[2, first + t]], rating[seats[3, first + t]]
                ew[t] = numbers[7] * max(one, other) + (1.0 - numbers[7]) * min(one, other)
            total = ew.sum() - ns.sum()
            for t in range(n):
                row = first + t
                moved = 0.0
                if by_matches:
                    sum_expected, sum_score = 0.0, 0.0
                    for u in range(n):
                        if u != t:
                            chance = expected_of((ns[t] + ew[u] - ns[u] - ew[t]) / 2.0, numbers)
                            gain = float(imps_of(score[row] - score[first + u]))
                            won = outcome_of(gain, rule, numbers)
                            moved += goal_index_of(gain, rule, numbers) * (won - chance)
                            sum_expected += chance
                            sum_score += won
                    others = max(n - 1, 1)
                    moved /= others
                    kept[row, 0], kept[row, 1] = sum_expected / others, sum_score / others
                    if n == 1:
                        kept[row, 0], kept[row, 1] = np.nan, np.nan
                else:
                    gamma = (total - ew[t] + ns[t]) / (numbers[0] * n)
                    chance = expected_of(ns[t] - ew[t] + gamma, numbers)
                    won = outcome_of(x[row], rule, numbers)
                    moved = goal_index_of(x[row], rule, numbers) * (won - chance)
                    kept[row, 0], kept[row, 1], kept[row, 2] = chance, won, gamma
                of_ns = numbers[1] * (1.0 + numbers[5] * math.exp(-together[pair_ns[row]] / numbers[6]))
                of_ew = numbers[1] * (1.0 + numbers[5] * math.exp(-together[pair_ew[row]] / numbers[6]))
                kept[row, 3], kept[row, 4] = of_ns * moved, -of_ew * moved
                for seat in range(4):
                    unit = seats[seat, row]
                    if seat % 2 == 1 and unit == seats[seat - 1, row]:
                        continue  # a pair that is rated as one
                    change[unit] += kept[row, 3 + seat // 2]
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

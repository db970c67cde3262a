r"""Test for changing strengths: forecasts with a random walk against forecasts with constant strengths.

    eta_t   g_white - g_black + a x_t      strengths and the first seat (x_t 0 on neutral ground), natural units
    E_t     expected score of game t by Davidson's model, from the games before it alone; v_t variance of its score
    g       ~ N(b s, sigma^2) at first,  s when a player enters, from 0 to 1 over the span;  a ~ N(0, 1/4);
            log sigma^2 ~ N(its value at 100 Elo, 4), b ~ N(0, 1)
    u_t     derivatives of E_t by log sigma^2 and by b, which are estimated, as is the draw parameter
    d_t     E_t if strengths walk by 100 Elo over the span, less E_t;  less its regression on u_t in games before t
    Z       sum e_t d_t / v_t / (sum d_t^2 / v_t)^(1/2),   e_t the score less E_t;   p = 1 - Phi(Z)

E_t and v_t are updated game by game: strengths are normal before a game, and quadrature gives the moments of eta after
it. If strengths are constant e_t has mean 0 given all earlier games, so that e_t d_t / v_t are differences of a
martingale and Z is normal under any pairing: in Swiss events, whose pairings follow from results, as in round robins.
Strengths estimated from all games give no such reference. If a seat never loses, seats follow from results, and these
games are not tested. Z is Rao's score of the variance of a walk, up to the error of normal strengths.

Seillier-Moiseiwitsch & Dawid (1993) JASA 88:355 for tests of forecasts made in sequence; Opper (1998) in On-line
Learning in Neural Networks, p. 363, for assumed density filtering; Davidson (1970) JASA 65:317.
"""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.games.units import to_natural

SURE, LIKELY = 0.01, 0.1  # p below which strengths moved, and below which they are to be let
_NODES, SHARES = np.polynomial.hermite_e.hermegauss(7)
_SEAT_VARIANCE = 0.25
_WALK = to_natural(100.0) ** 2
_TRIED_ELO = 25.0 * 2.0 ** np.arange(0.0, 6.0, 0.75)
_CREDIBLE = 1.353  # fall of the log likelihood at the upper end of a one-sided interval of 95%
_PRIOR = np.diag([0.25, 1.0])  # precision of log sigma^2 about that of 100 Elo, and of b about 0
_ROUNDS, _SMALL, _STEP = 6, 0.02, 0.2
_RIDGE = 0.05  # of the regression on u, whose columns have length 1
_WHOLE = 10**8  # games times squared players up to which all covariances are kept


@compile_lazily
def _forecast_in_order(
    seats: tuple[Codes, Codes], games: tuple[Floats, Floats, Floats], mean: Floats, covariance: Floats, tie: float,
    walk: float, nodes: Floats, shares: Floats,
) -> Floats:  # fmt: skip
    """Return E, v, and the probabilities of a draw and of the result, shape (game, 4); `mean`, `covariance` in place.

    Games are score, time and x; the first-seat advantage is the last element of both. A covariance of one column is
    stored as its diagonal.
    """
    score, time, x = games
    last, is_full = mean.size - 1, covariance.shape[1] > 1
    column, latest, forecasts = np.zeros(mean.size), np.full(last, np.nan), np.empty((score.size, 4))
    for game in range(score.size):
        white, black, sign = np.int64(seats[0][game]), np.int64(seats[1][game]), x[game]
        three, signs = (white, black, last), (1.0, -1.0, sign)
        for player in (white, black):
            if not np.isnan(latest[player]):
                covariance[player, player if is_full else 0] += walk * (time[game] - latest[player])
            latest[player] = time[game]
        for k in range(mean.size if is_full else 3):
            if is_full:
                column[k] = covariance[white, k] - covariance[black, k] + sign * covariance[last, k]
            else:
                column[three[k]] = signs[k] * covariance[three[k], 0]
        variance = column[white] - column[black] + sign * column[last]
        root, middle = np.sqrt(variance), mean[white] - mean[black] + sign * mean[last]
        won, drawn, chance, moved, square = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(nodes.size):
            node, share = nodes[k], shares[k]
            up = np.exp((middle + root * node) / 2.0)
            win, draw = share * up / (up + tie + 1.0 / up), share * tie / (up + tie + 1.0 / up)
            happened = win if score[game] == 1.0 else draw if score[game] == 0.5 else share - win - draw
            won, drawn, chance = won + win, drawn + draw, chance + happened
            moved, square = moved + happened * node, square + happened * node**2
        expected = won + drawn / 2.0
        forecasts[game, 0], forecasts[game, 1] = expected, won + drawn / 4.0 - expected**2
        forecasts[game, 2], forecasts[game, 3] = drawn, chance
        moved /= chance
        shrunk = (1.0 - square / chance + moved**2) / variance
        for k in range(mean.size if is_full else 3):
            moving = k if is_full else three[k]
            mean[moving] += column[moving] * moved / root
            gain = shrunk * column[moving]
            if is_full:
                for place in range(mean.size):
                    covariance[moving, place] -= gain * column[place]
            else:
                covariance[moving, 0] -= gain * column[moving]
    return forecasts


@dataclass(frozen=True, eq=False)
class _InOrder:
    """Games in order of their days, with the data for their forecasts."""

    seats: tuple[Codes, Codes]  # indexes of players, shape (game,) each
    games: tuple[Floats, Floats, Floats]  # score, time from 0 to 1, and x, shape (game,) each
    entry: Floats  # (player,): s

    def forecasts(self, numbers: Floats, walk: float = 0.0) -> Floats:
        """Return E, v and the chances of a draw and of the result, shape (game, 4), at log sigma^2, b and tie."""
        wide, trend, tie = numbers
        variance = np.append(np.full(self.entry.size, np.exp(wide)), _SEAT_VARIANCE)
        is_full = self.games[0].size * self.entry.size**2 <= _WHOLE
        begun = np.append(trend * self.entry, 0.0), np.diag(variance) if is_full else variance[:, None]
        return _forecast_in_order(self.seats, self.games, *begun, tie, walk, _NODES, SHARES / SHARES.sum())

    def slopes(self, numbers: Floats, expected: Floats) -> Floats:
        """Slopes u, shape (game, 2)."""
        further = (self.forecasts(numbers + _STEP * direction)[:, 0] for direction in np.eye(3)[:2])
        return np.stack([(forecast - expected) / _STEP for forecast in further], axis=1)

    def fit_movement(self) -> Floats:
        """Estimates of log sigma^2, b and the weight of a draw, by Fisher scoring."""
        drawn = min(float(np.mean(self.games[0] == 0.5)), 0.99)
        start = np.array([np.log(_WALK), 0.0])
        numbers = np.append(start, 2.0 * drawn / (1.0 - drawn))
        for _ in range(_ROUNDS):
            expected, v, draw, _ = self.forecasts(numbers).T
            u = self.slopes(numbers, expected)
            gain = (u / v[:, None]).T @ (self.games[0] - expected) - _PRIOR @ (numbers[:2] - start)
            step = np.clip(np.linalg.solve((u / v[:, None]).T @ u + _PRIOR, gain), -1.0, 1.0)
            ratio = drawn * (1.0 - draw.mean()) / max(draw.mean() * (1.0 - drawn), 1e-12)
            numbers[:2], numbers[2] = numbers[:2] + step, numbers[2] * ratio
            if max(*np.abs(step), abs(ratio - 1.0)) < _SMALL:
                break
        return numbers


def movement(white: Codes, black: Codes, score: Floats, days: Floats, neutral: Floats) -> tuple[float, float, float]:
    """p value of constant strengths, the walk over the span that forecasts best, and an upper limit of it.

    Walks are standard deviations in Elo points; the longest is the upper end of a one-sided interval of 95%, by the
    likelihood. All arrays are (game,); players count from 0.

    Examples
    --------
    A player wins every game of the first half, and the opponent every game of the second half:

    >>> half, nobody = np.repeat([1.0, 0.0], 20), np.zeros(40, dtype=np.int32)
    >>> movement(nobody, nobody + 1, half, np.arange(40.0), half * 0.0)[0] < 0.01
    True
    """
    order = np.argsort(days, kind="stable")
    white, black, score, time = white[order], black[order], score[order], (days[order] - days.min()) / np.ptp(days)
    players, first = np.unique(np.stack([white, black], axis=1), return_index=True)
    entry = np.zeros(int(players.max()) + 1)
    entry[players] = time[first // 2]
    decided = np.unique(score[score != 0.5]).size == 2
    games = _InOrder((white, black), (score, time, (1.0 - neutral[order]) * decided), entry)
    numbers = games.fit_movement()
    expected, v, _, chance = games.forecasts(numbers).T
    x = (games.forecasts(numbers, _WALK)[:, 0] - expected) / np.sqrt(v)
    u = games.slopes(numbers, expected) / np.sqrt(v)[:, None]
    u /= np.maximum(np.sqrt((u**2).sum(axis=0)), 1e-12)
    inner = np.cumsum(u[:, :, None] * u[:, None], axis=0) + _RIDGE * np.eye(2)
    x[1:] -= (u[1:] * np.linalg.solve(inner, np.cumsum(u * x[:, None], axis=0)[..., None])[:-1, :, 0]).sum(axis=1)
    away = float((x / np.sqrt(v)) @ (score - expected) / np.sqrt(x @ x + 1e-300))
    p = erfc(away / sqrt(2.0)) / 2.0
    lost, still = np.zeros(0), -np.log(chance).sum()
    for tried in _TRIED_ELO:
        lost = np.append(lost, -np.log(games.forecasts(numbers, to_natural(tried) ** 2)[:, 3]).sum())
        if lost[-1] > (end := min(still, lost.min()) + _CREDIBLE):
            break
    best, walks = int(lost.argmin()), _TRIED_ELO[: lost.size]
    longest = np.exp(np.interp(end, np.maximum.accumulate(lost[best:]), np.log(walks[best:])))
    walked, longest = np.array([walks[best], longest]) * 2.0 / (2.0 + numbers[2])
    return p, float(walked), float(longest)

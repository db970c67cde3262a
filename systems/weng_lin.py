r"""Weng and Lin's online Bayesian ratings: two players in closed form, sides of several people by openskill.

Skill N(mu, sigma^2) per player; one closed-form update per game. For two players, Bradley-Terry (full pairing):

    c^2 = sigma_i^2 + sigma_j^2 + 2 beta^2,   p_ij = 1 / (1 + exp(-(mu_i - mu_j) / c))
    mu_i <- mu_i + sigma_i^2 / c (s - p_ij),  sigma_i^2 <- sigma_i^2 max(1 - (sigma_i^2 / c^2) gamma p_ij p_ji, kappa)

Before each game sigma^2 grows by tau^2. For two players openskill's models coincide: their games are updated by these
formulas in a compiled loop. Sides of several people are updated by openskill. White's advantage is not part of these
systems and is added to the forecast only, P = Phi((mu_w - mu_b + h) / sqrt(2 beta^2 + sigma_w^2 + sigma_b^2)), which at
h = 0 is openskill's own win prediction for two players. Its draw prediction is not used: its rate of draws is a fixed
number.

Weng & Lin (2011) Journal of Machine Learning Research 12:267, algorithms 1, 2 and 4; openskill 6 (Joshy 2024, Journal
of Open Source Software 9:5901).
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from scipy.special import ndtr

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer, weights_of
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.systems.elo import batches
from halfpoint.systems.k_factor import margin_weight
from halfpoint.systems.matches import Matches, matches_in_order, rates_people, side_sums, who_is_rated

LEAST_SHARE = 1e-4  # of a variance that a game leaves: kappa of openskill
MODELS = {
    "bradley-terry-full": "BradleyTerryFull",
    "bradley-terry-part": "BradleyTerryPart",
    "plackett-luce": "PlackettLuce",
}


@dataclass
class WengLin(LedgerSystem):
    """Weng and Lin's ratings, of sides by openskill."""

    kind: str = "bradley-terry-full"  #: which model of the paper, a key of `MODELS`
    deviation: float = 25.0 / 3.0  #: sigma of a new player
    beta: float = 25.0 / 6.0  #: standard deviation of one performance
    tau: float = 25.0 / 300.0  #: growth of sigma before each game
    advantage: float = 0.0  #: lead of White in a forecast, in the unit of mu
    #: where mu starts, in the same unit
    newcomer: Newcomer = field(default_factory=lambda: Newcomer(25.0, from_day=False))
    margin_exponent: float = 0.0  #: lambda of `halfpoint.systems.k_factor`: 0 for results alone
    rates_people: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.kind not in MODELS:
            raise RatingSystemError("Weng-Lin", ", ".join(MODELS), repr(self.kind))
        if not (self.deviation > 0.0 and self.beta > 0.0 and self.tau >= 0.0):
            actual = f"{self.deviation}, {self.beta}, {self.tau}"
            raise RatingSystemError("Weng-Lin", "positive deviation and beta, tau >= 0", actual)

    @cached_property
    def model(self) -> Any:
        """The model of openskill, which updates sides of several people."""
        require("openskill", f"rating system {self.kind} of sides of several people")
        model_class = getattr(import_module("openskill.models"), MODELS[self.kind])
        return model_class(mu=self.newcomer.rating_elo, sigma=self.deviation, beta=self.beta, tau=self.tau)

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": self.newcomer.ratings(day_elo), "deviation": np.full(day_elo.shape, self.deviation)}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period one by one."""
        order, _ = batches(games, "game")
        weight = (margin_weight(games, self.margin_exponent) * weights_of(games))[order]
        if rates_people(self, games):
            matches = matches_in_order(self, self.ledger, games, order)
            update_team_skills(self.model, matches, self.ledger["rating"], self.ledger["deviation"], weight)
            return
        white, black = self.ledger.enter(games)
        skill, deviation = self.ledger["rating"], self.ledger["deviation"]
        numbers = float(self.beta), float(self.tau), LEAST_SHARE
        _update_pairs(white[order], black[order], games.outcome[order] / 2.0, weight, skill, deviation, numbers)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores."""
        columns = self.ledger.peek_names(*who_is_rated(self, games))
        white, black = side_sums(self, games, columns["rating"], 0)
        variances = side_sums(self, games, columns["deviation"] ** 2, 0)
        spread = np.sqrt(2.0 * self.beta**2 + variances[0] + variances[1])
        return Forecast(np.asarray(ndtr((white - black + self.advantage) / spread), dtype=np.float64))


@compile_lazily
def _update_pairs(
    white: Codes, black: Codes, score: Floats, weight: Floats, mean: Floats, deviation: Floats,
    numbers: tuple[float, float, float],
) -> None:  # fmt: skip
    """Update means and deviations of two players in place, game by game, by beta, tau and kappa."""
    beta, tau, kappa = numbers
    for game in range(white.size):
        first, second, times = white[game], black[game], weight[game]
        s_first = math.sqrt(deviation[first] ** 2 + tau**2)
        s_second = math.sqrt(deviation[second] ** 2 + tau**2)
        c = math.sqrt(s_first**2 + s_second**2 + 2.0 * beta**2)
        lead = (mean[first] - mean[second]) / c
        p_first, p_second = 1.0 / (1.0 + math.exp(-lead)), 1.0 / (1.0 + math.exp(lead))
        for player, s, p, points in (
            (first, s_first, p_first, score[game]),
            (second, s_second, p_second, 1.0 - score[game]),
        ):
            step = s**2 / c
            shrinkage = math.sqrt(max(1.0 - s / c * step / c * p * (1.0 - p), kappa))
            mean[player] += times * (step * (points - p))
            deviation[player] = s * (shrinkage if times == 1.0 else shrinkage**times)


def _update_skill(before: Any, after: Any, times: float, tau: float) -> Any:
    """A player's skill after a game of a given weight, tau once."""
    if times != 1.0:
        grown = float(np.hypot(before.sigma, tau))
        after.mu = before.mu + times * (after.mu - before.mu)
        after.sigma = grown * (after.sigma / grown) ** times
    return after


def update_team_skills(
    model: Any, matches: Matches, mean: Floats, deviation: Floats, weight: Floats | None = None
) -> None:
    """Update means and deviations in place, match by match, for any number of sides and players.

    Parameters
    ----------
    model : openskill model
        One of `MODELS`, built with its numbers.
    matches : Matches
        Sides and ranks; shares of play are openskill's weights.
    mean, deviation : array of float, shape (player,)
        mu and sigma.
    weight : array of float, shape (match,), optional
        Weight of a match.
    """
    is_whole = bool((matches.share == 1.0).all())
    members, shares = matches.member.tolist(), matches.share.tolist()
    seats, ranks = matches.side_start.tolist(), matches.rank.tolist()
    codes = np.unique(matches.member).tolist()
    players = {code: model.rating(mu=float(mean[code]), sigma=float(deviation[code])) for code in codes}
    starts = matches.match_start.tolist()
    often = [1.0] * (len(starts) - 1) if weight is None else weight.tolist()
    for (first, end), times in zip(pairwise(starts), often, strict=True):
        who = [members[seats[side] : seats[side + 1]] for side in range(first, end)]
        teams = [[players[code] for code in side] for side in who]
        weights = None if is_whole else [shares[seats[side] : seats[side + 1]] for side in range(first, end)]
        for side, rated in zip(who, model.rate(teams, ranks=ranks[first:end], weights=weights), strict=True):
            for code, skill in zip(side, rated, strict=True):
                players[code] = _update_skill(players[code], skill, times, model.tau)
    for code, player in players.items():
        mean[code], deviation[code] = player.mu, player.sigma

r"""Who is how strong, and when: the strength g of every player, natural units.

    Free         g_i ~ N(mean, sd^2), each by themselves; with a wide prior nothing is shared but the games
    Population   g_i ~ N(m, s^2), m ~ N(mean, sd^2), s ~ HalfNormal(S): players nobody knows are like the others
    Rated        g_i ~ N(mu + kappa (R_i - mu), s^2) for players with ratings, g_i ~ N(m, t^2) for others
    Walk         g_i,t+1 = g_i,t + s e_i,t, e ~ N(0, 1), s ~ HalfNormal(S), around free levels l_i
    PooledWalk   the same around levels l_i ~ N(m, u^2) of a population, m and u as of Population
    EnteringWalk the same from the period T_i of a player's first game on, and back: g_i,T_i ~ N(m + n x_i, u^2)

One natural unit is 400 / ln 10 = 173.7 points where the formula of a game is Bradley-Terry's (see `outcome`).

Rated. R_i is the mean of a player's ratings in the games, mu the mean of R_i over the players who have one, natural
units, both known numbers; kappa is the scale of `anchors`; s ~ HalfNormal(200 Elo), m ~ N(mu, (400 Elo)^2), t ~
HalfNormal(400 Elo). Ratings err, so that kappa is less than what an Elo point is worth: it carries R to g, never g to a
list.

Walk. l_i is the mean of g_i,t over the periods. Who does not play keeps walking: their variance grows by s^2 a period.
h periods after the last one, g ~ N(g_i,T, h s^2); this is the forecast. Sampled are the principal components of the
mean-removed walk, slow waves first, so that what the games see is apart from what only the prior sees.

EnteringWalk. x_i is 1 of who enters more than half a year after the first games, else 0: what they are worth against
the others, n ~ N(0, (200 Elo)^2), is learned, and so what somebody is worth who enters after the last game. The spread
of who enters does not grow with the years that a file has, as that around a mean over all periods does. m is learned
where known ratings fix the level, and x_i is 0; elsewhere m is a convention.

Where nobody is anchored, games see differences only: levels and contrasts are then sampled apart (see `blocks`).

Bradley & Terry (1952) Biometrika 39:324. Glickman (1999) Appl. Stat. 48:377, eq. 3, for the walk, whose spread is here
the same for all players and learned with everything else, without approximation; `volatility` has one for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfpoint.games.table import Booleans, Floats
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.parts.blocks import Block, Following, Known, Normal, Spread, Transition, parameter
from halfpoint.models.parts.part import ModelContext, Strength
from halfpoint.models.parts.populations import Gathered, Pooled, Steps, members
from halfpoint.models.parts.priors import Prior, is_family, moments, number_pair

LEVEL = "mean strength over the periods, natural units"
MIDDLE = to_natural(2705.0)  # the study's mean rating, natural units
LATE_MONTHS = 7  # after the first games: longer than a summer, shorter than a season
_FIRST_UNRATED = to_natural(35.0)  # how far strengths are sampled centred: little, since few tell t, if it is not small


def elo(mean: float, sd: float) -> tuple[float, float]:
    """A normal prior given in points of 400 / ln 10 a natural unit."""
    return to_natural(mean), to_natural(sd)


@dataclass(frozen=True)
class Free(Strength):
    """Every player by themselves."""

    #: mean and standard deviation, natural units; or a family and its numbers (`halfpoint.models.parts.priors`)
    prior: Prior = (15.0, 400.0)
    independent = True  # nothing is shared but the games
    listable = True

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `strength` (player)."""
        label, dims, sd = "strength, natural units", ("player",), moments(self.prior)[1]
        unit = site.per_player(sd)
        if "anchor_level" in site.known and site.anchored and not is_family(self.prior):
            prior, around = number_pair(self.prior), ("anchor_scale", "anchor_level", MIDDLE)
            return [Following("strength", label, dims, "parameter", None, prior, unit, *around)]
        level, pivot = site.level(sd), site.loose_pivot
        return [
            parameter("strength", label, dims, prior=self.prior, unit=unit, pivot=pivot, level=level, size=site.players)
        ]


@dataclass(frozen=True)
class Population(Free):
    """Players are draws from a population with a learned mean and spread."""

    prior: Prior = (MIDDLE, to_natural(400.0))  #: mean and standard deviation of its mean, natural units
    independent = False
    pooled = True
    new = "pooled strengths"
    spread: float = to_natural(400.0)  #: scale of the half-normal prior of its spread, natural units

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `strength_mean`, `strength_spread` and `strength` (player)."""
        unit, prior = site.per_player(400.0), number_pair(self.prior)
        guess = site.guess_spread(prior[0], unit)
        share = guess**2 / (guess**2 + unit**2)
        step = 0.1 if site.pivot is None else prior[1]  # without anchors no game moves the mean
        label, whole = "strength, natural units", "the population, natural units"
        mean = Normal("strength_mean", f"mean of {whole}", prior=prior, unit=step)
        own = Pooled("strength", label, ("player",), mean=mean.name, unit=unit, centring=share, pivot=site.pivot)
        return [mean, *members(replace(own, centre=prior[0]), self.spread, whole)]


@dataclass(frozen=True)
class Rated(Free):
    """Players are near what their ratings in the file say, on the scale that `anchors` learns."""

    prior: Prior = (MIDDLE, to_natural(400.0))
    independent = False
    pooled = True
    new = "strengths around ratings"
    by_scores = True  # ratings err, so that their scale is not that of the scores
    spread: float = to_natural(200.0)  #: scale of the half-normal prior of s, natural units
    unrated_mean: float = to_natural(400.0)  #: standard deviation of the prior of m around mu, natural units
    unrated_spread: float = to_natural(400.0)  #: scale of the half-normal prior of t, natural units

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters; an error if no player has a rating."""
        assert site.ratings_elo is not None
        listed = to_natural(site.ratings_elo())
        known = ~np.isnan(listed)
        if not known.any():
            raise ModelError(
                "ratings: expected games with ratings of the players, found none. Take davidson-population."
            )
        middle = float(listed[known].mean())
        above = np.where(known, listed - middle, 0.0)
        unit = site.per_player(400.0)
        games = site.cells.weight.sum()
        drawn = float(site.cells.weight[:, 1].sum() / games) if games > 0 else 0.0
        told = middle + above / max(1.0 - drawn, 0.1)  # kappa is about 1 / (1 - draw rate)
        first = site.guess_spread(told, unit, floor=0.0)
        first = first if first > 2.0 * np.median(unit) else 0.0  # where games tell less than ratings nothing is centred
        share = np.where(known, first, _FIRST_UNRATED) ** 2
        share = share / (share + unit**2)

        def _group(name: str, dims: tuple[str, ...], here: Booleans, mean: str, spread: str) -> Pooled:
            own = Pooled(name, "strength, natural units", dims, mean=mean, spread=spread, unit=unit[here])
            return replace(own, centring=share[here], centre=told[here])

        label = "how far strengths are from what the ratings say, natural units"
        made: list[Block] = [
            Known("anchor_level", "mean rating of the players in the file, natural units", value=middle),
            Spread("rated_spread", label, scale=self.spread),
        ]
        by_rating = "anchor_scale", "rated_spread"
        if known.all():
            whole = _group("strength", ("player",), known, *by_rating)
            return [*made, replace(whole, base=middle, slope=above)]
        prior = (middle, self.unrated_mean)
        order = np.argsort(np.concatenate([np.flatnonzero(known), np.flatnonzero(~known)]))
        return [
            *made,
            replace(_group("strength_rated_", (), known, *by_rating), base=middle, slope=above[known]),
            Normal("unrated_mean", "mean of players without ratings", prior=prior, unit=self.unrated_mean / 4),
            Spread("unrated_spread", "spread of players without ratings", scale=self.unrated_spread),
            _group("strength_unrated_", (), ~known, "unrated_mean", "unrated_spread"),
            Gathered(
                "strength",
                "strength, natural units",
                ("player",),
                groups=("strength_rated_", "strength_unrated_"),
                order=order,
            ),
        ]


@dataclass(frozen=True)
class Walk(Strength):
    """Strengths that walk from period to period."""

    prior: Prior = (15.0, 400.0)  #: mean and standard deviation of a player's level, natural units
    #: scale of the half-normal prior of the spread of a step, natural units per square root of a period
    spread: float = to_natural(20.0)
    every: int = 1  #: months a period, or numbered periods a step
    walks = True
    new = "strengths walk by month"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `level` (player), `innovation_spread` and `strength` (player, period)."""
        step, walk = "spread of a step, natural units per root of a period", "strength by period, natural units"
        law, matrix = self.transitions["strength"], self.course(site.periods)
        return [
            *self.levels(site),
            Spread("innovation_spread", step, scale=self.spread),
            Steps("strength", walk, ("player", "month"), transition=law, matrix=matrix),
        ]

    def course(self, periods: int) -> Floats:
        """How steps make walks: the matrix of `Steps`."""
        return waves(periods)

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`."""
        return {"strength": Transition("innovation_spread", level="level")}

    def levels(self, site: ModelContext) -> list[Block]:
        """The parameter `level` (player), and what it hangs on."""
        prior = number_pair(self.prior)
        unit = site.per_player(prior[1])
        return [Normal("level", LEVEL, ("player",), prior=prior, unit=unit, pivot=site.pivot, size=site.players)]


@dataclass(frozen=True)
class PooledWalk(Walk):
    """Strengths that walk from period to period around levels of a population."""

    prior: Prior = (MIDDLE, to_natural(400.0))  #: mean and standard deviation of the mean of the levels, natural units
    spread: float = to_natural(35.0)
    every: int = 3
    #: scale of the half-normal prior of the spread of the levels, natural units
    level_spread: float = to_natural(400.0)
    new = "pooled strengths that walk by quarters"
    pooled = True

    def levels(self, site: ModelContext) -> list[Block]:
        """The parameters `strength_mean`, `strength_spread` and `level` (player)."""
        population = Population(self.prior, self.level_spread).blocks(site)
        return [*population[:2], replace(population[2], name="level", label=LEVEL)]


@dataclass(frozen=True)
class EnteringWalk(PooledWalk):
    """Strengths that walk from where a player of a population enters."""

    #: mean and standard deviation of what who enters later is worth against the others, natural units
    newcomer: Prior = (0.0, to_natural(200.0))
    #: scale of the half-normal prior of the spread of who enters, natural units
    level_spread: float = to_natural(200.0)
    new = "pooled strengths that walk from where players enter, by quarters or years"
    enters = True

    def levels(self, site: ModelContext) -> list[Block]:
        """The parameters `strength_mean` or `newcomer_mean`, `strength_spread` and `spec` (player)."""
        late = self.every * site.entered >= LATE_MONTHS
        first, spread, own = Population(self.prior, self.level_spread).blocks(site)
        own = replace(own, name="entry", label="strength where a player enters, natural units")
        if site.pivot is None:
            return [first, spread, own]
        label = "what players who enter later are worth against the others, natural units"
        mean, sd = number_pair(self.newcomer)
        newcomers = [Normal("newcomer_mean", label, prior=(mean, sd), unit=sd / 4.0)] if late.any() else []
        about: dict[str, Any] = {"mean": "newcomer_mean" if newcomers else "", "slope": late.astype(np.float64)}
        about |= {"base": number_pair(self.prior)[0], "pivot": None}
        return [*newcomers, spread, replace(own, **about)]

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters of `levels`, `innovation_spread` and `strength` (player, period)."""
        *before, walk = super().blocks(site)
        return [*before, replace(walk, transition=replace(walk.law, begins=site.entered))]

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`."""
        return {"strength": Transition("innovation_spread", level="entry")}

    def newcomers(self, p: Mapping[str, Floats], count: int, seed: int) -> dict[str, Floats]:
        """The strengths of players who enter now, as who entered later has been, all periods alike."""
        rng = np.random.default_rng([seed, 2])
        draws, _, periods = p["strength"].shape
        mean, sd = number_pair(self.newcomer)
        middle = p.get("strength_mean", number_pair(self.prior)[0] + np.zeros(draws))
        if "strength_mean" not in p:
            middle = middle + p.get("newcomer_mean", mean + sd * rng.standard_normal(draws))
        found = middle[:, None] + p["strength_spread"][:, None] * rng.standard_normal((draws, count))
        return {"strength": np.repeat(found[..., None], periods, axis=-1)}


def waves(periods: int) -> Floats:
    """The matrix from independent normal numbers to mean-removed walks, slow waves first, (step, period)."""
    left, singular, _ = np.linalg.svd(in_turn(periods).T, full_matrices=False)
    return np.asarray((left * singular).T)


def in_turn(periods: int) -> Floats:
    """The matrix from the steps of a walk to it, mean-removed, (step, period)."""
    if periods < 2:
        raise ModelError(f"strengths that walk: expected games of at least two months, found {periods}")
    steps = np.tril(np.ones((periods, periods)), -1)[:, :-1]
    return np.asarray((steps - steps.mean(axis=0)).T)

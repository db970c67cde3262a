r"""The list of the day, corrected: printed ratings as strengths, what they miss, and who draws more than they say.

    strength on a day   mu + kappa (R - mu + phi (Rbar - R)) + d_i
    log draw parameter  lam = lam0 + bM (M - 2600) / 100 + bA |D| / 100 + bD D' + t_i + t_j

R       a player's printed rating on the day, Rbar the mean of their printed ratings so far (`games.rating_history`)
mu      2705 Elo; only differences count
kappa   `anchor_scale`: natural units of strength per natural unit of rating
phi     `shrink`: how far a rating is drawn towards the mean of the player's ratings so far
d       `strength`: what the list misses about a player, d_i ~ N(0, s^2), s ~ HalfNormal(50 Elo)
M, D    mean of the two ratings and White's less Black's, Elo points; D' the same in natural units
bM, bA, bD   `draw_slope`, `draw_gap`, `draw_signed_gap`, each N(0, 1)
t       `draw_tendency`: a player's inclination to draw, t_i ~ N(0, s_t^2), s_t ~ HalfNormal(0.5)

Everybody is rated, so all players of the games have d and t; a player without them counts as the population's mean.
The formula of a game keeps the expected score (`models.formulas.draw_curve`), so
that kappa of 1 is Elo's own curve, and phi and d say what the list does not.

Ratings are measurements, and what is luck in them does not last: regression to the mean, Galton (1886) J. Anthropol.
Inst. 15:246. The formula of a game is Davidson's (1970, JASA 65:317) by another difference.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.games.rating_history import running_ratings
from halfpoint.games.table import Floats, GameTable
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.parts.blocks import Block, parameter
from halfpoint.models.parts.draw_parameter import DrawParameter
from halfpoint.models.parts.part import ModelContext
from halfpoint.models.parts.populations import Pooled, members
from halfpoint.models.parts.priors import Prior
from halfpoint.models.parts.strength import MIDDLE, Free
from halfpoint.models.rows import GameRows, Parameters, Values, expand_rows

COLUMN = "listed"  # of rows: White's and Black's rating, and how far the mean so far is above either, natural units
MEANS = ("white_rating_mean_elo", "black_rating_mean_elo")  # of games, where somebody knows more than the table
_CENTRE, _STEP = to_natural(2600.0), to_natural(100.0)
_UNIT = to_natural(12.0)  # sets the sampling unit only


def columns_of(rating_elo: Floats, mean_elo: Floats) -> Floats:
    """The columns of games from White's and Black's ratings and means so far, shape (2, game) each, NaN unknown.

    Natural units; shape (game, 4). A game in which one rating is unknown counts as one between equals, as it does for
    `fide-rating`.
    """
    above = to_natural(np.nan_to_num(mean_elo - rating_elo, nan=0.0))
    rating = to_natural(rating_elo)
    rating = np.where(np.isnan(rating), rating[::-1], rating)
    return np.stack([*np.nan_to_num(rating, nan=MIDDLE), *above], axis=1)


@dataclass(frozen=True)
class Listed(Free):
    """Players are what the list of the day says, corrected."""

    prior: Prior = (0.0, 1.0)  # mean and standard deviation of phi
    # scale of the half-normal prior of the spread of what the list misses, natural units
    spread: float = to_natural(50.0)
    memory: bool = True  # whether ratings are drawn towards the mean of the player's ratings so far
    independent = False
    listable = False  # a strength is a correction of the printed rating
    needed = (COLUMN,)  # columns of rows
    by_scores = True  # kappa is how far the list stretches, not what an Elo point is worth
    new = "the list of the day, corrected"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `shrink`, `strength_spread` and `strength` (player)."""
        if site.ratings_elo is None or np.isnan(site.ratings_elo()).all():
            raise ModelError(
                "ratings: expected games with ratings of the players, found none. Take davidson-population."
            )
        made: list[Block] = []
        if self.memory:
            about = "how far ratings are drawn towards the player's mean so far"
            made.append(parameter("shrink", about, prior=self.prior, unit=0.1))
        label, unit = "what the list misses, natural units", np.full(site.players, _UNIT)
        return [*made, *members(Pooled("strength", label, ("player",), unit=unit), self.spread, label)]

    def columns(self, games: GameTable) -> dict[str, Floats]:
        """White's and Black's rating and how far the mean of their ratings so far is above it, (game, 4)."""
        rating, mean = running_ratings(games)[0]
        if all(name in games.covariates for name in MEANS):
            mean = np.stack([np.asarray(games.covariates[name], dtype=np.float64) for name in MEANS])
        return {COLUMN: columns_of(rating, mean)}

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values, Values]:
        """The strengths of the players on White's and Black's side, shape (..., row)."""
        scale, sides = expand_rows(p["anchor_scale"]), []
        for number, side in enumerate((rows.white, rows.black)):
            rating, above = rows.columns[COLUMN][:, number], rows.columns[COLUMN][:, 2 + number]
            own = 1.0 - side.anchored  # the rating of an anchored side comes by `models.parts.anchors`
            value = side.of(p["strength"]) + (MIDDLE * own + scale * ((rating - MIDDLE) * own))
            sides.append(value + scale * expand_rows(p["shrink"]) * (above * own) if self.memory else value)
        return sides[0], sides[1]


@dataclass(frozen=True)
class ListedDraws(DrawParameter):
    """The draw parameter of games between rated players."""

    level: Prior = (1.0, 5.0)  # as in `DrawParameter`, `slope` for each 100 Elo of mean rating
    slope: Prior | None = (0.0, 1.0)  # likewise
    tendency: float | Prior | None = 0.5  # likewise
    gap: Prior | None = (0.0, 1.0)  # mean and standard deviation of bA and bD
    signed_gap: Prior | None = (0.0, 1.0)  # likewise

    @property
    def new(self) -> str:
        """What it adds to the study's models, in words."""
        parts = {"mean rating": self.slope, "gap": self.gap, "signed gap": self.signed_gap, "player": self.tendency}
        return "draws by " + ", ".join(name for name, there in parts.items() if there is not None)

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `log_draw`, the slopes and `draw_tendency` (player), where asked for."""
        made = DrawParameter(self.level, None, self.tendency).blocks(site)
        slopes = (
            ("draw_slope", "growth of the draw parameter per 100 Elo of mean rating", self.slope),
            ("draw_gap", "growth of the draw parameter per 100 Elo between the ratings", self.gap),
            ("draw_signed_gap", "growth of the draw parameter per natural unit of White's lead", self.signed_gap),
        )
        further = [parameter(name, label, prior=prior, unit=0.03) for name, label, prior in slopes if prior is not None]
        return [made[0], *further, *made[1:]]

    def at(self, p: Parameters, rows: GameRows, white: Values, black: Values) -> Values:
        """lam, shape (..., row), from the ratings of the day."""
        first, second = rows.columns[COLUMN][:, 0], rows.columns[COLUMN][:, 1]
        mean, gap, lam = ((first + second) / 2 - _CENTRE) / _STEP, first - second, expand_rows(p["log_draw"])
        for name, value in (("draw_slope", mean), ("draw_gap", np.abs(gap) / _STEP), ("draw_signed_gap", gap)):
            if name in p:
                lam = lam + expand_rows(p[name]) * value
        if self.tendency is not None:
            lam = lam + rows.white.of(p["draw_tendency"]) + rows.black.of(p["draw_tendency"])
        return lam

"""What a part of a model is: what each kind answers, what the model may ask of it, and what it may read of the games.

A part is a frozen dataclass of numbers and texts that derives from one of the kinds below. `blocks` declares its
parameters, from what `ModelContext` says of the games, whose results set no prior; `at` says what rows of games take of
them, in arithmetic that serves arrays, graphs and sparse forms. A class in a file of this folder is all that a part
needs: traces say it by its name (`record.parts`).
"""

from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from halfpoint.games.select import Cells
from halfpoint.games.table import POINTS, Floats, GameTable, Integers
from halfpoint.games.units import to_natural
from halfpoint.models.parts.blocks import Block, Numbers, Transition
from halfpoint.models.parts.priors import Prior
from halfpoint.models.rows import GameRows, Parameters, Values

_FEW_ANCHORED = 0.25  # share of games against known ratings below which the level is worth an axis of its own


@dataclass(frozen=True, eq=False)
class ModelContext:
    """The games of a model as its parts see them."""

    cells: Cells  # the games
    # fisher information of one game about a difference of strengths, per squared natural unit; for sampling units
    information: float
    periods: int = 1  # number of periods, for strengths that walk
    # coordinates of the model: terms of effects, levels of groups
    terms: Mapping[str, Sized] = field(default_factory=dict)
    # returns each player's rating in the games, Elo points, NaN where they have none, shape (player,)
    ratings_elo: Callable[[], Floats] | None = None
    known: set[str] = field(default_factory=set)  # parameters declared before
    # whether games see the level of all strengths even where nobody is anchored (draws that depend on strength)
    level_seen: bool = False
    margin: Floats | None = None  # (cell,): margins, where they are seen
    # (cell,): periods, where strengths walk
    period: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    # (player, 2): rating and standard deviation of players whom a list knows with an error, NaN for the others
    prior_elo: Floats | None = None

    @property
    def entered(self) -> Integers:
        """How many periods after the first games each player's first one is, shape (player,)."""
        never = np.iinfo(np.int64).max
        first = np.full(self.players + 1, never)
        for side in (self.cells.white, self.cells.black):
            members, _ = self.cells.seats(side)
            for seat in range(members.shape[1]):
                np.minimum.at(first, members[:, seat], self.period)
        return np.where(first == never, 0, first - first[:-1].min(initial=never))[:-1]

    @property
    def players(self) -> int:
        """Number of players with parameters."""
        return int(self.cells.players.size)

    @property
    def anchored(self) -> bool:
        """Whether a known rating meets a player in a game that counts, which fixes the level."""
        return self.anchored_games > 0.0

    @property
    def games_of(self) -> Floats:
        """Summed weight of each player's games, shape (player,); one of several people counts by their share squared.

        That is what a game tells of somebody who moves the difference of its sides by their share alone.
        """
        games = self.cells.weight.sum(axis=1)
        return self.by_player(games, games, 2)

    def by_player(self, white: Floats, black: Floats, power: int = 1) -> Floats:
        """What cells give each player by White's and Black's seats, by weights to a power, shape (player,)."""
        total = np.zeros(self.players + 1)
        for side, given in ((self.cells.white, white), (self.cells.black, black)):
            members, weights = self.cells.seats(side)
            for seat in range(members.shape[1]):
                total += np.bincount(members[:, seat] + 1, given * weights[:, seat] ** power, total.size)
        return total[1:]

    @property
    def pivot(self) -> int | None:
        """Player with the most games where no rating fixes the level, else none."""
        return None if self.anchored or self.level_seen else int(np.argmax(self.games_of))

    @property
    def loose_pivot(self) -> int | None:
        """Player with the most games where ratings hardly fix the level, or not at all, else none."""
        if self.level_seen or self.anchored_games > _FEW_ANCHORED * self.cells.weight.sum():
            return None
        return int(np.argmax(self.games_of))

    @property
    def anchored_games(self) -> float:
        """Summed weight of games against a known rating."""
        known = (self.cells.white < 0) | (self.cells.black < 0)
        return float(self.cells.weight[known].sum())

    def level(self, prior_sd: float) -> float:
        """About one posterior standard deviation of the mean strength times the root of the players' number."""
        return float((prior_sd**-2 + self.information * self.anchored_games / self.players) ** -0.5)

    def per_player(self, prior_sd: float) -> Floats:
        """About one posterior standard deviation of a player's strength, natural units, shape (player,)."""
        return np.asarray((prior_sd**-2 + self.information * self.games_of) ** -0.5)

    def overall(self, prior_sd: float, information: float | None = None) -> float:
        """About one posterior standard deviation of a number that all games share, natural units."""
        information = self.information if information is None else information
        return float((prior_sd**-2 + information * self.cells.weight.sum()) ** -0.5)

    def guess_spread(self, centre: Numbers, unit: Floats, floor: float = 0.25) -> float:
        """A first guess of the spread of strengths: one step from all at the centre, less the step's noise."""
        cells, information = self.cells, self.information
        start, known = np.broadcast_to(centre, unit.shape), to_natural(np.nan_to_num(cells.anchor_elo))
        white, black = cells.seats(cells.white), cells.seats(cells.black)
        first, second = ((start[members] * weights).sum(axis=1) for members, weights in (white, black))
        difference = np.where(cells.white < 0, known, first) - np.where(cells.black < 0, known, second)
        games = cells.weight.sum(axis=1)
        if self.margin is not None:
            surplus: Floats = information * games * (self.margin - difference)
        else:
            expected = games / (1.0 + np.exp(-4.0 * information * difference))
            surplus = cells.weight @ POINTS - expected
        step = self.by_player(surplus, -surplus) / (information * np.maximum(self.games_of, 1.0))
        return float(np.sqrt(max(step.var() - np.mean(unit**2), floor * step.var())))


class Part:
    """A part of a model."""

    @property
    def new(self) -> str:
        """What it adds to the study's models, in words."""
        return ""

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters (`models.parts.blocks`)."""
        raise NotImplementedError

    @property
    def transitions(self) -> Mapping[str, Transition]:
        """How the periods of its parameters follow one another, by name, those around which others move first."""
        return {}

    def carried(self, p: Mapping[str, Floats], periods: int, seed: int) -> dict[str, Floats]:
        """Parameters whose periods follow one another, carried on by further ones."""
        found: dict[str, Floats] = {}
        for number, (name, transition) in enumerate(self.transitions.items()):
            found[name] = transition.carried(name, {**p, **found}, periods, [seed, number] if number else seed)
        return found


class Strength(Part):
    """Who is how strong, and when."""

    walks: ClassVar[bool] = False  # whether strengths have periods
    independent: ClassVar[bool] = False  # whether players share nothing but the games
    pooled: ClassVar[bool] = False  # whether what is learned of the others tells of who has few games
    by_scores: ClassVar[bool] = False  # whether Elo points are those of the scores even where anchors have a scale
    needed: ClassVar[tuple[str, ...]] = ()  # columns of rows that it reads
    enters: ClassVar[bool] = False  # whether it says what somebody is worth who has not played and enters now
    listable: ClassVar[bool] = False  # whether the prior of some players may be a list's rating and error in its place
    every: int = 1  # months of a period
    prior: Prior  # prior of the strengths, natural units

    def columns(self, games: GameTable) -> Mapping[str, Floats]:
        """What rows of games need beyond players."""
        return {}

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values, Values]:
        """Strengths on White's and Black's side, shape (..., row), in the rows' periods where they walk."""
        when = (rows.period,) if self.walks else ()
        return rows.white.of(p["strength"], *when), rows.black.of(p["strength"], *when)

    def newcomers(self, p: Mapping[str, Floats], count: int, seed: int) -> dict[str, Floats]:
        """The strengths of players who have not played and enter now, (draw, player, ...), where `enters`."""
        raise NotImplementedError


class Advantage(Part):
    """What the first seat is worth."""

    kind: ClassVar[str] = ""  # name of the kind
    halves: ClassVar[bool] = False  # whether every player has half an advantage of their own
    neutral: bool = False  # whether the column `neutral` of the games takes the advantage away
    prior: Prior  # prior of the advantage, where there is one
    anchored: float  # what it is of an anchored opponent, where players have their own

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values | float, Values | float]:
        """A to White and b from Black, shape (..., row)."""
        raise NotImplementedError


class Draws(Part):
    """The draw parameter, or the spread of margins."""

    level: Prior  # prior of what all games share
    slope: Prior | None = None  # none where it does not depend on strength, on the players
    tendency: float | Prior | None = None  # likewise

    def at(self, p: Parameters, rows: GameRows, white: Values, black: Values) -> Values:
        """lam, shape (..., row), from the strengths of White and Black without advantage."""
        raise NotImplementedError

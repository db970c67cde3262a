"""What a part of a model is: what each kind answers, and what the model may ask of it.

A part is a frozen dataclass of numbers and texts that derives from one of the kinds below. `blocks` declares its
parameters and `at` says what rows of games take of them, in arithmetic that serves arrays, graphs and sparse forms. A
class in a file of this folder is all that a part needs: traces say it by its name (`record.parts`).
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from halfpoint.games.table import Floats, GameTable
from halfpoint.models.rows import Parameters, Rows
from halfpoint.models.site import Site


class Part:
    """A part of a model."""

    new: Any = ""  # what it adds to the study's models, in words

    def blocks(self, site: Site) -> list[Any]:
        """Return the parameters (`models.blocks`)."""
        raise NotImplementedError


class Strength(Part):
    """Who is how strong, and when."""

    walks: ClassVar[bool] = False  # whether strengths have periods
    independent: ClassVar[bool] = False  # whether players share nothing but the games
    by_scores: ClassVar[bool] = False  # whether Elo points are those of the scores even where anchors have a scale
    needed: ClassVar[tuple[str, ...]] = ()  # columns of rows that it reads
    enters: ClassVar[bool] = False  # whether it says what somebody is worth who has not played and enters now
    listable: ClassVar[bool] = False  # whether the prior of some players may be a list's rating and error in its place
    every: int = 1  # months of a period
    prior: Any = None  # prior of the strengths, natural units

    def columns(self, games: GameTable) -> Mapping[str, Floats]:
        """Return what rows of games need beyond players."""
        return {}

    def today(self, posterior: Any, selection: Any) -> Any:
        """Return the strengths at the end of the games, dims of `strength`."""
        return posterior["strength"]

    def at(self, p: Parameters, rows: Rows) -> tuple[Any, Any]:
        """Return strengths on White's and Black's side, shape (..., row), in the rows' periods where they walk."""
        when = (rows.period,) if self.walks else ()
        return rows.white.of(p["strength"], *when), rows.black.of(p["strength"], *when)

    def carried(self, p: Mapping[str, Floats], periods: int, seed: int) -> dict[str, Floats]:
        """Return the parameters of strengths that walk, carried on by further periods."""
        return {}

    def newcomers(self, p: Mapping[str, Floats], count: int, seed: int) -> dict[str, Floats]:
        """Return the strengths of players who have not played and enter now, (draw, player, ...), where `enters`."""
        raise NotImplementedError


class Advantage(Part):
    """What the first seat is worth."""

    kind: ClassVar[str] = ""  # name of the kind
    halves: ClassVar[bool] = False  # whether every player has half an advantage of their own
    neutral: bool = False  # whether the column `neutral` of the games takes the advantage away
    prior: Any = None  # prior of the advantage; what it is of an anchored opponent
    anchored: Any = None  # likewise

    def at(self, p: Parameters, rows: Rows) -> tuple[Any, Any]:
        """Return a to White and b from Black, shape (..., row)."""
        raise NotImplementedError

    def whole(self, p: Any) -> Any:
        """Return White's whole advantage, natural units; None where there is none."""
        return None

    def carried(self, p: Mapping[str, Floats], periods: int, seed: int) -> dict[str, Floats]:
        """Return the parameters of an advantage that walks, carried on by further periods."""
        return {}


class Draws(Part):
    """The draw parameter, or the spread of margins."""

    level: Any = None  # prior of what all games share
    slope: Any = None  # none where it does not depend on strength, on the players
    tendency: Any = None  # likewise

    def at(self, p: Parameters, rows: Rows, white: Any, black: Any) -> Any:
        """Return lam, shape (..., row), from the strengths of White and Black without advantage."""
        raise NotImplementedError

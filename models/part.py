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
    """A part of a model.

    Attributes
    ----------
    new : str
        What it adds to the study's models, in words.
    """

    new: Any = ""

    def blocks(self, site: Site) -> list[Any]:
        """Return the parameters (`models.blocks`)."""
        raise NotImplementedError


class Strength(Part):
    """Who is how strong, and when.

    Attributes
    ----------
    walks : bool
        Whether strengths have periods.
    independent : bool
        Whether players share nothing but the games.
    every : int
        Months of a period.
    prior : object
        Prior of the strengths, natural units.
    by_scores : bool
        Whether Elo points are those of the scores even where anchors have a scale.
    needed : tuple of str
        Columns of rows that it reads.
    enters : bool
        Whether it says what somebody is worth who has not played and enters now.
    listable : bool
        Whether the prior of some players may be a list's rating and error in its place.
    """

    walks: ClassVar[bool] = False
    independent: ClassVar[bool] = False
    by_scores: ClassVar[bool] = False
    needed: ClassVar[tuple[str, ...]] = ()
    enters: ClassVar[bool] = False
    listable: ClassVar[bool] = False
    every: int = 1
    prior: Any = None

    def columns(self, games: GameTable) -> Mapping[str, Floats]:
        """Return what rows of games need beyond players."""
        return {}

    def today(self, posterior: Any, selection: Any) -> Any:
        """Return the strengths at the end of the games, dims of `strength`."""
        return posterior["strength"]

    def at(self, p: Parameters, rows: Rows) -> tuple[Any, Any]:
        """Return the strengths of the players on White's and Black's side, shape (..., row)."""
        raise NotImplementedError

    def carried(self, p: Mapping[str, Floats], periods: int, seed: int) -> dict[str, Floats]:
        """Return the parameters of strengths that walk, carried on by further periods."""
        return {}

    def newcomers(self, p: Mapping[str, Floats], count: int, seed: int) -> dict[str, Floats]:
        """Return the strengths of players who have not played and enter now, (draw, player, ...), where `enters`."""
        raise NotImplementedError


class Advantage(Part):
    """What the first seat is worth.

    Attributes
    ----------
    kind : str
        Name of the kind.
    prior, anchored : object
        Prior of the advantage; what it is of an anchored opponent.
    halves : bool
        Whether every player has half an advantage of their own.
    neutral : bool
        Whether the column `neutral` of the games takes the advantage away.
    """

    kind: ClassVar[str] = ""
    halves: ClassVar[bool] = False
    neutral: bool = False
    prior: Any = None
    anchored: Any = None

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
    """The draw parameter, or the spread of margins.

    Attributes
    ----------
    level : object
        Prior of what all games share.
    slope, tendency : object
        None where it does not depend on strength, on the players.
    """

    level: Any = None
    slope: Any = None
    tendency: Any = None

    def at(self, p: Parameters, rows: Rows, white: Any, black: Any) -> Any:
        """Return lam, shape (..., row), from the strengths of White and Black without advantage."""
        raise NotImplementedError

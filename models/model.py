r"""The language of models: a model is a row, an outcome formula and a few parts.

    white = strength of White's side + a,     black = strength of Black's side - b,     lam
    (loss, draw, win) = outcome formula of (white, black, lam)

    part         answers                                      rows of it
    outcome      how two sides become what happened           half points, Davidson, Rao-Kupper      `outcome`
    parameters   what else the formula reads                  nothing, numbers of all games         `formula_parameters`
    strength     who is how strong, and when                  free, population, walk                 `strength`
    advantage    what the first seat is worth                 nothing, common, per player, pooled    `advantage`
    draws        the draw parameter                           level, slope, tendencies               `draw_parameter`
    anchors      how known ratings enter                      on the day, scale, level               `anchors`
    effects      what columns of the game change              fixed, grouped                         `effects`
    weighting    what a game counts                           equal, by age                          `games.weights`

`sides` is the only place where parts meet. It is arithmetic on a mapping of parameter names to values: arrays of draws
for likelihoods and forecasts, graph nodes for PyMC, sparse forms for compiled code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from halfpoint.games.table import GRADE, Codes, Floats, GameTable
from halfpoint.games.weights import weights_of
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.margin import margins_of
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.parts.advantage import Common
from halfpoint.models.parts.anchors import Anchors
from halfpoint.models.parts.column_coding import Coding
from halfpoint.models.parts.effects import IF_ANY, Effects
from halfpoint.models.parts.formula_parameters import FormulaParameters
from halfpoint.models.parts.grades import Grades
from halfpoint.models.parts.part import Advantage, Draws, Part, Strength
from halfpoint.models.parts.priors import Prior
from halfpoint.models.parts.strength import Free
from halfpoint.models.rows import Clock, GameRows, Parameters, Side, Values, expand_rows, meetings, periods


@dataclass(frozen=True)
class Model:
    """A model of paired comparison.

    Parameters
    ----------
    name : str
        Its name; a name of the catalogue keeps its log density for ever.
    outcome : Outcome
        The formula of a game.
    strength, advantage, draws, anchors : parts
        See the module; `draws` is None where the formula has no draw parameter.
    effects : Effects
        What columns of the game change.
    weighting : str
        Name of the weights of `games.weights`; "equal" keeps the selection's own.
    mean_one : bool
        Whether weights are scaled to mean 1.
    half_life : float, optional
        Half-life of "exponential" weights, in days; in periods where games have no days.
    parameters : mapping
        Priors of the numbers that the formula reads beside the sides and the draw parameter, by name: mean and standard
        deviation, natural units, or a family and its numbers (`halfpoint.models.parts.priors`).
    grades : Grades, optional
        What the grades of verdicts tell, where they have any (`halfpoint.models.parts.grades`).
    """

    name: str
    outcome: Outcome
    strength: Strength = field(default_factory=Free)
    advantage: Advantage = field(default_factory=Common)
    draws: Draws | None = None
    anchors: Anchors = field(default_factory=Anchors)
    effects: Effects = field(default_factory=Effects)
    weighting: str = "equal"
    mean_one: bool = False
    half_life: float | None = field(default=None, metadata=IF_ANY)
    parameters: Mapping[str, Prior] = field(default_factory=dict, metadata=IF_ANY)
    grades: Grades | None = field(default=None, metadata=IF_ANY)

    def __post_init__(self) -> None:
        read = self.outcome.further
        if set(read) != set(self.parameters) or (read and self.outcome.margin is not None):
            told = "nothing, as it is of margins" if self.outcome.margin is not None else ", ".join(read) or "nothing"
            raise ModelError(
                f"model {self.name}: expected a prior for each number that {self.outcome.name} reads beside the sides "
                f"and lam or {self.outcome.lam} ({told}), parameters={{NAME: (mean, sd)}}, found "
                f"{', '.join(self.parameters) or 'none'}"
            )

    @property
    def walks(self) -> bool:
        """Whether strengths have periods."""
        return self.strength.walks

    @property
    def family(self) -> str:
        """Name of the outcome formula."""
        return self.outcome.name

    @property
    def weighted(self) -> bool:
        """Whether games weigh by their age."""
        return self.weighting != "equal"

    def weights(self, games: GameTable) -> Floats:
        """Weight of each of some games by its age, shape (game,)."""
        return weights_of(games, self.weighting, self.half_life, self.mean_one)

    @property
    def new(self) -> str:
        """What the model has that the study's do not, in words."""
        title = (self.outcome.title or self.outcome.name).split(",")[0]
        formula = "" if self.outcome.name in ("bradley_terry", "davidson") else f"{title} formula"
        parts = (self.anchors, self.strength, self.advantage, self.draws, self.effects, self.grades)
        return ", ".join(filter(None, (formula, *(part.new for part in parts if part is not None))))

    @property
    def parts(self) -> list[Part]:
        """The parts that declare parameters, in the order in which they do."""
        further = FormulaParameters(self.parameters) if self.parameters else None
        parts = (self.anchors, self.strength, self.advantage, self.draws, self.effects, further, self.grades)
        return [one for one in parts if one]

    def sides(self, p: Parameters, rows: GameRows) -> tuple[Values, Values, Values | None]:
        """White, black and lam of parameters, leading dims draws, each of shape (..., row), natural units."""
        white, black = self.strength.at(p, rows)
        white = white + self.anchors.at(p, rows.white)
        black = black + self.anchors.at(p, rows.black)
        white, black = self.effects.on_strength(p, rows, white, black)
        lam = None if self.draws is None else self.effects.on_draws(p, rows, self.draws.at(p, rows, white, black))
        first, second = self.effects.on_sharpness(p, rows, white, black)
        a, b = self.advantage.at(p, rows)
        first, second = self.effects.on_advantage(p, rows, first + a), second - b
        if self.grades is None or lam is None or GRADE not in rows.columns:
            return first, second, lam
        gap = self.effects.on_advantage(p, rows, white + a) - (black - b)
        return self.grades.at(p, rows.columns[GRADE], (first, second, lam), gap)

    def rows(
        self,
        games: GameTable,
        white: Codes | Side,
        black: Codes | Side,
        ratings: tuple[Floats, Floats],
        first_period: int = 0,
        coding: Coding | None = None,
        clock: Clock | None = None,
    ) -> GameRows:
        """Games as the model reads them; white, black (game,), ratings (game,)."""
        period = periods(games, self.strength.every, clock) - first_period if self.walks else None
        seated = None
        if self.advantage.neutral and "neutral" in games.covariates:
            seated = 1.0 - np.asarray(games.covariates["neutral"], dtype=np.float64)
        columns = coding.columns(games, white, black) if coding is not None and coding.effects else {}
        if self.strength.needed:
            if games.sides is not None:
                raise ModelError(
                    f"model {self.name}: expected one player a side, whose printed rating it corrects, found sides of "
                    f"several people. Take {'davidson' if self.draws else 'bt'}-population."
                )
            columns |= self.strength.columns(games)
        made = meetings(white, black, *ratings, period, columns, seated)
        return made if self.outcome.margin is None else replace(made, margin=margins_of(games, of=self.outcome.margin))

    def formula(self, p: Parameters) -> Outcome:
        """The formula at what it reads of the parameters beside the sides and lam, a number for all rows."""
        return self.outcome.at({name: expand_rows(p[name]) for name in self.outcome.further})

    def log_probability(self, p: Parameters, rows: GameRows) -> Floats:
        """Log probabilities of loss, draw and win of draws of the parameters, shape (..., row, outcome)."""
        return self.formula(p).log_probability(*self.sides(p, rows))

"""A row of the catalogue, or a user's model: a PyMC function of the games, its keywords, and the weight of a game.

    def mine(games, advantage=(0.0, 0.5)):
        with pm.Model(coords=games.coords) as model:
            ...
            davidson(games, white=..., black=..., log_draw=...)
        return model

`Model("mine", mine)` wraps such a function; the function itself is accepted wherever a name of the catalogue is.
"""

import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from halfpoint.models.errors import ModelError, in_words
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.weights import weights_of
from halfpoint.models.language.games import Games, UnreadError
from halfpoint.models.language.model_functions import MODEL_FUNCTIONS
from halfpoint.models.language.responses import Responses
from halfpoint.models.pymc_import import own_likelihoods, pm
from halfpoint.models.rows.effects import Effects


@dataclass(frozen=True)
class Model:
    """A model of paired comparison.

    Parameters
    ----------
    name : str
        Its name; a name of the catalogue always has the same log density.
    function : callable
        (games, **keywords) -> pymc.Model, which adds the games by one of the log-potentials (`davidson`, ...).
    keywords : mapping
        Keywords of the function that differ from its defaults: numbers, texts, tuples of either.
    weighting : str
        Name of the weights of `halfpoint.models.games.weights`; "equal" keeps the selection's own.
    mean_one : bool
        True if weights are scaled to mean 1.
    half_life : float, optional
        Half-life of "exponential" weights, in days; in periods if games have no days.
    effects : Effects
        Effects of columns in addition to the function's own.
    grades : int
        The highest grade of verdicts that the function reads, 0 if it reads none.
    responses : Responses, optional
        Observed variables that give the results, for a likelihood of its own on games whose results are unknown.
    """

    name: str
    function: Callable[..., Any]
    keywords: Mapping[str, object] = field(default_factory=dict)
    weighting: str = "equal"
    mean_one: bool = False
    half_life: float | None = None
    effects: Effects = field(default_factory=Effects)
    grades: int = 0
    responses: Responses | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        parameters = self.parameters
        for name in self.keywords:
            if name not in parameters:
                near = get_close_matches(name, parameters, n=1)
                raise ModelError(
                    f"model {self.name}: expected its keywords ({', '.join(parameters) or 'none'}), "
                    f"found {name!r}.{f' Did you mean {near[0]!r}?' if near else ''}"
                )
        MODEL_FUNCTIONS.add(self.function)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        vars(self).update(state)
        MODEL_FUNCTIONS.add(self.function)  # also of a model that another process sent

    @property
    def parameters(self) -> dict[str, Any]:
        """Keywords of the function and their values: the model's values, else the defaults."""
        try:
            arguments = list(inspect.signature(self.function).parameters.values())
        except (TypeError, ValueError) as error:
            raise ModelError(f"model {self.name}: expected a function of games, found {self.function!r:.60}") from error
        if not arguments:
            raise ModelError(f"model {self.name}: expected a function of games, found a function without arguments")
        empty = [
            argument.name
            for argument in arguments[1:]
            if argument.default is argument.empty and argument.kind is not argument.VAR_KEYWORD
        ]
        lost = [name for name in empty if name not in self.keywords]
        if lost:
            raise ModelError(f"model {self.name}: expected a value of the keyword {lost[0]!r}, found none")
        defaults = {
            argument.name: argument.default
            for argument in arguments[1:]
            if argument.kind not in (argument.VAR_KEYWORD, argument.VAR_POSITIONAL)
        }
        return {name: self.keywords.get(name, value) for name, value in defaults.items()}

    @property
    def weighted(self) -> bool:
        """True if games are weighted by age."""
        return self.weighting != "equal"

    def weights(self, games: GameTable) -> Floats:
        """Weight of each game by its age, shape (game,)."""
        return weights_of(games, self.weighting, self.half_life, self.mean_one)

    def but(self, name: str = "", **keywords: object) -> "Model":
        """Model with other keywords; `ModelError` if its function lacks one of them."""
        return replace(self, name=name or self.name, keywords={**self.keywords, **keywords})

    def run(self, games: Games) -> "pm.Model":
        """Run the function on games and return its PyMC model, without sampling coordinates (`reading.geometry`)."""
        try:
            model = self.call(games)
        except (HalfpointError, UnreadError):
            raise
        except Exception as error:
            raise self._failed(games, error) from error
        if not isinstance(model, pm.Model):
            raise ModelError(
                f"model {self.name}: expected a function that returns its `pm.Model`, found {type(model).__name__}. "
                "End it with: return model."
            )
        _give_dims(model, games)
        responses = games.responses or self.responses
        if not own_likelihoods.has_formula(model) and (responses or games.results is not None):
            responses = responses or own_likelihoods.responses_of(model, games.results)
            own_likelihoods.observe_responses(model, games, responses)
        return model

    def call(self, games: Games) -> Any:
        """Result of the function on games."""
        return self.function(games, **{name: _doubles(value) for name, value in self.parameters.items()})

    def _failed(self, games: Games, error: Exception) -> ModelError:
        """Error of a function that failed, with the line of its file."""
        code = getattr(self.function, "__code__", None)
        lines = [
            line for line in traceback.extract_tb(error.__traceback__) if code and line.filename == code.co_filename
        ]
        place = f" ({Path(lines[-1].filename).name}:{lines[-1].lineno})" if lines else ""
        fresh = games.facts.fresh
        player = f" for the new player {fresh[0]!r}, whom its table may lack" if fresh else ""
        remedy = " Rename the variable." if "conflicts with an existing dimension name" in str(error) else ""
        return ModelError(f"model {self.name}: its function failed{place}{player}: {in_words(error)}{remedy}")

    @property
    def about(self) -> str:
        """First line of the docstring of the model's function."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


def _give_dims(model: "pm.Model", games: Games) -> None:
    """Give variables by player that were made with a shape alone the dim of players."""
    for x in games.recorder.seated:
        name = str(getattr(x, "name", ""))
        if getattr(x, "ndim", 0) == 1 and model.named_vars.get(name) is x and not model.named_vars_to_dims.get(name):
            if "player" not in model.coords:
                model.add_coord("player", list(games.coords["player"]))
            count, length = len(games.coords["player"]), x.type.shape[0]
            if length not in (None, count):
                raise ModelError(
                    f"model {games.facts.name}: expected {count} values of {name}, one per player, found {length}. "
                    'Write dims="player" in place of shape=.'
                )
            model.named_vars_to_dims[name] = ("player",)


def _doubles(value: object) -> object:
    """Convert numbers to double precision: PyTensor makes a plain 400.0, and its logarithm, single."""
    if isinstance(value, tuple):
        return tuple(np.float64(number) if isinstance(number, int | float) else number for number in value)
    return np.float64(value) if isinstance(value, float) else value


def as_model(model: object) -> Model:
    """Wrap a function as a model of the same name; a model is returned unchanged.

    The keywords of a `functools.partial` are those of the model.
    """
    if isinstance(model, Model):
        return model
    if isinstance(model, partial) and not model.args:
        return as_model(model.func).but(**model.keywords)
    if isinstance(model, partial):
        raise ModelError(
            "model: expected a functools.partial with keywords only, found positional arguments. "
            "Write partial(function, name=value)."
        )
    if inspect.isfunction(model):
        return Model(model.__name__.replace("_", "-"), model)
    raise ModelError(
        "model: expected a name, a function of games or a Model, found an object of the class "
        f"{type(model).__name__}{', which no trace can name. Write a function' * callable(model)}."
    )


def is_own(model: Model) -> bool:
    """True if the function of a model is outside this package."""
    return not str(getattr(model.function, "__module__", "")).startswith("halfpoint.")


def by_hand(games: Games) -> NoReturn:
    """Stand-in for the function of a model finished by hand, which cannot run on other games."""
    raise ModelError(
        "model: expected a function of games, found a model finished by hand, which cannot read other games. "
        "Write it as a function (games) -> pm.Model, and fit that."
    )

"""Log-potential of a user's formula, called inside a model function."""

import inspect
from collections.abc import Callable

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.outcome import Outcome, Scores, formula_inputs
from halfpoint.models.formulas.potential import potential
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand


def outcome(
    games: Games,
    scores: Callable[..., Scores],
    white: Operand,
    black: Operand,
    lam: Operand | None = None,
    over: tuple[int, ...] = (0, 1, 2),
    name: str = "",
    **numbers: Operand,
) -> Node:
    """Log-potential of a user's formula; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given.
    scores : callable
        (white, black, lam, ...) -> (loss, draw, win) on the log scale up to a common constant, in arithmetic for arrays
        and tensors; use the functions of `pytensor.tensor`.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, natural units.
    lam : tensor, shape (row,) or (), optional
        The draw parameter, if the formula reads lam or log_draw.
    over : tuple of int
        Outcomes (0 loss, 1 draw, 2 win) whose probabilities sum to one; (0, 2) counts a draw as half a loss and half a
        win; with () the scores are log probabilities.
    name : str, optional
        Name of the formula; by default the function's name.
    **numbers : tensor, shape ()
        Further inputs of the formula, by name.

    Returns
    -------
    tensor
        The observed variable `games`.
    """
    called = name or getattr(scores, "__name__", "own formula")
    listed = formula_named(called)  # which traces look up by its name
    if listed is not None and (listed.scores is not scores or listed.over != over):
        raise ModelError(
            f"outcome {called}: this is the name of a formula of the package. Rename the function, or give name=..."
        )
    read = [number for number in formula_inputs(scores, "log_draw") if number not in ("lam", "log_draw", "_")]
    if sorted(read) != sorted(numbers):
        raise ModelError(
            f"outcome {called}: expected a value for each number that the formula reads ({', '.join(read) or 'none'}), "
            f"found {', '.join(numbers) or 'none'}"
        )
    if lam is None and any(number in ("lam", "log_draw") for number in inspect.signature(scores).parameters):
        default = [
            parameter
            for parameter in inspect.signature(scores).parameters.values()
            if parameter.name in ("lam", "log_draw")
        ]
        if default[0].default is default[0].empty:
            raise ModelError(f"outcome {called}: the formula reads a draw parameter: pass lam=...")
    return potential(Outcome(called, scores, over, title=called), games, white, black, lam, numbers)

"""Formula of models whose likelihood is PyMC's own: log probabilities of loss, draw and win in place of the sides."""

from typing import Any

from halfpoint.models.formulas.outcome import Outcome

OWN_LIKELIHOOD = "own likelihood"


def _three(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Log probabilities of loss, draw and win, which are black, log_draw and white here."""
    return black, log_draw, white


LIKELIHOOD = Outcome(OWN_LIKELIHOOD, _three, over=(), title="a likelihood of its own")

"""Formula of models whose likelihood is PyMC's own: log probabilities of loss, draw and win in place of the sides."""

from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.rows.rows import Values

OWN_LIKELIHOOD = "own likelihood"


def _three(white: Values, black: Values, log_draw: Values) -> tuple[Values, Values, Values]:
    """Log probabilities of loss, draw and win, which the arguments black, log_draw and white contain."""
    return black, log_draw, white


LIKELIHOOD = Outcome(OWN_LIKELIHOOD, _three, over=(), title="a likelihood of its own")

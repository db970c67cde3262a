"""Entry of a formula into a model function: one observed variable, with the requested effects."""

from collections.abc import Mapping

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand, games_variable, pm, pt


def potential(
    formula: Outcome,
    games: Games,
    white: Operand,
    black: Operand,
    lam: Operand | None = None,
    numbers: Mapping[str, Operand] | None = None,
) -> Node:
    """Add the games to the PyMC model in context, their sides given by graph nodes of shape (row,).

    Requested effects that the function did not read are added: on strength and sharpness before the formula, where
    sharpness multiplies the difference without advantage; on the advantage to White's side, on log_draw or log_width to
    lam.
    """
    if not isinstance(games, Games):
        raise ModelError(f"{formula.name}: expected the games that the model function was given, found {games!r:.60}")
    formulas, declared = games.facts.asked.formulas, games.recorder.effects
    for target in ("log_draw", "log_width"):
        if target in formulas and target not in declared:
            if lam is None:
                raise ModelError(
                    f"model {games.facts.name}: effects on {target}: expected a draw parameter; {formula.name} has none"
                )
            if target != formula.lam:
                raise ModelError(
                    f"model {games.facts.name}: effects on {target}: expected effects on {formula.lam}, which "
                    f"{formula.name} has"
                )
            lam = lam + games.effects(target)
    if "strength" in formulas and "strength" not in declared:
        first, second = games.effects("strength")
        white, black = white + first, black + second
    if "sharpness" in formulas and "sharpness" not in declared:
        first, second = _without_seats(white, black)
        half_gap = (first - second) * (0.5 * games.effects("sharpness"))
        white, black = white + half_gap, black - half_gap
    if "advantage" in formulas and "advantage" not in declared:
        white = white + games.effects("advantage")
    return games_variable.observe_games(formula, games, white, black, lam, dict(numbers or {}))


def _without_seats(white: Node, black: Node) -> list[Node]:
    """The two sides without first-move advantage: `advantage` in their graph replaced by 0."""
    sides = [pt.as_tensor(white), pt.as_tensor(black)]
    from pytensor.graph.replace import graph_replace

    nodes = pm.modelcontext(None).named_vars
    nothing = {nodes[name]: pt.zeros_like(nodes[name]) for name in ("advantage", "advantage_mean") if name in nodes}
    return list(graph_replace(sides, nothing, strict=False))

r"""The log posterior density of a study model as one function of a game's log-odds difference.

Both families depend on the two players of a cell through one number d and on the draw parameter lam only:

    d        = (g_i + a_i) - (g_j - b_j)                                              natural units
    log P    = s d + lam [draw] - log Z,    s = -1/2, 0, 1/2 for loss, draw, win
    Z        = e^(-d/2) + e^(d/2)                       Bradley-Terry's half-point score
             = e^(-d/2) + e^lam + e^(d/2)               Davidson

so the log posterior is an exponential family in a linear map of the parameters plus normal priors: concave, with a
Hessian that does not depend on the outcomes. Parameters stand in one vector, natural units for both families:

    x = (g_1..g_n [, delta_1..delta_n] [, delta] [, lam])

the per-player part is the body (sparse Hessian), the one or two shared ones at the end are the border.
Pires (2014), eq. 44 to 61; Davidson (1970) JASA 65:317.
"""

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from halfpoint.games.cells import Cells
from halfpoint.games.table import Codes, Floats, Texts
from halfpoint.games.units import to_natural
from halfpoint.inference.errors import InferenceError
from halfpoint.models.bradley_terry import HALF_POINTS
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.model import Model
from halfpoint.models.priors import is_family

Advantage = Literal["none", "common", "player"]


@dataclass(frozen=True, eq=False)
class Target:
    """A log posterior density over merged games, natural units.

    Parameters
    ----------
    draws : bool
        Whether draws have a probability (Davidson) or count as half points (Bradley-Terry).
    advantage : {"none", "common", "player"}
        White's advantage.
    players : array of str, shape (player,)
        The players with parameters.
    white, black : array of int32, shape (cell,)
        Index into `players`; the number of players where that side is anchored.
    known : array of float, shape (cell,)
        The part of d that is no parameter: anchors and the advantage of anchored opponents.
    weight : array of float, shape (cell, outcome)
        Summed weights of losses, draws and wins for White.
    prior_mean, prior_sd : array of float, shape (parameter,)
        Normal priors.
    """

    draws: bool
    advantage: Advantage
    players: Texts
    white: Codes
    black: Codes
    known: Floats
    weight: Floats
    prior_mean: Floats
    prior_sd: Floats

    @property
    def body(self) -> int:
        """Number of per-player parameters."""
        return int(self.players.size) * (2 if self.advantage == "player" else 1)

    @property
    def border(self) -> int:
        """Number of shared parameters: the common advantage, if any, then log_draw, if any."""
        return int(self.prior_mean.size) - self.body

    def seats(self, body: Floats, border: Floats | None = None) -> tuple[Floats, Floats]:
        """Return what each player brings to the White and the Black seat.

        Parameters
        ----------
        body : array of float, shape (body,) or (body, column)
            Per-player parameters.
        border : array of float, shape (border,), optional
            Shared parameters; zero if absent.

        Returns
        -------
        white, black : array of float, shape (player + 1,) or (player + 1, column)
            The last slot is for anchored opponents. The same array twice if the seats do not differ.
        """
        count = self.players.size
        strength = np.zeros((count + 1, *body.shape[1:]))
        strength[:count] = body[:count]
        if self.advantage == "player":
            half = np.zeros_like(strength)
            half[:count] = body[count:]
            return strength + half, strength - half
        if self.advantage == "common" and border is not None:
            return strength + border[0], strength
        return strength, strength

    def gather(self, white: Floats, black: Floats) -> Floats:
        """Return the body's share of sums over seats: the transpose of `seats`, shape (body, ...)."""
        count = self.players.size
        if self.advantage == "player":
            return np.concatenate([(white + black)[:count], (white - black)[:count]])
        return (white + black)[:count]

    def log_draw(self, border: Floats) -> float:
        """Return log_draw, or 0 for Bradley-Terry, which has none."""
        return float(border[-1]) if self.draws else 0.0


def of_sums(model: Model) -> bool:
    """Return whether a model is of this kind: normal priors, one draw parameter for all games, a sum on either side."""
    free = model.strength.independent and model.advantage.kind in ("none", "common", "player")
    plain = model.draws is None or (model.draws.slope is None and model.draws.tendency is None)
    alone = model.anchors.scale is None and not model.effects and not getattr(model.advantage, "neutral", False)
    asked = (model.strength.prior, model.advantage.prior, None if model.draws is None else model.draws.level)
    normal = not any(prior is not None and is_family(prior) for prior in asked)
    return free and plain and alone and normal and model.outcome in (HALF_POINTS, DAVIDSON)


def target(cells: Cells, model: Model) -> Target:
    """Return the target of a model with independent normal priors.

    Parameters
    ----------
    cells : Cells
        The games.
    model : Model
        Half points or Davidson's formula, free strengths, White's advantage none, common or per player.

    Returns
    -------
    Target

    Raises
    ------
    InferenceError
        If the model is of another kind, or sides have several people.
    """
    if cells.sides is not None:
        raise InferenceError(
            f"model {model.name}: expected one player a side, found sides of several people. "
            "Use method nuts, normal or pathfinder of halfpoint.inference.fit.fit, which take any model."
        )
    if not of_sums(model):
        raise InferenceError(
            f"model {model.name}: expected independent normal priors and a sum on either side, found more. "
            "Use method nuts, normal or pathfinder of halfpoint.inference.fit.fit, which take any model."
        )
    kind = cast(Advantage, model.advantage.kind)
    count = int(cells.players.size)
    rows = [(model.strength.prior, count)]
    if kind != "none":
        rows.append((model.advantage.prior, count if kind == "player" else 1))
    if model.draws is not None:
        rows.append((model.draws.level, 1))
    mean = np.concatenate([np.full(size, prior[0]) for prior, size in rows])
    sd = np.concatenate([np.full(size, prior[1]) for prior, size in rows])
    known = to_natural(np.nan_to_num(cells.anchor_elo))
    known = np.where(cells.black < 0, -known, known)
    if kind == "player":
        known = known + model.advantage.anchored * ((cells.white < 0).astype(np.float64) + (cells.black < 0))
    white = np.where(cells.white < 0, count, cells.white).astype(np.int32)
    black = np.where(cells.black < 0, count, cells.black).astype(np.int32)
    return Target(model.draws is not None, kind, cells.players, white, black, known, cells.weight, mean, sd)

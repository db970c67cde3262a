r"""What stands in for what a model does not know about a player of a new game.

Their strength is the rating they are given, R ln 10 / 400 in natural units (Pires 2014, section 3.4). Where the model
has half an advantage per player, theirs is

    zero      0
    mean      the mean over the known players, in each draw, or a value that is given
    mirror    minus that of the opponent, so that the advantage cancels

or, if no rule is given, what the model itself says: the population's mean where advantages are pooled, 0 elsewhere.
Where no player has an advantage of their own there is nothing to impute, and "mean" and "mirror" are refused.

The study's program did otherwise on set B: there "mean" is the whole common advantage, "mirror" twice the opponent's,
and the known players' strengths are multiplied by a factor (`mean_advantage`, `mirror_factor` and `scale`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from halfpoint.games.find_player import Players
from halfpoint.games.select import ANCHORED
from halfpoint.games.table import Codes, Floats, GameTable
from halfpoint.games.units import to_natural
from halfpoint.inference.errors import InferenceError
from halfpoint.models.model import Model

Imputation = Literal["zero", "mean", "mirror"]
IMPUTATIONS: tuple[Imputation, ...] = get_args(Imputation)


@dataclass(frozen=True)
class Rule:
    """What stands in for what the model does not know.

    Parameters
    ----------
    imputation : {"zero", "mean", "mirror"}, optional
        Half advantage of an unknown player; the model's own if not given.
    mean_advantage : float, optional
        Value of "mean" in natural units, in place of the mean over the known players.
    mirror_factor : float
        "mirror" gives this times the opponent's half advantage: -1 as the study's text says, 2 as its program did.
    scale : float
        Factor on the strengths of the known players.
    columns : bool
        Whether effects read the columns of the games; else they count 0, as where nothing is known of a game but who
        sits at it.
    """

    imputation: Imputation | None = None
    mean_advantage: float | None = None
    mirror_factor: float = -1.0
    scale: float = 1.0
    columns: bool = True


def places(players: Sequence[str], names: Sequence[str]) -> Codes:
    """Return each name's index into the players of a model, -1 where it has no estimate, shape (game,)."""
    known = Players(players)
    found = {name: known.place(name) for name in set(names)}
    return np.array([ANCHORED if found[name] is None else found[name] for name in names], dtype=np.int32)


def ratings_of(
    games: GameTable, side: Literal["white", "black"], place: Codes, given: Floats | None, players: Sequence[str]
) -> Floats:
    """Return the ratings in natural units of the players of one side who have no estimate, 0 for the others."""
    rating = given
    if rating is None:
        rating = games.white_rating_elo if side == "white" else games.black_rating_elo
    known = np.full(len(games), np.nan) if rating is None else np.asarray(rating, dtype=np.float64)
    if known.shape != (len(games),):
        raise InferenceError(f"{side} ratings: expected {len(games)} values, one a game, found shape {known.shape}")
    lost = np.flatnonzero((place == ANCHORED) & ~np.isfinite(known))
    if lost.size:
        names = games.white_names if side == "white" else games.black_names
        raise InferenceError(
            f"{games.place(int(lost[0]))}: expected an estimate or a rating of {str(names[lost[0]])!r}, found neither. "
            f"{Players(players).hint(str(names[lost[0]]))} Else give a rating or leave these games out."
        )
    return np.where(place == ANCHORED, to_natural(np.nan_to_num(known)), 0.0)


def check_rule(rule: Rule, model: Model) -> None:
    """Refuse a rule that is unknown, or that a model cannot obey."""
    if rule.imputation is not None and rule.imputation not in IMPUTATIONS:
        raise InferenceError(f"imputation: expected {' | '.join(IMPUTATIONS)}, found {rule.imputation!r}")
    if rule.imputation in ("mean", "mirror") and not model.advantage.halves:
        raise InferenceError(
            f"imputation: expected a model with an advantage per player for {rule.imputation!r}, found {model.name}, "
            "whose players have none of their own. Leave the imputation out."
        )


def obey(rule: Rule, model: Model, p: dict[str, Floats], white: Codes, black: Codes) -> dict[str, Floats]:
    """Return the parameters of a model as a rule has them, arrays of shape (draw, ...); white, black (game,)."""
    found = p if rule.scale == 1.0 else {**p, "strength": rule.scale * p["strength"]}
    if not model.advantage.halves:
        return found
    half = p["advantage"]
    imputation = rule.imputation or ("zero" if "advantage_mean" not in p else None)
    if imputation is None:  # the population's mean
        return found
    if imputation == "zero":
        unknown = np.zeros((half.shape[0], 1))
    elif imputation == "mean":
        mean = half.mean(axis=1) if rule.mean_advantage is None else np.full(half.shape[0], rule.mean_advantage)
        unknown = mean[:, None]
    else:  # at most one side of a game has an opponent to mirror
        known = np.maximum(white, black)
        unknown = rule.mirror_factor * np.where(known == ANCHORED, 0.0, half[:, known])
    return {**found, "advantage_of_unknown": unknown}

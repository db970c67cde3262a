r"""The twelve models of the study, one function each; the six weighted models are the same on games weighted by age.

White is player i, Black is player j. In natural units, 400 Elo points are ln 10:

    White's side   g_i + a         Black's side   g_j - b

g       `strength`; an opponent with a known rating has that rating in its place
a, b    worth of the first move: 0; delta, 0 (common); delta_i, delta_j (player: half an advantage each)
lam     `log_draw`, the draw parameter of Davidson's formula

Priors are (mean, standard deviation). The editions differ in them:

    described   the text of the study, read literally
    computed    the priors with which the printed numbers were computed
    corrected   as described, with the weights of games scaled to mean 1

Pires (2014), eq. 44 to 48 and 49 to 61, tables 5 and 7.
"""

from typing import TYPE_CHECKING

from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import pm

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model
type Prior = tuple[float, float]  # mean and standard deviation, natural units

ELO = to_natural(1.0)  # natural units in a point
_BT, _FIRST_MOVE = (2705 * ELO, 400 * ELO), (50 * ELO, 40 * ELO)


def bt(games: Games, strength: Prior = _BT) -> "Model":
    """Bradley and Terry's model of half points. Pires (2014), eq. 44."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        bernoulli(games, games.white(g), games.black(g))
    return model


def bt_common(games: Games, strength: Prior = _BT, advantage: Prior = _FIRST_MOVE) -> "Model":
    """Bradley and Terry's model with one first-move advantage. Pires (2014), eq. 45."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        delta = pm.Normal("advantage", *advantage)
        bernoulli(games, games.white(g) + delta, games.black(g))
    return model


def bt_player(games: Games, strength: Prior = _BT, advantage: Prior = _FIRST_MOVE, anchored: float = 0.0) -> "Model":
    """Bradley and Terry's model with half an advantage for every player. Pires (2014), eq. 46."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        delta = pm.Normal("advantage", *advantage, dims="player")
        bernoulli(games, games.white(g) + games.white(delta, anchored), games.black(g) - games.black(delta, anchored))
    return model


def davidson_none(games: Games, strength: Prior = (15, 400), log_draw: Prior = (1, 5)) -> "Model":
    """Davidson's model. Pires (2014), eq. 47."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        lam = pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g), games.black(g), lam)
    return model


def davidson_common(
    games: Games, strength: Prior = (15, 400), advantage: Prior = (1, 10), log_draw: Prior = (1, 5)
) -> "Model":
    """Davidson's model with one first-move advantage. Pires (2014), eq. 48."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        delta = pm.Normal("advantage", *advantage)
        lam = pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g) + delta, games.black(g), lam)
    return model


def davidson_player(
    games: Games,
    strength: Prior = (15, 400),
    advantage: Prior = (1, 10),
    log_draw: Prior = (1, 5),
    anchored: float = 0.1,
) -> "Model":
    """Davidson's model with half an advantage for every player. Pires (2014), eq. 61."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        delta = pm.Normal("advantage", *advantage, dims="player")
        lam = pm.Normal("log_draw", *log_draw)
        white = games.white(g) + games.white(delta, anchored)
        black = games.black(g) - games.black(delta, anchored)
        davidson(games, white, black, lam)
    return model


FUNCTIONS = {
    "bt": bt, "bt-common": bt_common, "bt-player": bt_player,
    "davidson": davidson_none, "davidson-common": davidson_common, "davidson-player": davidson_player,
}  # fmt: skip

# the computed edition: priors other than those of the text, found by recomputing the printed numbers
_NARROW: dict[str, object] = {"strength": (15.571, 0.4174), "log_draw": (1.0, 1.0)}
COMPUTED: dict[str, dict[str, object]] = {
    "bt-common": {"advantage": (0.0, 40 * ELO)},
    "davidson": _NARROW,
    "davidson-common": _NARROW,
    "davidson-player": {"strength": (15.571, 400.0)},
}
WEIGHTS = {"computed": "computed", "described": "recency", "corrected": "recency"}  # of the six with weights

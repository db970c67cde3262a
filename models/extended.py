r"""The models beyond the study: one formula of a game, its options, and a catalogue of frozen names.

White is player i, Black is player j, all in natural units (400 / ln 10 Elo points); anchored g are FIDE ratings.

    white = g_i + a,   black = g_j - b
    half points   (loss, win) = (black, white), a draw is half of each       family bradley_terry
    Davidson      (loss, draw, win) = (black, lam + (white + black) / 2, white)
    Rao-Kupper    see rao_kupper

g      free (flat prior), pooled (learned mean and spread, see pooled), rated (around ratings in the file, see rated) or
       walking (see dynamic)
a, b   common: delta and 0, or 0 and 0 on neutral grounds where the model knows of them; none: 0 and 0; pooled: delta_i
       and delta_j, the anchored have the population's mean
lam    see draws; anchors may have a learned scale, see anchor_scale; covariates may act on all three, see covariates

`strength`, `advantage` and `log_draw` are in natural units for all families; elo_scale has what they are in Elo points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.models import (
    anchor_scale,
    bradley_terry,
    covariates,
    davidson,
    draws,
    dynamic,
    level,
    pooled,
    rao_kupper,
    rated,
)
from halfpoint.models.board import Board, Parameters, Scores, board, each, observe, of_player, strengths
from halfpoint.models.errors import ModelError
from halfpoint.models.parts import Normal, coords, parameter, posterior_scale

Family = Literal["bradley_terry", "davidson", "rao_kupper"]
TIES: dict[str, Any] = {"bradley_terry": bradley_terry, "davidson": davidson, "rao_kupper": rao_kupper}


@dataclass(frozen=True)
class Extended:
    """A frozen name and its options.

    Parameters
    ----------
    name : str
        The frozen name.
    family : {"bradley_terry", "davidson", "rao_kupper"}
        How ties enter.
    advantage : {"none", "common", "pooled"}
        White's advantage.
    strength : {"free", "pooled", "rated", "walk"}
        Strengths.
    scaled : bool
        Whether anchors have a learned scale.
    level : bool
        Whether that scale's level is learned too; needs `scaled` and free strengths.
    draw_slope, draw_tendency : bool
        Whether draws depend on strength, and on players.
    formulas : mapping of str to str
        Covariates by what they act on.
    weighted : bool
        Never: games count alike, as in the unweighted models of the study.
    form : {"centred", "non-centred"}
        How pooled advantages are sampled; not part of the density.
    walk : {"waves", "increments", "centred"}
        How walks are sampled; not part of the density.
    neutral : bool
        Whether games on neutral grounds (the column `neutral`) have no advantage.
    """

    name: str
    family: Family = "davidson"
    advantage: Literal["none", "common", "pooled"] = "common"
    strength: Literal["free", "pooled", "rated", "walk"] = "free"
    scaled: bool = False
    draw_slope: bool = False
    draw_tendency: bool = False
    formulas: Mapping[str, str] = field(default_factory=dict)
    form: pooled.Form = "non-centred"
    walk: dynamic.Walk = "waves"
    weighted: bool = False
    level: bool = False
    neutral: bool = False

    @property
    def study_name(self) -> str:
        """Say that the study has no such model, and what is new in it."""
        new = {
            "Rao-Kupper ties": self.family == "rao_kupper",
            "anchor scale": self.scaled,
            "anchor level": self.level,
            "pooled advantages": self.advantage == "pooled",
            "pooled strengths": self.strength == "pooled",
            "strengths around ratings": self.strength == "rated",
            "neutral grounds": self.neutral,
            "strengths walk by month": self.strength == "walk",
            "draws by strength": self.draw_slope,
            "draws by player": self.draw_tendency,
            "covariates": bool(self.formulas),
        }
        return "beyond the study: " + ", ".join(name for name, has in new.items() if has)

    @property
    def normalised(self) -> tuple[int, ...]:
        """Outcomes whose probabilities sum to one."""
        return tuple(TIES[self.family].NORMALISED)


@dataclass(frozen=True)
class Priors:
    """Priors in natural units; each part states its own."""

    strength: Normal = (15.0, 400.0)
    advantage: Normal = (0.0, 1.0)
    tie: draws.Priors = field(default_factory=draws.Priors)
    anchor: anchor_scale.Priors = field(default_factory=anchor_scale.Priors)
    population: pooled.Priors = field(default_factory=pooled.Priors)
    walk: dynamic.Priors = field(default_factory=dynamic.Priors)
    around: rated.Priors = field(default_factory=rated.Priors)
    effects: covariates.Priors = field(default_factory=covariates.Priors)


def scores(entry: Extended, p: Parameters, rows: Board) -> Scores:
    """Return (loss, draw, win) on the log scale, each of shape (..., row), for arrays of draws or graph nodes."""
    white, black = strengths(p, rows, anchor_scale.anchors(p, rows))
    if "strength_effect" in p:
        white = white + p["strength_effect"] @ rows.effects["strength_white"].T * rows.white_monitored
        black = black + p["strength_effect"] @ rows.effects["strength_black"].T * rows.black_monitored
    lam = None
    if entry.family != "bradley_terry":
        lam = draws.log_draw(p, rows, white, black)
        if "log_draw_effect" in p:
            lam = lam + p["log_draw_effect"] @ rows.effects["log_draw"].T
    if entry.advantage == "pooled":
        unknown = p["advantage_of_unknown"] if "advantage_of_unknown" in p else each(p["advantage_mean"])
        a, b = of_player(p["advantage"], rows, unknown)
        white, black = white + a, black - b
    elif "advantage" in p:
        home = rows.effects["home"][:, 0] if "home" in rows.effects else 1.0
        white = white + each(p["advantage"]) * home
    if "advantage_effect" in p:
        white = white + p["advantage_effect"] @ rows.effects["advantage"].T
    further = () if lam is None else (lam,)
    result: Scores = TIES[entry.family].scores(white, black, *further)
    return result


def build(
    cells: Cells,
    entry: Extended,
    priors: Priors | None = None,
    first_month: int = 0,
    effects: Mapping[str, Floats] | None = None,
    terms: Mapping[str, list[str]] | None = None,
    ratings_elo: Floats | None = None,
) -> pm.Model:
    """Return the PyMC model of `cells`.

    Parameters
    ----------
    cells : Cells
        The games; for walks, `key` is the month of each cell, 0 being `first_month`.
    entry : Extended
        The options.
    priors : Priors, optional
        Priors in natural units.
    first_month : int
        Number of the first month, for the labels of the dim month.
    effects : mapping of str to array, shape (cell, term), optional
        Columns of covariates.
    terms : mapping of str to list of str, optional
        Names of these columns.
    ratings_elo : array of float, shape (player,), optional
        Ratings of the players in the file in Elo points, NaN without one, for strengths around them.

    Returns
    -------
    pymc.Model

    Raises
    ------
    ModelError
        If a level is asked for without a scale, or with strengths that are not free.
    """
    if entry.level and not (entry.scaled and entry.strength == "free"):
        raise ModelError(f"model {entry.name}: expected a scale of anchors and free strengths beside a learned level")
    priors = priors or Priors()
    walks = entry.strength == "walk"
    months = int(cells.key.max()) + 1 if walks else 1
    labels: dict[str, Any] = coords(cells)
    if walks:
        labels |= {"month": range(first_month, first_month + months), "innovation": range(months - 1)}
    labels |= {f"{target}_term": names for target, names in (terms or {}).items()}
    information = TIES[entry.family].INFORMATION if entry.family == "davidson" else 0.2
    rows = board(cells, cells.key if walks else None, effects)
    with pm.Model(coords=labels) as model:
        p: dict[str, Any] = {}
        unit = posterior_scale(cells, 400.0, information, "player")
        whole = posterior_scale(cells, 1.0, information, "all")
        across = None if entry.draw_slope else level.mirror(cells)  # draws by strength tell something of the level
        if entry.scaled or entry.strength == "rated":
            p["anchor_scale"] = pm.Deterministic("anchor_scale", anchor_scale.declare(priors.anchor))
        if entry.level:
            p["anchor_level"] = anchor_scale.declare_level(priors.anchor)
        if entry.strength == "rated":
            none = np.full(cells.players.size, np.nan)
            known = none if ratings_elo is None else ratings_elo
            p |= rated.declare(cells, known, p["anchor_scale"], unit, information, priors.around)
        elif entry.strength == "walk":
            p |= dynamic.declare(cells, months, unit, priors.walk, entry.walk)
        elif entry.strength == "pooled":
            middle, width = priors.population.strength_mean, priors.population.strength_spread
            mean = pooled.declare_mean("strength", middle, 0.1 if across is None else middle[1])
            guess = pooled.guess_spread(cells, middle[0], information, unit)
            p["strength"] = pooled.declare("strength", mean, width, unit, "partly", middle[0], guess, across)
        elif entry.level or entry.draw_slope:
            p["strength"] = parameter("strength", priors.strength, unit, "player", anchor_scale.shift(p))
        else:
            p["strength"], _ = level.declare("strength", priors.strength, unit, cells)
        if entry.advantage == "pooled":
            p["advantage_mean"] = pooled.declare_mean("advantage", priors.population.advantage_mean, whole / 2)
            spread = priors.population.advantage_spread
            p["advantage"] = pooled.declare("advantage", p["advantage_mean"], spread, unit, entry.form)
        elif entry.advantage == "common":
            p["advantage"] = parameter("advantage", priors.advantage, whole)
        if entry.family != "bradley_terry":
            tendency = priors.population.tendency_spread if entry.draw_tendency else None
            p |= draws.declare(whole, priors.tie, entry.draw_slope, tendency, unit)
        for target in terms or {}:
            dim = f"{target}_term"
            p[f"{target}_effect"] = pm.Normal(f"{target}_effect", 0.0, priors.effects.effect, dims=dim)
        observe(scores(entry, p, rows), entry.normalised, cells.weight)
    return model

r"""Maximum likelihood of a row of the catalogue: estimates, standard errors, quasi standard errors, AIC and BIC.

    b = argmax log L,     V = (-d2 log L)^-1 at b,     AIC = 2 k - 2 log L,     BIC = k log n - 2 log L

The priors of the row are left out: k parameters, strengths against a reference player at 0, n games. `inference.mode`
finds b by Newton's steps and has V, with priors so wide (standard deviation 10^4) that they move no digit shown.

    deviance = 2 sum over kinds of games of w log(w / (n p))      w of the n games of a White and a Black

With bias reduction (`halfpoint.inference.bias_reduction`) b is Firth's estimate and V the inverse information there.

Strengths have a maximum only if every group of players took points from the rest (Ford 1957), a draw parameter only if
some games are drawn and some are not (Davidson 1970). An error names a parameter without a maximum, so that no large
number is printed for it.

Bradley & Terry (1952) Biometrika 39:324; Turner & Firth (2012) J. Stat. Softw. 48(9) for the printed columns; Firth &
de Menezes (2004) Biometrika 91:65 for quasi-variances.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from halfpoint.inference.bias_reduction import BiasReduced, bias_reduced
from halfpoint.inference.gaussian.mode import Mode, mode
from halfpoint.inference.quasi_variances import QuasiVariances, quasi_variances
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import ModelError
from halfpoint.models.games.components import require_comparable, unbounded_players
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import Floats
from halfpoint.models.language.model import Model

FLAT = (0.0, 1e4)  # mean and standard deviation of a prior that adds nothing, natural units
_QUASI = 1000  # players up to whom quasi-variances are computed
_NOWHERE = 1e3  # a standard error that only the flat prior bounds, natural units
_ROUNDING = 1e-12  # of a log likelihood: the loss of digits in a sum of logarithms


@dataclass(frozen=True, eq=False)
class MaximumLikelihood:
    """Maximum likelihood estimates of a model."""

    declared: Declared  # the model with flat priors
    reference: str  # player whose strength is 0
    fitted: Mode | BiasReduced  # where the likelihood is highest, or the bias of its maximum is removed
    covariance: Floats  # (player, player): of the strengths, zeros for the reference
    quasi: QuasiVariances | None  # of the strengths; None with two players, or more than `_QUASI`

    @property
    def players(self) -> list[str]:
        """Names, as in `covariance`."""
        return [str(name) for name in self.declared.cells.players]

    @property
    def strength(self) -> Floats:
        """Strengths against the reference, natural units, shape (player,)."""
        strength = self.fitted.values["strength"]
        return np.asarray(strength - strength[self.players.index(self.reference)])

    @property
    def others(self) -> dict[str, tuple[Floats, Floats]]:
        """Parameters other than strengths by name: estimates and standard errors, natural units."""
        return {name: (self.fitted.values[name], self.fitted.errors[name]) for name in _nuisance_names(self.declared)}

    @property
    def elo_per_natural(self) -> float:
        """Elo points of a natural unit between equals."""
        lam = self.fitted.values.get(self.declared.outcome.lam)
        return float(self.declared.outcome.elo_per_natural(None if lam is None else lam))

    @property
    def log_likelihood(self) -> float:
        """Summed weighted log likelihood of the games; a draw of half points counts half for each side."""
        return self.fitted.log_likelihood

    @property
    def parameters(self) -> int:
        """Number of free parameters."""
        return len(self.players) - 1 + sum(np.size(value) for value, _ in self.others.values())

    @property
    def games(self) -> float:
        """Number of games, by their weights."""
        return float(self.declared.cells.weight.sum())

    @property
    def aic(self) -> float:
        """Akaike's criterion: lower is better."""
        return 2.0 * self.parameters - 2.0 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion: lower is better."""
        return float(self.parameters * np.log(self.games)) - 2.0 * self.log_likelihood

    def deviance(self) -> tuple[float, int] | None:
        """Residual deviance and its degrees of freedom; None if draws count as half points."""
        weight = self.declared.cells.weight
        three = self.declared.outcome.draws
        if not three and weight[:, 1].any():
            return None
        share = weight / weight.sum(axis=1, keepdims=True)
        saturated = float((weight * np.log(np.where(weight > 0.0, share, 1.0))).sum())
        freedom = len(weight) * (2 if three else 1) - self.parameters
        gap = saturated - self.log_likelihood
        return (2.0 * gap if gap > _ROUNDING * abs(saturated) else 0.0), freedom

    def frame(self) -> pd.DataFrame:
        """Table of estimates, strengths from the highest, then other parameters.

        Columns parameter (strength, advantage, log_draw, ...), name (of the player, or of a term), estimate and
        standard_error (natural units), quasi_error (of strengths), z, and rating_elo and error_elo of strengths (Elo
        points above the reference).
        """
        order = np.argsort(-self.strength, kind="stable")
        error = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        quasi = np.full(error.size, np.nan) if self.quasi is None else self.quasi.standard_error
        rows = [("strength", self.players[k], self.strength[k], error[k], quasi[k]) for k in order]
        dims = {law.name: law.dims for law in self.declared.laws}
        for name, (value, sd) in self.others.items():
            labels = [str(label) for label in self.declared.coords[dims[name][0]]] if dims[name] else [""]
            pairs = zip(labels, np.ravel(value), np.ravel(sd), strict=True)
            rows += [(name, label, float(estimate), float(deviation), np.nan) for label, estimate, deviation in pairs]
        table = pd.DataFrame(rows, columns=["parameter", "name", "estimate", "standard_error", "quasi_error"])
        has_error = table["standard_error"] > 0.0
        table["z"] = (table["estimate"] / table["standard_error"].where(has_error)).astype(float)
        strengths = table["parameter"] == "strength"
        for column, of in (("rating_elo", "estimate"), ("error_elo", "standard_error")):
            table[column] = (table[of] * self.elo_per_natural).where(strengths)
        return table


def maximum_likelihood(
    model: Model, selection: Selection, reference: str | None = None, reduce_bias: bool = False
) -> MaximumLikelihood:
    """The maximum likelihood estimates of a model.

    Parameters
    ----------
    model : Model
        A row of `halfpoint.models.find` with independent strengths, such as "bt-common"; fixed effects of columns are
        parameters like others.
    selection : Selection
        Games between players who all have strengths.
    reference : str, optional
        Player whose strength is 0; the first by name if not given.
    reduce_bias : bool
        Firth's bias-reduced estimates, finite even for players who won or lost all games; for Bradley-Terry and
        Davidson.

    Raises
    ------
    HalfpointError
        If the model learns a population, a spread or a scale, players cannot be compared, or a parameter has no
        maximum.

    Examples
    --------
    >>> import pandas as pd
    >>> from halfpoint import models, readers
    >>> from halfpoint.models import games
    >>> sides = {"white": ["A"] * 50, "black": ["B"] * 50}
    >>> played = readers.read(pd.DataFrame({**sides, "score": [1.0] * 30 + [0.0] * 20}))
    >>> mle = maximum_likelihood(models.find("bt"), games.select(played, played.players), "B")
    >>> mle.strength.round(6).tolist(), round(float(mle.covariance[0, 0]), 6)  # log(30 / 20), 1 / 30 + 1 / 20
    ([0.405465, 0.0], 0.083333)
    """
    if selection.has_anchors:
        raise ModelError("mle: expected games between estimated players only, found anchored opponents")
    declared = declare_model(with_flat_priors(model), selection)
    if not declared.traits.independent or any(law.name == "anchor_scale" for law in declared.laws):
        raise ModelError(
            f"mle: expected a model with independent strengths, found {model.name}. Use bt, "
            "bt-common, davidson or davidson-common."
        )
    if reduce_bias:
        require_comparable(declared.selection, remedy="Estimate each group by itself.")
    else:
        _require_maximum(declared)
    players = [str(name) for name in declared.cells.players]
    first = players.index(min(players)) if reference is None else Players(players).find(reference, "--reference")
    fitted: Mode | BiasReduced
    fitted, covariance = (_bias_reduced_of if reduce_bias else _maximum_of)(declared, first)
    widest = max(np.sqrt(covariance.max()), *(np.max(fitted.errors[name]) for name in _nuisance_names(declared)), 0.0)
    if widest > _NOWHERE:
        raise GameTableError(
            selection.games.source, "games that identify every parameter", "an unidentified parameter",
            "Use a model with fewer parameters, such as bt, or with a prior: halfpoint rate.",
        )  # fmt: skip
    quasi = quasi_variances(covariance) if 3 <= len(players) <= _QUASI else None
    return MaximumLikelihood(declared, players[first], fitted, covariance, quasi)


def _maximum_of(declared: Declared, first: int) -> tuple[Mode, Floats]:
    """Mode and covariance of the strengths relative to a player, shape (player, player)."""
    fitted, size = mode(declared), declared.cells.players.size
    place = fitted.parts.position[fitted.parts.of("strength")]
    covariance = np.zeros((size, size))
    for k in range(size):
        if k != first:
            b = np.zeros(fitted.top.z.size)
            b[place[k]], b[place[first]] = 1.0, -1.0
            moved = fitted.top.curvature.solve(b)
            covariance[k] = moved[place] - moved[place[first]]
    covariance = (covariance + covariance.T) / 2.0
    covariance[first] = covariance[:, first] = 0.0
    return fitted, covariance


def _bias_reduced_of(declared: Declared, first: int) -> tuple[BiasReduced, Floats]:
    """Firth's estimates and the covariance of the strengths relative to a player, shape (player, player)."""
    at = declared.layout.slots["strength"][0] + np.arange(declared.cells.players.size)
    reduced = bias_reduced(declared, int(at[first]))
    return reduced, reduced.covariance[np.ix_(at, at)]


def _nuisance_names(declared: Declared) -> list[str]:
    """Names of the parameters other than strengths."""
    return [law.name for law in declared.laws if law.name != "strength" and not law.hidden]


def with_flat_priors(model: Model) -> Model:
    """Model with flat priors of strengths, the advantage, the draw parameter and fixed effects."""
    parameters = model.parameters
    flat = {name: FLAT for name in ("strength", "advantage", "log_draw") if parameters.get(name) is not None}
    flat_model = model.but(f"{model.name} by maximum likelihood", **flat)
    return replace(flat_model, effects=replace(flat_model.effects, sd=FLAT[1]))


def _require_maximum(declared: Declared) -> None:
    """Refuse games whose likelihood has no maximum."""
    games, weight = declared.selection.games, declared.cells.weight
    require_comparable(declared.selection, remedy="Estimate each group by itself.")
    separated = declared.cells.players[unbounded_players(declared.cells)].tolist()
    remedy = "`halfpoint rate` rates them by a prior; or leave their games out."
    if separated:
        shown = ", ".join(map(str, separated[:5])) + (f" and {len(separated) - 5} more" if len(separated) > 5 else "")
        finding = f"{shown}, who won all or lost all games, so that the likelihood has no maximum"
        raise GameTableError(games.source, "results that connect all players both ways", finding, remedy)
    lost, drawn, won = weight.sum(axis=0)
    if declared.traits.seats != "none" and (lost == 0.0 or won == 0.0):
        finding = "none of the " + ("second" if lost == 0.0 else "first")
        raise GameTableError(games.source, "wins of both seats, for an advantage", finding, "Use --model bt.")
    if declared.outcome.draws and (drawn == 0.0 or drawn == weight.sum()):
        finding = "none" if drawn == 0.0 else "nothing else"
        name = declared.spec.name.replace("davidson", "bt").partition(" ")[0]
        raise GameTableError(games.source, "drawn games, for a draw parameter", finding, f"Use --model {name}.")

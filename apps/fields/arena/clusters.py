r"""Clusters of correlated judgements, by judge and by prompt, and intervals that allow for them.

    V        covariance of z, all parameters but spreads, by the model with independent judgements; P the prior's
    J_c      G / (G - 3) sum_c s_c s_c',  s_c the summed score of cluster c by z at the centre, of G clusters
    V_c      V (J_c + P) V, error of the estimate if clusters are independent and judgements in them are not
    V_jp     V (J_judge + J_prompt - J_judge,prompt + P) V for clusters of both kinds

With J the information of the games V_c is V. Effects of the clusters themselves, such as a judge's habit, belong to
their cluster: at the centre their scores and the scores of their prior sum to zero, and both are left out of J_c and P.

    T        sum_c |sum_i w_i|^2 - sum_i |w_i|^2,  w_i scores whitened by V in at most 8 directions of the strengths
    z        T / sd(T), sd(T)^2 = 2 sum_c sum_{i != j} (w_i' w_j)^2, as if judgements were independent

Clusters are significant if z > 3. Draws of the strengths are then stretched about their mean by the symmetric map from
their covariance under V to their covariance under V_c, without narrowing any direction, and ratings follow draw by
draw: intervals, ranks, tiers, the probability of being the best, matches and forecasts all allow for clusters. Effects
of order, style, judges and ties keep the model's own draws.

Votes weighted by the number of votes of their pair (`pair_weights`) are not counts, so V is not the covariance of their
estimate. Each vote is then a separate cluster, also if a row has several votes, and the map to V_c may narrow
directions as well as widen them.

    w        1 / max(votes of the pair, 50), in either order, over its mean

Horvitz & Thompson (1952) J. Am. Stat. Assoc. 47:663 for inverse propensities; w is used by arena-rank (LMArena). Liang
& Zeger (1986) Biometrika 73:13 for V_c; Cameron, Gelbach & Miller (2011) J. Bus. Econ. Stat. 29:238 for two columns;
Cameron & Miller (2015) J. Hum. Resour. 50:317 for G / (G - 1), and Student's t with G - 1 degrees of freedom, whose
variance (G - 1) / (G - 3) the draws get.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sparse
import xarray as xr

from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.models.declaration.elo_scale import scale_of
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import Floats

type Labels = npt.NDArray[np.int64]
COLUMNS = ("judge", "prompt", "battle")  # a battle has one judge and one prompt: it is tested if these are missing
LEAST = 10  # levels of a column that can be clusters
PAIRS, _FEWEST = "pairs", 50.0  # the weighting; votes of a pair below which none weighs more
_FAR = 3.0
_DIRECTIONS = 8
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Clusters:
    """Correlated judgements found in a board."""

    columns: pd.DataFrame  # one row a column: cluster, clusters, z, median_ratio (of deviations to the model's), found
    ratio: pd.DataFrame  # the ratio of each player, a column each; and `all`, the correction used
    stretch: Floats | None = None  # (player, player), times draws about their mean; None if nothing was found

    @property
    def correlated_columns(self) -> list[str]:
        """Columns whose judgements are correlated."""
        return [str(name) for name in self.columns.loc[self.columns["found"], "cluster"]]

    @property
    def words(self) -> str:
        """Clusters in a sentence without a full stop; empty if none were found."""
        if self.stretch is None:
            return ""
        wider = f"with {float(self.ratio['all'].median()):.2f} times the model's standard deviations"
        if not self.correlated_columns:
            return f"Pairs with many judgements count less, and intervals allow for that, {wider}"
        return (
            f"Judgements of one {' and of one '.join(self.correlated_columns)} are correlated: intervals, ranks, tiers "
            f"and the chance of being the best allow for it, {wider}"
        )

    def widen(self, tree: xr.DataTree) -> xr.DataTree:
        """Trace with strengths and ratings widened for clusters."""
        if self.stretch is None:
            return tree
        posterior = tree["posterior"].to_dataset()
        strength = posterior["strength"].transpose("chain", "draw", "player")
        away = strength - strength.mean(("chain", "draw"))
        beyond = away - away.mean("player")
        wider = beyond.copy(data=beyond.to_numpy() @ self.stretch.T) - beyond
        rating = posterior["rating_elo"] + wider * scale_of(DAVIDSON, posterior)
        widened = tree.copy()
        variables = {"strength": strength + wider, "rating_elo": rating.transpose(*strength.dims)}
        widened["posterior"] = xr.DataTree(posterior.assign(variables))
        widened.attrs |= {"widened": self.words}
        return widened


def pair_weights(selection: Selection) -> Floats:
    """Weights of votes by the number of votes of their pair, as in arena-rank, mean 1, shape (game,)."""
    low, high = np.minimum(selection.white, selection.black), np.maximum(selection.white, selection.black)
    pair = codes_of(low.astype(np.int64) * selection.players.size + high)
    weight = 1.0 / np.maximum(np.bincount(pair, selection.weight), _FEWEST)[pair]
    return np.asarray(weight * (selection.weight.sum() / (weight @ selection.weight)))


def no_clusters() -> Clusters:
    """A result without examined columns."""
    return Clusters(pd.DataFrame({"cluster": [], "found": []}).astype({"found": bool}), pd.DataFrame())


def clusters_of(refits: BoardRefits, by: str | None = None) -> Clusters:
    """Clusters of judgements, and the loss of information."""
    games = refits.declared.selection.games
    columns = {name: games.covariates[name] for name in (COLUMNS if by is None else (by,)) if name in games.covariates}
    labels = {name: codes for name, column in columns.items() if (codes := codes_of(column)).max() + 1 >= LEAST}
    weighed = refits.declared.selection.weighting == PAIRS
    if not labels and not weighed:
        return no_clusters()
    look = _ClusterAdjustment(refits)
    rows, ratio, correlated = [], {}, list[tuple[str, Labels]]()
    for name, codes in labels.items():
        if name == "battle" and correlated:
            continue
        distance = look.distance(codes)
        ratio[name] = look.ratio(look.meat(codes, name))
        is_far = distance > _FAR
        rows.append((name, int(codes.max()) + 1, distance, float(np.median(ratio[name])), is_far))
        correlated += [(name, codes)] if is_far else []
    table = pd.DataFrame(rows, columns=["cluster", "clusters", "z", "median_ratio", "found"])
    if not correlated and not weighed:
        return Clusters(table, pd.DataFrame(ratio).assign(all=1.0))
    if not correlated:
        counts = np.ones(len(games)) if games.weight is None else np.maximum(games.weight, 1.0)
        look.scores = sparse.diags_array(counts**-0.5) @ look.scores
        correlated.append(("", np.arange(len(games))))
    meat = look.meat(correlated[0][1], correlated[0][0])
    for _, codes in correlated[1:]:
        joint_codes = np.unique(correlated[0][1] * (codes.max() + 1) + codes, return_inverse=True)[1].ravel()
        meat = meat + look.sum_clusters(codes) - look.sum_clusters(joint_codes)
    stretch, wider = look.stretch(meat, float(not weighed))
    return Clusters(table, pd.DataFrame(ratio).assign(all=wider), stretch)


def codes_of(column: npt.NDArray[np.generic]) -> Labels:
    """Level of a column in each game, from 0."""
    return np.asarray(np.unique(column, return_inverse=True)[1].ravel(), dtype=np.int64)


class _ClusterAdjustment:
    """Scores and covariance of a model, adjusted for clusters; strengths are relative to their mean."""

    def __init__(self, refits: BoardRefits) -> None:
        self.refits, self.scores = refits, refits.scores()
        full_covariance = refits.covariance()
        self.centred = full_covariance - full_covariance.mean(axis=0)  # V of strengths about their mean with all of z
        covariance = self.centred[:, refits.strengths]
        self.covariance = covariance - covariance.mean(axis=1, keepdims=True)
        value, vector = np.linalg.eigh(self.covariance)
        estimable = value > 1e-10 * value.max()
        self.root, self.basis = np.sqrt(value[estimable]), vector[:, estimable]

    def distance(self, codes: Labels) -> float:
        """Standardised distance z."""
        whiten = self.centred.T @ (self.basis / self.root)
        turn = np.linalg.qr(
            np.random.default_rng(11).standard_normal((self.root.size, min(_DIRECTIONS, self.root.size)))
        )
        w = np.asarray(self.scores @ (whiten @ turn[0]))
        count = int(codes.max()) + 1
        length = (w**2).sum(axis=1)
        excess = sum((np.bincount(codes, column, count) ** 2).sum() for column in w.T) - length.sum()
        products = sum(
            (1 + (a < b)) * (np.bincount(codes, w[:, a] * w[:, b], count) ** 2).sum()
            for a in range(w.shape[1])
            for b in range(a, w.shape[1])
        )
        variance = 2.0 * (products - (length**2).sum())
        return float(excess / np.sqrt(variance)) if variance > 0 else 0.0

    def sum_clusters(self, codes: Labels, left_out: Labels = _NONE) -> Floats:
        """Matrix V J_c V of the strengths, shape (player, player)."""
        count = int(codes.max()) + 1
        gather = sparse.coo_array((np.ones(codes.size), (codes, np.arange(codes.size))), shape=(count, codes.size))
        bread = self.centred.copy()
        bread[:, left_out] = 0.0
        sums = np.asarray((gather.tocsr() @ self.scores) @ bread.T)
        return np.asarray(count / (count - 3) * sums.T @ sums)

    def meat(self, codes: Labels, name: str) -> Floats:
        """Matrix V (J_c + P) V of the strengths, without a cluster's own effects."""
        parts, groups = self.refits.model.parts, self.refits.declared.spec.effects.groups()
        names = [f"{target}_{column}" for target, column in groups if column == name]
        own_effects = np.concatenate([_NONE, *(parts.position[parts.of(term)] for term in names)])
        prior = self.refits.precision(own_effects)
        return np.asarray(self.sum_clusters(codes, own_effects) + self.centred @ (prior @ self.centred.T))

    def ratio(self, meat: Floats) -> Floats:
        """Standard deviations over the standard deviations of the model, shape (player,)."""
        return np.sqrt(np.diag(meat) / np.diag(self.covariance))

    def stretch(self, meat: Floats, least: float) -> tuple[Floats, Floats]:
        """Symmetric map from the model's covariance to the wider one, and the ratio for each player."""
        turned = self.basis.T @ meat @ self.basis
        value, vector = np.linalg.eigh(turned / np.outer(self.root, self.root))
        half = (vector * np.sqrt(np.maximum(value, least))).T * self.root  # its square is the wider covariance
        middle, turn = np.linalg.eigh(self.root[:, None] * (half.T @ half) * self.root)
        symmetric = (turn * np.sqrt(np.maximum(middle, 0.0))) @ turn.T / np.outer(self.root, self.root)
        wider = self.basis @ (half.T @ half) @ self.basis.T
        return self.basis @ symmetric @ self.basis.T, self.ratio(wider)

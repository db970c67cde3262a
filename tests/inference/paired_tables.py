"""Cells from published tables of wins, draws and losses, and the full Hessian of an approximation."""

import numpy as np

from halfpoint.games.cells import Cells
from halfpoint.games.units import to_natural
from halfpoint.inference.laplace.hessian import Curvature
from halfpoint.models.advantage import Common, Nothing, PerPlayer
from halfpoint.models.blocks import Prior
from halfpoint.models.bradley_terry import HALF_POINTS
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.draw_parameter import DrawParameter
from halfpoint.models.model import Model
from halfpoint.models.strength import MIDDLE, Free

FLAT = (0.0, 1e4)  # natural units: a prior that adds nothing to a table's maximum likelihood
OUTCOMES = {"bradley_terry": HALF_POINTS, "davidson": DAVIDSON}
FAMILIES = tuple(OUTCOMES)
ADVANTAGES = ("none", "common", "player")


def model_of(family: str, advantage: str = "none", strength: Prior | None = None, anchored: float = 0.1) -> Model:
    """Return a model with independent normal priors, by names.

    Parameters
    ----------
    family : {"bradley_terry", "davidson"}
        Its formula.
    advantage : {"none", "common", "player"}
        White's advantage.
    strength : (float, float), optional
        Prior of a strength, natural units; wide enough for a rating scale by default.
    anchored : float
        Advantage of an opponent without parameters, natural units.
    """
    halves = family == "bradley_terry"
    if strength is None:
        strength = (MIDDLE, to_natural(400.0)) if halves else (15.5, 2.0)
    prior = (to_natural(50.0), to_natural(40.0)) if halves else (1.0, 10.0)
    part = {"none": Nothing(), "common": Common(prior), "player": PerPlayer(prior, 0.0 if halves else anchored)}
    draws = None if halves else DrawParameter()
    return Model(f"{family}-{advantage}-here", OUTCOMES[family], Free(strength), part[advantage], draws)


def flat(family: str, advantage: str = "none") -> Model:
    """Return a model whose priors add nothing to a table's maximum likelihood."""
    part = {"none": Nothing(), "common": Common(FLAT)}[advantage]
    draws = None if family == "bradley_terry" else DrawParameter(FLAT)
    return Model(f"{family}-{advantage}-flat", OUTCOMES[family], Free(FLAT), part, draws)


# Agresti (2002), p. 448: citations between journals, row cited by column as wins; BradleyTerry2's own example.
JOURNALS = ["Biometrika", "Comm", "JASA", "JRSSB"]
CITATIONS = [
    (0, 1, 730, 0, 33), (0, 2, 498, 0, 320), (0, 3, 221, 0, 284), (1, 2, 68, 0, 813), (1, 3, 17, 0, 276),
    (2, 3, 142, 0, 325),
]  # fmt: skip

# Davidson (1970), table 1: six chocolate puddings, (i, j, i preferred, no preference, j preferred).
PUDDINGS = [
    (0, 1, 19, 16, 22), (0, 2, 16, 12, 19), (1, 2, 19, 10, 19), (0, 3, 18, 13, 23), (1, 3, 23, 9, 19),
    (2, 3, 19, 15, 20), (0, 4, 13, 18, 19), (1, 4, 16, 12, 20), (2, 4, 16, 17, 15), (3, 4, 17, 16, 14),
    (0, 5, 18, 12, 21), (1, 5, 22, 12, 20), (2, 5, 13, 10, 18), (3, 5, 14, 18, 19), (4, 5, 11, 12, 21),
]  # fmt: skip

# Agresti (2002), table 10.10: American League 1987, home team first, (home won, home lost).
TEAMS = ["Mil", "Det", "Tor", "NY", "Bos", "Cle", "Bal"]
HOME = {
    "Mil": "Det 4-3 Tor 4-2 NY 4-3 Bos 6-1 Cle 4-2 Bal 6-0", "Det": "Mil 3-3 Tor 4-2 NY 4-3 Bos 6-0 Cle 6-1 Bal 4-3",
    "Tor": "Mil 2-5 Det 4-3 NY 2-4 Bos 4-3 Cle 4-2 Bal 6-0", "NY": "Mil 3-3 Det 5-1 Tor 2-5 Bos 4-3 Cle 4-2 Bal 6-1",
    "Bos": "Mil 5-1 Det 2-5 Tor 3-3 NY 4-2 Cle 5-2 Bal 6-0", "Cle": "Mil 2-5 Det 3-3 Tor 3-4 NY 4-3 Bos 4-2 Bal 2-4",
    "Bal": "Mil 2-5 Det 1-5 Tor 1-6 NY 2-4 Bos 1-6 Cle 3-4",
}  # fmt: skip


def baseball() -> list[tuple[int, int, int, int, int]]:
    """Return (home, away, won, 0, lost)."""
    rows = []
    for home, line in HOME.items():
        words = line.split()
        for away, score in zip(words[0::2], words[1::2], strict=True):
            won, lost = (int(part) for part in score.split("-"))
            rows.append((TEAMS.index(home), TEAMS.index(away), won, 0, lost))
    return rows


# Karpov, Kasparov and Anand by colour: (White, Black, White won, draws, White lost).
CHAMPIONS = [
    (0, 1, 18, 72, 9), (1, 0, 30, 57, 7), (1, 2, 15, 26, 2), (2, 1, 6, 20, 11), (0, 2, 7, 29, 13), (2, 0, 18, 20, 5),
]  # fmt: skip


def cells_of(rows: list[tuple[int, int, float, float, float]]) -> Cells:
    """Return cells of (white, black, wins, draws, losses)."""
    table = np.array(rows, dtype=float)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    white, black = table[:, 0].astype(np.int32), table[:, 1].astype(np.int32)
    players = np.array([f"player {i}" for i in range(max(white.max(), black.max()) + 1)])
    size = white.size
    return Cells(
        players, white, black, np.full(size, np.nan), table[:, [4, 3, 2]], np.zeros(size, int), np.arange(size)
    )


def random_cells(players: int, cells: int, seed: int) -> Cells:
    """Return cells of random pairs, some with an anchored side, with weights that are no integers."""
    chance = np.random.default_rng(seed)
    white = np.sort(chance.integers(-1, players, cells)).astype(np.int32)
    black = ((white + chance.integers(1, players, cells)) % players).astype(np.int32)
    black[(white >= 0) & (chance.random(cells) < 0.1)] = -1
    anchored = (white < 0) | (black < 0)
    anchor = np.where(anchored, chance.normal(2700, 60, cells), np.nan)
    names = np.array([f"player {i:04d}" for i in range(players)])
    return Cells(
        names, white, black, anchor, chance.exponential(1.5, (cells, 3)), np.zeros(cells, int), np.arange(cells)
    )


def hessian(shape: Curvature) -> np.ndarray:
    """Return the whole Hessian, dense."""
    return np.block([[shape.matrix().toarray(), shape.cross], [shape.cross.T, shape.corner]])


def contrast_sd(shape: Curvature, first: int, second: int) -> float:
    """Return the standard deviation of the difference of two parameters."""
    covariance = np.linalg.inv(hessian(shape))
    return float(np.sqrt(covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]))

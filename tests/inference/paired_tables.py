"""Games from published tables of wins, draws and losses."""

from dataclasses import replace

import numpy as np
from composed import Common, DrawParameter, Free, Model, Nothing, PerPlayer

from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.populations import MIDDLE

FLAT = (0.0, 1e4)  # natural units: a prior that adds nothing to a table's maximum likelihood
OUTCOMES = {"bradley_terry": HALF_POINTS, "davidson": DAVIDSON}
FAMILIES = tuple(OUTCOMES)
ADVANTAGES = ("none", "common", "player")


def model_of(family: str, advantage: str = "none", strength: tuple[float, float] | None = None, anchored: float = 0.1):
    """A model with independent normal priors, by names.

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


def flat(family: str, advantage: str = "none"):
    """Model whose priors do not change the maximum likelihood of a table."""
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
    """Return (home, away, wins, 0, losses)."""
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


def games_of(rows: list[tuple[int, int, float, float, float]]) -> Selection:
    """Games of (white, black, wins, draws, losses)."""
    counts = np.array(rows, dtype=float)[:, [4, 3, 2]]
    row, outcome = np.nonzero(counts)
    seats = np.array(rows, dtype=float)[:, :2].astype(np.int32)[row]
    players = np.array([f"player {i}" for i in range(int(seats.max()) + 1)])
    table = GameTable(players, seats[:, 0], seats[:, 1], outcome / 2.0)
    return replace(select(table, players), weight=counts[row, outcome], weighting="counts")


def against(rating_elo: float, won: int, lost: int) -> Selection:
    """Games of one player as White against an opponent of known rating."""
    score = np.repeat([1.0, 0.0], [won, lost])
    seats, elo = np.zeros(score.size, np.int32), np.full(score.size, rating_elo)
    table = GameTable(
        np.array(["player", "rated"]), seats, seats + 1, score, white_rating_elo=elo, black_rating_elo=elo
    )
    return select(table, table.players[:1])


def random_games(players: int, games: int, seed: int) -> Selection:
    """Games of random pairs, some against a rated opponent, with fractional weights."""
    chance = np.random.default_rng(seed)
    names = np.array([*(f"player {i:04d}" for i in range(players)), "rated"])
    white = chance.integers(0, players + 1, games).astype(np.int32)
    black = ((white + chance.integers(1, players + 1, games)) % (players + 1)).astype(np.int32)
    elo = np.round(chance.normal(2700, 60, games))
    score = chance.integers(0, 3, games) / 2.0
    table = GameTable(names, white, black, score, white_rating_elo=elo, black_rating_elo=elo)
    return replace(select(table, names[:players]), weight=chance.exponential(1.5, games), weighting="random")

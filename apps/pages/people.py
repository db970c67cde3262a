"""Data of each player for a page: results, opponents, course over time, probabilities against any other player.

The page contains forecasts of all pairs in steps of 1/65535.
"""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.sides import seats_named
from halfpoint.models.games.table import OUTCOMES

MAX_DRAWS = 2000
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chances:
    """Forecast of a meeting of two players."""

    players: npt.NDArray[np.str_]  # (player,): the players who can be set against each other
    # (white, black, quantity, statistic): quantity: probability of loss, draw and win for White, and White's expected
    # score. Statistic: posterior mean and the ends of the 95% interval.
    summary: npt.NDArray[np.float32]
    three_outcomes: bool  # whether the model has a probability of a draw; if not, only the expected score is shown
    draws: int  # posterior draws from which the numbers are computed
    stronger: npt.NDArray[np.floating]  # (player, other): probability that the player is stronger than the other
    people: tuple[tuple[str, ...], ...] = ()  # who is on each of `players`, where these are sides of several people


def _pack_shares(shares: npt.NDArray[np.floating]) -> str:
    """Numbers from 0 to 1 as base64 of little-endian 16-bit whole numbers, 65535 for 1."""
    integers = np.rint(65535.0 * np.clip(shares, 0.0, 1.0)).astype("<u2")
    return base64.b64encode(np.ascontiguousarray(integers).tobytes()).decode("ascii")


def _opponent(listed: tuple[int, float] | None, name: str, elo: float) -> tuple[int | str, float | None]:
    """Opponent by place in the list, else by name with the rating in the game."""
    if listed is not None and abs(listed[1] - elo) < 0.05:
        return listed[0], 0
    return name, None if np.isnan(elo) else round(float(elo), 1)


def thinned_draws(draws: int, most: int = MAX_DRAWS) -> npt.NDArray[np.intp]:
    """At most 2,000 draws, or `most`, evenly spaced."""
    return np.linspace(0, draws - 1, min(draws, most)).round().astype(np.intp)


def meetings_of(
    white: npt.NDArray[np.integer],
    black: npt.NDArray[np.integer],
    score: _Floats,
    names: tuple[npt.NDArray[np.str_], npt.NDArray[np.str_]],
    ratings: tuple[_Floats | None, _Floats | None],
) -> pd.DataFrame:
    """Results of each player against each opponent, one row per pair.

    Columns player (index), opponent, rating_elo (mean over their games), and games by seat and outcome for the player:
    loss_0, draw_0, win_0 in the first seat, loss_1, draw_1, win_1 in the second.
    """
    outcome = np.rint(2 * score).astype(np.int64)
    parts = []
    for seat, (side, gained) in enumerate(((white, outcome), (black, 2 - outcome))):
        columns = {"player": side, "opponent": names[1 - seat], "rating_elo": ratings[1 - seat]}
        columns |= {
            f"{kind}_{place}": (gained == k) & (seat == place) for place in (0, 1) for k, kind in enumerate(OUTCOMES)
        }
        parts.append(pd.DataFrame(columns)[side >= 0])
    grouped = pd.concat(parts).groupby(["player", "opponent"], sort=True)
    counts = [f"{kind}_{place}" for place in (0, 1) for kind in OUTCOMES]
    return grouped.agg({"rating_elo": "mean"} | dict.fromkeys(counts, "sum")).reset_index()


@dataclass(frozen=True, eq=False)
class Known:
    """Further data of players, if available."""

    advantages: pd.DataFrame | None = None  # each player's own advantage
    months: Mapping[str, pd.DataFrame] | None = None  # the way through time, by player
    inclinations: pd.DataFrame | None = None  # to draws
    met: Mapping[str, pd.DataFrame] | None = None  # opponents, by player


_NOTHING = Known()


def people_record(
    ratings: pd.DataFrame,
    chances: Chances,
    results: Mapping[str, npt.NDArray[np.int64]],
    knowledge: Known = _NOTHING,
    seats: str = "white",
    noun: str = "player",
) -> dict[str, object]:
    """Data of each player for a page; results (colour, outcome)."""
    months, met = knowledge.months, knowledge.met
    listed = {str(name): row for name, row in ratings.set_index("player").to_dict("index").items()}
    paired = set() if chances.people else set(chances.players.tolist())
    unknown = sorted((set(listed) - set(results)) | (paired - set(listed)))
    if unknown:
        raise EvaluationError("page", "the same players in the list, the results and the pairs", repr(unknown[0]))
    tables = {"advantage": knowledge.advantages, "draws": knowledge.inclinations}
    effects = {key: table.set_index("player").to_dict("index") for key, table in tables.items() if table is not None}
    people, place = [], {name: (number, row["mean"]) for number, (name, row) in enumerate(listed.items())}
    for name, rating in listed.items():
        colours = results[name].tolist()
        row: dict[str, object] = {"name": name, "white": colours[0], "black": colours[1]}
        row |= {key: float(rating[key]) for key in ("mean", "sd", "low", "high")}
        for key, column in (("opponents", "opponents_elo"), ("best", "best")):
            if column in rating and np.isfinite(rating[column]):
                row[key] = float(rating[column])
        if met is not None and name in met:
            row["met"] = [  # who of the list by their place in it, where their rating is
                [*_opponent(place.get(str(opponent)), str(opponent), elo), *counts]
                for _, opponent, elo, *counts in met[name].to_numpy(dtype=object).tolist()
            ]
        for key, table in effects.items():
            row[key] = {
                statistic: float(table[name][statistic])
                for statistic in ("mean", "low", "high", "usual")
                if statistic in table[name]
            }
        if months is not None and name in months:
            columns = (months[name][column].tolist() for column in ("time", "mean", "low", "high"))
            row["months"] = [[time, *(round(value, 1) for value in ends)] for time, *ends in zip(*columns, strict=True)]
        people.append(row)
    return {
        "players": people,
        "draws": chances.draws,
        "paired": chances.players.tolist(),
        "chances": _pack_shares(chances.summary if chances.three_outcomes else chances.summary[..., 3:, :]),
        "stronger": _pack_shares(chances.stronger),
        "sides": [list(people) for people in chances.people],
        "seats": asdict(seats_named(seats)) | {"noun": noun},
        "three_outcomes": chances.three_outcomes,
    }

r"""Matches and leagues of teams over boards, under every draw of a posterior.

Board k of the first team meets board k of the second. Under one draw the boards are independent, so that the score is
the convolution of their probabilities (`halfpoint.evaluation.matches.fourier_transform`), exactly; over draws boards
are not independent: a player who is weaker than estimated is weaker in every match. More than half of the board points
win the match, which gives 2 match points; half of them give 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation.matches import Transformed, fourier_transform, scores_of
from halfpoint.evaluation.parts import Each, in_turn
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.seasons import MOST_DRAWS, played_out
from halfpoint.evaluation.tournament_options import Calendar
from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.games.table import POINTS

MATCH_POINTS = np.array([0.0, 1.0, 2.0])  # of a lost, a drawn and a won match
type Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TeamMatch:
    """A match of two line-ups."""

    chances: Floats  # (draw, board, outcome): loss, draw and win of the first team's player

    @property
    def score(self) -> Transformed:
        """Fourier transform of the first team's score under each draw, shape (draw, frequency)."""
        return np.asarray(fourier_transform(self.chances, self.chances.shape[1]).prod(axis=1))

    @property
    def results(self) -> Floats:
        """Chances of a lost, a drawn and a won match, shape (draw, outcome)."""
        chance, half = scores_of(self.score), self.chances.shape[1]
        lost, won = chance[..., :half].sum(axis=-1), chance[..., half + 1 :].sum(axis=-1)
        return np.stack([lost, chance[..., half], won], axis=-1)

    @property
    def board_points(self) -> Floats:
        """The first team's expected board points, shape (draw,)."""
        return np.asarray((self.chances @ POINTS).sum(axis=-1))


def team_match_of(reading: Reading, first: Sequence[int], second: Sequence[int], white: Flags) -> TeamMatch:
    """Match of two line-ups, places of players by board; `white` marks boards with White for the first team."""
    first_codes, second_codes = (np.asarray(side, dtype=np.int32) for side in (first, second))
    chances = reading.pairing(np.where(white, first_codes, second_codes), np.where(white, second_codes, first_codes))
    return TeamMatch(np.where(white[:, None], chances, chances[..., ::-1]))


def team_league_of(
    reading: Reading,
    teams: Sequence[Sequence[int]],
    double: bool,
    seed: int,
    simulations: int,
    each: Each = in_turn,
) -> pd.DataFrame:
    """Forecast table of teams that all meet: one row per team, in the order of the teams.

    Columns match_points and board_points, exact for the draws; table_low and table_high, 95% of the match points in the
    table to come; title_percent with mc_error_percent, a shared title in equal parts. A single round gives White on odd
    boards to either team by turns, a double round once to each team.
    """
    rng = np.random.default_rng(seed)
    total = reading.p["strength"].shape[0]
    reading = reading.thin(rng.permutation(total)[: min(total, simulations, MOST_DRAWS)])
    pairs = [pair if sum(pair) % 2 else pair[::-1] for pair in combinations(range(len(teams)), 2)]
    pairs += [pair[::-1] for pair in pairs] if double else []
    boards, results, points = len(teams[0]), list[Floats](), np.zeros((len(teams), 2))
    for first, second in pairs:
        match = team_match_of(reading, teams[first], teams[second], np.arange(boards) % 2 == 0)
        results.append(match.results)
        earned = np.array([match.board_points.mean(), (results[-1] @ MATCH_POINTS).mean()])
        points[first] += earned
        points[second] += [boards, 2.0] - earned
    first_teams, second_teams = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    chances, names = np.moveaxis(np.stack(results, axis=1), -1, 0), [str(team) for team in range(len(teams))]
    played = played_out(
        chances, (first_teams, second_teams), np.empty((0, 3)), names, Calendar("2-1-0"), simulations, rng, each
    )
    table = played.table.loc[names]
    return pd.DataFrame({
        "match_points": points[:, 1], "table_low": table["points_low"].to_numpy(),
        "table_high": table["points_high"].to_numpy(), "board_points": points[:, 0],
        "title_percent": 100.0 * table["title"].to_numpy(),
        "mc_error_percent": 100.0 * table["mc_error"].to_numpy(),
    })  # fmt: skip

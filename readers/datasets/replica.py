"""A replica of the study: simulated games with the study's players, sizes and calendar, and a known truth.

The truth is the published Davidson model with an advantage for each player (thesis table 10, paper table 4, static
columns; log_draw 1.098). Opponents are invented: their strength is their rating, spread over 2500 to 2840 as in the
study, and their advantage is the study's 0.1. Names of the tables contain SIMULATED; no game in them was played.
"""

from dataclasses import dataclass, replace

import numpy as np

from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.table import Codes, GameTable, Texts
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.study import COVARIATES, read_packaged, study_players

_LOG_DRAW = 1.098
_OPPONENT_ADVANTAGE = 0.1
_OPPONENTS, _TEST_OPPONENTS = 632, 50
_PERIODS = 35
_TRAINING_GAMES, _TRAINING_BOTH = 6807, 1842
_SET_A_GAMES, _SET_B_GAMES = 411, 732
_FIRST_DAY, _LAST_DAY = np.datetime64("2013-01-24"), np.datetime64("2013-10-04")
_RATING_FLOOR_ELO, _RATING_SPAN_ELO = 2500.0, 340.0
_SPREAD = (2.4, 4.5)  # of a beta distribution: mean 2618, standard deviation 58 Elo, as the anchors of the study
_DEFAULT_SEED = 20140221


@dataclass(frozen=True, eq=False)
class Replica:
    """Simulated training and test games and their true parameters."""

    training: GameTable  # 6,807 games over periods 1 to 35, 1,842 of them between monitored players
    set_a: GameTable  # 411 dated games between monitored players; 732 with at least one, those of A first
    set_b: GameTable  # likewise
    monitored: Texts  # (player,): the 46 players, as the study's games spell them
    # strengths and advantages of the monitored players (first, in the order of `monitored`) and the opponents
    truth: Truth


def replica(seed: int = _DEFAULT_SEED) -> Replica:
    """Simulated replica for a seed; equal seeds give equal replicas."""
    chance = np.random.default_rng(seed)
    players, published = study_players(), read_packaged("published_davidson.csv")
    count = len(players)
    opponent = np.round(_RATING_FLOOR_ELO + _RATING_SPAN_ELO * chance.beta(*_SPREAD, _OPPONENTS))
    rating_elo = np.concatenate([players["rating_2012_12_elo"].to_numpy(dtype=np.float64), opponent])
    names = [f"Opponent{number:03d}" for number in range(1, _OPPONENTS + 1)]
    truth = Truth(
        np.concatenate([players["data_name"].to_numpy(dtype=np.str_), np.asarray(names)]),
        np.concatenate([to_natural(published["strength_elo"].to_numpy(dtype=np.float64)), to_natural(opponent)]),
        np.concatenate([published["advantage"].to_numpy(dtype=np.float64), np.full(_OPPONENTS, _OPPONENT_ADVANTAGE)]),
        _LOG_DRAW,
    )
    active = chance.gamma(15.0, size=count)
    everybody = np.ones(count, dtype=bool)
    white, black = _pairings(chance, active, everybody, _TRAINING_BOTH, _TRAINING_GAMES - _TRAINING_BOTH)
    period = chance.integers(1, _PERIODS + 1, _TRAINING_GAMES).astype(np.int64)
    schedule = Schedule(white, black, period, None, rating_elo[white], rating_elo[black])
    training = simulate(truth, schedule, chance, "replica training SIMULATED")

    in_a, in_b = (players[column].to_numpy() == 1 for column in ("in_A", "in_B"))
    mutual = _pairings(chance, active, in_a, _SET_A_GAMES, 0)
    against_opponents = _pairings(chance, active, in_b, 0, _SET_B_GAMES - _SET_A_GAMES, _TEST_OPPONENTS)
    white, black = (np.concatenate([first, second]) for first, second in zip(mutual, against_opponents, strict=True))
    days = chance.integers(0, int((_LAST_DAY - _FIRST_DAY).astype(int)) + 1, _SET_B_GAMES)
    schedule = Schedule(white, black, None, _FIRST_DAY + days, rating_elo[white], rating_elo[black])
    drawn = simulate(truth, schedule, chance, "replica set B SIMULATED")
    covariates = dict(zip(COVARIATES, (rating_elo[white], rating_elo[black]), strict=True))
    set_b = replace(drawn, covariates=covariates)
    name = "replica set A SIMULATED"
    set_a = replace(set_b.take(np.arange(_SET_A_GAMES)), name=name, source=name)
    return Replica(training, set_a, set_b, truth.players[:count], truth)


def _pairings(
    chance: np.random.Generator, active: np.ndarray, takes_part: np.ndarray, mutual_games: int, opponent_games: int,
    opponents: int = _OPPONENTS,
) -> tuple[Codes, Codes]:  # fmt: skip
    """White and Black of games between monitored players, then of games against opponents, shape (game,).

    They are indexes into the monitored players followed by the opponents; colours by a fair coin.
    """
    share = np.where(takes_part, active, 0.0) / active[takes_part].sum()
    first = chance.choice(active.size, mutual_games, p=share)
    second = chance.choice(active.size, mutual_games, p=share)
    while (same := first == second).any():
        second[same] = chance.choice(active.size, int(same.sum()), p=share)
    home = np.concatenate([first, chance.choice(active.size, opponent_games, p=share)]).astype(np.int32)
    away = np.concatenate([second, active.size + chance.integers(0, opponents, opponent_games)]).astype(np.int32)
    turned = chance.random(home.size) < 0.5
    return np.where(turned, away, home), np.where(turned, home, away)

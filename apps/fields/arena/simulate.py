"""A simulated arena: battles of models before judges, with effects that a leaderboard must correct.

    eta = kappa_j (g_a - g_b) + position + h_j + c x        natural units; outcomes by Davidson's formula
    kappa_j ~ N(1, sharpness^2),  h_j ~ N(0, habit^2)       of judge j
    x = tanh((w_a - w_b + N(0, 1)) / 2), divided by its standard deviation

x is the excess length of the first answer and w the wordiness of a model: without a term for length, models that only
write more appear stronger. Judges differ in their numbers of judgements.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_natural


@dataclass(frozen=True, eq=False)
class Arena:
    """Simulated battles and their true parameters."""

    battles: pd.DataFrame  #: model_a, model_b, winner (or tie), judge, tokens_a, tokens_b
    strength: pd.Series  #: by model, natural units, mean 0
    position: float  #: what being shown first and a deviation of length are worth, and ties, natural units
    length: float
    log_draw: float
    sharpness: Floats  #: (judge,), of the judges
    habit: Floats


def simulate_arena(
    models: int = 60, battles: int = 50_000, judges: int = 300, seed: int = 1, *, position_elo: float = 25.0,
    length_elo: float = 40.0, log_draw: float = 0.42, spread_elo: float = 120.0, sharpness: float = 0.4,
    habit_elo: float = 30.0,
) -> Arena:  # fmt: skip
    """Simulate an arena.

    Parameters
    ----------
    models, battles, judges : int
        Numbers of models, battles and judges.
    seed : int
        The same seed gives the same battles.
    position_elo, length_elo : float
        Advantage of being shown first, and of a standard deviation of length, in points of 400 / ln 10 per natural
        unit.
    log_draw : float
        Draw parameter; 0.42 gives about 40% ties among models of this spread.
    spread_elo, habit_elo : float
        Standard deviations of the strengths, and of the judges' preference for the first answer, in Elo points.
    sharpness : float
        Standard deviation of the judges' sharpness around 1.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"model-{number:02d}" for number in range(models)])
    strength = rng.normal(0.0, to_natural(spread_elo), models)
    strength -= strength.mean()
    habit = rng.normal(0.0, to_natural(habit_elo), judges)
    sharp = rng.normal(1.0, sharpness, judges)
    busy = rng.gamma(1.0, 1.0, judges)
    judge = rng.choice(judges, battles, p=busy / busy.sum())
    a = rng.integers(0, models, battles)
    b = (a + rng.integers(1, models, battles)) % models
    gap = strength[a] - strength[b]
    wordy = rng.normal(0.0, 0.5, models)
    longer = wordy[a] - wordy[b] + rng.standard_normal(battles)
    share = np.tanh(longer / 2)  # (tokens_a - tokens_b) / (tokens_a + tokens_b)
    total = np.maximum(rng.lognormal(6.5, 0.5, battles), 200.0)
    tokens = np.rint(np.stack([total * (1 + share) / 2, total * (1 - share) / 2])).astype(np.int64)
    x = (tokens[0] - tokens[1]) / tokens.sum(axis=0)
    x = x / np.sqrt(np.mean(x**2))
    position, length = to_natural(position_elo), to_natural(length_elo)
    eta = sharp[judge] * gap + position + habit[judge] + length * x
    win, draw = np.exp(eta / 2), np.exp(log_draw)
    loss = 1.0 / win
    total_odds = win + draw + loss
    uniform = rng.random(battles)
    winner = np.where(
        uniform < win / total_odds, "model_a", np.where(uniform < (win + draw) / total_odds, "tie", "model_b")
    )
    frame = pd.DataFrame({
        "model_a": names[a], "model_b": names[b], "winner": winner,
        "judge": np.char.add("judge-", judge.astype(str)), "tokens_a": tokens[0], "tokens_b": tokens[1],
    })  # fmt: skip
    return Arena(frame, pd.Series(strength, names), position, length, log_draw, sharp, habit)

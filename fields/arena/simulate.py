"""A simulated arena: battles of models before judges, with everything planted that an honest leaderboard must undo.

    eta = kappa_j (g_a - g_b) + position + h_j + c x        natural units; outcomes by Davidson's formula
    kappa_j ~ N(1, sharpness^2),  h_j ~ N(0, habit^2)       of judge j
    x = tanh((w_a - w_b + N(0, 1)) / 2), divided by its standard deviation

x is how much longer the first answer is and w how wordy a model: who does not allow for length finds models stronger
that only write more. Judges differ in how much they judge.
"""

from dataclasses import dataclass
from typing import TypedDict, Unpack

import numpy as np
import pandas as pd

from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.workflows.options import into_records


@dataclass(frozen=True, eq=False)
class _Arena:
    """Simulated battles and the truth behind them."""

    battles: pd.DataFrame  #: model_a, model_b, winner (or tie), judge, tokens_a, tokens_b
    strength: pd.Series  #: by model, natural units, mean 0
    position: float  #: what being shown first and a deviation of length are worth, and ties, natural units
    length: float
    log_draw: float
    sharpness: Floats  #: (judge,), of the judges
    habit: Floats


@dataclass(frozen=True)
class Planted:
    """What is planted in the battles; points are 400 / ln 10 a natural unit."""

    position_elo: float = 25.0  #: what being shown first, and a standard deviation of length, are worth
    length_elo: float = 40.0
    log_draw: float = 0.42  #: draw parameter; 0.42 gives about 40% ties among models of this spread
    spread_elo: float = 120.0  #: standard deviation of the strengths
    sharpness: float = 0.4  #: standard deviation of the judges' sharpness around 1
    habit_elo: float = 30.0  #: standard deviation of the judges' own liking for who is shown first


PlantedOptions = TypedDict("PlantedOptions", {
    "position_elo": float, "length_elo": float, "log_draw": float, "spread_elo": float, "sharpness": float,
    "habit_elo": float
}, total=False)  # fmt: skip


def simulate_arena(
    models: int = 60, battles: int = 50_000, judges: int = 300, seed: int = 1, **planted: Unpack[PlantedOptions]
) -> _Arena:
    """A simulated arena; what is planted by name (`Planted`: position_elo, length_elo, log_draw, ...)."""
    [truth] = into_records(planted, Planted)
    rng = np.random.default_rng(seed)
    names = np.array([f"model-{number:02d}" for number in range(models)])
    strength = rng.normal(0.0, to_natural(truth.spread_elo), models)
    strength -= strength.mean()
    habit = rng.normal(0.0, to_natural(truth.habit_elo), judges)
    sharp = rng.normal(1.0, truth.sharpness, judges)
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
    position, length = to_natural(truth.position_elo), to_natural(truth.length_elo)
    eta = sharp[judge] * gap + position + habit[judge] + length * x
    win, draw = np.exp(eta / 2), np.exp(truth.log_draw)
    loss = 1.0 / win
    whole = win + draw + loss
    uniform = rng.random(battles)
    winner = np.where(uniform < win / whole, "model_a", np.where(uniform < (win + draw) / whole, "tie", "model_b"))
    frame = pd.DataFrame({
        "model_a": names[a], "model_b": names[b], "winner": winner,
        "judge": np.char.add("judge-", judge.astype(str)), "tokens_a": tokens[0], "tokens_b": tokens[1],
    })  # fmt: skip
    return _Arena(frame, pd.Series(strength, names), position, length, truth.log_draw, sharp, habit)

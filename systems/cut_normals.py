"""Moments of a normal variable that is cut where a game was won or drawn, for compiled loops: v moves mean, w spread.

With standard deviation 1 and mean t, cut at e: v = E - t of the rest, 1 - w its variance (Herbrich et al. 2007).
"""

import math

from halfpoint.games.compiled_loops import compiled


@compiled
def density(x: float) -> float:
    """Return the standard normal density."""
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@compiled
def below(x: float) -> float:
    """Return the standard normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@compiled
def decisive(x: float) -> tuple[float, float]:
    """Return v and w of a win at x = t - e; far in the tail the limits v = -x, w = 1."""
    chance = below(x)
    if chance < 1e-290:
        return -x, 1.0
    v = density(x) / chance
    return v, v * (v + x)


@compiled
def drawn(t: float, e: float) -> tuple[float, float]:
    """Return v and w of a draw; where the margin has no probability left, those of the nearer border."""
    side = 1.0
    if t < 0.0:
        t, side = -t, -1.0
    chance = below(e - t) - below(-e - t)
    if chance < 1e-290:
        return side * (e - t), 1.0
    v = (density(-e - t) - density(e - t)) / chance
    w = v * v + ((e - t) * density(e - t) + (e + t) * density(e + t)) / chance
    return side * v, w

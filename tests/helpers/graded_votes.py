"""Graded votes computed independently: Davidson's verdicts, then one step after the other."""

import numpy as np
import pandas as pd

WORDS = {-3: "B>>>A", -2: "B>>A", -1: "B>A", 0: "A=B", 1: "A>B", 2: "A>>B", 3: "A>>>B"}


def graded_votes(rng, strength, advantage, log_draw, cut, slope, votes):
    """Simulated votes as a frame: model_a, model_b, verdict (a word), grade (signed)."""
    strength, cut = np.asarray(strength), np.asarray(cut)
    a = rng.integers(0, strength.size, votes)
    b = (a + rng.integers(1, strength.size, votes)) % strength.size
    gap = strength[a] - strength[b] + advantage
    share = np.exp(np.stack([-gap / 2, log_draw + 0.0 * gap, gap / 2]))
    sign = (rng.random(votes) > np.cumsum(share / share.sum(axis=0), axis=0)[:2]).sum(axis=0) - 1
    grade = (sign != 0).astype(int)
    for h, one in enumerate(cut, start=1):
        chance = 1.0 / (1.0 + np.exp(-(one + slope * sign * gap)))
        grade += (grade == h) & (rng.random(votes) < chance)
    names = np.array([f"m{k}" for k in range(strength.size)])
    told = [WORDS[one] for one in (sign * grade).tolist()]
    return pd.DataFrame({"model_a": names[a], "model_b": names[b], "verdict": told, "grade": sign * grade})


def log_probability(p, first, second, grade):
    """Log probability of each vote, (vote,), from parameters, seats (vote,) and signed grades (vote,)."""
    gap = p["strength"][first] - p["strength"][second] + p["advantage"]
    scores = np.stack([-gap / 2, p["log_draw"] + 0.0 * gap, gap / 2])
    sign = np.sign(grade)
    found = scores[sign + 1, np.arange(gap.size)] - np.log(np.exp(scores).sum(axis=0))
    for h, cut in enumerate(p["grade_cut"], start=1):
        lean = cut + p["grade_slope"] * sign * gap
        reached = np.abs(grade) >= h
        found = found + reached * np.where(np.abs(grade) > h, -np.log1p(np.exp(-lean)), -np.log1p(np.exp(lean)))
    return found

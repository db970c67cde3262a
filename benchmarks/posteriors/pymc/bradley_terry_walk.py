"""Bradley-Terry with random walks of strengths by period around levels of a non-centred population."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt

ELO = np.log(10.0) / 400.0


def model(data):
    first, second, period = (np.array(data[name]) - 1 for name in ("first", "second", "period"))
    wins, losses = np.array(data["wins"]), np.array(data["losses"])
    players, periods = data["players"], data["periods"]
    with pm.Model() as pymc_model:
        mean = pm.Normal("strength_mean", 2705.0 * ELO, 400.0 * ELO)
        spread = pm.HalfNormal("strength_spread", 400.0 * ELO)
        innovation = pm.HalfNormal("innovation_spread", 35.0 * ELO)
        level = pm.Normal("level_raw", 0.0, 1.0, shape=players)
        step = pm.Normal("step_raw", 0.0, 1.0, shape=(players, periods - 1))
        advantage = pm.Normal("advantage", 0.0, 1.0)
        walk = pt.concatenate([pt.zeros((players, 1)), innovation * pt.cumsum(step, axis=1)], axis=1)
        about = walk - walk.mean(axis=1, keepdims=True)
        strength = pm.Deterministic("strength", mean + spread * level[:, None] + about)
        ahead = strength[first, period] - strength[second, period] + advantage
        pm.Potential("results", -(wins * pt.softplus(-ahead) + losses * pt.softplus(ahead)).sum())  # stable far out
    return pymc_model

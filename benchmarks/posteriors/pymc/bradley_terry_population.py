"""Bradley-Terry with a first-move advantage and a non-centred population of strengths."""

import numpy as np
import pymc as pm

ELO = np.log(10.0) / 400.0


def model(data):
    first, second, wins, losses = (np.array(data[name]) for name in ("first", "second", "wins", "losses"))
    with pm.Model() as pymc_model:
        mean = pm.Normal("strength_mean", 2705.0 * ELO, 400.0 * ELO)
        spread = pm.HalfNormal("strength_spread", 400.0 * ELO)
        raw = pm.Normal("strength_raw", 0.0, 1.0, shape=data["players"])
        strength = pm.Deterministic("strength", mean + spread * raw)
        advantage = pm.Normal("advantage", 0.0, 1.0)
        ahead = strength[first - 1] - strength[second - 1] + advantage
        pm.Binomial("results", n=wins + losses, logit_p=ahead, observed=wins)
    return pymc_model

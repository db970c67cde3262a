"""Normal margins: difference of strengths of a population plus first-move advantage, with an estimated width."""

import numpy as np
import pymc as pm


def model(data):
    first, second = np.array(data["first"]) - 1, np.array(data["second"]) - 1
    with pm.Model() as pymc_model:
        mean = pm.Normal("strength_mean", 0.0, 20.0)
        spread = pm.HalfNormal("strength_spread", 20.0)
        raw = pm.Normal("strength_raw", 0.0, 1.0, shape=data["players"])
        strength = pm.Deterministic("strength", mean + spread * raw)
        advantage = pm.Normal("advantage", 0.0, 20.0)
        log_width = pm.Normal("log_width", 1.0, 2.0)
        expected = strength[first] - strength[second] + advantage
        pm.Normal("margins", expected, pm.math.exp(log_width), observed=np.array(data["margin"]))
    return pymc_model

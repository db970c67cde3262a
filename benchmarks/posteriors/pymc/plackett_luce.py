"""Plackett-Luce: events as sequential choices; strengths of a population."""

import numpy as np
import pymc as pm

ELO = np.log(10.0) / 400.0


def model(data):
    order = np.array(data["order"]) - 1
    with pm.Model() as pymc_model:
        spread = pm.HalfNormal("strength_spread", 400.0 * ELO)
        raw = pm.Normal("strength_raw", 0.0, 1.0, shape=data["players"])
        own = pm.Deterministic("strength", spread * raw)[order]
        for k in range(data["places"] - 1):
            pm.Potential(f"place_{k + 1}", (own[:, k] - pm.math.logsumexp(own[:, k:], axis=1, keepdims=False)).sum())
    return pymc_model

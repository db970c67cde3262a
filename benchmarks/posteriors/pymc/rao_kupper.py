"""Rao-Kupper with White's advantage: three outcomes; the last player has a known strength."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt


def model(data):
    first, second = np.array(data["first"]), np.array(data["second"])
    counts = np.array([data["wins"], data["ties"], data["losses"]]).T
    with pm.Model() as pymc_model:
        strength = pm.Normal("strength", 15.0, 400.0, shape=data["players"] - 1)
        advantage = pm.Normal("advantage", 0.0, 1.0)
        log_draw = pm.Normal("log_draw", 1.0, 5.0)
        of_all = pt.concatenate([strength, [data["known"]]])
        ahead = of_all[first - 1] + advantage - of_all[second - 1]
        log_theta = pt.softplus(log_draw)
        win, loss = pm.math.sigmoid(ahead - log_theta), pm.math.sigmoid(-ahead - log_theta)
        chances = pt.stack([win, pt.expm1(2.0 * log_theta) * win * loss, loss], axis=1)
        pm.Multinomial("results", n=counts.sum(axis=1), p=chances, observed=counts)
    return pymc_model

"""Davidson with an advantage for each player; the last player has a known strength and advantage."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt


def model(data):
    first, second = np.array(data["first"]), np.array(data["second"])
    counts = np.array([data["wins"], data["ties"], data["losses"]]).T
    with pm.Model() as pymc_model:
        strength = pm.Normal("strength", 15.0, 400.0, shape=data["players"] - 1)
        advantage = pm.Normal("advantage", 1.0, 10.0, shape=data["players"] - 1)
        log_draw = pm.Normal("log_draw", 1.0, 5.0)
        level = pt.concatenate([strength, [data["known"]]])
        half = pt.concatenate([advantage, [data["known_advantage"]]])
        one, two = (level + half)[first - 1], (level - half)[second - 1]
        log_odds = pt.stack([one, log_draw + (one + two) / 2.0, two], axis=1)
        pm.Multinomial("results", n=counts.sum(axis=1), p=pm.math.softmax(log_odds, axis=1), observed=counts)
    return pymc_model

"""Bradley-Terry; the last player has a known strength."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt

ELO = np.log(10.0) / 400.0


def model(data):
    first, second, wins, losses = (np.array(data[name]) for name in ("first", "second", "wins", "losses"))
    with pm.Model() as pymc_model:
        strength = pm.Normal("strength", 2705.0 * ELO, 400.0 * ELO, shape=data["players"] - 1)
        of_all = pt.concatenate([strength, [data["known"]]])
        ahead = of_all[first - 1] - of_all[second - 1]
        pm.Binomial("results", n=wins + losses, logit_p=ahead, observed=wins)
    return pymc_model

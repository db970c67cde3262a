"""Simulation-based calibration of the Plackett-Luce model: whether it finds the strengths that made the events.

    s, g, d ~ prior,   events ~ model,   draws ~ posterior(events)   =>   the rank of each among the draws is uniform

Ranks and bands are those of `halfpoint.inference.calibrate`; the model is compiled once, events are swapped.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from halfpoint.fields.races.model import DeclaredRaces, Sampling, sampler
from halfpoint.fields.races.simulate import drawn_races
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import SEED
from halfpoint.inference.calibrate import RANKED, Ranks, below, even
from halfpoint.inference.limits import SIMULATIONS
from halfpoint.models.prior_draws import PriorDraws
from halfpoint.workflows.answer import Answer
from halfpoint.workflows.intake import Say, unheard

COMPETITORS, EVENTS, FIELD, PLACES = 6, 20, 4, 2  # of a data set; every second event has two places only
HOW = Sampling(draws=250, tune=500, chains=2, longer=False)
FALSE_ALARM = 0.01


def races_calibrate(simulations: int = 100, ties: bool = False, seed: int = 7, say: Say = unheard) -> Answer:
    """Simulate events from the prior, fit them, and see whether the truth ranks uniformly among the draws.

    Parameters
    ----------
    simulations : int
        Simulated data sets.
    ties : bool
        Whether two may share a place (Davidson-Luce).
    seed : int
        The same seed gives the same ranks.
    say : callable
        Gets a line at each stage.

    Returns
    -------
    Answer
        parameter; outside: by how much its ranks leave their band, 0 if they do not; calibrated. A calibrated model is
        called wrong in 1 of 100 runs.

    Raises
    ------
    HalfpointError
        If a number is out of its range.
    """
    SIMULATIONS.require("simulations", simulations, GameTableError)
    SEED.require("seed", seed, GameTableError)
    ranks = ranks_of(simulations, 2 if ties else 1, seed, say)
    outside = ranks.outside(1.0 - FALSE_ALARM / len(ranks.rank))
    frame = pd.DataFrame({"parameter": list(outside), "outside": list(outside.values())})
    frame["calibrated"] = frame["outside"] == 0.0
    wrong = frame.loc[~frame["calibrated"], "parameter"].tolist()
    said = f"NOT calibrated: {', '.join(wrong)}" if wrong else "calibrated: every parameter is inside its band"
    about = {
        "title": f"Plackett-Luce{' with ties' if ties else ''}: {simulations} simulated data sets of {EVENTS} events",
        "simulated": True, "answer": said, "verdict": "converged",
        "note": f"{said}; {ranks.divergences} divergent transitions in all fits.",
    }  # fmt: skip
    return Answer(frame, about)


def ranks_of(simulations: int, order: int, seed: int, say: Say = unheard) -> Ranks:
    """Return the ranks of prior draws among the posterior draws of the events they gave."""
    rng = np.random.default_rng([seed, 0])
    there = np.stack([rng.permutation(COMPETITORS)[:FIELD] for _ in range(EVENTS)])
    places = [FIELD, PLACES] * (EVENTS // 2)
    declared = DeclaredRaces(drawn_races(np.zeros(COMPETITORS), there, places, rng), order)
    say("compiling the model")
    run, prior = sampler(declared), PriorDraws(declared.model)
    ranks, divergences = dict[str, list[int]](), 0
    for simulation in range(simulations):
        rng = np.random.default_rng([seed, 1 + simulation])
        truth = prior.one(rng)
        table = drawn_races(truth["strength"], there, places, rng, truth.get("log_tie"))
        fitted = run(DeclaredRaces(table, order), replace(HOW, seed=seed + simulation))
        divergences += fitted.diagnosis.divergences
        for label, rank in below(fitted.posterior, truth, even(HOW.chains, HOW.draws, RANKED)):
            ranks.setdefault(label, []).append(rank)
        if (simulation + 1) % 25 == 0:
            say(f"{simulation + 1} of {simulations} simulations")
    return Ranks({name: np.asarray(values) for name, values in ranks.items()}, RANKED, divergences)

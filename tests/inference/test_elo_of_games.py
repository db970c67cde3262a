"""Ratings of samplers are Elo points: compared with scores, with another program's published list, and with simulated
truth.
"""

import arviz as az
import numpy as np
import pytest
from monte_carlo import LIMIT

from halfpoint.apps.study.run.tables import model_record
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.readers.datasets.study import monitored_names, training

DRAW = ("chain", "draw")
RUN = {"draws": 1000, "tune": 500, "chains": 4, "seed": 5, "cores": 2, "pointwise_draws": 0, "adapt": False}


def table(results, ratings=None):
    """Games of pairs (first, second, wins, draws, losses) with alternating colours, and ratings by name if given."""
    rows = [
        (one, other, score) if number % 2 else (other, one, 1.0 - score)
        for one, other, *counts in results
        for number, score in enumerate(np.repeat([1.0, 0.5, 0.0], counts))
    ]
    players, white, black = code_players(*(np.array([row[side] for row in rows]) for side in (0, 1)))
    known = {}
    if ratings is not None:
        elo = np.array([ratings.get(str(name), np.nan) for name in players])
        known = {"white_rating_elo": elo[white], "black_rating_elo": elo[black]}
    return GameTable(players, white, black, np.array([row[2] for row in rows]), name="counts", **known)


@pytest.mark.draws
@pytest.mark.parametrize("name", ["davidson-common", "davidson-population", "rao-kupper"])
def test_55_to_45_with_78_draws_is_35_points(name):
    """By score 400 log10(55 / 45) = 34.9, as Ordo has it; Davidson's natural units times 173.7 were 152."""
    played = table([("New", "Old", 16, 78, 6)])
    posterior = sample(declare(name, select(played, played.players, "both")), **RUN)["posterior"].to_dataset()
    ahead = posterior["rating_elo"].sel(player="New") - posterior["rating_elo"].sel(player="Old")
    error = float(ahead.std(DRAW) / np.sqrt(az.ess(ahead.to_dataset(name="x"))["x"]))
    # a learned spread draws two players together, by some part of the posterior standard deviation
    pull = 12.0 if name == "davidson-population" else 3.0
    assert float(ahead.mean(DRAW)) == pytest.approx(34.9, abs=LIMIT * error + pull)


# Ordo's readme-example-j-switch.txt: Critter 1.4 is rated 2562 on 2,400 games; against these four of its opponents,
# whose ratings follow from the printed differences, it won, drew and lost so many, with standard deviations of 8 to 11.
ORDO_CRITTER = 2562
ORDO = {"Houdini": (2597, 23, 54, 23), "Komodo": (2556, 33, 44, 23), "Rybka": (2539, 28, 48, 24)}
ORDO |= {"Stockfish": (2518, 25, 66, 9)}


@pytest.mark.draws
@pytest.mark.parametrize("name", ["davidson", "rao-kupper"])
def test_an_example_of_ordo(name):
    ratings = {engine: float(row[0]) for engine, row in ORDO.items()}
    played = table([("Critter", engine, *row[1:]) for engine, row in ORDO.items()], ratings)
    tree = sample(declare(name, select(played, ["Critter"], "any")), **RUN)
    rating = tree["posterior"]["rating_elo"].sel(player="Critter")
    score = np.array([row[1] + row[2] / 2 for row in ORDO.values()]).sum() / 400
    performance = np.mean(list(ratings.values())) + 400 * np.log10(score / (1 - score))
    assert float(rating.mean()) == pytest.approx(performance, abs=4)  # 2578.6; opponents are not all alike
    assert abs(float(rating.mean()) - ORDO_CRITTER) < 2 * np.hypot(12, 10)  # 12: of a score of 400 games, half drawn


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bt-common", "rao-kupper", "davidson-common", "davidson-pooled"])
def test_whites_advantage_is_what_white_scores_between_equals(name):
    games = training()
    near = np.abs(games.white_rating_elo - games.black_rating_elo) <= 50
    gap = float((games.white_rating_elo - games.black_rating_elo)[near].mean())
    score = games.score[near]
    mean = float(score.mean())
    expected = 400 * np.log10(mean / (1 - mean)) - gap  # 32.9, one standard error 4.3
    error = 400 / np.log(10) / (mean * (1 - mean)) * float(score.std()) / np.sqrt(score.size)
    tree = sample(
        declare(name, select(games, monitored_names())), draws=300, tune=400, chains=2, seed=1, pointwise_draws=0
    )
    assert model_record(tree)["advantage_elo_mean"] == pytest.approx(expected, abs=LIMIT * error)


@pytest.mark.draws
def test_every_method_has_the_same_scale():
    played = table([("A", "B", 30, 50, 20), ("B", "C", 28, 44, 28), ("A", "C", 35, 45, 20)])
    declared = declare("davidson-common", select(played, played.players, "both"))
    exact, near = (
        sample(declared, **RUN)["posterior"],
        fit(declared, "normal", draws=1000, chains=4, seed=1)["posterior"],
    )
    for name in ("rating_elo", "advantage_elo", "draw_rate"):
        one, other = exact[name], near[name]
        if name == "rating_elo":
            one, other = (value - value.mean("player") for value in (one, other))
        apart = np.abs(one.mean(DRAW) - other.mean(DRAW)) / one.std(DRAW)
        assert float(apart.max()) < 0.2

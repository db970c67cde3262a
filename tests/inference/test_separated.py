"""Players who won or lost all games: found, reported, and without effect on other players."""

from dataclasses import replace

import arviz as az
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from monte_carlo import LIMIT
from paired_tables import against, games_of, model_of

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import _say_separated, fit
from halfpoint.inference.gaussian.mode import mode
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.inference.reweighted_sampler import first_plan
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.components import unbounded_players
from halfpoint.models.games.select import merge, select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.rhat_ess import rhat_and_ess
from halfpoint.readers.read import read

DRAW = ("chain", "draw")
FIELD = [f"P{number}" for number in range(5)]


@pytest.fixture(scope="module")
def chosen():
    """Five connected players, and one who beat each of them eight times."""
    chance = np.random.default_rng(1)
    rows = [
        (one, other, chance.choice([0.0, 0.5, 1.0], p=[0.3, 0.35, 0.35]))
        for _ in range(6)
        for one in FIELD
        for other in FIELD
        if one != other
    ]
    rows += [game for one in FIELD for game in [("Z", one, 1.0), (one, "Z", 0.0)] * 4]
    table = read(pd.DataFrame(rows, columns=["white", "black", "score"]), source="rows")
    return select(table, table.players, "both")


@pytest.mark.further
@pytest.mark.draws
def test_a_player_who_won_all_games_moves_nobody_else(chosen):
    declared = declare("davidson-common", chosen, "corrected")
    near = fit(declared, "normal", draws=500, chains=4, seed=1)
    assert near.attrs["separated"] == 1
    assert "separated: Z " in near.attrs["verdict"]
    sampled = fit(declared, "nuts", draws=250, tune=300, chains=4, seed=2, cores=2)["posterior"].to_dataset()
    rating = sampled["strength"].sel(player=FIELD) * 400 / np.log(10)
    contrast = rating - rating.mean("player")
    error = contrast.std(DRAW) / np.sqrt(az.ess(contrast.to_dataset(name="x"))["x"])
    mean = near["posterior"]["strength"].sel(player=FIELD).mean(DRAW) * 400 / np.log(10)
    gap = np.abs(mean - mean.mean() - contrast.mean(DRAW))
    assert (gap < LIMIT * np.sqrt(2) * error + 3.0).all()  # of sds of 51
    middle = near["posterior"]["log_draw"].mean() - sampled["log_draw"].mean()
    assert abs(float(middle)) < 0.2 * float(sampled["log_draw"].std())


@pytest.mark.parametrize("prior_sd", [400.0, 4_000.0, 70_000.0])
def test_the_centre_of_a_player_who_won_all_games_never_passes_the_mean(prior_sd):
    model = model_of("bradley_terry", "none", (to_natural(2600.0), to_natural(prior_sd)))
    declared = declare_model(model, against(2600.0, 10, 0))
    rating = np.linspace(2600 - 2 * prior_sd, 2600 + 8 * prior_sd, 1_000_001)
    log_density = -10 * np.logaddexp(0, (2600 - rating) * np.log(10) / 400) - 0.5 * ((rating - 2600) / prior_sd) ** 2
    density = np.exp(log_density - log_density.max())
    mean = (density * rating).sum() / density.sum()
    highest, centre = (
        to_elo(mode(declared).top.z[0]),
        to_elo(VariationalProblem(declared).closest(np.zeros(0)).centre[0]),
    )
    assert highest - 1e-6 <= centre < mean + 0.1 * prior_sd


def test_separated_players_are_those_without_a_way_back():
    rows = [(0, 1, 3, 0, 1), (1, 2, 0, 1, 0), (3, 0, 2, 0, 0), (3, 4, 1, 1, 0), (5, 1, 0, 0, 4)]
    assert unbounded_players(merge(games_of(rows))).tolist() == [False, False, False, True, True, True]
    assert not unbounded_players(merge(games_of([*rows, (0, 4, 0, 1, 0), (5, 2, 1, 0, 0)]))).any()
    anchored = replace(
        merge(games_of(rows)), white=np.array([0, 1, 3, 3, -1], np.int32), black=np.array([1, 2, 0, 4, 5], np.int32)
    )
    # the anchored opponent lost four games to player 5 and is the frame: nobody took a point from it and gave one back
    assert unbounded_players(anchored).all()


@pytest.mark.draws
def test_coordinates_that_are_nearly_normal_give_more_draws_of_players_whom_the_prior_alone_bounds(chosen):
    declared, effort, least = (
        declare("davidson-population", chosen, "corrected"),
        Effort(draws=500, cores=2, seed=3),
        [],
    )
    for straight in (True, False):
        compiled = compile_declared(declared, straight=straight)
        assert compiled.straight == straight
        raw = all_draws(compiled.model, first_plan(declared, effort), effort)
        posterior, statistics = split_raw_trace(raw)
        assert float(statistics["diverging"].mean()) < 0.01
        draws = np.moveaxis(posterior["strength"].to_numpy(), 2, 0)
        least.append(rhat_and_ess(draws)[1].min() / float(statistics["n_steps"].sum()))
    assert least[0] > 3.0 * least[1]


def test_margins_bound_a_player_who_won_all_games(chosen):
    games = chosen.games
    lead = np.where(games.score == 1.0, 3.0, np.where(games.score == 0.5, 0.0, -3.0))
    with_margins = replace(chosen, games=replace(games, covariates={**games.covariates, "margin": lead}))
    tree = fit(declare("margin-normal", with_margins, "corrected"), "normal", pointwise_draws=0)
    strength = tree["posterior"]["strength"]
    ahead = strength.sel(player="Z") - strength.sel(player=FIELD).mean("player")
    assert float(ahead.std()) < 2.0  # 40 games of width 2 to 3; a difference of the prior has 20 * sqrt(1.2)
    assert tree.attrs["separated"] == 0
    assert "separated" not in tree.attrs["verdict"]


@pytest.mark.parametrize(("losers", "words"), [(5, "V, W, X, Y, Z"), (6, "U, V, W, X, Y and 1 more")])
def test_a_verdict_names_five_separated_players(losers, words):
    """A, B and C win and lose among themselves; each of the others lost to A alone."""
    names = np.array(list("ABC" + "UVWXYZ"[6 - losers :]))
    white = np.array([0, 1, 2] + [0] * losers, dtype=np.int32)
    black = np.array([1, 2, 0, *range(3, 3 + losers)], dtype=np.int32)
    games = GameTable(names, white, black, np.ones(white.size))
    declared = declare("bt-common", select(games, games.players))
    tree = xr.DataTree()
    tree.attrs["verdict"] = "converged"
    _say_separated(tree, declared)
    assert tree.attrs["separated"] == losers
    assert tree.attrs["verdict"].startswith(f"converged; separated: {words} (all won or all lost")

"""Behaviour in notebooks: tables display themselves, data frames of any library, ArviZ and PyMC on traces."""

import arviz as az
import numpy as np
import pandas as pd
import polars
import pymc as pm
import pytest

from halfpoint import inference, models, readers
from halfpoint.apps import workflows
from halfpoint.inference.errors import InferenceError
from halfpoint.models import games
from halfpoint.models.games.errors import HalfpointError

ROWS = {
    "HomeTeam": ["Ajax", "PSV", "Ajax <b>"] * 4,
    "AwayTeam": ["PSV", "Ajax", "PSV"] * 4,
    "FTHG": [2, 1, 0] * 4,
    "FTAG": [1, 1, 3] * 4,
    "Date": ["10/08/2024", "17/08/2024", "24/08/2024"] * 4,
}


@pytest.mark.parametrize("frame", [pd.DataFrame(ROWS), polars.DataFrame(ROWS), polars.DataFrame(ROWS).to_arrow()])
def test_frames_of_any_library_are_read(frame):
    table = readers.read(frame)
    assert len(table) == 12
    assert table.score.tolist() == [1.0, 0.5, 0.0] * 4
    assert str(table.date.max()) == "2024-08-24"


def test_a_table_shows_itself_in_five_lines_without_markup_from_files():
    table = readers.read(pd.DataFrame(ROWS))
    lines = repr(table).splitlines()
    assert len(lines) <= 5
    assert lines[0] == "games: 12 games among 3 clubs, 2024-08-10 to 2024-08-24"
    assert lines[1] == "Home's score 50.0%: 4 wins, 4 draws, 4 losses"
    html = table._repr_html_()
    assert "<table" in html
    assert "Ajax <b>" not in html
    assert table.head(2)[["white", "black", "score"]].to_numpy().tolist() == [
        ["Ajax", "PSV", 1.0],
        ["PSV", "Ajax", 0.5],
    ]
    assert len(readers.replica().training.head()) == 5


@pytest.fixture(scope="module")
def fitted():
    table, _ = workflows.simulate(games=400, players=6, seed=3)
    chosen = games.select(table, table.players, "both")
    declared = models.declare("davidson-common", chosen)
    return chosen, declared, inference.sample(declared, draws=400, tune=400, chains=2, seed=1)


def test_arviz_judges_a_trace_as_it_is(fitted):
    chosen, _, trace = fitted
    found = az.loo(trace)
    assert found.n_data_points == len(chosen.games)
    assert (np.asarray(found.pareto_k) < 0.7).all()


def test_games_are_played_again_as_the_model_forecasts(fitted):
    chosen, _, trace = fitted
    tree = inference.posterior_predictive(trace, chosen.games, thin=2)
    score = tree["posterior_predictive"]["score"]
    assert score.dims == ("chain", "draw", "game")
    assert set(np.unique(score)) == {0.0, 0.5, 1.0}
    probability = inference.forecast(trace, chosen.games, thin=2).probability
    draws = score.sizes["chain"] * score.sizes["draw"]
    for outcome, value in enumerate((0.0, 0.5, 1.0)):
        share = (score == value).mean(("chain", "draw")).to_numpy()
        expected = probability[outcome].mean(axis=(0, 1))
        assert np.abs(share - expected).max() < 5 * np.sqrt(0.25 / draws)
    assert set(tree.children) == {*trace.children, "posterior_predictive"}
    assert az.plot_ppc_tstat(tree, t_stat="mean", backend="none") is not None
    assert az.plot_ppc_dist(tree, kind="ecdf", backend="none") is not None
    with pytest.raises(InferenceError, match="the 400 games of the trace"):
        inference.posterior_predictive(trace, chosen.games.take(np.arange(10)))


def test_pymc_plays_the_games_of_a_trace_again(fitted):
    chosen, declared, trace = fitted
    with declared.model:
        made = pm.sample_posterior_predictive(
            trace, progressbar=False, random_seed=4, compile_kwargs={"mode": "FAST_COMPILE"}
        )["posterior_predictive"]["games"]
    counts = made.to_numpy().reshape(-1, *made.shape[2:]).sum(axis=1)
    assert (counts.sum(axis=1) == len(chosen.games)).all()
    score = counts @ [0.0, 0.5, 1.0] / len(chosen.games)
    assert abs(score.mean() - chosen.games.score.mean()) < 4 * score.std()


def test_a_result_is_taken_where_a_trace_is():
    table, _ = workflows.simulate(games=300, players=6, seed=3)
    rated = workflows.rate(table, model="davidson-common", method="normal", draws=500)
    one, other = rated.frame["player"][:2]
    assert workflows.match(rated, one, other).note == workflows.match(rated.trace, one, other).note
    with pytest.raises(HalfpointError, match="or a result of"):
        workflows.match(3, one, other)

"""Edited models: recorded in the trace, scored by the sampled model, refused by methods that need the catalogue's
model.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from composed import weighted_log_likelihood
from covering_rows import by_row
from graph_density import own_density
from scipy.stats import norm

from halfpoint.evaluation.comparison import comparison_line
from halfpoint.evaluation.criteria import leave_one_out
from halfpoint.inference.diagnostics.graph_edits import edits
from halfpoint.inference.fit import fit
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.catalogue import CATALOGUE, EDITIONS, TWELVE, declare, find
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.units import to_elo
from halfpoint.models.reading.geometry import give_coordinates

NAMES = np.array(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
FEW = {"draws": 6, "tune": 20, "chains": 2, "cores": 1, "seed": 3, "adapt": False}
MORE = FEW | {"draws": 100, "tune": 100}


def games_of(monitored):
    """200 games of six players over eight months, with a covariate; those not monitored are anchored."""
    chance = np.random.default_rng(41)
    strength = np.array([15.9, 15.2, 15.6, 16.3, 14.9, 15.5])
    white = chance.integers(0, 6, 200).astype(np.int32)
    black = ((white + chance.integers(1, 6, 200)) % 6).astype(np.int32)
    elo = to_elo(strength)
    schedule = Schedule(
        white, black, np.arange(200) // 25 + 1, white_rating_elo=elo[white], black_rating_elo=elo[black]
    )
    games = simulate(Truth(NAMES, strength, 0.2, 0.3), schedule, 12)
    return select(
        replace(
            games,
            covariates={
                "rapid": (np.arange(200) % 3 == 0).astype(float),
                "margin": 4.0 * games.score - 2.0,
                "deal": np.arange(200) % 9,
                "context": np.arange(200) % 2,
            },
        ),
        NAMES[:monitored],
    )


@pytest.fixture(scope="module")
def selection():
    return games_of(4)


@pytest.mark.parametrize(
    ("name", "monitored"), by_row([*((name, 4) for name in CATALOGUE), *((name, 6) for name in tuple(CATALOGUE)[::6])])
)
def test_no_row_of_the_catalogue_counts_as_edited(name, monitored):
    selection = games_of(monitored)
    for edition in EDITIONS if name in TWELVE else EDITIONS[1:]:
        declared = declare(name, selection, edition)
        assert edits(declared).words == ()  # before its graph is made
        assert declared.model.free_RVs
        assert edits(declared).words == ()


def test_what_differs_is_said(selection):
    declared = declare("davidson-player", selection)
    model = declared.model
    with model:
        pm.Deterministic("square", model["log_draw"] ** 2)
    assert edits(declared).words == ()  # it changes nothing
    pm.set_data({"results": 2.0 * declared.cells.weight}, model=model)
    with model:
        pm.Potential("level", -(model["strength"].mean() ** 2))
        pm.Normal("other", 0.0, 1.0)
        pm.Normal("seen", 0.0, 1.0, observed=[0.1])
    found = edits(declared)
    assert set(found.words) == {
        "parameter other added",
        "potential level added",
        "observed variable seen added",
        "data results changed",
    }
    assert found.weights
    assert not found.pointwise


def with_graph(declared, graph):
    """Declared model with another graph."""
    other = replace(declared)
    give_coordinates(graph, other)
    other.__dict__["model"] = graph
    return other


def test_another_prior_and_another_formula_are_said(selection):
    declared = declare("davidson", selection)
    own = find("davidson").but("own", log_draw=(1.0, 9.0))
    assert edits(declare(own, selection)).words == ()  # a model of one's own is no edit of the catalogue's
    wider = with_graph(declared, declare(own, selection).model)
    assert edits(wider).words == ("prior of log_draw changed",)
    fixed = with_graph(declared, pm.do(declared.model, {"log_draw": 0.0}))
    assert "parameter log_draw fixed" in edits(fixed).words
    other = find("davidson-common").but("own")
    found = edits(with_graph(declared, declare(other, selection).model))
    assert "parameter advantage added" in found.words
    assert not found.pointwise


def bounded(model):
    pm.Potential("bound", pt.switch(model["advantage"] > 0.35, -np.inf, 0.0))


def heavier(model):
    pm.set_data({"results": model["results"].get_value() * (1.0 + 1e-6)})


@pytest.mark.parametrize("edit", [bounded, heavier])
def test_the_normal_approximation_takes_edited_models_as_they_stand(edit, selection):
    declared = declare("bt-common", selection)
    with declared.model:
        edit(declared.model)
    said = {"bounded": "potential bound added", "heavier": "data results changed"}[edit.__name__]
    trace = fit(declared, "normal", draws=500, chains=1, seed=1)
    assert trace.attrs["edited"] == said
    drawn, plain = (
        one["posterior"]["advantage"].to_numpy()
        for one in (trace, fit(declare("bt-common", selection), "normal", draws=500, chains=1, seed=1))
    )
    if edit is bounded:
        assert drawn.max() <= 0.35
        plain = plain[plain <= 0.35]
    assert abs(drawn.mean() - plain.mean()) < 5.6 * np.sqrt(2.0 / 100.0) * plain.std()


def catalogue_total(declared, trace):
    """Weighted log likelihood of the games by the catalogue's formula at the draws of a trace."""
    posterior = trace["posterior"].to_dataset()
    total = weighted_log_likelihood(declared, draws_of(posterior))
    return total.reshape(posterior.sizes["chain"], -1)


def test_swapped_weights_are_recorded_and_counted(selection):
    declared = declare("davidson-player", selection)
    pm.set_data({"results": 3.0 * declared.cells.weight}, model=declared.model)
    trace = sample(declared, **MORE)
    assert trace.attrs["edited"] == "data results changed"
    assert trace.attrs["route"] == "compiled"
    found = trace["sample_stats"]["log_likelihood_total"].to_numpy()
    np.testing.assert_allclose(found, 3.0 * catalogue_total(declared, trace), rtol=1e-11)
    assert "log_likelihood" not in trace.children
    assert trace.attrs["left_out"] == "the log likelihood of each game"
    line = comparison_line(trace)
    assert line.name == "davidson-player (edited)"
    assert "elpd_loo" not in line.values
    plain = comparison_line(sample(declare("davidson-player", selection), **MORE))
    assert line.likelihood != plain.likelihood  # never ranked in one column


def test_further_terms_leave_the_likelihood_of_games_as_it_is(selection):
    declared = declare("bt-common", selection)
    with declared.model:
        level = declared.model["strength"].mean()
        pm.Potential("level", pm.logp(pm.Normal.dist(15.6, 0.03), level))
    trace = sample(declared, **FEW, pointwise_draws=None)
    assert (trace.attrs["edited"], trace.attrs["left_out"]) == ("potential level added", "")
    found = trace["sample_stats"]["log_likelihood_total"].to_numpy()
    np.testing.assert_allclose(found, catalogue_total(declared, trace), rtol=1e-11)
    each = trace["log_likelihood"]["score"].sum("game").to_numpy()
    np.testing.assert_allclose(each, found, rtol=1e-5)  # of games that weigh 1, kept in single precision
    plain = sample(declare("bt-common", selection), **FEW)
    assert plain.attrs["edited"] == ""


def test_a_model_without_games_is_refused(selection):
    declared = declare("bt", selection)
    with pm.Model(coords=declared.model.coords) as own:
        strength = pm.Normal("strength", 15.5, 0.3, dims="player")
        pm.Normal("seen", strength[0], 0.2, observed=[15.8])
    with pytest.raises(HalfpointError, match=r"expected a call of davidson, bernoulli, .* found none"):
        sample(own, **FEW)


PROGRAM = """
import sys
import numpy as np
import pymc as pm
from test_edited_models import MORE, games_of
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare

declared = declare("margin-normal", games_of(6))
other = declared.rows.margin[np.random.default_rng(1).permutation(len(declared.cells))] + 1.0
pm.set_data({"margin": other}, model=declared.model)
write(sample(declared, **MORE), sys.argv[1])
np.save(sys.argv[2], other[declared.cells.cell_of_game])
"""


def test_swapped_margins_are_those_of_the_games(tmp_path, zygote):
    files = [str(tmp_path / name) for name in ("trace.nc", "margin.npy")]
    folders = [str(Path(__file__).parents[1] / name) for name in ("inference", "reference", "helpers")]
    here = f"import sys; sys.path[:0] = {folders!r}\n{PROGRAM}"
    code, _, errors, _ = zygote.run(files, tmp_path, program=here)
    assert code == 0, errors
    trace, margin = read(files[0]), np.load(files[1])
    assert (trace.attrs["edited"], trace.attrs["route"]) == ("data margin changed", "compiled")
    assert (trace.attrs["left_out"], trace.attrs["weighting"]) == ("", "equal")
    np.testing.assert_array_equal(trace["observed_data"]["score"], 0.5 + 0.5 * np.sign(margin))
    p = trace["posterior"].to_dataset()
    games, selection = trace["constant_data"], games_of(6)
    sides = [p["strength"].isel(player=games[seat].to_numpy()).to_numpy() for seat in ("white", "black")]
    expected = norm.logpdf(
        margin, sides[0] + p["advantage"].to_numpy()[..., None] - sides[1], np.exp(p["log_width"].to_numpy()[..., None])
    )
    np.testing.assert_allclose(trace["log_likelihood"]["score"], expected, atol=2.0**-12)  # steps of a file
    np.testing.assert_allclose(trace["sample_stats"]["log_likelihood_total"], expected.sum(axis=-1), rtol=1e-10)
    line, plain = comparison_line(trace), comparison_line(sample(declare("margin-normal", selection), **MORE))
    assert line.values["elpd_loo"] == pytest.approx(leave_one_out(expected).elpd, rel=1e-4)
    assert line.likelihood != plain.likelihood  # of other games: never ranked in one column


def test_what_is_compiled_reads_the_data_of_the_graph():
    declared = declare("margin-t", games_of(4))
    size = len(declared.cells)
    before = density(numbers_of(declared))(np.zeros(declared.layout.count))[0]
    pm.set_data({"margin": np.linspace(-3.0, 4.0, size), "results": np.full((size, 3), 0.4)}, model=declared.model)
    point = 0.3 * np.random.default_rng(5).standard_normal(declared.layout.count)
    (value, slope), (expected, gradient) = density(numbers_of(declared))(point), own_density(declared.model)(point)
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(slope, gradient, rtol=1e-9, atol=1e-9)
    assert before != pytest.approx(density(numbers_of(declared))(np.zeros(declared.layout.count))[0], abs=1.0)
    assert edits(declared).words == ("data results changed", "data margin changed")


def test_a_row_weighs_by_a_half_life(selection):
    row = replace(find("davidson-common"), name="own", weighting="exponential", half_life=2.0)
    age = selection.games.time.max() - selection.games.time
    expected = 0.5 ** (age / 2.0)  # with mean 1, as the corrected edition has it
    assert declare(row, selection).selection.weight == pytest.approx(expected / expected.mean())
    for wrong in (replace(row, half_life=None), replace(row, weighting="equal")):
        with pytest.raises(HalfpointError, match="half_life"):
            declare(wrong, selection)

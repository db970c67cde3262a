"""Traces of earlier commits: draws are read unchanged, and present functions reproduce their likelihoods."""

import json
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr
from earlier_traces import NAMES, unpacked
from few_cases import few

import halfpoint as hp
from halfpoint.apps.workflows.simulation import simulate
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.earlier_schemas import SCHEMAS, _without_model
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.trace_record import SCHEMA
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.pointwise import each_game, likelihood_of_games
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import TRAITS
from halfpoint.models.declaration.trace_games import games_in, rows_in
from halfpoint.models.errors import OwnCodeError
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL

TEMPLATE = Path(__file__).parents[2] / "docs" / "extending" / "own_model.py"
LAYOUT = Path(__file__).with_name("trace_layout.json")
LOST = [name for name in NAMES if name.endswith("split") and int(name[0]) < 6]
SLOW = ("bt-player", "davidson-common")


def traces(*left_out):
    """Names of the traces; most are slow."""
    names = [name for name in NAMES if name not in left_out]
    return [pytest.param(name, marks=pytest.mark.slow) if name.endswith(SLOW) else name for name in names]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Paths of the traces, by name."""
    folder = tmp_path_factory.mktemp("earlier")
    return {name: unpacked(name, folder) for name in NAMES}


def raw(path, group):
    """Group of a file in its stored form."""
    with xr.open_dataset(path, group=group, engine="h5netcdf") as found:
        return found.load()


def test_there_is_a_trace_of_every_earlier_schema(stored):
    found = set()
    for path in stored.values():
        with h5py.File(path) as file:
            found.add(file.attrs["schema"])
    assert found == set(SCHEMAS) - {SCHEMA}


@pytest.mark.parametrize("data_only", [False, True])
@pytest.mark.parametrize("name", few(traces(), 4))
def test_draws_names_and_games_are_those_of_the_file(stored, name, data_only):
    path = stored[name]
    tree, before = read(path, data_only=data_only), raw(path, "posterior")
    posterior = tree["posterior"].to_dataset()
    assert tree.attrs["schema"] == SCHEMA
    strength = before["strength"] if "strength" in before else before["rating"] / ELO_PER_NATURAL
    np.testing.assert_allclose(posterior["strength"], strength, rtol=1e-12)
    assert posterior["player"].to_numpy().tolist() == before["player"].to_numpy().tolist()
    games = games_in(tree)
    constant, score = raw(path, "constant_data"), raw(path, "observed_data")["score"].to_numpy()
    assert games.white_names.tolist() == constant["white_name"].to_numpy().tolist()
    assert games.score.tolist() == score.tolist()
    np.testing.assert_allclose(posterior["rating_elo"].mean("player"), 1500.0)  # the level where no rating fixes it
    first = int(posterior["rating_elo"].mean(("chain", "draw")).to_numpy().argmax())
    assert hp.rank(tree).frame["player"].iloc[0] == posterior["player"].to_numpy()[first]


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", traces(*LOST))
def test_present_functions_give_the_likelihoods_that_earlier_commits_stored(stored, name):
    if name.endswith("split"):
        find(f"{TEMPLATE}:split")
    tree = read(stored[name])
    reading = reading_of(tree)
    games = games_in(tree)
    found = likelihood_of_games(reading, tree["posterior"].to_dataset(), rows_in(reading, tree), games.outcome)
    kept = each_game(tree)
    assert kept is not None
    np.testing.assert_allclose(found["score"], kept["score"].astype(float), atol=2e-3)


def test_ratings_of_the_first_schema_are_those_of_the_second(stored):
    first, second = (read(stored[f"{number}-davidson-common"]) for number in (1, 2))
    np.testing.assert_array_equal(first["posterior"]["strength"], second["posterior"]["strength"])
    without = read(stored["1-davidson-common"], data_only=True)
    written = raw(stored["2-davidson-common"], "posterior")["rating_elo"].transpose("chain", "draw", "player")
    for tree in (first, without, second):
        ratings = tree["posterior"]["rating_elo"].transpose("chain", "draw", "player")
        np.testing.assert_allclose(ratings - ratings.mean("player"), written - written.mean("player"), atol=1e-6)


@pytest.mark.parametrize("name", LOST)
def test_a_request_that_needs_a_lost_function_is_refused_by_name(stored, name):
    hp.rank(stored[name])
    for request in (
        lambda: hp.match(stored[name], "Ann", "Bo"),
        lambda: hp.forecast(stored[name], white="Ann", black="Bo"),
        lambda: hp.tournament(stored[name], ["Ann", "Bo"]),
    ):
        with pytest.raises(OwnCodeError, match=r"^model own-split: the trace has an earlier format.*Fit the model"):
            request()


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["1-davidson-population", "5-split", "6-split"])
def test_data_only_finds_no_function_of_any_model(stored, name, tmp_path):
    tree = hp.open(stored[name], data_only=True)
    assert len(hp.rank(tree).frame) == 5
    for opened in (tree, hp.open(tree, data_only=True)):
        with pytest.raises(OwnCodeError, match="opened with data_only"):
            _ = reading_of(opened).model
    again = write(tree, tmp_path / "again.nc")
    with pytest.raises(OwnCodeError, match="opened with data_only"):
        _ = reading_of(read(again)).model


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["2-bt-player", "5-split", "6-davidson-population"])
def test_what_was_read_is_written_in_the_present_schema(stored, name, tmp_path):
    tree = read(stored[name])
    again = read(write(tree, tmp_path / "again.nc"))
    assert h5py.File(tmp_path / "again.nc").attrs["schema"] == SCHEMA
    xr.testing.assert_allclose(again["posterior"].to_dataset(), tree["posterior"].to_dataset(), atol=1e-4)
    assert again.attrs["model_record"] == tree.attrs["model_record"]


@pytest.mark.parametrize(
    ("schema", "remedy"),
    [
        ("halfpoint-trace-99", "Update halfpoint"),
        ("halfpoint-trace-x", "Fit the model again"),
        ("x", "Fit the model ag"),
    ],
)
def test_a_schema_that_is_not_known_is_one_line(stored, tmp_path, schema, remedy):
    path = shutil.copy(stored["6-bt-player"], tmp_path / "other.nc")
    with h5py.File(path, "r+") as file:
        file.attrs["schema"] = schema
    with pytest.raises(InferenceError, match=rf"found '{schema}'\. {remedy}"):
        read(path)


@pytest.mark.cases(3)
@pytest.mark.parametrize("schema", [SCHEMAS[0], SCHEMAS[4]])
@pytest.mark.parametrize(
    ("group", "variable"),
    [
        ("constant_data", "white"),
        ("constant_data", "white_name"),
        ("posterior", "strength"),
        ("observed_data", "score"),
    ],
)
def test_an_earlier_trace_that_lacks_a_variable_is_damaged(stored, tmp_path, schema, group, variable):
    path = shutil.copy(stored[f"{schema[-1]}-davidson-common"], tmp_path / "damaged.nc")
    with h5py.File(path, "r+") as file:
        del file[group][variable]
    with pytest.raises(InferenceError, match="the trace is damaged"):
        read(path)


@pytest.mark.parametrize("name", ["5-davidson-common"])
def test_a_model_that_an_earlier_trace_names_is_a_row_or_nothing(stored, tmp_path, name):
    sentinel = tmp_path / "ran"
    (tmp_path / "loud.py").write_text(f"from pathlib import Path\nPath({str(sentinel)!r}).touch()\n")
    path = shutil.copy(stored[name], tmp_path / "named.nc")
    for model in (f"{tmp_path}/loud.py:model", f"{tmp_path}/loud.py:model with advantage ~ 0 + x", "os:system"):
        with h5py.File(path, "r+") as file:
            file.attrs["model"] = model
        with pytest.raises(OwnCodeError, match="Fit the model again"):
            _ = reading_of(read(path)).model
    assert not sentinel.exists()


def layout_of(tree):
    """Attributes, fields of JSON attributes, and variables by group with their dims and types."""
    fields = {
        name: sorted(json.loads(value)) for name, value in tree.attrs.items()
        if name in ("model_record", "model_reads", "model_traits")
    }  # fmt: skip
    variables = {
        f"{group}/{name}": [*map(str, value.dims), value.dtype.kind]
        for group, child in tree.children.items() for name, value in child.to_dataset().data_vars.items()
    }  # fmt: skip
    return {"attributes": sorted(map(str, tree.attrs)), "fields": fields, "variables": dict(sorted(variables.items()))}


def test_another_layout_has_another_schema(tmp_path):
    """If this fails: raise `SCHEMA`, read the earlier one in `earlier_schemas`, store a trace of it by make.py.

    The failing assertion prints the layout of a new schema, to be added to trace_layout.json.
    """
    games, _ = simulate(games=60, players=4, seed=2)
    tree = sample(declare("davidson-common", select(games, games.players)), draws=10, tune=30, chains=2, adapt=False)
    path = write(tree, tmp_path / "trace.nc")
    with xr.open_datatree(path, engine="h5netcdf") as found:
        layout = layout_of(found.load())
    known = json.loads(LAYOUT.read_text())
    assert SCHEMA in known, f"store the layout of {SCHEMA} in {LAYOUT.name}:\n{json.dumps({SCHEMA: layout})}"
    assert layout == known[SCHEMA]


@pytest.mark.parametrize(
    ("family", "variables", "expected"),
    [
        ("davidson", {"log_draw": (), "advantage": ("player",)}, {"draws": True, "seats": "player", "vague": True}),
        ("davidson", {"advantage": ()}, {"draws": False, "seats": "common", "vague": True}),
        ("unknown", {"log_draw": (), "strength_spread": ()}, {"draws": False, "seats": "none", "pooled": True}),
        ("bradley-terry", {"strength_walk": ("player", "month")}, {"walks": True, "vague": True}),
    ],
)
def test_properties_of_a_model_without_a_function_are_those_of_its_draws(family, variables, expected):
    sizes = {"player": 2, "month": 3}
    posterior = xr.Dataset(
        {
            name: (("chain", "draw", *dims), np.zeros((1, 2, *(sizes[dim] for dim in dims))))
            for name, dims in variables.items()
        }
    )
    tree = xr.DataTree.from_dict({"posterior": posterior})
    tree.attrs |= {"model": "mine", "family": family}
    attributes = _without_model(tree, "it has no function")
    traits = json.loads(attributes[TRAITS])
    plain = {
        "draws": False,
        "walks": False,
        "pooled": False,
        "seats": "none",
        "vague": "strength_spread" not in variables,
    }
    assert {name: traits[name] for name in plain} == plain | expected
    assert json.loads(attributes["model_record"])["function"]["why"] == "it has no function"
    assert attributes["anchored"] == 1

"""Traces on disk: all values are restored, other programs open them, and a file is complete or absent."""

from dataclasses import replace
from pathlib import Path

import arviz as az
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from few_cases import few

from halfpoint.evaluation.comparison import players_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.whole_trace import RANGES
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pointwise import each_game, pointwise_kept, with_likelihood_of_games
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.readers.read import read as read_games

GROUPS = {"posterior", "sample_stats", "log_likelihood_by_game", "observed_data", "constant_data"}


@pytest.fixture(scope="module")
def tree():
    rounds = round_robin(4, 10)
    elo = np.array([2700.0, 2650.0, 2720.0, 2600.0])
    day = np.datetime64("2013-01-24") + rounds.period.astype("timedelta64[D]")
    schedule = Schedule(rounds.white, rounds.black, None, day, elo[rounds.white], elo[rounds.black])
    truth = Truth(np.array(["Åsa", "Boris", "Chen", "Dora"]), elo / 173.7, 0.2, 0.5)
    games = simulate(truth, schedule, 1)
    declared = declare("davidson-player-weighted", select(games, ["Boris", "Åsa", "Dora"]), "corrected")
    return sample(declared, draws=30, tune=50, chains=2, seed=2, adapt=False)


def test_every_group_comes_back(tree, tmp_path):
    path = write(tree, tmp_path / "new" / "folder" / "trace.nc")
    back = read(path)
    assert set(back.children) == set(tree.children) == GROUPS
    for group in GROUPS:
        rounded = 2.0**-12 if group == "log_likelihood_by_game" else 0.0
        xr.testing.assert_allclose(back[group].to_dataset(), tree[group].to_dataset(), rtol=0, atol=rounded)
        for name, variable in back[group].data_vars.items():
            assert variable.attrs["long_name"]
            assert "units" in variable.attrs or name == "date"
    in_memory = {"seconds_compile", "seconds_sample"}  # two runs with one seed write equal files
    assert in_memory <= tree.attrs.keys()
    assert back.attrs == {name: value for name, value in tree.attrs.items() if name not in in_memory}
    assert back["posterior"]["player"].to_numpy().tolist() == ["Boris", "Åsa", "Dora"]
    np.testing.assert_array_equal(
        back["constant_data"]["date"].to_numpy(), tree["constant_data"]["date"].to_numpy().astype("datetime64[s]")
    )


def test_arviz_and_plain_xarray_open_it(tree, tmp_path):
    path = write(tree, tmp_path / "trace.nc")
    opened = az.from_netcdf(path)
    table = az.summary(opened, var_names=["strength"], kind="stats")
    assert len(table) == 3
    assert opened.attrs["model"] == "davidson-player-weighted"
    opened.close()
    with xr.open_dataset(path, group="posterior", engine="h5netcdf") as posterior:
        assert posterior["strength"].dims == ("chain", "draw", "player")
        np.testing.assert_array_equal(posterior["log_draw"], tree["posterior"]["log_draw"])


LIKELIHOOD_ROWS = ["davidson-player-weighted", "davidson-walk", "davidson-population-neutral", "davidson-context"]
PARTNERS = "davidson-population with strength ~ 1 | partners; advantage ~ 0 + neutral"


@pytest.mark.cases(1)
@pytest.mark.parametrize("row", few([*LIKELIHOOD_ROWS, "doubles"], 2))
def test_the_likelihood_of_games_is_had_again_from_a_file(row, tmp_path):
    rng = np.random.default_rng(3)
    schedule = round_robin(4, 5)
    games = simulate(Truth(np.array([*"ABCD"]), np.array([15.0, 15.3, 15.1, 14.8]), 0.2, 0.3), schedule, 1)
    columns = {"context": rng.choice(["clay", "grass"], len(games))}
    games = replace(games, covariates={"neutral": rng.integers(0, 2, len(games)).astype(float), **columns})
    elo = np.full(len(games), 2600.0)
    chosen = select(replace(games, white_rating_elo=elo, black_rating_elo=elo), ["A", "C", "D"])
    if row == "doubles":
        pairs = rng.permuted(np.tile([*"ABCDEF"], (40, 1)), axis=1)
        names = {"white": [f"{a} + {b}" for a, b in pairs[:, :2]], "black": [f"{a} + {b}" for a, b in pairs[:, 2:4]]}
        names |= {"score": rng.choice([0.0, 0.5, 1.0], 40), "neutral": rng.integers(0, 2, 40)}
        games = read_games(pd.DataFrame(names), sides="+")
        chosen = select(games, games.people)
    tree = fit(declare(PARTNERS if row == "doubles" else row, chosen), "normal", draws=50, seed=1)
    name = "log_likelihood" if tree.attrs["weighting"] == "equal" else "log_likelihood_by_game"
    stored = tree[name]["score"]
    del tree[name]
    again = with_likelihood_of_games(read(write(tree, tmp_path / "trace.nc")), None)[name]["score"]
    xr.testing.assert_allclose(again, stored, rtol=0, atol=1e-4)  # strengths stand in the file in single precision


def test_the_likelihood_of_too_many_games_is_not_made_again(tree, monkeypatch):
    bare = tree.copy()
    del bare["log_likelihood_by_game"]
    assert each_game(with_likelihood_of_games(bare)) is not None
    monkeypatch.setattr("halfpoint.models.declaration.pointwise.MOST_GAMES", tree["observed_data"].sizes["game"] - 1)
    assert each_game(with_likelihood_of_games(bare)) is None


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt(), RuntimeError("bug")])
def test_an_interrupted_write_leaves_the_file_as_it_was(tree, tmp_path, monkeypatch, fault):
    path = tmp_path / "trace.nc"
    path.write_bytes(b"the file that was there before")

    whole = Path.write_bytes

    def half(self, content):
        whole(self, content[: len(content) // 2])
        raise fault

    monkeypatch.setattr(Path, "write_bytes", half)
    expected = HalfpointError if isinstance(fault, OSError) else type(fault)
    with pytest.raises(expected):
        write(tree, path)
    assert path.read_bytes() == b"the file that was there before"
    assert [one.name for one in tmp_path.iterdir()] == ["trace.nc"]


def test_a_place_that_is_none_is_told(tree, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    for name in ("current", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "current")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    for path in (tmp_path / "file" / "trace.nc", tmp_path / "file" / "folder" / "trace.nc"):
        with pytest.raises(
            HalfpointError, match=r"trace.nc: expected a place to write, found Not a directory\. .*r\.$"
        ):
            write(tree, path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["file"]
    # a folder of that name stands in the way of the file alone: what was sampled is kept, not in the current folder
    (tmp_path / "trace.nc").mkdir()
    with pytest.raises(
        HalfpointError, match=r"found Is a directory\. .* The draws are kept in .*/temporary/halfpoint-"
    ):
        write(tree, tmp_path / "trace.nc")
    assert not list((tmp_path / "current").iterdir())
    assert [read(path).attrs["model"] for path in (tmp_path / "temporary").iterdir()] == [tree.attrs["model"]]


def test_other_files_are_refused_in_one_line(tree, tmp_path):
    other = tmp_path / "other.nc"
    xr.Dataset({"strength": ("draw", [1.0])}).to_netcdf(other, engine="h5netcdf")
    older = tmp_path / "older.nc"
    copy = tree.copy()
    copy.attrs = tree.attrs | {"schema": "halfpoint-trace-0"}
    copy.to_netcdf(older, engine="h5netcdf")
    garbage = tmp_path / "garbage.nc"
    garbage.write_bytes(b"\x89HDF\r\n\x1a\nnothing of the kind")
    cut = tmp_path / "cut.nc"
    whole = write(tree, tmp_path / "whole.nc").read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    expected = {
        other: "expected schema halfpoint-trace-7 or an earlier one, found None",
        older: "expected schema halfpoint-trace-7 or an earlier one, found 'halfpoint-trace-0'. Fit the model again.",
        garbage: "expected a NetCDF trace, found a file that cannot be read",
        cut: "expected a NetCDF trace, found a file that cannot be read",
        tmp_path / "missing.nc": "expected a trace, found no such file",
        tmp_path: "expected a trace, found no such file",
    }
    table = tmp_path / "games.csv"
    table.write_text("white,black,score\nAnn,Bob,1\n")
    expected[table] = "expected a NetCDF trace, found a file that cannot be read"
    for path, message in expected.items():
        with pytest.raises(InferenceError) as found:
            read(path)
        assert str(found.value).startswith(f"{path}: {message}")
        assert "\n" not in str(found.value)
        assert ("halfpoint rate FILE --out FOLDER" in str(found.value)) == (path == table)


@pytest.mark.cases(3)
@pytest.mark.parametrize("how", ["left out", "of another kind", "of another length"])
@pytest.mark.parametrize(
    "name", few(["white_name", "black_name", "white", "black", "anchor_elo", "weight", "event", "date"], 2)
)
def test_what_a_trace_says_of_its_games_is_whole_or_refused(tree, tmp_path, name, how):
    games = tree["constant_data"].to_dataset()
    if name == "event":
        games["event"] = ("game", np.full(games.sizes["game"], "Bled", dtype=object))
    if how == "left out":
        games = games.drop_vars(name)
    elif how == "of another kind":
        texts = games[name].dtype.kind == "O"
        games[name] = ("game", np.arange(games.sizes["game"]) + 0.5 if texts else games[name].to_numpy().astype(str))
    else:
        games[name] = ("row", games[name].to_numpy()[:-1])
    altered = tree.copy()
    altered["constant_data"] = xr.DataTree(games)
    path = tmp_path / "altered.nc"
    altered.to_netcdf(path, engine="h5netcdf")
    if how == "left out" and name in ("event", "date"):
        assert players_of(read(path))[0].shape == (games.sizes["game"],)
    else:
        with pytest.raises(InferenceError, match=name) as found:
            read(path)
        assert "\n" not in str(found.value)


@pytest.mark.parametrize("name", few(RANGES, 2))
def test_text_where_a_number_belongs_is_refused(tree, tmp_path, name):
    altered = tree.copy()
    altered.attrs = tree.attrs | {name: "many"}
    altered.to_netcdf(tmp_path / "altered.nc", engine="h5netcdf")
    with pytest.raises(InferenceError, match=f"no number in the attribute '{name}'") as found:
        read(tmp_path / "altered.nc")
    assert "\n" not in str(found.value)


def test_loo_of_a_trace_sees_all_draws_and_so_their_efficiency():
    games = simulate(Truth(np.array([*"ABCDEF"]), np.linspace(14.5, 16.5, 6), 0.2, 0.3), round_robin(6, 3), 1)
    chosen = select(games, games.players)
    declared = declare("davidson-common", chosen)
    whole = fit(declared, "normal", draws=500, chains=4, seed=1)
    assert whole["log_likelihood"].sizes["draw"] == whole["posterior"].sizes["draw"]
    thin = fit(declared, "normal", draws=500, chains=4, seed=1, pointwise_draws=500)
    again = with_likelihood_of_games(thin, None)
    np.testing.assert_allclose(again["log_likelihood"]["score"], whole["log_likelihood"]["score"], rtol=0, atol=1e-4)
    found, right = az.loo(again, pointwise=True), az.loo(whole, pointwise=True, reff=1.0)  # draws are independent
    with pytest.raises(TypeError, match="log likelihood not found"):  # of the same posterior and games
        az.loo(thin)
    np.testing.assert_allclose(found.pareto_k, right.pareto_k, atol=0.1)


def test_the_likelihood_of_weighted_games_is_not_where_arviz_takes_it(tmp_path):
    games = simulate(Truth(np.array([*"ABCDEF"]), np.linspace(14.5, 16.5, 6), 0.2, 0.3), round_robin(6, 3), 1)
    chosen = select(games, games.players).with_weights(np.linspace(0.2, 3.0, len(games)), "given")
    tree = fit(declare("davidson-common", chosen), "normal", draws=200, chains=4, seed=1)
    each = tree["log_likelihood_by_game"]["score"]
    total = (each.astype(float) * tree["constant_data"]["weight"]).sum("game")
    np.testing.assert_allclose(total, tree["sample_stats"]["log_likelihood_total"], rtol=1e-6)
    before = tree.assign({"log_likelihood": xr.DataTree(each.to_dataset())})
    del before["log_likelihood_by_game"]
    for one in (tree, before):
        again = read(write(one, tmp_path / "trace.nc"))
        assert "log_likelihood" not in again.children
        step = 2.0**-13 * 2.0 ** np.ceil(np.log2(max(4.0, -float(each.min())) / 4.0))
        assert float(np.abs(again["log_likelihood_by_game"]["score"] - each).max()) <= step


def test_large_traces_keep_the_likelihood_of_fewer_draws():
    assert [pointwise_kept(4000, games) for games in (6807, 10_000, 10_001)] == [4000, 4000, 1000]
    assert [pointwise_kept(4000, 100_000, asked) for asked in (0, 10, 9999)] == [0, 10, 4000]

"""`halfpoint study` on the replica: contents of the summary, resumed runs, no partial files."""

import json

import numpy as np
import pandas as pd
import pytest

import halfpoint.apps.workflows.grid as grid
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.games.result_record import PARTS

MODEL_KEYS = {
    "name",
    "edition",
    "neg_mean_loglik",
    "sd_loglik",
    "aicm",
    "aicm_error",
    "aicm_printed",
    "max_rhat",
    "min_ess_bulk",
    "min_ess_tail",
    "divergences",
    "converged",
    "advantage_elo_mean",
    "draw_rate_mean",
    "log_draw_mean",
}
SMALL = ("--replica", "--quiet", "--draws", 20, "--tune", 60, "--chains", 2)


@pytest.fixture(scope="module")
def study_folder(tmp_path_factory, zygote):
    """A study of two models in a process of its own."""
    folder = tmp_path_factory.mktemp("study")
    words = ("study", *SMALL, "--models", "bt-common,davidson", "--out", folder)
    code, printed, errors, _ = zygote.run(words, folder)
    assert code == 3, errors  # of twenty draws there is no verdict
    return folder, printed


@pytest.fixture
def no_tables(monkeypatch):
    """Skip tables and page, which take longer than the few draws here."""
    monkeypatch.setattr("halfpoint.apps.study.run.run_study.write_tables", lambda *_: [])
    monkeypatch.setattr("halfpoint.apps.study.run.run_study.report_of", lambda *_: None)
    monkeypatch.setattr("halfpoint.apps.study.run.run_study.put_page", lambda place, name, _: place.text(name, ""))


@pytest.mark.further
def test_traces_of_a_study_have_the_groups_that_are_asked_for(tmp_path, halfpoint, no_tables):
    few = ("--replica", "--quiet", "--draws", 20, "--tune", 60, "--chains", 2, "--models", "bt", "--out", tmp_path)
    assert halfpoint("study", *few)[0] == 3
    before = read(tmp_path / "traces" / "bt--computed.nc")
    assert halfpoint("study", *few, "--with", "posterior_predictive,prior")[0] == 3
    after = read(tmp_path / "traces" / "bt--computed.nc")
    assert {"posterior_predictive", "prior"} == set(after.children) - set(before.children)
    shape = 2, after.attrs["draws_sampled"], 6807
    assert after["posterior_predictive"]["score"].shape == before["log_likelihood"]["score"].shape == shape
    assert set(np.unique(after["posterior_predictive"]["score"])) == {0.0, 1.0}
    np.testing.assert_array_equal(after["posterior"]["strength"], before["posterior"]["strength"])
    code, _, told = halfpoint("study", *few, "--with", "posteriors")
    assert (code, told.count("\n")) == (2, 1)


def test_the_summary_keeps_its_contract(study_folder):
    folder, printed = study_folder
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert set(summary) >= {"data", "models", "references"}
    assert set(summary["data"]) >= {"name", "simulated", "games", "players", "sha256"}
    data = [summary["data"][key] for key in ("simulated", "games", "players")]
    assert data == [True, 6807, 46]
    assert [(one["name"], one["edition"]) for one in summary["models"]] == [
        ("bt-common", "computed"),
        ("davidson", "computed"),
    ]
    assert all(set(one) >= MODEL_KEYS for one in summary["models"])
    assert all(set(one) >= {"family", "name", "weighting", "neg2_loglik"} for one in summary["references"])
    assert len(summary["references"]) == 14  # seven reference models, static and weighted
    bradley_terry, davidson = summary["models"]
    assert bradley_terry["log_draw_mean"] is None
    assert davidson["advantage_elo_mean"] is None
    # the replica's truth is the printed Davidson model, and 41.7 Elo the printed common advantage of the same games
    assert bradley_terry["advantage_elo_mean"] == pytest.approx(41.7, abs=12)
    assert davidson["log_draw_mean"] == pytest.approx(1.098, abs=0.15)  # the truth that was simulated
    assert not any(one["converged"] for one in summary["models"])  # eight times 20 draws are too few, and it says so
    assert "SIMULATED" in printed
    assert "did NOT converge" in printed


def test_traces_stand_where_they_should(study_folder):
    folder, _ = study_folder
    names = sorted(path.name for path in (folder / "traces").iterdir())
    assert names == ["bt-common--computed.nc", "davidson--computed.nc"]
    tree = read(folder / "traces" / "davidson--computed.nc")
    assert (tree.attrs["data_simulated"], tree.attrs["chains"], tree.attrs["draws"]) == (1, 2, 20)
    assert tree["posterior"].sizes["player"] == 46


def test_all_models_stand_in_one_table_with_their_checks(study_folder):
    folder, _ = study_folder
    models = pd.read_csv(folder / "tables" / "models.csv")
    assert set(zip(models["set"], models["name"], strict=True)) == {
        (data, name) for data in "AB" for name in ("bt-common", "davidson")
    }
    assert (models["rps"].notna() == (models["name"] == "davidson")).all()
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert 'id="models-A"' in page


@pytest.mark.further
@pytest.mark.usefixtures("no_tables")
def test_a_finished_trace_is_reused_and_any_change_samples_again(study_folder, halfpoint):
    folder, _ = study_folder
    path = folder / "traces" / "bt-common--computed.nc"

    def study(*further):
        before = path.stat().st_mtime_ns
        code, out, _ = halfpoint("study", *SMALL, "--models", "bt-common", "--out", folder, *further)
        assert code in (0, 3)  # too few draws to converge
        return "(reused)" in out, path.stat().st_mtime_ns == before

    assert study() == (True, True)
    assert study("--force") == (False, False)
    assert study("--seed", 5) == (False, False)
    assert study("--seed", 5) == (True, True)
    whole = path.read_bytes()
    path.write_bytes(whole[:5000])  # a torn file is no trace
    code, _, errors = halfpoint("study", *SMALL, "--models", "bt-common", "--out", folder, "--seed", 5)
    assert (code, "found a file that was changed since" in errors) == (2, True)
    path.unlink()
    path.write_bytes(whole)
    assert study("--edition", "described") == (False, True)  # another file


@pytest.mark.further
@pytest.mark.usefixtures("no_tables")
def test_an_interrupted_study_keeps_what_is_finished(tmp_path, halfpoint, monkeypatch):
    sampler = grid.sample

    def stops_at_the_second(declared, effort, **settings):
        if declared.spec.name == "davidson":
            raise KeyboardInterrupt
        return sampler(declared, effort, **settings)

    monkeypatch.setattr(grid, "sample", stops_at_the_second)
    arguments = ("study", *SMALL, "--models", "bt,davidson", "--out", tmp_path)
    assert halfpoint(*arguments)[0] != 0
    assert [path.name for path in (tmp_path / PARTS / "traces").iterdir()] == ["bt--computed.nc"]
    assert not (tmp_path / "summary.json").exists()
    monkeypatch.setattr(grid, "sample", sampler)
    code, out, _ = halfpoint(*arguments)
    assert code in (0, 3)  # too few draws to converge
    assert "bt--computed: " in out
    assert out.count("(reused)") == 1


@pytest.mark.usefixtures("no_tables")
def test_a_study_without_games_says_so_and_takes_the_replica(tmp_path, halfpoint, monkeypatch):
    monkeypatch.setenv("HALFPOINT_DATA_DIR", "")
    monkeypatch.setattr("halfpoint.readers.datasets.fetch.cache_folder", lambda: tmp_path / "cache", raising=False)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    arguments = ("study", "--quiet", "--draws", 5, "--tune", 20, "--chains", 2, "--models", "bt", "--out", tmp_path)
    code, out, _ = halfpoint(*arguments)
    assert code in (0, 3)  # too few draws to converge
    assert "The study's games are not available" in out
    assert "SIMULATED" in out
    assert json.loads((tmp_path / "summary.json").read_text())["data"]["simulated"] is True

"""`--scheduler`: real schedulers and worker processes give what one process gives; a killed worker costs its task."""

import json
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dask_processes import dask_cluster, wait_for
from rating_games import simulated

from halfpoint.games.result_record import PARTS
from halfpoint.inference.traces import read

SMALL = ("--draws", 60, "--tune", 60, "--chains", 2)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    games, _ = simulated(83, players=12, games=900, periods=9)
    columns = {"white": games.white_names, "black": games.black_names, "score": games.score, "period": games.period}
    columns |= {"white_rating_elo": games.white_rating_elo, "black_rating_elo": games.black_rating_elo}
    path = tmp_path_factory.mktemp("games") / "games.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def scores_in(folder):
    """Return the table of scores without what time it took."""
    return pd.read_csv(folder / "scores.csv").drop(columns=["seconds_per_1000_games"])


def test_no_scheduler_is_told_in_one_line(halfpoint, file, tmp_path, monkeypatch):
    monkeypatch.setattr("halfpoint.workflows.cluster.CONNECT_SECONDS", 0.2)
    words = (file, "--systems", "elo", "--from", 5, "--scheduler", "tcp://127.0.0.1:9", "--out", tmp_path)
    code, _, error = halfpoint("backtest", *words)
    assert code == 2
    assert error.startswith("halfpoint: scheduler: expected a Dask scheduler at 'tcp://127.0.0.1:9'")
    assert error.count("\n") == 1
    assert not (tmp_path / "scores.csv").exists()


@pytest.mark.slow
def test_a_backtest_by_a_worker_is_the_same(halfpoint, file, tmp_path):
    words = ("backtest", file, "--systems", "glicko", "--models", "davidson-common", "--from", 8, *SMALL)
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    expected = halfpoint(*words, "--out", alone)[0]  # 3 where a fit did not converge
    with dask_cluster(tmp_path) as (address, _):
        code, told, error = halfpoint(*words, "--scheduler", address, "--out", shared)
        assert code == expected, error
        assert told.count("rolled by a worker") == 3  # the reference, glicko and the model
        code, told, error = halfpoint(*words, "--scheduler", address, "--out", shared)
        assert told.count("was there") == 3, error
    pd.testing.assert_frame_equal(scores_in(shared), scores_in(alone))
    records = [json.loads((folder / "backtest.json").read_text())["systems"] for folder in (alone, shared)]
    for one in records:
        assert one["davidson-common"]["convergence"]["fits"] == 2  # before each of the months 8 and 9
    assert records[0]["davidson-common"]["convergence"] == records[1]["davidson-common"]["convergence"]
    assert expected == (3 if records[0]["davidson-common"]["convergence"]["fits_above_thresholds"] else 0)


@pytest.mark.slow
def test_the_study_by_workers_is_the_same(halfpoint, tmp_path):
    words = ("study", "--replica", "--models", "bt-common,davidson-common", *SMALL, "--quiet")
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    expected = halfpoint(*words, "--out", alone)[0]  # 3 where a fit did not converge
    with dask_cluster(tmp_path, workers=2) as (address, _):
        code, told, error = halfpoint(*words, "--scheduler", address, "--out", shared)
    assert code == expected, error
    assert told.count("sampled by a worker") == 2
    for name in ("bt-common--computed", "davidson-common--computed"):
        one, other = (read(folder / "traces" / f"{name}.nc")["posterior"].to_dataset() for folder in (alone, shared))
        np.testing.assert_array_equal(one["rating_elo"], other["rating_elo"])


@pytest.mark.slow
def test_a_worker_killed_in_a_backtest_costs_one_task(halfpoint, file, tmp_path):
    """The model is rolled half when its worker is killed: another one goes on from the last period that was done."""
    words = ("backtest", file, "--systems", "elo", "--models", "davidson-common", "--from", 5)
    words += ("--draws", 600, "--tune", 300, "--chains", 2)
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    expected = halfpoint(*words, "--out", alone)[0]  # 3 where a fit did not converge
    half = shared / PARTS / "rolled" / "davidson-common.npz"
    killed = []

    with dask_cluster(tmp_path, workers=2) as (address, workers):

        def kill():
            wait_for(lambda: half.exists() and done_in(half) in range(2, 8))
            busy = max(workers, key=cpu_seconds)
            busy.kill()
            busy.wait(30)
            with np.load(half) as saved:
                killed.append((int(saved["done"]), saved["seconds"]))

        killer = threading.Thread(target=kill)
        killer.start()
        code, told, error = halfpoint(*words, "--scheduler", address, "--out", shared)
        killer.join(60)
    assert code == expected, error
    done, seconds = killed[0]
    assert 2 <= done < 9
    with np.load(shared / "rolled" / half.name) as saved:  # the periods that the killed worker did were not done again
        np.testing.assert_array_equal(saved["seconds"][:done], seconds[:done])
    pd.testing.assert_frame_equal(scores_in(shared), scores_in(alone))
    said = [line.split(": ") for line in told.splitlines() if line.endswith(("rolled by a worker", "was there"))]
    # each once; the games have ratings. What the killed worker had done but not told was there when it was asked again
    assert sorted(name for name, _ in said) == ["davidson-common", "elo", "fide-rating"]
    assert ["davidson-common", "rolled by a worker"] in said


def done_in(path):
    """Return how many periods a checkpoint holds; none while it is being replaced."""
    try:
        with np.load(path) as saved:
            return int(saved["done"])
    except (OSError, ValueError):
        return 0


def cpu_seconds(process):
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])

"""A command on a Dask cluster ends within half a minute in one line, or continues with equal results."""

import os
import shutil
import signal
import subprocess

import pytest
from cluster_processes import COMMAND, WAIT, Cluster, Driver, wait_until

from halfpoint.apps import workflows
from halfpoint.apps.workflows.cluster import open_to_others
from halfpoint.inference.gaussian.shard_places import shards_on_cluster
from halfpoint.models.games.errors import HalfpointError

LONG = ("calibrate", "bt", "--simulations", "300", "--out", "run")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler with one worker."""
    with Cluster(tmp_path) as found:
        found.worker()
        yield found


def started(cluster, folder, *words, workers=1):
    """Driver of a long command of which several workers have a task."""
    driver = Driver(folder, *(words or LONG), "--cluster", cluster.address)
    wait_until(lambda: cluster.busy() >= workers or driver.process.poll() is not None)
    assert driver.process.poll() is None, driver.ended()
    return driver


def require_line(ended, code, *parts):
    """Fail unless a command ended with an exit code and one line on standard error with these parts."""
    found, _, errors = ended
    assert (found, errors.count("\n")) == (code, 1), errors
    assert errors.startswith("halfpoint: ")
    assert [part for part in parts if part not in errors] == [], errors


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_dies_or_hangs_ends_the_command(number, cluster, tmp_path):
    driver = started(cluster, tmp_path)
    cluster.scheduler.send_signal(number)
    require_line(driver.ended(), 2, f"--cluster: the scheduler at {cluster.address} is lost. Start it")


@pytest.mark.slow
def test_the_last_worker_that_dies_ends_the_command(cluster, tmp_path):
    driver = started(cluster, tmp_path)
    cluster.processes[-1].kill()
    require_line(driver.ended(), 2, "--cluster: no worker is left. Start workers")


@pytest.mark.slow
def test_an_interrupt_ends_the_command_and_the_next_one_succeeds(cluster, tmp_path):
    driver = started(cluster, tmp_path)
    driver.interrupt()
    require_line(driver.ended(), 130, "stopped (SIGINT)")
    few = ("calibrate", "bt-common", "--method", "normal", "--simulations", "30", "--out", "run")
    assert Driver(tmp_path, *few, "--cluster", cluster.address).ended(WAIT)[0] == 0


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_the_results_equal(cluster, tmp_path):
    workflows.simulate(tmp_path / "games.csv", games=400, players=12, seed=4)
    words = ("backtest", "games.csv", "--systems", "elo,glicko", "--models", "bt-common", "--from", "8")
    few = ("--draws", "200", "--tune", "200", "--chains", "1")
    serial = subprocess.Popen([*COMMAND, *words, *few, "--out", "serial"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    first = cluster.processes[-1]
    cluster.worker()
    driver = started(cluster, tmp_path, *words, *few, "--out", "run", workers=2)
    first.kill()
    code, _, errors = driver.ended(2 * WAIT)
    assert code == serial.wait(timeout=2 * WAIT), errors
    for name in ("scores.csv", "forecasts.parquet", "backtest.json"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "serial" / name).read_bytes()


def of_version(folder, number):
    """Environment of a process with another version of halfpoint."""
    place = folder / f"version-{number}" / f"halfpoint-{number}.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: halfpoint\nVersion: {number}\n")
    return {"PYTHONPATH": os.pathsep.join([str(place.parent), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.mark.slow
def test_a_worker_of_another_version_ends_the_command(tmp_path):
    said = "--cluster: expected workers with halfpoint ", "found halfpoint 9.9.9 on Python 3.", "Install the same"
    few = ("calibrate", "bt-common", "--method", "normal", "--simulations", "30", "--out", "run")
    with Cluster(tmp_path) as cluster:
        driver = Driver(tmp_path, *few, "--cluster", cluster.address)
        assert driver.process.stdout.readline().startswith(f"{cluster.address}: no workers yet; start some")
        cluster.worker(**of_version(tmp_path, "9.9.9"))
        require_line(driver.ended(), 2, *said)
        require_line(Driver(tmp_path, *few, "--cluster", cluster.address).ended(), 2, *said)


@pytest.mark.slow
def test_a_worker_without_the_files_ends_the_command(cluster, tmp_path):
    from distributed import Client

    workflows.simulate(tmp_path / "games.csv", games=3000, players=60, seed=4)
    workflows.cells(tmp_path / "games.csv", tmp_path / "cells.parquet")
    elsewhere = tmp_path / "elsewhere"  # relative names mean the folder of the command, not that of a worker
    elsewhere.mkdir()
    words = ("rate", "cells.parquet", "--cluster", cluster.address, "--out", "list")
    cluster.processes[-1].kill()
    wait_until(lambda: cluster.count() == 0)
    cluster.worker(cwd=elsewhere)
    code, _, errors = Driver(tmp_path, *words).ended(WAIT)
    assert code == 0, errors
    files = [str(tmp_path / "cells.parquet"), str(elsewhere / "none.parquet")]
    with (
        Client(cluster.address, set_as_default=False) as client,
        pytest.raises(HalfpointError, match=r"--cluster: .*none\.parquet.*same name") as caught,
        shards_on_cluster(files, client),
    ):
        pass
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl, which makes certificates")
def test_a_cluster_with_certificates(tmp_path):
    subject = ["-subj", "/CN=halfpoint", "-days", "2", "-keyout", "host-key.pem", "-out", "host.pem"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject]
    subprocess.run(make, cwd=tmp_path, check=True, capture_output=True)
    names = {"CA_FILE": "host.pem"}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        names |= {f"{who}__CERT": "host.pem", f"{who}__KEY": "host-key.pem"}
    tls = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(tmp_path / file) for name, file in names.items()}
    few = ("calibrate", "bt-common", "--method", "normal", "--simulations", "30", "--out", "run", "--cluster")
    with Cluster(tmp_path, "tls", **tls) as cluster:
        assert cluster.address.startswith("tls://")
        cluster.worker(sees=False)
        code, out, errors = Driver(tmp_path, *few, cluster.address, **tls).ended(WAIT)
        assert (code, errors) == (0, ""), errors
        assert "not encrypted" not in out
        require_line(
            Driver(tmp_path, *few, cluster.address).ended(), 2, "expected certificates in Dask's configuration, found"
        )


def test_addresses_that_others_may_reach():
    closed, opened = ("tcp://127.0.0.1", "tcp://[::1]", "tls://10.0.0.7"), ("tcp://10.0.0.7", "ws://[fe80::1]")
    assert [open_to_others(f"{one}:8786") for one in (*closed, *opened)] == [False] * 3 + [True] * 2

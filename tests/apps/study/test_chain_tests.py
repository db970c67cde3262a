"""Convergence tests compared with the R package coda (0.19-4, R 4.2.2), and with properties of their statistics."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

from halfpoint.apps.study.teaching.coda_tests import (
    brooks_gelman,
    cramer_von_mises,
    geweke,
    heidelberger_welch,
    raftery_lewis,
    spectrum_at_zero,
)
from halfpoint.inference.errors import InferenceError

REFERENCE = Path(__file__).parent.parent.parent / "reference"
CODA = json.loads((REFERENCE / "coda.json").read_text(encoding="utf-8"))


def autoregression(seed, phi, count, chains=1, mean=3.0):
    """Chains of an autoregression of order one, shape (chain, draw)."""
    noise = np.random.default_rng(seed).standard_normal((chains, count))
    x = np.empty((chains, count))
    x[:, 0] = noise[:, 0] / np.sqrt(1 - phi**2)
    for t in range(1, count):
        x[:, t] = phi * x[:, t - 1] + noise[:, t]
    return x + mean


MADE = {
    "long": autoregression(11, 0.7, 6000)[0],
    "white": autoregression(12, 0.0, 5000)[0],
    "drift": autoregression(13, 0.5, 2000)[0] + np.linspace(3, 0, 2000) * (np.arange(2000) < 500),
}


@pytest.mark.parametrize("name", MADE)
def test_one_chain_as_coda_says(name):
    chain, coda = MADE[name], CODA[name]
    assert spectrum_at_zero(chain) == pytest.approx(coda["spectrum0.ar"], rel=1e-8)
    assert geweke(chain) == pytest.approx(coda["geweke"], rel=1e-7)
    found = heidelberger_welch(chain)
    if name == "drift":  # 500 of its 2,000 draws drift; coda's series passes it whole, see cramer_von_mises
        assert (found.at_rest, found.start) == (True, 601)
    else:
        assert (found.at_rest, found.start, found.precise) == tuple(coda["heidel"][i] for i in (0, 1, 3))
        told = (found.p_value, found.mean, found.half_width)
        assert told == pytest.approx((coda["heidel"][2], *coda["heidel"][4:]), rel=1e-8)
    if "raftery" in coda:
        length = raftery_lewis(chain)
        assert [length.burn_in, length.total, length.least] == coda["raftery"][:3]
        assert length.dependence == pytest.approx(coda["raftery"][3], abs=0.005)
    if "raftery_median" in coda:
        length = raftery_lewis(chain, 0.5, 0.02)
        assert [length.burn_in, length.total, length.least] == coda["raftery_median"][:3]


@pytest.mark.parametrize("half", [True, False])
def test_several_chains_as_coda_says(half):
    chains = np.stack([autoregression(14, 0.9, 400, 3), autoregression(15, 0.3, 400, 3)], axis=-1)
    found, coda = brooks_gelman(chains, second_half=half), CODA["gelman" if half else "gelman_whole"]
    np.testing.assert_allclose(found.estimate, coda["estimate"], rtol=1e-8)
    np.testing.assert_allclose(found.upper, coda["upper"], rtol=1e-7)
    assert found.multivariate == pytest.approx(coda["multivariate"], rel=1e-8)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R with coda")
def test_codas_own_example(tmp_path):
    """The two chains `line` of the BUGS manual, which come with coda, where R and coda are installed."""
    script = """suppressMessages(library(coda)); data(line); options(digits = 12)
    for (i in 1:2) write.table(as.matrix(line[[i]]), paste0("line", i), row.names = FALSE, col.names = FALSE)
    z <- rbind(geweke.diag(line[[1]])$z, geweke.diag(line[[2]])$z); write.table(z, "z", row.names = F, col.names = F)
    g <- gelman.diag(line); write.table(g$psrf, "psrf", row.names = FALSE, col.names = FALSE); cat(g$mpsrf)"""
    done = subprocess.run(["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("R has no coda")
    line = np.stack([np.loadtxt(tmp_path / f"line{number}") for number in (1, 2)])
    z = np.array([[geweke(chain[:, k]) for k in range(3)] for chain in line])
    np.testing.assert_allclose(z, np.loadtxt(tmp_path / "z"), rtol=1e-7)
    found = brooks_gelman(line)
    np.testing.assert_allclose(np.column_stack([found.estimate, found.upper]), np.loadtxt(tmp_path / "psrf"), rtol=1e-7)
    assert found.multivariate == pytest.approx(float(done.stdout.split()[-1]), rel=1e-7)


@pytest.mark.cases(1)
@pytest.mark.parametrize("phi", [0.0, 0.5, -0.4, 0.9])
def test_the_spectrum_of_an_autoregression(phi):
    """1 / (1 - phi)^2; its relative error is about sqrt(2 p / n) / (1 - phi) for the order p."""
    found = spectrum_at_zero(autoregression(3, phi, 200_000)[0])
    assert found == pytest.approx(1.0 / (1.0 - phi) ** 2, rel=0.08)
    assert spectrum_at_zero(np.full(100, 2.0)) == 0.0


def test_gewekes_z_of_chains_at_rest_is_standard_normal():
    z = [geweke(chain) for chain in autoregression(21, 0.5, 4000, 400)]
    assert kstest(z, "norm").pvalue > 1e-3


def test_quantiles_of_the_cramer_von_mises_statistic():
    """Anderson and Darling (1952), table 1."""
    for value, share in ((0.34730, 0.90), (0.46136, 0.95), (0.74346, 0.99), (0.11888, 0.50)):
        assert cramer_von_mises(value) == pytest.approx(share, abs=2e-5)
    assert cramer_von_mises(4.9) == pytest.approx(1.0, abs=1e-9)
    assert cramer_von_mises(1000.0) == 1.0  # four terms of the series, coda's, give 0.52


@pytest.mark.further
def test_the_level_of_the_test_of_heidelberger_and_welch():
    failed = np.mean([heidelberger_welch(chain).start != 1 for chain in autoregression(22, 0.3, 3000, 400)])
    assert abs(failed - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 400)
    settling = autoregression(23, 0.0, 2000)[0] + 10.0 * (np.arange(2000) < 300)
    assert heidelberger_welch(settling).start == 401  # the first start after 300, by tenths


def test_raftery_and_lewis():
    """3,746 independent draws for the usual quantile, as coda's manual prints; a slow chain needs 1 + phi / 1 - phi."""
    chain = autoregression(31, 0.0, 20_000)[0]
    assert raftery_lewis(chain).least == 3746
    assert raftery_lewis(chain).dependence == pytest.approx(1.0, abs=0.15)
    assert raftery_lewis(autoregression(32, 0.95, 100_000)[0], 0.5, 0.01).dependence > 5.0
    with pytest.raises(InferenceError, match="expected a chain of 3746 draws or more, found 1000"):
        raftery_lewis(chain[:1000])


def test_scale_reduction_by_hand():
    chains = autoregression(41, 0.0, 20_000, 2)
    chains[1] += 2.0
    found = brooks_gelman(chains, second_half=False)
    assert found.estimate[0] > np.sqrt(1.0 + 1.5 * 2.0) * 0.98
    assert brooks_gelman(autoregression(42, 0.0, 20_000, 4)).estimate[0] == pytest.approx(1.0, abs=0.002)
    with pytest.raises(InferenceError, match="chain, draw, parameter"):
        brooks_gelman(chains[:1])

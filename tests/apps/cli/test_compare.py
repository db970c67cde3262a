"""`halfpoint compare`: the better model, its uncertainty, and undecided cases."""

import json
from dataclasses import replace

import numpy as np
import pytest
from monte_carlo import LIMIT

from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Traces of games with an advantage for White: without it, twice with it, and without draws of games."""
    folder = tmp_path_factory.mktemp("traces")
    names = np.array([f"player {i}" for i in range(6)])
    truth = Truth(names, np.linspace(14.5, 16.0, 6), 0.8, 0.3)
    chosen = select(simulate(truth, round_robin(6, 30), 1), names, "both")
    made = {}
    for name, model, seed, kept in [
        ("without", "davidson", 1, 500), ("with", "davidson-common", 1, 500), ("again", "davidson-common", 2, 500),
        ("bare", "davidson-common", 1, 0),
    ]:  # fmt: skip
        tree = fit(declare(model, chosen, "computed"), "normal", draws=500, chains=4, seed=seed, pointwise_draws=kept)
        made[name] = write(tree, folder / f"{name}.nc")
    return made


@pytest.mark.cases(2)
@pytest.mark.parametrize("by", ["aicm", "elpd_loo", "neg_mean_loglik"])
def test_the_advantage_is_told_and_another_seed_is_not(paths, by, halfpoint):
    code, out, _ = halfpoint("compare", paths["without"], paths["with"], paths["again"], "--by", by, "--json")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [row["name"] for row in rows] == ["davidson-common", "davidson-common", "davidson"]
    assert [row["better"] for row in rows] == ["best", "undecided", "davidson-common (computed) is better"]
    apart = rows[2]
    assert apart["difference"] > 2 * np.hypot(apart["difference_se"], apart["difference_mc_error"])
    # the same posterior twice: no difference but that of the draws
    assert rows[1]["difference"] < LIMIT * rows[1]["difference_mc_error"]
    assert all(0 < row["mc_error"] < 2 for row in rows)
    assert all(row["max_pareto_k"] < 0.7 and row["games_above_0.7"] == 0 for row in rows)


def test_the_terminal_says_it_too(paths, halfpoint, tmp_path):
    code, out, _ = halfpoint("compare", paths["with"], paths["again"], "--out", tmp_path / "table.csv")
    assert code == 0
    assert "undecided" in out
    assert "its 95% interval excludes 0" in out
    assert {"difference_se", "better", "mc_error"} <= set(
        (tmp_path / "table.csv").read_text().split("\n")[0].split(",")
    )


def test_the_likelihood_of_games_is_made_again(paths, halfpoint):
    code, out, _ = halfpoint("compare", paths["with"], paths["bare"], "--json")
    assert code == 0
    stored, made = json.loads(out)["rows"]
    assert made["elpd_loo"] == pytest.approx(stored["elpd_loo"], abs=0.5)  # of 1,000 draws in place of 500
    assert made["games_above_0.7"] == stored["games_above_0.7"] == 0


def test_a_trace_with_effects_has_the_likelihood_of_games_made_again(paths, halfpoint, tmp_path):
    names = np.array([f"player {i}" for i in range(6)])
    games = simulate(Truth(names, np.linspace(14.5, 16.0, 6), 0.8, 0.3), round_robin(6, 30), 1)
    games = replace(games, covariates={"rapid": np.arange(len(games)) % 2.0})
    declared = declare("davidson-rapid", select(games, names, "both"))
    trees = [fit(declared, "normal", draws=500, seed=3, pointwise_draws=kept) for kept in (0, None)]
    assert ["log_likelihood" in one.children for one in trees] == [False, True]
    files = [write(one, tmp_path / f"{name}.nc") for one, name in zip(trees, ("bare", "with"), strict=True)]
    (code, out, _), (_, other, _) = (halfpoint("compare", paths["without"], one, "--json") for one in files)
    assert code == 0
    made, stored = (
        next(row for row in json.loads(one)["rows"] if row["name"] == "davidson-rapid") for one in (out, other)
    )
    assert made["elpd_loo"] == pytest.approx(stored["elpd_loo"], abs=0.5)
    assert made["games_above_0.7"] == stored["games_above_0.7"] == 0
    assert made["mc_error"] > 0


def test_all_criteria_tell_the_advantage(paths, halfpoint, tmp_path):
    out = tmp_path / "criteria.json"
    code, text, _ = halfpoint("criteria", paths["without"], paths["with"], paths["bare"], "--out", out)
    assert code == 0
    assert "evidence" in text
    without, with_advantage, bare = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert (without["parameters"], with_advantage["parameters"]) == (6, 7)  # six strengths less the level, and lambda
    for name in ("aic", "bic", "dic", "waic", "neg2_elpd_loo"):
        assert with_advantage[name] < without[name] - 10
    assert with_advantage["log_evidence"] > without["log_evidence"] + 5
    assert bare["waic"] == pytest.approx(with_advantage["waic"], abs=1.0)  # made again, of other draws
    assert bare["aic"] == pytest.approx(with_advantage["aic"], abs=1e-3)

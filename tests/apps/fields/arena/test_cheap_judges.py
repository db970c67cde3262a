"""Expensive and cheap judges: agreement compared with published examples, the density, planted bias, the command."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.agreement import krippendorff_alpha, units_of
from halfpoint.apps.fields.arena.cheap_judges import judged_cells, judges_model
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.units import to_elo
from halfpoint.models.pymc_import import interpreted
from halfpoint.models.reading.model_variables import shape_of

# Krippendorff (2011), section C: four observers, twelve units, values 1 to 5, * missing
OBSERVED = ["1 2 3 3 2 1 4 1 2 * * *", "1 2 3 3 2 2 4 1 2 5 * 3", "* 3 3 3 2 3 4 2 2 5 1 *", "1 2 3 3 2 4 4 1 2 5 1 *"]


def battles(strength, bias, dear, cheap, sharpness=0.8, seed=1, people=12):
    """Votes of people, and of a cheap judge with a `bias` for each model, natural units; a third of them ties."""
    rng = np.random.default_rng(seed)
    rows = []
    for count, kind in ((dear, 0), (cheap, 1)):
        a = rng.integers(0, strength.size, count)
        b = (a + rng.integers(1, strength.size, count)) % strength.size
        eta = (sharpness if kind else 1.0) * (strength[a] - strength[b]) + kind * (bias[a] - bias[b]) + (0.1, 0.3)[kind]
        weight = np.stack([np.exp(eta / 2), np.full(count, 0.8), np.exp(-eta / 2)], axis=1)
        bounds = np.cumsum(weight / weight.sum(axis=1, keepdims=True), axis=1)
        won = (rng.random(count)[:, None] > bounds).sum(axis=1)
        names = ["cheap"] * count if kind else [f"person {k}" for k in rng.integers(0, people, count)]
        rows.append(pd.DataFrame({
            "model_a": [f"m{k:02d}" for k in a], "model_b": [f"m{k:02d}" for k in b],
            "winner": np.array(["model_a", "tie", "model_b"])[won], "judge": names,
        }))  # fmt: skip
    return pd.concat(rows, ignore_index=True)


def test_alpha_of_krippendorffs_example():
    """His page: nominal 0.743, interval 0.849, without the unit that one observer judged."""
    unit, value = [], []
    for line in OBSERVED:
        for place, mark in enumerate(line.split()):
            if mark != "*":
                unit.append(place)
                value.append(float(mark))
    assert krippendorff_alpha(unit, value) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(unit, value, "interval") == pytest.approx(0.849, abs=5e-4)
    assert np.isnan(krippendorff_alpha([1, 2, 3], [0.0, 1.0, 0.0]))
    made = np.random.default_rng(8)  # five judges on 40 units, three in ten verdicts missing
    verdict = made.integers(0, 3, (5, 40)).astype(float)
    known = made.random(verdict.shape) >= 0.3
    units, verdicts = np.broadcast_to(np.arange(40), verdict.shape)[known], verdict[known]
    for metric, theirs in (("nominal", 0.027464258841233935), ("interval", -0.06330427563304286)):  # krippendorff 0.9.0
        assert krippendorff_alpha(units, verdicts, metric) == pytest.approx(theirs, abs=1e-12)
    rng = np.random.default_rng(2)
    assert abs(krippendorff_alpha(np.repeat(np.arange(3000), 2), rng.integers(0, 3, 6000))) < 0.05


def test_a_verdict_is_of_the_pair_whoever_was_shown_first():
    rows = pd.DataFrame({
        "model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["model_a", "model_b"], "judge": ["p", "q"],
    })  # fmt: skip
    unit, verdict = units_of(read_judgements(rows).games)
    assert unit[0] == unit[1]
    assert verdict[0] == verdict[1]


def test_the_density_is_the_formula_written_apart():
    rng = np.random.default_rng(4)
    frame = battles(rng.normal(size=5), rng.normal(size=5), 80, 60)
    cells = judged_cells(read_judgements(frame), ["cheap"])
    model = judges_model(cells)
    assert cells.counts.sum() == 140
    values = [(rv, model.rvs_to_values[rv].name) for rv in model.free_RVs]
    point = {name: rng.normal(size=shape_of(model, rv)) for rv, name in values}
    spread, bias_spread = np.exp(point["spread_log__"]), np.exp(point["bias_spread_log__"])
    g, b = spread * point["strength_unit"], bias_spread * point["bias_unit"][0]
    total = 0.0
    for one, two, judge, (lost, tied, won) in zip(cells.first, cells.second, cells.judge, cells.counts, strict=True):
        eta = g[one] - g[two] if judge == 0 else np.exp(point["log_sharpness"][0]) * (g[one] - g[two]) + b[one] - b[two]
        eta += point["first"][judge]
        shares = np.exp([-eta / 2, point["log_tie"][judge], eta / 2])
        total += np.array([lost, tied, won]) @ np.log(shares / shares.sum())
    term = model.replace_rvs_by_values(model.potentials)[0]
    found = model.compile_fn(term, inputs=model.value_vars, on_unused_input="ignore", mode=interpreted())(point)
    assert float(found) == pytest.approx(total, rel=1e-10)


@pytest.mark.slow
def test_a_planted_bias_is_learned_and_dear_votes_are_saved():
    rng = np.random.default_rng(7)
    strength, bias = rng.normal(0.0, 0.7, 10), rng.normal(0.0, 0.15, 10)
    bias[0] += 1.5
    found = arena.cheap_judges(battles(strength, bias, 500, 4000), ["cheap"], Effort(500, 500, 2, seed=3))
    assert found.about["verdict"].startswith("converged")
    frame = found.frame.set_index(found.frame.columns[1]).sort_index()
    truth = 1500 + to_elo(1.0) * (strength - strength.mean())
    assert (np.abs(frame["rating_elo"] - truth) < 4 * frame["sd_elo"]).all()
    worst = found.bias.iloc[0]
    assert worst["player"] == "m00"
    assert worst["bias_elo_low"] < to_elo(1.0) * (bias - bias.mean())[0] < worst["bias_elo_high"]
    assert found.about["dear_votes_saved"] > 0.15
    assert found.judges["sharpness_low"][0] < 0.8 < found.judges["sharpness_high"][0]


def test_what_cannot_be_judged_is_one_line():
    rng = np.random.default_rng(1)
    frame = battles(rng.normal(size=4), np.zeros(4), 60, 60)
    for cheap, message in (
        (["nobody"], "--cheap: expected judges of the file, such as cheap, person 0"),
        ([], "--cheap: expected judges of the file"),
        (
            ["cheap", *{name for name in frame["judge"] if name != "cheap"}],
            "votes of expensive judges as well, found none",
        ),
    ):
        with pytest.raises(GameTableError, match=message) as fault:
            judged_cells(read_judgements(frame), cheap)
        assert "\n" not in str(fault.value)
    apart = pd.concat([frame[frame["judge"] == "cheap"], frame[frame["judge"] != "cheap"].head(1)])
    with pytest.raises(GameTableError, match="connected by expensive votes"):
        judged_cells(read_judgements(apart), ["cheap"])
    with pytest.raises(GameTableError, match="a column of judges"):
        judged_cells(read_judgements(frame.drop(columns="judge")), ["cheap"])

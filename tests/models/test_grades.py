"""Graded verdicts compared with a closed form, Davidson's model in both limits, simulated truth, and calibration."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest
import xarray as xr
from graded_votes import WORDS, graded_votes, log_probability
from monte_carlo import LIMIT, approximation_apart, in_one
from scipy.stats import chi2

from halfpoint.apps.fields.arena.fit import model_for
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.inference.diagnostics.graph_edits import likelihood_as_sampled
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import all_games
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games import select
from halfpoint.models.language.grades import graded
from halfpoint.models.language.model import Model
from halfpoint.models.reading.prior_draws import PriorDraws

TRUTH = {"advantage": 0.2, "log_draw": 0.3, "cut": (-0.6, -1.1), "slope": 0.6}
STRENGTH = np.array([0.9, 0.4, 0.1, -0.3, -1.1])


def verdicts(games, grades=True):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 0.7, dims="player")
        advantage, lam = pm.Normal("advantage", 0.0, 0.3), pm.Normal("log_draw", 0.0, 0.5)
        white, black = games.white(strength), games.black(strength)
        sides = (white + advantage, black, lam)
        if grades:
            sides = graded(games, sides, white + advantage - black, cut=(-0.5, 0.7), slope=(0.5, 0.3))
        davidson(games, *sides)
    return model


NAMED = Model("named", verdicts, {"grades": False})
GRADED = Model("graded", verdicts, grades=3)


def votes_of(rng=None, strength=STRENGTH, votes=400, **other):
    return graded_votes(rng or np.random.default_rng(1), strength, votes=votes, **{**TRUTH, **other})


def declared_on(frame, model=GRADED):
    games = read_judgements(frame[["model_a", "model_b", "verdict"]]).games
    return declare_model(model, select(games, games.players, "both"))


def numbers(rng, draws=5):
    return {
        "strength": rng.normal(0, 1, (draws, 5)), "advantage": rng.normal(0, 0.3, draws),
        "log_draw": rng.normal(0, 1, draws), "grade_cut": rng.normal(0, 1, (draws, 2)),
        "grade_slope": rng.normal(0.5, 0.5, draws),
    }  # fmt: skip


def by_hand(frame, p):
    """Closed form summed over votes, shape (draw,)."""
    seats = (frame[side].str[1:].astype(int).to_numpy() for side in ("model_a", "model_b"))
    first, second = seats
    grade = frame["grade"].to_numpy()
    count = len(p["log_draw"])
    each = ({name: value[k] for name, value in p.items()} for k in range(count))
    return np.array([log_probability(one, first, second, grade).sum() for one in each])


def test_compiled_loops_and_the_graph_are_the_closed_form():
    frame, p = votes_of(), numbers(np.random.default_rng(2))
    declared = declared_on(frame)
    wanted = by_hand(frame, p)
    np.testing.assert_allclose(all_games(declared, p), wanted, rtol=1e-11)
    dims = {name: ("chain", "draw", *(f"{name}_{k}" for k in range(value.ndim - 1))) for name, value in p.items()}
    drawn = xr.Dataset({name: (dims[name], value[None]) for name, value in p.items()})
    found = likelihood_as_sampled(declared.model, drawn)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-11)


def test_verdicts_cost_what_they_cost_without_grades():
    frame = votes_of()
    graded, plain = declared_on(frame), declared_on(frame, NAMED)
    assert not plain.cells.further.size
    assert graded.cells.weight_of_games.sum() == plain.cells.weight.sum() == len(frame)
    steps = np.minimum(frame["grade"].abs(), 2).sum()
    assert graded.cells.weight.sum() == len(frame) + steps


@pytest.mark.parametrize("slope", [-0.4, 0.0, 0.7])
def test_a_cut_at_infinity_is_davidson_exactly(slope):
    frame = votes_of(cut=(-80.0, -80.0))
    assert set(frame["grade"]) == {-1, 0, 1}
    one = pd.concat([frame, pd.DataFrame({"model_a": ["m0"], "model_b": ["m1"], "verdict": ["A>>B"], "grade": [2]})])
    p = numbers(np.random.default_rng(3))
    p |= {"grade_cut": np.full((5, 2), -80.0), "grade_slope": np.full(5, slope)}
    graded, plain = declared_on(one).weighing(np.append(np.ones(len(frame)), 0.0)), declared_on(frame, NAMED)
    np.testing.assert_allclose(all_games(graded, p), all_games(plain, p), rtol=1e-12)


def test_grades_that_say_nothing_leave_davidson_and_a_number():
    frame, p = votes_of(), numbers(np.random.default_rng(4))
    p |= {"grade_slope": np.zeros(5), "grade_cut": np.tile([-0.3, 0.2], (5, 1))}
    apart = all_games(declared_on(frame), p) - all_games(declared_on(frame, NAMED), p)
    np.testing.assert_allclose(apart, apart[0], rtol=1e-10)


def test_exchanging_the_two_sides_changes_nothing():
    frame, p = votes_of(), numbers(np.random.default_rng(5)) | {"advantage": np.zeros(5)}
    turned = frame.assign(model_a=frame["model_b"], model_b=frame["model_a"], grade=-frame["grade"])
    turned["verdict"] = turned["grade"].map(WORDS)
    np.testing.assert_allclose(all_games(declared_on(frame), p), all_games(declared_on(turned), p), rtol=1e-11)


@pytest.fixture(scope="module")
def recovered():
    frame = votes_of(votes=6000)
    return {method: fit(declared_on(frame), method, draws=1000, tune=700, seed=4) for method in ("normal", "nuts")}


def test_the_truth_is_recovered(recovered):
    posterior = recovered["normal"]["posterior"].to_dataset()
    apart = posterior["strength"] - posterior["strength"].mean("player")
    drawn = [*apart.stack(sample=("chain", "draw")).to_numpy(), posterior["advantage"].to_numpy().ravel()]
    drawn += [posterior["log_draw"].to_numpy().ravel(), posterior["grade_slope"].to_numpy().ravel()]
    drawn += list(posterior["grade_cut"].stack(sample=("chain", "draw")).to_numpy())
    truth = [*(STRENGTH - STRENGTH.mean()), TRUTH["advantage"], TRUTH["log_draw"], TRUTH["slope"], *TRUTH["cut"]]
    z = [(one.mean() - wanted) / one.std() for one, wanted in zip(drawn, truth, strict=True)]
    assert np.square(z).sum() < chi2.isf(1e-4, len(z))


def test_normal_draws_are_those_of_nuts(recovered):
    normal, nuts = recovered["normal"], recovered["nuts"]
    assert nuts.attrs["route"] == "compiled"
    assert normal.attrs["converged"] == nuts.attrs["converged"] == 1
    names = ["strength", "advantage", "log_draw", "grade_cut", "grade_slope"]
    drawn, exact = (in_one(tree["posterior"].to_dataset()[names]) for tree in (normal, nuts))
    assert approximation_apart(drawn, normal.attrs["effective_draws"], exact) < LIMIT


def test_a_trace_has_no_likelihood_of_single_games(recovered):
    assert "log_likelihood" not in recovered["nuts"].children


def test_the_pull_of_a_vote_has_its_steps():
    frame = votes_of(votes=60)
    judgements = read_judgements(frame[["model_a", "model_b", "verdict"]])
    games = judgements.games
    refits = BoardRefits(declare_model(model_for(judgements, False), select(games, games.players, "both")))
    scores, whole, parts = refits.scores().toarray(), refits.whole, refits.model.parts
    seats = (frame[side].str[1:].astype(int).to_numpy() for side in ("model_a", "model_b"))
    first, second = seats

    def likelihood(z):
        values = refits.declared.layout.named(parts.values(whole.x, z))
        return log_probability(values, first, second, frame["grade"].to_numpy())

    for k in range(whole.z.size):
        step = 1e-4 * np.eye(whole.z.size)[k]
        slope = (likelihood(whole.z + step) - likelihood(whole.z - step)) / 2e-4
        np.testing.assert_allclose(scores[:, k], slope, atol=2e-5)


def test_refits_leave_a_vote_out_with_its_steps():
    frame = votes_of(votes=80)
    kept = np.arange(80) % 3 > 0
    declared = declared_on(frame)
    weight = declared.cells.sum_weights(declared.selection.games.outcome, kept.astype(float))
    alone = declared_on(frame[kept])
    p = numbers(np.random.default_rng(6))
    left = declared.weighing(kept.astype(float))
    assert weight.sum() == alone.cells.weight.sum()
    np.testing.assert_allclose(all_games(left, p), all_games(alone, p), rtol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["normal", "nuts"])
def test_calibrated_by_simulation(method):
    """The rank of the truth among 99 draws is even in 100 simulations, by chi-squared of ten bins."""
    rng, design = np.random.default_rng(8), declared_on(votes_of(votes=120))
    ranks: dict[str, list[int]] = {}
    prior = PriorDraws(design.model)
    for number in range(100):
        truth = prior.one(rng)
        frame = graded_votes(
            rng, truth["strength"], float(truth["advantage"]), float(truth["log_draw"]), truth["grade_cut"],
            float(truth["grade_slope"]), 120,
        )  # fmt: skip
        assert frame["grade"].abs().max() > 1
        posterior = fit(declared_on(frame), method, Effort(500, 400, 2, number), 0)["posterior"].to_dataset()
        for name in ("strength", "advantage", "log_draw", "grade_cut", "grade_slope"):
            drawn = posterior[name].stack(sample=("chain", "draw")).transpose("sample", ...).to_numpy()
            drawn = drawn[:: max(1, len(drawn) // 99)][:99].reshape(99, -1)
            for k, one in enumerate(np.ravel(truth[name])):
                ranks.setdefault(f"{name}{k}", []).append(int((drawn[:, k] < one).sum()))
    for name, found in ranks.items():
        counts = np.bincount(np.array(found) // 10, minlength=10)
        assert ((counts - 10.0) ** 2 / 10.0).sum() < chi2.isf(1e-3 / len(ranks), 9), name

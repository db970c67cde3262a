"""A learned level of the anchor scale: games see it only through the strengths' prior, and there it is found again."""

from dataclasses import replace

import numpy as np
import pytensor
import pytest
from extended_games import play, schedule, truth
from hypothesis import given, settings
from hypothesis import strategies as st
from pytensor.compile.mode import Mode

from halfpoint.games.cells import merge
from halfpoint.games.units import to_natural
from halfpoint.inference.sample import sample
from halfpoint.models import anchor_scale
from halfpoint.models.anchor_scale import MIDDLE, on_fide_scale
from halfpoint.models.beyond import EXTENDED, rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, Priors, build, scores

ENTRY = EXTENDED["davidson-scaled-level"]
INTERPRETED = Mode(linker="py", optimizer="fast_compile")


@given(st.floats(-3, 3), st.floats(0.3, 3))
@settings(max_examples=20)
def test_moving_level_and_strengths_together_changes_no_game_and_no_rating(move: float, scale: float) -> None:
    selection = schedule(40, 4, 11)
    p = truth(ENTRY, 4, 12) | {"anchor_scale": np.array([scale])}
    moved = p | {"anchor_level": p["anchor_level"] + move, "strength": p["strength"] + (1 - scale) * move}
    rows = rows_of(ENTRY, selection)
    ours, theirs = (log_probability(scores(ENTRY, one, rows), (0, 1, 2)) for one in (p, moved))
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    here, there = (on_fide_scale(one["strength"], scale, one["anchor_level"]) for one in (p, moved))
    np.testing.assert_allclose(here, there, atol=1e-9)


def test_a_level_at_the_middle_is_the_model_without_one() -> None:
    selection = schedule(40, 4, 11)
    p = truth(ENTRY, 4, 12) | {"anchor_level": np.array([MIDDLE])}
    plain = EXTENDED["davidson-scaled"]
    rows = rows_of(ENTRY, selection)
    without = {name: value for name, value in p.items() if name != "anchor_level"}
    np.testing.assert_allclose(scores(ENTRY, p, rows), scores(plain, without, rows), rtol=1e-14)


def test_density_is_that_of_the_stated_priors_and_the_formula() -> None:
    """Following the level is a change of sampled variables only: strengths are N(15, 400^2) whatever mu is."""
    selection = play(ENTRY, schedule(60, 4, 3), truth(ENTRY, 4, 4), 5)
    cells = merge(selection)
    priors = Priors(strength=(15.0, 1.3))  # narrow, so that a wrong density shows
    model = build(cells, ENTRY, priors)
    names = ["strength", "anchor_scale", "anchor_level", "advantage", "log_draw"]
    outputs = model.replace_rvs_by_values([model.logp(jacobian=False), *(model[name] for name in names)])
    compute = pytensor.function(model.value_vars, outputs, mode=INTERPRETED)
    rng = np.random.default_rng(6)
    start = model.initial_point()
    differences = []
    for _ in range(4):
        point = [start[v.name] + 0.8 * rng.standard_normal(np.shape(start[v.name])) for v in model.value_vars]
        found, *values = compute(*point)
        p = {name: np.asarray(value)[None] for name, value in zip(names, values, strict=True)}
        logs = log_probability(scores(ENTRY, p, rows_of(ENTRY, selection)), (0, 1, 2))[0]
        expected = logs[np.arange(60), selection.games.outcome].sum()
        log_scale = np.log(p["anchor_scale"])
        stated = (
            (p["strength"], priors.strength),
            (log_scale, priors.anchor.log_scale),
            (p["anchor_level"], priors.anchor.level),
            (p["advantage"], priors.advantage),
            (p["log_draw"], priors.tie.log_draw),
        )
        for value, (mean, sd) in stated:
            expected += float((-0.5 * ((value - mean) / sd) ** 2).sum())
        differences.append(float(found) - expected)
    # units of sampling and normalising constants: the same at every point
    np.testing.assert_allclose(differences, differences[0], atol=1e-8)


@pytest.mark.slow
def test_the_level_is_found_where_a_narrow_prior_of_strengths_shows_it() -> None:
    """Strengths known to lie around g0, ratings known from the games: mu = (kappa R - g0) / (kappa - 1)."""
    p = truth(ENTRY, 8, 31) | {"anchor_level": np.array([MIDDLE + 1.5])}
    selection = play(ENTRY, schedule(4000, 8, 32), p, 33)
    centre = float(p["strength"].mean())
    narrow = Priors(strength=(centre, 0.7), anchor=anchor_scale.Priors(level=(MIDDLE, 5.0)))
    plain = declare("davidson-scaled-level", selection)
    declared = replace(plain, model=build(plain.cells, ENTRY, narrow))
    trace = sample(declared, draws=500, tune=500, chains=2, cores=2, seed=34, pointwise_draws=0)
    assert trace.attrs["divergences"] == 0
    assert trace.attrs["max_rhat"] < 1.03
    posterior = trace["posterior"].to_dataset()
    level = posterior["anchor_level"].to_numpy().ravel()
    kappa = posterior["anchor_scale"].to_numpy().ravel()
    rating = to_natural(posterior["rating_elo"].mean("player").to_numpy().ravel())
    # given kappa and R, mu is as uncertain as the mean of 8 strengths N(g0, 0.7^2), divided by kappa - 1
    told = ((kappa * rating - centre) / (kappa - 1)).var() + (0.7**2 / 8 / (kappa - 1) ** 2).mean()
    assert level.std() == pytest.approx(np.sqrt(told), rel=0.15)
    assert level.std() < 1  # of the prior's 5
    assert abs(level.mean() - p["anchor_level"][0]) < 4 * level.std()


def test_a_level_needs_a_scale_and_free_strengths() -> None:
    cells = merge(schedule(40, 4, 1))
    for entry in (Extended("x", level=True), Extended("x", level=True, scaled=True, strength="pooled")):
        with pytest.raises(ModelError, match="free strengths"):
            build(cells, entry)

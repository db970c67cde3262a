"""Distributions from period to period: steps recovered from values, long-run variances, records."""

import json

import numpy as np
import pytest

from halfpoint.models.language.laws import Transition

DRAWS, MEMBERS, SHARE, SPREAD = 2000, 2, 0.8, 0.6
FADING = Transition("spread", share=SHARE, sd=float(np.sqrt(1.0 - SHARE**2)), beside="centre")
WALK = Transition("spread", level="level")
PACED = Transition("spread", level="level", pace="pace")


def values_of(law):
    """Draws that begin with the first period, and of the parameters; the spread is known."""
    rng = np.random.default_rng(3)
    p = {"spread": np.full(DRAWS, SPREAD), "centre": rng.normal(size=(DRAWS, MEMBERS, 41))}
    p |= {"level": np.zeros((DRAWS, MEMBERS)), "pace": np.tile(np.log([0.5, 2.0]), (DRAWS, 1))}
    start = SPREAD * rng.standard_normal((DRAWS, MEMBERS, 1))
    p["x"] = start + (p["centre"][..., :1] if law.beside else 0.0)
    return p


@pytest.mark.parametrize("law", [FADING, WALK, PACED])
def test_further_values_have_standard_normal_steps(law):
    p = values_of(law)
    later = law.carry_forward("x", p, 40, 5)
    assert later.shape == (DRAWS, MEMBERS, 41)
    assert (later[..., 0] == p["x"][..., 0]).all()
    cut = p | {"x": later}
    _, steps = law.innovations("x", cut)
    np.testing.assert_allclose(steps, np.random.default_rng(5).standard_normal(steps.shape), atol=1e-9)
    deviation = later - (cut["centre"] if law.beside else 0.0)
    pace = np.exp(p["pace"][0]) if law.pace else np.ones(MEMBERS)
    walked = SPREAD**2 * (1.0 + 40 * pace**2)
    variance = np.full(MEMBERS, SPREAD**2) if law is FADING else walked  # an autoregression stays as wide as it was
    assert deviation[..., -1].var(axis=0) == pytest.approx(variance, rel=5 * np.sqrt(2 / DRAWS))


def test_the_first_deviation_of_an_autoregression_is_standard_normal():
    p = values_of(FADING)
    first, _ = FADING.innovations("x", p | {"centre": p["centre"][..., :1]})
    assert first == pytest.approx((p["x"] - p["centre"][..., :1])[..., 0] / SPREAD, rel=1e-12)


def test_a_level_is_the_mean_or_the_value_of_the_first_period():
    values = np.arange(12.0).reshape(2, 2, 3)
    assert WALK.held(values).tolist() == [[1.0, 4.0], [7.0, 10.0]]
    entering = Transition("spread", level="level", begins=np.array([2, 0]))
    assert entering.held(values).tolist() == [[2.0, 3.0], [8.0, 9.0]]


@pytest.mark.parametrize("law", [FADING, WALK, PACED, Transition("", known=0.3)])
def test_a_record_in_json_gives_the_law_again(law):
    record = json.loads(json.dumps(law.as_record))
    assert Transition.of(record) == law
    assert ("known" in record) == (law.known is not None)


def test_periods_of_the_past_are_not_in_a_record():
    assert Transition.of(Transition("spread", begins=np.array([0, 1])).as_record) == Transition("spread")


@pytest.mark.parametrize(
    "wrong",
    [{}, {"spread": 1.0}, {"spread": "s", "sd": "1"}, {"spread": "s", "known": np.inf}, {"spread": "s", "of": 1}],
)
def test_a_wrong_record_is_refused(wrong):
    with pytest.raises(TypeError, match="a transition with"):
        Transition.of(wrong)

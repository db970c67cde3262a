"""Distributions from period to period: steps recovered from values, long-run variances, records."""

import json

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, gamma, halfnorm

from halfpoint.models.language.laws import Hyperparameter, Transition, between

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


@pytest.mark.parametrize("limits", [(0.5, np.inf), (-np.inf, 2.0), (-1.0, 3.0)])
def test_numbers_between_limits_and_their_slopes(limits):
    x = np.array([-2.0, 0.3, 1.5])
    value, log_slope = between(x, limits)
    assert ((value > limits[0]) & (value < limits[1])).all()
    rise = (between(x + 1e-6, limits)[0] - between(x - 1e-6, limits)[0]) / 2e-6
    np.testing.assert_allclose(np.exp(log_slope), np.abs(rise), rtol=1e-7)
    middle = between(np.zeros(1), limits)[0][0]
    assert middle == pytest.approx({0.5: 1.5, -np.inf: 1.0, -1.0: 1.0}[limits[0]])


def gamma_density(v):
    return gamma.logpdf(v, 3.0)


@pytest.mark.parametrize(
    ("number", "inside"),
    [
        (Hyperparameter("spread", 0.0, 0.7, 1.0), (0.0, np.inf)),
        (Hyperparameter("scale", 0.2, 0.5, 1.0), (0.0, np.inf)),
        (Hyperparameter("number", 0.2, 0.5, 1.0), (-np.inf, np.inf)),
        (Hyperparameter("positive", 0.0, 1.0, 1.0, gamma_density), (0.0, np.inf)),
        (Hyperparameter("bounded", 0.0, 1.0, 1.0, lambda v: beta.logpdf(v, 2.0, 5.0), (0.0, 1.0)), (0.0, 1.0)),
    ],
)
def test_the_density_of_a_hyperparameter_s_coordinate_integrates_to_one(number, inside):
    total = quad(lambda x: np.exp(number.log_density(x)), -20.0, 5.0, points=[-2.0, 0.0, 1.0], limit=200)[0]
    assert total == pytest.approx(1.0, abs=1e-6)
    value = number.value(np.linspace(-3.0, 3.0, 7))
    assert (np.diff(value) > 0.0).all()
    assert ((value > inside[0]) & (value < inside[1])).all()


def test_a_spread_is_half_normal():
    number, s = Hyperparameter("spread", 0.0, 0.7, 1.0), np.array([0.1, 0.7, 2.0])
    of_x = number.log_density(np.log(s / 0.7)) - np.log(s)  # the density of s
    np.testing.assert_allclose(of_x, halfnorm.logpdf(s, scale=0.7))

"""Sums of values merged by hand, standard deviations read from them, and medians of densities."""

import numpy as np
import pytest
from scipy.stats import gamma, norm

from halfpoint.models.language.laws import Law
from halfpoint.models.reading.law_forms import LOGARITHMS, NUMBERS, LawForms, merge_terms, moments, positive
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine

SLOTS = {"strength": (0, (3,)), "spread": (3, ()), "advantage": (4, ()), "paces": (5, (2,)), "effects_": (7, (3,))}
UNIT = {"unit": lambda width: width / 3.0}


@pytest.fixture
def forms():
    return LawForms(SLOTS, 10)


def form(*terms, shape=(3,)):
    return SparseAffine(shape, [(np.array(c), tuple(np.array(part) for part in index)) for c, *index in terms])


def values_of(sums, v):
    """A form at values."""
    total = np.zeros(sums.shape)
    for c, index in sums.terms:
        total = total + c * np.prod([v[part] for part in index], axis=0)
    return total


def test_every_value_has_an_owner(forms):
    assert [forms.names[k] for k in forms.owner] == ["strength"] * 3 + ["spread", "advantage"] + ["paces"] * 2 + [
        "effects_"
    ] * 3


def test_equal_terms_are_merged_and_those_that_cancel_removed():
    one = form(([1.0, 2.0, 3.0], [0, 1, 2]), ([1.0, 1.0, 1.0], [0, 1, 2]), ([0.5, 0.5, 0.5],), ([-0.5, 0.5, 1.0],))
    merged = merge_terms(one)
    assert [(c.tolist(), len(index)) for c, index in merged.terms] == [([2.0, 3.0, 4.0], 1), ([0.0, 1.0, 1.5], 0)]
    assert merge_terms(one - one).terms == []
    swapped = form(([1.0, 1.0, 1.0], [0, 1, 2], [3, 3, 3]), ([1.0, 1.0, 1.0], [3, 3, 3], [0, 1, 2]))
    assert [c.tolist() for c, _ in merge_terms(swapped).terms] == [[2.0, 2.0, 2.0]]  # products in either order
    v = np.arange(1.0, 11.0)
    for sums in (one, swapped):
        np.testing.assert_allclose(values_of(merge_terms(sums), v), values_of(sums, v))


def test_a_standard_deviation_is_a_number_or_a_multiple_of_one_spread(forms):
    sd, name = forms.spread(np.float64(0.5), (3,))
    assert (sd.tolist(), name) == ([0.5] * 3, "")
    sd, name = forms.spread(form(([2.0, 3.0, 4.0], [3, 3, 3])), (3,))
    assert (sd.tolist(), name) == ([2.0, 3.0, 4.0], "spread")
    for wrong, message in (
        (form(([1.0] * 3, [3] * 3), ([1.0] * 3, [4] * 3)), "multiple of one spread"),
        (form(([1.0] * 3, [3] * 3, [4] * 3)), "multiple of one spread"),
        (form(([1.0] * 3, [0, 1, 2])), "multiple of one spread"),
        (form(([1.0] * 3, [5] * 3)), "several spreads"),
    ):
        with pytest.raises(NotAffineError, match=message):
            forms.spread(wrong, (3,))


def test_rows_are_values_less_their_mean(forms):
    rows = forms.rows(forms.own("strength"), form(([2.0] * 3, [4] * 3), ([1.5] * 3,)), form(([0.5] * 3, [3] * 3)))
    v = np.arange(1.0, 11.0)
    np.testing.assert_allclose(values_of(rows.form, v), [1 - 10 - 1.5, 2 - 10 - 1.5, 3 - 10 - 1.5])
    assert (rows.sd.tolist(), rows.spread) == ([0.5] * 3, "spread")
    assert rows.middle.tolist() == [1.5] * 3
    assert forms.parents_of((rows,), "strength") == {"spread", "advantage"}


def test_a_few_numbers_with_a_known_normal_are_hyperparameters(forms):
    unit = UNIT["unit"]
    law = forms.normal(Law("advantage"), np.float64(0.2), np.float64(0.6), unit)
    number = law.hyperparameter
    assert (number.kind, number.mean, number.sd, float(number.unit)) == ("number", 0.2, 0.6, pytest.approx(0.4))
    assert forms.normal(Law("strength"), form(([1.0] * 3, [4] * 3)), np.float64(0.6), unit).hyperparameter is None
    several = forms.normal(Law("strength"), np.array([0.0, 1.0, 2.0]), np.float64(0.6), unit)
    assert several.hyperparameter is None
    many = LawForms({"strength": (0, (9,))}, 9)
    assert many.normal(Law("strength"), np.float64(0.0), np.float64(1.0), unit).hyperparameter is None
    eight = LawForms({"strength": (0, (8,))}, 8)
    assert eight.normal(Law("strength"), np.float64(0.0), np.float64(1.0), unit).hyperparameter is not None


def test_numbers_about_their_neighbours(forms):
    weight = np.array([[1.0, -0.5], [1.0, -1.0], [1.0, 0.0]])
    place = np.array([[0, 1], [1, 2], [2, 0]])
    law = forms.autoregression(Law("strength"), weight, place, form(([1.0] * 3, [3] * 3)))
    np.testing.assert_allclose(values_of(law.gaussian[0].form, np.array([4.0, 2.0, 1.0])), [3.0, 1.0, 1.0])
    assert law.parents == {"spread"}


def test_variables_that_others_make(forms):
    assert forms.made(Law("strength"), np.float64(2.0)).known.tolist() == [2.0] * 3
    known = forms.made(Law("strength"), form(([1.0, 2.0, 3.0],)))
    assert known.known.tolist() == [1.0, 2.0, 3.0]
    law = forms.made(Law("strength"), form(([2.0] * 3, [4] * 3)))
    assert law.known is None
    assert law.parents == {"advantage"}
    assert law.made is not None


@pytest.mark.parametrize("times", ["number", "spread"])
def test_a_sum_with_a_latent_normal_is_normal_about_the_rest(forms, times):
    """strength = advantage + 2 x, or advantage + spread x; x ~ N(0.5, 0.3^2) or N(0, 1)."""
    mean, sd = (0.5, 0.3) if times == "number" else (0.0, 1.0)
    forms.found["effects_"] = forms.normal(Law("effects_"), np.full(3, mean), np.float64(sd), UNIT["unit"])
    latent = ([2.0] * 3, [7, 8, 9]) if times == "number" else ([1.0] * 3, [7, 8, 9], [3, 3, 3])
    law = forms.made(Law("strength"), form(([1.0] * 3, [4] * 3), latent))
    (rows,) = law.gaussian
    v = np.arange(1.0, 11.0)
    np.testing.assert_allclose(values_of(rows.form, v), v[:3] - v[4] - 2.0 * mean)
    assert rows.spread == ("" if times == "number" else "spread")
    np.testing.assert_allclose(rows.sd, 0.6 if times == "number" else 1.0)
    assert law.made is None
    assert forms.found["effects_"].part_of == "strength"
    assert law.parents == ({"advantage"} if times == "number" else {"advantage", "spread"})


def test_a_scale_is_e_to_a_normal_number(forms):
    unit = UNIT["unit"]
    log = forms.normal(Law("advantage"), np.float64(0.2), np.float64(0.6), unit)
    scale = forms.scale(Law("spread"), log).hyperparameter
    assert (scale.kind, scale.mean, scale.sd) == ("scale", 0.2, 0.6)
    assert float(scale.unit) == pytest.approx(0.8)
    assert forms.found["advantage"].log_of == "spread"
    assert forms.scale(Law("spread"), None) is None
    assert forms.scale(Law("spread"), Law("advantage")) is None


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (250.0, 30.0), (-0.02, 0.005)])
def test_moments_of_a_normal(mean, sd):
    middle, width = moments(lambda x: norm.logpdf(x, mean, sd), NUMBERS)
    assert middle == pytest.approx(mean, abs=0.05 * sd)
    assert width == pytest.approx(sd * 0.9945, rel=0.05)  # half of the way from 16% to 84%


def test_moments_of_a_positive_number_are_those_of_its_logarithm():
    number = positive(lambda x: gamma.logpdf(x, 3.0))
    low, middle, high = np.log(gamma.ppf([0.16, 0.5, 0.84], 3.0))
    assert number.mean == pytest.approx(middle, abs=0.01)
    assert number.sd == pytest.approx((high - low) / 2.0, rel=0.02)
    assert number.unit == number.sd
    assert np.ptp(LOGARITHMS) == 50.0

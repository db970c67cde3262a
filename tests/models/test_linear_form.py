"""Linear forms of scalar graphs compared with forms by hand: sums, signs, numeric factors, atoms, and the level."""

import pytensor.tensor as pt
import pytest

from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.linear_form import GAP, LEVEL, ONE, LinearForms, level_in, number_of, row_scalars

WHITE, BLACK = {LEVEL: 1.0, GAP: 0.5}, {LEVEL: 1.0, GAP: -0.5}


def forms(function):
    """Forms of a function of two sides and lam, and their builder."""
    inputs, outputs = row_scalars(function, ("white", "black", "lam"))
    made = LinearForms(dict(zip(inputs, (WHITE, BLACK, {"lam": 1.0}), strict=True)))
    return made, made.of(outputs)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda w, b, lam: 2.0 * w - b / 4.0 + lam, {LEVEL: 1.75, GAP: 1.125, "lam": 1.0}),
        (lambda w, b, lam: -(w - b), {GAP: -1.0}),
        (lambda w, b, lam: -w + 3.0, {LEVEL: -1.0, GAP: -0.5, ONE: 3.0}),
        (lambda w, b, lam: (w + b) / 2.0, {LEVEL: 1.0}),
        (lambda w, b, lam: 2.0 * (w * 3.0), {LEVEL: 6.0, GAP: 3.0}),
        (lambda w, b, lam: w - w, {}),
        (lambda w, b, lam: pt.exp(w - b) - pt.exp(w - b) + lam, {"lam": 1.0}),
        (lambda w, b, lam: w * b - b * w, {}),  # the order of factors does not matter
    ],
)
def test_forms_are_those_by_hand(function, expected):
    _, (found,) = forms(function)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("function", "sees"),
    [
        (lambda w, b, lam: pt.exp(w - b), False),
        (lambda w, b, lam: pt.exp(-w + b), False),
        (lambda w, b, lam: pt.maximum(w, b), False),  # what both have in common is taken out
        (lambda w, b, lam: pt.exp(w), True),
        (lambda w, b, lam: w / b, True),
        (lambda w, b, lam: w * b, True),
        (lambda w, b, lam: pt.exp(w) - pt.exp(b), True),
    ],
)
def test_the_level_is_seen_inside_atoms(function, sees):
    made, (found,) = forms(function)
    assert made.sees(found, LEVEL) == sees


def test_scores_with_one_share_of_the_level_depend_on_the_gap_alone_once_they_are_normalised():
    made, scores = forms(lambda w, b, lam: (w, b, 0.5 * (w + b) + lam))
    assert not level_in(made, scores, normalised=True)
    assert level_in(made, scores, normalised=False)
    made, scores = forms(lambda w, b, lam: (w, 2.0 * b, lam))
    assert level_in(made, scores, normalised=True)


def test_only_one_number_is_a_number():
    assert number_of(pt.constant(2.5)) == 2.5
    for node in (pt.dscalar("x"), pt.constant([1.0, 2.0])):
        with pytest.raises(NoLoopError, match="is not a number"):
            number_of(node)

"""Fifty-six edits in every method (benchmarks/edits.py): applied or refused by name, none ignored."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
from edited_models import FUNCTIONS
from edits import CHOSEN, ROUTES, Edit, cases, cell

from halfpoint.inference.diagnostics.graph_edits import edits
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.language.laws import between

CASES = cases()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_no_edit_is_ignored(name):
    edit = Edit(CASES[name])
    said = {route: cell(edit, route) for route in ROUTES}
    assert {route: one for route, one in said.items() if "WRONG" in one} == {}


@pytest.mark.parametrize("name", ["walk", "walk, learned step", "AR(1), learned step", "strengths Student t"])
def test_a_function_as_it_stands_is_not_called_edited(name):
    assert edits(declare(FUNCTIONS[name], CHOSEN)).words == ()


def test_the_edits_are_as_many_as_the_table_says():
    assert len(CASES) == 41 + 15
    assert sum(name.startswith("graph: ") for name in CASES) == 15


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["advantage truncated", "advantage uniform"])
def test_a_prior_with_limits_is_approximated(name):
    """Strengths by weighted normal draws agree with those of NUTS within Monte Carlo error."""
    edit = Edit(CASES[name])
    assert [edit.nuts(), edit.normal()] == ["yes", "yes"]


@pytest.mark.parametrize("limits", [(0.2, np.inf), (-np.inf, 3.0), (-1.0, 2.5)])
def test_numbers_between_limits_have_the_slope_that_is_stated(limits):
    x = np.linspace(-5.0, 5.0, 21)
    value, log_slope = between(x, limits)
    assert ((value > limits[0]) & (value < limits[1])).all()
    apart = (between(x + 1e-5, limits)[0] - between(x - 1e-5, limits)[0]) / 2e-5
    np.testing.assert_allclose(np.abs(apart), np.exp(log_slope), rtol=1e-6)

"""Compiled code of single operators: the value of the graph, or a refusal that names the operator."""

import numpy as np
import pytensor.tensor as pt
import pytest

from halfpoint.inference.loops.operators import operator_line
from halfpoint.models.errors import NoLoopError


@pytest.mark.parametrize(
    ("made", "value", "expected"),
    [
        (lambda x: pt.cast(x, "int64"), -2.7, -2),  # towards zero
        (lambda x: pt.cast(x, "bool"), 0.5, True),
        (lambda x: pt.cast(x, "bool"), 0.0, False),
        (lambda x: x**2.0, -3.0, 9.0),
        (lambda x: -x, -3.0, 3.0),
        (lambda x: x - 1.0, 0.25, -0.75),
    ],
)
def test_a_line_has_the_value_of_the_graph(made, value, expected):
    node = made(pt.dscalar("x")).owner
    names = ["x" if variable.name == "x" else repr(float(variable.data)) for variable in node.inputs]
    line = operator_line(node, names)
    assert eval(line, {"np": np, "x": value}) == expected


def test_a_truth_is_cast_to_any_number_and_a_number_to_no_shorter_one():
    truth, number = pt.bscalar("truth") > 0, pt.dscalar("number")
    assert operator_line(pt.cast(truth, "int8").owner, ["truth"]) == "1.0 * (truth)"
    for dtype in ("int8", "float32"):
        with pytest.raises(NoLoopError, match="the operator Cast"):
            operator_line(pt.cast(number, dtype).owner, ["number"])

"""A few models of the catalogue that together contain all its parts.

A test of every row runs on the first of these in the fast suite, and on all rows in the slow suite (`by_row`).
"""

from functools import cache

import pytest
from composed import about

from halfpoint.models.declaration.catalogue import CATALOGUE, find

# as `covering` chooses them: written here, since that takes seconds (`test_covering_rows`); first of all models
COVERING = (
    "listed-full", "bt-stochastic-variance-walk", "margin-walk", "davidson-pooled", "bridge-ability-t",
    "davidson-rated-context", "bt-player-weighted", "goals-matched-walk", "bt-ou", "bt-form", "davidson-rapid",
    "rao-kupper", "bridge-ability-even", "index-walk", "sets",
)  # fmt: skip
CALIBRATED = tuple("bt-player" if name == "bt-player-weighted" else name for name in COVERING)  # of equal weights
BEYOND = (
    "davidson-stochastic-variance-walk", "bt-pooled", "bt-rated", "rao-kupper-all-draws", "davidson-rapid",
    "margin-normal", "bt-population-even", "bt-walk", "margin-t",
)  # fmt: skip
FEW = COVERING[:5]  # three quarters of the parts


def by_row(cases, also=(), rows=FEW):
    """Parameters of a test of models: a case is a name, or a tuple that begins with one; names in `also` run in the
    fast suite too.
    """
    fast, parameters = {*rows, *also}, []
    for case in cases:
        name, *rest = (case,) if isinstance(case, str) else case
        marks = pytest.mark.slow if name in CATALOGUE and name not in fast else ()
        parameters.append(pytest.param(name, *rest, marks=marks))
    return parameters


@cache
def made_of(name):
    """Parts of a model: formula, variables, columns, targets of effects."""
    model = find(name)
    one = about(model)
    found = {("formula", one.outcome.name), ("weighted", model.weighted), ("advantage is", one.kind)}
    found |= {("reads", key, str(value)) for key, value in one.reads.as_record.items()}
    found |= {("traits", key, str(value)) for key, value in one.traits.as_record.items()}
    return found | {("variable", variable) for variable in one.names}


def covering(names=tuple(CATALOGUE)):
    """Models chosen greedily by the number of new parts; ties by the order of the catalogue."""
    left, chosen = set().union(*map(made_of, names)), []
    while left:
        best = max(names, key=lambda name: len(made_of(name) & left))
        chosen.append(best)
        left -= made_of(best)
    return chosen

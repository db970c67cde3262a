"""Default priors of the study's functions, compared with the printed priors."""

import numpy as np
import pytest

from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_natural
from halfpoint.models.pymc_import import constant_value
from halfpoint.readers.read import read

ELO = to_natural(1.0)
BRADLEY_TERRY = {"strength": (2705.0 * ELO, 400.0 * ELO), "advantage": (50.0 * ELO, 40.0 * ELO)}  # Pires 2014, table 5
DAVIDSON = {"strength": (15.0, 400.0), "advantage": (1.0, 10.0), "log_draw": (1.0, 5.0)}  # table 7


@pytest.mark.parametrize("advantage", ["", "-common", "-player"])
@pytest.mark.parametrize(("formula", "printed"), [("bt", BRADLEY_TERRY), ("davidson", DAVIDSON)])
def test_described_priors_are_the_printed_ones(formula, printed, advantage):
    games = read([("Ann", "Bo", 1.0), ("Bo", "Cy", 0.5), ("Cy", "Ann", 0.0)])
    model = declare(f"{formula}{advantage}", select(games, games.players, "both"), "described").model
    assert {variable.name for variable in model.free_RVs} == printed.keys() - (
        {"advantage"} if not advantage else set()
    )
    for variable in model.free_RVs:
        numbers = [np.unique(constant_value(node)) for node in variable.owner.op.dist_params(variable.owner)]
        assert [number.tolist() for number in numbers] == [[pytest.approx(value)] for value in printed[variable.name]]

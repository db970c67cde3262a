"""Joint priors of players give no prior of a further player; separate priors and further terms do."""

import numpy as np
import pymc as pm
import pytest

from halfpoint.models.declaration.extension import _require_own_priors
from halfpoint.models.errors import ModelError


def model(term):
    """Strengths with separate priors, a shared parameter, and a further term of one of them."""
    with pm.Model(coords={"player": ["Ann", "Bo", "Cy"]}) as made:
        strength, advantage = pm.Normal("strength", dims="player"), pm.Normal("advantage")
        pm.Potential("term", term(strength, advantage))
    return made


def test_a_term_of_a_shared_number_is_no_prior_of_players():
    _require_own_priors(model(lambda strength, advantage: -(advantage**2)))


@pytest.mark.parametrize("term", [lambda strength, advantage: -(strength.sum() ** 2), lambda s, a: -((s[0] - a) ** 2)])
def test_a_term_of_strengths_is_one_of_players_together(term):
    with pytest.raises(ModelError, match="the Potential term joins all players"):
        _require_own_priors(model(term))


def test_a_distribution_of_several_players_is_one_of_all():
    with pm.Model(coords={"player": ["Ann", "Bo"]}) as made:
        pm.MvNormal("strength", np.zeros(2), np.eye(2), dims="player")
    with pytest.raises(ModelError, match="the prior of strength joins all players"):
        _require_own_priors(made)

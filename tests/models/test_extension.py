"""Joint priors of players give no prior of a further player; separate priors and further terms do."""

from types import SimpleNamespace

import numpy as np
import pymc as pm
import pytest

from halfpoint.models.declaration.extension import _continued, _late, _require_own_priors
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


@pytest.mark.parametrize(
    ("periods", "entered", "expected"), [(4, [0, 2], [0, 2, 4, 4]), (0, [0, 0], [0, 0, 1, 1]), (4, None, None)]
)
def test_further_players_enter_after_the_last_game(periods, entered, expected):
    known = None if entered is None else np.array(entered)
    reading = SimpleNamespace(facts={"entered": known}, players=np.array(["Ann", "Bo"]), periods=periods)
    facts = _late(reading, np.array(["Ann", "Bo", "Cy", "Di"]))["entered"]
    assert (None if facts is None else facts.tolist()) == expected
    assert _late(reading, np.array(["Ann", "Bo"]))["entered"] is known


def test_paths_go_on_from_the_known_values():
    """Of an autoregression with the share 1/2 the jump to the known last value halves with each further period."""
    path = np.zeros((1, 2, 5))
    path[..., 2:] = [10.0, 20.0, 30.0]
    fitted = np.array([[[1.0, 2.0, 14.0]]])
    _continued(path, fitted, np.array([0.5]))
    assert path.tolist() == [[[0.0, 0.0, 14.0, 22.0, 31.0], [0.0, 0.0, 10.0, 20.0, 30.0]]]
    walk = np.zeros((1, 5))
    walk[:, 2:] = [10.0, 20.0, 30.0]
    _continued(walk, np.array([[1.0, 2.0, 14.0]]), np.ones(()))
    assert walk.tolist() == [[0.0, 0.0, 14.0, 24.0, 34.0]]

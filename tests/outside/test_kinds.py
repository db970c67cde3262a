"""Simulators of outside files: promised sizes, reproducible files, outcomes that follow the truth."""

import numpy as np
import pytest
from outside.kinds import KINDS, PER_ELO, log_draw, probabilities

from halfpoint.models.games.simulate import outcome_probabilities


@pytest.mark.cases(5)
@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_the_size_it_promises_and_is_the_same_every_time(tmp_path, kind):
    made, folders = KINDS[kind], (tmp_path / "one", tmp_path / "other")
    for folder in folders:
        folder.mkdir()
    (path, truth), (again, _) = (made.make(folder) for folder in folders)
    assert (truth.games, len(truth.rating_elo)) == (made.games, made.players)
    assert path.read_bytes() == again.read_bytes()
    text = path.read_bytes().decode("utf-8-sig")
    assert text.count("[Result ") == made.games or len(text.splitlines()) == made.games + 1
    assert all(name in text for name in truth.rating_elo)


def test_the_truth_is_on_the_score_scale():
    step = np.array([-0.5, 0.5])
    for draw_rate in (0.0, 0.3, 0.78):
        expected = probabilities(step, draw_rate) @ [0.0, 0.5, 1.0]
        assert np.diff(expected) == pytest.approx(PER_ELO / 4, rel=1e-5)
        assert probabilities(np.zeros(1), draw_rate)[0, 1] == pytest.approx(draw_rate)
    draw = log_draw(0.3)
    x = PER_ELO * np.array([-150.0, 90.0]) * (2 + np.exp(draw)) / 2
    np.testing.assert_allclose(probabilities(np.array([-150.0, 90.0]), 0.3), outcome_probabilities(x, draw))

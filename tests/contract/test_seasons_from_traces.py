"""A season from a trace: what is over, what is to come, who is new."""

import numpy as np
import pytest
from made_traces import trace
from rating_games import table

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.seasons import Calendar, season
from halfpoint.games.errors import HalfpointError
from halfpoint.workflows.tournament_outlook import season as outlook_of


def test_a_trace_plays_its_fixtures_out_and_keeps_what_is_over():
    """By dates after the trace's last month, with games that are over, somebody new, and the answer's columns."""
    tree = trace("margin-walk", "unanchored")
    names = [*tree["posterior"]["player"].to_numpy().tolist()[:3], "Newtown"]
    period = np.array([7, 7, 8, 8])
    fixtures = table(names, [*names[1:], names[0]], np.full(4, 0.5), period=period)
    over = table(names[:1], names[1:2], [1.0], period=np.array([7]))
    found = season(tree, names, Calendar("3-1-0"), fixtures, over, 1, 200)
    assert found.left == 3
    assert found.table.loc[names[0], "points_so_far"] == 3.0
    assert found.places.to_numpy().sum() == pytest.approx(4.0)
    with pytest.raises(EvaluationError, match="two different names"):
        season(tree, names[:1])
    answer = outlook_of(tree, names, first=1, last=1, simulations=100, scoring="2-1-0", months=2)
    assert {"points_low", "title_percent", "first_1_percent", "last_1_percent"} <= set(answer.frame)
    assert "Entered now" in answer.note
    with pytest.raises(HalfpointError, match="Newtown"):
        outlook_of(trace("davidson-population", "unanchored"), names, simulations=100)

"""Options of tournaments and seasons: a word or number outside its range is refused by name."""

import pytest

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.tournament_options import BAND, MONTHS, ROUNDS, SCORINGS, Calendar, Rules


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"format": "ladder"}, "format"),
        ({"tie_break": "coin"}, "tie break"),
        ({"decider": "dice"}, "decider"),
        ({"seeding": "age"}, "seeding"),
        ({"cycles": 0}, "cycles"),
        ({"rounds": ROUNDS.most + 1}, "rounds"),
        ({"games": 1.5}, "games"),
    ],
)
def test_rules_refuse_a_word_or_number_by_its_name(options, name):
    with pytest.raises(EvaluationError, match=f"^{name}: expected"):
        Rules(**options)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"scoring": "4-1-0"}, "scoring"),
        ({"first": BAND.most + 1}, "first"),
        ({"last": -1}, "last"),
        ({"months": MONTHS.least - 1}, "months"),
        ({"zones": {"cup": (3, 2)}}, "--zones"),
        ({"zones": {"": (1, 2)}}, "--zones"),
    ],
)
def test_a_calendar_refuses_a_word_or_number_by_its_name(options, name):
    with pytest.raises(EvaluationError, match=f"^{name}: expected"):
        Calendar(**options)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_points_are_those_of_the_name_of_a_scoring_by_loss_draw_and_win(scoring):
    assert [*SCORINGS[scoring]] == sorted(map(float, scoring.split("-")))
    assert Calendar(scoring=scoring).scoring == scoring

"""Records of options: a setting is an ordinary default, and its help text belongs to the field."""

from dataclasses import FrozenInstanceError, dataclass, fields, replace

import pytest

from halfpoint.apps.fields.arena.asked import BoardOptions
from halfpoint.apps.workflows.options import Dates, Entrants, Fitting, Intake, OneGame, Trial, World
from halfpoint.models.games.settings import help_texts, setting


@dataclass(frozen=True)
class Plan:
    """Record with and without help."""

    games: int = setting(30, "number of games")
    notes: tuple[str, ...] = ()


def test_a_setting_is_an_ordinary_default():
    assert (Plan.games, Plan(), Plan(4).games) == (30, Plan(30, ()), 4)
    assert replace(Plan(), games=2) != Plan()
    with pytest.raises(FrozenInstanceError):
        Plan().games = 3
    with pytest.raises(TypeError, match="game"):
        Plan(game=3)


def test_only_settings_have_help():
    assert help_texts(Plan) == {"games": "number of games"}


@pytest.mark.parametrize("record", [BoardOptions, Dates, Entrants, Fitting, Intake, OneGame, Trial, World])
def test_every_option_of_a_record_has_help(record):
    texts = help_texts(record)
    assert [option.name for option in fields(record) if not texts.get(option.name, "").strip()] == []

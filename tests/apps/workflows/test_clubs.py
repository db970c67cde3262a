"""List of clubs: goals and form by hand; detection of clubs."""

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.trace_list import with_goals_and_form
from halfpoint.models.games.sides import SEATS
from halfpoint.readers.read import read


def test_goals_and_form_are_those_of_the_games_in_their_order():
    rows = [
        ("2024-01-09", "Ajax", "Boca", 1, 1),
        ("2024-01-02", "Boca", "Ajax", 0, 2),
        ("2024-01-16", "Ajax", "Boca", 0, 3),
    ]
    games = read(pd.DataFrame(rows, columns=["date", "HomeTeam", "AwayTeam", "FTHG", "FTAG"]), source="three games")
    found = with_goals_and_form(pd.DataFrame({"club": ["Ajax", "Boca"]}), games).set_index("club")
    assert found["goal_difference"].to_dict() == {"Ajax": -1, "Boca": 1}
    assert found["form"].to_dict() == {"Ajax": "WDL", "Boca": "LDW"}
    assert np.all(np.isfinite(games.margin))
    assert {key: words.noun for key, words in SEATS.items()} == {
        "white": "player",
        "stones": "player",
        "home": "club",
        "home player": "player",
        "first": "player",
    }

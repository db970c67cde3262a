"""A list of clubs: results, goals and form by hand."""

import numpy as np
import pandas as pd

from halfpoint.games.readers.read import read
from halfpoint.workflows.clubs import of_clubs


def test_goals_and_form_are_those_of_the_games_in_their_order():
    rows = [
        ("2024-01-09", "Ajax", "Boca", 1, 1),
        ("2024-01-02", "Boca", "Ajax", 0, 2),
        ("2024-01-16", "Ajax", "Boca", 0, 3),
    ]
    games = read(pd.DataFrame(rows, columns=["date", "HomeTeam", "AwayTeam", "FTHG", "FTAG"]), source="three games")
    frame = pd.DataFrame({"player": ["Ajax", "Boca"], "wins": [1, 1], "draws": [1, 1], "losses": [1, 1]})
    found = of_clubs(frame, games).set_index("club")
    assert found["W-D-L"].tolist() == ["1-1-1", "1-1-1"]
    assert found["goals"].to_dict() == {"Ajax": "-1", "Boca": "+1"}
    assert found["form"].to_dict() == {"Ajax": "WDL", "Boca": "LDW"}
    assert np.all(np.isfinite(games.margin))

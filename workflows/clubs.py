"""What a league's table says beside ratings and results: goal difference and form; of home and away."""

import numpy as np
import pandas as pd

from halfpoint.games.table import GameTable

FORM = 5  # last games
LETTERS = {0.0: "L", 0.5: "D", 1.0: "W"}


def with_goals_and_form(frame: pd.DataFrame, games: GameTable) -> pd.DataFrame:
    """Return a list of clubs with their goal difference, where margins are known, and their last five games."""
    timed = games.period is not None or (games.date is not None and not np.isnat(games.date).any())
    order = np.argsort(games.time, kind="stable") if timed else np.arange(len(games))
    goals, form = dict.fromkeys(frame["club"], 0.0), {name: "" for name in frame["club"]}
    white, black = games.white_names, games.black_names
    for row in order.tolist():
        for name, score, sign in ((str(white[row]), games.score[row], 1), (str(black[row]), 1 - games.score[row], -1)):
            if name in form:
                form[name] += LETTERS[float(score)]
                goals[name] += sign * float(games.margin[row])
    made = frame.assign(form=[form[name][-FORM:] for name in frame["club"]])
    if np.isfinite(games.margin).all():
        made.insert(list(made.columns).index("form"), "goal_difference", [round(goals[name]) for name in frame["club"]])
    return made

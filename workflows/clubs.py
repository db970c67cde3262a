"""What a league's table says beside ratings: wins, draws and losses, goal difference, form; of home and away."""

import numpy as np
import pandas as pd

from halfpoint.games.table import GameTable

FORM = 5  # last games
LETTERS = {0.0: "L", 0.5: "D", 1.0: "W"}


def of_clubs(frame: pd.DataFrame, games: GameTable) -> pd.DataFrame:
    """Return a list of clubs: what is called player is a club, with its results, goal difference and last five games.

    Parameters
    ----------
    frame : DataFrame
        A rating list of players.
    games : GameTable
        The games that it was made from.
    """
    results = frame[["wins", "draws", "losses"]].astype(int).to_numpy().tolist()
    made = frame.assign(**{"W-D-L": ["-".join(map(str, one)) for one in results]})
    margin = games.margin
    timed = games.period is not None or (games.date is not None and not np.isnat(games.date).any())
    order = np.argsort(games.time, kind="stable") if timed else np.arange(len(games))
    goals, form = dict.fromkeys(frame["player"], 0.0), {name: "" for name in frame["player"]}
    white, black = games.white_names, games.black_names
    for row in order.tolist():
        for name, score, sign in ((str(white[row]), games.score[row], 1), (str(black[row]), 1 - games.score[row], -1)):
            if name in form:
                form[name] += LETTERS[float(score)]
                goals[name] += sign * float(margin[row])
    if np.isfinite(margin).all():
        made["goals"] = [f"{goals[name]:+.0f}" for name in frame["player"]]
    made["form"] = [form[name][-FORM:] for name in frame["player"]]
    return made.rename(columns={"player": "club"})

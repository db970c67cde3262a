"""FIDE's ratings as printed: thesis table 4 and appendix A, paper tables 3 and 4; 376 numbers.

The games bound a rating of December 2012 by the player's ratings in the last games of 2012 and in the games of 2013.
Where the texts differ, the printed references of sets A and B (570.46 and 995.18), computed from this list, identify
the text used by the program. May 2014 has no games; both texts print the same ratings.
"""

import numpy as np
import pandas as pd

from halfpoint.apps.study.printed.files import read_published
from halfpoint.apps.study.references import rating_neg2_loglik
from halfpoint.models.games.table import GameTable
from halfpoint.readers.datasets.study import COVARIATES, monitored_names, study_opponents, study_players

_IN_2012, _IN_2014 = "rating_2012_12_elo", "rating_2014_05_elo"
_UNTOLD = "undecided"


def printed_lists(training: GameTable, set_a: GameTable, set_b: GameTable) -> pd.DataFrame:
    """Printed ratings of FIDE's lists, one row each, and the ratings in the games.

    Columns source, place, row (the player), list, printed, ours (as shipped), before and after (ratings in the last
    month of 2012 with games, and in games of 2013), verdict.
    """
    opponents, players = study_opponents().set_index("name"), study_players().set_index("name")
    published, of_46 = read_published("lists").set_index("player"), players[[_IN_2012, _IN_2014]].astype(str)
    prints = [("thesis", "T4", _IN_2012, published["thesis"]), ("paper", "T3", _IN_2012, published["paper"])]
    months = (_IN_2012, _IN_2014)
    prints += [(*place, name, of_46[name]) for place in (("thesis", "AppA"), ("paper", "T4")) for name in months]
    before, after, monitored = ratings_in(training, last=True), ratings_in(set_b), set(monitored_names())
    rows = []
    for source, place, name, column in prints:
        listed = (opponents if name == _IN_2012 else players).loc[column.index]
        for player, ours, spelled in zip(listed.index, listed[name], listed["data_name"], strict=True):
            printed = str(column[player])
            ratings = (before.get(spelled, []), after.get(spelled, [])) if name == _IN_2012 else ([], [])
            if printed != str(ours):
                verdict = "misprint" if _moves_a_reference(spelled, float(printed), (set_a, set_b)) else _UNTOLD
            elif printed in ratings[0] or (printed in ratings[1] and spelled in monitored):
                verdict = "match"
            else:
                verdict = "slip: a rating of 2013" if printed in ratings[1] else _UNTOLD
            rows.append((source, place, player, name, printed, ours, *map(" ".join, ratings), verdict))
    columns = ["source", "place", "row", "list", "printed", "ours", "before", "after", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def _moves_a_reference(player: str, rating: float, sets: tuple[GameTable, ...]) -> bool:
    """True if the printed digits of a reference change with this rating of a player in December 2012."""
    for games in sets:
        listed = [games.covariates[name] for name in COVARIATES]
        names = games.white_names, games.black_names
        moved = [np.where(name == player, rating, ratings) for name, ratings in zip(names, listed, strict=True)]
        moved_loss, listed_loss = (rating_neg2_loglik(white, black, games.score) for white, black in (moved, listed))
        if f"{moved_loss:.2f}" != f"{listed_loss:.2f}":
            return True
    return False


def ratings_in(games: GameTable, last: bool = False) -> dict[str, list[str]]:
    """Ratings of each player in some games, as text and in order; only the last month with games on request."""
    seats = ((games.white_names, games.white_rating_elo), (games.black_names, games.black_rating_elo))
    table = pd.concat([pd.DataFrame({"name": name, "rating": rating, "month": games.period}) for name, rating in seats])
    if last:
        table = table[table["month"] == table.groupby("name")["month"].transform("max")]
    return {
        str(name): sorted({f"{rating:.0f}" for rating in ratings}) for name, ratings in table.groupby("name")["rating"]
    }

"""Tables of winners and losers: the winner takes the first seat, with the winner's columns and score.

A column `winner_age` becomes `white_age`; a score such as 6-4 7-6 gives points of both sides and a lead in sets.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import polars

from halfpoint.models.games.table import LEAD
from halfpoint.readers.column_values import Values
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.result_cells import AWARDED, DECIDED, goals_of, lead_in_sets, sets_won
from halfpoint.readers.set_apart import are_in
from halfpoint.readers.words import ties_in

_PRINTED_AS = {"ranking": "rank"}  # numbers of seats that are printed by another word
_OF_WINNERS = ("winner_goals", "winner_id")  # numbers that stay those of winners


def column_of_winners(name: str, columns: Sequence[str]) -> str:
    """Column of winners or losers from which that of a seat is made, `winner_age` of `white_age`; else the name."""
    seat, _, what = name.partition("_")
    side = {"white": "winner", "black": "loser"}.get(seat, "")
    made_of = f"{side}_{_PRINTED_AS.get(what, what)}"
    return made_of if name not in columns and made_of in columns else name


def scores_of_winners(cells: polars.Series) -> dict[str, polars.Series]:
    """Results and points of both sides in a column of scores in a table of winners and losers.

    Empty cells are games without a result, unless the other cells only mark ties.
    """
    words = [word for word in cells.unique().to_list() if word not in UNKNOWN]
    empty = are_in(cells, UNKNOWN)
    empty &= not empty.all() and ties_in(words) != {*words}
    columns = {"score": polars.Series(np.where(empty, "", "1").tolist(), dtype=polars.String)}
    goals = {word: goal for word, goal in goals_of(words).items() if goal.tail not in (DECIDED, AWARDED)}
    for side, points in (("winner", "first"), ("loser", "second")) if goals else ():
        points_of_word = {word: f"{getattr(goal, points):g}" for word, goal in goals.items()}
        columns[f"{side}_goals"] = cells.replace_strict(points_of_word, default="", return_dtype=polars.String)
    if goals and any(sets_won(word) != (0, 0) for word in words):
        leads = {word: f"{lead_in_sets(word):g}" for word in words}
        columns[LEAD] = cells.replace_strict(leads, default="", return_dtype=polars.String)
    return columns


def numbers_of_seats(covariates: Mapping[str, Values]) -> dict[str, Values]:
    """Numbers of winners and losers, such as ages, as those of the first and the second seat; ranks are rankings."""
    of_seats: dict[str, Values] = {}
    for name in [name for name in covariates if name.startswith("winner_") and name not in _OF_WINNERS]:
        what = name.removeprefix("winner_")
        values = covariates[name], covariates.get(f"loser_{what}")
        if values[1] is not None and values[0].dtype.kind == values[1].dtype.kind == "f":
            what = next((seated for seated, printed in _PRINTED_AS.items() if printed == what), what)
            of_seats |= {f"white_{what}": values[0], f"black_{what}": values[1]}
    return of_seats

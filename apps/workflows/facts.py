"""Goals instead of results in a rating list, if they forecast held-out games of the same file better."""

import numpy as np
import pandas as pd

from halfpoint.evaluation.worth_of_goals import FEWEST, MOST, MOST_PLAYERS, Played, worth_of_goals
from halfpoint.models.games.lead_index import days_of
from halfpoint.models.games.select import Selection
from halfpoint.models.reading.reads import neutral_ground

_BY_GOALS = {
    f"davidson-{pairings}{ground}": f"goals-{pairings}{ground.removeprefix('-neutral')}"
    for pairings in ("matched", "mixed")
    for ground in ("", "-neutral", "-walk", "-yearly-walk")
}


def with_facts(name: str, selection: Selection) -> tuple[str, str]:
    """The row of goals for a row of results, if goals improve forecasts of held-out games, and a remark.

    The remark is empty if games have no goals, or are too few for a trial.
    """
    row, games = _BY_GOALS.get(name), selection.games
    plain = selection.sides is None and not selection.has_anchors and selection.weighting == "equal"
    if row is None or not plain or not games.has_margins or len(selection) < FEWEST:
        return name, ""
    if games.date is not None and np.isnat(games.date).any():
        return name, ""
    played = _latest(selection)
    if played is None:
        return name, ""
    worth = worth_of_goals(played)
    words = (
        f"on {worth.games} held-out games of the file they improve forecasts by {worth.gain:+.4f} "
        f"({worth.gain_error:.4f}) nats a "
        f"game, with weight {worth.weight:.1f} ({worth.weight_error:.1f}) in a pool with results"
    )
    if not worth.used:
        return name, f"facts: goals are not used: {words} (--model {row} uses them)"
    return row, f"facts: goals are used: {words} (--facts none leaves them out)"


def _latest(selection: Selection) -> Played | None:
    """The latest games in the order of days; None with too many players or if goal differences do not vary."""
    games = selection.games
    day = days_of(games)
    order = np.argsort(day, kind="stable")[-MOST:]
    seats = np.stack([selection.white, selection.black])[:, order]
    codes, players = pd.factorize(seats.ravel())
    if players.size > MOST_PLAYERS or not np.ptp(games.margin[order]):
        return None
    white, black = codes.reshape(seats.shape)
    seated = neutral_ground(games)
    seats_differ = np.ones(order.size) if seated is None else seated[order]
    return Played(white, black, games.score[order], games.margin[order], day[order], seats_differ)

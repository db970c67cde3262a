"""A match of two teams over boards, from a trace of `rate`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.digits import in_percent, interval
from halfpoint.evaluation.matches import check_draws_exist, scores_of
from halfpoint.evaluation.report.listing import listing
from halfpoint.evaluation.report.page import Page, Section
from halfpoint.fields.lineups.boards import (
    HALF_POINTS,
    MATCH_POINTS,
    TAILS,
    Meeting,
    chances_of,
    results_of,
    white_boards,
)
from halfpoint.fields.lineups.read_teams import Team, read_teams
from halfpoint.games.errors import GameTableError
from halfpoint.games.sides import seats_named
from halfpoint.games.table import Floats
from halfpoint.models.posterior_reader import reading_of
from halfpoint.workflows.answer import Answer, about_trace, answer_page
from halfpoint.workflows.answers import Trace, trace_from

type White = Literal["odd", "even"]
_WORTH = (
    "Match points: 2 for more than half of the board points, 1 for half. Intervals of 95%: what the games leave open."
)


@dataclass(frozen=True, eq=False, repr=False)
class _TeamMatch(Answer):
    """A match of two teams.

    Of `frame` a row is a board: both players, who has White; the first team's chances in percent and expected points
    with their interval of 95% over the draws. `about` has the first team's board_points and match_points with _low and
    _high (95%), win_percent, draw_percent and loss_percent of the match; title and note.
    """

    scores: Answer  #: the chance of each score of the first team

    def page(self) -> Page:
        """The page: the boards, and the chance of each score under them."""
        chance = listing(self.scores.frame, "scores-list", "Chance of each score")
        return answer_page(self.frame, self.about, further=(Section("scores", "Scores", [chance]),))


def _two_teams(
    trace: Trace, teams: Sequence[str | Path] | Sequence[Team], white: White
) -> tuple[xr.DataTree, list[Team], Meeting]:
    """A trace and the match of the two teams."""
    tree = trace_from(trace)
    reading = reading_of(tree)
    check_draws_exist(reading, tree)
    given = [one for one in teams if isinstance(one, Team)]
    found = given or read_teams([one for one in teams if not isinstance(one, Team)], reading.players.tolist())
    if len(found) != 2:
        raise GameTableError("teams", "two teams", str(len(found)))
    first, second = ([reading.index(player) for player in team.players] for team in found)
    played = white_boards(len(first), white == "odd")
    return tree, found, Meeting(chances_of(reading, first, second, played))


def team_match(trace: Trace, teams: Sequence[str | Path] | Sequence[Team], white: White = "odd") -> _TeamMatch:
    """Forecast a match of two teams: board points, match points, the chances of the match and of every board.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes.
    teams : sequence of str or Path, or of Team
        Files of two line-ups (`halfpoint.fields.lineups.read_teams.read_teams`), or the line-ups.
    white : {"odd", "even"}
        On which boards the first team has White.

    Returns
    -------
    TeamMatch

    Raises
    ------
    HalfpointError
        If a file is refused, or a name is nobody's or several players'.
    """
    tree, (one, two), meeting = _two_teams(trace, teams, white)
    words = seats_named(tree.attrs.get("seats"))
    boards = np.arange(meeting.boards)
    chances = meeting.chances[:, boards, boards]
    expected = chances @ HALF_POINTS
    low, high = np.quantile(expected, TAILS, axis=0)
    has = white_boards(meeting.boards, white == "odd")
    frame = pd.DataFrame({
        "board": boards + 1, one.name: one.players, two.name: two.players,
        words.first.lower(): np.where(has, one.name, two.name),
    } | {
        f"{name}_percent": 100.0 * value
        for name, value in zip(("loss", "draw", "win"), chances.mean(axis=0).T, strict=True)
    } | {"points": expected.mean(axis=0), "points_low": low, "points_high": high})  # fmt: skip
    transform = meeting.match()
    results = results_of(transform)
    loss, draw, win = results.mean(axis=0).tolist()
    points = {"board_points": _over_draws(meeting.board_points()), "match_points": _over_draws(results @ MATCH_POINTS)}
    said = (
        f"{one.name} wins {in_percent(win)}, drawn {in_percent(draw)}, {two.name} wins {in_percent(loss)}. "
        f"{one.name} has {interval(points['board_points'])} of {meeting.boards} board points and "
        f"{points['match_points']['mean']:.2f} ({points['match_points']['low']:.2f} to "
        f"{points['match_points']['high']:.2f}) of 2 match points."
    )
    about = about_trace(tree, f"{one.name} against {two.name} on {meeting.boards} boards")
    about |= {
        f"{name}{end}": value[key]
        for name, value in points.items()
        for key, end in (("mean", ""), ("low", "_low"), ("high", "_high"))
    }
    about |= {"win_percent": 100.0 * win, "draw_percent": 100.0 * draw, "loss_percent": 100.0 * loss}
    chance = scores_of(transform.mean(axis=0))
    scores = pd.DataFrame({"score": np.arange(chance.size) / 2.0, "probability_percent": 100.0 * chance})
    note = f"Loss, draw, win and points are {one.name}'s.\n{said}\n{_WORTH}"
    return _TeamMatch(frame, about | {"answer": said, "note": note}, Answer(scores, about))


def _over_draws(values: Floats) -> dict[str, float]:
    """The mean of draws and their interval of 95%."""
    low, high = np.quantile(values, TAILS)
    return {"mean": float(values.mean()), "low": float(low), "high": float(high)}

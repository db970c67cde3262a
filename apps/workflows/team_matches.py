"""Matches and leagues of teams over boards, from a trace of single players."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.pages.listing import listing
from halfpoint.apps.pages.page import Page, Section
from halfpoint.apps.workflows.answer import Answer, about_trace, answer_page
from halfpoint.apps.workflows.answers import Trace, colours_of, trace_from
from halfpoint.apps.workflows.beside.line_ups import LineUp, read_line_ups
from halfpoint.apps.workflows.executor import each
from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.first_sentences.leaders import game_in_words
from halfpoint.evaluation.matches import TOURNAMENTS, check_draws_exist, scores_of
from halfpoint.evaluation.team_matches import MATCH_POINTS, team_league_of, team_match_of
from halfpoint.evaluation.tournament_options import SIMULATIONS
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players, find_players
from halfpoint.models.games.ranges import SEED
from halfpoint.models.games.sides import seats_named
from halfpoint.models.games.table import POINTS, Floats

type LineUps = str | Path | Sequence[LineUp]
_TAILS = (0.025, 0.975)
_WORTH = "Match points: 2 for more than half of the board points, 1 for half. 95% posterior intervals."


@dataclass(frozen=True, eq=False, repr=False)
class TeamMatch(Answer):
    """Forecast of a match of two teams.

    A row of `frame` is a board: both players, the player with White; the first team's probabilities in percent and
    expected points with their 95% interval over the draws. `about` has the first team's board_points and match_points
    with _low and _high, and win_percent, draw_percent and loss_percent of the match.
    """

    scores: Answer  #: the chance of each score of the first team

    def page(self) -> Page:
        """Page: the boards, and the chance of each match score."""
        chance = listing(self.scores.frame, "scores-list", "Chance of each score")
        return answer_page(self.frame, self.about, further=(Section("scores", "Scores", [chance]),))


def _entered(trace: Trace, boards: LineUps) -> tuple[xr.DataTree, Reading, list[LineUp], list[list[int]], str]:
    """A trace, its model, teams, their players as the trace spells them and by place, and notes on the file."""
    tree = trace_from(trace)
    reading = reading_of(tree)
    check_draws_exist(reading, tree)
    teams, notes = read_line_ups(boards) if isinstance(boards, str | Path) else (list(boards), ())
    typed = [player for team in teams for player in team.players]
    source = str(boards) if isinstance(boards, str | Path) else "boards"
    meant = iter(find_players(typed, reading.players.tolist(), source))
    teams = [LineUp(team.team, tuple(next(meant) for _ in team.players)) for team in teams]
    return (
        tree,
        reading,
        teams,
        [[reading.index(player) for player in team.players] for team in teams],
        "".join(f" {note}." for note in notes),
    )


def _over_draws(values: Floats) -> dict[str, float]:
    """Mean of draws and their 95% interval."""
    low, high = np.quantile(values, _TAILS)
    return {"mean": float(values.mean()), "low": float(low), "high": float(high)}


def team_match(
    trace: Trace, boards: LineUps, first: str | None = None, second: str | None = None, colours: str = "alternate"
) -> TeamMatch:
    """Forecast a match of two teams: board points, match points, probabilities of the match and of every board.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes.
    boards : str or Path, or sequence of LineUp
        A CSV file of line-ups (`halfpoint.apps.workflows.beside.line_ups`), or the line-ups.
    first, second : str, optional
        Two of the teams; by default the teams of a file with two.
    colours : str
        The first team's seat on each board: "alternate" (White on board 1), "white", "black", or letters, "WBBW".

    Returns
    -------
    Answer
        One row per board; `about["answer"]` has the probabilities of the match.

    Raises
    ------
    HalfpointError
        If a file is refused, a name fits no player or team, or several, or the colours do not fit the boards.
    """
    tree, reading, teams, places, notes = _entered(trace, boards)
    team_names = Players((team.team for team in teams), "a team with a line-up", "Teams")
    if (first is None or second is None) and len(teams) != 2:
        raise GameTableError(
            "teams", "the names of two teams", f"{len(teams)} teams", f"Name two of {team_names.names}."
        )
    pair = (
        (0, 1) if first is None or second is None else (team_names.find(first, "team"), team_names.find(second, "team"))
    )
    if pair[0] == pair[1]:
        raise GameTableError("teams", "two different teams", repr(first))
    first_team, second_team = (teams[place] for place in pair)
    words = seats_named(tree.attrs.get("seats"))
    word = colours_of(colours, len(first_team.players), tree.attrs.get("seats"))
    if len(word) != len(first_team.players):
        raise GameTableError("--colours", f"{len(first_team.players)} letters, one a board", repr(colours))
    white = np.array([letter == "W" for letter in word])
    match = team_match_of(reading, places[pair[0]], places[pair[1]], white)
    expected = match.chances @ POINTS
    low, high = np.quantile(expected, _TAILS, axis=0)
    frame = pd.DataFrame({
        "board": np.arange(len(word)) + 1, first_team.team: first_team.players, second_team.team: second_team.players,
        words.first.lower(): np.where(white, first_team.team, second_team.team),
    } | {
        f"{name}_percent": 100.0 * value
        for name, value in zip(("loss", "draw", "win"), match.chances.mean(axis=0).T, strict=True)
    } | {"points": expected.mean(axis=0), "points_low": low, "points_high": high})  # fmt: skip
    results = match.results
    loss, draw, win = results.mean(axis=0).tolist()
    points = {"board_points": _over_draws(match.board_points), "match_points": _over_draws(results @ MATCH_POINTS)}
    answer = f"{game_in_words(first_team.team, second_team.team, win, draw, loss, ' the match')}."
    about = about_trace(tree, f"{first_team.team} against {second_team.team} on {len(word)} boards")
    about |= {
        f"{name}{end}": value[key]
        for name, value in points.items()
        for key, end in (("mean", ""), ("low", "_low"), ("high", "_high"))
    }
    about |= {"win_percent": 100.0 * win, "draw_percent": 100.0 * draw, "loss_percent": 100.0 * loss}
    chance = scores_of(match.score.mean(axis=0))
    scores = pd.DataFrame({"score": np.arange(chance.size) / 2.0, "probability_percent": 100.0 * chance})
    note = (
        f"{first_team.team} is expected to score {interval(points['board_points'])} of {len(word)} board points and "
        f"{points['match_points']['mean']:.2f} ({points['match_points']['low']:.2f} to "
        f"{points['match_points']['high']:.2f}) of 2 match points. Loss, draw, win and points are those of "
        f"{first_team.team}. {_WORTH}{notes}"
    )
    return TeamMatch(frame, about | {"answer": answer, "note": note}, Answer(scores, about))


def team_league(
    trace: Trace,
    boards: LineUps,
    double: bool = False,
    seed: int = 1,
    simulations: int = TOURNAMENTS,
    executor: Executor | None = None,
) -> Answer:
    """Forecast a round robin of teams: match points, board points, title, and the teams' ratings.

    Parameters
    ----------
    trace, boards
        As in `team_match`, two teams or more.
    double : bool
        All teams meet twice, with White on odd boards in one of the two matches.
    seed, simulations : int
        Seed and number of the simulated leagues.
    executor : concurrent.futures.Executor, optional
        Executor of the simulations; by default this process.

    Returns
    -------
    Answer
        team, rating_elo (mean of its players) with low_elo and high_elo (95%), match_points and board_points (exact for
        the draws), table_low and table_high (95% of the final table), title_percent with mc_error_percent.

    Raises
    ------
    HalfpointError
        As in `team_match`.
    """
    SIMULATIONS.require("simulations", simulations, GameTableError)
    SEED.require("seed", seed, GameTableError)
    tree, reading, teams, places, notes = _entered(trace, boards)
    rating = tree["posterior"].to_dataset()["rating_elo"].stack(sample=("chain", "draw"))
    means = [rating.sel(player=list(team.players)).mean("player").to_numpy() for team in teams]
    low, high = np.quantile(means, _TAILS, axis=1)
    frame = team_league_of(reading, places, double, seed, simulations, partial(each, executor=executor))
    rated = pd.DataFrame({"team": [team.team for team in teams], "rating_elo": np.mean(means, axis=1)})
    frame = rated.assign(low_elo=low, high_elo=high).join(frame)
    frame = frame.sort_values(["match_points", "board_points"], ascending=False, kind="stable", ignore_index=True)
    how = f"League of {len(teams)} teams on {len(places[0])} boards, all meet {'twice' if double else 'once'}"
    note = (
        f"A team's rating is the mean of its players. Match points and board points are exact for the draws; table_low "
        f"to table_high (95%) and the title are from {simulations:,} simulated leagues. Equal match points share the "
        f"title; line-ups do not change. {_WORTH}{notes}"
    )
    return Answer(frame, about_trace(tree, how) | {"note": note})

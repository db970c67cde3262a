"""An arena of models that a site follows: the leaderboard, and wins of each model against each other model."""

import pandas as pd

from halfpoint.apps.fields.arena.list import leaderboard
from halfpoint.apps.workflows.followed import Followed, Source
from halfpoint.apps.workflows.forecasts import days_in_print
from halfpoint.apps.workflows.options import Run
from halfpoint.inference.traces.netcdf import write


def arena(source: Source, run: Run) -> Followed:
    """A leaderboard of judgements, with the numbers of `halfpoint leaderboard`."""
    reader = dict(source.reader) or None
    board = leaderboard(list(source.games), reader=reader, seed=source.seed, say=run.say, progress=run.progress)
    if source.trace is not None:
        write(board.trace, source.trace)
    noun, games = str(board.about["noun"]), board.board.games
    words = {0: f"{board.about['second']} wins", 1: "tie", 2: f"{board.about['first']} wins"}
    columns: dict[str, object] = {"first": games.white_names, "second": games.black_names}
    if (days := days_in_print(games)) is not None:
        columns["day"] = days
    columns |= {"result": [words[outcome] for outcome in games.outcome.tolist()], "score": games.score}
    frame = board.frame.rename(columns={noun: "name"})
    return Followed(noun, "elo", frame, pd.DataFrame(columns), dict(board.about), played=board.board.judgements.unit)

"""The tables of a study run: DIR/tables, written from its traces."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import xarray as xr

from halfpoint.cli.predictive import Judgement, judge_references, judge_trace, sets_of, whole_advantage
from halfpoint.cli.study_games import StudyGames
from halfpoint.evaluation.draws import model_draws
from halfpoint.evaluation.predictive import predictive_table
from halfpoint.evaluation.predictive_text import predictive_markdown
from halfpoint.evaluation.published_table import published_table, verdict_counts, verdict_line
from halfpoint.evaluation.reproduction import Reproduction
from halfpoint.evaluation.tables import rating_list
from halfpoint.games.whole_file import write_text
from halfpoint.models.catalogue import find


def write_tables(traces: Sequence[xr.DataTree], games: StudyGames, folder: Path) -> list[str]:
    """Write every table of a run; return what to tell on the terminal, one line a table.

    Parameters
    ----------
    traces : sequence of xarray.DataTree
        The run's traces.
    games : StudyGames
        Its games.
    folder : Path
        The run's folder; tables go to `tables/` in it.
    """
    tables = folder / "tables"
    judgement = judged(traces, games)
    predictive = predictive_table(judgement.lines)
    write_text(tables / "predictive.csv", csv_text(predictive))
    write_text(tables / "predictive.md", predictive_markdown(judgement.lines))
    write_text(tables / "calibration.csv", csv_text(pd.concat(judgement.calibration, ignore_index=True)))
    write_text(tables / "ratings.csv", csv_text(rating_lists(traces)))
    told = [f"{len(predictive)} forecasts judged on sets A and B: {tables / 'predictive.csv'}"]
    computed = {tree.attrs["model"]: model_draws(tree) for tree in traces if tree.attrs["edition"] == "computed"}
    if computed and not games.simulated:
        published = published_table(Reproduction(computed, games.training, games.set_a, games.set_b))
        write_text(tables / "published.csv", csv_text(published))
        write_text(tables / "verdicts.csv", csv_text(verdict_counts(published)))
        told.append(f"{verdict_line(published)}: {tables / 'published.csv'}")
    return told


def judged(traces: Sequence[xr.DataTree], games: StudyGames) -> Judgement:
    """Return the judgement of all traces on the test sets, one set after the other, reference models first."""
    sets = sets_of(games.set_b, games.training.players.tolist())
    common = {
        (tree.attrs["family"], find(tree.attrs["model"]).weighted, tree.attrs["edition"]): whole_advantage(tree)
        for tree in traces
        if tree.attrs["advantage"] == "common"
    }
    judgement = Judgement()
    judge_references(sets, judgement)
    for tree in traces:
        key = (tree.attrs["family"], find(tree.attrs["model"]).weighted, tree.attrs["edition"])
        judge_trace(tree, sets, common.get(key), judgement)
    order = list(sets.sets)
    judgement.lines.sort(key=lambda line: order.index(line.set))
    return judgement


def rating_lists(traces: Sequence[xr.DataTree]) -> pd.DataFrame:
    """Return the rating lists of all traces below each other: name, edition, player, mean, sd, low, high (Elo)."""
    lists = []
    for tree in traces:
        one = rating_list(tree["posterior"].to_dataset()["rating_elo"])
        one.insert(0, "name", tree.attrs["model"])
        one.insert(1, "edition", tree.attrs["edition"])
        lists.append(one)
    return pd.concat(lists, ignore_index=True)


def csv_text(table: pd.DataFrame) -> str:
    """Return a table as CSV, every cell as it is: the files are a contract for programs."""
    return str(table.to_csv(index=False, lineterminator="\n"))

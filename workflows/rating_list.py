"""One rating list from one selection of games: sampled or taken from a finished trace, and written out.

The trace is written as soon as it is drawn, then the list and the page. A run that was stopped before leaves the files
of the run before it; one that was stopped after finds its trace again and does not sample anew.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.report.explorer import explorer_page
from halfpoint.evaluation.tables import first_move_and_draws, first_move_and_draws_in_words, rating_list
from halfpoint.games.atomic_write import whole_files
from halfpoint.games.errors import printable
from halfpoint.games.select import Selection
from halfpoint.inference.sample import sample
from halfpoint.inference.trace_record import constant_data
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import Edition, declare
from halfpoint.workflows.answer_text import as_csv, as_json
from halfpoint.workflows.explorer_page import record_of
from halfpoint.workflows.grid import Settings, reusable
from halfpoint.workflows.intake import Account
from halfpoint.workflows.level import ATTRIBUTE, anchored, levelled, put_level

EDITION: Edition = "corrected"


def trace_of(
    selection: Selection, model: str, settings: Settings, path: Path, account: Account, force: bool, progress: bool
) -> xr.DataTree:
    """Return the trace at `path` if it is of these very games, model and settings; else sample, and write it there."""
    tree = None if force or not path.is_file() else reusable(path, selection, model, EDITION, settings)
    if tree is not None and same_games(tree, selection):
        known = "the finished trace of these games and settings is used again; --force samples anew"
        account.tell(f"{printable(str(path))}: {known}")
        if not anchored(tree) and ATTRIBUTE not in tree.attrs:
            put_level(tree, selection)
            write(tree, path)
        return tree
    account.tell(
        f"{model}: {settings.chains} chains of {settings.tune} tuning and {settings.draws} kept draws; "
        "compiling takes up to a minute the first time"
    )
    tree = sample(
        declare(model, selection, EDITION),
        draws=settings.draws,
        tune=settings.tune,
        chains=settings.chains,
        seed=settings.seed,
        progress=progress,
        adapt=True,
    )
    if tree.attrs["sampling"]:
        account.tell(f"{model}: {tree.attrs['sampling']}")
    put_level(tree, selection)
    write(tree, path)
    return tree


def same_games(tree: xr.DataTree, selection: Selection) -> bool:
    """Return whether a trace is of exactly these games: players, colours, scores, anchors, weights and times.

    The file's hash is not enough: accepted names, dropped duplicates and filters change the games of one file.
    """
    known, wanted = tree["constant_data"].to_dataset(), constant_data(selection)
    if set(known.variables) != set(wanted.variables):
        return False
    pairs = [(known[name].to_numpy(), wanted[name].to_numpy()) for name in wanted.variables]
    pairs.append((tree["observed_data"]["score"].to_numpy(), selection.games.score))
    return all(alike(one, other) for one, other in pairs)


def alike(one: Any, other: Any) -> bool:
    """Return whether two arrays hold the same, missing values included."""
    if one.shape != other.shape:
        return False
    if one.dtype.kind in "fM":
        return bool(np.array_equal(one, other.astype(one.dtype), equal_nan=True))
    return bool(np.array_equal(one.astype(other.dtype), other))


def rated(
    tree: xr.DataTree, selection: Selection, folder: Path, account: Account
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Write ratings.csv, ratings.json and report.html of a trace; return the list and what it is about."""
    ratings, level = levelled(tree)
    converged = bool(tree.attrs["converged"])
    listed = rating_list(ratings)
    played = sum(
        np.bincount(side[side >= 0], minlength=selection.players.size) for side in (selection.white, selection.black)
    )
    games_of = dict(zip(selection.players.tolist(), np.asarray(played).tolist(), strict=True))
    table = pd.DataFrame(
        {
            "rank": np.arange(1, len(listed) + 1),
            "player": listed["player"],
            "rating_elo": listed["mean"],
            "sd_elo": listed["sd"],
            "low_elo": listed["low"],
            "high_elo": listed["high"],
            "games": [games_of[name] for name in listed["player"]],
            "converged": converged,
        }
    )
    model = str(tree.attrs["model"])
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    steps = [line.partition("\n")[0] for line in account.lines]  # details are on the terminal
    about = {
        "title": f"{len(table)} players rated by {model} on {len(selection)} games",
        "model": model,
        "data": selection.games.name,
        "sha256": selection.games.sha256,
        "simulated": selection.games.simulated,
        "verdict": tree.attrs["verdict"],
        "converged": converged,
        "level": level,
        "account": "; ".join(steps),
        **shared,
        "shared": first_move_and_draws_in_words(shared),
    }
    warning = "" if converged else f"The sampler did NOT converge ({tree.attrs['verdict']}): do not use these numbers."
    page = explorer_page(record_of(tree, ratings, [level, *steps]), warning)
    texts = {"ratings.csv": as_csv(table), "ratings.json": as_json(table, about), "report.html": page}
    with whole_files(*(folder / name for name in texts)) as files:
        for file, text in zip(files, texts.values(), strict=True):
            file.write_text(text, encoding="utf-8", newline="")
    return table, about

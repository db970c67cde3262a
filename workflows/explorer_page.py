"""The explorer of one trace: probabilities from the draws, results from the games."""

from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.report.explorer import Chances, explorer_record, explorer_section, results_of, thinned_draws
from halfpoint.evaluation.report.page import ReportSection
from halfpoint.evaluation.statements import ratings_by_month
from halfpoint.evaluation.tables import first_move_and_draws, first_move_and_draws_in_words, rating_list
from halfpoint.inference.traces import read
from halfpoint.models.catalogue import EDITIONS
from halfpoint.models.reading import Reading, reading_of
from halfpoint.workflows.level import by_month, levelled

MAX_PAIRED = 120  # players set against each other: the best of the list
EXPLORED = ("davidson-scaled", "davidson-common", "davidson-player", "davidson")  # the first of a run that is there


def explore_section(traces: Path, failed: frozenset[tuple[str, str]]) -> ReportSection | None:
    """Return the explorer of one trace of a run: the first of `EXPLORED`, of the most corrected edition.

    Parameters
    ----------
    traces : Path
        Folder of `NAME--EDITION.nc`.
    failed : frozenset of (name, edition)
        Runs that did not converge; one of them is shown only if there is no other.
    """
    wanted = [(name, edition) for name in EXPLORED for edition in reversed(EDITIONS)]
    there = [one for one in wanted if (traces / f"{one[0]}--{one[1]}.nc").is_file()]
    if not there:
        return None
    name, edition = next((one for one in there if one not in failed), there[0])
    warning = "" if (name, edition) not in failed else f"{name} ({edition}) did NOT converge."
    return ReportSection(markup=explorer_section(record_of(read(traces / f"{name}--{edition}.nc"))), warning=warning)


def record_of(
    tree: xr.DataTree, ratings: xr.DataArray | None = None, notes: list[str] | None = None
) -> dict[str, object]:
    """Return the explorer's record of a trace.

    Parameters
    ----------
    tree : xarray.DataTree
        A trace of a model of the catalogue.
    ratings : xarray.DataArray, optional
        Ratings in Elo points to show, dims chain, draw, player; the trace's own by default.
    notes : list of str, optional
        Further sentences above the list.
    """
    posterior, constant, attributes = tree["posterior"].to_dataset(), tree["constant_data"].to_dataset(), tree.attrs
    players = posterior["player"].to_numpy().astype(np.str_)
    results = results_of(
        constant["white"].to_numpy(),
        constant["black"].to_numpy(),
        tree["observed_data"]["score"].to_numpy(),
        players.size,
    )
    simulated = " SIMULATED" if attributes["data_simulated"] else ""
    sentences = [
        f"{attributes['games']} games, {attributes['players']} players; edition {attributes['edition']}, "
        f"weights {attributes['weighting']}; sampler: {attributes['verdict']}",
        first_move_and_draws_in_words(first_move_and_draws(posterior)),
        *(notes or []),
    ]
    about = {
        "title": f"{attributes['model']} on {attributes['data_name'].replace(' SIMULATED', '')}{simulated}",
        "text": ". ".join(filter(None, sentences)) + ".",
    }
    listed = rating_list(levelled(tree)[0] if ratings is None else ratings)
    months = None
    if "rating_elo_by_month" in posterior:
        moving = ratings_by_month(by_month(tree)).rename(columns={"month": "time"})
        months = {str(name): part for name, part in moving.groupby("player")}
    chances = chances_of(reading_of(tree), listed["player"].to_numpy(dtype=np.str_)[:MAX_PAIRED])
    return explorer_record(
        listed,
        chances,
        dict(zip(players.tolist(), results, strict=True)),
        about,
        advantages_of(posterior),
        months,
        inclinations_of(reading_of(tree)),
    )


def chances_of(reading: Reading, players: np.typing.NDArray[np.str_]) -> Chances:
    """Return mean and 95% interval of loss, draw, win and expected score of every pair of the named players."""
    seat = np.array([reading.index(name) for name in players.tolist()], dtype=np.int32)
    rows = thinned_draws(reading.p["strength"].shape[0])
    thin = reading.thinned(rows)
    count = seat.size
    summary = np.zeros((count, count, 4, 3), dtype=np.float32)
    for place in range(count):
        probability = thin.pairing(np.full(count, seat[place], dtype=np.int32), seat)
        total = probability.sum(axis=-1, keepdims=True)
        score = (probability[..., 2:] + probability[..., 1:2] / 2) / total
        every = np.concatenate([probability, score], axis=-1)
        low, high = np.quantile(every, [0.025, 0.975], axis=0)
        summary[place] = np.stack([every.mean(axis=0), low, high], axis=-1)
    return Chances(players, summary, reading.model.outcome.draws, int(rows.size))


def inclinations_of(reading: Reading) -> pd.DataFrame | None:
    """Return each player's share of draws with an equal who draws like the others, percent; None where all are alike.

    Returns
    -------
    DataFrame or None
        player, mean, low and high (95%), and usual, the mean share for everybody.
    """
    if "draw_tendency" not in reading.p:
        return None
    outcome, level = reading.model.outcome, reading.p["log_draw"]
    share = 100.0 * outcome.draw_rate(level[:, None] + reading.p["draw_tendency"])
    low, high = np.quantile(share, [0.025, 0.975], axis=0)
    usual = 100.0 * float(outcome.draw_rate(level).mean())
    table = {"player": reading.players, "mean": share.mean(axis=0), "low": low, "high": high}
    return pd.DataFrame(table | {"usual": np.full(reading.players.size, usual)})


def advantages_of(posterior: xr.Dataset) -> pd.DataFrame | None:
    """Return each player's whole advantage and interval in Elo points; None where players have none of their own."""
    if "advantage_elo" not in posterior or "player" not in posterior["advantage_elo"].dims:
        return None
    return rating_list(posterior["advantage_elo"])

"""What a study run says of its models besides their fit: prior sensitivity, and posterior predictive figures."""

import logging
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.figures.parameters import check_by_group
from halfpoint.evaluation.prior_checks import sensitivity
from halfpoint.games.select import Selection
from halfpoint.inference.forecast import forecast
from halfpoint.study.posterior_checks import Quantity, by_player, by_rating_gap, simulate

logger = logging.getLogger("arviz_stats.psense")
CHECKED = ("davidson-common", "davidson-scaled", "davidson-all-draws")
SEED = 1
DRAWS = 200  # simulated sets of games
PLAYERS = "players' ratings"
QUANTITIES: Mapping[Quantity, str] = {"draw": "share of draws", "score": "score"}


def sensitivities(traces: Sequence[xr.DataTree]) -> tuple[pd.DataFrame, list[str]]:
    """Return by run and parameter how far power-scaling moves the posterior; and a line on each run that is left out.

    All ratings of a run stand in one line, that of the player whose rating the prior moves most.
    """
    rows: list[list[object]] = []
    left_out: list[str] = []
    logger.setLevel(logging.ERROR)  # ArviZ tells each time where to read about it
    for tree in traces:
        try:
            table = sensitivity(tree)
        except EvaluationError as error:
            left_out.append(f"{tree.attrs['model']}--{tree.attrs['edition']}: {error}")
            continue
        ratings = table.index.str.startswith("rating_elo")
        worst = table[ratings].nlargest(1, "prior")
        for label, line in pd.concat([table[~ratings], worst]).iterrows():
            name = str(label).replace("rating_elo", PLAYERS)
            said = "none" if line["diagnosis"] == "✓" else line["diagnosis"]
            rows.append([tree.attrs["model"], tree.attrs["edition"], name, line["prior"], line["likelihood"], said])
    columns = ["name", "edition", "parameter", "prior", "likelihood", "diagnosis"]
    return pd.DataFrame(rows, columns=columns), left_out


def add_checks(
    add: Callable[..., None], traces: Sequence[xr.DataTree], selection: Selection, names: Mapping[str, str]
) -> None:
    """Add posterior predictive figures of the training games for the models of `CHECKED` that the run has."""
    trees = {tree.attrs["model"]: tree for tree in traces}
    for model in [name for name in CHECKED if name in trees]:
        tree = trees[model]
        edition, sizes = tree.attrs["edition"], tree["posterior"].sizes
        thin, runs = max(1, sizes["chain"] * sizes["draw"] // DRAWS), [(model, edition)]
        probability = np.moveaxis(forecast(tree, selection.games, thin=thin).probability, 0, -1)
        simulated = simulate(probability.reshape(-1, len(selection), 3), SEED)
        for quantity, words in QUANTITIES.items():
            by_gap = by_rating_gap(selection, simulated, quantity)
            shown = words if quantity == "draw" else "White's score"
            title = f"{model}: {shown} by rating gap (Elo)"
            add("check-gap", runs, check_by_group, by_gap, shown, title, what=shown, quantity=quantity)
            own = by_player(selection, simulated, quantity).rename(index=names)
            found = {"strange": int((own["tail"] < 0.05).sum()), "players": len(own)}
            title = f"{model}: {words} by player"
            add("check-player", runs, check_by_group, own, words, title, what=words, quantity=quantity, **found)

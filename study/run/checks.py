"""What a study run says of its models besides their fit: how far priors move their posteriors."""

import logging
from collections.abc import Sequence

import pandas as pd
import xarray as xr

from halfpoint.evaluation.prior_checks import sensitivity
from halfpoint.games.errors import HalfpointError
from halfpoint.games.select import Selection
from halfpoint.inference.traces.trace_groups import with_groups
from halfpoint.models.declared import declare_model
from halfpoint.models.posterior_reader import model_in

_logger = logging.getLogger("arviz_stats.psense")
_PLAYERS = "players' ratings"


def sensitivities(traces: Sequence[xr.DataTree], games: Selection) -> tuple[pd.DataFrame, list[str]]:
    """By run and parameter how far power-scaling moves the posterior; and a line on each run that is left out.

    All ratings of a run stand in one line, that of the player whose rating the prior moves most.
    """
    rows: list[list[object]] = []
    left_out: list[str] = []
    _logger.setLevel(logging.ERROR)  # ArviZ tells each time where to read about it
    for tree in traces:
        try:
            table = sensitivity(with_groups(tree, declare_model(model_in(tree.attrs), games), ["log_prior"]))
        except HalfpointError as error:
            left_out.append(f"{tree.attrs['model']}--{tree.attrs['edition']}: {error}")
            continue
        ratings = table.index.str.startswith("rating_elo")
        worst = table[ratings].nlargest(1, "prior")
        for label, line in pd.concat([table[~ratings], worst]).iterrows():
            name = str(label).replace("rating_elo", _PLAYERS)
            said = "none" if line["diagnosis"] == "✓" else line["diagnosis"]
            rows.append([tree.attrs["model"], tree.attrs["edition"], name, line["prior"], line["likelihood"], said])
    columns = ["name", "edition", "parameter", "prior", "likelihood", "diagnosis"]
    return pd.DataFrame(rows, columns=columns), left_out

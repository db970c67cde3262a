"""Margins in a list by a model of margins: their unit, the first seat's advantage and the spread of a game in words."""

import numpy as np
import xarray as xr

from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.margin import unit_of
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import LEAD

_OBSERVED = {"shots": "a game's index of goals and shots", "index": "a game's index"}  # by formula
_UNITS = {"index": "index"}


def unit_of_margins(tree: xr.DataTree, selection: Selection) -> float:
    """Margin of the games of one unit of the strengths of a model of margins."""
    formula = formula_named(str(tree.attrs["family"]))
    return 1.0 if formula is None or formula.margin is None else unit_of(formula.margin, selection.games)


def margins_in_words(tree: xr.DataTree, selection: Selection) -> str:
    """First-seat advantage and standard deviation of margins in words; empty for other models."""
    posterior, family = tree["posterior"].to_dataset(), str(tree.attrs["family"])
    if "log_width" not in posterior:
        return ""
    unit = unit_of_margins(tree, selection)
    width = unit * float(np.exp(posterior["log_width"]).mean())
    has_advantage = "advantage_elo" in posterior
    seat = f"the first-seat advantage is {unit * float(posterior['advantage'].mean()):.2f}" if has_advantage else ""
    lead = "" if "month" in posterior["strength"].dims else "`margin` is the lead over the average"
    parts = "; ".join(filter(None, [lead, seat]))
    of_sets = family == "sets" and LEAD in selection.games.covariates
    unit_in_words = "percent of the games of all sets" if of_sets else f"units of the {_UNITS.get(family, 'margin')}"
    spread = f"the standard deviation of {_OBSERVED.get(family, 'a game')} is"
    return f"In {unit_in_words}: {parts}{', and ' if parts else ''}{spread} {width:.2f}"

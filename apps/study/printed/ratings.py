"""Printed ratings and advantages (Pires 2014, table 10 and appendix A; paper table 4) against computed values."""

from collections.abc import Mapping

import pandas as pd

from halfpoint.apps.study.estimates import Estimate, both_errors, posterior_mean
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.files import catalogue_name, lines_of
from halfpoint.apps.study.printed.models import OTHER_WEIGHTS, UNSAMPLED
from halfpoint.apps.study.printed.reproduction import WRONG_WEIGHTS, Reproduction
from halfpoint.evaluation.verdicts import Cell, Explanation
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.study import study_players

_EXCHANGED = {"Leko, Peter": "Le, Quang Liem", "Le, Quang Liem": "Leko, Peter"}
_OTHER = {"static": "weighted", "weighted": "static"}


def _in_unit(estimate: Estimate, scale: str) -> Estimate:
    """Estimate in Elo points converted to the unit of a column: "elo" or "gamma" (natural)."""
    return estimate if scale == "elo" else Estimate(*(float(to_natural(part)) for part in vars(estimate).values()))


def swapped_columns(weighting: str) -> str:
    """Weighting of the numbers under a header of appendix A for Davidson's models."""
    return _OTHER[weighting]


def exchanged_players(name: str) -> str:
    """The player whose weighted gamma is printed for Leko and for Le."""
    return _EXCHANGED.get(name, name)


def _summaries(draws: ModelDraws) -> dict[tuple[str, str], Estimate]:
    """Posterior means by (quantity, player), in Elo points; quantity is "rating" or "delta"."""
    summaries = {}
    for place, player in enumerate(draws.players.tolist()):
        summaries["rating", player] = posterior_mean(draws.study_rating_elo[..., place])
        if draws.study_advantage_elo is not None and draws.study_advantage_elo.ndim == 3:
            summaries["delta", player] = posterior_mean(draws.study_advantage_elo[..., place])
    return summaries


def rating_cells(study: Reproduction) -> list[Cell]:
    """The 1,380 cells of the tables of ratings."""
    in_games = dict(study_players()[["name", "data_name"]].itertuples(index=False, name=None))
    summaries = {name: _summaries(draws) for name, draws in study.models.items()}
    if WRONG_WEIGHTS in summaries:
        summaries["wrong weights"] = _summaries(study.wrong_weights)
    return [_rating_cell(line, summaries, in_games) for line in lines_of("ratings")]


def _rating_cell(
    line: Mapping[str, str], summaries: Mapping[str, Mapping[tuple[str, str], Estimate]], in_games: Mapping[str, str]
) -> Cell:
    """Comparison of one printed rating or advantage."""
    printed, scale, quantity = line["value"], line["scale"], line["quantity"]
    column = f"{quantity} {line['family']} {line['model']} {line['weighting']} {scale}"
    head = (line["source"], line["table"], line["player"], column, printed)
    name = catalogue_name(line["family"], line["model"], line["weighting"])
    swapped_name = catalogue_name(line["family"], line["model"], swapped_columns(line["weighting"]))
    swapped = line["table"] == "AppA" and line["family"] == "davidson"
    key = (quantity, in_games[line["player"]])
    if name not in summaries:
        return Cell(*head, None, otherwise=UNSAMPLED)
    ours = _in_unit(summaries[name][key], scale)
    explanations = []

    def explain(verdict: str, rule: str, estimate: Estimate) -> None:
        value = _in_unit(estimate, scale)
        explanations.append(Explanation(verdict, rule, value.value, both_errors(value)))

    if name == WRONG_WEIGHTS:
        explain(OTHER_WEIGHTS, "weights_of_other_games", summaries["wrong weights"][key])
    if swapped and swapped_name in summaries:
        explain("slip: columns swapped", "swapped_columns", summaries[swapped_name][key])
    if line["player"] in _EXCHANGED and scale == "gamma":
        partner = in_games[exchanged_players(line["player"])]
        explain("slip: players exchanged", "exchanged_players", summaries[name][quantity, partner])
    # A swapped column can come near ours for some players: the slip is the column's, not the cell's.
    faulted = bool(explanations) and explanations[0].gives(printed)
    return Cell(*head, ours.value, both_errors(ours), "", tuple(explanations), faulted=faulted)


def rating_matrix(models: Mapping[str, ModelDraws]) -> pd.DataFrame:
    """Posterior mean ratings in Elo points, players by models."""
    columns = {name: draws.study_rating_elo.mean(axis=(0, 1)) for name, draws in models.items()}
    first = next(iter(models.values()))
    return pd.DataFrame(columns, index=first.players)

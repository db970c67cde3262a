"""The figures of a study run: DIR/figures as PNG, with captions in figures.json."""

import json
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from halfpoint.apps.study.curve_figures import (
    draw_share_by_difference,
    expected_score_over_observed,
    performances,
    win_probability_against_difference,
)
from halfpoint.apps.study.figures.ratings import advantage_intervals, rating_intervals, rating_scatter_matrix
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.run.games import StudyGames
from halfpoint.apps.study.words import words_of
from halfpoint.evaluation.figures.backtest import figure_calibration
from halfpoint.evaluation.figures.sampling import chain_traces, prior_and_posterior
from halfpoint.evaluation.figures.style import save_png
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.results import Results
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.study import study_players

_DOTS_PER_INCH = 110
_CHAINS_OF = {"bt-common-weighted": "AdamsMichael", "davidson-common-weighted": "MamedyarovShakhriyar"}  # paper 1 to 4
_RATING_LISTS = ("bt-common", "bt-common-weighted", "davidson-player", "davidson-player-weighted")
type _Draws = Mapping[tuple[str, str], ModelDraws]
type _Add = Callable[..., None]  # name in captions.csv, runs (name, edition), what draws it, and its arguments


def write_figures(
    draws: _Draws, traces: Sequence[xr.DataTree], games: StudyGames, calibration: pd.DataFrame, place: Results
) -> int:
    """Write the figures possible for a run, and their list; return their number."""
    listed: list[dict[str, object]] = []
    edition = next(run_edition for _, run_edition in draws)

    def _add(
        figure: str, runs: Sequence[tuple[str, str]], draw: Callable[..., Figure], *arguments: object, **words: object
    ) -> None:
        fields = dict(zip(("name", "edition"), runs[0] if runs else ("", edition), strict=True)) | words
        name, title, caption = (text.format(**fields) for text in words_of("captions")[figure].values())
        save_png(draw(*arguments), place.aside(f"figures/{name}.png"), _DOTS_PER_INCH)
        listed.append({"name": name, "file": f"{name}.png", "title": title, "caption": caption, "runs": list(runs)})

    names = dict(zip(study_players()["data_name"], study_players()["name"], strict=True))
    models = {name: model for (name, run_edition), model in draws.items() if run_edition == edition}
    _add("curves", (), win_probability_against_difference)
    _add("performances", (), performances)
    ranked = [name for name in _RATING_LISTS if name in models]
    for name in ranked:
        _add("ratings", [(name, edition)], rating_intervals, models[name], names)
    for name in [name for name in ranked if models[name].treatment == "per_player"]:
        _add("advantages", [(name, edition)], advantage_intervals, models[name], names)
    _add_curves(_add, models, edition, games)
    _add_comparisons(_add, models, edition, traces, names)
    _add_calibration(_add, calibration[calibration["edition"] == edition], edition)
    place.text("figures/figures.json", json.dumps(listed, indent=1) + "\n")
    return len(listed)


def _add_calibration(add: _Add, calibration: pd.DataFrame, edition: str) -> None:
    """Add the calibration of three models on each set."""
    for data, part in calibration.groupby("set", sort=False):
        chosen = [name for name in ("bt-common", "davidson-common", "davidson-player") if name in set(part["name"])]
        if chosen:
            part = part[part["name"].isin(chosen)]
            is_score = part["event"] == "expected_score"
            part = part.assign(system=np.where(is_score, part["name"] + ", score", part["name"]))
            runs, systems = [(name, edition) for name in chosen], list(dict.fromkeys(part["system"]))
            add("calibration", runs, figure_calibration, part, systems, f"Set {data}", data=data)


def _add_curves(add: _Add, models: Mapping[str, ModelDraws], edition: str, games: StudyGames) -> None:
    """Add expected against observed scores, and the share of draws, on the training games."""
    table = games.training.games
    if table.white_rating_elo is None or table.black_rating_elo is None:
        return
    gap = table.white_rating_elo - table.black_rating_elo
    common = [name for name in ("bt-common", "bt-common-weighted") if name in models]
    advantages = {"FIDE rating alone": 0.0} | {name: _advantage_of(models, name) for name in common}
    add("scores", [(name, edition) for name in common], expected_score_over_observed, gap, table.score, advantages)
    levels = {
        name: float(level.mean())
        for name in ("davidson", "davidson-common", "davidson-player")
        if name in models and (level := models[name].log_draw) is not None
    }
    if levels:
        shift = _advantage_of(models, "davidson-common") if "davidson-common" in models else 0.0
        runs = [(name, edition) for name in levels]
        add("draws", runs, draw_share_by_difference, gap, table.outcome, levels, shift)


def _advantage_of(models: Mapping[str, ModelDraws], name: str) -> float:
    """Mean of the common advantage, by the study's convention."""
    advantage = models[name].study_advantage_elo
    assert advantage is not None
    return float(advantage.mean())


def _add_comparisons(
    add: _Add, models: Mapping[str, ModelDraws], edition: str, traces: Sequence[xr.DataTree], names: Mapping[str, str]
) -> None:
    """Add the scatter matrix of all models and FIDE lists, traces of chains, and priors against posteriors."""
    if len(models) > 1:
        players = next(iter(models.values())).players
        ratings = {name: model.study_rating_elo.mean(axis=(0, 1)) for name, model in models.items()}
        listed = study_players().set_index("data_name").loc[players.tolist()]
        table = pd.DataFrame(ratings, index=players)
        table["FIDE 12/2012"], table["FIDE 5/2014"] = listed["rating_2012_12_elo"], listed["rating_2014_05_elo"]
        add("scatter", [(name, edition) for name in models], rating_scatter_matrix, table)
    trees = {tree.attrs["model"]: tree for tree in traces if tree.attrs["edition"] == edition}
    for name, who in [(name, who) for name, who in _CHAINS_OF.items() if name in trees]:
        posterior = trees[name]["posterior"].to_dataset()
        priors = find(name, edition).parameters  # type: ignore[arg-type]
        strength = posterior["strength"].sel(player=who)
        word, unit, scale = "strength", "natural units", 1.0
        if "log_draw" not in priors:  # the paper has Bradley-Terry in Elo points, Davidson in natural units
            word, unit, scale = "rating", "Elo points", to_elo(1.0)
        shown = {
            f"{names.get(who, who)}, {word} ({unit})": (scale * strength, priors["strength"], scale),
            f"White's advantage ({unit})": (scale * posterior["advantage"], priors["advantage"], scale),
        }
        if "log_draw" in priors:
            shown["draw parameter (natural units)"] = (posterior["log_draw"], priors["log_draw"], 1.0)
        arrays = {key: value.transpose("chain", "draw").to_numpy() for key, (value, *_) in shown.items()}
        normals = {key: (arrays[key], tuple(by * moment for moment in prior)) for key, (_, prior, by) in shown.items()}
        add("chains", [(name, edition)], chain_traces, arrays)
        add("priors", [(name, edition)], prior_and_posterior, normals)

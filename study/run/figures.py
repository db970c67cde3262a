"""The figures of a study run: DIR/figures as PNG, with figures.json saying what each shows."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.backtest import figure_calibration
from halfpoint.evaluation.figures.sampling import chain_traces, prior_and_posterior
from halfpoint.evaluation.figures.style import save_png
from halfpoint.games.datasets.study import study_players
from halfpoint.games.results import Results
from halfpoint.models.catalogue import find
from halfpoint.models.priors import number_pair
from halfpoint.study.curve_figures import (
    draw_share_by_difference,
    expected_score_over_observed,
    win_probability_against_difference,
)
from halfpoint.study.figures.ratings import advantage_intervals, rating_intervals, rating_scatter_matrix
from halfpoint.study.posterior_draws import ModelDraws
from halfpoint.study.run.checks import add_checks
from halfpoint.study.run.games import StudyGames

DOTS_PER_INCH = 110
type Draws = Mapping[tuple[str, str], ModelDraws]
type Add = Callable[..., None]  # name, title, caption, runs (name, edition), what draws it, and its arguments
RATING_LISTS = ("bt-common", "bt-common-weighted", "davidson-player", "davidson-player-weighted")


def write_figures(
    draws: Draws, traces: Sequence[xr.DataTree], games: StudyGames, calibration: pd.DataFrame, place: Results
) -> int:
    """Write the figures that a run has what it takes for, and their list; return how many."""
    listed: list[dict[str, Any]] = []

    def add(
        name: str, title: str, caption: str, runs: Sequence[Any], draw: Callable[..., Figure], *arguments: Any
    ) -> None:
        save_png(draw(*arguments), place.aside(f"figures/{name}.png"), DOTS_PER_INCH)
        listed.append({"name": name, "file": f"{name}.png", "title": title, "caption": caption, "runs": list(runs)})

    edition = next(one for _, one in draws)
    names = dict(zip(study_players()["data_name"], study_players()["name"], strict=True))
    mine = {name: model for (name, one), model in draws.items() if one == edition}
    caption = "Elo's normal curve and the logistic one, and how far they part (thesis figure 1)."
    add("curves", "Win probability against rating difference", caption, (), win_probability_against_difference)
    for name in [name for name in RATING_LISTS if name in mine]:
        title, runs = f"Ratings by {name}, edition {edition}", [(name, edition)]
        caption = (
            "Posterior means with 95% highest density intervals; the dashed line is where the best player's begins."
        )
        add(f"ratings-{name}", title, caption, runs, rating_intervals, mine[name], names)
    for name in [name for name in RATING_LISTS if name in mine and mine[name].treatment == "per_player"]:
        title, runs = f"White's advantage by player, {name}, edition {edition}", [(name, edition)]
        caption = "Each player's half of the advantage, with 95% highest density intervals (thesis figures 7 and 8)."
        add(f"advantages-{name}", title, caption, runs, advantage_intervals, mine[name], names)
    add_curves(add, mine, edition, games)
    add_comparisons(add, mine, edition, traces, names)
    add_calibration(add, calibration[calibration["edition"] == edition], edition)
    if games.training.games.white_rating_elo is not None:
        add_checks(add, traces, games.training, names)
    place.text("figures/figures.json", json.dumps(listed, indent=1) + "\n")
    return len(listed)


def add_calibration(add: Add, calibration: pd.DataFrame, edition: str) -> None:
    """Add the calibration of three models on each set."""
    for data, part in calibration.groupby("set", sort=False):
        chosen = [name for name in ("bt-common", "davidson-common", "davidson-player") if name in set(part["name"])]
        if chosen:
            part = part[part["name"].isin(chosen)]
            whole = part["event"] == "expected_score"
            part = part.assign(system=np.where(whole, part["name"] + ", score", part["name"]))
            title, runs = f"Calibration on set {data}, edition {edition}", [(name, edition) for name in chosen]
            caption = "Observed share of each outcome against its forecast, in bins of about equally many games."
            systems = list(dict.fromkeys(part["system"]))
            add(f"calibration-{data}", title, caption, runs, figure_calibration, part, systems, f"Set {data}")


def add_curves(add: Add, mine: Mapping[str, ModelDraws], edition: str, games: StudyGames) -> None:
    """Add expected against observed scores, and the share of draws, on the training games."""
    table = games.training.games
    if table.white_rating_elo is None or table.black_rating_elo is None:
        return
    gap = table.white_rating_elo - table.black_rating_elo
    common = [name for name in ("bt-common", "bt-common-weighted") if name in mine]
    advantages = {"FIDE rating alone": 0.0} | {name: advantage_of(mine, name) for name in common}
    caption = "Training games in bins of 25 Elo with 95% intervals (thesis figure 4, paper figure 5)."
    runs = [(name, edition) for name in common]
    add("scores", "Expected and observed score of White", caption, runs, expected_score_over_observed,
        gap, table.score, advantages)  # fmt: skip
    levels = {
        name: float(level.mean())
        for name in ("davidson", "davidson-common", "davidson-player")
        if name in mine and (level := mine[name].log_draw) is not None
    }
    if levels:
        shift = advantage_of(mine, "davidson-common") if "davidson-common" in mine else 0.0
        caption = "Training games in bins of 25 Elo with 95% intervals, and Davidson's curves."
        runs = [(name, edition) for name in levels]
        add("draws", "Share of draws against rating difference", caption, runs, draw_share_by_difference,
            gap, table.outcome, levels, shift)  # fmt: skip


def advantage_of(mine: Mapping[str, ModelDraws], name: str) -> float:
    """Return the mean of one advantage for all as the study states it."""
    advantage = mine[name].study_advantage_elo
    assert advantage is not None
    return float(advantage.mean())


def add_comparisons(
    add: Add, mine: Mapping[str, ModelDraws], edition: str, traces: Sequence[xr.DataTree], names: Mapping[str, str]
) -> None:
    """Add the scatter matrix of all models and FIDE lists, traces of chains, and priors against posteriors."""
    if len(mine) > 1:
        players = next(iter(mine.values())).players
        ratings = {name: model.study_rating_elo.mean(axis=(0, 1)) for name, model in mine.items()}
        listed = study_players().set_index("data_name").loc[players.tolist()]
        table = pd.DataFrame(ratings, index=players)
        table["FIDE 12/2012"], table["FIDE 5/2014"] = listed["rating_2012_12_elo"], listed["rating_2014_05_elo"]
        title = f"Ratings of all models and FIDE lists, edition {edition}"
        caption = "Each point is a player; above the diagonal the correlation (thesis figure 9)."
        add("scatter", title, caption, [(name, edition) for name in mine], rating_scatter_matrix, table)
    trees = {tree.attrs["model"]: tree for tree in traces if tree.attrs["edition"] == edition}
    for name in [name for name in ("bt-common", "davidson-common") if name in trees]:
        posterior, model = trees[name]["posterior"].to_dataset(), find(name, edition)  # type: ignore[arg-type]
        mean = posterior["rating_elo"].mean(("chain", "draw"))
        best = str(posterior["player"].values[int(np.argmax(mean.to_numpy()))])
        strength = posterior["strength"].sel(player=best)
        shown = {
            f"{names.get(best, best)}, strength (natural units)": (strength, model.strength.prior),
            "White's advantage (natural units)": (posterior["advantage"], model.advantage.prior),
        }
        if model.draws is not None:
            shown["draw parameter (natural units)"] = (posterior["log_draw"], model.draws.level)
        arrays = {key: value.transpose("chain", "draw").to_numpy() for key, (value, _) in shown.items()}
        normals = {key: (arrays[key], number_pair(prior)) for key, (_, prior) in shown.items()}
        title, runs = f"Traces of the chains, {name}, edition {edition}", [(name, edition)]
        caption = "Density and trace of each chain; chains that agree lie on one another (paper figures 1 to 4)."
        add(f"chains-{name}", title, caption, runs, chain_traces, arrays)
        title = f"Prior and posterior, {name}, edition {edition}"
        add(f"priors-{name}", title, "How far the games moved the prior.", runs, prior_and_posterior, normals)

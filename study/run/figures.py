"""The figures of a study run: DIR/figures as PNG, with figures.json saying what each shows."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

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
Draws = Mapping[tuple[str, str], ModelDraws]
RATING_LISTS = ("bt-common", "bt-common-weighted", "davidson-player", "davidson-player-weighted")


@dataclass(frozen=True)
class Listed:
    """An entry of figures.json: file, title, caption, and the runs (name, edition) it uses."""

    name: str
    file: str
    title: str
    caption: str
    runs: tuple[tuple[str, str], ...]


def write_figures(
    draws: Draws, traces: Sequence[xr.DataTree], games: StudyGames, calibration: pd.DataFrame, place: Results
) -> int:
    """Write the figures that a run has what it takes for, and their list; return how many."""
    listed: list[Listed] = []

    def add(name: str, title: str, caption: str, runs: Sequence[tuple[str, str]], draw: Callable[[], Figure]) -> None:
        save_png(draw(), place.aside(f"figures/{name}.png"), DOTS_PER_INCH)
        listed.append(Listed(name, f"{name}.png", title, caption, tuple(runs)))

    edition = editions_of(draws)[0]
    names = dict(zip(study_players()["data_name"], study_players()["name"], strict=True))
    mine = {name: model for (name, one), model in draws.items() if one == edition}
    add(
        "curves",
        "Win probability against rating difference",
        "Elo's normal curve and the logistic one, and how far they part (thesis figure 1).",
        (),
        win_probability_against_difference,
    )
    for name in [name for name in RATING_LISTS if name in mine]:
        add(
            f"ratings-{name}",
            f"Ratings by {name}, edition {edition}",
            "Posterior means with 95% highest density intervals; the dashed line is where the best player's begins.",
            [(name, edition)],
            partial(rating_intervals, mine[name], names),
        )
    for name in [name for name in RATING_LISTS if name in mine and mine[name].treatment == "per_player"]:
        add(
            f"advantages-{name}",
            f"White's advantage by player, {name}, edition {edition}",
            "Each player's half of the advantage, with 95% highest density intervals (thesis figures 7 and 8).",
            [(name, edition)],
            partial(advantage_intervals, mine[name], names),
        )
    add_curves(add, mine, edition, games)
    add_comparisons(add, mine, edition, traces, names)
    for data in dict.fromkeys(calibration["set"]):
        part = calibration[(calibration["set"] == data) & (calibration["edition"] == edition)]
        chosen = [name for name in ("bt-common", "davidson-common", "davidson-player") if name in set(part["name"])]
        if chosen:
            part = part[part["name"].isin(chosen)]
            whole = part["event"] == "expected_score"
            part = part.assign(system=np.where(whole, part["name"] + ", score", part["name"]))
            add(
                f"calibration-{data}",
                f"Calibration on set {data}, edition {edition}",
                "Observed share of each outcome against its forecast, in bins of about equally many games.",
                [(name, edition) for name in chosen],
                partial(figure_calibration, part, list(dict.fromkeys(part["system"])), f"Set {data}"),
            )
    if games.training.games.white_rating_elo is not None:
        add_checks(add, traces, games.training, names)
    place.text("figures/figures.json", json.dumps([asdict(one) for one in listed], indent=1) + "\n")
    return len(listed)


def editions_of(draws: Draws) -> list[str]:
    """Return the editions of a run in the order of its traces."""
    return list(dict.fromkeys(edition for _, edition in draws))


def add_curves(add: Callable[..., None], mine: Mapping[str, ModelDraws], edition: str, games: StudyGames) -> None:
    """Add expected against observed scores, and the share of draws, on the training games."""
    table = games.training.games
    if table.white_rating_elo is None or table.black_rating_elo is None:
        return
    gap = table.white_rating_elo - table.black_rating_elo
    common = [name for name in ("bt-common", "bt-common-weighted") if name in mine]
    advantages = {"FIDE rating alone": 0.0}
    for name in common:
        advantage = mine[name].study_advantage_elo
        assert advantage is not None
        advantages[name] = float(advantage.mean())
    add(
        "scores",
        "Expected and observed score of White",
        "Training games in bins of 25 Elo with 95% intervals (thesis figure 4, paper figure 5).",
        [(name, edition) for name in common],
        lambda: expected_score_over_observed(gap, table.score, advantages),
    )
    drawn = [name for name in ("davidson", "davidson-common", "davidson-player") if name in mine]
    if drawn:
        levels = {name: float(np.mean(mine[name].log_draw)) for name in drawn}  # type: ignore[arg-type]
        shift = mine["davidson-common"].study_advantage_elo if "davidson-common" in mine else None
        add(
            "draws",
            "Share of draws against rating difference",
            "Training games in bins of 25 Elo with 95% intervals, and Davidson's curves.",
            [(name, edition) for name in drawn],
            lambda: draw_share_by_difference(
                gap, table.outcome, levels, 0.0 if shift is None else float(np.mean(shift))
            ),
        )


def add_comparisons(
    add: Callable[..., None],
    mine: Mapping[str, ModelDraws],
    edition: str,
    traces: Sequence[xr.DataTree],
    names: Mapping[str, str],
) -> None:
    """Add the scatter matrix of all models and FIDE lists, traces of chains, and priors against posteriors."""
    if len(mine) > 1:
        ratings = {name: model.study_rating_elo.mean(axis=(0, 1)) for name, model in mine.items()}
        players = next(iter(mine.values())).players
        listed = study_players().set_index("data_name").loc[players.tolist()]
        table = pd.DataFrame(ratings, index=players)
        table["FIDE 12/2012"], table["FIDE 5/2014"] = listed["rating_2012_12_elo"], listed["rating_2014_05_elo"]
        add(
            "scatter",
            f"Ratings of all models and FIDE lists, edition {edition}",
            "Each point is a player; above the diagonal the correlation (thesis figure 9).",
            [(name, edition) for name in mine],
            lambda: rating_scatter_matrix(table),
        )
    trees = {tree.attrs["model"]: tree for tree in traces if tree.attrs["edition"] == edition}
    for name in [name for name in ("bt-common", "davidson-common") if name in trees]:
        posterior = trees[name]["posterior"].to_dataset()
        best = str(
            posterior["player"].values[int(np.argmax(posterior["rating_elo"].mean(("chain", "draw")).to_numpy()))]
        )
        model = find(name, edition)  # type: ignore[arg-type]
        shown = {
            f"{names.get(best, best)}, strength (natural units)": (
                posterior["strength"].sel(player=best),
                model.strength.prior,
            ),
            "White's advantage (natural units)": (posterior["advantage"], model.advantage.prior),
        }
        if model.draws is not None:
            shown["draw parameter (natural units)"] = (posterior["log_draw"], model.draws.level)
        arrays = {label: value.transpose("chain", "draw").to_numpy() for label, (value, _) in shown.items()}
        normals = {label: (arrays[label], number_pair(prior)) for label, (_, prior) in shown.items()}
        add(
            f"chains-{name}",
            f"Traces of the chains, {name}, edition {edition}",
            "Density and trace of each chain; chains that agree lie on one another (paper figures 1 to 4).",
            [(name, edition)],
            partial(chain_traces, arrays),
        )
        add(
            f"priors-{name}",
            f"Prior and posterior, {name}, edition {edition}",
            "How far the games moved the prior.",
            [(name, edition)],
            partial(prior_and_posterior, normals),
        )

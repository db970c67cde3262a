"""`halfpoint rank`, `match`, `tournament` and `compare`: answers from traces."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
import xarray as xr

from halfpoint.cli.options import ranged
from halfpoint.cli.output import AsJson, Out, show
from halfpoint.cli.terminal import say
from halfpoint.evaluation.comparison import compared, comparison_table, in_short
from halfpoint.evaluation.figures.parameters import ratings_in_time
from halfpoint.evaluation.figures.style import save_png
from halfpoint.evaluation.matches import GAMES, SIMULATIONS, game, match, round_robin
from halfpoint.evaluation.statements import rank_distribution, ratings_by_month, stronger
from halfpoint.evaluation.tables import first_move_and_draws, first_move_and_draws_in_words, rating_list
from halfpoint.games.atomic_write import whole_file
from halfpoint.games.errors import GameTableError, HalfpointError
from halfpoint.games.find_player import Players, find_players
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.select import read_players
from halfpoint.inference.traces import read
from halfpoint.workflows.answer_text import write_answer
from halfpoint.workflows.level import by_month, levelled

DOTS_PER_INCH = 110
DRAWN_PLAYERS = Range(1, 8)
TraceFile = Annotated[Path, typer.Argument(help="NetCDF trace.")]


def about(tree: xr.DataTree, title: str) -> dict[str, Any]:
    """Return what an answer from a trace is about; simulated games are named as such."""
    attributes = tree.attrs
    simulated = " (SIMULATED games)" if attributes["data_simulated"] else ""
    return {
        "title": f"{title}{simulated}",
        "model": attributes["model"],
        "edition": attributes["edition"],
        "data": attributes["data_name"],
        "simulated": bool(attributes["data_simulated"]),
        "verdict": attributes["verdict"],
    }


def rank(
    trace: TraceFile,
    months: Annotated[
        Path | None, typer.Option("--months", help="PNG of the best players' ratings by month; walking models only.")
    ] = None,
    top: Annotated[int, ranged(DRAWN_PLAYERS, help="How many players --months draws.")] = 5,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Rank the players: rating with 95% interval, interval of the rank, and the chance of being the best."""
    tree = read(trace)
    rating, level = levelled(tree)
    listed = rating_list(rating)
    if months is not None:
        table = ratings_by_month(by_month(tree))
        with whole_file(months) as path:
            save_png(ratings_in_time(table, [str(name) for name in listed["player"][:top]]), path, DOTS_PER_INCH)
    ranks = rank_distribution(rating).sel(player=listed["player"].to_numpy())
    below = ranks.cumsum("rank").to_numpy()
    last = ranks.sizes["rank"] - 1
    table = pd.DataFrame(
        {
            "rank": np.arange(1, len(listed) + 1),
            "player": listed["player"],
            "rating_elo": listed["mean"],
            "sd_elo": listed["sd"],
            "low_elo": listed["low"],
            "high_elo": listed["high"],
            "rank_low": 1 + np.minimum((below < 0.025).sum(axis=1), last),
            "rank_high": 1 + np.minimum((below < 0.975).sum(axis=1), last),
            "best_percent": 100 * ranks.to_numpy()[:, 0],
        }
    )
    text = about(tree, f"Ranking by {tree.attrs['model']}")
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    said = ". ".join(filter(None, [level, first_move_and_draws_in_words(shared)]))
    note = f"{said}. Intervals of 95%: highest density (rating), equal tails (rank)."
    show(table, text | {"note": note, "level": level} | shared, as_json, out)


def match_command(
    trace: TraceFile,
    first: Annotated[str, typer.Argument(help="First player.")],
    second: Annotated[str, typer.Argument(help="Second player.")],
    games: Annotated[int, ranged(GAMES, "--games", help="Number of games.")] = 12,
    colours: Annotated[
        str, typer.Option(help="alternate (first player begins with White), white, black, or letters like WBBW.")
    ] = "alternate",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Forecast a match: the chance of each score, who wins it, and one game with each colour."""
    tree = read(trace)
    known = {"alternate": ("WB" * games)[:games], "white": "W" * games, "black": "B" * games}
    word = known.get(colours.lower(), colours.upper())
    if not word or set(word) - {"W", "B"}:
        raise GameTableError("--colours", "alternate, white, black, or letters W and B", repr(colours))
    rated = Players(tree["posterior"]["player"].to_numpy().tolist())
    first, second = (rated.names[rated.find(name)] for name in (first, second))
    if first == second:
        raise GameTableError("players", "two different players", repr(first))
    distribution = match(tree, first, second, word)
    scores = distribution.index.to_numpy(dtype=np.float64)
    half = len(word) / 2
    chance = distribution.to_numpy()
    table = pd.DataFrame({"score": scores, "probability_percent": 100 * chance})
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    single = game(tree, first, second), game(tree, second, first)[::-1]
    note = (
        f"{first} wins the match {chance[scores > half].sum():.1%}, drawn {chance[scores == half].sum():.1%}, "
        f"{second} wins {chance[scores < half].sum():.1%}; expected score {chance @ scores:.2f} of {len(word)}. "
        f"One game (loss, draw, win for {first}): with White {triple(single[0])}, with Black {triple(single[1])}. "
        f"P({first} is the stronger) {stronger(ratings, first, second):.1%}."
    )
    title = f"{first} against {second}, {len(word)} games, {first}'s colours {word if len(word) <= 24 else colours}"
    show(table, about(tree, title) | {"note": note}, as_json, out)


def triple(probability: Any) -> str:
    """Return three probabilities as percentages."""
    return " / ".join(f"{value:.1%}" for value in probability)


def tournament(
    trace: TraceFile,
    players: Annotated[Path, typer.Argument(help="Text file, one player a line.")],
    double: Annotated[bool, typer.Option("--double", help="Everybody meets twice, once with each colour.")] = False,
    seed: Annotated[int, ranged(SEED, "--seed", help="Seed of the simulated tournaments.")] = 1,
    simulations: Annotated[int, ranged(SIMULATIONS, help="Simulated tournaments.")] = 20_000,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Simulate a round robin: title chances and points."""
    tree = read(trace)
    names = find_players(read_players(players).tolist(), tree["posterior"]["player"].to_numpy().tolist(), str(players))
    found = round_robin(tree, names, 2 if double else 1, seed, simulations).reset_index()
    table = pd.DataFrame(
        {
            "player": found["player"],
            "title_percent": 100 * found["title"],
            "mc_error_percent": 100 * found["mc_error"],
            "points": found["points"],
            "points_sd": found["points_sd"],
        }
    )
    note = "A shared title counts in equal parts; the Monte Carlo error is one standard deviation."
    title = f"{'Double' if double else 'Single'} round robin of {len(names)} players, {simulations} simulations"
    show(table, about(tree, title) | {"note": note}, as_json, out, digits=2)


def compare(
    traces: Annotated[list[Path], typer.Argument(help="NetCDF traces.")],
    by: Annotated[str, typer.Option(help="neg_mean_loglik | aicm | aicm_printed | neg2_elpd_loo.")] = "aicm",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Compare traces by what can be compared; likelihoods of different kinds are never ranked in one column."""
    if by not in ("neg_mean_loglik", "aicm", "aicm_printed", "neg2_elpd_loo"):
        raise HalfpointError(f"--by: expected neg_mean_loglik | aicm | aicm_printed | neg2_elpd_loo, found {by!r}")
    models = [compared(read(path)) for path in traces]
    if by == "neg2_elpd_loo" and not any(by in model.values for model in models):
        kinds = ", ".join(sorted({model.likelihood.weighting for model in models}))
        raise HalfpointError(
            f"--by {by}: expected a trace whose games weigh alike and stand in it one by one, found none (weights "
            f"{kinds}): leaving out a weighted game has no meaning. Rank by aicm, or judge on new games."
        )
    table = comparison_table(models, by)
    why = str(table.attrs["refusal"])
    table = table.drop(columns=["not_comparable_with", "games"])
    note = "A difference is told from two standard errors on, those of games (se) and of draws (mc error) together."
    note += f" Ranked within each kind only: {why}." if why else ""
    worst = "converged" if all(model.converged for model in models) else "NOT CONVERGED: see the column converged"
    heading = {"title": f"Comparison by {by}, lower is better", "note": note, "verdict": worst}
    if out is not None:
        write_answer(table, heading, out)
    show(table if as_json else in_short(table, by), heading, as_json, None)
    if out is not None and not as_json:
        say(f"Written to {out}")

"""The five figures of a trace: list, time, pairs, places, games."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.trace_list import TraceList, list_from_trace
from halfpoint.evaluation.day_ratings import BEFORE, ratings_by_period
from halfpoint.evaluation.digits import signed_decimals
from halfpoint.evaluation.statements import rank_distribution, ratings_by_month, stronger_table
from halfpoint.inference.forecast import forecast
from halfpoint.models.declaration.trace_games import games_in, keeps_games
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.sides import USUAL, seats_named
from halfpoint.models.games.table import GameTable
from halfpoint.readers.set_apart import GOALS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

type Kind = Literal["list", "time", "pairs", "places", "games"]
HALF, _POINTS = 0.5, ("0 – 1", "½ – ½", "1 – 0")
_FEW_DRAWS = 500  # of each game's expectation
_MOST_PLACED = 20


def plot(
    trace: Trace,
    kind: Kind = "list",
    ax: "Axes | None" = None,
    players: str | Sequence[str] = (),
    games: GameTable | None = None,
    *,
    most: int | None = None,
) -> "Axes":
    """Plot a trace: its list, ratings through time, pairwise probabilities, places, or a player's games.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.
    kind : {"list", "time", "pairs", "places", "games"}
        Intervals; ratings through time as ribbons; pairwise probabilities; the probability of each rank, shaded; a
        player's results and their expectation.
    ax : matplotlib Axes, optional
        Target axes; by default new axes, which a notebook shows.
    players : str or sequence of str
        "time": players in colour, at most six. "games": one player, by default the first of the list. For other kinds:
        players to show. Spelling may differ if it fits one player.
    games : GameTable, optional
        "games": the games, if the trace lacks columns that its model uses (printed ratings, margins).
    most : int, optional
        Number of rows of "list" and of "pairs".

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    HalfpointError
        If the kind or a name is unknown, the strengths are constant in time, or matplotlib is missing.

    Examples
    --------
    >>> import halfpoint as hp
    >>> rated = hp.rate(hp.load("club"))  # doctest: +SKIP
    >>> rated.plot("pairs").figure.savefig("pairs.png")  # doctest: +SKIP
    """
    require("matplotlib", "plot")
    require_word("kind", kind, get_args(Kind.__value__))
    from halfpoint.evaluation.figures import lists

    rows = {} if most is None else {"most": most}
    tree = trace_from(trace)
    trace_list = list_from_trace(tree)
    ranking, noun = trace_list.ranking.frame, trace_list.ranking.noun
    names = ranking[noun].tolist()
    chosen = _asked([players] if isinstance(players, str) else players, names)
    title = _title(tree, trace_list)
    shown = ranking[ranking[noun].isin(chosen)] if chosen and kind in ("list", "pairs", "places") else ranking
    if kind == "list":
        return lists.plot_list(shown, noun, ax, title, **rows)
    if kind == "time":
        months = ratings_by_month(ratings_by_period(tree)).rename(columns={"month": "time"})
        by_month = "period" not in tree["constant_data"]
        if by_month:
            months["time"] = (BEFORE + months["time"].to_numpy().astype("timedelta64[M]")).astype("datetime64[D]")
        return lists.plot_time(months, ax, title, chosen, "month" if by_month else "period")
    order = shown[noun].tolist()
    ratings = trace_list.ratings.sel(player=order)
    if kind == "pairs":
        return lists.plot_pairs(stronger_table(ratings).to_numpy(), order, ax, title, **rows)
    if kind == "places":
        chances = (
            100.0 * rank_distribution(trace_list.ratings).sel(player=order).to_numpy()[:_MOST_PLACED, :_MOST_PLACED]
        )
        heads = [str(rank) for rank in range(1, chances.shape[1] + 1)]
        return lists.plot_places(chances, order[:_MOST_PLACED], heads, ax, title, "rank")
    name = chosen[0] if chosen else names[0]
    played = games_of(tree, name, games)
    dated = "date" if pd.api.types.is_datetime64_any_dtype(played["when"]) else "game"
    gained = float((played["score"] - played["expected"]).sum())
    unit = "points" if tree.attrs.get("seats", USUAL) == USUAL else "wins"  # a league's points are others
    heading = f"{name}: {len(played)} games, {signed_decimals(gained, 1)} {unit} against expectation{_simulated(tree)}"
    return lists.plot_games(played, ax, heading, dated)


def _asked(players: Sequence[str], names: Sequence[str]) -> list[str]:
    """Players in the spelling of the list."""
    listed = Players(names)
    return [listed.names[listed.find(name, "players")] for name in players]


def _simulated(tree: xr.DataTree) -> str:
    """Mark of simulated games."""
    return " (SIMULATED)" if tree.attrs["data_simulated"] else ""


def _title(tree: xr.DataTree, trace_list: TraceList) -> str:
    """Subject of a figure: the games and their number."""
    noun = trace_list.ranking.noun
    return (
        f"{tree.attrs['data_name']}: {len(trace_list.ranking.frame)} {noun}s, "
        f"{tree.attrs['games']} games{_simulated(tree)}"
    )


def expected_of(tree: xr.DataTree, games: GameTable) -> np.ndarray:
    """Posterior mean of White's expected score in games of a trace, shape (game,)."""
    draws = tree["posterior"].sizes["draw"] * tree["posterior"].sizes["chain"]
    return forecast(tree, games, thin=max(1, draws // _FEW_DRAWS)).mean_expected


def surprises(tree: xr.DataTree, games: GameTable, most: int) -> pd.DataFrame:
    """Games with the least expected results, one row each: game, day, result, chance_percent.

    The chance is that of this result or a worse one for the side that scored less than expected: a draw between equals
    is no surprise where draws are rare. For a model without draws, which gives a draw only the half-point likelihood,
    draws are left out.
    """
    draws = tree["posterior"].sizes["draw"] * tree["posterior"].sizes["chain"]
    forecasts = forecast(tree, games, thin=max(1, draws // _FEW_DRAWS))
    probability = forecasts.probability.mean(axis=(1, 2))  # (outcome, game)
    tails = np.minimum(probability.cumsum(axis=0), probability[::-1].cumsum(axis=0)[::-1])
    chance = tails[games.outcome, np.arange(len(games))]
    if not forecasts.draws_are_outcomes:
        chance = np.where(games.score == HALF, np.nan, chance)
    rows = np.argsort(np.where(np.isnan(chance), np.inf, chance), kind="stable")[:most]
    columns: dict[str, object] = {
        "game": [f"{games.white_names[k]} – {games.black_names[k]}" for k in rows],
        "result": results_in_print(games.take(rows)),
        "chance_percent": 100.0 * chance[rows],
    }
    if games.date is not None:
        columns["day"] = [None if np.isnat(day) else str(day) for day in games.date[rows]]
    if games.event is not None:
        columns["event"] = games.event[rows]
    return pd.DataFrame(columns)


def results_in_print(games: GameTable) -> list[str]:
    """Results of games as their sport prints them: the goals of the file, chess points, else who wins.

    If the goals do not decide the game, as before penalties, the result follows them.
    """
    seats, columns = seats_named(games.seats), games.covariates
    words = (f"{seats.second} wins", "draw", f"{seats.first} wins")
    results = [(_POINTS if games.seats == USUAL else words)[outcome] for outcome in games.outcome.tolist()]
    if not {*GOALS} <= {*columns}:
        return results
    for row, goals in enumerate(zip(*(columns[name].tolist() for name in GOALS), strict=True)):
        if np.isfinite(goals).all():
            decides = np.sign(goals[0] - goals[1]) == games.outcome[row] - 1
            results[row] = f"{goals[0]:g} – {goals[1]:g}" + ("" if decides else f", {words[games.outcome[row]]}")
    return results


def games_kept(tree: xr.DataTree, games: GameTable | None = None) -> GameTable:
    """Games of a trace: the given ones, else those it keeps; `GameTableError` if it keeps none."""
    if games is None and not keeps_games(tree):
        remedy = "Pass games=, such as `selection.games` of what `rate` returns."
        raise GameTableError("games", "games in the trace", "none", remedy)
    return games_in(tree) if games is None else games


def games_of(tree: xr.DataTree, player: str, table: GameTable | None = None) -> pd.DataFrame:
    """Games of a player in a trace: when, opponent, expected, score, in order.

    `when` is the day if all games have different days, else the number of the game.
    """
    table = games_kept(tree, table)
    white, black = table.white_names == player, table.black_names == player
    rows = np.flatnonzero(white | black)
    if not rows.size:
        raise GameTableError("games", "a player of single-player sides", repr(player))
    games = table.take(rows)
    is_white = games.white_names == player
    expected = expected_of(tree, games)
    days = np.array([], dtype="datetime64[D]") if games.date is None else games.date
    dated = bool(days.size) and not np.isnat(days).any() and np.unique(days).size == days.size
    order = np.argsort(days, kind="stable") if days.size else np.arange(len(games))
    when = days if dated else np.argsort(order) + 1
    return pd.DataFrame({
        "when": when, "opponent": np.where(is_white, games.black_names, games.white_names),
        "expected": np.where(is_white, expected, 1.0 - expected),
        "score": np.where(is_white, games.score, 1.0 - games.score),
    }).sort_values("when", kind="stable", ignore_index=True)  # fmt: skip

"""Answers from a finished trace: ranking, match, summary."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_trace
from halfpoint.apps.workflows.at_columns import At
from halfpoint.apps.workflows.half_point_match import match_in_half_points, tells_no_draws
from halfpoint.apps.workflows.history import as_of
from halfpoint.apps.workflows.trace_list import list_from_trace
from halfpoint.evaluation.digits import in_percent, interval
from halfpoint.evaluation.first_sentences.leaders import game_in_words
from halfpoint.evaluation.matches import expected_score_of_match, game
from halfpoint.evaluation.matches import match as match_chances
from halfpoint.evaluation.statements import above as chance_above
from halfpoint.evaluation.statements import first_move_and_draws, first_move_and_draws_in_words
from halfpoint.evaluation.tournament_options import GAMES
from halfpoint.inference.traces.earlier_schemas import with_data_only
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.catalogue import title_of
from halfpoint.models.declaration.newcomers import takes_newcomers, with_newcomers
from halfpoint.models.declaration.pointwise import with_likelihood_of_games
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import require_function_asked_for, traits_in
from halfpoint.models.games.errors import GameTableError, HalfpointError, count_noun
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.ranges import RATING_ELO
from halfpoint.models.games.select import read_players
from halfpoint.models.games.sides import PLUS, seats_named

_TOLD = 3  # unknown names in a message
EVERYBODY = "all"  # of newcomers
_MUCH_ALIKE = 85.0  # of 100, from which on a new name may be a known player
_LONGEST_WORD = 24  # colours of a longer match are not spelt out
_RANKED = Look(
    chances=("best_percent", "above_percent"),
    short=("rank", "player", "club", "rating_elo", "low_elo", "high_elo", "rank_low", "rank_high",
           "best_percent", "above_percent"),
)  # fmt: skip


class Fitted(Protocol):
    """A result with a trace, as `rate` returns it."""

    @property
    def trace(self) -> xr.DataTree:
        """The posterior."""
        ...


type Trace = str | Path | xr.DataTree | Fitted


def trace_from(trace: Trace, pointwise: bool = False, data_only: bool = False) -> xr.DataTree:
    """Trace from a trace, result, file or folder; with the log likelihood of each game, or without its function."""
    source = getattr(trace, "trace", trace)
    if not isinstance(source, str | Path | xr.DataTree):
        kind = type(source).__name__
        raise HalfpointError(f"trace: expected a trace, a file or a result of hp.rate, found {kind}.")
    if not isinstance(source, xr.DataTree) and Path(source).is_dir():
        source = Path(source) / "trace.nc"  # of a folder of results
    if isinstance(source, xr.DataTree):
        tree = with_data_only(source) if data_only else source
    else:
        tree = read(source, pointwise, data_only)
        require_function_asked_for(tree.attrs)
    if pointwise:
        return with_likelihood_of_games(tree)
    if "rating_elo" not in tree["posterior"]:
        raise HalfpointError(
            "trace: expected ratings in Elo points, found a model finished by hand. "
            "Write it as a function (games) -> pm.Model, and fit that."
        )
    return tree


def enter_newcomers(
    tree: xr.DataTree, players: str | Path | Sequence[str], newcomers: str | Sequence[str] = ()
) -> tuple[xr.DataTree, list[str], str]:
    """Trace with the newcomers among some players, the players in its spelling, and a sentence on the newcomers.

    A player may be typed by a surname, or by words in one name only. A name that is not in the trace is refused unless
    it is a newcomer's; newcomers are drawn from their own prior (`halfpoint.models.declaration.newcomers`).
    """
    typed = read_players(Path(players)).tolist() if isinstance(players, str | Path) else list(players)
    source = str(players) if isinstance(players, str | Path) else "players"
    if not typed:
        raise GameTableError(source, "at least one player", "none")
    rated = Players(tree["posterior"]["player"].to_numpy().tolist())
    places = [rated.meant(str(name), source) for name in typed]
    names = [str(name) if place is None else rated.names[place] for name, place in zip(typed, places, strict=True)]
    twice = next((k for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise GameTableError(source, "every name once", f"a repeated name, {typed[twice]!r}")
    new = [name for name, place in zip(names, places, strict=True) if place is None]
    require_known(tree, rated, new, newcomers, source)
    return with_newcomers(tree, new), names, new_in_words(tree, rated, new)


def require_known(
    tree: xr.DataTree,
    rated: Players,
    strange: Sequence[str],
    newcomers: str | Sequence[str],
    source: str,
    why: str = "",
) -> None:
    """Refuse unknown names that are not declared as new, with the nearest known names and `why`."""
    declared = [newcomers] if isinstance(newcomers, str) else list(newcomers)
    if EVERYBODY in declared:
        return
    missing = [name for name in strange if name not in declared]
    if missing:
        near = {name: rated.nearest(name)[:1] for name in missing[:_TOLD]}
        quoted = [f"{name!r} ({like[0]}?)" if like and len(missing) > 1 else repr(name) for name, like in near.items()]
        fault = ", ".join(quoted) + (f" and {len(missing) - _TOLD} more" if len(missing) > _TOLD else "")
        remedy = f" A newcomer is allowed by --new {shlex.quote(missing[0])}, all of them by --new {EVERYBODY}."
        hint = rated.hint(missing[0]) if len(missing) == 1 else ""
        hint = (hint + why + remedy * takes_newcomers(tree)).strip()
        raise GameTableError(source, "rated players", fault, hint)
    unused = next((name for name in declared if name not in strange), None)
    if unused is not None:
        fault = f"{unused!r}, who is rated" if rated.place(unused) is not None else f"{unused!r}, who does not play"
        raise GameTableError("--new", "players who are not in the trace", fault)


def new_in_words(tree: xr.DataTree, rated: Players, new: Sequence[str]) -> str:
    """The new players in words, with similar names and how they are treated; empty if absent."""
    if not new:
        return ""
    phrases = [f"{name} (not {near[0]})" if (near := rated.nearest(name, _MUCH_ALIKE)) else name for name in new]
    traits = traits_in(tree.attrs)
    is_estimated = "newcomer_mean" in tree["posterior"]
    how, advice = "like players who entered after the first half year" if is_estimated else "drawn from the prior", ""
    if not traits.enters and not traits.pooled:
        how = "drawn from the prior of a strength"
    elif not traits.enters:
        how = f"drawn from the population of the {len(rated.names)} known players"
        stem = "davidson" if traits.draws else "bt"
        row = f"; rate with --model {stem}-entering-walk estimates the strength of newcomers" if traits.walks else ""
        advice = f" A beginner or a promoted club may be weaker{row}."
    return f" New, each {how}: {', '.join(phrases)}.{advice}"


def rank(trace: Trace, above: float | None = None, at: At = None) -> Answer:
    """Rank the players of a trace: rating and interval, interval of the rank, probability of being the best.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.
    above : float, optional
        A threshold in Elo points, such as a title's: adds the probability of a rating at or above it.
    at : str, sequence of str or mapping, optional
        A past day, YYYY-MM-DD or YYYY-MM, or period of a trace whose strengths change: the list at that time. Values of
        columns that the model reads, {"rapid": 1} or "rapid=1": the list of such games; by default their means.

    Returns
    -------
    Answer
        The list (`halfpoint.evaluation.rating_list.RatingList`, intervals of 95%), and above_percent on request;
        `about` has the level of the scale, the first move and draws.

    Examples
    --------
    >>> from halfpoint.apps import workflows
    >>> workflows.rank("run/trace.nc").frame.head()  # doctest: +SKIP
    """
    tree, remark = as_of(trace_from(trace), at, rated=True)
    trace_list = list_from_trace(tree)
    frame = trace_list.ranking.frame
    if above is not None:
        RATING_ELO.require("--above", above, GameTableError)
        frame = frame.assign(
            above_percent=100 * chance_above(trace_list.ratings, above)[frame[trace_list.ranking.noun]].to_numpy()
        )
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    first_move = first_move_and_draws_in_words(shared, tree.attrs.get("seats"))
    words = ". ".join(filter(None, [trace_list.level, first_move, *trace_list.untold]))
    about = about_trace(tree, f"Ranking by {tree.attrs['model']}")
    about |= {"note": f"{words}. {trace_list.ranking.intervals}{remark}", "level": trace_list.level}
    return Answer(frame, about | shared, look=_RANKED)


def require_size(tree: xr.DataTree, size: int, side: str) -> None:
    """Refuse sides of a size absent from a trace of margins, such as one player at bridge."""
    constant = tree["constant_data"]
    if "side_player" not in constant or reading_of(tree).outcome.margin is None:
        return
    sizes = sorted({*(constant["side_player"].to_numpy() >= 0).sum(axis=1).tolist()})
    if size not in sizes:
        expected = f"sides of {' or '.join(map(str, sizes))} players, as in the games of the trace"
        raise GameTableError("players", expected, f"{side!r}, {size}", "Join partners by a plus: Ann+Bob.")


def _two_sides(tree: xr.DataTree, first: str, second: str) -> tuple[tuple[str, str], list[xr.DataArray]]:
    """Names of two sides as in the trace, and their ratings, means of people's, shape (chain, draw)."""
    reading = reading_of(tree)
    (first, first_side), (second, second_side) = reading.side(first), reading.side(second)
    if set(first_side.players[0].tolist()) & set(second_side.players[0].tolist()):
        raise GameTableError("players", "two different players", f"{first!r} against {second!r}")
    for name, side in ((first, first_side), (second, second_side)):
        require_size(tree, side.players.shape[1], name)
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    return (first, second), [
        ratings.isel(player=side.players[0].tolist()).mean("player") for side in (first_side, second_side)
    ]


def colours_of(colours: str, games: int, seats: object) -> str:
    """First player's seats, a letter W or B a game, from `--colours` and the seat names of a trace."""
    words = seats_named(seats)
    letters = (words.first[0], words.second[0])
    letters_of = {"alternate": ("WB" * games)[:games], "white": "W" * games, "black": "B" * games}
    letters_of |= {words.first.lower(): "W" * games, words.second.lower(): "B" * games}
    word = letters_of.get(colours.lower(), colours.upper().replace(letters[0], "W").replace(letters[1], "B"))
    if not word or set(word) - {"W", "B"}:
        either = f"{words.first.lower()}, {words.second.lower()}, or letters {letters[0]} and {letters[1]}"
        raise GameTableError("--colours", f"alternate, {either}", repr(colours))
    return word


def match(
    trace: Trace,
    first: str,
    second: str,
    games: int = 1,
    colours: str = "alternate",
    first_rating: float | None = None,
    second_rating: float | None = None,
    new: str | Sequence[str] = (),
    at: At = None,
) -> Answer:
    """Forecast a match between two players, or two sides of several people: the probability of each score.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.
    first, second : str
        Two players of the trace, or sides such as "Ann+Bob"; spelling may differ if it fits one player.
    games : int
        Number of games, 1 by default.
    colours : str
        Seats of the first player: "alternate" (the first seat first), "white", "black", or letters such as "WBBW",
        which also give the number of games. For games at home and away: "home", "away", "HAAH".
    first_rating, second_rating : float, optional
        Elo ratings of the day, for a model of the printed list; by default their last printed ratings.
    new : str or sequence of str
        Players of the two who are not in the trace, or "all": drawn from its population. Other unknown names are
        refused.
    at : str, sequence of str or mapping, optional
        A past day, YYYY-MM-DD or YYYY-MM, or period of a trace whose strengths change: a match at that time. Values of
        columns that the model reads, {"rapid": 1} or "rapid=1"; by default their means in the games of the fit.

    Returns
    -------
    Answer
        score (of the first player), probability_percent; `about["answer"]` has the winner, the note one game with each
        colour and the stronger player. For a model of half points each player's expected_percent with its interval.

    Raises
    ------
    HalfpointError
        If a name fits no or several players, both are the same, the colours are invalid, or a rating is given for a
        model that uses no ratings of known players.
    """
    GAMES.require("--games", games, GameTableError)
    tree, remark = as_of(trace_from(trace), at)
    words = seats_named(tree.attrs.get("seats"))
    letters, word = (words.first[0], words.second[0]), colours_of(colours, games, tree.attrs.get("seats"))
    spelt = Players(tree["posterior"]["player"].to_numpy().tolist())
    people = [
        person.strip()
        for name in (first, second)
        for person in ([name] if spelt.place(name) is not None else name.split(PLUS))
    ]
    tree, _, newcomers = enter_newcomers(tree, list(dict.fromkeys(people)), new)
    (first, second), ratings = _two_sides(tree, first, second)
    day_ratings = {
        name: rating for name, rating in ((first, first_rating), (second, second_rating)) if rating is not None
    }
    if tells_no_draws(tree):
        half_points = match_in_half_points(tree, first, second, word, day_ratings, ratings)
        half_points.about["note"] += newcomers + remark
        return half_points
    distribution = match_chances(tree, first, second, word, day_ratings)
    scores = distribution.index.to_numpy(dtype=np.float64)
    half = len(word) / 2
    chance = distribution.to_numpy()
    expected = interval(expected_score_of_match(tree, first, second, word, day_ratings))
    frame = pd.DataFrame({"score": scores, "probability_percent": 100 * chance})
    single = game(tree, first, second, day_ratings), game(tree, second, first, day_ratings)[::-1]
    drawn: float | None = chance[scores == half].sum()
    order, games_of = [0, 1, 2], f"loss, draw, win for {first}"
    if words.first == "Home":
        order, games_of = [2, 1, 0], f"win, draw, loss for {first}"
    if not (tree["observed_data"]["score"].to_numpy() == 0.5).any():  # of games that are never drawn
        drawn, order, games_of = None if len(word) % 2 else drawn, [2, 0], f"win, loss for {first}"
        frame = frame[scores % 1 == 0].reset_index(drop=True)
    as_first, as_second = (" / ".join(map(in_percent, np.asarray(chances)[order])) for chances in single)
    chances_in_words = (
        as_first if as_first == as_second else f"{words.as_first} {as_first}, {words.as_second} {as_second}"
    )
    what = "" if len(word) == 1 else " the match"
    answer = f"{game_in_words(first, second, chance[scores > half].sum(), drawn, chance[scores < half].sum(), what)}."
    note = f"Expected score {expected} of {len(word)}. One game ({games_of}): {chances_in_words}."
    if not day_ratings:  # by the ratings of the trace, which are not those of another day
        note += f" P({first} is the stronger) {in_percent(float((ratings[0] > ratings[1]).mean()))}."
    ways = [words.as_first] * ("W" in word) + [words.as_second] * ("B" in word)
    shown = f"'s colours {word if len(word) <= _LONGEST_WORD else colours}"
    seated = shown if letters == ("W", "B") and len(word) > 1 else f" {' and '.join(ways)}"
    seated = "" if as_first == as_second else f", {first}{seated}"
    title = f"{first} against {second}, {count_noun(len(word), 'game')}{seated}"
    about = about_trace(tree, title) | {"answer": answer, "note": note + newcomers + remark}
    return Answer(frame, about, look=Look(chances=("probability_percent",)))


def summary(trace: Trace) -> Answer:
    """Summarise a trace: model, convergence and rating list.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.

    Returns
    -------
    Answer
        The list (`halfpoint.evaluation.rating_list.RatingList`, intervals of 95%); the note has one sentence each on
        the games, the diagnosis, the level and the first move.
    """
    tree = trace_from(trace)
    attributes = tree.attrs
    about = about_trace(tree, title_of(attributes))
    simulated = " SIMULATED" if attributes["data_simulated"] else ""
    trace_list = list_from_trace(tree)
    worth = first_move_and_draws(tree["posterior"].to_dataset())
    shared = first_move_and_draws_in_words(worth, tree.attrs.get("seats"))
    lines = [
        f"{title_of(attributes)}, weights {attributes['weighting']}, "
        f"on {attributes['data_name']}{simulated} "
        f"({attributes['games']} games, {attributes['players']} {trace_list.ranking.noun}s)",
        f"{attributes['verdict']}: R-hat {attributes['max_rhat']:.3f}, bulk ESS {attributes['min_ess_bulk']:.0f}, "
        f"tail ESS {attributes['min_ess_tail']:.0f}, {attributes['divergences']} divergences",
        f"{trace_list.level}.",
        *([f"{shared}."] if shared else []),
    ]
    return Answer(trace_list.ranking.frame, about | {"note": "\n".join(lines)})

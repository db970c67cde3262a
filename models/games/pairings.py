r"""Games whose pairings follow from results: Swiss events, knockouts and ladders, event by event.

Such a pairing is a function of results that a model uses already, so it adds no information about strengths (Rubin
1976, Biometrika 63:581). An event is the games of one name, or of the whole file without names, between gaps of 45
days.

    Swiss      the plus scores of opponents before a game, points less half the games in the event, have a correlation
               above 0.2, and one that is 0.2 above that of their plus scores after the game: pairings by strength are
               alike in both directions of time, pairings by points are not. Over games whose players have both played
               before, or play again. Simulated events paired by points have 0.23 to 0.99 before and -0.27 to 0.26
               after, also if only the games of the stronger players are in the file; leagues, random pairings and
               opponents of near strength have differences of -0.19 to 0.13.
    knockout   no game is drawn and a player who has lost does not play again, in an event, a day or a week.

Events with too few games for a decision are decided together.
"""

import re

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.plain_words import ROUNDS, plain_word
from halfpoint.models.games.table import Booleans, Floats, GameTable, Integers

BY_POINTS = 0.2  # correlation of plus scores, and its excess over that of later games, of pairings by points
_FEWEST = 40  # games of an event with a correlation of its own: a standard error of 0.16 without any dependence
_WHOLE = 0.8  # mean number of games of the players of an event, as a share of the largest, from which on it is whole
_GAP_DAYS = 45  # without a game, after which a name is another event
_SURVIVORS, _SMALL = 24, 12  # players with several games in knockouts: of a file, and of an event decided alone
_TWICE = 16  # of so many players of a knockout one may lose twice: a match for third place


def by_results(games: GameTable) -> Booleans:
    """True for games whose pairings follow from earlier results of their event, shape (game,).

    False without days or rounds, apart from a file that is a single knockout, and for sides of several people.
    """
    nothing = np.zeros(len(games), dtype=np.bool_)
    if games.sides is not None or not len(games):
        return nothing
    if _is_single_knockout(games):
        return ~nothing
    turn = _turns(games)
    if turn is None:
        return nothing
    event = _events(games)
    return _by_points(games, event, turn) | _by_losses(games, event)


def in_knockouts(games: GameTable) -> Booleans:
    """True for games of knockouts, shape (game,)."""
    if games.sides is not None or not len(games):
        return np.zeros(len(games), dtype=np.bool_)
    return _by_losses(games, _events(games)) | _is_single_knockout(games)


def _is_single_knockout(games: GameTable) -> bool:
    """True if no player of several games loses twice and no game is drawn."""
    losers = np.concatenate([games.white[games.score == 0.0], games.black[games.score == 1.0]])
    once = np.bincount(losers, minlength=1).max() < 2 and not (games.score == 0.5).any()
    return bool(games.people.size > 2 and once)


def of_whole_swiss(games: GameTable, follows: Booleans) -> Booleans:
    """True for games `by_results` of events that are whole: most players have nearly all rounds, shape (game,)."""
    if not follows.any():
        return follows
    event = _events(games)
    place = _places(games, event)
    event_of_place = np.zeros(place.max() + 1, dtype=np.int64)
    event_of_place[place] = event
    played, most = np.bincount(place.ravel()), np.zeros(event.max() + 1)
    np.maximum.at(most, event_of_place, played)
    mean = np.bincount(event_of_place, played) / np.bincount(event_of_place)
    return follows & (mean >= _WHOLE * most)[event]


def _turns(games: GameTable) -> Integers | None:
    """Order of the games by days and rounds, equal numbers at the same time; None without both."""
    keys: list[npt.NDArray[np.generic]] = []
    if games.date is not None and not np.isnat(games.date).any():
        keys.append(games.date.astype(np.int64))
        for name, values in games.covariates.items():
            if plain_word(name) in ROUNDS:
                keys.append(_numbers(values))
    elif games.period is not None:
        keys.append(games.period)
    if not keys:
        return None
    return np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)[1].ravel()


def _numbers(values: npt.NDArray[np.generic]) -> Integers:
    """Whole numbers at the beginning of values, -1 without one: 3 for "3.1"."""
    texts, codes = np.unique(values.astype(np.str_), return_inverse=True)
    begins = [re.match(r"\d+", text) for text in texts.tolist()]
    return np.array([-1 if one is None else int(one[0]) for one in begins], dtype=np.int64)[codes.ravel()]


def _events(games: GameTable) -> Integers:
    """Number of the event of each game, shape (game,)."""
    names = games.covariates.get("event") if games.event is None else games.event
    event = np.zeros(len(games), dtype=np.int64) if names is None else np.unique(names, return_inverse=True)[1].ravel()
    if games.date is None or np.isnat(games.date).any():
        return event
    day = games.date.astype(np.int64)
    order = np.lexsort((day, event))
    begins = (np.diff(event[order], prepend=-1) != 0) | (np.diff(day[order], prepend=day[order[0]]) > _GAP_DAYS)
    number = np.empty_like(event)
    number[order] = np.cumsum(begins) - 1
    return number


def _places(games: GameTable, group: Integers) -> Integers:
    """Number of each side's player within a group of games, shape (2, game)."""
    both = np.stack([group * games.people.size + side for side in (games.white, games.black)])
    return np.unique(both, return_inverse=True)[1].reshape(2, -1)


def _plus_scores(games: GameTable, event: Integers, turn: Integers) -> tuple[Booleans, Floats]:
    """True for games whose players have both played before in the event, and their plus scores, shape (2, game)."""
    place = _places(games, event)
    plus, games_before = np.zeros(place.max() + 1), np.zeros(place.max() + 1, dtype=np.bool_)
    before, scores = np.zeros(len(games), dtype=np.bool_), np.zeros((2, len(games)))
    order = np.argsort(turn, kind="stable")
    for here in np.split(order, np.flatnonzero(np.diff(turn[order])) + 1):
        at = place[:, here]
        before[here] = games_before[at].all(axis=0)
        scores[:, here] = plus[at]
        np.add.at(plus, at[0], games.score[here] - 0.5)
        np.add.at(plus, at[1], 0.5 - games.score[here])
        games_before[at] = True
    return before, scores


def _by_points(games: GameTable, event: Integers, turn: Integers) -> Booleans:
    """True for games of events in which opponents have similar points, small events together."""
    before, plus = _plus_scores(games, event, turn)
    count = np.bincount(event[before], minlength=event.max() + 1)
    number = np.where(count >= _FEWEST, np.arange(count.size), count.size)[event]
    after, later = _plus_scores(games, event, turn.max() - turn)
    earlier = _correlations(number[before], plus[:, before], count.size + 1)
    excess = earlier - _correlations(number[after], later[:, after], count.size + 1)
    return (np.fmin(earlier, excess) > BY_POINTS)[number]


def _correlations(group: Integers, plus: Floats, groups: int) -> Floats:
    """Correlation of the plus scores of opponents, both ways round, by group; NaN with too few games to decide."""
    count, one, squares, product = (
        np.bincount(group, each, groups)
        for each in (np.ones(group.size), plus.sum(axis=0) / 2.0, np.square(plus).sum(axis=0) / 2.0, plus.prod(axis=0))
    )
    count = np.where(count >= _FEWEST, count, np.nan)
    variance = squares / count - (one / count) ** 2
    return (product / count - (one / count) ** 2) / np.where(variance > 0.0, variance, np.nan)


def _by_losses(games: GameTable, event: Integers) -> Booleans:
    """True for games of knockouts, shape (game,): named events, or days or weeks in a file without names."""
    if games.event is not None or "event" in games.covariates:
        return knockouts(games, event, _SMALL)
    if games.date is None or np.isnat(games.date).any():
        return np.zeros(len(games), dtype=np.bool_)
    day = games.date.astype(np.int64)
    return knockouts(games, day - day.min()) | knockouts(games, (day + 3) // 7 - (day.min() + 3) // 7)


def knockouts(games: GameTable, group: Integers, alone: float = np.inf) -> Booleans:
    """True for games of groups in which no game is drawn and no player plays on after a loss, shape (game,).

    Groups with fewer than `alone` players of several games are decided together.
    """
    place, groups = _places(games, group), int(group.max()) + 1
    group_of_place = np.zeros(place.max() + 1, dtype=np.int64)
    group_of_place[place] = group
    losses = np.bincount(np.concatenate([place[0, games.score == 0.0], place[1, games.score == 1.0]]), minlength=1)
    losses = np.bincount(np.flatnonzero(losses > 1), minlength=group_of_place.size)
    several = np.bincount(group_of_place, np.bincount(place.ravel()) > 1, groups)
    twice, drawn = np.bincount(group_of_place, losses, groups), np.bincount(group[games.score == 0.5], minlength=groups)
    candidate, small = (drawn == 0) & (_TWICE * twice <= several), several < alone
    together = several[small].sum()
    if together < _SURVIVORS or _TWICE * twice[small].sum() > together or drawn[small & (several > 0)].any():
        candidate &= ~small
    return np.asarray(candidate[group], dtype=np.bool_)

"""First sentences on chances: the strongest, a title, places, a game, a round of pairs."""

from collections.abc import Mapping, Sequence

import numpy as np

from halfpoint.evaluation.digits import fixed_decimals, in_percent, interval

_LEADS, _SURE, _NAMED = 0.5, 0.95, 0.05
_AHEAD = 0.05  # chance of a leader above that of the next
_MOST_TIED, _MOST_NAMED = 4, 3
_LEVEL = 0.005  # chances that print alike
_UNINFORMATIVE = 1e-3  # bits of a round


def join_words(names: Sequence[str], last: str = "and") -> str:
    """Names as a list in words.

    Examples
    --------
    >>> join_words(["Ann"]), join_words(["Ann", "Bob", "Cy"])
    ('Ann', 'Ann, Bob and Cy')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def strongest(best: Mapping[str, float], games: float | None = None) -> str:
    """Sentence about the strongest of a list, from the chance of each to be the strongest.

    `games` is the number of games of the first: one game makes no leader.

    Examples
    --------
    >>> strongest({"Ann": 0.7, "Bob": 0.3}), strongest({"Ann": 0.34, "Bob": 0.33, "Cy": 0.33})
    ('Ann is probably the strongest (70%); else Bob (30%).', 'No clear leader: Ann (34%), Bob (33%) or Cy (33%).')
    """
    ranked = sorted(best.items(), key=lambda entry: -entry[1])
    if len(ranked) == 1:
        return f"{ranked[0][0]} is the only one listed."
    first, chance = ranked[0]
    if games == 1 and chance < _NAMED:  # of many guests beside players of many games
        return f"No clear leader: every chance to be the strongest is below {in_percent(_NAMED)}."
    if games == 1:
        return f"No clear leader after one game: {_with_chances(ranked)}."
    if chance >= _SURE:
        return f"{first} is the strongest ({in_percent(chance)})."
    if _leads(ranked):
        alternatives = f"; else {_with_chances(ranked[1:_MOST_NAMED])}" if ranked[1][1] >= _NAMED else ""
        return f"{first} is probably the strongest ({in_percent(chance)}){alternatives}."
    many = _level_with_first(ranked)
    if len(many) > _MOST_TIED:
        return f"No clear leader: {len(many)} are equally likely to be the strongest ({in_percent(chance)} each)."
    return f"No clear leader: {_with_chances(ranked, max(len(many), _MOST_NAMED))}."


def _leads(ranked: Sequence[tuple[str, float]]) -> bool:
    """True if the first of ranked chances is above a half and clearly above the second."""
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    return ranked[0][1] > _LEADS and ranked[0][1] - second >= _AHEAD


def _level_with_first(ranked: Sequence[tuple[str, float]]) -> list[str]:
    """Names whose chance differs from the first by less than the error of a simulation, or is printed alike."""
    best = ranked[0][1]
    return [name for name, value in ranked if best - value < _LEVEL or in_percent(value) == in_percent(best)]


def of_hundred(chance: float) -> str:
    """A chance as a number of 100 seasons, neither 0 nor 100 unless it never or always happened.

    Examples
    --------
    >>> of_hundred(0.854), of_hundred(0.9999), of_hundred(0.0004)
    ('85 of 100', 'more than 99 of 100', 'fewer than 1 of 100')
    """
    text = in_percent(chance).removesuffix("%")
    words = {">99": "more than 99", "<1": "fewer than 1"}
    return f"{words.get(text, text)} of 100"


def champion(title: Mapping[str, float], left: int) -> str:
    """Sentence about the title of a season, from the chance of each; `left` games are to come.

    Examples
    --------
    >>> champion({"Ash": 0.85, "Birch": 0.14, "Elm": 0.01}, 124)
    'Ash win the title in 85 of 100 simulated seasons, Birch in 14.'
    """
    ranked = sorted(title.items(), key=lambda entry: -entry[1])
    (first, chance), second = ranked[0], ranked[1] if len(ranked) > 1 else ("", 0.0)
    if not left:
        shared = [name for name, value in ranked if chance - value < 1e-9]
        if len(shared) == 1:
            return f"{first} are champions: the season is over."
        return f"{join_words(shared)} share the title on points: the season is over."
    if chance >= 1.0:
        return f"{first} are champions: no other club won the title in any simulated season."
    level = _level_with_first(ranked)
    if len(level) > 1:
        names = join_words(level) if len(level) <= _MOST_TIED else f"{len(level)} clubs"
        return f"Level at the top: {names} win the title in {of_hundred(chance)} simulated seasons each."
    runner_up = f", {second[0]} in {of_hundred(second[1]).removesuffix(' of 100')}" if second[1] >= 0.005 else ""
    if chance <= _LEADS:
        return f"An open title: {first} win it in {of_hundred(chance)} simulated seasons{runner_up}."
    return f"{first} win the title in {of_hundred(chance)} simulated seasons{runner_up}."


def title_decided(title: Mapping[str, float]) -> str:
    """Sentence about the title of an event whose games are all played; equal shares of it are a tie.

    Examples
    --------
    >>> title_decided({"Ann": 1.0, "Bob": 0.0}), title_decided({"Ann": 0.5, "Bob": 0.5, "Cy": 0.0})
    ('Ann has won the title: all games are played.', 'Ann and Bob share the title: all games are played.')
    """
    best = max(title.values())
    names = [name for name, value in title.items() if best - value < 1e-9]
    return f"{join_words(names)} {'has won' if len(names) == 1 else 'share'} the title: all games are played."


def winner_of_event(chances: Mapping[str, float], prize: str = "") -> str:
    """Sentence on the winner of an event, or of a prize such as "the title", from the chance of each.

    Examples
    --------
    >>> winner_of_event({"Ann": 0.6, "Bob": 0.4}, "the title"), winner_of_event({"Ann": 0.5, "Bob": 0.5})
    ('Ann wins the title with a chance of 60%.', 'Ann and Bob are equally likely to win (50% each).')
    >>> winner_of_event({"Ann": 0.25, "Bob": 0.35, "Cy": 0.40})
    'No clear favourite to win: Cy (40%), Bob (35%) or Ann (25%).'
    """
    ranked = sorted(chances.items(), key=lambda entry: -entry[1])
    best, what = ranked[0][1], f" {prize}" * bool(prize)
    level = _level_with_first(ranked)
    if len(level) > 1:
        names = join_words(level) if len(level) <= _MOST_TIED else f"{len(level)} of {len(chances)}"
        return f"{names} are equally likely to win{what} ({in_percent(best)} each)."
    if not _leads(ranked):
        return f"No clear favourite to win{what}: {_with_chances(ranked)}."
    return f"{level[0]} wins{what} with a chance of {in_percent(best)}."


def _with_chances(ranked: Sequence[tuple[str, float]], most: int = _MOST_NAMED) -> str:
    """Names with their chances: the first, and the next ones with a chance of 5% or more."""
    names = [entry for k, entry in enumerate(ranked[:most]) if k == 0 or entry[1] >= _NAMED]
    return join_words([f"{name} ({in_percent(chance)})" for name, chance in names], "or")


def zone(name: str, chances: Mapping[str, float], places: int) -> str:
    """Sentence about named places, such as relegation, from the chance of each; `places` is their number.

    Examples
    --------
    >>> zone("relegation", {"Oak": 0.94, "Fir": 0.91, "Elm": 0.15}, 2)
    'Relegation: Oak 94%, Fir 91%, Elm 15%.'
    """
    ranked = [entry for entry in sorted(chances.items(), key=lambda entry: -entry[1]) if entry[1] >= _NAMED]
    heading = name[:1].upper() + name[1:]
    sure = [who for who, chance in ranked if chance >= 1.0]
    if len(sure) == places:
        return f"{heading}: {join_words(sure)}, decided."
    if len(ranked) > places + _MOST_NAMED:
        return f"{heading} is open: {len(ranked)} have a chance of 5% or more."
    return f"{heading}: {', '.join(f'{who} {in_percent(chance)}' for who, chance in ranked)}."


def competitor(name: str, place: Sequence[float], points: tuple[float, float, float], left: int) -> str:
    """Sentence about one club: expected points with their interval, and the likeliest place.

    `place` is the chance of each place.
    """
    mean, low, high = (fixed_decimals(value, 0) for value in points)
    best = int(np.argmax(place))
    if not left:
        shared = [k + 1 for k, chance in enumerate(place) if chance > 1e-9]
        place_text = f"place {shared[0]}" if len(shared) == 1 else f"places {shared[0]} to {shared[-1]} (shared)"
        return f"{name}: {mean} points, {place_text}."
    return (
        f"{name}: {mean} points expected ({low} to {high}), most likely place {best + 1} ({in_percent(place[best])})."
    )


def game_in_words(first: str, second: str, win: float, draw: float | None, loss: float, what: str = "") -> str:
    """Chances of a game, or of `what`, such as " the match", without a full stop; `draw` is None if impossible.

    Examples
    --------
    >>> game_in_words("Ann", "Bob", 0.5, 0.3, 0.2), game_in_words("Ann", "Bob", 0.9996, None, 0.0004, " the match")
    ('Ann wins 50%, drawn 30%, Bob wins 20%', 'Ann wins the match >99%, Bob wins <1%')
    """
    drawn = "" if draw is None else f"drawn {in_percent(draw)}, "
    return f"{first} wins{what} {in_percent(win)}, {drawn}{second} wins {in_percent(loss)}"


def surest(count: int, noun: str, first: str, second: str, words: str, expected: float) -> str:
    """Sentence on the game of several with the most one-sided forecast; `expected` is a score in [0, 1]."""
    if count == 1:
        return f"{first} against {second}: {words}."
    if abs(expected - 0.5) < 0.01:
        return f"{count:,} {noun}s, all even."
    return f"{count:,} {noun}s. The surest is {first} against {second}: {words}."


def expected_points(first: str, score: Mapping[str, float], points: int) -> str:
    """Sentence on a match without chances of a draw: the expected points of a side, with their interval."""
    return f"{first} is expected to score {interval(score)} of {points} point{'s' * (points != 1)}."


def next_round(first: str, second: str, boards: int, bits: float | None, noun: str = "board") -> str:
    """Sentence on a round of pairs: the first board, or that no pairing is informative; `bits` is the round's gain.

    Examples
    --------
    >>> next_round("Ann", "Bob", 4, 0.12), next_round("Ann", "Bob", 1, None)
    ('Board 1 of 4: Ann against Bob.', 'One board: Ann against Bob.')
    >>> next_round("Ann", "Bob", 4, 0.0002)
    'No pairing is informative: each gives less than a thousandth of a bit.'
    """
    if bits is not None and bits < _UNINFORMATIVE:
        return "No pairing is informative: each gives less than a thousandth of a bit."
    return f"{f'One {noun}' if boards == 1 else f'{noun.capitalize()} 1 of {boards}'}: {first} against {second}."


def next_comparison(first: str, second: str, left_percent: float) -> str:
    """Sentence on what to compare next; `left_percent` is the variance that the comparison leaves.

    Examples
    --------
    >>> next_comparison("a", "b", 91.0), next_comparison("a", "b", 99.9)
    ('Compare a with b first.', 'No comparison reduces the variance much: the best leaves 99.9% of the variance.')
    """
    if left_percent > 99.0:
        return f"No comparison reduces the variance much: the best leaves {left_percent:.1f}% of the variance."
    return f"Compare {first} with {second} first."

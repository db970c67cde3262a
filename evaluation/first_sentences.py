"""The first sentence of an answer: what the numbers say, and not more.

Each function gets numbers and returns a sentence. Rules: a leader is named as such only where the chance of it is
above a half; a tie names all who share it; a chance is never printed as 0% or 100%; differences within their error are
no findings; a number of one game, or of runs that did not converge, is no claim.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from halfpoint.evaluation.digits import fixed_decimals, in_percent

_LEADS, _SURE, _NAMED = 0.5, 0.95, 0.05
_MOST_TIED, _MOST_NAMED = 4, 3
_LEVEL = 0.005  # chances that print alike
_SIGNIFICANT = 1.96  # standard errors


def join_words(names: Sequence[str], last: str = "and") -> str:
    """Names as a list in words.

    Examples
    --------
    >>> join_words(["Ann"]), join_words(["Ann", "Bob", "Cy"])
    ('Ann', 'Ann, Bob and Cy')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def strongest(best: Mapping[str, float]) -> str:
    """Sentence about the strongest of a list, from the chance of each to be the strongest.

    Examples
    --------
    >>> strongest({"Ann": 0.7, "Bob": 0.3}), strongest({"Ann": 0.34, "Bob": 0.33, "Cy": 0.33})
    ('Ann is probably the strongest (70%); else Bob (30%).', 'No clear leader: Ann (34%), Bob (33%) or Cy (33%).')
    """
    ranked = sorted(best.items(), key=lambda entry: -entry[1])
    if len(ranked) == 1:
        return f"{ranked[0][0]} is the only one listed."
    (first, chance), further_names = ranked[0], [entry for entry in ranked[1:] if entry[1] >= _NAMED]
    further = [f"{name} ({in_percent(value)})" for name, value in further_names[: _MOST_NAMED - 1]]
    if chance >= _SURE:
        return f"{first} is the strongest ({in_percent(chance)})."
    if chance > _LEADS:
        alternatives = f"; else {join_words(further, 'or')}" if further else ""
        return f"{first} is probably the strongest ({in_percent(chance)}){alternatives}."
    many = [name for name, value in ranked if chance - value < _LEVEL]
    if len(many) > _MOST_TIED:
        return f"No clear leader: {len(many)} are equally likely to be the strongest ({in_percent(chance)} each)."
    return f"No clear leader: {join_words([f'{first} ({in_percent(chance)})', *further], 'or')}."


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
        return f"{first} are champions: nobody else won the title in any simulated season."
    level = [name for name, value in ranked if chance - value < _LEVEL]
    if len(level) > 1:
        names = join_words(level) if len(level) <= _MOST_TIED else f"{len(level)} clubs"
        return f"Level at the top: {names} win the title in {of_hundred(chance)} simulated seasons each."
    runner_up = f", {second[0]} in {of_hundred(second[1]).removesuffix(' of 100')}" if second[1] >= 0.005 else ""
    if chance <= _LEADS:
        return f"An open title: {first} win it in {of_hundred(chance)} simulated seasons{runner_up}."
    return f"{first} win the title in {of_hundred(chance)} simulated seasons{runner_up}."


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


def rated(name: str, rank: tuple[int, int, int], rating: tuple[float, float, float], unit: str, games: int) -> str:
    """Sentence about one rated player: rating, rank, both with intervals of 95%.

    `rank` and `rating` are estimate, low and high.
    """
    digits = 0 if unit == "elo" else 1
    mean, low, high = (fixed_decimals(value, digits).replace("-", "−") for value in rating)
    what = "rated" if unit == "elo" else "IMPs a board"
    value = f"rated {mean} ({low} to {high})" if unit == "elo" else f"{mean} {what} ({low} to {high})"
    rank_text = f"number {rank[0]}" if rank[1] == rank[2] else f"number {rank[0]} ({rank[1]} to {rank[2]})"
    few = ", by one game" if games == 1 else ""
    return f"{name}: {value}, {rank_text}{few}."


def against_baseline(games: int, score: float, baseline: float, difference: float, error: float, rival: str) -> str:
    """Sentence that compares forecasts with a rival by the mean log score of the same games, lower is better.

    `difference` is the rival's mean score less that of the forecasts, `error` its standard error.

    Examples
    --------
    >>> against_baseline(124, 0.96, 1.06, 0.10, 0.03, "base rates")
    'Over 124 games the forecasts score 0.96, base rates 1.06: better by 0.10 (standard error 0.03).'
    >>> against_baseline(9, 1.03, 1.06, 0.03, 0.06, "base rates")
    'Over 9 games the forecasts score 1.03, base rates 1.06: no significant difference (standard error 0.06).'
    """
    if not games:
        return "No game has been played since the first edition, so no forecast can be scored yet."
    if games == 1:
        return f"One game has been played since the first edition (log score {score:.2f}): too few to compare."
    start = f"Over {games:,} games the forecasts score {score:.2f}, {rival} {baseline:.2f}"
    if abs(difference) <= _SIGNIFICANT * error:
        return f"{start}: no significant difference (standard error {error:.2f})."
    word = "better" if difference > 0 else "worse"
    return f"{start}: {word} by {abs(difference):.2f} (standard error {error:.2f})."


def best_result(name: str, score: float, games: int, expected: float, how: str = "") -> str:
    """Sentence about the best result of an event against its expectation; one game is no performance."""
    if score - expected <= 0.0:
        return "Nobody scored more than expected."
    count = "1 game" if games == 1 else f"{games} games"
    return f"{name} did best: {score:g} of {count}, {expected:.1f} expected{how}."


def not_converged(verdict: str) -> str:
    """Sentence of an answer whose sampler did not converge: no number of it is claimed."""
    reason = verdict.removeprefix("NOT CONVERGED: ")
    return f"The sampler did not converge ({reason}): these numbers are not reliable."


def over_expectation(score: float, games: int, expected: float, error: float, season: bool = False) -> str:
    """Sentence on a score beside its expectation, with the standard deviation that chance gives it.

    Examples
    --------
    >>> over_expectation(14.5, 24, 13.5, 2.1)
    'Scored 14.5 of 24 games, 13.5 expected: within chance.'
    """
    count, excess = "1 game" if games == 1 else f"{games:,} games", score - expected
    if season:
        direction = "more" if excess >= 0 else "fewer"
        start = f"This season, over {count}, {abs(excess):.1f} wins {direction} than this list expects"
    else:
        start = f"Scored {score:g} of {count}, {expected:.1f} expected"
    if games == 1 or abs(excess) <= _SIGNIFICANT * error:
        return f"{start}: within chance."
    return f"{start}: {'more' if excess > 0 else 'less'} than chance explains."


def changes(count: int, since: str, games: int) -> str:
    """Sentence on the number of changes since an earlier edition, and the games that brought them.

    Examples
    --------
    >>> changes(12, "31 January 2022", 40)
    '12 numbers moved by more than one unit since 31 January 2022, after 40 new games.'
    """
    played = "no new game" if games <= 0 else "1 new game" if games == 1 else f"{games:,} new games"
    if not count:
        return f"No number moved by more than one unit since {since}, after {played}."
    numbers = "1 number" if count == 1 else f"{count:,} numbers"
    return f"{numbers} moved by more than one unit since {since}, after {played}."


def surest_game(count: int, row: Mapping[str, float | str]) -> str:
    """Sentence on games to come: the game with the most one-sided forecast, if one is.

    `row` has first, second and expected_percent, and with draws win_percent, draw_percent and loss_percent.
    """
    first, second = row["first"], row["second"]
    forecast_text = f"expected score {in_percent(float(row['expected_percent']) / 100.0)} for {first}"
    if row.get("win_percent") is not None:
        win, draw, loss = (in_percent(float(row[f"{name}_percent"]) / 100.0) for name in ("win", "draw", "loss"))
        forecast_text = f"{first} wins {win}, draw {draw}, {second} wins {loss}"
    if count == 1:
        return f"{first} against {second}: {forecast_text}."
    if abs(float(row["expected_percent"]) - 50.0) < 1.0:
        return f"{count:,} games to come, all even."
    return f"{count:,} games to come. The surest is {first} against {second}: {forecast_text}."


def gained_and_lost(change: Mapping[str, float], digits: int) -> str:
    """Sentence on who gained and who lost most; a change that prints as zero is none."""
    ranked = sorted(change.items(), key=lambda entry: -entry[1])
    printed = {name: fixed_decimals(value, digits) for name, value in ranked}
    (most, gain), (least, loss) = ranked[0], ranked[-1]
    parts = []
    if gain > 0.0 and float(printed[most]):
        parts.append(f"Gained most: {most} +{printed[most]}.")
    if loss < 0.0 and float(printed[least]):
        parts.append(f"Lost most: {least} −{printed[least].removeprefix('-')}.")
    return " ".join(parts) or "No rating changed."


def against_odds(games: int, odds: float, difference: float, error: float) -> str:
    """Sentence that compares forecasts with odds; `difference` is the mean log score by odds less ours."""
    start = f"On {games:,} games with odds these score {odds:.2f}"
    if games == 1 or abs(difference) <= _SIGNIFICANT * error:
        return f"{start}: no significant difference from the forecasts (standard error {error:.2f})."
    word = "better" if difference > 0 else "worse"
    return f"{start}: the forecasts are {word} by {abs(difference):.2f} (standard error {error:.2f})."

"""The first sentence of an answer: what the numbers imply, and no more.

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
        return f"{first} are champions: no other club won the title in any simulated season."
    level = [name for name, value in ranked if chance - value < _LEVEL]
    if len(level) > 1:
        names = join_words(level) if len(level) <= _MOST_TIED else f"{len(level)} clubs"
        return f"Level at the top: {names} win the title in {of_hundred(chance)} simulated seasons each."
    runner_up = f", {second[0]} in {of_hundred(second[1]).removesuffix(' of 100')}" if second[1] >= 0.005 else ""
    if chance <= _LEADS:
        return f"An open title: {first} win it in {of_hundred(chance)} simulated seasons{runner_up}."
    return f"{first} win the title in {of_hundred(chance)} simulated seasons{runner_up}."


def title_chance(title: Mapping[str, float]) -> str:
    """Sentence about the title of a tournament from the chance of each.

    Examples
    --------
    >>> title_chance({"Ann": 0.6, "Bob": 0.4}), title_chance({"Ann": 0.5, "Bob": 0.5})
    ('Ann wins the title with a chance of 60%.', 'Ann and Bob are equally likely to win the title (50% each).')
    """
    return (
        winner_of_event(title).replace(" wins with", " wins the title with").replace("to win (", "to win the title (")
    )


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
        return "No player scored more than expected."
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


def best_forecaster(gains: Mapping[str, Mapping[str, tuple[float, float]]], equal: str) -> str:
    """Sentence on forecasters of events against equal chances, on every score that judges them.

    `gains` has, by forecaster and score, the gain over equal chances with its standard error; `equal` names them.

    Examples
    --------
    >>> best_forecaster({"elo": {"order": (0.01, 0.05), "winner": (0.20, 0.02)}, "uniform": {}}, "uniform")
    'elo forecasts the winner best: 0.20 ± 0.02 more log score than equal chances; the order no better.'
    """
    best: dict[str, tuple[str, float, float]] = {}
    for name, by_score in gains.items():
        for score, (gain, error) in by_score.items():
            significant = name != equal and gain > _SIGNIFICANT * error
            if significant and (score not in best or gain > best[score][1]):
                best[score] = (name, gain, error)
    scores = list(dict.fromkeys(score for by_score in gains.values() for score in by_score))
    parts = [
        f"{best[score][0]} forecasts the {score} best: {best[score][1]:.2f} ± {best[score][2]:.2f} more log score than "
        "equal chances"
        for score in scores
        if score in best
    ]
    if not parts:
        return "No forecaster is significantly better than equal chances."
    no_better = [score for score in scores if score not in best]
    return "; ".join([*parts, *(f"the {score} no better" for score in no_better)]) + "."


def best_performance(rows: Sequence[tuple[str, float, int, float]]) -> str:
    """Sentence on the best performance of an event, among players with at least half of the most games.

    `rows` has player, points, games and performance rating (NaN if it has none); all points of all games have none.
    """
    rated_rows = [row for row in rows if np.isfinite(row[3])]
    if not rated_rows:
        return ""
    most = max(games for _, _, games, _ in rated_rows)
    if most == 1:
        return "One game each: performances are not distinguishable from chance."
    compared = [row for row in rated_rows if 2 * row[2] >= most]
    best = max(value for _, _, _, value in compared)
    names = [name for name, _, _, value in compared if round(value) == round(best)]
    if len(names) > 1:
        who = join_words(names) if len(names) <= _MOST_TIED else f"{len(names)} players"
        return f"{who} performed alike and best, {best:.0f}."
    name, points, games, _ = next(row for row in compared if row[0] == names[0])
    return f"{name} performed best: {points:g} of {games} points, a performance of {best:.0f}."


def pool_drift(drift: Mapping[str, tuple[float | None, float | None]]) -> str:
    """Sentence on pools: change of the mean, and the part of it that is drift against a reference.

    The mean also moves as players come and go; drift is the change of the pool's mean less its reference, such as the
    printed ratings of the same players. Values by system are change and drift, None if unknown.
    """

    def signed(value: float) -> str:
        return f"{value:+.1f}".replace("-", "−")

    parts = []
    for system, (change, moved) in drift.items():
        if change is None:
            parts.append(f"{system} rates no player")
        elif moved is None:
            parts.append(f"{system} {signed(change)}, players who came and left included")
        else:
            parts.append(f"{system} {signed(moved)} by drift, {signed(change)} with players who came and left")
    return f"Mean rating from the first period to the last, Elo points: {'; '.join(parts)}."


def winners(names: Sequence[str], score: str, boards: Mapping[str, int], direction: str = "") -> str:
    """Sentence on who is first of a session; pairs with other numbers of boards are not compared without a word.

    `names` are first together, `boards` the number of boards of every pair.
    """
    verb = "wins" if len(names) == 1 else "share first place"
    shown = join_words(names) if len(names) <= _MOST_NAMED else f"{join_words(names[:_MOST_NAMED])} and others"
    few, many = min(boards.values()), max(boards.values())
    note = "" if many <= 2 * few else f"; pairs played {few} to {many} boards, so totals are not comparable"
    return f"{shown} {verb}{direction}: {score}{note}."


def ahead_of(first: str, second: str, ahead: float, error: float | None) -> str:
    """Sentence on the first of a list of estimates beside the second; `error` is the error of the difference.

    Examples
    --------
    >>> ahead_of("Ann", "Bob", 40.2, 12.0), ahead_of("Ann", "Bob", 10.0, 12.0), ahead_of("Ann", "Bob", 0.2, None)
    ('Ann is estimated strongest, 40 Elo ahead of Bob.', 'Ann is estimated 10 Elo ahead of Bob, not significantly.', \
'Ann and Bob are estimated equal.')
    """
    if not float(fixed_decimals(ahead, 0)):
        return f"{first} and {second} are estimated equal."
    if error is not None and ahead <= _SIGNIFICANT * error:
        return f"{first} is estimated {ahead:.0f} Elo ahead of {second}, not significantly."
    return f"{first} is estimated strongest, {ahead:.0f} Elo ahead of {second}."


def surest(count: int, noun: str, first: str, second: str, words: str, expected: float) -> str:
    """Sentence on the game of several with the most one-sided forecast; `expected` is a score in [0, 1]."""
    plural = noun if count == 1 else f"{noun}s"
    if count == 1:
        return f"{first} against {second}: {words}."
    if abs(expected - 0.5) < 0.01:
        return f"{count:,} {plural}, all even."
    return f"{count:,} {plural}. The surest is {first} against {second}: {words}."


def winner_of_event(chances: Mapping[str, float], prize: str = "") -> str:
    """Sentence on the winner of an event, or of a prize, from the chance of each.

    Examples
    --------
    >>> winner_of_event({"Ann": 0.25, "Bob": 0.25, "Cy": 0.5}), winner_of_event({"Ann": 0.5, "Bob": 0.5})
    ('Cy wins with a chance of 50%.', 'Ann and Bob are equally likely to win (50% each).')
    """
    best = max(chances.values())
    level = [name for name, chance in chances.items() if best - chance < _LEVEL]
    if len(level) == 1:
        return f"{level[0]} wins{f' {prize}' * bool(prize)} with a chance of {in_percent(best)}."
    names = join_words(level) if len(level) <= _MOST_TIED else f"{len(level)} of {len(chances)}"
    return f"{names} are equally likely to win{f' {prize}' * bool(prize)} ({in_percent(best)} each)."


def first_by_ranks(ranks: Mapping[str, float], systems: int) -> str:
    """Sentence on who is first by the mean of ranks in several systems; ties are named."""
    best = min(ranks.values())
    names = [name for name, rank in ranks.items() if abs(rank - best) < 1e-9]
    if len(names) > _MOST_TIED:
        return f"{len(names)} share the first place by the mean of {systems} ranks, {best:.1f}."
    verb = "is" if len(names) == 1 else "are level and"
    first = "first" if len(names) == 1 else "first together"
    return f"{join_words(names)} {verb} {first} by the mean of {systems} ranks, {best:.1f}."

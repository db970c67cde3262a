"""First sentences on lists: who is first, by how much, and whether the difference exceeds its error."""

from collections.abc import Mapping, Sequence

import numpy as np

from halfpoint.evaluation.digits import fixed_decimals, interval, signed_decimals
from halfpoint.evaluation.first_sentences.leaders import join_words

_MOST_TIED, _MOST_NAMED, _FEW = 4, 3, 2
_PAIR = " & "  # between partners
_SIGNIFICANT, _ERROR_RATE = 1.96, 0.05  # standard errors; p


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


def ahead_of(first: str, second: str, ahead: float, error: float | None) -> str:
    """Sentence on the first of a list of estimates compared with the second; `error` is the error of the difference.

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


def winners(
    names: Sequence[str], score: str, played: Mapping[str, int], direction: str = "", units: str = "pairs, boards"
) -> str:
    """Sentence on who is first of a session or an event; with unlike numbers of boards or games no winner is named.

    `names` are first together, `played` is the number of units of everybody, `units` names both.

    Examples
    --------
    >>> winners(["Ann"], "2 points", {"Ann": 3, "Bob": 1}, units="players, games")
    'Ann is first: 2 points; players played 1 to 3 games, so totals are not comparable.'
    """
    shown = join_words(names)
    if len(names) > _MOST_NAMED:
        shown = f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
    few, many = min(played.values()), max(played.values())
    who, unit = units.split(", ")
    alike, is_pair = many <= 2 * few, _PAIR in names[0]
    verb = ("win" if is_pair else "wins") if alike else ("are first" if is_pair else "is first")
    verb = verb if len(names) == 1 else "share first place"
    note = "" if alike else f"; {who} played {few} to {many} {unit}, so totals are not comparable"
    return f"{shown} {verb}{direction}: {score}{note}."


def first_by_ranks(ranks: Mapping[str, float], systems: int) -> str:
    """Sentence on who is first by the mean of ranks in several systems; ties are named."""
    best = min(ranks.values())
    names = [name for name, rank in ranks.items() if abs(rank - best) < 1e-9]
    if len(names) > _MOST_TIED:
        return f"{len(names)} share the first place by the mean of {systems} ranks, {best:.1f}."
    verb = "is" if len(names) == 1 else "are level and"
    first = "first" if len(names) == 1 else "first together"
    return f"{join_words(names)} {verb} {first} by the mean of {systems} ranks, {best:.1f}."


def best_performance(rows: Sequence[tuple[str, float, int, float]]) -> str:
    """Sentence on the best performance of an event, among players with at least half of the most games.

    `rows` has player, points, games and performance rating (NaN if it has none); all points of all games have none.
    """
    rated_rows = [row for row in rows if np.isfinite(row[3])]
    if not rated_rows:
        return ""
    most = max(games for _, _, games, _ in rated_rows)
    if most <= _FEW:
        count = "One game" if most == 1 else f"At most {most} games"
        return f"{count} each: performances are not distinguishable from chance."
    compared = [row for row in rated_rows if 2 * row[2] >= most]
    best = max(value for _, _, _, value in compared)
    names = [name for name, _, _, value in compared if round(value) == round(best)]
    if len(names) > 1:
        who = join_words(names) if len(names) <= _MOST_TIED else f"{len(names)} players"
        return f"{who} have the same best performance, {best:.0f}."
    name, points, games, _ = next(row for row in compared if row[0] == names[0])
    return f"{name} performed best: {points:g} of {games} points, a performance of {best:.0f}."


def best_result(name: str, score: float, games: int, expected: float, how: str = "") -> str:
    """Sentence about the best result of an event against its expectation; one game does not count as a performance."""
    if score - expected <= 0.0:
        return "No player scored more than expected."
    count = "1 game" if games == 1 else f"{games} games"
    return f"{name} did best: {score:g} of {count}, {expected:.1f} expected{how}."


def over_expectation(score: float, games: int, expected: float, error: float, season: bool = False) -> str:
    """Sentence on a score and its expectation, with the standard deviation by chance alone.

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


def changes(count: int, since: str, games: int, noun: str = "game", nouns: str = "games") -> str:
    """Sentence on the number of changes since an earlier edition, and the games or judgements that caused them.

    Examples
    --------
    >>> changes(12, "31 January 2022", 40)
    '12 numbers moved by more than one unit since 31 January 2022, after 40 new games.'
    """
    played = f"no new {noun}" if games <= 0 else f"1 new {noun}" if games == 1 else f"{games:,} new {nouns}"
    if not count:
        return f"No number moved by more than one unit since {since}, after {played}."
    numbers = "1 number" if count == 1 else f"{count:,} numbers"
    return f"{numbers} moved by more than one unit since {since}, after {played}."


def pool_drift(drift: Mapping[str, tuple[float | None, float | None]]) -> str:
    """Sentence on pools: change of the mean, and the part of it that is drift against a reference.

    The mean also moves as players come and go; drift is the change of the pool's mean less its reference, such as the
    printed ratings of the same players. Values by system are change and drift, None if unknown.
    """

    def signed(value: float) -> str:
        return signed_decimals(value, 1).replace("-", "−")

    parts = []
    for system, (change, moved) in drift.items():
        if change is None:
            parts.append(f"{system} rates no player")
        elif moved is None:
            parts.append(f"{system} {signed(change)}, players who came and left included")
        else:
            parts.append(f"{system} {signed(moved)} by drift, {signed(change)} with players who came and left")
    return f"Mean rating from the first period to the last, Elo points: {'; '.join(parts)}."


def first_of_list(names: Sequence[str], count: int, value: str = "", games: float | None = None) -> str:
    """Sentence on the first of a list of `count` rows; `names` share the first rank, `value` is a number in words.

    Examples
    --------
    >>> first_of_list(["Ann"], 9, "rating 2103", 1), first_of_list(["Ann", "Bob"], 9, "rating 2103")
    ('Ann is first of 9, by one game: rating 2103.', 'Ann and Bob are first together of 9: rating 2103.')
    """
    value_text = f": {value}" if value else ""
    if count == 1:
        return f"{names[0]} is the only one listed{value_text}."
    if len(names) == count:
        return f"{join_words(names) if count == _FEW else f'All {count:,}'} are level{value_text}."
    if len(names) > 1:
        shown = join_words(names) if len(names) <= _MOST_TIED else f"{len(names)}"
        return f"{shown} are first together of {count:,}{value_text}."
    verb = "are" if _PAIR in names[0] else "is"
    return f"{names[0]} {verb} first of {count:,}{', by one game' * bool(games == 1)}{value_text}."


def best_at_bridge(kind: str, name: str, imps: tuple[float, float, float], rivals: int) -> str:
    """Sentence on the best player or pair at bridge, IMPs a board; `rivals` have intervals that reach above the best.

    Examples
    --------
    >>> best_at_bridge("player", "Ann", (0.6, 0.2, 1.0), 0)
    'Ann adds most to a board: 0.6 IMPs (0.2 to 1.0).'
    >>> best_at_bridge("pair", "Ann & Bob", (0.6, -0.1, 1.3), 2)
    'Ann & Bob are estimated the best pair: 0.6 IMPs (-0.1 to 1.3); 2 other pairs may be as good.'
    """
    adds = interval(dict(zip(("mean", "low", "high"), imps, strict=True)), noun=" IMPs")
    claims = {
        "player": ("adds most to a board", "is estimated to add most to a board"),
        "pair": ("are the best pair", "are estimated the best pair"),
    }
    rivals_text = f"; {rivals} other {kind}{'s' * (rivals > 1)} may be as good" if rivals else ""
    return f"{name} {claims[kind][bool(rivals)]}: {adds}{rivals_text}."


def network_leader(name: str, share: float, p: float, parts: int) -> str:
    """Sentence on the largest share of a network of line-ups; `p` is the chance of such a share among equal units.

    Examples
    --------
    >>> network_leader("Ann", 2.31, 0.4, 1)
    'Ann has the largest share of the network, 2.3 times the average, which chance explains (p 0.40).'
    """
    if not np.isfinite(share):
        return "No player is in the network."
    of_parts = "" if parts == 1 else f" ({parts} separate parts, whose shares are not comparable)"
    chance = f", which chance explains (p {p:.2f})" if p > _ERROR_RATE else ""
    return f"{name} has the largest share of the network{of_parts}, {share:.1f} times the average{chance}."


def plus_minus_leader(name: str, value: float, sd: float) -> str:
    """Sentence on the best adjusted plus-minus, points per 100 possessions.

    Examples
    --------
    >>> plus_minus_leader("Ann", 3.0, 2.0)
    'Ann has the highest plus-minus, 3.0 ± 2.0 points per 100 possessions: not significantly above the average.'
    """
    within = "" if value > _SIGNIFICANT * sd else ": not significantly above the average"
    return f"{name} has the highest plus-minus, {value:.1f} ± {sd:.1f} points per 100 possessions{within}."

"""Choice of rated players and of the model that fits the games: draws, seats, ratings, changes over time.

Players with enough games are rated, other players anchored or pooled, and unconnected groups rated separately.

A list of constant strengths is an average over the whole span of its games. For spans above a quarter of a year
strengths are therefore random walks, by quarters or, if these would be too many, by years; games too old even for that
are left out, so that the list is current. The step size is estimated: a preliminary test for a walk
(`halfpoint.evaluation.movement`, which reports evidence) misses most walks that invalidate intervals. Rows without a
walk, for instance with ratings in the file, use all games unless these span more than two seasons and the test is
significant.
"""

from dataclasses import dataclass, replace

import numpy as np

from halfpoint.apps.workflows.beside.anchor_list import AnchorList, read_anchors
from halfpoint.apps.workflows.intake import Account
from halfpoint.apps.workflows.options import Intake
from halfpoint.evaluation.movement import LIKELY, SURE, movement
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.games.components import components, largest_by_far, pool_into_one, require_comparable, split
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.find_player import find_players
from halfpoint.models.games.seat_order import order_of_seats
from halfpoint.models.games.select import Rule, Selection, monitored_players, most_active, select
from halfpoint.models.games.table import Floats, GameTable, Texts

_MOST = 0.5  # share of players with ratings from which on ratings are used
_LEAST_SPREAD_ELO = 30.0  # ratings nearer to one another than this say nothing of their scale
_LEAST_RATED = 5
_OPEN_ELO, _FAR_APART = 20.0, 7.0**2


def suggest(selection: Selection) -> tuple[str, str]:
    """Name of the recommended model for these games, and the reason in words.

    name, reason: A name of the catalogue; one sentence without a full stop.
    """
    games = selection.games
    drawn = float(np.mean(games.score == 0.5))
    neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64)
    unscaled = bool(selection.has_error.any() and neutral.any())  # no such row learns a scale
    stem = "davidson" if drawn and not unscaled else "bt"
    reason = f"{drawn:.0%} of the games are drawn" if drawn else "no game is drawn, so draws have no parameter"
    if 0 < drawn < 0.005:
        reason = "few games are drawn"

    def row(end: str, why: str = "") -> tuple[str, str]:
        return f"{stem}-{end}", f"{reason}{why and '; ' + why}"

    decided = np.unique(games.score)
    if decided.size == 1 and decided[0] != 0.5 and len(games) > 1:
        seat = "first" if decided[0] == 1.0 else "second"
        why = f"the {seat} player wins every game, so the file lists winners and losers: no advantage"
        return row("matched-even", why)
    if games.all_neutral:
        return row("matched-even", "all games are on neutral ground: no advantage")
    if neutral.any():
        told = f"{int(neutral.sum())} of {len(games)} games are on neutral ground, without the advantage"
        return row("matched-neutral", told)
    if selection.has_error.any():
        # natural units must be Elo points without a scale from the list, as they are of half points
        if not drawn:
            return "bt-population", f"{reason}; anchors fix the level"
        if tells_scale(selection.prior_elo):
            return row("population-scaled", "anchors fix level and scale")
        why = "the anchors are too close to determine a scale, so draws count as half points"
        return "bt-population", f"{reason}; {why}"
    ratings = selection.ratings_elo()
    known = ~np.isnan(ratings)
    if rates_by_print(ratings) or (selection.has_anchors and known.any()):
        told = f"{int(known.sum())} of {known.size} players have ratings in the file, which become their prior means"
        return row("rated" if selection.has_anchors else "rated-matched", told)
    if selection.has_anchors and drawn:
        return row("population-scaled", "opponents are anchored to their ratings")
    return row("matched")


def rates_by_print(ratings_elo: Floats) -> bool:
    """True if enough players have printed ratings, (player,), NaN without one, that differ enough to be used."""
    known = ratings_elo[~np.isnan(ratings_elo)]
    return bool(known.size >= max(_LEAST_RATED, _MOST * ratings_elo.size) and known.std() >= _LEAST_SPREAD_ELO)


def tells_scale(prior_elo: Floats | None) -> bool:
    """True if anchors are far enough apart, given their errors, to determine the scale within a seventh.

    Shapes: prior_elo (player, 2).

    Examples
    --------
    >>> tells_scale(np.array([[2500.0, 10.0], [2900.0, 10.0]])), tells_scale(np.array([[2500.0, 10.0], [2600.0, 10.0]]))
    (True, False)
    """
    if prior_elo is None or np.isnan(prior_elo).all():
        return False
    rating, error = prior_elo[~np.isnan(prior_elo[:, 0])].T
    precision = 1.0 / (error**2 + _OPEN_ELO**2)
    away = rating - np.average(rating, weights=precision)
    return bool(away**2 @ precision >= _FAR_APART)


def without_seats(selection: Selection) -> tuple[Selection, str]:
    """Games as on neutral ground if seats follow an order of the players, such as seeds, and the reason.

    Printed ratings of the players separate their strength from their seats.
    """
    games = selection.games
    if games.all_neutral or selection.has_anchors or not (reason := order_of_seats(games)):
        return selection, ""
    if not reason.startswith("knockouts") and rates_by_print(selection.ratings_elo()):
        return selection, ""
    covariates = {**games.covariates, "neutral": np.ones(len(games))}
    return replace(selection, games=replace(games, covariates=covariates)), reason


_BELOW = {  # rows that a row gives way to, by cost; a walk first gives way to its constant row
    "matched-walk": "entering-walk", "matched-yearly-walk": "yearly-walk", "matched": "population",
    "matched-even": "population-even", "matched-neutral": "population-neutral",
}  # fmt: skip


def ladder(name: str, still: str) -> tuple[str, ...]:
    """A row and the rows that replace it, in their order, while draws fail; `still` is its row of constant strengths.

    Opponents and walk, opponents and constant strengths, one population and walk.

    Examples
    --------
    >>> ladder("davidson-matched-walk", "davidson-matched")
    ('davidson-matched-walk', 'davidson-matched', 'davidson-entering-walk')
    >>> ladder("bt-matched-even", "bt-matched-even"), ladder("davidson-common", "davidson-common")
    (('bt-matched-even', 'bt-population-even'), ('davidson-common',))
    """
    stem, _, row = name.partition("-")
    last = (f"{stem}-{_BELOW[row]}",) if row in _BELOW else ()
    return tuple(dict.fromkeys([name, *((still,) if last else ()), *last]))


_SHORT_DAYS = 731  # about two seasons
_YEAR_DAYS, _QUARTER_DAYS = 365.25, 91.3
_LEAST_GAMES = 50
_FEW_DAYS = 60.0  # below which a span is in days
LARGEST_WALK = 6_000  # players times quarters, or years, that walk unasked
_LARGEST_BY_QUARTERS = 3_000  # players times quarters of more than two years; of more, strengths walk by years
_WALKING = ("matched", "matched-neutral", "matched-even")  # rows that have one whose strengths walk
_WINDOWS = (64, 32, 16, 8, 4, 2)  # years to the last day of which games are kept


@dataclass(frozen=True)
class InTime:
    """Changes of strength over time."""

    span: str  # when the games were played, in words
    days: float  # how long that is
    p: float  # of constant strengths; NaN if not tested
    told: str  # size of the movement, or why it was not tested, in words; empty for games of one day
    longest: float  # walk over the span beyond which none is likely, Elo points; NaN if not tested
    alone: bool  # whether every side is one player

    @property
    def moves(self) -> bool:
        """True if strengths changed, or the span is too long for constant strengths."""
        return self.days > _SHORT_DAYS or self.p < LIKELY

    @property
    def words(self) -> str:
        """Span and test, for an account."""
        return "; ".join(filter(None, (self.span, self.told)))


def in_time(selection: Selection) -> InTime | None:
    """Test for changes of strength over time; None if games have no dates."""
    games, white, black = selection.games, selection.white, selection.black
    if games.date is None or np.isnat(games.date).any() or not len(games):
        return None
    days = games.date.astype("datetime64[D]").astype(np.int64).astype(np.float64)
    first, last = str(games.date.min())[:10], str(games.date.max())[:10]
    length = float(np.ptp(days))
    long = f"{length / _YEAR_DAYS:.1f} years" if length > _SHORT_DAYS else f"{length / _QUARTER_DAYS * 3:.0f} months"
    long = count_noun(round(length), "day") if length < _FEW_DAYS else long
    alone, few = selection.sides is None, f"fewer than {_LEAST_GAMES} games" if len(games) < _LEAST_GAMES else ""
    unseen = few if alone else "sides have several people"
    unseen = "opponents are anchored" if min(white.min(), black.min()) < 0 else unseen
    p = longest = np.nan
    told = f"the test for changing strengths is skipped: {unseen}" if unseen and length else ""
    if length and not unseen:
        neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64)
        p, walked, longest = movement(white, black, games.score, days, neutral)
        found = "changed" if p < SURE else "may have changed"
        found = f"strengths {found} by some {walked:.0f} Elo" if p < LIKELY else "no significant change of strengths"
        told = f"{found} (p {p:.2g}; with 95% by less than {longest:.0f} Elo)"
    span = f"games of {first} to {last}, {long}" if length else f"games of {first}"
    return InTime(span, length, p, told, longest, alone)


def of_now(name: str, selection: Selection, known: InTime | None) -> tuple[str, Selection, str]:
    """Model and games for a current list if strengths change, and a remark."""
    if known is None:
        return name, selection, ""
    stem, _, strengths = name.partition("-")
    walks = known.alone and known.days > _QUARTER_DAYS and strengths in _WALKING and len(selection) >= _LEAST_GAMES
    if not walks and not known.moves:
        return name, selection, ""
    if not walks and (known.days <= _SHORT_DAYS * (1 if known.p < LIKELY else 2) or known.p >= LIKELY):
        return name, selection, f"{warning(known)}: --model {_proposal(name, stem)} lets strengths move"
    recent, periods, yearly = _latest(selection, walks)
    account = "" if known.days <= _SHORT_DAYS else f"games of more than {_SHORT_DAYS // _YEAR_DAYS:.0f} years: "
    if recent is not selection and recent.games.date is not None:
        since, older = str(recent.games.date.min())[:10], len(selection) - len(recent)
        account += f"{count_noun(older, 'game')} before {since} left out of the current list (--model uses all); "
    single = yearly and recent.games.date is not None and np.unique(recent.games.date.astype("M8[Y]")).size < 2
    if not walks or single or recent.players.size * periods > LARGEST_WALK:
        return name, recent, f"{account}constant strengths are assumed: --model {_proposal(name, stem)} lets them move"
    by, row = ("years", "-yearly") if yearly else ("quarters", "")
    return f"{stem}-matched{row}-walk", recent, f"{account}strengths walk by {by}; the list shows the latest {by[:-1]}"


def _latest(selection: Selection, walks: bool) -> tuple[Selection, int, bool]:
    """Games of the latest years within the size limit of a random walk, their periods, True if yearly.

    Periods are quarters if all games then fit the limit, else years if there is more than one. Constant strengths use
    games of two years, or all games if no game is older or the remaining games would be unconnected.
    """
    day = selection.games.date
    assert day is not None
    age, found, unit = (day.max() - day).astype("timedelta64[D]").astype(np.int64), selection, _QUARTER_DAYS
    most = LARGEST_WALK if age.max() <= _SHORT_DAYS else min(_LARGEST_BY_QUARTERS, LARGEST_WALK)
    if walks and age.max() > _YEAR_DAYS and selection.players.size * (age.max() / unit + 1) > most:
        unit = _YEAR_DAYS
    periods = int(age.max() / unit) + 1
    for years in _WINDOWS:
        if walks and found.players.size * periods <= LARGEST_WALK:
            break
        if (keep := age < years * _YEAR_DAYS).all() or (not walks and years > _WINDOWS[-1]):
            continue
        games = selection.games.take(keep)
        here = np.isin(selection.players, games.people)
        rule: Rule = "any" if min(selection.white.min(), selection.black.min()) < 0 else "both"
        part = select(games, selection.players[here], rule)
        part = replace(part, prior_elo=None if selection.prior_elo is None else selection.prior_elo[here])
        if np.unique(components(part).component).size > 1:
            break
        found, periods = part, int(age[keep].max() / unit) + 1
    return found, periods, unit == _YEAR_DAYS


def _proposal(name: str, stem: str) -> str:
    """Name of the recommended model."""
    return f"{stem}-walk-scaled" if name.endswith("-scaled") and stem == "davidson" else f"{stem}-matched-walk"


def warning(known: InTime) -> str:
    """Warning that a list of constant strengths is an average."""
    return f"strengths are constant in this model, an average over {known.span.removeprefix('games of ')}"


def average_warning(name: str, known: InTime | None, games: GameTable | None = None) -> str:
    """Warning for a requested model with constant strengths; empty if strengths may be constant."""
    if known is None or not known.moves or (outline := outline_of(find(name), games)).traits.walks:
        return ""
    stem = "davidson" if outline.outcome.draws else "bt"
    way = "" if outline.outcome.margin is not None or not known.alone else _proposal(name, stem)
    return warning(known) + (f"; --model {way} lets strengths change" if way else "")


_MOST_RATED = 3000  # players who are rated separately even with few games


def choose_groups(games: GameTable, intake: Intake, account: Account, pooled: bool) -> dict[int, Selection]:
    """The rated games of each unconnected group of players, by number of the group, the largest first.

    `pooled` is true if the suggested row pools players with few games.
    """
    pooled = pooled and games.people.size <= _MOST_RATED
    if intake.anchors is not None:
        return {1: _choose_beside(games, read_anchors(intake.anchors), intake, account, pooled)}
    if intake.groups == "refuse":
        if intake.monitor is None and intake.takes_all(pooled):
            games, note = largest_by_far(games)
            if note:
                account.say(note)
        return {1: _choose(games, intake, account, pooled)}
    found = components(games)
    account.say(found.describe())
    parts = split(games)[: 1 if intake.groups == "largest" else None]
    asked = None
    if intake.monitor is not None and not isinstance(intake.monitor, int):
        names = monitored_players(intake.monitor, games).tolist()
        asked = np.asarray(find_players(names, games.people.tolist(), f"monitored players, {games.source}"))
    chosen = {}
    for number, part in enumerate(parts, 1):
        if len(parts) > 1 and (why := _nobody_rated(part, intake, asked)):
            account.say(f"left out, group {number} ({', '.join(part.people[:4].tolist())}): {why}")
        else:
            chosen[number] = _choose(part, intake, account, pooled, asked)
    if not chosen:
        raise GameTableError(games.source, "a group with players to rate", "none", "Try a smaller --min-games.")
    return chosen


def _nobody_rated(group: GameTable, intake: Intake, asked: Texts | None) -> str:
    """Reason why a group has no rated players; empty if it has some."""
    if asked is not None:
        return "" if np.isin(asked, group.people).any() else "none of the players of --monitor"
    most = int(group.games_of_people.max())
    if intake.monitor is None and most < intake.fewest:
        return f"too small: no player has {intake.fewest} games (--min-games), the most is {most}"
    return ""


def _choose(games: GameTable, intake: Intake, account: Account, pooled: bool, asked: Texts | None = None) -> Selection:
    """Games of the rated players, with all further players anchored or pooled; asked (player,)."""
    if asked is not None:
        names = asked[np.isin(asked, games.people)]
    elif intake.monitor is not None:
        names = monitored_players(intake.monitor, games)
    else:
        most = int(games.games_of_people.max())
        names = most_active(games, at_least=min(intake.fewest, most) if intake.takes_all(pooled) else intake.fewest)
    others = games.people.size - names.size
    by_ratings = intake.rare == "anchor" or (
        intake.rare != "pool" and not intake.takes_all(pooled) and _has_ratings(games, names)
    )
    if others and by_ratings:
        selection = select(games, names, "any")
        if selection.has_anchors:
            known = f"{count_noun(others, 'opponent')} anchored to the rating{'s' * (others > 1)} on the day"
            account.say(f"{names.size} players rated, {known}")
        else:
            account.say(f"{names.size} players rated, {others} others have no game against rated players")
    elif others and intake.takes_all(pooled):
        joined = _joined_to(games, names)
        selection = select(games, joined, "both")
        if joined.size > names.size:
            number = joined.size - names.size
            verb = "is" if number == 1 else "are"
            account.say(f"{count_noun(number, 'player')} with fewer than {intake.fewest} games {verb} also rated")
        if joined.size < games.people.size:
            apart = games.people.size - joined.size
            account.say(f"{apart} players who never meet the others are left out; --groups apart rates them")
    elif intake.monitor is not None:
        selection = select(games, names, "both")
        account.say(f"{names.size} players rated, from the games between them")
    elif others:
        shared = pool_into_one(games, intake.fewest)
        selection = select(shared.games, shared.games.people, "both")
        account.say(
            f"{others} players with fewer than {intake.fewest} games are one pooled player; "
            f"{shared.left_out} games between two of them left out"
        )
    else:
        selection = select(games, games.people, "both")
    if not selection.has_anchors and selection.games is not games:
        require_comparable(games, selection.players)  # in the file: a pooled player joins no others
    require_comparable(selection)
    return selection


def _joined_to(games: GameTable, names: Texts) -> Texts:
    """All players connected by games to some of the named players, shape (player,)."""
    found = components(games)
    return found.players[np.isin(found.component, found.component[np.isin(found.players, names)])]


def _choose_beside(games: GameTable, anchors: AnchorList, intake: Intake, account: Account, pooled: bool) -> Selection:
    """Games of the players rated on the scale of anchors; arguments as in `_choose`.

    Ratings in the games are not used: the list alone defines the scale.
    """
    if games.sides is not None:
        found = f"sides of several people, such as {str(games.players[0])!r}"
        raise GameTableError(games.source, "one player a side for --anchors", found)
    here = anchors.among(games.people.tolist())
    account.say(here.words(len(anchors)))
    if intake.takes_all(pooled):
        names = games.people
    elif intake.monitor is None:
        shared = pool_into_one(games, intake.fewest, here.names)
        games, others = shared.games, shared.players.size
        if others:
            few = f"{count_noun(others, 'other')} with fewer than {intake.fewest} games: one pooled player"
            account.say(f"{few}; {count_noun(shared.left_out, 'game')} between two of them left out")
        names = games.people
    else:
        typed, where = monitored_players(intake.monitor, games).tolist(), f"monitored players, {games.source}"
        asked = find_players(typed, games.people.tolist(), where)
        names = np.asarray(list(dict.fromkeys([*asked, *here.names])))
        account.say(f"{names.size} players rated, including anchors, from the games between them")
    unrated = replace(games, white_rating_elo=None, black_rating_elo=None)
    selection = select(unrated, names, "both")
    selection = replace(selection, prior_elo=here.of(selection.players))
    require_comparable(selection, remedy="Give an anchor to each group.")
    return selection


def _has_ratings(games: GameTable, names: Texts) -> bool:
    """True if every opponent of the named players has a rating in each of these games."""
    if games.sides is not None:
        return False  # a rating of a side is no player's
    white, black = np.isin(games.white_names, names), np.isin(games.black_names, names)
    for side, other, rating in ((white, black, games.white_rating_elo), (black, white, games.black_rating_elo)):
        needed = ~side & other
        if needed.any() and (rating is None or np.isnan(rating[needed]).any()):
            return False
    return True

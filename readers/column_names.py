"""Assignment of columns to fields for all formats: by a column map, the field's own name, or its words.

A file of winners and losers has no White and Black: the winner has the first seat in all games, so that seats are
uninformative and every game is marked as neutral. Goals beside a result are the margin. Columns that no field needs are
left over.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.sides import MOST_PEOPLE
from halfpoint.readers.column_roles import CHECKED, WINS, Sample, are_numbers, columns_of_ids
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.proposals import SIDES, ReadTable, are_results, require_game, require_two_people
from halfpoint.readers.set_apart import GOALS, RANKS
from halfpoint.readers.sources import Source
from halfpoint.readers.words import ABOUT, ALIASES, ANSWERS, WORDS, flags, list_names, noun_of, pairs_apart, ties_in

EVERY_OTHER = "*"
COUNTS = (*GOALS, *(f"{side}_{what}" for what in ("shots", "shots_on_target") for side in ("white", "black")))
_DECIDED = ("winner", "loser")
ONE_HOT = ("first_won", "second_won", "tied")
_FIELDS = (*WORDS, "weight", *ABOUT)
_SEATED = ("white", "black", *_DECIDED)
_LEGEND = re.compile(r"(?<!\W)\W++\w++\s*+=.*")  # behind the name of a column
_PERSON = re.compile(r"(white|black|winner|loser)(_share)?_\d+|(white|black|winner|loser)_share")
_DIGIT, _NUMBERS = re.compile(r"\d").search, re.compile(r"\d+").findall
_ONE_ONLY = ("white", "black", "loser", *GOALS)  # two columns for one of these: the user has to say which


@dataclass(frozen=True)
class Assignment:
    """Assignment of columns to fields."""

    # field to column. With `winner` and `loser` there are no white, black and score; `winner` alone is beside
    # white and black and replaces the score.
    columns: dict[str, str]
    # fields whose column was found by a word, not named by the user or by the field's own name
    guessed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()  # columns that nothing asked for and the user did not leave out
    # columns of the second and further people of a side, and of shares of play, by keys such as white_2 and
    # white_share_1
    seats: dict[str, str] = field(default_factory=dict)
    noun: str | None = None  # noun of the compared: model, team, player, ...; None if not in the columns
    verdicts: tuple[str, ...] = ()  # columns that say by words whether rows were played
    notes: tuple[str, ...] = ()  # columns found by cells and not by names, a line each
    own_side: bool = False  # whether a row is a game as White sees it, Black being called the opponent

    @property
    def every(self) -> dict[str, str]:
        """All assigned columns, including further people of a side and shares of play: white_2, white_share_1."""
        return self.columns | self.seats


def assign_columns(source: Source, options: ReaderOptions, read_table: ReadTable) -> Assignment:
    """Assign the columns of a source to fields; a proposal is first tried on some rows by `read_table`."""
    location, covariates = f"{source.where}, columns", options.covariates
    column_of_field = {key if key in _FIELDS else ALIASES.get(key, key): name for key, name in options.columns.items()}
    user_names = {*column_of_field.values(), *covariates, *options.ignore}
    present = [name for name in source.names if name not in source.nested or name in user_names]
    count = Counter(present)
    silent, ignore = EVERY_OTHER in options.ignore, [name for name in options.ignore if name != EVERY_OTHER]
    columns, seats = _number_seats(count, column_of_field, {*covariates, *ignore})
    if strange := [name for name in columns if name not in _FIELDS]:
        raise GameTableError("--columns", f"fields among {', '.join(_FIELDS)}", repr(strange[0]))
    named = [*columns.values(), *seats.values(), *covariates, *ignore]
    _check_repeated(count, set(named), location)
    if absent := [name for name in named if name not in count]:
        remedy = "Add the column, or correct its name."
        raise GameTableError(location, f"a column {absent[0]!r}", f"columns {list_names(present)}", remedy)
    sample = Sample(source, [name for name in count if count[name] == 1 and name and name not in ignore])
    chosen = _by_words(count, columns, set(named), options.about, location, sample)
    chosen |= sample.pairs(chosen, columns, named)
    ids = columns_of_ids(sample, chosen, named) if not seats else {}
    own_side = {"opponent", "own"} <= chosen.keys() and not {"white", "black", "loser"} & chosen.keys()
    chosen = _of_one_side(chosen, own_side) | {role: name for role, name in columns.items() if role in GOALS}
    if ids and not {*SIDES, "loser"} & chosen.keys() and not {*SIDES} & columns.keys():
        chosen |= {side: ids[f"{side}_id"] for side in SIDES}  # a table without names
    counted = sample.counts(chosen, named) if options.scored and not columns else {}
    counted = {} if own_side and "count" in counted else counted
    idle = {*GOALS, "margin", "score"} if {*WINS} <= counted.keys() else set[str]()
    chosen = {
        role: chosen[role] for role in chosen if role not in idle and chosen[role] not in counted.values()
    } | counted
    sure_fields = {field for field, name in chosen.items() if field in columns or field == name}
    chosen = _one_story(chosen, columns, options.scored, sample)
    if not own_side:
        chosen.pop("game_id", None)
        chosen = chosen if "loser" in chosen else {role: name for role, name in chosen.items() if role != "location"}
    by_cells = require_game(source, options, chosen, sample, location, read_table)
    chosen |= by_cells
    ids = {field: name for field, name in ids.items() if name not in chosen.values()}
    place = {"winner": "white", "loser": "black"} if "loser" in chosen else {}
    parts = {key: key.partition("_") for key in seats}
    seats = {f"{place.get(side, side)}_{seat}": seats[key] for key, (side, _, seat) in parts.items() if side in chosen}
    chosen |= ids if len(ids) == 2 else {}
    identified = ", ".join(f"{field} {name!r}" for field, name in by_cells.items())
    notes = [f"columns identified by their cells: {identified}"] if by_cells else []
    used = {*chosen.values(), *seats.values(), *covariates, *ignore}
    if "date" not in chosen and (date_name := sample.date_by_cells(used - {chosen.get("period"), chosen.get("clock")})):
        chosen = {field: name for field, name in chosen.items() if name != date_name} | {"date": date_name}
        notes.append(f"dates: those of column {date_name!r}, whose cells are days")
        used.add(date_name)
    verdicts = tuple(sample.verdicts(used))
    left_out = () if silent else tuple(name for name in count if name and name not in {*used, *verdicts})
    if ({*SIDES} <= chosen.keys() or "loser" in chosen) and not {*SIDES} <= columns.keys():
        require_two_people(chosen, left_out, sample, location)
    noun = "player" if place else noun_of(chosen["white"])
    guessed = frozenset(set(chosen) - sure_fields)
    return Assignment(chosen, guessed, left_out, seats, noun, verdicts, tuple(notes), own_side)


def _of_one_side(chosen: Mapping[str, str], own_side: bool) -> dict[str, str]:
    """Columns with a side and its opponent as White and Black, if a row is a game from the view of one side."""
    turned = {"own": "white", "opponent": "black", "own_goals": GOALS[0], "opponent_goals": GOALS[1]}
    if own_side:
        if (chosen.get("own_goals"), chosen.get(GOALS[1])) == ("F", "A"):  # for and against
            chosen = {"opponent_goals": "A", **chosen}
        dropped = () if "1" in chosen.get(GOALS[0], "") else GOALS  # by place, unlike score_1 of the side named first
        return {turned.get(field, field): name for field, name in chosen.items() if field not in dropped}
    return {field: name for field, name in chosen.items() if field not in turned}


def _by_words(
    count: Counter[str], columns: Mapping[str, str], named: set[str], about: Sequence[str], place: str, sample: Sample
) -> dict[str, str]:
    """Column of each field: by the user's option, by the field's own name, or by its words if its cells fit."""
    words_of_field, chosen = WORDS | {field: ABOUT[field] for field in about}, dict(columns)
    same = [f for f in (*words_of_field, "weight") if f not in columns and f in count and f not in named]
    same = [f for f in same if f not in ONE_HOT or {*ONE_HOT} <= {*same, *columns}]  # a column `tied` alone is no such
    chosen |= {f: f for f in same if f not in CHECKED or f in ("margin", *GOALS) or sample.fits(f, f)}
    columns_of: dict[str, list[str]] = {}
    for name in count:
        if count[name] == 1 and name not in named:
            columns_of.setdefault(plain_word(_LEGEND.sub("", name)), []).append(name)
    from_zero = {name for pair in pairs_apart([*count]) if [*map(_NUMBERS, pair)] == [["0"], ["1"]] for name in pair}
    for role, words in words_of_field.items():
        chosen_names = {*chosen.values()} | (from_zero if role in SIDES else set())  # x_1 is not the first of x_0, x_1
        synonyms = (plain_word(role), *words)
        present = sorted(columns_of.keys() & {*synonyms}, key=synonyms.index)
        candidates = [name for word in present for name in columns_of[word] if name not in chosen_names]
        also = [name for word in ANSWERS.get(role, ()) for name in columns_of.get(word, ())]
        if role == "winner":  # not how a game was decided
            people = {cell for side in SIDES if side in chosen for cell in sample.of(chosen[side])}
            also = [name for name in also if not are_numbers(own := sample.of(name))
                    and are_results(own - people or "D")]  # fmt: skip
        candidates = candidates or also
        candidates = [name for name in candidates if role not in CHECKED or sample.fits(role, name)]
        of_own_side = role in ("winner_goals", "loser_goals") and columns_of.keys() & {*WORDS["opponent"]}
        if of_own_side or (role == ONE_HOT[2] and not {*ONE_HOT[:2]} <= chosen.keys()):
            continue  # games won by the row's side; beside counts of wins, one of ties
        if role in _SEATED and candidates:  # names before numbers
            texts = [name for name in candidates if not are_numbers(sample.of(name))]
            beaten = role == "loser" and "winner" in chosen and not are_numbers(sample.of(chosen["winner"]))
            candidates = texts if beaten else texts or candidates
        if role == "score" and columns_of.keys() & {*WORDS["opponent_goals"]}:  # points of the row's own side
            candidates = [k for k in candidates if are_results(sample.of(k)) or not are_numbers(sample.of(k))]
        if role == "score":  # no winning pitchers
            results = [name for name in candidates if are_results(sample.of(name))] if len(candidates) > 1 else []
            candidates = [*sample.of_matches(results or candidates)]
        if role == "date":  # no weekdays
            candidates = [name for name in candidates if any(map(_DIGIT, sample.of(name)))] or candidates
        if role in GOALS and len(candidates) > 1 and (best := sample.most_decisive(candidates)):
            candidates = [best]
        if role in SIDES and len(candidates) > 1:  # names of the other side too
            twins = [name for word in WORDS[SIDES[role == SIDES[0]]] for name in columns_of.get(word, ())]
            candidates = [name for name in candidates if any(sample.share(name, twin) for twin in twins)] or candidates
        if role in SIDES and len(candidates) == 2:  # players before their teams
            players = [name for name in candidates if plain_word(name).endswith("player")]
            teams = [name for name in candidates if plain_word(name).endswith(("team", "club"))]
            candidates = players if len(players) == len(teams) == 1 else candidates
        if role not in chosen and len(candidates) > 1 and role in _ONE_ONLY:
            remedy = f"Say which: {flags({**columns, role: candidates[0]})}, for example."
            raise GameTableError(place, f"one column for {role}", list_names(candidates), remedy)
        if role not in chosen and candidates:
            chosen[role] = candidates[0]
    return chosen


def _number_seats(
    count: Counter[str], columns: Mapping[str, str], taken: set[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Column map with the first person's column of each side, and the columns of further people.

    Columns numbered from 1, such as home_1 and home_2 or winner1_name and winner2_name, are the people of a side if no
    single column is named for the side and at least one of the two sides has two people.
    """
    seat_columns = {field: name for field, name in columns.items() if _PERSON.fullmatch(field)}
    plain = {field: name for field, name in columns.items() if field not in seat_columns}
    numbered: dict[str, dict[str, str]] = {side: {} for side in _SEATED}
    taken = taken | set(columns.values())
    for name in count:
        key = _person_of(name) if name not in taken and count[name] == 1 else None
        if key is not None:
            numbered[key.partition("_")[0]].setdefault(key, name)
    seats: dict[str, str] = {}
    plain_names = {plain_word(name) for name in count}
    for pair in (("white", "black"), _DECIDED):
        requested_sides = [side for side in pair if any(field.startswith(f"{side}_") for field in seat_columns)]
        single = [side for side in pair if side in plain or plain_names & {side, *WORDS[side]}]
        most = max(sum("share" not in key for key in numbered[side]) for side in pair)
        complete = all(f"{side}_1" in numbered[side] for side in pair)
        for side in pair:
            if side in requested_sides:
                seats |= {field: name for field, name in seat_columns.items() if field.startswith(f"{side}_")}
                seats |= {key: name for key, name in numbered[side].items() if "share" in key and key not in seats}
            elif not requested_sides and not single and complete and most > 1:
                seats |= numbered[side]
            elif side in single:  # one cell for the side may still have its shares beside it
                seats |= {key: name for key, name in numbered[side].items() if key == f"{side}_share"}
    return plain | {side: seats.pop(f"{side}_1") for side in _SEATED if f"{side}_1" in seats}, seats


def _person_of(column: str) -> str | None:
    """The key of a numbered column of a side, such as white_2 or white_share_1, else None.

    Examples
    --------
    >>> _person_of("Home 2"), _person_of("winner1_name"), _person_of("white_share_1"), _person_of("player1")
    ('white_2', 'winner_1', 'white_share_1', None)
    """
    tokens = re.findall(r"[^\W\d_]+|\d+", column.lower())
    share = "share" in tokens
    tokens = [token for token in tokens if token != "share"]
    if tokens[-1:] == ["name"]:
        tokens.pop()
    number = int(tokens.pop()) if tokens[1:] and tokens[-1].isdecimal() and len(tokens[-1]) <= 3 else None
    player = tokens[1:] != [] and tokens[-1] == "player"
    stem = "".join(tokens[:-1] if player else tokens)
    side = next((side for side in _SEATED if stem == side or stem in WORDS[side]), None)
    if side is None or (stem[-1].isdigit() and not player):
        return None
    if number is None:
        return f"{side}_share" if share and column == f"{side}_share" else None
    return f"{side}{'_share' * share}_{number}" if 1 <= number <= MOST_PEOPLE else None


def _check_repeated(count: Counter[str], named: set[str], place: str) -> None:
    """Raise `GameTableError` if a named or recognised column is repeated; others are left out."""
    for name, times in count.items():
        word = plain_word(name)
        if times > 1 and (name in named or any(word in (plain_word(f), *WORDS.get(f, ())) for f in _FIELDS)):
            names = "if the first line is a game, write names of columns above it, such as white,black,result"
            raise GameTableError(place, "every column once", f"column {name[:60]!r} again", f"Rename one; {names}.")


def _one_story(chosen: dict[str, str], columns: Mapping[str, str], scored: bool, sample: Sample) -> dict[str, str]:
    """Fields that determine each game: winner and loser, or White, Black and one form of a result.

    A column of results precedes a column of winners if its cells are results. Goals beside them are the margin.
    """
    is_decided = all(field in chosen for field in _DECIDED)
    seated = all(field in chosen for field in ("white", "black"))
    is_requested = all(field in columns for field in _DECIDED)
    outcome = ("score", "winner", *ONE_HOT)
    if scored and is_decided and (is_requested or not seated) and not {"white", "black", "score"} & set(columns):
        dropped = {"white", "black", "neutral", "margin", *WINS, *RANKS, "ties", *COUNTS, *outcome} - {"winner"}
    elif not scored:  # of winners and losers to come the names are columns of players
        dropped = {"margin", "equal", "count", *WINS, *RANKS, "ties", *COUNTS, *outcome}
        dropped = dropped - {"winner"} if is_decided and not seated else dropped | {"loser"}
    else:
        dropped = {"loser", "winner_goals", "loser_goals"}
        results = [field for field in ("score", "winner") if field in chosen]
        texts = sample.of(chosen["score"]) if "score" in chosen else frozenset[str]()
        if len(results) == 2 and not set(results) <= set(columns):
            preferred = next((field for field in results if field in columns), None)
            score = preferred == "score" or (preferred is None and are_results(texts) and ties_in(texts) != texts)
            dropped |= {"winner" if score else "score"}
        if "margin" not in {*columns, chosen.get("margin")} and (results or all(field in chosen for field in GOALS)):
            dropped |= {"margin"}
        if results or not all(field in chosen for field in ONE_HOT[:2]):
            dropped |= set(ONE_HOT)
        pairs = zip(COUNTS[::2], COUNTS[1::2], strict=True)
        dropped |= {field for pair in pairs for field in pair if not {*pair} <= chosen.keys()}
        if results == ["score"] and "score" not in columns and all(field in chosen for field in GOALS):
            dropped |= set() if are_results(texts) else {"score"}
        if results or "margin" in chosen or {*GOALS} <= chosen.keys() or not {*WINS} <= chosen.keys():
            dropped |= {"ties", *WINS}
    if "equal" in chosen and "ties" not in chosen and "equal" not in columns and not {*WINS} & dropped:
        chosen = {"ties" if field == "equal" else field: name for field, name in chosen.items()}
        dropped -= {"ties"}
    chosen |= {"period": chosen.get("period", chosen["season"])} if "season" in chosen else {}
    return {field: name for field, name in chosen.items() if field not in dropped}

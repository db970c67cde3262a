r"""Judgements between two answers: arenas of language models, preferences of people, crowds, engines.

Files of these fields tell who was shown first and second, and a word for what the judge found. Columns are known by the
words of their fields (`SEATS`, `ABOUT`); words of outcomes by `WORDS`:

    model_a, model_b, winner in {model_a, model_b, tie, tie (bothbad), both_bad}     arenas of language models
    model_a_name, model_b_name, chosen_model_name, both_equal                        arenas that name who was chosen
    left, right, winner in {left, right, tie}                                        A/B preferences
    worker, left, right, label (the name of who was chosen)                          crowds
    competitor_1, competitor_2, outcome in {1, 0.5, 0}                               e-sports

The first seat is White's: who is shown first, on the left, at home. Where both answers are bad the judgement is a tie
with `both_bad` 1, or dropped, as the user says. Style is what an answer looks like, not what it says: its length and
its markup. A style column is the difference of the two answers as a share of their sum, (a - b) / (a + b), divided by
its standard deviation around 0, so that exchanging the two answers turns its sign and nothing else.

Chiang et al. (2024) arXiv 2403.04132 for arenas; the shares are those of the arenas' style control (2024).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.fields.arena.outcome_words import (
    BOTH_BAD,
    DROP,
    FIRST,
    SECOND,
    meanings,
    outcome_map,
    told,
    unknown_word,
)
from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import flags, listed, plain_word
from halfpoint.games.readers.columns import UNKNOWN, date_form, parse_date, parse_date_as
from halfpoint.games.readers.records import Records, records_of
from halfpoint.games.table import Floats, GameTable

SEATS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # noun: words of the two columns
    "model": (("modela", "modelaname", "leftmodel", "modelleft", "model1"),
              ("modelb", "modelbname", "rightmodel", "modelright", "model2")),
    "engine": (("enginea", "engine1", "enginewhite"), ("engineb", "engine2", "engineblack")),
    "system": (("systema", "system1"), ("systemb", "system2")),
    "item": (("left", "itema", "item1", "itemx", "leftitem"), ("right", "itemb", "item2", "itemy", "rightitem")),
    "option": (("optiona", "option1", "answera", "responsea"), ("optionb", "option2", "answerb", "responseb")),
    "team": (("home", "hometeam", "teama", "team1"), ("away", "awayteam", "visitor", "teamb", "team2")),
    "player": (("white", "whitename", "playera", "player1", "competitor1", "playerone"),
               ("black", "blackname", "playerb", "player2", "competitor2", "playertwo")),
}  # fmt: skip
SHOWN = {
    "item": ("left", "right"),
    "team": ("home", "away"),
    "player": ("White", "Black"),
    "engine": ("White", "Black"),
}
ABOUT = {
    "outcome": (
        *("winner", "label", "outcome", "result", "chosenmodelname", "chosenmodel", "preference", "vote", "verdict"),
        *("votetype", "choice", "chosen", "score"),
    ),
    "judge": (
        *("judge", "judgename", "judgeid", "worker", "workerid", "annotator", "annotatorid", "rater", "user", "userid"),
        *("voter", "visitorid", "judgehash", "evaluationsessionid", "sessionhash"),
    ),
    "prompt": ("questionid", "promptid", "question", "instructionid", "itemid", "opening", "fen", "conversationpairid"),
    "category": ("category", "selectedcategory", "task", "domain", "topic"),
    "language": ("language", "lang"),
    "date": ("tstamp", "timestamp", "date", "day", "createdat"),
    "equal": ("bothequal", "istie"),
}
ONE_HOT = ("winnermodela", "winnermodelb", "winnertie")
STYLES = {  # name: words of the columns, {} where a and b stand
    "length": (
        "sumassistant{}tokens",
        "tokens{}",
        "length{}",
        "len{}",
        "{}tokens",
        "tokencount{}",
        "assistant{}tokens",
    ),
    "headers": ("headercount{}", "headers{}"),
    "lists": ("listcount{}", "lists{}"),
    "bold": ("boldcount{}", "bold{}"),
}
SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("x", "y"))
FIELDS = ("first", "second", *ABOUT)


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements as games, and what the field calls things.

    Parameters
    ----------
    games : GameTable
        Who is shown first is White; covariates `judge`, `prompt`, `category`, `language` (text) where the source has
        them, `both_bad` (0 or 1), and style columns in standard deviations.
    noun : str
        What is compared: model, engine, item, ...
    sides : (str, str)
        What the two seats are called: first shown and second shown, left and right, home and away, White and Black.
    style : dict of str to float
        Style columns and the standard deviation, around 0, that each was divided by.
    account : tuple of str
        How the source was read, a line each.
    """

    games: GameTable
    noun: str
    sides: tuple[str, str] = ("first shown", "second shown")
    style: dict[str, float] = field(default_factory=dict)
    account: tuple[str, ...] = ()


def read_judgements(
    source: Any,
    columns: Mapping[str, str] | None = None,
    outcomes: str | Mapping[str, Any] | None = None,
    style: Sequence[str] = (),
    ignore: Sequence[str] = (),
    name: str | None = None,
    date_format: str | None = None,
) -> Judgements:
    """Return the judgements of a file or of a data frame.

    Parameters
    ----------
    source : str, Path or DataFrame
        JSON lines, Parquet or CSV, plain or compressed, or a frame; nested columns (conv_metadata) are unfolded.
    columns : mapping of str to str, optional
        Which column holds what, for first, second, outcome, judge, prompt, category, language, date; found by the words
        of the fields where not given.
    outcomes : str or mapping, optional
        What words of outcomes mean, before what they mean by themselves: ``both_bad=drop``, ``tie=0.5``,
        ``skipped=drop``. By itself both_bad is a tie, marked in the column `both_bad`.
    style : sequence of str
        Columns of style: length, headers, lists, bold, or NAME where the file has NAME_a and NAME_b; ("all",) takes
        those of the four that the source has.
    ignore : sequence of str
        Columns that are not looked at.
    name : str, optional
        Name of the data set.
    date_format : str, optional
        How dates are written, where not with the year first and not in seconds.

    Raises
    ------
    GameTableError
        If a column is missing, or a row has no name, no judge, a word that means nothing, or one model twice. Rows
        without an outcome are set apart and told.
    """
    said = outcome_map(outcomes)
    records = records_of(source)
    left_out = {one for one in ignore if one != "*"}
    lost = sorted(left_out - set(records.names))
    if lost:
        raise GameTableError("--ignore", f"columns of {records.source}", repr(lost[0]))
    present = [one for one in records.names if one not in left_out]
    noun, chosen = assigned(present, dict(columns or {}), records.source)
    pairs = style_columns(present, style, records.source)
    wanted = [*chosen.values(), *(one for pair in pairs.values() for side in pair for one in side)]
    frame = records.read(wanted)
    if not frame.height:
        raise GameTableError(records.source, "at least one judgement", "no rows")
    texts = {key: clean(frame[column]) for key, column in chosen.items()}
    first, second = (named(texts[key], records, chosen[key], noun) for key in ("first", "second"))
    meaning = meanings(texts, first, second, chosen, said)
    unjudged = (meaning == "") & (empty_cells(texts["outcome"]) if "outcome" in texts else False)
    meaning[unjudged] = DROP
    bad = np.flatnonzero(meaning == "")
    if bad.size:
        raise unknown_word(texts, chosen, records, int(bad[0]), first, second)
    keep = np.flatnonzero(meaning != DROP)
    if not keep.size:
        raise GameTableError(
            records.source, "at least one judgement", "none with an outcome" if unjudged.all() else "all rows dropped"
        )
    account = told(meaning[~unjudged])
    if unjudged.any():
        places = ", ".join(records.place(row).rpartition(", ")[2] for row in np.flatnonzero(unjudged)[:3].tolist())
        more = ", ..." if unjudged.sum() > 3 else ""
        account.append(f"set apart: {int(unjudged.sum()):,} without an outcome ({places}{more})")
    if "judge" in texts:
        empty = empty_cells(texts["judge"])
        if empty[keep].any():
            raise GameTableError(
                f"{records.place(int(keep[np.argmax(empty[keep])]))}, column {chosen['judge']}",
                f"a judge in every row ({int(empty[keep].sum()):,} rows have none)", "''",
                f"Name them, or leave the column out: --ignore {chosen['judge']}.",
            )  # fmt: skip
    same = np.flatnonzero((first == second).to_numpy()[keep])
    if same.size:
        row = int(keep[same[0]])
        raise GameTableError(
            f"{records.place(row)}, columns {chosen['first']} and {chosen['second']}",
            f"two different {noun}s", f"{first[row]!r} twice ({same.size:,} such rows)", "Drop these rows.",
        )  # fmt: skip
    covariates: dict[str, Any] = {}
    for key in ("judge", "prompt", "category", "language"):
        if key in texts:
            covariates[key] = texts[key].fill_null("unknown").to_numpy().astype(np.str_)[keep]
    scales: dict[str, float] = {}
    for key, sides in pairs.items():
        counts = [summed(frame, side, records) for side in sides]
        share, scales[key] = shares(counts[0], counts[1], keep, key, records.source)
        covariates[key] = share
    covariates["both_bad"] = (meaning[keep] == BOTH_BAD).astype(np.float64)
    players, white, black = codes_of(first, second, keep)
    score = scores_of(meaning[keep])
    shown_name = name or (Path(records.source).name if records.kind != "frame" else "judgements")
    games = GameTable(
        players, white, black, score, covariates=covariates, name=shown_name, source=records.source,
        date=dates(texts.get("date"), keep, records, chosen.get("date", ""), date_format),
        line=None if records.lines is None else np.asarray(records.lines, dtype=np.int64)[keep],
    )  # fmt: skip
    account.insert(0, columns_told(chosen, pairs))
    return Judgements(games, noun, SHOWN.get(noun, ("first shown", "second shown")), scales, tuple(account))


def assigned(present: Sequence[str], columns: dict[str, str], where: str) -> tuple[str, dict[str, str]]:
    """Return the noun of the field, and which column holds what.

    Raises
    ------
    GameTableError
        If the two seats or the outcome are not there.
    """
    renamed = {"white": "first", "black": "second", "score": "outcome", "winner": "outcome"}
    columns = {renamed.get(key, key): value for key, value in columns.items()}
    strange = next((key for key in columns if key not in FIELDS), None)
    if strange is not None:
        raise GameTableError("--columns", f"fields among {', '.join(FIELDS[:-1])}", repr(strange))
    lost = next((name for name in columns.values() if name not in present), None)
    if lost is not None:
        raise GameTableError("--columns", f"a column of {where} ({listed(present)})", repr(lost))
    words: dict[str, str] = {}
    for column in present:
        words.setdefault(plain_word(column), column)
    chosen = dict(columns)
    noun = "model"
    if "first" not in chosen or "second" not in chosen:
        for kind, (left, right) in SEATS.items():
            pair = next((place for place in range(len(left)) if left[place] in words and right[place] in words), None)
            if pair is not None:
                noun = kind
                chosen |= {"first": words[left[pair]], "second": words[right[pair]]} | columns
                break
        else:
            raise GameTableError(
                where, "two columns of who is compared, such as model_a and model_b", f"columns {listed(present)}",
                f"Say which: {flags({'first': 'COLUMN', 'second': 'COLUMN', 'outcome': 'COLUMN'})}.",
            )  # fmt: skip
    for key, known in ABOUT.items():
        if key not in chosen:
            found = next((words[word] for word in known if word in words and words[word] not in chosen.values()), None)
            if found is not None:
                chosen[key] = found
    if "outcome" not in chosen:
        hot = [words[word] for word in ONE_HOT if word in words]
        if len(hot) == len(ONE_HOT):
            chosen |= {f"hot {place}": column for place, column in enumerate(hot)}
        else:
            raise GameTableError(
                where, "a column of outcomes, such as winner", f"columns {listed(present)}",
                f"Say which: {flags({'outcome': 'COLUMN'})}.",
            )  # fmt: skip
    return noun, chosen


def style_columns(present: Sequence[str], style: Sequence[str], where: str) -> dict[str, tuple[list[str], list[str]]]:
    """Return for each style the columns of the first and of the second answer, whose sums are compared.

    Raises
    ------
    GameTableError
        If a style is asked for that the source does not have.
    """
    paths = {column: [plain_word(part) for part in column.split(".")] for column in present}
    found: dict[str, tuple[list[str], list[str]]] = {}
    every = list(style) == ["all"]
    for one in STYLES if every else style:
        forms = STYLES.get(one, (f"{plain_word(one)}{{}}", f"{{}}{plain_word(one)}"))
        for form in forms:
            for sides in SIDES:
                pair = [[c for c, parts in paths.items() if form.format(side) in parts] for side in sides]
                if all(pair) and one not in found:
                    found[one] = (pair[0], pair[1])
        if one not in found and not every:
            raise GameTableError(
                f"--style {one}",
                f"columns {one}_a and {one}_b, or conv_metadata with them",
                f"columns {listed(present)}",
            )
    if every and not found:
        raise GameTableError("--style all", f"columns of {', '.join(STYLES)} in {where}", f"columns {listed(present)}")
    return found


def clean(column: polars.Series) -> polars.Series:
    """Return a column as texts with single blanks, null where empty."""
    texts = column.cast(polars.String, strict=False) if column.dtype != polars.String else column
    texts = texts.str.strip_chars()
    return texts.to_frame("x").select(
        polars.when(polars.col("x").is_in(list(UNKNOWN))).then(None).otherwise(polars.col("x")).alias("x")
    )["x"]


def empty_cells(texts: polars.Series) -> npt.NDArray[np.bool_]:
    """Return which cells are empty."""
    return texts.is_null().to_numpy()


def named(texts: polars.Series, records: Records, column: str, noun: str) -> polars.Series:
    """Return names; `GameTableError` at the first row without one."""
    empty = empty_cells(texts)
    if empty.any():
        raise GameTableError(f"{records.place(int(np.argmax(empty)))}, column {column}", f"the name of a {noun}", "''")
    return texts


def columns_told(chosen: Mapping[str, str], pairs: Mapping[str, Any]) -> str:
    """Return which column was taken for what, in words."""
    found = [f"{key} {column}" for key, column in chosen.items() if not key.startswith("hot")]
    found += [f"style {key} ({len(pair[0])} + {len(pair[1])} columns)" for key, pair in pairs.items()]
    return f"columns: {', '.join(found)}"


def summed(frame: polars.DataFrame, columns: Sequence[str], records: Records) -> Floats:
    """Return the sum of columns of counts, an empty cell counting 0, shape (row,)."""
    total = np.zeros(frame.height)
    for column in columns:
        texts = clean(frame[column])
        numbers = texts.cast(polars.Float64, strict=False)
        wrong = numbers.is_null().to_numpy() & ~texts.is_null().to_numpy()
        values = numbers.fill_null(0.0).to_numpy()
        wrong = wrong | ~np.isfinite(values) | (values < 0)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise GameTableError(f"{records.place(row)}, column {column}", "a count of at least 0", repr(texts[row]))
        total += values
    return total


def shares(first: Floats, second: Floats, keep: Any, key: str, where: str) -> tuple[Floats, float]:
    """Return (a - b) / (a + b) in standard deviations around 0, shape (row,), and that standard deviation.

    Raises
    ------
    GameTableError
        If the two answers never differ.
    """
    total = first + second
    share = np.divide(first - second, total, out=np.zeros_like(total), where=total > 0)[keep]
    sd = float(np.sqrt(np.mean(share**2)))
    if sd == 0.0:
        raise GameTableError(f"--style {key}", f"answers that differ in {key}, in {where}", "none that do")
    return share / sd, sd


def codes_of(first: polars.Series, second: polars.Series, keep: Any) -> tuple[Any, Any, Any]:
    """Return the sorted names and the codes of the two sides, shape (row,)."""
    sides = [one[keep] for one in (first, second)]
    names = sorted({name for one in sides for name in one.unique().to_list()})
    table = {name: code for code, name in enumerate(names)}
    white, black = (one.replace_strict(table, return_dtype=polars.Int32).to_numpy() for one in sides)
    return np.array(names, dtype=np.str_), white, black


def scores_of(meaning: npt.NDArray[np.str_]) -> Floats:
    """Return the first side's score of each row."""
    return np.where(meaning == FIRST, 1.0, np.where(meaning == SECOND, 0.0, 0.5))


def dates(texts: polars.Series | None, keep: Any, records: Records, column: str, form: str | None) -> Any:
    """Return the days, from seconds since 1970 or dates, NaT where unknown; None where there are none."""
    if texts is None:
        return None
    here = texts[keep]
    distinct = here.drop_nulls().unique().to_list()
    if form is None and all(re.fullmatch(r"\d{9,13}(\.\d+)?", one) for one in distinct[:1000]):
        seconds = here.cast(polars.Float64, strict=False).to_numpy()
        seconds = np.where(seconds > 1e11, seconds / 1000.0, seconds)
        known = np.isfinite(seconds)
        days = np.where(known, seconds, 0.0).astype(np.int64).astype("datetime64[s]").astype("datetime64[D]")
        return np.where(known, days, np.datetime64("NaT", "D"))
    shortened = {one: one[:10] if form is None else one for one in distinct}
    form = form or date_form(list(dict.fromkeys(shortened.values()))[:5000], f"{records.source}, column {column}")
    table: dict[str, Any] = {}
    for one, short in shortened.items():
        try:
            table[one] = parse_date(short) if form is None else parse_date_as(short, form)
        except ValueError:
            row = int(np.flatnonzero((texts == one).fill_null(False).to_numpy())[0])
            place = f"{records.place(row)}, column {column}"
            raise GameTableError(place, "a date", repr(one[:60]), "Name its form: --date-format %d/%m/%Y.") from None
    unknown = np.datetime64("NaT", "D")
    return np.array([unknown if one is None else table[one] for one in here.to_list()], dtype="datetime64[D]")

"""What a judge's word means: the first answer, the second, a tie, both bad; or what the user says that it means.

A word may name a column (model_a), a side (left, A, "A>B"), or who was chosen. Numbers are scores (1, 0.5, 0), numbers
of the side (1, 2), or signs (1, 0, -1), by which of them a column has; a column that could be either is refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import plain_word
from halfpoint.games.readers.records import Records

FIRST, SECOND, TIE, BOTH_BAD, DROP = "first", "second", "tie", "both_bad", "drop"
WORDS = {
    **dict.fromkeys(("modela", "a", "left", "first", "white", "home", "x", "option1", "optiona", "w"), FIRST),
    **dict.fromkeys(("modelb", "b", "right", "second", "black", "away", "y", "option2", "optionb"), SECOND),
    **dict.fromkeys(("tie", "draw", "equal", "same", "tiebothgood", "bothgood", "both", "tied"), TIE),
    **dict.fromkeys(("bothbad", "tiebothbad", "neither"), BOTH_BAD),
}
EXACT = {
    **{"a>b": FIRST, "a>>b": FIRST, "b>a": SECOND, "b>>a": SECOND, "a=b": TIE, "a<b": SECOND, "a<<b": SECOND},
    **{"1-0": FIRST, "0-1": SECOND, "1/2-1/2": TIE},
}
NUMBERS = (  # schemes of numbers: a column is read by the first that has all of its numbers
    {1.0: FIRST, 0.5: TIE, 0.0: SECOND},
    {1.0: FIRST, 2.0: SECOND},
    {1.0: FIRST, 0.0: TIE, -1.0: SECOND},
)
TRUE = ("true", "1", "1.0", "yes")


def number_of(word: str) -> float | None:
    """Return the number that a word is, None if it is none."""
    try:
        return float(word)
    except ValueError:
        return None


def outcome_map(text: str | Mapping[str, Any] | None) -> dict[str, str]:
    """Return what the user says that words of outcomes mean: "tie=0.5,both_bad=drop" and the like.

    Raises
    ------
    GameTableError
        If a part is no WORD=MEANING, or a word stands twice.
    """
    if text is None:
        return {}
    if isinstance(text, str):
        parts = [part.partition("=") for part in text.split(",") if part.strip()]
        pairs = [(word.strip(), meaning.strip()) for word, equals, meaning in parts if equals]
        if len(pairs) < len(parts) or len(dict(pairs)) < len(pairs) or not all(map(all, pairs)):
            raise GameTableError("--outcomes", "WORD=MEANING,... with each word once", repr(text))
    else:
        pairs = [(str(word), str(meaning)) for word, meaning in text.items()]
    meanings = {"1": FIRST, "0": SECOND, "0.5": TIE, "1.0": FIRST, "0.0": SECOND, ".5": TIE}
    meanings |= {one: one for one in (FIRST, SECOND, TIE, BOTH_BAD, DROP)}
    for word, meaning in pairs:
        if meaning not in meanings:
            known = "first | second | tie | both_bad | drop | 1 | 0.5 | 0"
            raise GameTableError(f"--outcomes {word}", known, repr(meaning))
    return {word: meanings[meaning] for word, meaning in pairs}


def meaning_of(word: str, said: Mapping[str, str], headers: Mapping[str, str], scheme: Mapping[float, str]) -> str:
    """Return what a word of an outcome means; empty if it means nothing by itself."""
    plain, number = plain_word(word), number_of(word)
    own = said.get(word) or {plain_word(one): meaning for one, meaning in said.items()}.get(plain or word)
    if own:
        return own
    if number is not None:
        known = scheme.get(number, "")
    else:
        known = EXACT.get("".join(word.lower().split())) or headers.get(plain) or WORDS.get(plain, "")
    return said.get(known, known) if known in (TIE, BOTH_BAD) else known  # of ties the user says it for every word


def scheme_of(words: Sequence[str], said: Mapping[str, str]) -> Mapping[float, str]:
    """Return what the numbers among words mean, nothing where that could be several things."""
    found = {number for word in words if word not in said and (number := number_of(word)) is not None}
    return next((scheme for scheme in NUMBERS if found <= set(scheme)), {})


def meanings(
    texts: Mapping[str, polars.Series],
    first: polars.Series,
    second: polars.Series,
    chosen: Mapping[str, str],
    said: Mapping[str, str],
) -> npt.NDArray[np.str_]:
    """Return what each row says: first, second, tie, both_bad, drop; empty where it says nothing that is known.

    Parameters
    ----------
    texts : mapping of str to Series
        The columns `outcome`, or `hot 0`, `hot 1`, `hot 2` (one column an outcome), and `equal` where there is one.
    first, second : Series
        The names.
    chosen : mapping of str to str
        What the columns are called.
    said : mapping of str to str
        From `outcome_map`.
    """
    if "hot 0" in texts:
        truth = [texts[f"hot {k}"].str.to_lowercase().is_in(TRUE).fill_null(False).to_numpy() for k in range(3)]
        once = sum(one.astype(int) for one in truth) == 1
        made = np.select([truth[0] & once, truth[1] & once, truth[2] & once], [FIRST, SECOND, said.get(TIE, TIE)], "")
        return np.asarray(made, dtype=np.str_)
    words = texts["outcome"].fill_null("")
    headers = {plain_word(chosen["first"]): FIRST, plain_word(chosen["second"]): SECOND}
    distinct = words.unique().to_list()
    scheme = scheme_of(distinct, said)
    table = {word: meaning_of(word, said, headers, scheme) if word else "" for word in distinct}
    made = words.replace_strict(table, return_dtype=polars.String).to_numpy().astype(np.str_)
    by_name = [(words == side).to_numpy() for side in (first, second)]
    made = np.where(by_name[0], FIRST, np.where(by_name[1], SECOND, made))
    if "equal" in texts:
        equal = texts["equal"].str.to_lowercase().is_in(TRUE).fill_null(False).to_numpy()
        made = np.where(equal & (words == "").to_numpy(), said.get(TIE, TIE), made)
    return np.asarray(made, dtype=np.str_)


def unknown_word(
    texts: Mapping[str, polars.Series], chosen: Mapping[str, str], records: Records, row: int, first: Any, second: Any
) -> GameTableError:
    """Return the error for a row whose outcome is not known."""
    if "outcome" not in texts:
        return GameTableError(
            records.place(row), "one of winner_model_a, winner_model_b, winner_tie", "none or several"
        )
    word = texts["outcome"][row]
    remedy = f"Say what it means: --outcomes {word or 'WORD'}=first|second|tie|both_bad|drop."
    place = f"{records.place(row)}, column {chosen['outcome']}"
    if not word:
        return GameTableError(place, "who was judged better, or a tie", "''", "Drop these rows.")
    return GameTableError(place, f"{first[row]!r}, {second[row]!r}, a side, tie or both_bad", repr(word[:60]), remedy)


def told(meaning: npt.NDArray[np.str_]) -> list[str]:
    """Return what became of the outcomes, in words."""
    kinds, counts = np.unique(meaning, return_counts=True)
    number = dict(zip(kinds.tolist(), counts.tolist(), strict=True))
    parts = [f"{number.get(key, 0):,} {words}" for key, words in ((FIRST, "first"), (SECOND, "second"), (TIE, "ties"))]
    lines = [f"outcomes: {', '.join(parts)}"]
    if number.get(BOTH_BAD):
        lines.append(
            f"both bad: {number[BOTH_BAD]:,} judgements, counted as ties (--outcomes both_bad=drop leaves them out)"
        )
    if number.get(DROP):
        lines.append(f"dropped: {number[DROP]:,} judgements, as --outcomes says")
    return lines

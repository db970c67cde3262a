"""The page of an answer: its rows as the list, what it is about around them."""

from typing import Any

import pandas as pd

from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.report.listing import TITLES, listing, title_of
from halfpoint.evaluation.report.page import Chart, Page, Section, words_of

SOME = 100
SIMULATED = (" (SIMULATED games)", " (SIMULATED stints)", " (SIMULATED)", " SIMULATED")


def answer_page(frame: pd.DataFrame, about: dict[str, Any], *charts: Chart, further: tuple[Section, ...] = ()) -> Page:
    """Return the page of rows."""
    title = str(about["title"])
    for words in SIMULATED:
        title = title.replace(words, "")
    name = str(about.get("data", ""))
    title = title.replace(name, words_of(name)) if name else title
    note = str(about.get("note", ""))
    verdict = str(about.get("verdict", ""))
    listed = listing(frame, "rows-list", "The list", text=note.replace("\n", " "), some=SOME)
    sections = [Section("rows", "The list", [listed])]
    if charts:
        sections.append(Section("figures", "Figures", charts))
    known = {name: str(about[name]) for name in ("data", "system", "settings", "model", "edition") if about.get(name)}
    facts = {name.capitalize(): text for name, text in known.items() if len(text) < 60 and name != "data"}
    bad = verdict.startswith("NOT CONVERGED")
    return Page(
        title,
        str(about.get("answer") or first_of(frame) or note.partition(". ")[0]),
        [*sections, *further],
        dict(list(facts.items())[:4]),
        f"{verdict}: do not use these numbers." if bad else "",
        bool(about.get("simulated")),
        [f"{name}: {text}" for name, text in (known | {"verdict": verdict}).items() if text],
    )


def first_of(frame: pd.DataFrame) -> str:
    """Return who stands first in a sentence, where the rows are of somebody and in order; empty where not."""
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    chances = [name for name in ("title_percent", "best_percent") if name in frame]
    if not len(frame) or not texts or not (chances or "rank" in frame):
        return ""
    if chances:
        best = frame.sort_values(chances[0], ascending=False, kind="stable").iloc[0]
        chance = in_percent(best[chances[0]] / 100.0)
        what = "wins the title" if chances[0] == "title_percent" else "is the strongest"
        return f"{best[texts[0]]} {what} with a chance of {chance}."
    rating = next((name for name in frame.columns if name.startswith(("rating", "imps", "total"))), None)
    first = frame.iloc[0]
    if rating is None or pd.isna(first[rating]):
        return f"{first[texts[0]]} stands first."
    return f"{first[texts[0]]} stands first of {len(frame)}: {title_of(rating, TITLES).lower()} {first[rating]:.0f}."

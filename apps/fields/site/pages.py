"""Pages of a site as data, from an edition alone: headings, sentences, facts, lists and drawings of each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from markupsafe import Markup

from halfpoint.apps.fields.site.cards import Bars, Card
from halfpoint.apps.fields.site.drawings import tone_of
from halfpoint.apps.fields.site.edition import Edition, Row, has_champion
from halfpoint.apps.pages.listing import Column, Listing
from halfpoint.apps.pages.table import table_html
from halfpoint.evaluation.digits import fixed_decimals, in_percent
from halfpoint.evaluation.first_sentences import comparisons, leaders
from halfpoint.evaluation.seasons import zone_column

WIDE = "wide"  # class of columns that a telephone leaves out
_NOBODY = "–"
_CARD_ROWS, _CHANGES, _COMING = 7, 6, 20
_RESULT = re.compile(r"(?<!\S)(\S{1,20})( – |-)(\S{1,20}?)(, .+)?")


@dataclass(frozen=True)
class Part:
    """A section of a page: its heading, drawings and lists, and a note below."""

    id: str
    title: str
    parts: Sequence[Markup] = ()
    note: str = ""
    half: bool = False  # beside the next one, where there is room


@dataclass(frozen=True)
class SitePage:
    """A page of a site."""

    file: str
    title: str  # of the window, and of a shared link
    answer: str  # the first sentence
    lead: str = ""
    note: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    parts: Sequence[Part] = ()
    card: Card | None = None
    data: Mapping[str, str] = field(default_factory=dict)  # links to data: address and words
    layout: str = ""  # class of the body: sheet, embed

    @property
    def up(self) -> str:
        """Relative path from the page to the home page."""
        return "../" * self.file.count("/")

    @property
    def picture(self) -> str:
        """File of the card."""
        return self.file.removesuffix(".html").replace("index", "card") + ".png"


def long_day(text: str | None) -> str:
    """A day in words.

    Examples
    --------
    >>> long_day("2022-02-28"), long_day(None)
    ('28 February 2022', '')
    """
    if not text:
        return ""
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B %Y}"


def short_day(text: object) -> str:
    """A day in a table."""
    if not text:
        return ""
    day = date.fromisoformat(str(text))
    return f"{day.day} {day:%b %Y}"


def chance(value: float | None) -> str:
    """A chance in percent as text; a dash if it is 0."""
    return _NOBODY if not value else in_percent(value / 100.0) if value < 100.0 else "100%"


def rating_text(value: float | None, unit: str) -> str:
    """A rating in print."""
    return _NOBODY if value is None else fixed_decimals(value, digits_of_unit(unit)).replace("-", "−")


def digits_of_unit(unit: str) -> int:
    """Decimals of ratings: none of Elo points, one of IMPs."""
    return 0 if unit == "elo" else 1


def plural(noun: str) -> str:
    """A noun in the plural, also one with a complement: evenings of a pair."""
    head, of, complement = noun.partition(" of ")
    if of:
        return f"{plural(head)}{of}{complement}"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def noun_of_games(edition: Edition) -> str:
    """A row of the games in a word; editions of earlier versions have games."""
    return str(edition.get("played", "game"))


def games_in_words(edition: Edition) -> str:
    """Number of the games of an edition."""
    noun, count = noun_of_games(edition), edition["games"]
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def address_of(edition: Edition, row: Row) -> str:
    """File of the page of one row."""
    return f"{edition['noun']}/{row['address']}.html"


def links_of(edition: Edition, rows: Sequence[Row], up: str = "") -> dict[int, str]:
    """Addresses of the pages of rows."""
    return {number: f"{up}{address_of(edition, row)}" for number, row in enumerate(rows)}


def since_words(edition: Edition) -> str:
    """The earlier edition in words, to follow the word since."""
    since = edition["since"]
    return long_day(since["day"]) or f"edition {since['edition']}"


def moved_text(change: Row) -> str:
    """A change in words.

    Examples
    --------
    >>> moved_text({"name": "Ash", "what": "champion", "unit": "%", "before": 6.2, "after": 14.4})
    'Ash 6% → 14% (champion)'
    """
    if change["before"] is None:
        return f"{change['name']}: {change['what']}"
    before, after = (value_text(change, value) for value in (change["before"], change["after"]))
    return f"{change['name']} {before} → {after} ({change['what']})"


def value_text(change: Row, value: float | None) -> str:
    """A value of a change in print."""
    if value is None:
        return ""
    if change["unit"] == "%":
        return in_percent(value / 100.0)
    return fixed_decimals(value, 1 if "IMP" in change["unit"] else 0).replace("-", "−")


def changed_sentence(edition: Edition) -> str:
    """What changed since the earlier edition, the largest changes; empty in the first edition."""
    if edition["since"] is None:
        return ""
    shown = edition["changes"][:_CHANGES]
    by_measure: dict[str, list[Row]] = {}
    for change in edition["changes"]:
        by_measure.setdefault(change["what"], []).append(change)
    shown = [change for some in by_measure.values() for change in some[:2]][:_CHANGES]
    if not shown:
        return f"Since {since_words(edition)}: no number moved by more than one unit."
    further = len(edition["changes"]) - len(shown)
    further_changes = f"; {further} more under What changed" if further > 0 else ""
    return f"Since {since_words(edition)}: {'; '.join(map(moved_text, shown))}{further_changes}."


def home_answer(edition: Edition) -> str:
    """First sentence of the home page."""
    rows = edition["rows"]
    if not edition["converged"]:
        return comparisons.not_converged(edition["verdict"])
    if edition["seasonal"]:
        return leaders.champion({row["name"]: row["title_percent"] / 100.0 for row in rows}, edition["left"])
    return leaders.strongest({row["name"]: (row.get("best_percent") or 0.0) / 100.0 for row in rows})


def zone_sentences(edition: Edition) -> str:
    """A sentence for each zone."""
    sentences = []
    for name, (best, worst) in edition["zones"].items():
        column = f"{zone_column(name)}_percent"
        chances = {row["name"]: (row.get(column) or 0.0) / 100.0 for row in edition["rows"]}
        sentences.append(leaders.zone(name, chances, worst - best + 1))
    return " ".join(sentences)


def home(edition: Edition) -> SitePage:
    """Home page: the table or the list, what changed, the next games."""
    rows, answer = edition["rows"], home_answer(edition)
    until = f" until {long_day(edition['day'])}" if edition["day"] else ""
    count = f"{games_in_words(edition)}{until}"
    if edition["seasonal"]:
        lead = zone_sentences(edition)
        note = f"20,000 simulated ends of the season; {edition['left']:,} games to play; ratings from {count}."
        parts = [Part("table", "Table", [season_table(edition)], table_note(edition))]
        data = {"table": "Table"}
    else:
        lead = f"{len(rows)} {plural(edition['noun'])} by {count}."
        note, parts = "", [Part("ratings", "Ratings", [rating_table(edition)], list_note(edition))]
        data = {"ratings": "Ratings"}
    note = " ".join(filter(None, [changed_sentence(edition), note]))
    if edition["coming"]:
        halves = coming_tables(edition, edition["coming"][:_COMING])
        parts.append(
            Part("next", "Next games", halves, "Chance of a win of the first, a draw, and a win of the second.")
        )
    card = Card(f"{edition['title']} · {count}", answer, home_bars(edition), simulated=edition["simulated"])
    return SitePage("index.html", edition["title"], answer, lead, note, {}, parts, card, data)


def table_note(edition: Edition) -> str:
    """How the table is read."""
    zones = [f"{name} {best}" if best == worst else f"{name} {best} to {worst}" for name, (best, worst)
             in edition["zones"].items()]  # fmt: skip
    rules = f" Places: {', '.join(zones)}." if zones else ""
    scoring = edition["scoring"].replace("-", ", ")
    return (
        f"Bar: points at the end with their 95% interval; tick: points now. Points of a win, a draw, a loss: "
        f"{scoring}; equal points share places in equal parts.{rules} Chances in percent; empty: never in a simulation."
    )


def list_note(edition: Edition) -> str:
    """How the list is read."""
    strongest = "" if edition["seasonal"] else " Strongest: chance in percent of being the strongest."
    return f"Bar: rating with its 95% interval.{strongest} {edition['note']}"


def _cuts(edition: Edition) -> tuple[int, ...]:
    """Rows that begin behind a border between places."""
    ends = {worst for best, worst in edition["zones"].values() if best == 1}
    ends |= {best - 1 for best, _ in edition["zones"].values()}
    return tuple(sorted(row for row in ends if 0 < row < len(edition["rows"])))


def _moves(rows: Sequence[Row], column: str) -> list[float | None]:
    """Change of a number since the earlier edition, by row."""
    return [None if row.get(f"{column}_before") is None else row[column] - row[f"{column}_before"] for row in rows]


def counted(edition: Edition) -> str:
    """Heading of the number of games, judgements or boards of a row."""
    return "Boards" if edition["unit"] == "imps" else plural(noun_of_games(edition)).capitalize()


def season_table(edition: Edition, some: int | None = None) -> Markup:
    """Table now and at the end."""
    rows = edition["rows"][:some]
    noun = edition["noun"]
    columns = [
        Column(noun, noun.capitalize(), "text"), Column("now", "Now", "number", 0),
        Column("games", "Played", "number", 0, style=WIDE),
        Column("bar", "Points at the end, 95%", "bar", 0, style=WIDE),
        Column("points", "End", "number", 0),
    ]  # fmt: skip
    cells: list[Sequence[object]] = [
        [row["name"] for row in rows], [row["points_so_far"] for row in rows], [row["games"] for row in rows],
        [[row["points"], row["points_low"], row["points_high"], row["points_so_far"]] for row in rows],
        [row["points"] for row in rows],
    ]  # fmt: skip
    if edition["since"] is not None:
        columns.append(Column("moved", "Change", "change", 0, style=WIDE))
        cells.append(_moves(rows, "points"))
    chances = {} if has_champion(edition["zones"]) else {"title_percent": ("Champion", "")}
    for name, ends in edition["zones"].items():
        chances[f"{zone_column(name)}_percent"] = (
            name[:1].upper() + name[1:],
            tone_of(ends[0], len(edition["rows"]), {name: ends}),
        )
    for column, (title, tone) in chances.items():
        columns.append(Column(column, title, "heat", 0, style=tone))
        cells.append([row[column] if row[column] > 0.0 else None for row in rows])
    listed = Listing(
        "table", "Table", noun, tuple(columns), tuple(zip(*cells, strict=True)), tiers=_cuts(edition),
        links=links_of(edition, rows),
    )  # fmt: skip
    return table_html(listed)


def rating_table(edition: Edition, some: int | None = None) -> Markup:
    """List of ratings, the highest first."""
    unit = edition["unit"]
    rows = rated_rows(edition)[:some]
    digits, noun = digits_of_unit(unit), edition["noun"]
    mean, low, high = f"rating_{unit}", f"low_{unit}", f"high_{unit}"
    columns = [
        Column("rank", "Rank", "number", 0), Column(noun, noun.capitalize(), "text"),
        Column(mean, "Rating" if unit == "elo" else "IMPs a board", "number", digits),
        Column("between", "95%", "span", digits, style=WIDE), Column("bar", "", "bar", digits, style=WIDE),
    ]  # fmt: skip
    cells: list[Sequence[object]] = [
        [row["rank"] for row in rows], [row["name"] for row in rows], [row[mean] for row in rows],
        [[row[low], row[high]] for row in rows],
        [[row[mean], row[low], row[high], row.get("printed_elo")] for row in rows],
    ]  # fmt: skip
    if any(row.get("printed_elo") is not None for row in rows):
        columns.append(Column("printed", "Printed", "number", 0))
        cells.append([row.get("printed_elo") for row in rows])
        columns.append(Column("less", "Change of print", "change", 0, style=WIDE))
        cells.append([row.get("less_printed_elo") for row in rows])
    if edition["since"] is not None:
        columns.append(Column("moved", "Since", "change", digits))
        cells.append(_moves(rows, mean))
    columns.append(Column("games", counted(edition), "number", 0, style=WIDE))
    cells.append([row.get("rated_games") for row in rows])
    if not edition["seasonal"]:
        columns.append(Column("best", "Strongest", "heat", 0))
        cells.append([row.get("best_percent") or None for row in rows])
    listed = Listing(
        "ratings", "Ratings", noun, tuple(columns), tuple(zip(*cells, strict=True)), links=links_of(edition, rows)
    )
    return table_html(listed)


def rated_rows(edition: Edition) -> list[Row]:
    """Rows with a rating, in the order of their ranks."""
    rows = [row for row in edition["rows"] if row.get("rank") is not None]
    return sorted(rows, key=lambda row: row["rank"])


def home_bars(edition: Edition) -> list[Bars]:
    """Bars of the card of the home page."""

    def bars(title: str, column: str, tone: str) -> Bars:
        rows = sorted(edition["rows"], key=lambda row: -(row.get(column) or 0.0))[:_CARD_ROWS]
        shares = [row.get(column) or 0.0 for row in rows]
        return Bars(
            title[:1].upper() + title[1:],
            [row["name"] for row in rows],
            shares,
            [chance(share) for share in shares],
            tone,
        )

    if not edition["seasonal"]:
        return [bars("Chance of being the strongest", "best_percent", "rating")]
    count, zones = len(edition["rows"]), edition["zones"]
    tops = [(name, ends) for name, ends in zones.items() if ends[0] == 1 and ends[1] > 1]
    feet = [(name, ends) for name, ends in zones.items() if ends[1] >= count]
    first = (
        bars(tops[0][0], f"{zone_column(tops[0][0])}_percent", "win")
        if tops
        else bars("Champion", "title_percent", "rating")
    )
    return [first, *(bars(name, f"{zone_column(name)}_percent", "loss") for name, _ in feet[:1])]


def coming_tables(edition: Edition, coming: Sequence[Row], halves: bool = True) -> list[Markup]:
    """Games to come as bars of three colours, in two columns."""
    half = -(-len(coming) // 2) if halves and len(coming) > 3 else len(coming)
    return [games_to_come_table(coming[start : start + half]) for start in range(0, len(coming), half)]


def games_to_come_table(coming: Sequence[Row], side: str = "") -> Markup:
    """Games to come, a row each; from the side of player `mine` if given."""
    dated = any(row.get("day") for row in coming)
    columns = [Column("day", "Day", "day text soft")] if dated else []
    columns.append(Column("game", "Opponent" if side else "Game", "text"))
    columns.append(Column("shares", "Chances", "thirds"))
    rows = []
    for row in coming:
        home = row["first"] == side
        game = f"{row['first']} – {row['second']}"
        if side:
            game = f"{row['second'] if home else row['first']}, {'home' if home else 'away'}"
        rows.append([*([short_day(row.get("day"))] if dated else []), game, shares_of(row, side)])
    return table_html(Listing("coming", "Games to come", "game", tuple(columns), tuple(map(tuple, rows))))


def shares_of(row: Row, side: str = "") -> list[float]:
    """Win, draw and loss of a game in percent, for the first player or for `side`."""
    if row.get("win_percent") is None:
        shares = [row["expected_percent"], 0.0, 100.0 - row["expected_percent"]]
    else:
        shares = [row["win_percent"], row["draw_percent"], row["loss_percent"]]
    return shares[::-1] if side and row["second"] == side else shares


def own_result(row: Row, first: bool) -> str:
    """Result of a game from one side, that side's score first."""
    match = _RESULT.fullmatch(str(row["result"]))
    if match is None:
        score = row["score"] if first or row["score"] is None else 1.0 - row["score"]
        return {1.0: "won", 0.5: "drawn", 0.0: "lost"}.get(score, str(row["result"]))
    first_score, between, second_score, note_of_result = match.groups()
    return (
        f"{first_score}{between}{second_score}{note_of_result or ''}"
        if first
        else f"{second_score}{between}{first_score}{note_of_result or ''}"
    )

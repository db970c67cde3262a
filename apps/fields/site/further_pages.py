"""Further pages of a site: what changed, games to come, ratings, notice board, how good the forecasts are, embed."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from markupsafe import Markup

from halfpoint.apps.fields.site.cards import Card
from halfpoint.apps.fields.site.edition import Edition, Row
from halfpoint.apps.fields.site.judged import Judgement, by_list
from halfpoint.apps.fields.site.pages import (
    WIDE,
    Part,
    SitePage,
    coming_tables,
    digits_of_unit,
    home_answer,
    links_of,
    list_note,
    long_day,
    noun_of_games,
    plural,
    rated_rows,
    rating_table,
    season_table,
    since_words,
    value_text,
)
from halfpoint.apps.fields.site.people_pages import games_by_name
from halfpoint.apps.pages.listing import Column, Listing
from halfpoint.apps.pages.table import table_html
from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.first_sentences import comparisons, leaders, standings

_UPSETS = 5
_EMBEDDED = 8


def _card(edition: Edition, sentence: str) -> Card:
    """Card of a page without drawings of its own."""
    above = edition["title"] + (f" · {long_day(edition['day'])}" if edition["day"] else "")
    return Card(above, sentence, simulated=edition["simulated"])


def what_changed(edition: Edition) -> SitePage:
    """Every change above one unit since the earlier edition."""
    changes = edition["changes"]
    if edition["since"] is None:
        answer = "This is the first edition: the next edition lists the changes here."
        return SitePage("changes.html", "What changed", answer, card=_card(edition, answer))
    count, since = len(changes), since_words(edition)
    games = edition["games"] - edition["since"]["games"]
    noun = noun_of_games(edition)
    answer = standings.changes(count, since, games, noun, plural(noun))
    address = {row["name"]: number for number, row in enumerate(edition["rows"])}
    addresses = links_of(edition, edition["rows"])
    parts: list[Part] = []
    for what, some in groupby(changes, key=lambda change: change["what"]):
        rows = list(some)
        unit = rows[0]["unit"]
        columns = (
            Column("name", edition["noun"].capitalize(), "text"), Column("before", "Before", "told number"),
            Column("after", "Now", "told number"),
            Column("moved", f"Change, {unit}" if unit else "", "change", 1 if "IMP" in unit else 0),
        )  # fmt: skip
        cells = tuple(
            (change["name"], value_text(change, change["before"]), value_text(change, change["after"]),
             None if change["before"] is None else change["after"] - change["before"]) for change in rows
        )  # fmt: skip
        links = {
            number: addresses[address[change["name"]]]
            for number, change in enumerate(rows)
            if change["name"] in address
        }
        identifier = f"changes-{len(parts) + 1}"
        listed = Listing(identifier, what, "name", columns, cells, links=links)
        parts.append(Part(identifier, what[:1].upper() + what[1:], [table_html(listed)], half=True))
    return SitePage("changes.html", "What changed", answer, parts=parts, card=_card(edition, answer))


def games_to_come(edition: Edition) -> SitePage | None:
    """All games to come by day."""
    coming = edition["coming"]
    if not coming:
        return None
    surest = max(coming, key=lambda row: abs(row["expected_percent"] - 50.0))
    words = f"expected score {in_percent(surest['expected_percent'] / 100.0)} for {surest['first']}"
    if surest.get("win_percent") is not None:
        win, draw, loss = (surest[f"{name}_percent"] / 100.0 for name in ("win", "draw", "loss"))
        words = leaders.game_in_words(surest["first"], surest["second"], win, draw, loss)
    share = surest["expected_percent"] / 100.0
    answer = leaders.surest(len(coming), "game", surest["first"], surest["second"], words, share)
    note = "Chance of a win of the first, a draw, and a win of the second, in percent."
    parts = [Part("coming", "Games to come", coming_tables(edition, coming), note)]
    return SitePage(
        "fixtures.html",
        "Games to come",
        answer,
        parts=parts,
        card=_card(edition, answer),
        data={"fixtures": "Games to come"},
    )


def ratings(edition: Edition) -> SitePage:
    """Ratings of a league, which its table does not contain."""
    best = {row["name"]: (row.get("best_percent") or 0.0) / 100.0 for row in rated_rows(edition)}
    answer = leaders.strongest(best) if edition["converged"] else comparisons.not_converged(edition["verdict"])
    parts = [Part("ratings", "Ratings", [rating_table(edition)], list_note(edition))]
    return SitePage(
        "ratings.html", "Ratings", answer, parts=parts, card=_card(edition, answer), data={"ratings": "Ratings"}
    )


def sheet(edition: Edition, earlier: Edition | None, games: Sequence[Row]) -> SitePage:
    """One sheet of A4 for the notice board: points, expectation, old and new rating by the latest games."""
    fresh = _fresh(games, earlier)
    rows, how = _sheet_rows(edition, earlier, fresh)
    until = f" until {long_day(edition['day'])}" if edition["day"] else ""
    rows_in_words = plural(noun_of_games(edition))
    since = (
        f"{rows_in_words.capitalize()} since {since_words(edition)}" if earlier is not None else f"All {rows_in_words}"
    )
    lead = f"{edition['title']} · {since}{until}: {len(fresh):,}"
    digits = digits_of_unit(edition["unit"])
    if not rows:
        answer = f"No {rows_in_words} since the last edition."
        return SitePage("sheet.html", "Notice board", answer, lead, layout="sheet", card=_card(edition, answer))
    judged = [row for row in rows if row["expected"] is not None]
    if judged:
        best = max(judged, key=lambda row: row["score"] - row["expected"])
        answer = standings.best_result(best["name"], best["score"], best["games"], best["expected"], how)
    else:
        answer = home_answer(edition)
    moved = [row for row in rows if row["change"] is not None]
    note = standings.gained_and_lost({row["name"]: row["change"] for row in moved}, digits) if moved else ""
    columns = [Column("place", "#", "number", 0, style=WIDE), Column("name", edition["noun"].capitalize(), "text")]
    keys: list[tuple[str, Column]] = []
    if judged:
        keys = [
            ("score", Column("score", "Points", "number", 1)),
            ("games", Column("games", "Games", "number", 0, style=WIDE)),
            ("expected", Column("expected", "Expected", "number", 1)),
            ("over", Column("over", "+/−", "number", 1, signed=True, style=WIDE)),
        ]  # fmt: skip
    if moved:
        keys.append(("old", Column("old", "Old", "number", digits, style=WIDE)))
    keys.append(("new", Column("new", "New", "number", digits)))
    if moved:
        keys.append(("change", Column("change", "Change", "change", digits)))
    keys.append(("bar", Column("bar", "95% of the new rating", "bar", digits, style=WIDE)))
    cells = [tuple([number, row["name"], *(row[key] for key, _ in keys)]) for number, row in enumerate(rows, 1)]
    listed = Listing("sheet", "Notice board", "name", (*columns, *(column for _, column in keys)), tuple(cells))
    tick = " Tick: old rating." if moved else ""
    parts = [Part("sheet", "", [table_html(listed)], f"Dot and bar: new rating with its 95% interval.{tick}")]
    upsets = _upsets(edition, earlier, fresh)
    if upsets:
        parts.append(Part("upsets", "Upsets", [upsets], f"Chance of the result before the game{how}."))
    return SitePage("sheet.html", "Notice board", answer, lead, note, {}, parts, _card(edition, answer), layout="sheet")


def _fresh(games: Sequence[Row], earlier: Edition | None) -> list[Row]:
    """Games after the earlier edition."""
    if earlier is None:
        return list(games)
    if earlier["day"] is None:
        return list(games[earlier["games"] :])
    return [game for game in games if game.get("day") and game["day"] > earlier["day"]]


def _expectations(
    edition: Edition, earlier: Edition | None, games: Sequence[Row]
) -> tuple[list[list[float] | None], str]:
    """Chances of loss, draw and win before each game: by printed ratings, the earlier edition, or this list."""
    base = earlier or edition
    printed = [
        (game.get("first_rating"), game.get("second_rating")) for game in games
    ]  # fmt: skip
    if printed and all(None not in pair for pair in printed):
        difference = np.array([first - second for first, second in printed])  # type: ignore[operator]
        expected = 1.0 / (1.0 + 10.0 ** (-difference / 400.0))
        return [[1.0 - score, 0.0, score] for score in expected.tolist()], " by the ratings of the day"
    if edition["unit"] != "elo" or base["shares"] is None:
        return [None] * len(games), ""
    names = {row["name"] for row in base["rows"] if row.get("rating_elo") is not None}
    rated_games = [number for number, game in enumerate(games) if game["first"] in names and game["second"] in names]
    chances: list[list[float] | None] = [None] * len(games)
    if rated_games:
        shares = by_list(base, [(games[k]["first"], games[k]["second"]) for k in rated_games])
        for number, row in zip(rated_games, shares.tolist(), strict=True):
            chances[number] = row
    return chances, " by the last edition" if earlier else " by this list, which has learned from the games"


def _sheet_rows(edition: Edition, earlier: Edition | None, games: Sequence[Row]) -> tuple[list[Row], str]:
    """Rows of the sheet, most points first, and how the expectation was made."""
    unit = edition["unit"]
    chances, how = _expectations(edition, earlier, games)
    by_game = {id(game): row for game, row in zip(games, chances, strict=True)}
    games_of = games_by_name(edition, games)
    old = {row["name"]: row for row in earlier["rows"]} if earlier else {}
    rows = []
    for row in rated_rows(edition):
        games_of_row = games_of.get(row["name"], [])
        if not games_of_row:
            continue
        scored = [(game, first) for game, first in games_of_row if game.get("score") is not None]
        score = sum(game["score"] if first else 1.0 - game["score"] for game, first in scored)
        chances_of_row = [(by_game[id(game)], first) for game, first in scored]
        shares = [
            ((chance[2] if first else chance[0]) + chance[1] / 2.0)
            for chance, first in chances_of_row
            if chance is not None
        ]
        expected = sum(shares) if scored and len(shares) == len(scored) else None
        before = row.get("printed_elo")
        before = old.get(row["name"], {}).get(f"rating_{unit}") if before is None else before
        new = row[f"rating_{unit}"]
        rows.append({
            "name": row["name"], "score": score, "games": len(games_of_row), "expected": expected, "old": before,
            "new": new,
            "over": None if expected is None else score - expected, "change": None if before is None else new - before,
            "bar": [new, row[f"low_{unit}"], row[f"high_{unit}"], before],
        })  # fmt: skip
    return sorted(rows, key=lambda row: (-row["score"], -(row["over"] or 0.0), -row["new"])), how


def _upsets(edition: Edition, earlier: Edition | None, games: Sequence[Row]) -> Markup | None:
    """Games with the least expected results."""
    chances, _ = _expectations(edition, earlier, games)
    rows = []
    for game, shares in zip(games, chances, strict=True):
        if shares is None or game.get("score") is None or game["score"] == 0.5:
            continue
        rows.append((shares[2] if game["score"] == 1.0 else shares[0], game))
    rows = [upset for upset in sorted(rows, key=lambda upset: upset[0]) if upset[0] < 0.5][:_UPSETS]
    if not rows:
        return None
    columns = (
        Column("game", "Game", "text"),
        Column("result", "Result", "text"),
        Column("chance", "Winner's chance", "percent", 0),
    )
    cells = tuple((f"{game['first']} – {game['second']}", game["result"], 100.0 * share) for share, game in rows)
    return table_html(Listing("upset-list", "Upsets", "game", columns, cells))


def how_good(editions: Sequence[Edition], judged: Sequence[Judgement]) -> SitePage:
    """Scores of every earlier edition on the games after it."""
    edition = editions[-1]
    headline = judged[0] if judged else None
    if edition["unit"] != "elo" or edition["shares"] is None:
        answer = "Editions of this list give no chances of single results, so there is no forecast to score."
    elif headline is None:
        answer = comparisons.against_baseline(0, 0.0, 0.0, 0.0, 0.0, "")
    else:
        answer = comparisons.against_baseline(
            headline.games, headline.score, headline.baseline, headline.difference, headline.error, "base rates"
        )
    parts: list[Part] = []
    lead = ""
    if headline is not None:
        columns = [
            Column("edition", "Edition", "text"), Column("day", "Until", "day text", style=WIDE),
            Column("games", "Games since", "number", 0), Column("score", "Log score", "number", 3),
            Column("base", "Base rates", "number", 3), Column("difference", "Better by", "number", 3, signed=True),
            Column("error", "Standard error", "number", 3, style=WIDE),
        ]  # fmt: skip
        priced = any(edition_score.odds is not None for edition_score in judged)
        columns += [Column("odds", "Odds", "number", 3)] if priced else []
        rows = []
        for edition_score in judged:
            name = "Latest before each game" if edition_score.edition == 0 else str(edition_score.edition)
            row = [
                name,
                short_or_empty(edition_score.day),
                edition_score.games,
                edition_score.score,
                edition_score.baseline,
                edition_score.difference,
                edition_score.error,
            ]
            rows.append((*row, *([edition_score.odds] if priced else [])))
        listed = Listing("scores", "Scores", "edition", tuple(columns), tuple(rows))
        note = (
            "Log score: mean of -ln of the chance that the forecast gave to the result; lower is better. Base rates: "
            "the shares of results in the games that the edition knew. A game without a published forecast has its "
            "chance from the ratings of the edition and their standard deviations."
        )
        if headline.odds is not None and headline.odds_difference is not None and headline.odds_error is not None:
            lead = comparisons.against_odds(
                headline.odds_games, headline.odds, headline.odds_difference, headline.odds_error
            )
        parts.append(Part("scores", "Scores of each edition", [table_html(listed)], note))
    links = tuple(
        (f"Edition {edition['edition']}", long_day(edition["day"]) or edition["made"], edition["games"])
        for edition in reversed(editions)
    )
    columns_of = (
        Column("edition", "Edition", "text"),
        Column("day", "Until", "text"),
        Column("games", "Games", "number", 0),
    )
    addresses = {number: f"editions/{edition['edition']:04d}.html" for number, edition in enumerate(reversed(editions))}
    editions_list = Listing("editions", "Editions", "edition", columns_of, links, links=addresses)
    parts.append(
        Part("editions", "Editions", [table_html(editions_list)], "Every edition is kept as it was published.")
    )
    return SitePage(
        "forecasts.html", "How good are these forecasts?", answer, lead, parts=parts, card=_card(edition, answer)
    )


def short_or_empty(day: str | None) -> str:
    """A day in words, empty if unknown."""
    return long_day(day)


def embed(edition: Edition) -> SitePage:
    """The first rows of the table or list, for a frame in another page."""
    answer = home_answer(edition)
    table = season_table(edition, _EMBEDDED) if edition["seasonal"] else rating_table(edition, _EMBEDDED)
    rest_of_rows = (
        f"The first {_EMBEDDED} of {len(edition['rows'])} {plural(edition['noun'])}."
        if len(edition["rows"]) > _EMBEDDED
        else ""
    )
    return SitePage(
        "embed.html", edition["title"], answer, parts=[Part("table", "", [table], rest_of_rows)], layout="embed"
    )

"""A page for each club, player, pair or model: rating through time, every game, games to come, final place."""

from collections.abc import Mapping, Sequence

from halfpoint.apps.fields.site import drawings
from halfpoint.apps.fields.site.cards import Card
from halfpoint.apps.fields.site.edition import Edition, Row, has_champion
from halfpoint.apps.fields.site.pages import (
    WIDE,
    Part,
    SitePage,
    address_of,
    chance,
    counted,
    games_to_come_table,
    long_day,
    moved_text,
    noun_of_games,
    own_result,
    plural,
    rating_text,
    shares_of,
    short_day,
    since_words,
)
from halfpoint.apps.pages.listing import Column, Listing
from halfpoint.apps.pages.table import table_html
from halfpoint.evaluation.first_sentences import comparisons, leaders, standings
from halfpoint.evaluation.seasons import zone_column
from halfpoint.models.games.sides import JOINED

_MOST_GAMES, _MOST_MARKS = 400, 400
_BY_OPPONENT = 60  # games without days, from which on they are summed by opponent


def people_pages(
    edition: Edition, games: Sequence[Row], courses: Mapping[str, drawings.Course], dated: bool
) -> list[SitePage]:
    """Pages of all rows; `games` in order, `courses` ratings through time by name."""
    games_of = games_by_name(edition, games)
    coming: dict[str, list[Row]] = {}
    for row in edition["coming"]:
        for side in (row["first"], row["second"]):
            coming.setdefault(side, []).append(row)
    links = {row["name"]: address_of(edition, row).partition("/")[2] for row in edition["rows"]}
    return [
        _page(edition, row, games_of.get(row["name"], []), coming.get(row["name"], []), courses, dated, links)
        for row in edition["rows"]
    ]


def games_by_name(edition: Edition, games: Sequence[Row]) -> dict[str, list[tuple[Row, bool]]]:
    """Games of each row with True for those in which it is the first; people of a side all take part."""
    unit_of = {person: row["name"] for row in edition["rows"] for person in row["name"].split(JOINED)}
    unit_of |= {row["name"]: row["name"] for row in edition["rows"]}
    members: dict[str, list[str]] = {}
    games_of: dict[str, list[tuple[Row, bool]]] = {}
    for game in games:
        for side, first in ((game["first"], True), (game["second"], False)):
            if side not in members:
                people = [side] if side in unit_of else side.split(JOINED)
                members[side] = list(dict.fromkeys(unit_of[person] for person in people if person in unit_of))
            for name in members[side]:
                games_of.setdefault(name, []).append((game, first))
    return games_of


def _page(
    edition: Edition, row: Row, games: Sequence[tuple[Row, bool]],
    coming: Sequence[Row], courses: Mapping[str, drawings.Course], dated: bool, links: Mapping[str, str],
) -> SitePage:  # fmt: skip
    """Page of one row."""
    name, unit = row["name"], "Elo" if edition["unit"] == "elo" else "IMPs a board"
    answer, facts = _answer(edition, row), _facts(edition, row)
    parts: list[Part] = []
    if name in courses and len(courses[name]) > 1:
        other_courses = [course for opponent, course in courses.items() if opponent != name]
        marks = _marks(games) if dated else []
        svg = drawings.through_time(courses[name], other_courses, name, unit, marks, dated)
        note = f"Band: 95%. Thin lines: other {plural(edition['noun'])}."
        note += " Marks below: games won (high), drawn, lost (low)." if marks else ""
        parts.append(Part("time", "Rating through time", [svg], note))
    summed = len(games) > _BY_OPPONENT and not any(game.get("day") for game, _ in games)
    if games:
        parts.append(_opponents(games, name, links) if summed else _played(games, edition))
    if coming:
        note = "Chance of a win, a draw and a loss." if _drawn(coming) else "Chance of a win and a loss."
        parts.append(Part("coming", "Games to come", [games_to_come_table(coming, name)], note, half=True))
    if "places_percent" in row:
        svg = drawings.places(row["places_percent"], edition["zones"], name)
        parts.append(Part("places", "Final place", [svg], "Chance of each place in percent.", half=True))
    changes = [change for change in edition["changes"] if change["name"] == name]
    changed = [moved_text(change).removeprefix(f"{name} ") for change in changes]
    note = f"Since {since_words(edition)}: {'; '.join(changed)}." if changes else ""
    above = edition["title"] + (f" · {long_day(edition['day'])}" if edition["day"] else "")
    card = Card(above, answer, facts=list(facts.items())[:4], simulated=edition["simulated"])
    lead = _lead(edition, games)
    return SitePage(address_of(edition, row), name, answer, lead, note, facts, parts, card, {"games": "Games"})


def _answer(edition: Edition, row: Row) -> str:
    """First sentence."""
    if not edition["converged"]:
        return comparisons.not_converged(edition["verdict"])
    name, unit = row["name"], edition["unit"]
    if edition["seasonal"]:
        shares = [share / 100.0 for share in row["places_percent"]]
        return leaders.competitor(name, shares, (row["points"], row["points_low"], row["points_high"]), edition["left"])
    rank = row["rank"], row.get("rank_low", row["rank"]), row.get("rank_high", row["rank"])
    rating = row[f"rating_{unit}"], row[f"low_{unit}"], row[f"high_{unit}"]
    return standings.rated(name, rank, rating, unit, row.get("rated_games") or 0)


def _facts(edition: Edition, row: Row) -> dict[str, str]:
    """Key numbers."""
    unit, facts = edition["unit"], {}
    if edition["seasonal"]:
        facts = {
            "Points now": f"{row['points_so_far']:.0f}",
            "Played": f"{row['games']}",
        }
        if not has_champion(edition["zones"]):
            facts["Champion"] = chance(row["title_percent"])
        for name in edition["zones"]:
            facts[name[:1].upper() + name[1:]] = chance(row[f"{zone_column(name)}_percent"])
    if row.get(f"rating_{unit}") is not None:
        low, high = (rating_text(row[f"{end}_{unit}"], unit) for end in ("low", "high"))
        facts["Rating" if unit == "elo" else "IMPs a board"] = rating_text(row[f"rating_{unit}"], unit)
        facts["95% interval"] = f"{low} to {high}"
    if not edition["seasonal"]:
        facts["Strongest"] = chance(row.get("best_percent"))
        facts[counted(edition)] = f"{row['rated_games']:,}"
        if row.get("printed_elo") is not None:
            facts["Printed rating"] = f"{row['printed_elo']:.0f}"
    return facts


def _expected(game: Row, first: bool) -> float | None:
    """Expected score of one side of a game."""
    value = game.get("expected_percent")
    return None if value is None else (value if first else 100.0 - value) / 100.0


def _scored(game: Row, first: bool) -> float | None:
    """Score of one side of a game."""
    return None if game.get("score") is None else game["score"] if first else 1.0 - game["score"]


def _lead(edition: Edition, games: Sequence[tuple[Row, bool]]) -> str:
    """Score of the season's games, or of all games, beside the expected score."""
    judged_games = [(g, first) for g, first in games if g.get("season", True) and g.get("expected_percent") is not None]
    if not judged_games:
        return ""
    score = sum(_scored(*judged_game) or 0.0 for judged_game in judged_games)
    expected = sum(_expected(*judged_game) or 0.0 for judged_game in judged_games)
    variance = sum(
        max((_expected(*judged_game) or 0.0) * (1 - (_expected(*judged_game) or 0.0)), 0.0)
        for judged_game in judged_games
    )
    return standings.over_expectation(score, len(judged_games), expected, variance**0.5, edition["seasonal"])


def _marks(games: Sequence[tuple[Row, bool]]) -> list[tuple[float, float, str]]:
    """Games as marks of a drawing: day, score, words."""
    marks = []
    for game, first in games[-_MOST_MARKS:]:
        score = _scored(game, first)
        if game.get("day") and score is not None:
            opponent = game["second"] if first else game["first"]
            marks.append(
                (
                    drawings.day_number(game["day"]),
                    score,
                    f"{short_day(game['day'])} {opponent} {own_result(game, first)}",
                )
            )
    return marks


def _drawn(coming: Sequence[Row]) -> bool:
    """True if draws are possible."""
    return any(shares_of(game)[1] > 0.0 for game in coming)


def _played(games: Sequence[tuple[Row, bool]], edition: Edition) -> Part:
    """Every game, the latest first: result of the file, chance, expectation, surprise."""
    dated = any(game.get("day") for game, _ in games)
    judged = any(game.get("expected_percent") is not None for game, _ in games)
    wins = any(game.get("win_percent") is not None for game, _ in games)
    boards = any(game.get("boards") for game, _ in games)
    league = edition["seasonal"]
    columns = [Column("day", "Day", "day text soft")] if dated else []
    columns += [Column("opponent", "Pair" if boards else "Opponent", "text"), Column("result", "Result", "text")]
    columns += [Column("boards", "Boards", "number", 0)] if boards else []
    columns += [Column("win", "Win chance", "percent", 0, style=WIDE)] if wins else []
    if judged:
        columns.append(Column("expected", "Expected", "number", 2, style=WIDE))
        columns.append(Column("surprise", "Surprise", "change", 2))
    rows = []
    for game, first in list(games)[: -_MOST_GAMES - 1 : -1]:
        opponent = game["first"] if boards else game["second"] if first else game["first"]
        opponent += f", {'home' if first else 'away'}" if league else ""
        expected, score = _expected(game, first), _scored(game, first)
        win = game.get("win_percent" if first else "loss_percent")
        surprise = None if expected is None or score is None else score - expected
        rows.append((
            *([short_day(game.get("day"))] if dated else []), opponent, own_result(game, first),
            *([game["boards"]] if boards else []), *([win] if wins else []), *([expected, surprise] if judged else []),
        ))  # fmt: skip
    listed = Listing("games", "Games", "opponent", tuple(columns), tuple(rows))
    note = "Chances and expected points of a game by this list, which includes the game." if judged else ""
    if len(games) > _MOST_GAMES:
        note = f"The latest {_MOST_GAMES} of {len(games):,} games; the data files have all games. {note}"
    return Part(
        "games",
        "Evenings" if boards else f"Every {noun_of_games(edition)}: expected and scored",
        [table_html(listed)],
        note,
        half=True,
    )


def _opponents(games: Sequence[tuple[Row, bool]], name: str, links: Mapping[str, str]) -> Part:
    """Games summed by opponent."""
    sums: dict[str, list[float]] = {}
    for game, first in games:
        score = _scored(game, first) or 0.0
        counts = sums.setdefault(game["second"] if first else game["first"], [0.0, 0.0, 0.0, 0.0, 0.0])
        counts[0] += 1
        counts[1 if score == 1.0 else 2 if score == 0.5 else 3] += 1
        counts[4] += score
    rows = sorted(sums.items(), key=lambda pair: (-pair[1][0], pair[0]))
    columns = (
        Column("opponent", "Against", "text"), Column("count", "Games", "number", 0), Column("win", "Won", "number", 0),
        Column("draw", "Drawn", "number", 0), Column("loss", "Lost", "number", 0),
        Column("score", "Score", "percent", 0),
    )  # fmt: skip
    cells = tuple((opponent, *counts[:4], 100.0 * counts[4] / counts[0]) for opponent, counts in rows)
    addresses = {number: links[opponent] for number, (opponent, _) in enumerate(rows) if opponent in links}
    listed = Listing("games", "Opponents", "opponent", columns, cells, links=addresses)
    return Part("games", "Against each", [table_html(listed)], f"{name}'s results, most games first.")

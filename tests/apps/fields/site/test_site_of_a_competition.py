"""Numbers of a site equal those of the commands on its trace and of the files; changes between editions."""

import json
import re
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pandas as pd
import pytest
from PIL import Image

from halfpoint.apps import workflows
from halfpoint.apps.fields.site import site
from halfpoint.apps.fields.site.data_files import workbook
from halfpoint.apps.fields.site.edition import changes_between, measures_of
from halfpoint.models.games.errors import GameTableError, HalfpointError


def by_name(edition):
    return {row["name"]: row for row in edition["rows"]}


def test_table_and_fixtures_are_those_of_the_commands(league):
    folder, _, made = league
    rows = by_name(made.edition)
    games = pd.read_csv(folder / "games.csv")
    season = folder / "season.csv"
    games[games["date"] >= "2025-08-01"].drop(columns=["QH", "QD", "QA"]).to_csv(season, index=False)
    coming = pd.read_csv(folder / "fixtures.csv").iloc[45:]
    coming.to_csv(folder / "coming.csv", index=False)
    clubs = sorted({*coming["home"], *coming["away"]})
    found = workflows.season(
        folder / "trace.nc", clubs, season, folder / "coming.csv", 20140501,
        scoring="3-1-0", zones={"top 3": (1, 3), "relegation": (9, 10)},
    )  # fmt: skip
    for row in found.record()["rows"]:
        mine = rows[row["player"].replace("Dunmere", "Dunmere & Sons <1899>")]
        assert {name: mine[name] for name in row if name != "player"} == pytest.approx(
            {name: value for name, value in row.items() if name != "player"}
        )
    forecast = workflows.forecast(folder / "trace.nc", folder / "coming.csv").frame
    there = pd.DataFrame(made.edition["coming"])
    assert there[["win_percent", "draw_percent", "loss_percent"]].to_numpy() == pytest.approx(
        forecast[["win_percent", "draw_percent", "loss_percent"]].to_numpy()
    )


def test_points_so_far_are_those_of_the_file(league):
    folder, _, made = league
    games = pd.read_csv(folder / "games.csv")
    games = games[games["date"] >= "2025-08-01"]
    points = dict.fromkeys([*games["home"], *games["away"]], 0)
    for game in games.itertuples():
        goals = game.home_goals - game.away_goals
        points[game.home] += 3 if goals > 0 else goals == 0
        points[game.away] += 3 if goals < 0 else goals == 0
    printed = {name.replace("Dunmere", "Dunmere & Sons <1899>"): value for name, value in points.items()}
    assert {name: row["points_so_far"] for name, row in by_name(made.edition).items()} == printed


def test_every_change_above_one_unit_is_named_and_no_other(league):
    folder, first, made = league
    old, new = by_name(first), by_name(made.edition)
    expected = {
        (name, what)
        for column, (what, _, unit) in measures_of(made.edition).items()
        for name in new
        if abs(new[name][column] - old[name][column]) > unit
    }
    named = {(one["name"], one["what"]) for one in made.edition["changes"]}
    assert named == expected
    assert len(named) > 5
    page = (folder / "public/changes.html").read_text(encoding="utf-8")
    assert f"{len(named)} numbers moved" in page
    assert made.changed.startswith("Since 18 October 2025: ")


def test_a_newcomer_and_one_who_left_are_named(league):
    _, first, made = league
    rows = [row for row in made.edition["rows"] if row["name"] != "Fernley"]
    fewer = made.edition | {"rows": [*rows, made.edition["rows"][0] | {"name": "Newtown"}]}
    told = {(one["name"], one["what"]) for one in changes_between(first, fewer) if one["before"] is None}
    assert told == {("Newtown", "new"), ("Fernley", "no longer listed")}


def test_scores_and_goals_of_pages_are_the_files(league):
    folder, _, _ = league
    games = pd.read_csv(folder / "games.csv")
    page = (folder / "public/club/fernley.html").read_text(encoding="utf-8")
    body = page[page.index('id="games-part"') : page.index("</section>", page.index('id="games-part"'))]
    shown = re.findall(r"<tr><td[^>]*>([^<]*)</td><th[^>]*>([^<]*)</th><td[^>]*>(\d+) – (\d+)</td>", body)
    expected = []
    for game in games.itertuples():
        if "Fernley" in (game.home, game.away):
            home = game.home == "Fernley"
            other = (game.away if home else game.home).replace("Dunmere", "Dunmere &amp; Sons &lt;1899&gt;")
            goals = (game.home_goals, game.away_goals)[:: 1 if home else -1]
            day = pd.Timestamp(game.date)
            expected.append((f"{day.day} {day:%b %Y}", f"{other}, {'home' if home else 'away'}", *map(str, goals)))
    assert shown == expected[::-1]


def test_forecasts_are_scored_on_the_games_that_came(league):
    folder, first, _ = league
    judged = json.loads((folder / "public/data/edition.json").read_text(encoding="utf-8"))["judged"]
    games = pd.read_csv(folder / "games.csv").iloc[120:]
    chances = {(row["first"], row["second"]): row for row in first["coming"]}
    logs, name = [], lambda one: one.replace("Dunmere", "Dunmere & Sons <1899>")
    for game in games.itertuples():
        row, goals = chances[name(game.home), name(game.away)], game.home_goals - game.away_goals
        column = "win_percent" if goals > 0 else "draw_percent" if goals == 0 else "loss_percent"
        logs.append(row[column] / 100.0)
    assert judged[0]["score"] == pytest.approx(-np.log(logs).mean(), rel=1e-6)
    assert (judged[0]["games"], judged[0]["odds_games"]) == (15, 15)
    odds = 1.0 / games[["QH", "QD", "QA"]].to_numpy()
    shares = odds / odds.sum(axis=1, keepdims=True)
    goals = np.sign(games["home_goals"] - games["away_goals"]).to_numpy()
    assert judged[0]["odds"] == pytest.approx(-np.log(shares[np.arange(15), 1 - goals]).mean(), rel=1e-6)


def test_editions_are_kept_and_the_same_files_make_no_new_one(league):
    folder, first, _ = league
    kept = json.loads((folder / "public/editions/0001.json").read_text(encoding="utf-8"))
    assert {row["name"]: row["points"] for row in kept["rows"]} == {row["name"]: row["points"] for row in first["rows"]}
    before = (folder / "public/editions/0002.json").read_bytes()
    again = site(folder / "league.toml", folder / "public")
    assert (again.editions, again.new) == (2, False)
    assert (folder / "public/editions/0002.json").read_bytes() == before
    assert [path.name for path in sorted((folder / "public/editions").iterdir())] == [
        "0001.html", "0001.json", "0002.html", "0002.json",
    ]  # fmt: skip


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.meta, self.scripts = [], {}, 0

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.scripts += tag == "script"
        if tag in ("a", "link") and "href" in found:
            self.links.append(found["href"])
        if tag == "meta" and "content" in found:
            self.meta[found.get("property") or found.get("name")] = found["content"]


def test_links_lead_somewhere_and_every_page_has_its_card(league):
    folder, _, made = league
    public = folder / "public"
    pages = sorted(public.rglob("*.html"))
    assert len(pages) == made.pages + made.editions
    for path in pages:
        read = Links()
        read.feed(path.read_text(encoding="utf-8"))
        assert read.scripts == 0, path
        for link in read.links:
            if not re.match(r"(https?|data|#)", link) and not link.startswith("#"):
                assert (path.parent / link).is_file(), (path, link)
        if path.parent.name == "editions" or path.name == "embed.html":
            continue
        picture = read.meta["og:image"]
        assert picture.startswith("https://club.example/table/")
        card = public / picture.removeprefix("https://club.example/table/")
        with Image.open(card) as image:
            assert (image.size, image.format) == ((1200, 630), "PNG")
        assert card.stat().st_size < 60_000
        assert read.meta["og:description"] == read.meta["description"]


def test_data_are_the_same_in_every_format_and_run_nothing(league):
    folder, _, _ = league
    data = folder / "public/data"
    table = json.loads((data / "table.json").read_text(encoding="utf-8"))["rows"]
    sheet = openpyxl.load_workbook(data / "table.xlsx").active
    head, *rows = sheet.iter_rows(values_only=True)
    text = pd.read_csv(data / "table.csv")
    assert [row["player"] for row in table] == [row[head.index("player")] for row in rows] == text["player"].tolist()
    assert [row["points"] for row in table] == pytest.approx([row[head.index("points")] for row in rows])
    assert [row["points"] for row in table] == pytest.approx(text["points"].tolist())
    assert {path.stem for path in data.glob("*.csv")} == {
        "table", "places", "ratings", "games", "fixtures", "history",
    }  # fmt: skip


def test_a_workbook_keeps_texts_as_texts():
    cells = [("=1+1", 2.5, True), ("<b> & \x07", None, False), ("Zoë", -1e-300, True)]
    frame = pd.DataFrame(cells, columns=["name", "value", "flag"])
    sheet = openpyxl.load_workbook(BytesIO(workbook(frame, "A & B"))).active
    assert sheet.title == "A & B"
    assert [*sheet.iter_rows(values_only=True)] == [
        ("name", "value", "flag"), ("=1+1", 2.5, True), ("<b> & ", None, False), ("Zoë", -1e-300, True),
    ]  # fmt: skip
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s", "n", "b"}


def test_the_feed_has_an_entry_for_each_edition(league):
    folder, _, made = league
    tree = ElementTree.parse(folder / "public/feed.xml").getroot()
    name = "{http://www.w3.org/2005/Atom}"
    entries = tree.findall(f"{name}entry")
    assert [one.find(f"{name}id").text.rpartition("-")[2] for one in entries] == ["2", "1"]
    assert entries[0].find(f"{name}title").text == made.answer
    links = [one.find(f"{name}link").get("href") for one in entries]
    assert all((folder / "public" / link.removeprefix("https://club.example/table/")).is_file() for link in links)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('titel = "x"', "titel: expected title"),
        ('games = "none.csv"', "none.csv: expected a file beside the settings"),
        ("games = 3", 'games: expected a file or files, such as games = "games.csv"'),
        ('kind = "chess"', "kind: expected arena | bridge | league | list, found 'chess'"),
        ('season = "August"', "season: expected the first day of the season"),
        ('scoring = "4-1-0"', "scoring: expected"),
        ('places = {down = "20-18"}', "expected NAME=BEST-WORST"),
        ('places = {down = "last"}', "places, down: expected a place or places"),
        ('address = "club.example"', "address: expected the address of the site"),
        ("title = ", "expected settings of a site as TOML"),
        ("columns = 3", "columns: expected names"),
        ("seed = -1", "seed: expected"),
        ('names = {"Nobody" = 1}', "names, Nobody: expected printed names"),
    ],
)
def test_a_wrong_setting_is_one_line(tmp_path, line, fault):
    (tmp_path / "games.csv").write_text("white,black,score\nA,B,1\n")
    games = "" if line.startswith("games") else 'games = "games.csv"\n'
    (tmp_path / "club.toml").write_text(games + line)
    with pytest.raises(HalfpointError) as error:
        site(tmp_path / "club.toml", tmp_path / "public")
    assert fault in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "public").exists()


def test_places_beyond_the_last_club_are_refused_by_their_setting(tmp_path):
    pairs = [(first, second) for first in "ABCD" for second in "ABCD" if first != second]
    rows = [f"{first},{second},{int(first < second)}\n" for first, second in pairs[:-2]]
    (tmp_path / "games.csv").write_text("white,black,score\n" + "".join(rows))
    (tmp_path / "next.csv").write_text("white,black\n" + "".join(f"{first},{second}\n" for first, second in pairs[-2:]))
    settings = 'games = "games.csv"\nfixtures = "next.csv"\nplaces = {down = "3-5"}\n'
    (tmp_path / "club.toml").write_text(settings)
    with pytest.raises(HalfpointError, match=r"^places, down: expected places from 1 to 4, one per club, found 3-5$"):
        site(tmp_path / "club.toml", tmp_path / "public")


def test_fixtures_of_pairs_that_met_last_season_need_the_first_day_of_the_season(tmp_path):
    rows = [("2024-09-01", "A", "B", 2, 0), ("2024-09-08", "B", "A", 1, 1)]
    columns = ["date", "home", "away", "home_goals", "away_goals"]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "games.csv", index=False)
    (tmp_path / "fixtures.csv").write_text("date,home,away\n2024-09-08,B,A\n2025-09-01,A,B\n")
    (tmp_path / "club.toml").write_text('games = "games.csv"\nfixtures = "fixtures.csv"\n')
    with pytest.raises(GameTableError, match=r"found 1 fixture after 2024-09-08 .* season = YYYY-MM-DD"):
        site(tmp_path / "club.toml", tmp_path / "public")
    assert not (tmp_path / "public").exists()


def test_a_damaged_edition_is_refused(league, tmp_path):
    folder, _, _ = league
    (tmp_path / "public/editions").mkdir(parents=True)
    (tmp_path / "public/editions/0001.json").write_text("{}")
    with pytest.raises(GameTableError, match=r"editions/0001\.json: expected edition 1 of this site"):
        site(folder / "league.toml", tmp_path / "public")

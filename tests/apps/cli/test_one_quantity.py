"""One quantity has one value: on the terminal, in JSON, CSV, page, figure, note, Python and trace.

Rows of each command are compared column by column over all places that have them. Other quantities that several
commands show are compared with one of them.
"""

import json
import re
from datetime import datetime
from itertools import takewhile

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from few_cases import few
from typed import typed
from typer import Typer

import halfpoint as hp
from halfpoint.apps.cli import app, terminal
from halfpoint.apps.fields.arena.commands import first_screen
from halfpoint.apps.workflows import answers, tournament_outlook
from halfpoint.evaluation.tournament_options import Calendar
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.inference.traces.netcdf import write

PLAYERS = [f"Player {k}" for k in range(1, 7)]
NORMAL = ("--method", "normal", "--draws", 300, "--chains", 2, "--seed", 1)
SHORT_DAY = re.compile(r"\b\d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b")  # of a terminal
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Give the terminal enough width for every table."""
    monkeypatch.setattr(terminal.console, "width", 1000)


def command(*words):
    """Run a command in this process and return what it printed."""
    code, out, error = typed(*words)
    assert code in (0, 3), error
    return out


def page_of(path):
    """Lists, charts and people of a page, as read by its script, and the page."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1]), text


def agrees(printed, value):
    """True if printed digits are those of a value."""
    text = printed.replace("−", "-").replace(",", "").replace("+", "").rstrip("%")
    if text in (">99", "<1"):
        return value > 99.0 if text == ">99" else value < 1.0
    return abs(float(text) - value) <= 0.5001 * 10.0 ** -len(text.partition(".")[2])


def table_in(printed):
    """Table of a terminal: headings, and cells of its rows as text, without rows with empty cells."""
    lines = printed.splitlines()
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    head = re.split(r"\s{2,}", lines[rule - 1].strip())
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines[rule + 1 :]]
    return head, [row for row in rows if len(row) == len(head)]


def same_as_page(shown, frame):
    """Assert that a list of a page has the numbers and intervals of the rows; return the compared columns."""
    found = set()
    for place, column in enumerate(shown["columns"]):
        name, values = column["name"], [row[place] for row in shown["rows"]]
        if name in frame and column["kind"] in ("number", "percent"):
            there = np.array([np.nan if value is None else value for value in values], dtype=float)
            np.testing.assert_allclose(there, frame[name].to_numpy(dtype=float), rtol=1e-9, err_msg=name)
            found.add(name)
        elif column["kind"] == "span":
            stem = name.removesuffix("_between")
            unit = stem.rpartition("_")[2]
            ends = next(
                two for two in ((f"{stem}_low", f"{stem}_high"), (f"low_{unit}", f"high_{unit}"), ("low", "high"))
                if set(two) <= set(frame)
            )  # fmt: skip
            known = [row for row in range(len(values)) if values[row] is not None]
            np.testing.assert_allclose([values[row] for row in known], frame[[*ends]].to_numpy(float)[known], rtol=1e-9)
            found |= set(ends)
    return found


def same_rounding(printed, page):
    """Assert that a row of the page has every number of the terminal's row, digit by digit; return their number."""
    lines = printed.splitlines()
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    told = [line for line in takewhile(str.strip, lines[rule + 1 :])]
    first, *more = re.findall(r'<table class="plain">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    places = more[:1] if 'id="places-list"' in page else []
    rows = [re.findall("<tr.*?</tr>", table, re.DOTALL) for table in (first, *places)]
    shown = [plain(" ".join(one)) for one in zip(*rows, strict=True)]
    assert len(told) == len(shown)
    for row, line in zip(shown, map(plain, told), strict=True):
        assert set(NUMBER.findall(line)) <= set(NUMBER.findall(row)), (line, row)
    return sum(len(NUMBER.findall(line)) for line in told)


def plain(text):
    """Row of a page or a terminal in the notation of the terminal, without tags."""
    text = re.sub("<.*?>", " ", text).replace("−", "-").replace("–", " ")
    return SHORT_DAY.sub(lambda day: f"{datetime.strptime(f'2000 {day[0]}', '%Y %d %b'):-%m-%d}", text)


WORDED = {
    "best_percent": "strongest",
    "mc_error_percent": "error",
    "printed_elo": "printed",
    "less_printed_elo": "change",
    "score_1_percent": "chance of score 1",
}


def heading_of(name):
    """Heading of a column on a terminal: its words without the unit."""
    words = name.removesuffix("_percent").removesuffix("_elo").replace("_", " ")
    return WORDED.get(name) or {"elo": "Elo"}.get(words, words)


def ends_of(heading, before, frame):
    """Columns with the ends of an interval, by the heading of the interval and of its number."""
    if heading == "ranks":
        return "rank_low", "rank_high"
    stem = next((name for name in frame.columns if heading_of(name) == before), "")
    pairs = (f"{stem}_low", f"{stem}_high"), (f"low_{stem.rpartition('_')[2]}", f"high_{stem.rpartition('_')[2]}")
    return next(two for two in (*pairs, ("low_elo", "high_elo"), ("low", "high")) if set(two) <= set(frame))


def same_as_terminal(printed, frame):
    """Assert that the table of a terminal has the numbers of the rows, to its printed digits."""
    head, rows = table_in(printed)
    columns = {heading_of(name): name for name in frame.columns}
    told = 0
    for place, heading in enumerate(head if len(rows) == len(frame) else ()):
        cells = [row[place] for row in rows]
        if heading == "ranks" or heading.endswith("95%"):
            for name, cut in zip(
                ends_of(heading, head[place - 1], frame),
                zip(*(one.split(" to ") for one in cells), strict=True),
                strict=True,
            ):
                assert all(agrees(cell, float(value)) for cell, value in zip(cut, frame[name], strict=True)), name
                told += len(cut)
            continue
        name = columns.get(heading)
        if name is None or frame[name].dtype.kind not in "fiu":
            continue
        values = frame[name] if name != "score" or "%" not in cells[0] else 100.0 * frame["score"] / frame["games"]
        won, back = zip(*(cell.rstrip(")").partition(" (returned ")[::2] for cell in cells), strict=True)
        for cell, value in zip(won, values, strict=True):
            assert agrees(cell, float(value)), (heading, cell, value)
            told += 1
        if any(back):  # a stake that may come back: its share stands in the same cell
            returned = frame[f"{name.removesuffix('_percent')}_returned_percent"]
            assert all(agrees(cell, float(value)) for cell, value in zip(back, returned, strict=True)), heading
            told += len(back)
    return told


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Folder with the files and traces of the tests below."""
    place = tmp_path_factory.mktemp("one")
    table, _ = hp.simulate(place / "games.csv", games=400, players=6, seed=3)
    for name in ("davidson-population", "davidson-common"):
        selection = hp.select(table, table.players, "both")
        write(fit(hp.declare(name, selection), "normal", Effort(300, 0, 2, 1), 50), place / f"{name}.nc")
    (place / "players.txt").write_text("\n".join(PLAYERS), encoding="utf-8")
    pd.DataFrame({"white": PLAYERS[:3], "black": PLAYERS[3:]}).to_csv(place / "coming.csv", index=False)
    (place / "teams.csv").write_text("team,player\n" + "".join(f"{k % 2},{one}\n" for k, one in enumerate(PLAYERS)))
    rated = pd.read_csv(place / "games.csv").assign(white_rating_elo=2100, black_rating_elo=2000, event="Open")
    rated.to_csv(place / "rated.csv", index=False)
    games, rng = [], np.random.default_rng(2)
    for k in range(200):
        one, two = ("Ann", "Bob") if k % 2 else ("Bob", "Ann")
        result = ("1-0", "1/2-1/2", "0-1")[int(rng.choice(3, p=(0.25, 0.6, 0.15)))]
        games.append(
            f'[White "{one}"]\n[Black "{two}"]\n[Round "{k // 2 + 1}.{k % 2 + 1}"]\n[Result "{result}"]\n\n{result}\n'
        )
    (place / "match.pgn").write_text("\n".join(games), encoding="utf-8")
    line_ups = [f"Team {k // 2},Player {k + 1}" for k in range(4)]
    (place / "teams.csv").write_text("\n".join(["team,player", *line_ups]), encoding="utf-8")
    days = pd.date_range("2023-08-01", periods=60).astype(str)
    pair = np.array([rng.choice(6, 2, replace=False) for _ in days])
    goals, ratings = rng.poisson(1.3, (60, 2)), 2400 + 40 * pair
    season = pd.DataFrame({"date": days, "home": [f"C{k}" for k in pair[:, 0]], "away": [f"C{k}" for k in pair[:, 1]]})
    season.assign(FTHG=goals[:, 0], FTAG=goals[:, 1]).to_csv(place / "season.csv", index=False)
    of_chess = pd.DataFrame({"white": season["home"], "black": season["away"], "period": np.arange(60) // 10 + 1})
    of_chess["score"] = rng.choice([0.0, 0.5, 1.0], 60)
    of_chess = of_chess.assign(white_rating_elo=ratings[:, 0], black_rating_elo=ratings[:, 1])
    of_chess.to_csv(place / "rated_games.csv", index=False)
    (place / "pairs.txt").write_text("Player 1 & Player 2\nPlayer 3 & Player 4\n", encoding="utf-8")
    command("races", "simulate", place / "races.csv", "--events", "20", "--competitors", "8")
    command("bridge", "simulate", place / "bridge.csv", "--players", "8", "--sessions", "2", "--boards", "4")
    rng = np.random.default_rng(1)
    units = np.array([rng.choice(6, 4, replace=False) for _ in range(60)])
    stints = pd.DataFrame(np.array(list("ABCDEF"))[units], columns=["off1", "off2", "def1", "def2"])
    stints = stints.assign(points=rng.poisson(5, 60), possessions=5)
    stints.to_csv(place / "stints.csv", index=False)
    return place


@pytest.fixture(scope="module")
def raced(made):
    """Folder with a list of races, whose model takes seconds to compile."""
    few = ("--draws", "200", "--tune", "200", "--chains", "2", "--quiet")
    command("races", "rate", made / "races.csv", "--out", made / "raced", *few)
    return made / "raced"


TRACE = "davidson-population.nc"
COMMANDS = {
    "rank": ("rank", TRACE, "--above", "1500"),
    "match": ("match", TRACE, "Player 1", "Player 2", "--games", "4"),
    "team match": ("match", TRACE, "--boards", "teams.csv"),
    "team league": ("tournament", TRACE, "teams.csv", "--format", "teams", "--simulations", "2000"),
    "forecast": ("forecast", TRACE, "coming.csv"),
    "tournament": ("tournament", TRACE, "players.txt", "--double", "--simulations", "2000"),
    "knockout": ("tournament", TRACE, "players.txt", "--format", "knockout"),
    "season": ("tournament", TRACE, "players.txt", "--format", "season", "--simulations", "2000", "--first", "2"),
    "pair": ("pair", TRACE, "players.txt"),
    "compare": ("compare", TRACE, "davidson-common.nc"),
    "mle": ("mle", "games.csv", "--model", "davidson-common"),
    "next": ("next", TRACE, "--pairs", "3"),
    "sprt": ("sprt", "match.pgn"),
    "performance": ("performance", "rated.csv"),
    "list": ("list", "rated.csv", "--system", "elo"),
    "pool": ("pool", "rated.csv"),
    "races": ("races", "list", "races.csv", "--system", "elo"),
    "races backtest": ("races", "backtest", "races.csv", "--systems", "weng-lin,elo,uniform"),
    "races forecast": ("races", "forecast", "raced/trace.nc", "--field", "Competitor 1,Competitor 2,Competitor 3"),
    "bridge": ("bridge", "forecast", "bridge.csv", "bridge.csv"),
    "markets": ("markets", "season.csv", "season.csv"),
    "claims": ("claims", "rated_games.csv"),
    "seats": ("bridge", "seat", "bridge.csv", "pairs.txt"),
    "criteria": ("criteria", TRACE, "--no-evidence"),
    "lineups": ("lineups", "stints.csv", "--bootstrap", "20"),
}
BY_THEMSELVES = {  # below, and of judges in tests/apps/fields/arena/test_cheap_judges.py
    *("rate", "summary", "backtest", "leaderboard", "races rate", "bridge rate", "bridge score", "judges")
}
FILES = (
    "cells demo site study report fit models simulate calibrate races-simulate bridge-simulate data-list data-fetch "
    "data-archives"
)
ONE_PLACE = {
    *(one.replace("-", " ") for one in FILES.split()),
    "data time-controls",
}  # no rows


def test_every_command_is_compared():
    known = set()
    for name, target in app.COMMANDS.items():
        below = [f"{name} {one.name}" for one in target.registered_commands] if isinstance(target, Typer) else [name]
        known |= set(below)
    compared = {" ".join(words[:2]) if words[0] in ("races", "bridge") else words[0] for words in COMMANDS.values()}
    assert known == compared | BY_THEMSELVES | ONE_PLACE


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", few(COMMANDS, 9))
def test_rows_are_the_same_wherever_a_command_tells_them(made, tmp_path, monkeypatch, request, name):
    monkeypatch.chdir(made)
    if name == "races forecast":
        request.getfixturevalue("raced")
    words = COMMANDS[name]
    printed = command(*words, "--out", tmp_path / "rows.csv")
    answer = json.loads(command(*words, "--json", "--out", tmp_path / "rows.json"))
    assert json.loads((tmp_path / "rows.json").read_text()) == answer
    frame, file = pd.DataFrame(answer["rows"]), pd.read_csv(tmp_path / "rows.csv")
    for column in frame.select_dtypes("number"):
        np.testing.assert_allclose(file[column].to_numpy(float), frame[column].to_numpy(float), rtol=1e-9)
    command(*words, "--out", tmp_path / "rows.html")
    data, page = page_of(tmp_path / "rows.html")
    shown = data["lists"].get("every-list", data["lists"]["rows-list"])
    assert same_as_page(shown, frame)
    assert same_rounding(printed, page)
    same_as_terminal(printed, frame)


def test_a_rating_is_the_same_in_every_command_and_in_the_trace(made, tmp_path):
    words = ["rate", made / "games.csv", "--out", tmp_path / "run", "--model", "davidson-population", *NORMAL]
    printed = command(*words)
    listed = pd.read_csv(tmp_path / "run" / "ratings.csv")
    record = json.loads((tmp_path / "run" / "ratings.json").read_text())
    data, page = page_of(tmp_path / "run" / "report.html")
    trace = read_trace(tmp_path / "run" / "trace.nc")
    draws = trace["posterior"]["rating_elo"].sel(player=listed["player"].to_numpy()).stack(d=("chain", "draw")).T
    truth = {"rating_elo": draws.mean("d"), "sd_elo": draws.std("d", ddof=1)}
    truth |= {f"{end}_elo": draws.quantile(at, "d") for end, at in (("low", 0.025), ("high", 0.975))}
    ranked, people = answers.rank(trace).frame, {one["name"]: one for one in data["people"]["players"]}
    printed_summary = command("summary", tmp_path / "run" / "trace.nc")
    for name, values in truth.items():
        for frame in (listed, pd.DataFrame(record["rows"]), ranked, answers.summary(trace).frame):
            assert frame["player"].tolist() == listed["player"].tolist()
            assert frame[name].to_numpy() == pytest.approx(values.to_numpy(), abs=1e-3)  # draws are kept in 32 bits
    assert {"rating_elo", "low_elo", "high_elo"} <= same_as_page(data["lists"]["rating-list"], listed)
    assert same_as_terminal(printed, listed) >= 6 * 5
    for row in listed.to_dict("records"):
        [line] = [line for line in printed_summary.splitlines()[1:] if row["player"] in line]
        numbers = re.split(r"\s{2,}|\sto\s", line.strip())[2:]
        for number, name in zip(numbers, truth, strict=True):
            assert agrees(number, row[name])
        assert [people[row["player"]][end] for end in ("mean", "low", "high")] == pytest.approx(
            [row[f"{end}_elo"] for end in ("rating", "low", "high")], abs=0.51
        )
    worth = trace["posterior"]["advantage_elo"]
    assert record["advantage_elo"]["mean"] == pytest.approx(float(worth.mean()), abs=1e-3)
    shown = (
        f"{float(worth.mean()):.0f} Elo ({record['advantage_elo']['low']:.0f} to {record['advantage_elo']['high']:.0f})"
    )
    for text in (page, record["shared"], printed, printed_summary):
        assert shown in " ".join(text.split()), shown


def test_one_game_of_a_match_is_the_forecast_of_that_game(made):
    trace = made / TRACE
    match, single = (
        answers.match(trace, *PLAYERS[:2], games=1),
        hp.workflows.forecast(trace, white=PLAYERS[0], black=PLAYERS[1]),
    )
    row = single.frame.iloc[0]
    assert match.frame["probability_percent"].tolist() == pytest.approx(
        [row[f"{one}_percent"] for one in ("loss", "draw", "win")]
    )
    score = (match.frame["score"] * match.frame["probability_percent"]).sum()
    assert row["expected_percent"] == pytest.approx(score)


def test_a_season_has_one_scoring_and_its_interval_one_name(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    words = ("tournament", TRACE, "players.txt", "--format", "season", "--simulations", "2000")
    answer = json.loads(command(*words, "--json", "--places", tmp_path / "places.csv", "--out", tmp_path / "rows.json"))
    found = tournament_outlook.season(TRACE, "players.txt", simulations=2000)
    rows = pd.DataFrame(answer["rows"])
    pd.testing.assert_frame_equal(rows, found.frame, check_dtype=False, check_exact=True)
    places = pd.read_csv(tmp_path / "places.csv")
    assert places["place_1"].to_numpy() == pytest.approx(rows["title_percent"].to_numpy())
    given = tournament_outlook.season(TRACE, "players.txt", simulations=2000, scoring=Calendar().scoring)
    pd.testing.assert_frame_equal(given.frame, found.frame)
    command(*words, "--out", tmp_path / "season.html")
    data, _ = page_of(tmp_path / "season.html")
    [head] = [one["title"] for one in data["lists"]["rows-list"]["columns"] if one["name"] == "points_between"]
    assert re.findall(r"(\d+)% interval", f"{head} {answer['note']}") == ["95", "95"]


def test_a_difference_of_a_backtest_has_one_interval(made, tmp_path):
    out = tmp_path / "out"
    printed = command("backtest", made / "games.csv", "--systems", "elo,glicko,base-rates", "--from", "6", "--out", out)
    scores = pd.read_csv(out / "scores.csv")
    data, page = page_of(out / "report.html")
    whole = scores.assign(system=scores["title"])
    assert {"difference", "se_two_way", "log_score"} <= same_as_page(data["lists"]["scores-0-list"], whole)
    drawn = pd.DataFrame(data["charts"]["figure-scores"]["rows"]).set_index("name")
    others = scores[scores["system"] != scores["reference"]].set_index("title")
    for end, name in (("mean", "difference"), ("low", "low"), ("high", "high")):
        assert drawn[end].to_numpy() == pytest.approx(others[name][drawn.index].to_numpy())
    head, rows = table_in(printed)
    for heading, name in (("log score", "log_score"), ("less elo", "difference"), ("s.e.", "se_two_way")):
        assert all(agrees(row[head.index(heading)], value) for row, value in zip(rows, scores[name], strict=True))
    best = scores.iloc[0]
    said = re.search(r"games: (\S+) less than .*? \(standard error (\S+)\)", page)
    if best["system"] != "elo":
        assert agrees(said[1], abs(best["difference"]))
        assert agrees(said[2], best["se_two_way"])
        assert ("not significantly different" in page) == (best["low"] <= 0.0 <= best["high"])
    periods = pd.read_csv(out / "scores_by_period.csv")
    for name, part in periods.groupby("system"):
        row = scores.set_index("system").loc[name]
        assert part["cumulative_lead"].iloc[-1] == pytest.approx(-row["difference"] * row["games"], abs=1e-9)
        assert np.average(part["log_score"], weights=part["games"]) == pytest.approx(row["log_score"])


def test_a_board_of_engines_names_each_scale_once(made, tmp_path):
    out = tmp_path / "board"
    printed = command("leaderboard", made / "match.pgn", "--out", out, "--interval", "0.8", "--no-checks", *NORMAL)
    board, record = pd.read_csv(out / "leaderboard.csv"), json.loads((out / "leaderboard.json").read_text())
    data, _ = page_of(out / "leaderboard.html")
    pd.testing.assert_frame_equal(pd.DataFrame(record["rows"]).fillna(np.nan), board, check_dtype=False)
    assert {"rating_elo", "low_elo", "high_elo"} <= same_as_page(data["lists"]["rating-list"], board)
    posterior = read_trace(out / "trace.nc")["posterior"]["rating_elo"].sel(player=board["engine"].to_numpy())
    draws = posterior.stack(d=("chain", "draw")).T
    assert board["rating_elo"].to_numpy() == pytest.approx(draws.mean("d").to_numpy(), abs=1e-3)
    assert board["low_elo"].to_numpy() == pytest.approx(draws.quantile(0.1, "d").to_numpy(), abs=1e-3)
    matrix = pd.read_csv(out / "matrix.csv", index_col=0)
    stronger = 100.0 * float((draws.isel(player=0) > draws.isel(player=1)).mean())
    assert board["los_percent"][0] == pytest.approx(stronger) == pytest.approx(100.0 * matrix.iloc[0, 1])
    assert "80%" in first_screen(board, "engine", "game", 0.8)
    assert re.search(r" 80% ", printed)
    titles = [one["title"] for one in data["lists"]["rating-list"]["columns"]]
    assert {"80% interval", "Rank, 80%"} <= set(titles)
    pairs = pd.DataFrame(record["pairs_of_games"])
    first, second = (draws.sel(player=pairs[side][0]) for side in ("first", "second"))
    assert pairs["elo"][0] == pytest.approx(float((first - second).mean()))
    assert pairs["los_percent"][0] == pytest.approx(100.0 * float((first > second).mean()))
    same_as_page(data["lists"]["game-pairs"], pairs)


def test_a_bridge_rating_is_the_same_in_list_history_log_and_forecast(made, tmp_path):
    words = ("bridge", "rate", made / "bridge.csv")
    printed = command(*words, "--out", tmp_path / "rated")
    answer = json.loads(command(*words, "--json"))
    listed = pd.read_csv(tmp_path / "rated" / "players.csv")
    pd.testing.assert_frame_equal(pd.DataFrame(answer["rows"]), listed, check_dtype=False)
    data, page = page_of(tmp_path / "rated" / "report.html")
    assert "rating_elo" in same_as_page(data["lists"]["rows-list"], listed)
    assert same_as_terminal(printed, listed) >= 2 * len(listed)
    tables = {
        name: pd.read_csv(tmp_path / "rated" / f"{name}.csv") for name in ("history", "log", "partnerships", "periods")
    }
    rating = listed.set_index("player")["rating_elo"]
    last = tables["history"].groupby("player")["rating_elo"].last()
    assert last[rating.index].to_numpy() == pytest.approx(rating.to_numpy())
    first = tables["history"].groupby("player").first()
    begun, changes = first["rating_elo"] - first["change_elo"], tables["history"].groupby("player")["change_elo"].sum()
    assert (begun + changes)[rating.index].to_numpy() == pytest.approx(rating.to_numpy())
    log, won = tables["log"], dict.fromkeys(rating.index, 0.0)
    for row in log.to_dict("records"):
        for seat in ("north", "east", "south", "west"):
            won[row[seat]] += row[f"change_{'ns' if seat in ('north', 'south') else 'ew'}_elo"]
    assert [won[name] for name in rating.index] == pytest.approx(changes[rating.index].to_numpy())
    for row in tables["partnerships"].to_dict("records"):
        assert row["mean_rating_elo"] == pytest.approx(rating[row["pair"].split(" & ")].mean())
    whole = tables["periods"].iloc[-1]
    for value in (whole["rmse"], whole["accuracy_percent"]):
        assert any(agrees(one.rstrip("."), value) for one in NUMBER.findall(answer["note"]))
    assert answer["note"].split("\n")[-1] in " ".join(printed.split())
    assert answer["note"].split("\n")[-1] in page
    coming = json.loads(command("bridge", "forecast", made / "bridge.csv", made / "bridge.csv", "--json"))
    for row in coming["rows"]:
        for side, seats in (("ns_elo", ("north", "south")), ("ew_elo", ("east", "west"))):
            assert row[side] == pytest.approx(rating[[row[seat] for seat in seats]].mean())


def test_a_bridge_score_is_the_same_in_every_table(made, tmp_path):
    words = ("bridge", "score", made / "bridge.csv")
    printed = command(*words, "--out", tmp_path / "scored")
    rows = pd.DataFrame(json.loads(command(*words, "--json"))["rows"])
    pairs, results = (pd.read_csv(tmp_path / "scored" / f"{name}.csv") for name in ("pairs", "results"))
    pd.testing.assert_frame_equal(rows[pairs.columns], pairs, check_dtype=False)
    data, _ = page_of(tmp_path / "scored" / "report.html")
    lists = [one for one in data["lists"].values() if any(column["name"] == "pair" for column in one["columns"])]
    assert sum(len(one["rows"]) for one in lists) >= len(pairs)
    for row in pairs.to_dict("records"):
        sign, seats = (1.0, ["north", "south"]) if row["direction"] == "N-S" else (-1.0, ["east", "west"])
        mine = results[[set(both) == set(row["pair"].split(" & ")) for both in results[seats].to_numpy()]]
        assert row["results"] == len(mine)
        for name, column in (("cross_imps", "cross_imps_ns"), ("butler_imps", "butler_imps_ns")):
            assert row[name] == pytest.approx(sign * mine[column].sum())
        [line] = [line for line in printed.splitlines()[1:] if row["pair"] in line]
        cells = re.split(r"\s{2,}", line.strip())[2:]
        names = ("results", "cross_imps", "cross_imps_per_board", "butler_imps", "percent")
        assert all(agrees(cell, row[name]) for cell, name in zip(cells, names, strict=True))


@pytest.mark.further
def test_a_rating_of_races_is_the_same_in_list_page_trace_and_forecast(made, raced, tmp_path):
    listed = pd.read_csv(raced / "ratings.csv")
    data, _ = page_of(raced / "report.html")
    assert {"rating_elo", "low_elo", "high_elo"} <= same_as_page(data["lists"]["rows-list"], listed)
    trace = xr.open_datatree(raced / "trace.nc")
    draws = trace["posterior"]["rating_elo"].sel(player=listed["competitor"].to_numpy()).stack(d=("chain", "draw")).T
    for name, value in (("rating_elo", draws.mean("d")), ("low_elo", draws.quantile(0.025, "d"))):
        assert listed[name].to_numpy() == pytest.approx(value.to_numpy(), abs=1e-3)
    assert listed["best_percent"].to_numpy() == pytest.approx(
        100.0 * np.bincount(draws.argmax("player"), minlength=len(listed)) / draws.sizes["d"]
    )

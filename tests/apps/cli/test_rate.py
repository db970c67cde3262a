"""`halfpoint rate` and answers from its trace."""

import csv
import json
import resource
import shutil
import sys

import numpy as np
import pytest
from few_cases import few

from halfpoint.apps.cli.app import main
from halfpoint.inference.traces.netcdf import read

FEW = ["--draws", "300", "--tune", "200", "--chains", "2", "--quiet"]


def halfpoint(*words):
    """Run the command line in this process; return the exit code."""
    arguments = sys.argv
    sys.argv = ["halfpoint", *map(str, words)]
    try:
        main()
    except SystemExit as stop:
        return stop.code or 0
    finally:
        sys.argv = arguments
    return 0


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """Folder with 800 simulated games of 12 players and the results of `rate`."""
    folder = tmp_path_factory.mktemp("club")
    assert halfpoint("simulate", folder / "games.pgn", "--games", 800, "--players", 12) == 0
    words = ["rate", folder / "games.pgn", "--out", folder / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words) == 0
    return folder


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.draws
def test_the_ratings_are_those_the_games_came_from(club):
    truth = {row["player"]: float(row["rating_elo"]) for row in rows(club / "games.pgn.truth.csv")}
    rated = rows(club / "run" / "ratings.csv")
    assert sorted(row["player"] for row in rated) == sorted(truth)
    known = np.array([truth[row["player"]] for row in rated])
    mean, sd = (np.array([float(row[name]) for row in rated]) for name in ("rating_elo", "sd_elo"))
    # Half points against Davidson's strengths: both in Elo points that mean odds, so the contrasts are the same.
    assert np.abs((mean - known + known.mean() - mean.mean()) / sd).max() < 4
    assert np.polyfit(known, mean, 1)[0] == pytest.approx(1, abs=4 * sd.mean() / np.std(known) / np.sqrt(known.size))
    assert mean.mean() == pytest.approx(1500, abs=0.5)
    assert (sd > 0).all()
    assert sum(int(row["games"]) for row in rated) == 2 * 800


def test_the_list_the_page_and_the_trace_agree(club):
    run = club / "run"
    answer = json.loads((run / "ratings.json").read_text(encoding="utf-8"))
    tree = read(run / "trace.nc")
    drawn = tree["posterior"]["rating_elo"]
    centred = (drawn - drawn.mean("player") + 1500).mean(("chain", "draw"))
    for row in answer["rows"]:
        assert row["rating_elo"] == pytest.approx(float(centred.sel(player=row["player"])), abs=1e-6)
    assert answer["verdict"] == tree.attrs["verdict"]
    assert answer["simulated"] is True  # the tag Simulated of the PGN says so
    page = (run / "report.html").read_text(encoding="utf-8")
    assert all(row["player"] in page for row in answer["rows"])


def test_names_that_spreadsheets_and_browsers_would_run_stay_text(tmp_path):
    evil = ["=HYPERLINK(1)", "<script>alert(1)</script>", "+cmd", "@x", "[red]Bob[/red]", "../../up"]
    lines = ["white,black,score"]
    lines += [f"{a},{b},{(i + j) % 3 / 2}" for i, a in enumerate(evil) for j, b in enumerate(evil) if a != b] * 3
    path = tmp_path / "evil.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert halfpoint("rate", path, "--out", tmp_path / "run", "--model", "bt-common", *FEW) == 0
    names = {row["player"] for row in rows(tmp_path / "run" / "ratings.csv")}
    assert {"'=HYPERLINK(1)", "'+cmd", "'@x"} <= names
    assert "<script>alert(1)" not in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.csv", "run"]


def test_answers_from_a_trace(club, capsys):
    trace = club / "run" / "trace.nc"
    capsys.readouterr()
    assert halfpoint("rank", trace, "--json") == 0
    ranked = json.loads(capsys.readouterr().out)
    assert sum(row["best_percent"] for row in ranked["rows"]) == pytest.approx(100)
    assert halfpoint("compare", trace, trace, "--json") == 0
    assert {row["rank"] for row in json.loads(capsys.readouterr().out)["rows"]} == {1}
    best, worst = ranked["rows"][0]["player"], ranked["rows"][-1]["player"]
    assert halfpoint("forecast", trace, "--white", best, "--black", worst, "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["expected_percent"] > 60


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rate", "nowhere.pgn", "--out", "run"], "nowhere.pgn: expected a readable file"),
        (["rate", "GAMES", "--out", "run", "--model", "bt-comon"], "Did you mean 'bt-common'?"),
        (["rate", "GAMES", "--out", "run", "--groups", "x"], "expected refuse | apart | largest"),
        (["rate", "GAMES", "--out", "run", "--min-games", "9999"], "expected a player with at least 9999 games"),
        (["rate", "GAMES", "--out", "GAMES/run", "--model", "bt"], "expected a folder to write to"),
        (["match", "TRACE", "Player 01", "Player 01"], "two different players"),
        (["match", "TRACE", "Player 01", "Nobody", "--colours", "WXB"], "letters W and B"),
        (["rank", "GAMES"], "expected a NetCDF trace"),
        (["forecast", "TRACE"], "give either a file of games, or --white and --black"),
        (["rank", "TRACE", "--out", "list.xls"], "ends in .csv, .json or .html"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(club, tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    places = {"GAMES": str(club / "games.pgn"), "TRACE": str(club / "run" / "trace.nc")}
    before = sorted(path.name for path in club.rglob("*"))
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    assert halfpoint(*words, *(FEW if words[0] == "rate" else [])) == 2
    said = capsys.readouterr().err
    assert said.startswith("halfpoint: ")
    assert told in said
    assert said.count("\n") == 1
    assert "Traceback" not in said
    assert not list(tmp_path.rglob("*.nc"))
    assert not list(tmp_path.rglob("*.part"))
    assert sorted(path.name for path in club.rglob("*")) == before


def test_groups_that_never_meet_are_refused_or_rated_apart(tmp_path, capsys):
    lines = ["white,black,score"]
    lines += [f"{a}{i},{a}{j},{(i + j) % 3 / 2}" for a in "AB" for i in range(4) for j in range(4) if i != j] * 2
    path = tmp_path / "two.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    words = ["rate", path, "--out", tmp_path / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words) == 2
    assert "never meet" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.nc"))
    assert halfpoint(*words, "--groups", "apart") == 0
    for number, letter in ((1, "A"), (2, "B")):
        rated = rows(tmp_path / "run" / f"group-{number}" / "ratings.csv")
        assert sorted(row["player"] for row in rated) == [f"{letter}{i}" for i in range(4)]


def test_a_few_players_apart_do_not_stop_a_list(tmp_path, capsys):
    lines = ["white,black,score"]
    lines += [f"A{i},A{j},{(i + j) % 3 / 2}" for i in range(5) for j in range(5) if i != j] * 2
    path = tmp_path / "club.csv"
    path.write_text("\n".join([*lines, "B0,B1,1", "C0,C1,0"]), encoding="utf-8")
    assert halfpoint("rate", path, "--out", tmp_path / "run") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "4 players who never meet the others, and their 2 games, are left out; --groups apart rates them" in said
    assert sorted(row["player"] for row in rows(tmp_path / "run" / "ratings.csv")) == [f"A{i}" for i in range(5)]
    path.write_text("\n".join([*lines, *["B0,B1,1"] * 8]), encoding="utf-8")  # a sixth of the games
    assert halfpoint("rate", path, "--out", tmp_path / "both") == 2
    assert "never meet" in capsys.readouterr().err


def groups_file(path):
    """Two groups of players who meet often, two pairs who met once, and a rare player in each large group."""
    lines = ["white,black,score"]
    lines += [f"{a}{i},{a}{j},{(i + j) % 3 / 2}" for a in "AB" for i in range(4) for j in range(4) if i != j] * 2
    lines += ["C1,C2,1", "D1,D2,0", "A0,A rare,1", "B0,B rare,1", "B1,B rare,0"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_group_too_small_is_left_out_by_name_and_the_others_are_rated(tmp_path, capsys):
    words = ["rate", groups_file(tmp_path / "g.csv"), "--out", tmp_path / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words, "--groups", "apart") == 0
    said = " ".join(capsys.readouterr().out.split())
    for names, number in (("C1, C2", 3), ("D1, D2", 4)):
        why = "too small: no player has 5 games (--min-games), the most is 1"
        assert f"left out, group {number} ({names}): {why}" in said
    assert sorted(path.name for path in (tmp_path / "run").glob("group-*")) == ["group-1", "group-2"]
    for number, letter in ((1, "A"), (2, "B")):
        rated = rows(tmp_path / "run" / f"group-{number}" / "ratings.csv")
        assert {row["player"] for row in rated} >= {f"{letter}{i}" for i in range(4)}
    assert halfpoint(*words, "--groups", "apart", "--min-games", 1000) == 2
    assert "expected a group with players to rate, found none" in capsys.readouterr().err


def test_players_asked_for_are_rated_in_their_groups(tmp_path, capsys):
    (tmp_path / "wanted.txt").write_text("A0\nA1\nA2\nC1\nC2\n")
    words = ["rate", groups_file(tmp_path / "g.csv"), "--out", tmp_path / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words, "--groups", "apart", "--monitor", tmp_path / "wanted.txt") == 0
    assert "group 2 (B rare, B0, B1, B2): none of the players of --monitor" in " ".join(capsys.readouterr().out.split())
    assert {path.parent.name for path in (tmp_path / "run").rglob("trace.nc")} == {"group-1", "group-3"}
    (tmp_path / "wanted.txt").write_text("A0\nB00\n")
    assert halfpoint(*words, "--groups", "apart", "--monitor", tmp_path / "wanted.txt") == 2
    assert "Did you mean 'B0'" in capsys.readouterr().err


@pytest.mark.cases(1)
@pytest.mark.parametrize("groups", ["refuse", "apart", "largest"])
def test_every_choice_of_groups_counts_the_same_groups(tmp_path, capsys, groups):
    words = ["rate", groups_file(tmp_path / "g.csv"), "--out", tmp_path / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words, "--groups", groups) == (2 if groups == "refuse" else 0)
    said = capsys.readouterr()
    assert "4 groups of players who never meet one another" in said.out + said.err


def test_a_full_disk_is_told_and_the_old_results_stay(club, capsys):
    run = club / "run"
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        code = halfpoint("rate", club / "games.pgn", "--out", run, "--model", "bt-common", *FEW, "--seed", "7")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert code == 2
    assert "of room for the results, found File too large" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_the_same_command_takes_up_the_finished_trace_and_prints_json_alone(club, tmp_path, capsys):
    words = ["rate", club / "games.pgn", "--out", tmp_path, "--model", "bt-common", *FEW, "--json"]
    shutil.copytree(club / "run", tmp_path, dirs_exist_ok=True)  # with its record
    drawn = (tmp_path / "trace.nc").read_bytes()
    capsys.readouterr()
    assert halfpoint(*words) == 0
    said = capsys.readouterr()
    assert "is reused" in said.err
    assert (tmp_path / "trace.nc").read_bytes() == drawn
    answer = json.loads(said.out)
    assert answer["rows"] == json.loads((club / "run" / "ratings.json").read_text(encoding="utf-8"))["rows"]
    assert halfpoint(*words[:-1], "--drop-duplicates", "--min-games", 130, "--rare", "pool") == 0  # other games
    assert (tmp_path / "trace.nc").read_bytes() != drawn


@pytest.mark.further
@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("method", "options"),
    few(
        [
            ("normal", ["--model", "bt-population"]),
            ("normal", ["--model", "bt-population", "--method", "normal"]),
            ("moves", ["--draws", 50]),
            ("moves", ["--model", "bt-population", "--draws", 50]),  # too few for weights
        ],
        2,
    ),
)
def test_a_trace_of_every_method_is_reused_by_its_command_alone(club, tmp_path, capsys, method, options):
    words = ["rate", club / "games.pgn", "--out", tmp_path, "--quiet", *options]
    assert halfpoint(*words) == 0
    assert read(tmp_path / "trace.nc").attrs["method"] == method
    drawn = (tmp_path / "trace.nc").read_bytes()
    assert "is reused" not in capsys.readouterr().out
    assert halfpoint(*words) == 0
    assert "is reused" in capsys.readouterr().out
    assert (tmp_path / "trace.nc").read_bytes() == drawn
    if method == "normal":
        assert halfpoint(*words, "--seed", 7) == 0
        assert "is reused" not in capsys.readouterr().out


def test_a_finished_trace_proves_whose_folder_it_is_where_the_record_was_lost(club, tmp_path, capsys):
    words = ["rate", club / "games.pgn", "--out", tmp_path, "--model", "bt-common", *FEW]
    for path in (club / "run").glob("[!.]*"):  # as a shell copies it: without the record
        shutil.copy(path, tmp_path)
    drawn = (tmp_path / "trace.nc").read_bytes()
    (tmp_path / "ratings.csv").write_text("mine", encoding="utf-8")
    for other in ((), ("--min-games", 130, "--rare", "pool")):  # somebody's list; a trace of other games
        assert halfpoint(*words, *other) == 2
        assert "ratings.csv: expected a free name, or a file by halfpoint, found a file" in capsys.readouterr().err
        assert (tmp_path / "ratings.csv").read_text(encoding="utf-8") == "mine"
    shutil.copy(club / "run" / "ratings.csv", tmp_path)
    assert halfpoint(*words) == 0
    assert "is reused" in capsys.readouterr().out
    assert (tmp_path / "trace.nc").read_bytes() == drawn
    assert rows(tmp_path / "ratings.csv") == rows(club / "run" / "ratings.csv")
    (tmp_path / "ratings.csv").write_text("mine", encoding="utf-8")
    assert halfpoint(*words) == 2  # the record is there again
    assert "found a file that was changed since" in capsys.readouterr().err


def test_a_list_that_did_not_converge_says_so_everywhere(tmp_path, capsys):
    path = tmp_path / "few.csv"
    path.write_text("white,black,score\nAnn,Bob,1\nBob,Cid,0.5\nCid,Ann,0\n", encoding="utf-8")
    words = ["rate", path, "--out", tmp_path / "run", "--model", "bt-common", "--min-games", 1, "--quiet"]
    assert halfpoint(*words, "--method", "nuts", "--draws", 10, "--tune", 2, "--chains", 2) == 3
    assert "NOT CONVERGED" in capsys.readouterr().out
    assert {row["converged"] for row in rows(tmp_path / "run" / "ratings.csv")} == {"False"}
    answer = json.loads((tmp_path / "run" / "ratings.json").read_text(encoding="utf-8"))
    assert answer["converged"] is False
    assert "The sampler did NOT converge" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_rank_and_rate_give_the_same_ratings(club, capsys):
    rated = {row["player"]: float(row["rating_elo"]) for row in rows(club / "run" / "ratings.csv")}
    capsys.readouterr()
    assert halfpoint("rank", club / "run" / "trace.nc", "--json") == 0
    ranked = {row["player"]: row["rating_elo"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert ranked == pytest.approx(rated, abs=1e-6)


def test_the_first_move_is_told_by_rate_rank_summary_and_the_page(club, capsys):
    run = club / "run"
    capsys.readouterr()
    assert halfpoint("rank", run / "trace.nc", "--json") == 0
    answers = [json.loads(capsys.readouterr().out), json.loads((run / "ratings.json").read_text(encoding="utf-8"))]
    found = answers[0]["advantage_elo"]
    assert found == answers[1]["advantage_elo"]
    assert found["mean"] == pytest.approx(60, abs=2 * (found["high"] - found["low"]))
    assert all(answer["draw_rate"] is None for answer in answers)  # half points have none
    sentence = f"White's first move is worth {found['mean']:.0f} Elo ({found['low']:.0f} to {found['high']:.0f})"
    for words in (["rank", run / "trace.nc"], ["summary", run / "trace.nc"]):
        assert halfpoint(*words) == 0
        assert sentence in " ".join(capsys.readouterr().out.split())
    assert answers[1]["shared"] == sentence
    page = (run / "report.html").read_text("utf-8")
    assert f"<dt>White&#39;s first move is worth</dt><dd>{sentence.partition(' is worth ')[2]}</dd>" in " ".join(
        page.split("\n")
    )


@pytest.mark.parametrize("model", ["davidson-population", "davidson-population-walk"])
def test_history_is_promised_where_the_page_has_it(tmp_path, capsys, model):
    games = tmp_path / "games.csv"
    pairs = ("Ann,Bo", "Bo,Cy", "Cy,Ann")
    lines = [
        f"{2020 + k // 18}-0{1 + k % 9}-01,{pairs[k % 3]},{('1-0', '0-1', '1/2-1/2')[k % 7 % 3]}" for k in range(36)
    ]
    games.write_text("\n".join(["Date,White,Black,Result", *lines]) + "\n", "utf-8")
    assert halfpoint("rate", games, "--out", tmp_path / "run", "--model", model, "--method", "normal") == 0
    promised = "report.html shows history" in " ".join(capsys.readouterr().out.split())
    assert promised == ("Ratings through time" in (tmp_path / "run" / "report.html").read_text("utf-8"))
    assert promised == model.endswith("walk")


def test_games_to_come_need_no_score(club, tmp_path, capsys):
    trace = club / "run" / "trace.nc"
    path = tmp_path / "next.csv"
    path.write_text("Home,Away,Odds\nPlayer 01,Player 02,2.5\n", encoding="utf-8")
    (tmp_path / "next.pgn").write_text(
        '[White "Player 01"]\n[Black "Player 02"]\n[Result "*"]\n\n*\n', encoding="utf-8"
    )
    answers = []
    for words in (["--white", "Player 01", "--black", "Player 02"], [path, "--ignore", "*"], [tmp_path / "next.pgn"]):
        capsys.readouterr()
        assert halfpoint("forecast", trace, *words, "--json") == 0
        answers.append(json.loads(capsys.readouterr().out)["rows"][0]["expected_percent"])
    assert answers == pytest.approx([answers[0]] * 3)
    assert halfpoint("forecast", trace, "--white", "Player 01", "--black", "Nobody", "--black-rating", 1500) == 2
    said = capsys.readouterr().err
    assert "no anchored opponents" in said
    assert "--new Nobody" in said
    words = ["--white", "Player 01", "--black", "Nobody", "--black-rating", 1500, "--new", "Nobody"]
    assert halfpoint("forecast", trace, *words) == 0
    assert "not used" in capsys.readouterr().out


def test_columns_of_other_sports_and_anchors_from_a_fide_list(tmp_path, capsys):
    names = ("Home", "Guest")
    lines = ["H,V,Pts,When,Odds"]
    lines += [f"{names[k % 2]},{names[1 - k % 2]},{k % 3 / 2},{k + 1:02d}/02/2023,x" for k in range(12)]
    lines += [f"{names[k % 2]},Stranger{k},{k % 3 / 2},20/02/2023,x" for k in range(4)]
    path = tmp_path / "games.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    header = f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA JAN23 Gms K  B-day Flag\n"
    listed = [f"{k + 1:<15}{f'Stranger{k}':<61}SCO M   {'':<29}{1700 + k:<6}0   10 1990\n" for k in range(4)]
    (tmp_path / "jan23.txt").write_text(header + "".join(listed), encoding="utf-8")
    words = ["rate", path, "--out", tmp_path / "run", "--model", "bt-common", *FEW, "--date-format", "%d/%m/%Y"]
    words += ["--columns", "white=H,black=V,score=Pts,date=When", "--ignore", "Odds", "--rare", "anchor"]
    assert halfpoint(*words) == 2  # no ratings to anchor to
    assert halfpoint(*words, "--fide-list", tmp_path / "jan23.txt") == 0
    assert "FIDE lists: 4 ratings filled in" in capsys.readouterr().out
    tree = read(tmp_path / "run" / "trace.nc")
    assert sorted(tree["constant_data"]["anchor_elo"].dropna("game").to_numpy()) == [1700, 1701, 1702, 1703]


def test_answers_in_names_csv_are_never_written_over(tmp_path, capsys):
    players = ["Adams, Michael", "Adams,M", "Giri, Anish", "Giri,A", "Wang, Hao"]
    pairs = [(one, other) for one in players for other in players if one[:4] != other[:4]]
    lines = ["white,black,score", *(f'"{one}","{other}",{k % 3 / 2}' for k, (one, other) in enumerate(pairs))]
    (tmp_path / "games.csv").write_text("\n".join(lines))
    run = tmp_path / "run\x1b[2J"
    words = ["rate", tmp_path / "games.csv", "--out", run, "--model", "bt-common"]
    words += ["--method", "nuts", "--draws", 1, "--tune", 20]

    def said():
        written = capsys.readouterr()
        assert all(line.isprintable() for line in written.out.splitlines())
        assert written.err == ""
        return next(line for line in written.out.splitlines() if line.startswith("names: 2 pairs"))

    assert halfpoint(*words) == 3  # one draw a chain
    assert "see " in said()
    names = run / "names.csv"
    blank = names.read_bytes()
    assert halfpoint(*words) == 3  # nothing was answered: the same list again
    assert "see " in said()
    assert names.read_bytes() == blank
    for answers in (blank.replace(b'\n,"Adams', b'\nno,"Adams', 1), b"a spreadsheet's format", b""):
        assert answers != blank
        names.write_bytes(answers)
        assert halfpoint(*words) == 3
        assert "names.csv contains answers and is not overwritten: rate again with --names " in said()
        assert names.read_bytes() == answers
        assert not (run / "names-further.csv").exists()
    names.write_bytes(blank)
    for answered in (False, True):
        further = run / "names-further.csv"
        if answered:
            further.write_bytes(further.read_bytes().replace(b'\n,"Adams', b'\nyes,"Adams', 1))
        before = further.read_bytes() if answered else None
        assert halfpoint(*words, "--names", names) == 3
        assert ("names-further.csv contains answers" in said()) == answered
        assert before in (None, further.read_bytes())

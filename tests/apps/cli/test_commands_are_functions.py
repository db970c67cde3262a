"""Every command is a Python function: the same files and numbers at the same seed, without printing."""

import json
import re
import subprocess
import sys
from inspect import getdoc, signature
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from json_records import answer_in
from typed import typed

from halfpoint import readers
from halfpoint.apps import study, workflows
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.models.formulas.margin import MARGIN_NORMAL, MARGIN_T
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.simulate_sides import elo_per_unit
from halfpoint.readers.read import read

FEW = {"draws": 150, "tune": 200, "chains": 2}
FEW_WORDS = [word for name, value in FEW.items() for word in (f"--{name}", str(value))]


def command(*words):
    """Run the command line in this process, and return its output."""
    code, printed, error = typed(*words)
    assert code in (0, 3), error
    return printed


def same_trace(one, other):
    """Assert that two traces have the same draws of the same games."""
    first, second = read_trace(one), read_trace(other)
    for name, values in first["posterior"].to_dataset().items():
        np.testing.assert_array_equal(values, second["posterior"][name])
    assert Path(one).read_bytes() == Path(other).read_bytes()


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """Folder with 800 simulated games of 12 players, and the results of `rate`."""
    folder = tmp_path_factory.mktemp("club")
    command("simulate", folder / "games.pgn", "--games", 800, "--players", 12)
    words = ["rate", folder / "games.pgn", "--out", folder / "run", "--model", "davidson-common", "--quiet", *FEW_WORDS]
    command(*words)
    return folder


@pytest.fixture(scope="module")
def rated(club):
    """The same list from the function, without files."""
    return workflows.rate(club / "games.pgn", model="davidson-common", **FEW)


@pytest.mark.further
def test_rate_goes_on_from_a_trace(club, tmp_path):
    names = read_trace(club / "run" / "trace.nc")["posterior"]["player"].to_numpy().tolist()
    (tmp_path / "new.csv").write_text(f"white,black,result\n{names[0]},{names[1]},1\n{names[2]},{names[0]},0.5\n")
    words = ["rate", tmp_path / "new.csv", "--from", club / "run", "--out", tmp_path / "out", "--quiet", *FEW_WORDS]
    command(*words)
    tree = workflows.update(club / "run", tmp_path / "new.csv", **FEW)
    assert tree.attrs["games"] == 802
    ratings = read_trace(tmp_path / "out" / "trace.nc")["posterior"]["rating_elo"]
    np.testing.assert_allclose(ratings, tree["posterior"]["rating_elo"], rtol=1e-6)
    assert (tmp_path / "out" / "report.html").is_file()


def test_simulate_writes_the_same_games(club, tmp_path):
    table, truth = workflows.simulate(tmp_path / "games.pgn", games=800, players=12)
    for name in ("games.pgn", "games.pgn.truth.csv"):
        assert (tmp_path / name).read_bytes() == (club / name).read_bytes()
    again, _ = workflows.simulate(games=800, players=12)
    np.testing.assert_array_equal(again.score, table.score)
    assert table.simulated
    assert pd.read_csv(tmp_path / "games.pgn.truth.csv")["rating_elo"].to_numpy() == pytest.approx(truth["rating_elo"])


def test_two_files_of_one_stem_have_a_truth_each(tmp_path):
    for name, seed in (("g.csv", 1), ("g.pgn", 2)):
        workflows.simulate(tmp_path / name, games=50, players=4, seed=seed)
    truth = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*truth*")}
    assert set(truth) == {"g.csv.truth.csv", "g.pgn.truth.csv"}
    assert len(set(truth.values())) == 2


@pytest.mark.draws
def test_margins_are_simulated_and_found_again(tmp_path):
    words = ["--margins", 1.6, "--players", 16, "--games", 900, "--advantage-elo", 50]
    command("simulate", tmp_path / "goals.csv", *words)
    table, truth = workflows.simulate(games=900, players=16, margins=1.6, advantage_elo=50.0)
    file = pd.read_csv(tmp_path / "goals.csv")
    assert file["margin"].tolist() == table.margin.tolist()
    assert (np.sign(file["margin"]) == 2 * file["score"] - 1).all()
    assert file["date"].is_monotonic_increasing
    found = workflows.rate(tmp_path / "goals.csv", model="margin-normal", draws=400, chains=2, seed=3)
    posterior = found.trace["posterior"].to_dataset()
    strength = posterior["strength"] - posterior["strength"].mean("player")
    true = truth.set_index("player")["margin"][posterior["player"].values.tolist()].to_numpy()
    z = ((strength.mean(("chain", "draw")) - (true - true.mean())) / strength.std(("chain", "draw"))).to_numpy()
    assert np.abs(z).max() < 4
    assert (np.abs(z) < 1.645).mean() > 0.6  # of 16; 90% expected, standard error 8%
    width = np.exp(posterior["log_width"].to_numpy())
    assert abs(width.mean() - np.sqrt(1.6**2 + 1 / 12)) < 4 * width.std()
    unit = float(MARGIN_NORMAL.elo_per_natural(np.array(np.log(1.6))))
    assert elo_per_unit(1.6) == pytest.approx(unit, rel=1e-6)
    assert elo_per_unit(1.6, "t") == pytest.approx(float(MARGIN_T.elo_per_natural(np.array(np.log(1.6)))), rel=1e-6)
    seat = posterior["advantage"].to_numpy()
    assert abs(seat.mean() - 50.0 / unit) < 4 * seat.std()


def test_margins_of_pairs_and_with_routs(tmp_path):
    table, truth = workflows.simulate(tmp_path / "pairs.csv", games=4000, players=12, people=2, margins=5.0, tails="t")
    assert pd.read_csv(tmp_path / "pairs.csv").columns.tolist() == [
        "white_1", "white_2", "black_1", "black_2", "score", "date", "margin", "simulated",
    ]  # fmt: skip
    strength = truth.set_index("player")["margin"]
    sides = [strength[table.people].to_numpy()[table.members(side)].mean(axis=1) for side in (table.white, table.black)]
    around = table.margin - (sides[0] - sides[1]) - 60.0 / elo_per_unit(5.0, "t")
    assert abs(around.mean()) < 4 * around.std() / np.sqrt(4000)
    beyond = np.mean(np.abs(around) > 5.0 * 2.776)  # the t of four degrees has 5% beyond, the normal 0.55%
    assert beyond == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 4000))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margins": 0.0}, "margins: expected a number from 0.01"),
        ({"margins": 1.6, "tails": "fat"}, "--tails: expected normal | t, found 'fat'"),
        ({"tails": "t"}, "--tails: expected a simulation of margins, found results only. Add --margins 1.6."),
    ],
)
def test_margins_that_cannot_be(tmp_path, options, message):
    with pytest.raises(HalfpointError, match=re.escape(message)):
        workflows.simulate(tmp_path / "games.csv", games=10, players=4, **options)
    with pytest.raises(HalfpointError, match=r"--margins: expected a CSV file \(PGN has no margins\)"):
        workflows.simulate(tmp_path / "games.pgn", games=10, players=4, margins=1.0)
    assert not list(tmp_path.iterdir())


def test_rate_gives_the_list_of_the_command(club, rated, tmp_path, capsys):
    steps = []
    written = workflows.rate(club / "games.pgn", tmp_path, "davidson-common", say=steps.append, **FEW)
    assert (tmp_path / "ratings.csv").read_bytes() == (club / "run" / "ratings.csv").read_bytes()
    mine, theirs = (json.loads((place / "ratings.json").read_text()) for place in (tmp_path, club / "run"))
    assert mine == theirs
    same_trace(tmp_path / "trace.nc", club / "run" / "trace.nc")
    pd.testing.assert_frame_equal(written.frame, rated.frame)
    assert steps[0] == "games.pgn: 800 games among 12 players"
    assert written.folder == tmp_path
    assert rated.folder is None
    assert written.record()["rows"][0]["player"] == rated.frame["player"][0]
    assert capsys.readouterr() == ("", "")  # functions do not print


def test_rate_takes_a_table_and_a_data_frame_as_well(club, rated):
    table = read(club / "games.pgn")
    frame = pd.DataFrame({"White": table.white_names, "Black": table.black_names, "Result": table.score})
    for given in (table, frame):
        found = workflows.rate(given, model="davidson-common", **FEW)
        assert found.frame["rating_elo"].to_numpy() == pytest.approx(rated.frame["rating_elo"].to_numpy(), abs=1e-6)
        assert found.frame["player"].tolist() == rated.frame["player"].tolist()


def test_a_list_shows_itself_in_words(rated):
    shown = repr(rated)
    assert shown.startswith("12 players rated by davidson-common on 800 SIMULATED games\n")
    assert rated.frame["player"][0] in shown
    assert "No anchors: the average player has rating 1500" in shown
    assert "<table" in rated._repr_html_()


def test_names_of_players_are_escaped_in_notebooks():
    frame = pd.DataFrame({"white": ["<b>A</b>", "B", "C"], "black": ["B", "C", "<b>A</b>"], "score": [1.0, 0.5, 0.5]})
    found = workflows.rate(frame, model="davidson-population", min_games=1, **FEW)
    assert "<b>A</b>" not in found._repr_html_()


def test_groups_are_rated_apart_and_refused_by_default():
    names = ["a1", "a2", "a3", "b1", "b2", "b3"]
    pairs = [(i, j) for side in (range(3), range(3, 6)) for i in side for j in side if i != j] * 3
    frame = pd.DataFrame(
        {
            "white": [names[i] for i, _ in pairs],
            "black": [names[j] for _, j in pairs],
            "score": [(i + 2 * j) % 3 / 2 for i, j in pairs],
        }
    )
    settings = {"model": "bt-population", "method": "normal"}
    with pytest.raises(HalfpointError, match="groups"):
        workflows.rate(frame, **settings)
    with pytest.raises(HalfpointError, match="rate_groups"):
        workflows.rate(frame, groups="apart", **settings)
    apart = list(workflows.rate_groups(frame, **settings))
    assert [sorted(one.frame["player"]) for one in apart] == [["a1", "a2", "a3"], ["b1", "b2", "b3"]]
    largest = workflows.rate(frame, groups="largest", **settings)
    pd.testing.assert_frame_equal(largest.frame, apart[0].frame)


def test_answers_from_a_trace_are_those_of_the_commands(club, rated, tmp_path):
    trace = club / "run" / "trace.nc"
    best, second = rated.frame["player"][:2]
    (tmp_path / "players.txt").write_text("\n".join(rated.frame["player"][:4]))
    tournament = {"double": True, "simulations": 100, "seed": 3}
    tree = read_trace(trace)  # a trace in memory answers as its file does
    pairs = {
        ("rank",): workflows.rank(tree),
        ("match", best, second, "--games", 4): workflows.match(tree, best, second, games=4),
        ("tournament", tmp_path / "players.txt", "--double", "--simulations", 100, "--seed", 3): workflows.tournament(
            tree, rated.frame["player"][:4], **tournament
        ),
        ("pair", tmp_path / "players.txt", "--aim", "all"): workflows.pair(tree, rated.frame["player"][:4], "all"),
        ("compare", trace): workflows.compare([tree, trace]),
        ("forecast", "--white", best, "--black", second): workflows.forecast(tree, white=best, black=second),
    }
    for (name, *words), answer in pairs.items():
        printed = answer_in(command(name, trace, *words, "--json"))
        assert json.loads(answer.json()) == printed
    printed = command("summary", trace)
    for line in workflows.summary(trace).note.split("\n"):
        assert line in printed
    workflows.rank(trace).write(tmp_path / "rank.csv")
    assert pd.read_csv(tmp_path / "rank.csv")["player"].tolist() == rated.frame["player"].tolist()


def test_games_to_come_may_stand_in_a_data_frame(club, rated, tmp_path):
    trace = club / "run" / "trace.nc"
    frame = pd.DataFrame({"white": rated.frame["player"][:3], "black": rated.frame["player"][3:6].tolist()})
    frame.to_csv(tmp_path / "next.csv", index=False)
    found = workflows.forecast(trace, frame)
    assert json.loads(found.json()) == answer_in(command("forecast", trace, tmp_path / "next.csv", "--json"))
    outcomes = found.frame[["loss_percent", "draw_percent", "win_percent"]]
    assert outcomes.sum(axis=1).to_numpy() == pytest.approx(100.0)


def test_fit_gives_the_trace_of_the_command(tmp_path):
    copy = readers.replica()
    players = copy.monitored[:8]
    frame = pd.DataFrame(
        {
            "white": copy.training.white_names,
            "black": copy.training.black_names,
            "score": copy.training.score,
        }
    )
    frame[frame["white"].isin(players) & frame["black"].isin(players)].to_csv(tmp_path / "games.csv", index=False)
    words = ["fit", tmp_path / "games.csv", "--model", "bt", "--out", tmp_path / "one.nc", "--method", "normal"]
    command(*words, "--draws", 100)
    tree = workflows.fit(tmp_path / "games.csv", "bt", tmp_path / "two.nc", method="normal", draws=100)
    same_trace(tmp_path / "one.nc", tmp_path / "two.nc")
    assert tree.attrs["model"] == "bt"
    assert workflows.prior("bt").frame["quantity"].size > 2


@pytest.mark.further
def test_backtest_gives_the_tables_of_the_command(tmp_path):
    words = ["backtest", "replica", "--systems", "glicko,base-rates", "--from", 35]
    command(*words, "--out", tmp_path / "one")
    said = []
    found = workflows.backtest("replica", ["glicko", "base-rates"], out=tmp_path / "two", begin=35, say=said.append)
    first, second = ((tmp_path / name / "scores.csv").read_bytes() for name in ("one", "two"))
    assert first == second
    assert found.timing["seconds"].gt(0.0).all()
    assert [line.partition(":")[0] for line in said] == ["fide-rating", "glicko", "base-rates"]
    assert found.about["systems"]["glicko"]["settings"]
    assert set(found.stretch()["system"]) == {"fide-rating", "glicko", "base-rates"}
    unkept = workflows.backtest("replica", "glicko,base-rates", begin=35)
    pd.testing.assert_frame_equal(unkept.frame, found.frame)


@pytest.mark.further
def test_calibrate_gives_the_ranks_of_the_command(tmp_path):
    command("calibrate", "bt", "--simulations", 20, "--method", "normal", "--out", tmp_path / "one", "--seed", 5)
    found = workflows.calibrate("bt", simulations=20, method="normal", out=tmp_path / "two", seed=5)
    one, two = (next((tmp_path / name).glob("bt*/ranks.csv")) for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert found.calibrated
    assert found.frame["parameter"].size == len(found.ranks.rank)


@pytest.mark.further
def test_the_study_and_its_report_are_functions(tmp_path, monkeypatch):
    monkeypatch.setattr("halfpoint.apps.study.run.run_study.write_tables", lambda *_: ["tables"])
    lines = []
    found = study.run_study(tmp_path, models=["bt", "bt-common"], replica=True, say=lines.append, **FEW)
    assert found.frame["name"].tolist() == ["bt", "bt-common"]
    assert found.frame["printed"].isna().all()  # simulated games are not set beside printed numbers
    assert found.summary["data"]["simulated"]
    assert json.loads((tmp_path / "summary.json").read_text())["models"][0]["name"] == "bt"
    assert "tables" in lines
    page = study.report(tmp_path, tmp_path / "page.html")
    assert page.read_text(encoding="utf-8") == (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", workflows.__all__)
def test_every_function_is_documented_as_numpydoc(name):
    function = getattr(workflows, name)
    text = getdoc(function)
    assert "Parameters\n----------" in text
    assert any(f"{word}\n{'-' * len(word)}" in text for word in ("Returns", "Yields"))
    documented = text[text.index("Parameters\n") :]
    for name_of_parameter, parameter in signature(function).parameters.items():
        if parameter.default is not ...:  # of a record, which the docstring describes as a whole
            assert name_of_parameter in documented


def test_a_mistake_is_one_line_and_leaves_nothing(club, tmp_path):
    faults = [
        lambda: workflows.rate(club / "games.pgn", tmp_path / "new", model="davidson-comon"),
        lambda: workflows.rate(club / "games.pgn", tmp_path / "new", min_games=0),
        lambda: workflows.rate(club / "games.pgn", tmp_path / "new", rare="often"),
        lambda: workflows.backtest("replica", "glico", out=tmp_path / "new"),
        lambda: workflows.fit(club / "games.pgn", "bt", tmp_path / "new" / "trace.nc", edition="all"),
        lambda: workflows.calibrate("elo", out=tmp_path / "new"),
        lambda: workflows.match(club / "run" / "trace.nc", "Player 01", "Player 01"),
        lambda: workflows.compare([club / "run" / "trace.nc"], by="bic"),
        lambda: study.report(tmp_path),
        lambda: workflows.simulate(tmp_path / "new.pgn", games=0),
    ]
    unlike = {0: "Did you mean 'davidson-common'?", 5: "'elo' is unknown. `halfpoint models` lists all"}
    for place, fault in enumerate(faults):
        with pytest.raises(HalfpointError) as error:
            fault()
        assert unlike.get(place, "expected") in str(error.value)
        assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_what_a_command_does_is_imported_when_it_is_asked_for():
    names = "{'pymc', 'nutpie', 'arviz'} & set(sys.modules)"
    code = f"import sys; from halfpoint import workflows, study; print(sorted({names}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_has_the_name_of_a_function():
    modules = {path.stem for path in Path(workflows.__file__).parent.glob("*.py")}
    assert modules & set(workflows.__all__) == set()
    assert all(callable(getattr(workflows, name)) for name in workflows.__all__ * 2)

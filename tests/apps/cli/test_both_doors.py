"""Commands and functions on small files of different kinds: they end with equal numbers, and JSON is valid by its
schema.
"""

import json

import numpy as np
import pandas as pd
import pytest
from everyday import write
from everyday_kinds import KINDS
from json_records import answer_in
from typed import typed

from halfpoint.apps import workflows
from halfpoint.apps.fields.arena import leaderboard, next_comparisons
from halfpoint.apps.fields.office import official_list, performances
from halfpoint.apps.fields.office import pool as pool_of
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.models.games.errors import HalfpointError
from halfpoint.readers.read import read

SLOW = pytest.mark.slow


def club_with_odd_names(place):
    """Names with commas, quotes, accents and other alphabets, some of one letter; as TSV."""
    rng, names = np.random.default_rng(5), ["O'Neil, Pat", 'Zoë "Z"', "Ян", "李 雷", "a", "Null", "-5"]
    pairs = [rng.choice(len(names), 2, replace=False) for _ in range(60)]
    frame = pd.DataFrame([[names[one], names[two], rng.choice(["1-0", "0-1", "1/2"])] for one, two in pairs])
    frame.to_csv(place / "games.tsv", sep="\t", index=False, header=["white", "black", "result"])
    return place / "games.tsv"


def season(place):
    """Goals at home and away, with days."""
    rng = np.random.default_rng(6)
    pairs = [(home, away) for home in range(6) for away in range(6) if home != away]
    days = pd.date_range("2023-08-01", periods=len(pairs), freq="5D").strftime("%d/%m/%Y")
    frame = pd.DataFrame([(f"Club {home}", f"Club {away}", *rng.poisson(1.4, 2)) for home, away in pairs])
    frame.columns = ["HomeTeam", "AwayTeam", "FTHG", "FTAG"]
    frame.insert(0, "Date", days)
    frame.to_csv(place / "season.csv", index=False)
    return place / "season.csv"


def votes(place):
    """Judgements of an arena as JSON lines."""
    rng, rows = np.random.default_rng(7), []
    for _ in range(300):
        one, two = rng.choice(5, 2, replace=False)
        rows.append(
            {"model_a": f"m{one}", "model_b": f"m{two}", "winner": str(rng.choice(["model_a", "model_b", "tie"]))}
        )
    (place / "votes.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return place / "votes.jsonl"


def simulated(place, name):
    """Games of the package's own simulation, in a format that it writes."""
    workflows.simulate(place / name, games=120, players=6)
    return place / name


def everyday(place, kind):
    """Simple file as CSV."""
    write(KINDS[kind][0](np.random.default_rng([0, 62])), place / "games.csv")
    return place / "games.csv"


def parquet(place):
    """Games as Parquet, with scores as numbers and periods."""
    rng = np.random.default_rng(8)
    pairs = [rng.choice(5, 2, replace=False) for _ in range(80)]
    frame = pd.DataFrame([(f"P{one}", f"P{two}", float(rng.choice([0.0, 0.5, 1.0]))) for one, two in pairs])
    frame.columns = ["white", "black", "score"]
    frame.assign(period=np.arange(80) // 20 + 1).to_parquet(place / "games.parquet")
    return place / "games.parquet"


FILES = {
    "a match": lambda place: everyday(place, "match of 20"),
    "a club with ratings": lambda place: everyday(place, "club with ratings"),
    "a Swiss open": lambda place: everyday(place, "a Swiss of 20 by 5"),
    "PGN": lambda place: simulated(place, "games.pgn"),
    "odd names": club_with_odd_names,
    "football": season,
    "votes": votes,
    "Parquet": parquet,
}
QUICK = ("odd names",)
NORMAL = {"model": "davidson-common", "method": "normal", "draws": 300, "chains": 4}
WORDS = [word for name, value in NORMAL.items() for word in (f"--{name}", str(value))]


@pytest.fixture(scope="module", params=[pytest.param(name, marks=() if name in QUICK else SLOW) for name in FILES])
def rated(request, tmp_path_factory):
    """Path of the games, with the list and the trace that `rate` wrote of them."""
    place = tmp_path_factory.mktemp("doors")
    path = FILES[request.param](place)
    code, printed, error = typed("rate", path, *WORDS, "--out", place / "run", "--force", "--json")
    assert code in (0, 3), error
    return path, answer_in(printed), place / "run" / "trace.nc"


def same(function, command, *words):
    """Assert that a command prints the answer of its function, valid by its schema, or refuses both in one line."""
    code, printed, line = typed(command, "--json", *words)
    if code == 2:
        assert line.count("\n") == 1
        with pytest.raises(HalfpointError):
            function()
        return
    assert code in (0, 3), line
    assert answer_in(printed) == json.loads(function().json())


def test_lists(rated):
    path, listed, trace = rated
    found = json.loads(workflows.rate(path, **NORMAL).json())
    assert found["rows"] == listed["rows"]
    assert (found["verdict"], found["model"]) == (listed["verdict"], listed["model"])
    players = read_trace(trace)["posterior"]["player"].values.tolist()
    assert set(players) == {row.get("player", row.get("club")) for row in listed["rows"]} <= set(read(path).people)


def names_in(listed):
    """Names in a list, the best first; games at home and away are between clubs."""
    return [row.get("player", row.get("club")) for row in listed["rows"]]


def test_answers_of_a_trace(rated):
    _, listed, trace = rated
    best, *_, last = names_in(listed)
    same(lambda: workflows.rank(trace), "rank", trace)
    same(lambda: workflows.match(trace, best, last, games=4), "match", trace, "--games", 4, "--", best, last)
    coming = f"--white={last}", f"--black={best}"
    same(lambda: workflows.forecast(trace, white=last, black=best), "forecast", trace, *coming)
    same(lambda: workflows.compare([trace, trace]), "compare", trace, trace)
    same(lambda: next_comparisons(trace, 3), "next", trace, "--pairs", 3)


def test_tournaments_of_a_trace(rated, tmp_path):
    _, listed, trace = rated
    names, file = names_in(listed)[:4], tmp_path / "players.txt"
    file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    words = ("tournament", trace, file, "--simulations", 200, "--seed", 3)
    same(lambda: workflows.tournament(trace, names, simulations=200, seed=3), *words)
    same(lambda: workflows.pair(trace, names, "even"), "pair", trace, file, "--aim", "even")


def test_estimates_and_lists_of_systems(rated):
    path, *_ = rated
    same(lambda: workflows.maximum_likelihood(path), "mle", path)
    same(lambda: workflows.maximum_likelihood(path, reduce_bias=True), "mle", path, "--reduce-bias")
    same(lambda: official_list(path, "elo"), "list", path, "--system", "elo")
    same(lambda: performances(path), "performance", path)


def test_pools(rated):
    path, *_ = rated
    same(lambda: pool_of(path, "elo"), "pool", path, "--systems", "elo")
    same(lambda: pool_of(path, "glicko", every="week"), "pool", path, "--systems", "glicko", "--every", "week")


def test_boards(rated, tmp_path):
    path, *_ = rated
    few = {"method": "normal", "draws": 200, "chains": 2}
    words = [word for name, value in few.items() for word in (f"--{name}", str(value))]
    words = ["leaderboard", path, *words, "--no-checks", "--out", tmp_path / "one", "--json"]
    code, printed, error = typed(*words)
    if code == 2:
        assert error.count("\n") == 1
        with pytest.raises(HalfpointError):
            leaderboard(path, checks=False, **few)
        return
    assert code in (0, 3), error
    assert json.loads(leaderboard(path, checks=False, **few).json())["rows"] == answer_in(printed)["rows"]

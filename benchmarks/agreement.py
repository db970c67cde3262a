"""Agreement: the same data and the same estimator by halfpoint and by others, and results that others have printed.

`python benchmarks/agreement.py` fits all of them (choix and evalica from .ci/requirements/benchmarks.txt, arena-rank
and crowd-kit by peers.py with the Python of ARENA_PYTHON) and writes agreement.json and docs/agreement.md; the
tests repeat halfpoint's fits and compare them with the file. Maximum likelihood is halfpoint's mode under priors of 400
natural units, which have no visible effect.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.inference.gaussian.mode import mode as mode_of
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.model import Model
from halfpoint.systems.elo import Elo
from halfpoint.systems.k_factor import constant

ROOT = Path(__file__).resolve().parent.parent
RECORD, PAGE = ROOT / "benchmarks" / "agreement.json", ROOT / "docs" / "agreement.md"
PEERS = {"TrueSkill Through Time": "trueskillthroughtime", "kickscore": "kickscore"}
FLAT = (0.0, 400.0)
HALF_TIES = find("bt").but("half-ties", strength=FLAT)
WITH_HOME = find("bt-common").but("half-ties-home", strength=FLAT, advantage=FLAT)
TIES = find("davidson").but("ties", strength=FLAT, log_draw=FLAT)
JOURNALS = ("Biometrika", "Comm. Statist.", "JASA", "JRSS-B")
CITED = {
    (0, 1): (730, 33),
    (0, 2): (498, 320),
    (0, 3): (221, 284),
    (1, 2): (68, 813),
    (1, 3): (17, 276),
    (2, 3): (142, 325),
}
TEAMS = ("Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto")
HOME = """Milwaukee Detroit 4-3 Toronto 4-2 New York 4-3 Boston 6-1 Cleveland 4-2 Baltimore 6-0
Detroit Milwaukee 3-3 Toronto 4-2 New York 4-3 Boston 6-0 Cleveland 6-1 Baltimore 4-3
Toronto Milwaukee 2-5 Detroit 4-3 New York 2-4 Boston 4-3 Cleveland 4-2 Baltimore 6-0
New York Milwaukee 3-3 Detroit 5-1 Toronto 2-5 Boston 4-3 Cleveland 4-2 Baltimore 6-1
Boston Milwaukee 5-1 Detroit 2-5 Toronto 3-3 New York 4-2 Cleveland 5-2 Baltimore 6-0
Cleveland Milwaukee 2-5 Detroit 3-3 Toronto 3-4 New York 4-3 Boston 4-2 Baltimore 2-4
Baltimore Milwaukee 2-5 Detroit 1-5 Toronto 1-6 New York 2-4 Boston 1-6 Cleveland 3-4"""
PUDDINGS = {12: (19, 22, 16), 13: (16, 19, 12), 23: (19, 19, 10), 14: (18, 23, 13), 24: (23, 19, 9), 34: (19, 20, 15),
            15: (13, 19, 18), 25: (16, 20, 12), 35: (16, 15, 17), 45: (17, 14, 16), 16: (18, 21, 12), 26: (22, 20, 12),
            36: (13, 18, 10), 46: (14, 19, 18), 56: (11, 21, 12)}  # fmt: skip


def table(players: tuple[str, ...], rows: list[tuple[int, int, float, int]]) -> GameTable:
    """Games from rows of white, black, score and count."""
    white, black, score, count = (np.array(column) for column in zip(*rows, strict=True))
    order = np.argsort(players, kind="stable")
    place = np.argsort(order, kind="stable").astype(np.int32)
    codes = [np.repeat(place[side], count).astype(np.int32) for side in (white, black)]
    return GameTable(np.array(players)[order], codes[0], codes[1], np.repeat(score.astype(np.float64), count))


def citations() -> GameTable:
    """Citations between journals; the cited journal wins (Stigler 1994; Agresti 2002, p. 448)."""
    rows = [row for (i, j), (a, b) in CITED.items() for row in ((i, j, 1.0, a), (i, j, 0.0, b))]
    return table(JOURNALS, rows)


def baseball() -> GameTable:
    """The games of 1987 by home and away team (Agresti 2002, table 10.10)."""
    rows: list[tuple[int, int, float, int]] = []
    for line in HOME.splitlines():
        home = next(name for name in TEAMS if line.startswith(name))
        rest = line.removeprefix(home).strip()
        while rest:
            away = next(name for name in TEAMS if rest.startswith(name))
            result, _, rest = rest.removeprefix(away).strip().partition(" ")
            won, lost = map(int, result.split("-"))
            pair = TEAMS.index(home), TEAMS.index(away)
            rows += [(*pair, 1.0, won), (*pair, 0.0, lost)]
    return table(TEAMS, [row for row in rows if row[3]])


def puddings() -> GameTable:
    """Comparisons of chocolate puddings, with ties (Davidson 1970)."""
    rows = []
    for pair, (first, second, ties) in PUDDINGS.items():
        i, j = pair // 10 - 1, pair % 10 - 1
        rows += [(i, j, 1.0, first), (i, j, 0.0, second), (i, j, 0.5, ties)]
    return table(tuple(f"brand {k}" for k in range(1, 7)), rows)


def made_up() -> GameTable:
    """600 simulated comparisons of six items with ties, in a fixed order."""
    rng = np.random.default_rng(1)
    strength = np.linspace(-1.0, 1.0, 6)
    white = rng.integers(0, 6, 600).astype(np.int32)
    black = ((white + rng.integers(1, 6, 600)) % 6).astype(np.int32)
    p = 1.0 / (1.0 + np.exp(strength[black] - strength[white]))
    uniform = rng.random(600)
    score = np.where(uniform < 0.75 * p, 1.0, np.where(uniform < 0.75, 0.0, 0.5))
    return GameTable(np.array([f"item {k}" for k in range(1, 7)]), white, black, score)


def battles() -> GameTable:
    """4,000 battles of a simulated arena of ten models, with ties."""
    frame = simulate_arena(models=10, battles=4000, judges=40, seed=3).battles
    names = sorted(set(frame["model_a"]) | set(frame["model_b"]))
    place = {name: code for code, name in enumerate(names)}
    white, black = (frame[side].map(place).to_numpy(np.int32) for side in ("model_a", "model_b"))
    score = frame["winner"].map({"model_a": 1.0, "tie": 0.5, "model_b": 0.0}).to_numpy(np.float64)
    return GameTable(np.array(names), white, black, score)


def mode(model: Model, games: GameTable) -> np.ndarray:
    """Maximum of the likelihood: strengths, then advantage and draw parameter if the model has them."""
    return mode_of(declare_model(model, select(games, games.players, "both"))).top.z


def contrasts(values: np.ndarray, games: GameTable, base: str) -> dict[str, float]:
    """Strengths relative to that of one player, by name."""
    names = games.players.tolist()
    zero = values[names.index(base)]
    return {name: float(value - zero) for name, value in zip(names, values[: len(names)], strict=True) if name != base}


def ours() -> dict[str, dict[str, float]]:
    """Estimates of halfpoint by comparison."""
    cited, played, eaten, made, fought = citations(), baseball(), puddings(), made_up(), battles()
    home, ties = mode(WITH_HOME, played), mode(TIES, eaten)
    system = Elo(constant(4.0), update="game", newcomer=Newcomer(1000.0))
    system.learn(made)
    ratings = system.ledger.peek(made)["rating"]
    return {
        "citations": contrasts(mode(HALF_TIES, cited), cited, "Biometrika"),
        "baseball": contrasts(home, played, "Baltimore") | {"at home": float(home[-1])},
        "puddings": contrasts(ties, eaten, "brand 1") | {"log nu": float(ties[-1])},
        "half ties": contrasts(mode(HALF_TIES, made), made, "item 1"),
        "battles": contrasts(mode(HALF_TIES, fought), fought, "model-00"),
        "Elo, K = 4": {name: float(value) for name, value in zip(made.players.tolist(), ratings, strict=True)},
    }


PRINTED = {  # as the sources print them
    "citations": (
        "BradleyTerry2's manual (Agresti 2002, p. 448)",
        {"Comm. Statist.": -2.9491, "JASA": -0.4796, "JRSS-B": 0.2690},
        5e-5,
    ),
    "baseball": (
        "BradleyTerry2's manual, with home advantage (Agresti 2002, table 10.11)",
        {"Boston": 1.1438, "Cleveland": 0.7047, "Detroit": 1.4754, "Milwaukee": 1.6196, "New York": 1.2813,
         "Toronto": 1.3271, "at home": 0.3023},
        5e-5,
    ),
    "puddings": (
        "PlackettLuce's vignette, ties by Davidson (1970), a few iterations",
        {"brand 2": 0.2202, "brand 3": 0.1530, "brand 4": 0.1753, "brand 5": 0.1339, "brand 6": 0.3771,
         "log nu": -0.2919},
        2e-4,
    ),
}  # fmt: skip


def theirs() -> dict[str, dict[str, Any]]:
    """Estimates of choix, evalica, arena-rank and crowd-kit on the same data."""
    import choix
    import evalica

    cited, made = citations(), made_up()
    data = [
        (int(w), int(b)) if s == 1 else (int(b), int(w))
        for w, b, s in zip(cited.white, cited.black, cited.score, strict=True)
    ]
    by_choix = choix.ilsr_pairwise(len(cited.players), data, alpha=0.0, tol=1e-12)
    words = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}

    def sides(games: GameTable) -> tuple[list[str], list[str], list[Any]]:
        return games.white_names.tolist(), games.black_names.tolist(), [words[one] for one in games.score.tolist()]

    fitted = evalica.bradley_terry(*sides(cited), tolerance=1e-12, limit=10_000).scores
    halved = evalica.bradley_terry(*sides(made), tolerance=1e-12, limit=10_000).scores
    rated = evalica.elo(*sides(made)).scores
    versions = {name: f"{name} {version(name)}" for name in ("choix", "evalica")}

    def logs(scores: Any, games: GameTable, base: str) -> dict[str, float]:
        return contrasts(np.log([scores[name] for name in games.players.tolist()]), games, base)

    found = [
        ("citations", "choix", contrasts(by_choix, cited, "Biometrika")),
        ("citations", "evalica", logs(fitted, cited, "Biometrika")),
        ("half ties", "evalica", logs(halved, made, "item 1")),
        ("Elo, K = 4", "evalica", {name: float(rated[name]) for name in made.players.tolist()}),
    ]
    made_of = {f"{of}, {by}": {"of": of, "by": versions[by], "values": values} for of, by, values in found}
    return made_of | of_arenas({"citations": (cited, "Biometrika"), "battles": (battles(), "model-00")})


def of_arenas(asked: dict[str, tuple[GameTable, str]]) -> dict[str, dict[str, Any]]:
    """Estimates of arena-rank and crowd-kit, computed in their own environment."""
    rows = {
        of: {"first": g.white_names.tolist(), "second": g.black_names.tolist(), "score": g.score.tolist()}
        for of, (g, _) in asked.items()
    }
    words = [os.environ.get("ARENA_PYTHON", sys.executable), str(ROOT / "benchmarks" / "peers.py"), "agreement"]
    said = subprocess.run(words, input=json.dumps(rows), capture_output=True, text=True, check=True).stdout
    found = {}
    for of, by_program in json.loads(said).items():
        games, base = asked[of]
        for by, strengths in by_program.items():
            values = np.array([strengths[name] for name in games.players.tolist()])
            found[f"{of}, {by}"] = {"of": of, "by": by, "values": contrasts(values, games, base)}
    return found


TITLES = {
    "citations": "Citations between four journals, Bradley-Terry, Biometrika = 0",
    "baseball": "Baseball 1987, Bradley-Terry with home advantage, Baltimore = 0",
    "puddings": "Chocolate puddings, Davidson's ties, brand 1 = 0",
    "half ties": "600 made-up comparisons, Bradley-Terry, a tie as half a win, item 1 = 0",
    "battles": "4,000 battles of a simulated arena, Bradley-Terry, a tie as half a win, model-00 = 0",
    "Elo, K = 4": "The 600 comparisons in their order, Elo from 1000",
}


STOPS = {  # programs whose answer is not yet the maximum, and why
    "crowd-kit 1.4.2": (
        "crowd-kit 1.4.2 stops after two iterations at any tolerance above 0 (`p_old = p_new`); with `tol=0` it "
        "reaches the maximum."
    )
}


def page(record: dict[str, Any]) -> str:
    """Page of a record."""
    lines = [
        "# Agreement",
        "",
        "Estimates by halfpoint and by other programs from the same data with the same estimator, and printed",
        "results of other authors. Natural units, Elo in points. `make agreement` writes this page from",
        "`benchmarks/agreement.json`, which has all estimates.",
    ]
    for name, title in TITLES.items():
        mine = record["ours"][name]
        others = {one["by"]: one["values"] for one in record["theirs"].values() if one["of"] == name}
        if name in PRINTED:
            others = {f"printed: {PRINTED[name][0]}": PRINTED[name][1]} | others
        lines += ["", f"## {title}"]
        if name in PRINTED:
            lines += ["", "| | halfpoint | " + " | ".join(others) + " |", "|" + "---|" * (2 + len(others))]
            for key, value in mine.items():
                cells = [f"{value:.6f}"]
                for by, one in others.items():
                    cells.append(f"{one[key]:.4f}" if by.startswith("printed") else f"{one[key]:.6f}")
                lines.append(f"| {key} | " + " | ".join(cells) + " |")
        gaps = []
        for by, one in others.items():
            short = by.removeprefix("printed: ").split(" (")[0].split(",")[0] if by.startswith("printed") else by
            gaps.append(f"{short} {max(abs(one[key] - mine[key]) for key in mine):.1e}")
        lines += ["", f"Largest difference: {'; '.join(gaps)}."]
        lines += [text for by, text in STOPS.items() if by in others]
    lines += ["", *spreads(record["days"])]
    return "\n".join(lines) + "\n"


SEASON = """\
Six players over a year, simulated from Matérn processes of length 180 days and spread 1, which both programs use as
prior. Entries are standard deviations of halfpoint's weighted draws from the exact posterior over those of kickscore
{version}, the least to the largest of six skills and of 15 pairs. kickscore is over-confident about each skill, as in
the cycle, but not about a difference of two skills, on which forecasts depend. Its variational method does not converge
with a spread of 6 (`python benchmarks/peers.py days season-ep`, `season-kl`, `wide-ep`)."""
RATIOS = "exact over kickscore", "differences"
SEASONS = (
    ("season-ep", 1, "expectation propagation"), ("season-kl", 1, "variational"),
    ("wide-ep", 6, "expectation propagation"),
)  # fmt: skip


def spreads(record: dict[str, Any]) -> list[str]:
    """Section on spreads of posteriors through time, by `peers.py days`."""
    cycle = record["cycle"]
    peers = [name for name in cycle if name != "exact"]
    return [
        "## A cycle of three, prior N(0, 36), standard deviation of each skill",
        "",
        "A beats B, B beats C and C beats A on one day, by the normal curve. An approximation that treats players as",
        "independent ignores that games do not identify their level, and is overconfident",
        "(`python benchmarks/peers.py days trueskill`, and `kickscore`).",
        "",
        "| | exact | " + " | ".join(f"{name} {record['versions'][PEERS[name]]}" for name in peers) + " |",
        "|" + "---|" * (2 + len(peers)),
        f"| standard deviation | {cycle['exact']:.3f} | " + " | ".join(f"{cycle[name]:.3f}" for name in peers) + " |",
        "| exact over it | 1.00 | " + " | ".join(f"{cycle['exact'] / cycle[name]:.2f}" for name in peers) + " |",
        "",
        "## A season of 172 games, standard deviations on its last day",
        "",
        *SEASON.format(version=record["versions"]["kickscore"]).splitlines(),
        "",
        "| spread of the prior | kickscore's method | of each skill | of a difference |",
        "|---|---|---|---|",
        *(
            f"| {wide} | {method} | " + " | ".join(_range(record[part][key]) for key in RATIOS) + " |"
            for part, wide, method in SEASONS
            if part in record
        ),
    ]


def _range(values: list[float]) -> str:
    """Smallest and largest of some ratios."""
    return f"{min(values):.2f} to {max(values):.2f}"


def main() -> None:
    """Fit all models, write the record and the page; with --page, only the page of the existing record."""
    if "--page" not in sys.argv[1:]:
        days = json.loads(RECORD.read_text(encoding="utf-8"))["days"]  # by `peers.py days`
        record = {"ours": ours(), "theirs": theirs(), "days": days}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(RECORD.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Write readers/datasets/demo: six small reproducible files of SIMULATED results, which ship with halfpoint."""

import csv
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "readers" / "datasets" / "demo"
MEMBERS = (
    "Ash, Nora", "Birch, Tom", "Cedar, Ines", "Dogwood, Paul", "Elm, Ruth", "Fir, Oskar", "Gorse, Lena",
    "Hazel, Max", "Ivy, Clara", "Juniper, Ben", "Kale, Sofia", "Larch, Adam", "Maple, Jana", "Nettle, Leo",
    "Oak, Mira", "Pine, Karl",
)  # fmt: skip
CLUBS = (
    "Alderton", "Birkwell", "Cresthaven", "Dunmere", "Elmsworth", "Fernley", "Greymoor", "Harrowick", "Inglebridge",
    "Juniper Town",
)  # fmt: skip
ENGINES = (
    "Alfil 3", "Basalt 2", "Comet 7", "Dusk 1",
)  # fmt: skip
MODELS = (
    "aster-70b", "briar-8b", "clover-34b", "daisy-2", "elder-mini", "fennel-xl", "ginger-12b", "heather-1",
)  # fmt: skip
DRIVERS = (
    "Amsel", "Buchfink", "Dohle", "Elster", "Fasan", "Girlitz", "Habicht", "Kolibri", "Lerche", "Meise", "Pirol",
    "Star",
)  # fmt: skip
OPENINGS = ("B01", "B20", "C20", "C42", "D06", "D30", "E20", "A10")
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}"
ELO = 400.0 / np.log(10.0)


def rows(name: str, head: list[str], lines: list[list[object]]) -> None:
    """Write a CSV file whose last column marks it as simulated."""
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*head, "simulated"])
        writer.writerows([*line, 1] for line in lines)


def result(rng: np.random.Generator, lead_elo: float, log_draw: float) -> int:
    """0, 1 or 2 half points of the first seat, by Davidson's formula."""
    half = lead_elo / ELO / 2.0
    shares = np.exp([-half, log_draw, half])
    return int(rng.choice(3, p=shares / shares.sum()))


def pgn(name: str, games: list[dict[str, object]]) -> None:
    """Write games as PGN without moves."""
    told = ("0-1", "1/2-1/2", "1-0")
    with (FOLDER / name).open("w", encoding="utf-8") as file:
        for game in games:
            points = int(str(game.pop("points")))
            tags = {**game, "Result": told[points], "Simulated": "halfpoint"}
            file.writelines(f'[{tag} "{value}"]\n' for tag, value in tags.items())
            file.write(f"\n{told[points]}\n\n")


def club() -> None:
    """Ten evenings of a chess club: sixteen members, four rounds an evening, printed ratings."""
    rng = np.random.default_rng(1)
    printed = np.sort(rng.normal(1650.0, 170.0, len(MEMBERS)).round())[::-1]
    strength = printed + rng.normal(0.0, 60.0, printed.size)
    games = []
    for evening in range(10):
        here = np.sort(rng.permutation(printed.size)[:14])
        for round_ in range(4):
            order = here[np.argsort(-printed[here] + rng.normal(0.0, 90.0, here.size))]
            for one, other in order.reshape(-1, 2).tolist():
                white, black = (one, other) if rng.random() < 0.5 else (other, one)
                games.append({
                    "Event": f"SIMULATED club evening {evening + 1}", "Site": "?",
                    "Date": f"2025.{1 + evening:02d}.{7 + evening:02d}", "Round": round_ + 1,
                    "White": MEMBERS[white], "Black": MEMBERS[black], "WhiteElo": int(printed[white]),
                    "BlackElo": int(printed[black]),
                    "points": result(rng, strength[white] - strength[black] + 35.0, 0.0),
                })  # fmt: skip
    pgn("club.pgn", games)


def football() -> None:
    """League of ten clubs: a season, half of the next one, the games of that half alone, and its remaining fixtures."""
    rng = np.random.default_rng(2)
    strength = rng.normal(0.0, 0.28, len(CLUBS))
    circle = list(range(len(CLUBS)))
    days = []
    for day in range(len(CLUBS) - 1):
        pairs = [(circle[k], circle[-1 - k]) for k in range(len(CLUBS) // 2)]
        days.append([pair if (day + k) % 2 else pair[::-1] for k, pair in enumerate(pairs)])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    rounds = days + [[(away, home) for home, away in day] for day in days]
    played, coming = [], []
    for season, start in enumerate(("2024-08-10", "2025-08-09")):
        for k, pairs in enumerate(rounds):
            date = np.datetime64(start) + np.timedelta64(14 * k, "D")
            for home, away in pairs:
                if season and k >= len(days):
                    coming.append([date, CLUBS[home], CLUBS[away]])
                    continue
                rate = np.exp([0.32 + strength[home] - strength[away], 0.05 + strength[away] - strength[home]])
                played.append([date, CLUBS[home], CLUBS[away], *rng.poisson(rate).tolist()])
        strength = strength + rng.normal(0.0, 0.1, strength.size)
    rows("football.csv", ["date", "home", "away", "home_goals", "away_goals"], played)
    now = [line for line in played if line[0] >= np.datetime64("2025-08-01")]
    rows("season.csv", ["date", "home", "away", "home_goals", "away_goals"], now)
    rows("fixtures.csv", ["date", "home", "away"], coming)
    (FOLDER / "clubs.txt").write_text("".join(f"{name}\n" for name in CLUBS), encoding="utf-8")


def engines() -> None:
    """Match of two engines by pairs of games with reversed colours from eight openings."""
    rng = np.random.default_rng(3)
    strength = np.array([30.0, 0.0])
    games = []
    for pair in range(150):
        opening = pair % len(OPENINGS)
        for turned in (False, True):
            white, black = (1, 0) if turned else (0, 1)
            games.append({
                "Event": "SIMULATED engine match", "Site": "?", "Date": "2025.03.01",
                "Round": f"{pair + 1}.{1 + turned}", "White": ENGINES[white], "Black": ENGINES[black],
                "ECO": OPENINGS[opening],
                "points": result(rng, strength[white] - strength[black] + 50.0, 1.0),
            })  # fmt: skip
    pgn("engines.pgn", games)


def arena() -> None:
    """Answers of eight language models judged in pairs."""
    rng = np.random.default_rng(4)
    strength, wordy = rng.normal(0.0, 90.0, len(MODELS)), rng.normal(0.0, 0.4, len(MODELS))
    lines = []
    for _ in range(900):
        a, b = rng.choice(len(MODELS), 2, replace=False).tolist()
        share = np.tanh((wordy[a] - wordy[b] + rng.normal()) / 2.0)
        tokens = (max(rng.lognormal(6.3, 0.4), 150.0) * np.array([1 + share, 1 - share]) / 2.0).round().astype(int)
        won = ("model_b", "tie", "model_a")[result(rng, strength[a] - strength[b] + 20.0 + 60.0 * share, 0.3)]
        judge = f"judge-{rng.integers(1, 26):02d}"
        kind = ("code", "prose", "maths")[rng.integers(3)]
        lines.append([MODELS[a], MODELS[b], won, judge, kind, *tokens.tolist()])
    rows("arena.csv", ["model_a", "model_b", "winner", "judge", "category", "tokens_a", "tokens_b"], lines)


def bridge() -> None:
    """Six evenings of a bridge club with five tables."""
    from halfpoint.apps.fields.bridge.simulate import bridge_simulate
    from halfpoint.apps.fields.bridge.write_csv import csv_text

    table, _ = bridge_simulate(None, players=16, sessions=6, boards=16, seed=5)
    text = csv_text(table)
    for number, name in enumerate(MEMBERS, 1):
        text = text.replace(f"Player {number:02d}", " ".join(name.split(", ")[::-1]))
    (FOLDER / "bridge.csv").write_text(text.replace("Session ", "Evening "), encoding="utf-8")


def grand_prix() -> None:
    """Two seasons of a Grand Prix of ten races each, with retirements."""
    rng = np.random.default_rng(6)
    strength = rng.normal(0.0, 1.0, len(DRIVERS))
    lines = []
    for season in (2024, 2025):
        for race in range(10):
            order = np.argsort(-(strength + rng.gumbel(size=strength.size)))
            finished = strength.size - int(rng.poisson(1.2))
            date = np.datetime64(f"{season}-03-10") + np.timedelta64(21 * race, "D")
            for place, who in enumerate(order.tolist(), 1):
                lines.append([f"{season} race {race + 1}", date, DRIVERS[who], place if place <= finished else "DNF"])
    rows("grandprix.csv", ["race", "date", "driver", "place"], lines)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for make in (club, football, engines, arena, bridge, grand_prix):
        make()

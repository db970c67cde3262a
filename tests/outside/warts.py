"""Four irregular files as users have them, simulated: a club's PGN, a football CSV, an engine match, an arena's JSON
lines.

Results are spelled in many ways or missing, a player has two spellings, a player has a bye, dates have another order,
the encoding is that of an old Windows program or begins with a byte order mark, columns are added, or lines are cut
off. `FILES` has a function for each file, from a folder to the path of the file written there. Each file has a known
truth (Davidson's outcomes, as in `outside.kinds`) and is the same every time.
"""

import json
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
from outside.kinds import day, goals, outcomes, spread, teams

MEMBERS = (
    *("Müller, Jürgen", "Østergård, Søren", "Lefèvre, Zoé", "García, José", "Novák, Žofie", "O'Brien, Sean"),
    *("van der Berg, Piet", "Smith, John", "Schäfer, Anke", "Ångström, Åsa", "Weiß, Karl", "Silva, João"),
)


def club_pgn(folder: Path) -> Path:
    """Two seasons of a club by an old program: Windows-1252, no blank lines, byes, forfeits, four spellings of `1/2`.

    Herr Müller also plays as "Mueller, J.", one game is copied in twice, two are not finished, dates lack their day.
    """
    chance = np.random.default_rng(301)
    rating = spread(chance, len(MEMBERS), 1600.0, 160.0)
    printed = np.rint(rating + chance.normal(0.0, 50.0, rating.size)).astype(int)
    pairs = [pair for _ in range(2) for pair in chance.permutation(list(combinations(range(len(MEMBERS)), 2)))]
    white, black = np.array([pair if k % 2 else pair[::-1] for k, pair in enumerate(pairs)]).T
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.3)
    drawn = ("1/2-1/2", "1/2", "½-½", "1/2 - 1/2")
    blocks = []
    for number, (i, j, y) in enumerate(zip(white, black, outcome, strict=True)):
        names = [MEMBERS[i], MEMBERS[j]]
        if number % 9 == 4:
            names = ["Mueller, J." if name.startswith("Müller") else name for name in names]
        result = ("0-1", drawn[number % len(drawn)], "1-0")[y]
        tags = {
            "Event": f"Vereinsmeisterschaft {2022 + number // 66}",
            "Site": "Café Schöne Aussicht",
            "Date": "2022.??.??" if number % 20 == 7 else day("2022-09-05", 5 * number),
            "Round": str(1 + number // 6),
            "White": names[0],
            "Black": names[1],
            "Result": "*" if number in (40, 90) else result,
            "WhiteElo": "" if i == 3 else str(printed[i]),
            "BlackElo": "0" if j == 3 else str(printed[j]),
        }
        said = ("gut", "hm?", "Zeitnot")[number % 3]
        moves = f"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {{ {said} }} Nf6 5. O-O Be7 {6 + number % 7}. h3"
        blocks.append((tags, f"{moves} {tags['Result']}"))
    blocks.insert(30, blocks[29])  # copied in twice
    for number in (20, 60, 100):
        bye = {"Event": "Vereinsmeisterschaft", "White": MEMBERS[number % 12], "Black": "BYE", "Result": "1-0"}
        blocks.insert(number, (bye, "1-0"))
    missed = {"Event": "Vereinsmeisterschaft", "White": MEMBERS[1], "Black": MEMBERS[2], "Result": "1-0"}
    blocks.insert(80, (missed | {"Termination": "forfeit"}, "1-0"))
    text = "\r\n".join(
        "\r\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), moves]) for tags, moves in blocks
    )
    path = folder / "vereinsmeisterschaft.pgn"
    path.write_bytes(text.encode("cp1252"))
    return path


def football_csv(folder: Path) -> Path:
    """Two seasons from a foreign spreadsheet: a byte order mark, semicolons, 21/08/2023, foreign words, postponed
    games.

    A club is "Atlético Ashford" in one season and "Atletico Ashford" in the other; three games have no result yet.
    """
    chance = np.random.default_rng(302)
    names = [*teams(11), "Atlético Ashford"]
    rating = spread(chance, 12, 1500.0, 110.0)
    rows = ["Jornada;Fecha;Local;Visitante;GL;GV;Resultado;Público;Árbitro"]
    for season in range(2):
        fixtures = chance.permutation(list(permutations(range(12), 2)))
        outcome = outcomes(chance, rating[fixtures[:, 0]] - rating[fixtures[:, 1]] + 60.0, 0.26)
        for number, ((i, j), y) in enumerate(zip(fixtures, outcome, strict=True)):
            home, away = goals(chance, int(y))
            who = [names[k] if season else names[k].replace("é", "e") for k in (i, j)]
            when = day(f"{2022 + season}-08-20", 2 * number, "%d/%m/%Y")
            crowd = f"{9 + number % 20}.{100 + 7 * (number % 100):03d}"
            played = not (season and number >= 129)
            score = f"{home};{away};{'2X1'[y]}" if played else ";;"
            rows.append(f'{1 + number // 6};{when};"{who[0]}";"{who[1]}";{score};{crowd if played else ""};N. N.')
    path = folder / "liga.csv"
    path.write_text("\n".join([*rows, "", ""]), encoding="utf-8-sig")
    return path


def engine_pgn(folder: Path) -> Path:
    """Unfinished match of 300 games: comments with moves, nine in ten drawn, the last game incomplete.

    Comments contain brackets and quotes, the second engine changes its version by half time, and a tag states that one
    game was lost on time.
    """
    chance = np.random.default_rng(303)
    blocks = []
    for number in range(300):
        newer = "Quartz 4.1" if number < 150 else "Quartz 4.1-dev-20250110"
        white = number % 2
        y = int(outcomes(chance, np.array([(25.0, -25.0)[white]]), 0.9)[0])
        result = ("0-1", "1/2-1/2", "1-0")[y]
        tags = {
            "Event": "Fast match",
            "Site": "?",
            "Date": day("2025.01.09".replace(".", "-"), number // 60),
            "Round": f"{1 + number // 2}",
            "White": (newer, "Basalt 12")[white],
            "Black": (newer, "Basalt 12")[1 - white],
            "Result": result,
            "FEN": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "SetUp": "1",
            "GameDuration": "00:01:07",
            "TimeControl": "10+0.1",
            "PlyCount": str(60 + number),
            "Termination": "time forfeit" if number == 77 else "adjudication",
        }
        first = f'1. d4 {{+0.2{number % 10}/14 0.50s}} Nf6 {{-0.12/15 "book" [%eval 0.1]}}'
        moves = f"{first} 2. c4 {{[x] 1.2s}} e{5 + number % 2} *"
        blocks.append("\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), "", moves[:-1] + result, ""]))
    blocks.append(
        '[Event "Fast match"]\n[White "Basalt 12"]\n[Black "Quartz 4.1-dev-20250110"]\n[Result "*"]\n\n1. d4 {+0.'
    )
    path = folder / "match.pgn"
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path


def arena_jsonl(folder: Path) -> Path:
    """Votes of an arena: nested columns, missing votes, both bad, a model under two names, an empty line.

    The vote is spelt in five ways, times are seconds since 1970, some judges are missing.
    """
    chance = np.random.default_rng(304)
    names = [f"{family}-{size}" for family in ("llama", "qwen", "gemma") for size in ("2b", "9b", "70b")]
    names += ["gpt-5-mini", "GPT-5-mini", "claude-été"]
    rating = spread(chance, len(names), 1000.0, 110.0)
    rating[names.index("GPT-5-mini")] = rating[names.index("gpt-5-mini")]
    lines = []
    for number in range(1500):
        i = int(chance.integers(0, len(names)))
        j = int((i + chance.integers(1, len(names))) % len(names))
        if names[i].casefold() == names[j].casefold():  # one model under two names does not meet itself
            continue
        y = int(outcomes(chance, np.array([rating[i] - rating[j] + 15.0]), 0.3)[0])
        word = ("model_b", ("tie", "tie (bothbad)", "both_bad")[number % 3], "model_a")[y]
        row = {
            "id": f"{number:06x}",
            "model_a": names[i],
            "model_b": names[j],
            "winner": None if number % 200 == 99 else word,
            "judge": "" if number % 300 == 11 else f"user_{number % 41}",
            "tstamp": 1_735_689_600.5 + 37 * number,
            "conv_metadata": {"sum_assistant_a_tokens": 200 + number % 97, "sum_assistant_b_tokens": 210 + number % 89},
            "language": ("English", "Português", "日本語")[number % 3],
            "turn": 1,
        }
        lines.append(json.dumps(row, ensure_ascii=bool(number % 2)))
    lines.insert(700, "")
    path = folder / "votes.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    return path


FILES: dict[str, Callable[[Path], Path]] = {
    "a club's PGN": club_pgn,
    "a football CSV": football_csv,
    "an engine match": engine_pgn,
    "an arena's JSON lines": arena_jsonl,
}

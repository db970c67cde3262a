"""Wins, draws and losses by player of a file as its first command reads it, beside the truth of manifest.json."""

import json
from collections import Counter
from pathlib import Path

from halfpoint.models.games.errors import HalfpointError
from halfpoint.readers.read import read

FOLDER = Path(__file__).parent
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


def read_as_commanded(entry, folder=FOLDER):
    """The table that the first command of a manifest's entry reads."""
    command, path = entry["first_command"].split()[1], folder / entry["file"]
    if command == "leaderboard":
        from halfpoint.apps.fields.arena.read import read_judgements

        return read_judgements(path).games
    if command == "races":
        from halfpoint.apps.fields.races.read import read_races

        return read_races(path)
    return read(path)


def tally(games):
    """Wins, draws and losses of each player of a table of games."""
    found = {name: [0, 0, 0] for name in games.players.tolist()}
    weight = games.weight if games.weight is not None else [1.0] * len(games)
    for one, other, score, times in zip(games.white_names, games.black_names, games.score, weight, strict=True):
        place = int(2 - 2 * score)
        found[str(one)][place] += times
        found[str(other)][2 - place] += times
    return found


def status(entry, folder=FOLDER):
    """Classify a file as understood, read wrongly, or stopped, with the notes or the message."""
    try:
        games = read_as_commanded(entry, folder)
    except HalfpointError as error:
        return "stopped", str(error)
    notes = " / ".join(getattr(games, "notes", ()))
    if entry["truth"] is None:
        return "read", f"{len(games)} rows; {notes}"
    found, truth = tally(games), entry["truth"]
    same = found == truth
    if not same and not set(found) & set(truth):  # other names of the same people, such as ids
        same = Counter(map(tuple, found.values())) == Counter(map(tuple, truth.values()))
    unlike = {one: (found.get(one), truth.get(one)) for one in {*found, *truth} if found.get(one) != truth.get(one)}
    odd = "" if same else str(unlike)[:400]
    return ("understood" if same else "wrong"), f"{len(games)} games; {odd}{notes}"


if __name__ == "__main__":
    import sys

    total = Counter()
    for entry in MANIFEST:
        if len(sys.argv) > 1 and not any(word in entry["file"] for word in sys.argv[1:]):
            continue
        try:
            kind, what = status(entry)
        except Exception as error:
            kind, what = "CRASH", repr(error)[:300]
        total[kind] += 1
        print(f"{kind:10} {entry['file']}\n           {what[:900]}")
    print(dict(total))

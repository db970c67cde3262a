"""Strict scores: wins, draws and losses by player of a file as read by its first command, compared with the truth.

Each folder of files has a manifest.json with form, source, first command and truth; the truth of a ranking is the number
of competitors behind, level and ahead. `python tests/readers/strangers/tally.py FOLDER ... [--words]` prints the scores.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from halfpoint.models.games.errors import HalfpointError
from halfpoint.readers.read import read

FOLDER = Path(__file__).parent
TRACKERS = FOLDER / "trackers"  # forms of public trackers, which no reader knew when they were written


def manifest_of(folder):
    """Entries of a folder's manifest."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


MANIFEST = manifest_of(FOLDER)


def read_as_commanded(entry, folder=FOLDER):
    """Table read by the first command of a manifest's entry."""
    command, path = entry["first_command"].split()[1], folder / entry["file"]
    if command == "leaderboard":
        from halfpoint.apps.fields.arena.read import read_judgements

        return read_judgements(path).games
    if command == "races":
        from halfpoint.apps.fields.races.read import read_races

        return read_races(path)
    return read([path, *(folder / name for name in entry["with"])] if "with" in entry else path)


def tally(games):
    """Wins, draws and losses of each player of a table of games, or of each pair of competitors of an event."""
    if hasattr(games, "competitors"):
        return _tally_of_events(games)
    people = {name: [name] for name in games.players.tolist()}
    if games.sides is not None:
        members = [games.sides.people[side[side >= 0]].tolist() for side in games.sides.members]
        people = dict(zip(people, members, strict=True))
    counts = {name: [0, 0, 0] for names in people.values() for name in names}
    weight = games.weight if games.weight is not None else [1.0] * len(games)
    for one, other, score, times in zip(games.white_names, games.black_names, games.score, weight, strict=True):
        place = int(2 - 2 * score)
        for name in people[str(one)]:
            counts[name][place] += times
        for name in people[str(other)]:
            counts[name][2 - place] += times
    return counts


def _tally_of_events(events):
    """Competitors behind, level and ahead by competitor, over all events."""
    counts = {name: [0, 0, 0] for name in events.competitors.tolist()}
    for start, stop in zip(events.start[:-1], events.start[1:], strict=True):
        for one in range(start, stop):
            for other in range(start, stop):
                gap = int(events.group[one]) - int(events.group[other])
                if one != other:
                    counts[str(events.competitors[events.who[one]])][1 + (gap > 0) - (gap < 0)] += 1
    return counts


def status(entry, folder=FOLDER):
    """Classify a file: understood, other names, read (no truth), wrong or stopped, with notes or message."""
    try:
        games = read_as_commanded(entry, folder)
    except HalfpointError as error:
        return "stopped", str(error)
    notes = " / ".join(getattr(games, "notes", ()))
    if entry["truth"] is None:
        return "read", f"{len(games)} rows; {notes}"
    counts, truth = tally(games), entry["truth"]
    if counts == truth:
        return "understood", f"{len(games)} games; {notes}"
    if not set(counts) & set(truth) and Counter(map(tuple, counts.values())) == Counter(map(tuple, truth.values())):
        return "other names", f"{len(games)} games; {notes}"  # of the same people, such as ids
    unlike = {one: (counts.get(one), truth.get(one)) for one in {*counts, *truth} if counts.get(one) != truth.get(one)}
    return "wrong", f"{len(games)} games; {str(unlike)[:400]}{notes}"


def main(folders, words):
    """Print the number of files of each class by folder, and the files that are not understood."""
    for folder in map(Path, folders):
        total = Counter()
        for entry in manifest_of(folder):
            try:
                kind, what = status(entry, folder)
            except Exception as error:
                kind, what = "CRASH", repr(error)
            total[kind] += 1
            if words or kind not in ("understood", "read", "other names"):
                print(f"{kind:10} {entry['file']}\n           {what[:600]}")
        print(folder.name, dict(total))


if __name__ == "__main__":
    main([one for one in sys.argv[1:] if one != "--words"] or [FOLDER, TRACKERS], "--words" in sys.argv)

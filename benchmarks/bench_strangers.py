"""Reading of files in the formats of public programs, compared with the true wins, draws and losses.

    python benchmarks/bench_strangers.py

Each set has files with their truth (`tests/readers/strangers`). A file is right if every player has the wins, draws and
losses of the truth; it is stopped with one line; or it is misread. A false alarm is a file that the trial stops
although it was read correctly (with `--trust` it gives the truth). Lines of code are counted without docstrings.
"""

import io
import sys
import tempfile
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests/readers"))

from strangers import anew_forms, fresh_forms, further_forms, own_forms, third_forms  # noqa: E402
from strangers.tally import FOLDER, TRACKERS, manifest_of, status, tally  # noqa: E402

from halfpoint.apps.fields.races.read import read_races  # noqa: E402
from halfpoint.models.games.errors import HalfpointError  # noqa: E402
from halfpoint.readers.read import read  # noqa: E402

CERTAIN = "games whose reading is certain"  # in the message of a trial


def of_manifest(folder):
    """Outcome of each file of a manifest with a truth, and True for a false alarm."""
    names = {"understood": "right", "other names": "right", "wrong": "misread", "stopped": "stopped"}
    for entry in manifest_of(folder):
        if entry["truth"] is not None:
            kind, what = status(entry, folder)
            yield names[kind], CERTAIN in what, entry["file"]


def of_forms(forms, races=False):
    """Outcome of each written form, and True for a false alarm."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (ending, content, truth) in forms.items():
            path = Path(folder) / f"{name}.{ending}"
            path.write_bytes(content)
            try:
                yield ("right" if tally((read_races if races else read)(path)) == truth else "misread"), False, name
            except HalfpointError as error:
                alarm = CERTAIN in str(error)
                yield "stopped", alarm and tally(read(path, trust=True)) == truth, name


def lines_of_code(folder):
    """Number of lines with code in the Python files of a folder, without comments and docstrings."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    total = 0
    for file in folder.rglob("*.py"):
        lines, before = set(), tokenize.INDENT
        for token in tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline):
            text = token.type == tokenize.STRING and before in (tokenize.INDENT, tokenize.NEWLINE, tokenize.ENCODING)
            if token.type not in skipped and not text:
                lines |= {*range(token.start[0], token.end[0] + 1)}
            before = token.type if token.type not in (tokenize.COMMENT, tokenize.NL) else before
        total += len(lines)
    return total


def main():
    """Print the table of sets."""
    sets = {
        "public reports": of_manifest(FOLDER),
        "public trackers": of_manifest(TRACKERS),
        "typed from descriptions": of_forms(own_forms.FORMS | further_forms.FORMS | third_forms.FORMS),
        "typed after the readers": of_forms(anew_forms.FORMS),
        "typed by a fresh author": (*of_forms(fresh_forms.FORMS), *of_forms(fresh_forms.RACES, races=True)),
    }
    print("| set | files | right | stopped | misread | false alarms |\n|---|--:|--:|--:|--:|--:|")
    for name, outcomes in sets.items():
        results = list(outcomes)
        count, alarms = Counter(kind for kind, _, _ in results), sum(alarm for _, alarm, _ in results)
        print(f"| {name} | {len(results)} | {count['right']} | {count['stopped']} | {count['misread']} | {alarms} |")
        for kind, _, file in results:
            if kind == "misread":
                print(f"misread: {file}", file=sys.stderr)
    print(f"\nLines of code in readers/: {lines_of_code(ROOT / 'readers'):,}")


if __name__ == "__main__":
    main()

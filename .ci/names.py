"""Bindings with uninformative names, by folder: python .ci/names.py [--files] [FOLDER ...].

Counts assigned names and arguments that are in a list of words; models of other packages of the field have 0.0 to 0.1%.
`--files` lists the files with most of them. Exit code 1 above 1% in any folder.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

VAGUE = {
    "one", "found", "known", "made", "told", "kept", "here", "there", "whole", "own", "other", "others", "given",
    "held", "seen", "apart", "rest", "more", "both", "each", "every", "where", "now", "asked", "mine", "theirs",
    "laid", "behind", "beside",
}  # fmt: skip
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
MOST_PERCENT = 1.0


def bindings(text: str) -> Iterator[str]:
    """Assigned names and arguments of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def main() -> int:
    """Print the share of each folder, and files on request."""
    highest, by_file = 0.0, Counter[str]()
    for folder in [word for word in sys.argv[1:] if not word.startswith("-")] or FOLDERS:
        names = {str(path): Counter(bindings(path.read_text("utf-8"))) for path in Path(folder).rglob("*.py")}
        count = sum(counter.total() for counter in names.values())
        vague = Counter[str]()
        for path, counter in names.items():
            of_file = {name: number for name, number in counter.items() if name in VAGUE}
            vague.update(of_file)
            by_file[path] += sum(of_file.values())
        percent = 100.0 * vague.total() / max(count, 1)
        highest = max(highest, percent)
        words = ", ".join(f"{name} {number}" for name, number in vague.most_common(6))
        sys.stdout.write(f"names: {folder:12s} {percent:4.1f}% of {count:,} bindings say nothing: {words}\n")
    if "--files" in sys.argv:
        sys.stdout.writelines(f"{number:5d} {path}\n" for path, number in by_file.most_common(40) if number)
    return int(highest > MOST_PERCENT)


if __name__ == "__main__":
    sys.exit(main())

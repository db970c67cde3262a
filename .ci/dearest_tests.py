"""Print the slowest tests of two runs of the fast suite as a table: cases and CPU seconds by test function.

Each file is what a run wrote with `HALFPOINT_TESTS_CPU=FILE make test`: seconds and name of a test in every line.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

COUNT = 50


def read(path):
    """Cases and CPU seconds of each test function."""
    cases, seconds = Counter(), Counter()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        value, name = line.split("\t", 1)
        function = name.partition("[")[0].removeprefix("tests/").replace(".py::", " ")
        cases[function] += 1
        seconds[function] += float(value)
    return cases, seconds


def main():
    """Print the table, and the totals of all tests."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    (old, cost), (new, left) = map(read, vars(parser.parse_args()).values())
    lines = ["| function | cases before | CPU s before | cases after | CPU s after |", "|---|--:|--:|--:|--:|"]
    rows = [(name, old[name], cost[name], new[name], left[name]) for name, _ in cost.most_common(COUNT)]
    rows.append((f"all {len(old):,} and {len(new):,} functions", old.total(), cost.total(), new.total(), left.total()))
    for name, *numbers in rows:
        lines.append(f"| {name} | {numbers[0]:,} | {numbers[1]:.1f} | {numbers[2]:,} | {numbers[3]:.1f} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

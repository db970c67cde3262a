"""Kill every command that writes at random moments over a good result: `python tests/apps/cli/kill_campaign.py`.

Each of four signals is tried at each moment: half of the moments are anywhere in the run, half in its last fifth, when
it writes. After a tenth of the interrupted runs the same command runs again. The table is updated after each run, and a
campaign with the same table resumes; the exit code is 1 if any run left files that are neither the older nor the newer
result.
"""

import argparse
import csv
import itertools
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "fields" / "races"))
sys.path.insert(0, str(Path(__file__).parents[2] / "helpers"))

from good_results import BROKEN, CODES, DONE, FULL, INTERRUPTED, GoodResult
from writing_commands import WRITING, make_inputs
from zygote import Zygote, shim

LATE, SHARE_LATE = 0.8, 0.5
RERUNS = 10  # one of so many
WRITES, SHARE_ONCE = 7, 0.5  # a run of `rate` has five
COUNTS = ("runs", "ended", "old", "new", "reruns", "failed")


def moment(chance, seconds):
    """Seconds until the signal."""
    return chance.uniform(LATE if chance.random() < SHARE_LATE else 0.0, 1.0) * seconds


def kill(result, number, chance):
    """Kill a command once."""
    return result.kill(number, moment(chance, result.seconds))


def fail(result, error, chance):
    """Let one write fail, or that and all later writes; then resume."""
    return result.fail(error, chance.randint(1, WRITES), error == INTERRUPTED or chance.random() < SHARE_ONCE)


def tried(result, how, which, chance, rerun):
    """Try one failure; return the counted outcome."""
    counted = Counter(runs=1)
    try:
        ended, new = how(result, which, chance)
        counted.update(ended=ended, new=new, old=not new)
        if ended and rerun:
            result.rerun()
            counted["reruns"] += 1
    except Exception as error:  # a campaign goes on
        kept = shutil.copytree(result.run, tempfile.mkdtemp(prefix="stopped-"), dirs_exist_ok=True)
        print(
            f"{result.name}, {which}, {chance if isinstance(chance, int) else ''}: {error!r:.500} (kept as {kept})",
            flush=True,
        )
        counted["failed"] += 1
    return counted


def each_call(result, counted):
    """Let each system call of a command on its folder fail, one per run, until all have been tried."""
    for at in range(counted["runs"] + 1, result.calls() + 1):
        counted += tried(result, lambda one, error, n=at: one.fail(error, n, True, "all"), BROKEN, at, at % RERUNS == 0)


def read(path):
    """Counts of a table by command; none without a table."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row.pop("command"): Counter({key: int(row[key]) for key in COUNTS}) for row in csv.DictReader(file)}


def write(path, table):
    """Write the counts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["command", *COUNTS])
        rows.writerows([name, *(counted[key] for key in COUNTS)] for name, counted in table.items())


def main():
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--moments", type=int, default=50, help="of each command, with each of four signals (or three errors)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", default=",".join(name.replace(",", ";") for name in WRITING), help="with commas")
    parser.add_argument("--table", type=Path, default=Path("killed.csv"))
    parser.add_argument("--faults", action="store_true", help="not killed: their writes fail, by each of three errors")
    parser.add_argument("--calls", action="store_true", help="every call of the system on the folder fails, one a run")
    given = parser.parse_args()
    names, table = [name.replace(";", ",") for name in given.commands.split(",")], read(given.table)
    how, kinds = (fail, (FULL, BROKEN, INTERRUPTED)) if given.faults else (kill, tuple(CODES))
    with tempfile.TemporaryDirectory() as place:
        zygote = Zygote(**(shim(Path(place)) if given.faults or given.calls else {}))

        def run(words):
            code, _, errors, _ = zygote.run(words, place)
            assert code in DONE, errors

        make_inputs(run, Path(place), names)
        for name in names:
            counted = table.setdefault(name, Counter())
            done = counted["runs"] // len(kinds)
            if done >= given.moments and not given.calls:
                continue
            result = GoodResult(name, Path(place), zygote)
            if given.calls:
                each_call(result, counted)
                write(given.table, table)
            for at, which in itertools.product(() if given.calls else range(done, given.moments), kinds):
                chance = random.Random(f"{given.seed} {name} {at} {which}")
                counted += tried(result, how, which, chance, counted["ended"] % RERUNS == 0)
                if which == kinds[-1]:
                    write(given.table, table)
            print(f"{name}: " + ", ".join(f"{counted[key]} {key}" for key in COUNTS), flush=True)
        zygote.close()
    return 1 if any(counted["failed"] for counted in table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Power cuts at every write of a command: `python tests/apps/cli/power_cuts.py` (Linux, root, each mkfs).

A command runs over an older result with another setting, on a file system whose disk logs its writes
(`logged_disk.py`). Then the disk is restored as it was after each prefix of that log, and mounted. After the next
command there has completed pending renames, the files must be exactly the older or the newer result, and the newer one
if the command had exited. After a tenth of the cuts the same command runs again, without --force, and must give the
newer result. The exit code is 1 if any cut leaves other files. With --lost, fsync does nothing, which shows the effect
of the order of writes.
"""

import argparse
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "fields" / "races"))
sys.path.insert(0, str(Path(__file__).parents[2] / "helpers"))

from good_results import DONE, GoodResult
from logged_disk import FLUSH, Disk, call, mounted
from writing_commands import make_inputs
from zygote import Zygote, shim

MEBI = 2**20
DISKS = {  # by name: its size, how it is made and mounted
    "ext4": (48, ("mkfs.ext4", "-q", "-J", "size=4"), "noauto_da_alloc"),
    "ext4, auto_da_alloc": (48, ("mkfs.ext4", "-q", "-J", "size=4"), "auto_da_alloc"),
    "xfs": (320, ("mkfs.xfs", "-q"), "defaults"),
    "btrfs": (128, ("mkfs.btrfs", "-q"), "defaults"),
}
COMMANDS = ("rate", "bridge score", "list", "rank, page", "simulate")
RERUNS = 10  # one of so many


def made_disk(kind, place, result):
    """Disk image with the old result and the inputs of a command."""
    size, make, _ = DISKS[kind]
    image, root = place / "image", place / "made"
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(size * MEBI)
    call(*make, image)
    root.mkdir(exist_ok=True)
    call("mount", "-o", "loop", image, root)
    try:
        shutil.copytree(result.folder / "inputs", root / "inputs")
        shutil.copytree(result.folder / "run", root / "run")
        os.sync()
    finally:
        call("umount", root)
    return image


def logged(kind, place, result, image, lost):
    """Writes of a command on a disk, and their number at its exit."""
    disk, log = Disk(image), place / "log"
    with mounted(disk, place, DISKS[kind][2], log) as root:
        code, _, errors, _ = result.zygote.run(result.words, root, **({"FAULT_SYNC": "1"} if lost else {}))
        done = disk.written()
        assert code in DONE, errors
        time.sleep(1.0)
    return pickle.loads(log.read_bytes()), done


def cut(kind, place, result, disk, ended, rerun):
    """Check the state of a disk; return True if it has the new result."""
    at_home = result.folder, result.run
    with mounted(disk, place, DISKS[kind][2]) as root:
        result.folder, result.run = root, root / "run"
        try:
            new = result.is_new()
            assert new or not ended, "the old result after the command's exit"
            if rerun:
                result.rerun()
        except Exception as error:  # a campaign goes on
            sizes = {path.relative_to(root).as_posix(): path.stat().st_size for path in (root / "run").rglob("*")}
            return f"{error!r:.300} {sizes}"
        finally:
            result.folder, result.run = at_home
    return "new" if new else "old"


def main():
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", default=",".join(name.replace(",", ";") for name in COMMANDS), help="with commas")
    parser.add_argument("--disks", default=",".join(name.replace(",", ";") for name in DISKS), help="with commas")
    parser.add_argument("--most", type=int, default=10_000, help="cuts of each command on each disk")
    parser.add_argument("--lost", action="store_true", help="fsync does nothing")
    given = parser.parse_args()
    names, disks = ([one.replace(";", ",") for one in text.split(",")] for text in (given.commands, given.disks))
    cuts = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        zygote = Zygote(**shim(place))

        def run(words):
            code, _, errors, _ = zygote.run(words, place)
            assert code in DONE, errors

        make_inputs(run, place, names)
        for name in names:
            result = GoodResult(name, place, zygote)
            result.restore()
            for kind in disks:
                if not shutil.which(DISKS[kind][1][0]):
                    print(f"{name} on {kind}: no {DISKS[kind][1][0]}", flush=True)
                    continue
                image = made_disk(kind, place, result)
                log, done = logged(kind, place, result, image, given.lost)
                disk, counted, wrong = Disk(image), Counter(), []
                writes = [number for number, one in enumerate(log) if one != FLUSH]
                step = max(1, len(writes) // given.most)
                for number, (at, content) in enumerate([*log, FLUSH]):
                    if number == len(log) or (number in writes[::step]) or number == done:
                        found = cut(kind, place, result, disk, number >= done, counted.total() % RERUNS == 0)
                        counted[found if found in ("old", "new") else "neither"] += 1
                        wrong += [f"after {number} of {done}, {len(log)}: {found}"] * (found not in ("old", "new"))
                    disk.write(at, content)
                print(f"{name} on {kind}: {len(log)} writes and flushes, {done} at its exit, {counted.total()} cuts, "
                      f"{counted['old']} old, {counted['new']} new, {counted['neither']} neither",
                      *wrong[:5], sep="\n  ", flush=True)  # fmt: skip
                cuts, failed = cuts + counted.total(), failed + counted["neither"]
        zygote.close()
    print(f"{cuts} cuts, {failed} neither old nor new")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

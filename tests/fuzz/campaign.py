"""Long campaign of damaged files: `python tests/fuzz/campaign.py --inputs 2000 --seed 1`, one line for each kind of
file.
"""

import argparse
import collections
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "readers"))
sys.path.insert(0, str(Path(__file__).parent))
from fuzzed_readers import SUITED, check
from mutations import SOUND, mutate
from written import SHARE, sound


def main() -> int:
    """Run the campaign; the exit code is 1 if a reader fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=2000, help="damaged files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(SUITED), help="kinds of files, separated by commas")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games"
        for kind in arguments.kinds.split(","):
            whole = SOUND[kind] if kind in SOUND else sound(kind)
            inputs = max(1, arguments.inputs // SHARE.get(kind, 1))
            chance = np.random.default_rng([arguments.seed, *kind.encode()])
            count: collections.Counter[str] = collections.Counter()
            slowest = 0.0
            for _ in range(inputs):
                path.unlink(missing_ok=True)  # a file that is emptied and filled is flushed to disk: most of the time
                path.write_bytes(mutate(whole, chance))
                for reader in SUITED[kind]:
                    start = time.perf_counter()
                    try:
                        count["read" if check(reader, path) else "refused"] += 1
                    except Exception as error:
                        count["failed"] += 1
                        kept = Path(f"fuzz-{kind}-{count['failed']}.bin")
                        if count["failed"] <= 3:
                            kept.write_bytes(path.read_bytes())
                            print(f"{reader}: {type(error).__name__}: {str(error)[:200]} (kept as {kept})")
                    slowest = max(slowest, time.perf_counter() - start)
            failures += count["failed"]
            tally = ", ".join(f"{count[key]} {key}" for key in ("read", "refused", "failed"))
            print(
                f"{kind:14} {inputs} inputs, {count.total()} readings: {tally}; slowest {slowest:.2f} s",
                flush=True,
            )
    status = Path("/proc/self/status")
    if status.exists():
        print(f"peak memory {int(status.read_text().split('VmHWM:')[1].split()[0]) / 1024:.0f} MiB")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())

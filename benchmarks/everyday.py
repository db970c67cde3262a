"""Simulated files by `halfpoint rate FILE` without options: exit, CPU seconds, coverage, forecasts, warnings.

    .venv/bin/python benchmarks/everyday.py                        # every kind of `everyday_kinds`, seeds 0 and 1
    .venv/bin/python benchmarks/everyday.py --kinds "match of 20; club with ratings" --seeds 4
    .venv/bin/python benchmarks/everyday.py --files A.csv B.pgn    # own files: ends, CPU seconds, verdict

A row a kind: CPU seconds of the whole command in units of `import pymc` (user + system, the longest of the seeds; a
unit is measured beside each run, since CPU seconds grow where other processes share the caches); the share of 95%
intervals of ratings, less their mean, that contain the truth; the slope of true on forecast scores of all pairs; the
median width of an interval in Elo; failures. A kind fails if a run does not end, exits with another code than 0, is
not converged, or reports a deviation that the games do not have; if intervals cover less than 85%; if the slope is
outside 0.75 to 1.35 (8 players and 4 seeds or more); if intervals are wider than 700 Elo in a file with ratings; or
if it takes longer than its limit. The exit code is the number of kinds that fail.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from everyday_kinds import ELO, KINDS

FALSE = ("tronger players draw", "layers far apart draw", "differ in their inclination", "differ in their first-seat")


def write(g, path):
    """CSV file as written by users: names, result, and further columns of the design."""
    g.names = [f"P{k:05d}" for k in range(len(g.theta))]
    head = ["white", "black", "result"]
    head += ["date"] if g.day is not None else []
    head += ["event"] if g.event is not None else []
    head += ["round"] if g.round is not None else []
    head += ["white_elo", "black_elo"] if g.rating is not None else []
    order = np.argsort(g.day, kind="stable") if g.day is not None else range(len(g.white))
    day0 = np.datetime64("2024-01-08")
    elo = (lambda i: "" if np.isnan(g.rating[i]) else f"{g.rating[i]:.0f}") if g.rating is not None else None
    with path.open("w") as f:
        f.write(",".join(head) + "\n")
        for k in order:
            row = [g.names[g.white[k]], g.names[g.black[k]], {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[g.score[k]]]
            row += [str(day0 + np.timedelta64(int(g.day[k]), "D"))] if g.day is not None else []
            row += [g.event[k]] if g.event is not None else []
            row += [str(g.round[k])] if g.round is not None else []
            row += [elo(g.white[k]), elo(g.black[k])] if elo else []
            f.write(",".join(row) + "\n")


def run(args, limit):
    """CPU seconds, exit code (None: ended by the limit, in wall seconds), output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        p = subprocess.run(args, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL, env=env)
        code, out, err = p.returncode, p.stdout, p.stderr
    except subprocess.TimeoutExpired:
        code, out, err = None, "", ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code, out, err


def unit_of():
    """CPU seconds of `import pymc` now, the smaller of two runs."""
    return min(run([sys.executable, "-c", "import pymc"], 120)[0] for _ in range(2))


def here(args, limit):
    """CPU seconds of `rate` in this process, exit code, output."""
    from halfpoint.apps import workflows

    start = time.process_time()
    try:
        record = workflows.rate(args[2]).record()
    except Exception as error:  # a row of the table
        return time.process_time() - start, 2, "", str(error)
    return time.process_time() - start, 0, json.dumps(record, default=str), ""


def judge(answer, g):
    """Comparison of a list with the truth."""
    at = {name: k for k, name in enumerate(g.names)}
    rows = [r for r in answer["rows"] if r["player"] in at]
    truth = np.array([g.theta[at[r["player"]]] for r in rows])
    mean, low, high = (np.array([r[c] for r in rows]) for c in ("rating_elo", "low_elo", "high_elo"))
    pull = np.array([r.get("games", 1) for r in rows], float)
    wide = high - low
    unit = ELO if g.draws is None else ELO * 2 / (2 + np.exp(g.draws))  # Elo points of a natural unit between equals
    t = (truth - np.average(truth, weights=pull)) * unit
    m = mean - np.average(mean, weights=pull)
    inside = np.mean((t >= m - (mean - low)) & (t <= m + (high - mean)))
    i, j = np.triu_indices(len(t), 1)
    if len(i) > 20000:
        some = np.random.default_rng(0).choice(len(i), 20000, replace=False)
        i, j = i[some], j[some]
    f, e = np.tanh((m[i] - m[j]) / ELO / 2) / 2, np.tanh((t[i] - t[j]) / ELO / 2) / 2
    leads = [w for w in answer.get("not_told", []) if any(x in w for x in FALSE) and not (g.lead and g.lead in w)]
    return {
        "inside": inside,
        "wide": float(np.median(wide)),
        "fe": float(f @ e),
        "ff": float(f @ f),
        "leads": leads,
        "converged": answer["converged"],
        "approximate": answer["approximate"],
        "model": answer["model"],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default="")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--limit", type=float, default=400.0, help="wall seconds of one run")
    parser.add_argument("--halfpoint", default=str(Path(sys.executable).parent / "halfpoint"))
    parser.add_argument("--here", action="store_true", help="rate in this process, without imports and the page")
    options = parser.parse_args()
    unit = unit_of()
    print(f"`import pymc`: {unit:.2f} CPU s\n")
    fallen = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.files:
            cpu, code, out, err = run(
                [options.halfpoint, "rate", name, "--out", f"{folder}/o", "--json"], options.limit
            )
            verdict = (
                json.loads(out)["verdict"][:70]
                if code == 0
                else (err.strip().splitlines() or ["did not end"])[-1][:110]
            )
            print(f"{Path(name).name:40s} {cpu / unit:6.1f}  {verdict}", flush=True)
            fallen += code != 0
        if options.files:
            return fallen
        print(f"{'kind':40s} {'CPU':>6s} {'limit':>5s} {'95%':>4s} {'slope':>5s} {'width':>6s}  model; what falls")
        for kind in [k.strip() for k in options.kinds.split(";")] if options.kinds else KINDS:
            design, limit = KINDS[kind]
            rows, why, longest = [], set(), 0.0
            for seed in range(options.first, options.first + options.seeds):
                g = design(np.random.default_rng([seed, 62]))
                path = Path(folder) / "games.csv"
                write(g, path)
                answer = here if options.here else run
                cpu, code, out, err = answer(
                    [options.halfpoint, "rate", str(path), "--out", f"{folder}/{seed}", "--json"], options.limit
                )
                longest = max(longest, cpu / unit_of())
                if code != 0:
                    why.add("did not end" if code is None else (err.strip().splitlines() or ["?"])[-1][:100])
                    continue
                row = judge(json.loads(out), g)
                rows.append(row)
                if row["leads"]:
                    why.add("false lead: " + row["leads"][0][:48])
                if not row["converged"] or row["approximate"]:
                    why.add("not converged" if not row["converged"] else "approximate")
            if longest > limit:
                why.add("slow")
            shares = [f["inside"] for f in rows]
            slope = sum(f["fe"] for f in rows) / max(sum(f["ff"] for f in rows), 1e-9) if rows else np.nan
            wide = float(np.median([f["wide"] for f in rows])) if rows else np.nan
            if rows and np.mean(shares) < 0.85:
                why.add("intervals")
            if len(rows) > 3 and len(g.theta) > 7 and not 0.75 <= slope <= 1.35:
                why.add("slope")
            if rows and g.rating is not None and wide > 700:
                why.add("level")
            fallen += bool(why)
            models = ", ".join(sorted({f["model"] for f in rows}))
            covered = 100 * np.mean(shares) if shares else np.nan
            cells = f"{kind:40s} {longest:6.1f} {limit:5d} {covered:4.0f} {slope:5.2f} {wide:6.0f}"
            print(f"{cells}  {models}; {'; '.join(sorted(why)) or '-'}", flush=True)
    print(f"\n{fallen} kinds fall")
    return fallen


if __name__ == "__main__":
    sys.exit(min(main(), 100))

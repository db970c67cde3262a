"""Strength by context compared with a common strength (pooled) and separate fits for each context (separate).

    python benchmarks/bench_context.py [tennis | tempo | arena | task | model | spreads] ...

runs parts and writes each into context.md. `tennis` and `tempo` need HALFPOINT_DATA_DIR; no single game is written. All
models are fitted once by weighted normal draws, before the games that are forecast.
"""

import re
import sys
import time
from functools import partial
from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd
import records
from yardstick import table_of
from yardstick_games import folder
from yardstick_games import split as seasons

from halfpoint.evaluation.differences import paired_errors
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.gaussian import gaussian_draws, unweighted_draws
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.newcomers import takes_newcomers, with_newcomers
from halfpoint.models.games.select import select
from halfpoint.models.games.time_classes import time_classes
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.readers.read import read

REPORT = Path(__file__).with_name("context.md")
COLUMN = "context"
IN_CONTEXT = " with strength ~ 1 | player:context"


def table(frame):
    """Games with their context as a column."""
    return read(frame, covariates=(COLUMN,))


def learned(model, frame, draws=250):
    """Trace of a model on games, and CPU seconds."""
    games, begun = table(frame), time.process_time()
    tree = fit(declare(model, select(games, games.players, "both")), "normal", draws=draws, pointwise_draws=0)
    return tree, time.process_time() - begun


def chances(tree, frame):
    """Chances of loss, draw and win, (game, outcome), with newcomers from the population of the trace."""
    games = table(frame)
    order = {key: k for k, key in enumerate(zip(*keys_of(games), strict=True))}
    rows = [order[str(a), str(b), str(d)[:10]] for a, b, d in frame[["white", "black", "date"]].to_numpy()]
    known = tree["posterior"]["player"].to_numpy().astype(str)
    new = np.setdiff1d(games.people, known).tolist() if takes_newcomers(tree) else []  # others are at their rating
    found = forecast(with_newcomers(tree, new), games).probability.mean(axis=(1, 2)).T[rows]
    return found / found.sum(axis=1, keepdims=True)


def keys_of(games):
    """Sides and date of each game as texts, because a table may have another order than its frame."""
    return games.white_names.astype(str), games.black_names.astype(str), [str(day)[:10] for day in games.date]


def apart(model, before, coming):
    """Chances from separate fits of the games of each context, and total CPU seconds."""
    found, used = np.full((len(coming), 3), np.nan), 0.0
    for level, some in coming.groupby(COLUMN):
        tree, seconds = learned(model, before[before[COLUMN] == level])
        found[coming.index.get_indexer(some.index)] = chances(tree, some)
        used += seconds
    return found, used


def lost(probability, frame):
    """Log score of each game in nats."""
    outcome = np.rint(2.0 * frame["score"].to_numpy()).astype(int)
    return -np.log(np.maximum(probability[np.arange(len(frame)), outcome], 1e-15))


def scored(scores, first, frame, used):
    """Rows of a table: log score, paired difference from the first with its clustered error, CPU seconds."""
    shared = [frame[name].to_numpy().astype(str) for name in ("event", "white", "black")]
    for name, value in scores.items():
        gap = paired_errors(value - scores[first], *shared)
        cell = "0" if name == first else f"{gap.mean:+.4f} ± {gap.two_way:.4f}"
        yield f"| {name} | {value.mean():.4f} | {cell} | {used[name]:.0f} |"


def wrapped(text):
    """Paragraph as lines."""
    return fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)


HEAD = "| | log score | less the first | CPU s |\n|---|--:|--:|--:|"


def spreads(tree):
    """Mean and standard deviation of the estimated spreads, natural units."""
    for name, value in tree["posterior"].data_vars.items():
        if str(name).endswith("_spread") and value.ndim == 2:
            yield f"{name} {float(value.mean()):.2f} ({float(value.std()):.2f})"


def tennis():
    """Write the part on surfaces of the ATP tour."""
    before, judged = seasons("tennis", "2013")
    before = table_of("tennis", [one for one in before if one.season >= "2010"])
    coming = table_of("tennis", judged)
    scores, used, said = {}, {}, ""
    for name, model in (("context", "bt-context-walk"), ("pooled", "bt-entering-walk")):
        tree, used[name] = learned(model, before)
        scores[name] = lost(chances(tree, coming), coming)
        said = said or ", ".join(spreads(tree))
        print(name, scores[name].mean(), used[name], *spreads(tree), flush=True)
    found, used["separate"] = apart("bt-entering-walk", before, coming)
    scores["separate"] = lost(found, coming)
    shares = coming[COLUMN].value_counts()
    lines = [HEAD, *scored(scores, "context", coming, used)]
    few = shares.index[-1]
    lines += ["", f"On {few} alone, {shares[few]} matches:", "", HEAD]
    here = (coming[COLUMN] == few).to_numpy()
    lines += scored({name: value[here] for name, value in scores.items()}, "context", coming[here], used)
    text = f"""
    ATP matches of 2013, {len(coming):,}, forecast from {len(before):,} of 2010 to 2012, frozen;
    `bt-context-walk`, `bt-entering-walk` on all (pooled), and that on each surface alone (separate). Learned
    by the first: {said}.
    """
    return "\n".join([wrapped(text), "", *lines])


def tempo():
    """Write the part on fast chess as information on slow chess: games of 2017 that are not known to be fast."""
    games = read(folder() / "otb-2015-2017.pgn.gz")
    kinds = pd.Series(time_classes(games)).map(TEMPI).fillna(SLOW).to_numpy()
    told = {
        "date": games.date.astype("datetime64[D]").astype(str),
        "white": games.white_names,
        "black": games.black_names,
    }
    told |= {"score": games.score, "event": games.event, COLUMN: kinds}
    frame = pd.DataFrame(told).drop_duplicates(["white", "black", "date"])
    before = frame[frame["date"] < FROM]
    coming = frame[(frame["date"] >= FROM) & (frame[COLUMN] == SLOW)].reset_index(drop=True)
    slow = before[before[COLUMN] == SLOW]
    fast = before[before[COLUMN] != SLOW]
    played = [pd.concat([one["white"], one["black"]]).value_counts() for one in (slow, fast)]
    counts = [[coming[side].map(one).fillna(0).to_numpy() for side in ("white", "black")] for one in played]
    few = [(one < FEW) & (other >= FEW) for one, other in zip(*counts, strict=True)]
    parts = {"all of them": np.ones(len(coming), dtype=bool), "those known by fast games": few[0] | few[1]}
    scores, used, lines, said = {}, {}, [], ""
    pooled, row = "davidson-population", "davidson-context"
    ways = {"context": (row + WITH_DRAWS, before), "pooled": (pooled + WITH_DRAWS, before), "separate": (pooled, slow)}
    for name, (model, learns) in (ways | {"context, one draw level for all": (row, before)}).items():
        tree, used[name] = learned(model, learns)
        scores[name] = lost(chances(tree, coming), coming)
        said = ", ".join(spreads(tree)) if name == "context" else said
        print(name, scores[name].mean(), used[name], *spreads(tree), flush=True)
    for kind, here in parts.items():
        some = {name: value[here] for name, value in scores.items()}
        lines += ["", f"Of {kind}, {here.sum():,} games:", "", HEAD, *scored(some, "context", coming[here], used)]
    text = f"""
    Chess over the board: {len(coming):,} games of 2017 not known to be fast, forecast from {len(before):,} of
    the two years before, {len(slow):,} of them not known to be fast, which `separate` learns alone. Draws have
    a level at each tempo but in the last line. Known by fast games: those of somebody with fewer than {FEW}
    others and at least {FEW} rapid or blitz games. Learned by the first: {said}.
    """
    return "\n".join([wrapped(text), *lines])


FROM, SLOW, FEW = "2017-01-01", "classical", 10
WITH_DRAWS = " with log_draw ~ 1 | context"
TEMPI = {"rapid": "rapid", "online": "rapid", "blitz": "blitz", "bullet": "blitz"}

MODELS, TASKS, DRAWN, SPREAD = 24, 6, 0.3, to_natural(140.0)
ROWS = "davidson-population-even", f"davidson-population-even{IN_CONTEXT}"
SHARES = np.array([0.4, 0.2, 0.15, 0.1, 0.1, 0.05])
LETTERS = np.array([*"ABCDEF"])


def truth_of(rng, together, models=MODELS):
    """Strengths of models in tasks with correlation `together`, natural units, shape (model, task)."""
    own = rng.normal(0.0, SPREAD * np.sqrt(together), models)
    return own[:, None] + rng.normal(0.0, SPREAD * np.sqrt(1.0 - together), (models, TASKS))


def votes(rng, truth, first, second, task):
    """Votes between models in tasks, as a frame."""
    half = np.exp((truth[first, task] - truth[second, task]) / 2.0)
    whole = half + 1.0 / half + np.exp(DRAWN)
    u = rng.random(task.size) * whole
    score = np.where(u < half, 1.0, np.where(u < half + np.exp(DRAWN), 0.5, 0.0))
    names = np.array([f"M{number:02d}" for number in range(len(truth))])
    return pd.DataFrame({"white": names[first], "black": names[second], "score": score, COLUMN: LETTERS[task]})


def any_two(rng, count, models=MODELS):
    """Random pairs of models, (2, count)."""
    first = rng.integers(0, models, count)
    return first, (first + rng.integers(1, models, count)) % models


def means(tree, models, task=None):
    """Strengths of models in a task by name, mean and draws; overall strengths for models without votes in it."""
    posterior = tree["posterior"].to_dataset().stack(sample=("chain", "draw"))
    names = [f"M{number:02d}" for number in range(models)]
    known = posterior["strength"]  # of whom nobody has judged, the others' mean
    drawn = known.reindex(player=names).fillna(known.mean("player")).transpose("player", "sample").to_numpy()
    if task is not None:
        level = [f"{name}:{LETTERS[task]}" for name in names]
        inside = posterior["strength_context"].reindex({"player:context": level}, fill_value=0.0)
        drawn = drawn + inside.transpose("player:context", "sample").to_numpy()
    return drawn


def error(drawn, truth, who=slice(None)):
    """Root mean square error of means, in Elo points, both centred on all models."""
    gap = drawn.mean(axis=1) - truth
    return to_elo(float(np.sqrt(np.mean((gap - gap.mean())[who] ** 2))))


def paired(values):
    """Mean and standard error over repetitions."""
    return f"{np.mean(values):+.1f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.1f}"


def arena():
    """Write the part on tasks of an arena with known truth."""
    lines = [
        "| correlation of tasks | context | pooled, more by | separate, more by | inside 90% | CPU s a fit |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for together in (1.0, 0.9, 0.7, 0.4, 0.0):
        errors, inside, used = [], [], 0.0
        for seed in range(REPEATED):
            rng = np.random.default_rng([seed, int(100 * together)])
            truth = truth_of(rng, together)
            frame = votes(rng, truth, *any_two(rng, 3000), rng.choice(TASKS, 3000, p=SHARES))
            (one, seconds), (pooled, _) = learned(ROWS[1], frame, 250), learned(ROWS[0], frame, 250)
            used += seconds
            row = np.zeros(3)
            for task in range(TASKS):
                here, true = means(one, MODELS, task), truth[:, task] - truth[:, task].mean()
                alone = learned(ROWS[0], frame[frame[COLUMN] == LETTERS[task]], 250)[0]
                row += [error(each, true) / TASKS for each in (here, means(pooled, MODELS), means(alone, MODELS))]
                low, high = np.quantile(here - here.mean(axis=0), (0.05, 0.95), axis=1)
                inside.append(np.mean((low < true) & (true < high)))
            errors.append(row)
        errors = np.array(errors)
        cells = [f"{together}", f"{errors[:, 0].mean():.1f}", *(paired(errors[:, k] - errors[:, 0]) for k in (1, 2))]
        lines.append(f"| {' | '.join(cells)} | {100 * np.mean(inside):.1f}% | {used / REPEATED:.2f} |")
        print(lines[-1], flush=True)
    text = f"""
    {REPEATED} simulated arenas a line: {MODELS} models whose strengths have a spread of 140 Elo in each of
    six tasks, 3,000 votes with ties, 40% of them in the first task and 5% in the last. Columns: root mean square error
    of strengths within a task, Elo points, by the model with contexts; its increase with one strength for all tasks,
    and with a separate fit for each task; share of strengths inside the 90% intervals of the model with contexts.
    """
    return "\n".join([wrapped(text), "", *lines])


REPEATED, FEWER = 8, 5
GRIDS = {"a new task": (0, 100, 300, 900, 1800), "a new model": (0, 10, 30, 90, 180)}
ELSEWHERE, NEW = 800, 4  # votes in each other task; new models


def asked(rng, kind, truth):
    """Votes in other tasks, and those of the last task in their order."""
    last, count = TASKS - 1, GRIDS[kind][-1]
    task = np.repeat(np.arange(last), ELSEWHERE)
    if kind == "a new task":
        return votes(rng, truth, *any_two(rng, task.size), task), votes(
            rng, truth, *any_two(rng, count), np.full(count, last)
        )
    old = MODELS - NEW
    known = np.append(task, np.full(ELSEWHERE, last))
    before = [votes(rng, truth, *any_two(rng, known.size, old), known)]
    new = np.tile(np.arange(old, MODELS), 200)
    before.append(votes(rng, truth, new, rng.integers(0, old, new.size), np.repeat(np.arange(last), new.size // last)))
    new = np.tile(np.arange(old, MODELS), count)
    return pd.concat(before, ignore_index=True), votes(
        rng, truth, new, rng.integers(0, old, new.size), np.full(new.size, last)
    )


def needed(curve, wanted, grid):
    """Number of votes at which a decreasing curve of errors reaches a value, by logarithms; 0 if it starts below."""
    if curve[0] <= wanted:
        return 0.0
    falling = np.minimum.accumulate(curve)
    return float(np.exp(np.interp(-wanted, -falling[1:], np.log(grid[1:])))) if wanted < falling[1] else grid[1] * (
        (falling[0] - wanted) / (falling[0] - falling[1]))  # fmt: skip


def saved(kind):
    """Number of votes at which a separate board has the error of the joint model with fewer votes."""
    grid = GRIDS[kind]
    each, who = (1, slice(None)) if kind == "a new task" else (NEW, slice(MODELS - NEW, None))
    lines = [f"| votes | {' | '.join(map(str, grid))} |", "|---|" + "--:|" * len(grid)]
    found = ["| correlation | votes alone | error, Elo | saved |", "|---|--:|--:|--:|"]
    for together in (0.5, 0.8, 0.95):
        curves = np.zeros((FEWER, 2, len(grid)))
        for seed in range(FEWER):
            rng = np.random.default_rng([seed, int(100 * together), len(kind)])
            truth = truth_of(rng, together)
            before, coming = asked(rng, kind, truth)
            inside = before[before[COLUMN] == LETTERS[TASKS - 1]]
            for k, count in enumerate(grid):
                some = coming.iloc[: count * each]
                joint = learned(ROWS[1], pd.concat([before, some], ignore_index=True), 125)[0]
                curves[seed, 0, k] = error(means(joint, MODELS, TASKS - 1), truth[:, -1], who)
                alone = pd.concat([inside, some], ignore_index=True)
                drawn = means(learned(ROWS[0], alone, 125)[0], MODELS) if len(alone) else np.zeros((MODELS, 1))
                curves[seed, 1, k] = error(drawn, truth[:, -1], who)
        left = [np.sqrt((np.delete(curves, one, axis=0) ** 2).mean(axis=0)) for one in range(FEWER)]
        mean = np.sqrt((curves**2).mean(axis=0))
        for name, curve in zip(("joint", "alone"), mean, strict=True):
            lines.append(f"| {name}, correlation {together} | {' | '.join(f'{one:.0f}' for one in curve)} |")
        for at in range(2, len(grid)):
            whole, *apart = (100.0 * (1.0 - needed(one[0], one[1, at], grid) / grid[at]) for one in (mean, *left))
            spread = np.sqrt((FEWER - 1) / FEWER * np.sum((apart - np.mean(apart)) ** 2))
            found.append(f"| {together} | {grid[at]} | {mean[1, at]:.0f} | {whole:.0f}% ± {spread:.0f} |")
        print(kind, *lines[-2:], *found[-len(grid) + 2 :], sep="\n", flush=True)
    about = {
        "a new task": f"{MODELS} models have {ELSEWHERE} votes in each of five others, and so many in the new one",
        "a new model": f"{NEW} of {MODELS} models have 200 votes in each of five tasks, so many in the sixth, where "
        f"the others have {ELSEWHERE} as in the five",
    }[kind]
    text = f"""
    {FEWER} simulated arenas a line, {about}: error of their strengths there, Elo points, by one row with strengths by
    task (joint) and by the task's own votes (alone). Saved: how much fewer votes there the joint row takes for the
    error that the task's own board has with those of the second column; errors by the jackknife over arenas.
    """
    return "\n".join([wrapped(text), "", *lines, "", *found])


def certainty():
    """Uncertainty of estimated spreads: by weighted draws on a grid, and by the approximation for many parameters."""
    rng, count, quarters = np.random.default_rng(2), 60, 12
    begin = np.where(np.arange(count) < 30, 0, rng.integers(3, quarters - 1, count))
    walk = np.cumsum(rng.normal(0.0, 0.12, (count, quarters)), axis=1)
    entered = rng.normal(-0.8 * (begin > 0), 0.5)[:, None]
    strength = walk - walk[np.arange(count), begin][:, None] + entered
    inside = rng.normal(0.0, 0.3, (count, 3))
    (one, other), quarter = rng.integers(0, count, (2, 24_000)), rng.integers(0, quarters, 24_000)
    kept = np.flatnonzero((one != other) & (quarter >= np.maximum(begin[one], begin[other])))[:6000]
    one, other, quarter, where = one[kept], other[kept], quarter[kept], rng.integers(0, 3, 6000)
    gap = strength[one, quarter] + inside[one, where] - strength[other, quarter] - inside[other, where]
    names = np.array([f"N{number:02d}" for number in range(count)])
    told = {"white": names[one], "black": names[other], "score": 1.0 * (rng.random(6000) < 1.0 / (1.0 + np.exp(-gap)))}
    games = table(pd.DataFrame(told | {"period": 1 + 3 * quarter, "neutral": 1, COLUMN: LETTERS[where]}))
    declared = declare("bt-context-walk", select(games, games.players, "both"))
    ways = {
        "a grid, weighted": partial(gaussian_draws, declared, 1000, 1),
        "about the estimates, a factor": partial(unweighted_draws, declared, 1000, 1, True),
        "about the estimates, conjugate gradients": partial(unweighted_draws, declared, 1000, 1, False),
    }
    lines = ["| | strength_spread | innovation_spread | context_spread | CPU s |", "|---|--:|--:|--:|--:|"]
    for name, made in ways.items():
        begun = time.process_time()
        p = declared.layout.named(made().v)
        used = time.process_time() - begun
        drawn = [p[key] for key in ("strength_spread", "innovation_spread", "strength_context_spread")]
        cells = " | ".join(f"{value.mean():.3f} ± {value.std():.3f}" for value in drawn)
        lines.append(f"| {name} | {cells} | {used:.1f} |")
        print(lines[-1], flush=True)
    text = f"""
    6,000 simulated games of {count} players over {quarters} quarters in three contexts, {declared.layout.count}
    numbers; true spreads are 0.5, 0.12 and 0.3.
    """
    return "\n".join([wrapped(text), "", *lines])


PARTS = {
    "tennis": ("Surfaces of tennis", tennis),
    "tempo": ("Tempo of chess", tempo),
    "arena": ("Tasks of an arena", arena),
    "task": ("Votes saved in a new task", partial(saved, "a new task")),
    "spreads": ("What is not known of spreads", certainty),
    "model": ("Votes saved of a new model", partial(saved, "a new model")),
}


def main(names):
    """Run parts, and replace each in the page."""
    for name in names or PARTS:
        title, made = PARTS[name]
        command = f"python benchmarks/bench_context.py {name}"
        mark = re.sub(r"(load \d+)\.\d.*(?= -->)", r"\1", records.mark(command))
        text = f"## {title}\n\n{mark}\n{made()}\n\n"
        page = REPORT.read_text(encoding="utf-8") if REPORT.is_file() else "# Strength by context\n\n"
        before, found, rest = page.partition(f"## {title}\n")
        after = rest.partition("\n## ")
        page = before + text + (f"## {after[2]}" if after[1] else "") if found else page.rstrip() + "\n\n" + text
        REPORT.write_text(page.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

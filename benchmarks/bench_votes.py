"""Certificates of boards: greedy search by influence compared with the exact one, and seconds with a million votes.

`python benchmarks/bench_votes.py certificate` writes leaderboard.md; with `ties` only its second part, on boards whose
two best models are equally strong. The exact greedy search refits a board without each candidate vote, and removes the
one without which the lead is smallest: by Newton's method on a separate implementation of the density, for all
candidates at once.

Rigged votes on simulated boards: gain of their target, with and without `--honest`.

`python benchmarks/bench_votes.py rigging` writes leaderboard.md. Attacks are those of Min et al. (2025) ICML, arXiv
2501.17858: "target-only" votes for the target in its battles; "omnipresent" votes in every battle that can raise the
target's rank, against the stronger model if one of the two is above the target.
"""

import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import records

from halfpoint.apps.fields.arena.certificate import Votes, certificate
from halfpoint.apps.fields.arena.fit import model_for
from halfpoint.apps.fields.arena.honest_votes import honest_votes
from halfpoint.apps.fields.arena.list import leaderboard
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Floats

REPORT = Path(__file__).with_name("leaderboard.md")
BOARDS, MODELS, MOST = 100, 6, 60
VOTES, WIDE = 1_000_000, 100
TIED, PAPER, CROWD = 100, 57_477, 64  # boards, votes and models as in arXiv 2508.11847's human preferences
SECOND = "# When the two best are equally strong"
_STEPS = 30


def small_board(seed: int) -> BoardRefits:
    """Simulated board of few models and few votes."""
    battles = simulate_arena(models=MODELS, battles=200 + 100 * (seed % 5), judges=30, seed=seed).battles
    return board_of(battles.drop(columns="judge"))


def board_of(battles: pd.DataFrame) -> BoardRefits:
    """Fitted model of a board on battles."""
    judgements = read_judgements(battles)
    return BoardRefits(declare_model(model_for(judgements, False), select(judgements.games, judgements.games.players)))


class Exact:
    """Mode of a board by an independent formula: Davidson, position, a population of known spread; many at once.

    t = (g_1, ..., g_n, mean of the population, delta, lam)
    """

    def __init__(self, refits: BoardRefits) -> None:
        cells, spec = refits.declared.cells, refits.declared.spec
        rows, players = len(cells), refits.strengths.size
        self.number = cells.weight
        self.eta = np.zeros((rows, players + 3))
        self.eta[np.arange(rows), cells.white] += 1.0
        self.eta[np.arange(rows), cells.black] -= 1.0
        self.eta[:, players + 1] = 1.0
        spread = float(refits.model.values(refits.whole)["strength_spread"])
        (mean, sd), (delta, delta_sd), (lam, lam_sd) = (
            spec.parameters[name] for name in ("strength", "advantage", "log_draw")
        )
        own = np.zeros((players + 3, players + 3))
        for player in range(players):
            across = np.eye(players + 3)[player] - np.eye(players + 3)[players]
            own += np.outer(across, across) / spread**2
        self.precision = own + np.diag([0.0] * players + [sd**-2, delta_sd**-2, lam_sd**-2])
        self.centre = np.array([mean] * (players + 1) + [delta, lam])

    def modes(self, left: Floats, start: Floats) -> Floats:
        """Modes of counts (candidate, row, outcome) from one start, shape (candidate, parameter)."""
        at, total = np.repeat(start[None], len(left), axis=0), left.sum(axis=2)
        for _ in range(_STEPS):
            eta, lam = at @ self.eta.T, at[:, -1:]
            win, tie, loss = np.exp(eta / 2), np.exp(lam) * np.ones_like(eta), np.exp(-eta / 2)
            whole = win + tie + loss
            p, q = (win - loss) / whole / 2, tie / whole  # slopes of log whole by eta and lam
            by_eta, by_lam = (left[..., 2] - left[..., 0]) / 2 - total * p, left[..., 1] - total * q
            slope = by_eta @ self.eta - (at - self.centre) @ self.precision
            slope[:, -1] += by_lam.sum(axis=1)
            ee, el, ll = total * ((win + loss) / whole / 4 - p**2), -total * p * q, total * q * (1 - q)
            curve = np.einsum("cr,ri,rj->cij", ee, self.eta, self.eta, optimize=True) + self.precision
            cross = el @ self.eta
            curve[:, -1] += cross
            curve[:, :, -1] += cross
            curve[:, -1, -1] += ll.sum(axis=1)
            step = np.linalg.solve(curve, slope[..., None])[..., 0]
            at = at + step
            if np.abs(step).max() < 1e-9:
                return at
        raise RuntimeError("no mode")

    def greedy(self, leader: int, rival: int, most: int = MOST) -> int:
        """Number of votes that the exact greedy search removes until the rival leads; above `most` if not reached."""
        left = self.number.copy()
        at = self.modes(left[None], self.centre)[0]
        for dropped in range(most + 1):
            if at[leader] <= at[rival]:
                return dropped
            kinds = np.flatnonzero(left.ravel() >= 1.0)
            tried = np.repeat(left[None], kinds.size, axis=0)
            tried.reshape(kinds.size, -1)[np.arange(kinds.size), kinds] -= 1.0
            found = self.modes(tried, at)
            best = int(np.argmin(found[:, leader] - found[:, rival]))
            left, at = tried[best], found[best]
        return most + 1


def compared(seed: int) -> tuple[int, int, float]:
    """Number of votes that decide the first place of a board: by influence, exactly, and the seconds of the former."""
    refits = small_board(seed)
    exact, votes = Exact(refits), Votes(refits)
    leader = int(np.argmax(votes.whole.top.z[refits.strengths]))
    start = time.process_time()
    _, gone = votes.first_place(leader)
    seconds = time.process_time() - start
    fewest = MOST
    for rival in np.argsort(-votes.whole.top.z[refits.strengths], kind="stable")[1:].tolist():
        fewest = min(fewest, exact.greedy(leader, rival, fewest))
    return (MOST if gone is None else int(gone.sum())), fewest, seconds


def wide() -> tuple[str, float, float, int]:
    """Output for a board of a million votes, seconds, seconds of the first place alone, and borders."""
    battles = simulate_arena(models=WIDE, battles=VOTES, judges=300, seed=2).battles.drop(columns="judge")
    board = leaderboard(battles, method="normal", checks=False)
    leaders = board.frame.drop_duplicates("tier")["model"].tolist()
    seconds, said = [], []
    for some in (leaders, leaders[:1]):
        times = []
        for _ in range(3):
            start = time.process_time()
            said.append(certificate(board.board, some).words)
            times.append(time.process_time() - start)
        seconds.append(min(times))
    return said[0], seconds[0], seconds[1], len(leaders) - 1


def tied_board(seed: int) -> tuple[int, float]:
    """Number of votes that decide the first place of a board with two equal best models, and the lead, Elo."""
    rng = np.random.default_rng([seed, 57])
    strength = np.sort(rng.normal(0.0, 120.0 * np.log(10.0) / 400.0, CROWD))[::-1]
    strength[1] = strength[0]
    a = rng.integers(0, CROWD, PAPER)
    b = (a + rng.integers(1, CROWD, PAPER)) % CROWD
    score = np.stack([(strength[b] - strength[a]) / 2, np.full(PAPER, 0.42), (strength[a] - strength[b]) / 2])
    outcome = np.argmax(score + rng.gumbel(size=score.shape), axis=0)
    names = np.array([f"model-{number:02d}" for number in range(CROWD)])
    verdict = np.array(["model_b", "tie", "model_a"])[outcome]
    refits = board_of(pd.DataFrame({"model_a": names[a], "model_b": names[b], "winner": verdict}))
    ratings = np.sort(refits.ratings(refits.whole))
    votes = Votes(refits)
    _, gone = votes.first_place(int(np.argmax(votes.whole.top.z[refits.strengths])))
    assert gone is not None
    return int(gone.sum()), float(ratings[-1] - ratings[-2])


def ties() -> str:
    """Second part of the page."""
    found = np.array([tied_board(seed) for seed in range(TIED)])
    votes, margin = found.T
    near, far = margin < 1.0, margin >= 1.0
    slope = float((votes * margin).sum() / (margin**2).sum())
    return f"""{SECOND}

Of the human preferences of the Arena, {PAPER:,} votes on {CROWD} models, Huang et al. (2025) found that the removal of
2 votes changes the leader. Those votes are not at hand; here are {TIED} simulated boards of as many votes and models
whose two best are equally strong, {100 * (votes <= 2).mean():.0f}% of which 2 votes or fewer dethrone.

| leader ahead by | boards | votes that hold the first place, median | least | most |
|---|--:|--:|--:|--:|
| under 1 Elo | {near.sum()} | {np.median(votes[near]):.0f} | {votes[near].min():.0f} | {votes[near].max():.0f} |
| 1 Elo or more | {far.sum()} | {np.median(votes[far]):.0f} | {votes[far].min():.0f} | {votes[far].max():.0f} |

An Elo of the lead is held by {slope:.2f} votes, and the median lead of chance alone is {np.median(margin):.1f} Elo.
"""


def main_of_certificate() -> None:
    """Write both parts, or only the second one."""
    if sys.argv[1:] != ["ties"]:
        certificates()
    records.section(REPORT, ties(), "python benchmarks/bench_votes.py certificate ties")


def certificates() -> None:
    """Write the first part."""
    found = np.array([compared(seed) for seed in range(BOARDS)])
    ours, exact = found[:, 0], found[:, 1]
    few = exact < MOST
    words, whole, first, borders = wide()
    text = f"""# Certificates of boards

{BOARDS} simulated boards of {MODELS} models and 200 to 600 votes: the number of votes that decide the first place, by
influence with refits, and by exact greedy search, which refits without each candidate vote before it removes one.

| | boards |
|---|---|
| the same number | {int((ours == exact)[few].sum())} |
| more by influence | {int((ours > exact)[few].sum())} |
| fewer by influence | {int((ours < exact)[few].sum())} |
| {MOST} or more by the exact greedy, not followed | {int((~few).sum())} |

Median of the exact number: {np.median(exact[few]):.0f}; most: {exact[few].max():.0f}. The two differ by at most
{np.abs(ours - exact)[few].max():.0f}. CPU seconds of a board by influence, median: {np.median(found[:, 2]):.3f} s.

A simulated board of {VOTES:,} votes and {WIDE} models, {borders} borders of tiers, least of three runs:

| | CPU seconds |
|---|---|
| first place | {first:.2f} |
| first place and all borders | {whole:.2f} |

It says: {words}
"""
    records.section(REPORT, text, "python benchmarks/bench_votes.py certificate")


SEEDS, MODELS_OF_RIGGING, BATTLES, JUDGES, RIGGED = 5, 30, 20_000, 300, 400
RANKS, ACCOUNTS = (2, 15), (5, 20, 100)


def rigged(strength: pd.Series, target: int, kind: str, votes: int, each: int, seed: int) -> pd.DataFrame:
    """Rigged votes for a target by accounts with `each` votes."""
    rng, names, value = np.random.default_rng([seed, 3]), strength.index.to_numpy(), strength.to_numpy()
    rows: list[tuple[str, str, str, str]] = []
    while len(rows) < votes:
        pair = rng.choice(value.size, 2, replace=False)
        if kind == "target-only" and target not in pair:
            continue
        if target in pair:
            wanted = target
        elif value[pair].max() > value[target]:
            wanted = int(pair[np.argmin(value[pair])])
        else:
            continue
        winner = "model_a" if pair[0] == wanted else "model_b"
        rows.append((*names[pair], winner, f"account-{len(rows) // each}"))
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "judge"])


def behind(refits: BoardRefits, leader: str, target: str) -> tuple[float, float]:
    """Distance of a target from the leader, Elo: plain, and with honesty weights."""
    players = refits.declared.selection.players.tolist()
    found = []
    for fit in (refits.whole, refits.on(honest_votes(refits).weight)):
        ratings = refits.ratings(fit)
        found.append(ratings[players.index(leader)] - ratings[players.index(target)])
    return found[0], found[1]


def moved(seed: int) -> dict[tuple[str, int, int], tuple[float, float]]:
    """Gain of the target of each attack on a simulated board, plain and weighted, Elo."""
    arena = simulate_arena(MODELS_OF_RIGGING, BATTLES, JUDGES, seed, sharpness=0.3, length_elo=0.0)
    battles, strength = arena.battles[["model_a", "model_b", "winner", "judge"]], arena.strength
    order, clean = np.argsort(-strength.to_numpy()), board_of(battles)
    found = {}
    for rank in RANKS:
        leader, target = strength.index[order[0]], strength.index[order[rank - 1]]
        before = behind(clean, leader, target)
        for kind, each in product(("target-only", "omnipresent"), ACCOUNTS):
            votes = rigged(strength, int(order[rank - 1]), kind, RIGGED, each, seed)
            after = behind(board_of(pd.concat([battles, votes], ignore_index=True)), leader, target)
            found[kind, rank, each] = before[0] - after[0], before[1] - after[1]
    return found


def main_of_rigging() -> None:
    """Write the page."""
    runs = [moved(seed) for seed in range(SEEDS)]
    rows = []
    for kind, rank, each in product(("target-only", "omnipresent"), RANKS, ACCOUNTS):
        plain, weighed = np.array([run[kind, rank, each] for run in runs]).T
        ratio = weighed.mean() / plain.mean()
        error = np.std(weighed - ratio * plain, ddof=1) / np.sqrt(SEEDS) / plain.mean()
        rows.append(
            f"| {kind}, rank {rank}, {each} | {plain.mean():.1f} | {weighed.mean():.1f} | {ratio:.2f} ({error:.2f}) |"
        )
    clean = [
        honest_votes(board_of(simulate_arena(MODELS_OF_RIGGING, BATTLES, JUDGES, seed, sharpness=0.3).battles))
        for seed in range(SEEDS)
    ]
    taken = np.array([100.0 * one.share for one in clean])
    text = f"""# Rigged votes

{SEEDS} simulated boards of {MODELS_OF_RIGGING} models, {BATTLES:,} votes of {JUDGES} judges of unequal sharpness and
habit; {RIGGED} votes are rigged for the model at a rank, by accounts of so many votes each. How many Elo points the
target comes towards the leader, on the plain board and with `--honest`; their ratio with its standard error.

| attack, rank of the target, votes an account | plain | honest | ratio |
|---|---|---|---|
{chr(10).join(rows)}

Where nobody rigs, `--honest` takes away {taken.mean():.2f}% of the votes on average, at most {taken.max():.2f}%.
"""
    records.section(REPORT, text, "python benchmarks/bench_votes.py rigging")


if __name__ == "__main__":
    records.run(certificate=main_of_certificate, rigging=main_of_rigging)

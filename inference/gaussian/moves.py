r"""Draws of theta and z together by Hamiltonian Monte Carlo around the closest normal, eight columns at a time.

    log p(q) = U(q) - |q|^2 / 2,  q = (u, e):  half a kick p += h/2 dU, exact rotation of (q, p) by h, half a kick

U is flat where the normal fits, so that steps are long whatever the scales of z are (split Hamiltonian Monte Carlo,
Shahbaba, Lan, Johnson & Neal 2014, Stat. Comput. 24:339). Coordinates are those of `noncentred`: a single factor, made
at a rough estimate of theta, and again at the median of the columns after some sweeps, since a reference far from
the posterior mixes slowly. Columns start two standard deviations of theta apart. Rounds of sweeps follow until a
verdict passes, the same as for NUTS, or a limit of work is reached, which does not depend on the machine's speed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from halfpoint.inference.diagnostics.convergence import MAX_RHAT, MIN_ESS_PER_CHAIN
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.column_loops import kick, turn
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.inference.gaussian.noncentred import Noncentred
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.sparse.cholesky import SparseMatrices
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.loops.rows_of_eight import COLUMNS
from halfpoint.models.games.table import Booleans, Floats
from halfpoint.models.rhat_ess import rhat_and_ess

_TUNING, _OF_LARGE = (50, 100), (30, 60)  # sweeps before the second factor and of tuning after it; of a large model
_LARGE, _ROUND = 10_000, 100  # numbers of a large model, whose columns have alike acceptances; sweeps of a round
_WIDTHS = {"spread": 0.3, "number": 0.7}  # of theta before tuning, 0.5 of others
_APART = 2.0  # standard deviations of theta between starts
_FOLLOWED = 0.1, 0.6  # steps of theta over which centres follow it, at least and at most
_ANGLE, _MOST_KICKS = 1.6, 32  # length of a trajectory, radians; kicks at most
_ACCEPTED, _LONGEST_STEP = 0.8, 1.2  # share of accepted moves to which the step is tuned; longest step
_SHORTER, _SHORTEST_STEP = 0.7, 0.05  # factor of the step after divergent moves, down to this
_WIDEST = 7.0  # median distances of theta from its median, up to which they count for the metric
_STUCK = 0.01, 4  # chance of acceptance below which a column stays, and after how many such sweeps it is stuck
_PATIENT = 2  # rounds of the rough estimate before longer steps
_LEAST_LOG = -2.5  # of a spread over its prior's scale at the first reference
# draws of a column, at least this or twice it: with fewer the largest R-hat of thousands of numbers fails by chance
_KEPT = 300
_HELD, _BLOCK, _SINGLE = 20_000_000, 200_000, 4_000_000  # numbers z of a trace; made at a time; of double precision
_WORK, _LEAST_SWEEPS = 1e11, 800  # multiplications after which sampling ends, about a minute; but not before this
_AGAIN = 1.2  # factor of the sweeps after which draws that failed their verdict are judged again
_CALL = 1e6  # multiplications in the time of a call of a gradient
_LONGEST_FACTOR = 4_000_000  # numbers
_CHECKED = 200  # numbers z that are judged before all are
_RUNAWAY, _RARE = 1000.0, 0.05  # rise of the energy that counts as divergent, and share of a column's moves that may be
_LONG_SECONDS, _CAREFUL = 10.0, 1.5  # from which on the time left is reported; allowance for its error
_NEARLY = 1.25  # factor of lacking sweeps below which rounds are half as long
INTERRUPTED = "interrupted after"  # in the words of why sampling ended


@dataclass(eq=False)
class _State:
    """Place of the columns, and its quantities."""

    q: Floats  # (theta + z, column): u and e
    value: Floats  # (column,): log density
    slope: Floats  # (theta + z, column)
    w: Floats  # (theta, column): coordinates of theta
    z: Floats  # (z, column)


@dataclass(frozen=True, eq=False)
class Moves:
    """Draws of thetas and z, (column, draw, number)."""

    parts: LatentSplit  # how they make the model's values
    x: Floats  # thetas, as `Hyperparameter.value` takes them
    z: Floats
    accepted: Floats  # (column, draw): chance with which the last move was accepted
    divergent: Booleans  # (column, draw): whether a move since the draw before ran away, none if few of the column did
    sweeps: int  # of each column after tuning, of which the draws are an even share
    tuned: int  # sweeps of tuning
    stopped: str = ""  # why sampling ended before the draws passed, in words

    @property
    def thinning(self) -> int:
        """Number of draws of which a trace keeps one."""
        return max(1, -(-self.z.size // _HELD))

    @property
    def thinned(self) -> "Moves":
        """An even share of the draws, if all are too many for a trace."""
        names = ("x", "z", "accepted", "divergent")
        return replace(self, **{name: getattr(self, name)[:, :: self.thinning] for name in names})

    @property
    def values(self) -> Floats:
        """All values of the model, (column * draw, value), single precision if many."""
        columns, draws, size = self.z.shape
        step, values = max(1, _BLOCK // max(1, size)), np.empty((0, 0))
        kind = np.float32 if self.z.size > _SINGLE else np.float64
        for column, start in product(range(columns), range(0, draws, step)):  # a block stays in the caches
            block = slice(start, min(start + step, draws))
            part = self.parts.values(*(numbers[column, block].astype(np.float64) for numbers in (self.x, self.z)))
            values = values if values.size else np.empty((columns * draws, part.shape[1]), kind)
            values[column * draws + block.start : column * draws + block.stop] = part
        return values


class _Sampler:
    """Columns with their step and metric."""

    def __init__(self, coordinates: Noncentred, rng: np.random.Generator) -> None:
        self.at, self.rng, self.step = coordinates, rng, 0.5
        self.middle, self.root = np.zeros(coordinates.count), np.eye(coordinates.count)
        self.further = coordinates.problem.parts.further
        self.gradients = 0

    def evaluate(self, q: Floats) -> _State:
        """State at a place."""
        d = self.at.count
        w = self.middle[:, None] + self.root @ q[:d]
        value, of_theta, of_noise, z = self.at(w, q[d:])
        self.gradients += 1
        shown = np.where(self.at.signed, np.abs(w), w)
        return _State(q, value, np.vstack([self.root.T @ of_theta, of_noise]), shown, z)

    def guess(self, x: Floats, widths: Floats) -> None:
        """Set the metric from rough standard deviations of theta."""
        deviations = []
        for line, place, width in zip(self.at.lines, x, widths, strict=True):
            kind = line.law.kind if line.signed or line.law.kind == "number" else ""
            deviations.append(min(_WIDTHS.get(kind, 0.5), width * (line.of(place) if line.signed else 1.0)))
        self.root = np.diag(deviations).reshape(self.root.shape)

    def begin(self, x: Floats, steps: Floats | None = None) -> None:
        """Start all columns about a new reference, as in `Noncentred.refer`."""
        self.at.refer(x, steps)
        self.middle = self.at.middle
        q = self.rng.standard_normal((self.at.count + self.at.size, COLUMNS))
        q[: self.at.count] *= _APART
        self.state = self.weigh(self.evaluate(q))

    def measure(self, visited: list[Floats]) -> None:
        """Set the metric of theta to the covariance of visited coordinates; the columns stay where they are."""
        if not self.at.count:
            return
        coordinates = np.hstack(visited)
        centre = np.median(coordinates, axis=1, keepdims=True)
        widest = _WIDEST * np.median(np.abs(coordinates - centre), axis=1, keepdims=True)
        coordinates = np.clip(coordinates, centre - widest, centre + widest)  # a column may still come from afar
        self.middle = coordinates.mean(axis=1)
        self.root = np.linalg.cholesky(np.cov(coordinates).reshape(self.root.shape) + 1e-6 * np.eye(self.at.count))
        q = self.state.q.copy()
        q[: self.at.count] = np.linalg.solve(self.root, self.state.w - self.middle[:, None])
        self.state = self.weigh(self.evaluate(q))

    def weigh(self, state: _State) -> _State:
        """State with factors beyond normal terms and thetas, of which no slope is known, in its density."""
        if self.further is None:
            return state
        v = self.at.problem.parts.values(self.at.thetas(state.w).T, state.z.T)
        return replace(state, value=state.value + self.further(v))

    def sweep(self) -> tuple[Floats, Floats]:
        """One trajectory of each column; returns acceptance and rise of the energy, (column,) each."""
        kicks = int(np.clip(np.ceil(_ANGLE / self.step), 1, _MOST_KICKS))
        step = self.step * (1.0 + 0.2 * self.rng.uniform(-1.0, 1.0, (1, COLUMNS)))
        cosine, sine, old = np.cos(step), np.sin(step), self.state
        p = self.rng.standard_normal(old.q.shape)
        chance = np.log(self.rng.random(COLUMNS))
        energy = 0.5 * np.einsum("ic,ic->c", p, p) - np.where(np.isfinite(old.value), old.value, -np.inf)
        new = old
        kick(p, new.slope, new.q, 0.5 * step)
        for number in range(kicks):
            new = self.evaluate(turn(new.q, p, cosine, sine))
            kick(p, new.slope, new.q, (1.0 if number < kicks - 1 else 0.5) * step)
        new = self.weigh(new)
        rise = 0.5 * np.einsum("ic,ic->c", p, p) - new.value - energy
        rise = np.where(np.isnan(rise), np.inf, rise)
        taken = chance < -rise
        if taken.any():
            names = ("q", "value", "slope", "w", "z")
            self.state = _State(*(np.where(taken, getattr(new, name), getattr(old, name)) for name in names))
        return np.exp(-np.maximum(rise, 0.0)), rise

    def tune(self, sweeps: int) -> list[Floats]:
        """Sweep while the step follows the acceptance, and the metric the columns; returns visited coordinates."""
        visited, logarithm, mean, still = list[Floats](), np.log(self.step), 0.0, np.zeros(COLUMNS, dtype=np.int64)
        begun = 0  # with this metric
        for done in range(sweeps):
            if done in (int(0.3 * sweeps), int(0.6 * sweeps)):
                self.measure(visited[len(visited) // 2 :])
                begun = done
            chances, _ = self.sweep()
            still = np.where(chances < _STUCK[0], still + 1, 0)
            accepted = float(chances.mean()) if still.max() < _STUCK[1] else 0.0  # smaller steps until all move
            visited.append(self.state.w)
            share = (done - begun + 1.0) ** -0.5
            logarithm = min(logarithm + 1.2 * (accepted - _ACCEPTED) * share, np.log(_LONGEST_STEP))
            share = share if done - begun > 3 else 1.0
            mean = share * logarithm + (1.0 - share) * mean
            self.step = float(np.exp(logarithm))
        self.step = float(np.exp(mean))
        return visited


def rough_thetas(problem: VariationalProblem) -> tuple[Floats, Floats]:
    """Theta for the first reference and its standard deviations, infinite if unknown, (theta,) each.

    By the fit that maximises the bound, or the prior's middle.
    """
    refits = ReweightedFits(problem.declared, problem=problem)
    widths = np.full(len(refits.parts.thetas), np.inf)
    try:
        fitted = refits.fit(patient=_PATIENT)
        assert fitted.top is not None
        free, root, _ = refits.of_spreads(fitted)
        widths[free] = np.sqrt(np.square(root).sum(axis=1))
        widths[refits.beside] = np.sqrt(np.diag(np.linalg.inv(fitted.top.inner)))
    except InferenceError:
        return refits.posterior.start, widths
    spreads = [theta.law.kind == "spread" for theta in refits.parts.thetas]
    return np.where(spreads, np.maximum(fitted.x, _LEAST_LOG), fitted.x), widths


@dataclass(eq=False)
class _Record:
    """Draws so far; every second is dropped whenever there are too many."""

    most: int  # draws of a column that are kept at least
    tuned: int  # sweeps before them
    thinning: int = 1
    sweeps: int = 0
    # of each draw w, z, acceptance, and whether a move since the draw before was divergent
    rows: list[tuple[npt.NDArray[Any], ...]] = field(default_factory=list)
    divergent: Booleans = field(default_factory=lambda: np.zeros(COLUMNS, dtype=np.bool_))  # likewise, so far
    runaways: Floats = field(default_factory=lambda: np.zeros(COLUMNS))  # divergent moves of each column

    def add(self, sampler: _Sampler, accepted: Floats, rise: Floats) -> Booleans:
        """Keep the state after a sweep, and return which columns were divergent, (column,)."""
        self.sweeps += 1
        self.divergent = self.divergent | (rise > _RUNAWAY)
        self.runaways = self.runaways + (rise > _RUNAWAY)
        if self.sweeps % self.thinning == 0:
            self.rows.append((sampler.state.w, sampler.state.z.astype(np.float32), accepted, self.divergent))
            self.divergent = np.zeros(COLUMNS, dtype=np.bool_)
        if len(self.rows) >= 2 * self.most:
            pairs = zip(self.rows[::2], self.rows[1::2], strict=True)
            self.rows = [(*row[:3], earlier[3] | row[3]) for earlier, row in pairs]
            self.thinning *= 2
        return rise > _RUNAWAY

    def drawn(self, coordinates: Noncentred, step: int = 1) -> Moves:
        """Draws as arrays, of every `step`-th number z."""
        w, z = (np.stack([row[k][::by] for row in self.rows]).transpose(2, 0, 1) for k, by in ((0, 1), (1, step)))
        x = np.moveaxis(coordinates.thetas(np.moveaxis(w, 2, 0)), 0, 2)
        accepted, divergent = (np.stack([row[k] for row in self.rows]).T for k in (2, 3))
        # with a great momentum a move may end where the density is nothing, and is refused like others
        divergent = divergent & (self.runaways > _RARE * self.sweeps)[:, None]
        return Moves(coordinates.problem.parts, x, z, accepted, divergent, self.sweeps, self.tuned)


def moves_serve(problem: VariationalProblem) -> bool:
    """True if a factor is short enough for thousands of gradients."""
    return _length_of(problem) <= _LONGEST_FACTOR


def _length_of(problem: VariationalProblem) -> int:
    """Numbers of a factor that solves use."""
    return problem.store.length if isinstance(problem.store, SparseMatrices) else problem.size**2 // 2


def sample_moves(
    problem: VariationalProblem, seed: int, judge: Callable[[Moves], bool], say: Callable[[str], None]
) -> Moves:
    """Draws of a model until thetas and z mix and `judge` accepts them, or a limit of work is reached.

    Equal seeds give equal draws. An interrupt (Ctrl-C) after the first round ends sampling, with the draws so far.
    Raises `InferenceError` if there is no closest normal or the coordinates do not serve the model.
    """
    with threadpool_limits(1, user_api="blas"), np.errstate(all="ignore"):  # moves that run off are refused
        coordinates = Noncentred(problem)
        sampler = _Sampler(coordinates, np.random.default_rng([seed, 3]))
        x, widths = rough_thetas(problem)
        sampler.guess(x, widths)
        sampler.begin(x)
        first, tuned = _TUNING if problem.size < _LARGE else _OF_LARGE
        visited = sampler.tune(first)
        near = coordinates.thetas(np.hstack(visited[-10:]))
        sampler.begin(np.median(near, axis=1), np.clip(near.std(axis=1), *_FOLLOWED))
        sampler.tune(tuned)
        record = _Record(_KEPT, first + tuned)
        step = max(1, problem.size // _CHECKED)
        most, promised, lacking, again = _WORK / _work_of(problem), 0.0, np.inf, 0.0
        start, before, swept = time.process_time(), sampler.gradients, 0
        try:
            while True:
                earlier = replace(record, rows=record.rows.copy())
                sweeps = _ROUND if lacking > _NEARLY else _ROUND // 2
                runaways = sum(record.add(sampler, *sampler.sweep()) for _ in range(sweeps))
                swept += sweeps
                if np.max(runaways) > _RARE * sweeps and sampler.step > _SHORTEST_STEP:
                    sampler.step *= _SHORTER
                    record = earlier  # without the round whose steps were too long
                    continue
                lacking = _lacking(record.drawn(coordinates, step))
                if lacking <= 1.0 and record.sweeps >= again:
                    if judge(drawn := record.drawn(coordinates)):
                        return drawn
                    again = _AGAIN * record.sweeps
                if sampler.gradients >= most and record.sweeps >= _LEAST_SWEEPS:
                    limit = f"the limit of work, {record.sweeps:,} sweeps, was reached"
                    return replace(record.drawn(coordinates), stopped=limit)
                pace = (time.process_time() - start) / (sampler.gradients - before)
                kicks = (sampler.gradients - before) / swept
                wanted = min(_CAREFUL * max(lacking, 1.0) * record.sweeps * kicks, max(most, _LEAST_SWEEPS * kicks))
                left = pace * (wanted - (sampler.gradients - before))
                if record.sweeps >= 2 * _ROUND and left > _LONG_SECONDS and not 0.5 < left / max(promised, 1e-9) < 2.0:
                    say(f"moves around the closest normal, about {left:.0f} CPU s left")
                    promised = left
                promised = max(promised - pace * kicks * sweeps, 0.5 * promised)
        except KeyboardInterrupt:
            if record.sweeps < _ROUND:
                raise
            return replace(record.drawn(coordinates), stopped=f"{INTERRUPTED} {record.sweeps:,} sweeps")


def _work_of(problem: VariationalProblem) -> float:
    """Multiplications of one gradient, roughly."""
    rows = problem.rows
    entries = 4.0 * _length_of(problem) + 4.0 * rows.column.size + 60.0 * rows.count + 60.0 * problem.size
    return _CALL + COLUMNS * float(entries)


def _lacking(drawn: Moves) -> float:
    """Factor by which sweeps fall short of the limits of R-hat and effective draws, by thetas and numbers z."""
    factor, needed = 0.0, MIN_ESS_PER_CHAIN * COLUMNS
    for draws in (drawn.x, drawn.z):
        if draws.shape[2] and factor <= 1.0:  # numbers z are judged once thetas pass
            rhat, bulk, tail = rhat_and_ess(np.moveaxis(draws, 2, 0).astype(np.float64))
            least = max(float(np.minimum(bulk, tail).min()), 1.0)
            factor = max(factor, needed / least, (float(rhat.max()) - 1.0) / (MAX_RHAT - 1.0))
    return factor

r"""The mode of a target by Newton's method, and which solver its Hessian needs.

The log posterior is strictly concave (`halfpoint.inference.laplace.target`), so that damped Newton steps reach the one
mode from anywhere. A step is halved until the value rises by at least a hundredth of what its slope promises; the
search ends when the Newton decrement, half of g' H^-1 g, which is the gain still to be had in log density, is small
(Boyd & Vandenberghe 2004, section 9.5): a gain of e a parameter leaves the mode about sqrt(2 e) standard deviations
away.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.laplace.factors import DenseFactor, IterativeFactor, SparseFactor
from halfpoint.inference.laplace.hessian import Arrow, Curvature, Factor, curvature
from halfpoint.inference.laplace.target import Target

Solver = Literal["auto", "dense", "sparse", "iterative"]
SOLVERS: tuple[Solver, ...] = ("auto", "dense", "sparse", "iterative")
DENSE_PARAMETERS = 4_000  # 128 MB and a few seconds
SPARSE_OPPONENTS = 6.0  # mean number of opponents up to which fill-in stays small
GAIN = {"dense": 1e-15, "sparse": 1e-15, "iterative": 1e-9}  # log density a parameter still to be gained
ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Mode:
    """Where a log posterior is highest.

    Parameters
    ----------
    position : array of float, shape (parameter,)
        The mode in natural units.
    arrow : Arrow
        Inverse of the Hessian there.
    rounds : int
        Newton steps taken.
    gain : float
        Log density still to be gained, by the quadratic model.
    """

    position: Floats
    arrow: Arrow
    rounds: int
    gain: float

    @property
    def curvature(self) -> Curvature:
        """Value, gradient and Hessian at the mode."""
        return self.arrow.curvature


def choose(target: Target, solver: Solver) -> Solver:
    """Return the solver for a target: the one asked for, or by size and by how many opponents players have.

    Raises
    ------
    InferenceError
        If there is no such solver.
    """
    if solver not in SOLVERS:
        raise InferenceError(f"solver: expected {' | '.join(SOLVERS)}, found {solver!r}")
    if solver != "auto":
        return solver
    if target.body <= DENSE_PARAMETERS:
        return "dense"
    opponents = 2.0 * target.white.size / target.players.size
    return "sparse" if opponents <= SPARSE_OPPONENTS else "iterative"


def factor(shape: Curvature, solver: Solver, position: Floats, tolerance: float) -> Factor:
    """Return a solver of the body of a Hessian.

    Parameters
    ----------
    shape : Curvature
        The Hessian.
    solver : {"dense", "sparse", "iterative"}
        Which one.
    position : array of float, shape (parameter,)
        Where; the iterative solver groups players of like strength.
    tolerance : float
        For the iterative solver (see there).
    """
    if solver == "dense":
        return DenseFactor(shape)
    if solver == "sparse":
        return SparseFactor(shape)
    strength = position[: shape.target.players.size]
    return IterativeFactor(shape, strength, tolerance=tolerance)


def find_mode(target: Target, solver: Solver = "auto", start: Floats | None = None) -> Mode:
    """Return the mode of a target.

    Parameters
    ----------
    target : Target
        The log posterior.
    solver : {"auto", "dense", "sparse", "iterative"}
        How to solve with the Hessian: exactly, exactly by a sparse factor, or by conjugate gradients.
    start : array of float, shape (parameter,), optional
        Where to start; the prior means by default.

    Returns
    -------
    Mode

    Raises
    ------
    InferenceError
        If the solver is unknown or the mode is not found.
    """
    solver = choose(target, solver)
    position = np.array(target.prior_mean if start is None else start, dtype=np.float64)
    shape = curvature(target, position)
    enough = GAIN[solver] * position.size
    gain = np.inf
    for rounds in range(ROUNDS):
        rough = solver == "iterative" and gain > 1e-3 * position.size
        made = factor(shape, solver, position, 1e-2 if rough else 1e-6)
        arrow = Arrow(shape, made)
        step = arrow.newton_step()
        gain = 0.5 * float(shape.gradient @ step)
        if gain <= enough and not rough:
            return Mode(position, arrow, rounds, gain)
        length = 1.0
        while True:
            tried = curvature(target, position + length * step)
            if tried.value >= shape.value + 0.02 * length * gain - 1e-12 * abs(shape.value):
                break
            length *= 0.5
            if length < 1e-10:
                raise InferenceError(f"mode: expected the log posterior to rise along a Newton step, round {rounds}")
        position = position + length * step
        shape = tried
    raise InferenceError(f"mode: expected to be found in {ROUNDS} Newton steps, {gain:.1e} still to gain")

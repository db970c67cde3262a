"""A calibration in parts: each is a file of ranks, so an interrupted run goes on and a cluster can share the work."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from halfpoint.inference.calibrate import Experiment, Ranks, calibrate, fitter, together
from halfpoint.inference.calibration_designs import experiment
from halfpoint.systems.errors import RatingSystemError
from halfpoint.systems.store import read_arrays, write_arrays

EFFORT = {"draws": 250, "tune": 300, "cores": 2}
PART = 25  # simulations in a file


@cache
def prepared(name: str, wrong_sign: bool) -> tuple[Experiment, Any]:
    """Return the experiment of a model and its compiled fit; once in a process."""
    chosen = experiment(name, wrong_sign)
    return chosen, fitter(chosen, EFFORT | {"chains": 2})


@dataclass(frozen=True)
class Part:
    """Some simulations of a calibration.

    Parameters
    ----------
    folder : Path
        Where the files of the model's parts are.
    name : str
        Model.
    simulations, seed : int
        Of the whole calibration.
    wrong_sign : bool
        Whether a wrong sign of the advantage is planted.
    first, last : int
        Simulations of this part, the last one not included.
    """

    folder: Path
    name: str
    simulations: int
    seed: int
    wrong_sign: bool
    first: int
    last: int

    @property
    def path(self) -> Path:
        """Return the file of the ranks."""
        return self.folder / f"ranks-{self.first:05d}-{self.last:05d}.npz"

    @property
    def mark(self) -> str:
        """Return what distinguishes these ranks from those under other settings."""
        about = [self.name, self.simulations, self.seed, self.wrong_sign, self.first, self.last, EFFORT]
        return json.dumps([*about, "divergences", version("halfpoint")])

    def finished(self) -> bool:
        """Return whether the file holds the ranks of these settings."""
        try:
            return str(read_arrays(self.path)["mark"]) == self.mark
        except (RatingSystemError, KeyError):
            return False

    def make(self) -> None:
        """Simulate, fit, rank and write."""
        chosen, fit = prepared(self.name, self.wrong_sign)
        part = range(self.first, self.last)
        ranks = calibrate(chosen, self.simulations, self.seed, **EFFORT, part=part, fit=fit)
        about = {"mark": np.asarray(self.mark), "draws": np.asarray(ranks.draws)}
        about["divergences"] = np.asarray(ranks.divergences)
        write_arrays(self.path, about | {f"rank/{name}": rank for name, rank in ranks.rank.items()})

    def ranks(self) -> Ranks:
        """Return the ranks that stand in the file."""
        saved = read_arrays(self.path)
        labels = [key for key in saved if key.startswith("rank/")]
        named = {label.removeprefix("rank/"): saved[label].astype(np.int64) for label in labels}
        return Ranks(named, int(saved["draws"]), int(saved["divergences"]))


def parts_of(folder: Path, name: str, simulations: int, seed: int, wrong_sign: bool) -> list[Part]:
    """Return the parts of a calibration."""
    return [
        Part(folder, name, simulations, seed, wrong_sign, first, min(first + PART, simulations))
        for first in range(0, simulations, PART)
    ]


def all_ranks(parts: list[Part]) -> Ranks:
    """Return the ranks of a calibration whose parts are all done."""
    return together([part.ranks() for part in parts])

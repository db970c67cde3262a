"""Simulation-based calibration of the models of the catalogue.

A calibration runs in parts, each with a file of ranks: an interrupted run resumes.
"""

import atexit
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.answer import Answer, as_csv, put_page
from halfpoint.apps.workflows.executor import each
from halfpoint.apps.workflows.intake import games_from, reader_of
from halfpoint.apps.workflows.options import Run, Say, Trial, silent
from halfpoint.evaluation.first_sentences.comparisons import calibrated
from halfpoint.inference.calibration_designs import calibratable, experiment
from halfpoint.inference.effort_limits import SIMULATIONS
from halfpoint.inference.simulation_based_calibration import EFFORT, Experiment, Ranks, join_ranks
from halfpoint.inference.simulation_based_calibration import calibrate as ranks_of
from halfpoint.models.declaration.catalogue import AnyModel, ModelName, names_of_models, sendable
from halfpoint.models.declaration.own_file import MARK
from halfpoint.models.declaration.record import record_of
from halfpoint.models.games.array_files import read_arrays, write_arrays
from halfpoint.models.games.errors import HalfpointError, RatingSystemError, printable
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.plugins import Installed
from halfpoint.models.games.ranges import SEED
from halfpoint.models.games.result_record import PARTS, hash_of
from halfpoint.models.games.results import Results, results
from halfpoint.models.games.select import select

PART, COMPILED_PART = 25, 5  # simulations in a file; of a model that is compiled for each of them
_BRIEF = 250  # draws a chain of fits to games of one's own, which are many
_FILES = "ranks.csv", "ranks.png", "report.html"
_FALSE_ALARM = 0.01
_known_hash_of = cache(hash_of)  # of a design, which excludes ranks of other designs; once in a process
# from the name of a model to a function: a file -> a model and who meets whom
_DESIGNS = Installed("halfpoint.designs")


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Answer):
    """Calibration of one model: ranks of the true values among the draws.

    `frame`: parameter; outside: distance of its ranks from their band, 0 if inside; calibrated. `about`: title, model,
    simulations, divergences; normal: number of simulations with reliable normal draws, if requested.
    """

    ranks: Ranks  #: rank of the truth in each simulation, a parameter at a time
    folder: Path  #: where ranks.csv and ranks.png are

    @property
    def calibrated(self) -> bool:
        """True if every parameter is inside its band."""
        return bool(self.frame["calibrated"].all())


def calibrate(
    model: AnyModel,
    out: str | Path = "runs/calibration",
    *,
    simulations: int = 200,
    seed: int = 7,
    method: str = "nuts",
    design: str | Path | None = None,
    posterior: str | Path | None = None,
    wrong_sign: bool = False,
    force: bool = False,
    executor: Executor | None = None,
    say: Say = silent,
) -> Calibration:
    """Test the calibration of a model: simulate from its prior, refit, and rank the true values among the draws.

    Parameters
    ----------
    model : str, callable or Model
        A function (games) -> pymc.Model, or a name of the catalogue, one of
        `halfpoint.inference.calibration_designs.calibratable`.
    out : str or Path
        Folder; ranks and figure go to a folder in it with the name of the model. An interrupted run resumes.
    simulations : int
        Simulated data sets.
    seed : int
        The same seed gives the same ranks.
    method : {"nuts", "auto", "normal"}
        Method to calibrate; "auto" is the method of `rate`.
    design : str or Path, optional
        File of games or judgements, used for its players and judges; its results are not read.
    posterior : str or Path, optional
        File of games: true values are drawn from its posterior, and as many further games are simulated.
    wrong_sign : bool
        Use a wrong sign of the advantage, which the calibration must detect.
    force : bool
        Replace files that no earlier run wrote.
    executor : concurrent.futures.Executor, optional
        Executor of the simulations, 25 a task; by default this process.
    say : callable
        Called with a line on the time left.

    Returns
    -------
    Calibration
        The false alarm rate for a calibrated model is 1%.

    Raises
    ------
    HalfpointError
        If the model cannot be calibrated, or a fit failed.
    """
    trial = Trial(
        simulations=simulations, seed=seed, wrong_sign=wrong_sign, design=design, posterior=posterior, force=force,
        method=method, say=say, executor=executor,
    )  # fmt: skip
    return next(calibrate_models([model], out, trial))


def calibrate_models(models: AnyModel | Sequence[AnyModel], out: str | Path, trial: Trial) -> Iterator[Calibration]:
    """Yield the calibration of each model; invalid names are refused before the first calibration starts.

    Parameters
    ----------
    models : str or sequence of str
        A name, names, or "all".
    out : str or Path
        As in `calibrate`.
    trial : Trial
        Settings of the calibrations.

    Yields
    ------
    Calibration
    """
    SIMULATIONS.require("simulations", trial.simulations)
    SEED.require("seed", trial.seed)
    Run(trial.method).require()
    if trial.design is not None and trial.posterior is not None:
        raise HalfpointError("--posterior and --design exclude each other. Leave one out.")
    names = calibratable() if models == "all" else names_of_models(models)
    path = trial.path
    for name in names:
        experiment_of(name, trial.wrong_sign, path, trial.posterior is not None)
    require("matplotlib", "figures of a calibration")
    folders = {name: (Path(out) / trial.folder_name(name)).resolve() for name in names}
    simulated = _Simulated(folders, trial)
    with closing(simulated.ranks):
        for name, folder in folders.items():
            with results(folder, "calibrate", _FILES, reads=(path,), force=trial.force) as place:
                calibration = _calibrated_in(place, name, trial, simulated)
            yield replace(calibration, folder=Path(out) / trial.folder_name(name))  # as given


class _Simulated:
    """Ranks of the unfinished parts of several calibrations, computed in order."""

    def __init__(self, folders: Mapping[str, Path], trial: Trial) -> None:
        missing = [
            (number, span)
            for number, (name, folder) in enumerate(folders.items())
            for span in spans_of(trial, name)
            if not any(Part(place, name, trial, *span).is_finished() for place in (folder / PARTS, folder))
        ]
        self.missing = [(list(folders)[number], span) for number, span in missing]
        names, data = list(folders), None
        if trial.executor is not None:  # workers may have neither files of models nor the design
            names = [sendable(name) for name in names]
            data = None if trial.path is None else Path(trial.path).read_bytes()
        shared = _Shared(names, replace(trial, say=silent, executor=None), data)
        self.ranks = each(_ranks_of_part, shared, missing, trial.executor, trial.say, "part")

    def ranks_of(self, part: "Part") -> Ranks:
        """Ranks of a part, simulated again if its file has disappeared."""
        key = part.name, (part.first, part.last)
        while key in self.missing:
            task, ranks = self.missing.pop(0), next(self.ranks)
            if task == key:
                return ranks
        return part.simulate()


@dataclass(frozen=True)
class _Shared:
    """Data shared by all parts of calibrations, in any process."""

    names: list[str]  # of the models, with the models that no catalogue has
    trial: Trial
    data: bytes | None  # the file of the design, for workers on other machines


def _ranks_of_part(shared: _Shared, task: tuple[int, tuple[int, int]]) -> Ranks:
    """Ranks of some simulations of a model."""
    number, span = task
    trial = shared.trial
    if shared.data is not None and trial.path is not None:
        path = _file_of(shared.data, Path(trial.path).name)
        trial = replace(trial, design=path) if trial.posterior is None else replace(trial, posterior=path)
    return Part(Path(), shared.names[number], trial, *span).simulate()


@cache
def _file_of(data: bytes, name: str) -> Path:
    """File with these bytes in this worker, written once in a process."""
    folder = Path(mkdtemp(prefix="halfpoint-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / name).write_bytes(data)
    return folder / name


def spans_of(trial: Trial, name: str) -> list[tuple[int, int]]:
    """First and last simulation of each part of the calibration of a model, the last one excluded."""
    compiled = experiment_of(name, trial.wrong_sign, trial.path, trial.posterior is not None).simulations is not None
    size = COMPILED_PART if compiled else PART
    return [(first, min(first + size, trial.simulations)) for first in range(0, trial.simulations, size)]


@cache
def experiment_of(name: str, wrong_sign: bool, design: str | None, has_results: bool = False) -> Experiment:
    """Experiment of a model, on the user's design if given; built once per process.

    If the results of the design are used, true values come from its posterior.
    """
    if design is None:
        return experiment(name, wrong_sign)
    if name in _DESIGNS and not has_results:
        model, selection = _DESIGNS[name](design)
        return experiment(model, wrong_sign, selection)
    games = games_from(design, reader_of(design, None, name))
    return experiment(name, wrong_sign, select(games, games.players, "both"), has_results)


def _calibrated_in(place: Results, name: str, trial: Trial, simulated: _Simulated) -> Calibration:
    """Calibrate one model in a folder for this process alone, and write its ranks and figure."""
    simulations, design = trial.simulations, trial.path
    parts = [Part(place.folder, name, trial, *span).find_or_make(place) for span in spans_of(trial, name)]
    for part in parts:
        if not part.is_finished():
            part.write(simulated.ranks_of(part))
    ranks = join_ranks([part.ranks() for part in parts])
    probability = 1.0 - _FALSE_ALARM / len(ranks.rank)  # of each parameter's band, so that all hold together
    what = "the design of " if trial.posterior is None else ""
    on_design = "" if design is None else f" on {what}{printable(Path(design).name)}"
    how = f" by method {trial.method}" if trial.method != "nuts" else ""
    title = f"{name}{on_design}{how}: {simulations} simulations{', WRONG SIGN planted' if trial.wrong_sign else ''}"
    from halfpoint.evaluation.figures.sampling import figure_ranks
    from halfpoint.evaluation.figures.style import save_png

    place.text("ranks.csv", as_csv(pd.DataFrame(ranks.rank).assign(draws=ranks.draws)))
    save_png(figure_ranks(ranks.curves(probability), title), place.aside("ranks.png"))
    for part in parts:
        place.stays(part.path.name)
    outside = ranks.outside(probability)
    frame = pd.DataFrame({"parameter": list(outside), "outside": list(outside.values())})
    frame["calibrated"] = frame["outside"] <= 0
    note = f"{ranks.divergences} divergent transitions in {simulations} fits"
    about = {"title": title, "model": name, "simulations": simulations, "divergences": ranks.divergences}
    if trial.method != "nuts":
        about["normal"] = int(ranks.normal.sum())
        note = f"normal approximation accepted in {about['normal']} of {simulations} fits; {note}"
    about["note"] = note
    bad = frame.loc[~frame["calibrated"], "parameter"].tolist()
    about["answer"] = calibrated(bad, len(frame), simulations)
    calibration = Calibration(frame, about, ranks, place.folder)
    put_page(place, "report.html", calibration.page())
    return calibration


@dataclass(frozen=True)
class Part:
    """Some simulations of a calibration."""

    folder: Path  # where its file is, or is made
    name: str  # model
    trial: Trial  # the whole calibration
    first: int  # simulations of this part, the last one not included
    last: int  # likewise

    @property
    def path(self) -> Path:
        """The file of the ranks."""
        return self.folder / f"ranks-{self.first:05d}-{self.last:05d}.npz"

    @property
    def experiment(self) -> Experiment:
        """Simulated design and model."""
        trial = self.trial
        return experiment_of(self.name, trial.wrong_sign, trial.path, trial.posterior is not None)

    @property
    def mark(self) -> str:
        """Identifier of these ranks under these settings."""
        trial = self.trial
        about = [self.name, trial.simulations, trial.seed, trial.wrong_sign, self.first, self.last]
        about += [trial.method, asdict(EFFORT[trial.method]), *(["posterior"] if trial.posterior else [])]
        if MARK in self.name or isinstance(self.name, ModelName):
            about.append(record_of(self.experiment.declared.spec))
        if trial.path is not None:
            about.append(_known_hash_of(Path(trial.path)))
        return json.dumps([*about, "smaller steps, strengths less their mean", version("halfpoint")])

    def find_or_make(self, place: Results) -> "Part":
        """Part in the folder; else a new part, kept aside for resuming."""
        if place.earlier(self.path.name) == self.path and self.is_finished():
            return self
        place.require(self.path.name)
        return replace(self, folder=place.folder / PARTS)

    def is_finished(self) -> bool:
        """True if the file has the ranks of these settings."""
        try:
            same, shape = str(read_arrays(self.path)["mark"]) == self.mark, (self.last - self.first,)
            return same and all(array.shape == shape for array in (self.ranks().normal, *self.ranks().rank.values()))
        except (RatingSystemError, KeyError, TypeError, ValueError):
            return False

    def simulate(self) -> Ranks:
        """Simulate, fit and rank."""
        trial, part = self.trial, range(self.first, self.last)
        effort = replace(EFFORT[trial.method], draws=_BRIEF) if trial.posterior else None
        return ranks_of(self.experiment, trial.simulations, trial.seed, part, trial.method, effort)

    def write(self, ranks: Ranks) -> None:
        """Write the ranks."""
        about = {"mark": np.asarray(self.mark), "draws": np.asarray(ranks.draws), "normal": ranks.normal}
        about["divergences"] = np.asarray(ranks.divergences)
        write_arrays(self.path, about | {f"rank/{name}": rank for name, rank in ranks.rank.items()})

    def ranks(self) -> Ranks:
        """The ranks in the file."""
        saved = read_arrays(self.path)
        labels = [key for key in saved if key.startswith("rank/")]
        ranks = {label.removeprefix("rank/"): saved[label].astype(np.int64) for label in labels}
        return Ranks(ranks, int(saved["draws"]), int(saved["divergences"]), saved["normal"].astype(np.bool_))

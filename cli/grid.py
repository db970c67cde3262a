"""Sample a grid of models and editions; finished, valid traces are reused, so an interrupted run resumes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import xarray as xr

from halfpoint.games.select import Selection
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import Sampler, sample
from halfpoint.inference.traces import read, write
from halfpoint.models.catalogue import Edition, declare


@dataclass(frozen=True)
class Settings:
    """How to sample.

    Parameters
    ----------
    draws, tune, chains : int
        Draws kept a chain, tuning draws a chain, chains.
    seed : int
        Seed of every model.
    sampler : {"nutpie", "pymc"}
        Which NUTS.
    cores : int or None
        Chains at a time; all processors if None.
    """

    draws: int = 1000
    tune: int = 1000
    chains: int = 4
    seed: int = 20140501
    sampler: Sampler = "nutpie"
    cores: int | None = None


def trace_path(folder: Path, name: str, edition: str) -> Path:
    """Return where the trace of a model and an edition is kept."""
    return folder / "traces" / f"{name}--{edition}.nc"


def reusable(path: Path, selection: Selection, name: str, edition: str, settings: Settings) -> xr.DataTree | None:
    """Return the trace at `path` if it is whole and of the same data, model, edition, seed and settings."""
    try:
        tree = read(path)
    except InferenceError:
        return None
    wanted = {
        "model": name,
        "edition": edition,
        "data_name": selection.games.name,
        "data_sha256": selection.games.sha256 or "",
        "games": len(selection),
        "players": int(selection.players.size),
        "draws": settings.draws,
        "tune": settings.tune,
        "chains": settings.chains,
        "seed": settings.seed,
        "sampler": settings.sampler,
    }
    return tree if all(tree.attrs.get(key) == value for key, value in wanted.items()) else None


def sample_grid(
    selection: Selection,
    names: list[str],
    editions: list[Edition],
    settings: Settings,
    folder: Path,
    force: bool = False,
    progress: bool = False,
) -> Iterator[tuple[xr.DataTree, bool]]:
    """Yield the trace of each model in each edition, and whether it was reused.

    Parameters
    ----------
    selection : Selection
        The games.
    names : list of str
        Names of the catalogue.
    editions : list of {"computed", "described", "corrected"}
        Editions.
    settings : Settings
        How to sample.
    folder : Path
        Output folder; traces go to `traces/NAME--EDITION.nc`.
    force : bool
        Sample again even where a valid trace is there.
    progress : bool
        Show the sampler's progress bar.
    """
    for edition in editions:
        for name in names:
            path = trace_path(folder, name, edition)
            tree = None if force or not path.is_file() else reusable(path, selection, name, edition, settings)
            reused = tree is not None
            if tree is None:
                declared = declare(name, selection, edition)
                tree = sample(
                    declared,
                    draws=settings.draws,
                    tune=settings.tune,
                    chains=settings.chains,
                    seed=settings.seed,
                    sampler=settings.sampler,
                    cores=settings.cores,
                    progress=progress,
                )
                write(tree, path)
            yield tree, reused

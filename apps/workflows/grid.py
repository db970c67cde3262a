"""Sample a grid of models and editions; finished, valid traces are reused, so an interrupted run resumes."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import xarray as xr

from halfpoint.apps.workflows.executor import each
from halfpoint.apps.workflows.options import Run, words
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.trace_record import record_text
from halfpoint.models.declaration.catalogue import EDITIONS, Edition, declare, find, sendable
from halfpoint.models.errors import ModelError
from halfpoint.models.games.atomic_write import file_word
from halfpoint.models.games.results import Results
from halfpoint.models.games.select import Selection


def editions_of(edition: str) -> list[Edition]:
    """Editions named by a word: one, or "all"."""
    editions: list[Edition] = [name for name in EDITIONS if edition in (name, "all")]
    if not editions:
        raise ModelError(f"--edition: expected {' | '.join(EDITIONS)} | all, found {edition!r}")
    return editions


def edition_of(edition: str) -> Edition:
    """Edition named by a word."""
    editions = editions_of(edition)
    if len(editions) != 1:
        raise ModelError("--edition: expected one edition, found 'all'")
    return editions[0]


def names_of(models: str | Sequence[str] | None, known_names: Sequence[str]) -> list[str]:
    """Checked model names: from a sequence, from a text separated by commas, or all known ones if None."""
    if models is None:
        return list(known_names)
    names = words(models)
    if not names:
        raise ModelError(f"--models: expected names separated by commas, found {models!r}")
    for name in names:
        find(name)
    return list(dict.fromkeys(names))


def trace_name(name: str, edition: Edition) -> str:
    """Path in a folder of the trace of a model and an edition."""
    return f"traces/{file_word(find(name, edition).name)}--{edition}.nc"


def find_reusable(
    path: Path, selection: Selection, names: Sequence[str], edition: Edition, effort: Effort, request: str = ""
) -> xr.DataTree | None:
    """Trace at `path` if it is complete and of the same data, edition, seed and settings, by a model of these names.

    If a request is given, its text is compared, because the method may change the settings of a trace.
    """
    try:
        tree = read(path)
    except InferenceError:
        return None
    records = {model.name: record_text(model) for model in (find(name, edition) for name in names)}
    attributes = {
        "edition": edition,
        "data_name": selection.games.name,
        "data_sha256": selection.games.sha256 or "",
        "games": len(selection),
        "players": int(selection.players.size),
        **({"request": request} if request else effort.as_record),
    }
    same = tree.attrs.get("model_record") == records.get(str(tree.attrs.get("model")), "")
    return tree if same and all(tree.attrs.get(key) == value for key, value in attributes.items()) else None


def sample_grid(
    selection: Selection,
    runs: Sequence[tuple[str, Edition]],
    effort: Effort,
    place: Results,
    run: Run,
    groups: Sequence[str] = (),
) -> Iterator[tuple[xr.DataTree, bool]]:
    """Yield the trace of each model in its edition, and True if it was reused; missing groups are added."""
    files = [trace_name(name, edition) for name, edition in runs]
    paths = [None if run.force else place.earlier(file) for file in files]
    trees = [
        None if path is None else find_reusable(path, selection, [name], edition, effort)
        for path, (name, edition) in zip(paths, runs, strict=True)
    ]
    missing = [(sendable(name), edition) for (name, edition), tree in zip(runs, trees, strict=True) if tree is None]
    shared = selection, effort, run.progress and run.executor is None
    with closing(each(_sample_one, shared, missing, run.executor, run.say, "model")) as sampled:
        for (name, edition), file, tree in zip(runs, files, trees, strict=True):
            reused = tree is not None
            tree = next(sampled) if tree is None else tree
            lacks = [group for group in groups if group not in tree.children]
            if lacks:
                from halfpoint.inference.trace_groups import with_groups

                tree = with_groups(tree, declare(name, selection, edition), lacks, effort.seed)
            if reused and not lacks:
                place.stays(file)
            else:
                write(tree, place.aside(file, precious=True))
            yield tree, reused


def _sample_one(shared: tuple[Selection, Effort, bool], task: tuple[str, Edition]) -> xr.DataTree:
    """Sample the trace of a model in an edition."""
    selection, effort, progress = shared
    return sample(declare(task[0], selection, task[1]), effort, progress=progress)

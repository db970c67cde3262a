"""Sample a grid of models and editions; finished, valid traces are reused, so an interrupted run resumes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import xarray as xr

from halfpoint.games.atomic_write import file_word
from halfpoint.games.results import Results
from halfpoint.games.select import Selection
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.trace_groups import with_groups
from halfpoint.inference.traces.trace_record import record_text
from halfpoint.models.catalogue import EDITIONS, Edition, declare, find
from halfpoint.models.errors import ModelError
from halfpoint.workflows.options import words


def editions_of(edition: str) -> list[Edition]:
    """The editions named by a word: one, or "all"."""
    found: list[Edition] = [one for one in EDITIONS if edition in (one, "all")]
    if not found:
        raise ModelError(f"--edition: expected {' | '.join(EDITIONS)} | all, found {edition!r}")
    return found


def edition_of(edition: str) -> Edition:
    """The single edition named by a word."""
    found = editions_of(edition)
    if len(found) != 1:
        raise ModelError("--edition: expected one edition, found 'all'")
    return found[0]


def names_of(models: str | Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Model names, each checked: of a sequence, of a text separated by commas, or all known ones if None."""
    if models is None:
        return list(known)
    names = words(models)
    if not names:
        raise ModelError(f"--models: expected names separated by commas, found {models!r}")
    for name in names:
        find(name)
    return list(dict.fromkeys(names))


def trace_name(name: str, edition: Edition) -> str:
    """Where in a folder the trace of a model and an edition is kept."""
    return f"traces/{file_word(find(name, edition).name)}--{edition}.nc"


def find_reusable(path: Path, selection: Selection, name: str, edition: Edition, effort: Effort) -> xr.DataTree | None:
    """The trace at `path` if it is whole and of the same data, model, edition, seed and settings."""
    try:
        tree = read(path)
    except InferenceError:
        return None
    model = find(name, edition)
    wanted = {
        "model": model.name,
        "model_record": record_text(model),
        "edition": edition,
        "data_name": selection.games.name,
        "data_sha256": selection.games.sha256 or "",
        "games": len(selection),
        "players": int(selection.players.size),
        **effort.recorded,
    }
    return tree if all(tree.attrs.get(key) == value for key, value in wanted.items()) else None


def sample_grid(
    selection: Selection,
    runs: Sequence[tuple[str, Edition]],
    effort: Effort,
    place: Results,
    force: bool = False,
    progress: bool = False,
    groups: Sequence[str] = (),
) -> Iterator[tuple[xr.DataTree, bool]]:
    """Yield the trace of each model in its edition, and whether it was reused; groups that it lacks are added."""
    for name, edition in runs:
        file = trace_name(name, edition)
        path = None if force else place.earlier(file)
        tree = None if path is None else find_reusable(path, selection, name, edition, effort)
        reused = tree is not None
        lacks = groups if tree is None else [one for one in groups if one not in tree.children]
        if tree is None or lacks:
            declared = declare(name, selection, edition)
            tree = sample(declared, effort, progress=progress) if tree is None else tree
            tree = with_groups(tree, declared, lacks, effort.seed) if lacks else tree
            write(tree, place.aside(file, precious=True))
        else:
            place.stays(file)
        yield tree, reused

"""Rows of the catalogue in a run of the study: rows whose requirements its games meet, checked before sampling.

There is no list of requirements: each row is declared on the training games, and its forecast of the test sets is
started, so that a missing margin, column, month, person of a side or rating raises its error here.
"""

from collections.abc import Sequence

import xarray as xr

from halfpoint.apps.study.run.games import StudyGames
from halfpoint.apps.study.run.test_sets import sets_of
from halfpoint.apps.workflows.grid import names_of
from halfpoint.apps.workflows.options import Say
from halfpoint.inference.forecast import Rule, seats
from halfpoint.inference.traces.trace_record import attributes_of, constant_data
from halfpoint.models.declaration.catalogue import BEYOND, TWELVE, Edition, declare, split_effects
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.reading.prior_draws import PriorDraws

Run = tuple[str, Edition]


def runs_of(models: str | Sequence[str] | None, editions: Sequence[Edition], extended: bool) -> list[Run]:
    """Return (name, edition) of every requested row."""
    names = names_of(models, [*TWELVE, *(BEYOND if extended else ())])
    study = [name for name in names if split_effects(name)[0] in TWELVE]
    last = editions[-1] if editions[-1] != "computed" else "corrected"
    return [(name, edition) for edition in editions for name in study] + [
        (name, last) for name in names if name not in study
    ]


def allowed_runs(runs: Sequence[Run], games: StudyGames, say: Say) -> list[Run]:
    """Runs that the games allow; the missing requirement of each other row is reported."""
    missed: dict[str, str] = {}
    for name, edition in {name: edition for name, edition in reversed(runs)}.items():
        try:
            _rehearse(declare(name, games.training, edition), games)
        except HalfpointError as error:
            missed[name] = str(error).removeprefix(f"model {name}: ")
    names = list(dict.fromkeys(name for name, _ in runs))
    for name in (name for name in names if name in missed):
        say(f"{name} left out: {missed[name]}")
    allowed = [run for run in runs if run[0] not in missed]
    if not allowed:
        raise HalfpointError(f"--models: these games allow none of the requested models: {missed[names[0]]}")
    return allowed


def _rehearse(declared: Declared, games: StudyGames) -> None:
    """Check that the test sets can be forecast by a model before it is sampled."""
    selection = declared.selection
    drawn = PriorDraws(declared.model).several(1, 1).expand_dims("chain")
    tree = xr.DataTree.from_dict({"posterior": drawn, "constant_data": constant_data(declared)})
    tree.attrs = attributes_of(declared, drawn)
    sets = sets_of(games.set_b, selection.players.tolist())
    for white, black in sets.ratings.values():
        seats(reading_of(tree), sets.games, Rule(), white, black)

"""Forecasters of a backtest: rating systems, models of the catalogue, external forecasts, and the reference."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from halfpoint.apps.workflows.options import words
from halfpoint.evaluation.margin_tables import REFERENCE as MARGIN_REFERENCE
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.declaration.catalogue import LISTED, TWELVE, Edition
from halfpoint.models.declaration.catalogue import find as find_model
from halfpoint.models.declaration.declare_model import check_weighting
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import RatingSystem
from halfpoint.models.games.select import own_weights
from halfpoint.models.games.table import GameTable, Texts
from halfpoint.systems.catalogue import SYSTEMS, Draws, SystemSpec, system

REFERENCE, _WITH_RATINGS = "elo", "fide-rating"
_LIST_FITTED = "list-fitted"  # beside the list of the day wherever a row that corrects it is judged
PRIOR = "prior"  # where ratings of models begin
_RATED_SHARE = 0.5
_FEW = 100  # games


def reference_of(
    games: GameTable, requested: str | None = None, models: Sequence[str] = (), competitors: Sequence[SystemSpec] = ()
) -> str:
    """The reference: the requested one, else the first external forecaster, the printed rating, or Elo."""
    if requested is not None:
        return (
            requested
            if requested in models or requested in [spec.name for spec in competitors]
            else system(requested).name
        )
    if competitors:
        return competitors[0].name
    if games.white_rating_elo is None or games.black_rating_elo is None:
        return REFERENCE
    rated = ~np.isnan(games.white_rating_elo) & ~np.isnan(games.black_rating_elo)
    return _WITH_RATINGS if rated.mean() >= _RATED_SHARE else REFERENCE


def bayesian(
    name: str, monitored: Texts, edition: Edition, effort: Effort | None, games: GameTable, first: int | None = None
) -> SystemSpec:
    """Bayesian model as an entry of a backtest, without tuned parameters.

    A model with its own draw probabilities is first fitted at the period `first`. Without `effort`, and always for rows
    of the list, the fit is a normal approximation with all players monitored.
    """
    entry = find_model(name, edition if name in TWELVE else "corrected")
    check_weighting(entry, own_weights(games)[1])  # before anything is run or written
    outline = outline_of(entry, games)
    entry = replace(entry, responses=outline.reads.responses)
    draws: Draws = "own" if outline.outcome.draws else "rule"

    def build(settings: Mapping[str, float]) -> RatingSystem:
        from halfpoint.inference.forecaster import Forecaster  # half a second, which rating systems do without

        if effort is None or outline.traits.printed:  # all players, by a normal approximation
            return Forecaster(entry, games, first=None if draws == "rule" else first)
        return Forecaster(entry, games, monitored, effort, None if draws == "rule" else first)

    title = entry.name if name not in TWELVE else f"{name} ({edition})"
    return SystemSpec(entry.name, title, build, draws=draws, begins=PRIOR, source="Pires 2014")


def specs_of(
    systems: str | Sequence[str],
    models: Sequence[str],
    games: GameTable,
    build: Callable[[str], SystemSpec],
    reference: str = REFERENCE,
    competitors: Sequence[SystemSpec] = (),
) -> list[SystemSpec]:
    """Entries named by two options, and further entries; for a model of margins also the base rates of margins.

    "all" leaves out systems that need an event, a margin or ratings missing in the games.
    """
    present = _present(games)
    chosen = [name for name, spec in SYSTEMS.items() if present[spec.needs]] if systems == "all" else words(systems)
    names = list(models)
    built = [build(name) for name in names]
    if any(_of_margins(name, games) for name in names):
        chosen.append(MARGIN_REFERENCE)
    before = [] if reference in [*names, *(spec.name for spec in competitors)] else [reference]
    before += [_LIST_FITTED] if reference == _WITH_RATINGS and any(name in LISTED for name in names) else []
    return [*competitors, *(system(name) for name in dict.fromkeys([*before, *chosen])), *built]


def require_columns(specs: Sequence[SystemSpec], games: GameTable) -> None:
    """Raise `HalfpointError` if games lack a column that a forecaster needs, or it lacks a library, before any runs.

    Models read the games when they are built; systems that need a column which is missing learn the first games, and
    all systems do if sides have several people.
    """
    present, few = _present(games), games.take(np.flatnonzero(games.time == games.time.min())[:_FEW])
    for spec in specs:
        if spec.begins == PRIOR:
            spec.build(spec.start)
        elif not present[spec.needs] or games.sides is not None:
            try:
                spec.build(spec.start).learn(few)
            except RatingSystemError as error:
                remedy = f"Leave it out, or name the column: --columns {spec.needs}=COLUMN."
                raise RatingSystemError(f"--systems {spec.name}", error.expected, error.found, remedy) from error


def _present(games: GameTable) -> dict[str, bool]:
    """Whether games have each column that a system may need."""
    rated = games.white_rating_elo is not None and games.black_rating_elo is not None
    return {
        "": True,
        "event": games.event is not None,
        "margin": bool(np.isfinite(games.margin).any()),
        "rating": rated,
    }


def _of_margins(model: str, games: GameTable) -> bool:
    """True if a model forecasts margins."""
    margin = outline_of(find_model(model), games).outcome.margin
    return margin is not None and margin.forecast

"""The games of a study run: training set, set A and set B, of the study or of its simulated replica."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from halfpoint.models.games.errors import DownloadError
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import GameTable
from halfpoint.models.rows.rows import months
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, set_a, set_b, training


@dataclass(frozen=True, eq=False)
class StudyGames:
    """The three sets; periods are calendar months since January 2010, continued after training."""

    training: Selection  # data of the models' fits
    set_a: GameTable  # new games between monitored players, and with at least one
    set_b: GameTable

    @property
    def is_simulated(self) -> bool:
        """True if no game was played."""
        return self.training.games.simulated


def study_games(data_dir: Path | None, use_replica: bool, warn: Callable[[str], None] = warnings.warn) -> StudyGames:
    """Games of the study, or of its replica on request or if no download is possible."""
    if not use_replica:
        try:
            selection = select(training(data_dir), monitored_names(), "any")
            return StudyGames(selection, _by_month(set_a(data_dir)), _by_month(set_b(data_dir)))
        except DownloadError as error:
            warning = f"The study's games are not available; the SIMULATED replica replaces them: {error}"
            warn(warning)
    copy = replica()
    return StudyGames(select(copy.training, copy.monitored, "any"), _by_month(copy.set_a), _by_month(copy.set_b))


def _by_month(games: GameTable) -> GameTable:
    """Dated games with the study's periods: months since January 2010, which is 1."""
    return replace(games, period=months(games, "date"))

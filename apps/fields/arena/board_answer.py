"""The answer of `leaderboard`: the list with its board, audit and tables."""

from dataclasses import asdict, dataclass
from pathlib import Path

import pandas as pd
import xarray as xr

from halfpoint.apps.fields.arena.certificate import Certificate
from halfpoint.apps.fields.arena.checks import Finding
from halfpoint.apps.fields.arena.fit import Board
from halfpoint.apps.workflows.answer import Answer, records
from halfpoint.evaluation.rating_list import Tiers


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Answer):
    """Leaderboard with its trace and metadata; its frame is the `RatingList` of the noun."""

    board: Board  #: model, judgements and trace
    tiers: Tiers  #: with the borders between them
    stronger: xr.DataArray  #: P(row stronger than column)
    style: pd.DataFrame  #: what position and each style are worth, Elo points a standard deviation
    judges: pd.DataFrame | None  #: habit and sharpness of each judge, where asked for
    scores: pd.DataFrame | None  #: of held-out judgements
    audit: list[Finding]  #: findings of the checks
    clusters: pd.DataFrame  #: how much wider standard deviations are where judgements go together, a column a kind
    categories: dict[str, pd.DataFrame]  #: boards of the categories, where asked for
    frontiers: dict[str, pd.DataFrame]  #: who is worth their cost, the cheapest first, of all and by category
    pairs: pd.DataFrame  #: of engines each two who met (`game_pairs.meetings`); empty of others
    certificate: Certificate | None  #: the votes that hold the first place and the borders of tiers; None unchecked
    folder: Path | None  #: where the files are

    @property
    def trace(self) -> xr.DataTree:
        """Draws, for `next`, `rank`, `match` and all other commands."""
        return self.board.tree

    @property
    def faults(self) -> list[Finding]:
        """Checks that found a fault."""
        return [finding for finding in self.audit if finding.found]

    def record(self) -> dict[str, object]:
        """The board with metadata for JSON."""
        frames = {"style": self.style, "judges": self.judges, "held_out": self.scores, "clusters": self.clusters}
        frames |= {"borders": self.tiers.borders, "pairs_of_games": self.pairs}
        frames |= {"dishonest": None if self.board.honest is None else self.board.honest.judges}
        if self.certificate is not None:
            frames |= {"held_by": self.certificate.places, "votes_that_hold": self.certificate.votes}
        record = super().record() | {key: records(frame) for key, frame in frames.items() if frame is not None}
        record["categories"] = {key: records(frame) for key, frame in self.categories.items()}
        record["frontier"] = {key: part[self.about["noun"]].tolist() for key, part in self.frontiers.items()}
        return record | {"audit": [asdict(finding) for finding in self.audit]}

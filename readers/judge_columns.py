"""Conversion of the verdicts of several judges, in columns of one row, to one row per verdict.

item_a, item_b, judge1, judge2, judge3        each verdict is a comparison; the judge is judge1, judge2, ...
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars

from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.column_roles import Sample
from halfpoint.readers.sources import Cells, Source
from halfpoint.readers.words import ABOUT, BESIDE, WORDS, are_outcomes

_NUMBERED = re.compile(r"\A([^\dA-C]*+)(\d{1,3}|[A-C])(.*)", re.IGNORECASE)
_JUDGES = (*BESIDE["judges"], *ABOUT["judge"])
_FEWEST = 2


def with_judges(source: Source) -> Source:
    """The source with a row for each verdict, if only columns of numbered judges name the winner; else unchanged."""
    plain = {plain_word(name) for name in source.names}
    if any(plain & {role, *WORDS[role]} for role in ("score", "winner", "loser", "opponent", "white_goals", "margin")):
        return source
    if not all(plain & {side, *WORDS[side]} for side in ("white", "black")):
        return source
    stems: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in source.names:
        match = _NUMBERED.fullmatch(name)
        if match and plain_word(match[1]) in _JUDGES:
            stems[plain_word(match[1]), plain_word(match[3])].append(name)
    judges = max(stems.values(), key=len, default=[])
    if len(judges) < _FEWEST or len({*judges}) < len(judges):
        return source
    sample = Sample(source, judges)
    verdicts = {cell for name in judges for cell in sample.of(name)}
    if len(verdicts) < 2 or not are_outcomes([*verdicts]):
        return source
    return _unpivoted(source, judges)


def _unpivoted(source: Source, judges: Sequence[str]) -> Source:
    """The source with a row for each judge with a verdict."""
    other_names = [name for name in source.names if name not in judges]
    by_judge = source.read(judges)
    filled = np.stack([(by_judge[name] != "").to_numpy() for name in judges], axis=1)
    row, judge = np.nonzero(filled)
    added = {
        "preference": polars.Series([by_judge[judges[k]][int(place)] for place, k in zip(row, judge, strict=True)]),
        "judge": polars.Series([judges[k] for k in judge.tolist()], dtype=polars.String),
    }

    def cells(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        read = source.cells([name for name in wanted if name not in added], None) if {*wanted} - {*added} else {}
        return {
            name: added[name][:rows] if name in added else read[name].gather(row[:rows].tolist()) for name in wanted
        }

    line = (np.arange(1, len(filled) + 1) if source.line is None else source.line)[row]
    note = f"judges: columns {judges[0]!r} to {judges[-1]!r}, {row.size} verdicts on {len(filled)} rows"
    return replace(
        source, names=(*other_names, *added), cells=cells, line=line,
        notes=(*source.notes, note, "verdicts on one row are not independent, so intervals are too narrow"),
    )  # fmt: skip

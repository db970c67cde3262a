"""Columns of cells, the common form into which every reader of tables converts a file.

A cell is a text without surrounding blanks, empty if the file has no value, or a list of such texts. Numbers have one
form (2000, not 2000.0) and days have the year first, so that a table is the same in every format. The names of columns
are known before the values are read, so that only the required columns of a wide file are loaded; texts of
conversations never are. The name of a nested column is its path, ``conv_metadata.turns``.

A cell that is read has at most 1,000 letters (`LONGEST`), so that no pattern runs on a longer one. Columns that are not
used may have longer cells, of which a sample has the first letters, and so may labels, such as the texts of prompts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.models.games.errors import few
from halfpoint.models.games.polars_files import require_pool
from halfpoint.readers.sound_cells import LONGEST, require_header, require_short

Cells = polars.Series  # of texts, or of lists of texts
Place = Callable[[int], str]

SAMPLED_ROWS = 2000


@dataclass(frozen=True, eq=False)
class Source:
    """Columns of cells from any source."""

    where: str  # file or object, for messages
    kind: str  # csv, jsonl, parquet, arrow or frame; study and pgn for texts whose columns are known
    names: tuple[str, ...]  # columns, nested ones by their path
    # from names to the cells of these columns, of the first rows or all
    cells: Callable[[Sequence[str], int | None], Mapping[str, Cells]]
    name: str = "games"  # name of the data set
    nested: frozenset[str] = frozenset()  # those of the names that are paths
    line: npt.NDArray[np.int64] | None = None  # (row,): line of each row in a file that has lines
    sha256: str | None = None  # hash of the file
    notes: tuple[str, ...] = ()  # skipped content, a line each
    short: bool = False  # whether no cell is too long, known without looking at each

    def __post_init__(self) -> None:
        require_header(self.names, self.where)

    @property
    def counts(self) -> str:
        """Unit of the rows: lines or rows."""
        return "row" if self.line is None else "line"

    def read(self, wanted: Sequence[str], rows: int | None = None, labels: Collection[str] = ()) -> dict[str, Cells]:
        """The cells of some columns, of the first rows or of all.

        `GameTableError` if a cell is too long, unless its column is among the labels, on which no pattern runs. Too
        long cells of the first rows, which are a sample, are cut.
        """
        require_pool()
        names = list(dict.fromkeys(wanted))
        cells = self.cells(names, rows)
        return {name: cells[name] if name in labels else self._short(cells[name], name, rows) for name in names}

    def _short(self, cells: Cells, name: str, rows: int | None) -> Cells:
        """Cells of bounded length."""
        if self.short or cells.dtype != polars.String or (cells.str.len_bytes().max() or 0) <= LONGEST:  # type: ignore[operator]
            return cells
        if rows is not None:
            return cells.str.slice(0, LONGEST)
        require_short(cells.to_list(), name, self.place)
        return cells

    def place(self, row: int) -> str:
        """Place of a row, for messages."""
        return f"{self.where}, {self.counts} {row + 1 if self.line is None else self.line[row]}"


def with_columns(source: Source, columns: Mapping[str, Cells]) -> Source:
    """A source with other columns, which are in memory."""
    in_memory = lambda wanted, rows: {key: columns[key][:rows] for key in wanted}  # noqa: E731
    return replace(source, names=tuple(columns), cells=in_memory)


def one_below_other(sources: Sequence[Source]) -> Source:
    """Columns of several sources stacked into one, empty where a source lacks a column."""
    if len(sources) == 1:
        return sources[0]
    names = tuple(dict.fromkeys(name for source in sources for name in source.names))

    def cells(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        columns = ([source.names[0], *(name for name in wanted if name in source.names)] for source in sources)
        parts = [polars.DataFrame(source.read(keys, rows, keys)) for source, keys in zip(sources, columns, strict=True)]
        stacked = polars.concat(parts, how="diagonal").with_columns(polars.col(polars.String).fill_null(""))
        return {name: stacked[name] for name in wanted}

    nested = frozenset[str]().union(*(source.nested for source in sources))
    notes = dict.fromkeys(note for source in sources for note in source.notes)
    name, location = (" and ".join(few([getattr(source, key) for source in sources])) for key in ("name", "where"))
    return Source(location, sources[0].kind, names, cells, name, nested, notes=tuple(notes))

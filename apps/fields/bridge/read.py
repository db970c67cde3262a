"""Bridge results from a file of any known format, detected from its suffix or its first line."""

from collections.abc import Mapping
from pathlib import Path

from halfpoint.apps.fields.bridge.csv_results import read_csv_results
from halfpoint.apps.fields.bridge.lin import read_lin
from halfpoint.apps.fields.bridge.pbn import read_pbn
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.compressed import as_utf8, check_text, decode, plain_suffix, read_bytes
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word

_FORMATS = ("csv", "lin", "pbn")
_SNIFFED_BYTES = 4096


def read_results(
    path: str | Path, kind: str | None = None, columns: Mapping[str, str] | None = None, scored: bool = True
) -> BridgeTable:
    """Read the results of a file, CSV, LIN or PBN, plain or compressed; the format is detected by default.

    `columns` maps fields to columns of a CSV file. For unscored future deals scores are ignored.

    Raises
    ------
    GameTableError
        If the format is unknown or the reader refuses the file.
    """
    chosen = _detect(path) if kind is None else kind
    require_word("format", chosen, _FORMATS, GameTableError)
    if columns and chosen != "csv":
        raise GameTableError(str(path), "a CSV file with --columns", chosen.upper(), "Leave --columns out.")
    if chosen == "csv":
        return read_csv_results(path, columns, scored)
    if not scored:
        raise GameTableError(str(path), "future deals as CSV", chosen.upper())
    return read_lin(path) if chosen == "lin" else read_pbn(path)


def _detect(path: str | Path) -> str:
    """The format of a file."""
    suffix = plain_suffix(path)
    if suffix in (".csv", ".tsv", ".lin", ".pbn"):
        return "csv" if suffix == ".tsv" else suffix[1:]
    beginning = as_utf8(read_bytes(path, _SNIFFED_BYTES))[0]
    check_text(beginning, str(path))
    first = next((line.strip() for line in decode(beginning).splitlines() if line.strip()), "")
    if not first:
        raise GameTableError(str(path), f"results as {', '.join(_FORMATS)}", "an empty file")
    if first.startswith(("[", "%")):
        return "pbn"
    return "lin" if first.split("|")[0] in ("vg", "pn", "rs", "qx") else "csv"

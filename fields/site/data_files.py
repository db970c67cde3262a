"""Data of a site: tables as CSV, JSON and Excel workbooks, and the feed of its editions."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr

import pandas as pd

from halfpoint.fields.site.edition import Edition
from halfpoint.games.results import Results
from halfpoint.workflows.answer import as_csv, as_json_text, records, safe_for_spreadsheets, without_residues

_LATEST = 30  # entries of the feed


def put_tables(place: Results, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Write each table as CSV and JSON, and as a workbook if openpyxl is there; list the suffixes written."""
    kinds = ["csv", "json", *(["xlsx"] if find_spec("openpyxl") else [])]
    for name, frame in tables.items():
        place.text(f"data/{name}.csv", as_csv(frame))
        place.text(f"data/{name}.json", as_json_text({"rows": records(frame)}))
        if "xlsx" in kinds:
            place.aside(f"data/{name}.xlsx").write_bytes(workbook(frame, name))
    return kinds


def workbook(frame: pd.DataFrame, sheet: str) -> bytes:
    """An Excel workbook of one sheet; text that a spreadsheet would run as a formula stays text."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    moment = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # the same bytes for the same numbers
    book.properties.created = book.properties.modified = moment
    page = book.create_sheet(sheet[:31])
    safe = safe_for_spreadsheets(without_residues(frame))
    page.append([str(name) for name in safe.columns])
    for row in safe.to_numpy(dtype=object).tolist():
        page.append([None if value is None or pd.isna(value) else value for value in row])
    target = BytesIO()
    book.save(target)
    return target.getvalue()


def feed(editions: Sequence[Edition], sentences: Sequence[str], address: str) -> str:
    """Atom feed of the editions, the latest first; a sentence each."""
    latest = editions[-1]
    # without an address a feed needs another name that stays the same: that of its title
    name = address or f"urn:halfpoint:{latest['title'].replace(' ', '-')}"
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>', '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{escape(latest['title'])}</title>", f"<id>{escape(name)}</id>",
        f"<updated>{_moment(latest)}</updated>", "<author><name>halfpoint</name></author>",
        *([f"<link href={quoteattr(address)}/>", f'<link rel="self" href={quoteattr(address + "feed.xml")}/>']
          if address else []),
    ]  # fmt: skip
    for edition, sentence in list(zip(editions, sentences, strict=True))[: -_LATEST - 1 : -1]:
        number = edition["edition"]
        link = f"{address}editions/{number:04d}.html"
        lines += [
            "<entry>", f"<title>{escape(sentence)}</title>", f"<id>{escape(f'{name}#edition-{number}')}</id>",
            f"<updated>{_moment(edition)}</updated>", f"<link href={quoteattr(link)}/>",
            f"<summary>{escape(summary_of(edition))}</summary>", "</entry>",
        ]  # fmt: skip
    return "\n".join([*lines, "</feed>", ""])


def summary_of(edition: Edition) -> str:
    """Number of an edition with its games, in words."""
    until = f" until {edition['day']}" if edition["day"] else ""
    return f"Edition {edition['edition']}, {edition['games']:,} games{until}"


def _moment(edition: Edition) -> str:
    """Moment at which an edition was made."""
    return f"{edition['made']}T00:00:00Z"

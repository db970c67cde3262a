"""Data of a site: tables as CSV, JSON and Excel workbooks, and the feed of its editions."""

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd

from halfpoint.apps.fields.site.edition import Edition
from halfpoint.apps.fields.site.pages import games_in_words
from halfpoint.apps.workflows.answer import as_csv, as_json_text, records
from halfpoint.models.games.results import Results

_LATEST = 30  # entries of the feed
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # characters that XML forbids


def put_tables(place: Results, tables: Mapping[str, pd.DataFrame]) -> None:
    """Write each table as CSV, JSON and a workbook."""
    for name, frame in tables.items():
        place.text(f"data/{name}.csv", as_csv(frame))
        place.text(f"data/{name}.json", as_json_text({"rows": records(frame)}))
        place.aside(f"data/{name}.xlsx").write_bytes(workbook(frame, name))


def workbook(frame: pd.DataFrame, sheet: str) -> bytes:
    """An Excel workbook of one sheet, Office Open XML (ECMA-376); cells are numbers and texts, never formulas."""
    entries = records(frame)
    rows = [list(entries[0]) if entries else list(map(str, frame.columns)), *(list(row.values()) for row in entries)]
    cells = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    sheet_entry = f'<sheet name={quoteattr(sheet[:31])} sheetId="1" r:id="rId1"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/></Types>',
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>{sheet_entry}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{cells}</sheetData></worksheet>',
    }
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, text in parts.items():  # with one date, for the same bytes from the same numbers
            archive.writestr(ZipInfo(name, (2000, 1, 1, 0, 0, 0)), _XML + text, ZIP_DEFLATED)
    return target.getvalue()


def _relation(kind: str, target: str) -> str:
    """The only relation of a part."""
    relation = f'<Relationship Id="rId1" Type="{_OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{relation}</Relationships>'


def _cell(value: object) -> str:
    """A cell: a number, a text, or empty."""
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    text = escape(_UNPRINTABLE.sub("", str(value)))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


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
    return f"Edition {edition['edition']}, {games_in_words(edition)}{until}"


def _moment(edition: Edition) -> str:
    """Moment at which an edition was made."""
    return f"{edition['made']}T00:00:00Z"

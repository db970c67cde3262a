"""Files with large claimed or unpacked sizes: workbooks, archives, entities, Parquet, arrays and states; and their
readers.
"""

import gzip
import io
import json
import struct
import zipfile

import numpy as np
import polars as pl

from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.races.read import read_races
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.models.games.array_files import read_arrays
from halfpoint.readers.read import read
from halfpoint.systems.rating_state import RatingState

READERS = {  # by the end of a file's name, the longest first
    "races.csv": lambda path: read_races(path).line,
    "stints.csv": lambda path: read_lineups(path).line,
    "state.json": lambda path: RatingState.read(path).state,
    ".pbn": lambda path: read_results(path, kind="pbn").score_ns,
    ".lin": lambda path: read_results(path, kind="lin").score_ns,
    ".npz": read_arrays,
    ".nc": read_trace,
    "": read,
}
HEAD = "white,black,result\n"
MANY = 10_000_000
LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 20}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>\n"
)
TEXTS = {
    "comments.html": lambda: "<!---->" * 49,
    "open comments.html": lambda: "<html><table><tr>" + "<!--" * (MANY // 4),
    "cells.html": lambda: "<html><table>" + "<tr><td>a<td>b<td>1" * (MANY // 20) + "</table>",
    "deep.html": lambda: "<html>" + "<table><tr><td>" * (MANY // 15),
    "one cell.csv": lambda: HEAD + "Ann,Bob," + "1-0 " * (MANY // 4),
    "brackets.csv": lambda: HEAD + "".join(f"{'(' * 4000}{k},Bob,1\n" for k in range(2500)),
    "underscores.csv": lambda: HEAD + "".join(f"{'_' * 4000}{k},Bob,1\n" for k in range(2500)),
    "names of 999.csv": lambda: (
        HEAD + "".join(f"{('( ', '_.', 'A ', '1 ', ' -')[k % 5] * 495}{k},B,1\n" for k in range(9900))
    ),
    "header.csv": lambda: "white,black," + "_ " * 10_000 + "\nAnn,Bob,1\n",
    "many headers.csv": lambda: "white,black," + ",".join("_ " * 450 + str(k) for k in range(4900)) + "\n",
    "seconds.csv": lambda: "white,black,result,date\n" + "".join(f"A,B,1,{'T ' * 400}{k}\n" for k in range(12_000)),
    "results.csv": lambda: (
        HEAD + "".join(f"A,B,{('1 - ', 'won ', '0/', ': ')[k % 4] * 200}{k}\n" for k in range(12_000))
    ),
    "pairs.csv": lambda: "match,result\n" + "".join(f"A{' ' * 900}vs,1\n" for _ in range(10_000)),
    "blanks races.csv": lambda: "race,driver,place\n" + "".join(f"1,A{k},{' ' * 990}x{k}\n" for k in range(10_000)),
    "blank races.csv": lambda: "race,driver,points\n1,A,( " + " " * 30_000 + "x\n",
    "sides stints.csv": lambda: (
        "off1,def1,points\n" + f"{'+'.join(f'{k:x}' for k in range(220))},{'+'.join(f'n{k:x}' for k in range(180))},1\n"
        * 6_000
    ),
    "values.sgf": lambda: "(;PB[a]PW[b]" + "C[a" * (MANY // 3),
    "trees.sgf": lambda: "(;PB[a]PW[b]RE[B+R]" * (MANY // 19),
    "closed.sgf": lambda: "(;PB[a]PW[b]RE[B+R])" * (MANY // 20),
    "slashes.sgf": lambda: "(;PB[a]PW[b]" + "[\\" * (MANY // 2),
    "sentences.txt": lambda: "Ann beat Bob\n" * 3 + f"Ann {', ' * 90}beat Bob\n" * 50_000,
    "division.t": lambda: f"Ann{' ' * 30}1500 1;1\n" * 3 + f"Ann{' ' * 5000}x\n" * 2000,
    "rules.txt": lambda: "name  elo  score\n" + f"{'-' * 5000}x\n" * 2000,
    "fields.txt": lambda: "#PIN1=1#NAME=a\n" + f"#a{' ' * 5000}\n" * 2000,
    "square.csv": lambda: ",A,B,C\nA,,1,2\nB,3,,1\nC," + ",5" * 30_000 + "\n",
    "laughs.xml": lambda: LAUGHS + "<Tournament><Player name='&i;'/></Tournament>",
    "laughs.html": lambda: LAUGHS + "<html><table><tr><td>&i;</td></tr></table></html>",
    "braces.pbn": lambda: '[Event "x"]\n[Board "1"]\n' + "{" * MANY,
    "comments.pbn": lambda: '[Event "x"]\n[Board "1"]\n' + "{}" * (MANY // 2),
    "tags.pbn": lambda: '[Board "1"]\n' + '[Board "' * (MANY // 8),
    "boards.pbn": lambda: '[Board "1"]\n[North "A"]\n\n' * (MANY // 26),
    "open.lin": lambda: "vg|x," * (MANY // 5),
    "bars.lin": lambda: "rs|" * (MANY // 3),
    "deep state.json": lambda: '{"schema":' * (MANY // 10),
    "long state.json": lambda: '{"schema": ' + "9" * MANY,
    "players state.json": lambda: json.dumps({"players": [f"p{k}" for k in range(600_000)]}),
}  # fmt: skip


def _archive(path, members):
    """Write a zip of texts; a member may consist of several parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if "mimetype" in members:
            archive.writestr("mimetype", members.pop("mimetype"), zipfile.ZIP_STORED)
        for name, parts in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                for part in [parts] if isinstance(parts, str | bytes) else parts:
                    member.write(part.encode() if isinstance(part, str) else part)


def workbook(path, sheet, strings="", head=""):
    """Write an .xlsx of one sheet."""
    office = "http://schemas.openxmlformats.org"
    main, kind = f"{office}/spreadsheetml/2006/main", f"{office}/officeDocument/2006/relationships"
    parts = f'<Relationships xmlns="{office}/package/2006/relationships">'

    def related(number, what, target):
        return f'<Relationship Id="r{number}" Type="{kind}/{what}" Target="{target}"/>'

    one = f'<sheets><sheet name="a" sheetId="1" xmlns:r="{kind}" r:id="r1"/></sheets>'
    sheets = related(1, "worksheet", "worksheets/sheet1.xml") + related(2, "sharedStrings", "sharedStrings.xml")
    _archive(path, {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types"/>',
        "_rels/.rels": f"{parts}{related(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>",
        "xl/workbook.xml": f'{head}<workbook xmlns="{main}">{one}</workbook>',
        "xl/_rels/workbook.xml.rels": f"{parts}{sheets}</Relationships>",
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": [
            f'{head}<worksheet xmlns="{main}"><sheetData>',
            *([sheet] if isinstance(sheet, str) else sheet),
            "</sheetData></worksheet>",
        ],
    })  # fmt: skip


def _spreadsheet(path, rows):
    """Write an .ods of one sheet."""
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    names = " ".join(f'xmlns:{one}="{urn}:{one}:1.0"' for one in ("office", "table", "text"))
    opened = ("office:document-content", "office:body", "office:spreadsheet", "table:table")
    begin = "".join(f"<{one}>" for one in opened).replace("content>", f"content {names}>")
    _archive(path, {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{urn}:manifest:1.0"/>',
        "content.xml": [begin.replace("<table:table>", '<table:table table:name="a">'), *rows,
                        "".join(f"</{one}>" for one in opened[::-1])],
    })  # fmt: skip


def _cell(place, text):
    """Cell of a sheet with a text."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _row(number, *texts):
    """Row of a sheet."""
    return f'<row r="{number}">{"".join(_cell(f"{'ABC'[k]}{number}", text) for k, text in enumerate(texts))}</row>'


ROWS = _row(1, "white", "black", "result") + _row(2, "Ann", "Bob", "1")
FAR = f'<row r="1048576">{_cell("XFD1048576", "x")}</row>'
ODD = (
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="3" '
    'office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>'
)


def _claims(path):
    """Write arrays whose header claims more data than the file has."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)


def _zeros(path):
    """Write arrays of zeros that unpack to 4 GB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "|i1", "fortran_order": False, "shape": (4 * 10**9,)})
        with archive.open("a.npy", "w", force_zip64=True) as member:
            member.write(header.getvalue())
            for _ in range(400):
                member.write(bytes(MANY))


def _parquet(path, **columns):
    """Write columns as Parquet."""
    pl.DataFrame({"white": "Ann", "black": "Bob", "score": 1.0}).lazy().join(
        pl.LazyFrame(columns), how="cross"
    ).sink_parquet(path)


BINARY = {
    "far.xlsx": lambda path: workbook(path, ROWS + FAR),
    "blanks.xlsx": lambda path: workbook(path, [ROWS, *[b" " * MANY] * 200]),
    "rows.xlsx": lambda path: workbook(path, [ROWS, *(_row(k, "Ann", "Bob", "1") for k in range(3, 900_000))]),
    "strings.xlsx": lambda path: workbook(
        path, [ROWS, *(f'<row r="{k}"><c r="A{k}" t="s"><v>0</v></c></row>' for k in range(3, 100_000))],
        f"<si><t>{'x' * 100_000}</t></si>",
    ),
    "entities.xlsx": lambda path: workbook(path, _row(1, "&i;", "b", "c"), head=LAUGHS),
    "repeated.ods": lambda path: _spreadsheet(path, [ODD.replace('"1048000"', '"100000"').replace('"3"', '"1000"')]),
    "repeated rows.ods": lambda path: _spreadsheet(path, [ODD]),
    "bomb.ods": lambda path: _spreadsheet(path, [b" " * MANY] * 200),
    "bomb.csv.gz": lambda path: path.write_bytes(gzip.compress(HEAD.encode() + b"Ann,Bob,1\n" * 200_000_0)),
    "bomb.csv.zip": lambda path: _archive(path, {"a.csv": [HEAD, *[b"Ann,Bob,1\n" * 1_000_000] * 100]}),
    "bombs.sgf.zip": lambda path: _archive(path, {f"{k}.sgf": [b"(;PB[a]PW[b]" + b" " * MANY] for k in range(100)}),
    "members.zip": lambda path: _archive(path, {f"{k}.sgf": b"(;PB[a]PW[b]RE[B+R])" for k in range(60_000)}),
    "runs.parquet": lambda path: _parquet(path, n=pl.repeat(1, 30_000_000, eager=True)),
    "texts.parquet": lambda path: _parquet(path, note=pl.repeat("x" * 100_000, 300_000, eager=True)),
    "names.parquet": lambda path: pl.DataFrame(
        {"white": pl.repeat("x" * 100_000, 300_000, eager=True), "black": "Bob", "score": 1.0}
    ).write_parquet(path),
    "claims.npz": _claims,
    "zeros.npz": _zeros,
}  # fmt: skip


def read_by_name(path):
    """Read a file by its reader; return an object with a length."""
    return next(reader for end, reader in READERS.items() if path.name.endswith(end))(path)

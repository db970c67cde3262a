"""Files of tournament offices: simulated events in the formats of pairing programs, servers and spreadsheets."""

import pickle
import re
import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.office.sheets import NoSheetsError, longest_sheet, sheet_of_answer
from halfpoint.readers.read import detect, open_table, read
from halfpoint.readers.result_cells import result_of_go


def _written(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def _notes(games):
    """Notes of a table in one text."""
    return " / ".join(games.notes)


ROWS = [["Date", "White", "Black", "Result"], ["2024-01-13", "Hahn, Ben", "Adler & Co", "1-0"],
        ["2024-01-14", "Adler & Co", "Größ", "1/2-1/2"], ["2024-01-15", "Größ", "Hahn, Ben", "0-1"]]  # fmt: skip
TRUTH = {"Hahn, Ben": [2, 0, 0], "Adler & Co": [0, 1, 1], "Größ": [0, 1, 1]}


def _html(rows, before=""):
    cells = ["".join(f"<td>{cell.replace('&', '&amp;')}</td>" for cell in row) for row in rows]
    return f"{before}<table border=1>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


TEXTS = {
    "page.xls": "<html><head><style>td {a: b}</style></head><body><table><tr><td>Menu</td></tr></table>"
    + _html(ROWS) + "</body></html>",
    "page.html": "<!DOCTYPE html><html><script>var a = '<table>';</script>" + _html(ROWS) + "</html>",
    "aligned.txt": "Club night\n\n" + "\n".join(f"{a:<12}{b:<14}{c:<14}{d}" for a, b, c, d in ROWS),
    "ruled.txt": "Rd White        Black        Res\n== ============ ============ =======\n"
    + "\n".join(f"{k:<3}{row[1]:<13}{row[2]:<13}{row[3]}" for k, row in enumerate(ROWS[1:], 1)),
    "markdown.md": "# Results\n\n| " + " | ".join(ROWS[0]) + " |\n|---|:---|---|---:|\n"
    + "\n".join("| " + " | ".join(row) + " |" for row in ROWS[1:]),
    "psql.txt": "    date    |   white    |   black    | result\n------------+------------+------------+--------\n"
    + "\n".join(" " + " | ".join(row) for row in ROWS[1:]) + "\n(3 rows)\n",
}  # fmt: skip


SHEET = """<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Worksheet ss:Name="a"><Table>{}</Table></Worksheet></Workbook>"""
TEXTS["sheet.xls"] = SHEET.format(
    "".join(
        "<Row>" + "".join(f"<Cell><Data>{cell.replace('&', '&amp;')}</Data></Cell>" for cell in row) + "</Row>"
        for row in ROWS
    )
)


@pytest.mark.parametrize("name", TEXTS)
def test_a_table_in_text_or_html_is_read(tmp_path, name):
    assert tally(read(_written(tmp_path, TEXTS[name], name))) == TRUTH


def test_html_of_windows_is_decoded_and_other_tables_are_named(tmp_path):
    games = read(_written(tmp_path, TEXTS["page.xls"].encode("cp1252"), "page.xls"))
    assert tally(games) == TRUTH
    assert "HTML: table 2 of 2 / not read: 1 other table" in _notes(games)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("place", range(4))
def test_html_cells_of_several_rows_are_in_each_row(tmp_path, place, closed):
    pairs = [("Hahn", "Adler"), ("Adler", "Größ"), ("Größ", "Hahn")]
    header = ["White", "Black", "Result"]
    head = "".join(f"<th rowspan='2'>{name}</th>" for name in [*header[:place], "Date", *header[place:]])
    lines = []
    for day in ("2024-01-13", "2024-01-14"):
        for pair in pairs:
            cells = [f"<td>{cell}</td>" for cell in (*pair, "1-0")]
            lines.append("".join([*cells[:place], f"<td rowspan=3>{day}</td>" * (pair is pairs[0]), *cells[place:]]))
    text = "</tr><tr>".join([head, "", *lines])
    text = text if closed else re.sub("</t[dhr]>", "", text)
    games = read(_written(tmp_path, f"<html><table><tr>{text}</tr></table></html>", "days.html"))
    assert tally(games) == {name: [2, 0, 2] for name in ("Hahn", "Adler", "Größ")}
    assert games.date.astype(str).tolist() == ["2024-01-13"] * 3 + ["2024-01-14"] * 3


@pytest.mark.parametrize(
    ("cell", "most"), [("<td rowspan=9999>a</td>", "2,000,000"), ("<td rowspan=2 colspan=9999>a", "20,000,000")]
)
def test_html_with_very_many_cells_of_several_rows_stops_soon(tmp_path, cell, most):
    path = _written(tmp_path, f"<html><table>{f'<tr>{cell * 20}' * 1000}</table></html>", "wide.html")
    start = time.process_time()
    with pytest.raises(GameTableError, match=f"expected at most {most} cells"):
        read(path)
    assert time.process_time() - start < 10.0  # it took 120


def test_columns_of_words_in_a_column_are_not_parted(tmp_path):
    rows = ["Rd White     Black     Res", "1  Ann Cole  Bob Dorn  1-0", "2  Bob Dorn  Eva Cole  1-0"]
    text = "\n".join([*rows, "3  Eva Cole  Ann Cole  0-1"])
    games = read(_written(tmp_path, text, "games.txt"))
    assert games.players.tolist() == ["Ann Cole", "Bob Dorn", "Eva Cole"]


def test_a_matrix_as_r_prints_it(tmp_path):
    text = """             Biometrika Comm JASA JRSS
Biometrika          714  730  498  221
Comm                 33  425   68   17
JASA                320  813 1072  142
JRSS                284  276  325  188
"""
    games = read(_written(tmp_path, text, "citations.txt"))
    assert tally(games)["Biometrika"] == [730 + 498 + 221, 0, 33 + 320 + 284]


def test_an_empty_cell_of_an_xml_spreadsheet_is_skipped(tmp_path):
    head = "".join(f"<Cell><Data>{one}</Data></Cell>" for one in ("White", "Elo", "Black", "Result"))
    row = '<Row><Cell><Data>A</Data></Cell><Cell ss:Index="3"><Data>B</Data></Cell><Cell><Data>1-0</Data></Cell></Row>'
    path = _written(tmp_path, SHEET.format(f"<Row>{head}</Row>{row}{row}"), "a.xls")
    assert tally(read(path)) == {"A": [2, 0, 0], "B": [0, 0, 2]}


def _workbook(rows, titles=()):
    """Minimal workbook of Office Open XML, with a sheet of notes first."""

    def sheet(rows):
        cells = [
            "".join(f'<c t="inlineStr"><is><t>{cell.replace("&", "&amp;")}</t></is></c>' for cell in row)
            for row in rows
        ]
        body = "".join(f"<row>{row}</row>" for row in cells)
        return f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
                         'ContentType="application/xml"/></Types>')  # fmt: skip
        archive.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" '
                         f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>')  # fmt: skip
        archive.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                         '<sheet name="Notes" sheetId="1" r:id="r1"/><sheet name="Games" '
                         'sheetId="2" r:id="r2"/></sheets></workbook>')  # fmt: skip
        archive.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">' + "".join(
            f'<Relationship Id="r{k}" Type="{office}/worksheet" Target="worksheets/sheet{k}.xml"/>' for k in (1, 2)
        ) + "</Relationships>")  # fmt: skip
        archive.writestr("xl/worksheets/sheet1.xml", sheet([["A remark"]]))
        archive.writestr("xl/worksheets/sheet2.xml", sheet([*titles, *rows]))
    return made.getvalue()


@pytest.mark.parametrize("name", ["games.xlsx", "games.dat"])
def test_a_workbook_is_read_and_other_sheets_are_named(tmp_path, name):
    games = read(_written(tmp_path, _workbook(ROWS, [["Club Open"]]), name))
    assert tally(games) == TRUTH
    assert "a workbook: sheet 'Games' / not read: sheet 'Notes'" in _notes(games)
    assert games.line.tolist() == [3, 4, 5]


def test_a_workbook_may_hold_a_form_of_research(tmp_path):
    games = read(
        _written(
            tmp_path,
            _workbook([["", "A", "B", "C"], ["A", "9", "3", "2"], ["B", "1", "9", "4"], ["C", "5", "0", "9"]]),
            "a.xlsx",
        )
    )
    assert tally(games) == {"A": [5, 0, 6], "B": [5, 0, 3], "C": [5, 0, 6]}


def test_a_broken_workbook_is_told(tmp_path):
    with pytest.raises(GameTableError, match="a readable workbook"):
        read(_written(tmp_path, _workbook(ROWS)[:400], "a.xlsx"))


def test_a_process_that_reads_a_workbook_answers_with_data_alone(tmp_path):
    marker = tmp_path / "ran"

    class Runs:
        def __reduce__(self):
            return (Path.touch, (marker,))

    odd = [pickle.dumps(Runs()), b"", b"[" * 100_000, b"[]", b'{"title": 1}', b'{"fault": "x", "cells": 1}']
    odd += [b'{"title": "a", "sheets": 1, "others": [0], "cells": 1}\n', b"9" * 5000]
    for answered in odd:
        with pytest.raises(NoSheetsError, match="an answer of the reading process that is not a sheet"):
            sheet_of_answer(answered)
    assert not marker.exists()
    sheet = longest_sheet(_workbook(ROWS, [["Club Open"]]), 20)
    assert (sheet.title, sheet.sheets, sheet.others) == ("Games", 2, ("Notes",))
    assert sheet.text.endswith('2024-01-15,Größ,"Hahn, Ben",0-1\n')
    assert longest_sheet(_workbook(ROWS), len(ROWS)).text == ""


def test_a_workbook_without_its_extra_names_the_remedy(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(GameTableError, match=r"pip install 'halfpoint\[office\]'"):
        read(_written(tmp_path, _workbook(ROWS), "a.xlsx"))


# four players, three rounds: Adler beats Brandt and Cole, Cole and Dorn draw, ...
CROSS = {
    "vega.txt": """Open
 Pos  NAME          Rtg  Fed  Pts    1     2     3
---------------------------------------------------
   1  Adler, Ann    2250 GER  2.5  +W2   +B3   +BYE
   2  Brandt, Otto  2190 GER  1.0  -B1   =W4   -W3
   3  Cole, Mia     2130 GER  1.5  =W4   -W1   +B2
   4  Dorn, Leo     2070 GER  1.0  =B3   =B2   -BYE
""",
    "swiss.txt": """Rank after round 3
Rk. SNo Name          Rtg   1.Rd  2.Rd  3.Rd  Pts
1   1   Adler, Ann    2250  2w1   4b1   -1    2.5
2   3   Brandt, Otto  2190  1b0   3w½   4w0   1.0
3   4   Dorn, Leo     2070  4b½   2b½   -0    1.0
4   2   Cole, Mia     2130  3w½   1w0   2b1   1.5
""",
    "open.h9": """; EV[Open]
; DT[2024-02-17,2024-02-18]
1 Adler Ann    3d UK Lon  5  20  2+/w  3+/b0  0+   |12345678
2 Brandt Otto  2d UK Lon  5  20  1-/b  4=/w   3-/w |12345679
3 Cole Mia     1k UK Lon  5  20  4=/w  1-/w0  2+/b |12345670
4 Dorn Leo     3k UK Lon  5  20  3=/b  2=/b   0-   |12345671
""",
    "uscf.txt": """-----------------------------------------------------------------
 Pair | Player Name            |Total|Round|Round|Round|
 Num  | USCF ID / Rtg          | Pts |  1  |  2  |  3  |
-----------------------------------------------------------------
    1 | ANN ADLER              |2.5  |W   2|W   3|H    |
   ON | 12345000 / R: 1800P9 ->1805 |N:3 |W |B    |     |
    2 | OTTO BRANDT            |1.0  |L   1|D   4|L   3|
   ON | 12345001 / R: 1770   ->1775 |N:3 |B |W    |W    |
    3 | MIA COLE               |1.5  |D   4|L   1|W   2|
   ON | 12345002 / R: 1740   ->1745 |N:3 |W |W    |B    |
    4 | LEO DORN               |1.0  |D   3|D   2|U    |
   ON | 12345003 / R: 1710   ->1715 |N:3 |B |B    |     |
""",
    "wintd.txt": """#   Name            Rtg   Rd1  Rd2  Rd3  Tot
1.  Adler, Ann      2250  W2   W3   H--- 2.5
2.  Brandt, Otto    2190  L1   D4   L3   0.5
3.  Cole, Mia       2130  D4   L1   W2   1.5
4.  Dorn, Leo       2070  D3   D2   U--- 1.0
""",
}
CROSS["vega-seat-first.txt"] = CROSS["vega.txt"]
for _old, _new in (
    ("+W", "W+"),
    ("-W", "W-"),
    ("=W", "W="),
    ("+B", "B+"),
    ("-B", "B-"),
    ("=B", "B="),
    ("B+YE", "+BYE"),
    ("B-YE", "-BYE"),
):
    CROSS["vega-seat-first.txt"] = CROSS["vega-seat-first.txt"].replace(_old, _new)
CROSS_TRUTH = [[2, 0, 0], [0, 1, 2], [1, 1, 1], [0, 2, 0]]  # Adler, Brandt, Cole, Dorn


@pytest.mark.parametrize("name", CROSS)
def test_a_cross_table_in_text_is_read(tmp_path, name):
    games = read(_written(tmp_path, CROSS[name], name))
    found = tally(games)
    surnames = {
        player: next(k for k, one in enumerate(("adler", "brandt", "cole", "dorn")) if one in player.lower())
        for player in found
    }
    assert {surnames[player]: told for player, told in found.items()} == dict(enumerate(CROSS_TRUTH))
    assert "set apart: 2 rounds of a player without an opponent" in _notes(games)
    first = next(k for k in range(5) if surnames[games.white_names[k]] == 0)
    assert surnames[games.black_names[first]] == 1
    assert games.all_neutral == (name == "wintd.txt")  # seats are not told


def test_players_who_do_not_tell_the_same_are_an_error(tmp_path):
    text = CROSS["vega.txt"].replace("-B1", "+B1")
    with pytest.raises(GameTableError, match="line 4, round 1: expected the same result from both players"):
        read(_written(tmp_path, text, "vega.txt"))


ECF = """#EVENT CODE=GOR24#EVENT NAME=Gorsley Open#RESULTS DATE=20/04/2024
#PIN=1#ECF CODE=100000A#NAME=Adler, Ann
#PIN=2#SURNAME=Brandt#FORENAME=Otto
#OTHER RESULTS=Open#COLOUR=W
#PIN1=1#SCORE=10#PIN2=2#GAME DATE=13/01/2024
#PIN1=1#SCORE=55#PIN2=2#GAME DATE=14/01/2024#COLOUR=B
#PIN1=1#SCORE=01#PIN2=2#COLOUR=B
#FINISH#
"""


def test_results_for_the_ecf(tmp_path):
    games = read(_written(tmp_path, ECF, "ecf.txt"))
    assert tally(games) == {"Adler, Ann": [1, 1, 1], "Brandt, Otto": [1, 1, 1]}
    assert games.white_names.tolist() == ["Adler, Ann", "Brandt, Otto", "Brandt, Otto"]
    assert games.date.astype(str).tolist() == ["2024-01-13", "2024-01-14", "2024-04-20"]
    assert "not used: 'EVENT CODE'" in _notes(games)


def test_a_pin_that_nobody_has_is_an_error(tmp_path):
    with pytest.raises(GameTableError, match="line 5: expected PINs of the list of players, found 9 and 2"):
        read(_written(tmp_path, ECF.replace("PIN1=1#SCORE=10", "PIN1=9#SCORE=10"), "ecf.txt"))


GOTHA = """<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201"><Players><Player firstName="Ann" name="Adler" rank="3D" rating="2300"/>
<Player firstName="Mia" name="de Cole" rank="2D" rating="2150"/></Players>
<Games><Game blackPlayer="DECOLEMIA" handicap="2" result="RESULT_WHITEWINS" roundNumber="1" whitePlayer="ADLERANN"/>
<Game blackPlayer="ADLERANN" handicap="0" result="RESULT_WHITEWINS_BYDEF" roundNumber="2" whitePlayer="DECOLEMIA"/>
<Game blackPlayer="ADLERANN" handicap="0" result="RESULT_UNKNOWN" roundNumber="3" whitePlayer="DECOLEMIA"/></Games>
<ByePlayers><ByePlayer player="ADLERANN" roundNumber="4"/></ByePlayers>
<TournamentParameterSet><GeneralParameterSet beginDate="2024-05-05" name="Paris"/></TournamentParameterSet></Tournament>
"""


def test_a_tournament_of_open_gotha(tmp_path):
    games = read(_written(tmp_path, GOTHA, "paris.xml"))
    assert tally(games) == {"Adler Ann": [1, 0, 0], "de Cole Mia": [0, 0, 1]}
    assert (games.date.astype(str).tolist(), games.covariates["handicap"].tolist()) == (["2024-05-05"], [2.0])
    for note in ("1 bye", "1 game, forfeit", "1 game, without a result", "1 game with handicap stones"):
        assert note in _notes(games)


@pytest.mark.parametrize(
    "text", [GOTHA.replace('"ADLERANN"', '"NOBODY"', 1), GOTHA[:300], "<!DOCTYPE a><Tournament><Player/>"]
)
def test_a_broken_tournament_is_told(tmp_path, text):
    with pytest.raises(GameTableError):
        open_table(_written(tmp_path, text, "paris.xml"))


SGF = """(;GM[1]FF[4]PW[Ann]PB[Bob]HA[2]RE[W+R]DT[2024-01-02,03];B[aa];W[bb](;B[cc])(;B[dd]))
(;PW[Bob]PB[Ann]C[a \\] comment (;PW[x\\])]RE[B+3.5])
(;PW[Bob]PB[Ann]RE[0])(;PW[Bob]PB[Ann]RE[Void])(;PW[Bob]PB[]RE[W+T])
"""


@pytest.mark.parametrize("kind", ["file", "folder", "zip"])
def test_games_of_sgf(tmp_path, kind):
    path = tmp_path / "games.sgf"
    path.write_text(SGF)
    if kind == "folder":
        path = tmp_path
    if kind == "zip":
        path = tmp_path / "games.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(tmp_path / "games.sgf", "a/1.sgf")
            archive.writestr("a/index.txt", "one")
    games = read(path)
    assert tally(games) == {"Ann": [2, 1, 0], "Bob": [0, 1, 2]}
    for note in (
        "1 game without both names",
        "1 game, without a result",
        "1 game with handicap stones",
        "not used: 'C'",
    ):
        assert note in _notes(games)


PDN = '[Event "Club"]\n[White "Ann"]\n[Black "Bob"]\n[Result "{}"]\n[GameType "20"]\n\n1. 32-28 19-23 {}\n\n'


def test_games_of_pdn(tmp_path):
    text = "".join(PDN.format(one, one) for one in ("2-0", "1-1", "0-2", "1-0", "*"))
    games = read(_written(tmp_path, text, "games.txt"))
    assert tally(games) == {"Ann": [2, 1, 1], "Bob": [1, 1, 2]}
    assert games.line.tolist() == [1, 9, 17, 25]
    assert "not used: 'GameType'" in _notes(games)


TSH = """Adler, Ann         1600 2 3 0; 420 380 50; p12 1 2 0
Brandt, Otto       1500 1 0 3; 400 50 390; p12 2 0 1
Cole, Mia          1400 0 1 2; 50 380 400; p12 0 1 2
"""


def test_a_division_of_tsh(tmp_path):
    games = read(_written(tmp_path, TSH, "a.t"))
    assert tally(games) == {"Adler, Ann": [1, 1, 0], "Brandt, Otto": [0, 0, 2], "Cole, Mia": [1, 1, 0]}
    assert games.white_names.tolist() == ["Adler, Ann", "Brandt, Otto", "Cole, Mia"]  # who began
    assert "set apart: 3 byes" in _notes(games)


def test_opponents_who_do_not_tell_the_same_are_an_error(tmp_path):
    with pytest.raises(GameTableError, match="line 1, round 1: expected the same result from both players, found opp"):
        read(_written(tmp_path, TSH.replace("2 3 0;", "3 3 0;"), "a.t"))


def test_results_of_go_as_servers_write_them():
    told = {"W+R": "1-0", "B+3.5": "0-1", "W+Res.": "1-0", "B+Time": "0-1", "W+F": "+:-", "B+Forfeit": "-:+",
            "Jigo": "1/2-1/2", "0": "1/2-1/2", "Draw": "1/2-1/2", "Void": "", "?": "", "Unfinished": ""}  # fmt: skip
    assert {word: result_of_go(word) for word in told} == told


def _report(dates, rounds="132"):
    """A report of three players whose round dates are given."""
    players = [
        ("Adler, Ann", ["   2 w 1", "   3 b ="]),
        ("Brandt, Otto", ["   1 b 0", "0000 - U"]),
        ("Cole, Mia", ["0000 - Z", "   1 w ="]),
    ]
    lines = [f"001 {k:4d}      {name:33s} 2000".ljust(91) + "".join(one.ljust(10) for one in told)
             for k, (name, told) in enumerate(players, 1)]  # fmt: skip
    return "\n".join([*dates, *lines]) + "\n"


@pytest.mark.parametrize(
    "head",
    [
        ["012 Open", "042 13.01.2024", "132".ljust(91) + "13/01/24  20/01/24"],
        ["012 Open", "042 2024/01/13", "132".ljust(91) + "2024/01/132024/01/20"],
        ["XXR 2", "XXC white1", "042 01/13/2024", "132".ljust(91) + "01/13/24  01/20/24"],
        ["### a comment", "042 24/01/13", "132 24/01/13 24/01/20"],
    ],
)
@pytest.mark.parametrize("name", ["open.trf", "open.trfx", "open.txt"])
def test_days_of_a_report_in_any_order(tmp_path, head, name):
    games = read(_written(tmp_path, _report(head), name))
    assert tally(games) == {"Adler, Ann": [1, 1, 0], "Brandt, Otto": [0, 0, 1], "Cole, Mia": [0, 1, 0]}
    assert games.date.astype(str).tolist() == ["2024-01-13", "2024-01-20"]
    assert ("not used: lines 'XXR', 'XXC'" in _notes(games)) == ("XXR 2" in head)


def test_a_game_to_come_and_one_that_both_lost_are_set_apart(tmp_path):
    text = _report([]).replace("2 w 1", "2 w  ").replace("1 b 0", "1 b  ").replace("b =", "b 0").replace("w =", "w 0")
    with pytest.raises(GameTableError, match="expected at least one game with a result"):
        read(_written(tmp_path, text, "open.trf"))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "Dear all\n\nsee you on Friday at eight.\n\nBest wishes\n", "1 2 3\n4 5 6\n7 8 9\n"]
)
def test_text_without_games_is_none_of_the_forms(tmp_path, text):
    with pytest.raises(GameTableError):
        detect(_written(tmp_path, text, "letter.txt"))

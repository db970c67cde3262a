"""CSV, LIN and PBN give one table, and each fault is one line."""

import pickle

import numpy as np
import pytest
from made import MADE_UP, USBF

from halfpoint.apps.fields.bridge.comparison import imp
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.models.games.errors import GameTableError


@pytest.fixture
def read(tmp_path):
    """Function from text and a file's name to a table."""

    def from_text(text, name="results.csv", **options):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return read_results(file, **options)

    return from_text


def rooms(table):
    """IMPs of the two teams of a match."""
    won = imp(table.score_ns[0::2] - table.score_ns[1::2])
    return int(won[won > 0].sum()), int(-won[won < 0].sum())


def test_a_vugraph_reads_to_its_printed_totals(read):
    table = read(USBF, "match.lin")
    assert rooms(table) == (30, 41)
    assert table.carried == (("Nickell", 80.0), ("Fleisher", 99.0))  # 110 to 140 in the end
    assert table.board.tolist() == [board for board in range(46, 61) for _ in (0, 1)]
    seats = table.players[table.seats]
    assert seats[0].tolist() == ["Rodwell", "Weinstein", "Meckstroth", "Levin"]  # North, East, South, West
    assert seats[1].tolist() == ["Martel", "Mahmood", "Stansby", "Hamman"]
    assert table.team_ns[:2].tolist() == ["Nickell", "Fleisher"]


def test_an_unplayed_board_is_told(read):
    table = read(MADE_UP, "match.lin")
    assert len(table) == 7
    assert table.score_ns.tolist() == [420, -50, -430, -400, 0, -100, 1440]
    assert imp(table.score_ns[:6:2] - table.score_ns[1:6:2]).tolist() == [10, -1, 3]
    assert any("board 4" in note and "fewer than two results" in note for note in table.notes)
    assert table.can_be_rated.tolist() == [True] * 6 + [False]


PBN = r"""% PBN 2.1
[Event "Club"]
[Date "2024.03.21"]
[Board "5"]
[Vulnerable "NS"]
[Deal "N:Q73.K.KQ9.KJT974 T862.AQT.63.Q832 A54.J98654.A854. KJ9.732.JT72.A65"]
[Scoring "MatchPoints;MP1"]
[Contract ""]
[TotalScoreTable "Rank\1R;PairId\2R;TotalPercentage\5R;Names\30L"]
1 1 60.00 "Ann - Bob"
2 2 55.00 "Cid - Dee"
3 3 50.00 "Eve - Flo"
4 4 35.00 "Gus - Hal"
[ScoreTable "PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Score_NS\6R;Score_EW\6R;Percentage_NS\3R"]
1 2 4S N 10 "620" - 100
3 4 4SX N 9 "-200" - 0
- 5 - - - "Bye" "Bye" -

[Event "#"]
[Date "#"]
[Board "6"]
[Vulnerable "EW"]
[Deal "E:T862.AQT.63.Q832 A54.J98654.A854. KJ9.732.JT72.A65 Q73.K.KQ9.KJT974"]
[ScoreTable "PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Score_NS\6R;Score_EW\6R;Percentage_NS\3R"]
1 2 Pass - - 0 - 0
3 4 2H W 7 - -100 100
5 6 - - - "A5050" - -
"""


def test_score_tables_of_pbn(read):
    table = read(PBN, "club.pbn")
    assert table.score_ns.tolist() == [620, -200, 0, 100, 0]
    assert table.adjusted.tolist() == [False] * 4 + [True]
    assert table.contract.tolist() == ["4SN=", "4SNx-1", "P", "2HW-1", ""]
    assert table.official[:4].tolist() == [100, 0, 0, 100]
    assert table.players[table.seats[0]].tolist() == ["Ann", "Cid", "Bob", "Dee"]
    assert table.players[table.seats[4]].tolist() == ["pair 5 (1)", "pair 6 (1)", "pair 5 (2)", "pair 6 (2)"]
    assert table.deal.tolist() == [0, 0, 1, 1, 1]
    assert table.event.tolist() == ["Club"] * 5
    assert table.date.astype(str).tolist() == ["2024-03-21"] * 5
    assert any("under one name are shown as pair 5 (1)" in note for note in table.notes)


RECORD = """[Event "Pairs"]
[Date "2021-04-03 05:06"]
[Board "1"]
[West "w{0}"]
[North "{1}"]
[East "e{0}"]
[South "s{0}"]
[Vulnerable "None"]
[Deal "N:Q73.K.KQ9.KJT974 T862.AQT.63.Q832 A54.J98654.A854. KJ9.732.JT72.A65"]
[Declarer "{2}"]
[Contract "{3}"]
[Result "{4}"]
[Auction "N"]
1C Pass 1H Pass
{{a comment
over two lines}}
[Play "W"]
S9 S3 S2 SA

"""


def test_one_record_a_table_of_pbn(read):
    text = RECORD.format(1, "n1", "S", "2H", 10) + RECORD.format(2, "GiB", "N", "3C", 8)
    table = read(text + RECORD.format(3, "n3", "", "", "").replace('Board "1"', 'Board "2"'), "night.pbn")
    assert table.score_ns.tolist() == [170, -50]
    assert table.deal.tolist() == [0, 0]
    assert table.can_be_rated.tolist() == [True, False]  # a robot
    assert any("1 deals without a result" in note for note in table.notes)


FULL = """deal,board,north,south,east,west,contract,declarer,result,score,date
a,2,Ann,Bob,Cid,Dee,3NT,N,+1,630,2024-03-21
a,2,Eve,Flo,Gus,Hal,4Sx,S,-2,-500,2024-03-21
a,2,Ida,Jan,Kai,,4H,E,10,-420,2024-03-21
b,,Ann,Bob,Cid,Dee,2H,E,=,-110,
b,,Eve,Flo,Gus,Hal,4S,N,=,620,
b,,Ida,Jan,Kai,Leo,A==,,,,
"""


def test_csv(read):
    table = read(FULL)
    assert table.score_ns.tolist() == [630, -500, -420, -110, 620, 0]
    assert table.contract.tolist() == ["3NN+1", "4SSx-2", "4HE=", "2HE=", "4SN=", ""]
    assert table.vulnerable.tolist()[:3] == [1, 1, 1]
    # Of deal b only "NS" gives 620 for North; 110 for 2H is the same at any vulnerability.
    assert [one in (1, 3) or one == -1 for one in table.vulnerable.tolist()[3:]] == [True] * 3
    assert table.adjusted.tolist() == [False] * 5 + [True]
    assert table.can_be_rated.tolist() == [True, True, False, True, True, False]
    pairs, ns, ew = table.pairs()
    assert pairs[ns].tolist()[:2] == ["Ann & Bob", "Eve & Flo"]
    assert (ns[0], ew[2]) == (ns[3], -1)


def test_pairs_in_one_column_points_alone_and_dates(read):
    table = read("tournament;bd;NS pair;EW pair;points;date\nX;7;Bo & Al;Cy/Di;-50;2024-03-21\n"
                 "X;7;Em & Fi;Gil + Ho;100;2024-03-21\nX;7;Bo & Al;Cy/Di;50;2024-03-28\n")  # fmt: skip
    assert table.deal.tolist() == [0, 0, 1]  # the same board a week later is another deal
    assert table.pairs()[0].tolist() == ["Al & Bo", "Cy & Di", "Em & Fi", "Gil & Ho"]


def test_names_of_columns_can_be_said(read):
    text = "h,n,s,e,w,plus\n1,A,B,C,D,50\n1,E,F,G,H,-50\n"
    table = read(text, columns={"deal": "h", "score": "plus"})
    assert table.score_ns.tolist() == [50, -50]


def test_a_table_travels_and_can_be_cut(read):
    table = read(FULL)
    again = pickle.loads(pickle.dumps(table))
    assert np.array_equal(again.seats, table.seats)
    cut = table.take(np.array([3, 4]))
    assert cut.deal_names.tolist() == ["b"]
    assert cut.players[cut.seats[0]].tolist() == ["Ann", "Cid", "Bob", "Dee"]
    with pytest.raises(ValueError, match="read-only"):
        table.score_ns[0] = 1


HEAD = "deal,north,south,east,west,score\n"
BOARDS = "board,north,south,east,west"
WRONG = [
    ("deal,north,south,east,score\n", r"header: expected a column for north, east, south, west .*--columns"),
    ("north,south,east,west,score\n", "header: expected a column for deal or board"),
    (HEAD + "1,A,B,C,D,fifty\n", r"line 2, column score: expected points .*'fifty'. A== is an adjusted"),
    (HEAD + "1,A,B,C,D,55\n", "line 2: expected a score of some contract, found 55"),
    (HEAD + "1,A,B,C,A,50\n", "line 2: expected four different players, found 'A' as N and W"),
    (HEAD + "1,A,B,C,D,50\n1,E,F,A,G,50\n", r"line 3, deal 1: .* once a deal, found 'A' at two .*line 2"),
    (HEAD + "1,A,B,C,D,50\n1,E,F,G,H\n", "line 3: expected 6 cells, found 5"),
    (HEAD + "1,A,B,C,D,\n", "line 2, deal 1: expected points, or a contract"),
    (HEAD, "expected at least one result"),
    (BOARDS + ",contract,score\n1,A,B,C,D,4SN=,620\n", "expected 420 for 4SN=, vulnerable None, found 620"),
    (BOARDS + ",contract\n1,A,B,C,D,4Q\n", r"line 2, column contract: expected a contract"),
    ("deal,north,south,east,west,contract\n1,A,B,C,D,4SN-2\n", r"the points, a board's number or the vulnerability"),
    ("deal,north,south,east,west,contract,score\n1,A,B,C,D,4SN=,430\n", "of these contracts at one vulnerability"),
    ("deal,board,ns,ew,score\n1,1,Ann,B & C,50\n", r"column ns: expected two names, found 'Ann'. Write Ann & Bob"),
    (BOARDS + ",score\nx,A,B,C,D,50\n", "line 2, column board: expected a board's number"),
    (BOARDS + ",score,vul\n1,A,B,C,D,50,maybe\n", "column vulnerable: expected None, NS, EW or All"),
    (BOARDS + ",score,date\n1,A,B,C,D,50,soon\n", "column date: expected a day"),
    (BOARDS + ",score,scoring\n1,A,B,C,D,50,luck\n", "column scoring: expected MP, IMP, XIMP or TEAM"),
    (BOARDS + ",contract,declarer,result\n1,A,B,C,D,4S,N,15\n", "column result: expected =, .1, -2, or tricks"),
    (BOARDS + ",contract,declarer,result\n1,A,B,C,D,4S,Q,=\n", "column declarer: expected N, E, S or W"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_one_line_with_its_place(read, text, message):
    with pytest.raises(GameTableError, match=message) as told:
        read(text)
    assert "results.csv" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("pn|a,b|\n", "a.lin", r"expected a field vg"),
        (MADE_UP.replace("3NW+1", "9NW"), "a.lin", r"line 2, field rs, board 2, open room: expected a result"),
        (MADE_UP.replace(",Hal", ""), "a.lin", "field pn: expected eight names, found 7"),
        (MADE_UP.replace("1,4,", "1,3,"), "a.lin", "field rs: expected at most 6 results"),
        (MADE_UP.replace("1,4,", "1,x,"), "a.lin", "line 1, field vg: expected event,segment"),
        (MADE_UP.replace("Reds,5", "Reds,much"), "a.lin", "expected IMPs carried over, a number"),
        ("hello\n", "a.pbn", r"expected PBN, tags"),
        ('[Event "x"]\n[Board "1"]\n', "a.pbn", "expected results: a ScoreTable, or Contract"),
        (PBN.replace("1 2 4S N 10", "1 2 4S N 15"), "a.pbn", r"line 15, Result: expected tricks"),
        (PBN.replace("1 2 4S N 10", "1 2 4S N"), "a.pbn", "line 15, ScoreTable: expected 8 cells"),
        (PBN.replace('"620"', '"420"'), "a.pbn", "expected 620 for 4SN=, vulnerable NS, found 420"),
        (PBN.replace("2024.03.21", "2024.05.81"), "a.pbn", r"Date: expected a day, such as .*, found '2024.05.81'"),
        (PBN.replace('[Board "', '[Board "9999999999'), "a.pbn", "Board: expected a board's number"),
        (MADE_UP.replace("1,4,", "1,9999999999999999999,"), "a.lin", "line 1, field vg: expected event,segment"),
        ("", "a.results", "found an empty file"),
    ],
)
def test_what_is_wrong_in_lin_and_pbn(read, text, name, message):
    with pytest.raises(GameTableError, match=message):
        read(text, name)


def test_columns_are_for_csv_only(read):
    with pytest.raises(GameTableError, match="Leave --columns out"):
        read(MADE_UP, "a.lin", columns={"deal": "x"})
    with pytest.raises(GameTableError, match="format: expected csv"):
        read(MADE_UP, "a.lin", kind="bws")


CLUB = r"""% PBN 2.1
% EXPORT
%HRTitleEvent "Monday Pairs"
%HRTitleDate 2026.03.09

[Event ""]
[Date ""]

[Event "#"]
[Date "#"]
[Board "1"]
[Vulnerable "None"]
[Scoring "MP"]
[ScoreTable "Section\1L;PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer;Result\2R;Score_NS\5R;Score_EW\5R;Names_NS\13;Names_EW"]
A  1  1 4S   N 10   420     - Ash-Birch     Cedar-Dogwood
A  2  2 3NTX S  8     -   100 Van Dam-Elm   Fir-Gum
B  1  1 PASS - -   PASS     - Hazel-Ivy-Jay Kapok-Larch
B  2  2 -    - -   AVE+  AVE- Maple-Nutmeg  Oak-Pine
B  3  3 NP   - -     NP    NP Quince-Rowan  Sorb-Teak
"""  # noqa: E501
NORDIC = r"""[Event "Pairs"]
[Board "1"]
[Vulnerable "None"]
[TotalScoreTable "Rank\2R;PairId\2R;Table\1R;Direction\5R;TotalScoreMP\3R;Names\40L;NrBoards\2R"]
 1  1 1 "N-S"  50 "Ask Ek - Bjørk Al" 21
 2  1 1 "E-W"  40 "Gran Li - Furu Moe" 21
[ScoreTable "Table\2R;Round\2R;PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Lead\3L;Score_NS\6R;Score_EW\6R;MP_NS\4R;Percentage_NS\3R"]
 1  1  1  1 2H   S  8 S6   "110"      -  2.0 100
 2  1  2  2 Pass -  - -      "0"      -  0.0   0
"""  # noqa: E501


def test_the_pairs_of_a_club_by_width_of_columns_section_and_day(read):
    table = read(CLUB, "monday.pbn")
    assert table.score_ns.tolist() == [420, -100, 0, 0]
    assert table.adjusted.tolist() == [False, False, False, True]
    seats = table.players[table.seats].tolist()
    assert seats[0] == ["Ash", "Cedar", "Birch", "Dogwood"]
    assert seats[1] == ["Van Dam", "Fir", "Elm", "Gum"]
    assert seats[2] == ["Hazel-Ivy-Jay (1)", "Kapok", "Hazel-Ivy-Jay (2)", "Larch"]  # three names are no two
    assert (table.event[0], str(table.date[0]), table.scoring[0]) == ("Monday Pairs", "2026-03-09", "MP")
    assert any("Sections A, B" in note for note in table.notes)
    assert not any("deals without a result" in note for note in table.notes)  # the record of tags alone is no deal


def test_pairs_that_are_numbered_in_each_direction(read):
    seats = (table := read(NORDIC, "n.pbn")).players[table.seats].tolist()
    assert seats[0] == ["Ask Ek", "Gran Li", "Bjørk Al", "Furu Moe"]
    assert seats[1] == ["pair 2 N-S (1)", "pair 2 E-W (1)", "pair 2 N-S (2)", "pair 2 E-W (2)"]


@pytest.mark.parametrize(
    ("north", "south", "line"),
    [
        ("Ann Lee - Bob Ray", "Ann Lee - Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann Lee - Bob Ray", "", ["Ann Lee", "Bob Ray"]),
        ("?", "Ann & Bob", ["Ann", "Bob"]),
        ("Lee-Ray", "Lee-Ray", ["Lee", "Ray"]),
        ("The Owls", "The Owls", ["The Owls (1)", "The Owls (2)"]),
        ("Anne-Marie", "Bob", ["Anne-Marie", "Bob"]),
        ("Para-16", "Para-16", ["Para-16 (1)", "Para-16 (2)"]),
        ("Paar - 3", "Paar - 3", ["Paar - 3 (1)", "Paar - 3 (2)"]),
    ],
)
def test_a_pairs_name_in_the_seats_of_its_line(read, north, south, line):
    tags = {"Board": 1, "North": north, "South": south, "East": "Cid", "West": "Dee", "Vulnerable": "None"}
    tags |= {"Contract": "4S", "Declarer": "N", "Result": 10}
    table = read("\n".join(f'[{name} "{value}"]' for name, value in tags.items()) + "\n", "seats.pbn")
    assert table.players[table.seats].tolist() == [[line[0], "Cid", line[1], "Dee"]]


def test_names_that_differ_in_case_alone_are_one_player(read):
    tags = {"North": "Ann", "South": "Bob", "East": "Cid", "West": "Dee", "Vulnerable": "None", "Contract": "4S"}
    records = [tags | {"Board": board, "Declarer": "N", "Result": 10} for board in (1, 2, 3)]
    records[1] |= {"North": "ANN", "West": "dee"}
    table = read("\n".join(f'[{name} "{value}"]' for one in records for name, value in one.items()), "case.pbn")
    assert table.players.tolist() == ["Ann", "Bob", "Cid", "Dee"]
    assert "Names that differ only in case are merged, such as ANN and Ann." in table.notes

"""Each column of a file is used, or named in a note as unused."""

import numpy as np
import pytest

from halfpoint.apps.fields.arena.frontier import read_costs
from halfpoint.apps.fields.bridge.csv_results import read_csv_results
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.office.performances import Titled, read_titles
from halfpoint.apps.fields.office.read import read_births
from halfpoint.apps.fields.races.read import read_races
from halfpoint.apps.workflows.beside.anchor_list import read_anchors
from halfpoint.apps.workflows.beside.line_ups import read_line_ups
from halfpoint.apps.workflows.beside.rating_lists import read_fide_list
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import read_players
from halfpoint.readers.read import read

PLAYERS = np.array(["Adler, Ann", "Brandt, Bo"])


def written(folder, text, name="file.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def games_of(folder):
    text = 'white,black,result\n"Adler, Ann","Brandt, Bo",1-0\n"Brandt, Bo","Adler, Ann",1-0\n'
    return read(written(folder, text, "games.csv"))


def test_costs_by_the_names_of_their_columns(tmp_path):
    path = written(tmp_path, 'vendor,Model,Tarif\nx,"Adler, Ann",0.5\ny,"Brandt, Bo",2\n')
    with pytest.raises(GameTableError, match=r"line 1: expected a column for cost \(cost, price"):
        read_costs(path, PLAYERS)
    path = written(tmp_path, 'vendor;Model;Price (USD)\nx;"Adler, Ann";0.5\ny;"Brandt, Bo";2\n')
    costs, notes = read_costs(path, PLAYERS)
    assert costs.tolist() == [0.5, 2.0]
    assert notes == ("file.csv, columns not used: 'vendor'",)


def test_costs_without_a_header_have_no_further_column(tmp_path):
    costs, notes = read_costs(written(tmp_path, '"Adler, Ann",0.5\n"Brandt, Bo",2\n'), PLAYERS)
    assert costs.tolist() == [0.5, 2.0]
    assert notes == ()
    with pytest.raises(GameTableError, match="line 1: expected a name and a cost above 0"):
        read_costs(written(tmp_path, '"Adler, Ann",0.5,x\n"Brandt, Bo",2,y\n'), PLAYERS)
    with pytest.raises(GameTableError, match="line 2: expected every player once, found 'Adler, Ann' as in line 1"):
        read_costs(written(tmp_path, '"Adler, Ann",0.5\n"Adler, Ann",2\n'), PLAYERS)


def test_titles_and_births(tmp_path):
    games = games_of(tmp_path)
    found = read_titles(written(tmp_path, 'Name;Club;Fed;Title\n"Adler, Ann";SK;GER;gm\n'), games)
    assert found.values == {"Adler, Ann": Titled("GM", "GER")}
    assert found.notes == ("file.csv, columns not used: 'Club'",)
    born = read_births(written(tmp_path, 'Jahrgang,Spieler,Verein\n1990,"Adler, Ann",SK\n'), games)
    assert born.values == {"Adler, Ann": 1990}
    assert born.notes == ("file.csv, columns not used: 'Verein'",)


def test_anchors_and_line_ups(tmp_path):
    anchors = read_anchors(written(tmp_path, "name,rating,standard error,games\nAnn,1500,20,9\n"))
    assert anchors.notes[-1] == "columns not used: 'games'"
    rows = "team,player,board,rating\nA,Ann,1,1500\nB,Bob,1,1400\n"
    teams, notes = read_line_ups(written(tmp_path, rows))
    assert [one.players for one in teams] == [("Ann",), ("Bob",)]
    assert notes == ("file.csv, columns not used: 'rating'",)


def test_a_list_of_fide(tmp_path):
    header = "ID Number      Name                           Fed Sex DEC12 Gms\n"
    row = f"{'2209390':<15}{'Adler, Ann':<31}GER F   2300  12\n"
    found = read_fide_list(written(tmp_path, header + row, "list.txt"))
    assert found.note == "columns not used: 'Fed', 'Sex', 'Gms'"


def test_files_of_the_fields(tmp_path):
    races = read_races(written(tmp_path, "event,driver,place,car\nA,Ann,1,x\nA,Bob,2,y\n"))
    assert "columns not used: 'car'." in races.notes
    wide = read_races(written(tmp_path, "event,weather,1,2\nA,dry,Ann,Bob\nB,wet,Bob,Ann\n"))
    assert "columns not used: 'weather'." in wide.notes
    used = read_races(written(tmp_path, "event,driver,place,car\nA,Ann,1,x\nA,Bob,2,y\n"), extra_columns=["car"])
    assert not used.notes
    stints = read_lineups(written(tmp_path, "off1,def1,points,quarter\nAnn,Bob,2,1\nBob,Ann,1,1\n"))
    assert stints.notes == ("columns not used: 'quarter'",)
    bridge = "board,north,east,south,west,score,lead\n1,Ann,Bob,Cem,Dan,420,SA\n1,Eve,Fay,Gil,Hal,-50,H2\n"
    assert "columns not used: 'lead'" in read_csv_results(written(tmp_path, bridge)).notes


@pytest.mark.parametrize(
    "header", ["player,club", "Name;Rating", "Spieler\tVerein", "Date,HomeTeam,AwayTeam,FTHG,FTAG"]
)
def test_a_list_of_names_has_no_columns(tmp_path, header):
    with pytest.raises(GameTableError, match=r"line 1: expected a name a line, without columns, found .* Keep"):
        read_players(written(tmp_path, f"{header}\nAnn,x\n"))
    assert read_players(written(tmp_path, "Adler, Ann\nBrandt, Bo\n")).tolist() == PLAYERS.tolist()

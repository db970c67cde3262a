"""Forms as data: a user's TOML for a table, JSON, XML and text; invalid ones are refused in one line."""

import json

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.known_documents import document_rows, rows_of_text
from halfpoint.readers.known_forms import known_forms
from halfpoint.readers.read import open_table, read

TRUTH = {"Ann": [1, 1, 0], "Bob": [0, 1, 1], "Cem": [1, 0, 1]}  # Ann beats Cem, draws with Bob, Cem beats Bob
FILES = {
    "table": (
        "H;V;Pts;ok\nAnn;Cem;Heim;y\nAnn;Bob;Patt;y\nBob;Cem;Gast;y\nBob;Ann;Heim;n\n",
        'signature = ["H", "V", "Pts"]\ncolumns = {white = "H", black = "V", score = "Pts", ok = "ok"}\n'
        'drop = {ok = ["N"]}\n[words.score]\nHeim = "first"\nPatt = "tie"\nGast = "second"\n',
    ),
    "json": (
        '{"meta": {"day": "2024-01-06"}, "duels": [{"who": ["Ann", "Cem"], "by": 2.0},'
        ' {"who": ["Ann", "Bob"], "by": 0}, {"who": ["Bob", "Cem"], "by": -1.5}]}',
        'kind = "json"\nsignature = ["duels"]\nrows = "duels"\n'
        'columns = {white = "who.0", black = "who.1", score = "by", date = "^meta.day"}\n'
        'cut.score = {at = 0, below = "second", above = "first", level = "tie"}\n',
    ),
    "xml": (
        '<cup><people><p id="1" name="Ann"/><p id="2" name="Bob"/><p id="3" name="Cem"/></people>'
        '<game a="1" b="3" r="1-0"/><game a="1" b="2" r="1/2-1/2"/><game a="2" b="3" r="0-1"/></cup>',
        'kind = "xml"\nsignature = ["cup", "game"]\nrows = "game"\n'
        'people = {rows = "people.p", id = "id", name = "name"}\ncolumns = {white = "@a", black = "@b", score = "r"}\n',
    ),
    "text": (
        "Club evening\n1) Ann  plays Cem: 1-0\n2) Ann  plays Bob: 1/2-1/2\n3) Bob  plays Cem: 0-1\n",
        'kind = "text"\nsignature = ["plays"]\nlines = ["{n:number}) {white}  plays {black}: {score:word}"]\n'
        'columns = {white = "white", black = "black", score = "score"}\n',
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_users_form_reads_a_file(tmp_path, kind):
    content, form = FILES[kind]
    (tmp_path / "club.dat").write_text(content, encoding="utf-8")
    (tmp_path / "club.toml").write_text(form, encoding="utf-8")
    file = tmp_path / ("club.csv" if kind == "table" else "club.dat")
    file.write_text(content, encoding="utf-8")
    assert tally(read(file, form=tmp_path / "club.toml")) == TRUTH


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ('signature = ["H"]\ncolums = {}', "club.toml, colums: expected signature | columns"),
        ('signature = ["H"]', "club.toml: expected signature and columns"),
        ('signature = ["H"]\ncolumns = {white = "H"}\nkind = "csv"', "kind: expected table | json | xml | text"),
        ("signature = [", "club.toml: expected a form as TOML"),
        ('signature = [1]\ncolumns = {white = "H"}', "club.toml, signature: expected a list of texts, found [1]"),
        (
            'signature = ["H"]\ncolumns = {white = 1}',
            "club.toml, columns: expected a table of texts, found {'white': 1}",
        ),
        ('signature = ["H"]\ngames = [1]', "club.toml, games: expected a list of tables of texts, found [1]"),
        ('signature = ["H"]\nwidth = true', "club.toml, width: expected a whole number, found True"),
        ('signature = ["H"]\ncolumns = {white = "H"}\ndrop = {H = "N"}', "drop: expected a table of lists of texts"),
        ('signature = ["H"]\ncolumns = {white = "H"}\nwords = {H = "N"}', "words: expected a table of tables of texts"),
        ('signature = ["H"]\ncolumns = {white = "H"}\nsplit = [1, 2]', "split: expected a list of texts, found [1, 2]"),
        (
            'signature = ["H"]\ncolumns = {white = "H"}\ncut.H = {at = "1"}',
            "cut.H: expected numbers at, least and most",
        ),
        ('signature = ["H"]\ncolumns = {white = "H"}\npeople = {id = "H"}', "people: expected id and name and rows"),
        ('signature = ["H"]\ncolumns = {white = "H"}\ncompare = "x"', "compare: expected a column after the first"),
        (
            'signature = ["H"]\ncolumns = {white = "@H>elo"}\npeople = {rows = "p", id = "i", name = "n"}',
            "columns: expected @ID or @ID>KEY with a key of people",
        ),
        ('signature = ["Z"]\ncolumns = {white = "H"}', "expected a column 'Z', found 'H', 'V', 'Pts', 'ok'"),
    ],
)
def test_a_wrong_form_is_one_line(tmp_path, form, message):
    (tmp_path / "club.csv").write_text(FILES["table"][0], encoding="utf-8")
    (tmp_path / "club.toml").write_text(form, encoding="utf-8")
    with pytest.raises(GameTableError) as wrong:
        read(tmp_path / "club.csv", form=tmp_path / "club.toml")
    assert message in str(wrong.value)


TABLES = [{"table_id": k, "player_names": names, "ranks": ranks} for k, (names, ranks) in enumerate(
    [("Ann,Cem", "1,2"), ("Ann,Bob", "1,1"), ("Bob,Cem", "2,1")])]  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        [1, 2],
        None,
        3,
        {"player_names": ["Ann", "Bob"], "ranks": [1, 2]},
        {"player_names": "Ann,Bob", "ranks": {"a": 1}},
    ],
)
@pytest.mark.parametrize("lines", [False, True])
def test_odd_values_beside_the_tables_of_board_game_arena_are_no_games(tmp_path, odd, lines):
    texts = [json.dumps(value) for value in [*TABLES, odd]]
    (tmp_path / "club.json").write_text("\n".join(texts) if lines else f"[{','.join(texts)}]", encoding="utf-8")
    assert tally(read(tmp_path / "club.json")) == TRUTH


def test_names_with_commas_in_every_table_are_one_line(tmp_path):
    tables = [table | {"player_names": f"Doe, {table['player_names']}"} for table in TABLES]
    (tmp_path / "club.json").write_text(json.dumps(tables), encoding="utf-8")
    with pytest.raises(GameTableError, match=r"as many player_names as ranks, with commas between, found none in 3"):
        read(tmp_path / "club.json")


def test_an_answer_without_scores_has_no_comparisons(tmp_path):
    form = next(form for form in known_forms() if form.compare)
    completions = [{"model": name, "overall_score": None} for name in ("a", "b")]
    document = [{"instruction": "x", "models": ["a", "b"], "completions": completions}]
    (tmp_path / "scores.json").write_text(json.dumps(document), encoding="utf-8")
    rows = document_rows(form, tmp_path / "scores.json", "scores", "scores.json")
    assert rows.notes[0].endswith("; 2 without a number")


def test_a_line_of_json_may_have_a_line_separator_of_unicode_in_a_text(tmp_path):
    form = 'kind = "json"\nsignature = ["duel"]\ncolumns = {white = "who.0", black = "who.1", score = "by"}\n'
    (tmp_path / "club.toml").write_text(form, encoding="utf-8")
    duels = (("Ann", "Cem", "1-0"), ("Ann", "Bob", "1/2-1/2"), ("Bob", "Cem", "0-1"))
    lines = [f'{{"duel": "first\u2028second\x85third", "who": ["{a}", "{b}"], "by": "{by}"}}\n' for a, b, by in duels]
    for number, ending in enumerate(("\n", "\r\n", "\r")):
        file = tmp_path / f"club{number}.jsonl"
        file.write_bytes("".join(lines).replace("\n", ending).encode())
        assert tally(read(file, form=tmp_path / "club.toml")) == TRUTH


def test_an_id_without_a_person_is_one_line(tmp_path):
    content, form = FILES["xml"]
    (tmp_path / "club.xml").write_text(content.replace('b="2"', 'b="9"'), encoding="utf-8")
    (tmp_path / "club.toml").write_text(form, encoding="utf-8")
    with pytest.raises(GameTableError, match="an id of the list of people, found '9'"):
        read(tmp_path / "club.xml", form=tmp_path / "club.toml")


def test_an_entity_in_xml_is_refused(tmp_path):
    bomb = '<!DOCTYPE cup [<!ENTITY a "aaaa">]>' + FILES["xml"][0]
    (tmp_path / "club.xml").write_text(bomb, encoding="utf-8")
    (tmp_path / "club.toml").write_text(FILES["xml"][1], encoding="utf-8")
    with pytest.raises(GameTableError, match="plain XML"):
        read(tmp_path / "club.xml", form=tmp_path / "club.toml")


def test_fields_of_a_line_end_at_the_text_behind_them():
    rows = rows_of_text("a b  c 3\nno row\n", ["{one}  {other} {goals:number}"], "")
    assert [row[:2] for row in rows] == [(1, {"one": "a b", "other": "c", "goals": "3", "template": "1"})]


def test_shipped_forms_have_names_and_columns():
    forms = known_forms()
    assert len(forms) == len({form.name for form in forms}) > 15
    assert all(form.columns or form.games for form in forms)


PERSON = (
    "<PersonResult><Person><Name><Family>{}</Family><Given>X</Given></Name></Person><Result>{}</Result></PersonResult>"
)
IOF = (
    '<ResultList xmlns="http://www.orienteering.org/datastandard/3.0" iofVersion="3.0"><Event><Name>Cup</Name>'
    "<StartTime><Date>2024-04-06</Date></StartTime></Event><ClassResult><Class><Name>M21</Name></Class>"
    + PERSON.format("Ann", "<Position>1</Position><Status>OK</Status>")
    + PERSON.format("Bob", "<Status>MissingPunch</Status>")
    + "</ClassResult></ResultList>"
)
PAIR = (
    "<PAIR><PAIR_NUMBER>{0}</PAIR_NUMBER><PLACE>{0}</PLACE><PLAYER><PLAYER_NAME>{1}</PLAYER_NAME></PLAYER>"
    "<PLAYER><PLAYER_NAME>{2}</PLAYER_NAME></PLAYER></PAIR>"
)
USEBIO = (
    "<USEBIO><EVENT><EVENT_DESCRIPTION>Cup</EVENT_DESCRIPTION><DATE>06/04/2024</DATE><PARTICIPANTS>"
    f"{PAIR.format(1, 'Ann', 'Bob')}{PAIR.format(2, 'Cem', 'Dan')}</PARTICIPANTS></EVENT></USEBIO>"
)


@pytest.mark.parametrize(
    ("text", "event", "placings"),
    [(IOF, "Cup M21", {"X Ann": "1", "X Bob": "DNF"}), (USEBIO, "Cup", {"Ann & Bob": "1", "Cem & Dan": "2"})],
)
def test_placings_of_orienteering_and_bridge(tmp_path, text, event, placings):
    (tmp_path / "results.xml").write_text(text, encoding="utf-8")
    source, _ = open_table(tmp_path / "results.xml")
    cells = {name: column.to_list() for name, column in source.read(source.names).items()}
    assert dict(zip(cells["competitor"], cells["place"], strict=True)) == placings
    assert ({*cells["event"]}, {*cells["date"]}) == ({event}, {"2024-04-06"})

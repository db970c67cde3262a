"""Known encodings of lines with players' names and titles."""

import codecs

import pytest

from halfpoint.models.games.encodings import encoding_of, note_on

TEXTS = {
    "cp1252": "Weiß;Schwarz;Ergebnis\nMüller, Jürgen;Größner, Björn;1\nGonzález, José;Núñez, Iván;0\n",
    "cp1250": "Bílý;Černý;Výsledek\nDvořák, Jiří;Šťastný, Zdeněk;1\nŁukasiewicz, Paweł;Wójcik, Michał;0\n",
    "cp1251": "Белые;Чёрные;Результат\nИванов, Сергей;Петров, Андрей;1\nСидорова, Анна;Кузнецов, Пётр;0\n",
    "koi8-r": "Белые;Чёрные;Результат\nИванов, Сергей;Петров, Андрей;1\nСидорова, Анна;Кузнецов, Пётр;0\n",
    "cp866": "Белые;Чёрные;Результат\nИванов, Сергей;Петров, Андрей;1\nСидорова, Анна;Кузнецов, Пётр;0\n",
    "cp1253": "Λευκά;Μαύρα;Αποτέλεσμα\nΠαπαδόπουλος, Γιώργος;Αντωνίου, Μαρία;1\nΝικολάου, Ελένη;Δημητρίου, Κώστας;0\n",
    "shift_jis": "先手,後手,結果\n佐藤さくら,鈴木たろう,勝ち\n高橋はなこ,田中ケンジ,負け\n",
    "euc_kr": "백,흑,결과\n김민준,이서연,승\n박지훈,최수빈,패\n",
    "gb18030": "白方,黑方,结果\n王小明,李红梅,胜\n张建国,刘芳芳,负\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_text_is_read_in_the_encoding_that_wrote_it(encoding):
    content = TEXTS[encoding].encode(encoding)
    assert encoding_of(content) == encoding
    assert len(note_on(encoding)) == 1


@pytest.mark.parametrize("text", ["White,Black\nAnn,Bo\n", TEXTS["cp1251"], ""])
def test_utf_8_is_found_also_where_it_ends_within_a_letter(text):
    content = text.encode()
    assert encoding_of(content) == "utf-8"
    assert encoding_of(content[:18]) == "utf-8"
    assert note_on("utf-8") == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_found_by_its_mark_or_its_zeros(encoding):
    text = "White,Black,Result\nAnn,Bo,1-0\n"
    mark = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else codecs.BOM_UTF16_BE
    assert encoding_of(text.encode(encoding)) == encoding
    assert encoding_of(mark + text.encode(encoding)) == "utf-16"
    assert encoding_of("A,B".encode(encoding)) == "utf-8"  # too short to judge


def test_letters_that_are_words_in_no_encoding_are_western():
    assert encoding_of(bytes(range(128, 256))) == "cp1252"

"""Detection of encodings other than UTF-8 by the letters, since files of clubs and servers do not name their encoding.

UTF-16 is identified by its mark or by its zero bytes. Other encodings are compared by words with letters beyond ASCII,
and the encoding with most valid words is used. A valid word has letters of one script, in lower case after a capital;
in Latin words not all letters are accented.
"""

import codecs
import re
import unicodedata
from functools import cache
from itertools import islice

USUAL = ("utf-8", "cp1252")  # decoded without a copy
_TRIED = (
    "shift_jis",
    "euc_kr",
    "gb18030",
    "euc_jp",
    "cp1251",
    "koi8-r",
    "iso8859-5",
    "cp866",
    "cp1250",
    "mac_roman",
    "cp1253",
)
_SURE = 0.8  # least share of words
_WITHOUT_OWN = ("gb18030",)  # whose texts lack these letters:
_OWN_LETTERS = ("HIRAGANA", "KATAKANA", "HANGUL")  # which distinguish the encodings of one script
_NAMES = {
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1252": "Windows-1252",
    "cp1253": "Windows-1253",
    "mac_roman": "Mac Roman",
    "shift_jis": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
}
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS, _MOST_LETTERS = 400, 20_000
_LONG_ENOUGH = 3  # letters of a word that is not accented throughout
_EAST = ("CJK", "HIRAGANA", "KATAKANA")
_SIGNS = frozenset(
    "‘’“”„«»‹›–—…·•°º¡¿№§½¼¾×±€™©®、。・「」（）：；，～ー\u00a0\u3000"
)  # that texts have beside letters


def encoding_of(content: bytes) -> str:
    """The encoding of bytes; they may end within a letter."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    start = content[:2000]
    for offset, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(start) > 20 and start[offset::2].count(0) > 0.8 * len(start[offset::2]):
            return name
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        likeness = {encoding: _likeness(content[: 2**18], encoding) for encoding in ("cp1252", *_TRIED)}
        best = max(_TRIED, key=likeness.__getitem__)
        return best if likeness[best] >= _SURE and likeness[best] > likeness["cp1252"] else "cp1252"
    return "utf-8"


def note_on(encoding: str) -> tuple[str, ...]:
    """Note on an encoding guessed from letters; empty for UTF-8."""
    return () if encoding == "utf-8" else (f"text in {_NAMES.get(encoding, encoding.upper())}, by its letters",)


def _likeness(content: bytes, encoding: str) -> float:
    """Share of the words beyond ASCII that are words in an encoding, -1 if bytes are invalid in it."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(content)
    except UnicodeDecodeError:
        return -1.0
    words = [*islice((word for word in _WORD.findall(text) if not word.isascii()), _MOST_WORDS)]
    if not words:
        return -0.5
    in_script = sum(any(_script(letter) in _OWN_LETTERS for letter in word) for word in words)
    in_script *= -1 if encoding in _WITHOUT_OWN else 1
    names = sum(len(word) > _LONG_ENOUGH and word.istitle() and _script(word[0]) != "LATIN" for word in words)
    foreign = [
        letter for letter in text[:_MOST_LETTERS] if not letter.isascii() | letter.isdecimal() and letter not in _SIGNS
    ]
    letters = sum(unicodedata.category(letter)[0] in "LM" for letter in foreign) / max(1, len(foreign))
    return float(letters * (sum(map(_is_word, words)) + 0.05 * in_script + 0.03 * names) / len(words))


@cache
def _script(letter: str) -> str:
    """The script of a letter."""
    return re.split("[ -]", unicodedata.name(letter, "NONE"))[0]


@cache
def _is_word(word: str) -> bool:
    """True if letters are of one script, with the case pattern of words."""
    accented = sum(not letter.isascii() for letter in word)
    cased = word.islower() or word.isupper() or word[:1] + word[1:].lower() == word or word.upper() == word.lower()
    latin = _script(word[0]) == "LATIN"
    scripts = {_script(letter) for letter in word}
    one_script = len(scripts) == 1 or scripts <= {*_EAST}
    return one_script and cased and not (latin and accented == len(word) >= _LONG_ENOUGH)

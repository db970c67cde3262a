"""Random damage to valid files from a seed: cut, joined, overwritten and enlarged."""

import bz2
import gzip
import io
import subprocess
import sys
import zipfile

import numpy as np
import zstandard

CSV = (
    "white,black,score,date,white_rating_elo,black_rating_elo,event\n"
    + "".join(
        f"Ann{k},Bob{k % 3},{('1', '0.5', '1/2-1/2', '0')[k % 4]},2012-11-{k % 28 + 1:02d},{2000 + k},,Club\n"
        for k in range(12)
    )
).encode()
STUDY = (
    "Site\tData\tWR\tW\tB\tBR\ty\n"
    + "".join(f"Wijk\t{k + 1}\t2700\tAnn{k}\tBob{k % 3}\t2600\t0.5\n" for k in range(12))
).encode()
PGN = "".join(
    f'[Event "Club"]\n[Site "?"]\n[Date "2012.{k + 1:02d}.??"]\n[Round "{k}"]\n'
    f'[White "Müller, Ann{k}"]\n[Black "Bob{k % 3}"]\n'
    f'[Result "{("1-0", "*", "1/2-1/2", "0-1")[k % 4]}"]\n[WhiteElo "{2000 + k}"]\n[TimeControl "40/7200:3600"]\n\n'
    f"1. e4 {{ comment\n\n[%clk 1:00] }} e5 ; rest {{\n2. d4 (2. c4) *\n\n"
    for k in range(8)
).encode()
TEXT_LIST = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA JAN23 Gms K  B-day Flag\n"
    + "".join(f"{k:<15}{f'Player, Number {k}':<61}SCO M   {'':<29}{2000 + k:<6}0   10 1990\n" for k in range(1, 12))
).encode()
NAMES = "Adler, Ann\n# guests\nBrandt, Bo\n\nÇelik, Łukasz\n".encode()
PROPOSALS = b"accept,name,same_as,score,reason\nyes,A,B,90.0,x\n,C,D,90.0,x\nno,'=E,F,88.0,initials\n"


PARQUET = """
import polars, sys
names = {"white": ["Ann", "Bob", "Cid"], "black": ["Bob", "Cid", "Ann"]}
rest = {"score": [1.0, 0.5, 0.0], "date": ["2012-01-01", "2012-01-02", "2012-02-03"]}
polars.DataFrame(names | rest).write_parquet(sys.stdout.buffer)
"""


def parquet() -> bytes:
    """Bytes of a small Parquet file, from another process: forks after the threads of polars have started hang."""
    return subprocess.run([sys.executable, "-c", PARQUET], stdout=subprocess.PIPE, check=True).stdout


def packed(content: bytes, kind: str) -> bytes:
    """Bytes of a compressed file."""
    if kind == "zip":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("../../etc/games.pgn", content)
        return file.getvalue()
    return {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.ZstdCompressor().compress}[kind](content)


SOUND = {
    "csv": CSV,
    "study": STUDY,
    "pgn": PGN,
    "parquet": parquet(),
    **{f"pgn.{kind}": packed(PGN, kind) for kind in ("gz", "bz2", "zst", "zip")},
    "list.txt": TEXT_LIST,
    "proposals": PROPOSALS,
    "names.txt": NAMES,
}
NASTY = [
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n", b'"', b'""', b",", b"\t", b"{", b"}", b"[", b"]"),
    *(b"nan", b"inf", b"-inf", b"1e999", b"9" * 400, b"-1", b"0x10", b"\xc2\xa0", b";", b"%", b"bye", b"?"),
    *(b"2013.02.30", b"9999-99-99", b"????.??.??", b"0000.00.00", b'\n[White "', b'\n[Event "x"]\n', b"\x1b[2J"),
    *(b"<script>alert(1)</script>", b"=HYPERLINK(1)", b'<!ENTITY a "b">', b"&a;", b"<player>", b"PK\x03\x04", b"PAR1"),
    *(b"A" * 70_000, b"1_000", b" 1 ", b"+1", b"1-0 ", b"\x0c", b"\x1a", b"\xe2\x80\xa8", b"\xed\xa0\x80"),
    *(letter.encode() for letter in ("½", "\u202e", "\u0663", "\u00b2", "\u2028", "\u0085")),
]


def mutate(content: bytes, chance: np.random.Generator) -> bytes:
    """Content after one to six random changes."""
    for _ in range(int(chance.integers(1, 7))):
        size = len(content)
        first, second = sorted(chance.integers(0, size + 1, 2).tolist())
        accident = int(chance.integers(0, 10))
        if accident == 0:
            content = content[:first]
        elif accident == 1:
            content = content[:first] + content[second:]
        elif accident == 2:
            content = content[:second] + content[first:]
        elif accident == 3:
            content = content[:first] + chance.bytes(int(chance.integers(1, 9))) + content[first:]
        elif accident == 4 and size:
            place = int(chance.integers(0, size))
            content = (
                content[:place] + bytes([content[place] ^ (1 << int(chance.integers(0, 8)))]) + content[place + 1 :]
            )
        elif accident == 5:
            rows = content.split(b"\n")
            one, other = chance.integers(0, len(rows), 2).tolist()
            rows[one], rows[other] = rows[other], rows[one]
            content = b"\n".join(rows)
        elif accident == 6:
            rows = content.split(b"\n")
            rows.insert(int(chance.integers(0, len(rows) + 1)), rows[int(chance.integers(0, len(rows)))])
            content = b"\n".join(rows)
        elif accident == 7:
            content = content.replace(
                content[first : min(first + 3, second)] or b",", NASTY[int(chance.integers(0, len(NASTY)))], 2
            )
        else:
            content = content[:first] + NASTY[int(chance.integers(0, len(NASTY)))] + content[first:]
        content = content[: 2**20]
    return content

"""Files of 10 MB constructed to be expensive: `python tests/fuzz/costly.py`.

The limits are 10 CPU seconds and 1 GB, in a separate process that has imported the readers. The exit code is 1 if any
file needed more, ended in a traceback, or was refused in more than one line.
"""

import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import h5py
import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parent))
import costly_packed
from costly_packed import read_by_name

from halfpoint.models.games.errors import HalfpointError

SIZE = 10_000_000
CPU_SECONDS, BYTES = 10, 10**9
GAME = '[Event "x"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1-0\n\n'
LINE = '{"white": "Ann", "black": "Bob", "result": "1-0"}\n'


def filled(text, head="", tail=""):
    """Text repeated up to the size."""
    return head + text * ((SIZE - len(head) - len(tail)) // len(text)) + tail


def names(count, mark):
    """Distinct words joined by a separator."""
    return mark.join(f"c{k}" for k in range(count))


HEAD = "white,black,result\n"
WIDE = 4_990  # columns, a few fewer than readers refuse
TEXTS = {
    "one line.csv": lambda: filled("x"),
    "commas.csv": lambda: filled(","),
    "columns.csv": lambda: names(700_000, ",") + "\n" + ",".join("1" * 700_000) + "\n",
    "columns.tsv": lambda: names(700_000, "\t") + "\n",
    "nearly too wide.csv": lambda: filled("a,b,1" + ",1" * WIDE + "\n", HEAD[:-1] + "," + names(WIDE, ",") + "\n"),
    "days.csv": lambda: filled("a,b,1" + ",2020-01-01" * 500 + "\n", HEAD[:-1] + "," + names(500, ",") + "\n"),
    "like white.csv": lambda: ",".join(f"white{k}" for k in range(9000)) + "\n",
    "blank lines.csv": lambda: filled("\n", HEAD),
    "nameless.csv": lambda: filled(",Bob,1\n" + "Ann,Bob,1\n" * 99, HEAD),
    "odd results.csv": lambda: HEAD + "".join(f"Ann,Bob,{f'x{k}' if k % 60 == 0 else 1}\n" for k in range(900_000)),
    "open quote.csv": lambda: filled("Ann,Bob,1\n", HEAD + '"'),
    "quotes.csv": lambda: filled('"', HEAD),
    "returns.csv": lambda: filled("\r", HEAD),
    "all different.csv": lambda: HEAD + "".join(f"player {k},other {k},1-0\n" for k in range(300_000)),
    "long name.csv": lambda: HEAD + filled("x", tail=",Bob,1\n"),
    "long names.csv": lambda: (
        HEAD + "".join(f"Ann {k},{('A', ' (', 'A 1500 ', '1. ', 'x | ')[k % 5] * 60_000},1\n" for k in range(50))
    ),
    "long number.csv": lambda: HEAD + "Ann,Bob," + filled("9", tail="\n"),
    "date.csv": lambda: "white,black,result,date\nAnn,Bob,1," + filled("1-", tail="\n"),
    "cells of blanks.csv": lambda: filled(" , , \n", HEAD),
    "one tag.pgn": lambda: '[Event "' + filled("x", tail='"]\n\n'),
    "headers.pgn": lambda: filled('[Event "x"]\n'),
    "headers apart.pgn": lambda: filled('[A "x"]\n\n'),
    "tags.pgn": lambda: "".join(f'[T{k} "x"]\n' for k in range(700_000)) + GAME,
    "twice.pgn": lambda: filled('[White "Ann"]\n', tail=GAME),
    "open comment.pgn": lambda: filled("{ ", GAME),
    "comments.pgn": lambda: filled("{[\n}", GAME),
    "headers in comments.pgn": lambda: filled('{\n[Event "x"]\n', GAME),
    "brackets.pgn": lambda: filled("\n[", GAME),
    "percent.pgn": lambda: filled("%\n", GAME),
    "moves.pgn": lambda: filled("1. e4 e5 ", GAME),
    "odd tags.pgn": lambda: filled(GAME.replace("[White ", "[White  ")),
    "games.pgn": lambda: filled(GAME),
    "control.pgn": lambda: GAME.replace("[R", '[TimeControl "' + filled("40/60:") + '"]\n[R'),
    "deep.json": lambda: filled("["),
    "deep objects.json": lambda: filled('{"a":'),
    "keys.json": lambda: "[{" + ",".join(f'"k{k}":1' for k in range(700_000)) + "}]",
    "wide rows.json": lambda: json.dumps([{f"k{k}": 1} for k in range(400_000)]),
    "surrogates.json": lambda: "[" + filled('{"white":"\\ud800","black":"b","result":1},', tail="{}]"),
    "key twice.json": lambda: "[" + filled('{"white":"a","white":"b","black":"b","result":1},', tail="{}]"),
    "numbers.json": lambda: filled("1,", "[", "1]"),
    "long number.json": lambda: '[{"white":"a","black":"b","result":' + filled("9", tail="}]"),
    "one line.jsonl": lambda: '{"white":"' + filled("x", tail='"}\n'),
    "deep.jsonl": lambda: LINE + filled('{"a":') + "\n",
    "keys.jsonl": lambda: "{" + ",".join(f'"k{k}":1' for k in range(700_000)) + "}\n",
    "new keys.jsonl": lambda: "".join(f'{{"white":"a","black":"b","result":1,"k{k}":1}}\n' for k in range(200_000)),
    "nearly too wide.jsonl": lambda: filled(
        '{"white":"a","black":"b","result":1,' + ",".join(f'"k{k}":1' for k in range(WIDE)) + "}\n"
    ),
    "key twice.jsonl": lambda: LINE * 2000 + filled('{"white":"a","black":"b","result":1,"result":0}\n'),
    "lines.jsonl": lambda: filled(LINE),
    "surrogates.jsonl": lambda: filled('{"white":"\\ud800","black":"b","result":1}\n'),
    "blank lines.jsonl": lambda: filled("\n", LINE),
    "report.trf": lambda: filled("012 x\n"),
    "players.trf": lambda: "012 x\n" + "".join(f"001 {k:4d}      Name {k}\n" for k in range(9999)) * 40,
    "one line.trf": lambda: "012 " + filled("x"),
}


def binary(name, path):
    """Write a file that is not text in another process, so that no threads of polars remain."""
    child = os.fork()
    if child:
        assert os.waitpid(child, 0)[1] == 0, name
        return
    write_binary(name, path)
    os._exit(0)


def write_binary(name, path):
    """Write a file that is not text."""
    if name in costly_packed.BINARY:
        costly_packed.BINARY[name](path)
        return
    ending = name.rpartition(".")[2]
    if ending in ("parquet", "arrow"):
        count = 100_000 if "columns" in name else WIDE if "wide" in name else 3
        frame = pl.DataFrame({f"c{k}": [1] * (60 if "wide" in name else 1) for k in range(count)})
        if "wide" in name:
            frame = frame.with_columns(white=pl.lit("a"), black=pl.lit("b"), result=1)
        frame = (
            pl.DataFrame({"white": [{"a": "x"}] * 9, "black": ["b"] * 9, "result": [1] * 9})
            if "nested" in name
            else frame
        )
        frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
        if "damaged" in name:
            content = bytearray(path.read_bytes())
            content[len(content) // 2 : -8] = b"\xff" * len(content[len(content) // 2 : -8])
            path.write_bytes(content)
        return
    with h5py.File(path, "w", track_order="order" in name) as file:
        file.attrs["schema"] = "halfpoint-trace-1"
        if "attributes" in name:
            for k in range(20_000):
                file.attrs[f"a{k}"] = k
        elif "variables" in name:
            for k in range(5_000):
                file[f"posterior/v{k}"] = np.zeros((1, 2))
        elif "wide" in name:
            file["posterior/v"] = np.zeros((1, 2), dtype=np.longdouble)
        elif "groups" in name:
            for k in range(5_000):
                file.create_group(f"g{k}")
        else:
            file.create_dataset("posterior/v", (10**6, 10**6), chunks=(100, 100), compression="gzip")


BINARY = (
    "columns.parquet", "nearly too wide.parquet", "nested.parquet", "damaged.parquet", "columns.arrow",
    "attributes.nc", "order attributes.nc", "variables.nc", "wide.nc", "groups.nc", "claims.nc",
)  # fmt: skip


def in_a_child(path):
    """Read a file under the limits; return the outcome, CPU seconds and peak memory in bytes."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        signal.alarm(12 * CPU_SECONDS)  # one that waits for ever uses no processor
        said = "a fault without a word"
        try:
            found = read_by_name(path)
            said = f"read: {len(found)}"
        except HalfpointError as error:
            line = str(error)
            said = (
                f"refused: {line[:160]}" if line.isprintable() and len(line) < 3000 else f"not one line: {line[:200]}"
            )
        except BaseException:
            said = f"traceback: {traceback.format_exc()[-500:]}"
        os.write(writing, said.encode(errors="backslashreplace"))
        os._exit(0)
    os.close(writing)
    _, status, used = os.wait4(child, 0)
    said = os.read(reading, 10_000).decode()
    os.close(reading)
    if os.WIFSIGNALED(status):
        said = f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return said, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def main():
    """Try all files, or those whose name contains one of the words."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", default=[""], help="parts of names of files")
    words, failed, begun, tried = parser.parse_args().words, 0, time.monotonic(), 0
    texts = TEXTS | costly_packed.TEXTS
    with tempfile.TemporaryDirectory() as folder:
        for name in (*texts, *BINARY, *costly_packed.BINARY):
            if not any(word in name for word in words):
                continue
            path, tried = Path(folder, name), tried + 1
            if name in texts:
                path.write_text(texts[name]())
            else:
                binary(name, path)
            said, seconds, peak = in_a_child(path)
            good = said.startswith(("read", "refused")) and seconds <= CPU_SECONDS and peak <= BYTES
            failed += not good
            mark = "" if good else "FAILED "
            print(
                f"{mark}{name}: {path.stat().st_size / 1e6:.1f} MB, {seconds:.1f} s, {peak / 1e6:.0f} MB, {said}",
                flush=True,
            )
            path.unlink()
    print(f"{tried} files, {failed} failed, {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

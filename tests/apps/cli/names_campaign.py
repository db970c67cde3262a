"""Every command with every kind of file name: `python tests/apps/cli/names_campaign.py`.

Names have bytes that are not UTF-8, both normal forms, case, great length, spaces, newlines and markup; every command
runs with such names of its inputs and outputs. The result must equal that under plain names, file by file; printed
lines must contain no control sequences; every link of a page must lead to a file, and a file whose name differs in case
only must not change. The exit code is 1 if any run fails.
"""

import argparse
import bz2
import gzip
import json
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote_to_bytes

import polars as pl
import xarray as xr
import zstandard
from markupsafe import escape

sys.path.insert(0, str(Path(__file__).parent.parent / "fields" / "races"))
sys.path.insert(0, str(Path(__file__).parents[2] / "helpers"))

from good_results import DONE, files_of, is_run
from writing_commands import TRACE, WRITING, Writing, make_inputs
from zygote import Zygote

from halfpoint.models.games.errors import printable

NAMES = {
    "bytes": "caf\udce9 \udcff\udcfe",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "upper": "GAMES",
    "spaces": "  a  b  ",
    "newline": "a\nb\r\tc",
    "escapes": "\x1b[31m\x07\u202egnp",
    "markup": "<b>&amp;'\"`[red]x[\\]",
    "formula": "=1+1",
    "wide formula": "\uff1d1+1",
    "option": "--out",
    "pattern": "*?[a-z]{x}%s%20~$HOME\\n",
    "dots": "x..csv.",
    "length": "x" * 240,
    "letters": "\u4f8b" * 80,
    "mixed": "=1 \x1b[31m\u202e a\nb\rcafe\u0301 <b>&amp;'\"`[red]x[\\] *?{x}%s%20~$HOME\\n..csv.",
}
COMMANDS = WRITING | {"summary": Writing(("summary", TRACE)), "models": Writing(("models", "davidson"))}
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "pgn.gz", "csv.zst", "jsonl.bz2")  # beside plain PGN
COMMANDS |= {
    f"list, {one}": Writing(("list", f"inputs/few.{one}", "--system", "elo", "--out", "run/x.csv")) for one in FORMATS
}
NAMED = (".json", ".md")  # files that say what the data are called


def renamed(word, name):
    """Argument of a command with its path under another name; folders and suffixes unchanged."""
    path = Path(word)
    if path.parts[:1] == ("inputs",):
        return f"inputs/{name}{path.name}"
    if path.parts[:1] == ("run",):
        return str(Path(name, *(f"{name}{path.stem}{path.suffix}" for _ in path.parts[1:])))
    return word


def under(name, words, place):
    """Arguments of a command with other names, and its inputs under these names."""
    given = [renamed(word, name) for word in words]
    if name.startswith("-"):  # what is no value of an option would be taken for one
        given = [word if old == word or before.startswith("--") else f"./{word}"
                 for before, old, word in zip(("", *words), words, given, strict=False)]  # fmt: skip
    for word, new in zip(words, given, strict=True):
        if word.startswith("inputs/") and not os.path.lexists(place / new):
            (shutil.copytree if (place / word).is_dir() else os.link)(place / word, place / new)
    return given


def make_formats(folder):
    """Write the games in every format."""
    rows = [{"white": f"P{k % 5}", "black": f"P{(k * k + 1) % 7 + 5}", "result": "1-0", "date": f"2020-01-{k + 1:02d}"}
            for k in range(28)]  # fmt: skip
    frame = pl.DataFrame(rows)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    texts = {"csv": frame.write_csv(), "tsv": frame.write_csv(separator="\t"), "json": json.dumps(rows), "jsonl": lines}
    for ending, text in texts.items():
        (folder / f"few.{ending}").write_text(text)
    frame.write_parquet(folder / "few.parquet")
    frame.write_ipc(folder / "few.arrow")
    (folder / "few.pgn.gz").write_bytes(gzip.compress((folder / "games.pgn").read_bytes()))
    (folder / "few.csv.zst").write_bytes(zstandard.compress(texts["csv"].encode()))
    (folder / "few.jsonl.bz2").write_bytes(bz2.compress(lines.encode()))


def plain(command, place, zygote):
    """Files of a command under plain names."""
    one = COMMANDS[command]
    code, _, errors, _ = zygote.run([*one.words, *one.old], place)
    assert code in DONE, errors
    return files_of(place / "run")


def answers(name, command, place, zygote, wanted):
    """Run a command with other names; check that its results are those with plain names."""
    one, folder, beside = COMMANDS[command], place / name, place / name.swapcase()
    given = under(name, [*one.words, *one.old], place)
    folder.mkdir()
    if name.swapcase() != name and not beside.exists():
        beside.write_text("of somebody else")
    code, out, errors, _ = zygote.run(given, place)
    assert code in DONE, errors
    assert errors == ""
    assert all(line.isprintable() for line in out.splitlines()), out
    made = {file.replace(name, ""): content if file.endswith(".nc") else without(name, content)
            for file, content in files_of(folder).items()}  # fmt: skip
    assert made.keys() == wanted.keys()
    kept = [{file: content for file, content in each.items() if not file.endswith(NAMED)} for each in (made, wanted)]
    for files, own in zip(kept, (name, "run"), strict=True):
        if index := files.get("index.html"):  # its title is the folder
            files["index.html"] = index.replace(f"Results: {'' if own == name else own}".encode(), b"Results: ")
    traces = [{file: each.pop(file) for file in [*each] if file.endswith(".nc")} for each in kept]
    assert is_run(*kept, exact=False)
    for file, content in traces[0].items():
        assert same_trace(content, traces[1][file], name)
    for file, content in made.items():
        if file.endswith((".csv", ".html", *NAMED)):
            content.decode()
    for page in folder.rglob("*.html"):
        for link in re.findall(r'<a href="([^#"][^"]*)"', page.read_text()):
            assert (page.parent / os.fsdecode(unquote_to_bytes(link))).exists(), link
    assert not beside.is_file() or beside.read_text() == "of somebody else"


def same_trace(content, wanted, name):
    """True if two traces differ only in a name of their games."""
    trees = []
    for held in (content, wanted):
        with tempfile.NamedTemporaryFile(suffix=".nc") as file:
            Path(file.name).write_bytes(held)
            trees.append(xr.open_datatree(file.name).load())
    for tree in trees:
        for node in tree.subtree:
            node.attrs = {key: text.replace(printable(name), "") if isinstance(text, str) else text
                          for key, text in node.attrs.items()}  # fmt: skip
    return trees[0].identical(trees[1])


def without(name, content):
    """Content without a name, which games without an event take from their file, also in a CSV cell."""
    said = printable(name).encode()
    on_page = str(escape(printable(name))).encode()
    in_cell = rb"'?" + re.escape(said.replace(b'"', b'""')) + rb'([^",\n]*)'
    plain_content = re.sub(rb'"' + in_cell + rb'"|' + in_cell, rb"\1\2", content)
    return plain_content.replace(said, b"").replace(on_page, b"").replace(said.lstrip(), b"")  # titles are stripped


def cleared(place):
    """Remove the files of a run, and the renamed inputs."""
    for path in place.iterdir():
        if path.name not in ("inputs", "run"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in [*(place / "inputs").iterdir()]:
        if any(path.name.startswith(name) for name in NAMES.values()):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def main():
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", default=",".join(name.replace(",", ";") for name in COMMANDS), help="with commas")
    asked = [name.replace(";", ",") for name in parser.parse_args().commands.split(",")]
    runs, failed, begun = 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        place, zygote = Path(scratch), Zygote()

        def run(words):
            code, _, errors, _ = zygote.run(words, place)
            assert code in DONE, errors

        make_inputs(run, place, asked)
        make_formats(place / "inputs")
        for command in asked:
            (place / "run").mkdir()
            wanted, wrong = plain(command, place, zygote), []
            for what, name in NAMES.items():
                try:
                    answers(name, command, place, zygote, wanted)
                except Exception as error:  # a campaign goes on
                    wrong.append(f"{what}: {error!r:.500}")
                cleared(place)
            shutil.rmtree(place / "run")
            runs, failed = runs + len(NAMES), failed + len(wrong)
            print(f"{command}: {len(NAMES)} names, {len(wrong)} failed", *wrong, sep="\n  ", flush=True)
        zygote.close()
    print(f"{len(asked)} commands, {runs} runs, {failed} failed, {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

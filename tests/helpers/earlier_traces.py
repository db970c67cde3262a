"""Traces of every schema, stored in tests/inference/earlier_traces, as files that commands open."""

import gzip
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "inference" / "earlier_traces"
NAMES = sorted(path.name.removesuffix(".nc.gz") for path in FOLDER.glob("*.nc.gz"))

# what commands need beside a trace, and every command that takes one
GAMES = "white,black,result\nAnn,Bo,1-0\nBo,Cy,1/2-1/2\nCy,Dee,0-1\nEd,Ann,0-1\n"
PAIR = ("Ann", "Bo")
COMMANDS = {
    "rank": ("rank", "{trace}"),
    "summary": ("summary", "{trace}"),
    "match": ("match", "{trace}", *PAIR),
    "match of a newcomer": ("match", "{trace}", "Ann", "Zed", "--new", "Zed"),
    "forecast": ("forecast", "{trace}", "--white", "Ann", "--black", "Bo"),
    "forecast of a file": ("forecast", "{trace}", "{games}"),
    "tournament": ("tournament", "{trace}", "{players}", "--simulations", "1000"),
    "pair": ("pair", "{trace}", "{players}"),
    "next": ("next", "{trace}"),
    "compare": ("compare", "{trace}", "{trace}"),
    "criteria": ("criteria", "{trace}"),
    "performance": ("performance", "{games}", "--trace", "{trace}"),
    "pool": ("pool", "{games}", "--trace", "{trace}"),
    "rate from": ("rate", "{games}", "--from", "{trace}", "--out", "{out}"),
}


def unpacked(name, folder):
    """Path of a stored trace, unpacked into a folder."""
    path = Path(folder) / f"{name}.nc"
    path.write_bytes(gzip.decompress((FOLDER / f"{name}.nc.gz").read_bytes()))
    return path

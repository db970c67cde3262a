"""Traces of every schema, stored in tests/inference/earlier_traces, as files for commands."""

import gzip
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "inference" / "earlier_traces"
NAMES = sorted(path.name.removesuffix(".nc.gz") for path in FOLDER.glob("*.nc.gz"))

# what commands need beside a trace, and every command that takes one
GAMES = """white,black,score,date,white_rating_elo,black_rating_elo
Ann,Bo,1,2020-11-01,1800,1650
Bo,Cy,0.5,2020-11-08,1650,1500
Cy,Dee,0,2020-11-15,1500,1350
Ed,Ann,0,2020-11-22,1200,1800
"""
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

"""Every numeric option has a range, which the help states, the command enforces, and the error message names."""

import inspect
import re
import time
import typing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer

from halfpoint.apps.cli.app import COMMANDS
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read

LARGEST = 2**63 - 1
SECONDS = 20  # of the processor, for a refusal; the work refused would take minutes to years
JUNK = ["junk", "", "nan", "inf", "-inf", "1e400", "0x10", "1,000", "9" * 5000, "-" + "9" * 5000, str(2**64), "\n"]
PLAYERS = ["Ann", "Bob", "Cid", "Dee"]


def functions():
    """Function of each command; sub-commands by both names."""
    for name, target in COMMANDS.items():
        if isinstance(target, typer.Typer):
            for command in target.registered_commands:
                yield f"{name} {command.name}", command.callback
        else:
            yield name, target


def numeric():
    """(command, function, parameter, typer's information) of every numeric option."""
    for name, function in functions():
        for parameter, hint in typing.get_type_hints(function, include_extras=True).items():
            kind, *about = typing.get_args(hint) or (hint,)
            if {kind, *typing.get_args(kind)} & {int, float} and kind is not bool:
                yield name, function, parameter, about[0]


NUMERIC = {f"{name} {parameter}": (name, function, about) for name, function, parameter, about in numeric()}


def option_of(about, parameter):
    said = [word for word in (about.default, *(about.param_decls or ())) if str(word).startswith("--")]
    return said[0] if said else "--" + parameter.replace("_", "-")


def ends(about):
    """Range in the help, as (least, most, whole)."""
    found = re.search(r" \((\S+) to ([^()]+)\)\.$", about.help)
    assert found, f"no range in the help: {about.help}"
    least, most = (LARGEST if end == "2^63 - 1" else float(end.replace(",", "")) for end in found.groups())
    return least, most, about.metavar == "INTEGER"


def required(function):
    """An argument for each required argument or option."""
    hints = typing.get_type_hints(function, include_extras=True)
    words = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is inspect.Parameter.empty:
            about = typing.get_args(hints[name])[1]
            words += [f"--{name}", "nowhere"] if isinstance(about, typer.models.OptionInfo) else ["nowhere"]
    return words


def test_the_numbers_of_the_commands_are_found():
    assert len(NUMERIC) >= 30
    assert {"rate draws", "simulate log_draw", "backtest draws", "calibrate seed", "fit half_life"} <= set(NUMERIC)


@pytest.mark.cases(30)
@pytest.mark.parametrize("junk", [JUNK[:4], pytest.param(JUNK[4:], marks=pytest.mark.slow)], ids=["", "more"])
@pytest.mark.parametrize("one", NUMERIC)
def test_a_number_out_of_its_range_is_refused_in_one_line(one, junk, halfpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, function, about = NUMERIC[one]
    option, (least, most, whole) = option_of(about, one.split()[-1]), ends(about)
    step = 1 if whole else max(1e-6, abs(most) * 1e-6)
    outside = [str(int(least) - 1), str(int(most) + 1)] if whole else [str(least - step), str(most + step)]
    for text in [*outside, *junk, *(["1.5"] if whole else [])]:
        start = time.process_time()
        code, out, error = halfpoint(*name.split(), *required(function), f"{option}={text}")
        assert time.process_time() - start < SECONDS
        assert (code, out, error.count("\n")) == (2, "", 1), (text[:50], error[:500])
        assert error.startswith(f"halfpoint: {option}: expected a")
        assert len(error) < 400
        assert error.rstrip("\n").isprintable()
    for end in (least, most):
        assert about.parser(str(int(end) if whole else end)) == end
    assert list(tmp_path.iterdir()) == []


@pytest.mark.cases(25)
@pytest.mark.parametrize("one", [one for one, (_, _, about) in NUMERIC.items() if not about.hidden])
def test_the_help_of_a_command_shows_the_range(one, halfpoint, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    name, _, about = NUMERIC[one]
    _, out, _ = halfpoint(*name.split(), "--help")
    stated = re.search(r"\(\S+ to [^()]+\)\.$", about.help).group()
    plain = re.sub(r"[│\s]+", " ", out)
    assert stated in plain


def four_players():
    chance = np.random.default_rng(1)
    pairs = [(one, other) for one in PLAYERS for other in PLAYERS if one != other] * 3
    white, black = zip(*pairs, strict=True)
    score = chance.integers(0, 3, len(pairs)) / 2
    return read(pd.DataFrame({"white": white, "black": black, "score": score}))


@pytest.fixture(scope="module")
def declared():
    games = four_players()
    return declare("davidson-common", select(games, games.players, "both"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, declared):
    place = tmp_path_factory.mktemp("numbers")
    games = declared.selection.games
    frame = pd.DataFrame({"white": games.white_names, "black": games.black_names, "score": games.score})
    frame.to_csv(place / "games.csv", index=False)
    (place / "players.txt").write_text("\n".join(PLAYERS))
    write(fit(declared, "normal", draws=500, chains=2), place / "trace.nc")
    return place


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("rate games.csv --out run --draws 10000000 --chains 1000 --quiet", "of room"),
        (
            "rate games.csv --out run --draws 100 --tune 10000000 --chains 1000 --method nuts",
            "GiB of free memory, found",
        ),
        ("fit games.csv --model davidson --out x.nc --method normal --draws 10000000 --chains 1000", "of room"),
        (
            "fit games.csv --model davidson --out x.nc --monitor " + "9" * 5000,
            "or a number of players, found 5,000 digi",
        ),
        ("fit games.csv --model davidson --out x.nc --monitor " + "x" * 5000, "expected a readable file"),
        ("fit games.csv --model davidson --out x.nc --monitor 0", "a count >= 1"),
        ("match trace.nc Ann Bob --colours " + "WB" * 501, "number of games: expected a whole number from 1 to 1,000"),
    ],
)
def test_what_cannot_be_done_is_refused_before_it_is_begun(words, told, folder, tmp_path, monkeypatch, halfpoint):
    for name in ("games.csv", "players.txt", "trace.nc"):
        (tmp_path / name).symlink_to(folder / name)
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.rglob("*"))
    start = time.process_time()
    code, _, error = halfpoint(*words.split(" "))
    assert time.process_time() - start < SECONDS
    assert (code, error.count("\n")) == (2, 1), error
    assert error.startswith("halfpoint: ")
    assert told in error
    assert len(error) < 1200
    assert not [path for path in set(tmp_path.rglob("*")) - before if path.is_file()]


def test_seeds_at_both_ends_give_games_and_tournaments(folder, tmp_path, halfpoint):
    for seed in (0, LARGEST):
        path = tmp_path / f"{seed}.pgn"
        assert halfpoint("simulate", path, "--games", 20, "--players", 4, "--seed", seed)[0] == 0
        code, out, _ = halfpoint("tournament", folder / "trace.nc", folder / "players.txt", "--seed", seed, "--json")
        assert (code, '"rows"' in out) == (0, True)
    assert Path(tmp_path / "0.pgn").read_text() != Path(tmp_path / f"{LARGEST}.pgn").read_text()

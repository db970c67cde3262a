"""From a file to games that can be trusted: what was read, set apart, renamed, repeated; every step in the account."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import Progress

from halfpoint.cli.terminal import console
from halfpoint.games.duplicates import drop_duplicates, find_duplicates
from halfpoint.games.errors import GameTableError
from halfpoint.games.names import propose, read_accepted, rename, write_proposals
from halfpoint.games.read import detect, read
from halfpoint.games.read_pgn_headers import read_pgn_headers
from halfpoint.games.table import GameTable

MAX_PROPOSED_PLAYERS = 50_000  # more names than this are not compared with one another unless asked


@dataclass
class Account:
    """What happened to the games on their way in, in words.

    Parameters
    ----------
    lines : list of str
        One line a step.
    """

    lines: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """Add a line and print it."""
        self.lines.append(line)
        console.print(line, markup=False)


def take_in(
    path: Path,
    folder: Path,
    account: Account,
    names: Path | None = None,
    drop_copies: bool = False,
    time_classes: Sequence[str] | None = None,
    quiet: bool = False,
) -> GameTable:
    """Read games, apply the accepted spellings, and report names and duplicates.

    Parameters
    ----------
    path : Path
        The file of games.
    folder : Path
        Where `names.csv`, the proposals of spellings that may be one player, is written.
    account : Account
        Collects what happened.
    names : Path, optional
        A file of proposals with `yes` in the rows the user accepts.
    drop_copies : bool
        Drop games that certainly repeat an earlier one.
    time_classes : sequence of str, optional
        Time-control classes to keep (PGN).
    quiet : bool
        No progress bar.

    Returns
    -------
    GameTable
    """
    games = read_pgn(path, account, time_classes, quiet) if detect(path) == "pgn" else read(path)
    account.say(f"{path.name}: {len(games)} games among {games.players.size} players")
    if names is not None:
        accepted = read_accepted(names)
        games = rename(games, accepted)
        account.say(f"names: {len(accepted)} accepted spellings merged, {games.players.size} players")
    if games.players.size <= MAX_PROPOSED_PLAYERS:
        proposals = propose(games)
        if proposals:
            write_proposals(proposals, folder / "names.csv")
            account.say(
                f"names: {len(proposals)} pairs may be one player, none merged; see {folder / 'names.csv'}, "
                "write yes to accept, and rate again with --names"
            )
    copies = find_duplicates(games)
    if len(copies):
        certain = int(copies.certain.sum())
        account.say(copies.describe(games))
        if drop_copies:
            games = drop_duplicates(games, copies)
            account.say(f"duplicates: {certain} dropped, {len(games)} games left")
        elif certain:
            account.say("duplicates: none dropped; --drop-duplicates drops those that are certain")
    return games


def read_pgn(path: Path, account: Account, time_classes: Sequence[str] | None, quiet: bool) -> GameTable:
    """Return the games of a PGN file with a progress bar, and say what was set apart."""
    with Progress(console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task(f"reading {path.name}", total=None)
        reading = read_pgn_headers(
            path,
            time_classes=time_classes,
            moves=True,
            progress=lambda used, size: bar.update(task, completed=used, total=size),
        )
    for reason, count in sorted(reading.apart.items()):
        lines = ", ".join(map(str, reading.lines.get(reason, ())))
        account.say(f"set apart: {count} games, {reason} (line {lines}{', ...' if count > 5 else ''})")
    if reading.unknown_dates:
        account.say(f"dates: {reading.unknown_dates} games without a complete date")
    if not len(reading.games):
        raise GameTableError(str(path), "at least one game", "none")
    return reading.games

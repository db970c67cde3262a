"""`halfpoint rate`: from a file of games to a rating list with intervals, a verdict, a page and a trace."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from halfpoint.cli.options import (
    Chains,
    Columns,
    DateFormat,
    Draws,
    Ignored,
    Quiet,
    Seed,
    Tune,
    monitored_of,
    ranged,
    reader_options,
)
from halfpoint.cli.output import AsJson, show
from halfpoint.cli.place import writes_alone
from halfpoint.cli.terminal import reading_bar, say, say_lines
from halfpoint.games.components import components, require_comparable, split
from halfpoint.games.errors import GameTableError
from halfpoint.games.few_games import GAMES_NEEDED, pool_into_one
from halfpoint.games.find_player import find_players
from halfpoint.games.select import Selection, games_played, most_active, select
from halfpoint.games.table import GameTable, Texts
from halfpoint.inference.sample import SEED
from halfpoint.models.catalogue import find
from halfpoint.models.suggest import suggest
from halfpoint.workflows.answer_text import as_json_text, in_full
from halfpoint.workflows.grid import Settings
from halfpoint.workflows.intake import Account, Intake, take_in
from halfpoint.workflows.level import anchored
from halfpoint.workflows.rating_list import rated, trace_of

SHOWN = 40
AUTO = "auto"
MOST_RATED = 3000  # players who are rated by themselves however few games they have
RARE = ("auto", "anchor", "pool")


@dataclass(frozen=True)
class Choice:
    """Who gets a rating.

    Parameters
    ----------
    monitor : str or None
        File of names or number of most active players.
    min_games : int
        Smallest number of games of a player who is rated by himself.
    rare : {"auto", "anchor or pool", "anchor", "pool"}
        The others: anchored to their ratings, pooled into one player, or whichever is possible; with "auto" they are
        rated by themselves where strengths are set around ratings.
    """

    monitor: str | None
    min_games: int
    rare: str


@writes_alone
def rate(
    games: Annotated[Path, typer.Argument(help="PGN, CSV, Parquet or the study's format; .gz .bz2 .zst .zip too.")],
    out: Annotated[Path, typer.Option(help="Folder for the list, the page and the trace.")],
    model: Annotated[
        str, typer.Option(help="auto (by what the file tells), or a name; see `halfpoint models`.")
    ] = "auto",
    monitor: Annotated[str | None, typer.Option(help="File of names, or N most active players.")] = None,
    min_games: Annotated[int, ranged(GAMES_NEEDED, help="Fewest games of a player who is rated by themselves.")] = 5,
    rare: Annotated[str, typer.Option(help="Players with fewer: auto | anchor (to their ratings) | pool.")] = "auto",
    groups: Annotated[str, typer.Option(help="Players who never meet: refuse | apart | largest.")] = "refuse",
    names: Annotated[Path | None, typer.Option(help="Accepted spellings (names.csv of an earlier run).")] = None,
    drop_duplicates: Annotated[bool, typer.Option("--drop-duplicates", help="Drop certain duplicates.")] = False,
    time_control: Annotated[
        str | None, typer.Option(help="Keep classical, rapid, blitz, bullet (commas); PGN only.")
    ] = None,
    fide_list: Annotated[
        list[Path] | None, typer.Option(help="FIDE list that fills missing ratings; repeat for several months.")
    ] = None,
    fide_month: Annotated[
        list[str] | None, typer.Option(help="Month of each FIDE list (2012-12) if its name does not tell.")
    ] = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    force: Annotated[bool, typer.Option("--force", help="Sample even where the finished trace is there.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rate the players of a file of games.

    Writes ratings.csv, ratings.json, report.html (a page to explore) and trace.nc (for rank, match, forecast, ...).
    The same command again uses the finished trace.
    """
    if model != AUTO:
        find(model)
    for value, known, option in ((groups, ("refuse", "apart", "largest"), "--groups"), (rare, RARE, "--rare")):
        if value not in known:
            raise GameTableError(option, " | ".join(known), repr(value))
    settings = Settings(draws, tune, chains, seed)
    account = Account(tell=partial(say_lines, aside=as_json))
    classes = None if time_control is None else [word.strip() for word in time_control.split(",") if word.strip()]
    intake = Intake(
        names=names,
        drop_copies=drop_duplicates,
        time_classes=classes,
        lists=tuple(fide_list or ()),
        months=tuple(fide_month or ()),
        options=reader_options(columns, ignore, date_format),
    )
    with reading_bar(games.name, quiet or as_json) as progress:
        table = take_in(games, out, account, intake, progress)
    if model != AUTO and not model.endswith("-rated") and rare == "auto":
        rare = "anchor or pool"  # no other model uses ratings of the players themselves
    choice = Choice(monitor, min_games, rare)
    chosen = choose_groups(table, groups, choice, account)  # every group is checked before one is sampled
    answers = []
    for number, selection in chosen.items():
        folder = out if len(chosen) == 1 else out / f"group-{number}"
        name = model
        if model == AUTO:
            name, why = suggest(selection)
            account.say(f"model {name}: {why} (--model takes another)")
        tree = trace_of(selection, name, settings, folder / "trace.nc", account, force, not (quiet or as_json))
        found, about = rated(tree, selection, folder, account)
        answers.append(in_full(found, about))
        if not as_json:
            cut = "" if len(found) <= SHOWN else f"The first {SHOWN} of {len(found)}; all are in ratings.csv. "
            told = ". ".join(filter(None, (about["level"], about["shared"], f"Sampler: {about['verdict']}")))
            note = f"{cut}{told}. 95% highest density intervals."
            if not about["converged"]:
                note += f" The numbers cannot be trusted: {advice(name, anchored(tree), settings)}."
            show(found.head(SHOWN).drop(columns="converged"), about | {"note": note}, False, None)
            say(f"ratings.csv, ratings.json, report.html and trace.nc in {folder}")
    if as_json:
        typer.echo(as_json_text(answers[0] if len(answers) == 1 else {"groups": answers}), nl=False)


def advice(model: str, anchors: bool, settings: Settings) -> str:
    """Return what to try when a run did not converge."""
    if not anchors and not model.endswith("population"):
        return "try --model auto, whose strengths have a population"
    return f"try --draws {2 * settings.draws} --tune {2 * settings.tune}"


def choose_groups(games: GameTable, groups: str, choice: Choice, account: Account) -> dict[int, Selection]:
    """Return what is rated of each group of players that never meet, by the number of the group, the largest first.

    Raises
    ------
    GameTableError
        If no group can be rated, or one cannot for another reason than that nobody in it is to be rated.
    """
    if groups == "refuse":
        return {1: choose(games, choice, account)}
    found = components(games)
    account.say(found.describe())
    parts = split(games)[: 1 if groups == "largest" else None]
    asked = None if choice.monitor is None or choice.monitor.isdecimal() else monitored_of(choice.monitor, games)
    if asked is not None:
        asked = np.asarray(find_players(asked.tolist(), games.players.tolist(), f"monitored players, {games.source}"))
    chosen = {}
    for number, part in enumerate(parts, 1):
        if len(parts) > 1 and (why := nobody_rated(part, choice, asked)):
            account.say(f"left out, group {number} ({', '.join(part.players[:4].tolist())}): {why}")
        else:
            chosen[number] = choose(part, choice, account, asked)
    if not chosen:
        raise GameTableError(games.source, "a group with players to rate", "none", "Try a smaller --min-games.")
    return chosen


def nobody_rated(group: GameTable, choice: Choice, asked: Texts | None) -> str:
    """Return why nobody in a group is to be rated, empty if somebody is."""
    if asked is not None:
        return "" if np.isin(asked, group.players).any() else "none of the players of --monitor"
    most = int(games_played(group).max())
    if choice.monitor is None and most < choice.min_games:
        return f"too small, nobody has {choice.min_games} games (--min-games), at most {most}"
    return ""


def choose(games: GameTable, choice: Choice, account: Account, asked: Texts | None = None) -> Selection:
    """Return the games of the players who are rated, the others anchored or pooled.

    Parameters
    ----------
    games : GameTable
        All games, or those of one group.
    choice : Choice
        Who gets a rating.
    account : Account
        Collects what happened.
    asked : array of str, shape (player,), optional
        Players to rate of all groups; those of this one are.

    Raises
    ------
    GameTableError
        If players cannot be compared, or opponents to anchor have no rating.
    """
    if asked is not None:
        names = asked[np.isin(asked, games.players)]
    elif choice.monitor is not None:
        names = monitored_of(choice.monitor, games)
    else:
        names = most_active(games, at_least=choice.min_games)
    others = games.players.size - names.size
    if others and choice.rare != "pool" and (choice.rare == "anchor" or has_ratings(games, names)):
        selection = select(games, names, "any")
        if is_anchored(selection):
            account.say(f"{names.size} players rated, {others} opponents anchored to their ratings on the day")
        else:
            account.say(f"{names.size} players rated, {others} others have no game against them")
    elif others and choice.rare == "auto" and choice.monitor is None and around_ratings(games):
        selection = select(games, games.players, "both")
        account.say(f"{others} players with fewer than {choice.min_games} games are rated too, near their ratings")
    elif choice.monitor is not None:
        selection = select(games, names, "both")
        account.say(f"{names.size} players rated, from the games between them")
    else:
        pooled = pool_into_one(games, choice.min_games)
        selection = select(pooled.games, pooled.games.players, "both")
        if others:
            account.say(
                f"{others} players with fewer than {choice.min_games} games are one pooled player; "
                f"{pooled.left_out} games among them left out"
            )
    if not is_anchored(selection):
        require_comparable(games, selection.players)  # in the file: a pooled player joins nobody
    require_comparable(selection)
    return selection


def is_anchored(selection: Selection) -> bool:
    """Return whether a game has an opponent whose rating is known."""
    return bool((selection.white < 0).any() or (selection.black < 0).any())


def around_ratings(games: GameTable) -> bool:
    """Return whether strengths are set around ratings in these games, so that nobody has too few games to be rated."""
    if games.players.size > MOST_RATED:
        return False
    return suggest(select(games, games.players, "both"))[0].endswith("-rated")


def has_ratings(games: GameTable, names: Any) -> bool:
    """Return whether every opponent of the named players has a rating in each of these games."""
    white, black = np.isin(games.white_names, names), np.isin(games.black_names, names)
    for side, other, rating in ((white, black, games.white_rating_elo), (black, white, games.black_rating_elo)):
        needed = ~side & other
        if needed.any() and (rating is None or np.isnan(rating[needed]).any()):
            return False
    return True

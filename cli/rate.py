"""`halfpoint rate`: from a file of games to a rating list with intervals, a verdict, a page and a trace."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
import xarray as xr

from halfpoint.cli.explorer_page import record_of
from halfpoint.cli.grid import Settings
from halfpoint.cli.intake import Account, take_in
from halfpoint.cli.options import Chains, Draws, Quiet, Seed, Tune, monitored_of
from halfpoint.cli.output import AsJson, show, write_answer
from halfpoint.cli.terminal import console
from halfpoint.evaluation.explorer import explorer_page
from halfpoint.evaluation.tables import rating_list
from halfpoint.games.components import components, require_comparable, split
from halfpoint.games.errors import GameTableError
from halfpoint.games.rare import pool_rare
from halfpoint.games.select import Selection, most_active, select
from halfpoint.games.table import GameTable
from halfpoint.games.whole_file import write_text
from halfpoint.inference.sample import SEED, sample
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import declare, find

LEVEL_ELO = 1500.0  # the average player where no rating fixes the scale
SHOWN = 40


@dataclass(frozen=True)
class Choice:
    """Who gets a rating.

    Parameters
    ----------
    monitor : str or None
        File of names or number of most active players.
    min_games : int
        Smallest number of games of a player who is rated by himself.
    rare : {"auto", "anchor", "pool"}
        The others: anchored to their ratings, pooled into one player, or whichever is possible.
    """

    monitor: str | None
    min_games: int
    rare: str


def rate(
    games: Annotated[Path, typer.Argument(help="PGN, CSV, Parquet or the study's format; .gz .bz2 .zst .zip too.")],
    out: Annotated[Path, typer.Option(help="Folder for the list, the page and the trace.")],
    model: Annotated[str, typer.Option(help="Name of the catalogue; see `halfpoint models`.")] = "davidson-population",
    monitor: Annotated[str | None, typer.Option(help="File of names, or N most active players.")] = None,
    min_games: Annotated[int, typer.Option(min=1, help="Fewest games of a player who is rated by himself.")] = 5,
    rare: Annotated[str, typer.Option(help="Players with fewer: auto | anchor (to their ratings) | pool.")] = "auto",
    groups: Annotated[str, typer.Option(help="Players who never meet: refuse | apart | largest.")] = "refuse",
    names: Annotated[Path | None, typer.Option(help="Accepted spellings (names.csv of an earlier run).")] = None,
    drop_duplicates: Annotated[bool, typer.Option("--drop-duplicates", help="Drop certain duplicates.")] = False,
    time_control: Annotated[str | None, typer.Option(help="Keep classical, rapid, blitz, bullet (commas).")] = None,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rate the players of a file of games."""
    find(model)
    for value, known, option in ((groups, ("refuse", "apart", "largest"), "--groups"), (rare, RARE, "--rare")):
        if value not in known:
            raise GameTableError(option, " | ".join(known), repr(value))
    account = Account()
    classes = None if time_control is None else [word.strip() for word in time_control.split(",") if word.strip()]
    table = take_in(games, out, account, names, drop_duplicates, classes, quiet or as_json)
    settings = Settings(draws, tune, chains, seed)
    choice = Choice(monitor, min_games, rare)
    tables = [table]
    if groups != "refuse":
        tables = split(table) if groups == "apart" else split(table)[:1]
        account.say(components(table).describe())
    for number, part in enumerate(tables, 1):
        folder = out if len(tables) == 1 else out / f"group-{number}"
        rate_group(choose(part, choice, account), model, settings, folder, account, as_json, quiet)


RARE = ("auto", "anchor", "pool")


def choose(games: GameTable, choice: Choice, account: Account) -> Selection:
    """Return the games of the players who are rated, the others anchored or pooled.

    Raises
    ------
    GameTableError
        If players cannot be compared, or opponents to anchor have no rating.
    """
    if choice.monitor is not None:
        names = monitored_of(choice.monitor, games)
    else:
        names = most_active(games, at_least=choice.min_games)
    others = games.players.size - names.size
    if others and choice.rare != "pool" and (choice.rare == "anchor" or has_ratings(games, names)):
        selection = select(games, names, "any")
        account.say(f"{names.size} players rated, {others} opponents anchored to their ratings on the day")
    elif others and choice.monitor is not None:
        selection = select(games, names, "both")
        account.say(f"{names.size} players rated, from the games between them")
    else:
        pooled = pool_rare(games, choice.min_games)
        selection = select(pooled.games, pooled.games.players, "both")
        if others:
            account.say(
                f"{others} players with fewer than {choice.min_games} games are one pooled player; "
                f"{pooled.left_out} games among them left out"
            )
    require_comparable(selection)
    return selection


def has_ratings(games: GameTable, names: Any) -> bool:
    """Return whether every opponent of the named players has a rating in each of these games."""
    white, black = np.isin(games.white_names, names), np.isin(games.black_names, names)
    for side, other, rating in ((white, black, games.white_rating_elo), (black, white, games.black_rating_elo)):
        needed = ~side & other
        if needed.any() and (rating is None or np.isnan(rating[needed]).any()):
            return False
    return True


def rate_group(
    selection: Selection, model: str, settings: Settings, folder: Path, account: Account, as_json: bool, quiet: bool
) -> None:
    """Sample, and write trace.nc, ratings.csv, ratings.json and report.html."""
    declared = declare(model, selection)
    tree = sample(
        declared,
        draws=settings.draws,
        tune=settings.tune,
        chains=settings.chains,
        seed=settings.seed,
        progress=not (quiet or as_json),
    )
    ratings, level = levelled(tree, selection)
    write(tree, folder / "trace.nc")
    listed = rating_list(ratings)
    played = np.bincount(selection.white[selection.white >= 0], minlength=selection.players.size)
    played = played + np.bincount(selection.black[selection.black >= 0], minlength=selection.players.size)
    games_of = dict(zip(selection.players.tolist(), played.tolist(), strict=True))
    table = pd.DataFrame(
        {
            "rank": np.arange(1, len(listed) + 1),
            "player": listed["player"],
            "rating_elo": listed["mean"],
            "sd_elo": listed["sd"],
            "low_elo": listed["low"],
            "high_elo": listed["high"],
            "games": [games_of[name] for name in listed["player"]],
        }
    )
    about = {
        "title": f"{len(table)} players rated by {model} on {len(selection)} games",
        "model": model,
        "data": selection.games.name,
        "sha256": selection.games.sha256,
        "simulated": selection.games.simulated,
        "verdict": tree.attrs["verdict"],
        "level": level,
        "account": "; ".join(account.lines),
    }
    write_answer(table, about, folder / "ratings.csv")
    write_answer(table, about, folder / "ratings.json")
    write_text(folder / "report.html", explorer_page(record_of(tree, ratings, [level, *account.lines])))
    note = f"{level}. Sampler: {tree.attrs['verdict']}. 95% highest density intervals."
    if as_json:
        show(table, about, True, None)
        return
    show(table.head(SHOWN), about | {"note": note}, False, None)
    console.print(f"ratings.csv, ratings.json, report.html and trace.nc in {folder}", markup=False)


def levelled(tree: xr.DataTree, selection: Selection) -> tuple[xr.DataArray, str]:
    """Return the ratings in Elo points on a level that the games or a convention fix, and which, in words.

    Without anchors only differences are known: every draw is moved so that the average player has the average of the
    known ratings, or 1500.
    """
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    if (selection.white < 0).any() or (selection.black < 0).any():
        return ratings, "Level fixed by the ratings of anchored opponents"
    known = [one for one in (selection.games.white_rating_elo, selection.games.black_rating_elo) if one is not None]
    values = np.concatenate(known) if known else np.array([np.nan])
    rated = not np.isnan(values).all()
    level = float(np.nanmean(values)) if rated else LEVEL_ELO
    why = "the mean of the ratings in the file" if rated else "a convention"
    return ratings - ratings.mean("player") + level, f"No anchors: the average player is put at {level:.0f} ({why})"

"""Who gets a rating: players with enough games, the others anchored or pooled, and groups that never meet apart."""

from dataclasses import replace
from typing import Any

import numpy as np

from halfpoint.games.anchor_list import AnchorList, read_anchors
from halfpoint.games.components import components, require_comparable, split
from halfpoint.games.errors import GameTableError, counted
from halfpoint.games.few_games import pool_into_one
from halfpoint.games.find_player import find_players
from halfpoint.games.select import Selection, games_played, monitored_players, most_active, select
from halfpoint.games.table import GameTable, Texts
from halfpoint.models.suggest import suggest
from halfpoint.workflows.intake import Account, Intake

MOST_RATED = 3000  # players who are rated by themselves however few games they have


def choose_groups(games: GameTable, intake: Intake, account: Account, by_ratings: bool) -> dict[int, Selection]:
    """Return what is rated of each group of players that never meet, by the number of the group, the largest first."""
    if intake.anchors is not None:
        return {1: choose_beside(games, read_anchors(intake.anchors), intake, account)}
    if intake.groups == "refuse":
        return {1: choose(games, intake, account, by_ratings)}
    found = components(games)
    account.say(found.describe())
    parts = split(games)[: 1 if intake.groups == "largest" else None]
    asked = None
    if intake.monitor is not None and not isinstance(intake.monitor, int):
        names = monitored_players(intake.monitor, games).tolist()
        asked = np.asarray(find_players(names, games.people.tolist(), f"monitored players, {games.source}"))
    chosen = {}
    for number, part in enumerate(parts, 1):
        if len(parts) > 1 and (why := nobody_rated(part, intake, asked)):
            account.say(f"left out, group {number} ({', '.join(part.people[:4].tolist())}): {why}")
        else:
            chosen[number] = choose(part, intake, account, by_ratings, asked)
    if not chosen:
        raise GameTableError(games.source, "a group with players to rate", "none", "Try a smaller --min-games.")
    return chosen


def nobody_rated(group: GameTable, intake: Intake, asked: Texts | None) -> str:
    """Return why nobody in a group is to be rated, empty if somebody is."""
    if asked is not None:
        return "" if np.isin(asked, group.people).any() else "none of the players of --monitor"
    most = int(games_played(group).max())
    if intake.monitor is None and most < intake.min_games:
        return f"too small, nobody has {intake.min_games} games (--min-games), at most {most}"
    return ""


def choose(
    games: GameTable, intake: Intake, account: Account, by_ratings: bool, asked: Texts | None = None
) -> Selection:
    """Return the games of the players who are rated, the others anchored or pooled; asked (player,)."""
    if asked is not None:
        names = asked[np.isin(asked, games.people)]
    elif intake.monitor is not None:
        names = monitored_players(intake.monitor, games)
    else:
        names = most_active(games, at_least=intake.min_games)
    others = games.people.size - names.size
    if others and intake.rare != "pool" and (intake.rare == "anchor" or has_ratings(games, names)):
        selection = select(games, names, "any")
        if selection.anchored:
            known = f"{counted(others, 'opponent')} anchored to the rating{'s' * (others > 1)} on the day"
            account.say(f"{names.size} players rated, {known}")
        else:
            account.say(f"{names.size} players rated, {others} others have no game against them")
    elif others and by_ratings and intake.rare == "auto" and intake.monitor is None and around_ratings(games):
        selection = select(games, games.people, "both")
        account.say(f"{others} players with fewer than {intake.min_games} games are rated too, near their ratings")
    elif intake.monitor is not None:
        selection = select(games, names, "both")
        account.say(f"{names.size} players rated, from the games between them")
    else:
        pooled = pool_into_one(games, intake.min_games)
        selection = select(pooled.games, pooled.games.people, "both")
        if others:
            account.say(
                f"{others} players with fewer than {intake.min_games} games are one pooled player; "
                f"{pooled.left_out} games among them left out"
            )
    if not selection.anchored:
        require_comparable(games, selection.players)  # in the file: a pooled player joins nobody
    require_comparable(selection)
    return selection


def choose_beside(games: GameTable, anchors: AnchorList, intake: Intake, account: Account) -> Selection:
    """Return the games of the players who are rated beside anchors, on whose scale they are; arguments as in `choose`.

    Ratings in the games are not looked at: the list is the one scale.
    """
    if games.sides is not None:
        found = f"sides of several people, such as {games.players[0]!r}"
        raise GameTableError(games.source, "one player a side for --anchors", found)
    here = anchors.among(games.people.tolist())
    account.say(here.words(len(anchors)))
    if intake.monitor is None:
        pooled = pool_into_one(games, intake.min_games, here.names)
        games, others = pooled.games, pooled.players.size
        if others:
            few = f"{counted(others, 'other')} with fewer than {intake.min_games} games: one pooled player"
            account.say(f"{few}, {counted(pooled.left_out, 'game')} among them left out")
        names = games.people
    else:
        typed, where = monitored_players(intake.monitor, games).tolist(), f"monitored players, {games.source}"
        asked = find_players(typed, games.people.tolist(), where)
        names = np.asarray(list(dict.fromkeys([*asked, *here.names])))
        account.say(f"{names.size} players rated, anchors among them, from the games between them")
    unrated = replace(games, white_rating_elo=None, black_rating_elo=None)
    selection = select(unrated, names, "both")
    selection = replace(selection, prior_elo=here.of(selection.players))
    require_comparable(selection, remedy="Give an anchor to each group.")
    return selection


def around_ratings(games: GameTable) -> bool:
    """Return whether strengths are set around ratings in these games, so that nobody has too few games to be rated."""
    if games.players.size > MOST_RATED or games.sides is not None:
        return False
    return suggest(select(games, games.players, "both"))[0].endswith("-rated")


def has_ratings(games: GameTable, names: Any) -> bool:
    """Return whether every opponent of the named players has a rating in each of these games."""
    if games.sides is not None:
        return False  # a rating of a side is nobody's
    white, black = np.isin(games.white_names, names), np.isin(games.black_names, names)
    for side, other, rating in ((white, black, games.white_rating_elo), (black, white, games.black_rating_elo)):
        needed = ~side & other
        if needed.any() and (rating is None or np.isnan(rating[needed]).any()):
            return False
    return True

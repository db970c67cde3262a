"""Abilities of bridge players, pairs and partnerships in IMPs per board, with intervals, by a catalogue model."""

from collections.abc import Mapping
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.bridge.as_games import as_games
from halfpoint.apps.fields.bridge.options import ELO, MODELS
from halfpoint.apps.fields.bridge.page import bridge_page, strongest_in_words
from halfpoint.apps.fields.bridge.scores import Results, table_from
from halfpoint.apps.workflows.answer import Answer, about_trace, as_csv, put_page
from halfpoint.apps.workflows.options import ReadingContext, Run, Say, no_progress, records_of, silent
from halfpoint.apps.workflows.trace_list import identifiability_of
from halfpoint.evaluation.rating_list import SUMMARY, RatingList, rating_columns
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.components import components, require_comparable, split
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.identifiability import Identifiability
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.results import Results as Place
from halfpoint.models.games.results import results as place_for
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import Floats, GameTable, Texts
from halfpoint.models.rows.column_coding import team_names

_NOUNS = ("player", "pair", "pair")
_FILES = ("players.csv", "pairs.csv", "partnerships.csv", "report.html", "trace.nc")
_PLAIN = dict(zip(rating_columns("imps"), ("imps", *SUMMARY[1:]), strict=True))  # as the page calls them


@dataclass(frozen=True, eq=False, repr=False)
class BridgeAbilities(Answer):
    """Players, pairs and partnerships in IMPs per board: each a `RatingList` with results.

    In `frame`, players, rating_imps is a player's contribution to a board, the mean player 0; told is "yes", "only
    together", "only among their own kind"; players who always play together are one row, their mean. `about` has title,
    model, verdict, converged, note, spreads (IMPs), not_told.
    """

    pairs: pd.DataFrame  #: against a pair of two average players
    partnerships: pd.DataFrame  #: the same pairs: what each brings beyond its two players
    trace: xr.DataTree  #: the draws, for forecasts and every other question
    selection: Selection  #: the games that the model saw


def bridge_abilities(
    results: Results, model: str = "bridge-ability", out: str | Path | None = None,
    columns: Mapping[str, str] | None = None, groups: str = "refuse", *, draws: int = 1000, tune: int = 200,
    chains: int = 4, seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None,
    method: str = "auto", force: bool = False, say: Say = silent, reading: ReadingContext = no_progress,
    progress: bool = False, verbose: bool = False, executor: Executor | None = None,
) -> BridgeAbilities:  # fmt: skip
    """Estimate players, pairs and partnerships by a model of the catalogue, in IMPs per board with intervals.

    Parameters
    ----------
    results : str, Path or BridgeTable
        A CSV, LIN or PBN file.
    model : {"bridge-ability", "bridge-ability-t", "bridge-ability-even"}
        Distribution of IMPs around their expectation: normal, or Student t with four degrees of freedom; or normal with
        the same variance for all deals, for which normal draws replace NUTS if that would take long.
    out : str or Path, optional
        Folder for players.csv, pairs.csv, partnerships.csv, report.html (a page of the three) and trace.nc.
    columns : mapping of str to str, optional
        CSV: field to the file's column.
    groups : {"refuse", "largest"}
        Treatment of unconnected groups of players.
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`).
    method, force, say, reading, progress, verbose, executor
        Method and progress reports (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    BridgeAbilities
        Frames of players, pairs and partnerships in IMPs per board with 95% intervals, the findings, and the trace.

    Raises
    ------
    HalfpointError
        If the file is refused, players never meet, or the model is not one of these.
    """
    effort, run = records_of(locals(), Effort, Run)
    run.require()
    require_word("--groups", groups, ("refuse", "largest"), GameTableError)
    if model not in MODELS:
        raise ModelError(f"--model: expected {ELO} | {' | '.join(MODELS)}, found {model!r}")
    folder = nullcontext() if out is None else place_for(out, "bridge rate", _FILES, reads=(results,), force=run.force)
    with folder as place:
        games = as_games(table_from(results, columns))
        if place is not None:
            room = 16.0 * effort.draws * effort.chains * games.people.size
            require_disk(place.folder, place.shown, room, "--out")
        if groups == "largest" and not components(games).comparable:
            games = split(games)[0]
        return _abilities_of(games, model, place, effort, run)


def _abilities_of(games: GameTable, model: str, place: Place | None, effort: Effort, run: Run) -> BridgeAbilities:
    """Abilities of `bridge_abilities`, written to a folder if given."""
    selection = select(games, games.people, "both")
    require_comparable(selection, remedy="Add --groups largest.")
    identifiability = identifiability_of(selection)
    assert identifiability is not None
    from halfpoint.inference.fit import fit  # PyMC, which scores and ratings do without

    run.say(f"{len(games):,} results of {games.people.size} players")
    tree = fit(declare(model, selection), run.method, effort, say=run.say, progress=run.progress)
    run.say(f"{model}: {tree.attrs['sampling'] or 'sampled'}")
    lists, about = _lists_of(tree, selection, identifiability), _about_draws(tree, selection)
    about["not_told"] = identifiability.describe()
    spread = about["spreads"]
    about["note"] = " ".join((
        *games.notes,
        f"IMPs a board, 95% intervals; the mean player is 0. Standard deviations: players "
        f"{spread['player_imps']:.2f}, partnerships {spread['partnership_imps']:.2f}, a single result "
        f"{spread['result_imps']:.1f}.",
        *(f"{line[:1].upper()}{line[1:]}." for line in identifiability.describe()),
        f"Sampler: {about['verdict']}.",
    ))  # fmt: skip
    players, pairs, partnerships = frames = [rating_list.frame for rating_list in lists]
    about["answer"] = strongest_in_words(players.rename(columns=_PLAIN), pairs.rename(columns=_PLAIN))
    abilities = BridgeAbilities(players, about, pairs, partnerships, tree, selection)
    if place is not None:
        write(tree, place.aside("trace.nc", precious=True))
        for name, frame in zip(_FILES, frames, strict=False):
            place.text(name, as_csv(frame))
        shown = [frame.rename(columns=_PLAIN) for frame in frames]
        put_page(place, "report.html", bridge_page(shown[0], shown[1], shown[2], abilities.about, len(games)))
    return abilities


def _draws_of_abilities(tree: xr.DataTree, sides: Sides) -> tuple[Floats, Floats, Floats]:
    """Draws of the values of players, pairs and partnerships, IMPs per board, each of shape (draw, name).

    A strength is the value of a pair of two such players; the level sets the mean of the players to 0. Pairs are in the
    order of the model's partners.
    """
    posterior = tree["posterior"].to_dataset()
    p = draws_of(posterior)
    strength, bond = p["strength"] - p["strength"].mean(axis=1, keepdims=True), p["strength_partners"]
    place = dict(zip(team_names(sides.members, sides.people), sides.members.tolist(), strict=True))
    members = np.array([place[name] for name in posterior["partners"].to_numpy().astype(str)])
    return strength / 2.0, strength[:, members].mean(axis=2) + bond, bond


def _lists_of(tree: xr.DataTree, selection: Selection, identifiability: Identifiability) -> list[RatingList]:
    """Lists of players, pairs and partnerships."""
    assert selection.sides is not None
    names = tree["posterior"]["partners"].to_numpy().astype(str)
    players, pairs, bonds = _draws_of_abilities(tree, selection.sides)
    units = np.stack([players[:, unit].mean(axis=1) for unit in identifiability.units], axis=1)
    lists = []
    for noun, draws, frame in zip(
        _NOUNS, (units, pairs, bonds), _known_of(names, selection, identifiability), strict=True
    ):
        has_results = (frame["results"] >= 1).to_numpy()
        coords = {"player": frame[noun].to_numpy(object)[has_results]}
        some = xr.DataArray(draws[None][..., has_results], dims=("chain", "draw", "player"), coords=coords)
        lists.append(RatingList.of_draws(some, frame[has_results].drop(columns=noun), noun=noun, unit="imps"))
    return lists


def _known_of(pairs: Texts, selection: Selection, identifiability: Identifiability) -> list[pd.DataFrame]:
    """Three tables of names and results: players or inseparable pairs, and two identical tables of pairs."""
    assert selection.sides is not None
    sides = {name: code for code, name in enumerate(team_names(selection.sides.members, selection.sides.people))}
    of_side = np.bincount(np.concatenate([selection.white, selection.black]), minlength=len(selection.sides))
    of_pair = pd.DataFrame({"pair": np.asarray(pairs), "results": of_side[[sides[name] for name in pairs]]})
    kinds = np.where(identifiability.kind == 0, "yes", "only among their own kind")
    identified = np.where([unit.size > 1 for unit in identifiability.units], "only together", kinds)
    of_unit = selection.games_of_players[[unit[0] for unit in identifiability.units]]
    return [pd.DataFrame({"player": identifiability.names, "results": of_unit, "told": identified}), of_pair, of_pair]


def _about_draws(tree: xr.DataTree, selection: Selection) -> dict[str, Any]:
    """Metadata of lists from a trace."""
    posterior = tree["posterior"].to_dataset()
    spreads = {
        "player_imps": float(posterior["strength_spread"].mean()) / 2.0,
        "partnership_imps": float(posterior["strength_partners_spread"].mean()),
        "result_imps": float(np.exp(posterior["log_width"]).mean()),
    }
    if "log_width_deal_spread" in posterior:
        spreads["log_width_of_deals"] = float(posterior["log_width_deal_spread"].mean())
    about = about_trace(tree, f"Abilities of {selection.players.size} players by {tree.attrs['model']}")
    return about | {"spreads": spreads}

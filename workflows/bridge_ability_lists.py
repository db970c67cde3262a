"""Abilities of bridge players, pairs and partnerships in IMPs a board, with intervals, from results: by a model row."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.games.atomic_write import whole_files
from halfpoint.games.bridge.as_games import as_games
from halfpoint.games.components import require_comparable
from halfpoint.games.partners import Told
from halfpoint.games.select import Selection, select
from halfpoint.games.sides import Sides
from halfpoint.games.table import Floats
from halfpoint.inference.fitter import SEED
from halfpoint.inference.sample import sample
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import BRIDGE, declare
from halfpoint.models.effects import together
from halfpoint.models.errors import ModelError
from halfpoint.workflows.answer import Answer, about_trace
from halfpoint.workflows.answer_text import as_csv
from halfpoint.workflows.bridge_page import bridge_page
from halfpoint.workflows.bridge_scores import Results, table_from
from halfpoint.workflows.together import told_by

ELO = "elo"  # the name of the system of ratings where a model could stand
INTERVAL = (0.05, 0.95)


@dataclass(frozen=True, eq=False, repr=False)
class BridgeAbilities(Answer):
    """Players, pairs and partnerships in IMPs a board.

    Parameters
    ----------
    frame : DataFrame
        One row a player, best first: rank, player, imps (what they add to a board, the mean player 0), sd, low, high
        (90% interval, equal tails), results, told ("yes", "only together", "only among their own kind"). Players who
        never split are one row, their mean.
    about : dict
        Title, model, verdict, converged, note, spreads (IMPs), not_told.
    pairs : DataFrame
        One row a pair that played, best first: rank, pair, imps (against a pair of two average players), sd, low, high,
        results.
    partnerships : DataFrame
        The same pairs: what each brings beyond its two players.
    trace : DataTree
        The draws, for forecasts and every other question.
    selection : Selection
        The games that the model saw.
    """

    pairs: pd.DataFrame
    partnerships: pd.DataFrame
    trace: xr.DataTree
    selection: Selection


def bridge_abilities(
    results: Results,
    model: str = "bridge-ability",
    out: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    *,
    least_results: int = 1,
    draws: int = 1000,
    tune: int = 1000,
    chains: int = 4,
    seed: int = SEED,
    progress: bool = False,
) -> BridgeAbilities:
    """Return players, pairs and partnerships by a model of the catalogue, in IMPs a board with intervals.

    Parameters
    ----------
    results : str, Path or BridgeTable
        A CSV, LIN or PBN file.
    model : {"bridge-ability", "bridge-ability-t"}
        IMPs around their expectation normal, or a Student t of four degrees of freedom.
    out : str or Path, optional
        Folder for players.csv, pairs.csv, partnerships.csv, report.html (a page of the three) and trace.nc.
    columns : mapping of str to str, optional
        CSV: field to the file's column.
    least_results : int
        Results below which a player or pair is left out of the lists; the model sees all.
    draws, tune, chains, seed
        Draws kept a chain, tuning draws a chain, chains, seed.
    progress : bool
        Show the sampler's progress bar.

    Raises
    ------
    HalfpointError
        If the file is refused, players never meet, or the model is no model of bridge.
    """
    if model not in BRIDGE:
        raise ModelError(f"--model: expected {ELO} | {' | '.join(BRIDGE)}, found {model!r}")
    games = as_games(table_from(results, columns))
    selection = select(games, games.people, "both")
    require_comparable(selection)
    tree = sample(declare(model, selection), draws, tune, chains, seed, progress=progress, adapt=True)
    found = told_by(selection)
    assert found is not None
    players, pairs, partnerships = lists_of(tree, selection, found, least_results)
    about = about_of(tree, selection, found)
    if out is not None:
        folder = Path(out)
        tables = {"players.csv": players, "pairs.csv": pairs, "partnerships.csv": partnerships}
        texts = {name: as_csv(frame) for name, frame in tables.items()}
        texts["report.html"] = bridge_page(players, pairs, partnerships, about, len(games))
        folder.mkdir(parents=True, exist_ok=True)
        write(tree, folder / "trace.nc")
        with whole_files(*(folder / name for name in texts)) as files:
            for file, text in zip(files, texts.values(), strict=True):
                file.write_text(text, encoding="utf-8", newline="")
    return BridgeAbilities(players, about, pairs, partnerships, tree, selection)


def draws_of_abilities(tree: xr.DataTree, sides: Sides) -> tuple[Floats, Floats, Floats]:
    """Return draws of what players, pairs and partnerships are worth, IMPs a board, each of shape (draw, who).

    A strength is what a pair of two such players is worth; the level is put where the mean of the players is 0. Pairs
    stand in the order of the model's partners.
    """
    posterior = tree["posterior"].to_dataset()
    strength = posterior["strength"].transpose("chain", "draw", "player").to_numpy()
    strength = strength.reshape(-1, strength.shape[-1])
    strength = strength - strength.mean(axis=1, keepdims=True)
    bond = posterior["strength_partners"].transpose("chain", "draw", "partners").to_numpy()
    bond = bond.reshape(-1, bond.shape[-1])
    members = members_of(posterior["partners"].to_numpy().astype(str), sides)
    return strength / 2.0, strength[:, members].mean(axis=2) + bond, bond


def members_of(names: Any, sides: Sides) -> Any:
    """Return who the pairs of these names are, indexes into the people of the sides, shape (pair, 2)."""
    place = dict(zip(together(sides.members, sides.people), sides.members.tolist(), strict=True))
    return np.array([place[name] for name in names])


def lists_of(
    tree: xr.DataTree, selection: Selection, found: Told, least: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the lists of players, of pairs, and of what partnerships bring, best first."""
    assert selection.sides is not None
    names = tree["posterior"]["partners"].to_numpy().astype(str)
    sides = {name: code for code, name in enumerate(together(selection.sides.members, selection.sides.people))}
    of_side = np.bincount(np.concatenate([selection.white, selection.black]), minlength=len(selection.sides))
    of_pair = of_side[[sides[name] for name in names]]
    players, pairs, bonds = draws_of_abilities(tree, selection.sides)
    units = np.stack([players[:, unit].mean(axis=1) for unit in found.units], axis=1)
    of_unit = selection.games_of_players[[unit[0] for unit in found.units]]
    known = np.where(found.kind == 0, "yes", "only among their own kind")
    told = np.where([unit.size > 1 for unit in found.units], "only together", known)
    return (
        listed("player", found.names, units, of_unit, least, told),
        listed("pair", names, pairs, of_pair, least),
        listed("pair", names, bonds, of_pair, least),
    )


def listed(word: str, names: Any, draws: Floats, results: Any, least: int, told: Any = None) -> pd.DataFrame:
    """Return one row each, best first, those with too few results left out."""
    low, high = np.quantile(draws, INTERVAL, axis=0)
    made = pd.DataFrame({
        word: names, "imps": draws.mean(axis=0), "sd": draws.std(axis=0), "low": low, "high": high, "results": results,
        **({} if told is None else {"told": told}),
    })  # fmt: skip
    made = made[made["results"] >= least].sort_values(["imps", word], ascending=[False, True], ignore_index=True)
    made.insert(0, "rank", np.arange(1, len(made) + 1))
    return made


def about_of(tree: xr.DataTree, selection: Selection, found: Told) -> dict[str, Any]:
    """Return what the lists are about."""
    posterior = tree["posterior"].to_dataset()
    width = np.exp(posterior["log_width"])
    spreads = {
        "player_imps": float(posterior["strength_spread"].mean()) / 2.0,
        "partnership_imps": float(posterior["strength_partners_spread"].mean()),
        "result_imps": float(width.mean()),
        "log_width_of_deals": float(posterior["log_width_deal_spread"].mean()),
    }
    lines = [
        f"IMPs a board, 90% intervals; the mean player is 0. Players spread {spreads['player_imps']:.2f}, partnerships "
        f"{spreads['partnership_imps']:.2f}; a result lies {spreads['result_imps']:.1f} around its expectation, and "
        f"deals differ in that by a factor of {np.exp(spreads['log_width_of_deals']):.2f}.",
        *(f"{line[:1].upper()}{line[1:]}." for line in found.describe()),
        f"Sampler: {tree.attrs['verdict']}.",
    ]
    about = about_trace(tree, f"Abilities of {selection.players.size} players by {tree.attrs['model']}")
    return about | {
        "converged": bool(tree.attrs["converged"]), "spreads": spreads, "not_told": found.describe(),
        "note": " ".join((*selection.games.notes, *lines)),
    }  # fmt: skip

"""From a file of judgements to an honest leaderboard: list with tiers, audit, held-out battles, one page.

Trace, list, audit and page come together or not at all (`halfpoint.games.results`).
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.statements import stronger_table
from halfpoint.evaluation.tables import first_move_and_draws
from halfpoint.fields.arena.audit import Finding
from halfpoint.fields.arena.checks import NOTABLE, audit, bootstrap, held_out, without_each
from halfpoint.fields.arena.fit import Board, fit_board, fixed, judge_table, style_table
from halfpoint.fields.arena.game_pairs import TAGS, game_pairs, pair_keys
from halfpoint.fields.arena.read import Judgements, read_judgements
from halfpoint.fields.arena.score_matrix import read_score_matrix
from halfpoint.fields.arena.tiers import Tiers, rank_intervals, tiers
from halfpoint.games.errors import GameTableError
from halfpoint.games.extras import require
from halfpoint.games.places import require_disk
from halfpoint.games.ranges import Range
from halfpoint.games.readers.pgn import read_pgn_headers
from halfpoint.games.readers.read import detect
from halfpoint.games.results import Results, results
from halfpoint.games.table import GameTable
from halfpoint.inference.fitter import SEED
from halfpoint.inference.traces import write
from halfpoint.workflows.answer import Answer
from halfpoint.workflows.answer_text import as_csv, as_json_text, plain, records
from halfpoint.workflows.intake import Say, unheard

INTERVAL, REGION = Range(0.5, 0.999), Range(0.0, 1e9)
FILES = ("leaderboard.csv", "leaderboard.json", "audit.json", "matrix.csv", "leaderboard.html")
type Battles = str | Path | pd.DataFrame | GameTable | Judgements


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Answer):
    """A leaderboard and everything it was made from.

    Parameters
    ----------
    frame : DataFrame
        rank, the noun (model, engine, ...), rating_elo, sd_elo, low_elo, high_elo (central interval), rank_low,
        rank_high, best (probability of being the strongest), tier, judgements.
    about : dict
        title, note, noun, sides, level, method, verdict, account, position and ties in numbers, and so on.
    board : Board
        Model, judgements and trace.
    tiers : Tiers
        With the borders between them.
    stronger : DataArray
        P(row stronger than column).
    style : DataFrame
        What position and each style are worth, Elo points a standard deviation.
    judges : DataFrame or None
        Habit and sharpness of each judge, where asked for.
    scores : DataFrame or None
        Scores of held-out judgements.
    audit : list of Finding
        What the checks found.
    stability : dict of str to DataFrame
        Refits without a judge, without a category.
    clusters : DataFrame
        The bootstrap by clusters beside the posterior.
    categories : dict of str to DataFrame
        Boards of the categories, where asked for.
    pairs : DataFrame
        Pairs of engine games from one opening with reversed colours (`game_pairs`); empty without.
    folder : Path or None
        Where the files are.
    """

    board: Board
    tiers: Tiers
    stronger: xr.DataArray
    style: pd.DataFrame
    judges: pd.DataFrame | None
    scores: pd.DataFrame | None
    audit: list[Finding]
    stability: dict[str, pd.DataFrame]
    clusters: pd.DataFrame
    categories: dict[str, pd.DataFrame]
    pairs: pd.DataFrame
    folder: Path | None

    @property
    def trace(self) -> xr.DataTree:
        """The draws, for `next`, `rank`, `match` and every other question."""
        return self.board.tree

    @property
    def faults(self) -> list[Finding]:
        """The checks that found a fault."""
        return [one for one in self.audit if one.found]

    def record(self) -> dict[str, Any]:
        """Return everything as JSON holds it."""
        frames = {"style": self.style, "judges": self.judges, "held_out": self.scores, "clusters": self.clusters}
        frames |= {"borders": self.tiers.borders, "pairs_of_games": self.pairs}
        made = {key: plain(value) for key, value in self.about.items()} | {"rows": records(self.frame)}
        made |= {key: records(frame) for key, frame in frames.items() if frame is not None}
        made["stability"] = {key: records(frame) for key, frame in self.stability.items()}
        made["categories"] = {key: records(frame) for key, frame in self.categories.items()}
        return made | {"audit": [asdict(one) for one in self.audit]}


def leaderboard(
    battles: Battles,
    out: str | Path | None = None,
    *,
    style: Sequence[str] = (),
    judges: bool = False,
    by: str | None = None,
    fix: str | None = None,
    outcomes: str | Mapping[str, Any] | None = None,
    reader: Mapping[str, Any] | None = None,
    region: float | None = None,
    lower: bool = False,
    groups: str = "refuse",
    method: str = "auto",
    tier: float = 0.95,
    interval: float = 0.95,
    cluster: str | None = None,
    checks: bool = True,
    draws: int = 1000,
    tune: int = 200,
    chains: int = 4,
    seed: int = SEED,
    force: bool = False,
    say: Say = unheard,
    progress: bool = False,
) -> Leaderboard:
    """Rank what was judged in pairs: models, engines, answers, items.

    Parameters
    ----------
    battles : str, Path, DataFrame, GameTable or Judgements
        JSON lines, Parquet or CSV of judgements (`halfpoint.fields.arena.read`), or judgements in memory.
    out : str or Path, optional
        Folder for leaderboard.csv, leaderboard.json, audit.json, matrix.csv, leaderboard.html and trace.nc; without it
        nothing is written.
    style : sequence of str
        Style to allow for: length, headers, lists, bold, or NAME where there are NAME_a and NAME_b; ("all",) for all.
    judges : bool
        Give each judge a position habit and a sharpness, pooled.
    by : str, optional
        Column (category, language) of which each level gets a board too.
    fix : str, optional
        "NAME=1000": whose posterior mean stands where; the mean of all is at 0 otherwise.
    outcomes : str or mapping, optional
        What words of outcomes mean: "tie=0.5,both_bad=drop".
    reader : mapping, optional
        Further options of the reader: columns, ignore, date_format.
    region : float, optional
        The file holds scores of methods on data sets: how near two scores are a tie
        (`halfpoint.fields.arena.score_matrix`).
    lower : bool
        Whether lower scores are better.
    groups : {"refuse", "largest"}
        What happens where groups never meet.
    method : {"auto", "nuts", "normal"}
        Sample, or take a normal approximation; "auto" samples up to 4,000 judgements that differ to the model.
    tier : float
        Probability that separates tiers (`halfpoint.fields.arena.tiers`).
    interval : float
        Mass of the intervals.
    cluster : str, optional
        Column the bootstrap draws anew: judge, prompt, ...; the first of these two by default.
    checks : bool
        Whether to audit, hold out judgements, refit and bootstrap.
    draws, tune, chains, seed
        Draws kept a chain, tuning draws a chain, chains, seed. The same seed gives the same board.
    force : bool
        Replace files that are not of an earlier run.
    say : callable
        Gets a line on every step; nobody by default.
    progress : bool
        Show the sampler's progress bar.

    Returns
    -------
    Leaderboard

    Raises
    ------
    HalfpointError
        If an option or a file is not what is expected, or who was judged cannot be compared; in one line, which names
        the option of `halfpoint leaderboard`.

    Examples
    --------
    >>> from halfpoint.fields.arena import leaderboard
    >>> from halfpoint.fields.arena.simulate import simulate_arena
    >>> arena = simulate_arena(models=5, battles=1500, judges=20)
    >>> found = leaderboard(arena.battles, style=["length"], method="normal", checks=False)
    >>> found.frame.columns.tolist()[:4], abs(float(found.frame["rating_elo"].mean())) < 1e-6
    (['rank', 'model', 'rating_elo', 'sd_elo'], True)
    """
    INTERVAL.require("--interval", interval, GameTableError)
    INTERVAL.require("--tiers", tier, GameTableError)
    level = fixed(fix)
    if out is not None:
        require("matplotlib", "the page of a leaderboard")
    with ExitStack() as stack:
        names = (*FILES, "trace.nc")
        place = None
        if out is not None:
            place = stack.enter_context(results(out, "leaderboard", names, reads=(battles,), force=force))
        judgements = taken(battles, outcomes, style, reader, region, lower)
        for line in judgements.account:
            say(line)
        for column, option in ((by, "--by"), (cluster, "--cluster")):
            if column is not None and column not in judgements.games.covariates:
                known = ", ".join(one for one in judgements.games.covariates if one != "both_bad") or "none"
                raise GameTableError(option, f"one of the columns {known}", repr(column))
        say(f"{len(judgements.games):,} judgements of {judgements.games.players.size} {judgements.noun}s")
        if place is not None:
            room = 16.0 * draws * chains * judgements.games.players.size
            require_disk(place.folder, place.shown, room, "--out")
        board = fit_board(judgements, judges, method, level, groups, draws, tune, chains, seed, progress)
        say(f"{board.method}: {board.tree.attrs['verdict']}")
        if place is not None:
            write(board.tree, place.aside("trace.nc", precious=True))
        return finished(board, place, by, tier, interval, cluster, checks, seed, say)


def taken(
    battles: Battles,
    outcomes: Any,
    style: Sequence[str],
    reader: Mapping[str, Any] | None,
    region: float | None,
    lower: bool,
) -> Judgements:
    """Return judgements, from wherever they are.

    Raises
    ------
    GameTableError
        If an option is given that the source has no use for.
    """
    given = {"--outcomes": outcomes, "--style": list(style), "--columns, --ignore, --date-format": reader}
    used = next((name for name, value in given.items() if value), None)
    if region is not None:
        used = "--outcomes" if outcomes else "--style" if style else None
        strange = set(reader or {}) - {"columns"}
        if used is not None or strange or isinstance(battles, GameTable | Judgements):
            what = used or ("--ignore" if strange else "--region")
            raise GameTableError(what, "judgements" if used else "a file of scores", "scores" if used else "another")
        return read_score_matrix(battles, region, lower, dict(reader or {}).get("columns"))
    if lower:
        raise GameTableError("--lower", "a file of scores, with --region", "judgements")
    if isinstance(battles, GameTable | Judgements):
        if used is not None:
            raise GameTableError(used, "a file or a data frame", "a table of games")
        if isinstance(battles, Judgements):
            return battles
        return Judgements(battles, "player", ("White", "Black"))
    if isinstance(battles, str | Path) and detect(battles) == "pgn":
        if used is not None:
            raise GameTableError(used, "JSON lines, Parquet or CSV", "PGN")
        return engine_games(battles)
    return read_judgements(battles, outcomes=outcomes, style=style, **dict(reader or {}))


def engine_games(path: str | Path) -> Judgements:
    """Return the games of a PGN file of engines: what the two games of a pair have in common is their prompt."""
    games = read_pgn_headers(path, tags=TAGS).games
    keys, where = pair_keys(games)
    account = ["seats: White and Black"]
    if keys is not None:
        account.append(f"pairs of games: by {where}, {np.unique(keys).size:,} different ones")
    covariates = {} if keys is None else {"prompt": keys}
    return Judgements(replace(games, covariates=covariates), "engine", ("White", "Black"), {}, tuple(account))


def listed(board: Board, interval: float, tier: float) -> tuple[pd.DataFrame, Tiers]:
    """Return the list and its tiers."""
    ratings, games = board.ratings, board.games
    over = ("chain", "draw")
    tail = (1.0 - interval) / 2.0
    flat = ratings.transpose(*over, "player").to_numpy().reshape(-1, ratings.sizes["player"])
    low, high = np.quantile(flat, [tail, 1.0 - tail], axis=0)
    names = ratings["player"].to_numpy().astype(str)
    counts = np.bincount(np.concatenate([games.white, games.black]), minlength=games.players.size)
    number = dict(zip(games.players.tolist(), counts.tolist(), strict=True))
    ranks, found = rank_intervals(ratings, interval), tiers(ratings, tier)
    frame = pd.DataFrame(
        {
            board.judgements.noun: names,
            "rating_elo": flat.mean(axis=0),
            "sd_elo": flat.std(axis=0, ddof=1),
            "low_elo": low,
            "high_elo": high,
            "rank_low": ranks["rank_low"],
            "rank_high": ranks["rank_high"],
            "best": ranks["best"],
            "tier": pd.Series(names).map(found.frame.set_index("player")["tier"]).astype(int),
            "judgements": [number[name] for name in names],
        }
    )
    frame = frame.sort_values("rating_elo", ascending=False, kind="stable", ignore_index=True)
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return frame, found


def finished(
    board: Board,
    place: Results | None,
    by: str | None,
    tier: float,
    interval: float,
    cluster: str | None,
    checks: bool,
    seed: int,
    say: Say,
) -> Leaderboard:
    """Return the leaderboard of a fitted board, and write its files if there is a folder."""
    frame, found = listed(board, interval, tier)
    covariates, judgements = board.games.covariates, board.judgements
    findings: list[Finding] = []
    scores, stability, clusters, categories = None, {}, pd.DataFrame(), {}
    more = ""
    if checks:
        findings = audit(board, seed)
        scores, ties = held_out(board, seed)
        findings += ties
        for column in ("judge", "category", "language"):
            if column in covariates and np.unique(covariates[column]).size >= 2:
                stability[column] = without_each(board, column)
        clusters, name, count = bootstrap(board, cluster, seed)
        findings.append(cluster_finding(clusters, name, count, judgements.noun))
        for one in findings:
            say(f"{'FOUND ' if one.found else ''}{one.name}: {one.words}")
    if by is not None:
        categories = of_categories(board, by, interval, tier, seed)
    pairs = pd.DataFrame()
    if judgements.noun == "engine" and "prompt" in covariates:
        pairs = game_pairs(board.games, covariates["prompt"])
    faults = [one.name for one in findings if one.found]
    more = f" The audit found: {', '.join(faults)}." if faults else ""
    shared = first_move_and_draws(board.tree["posterior"].to_dataset(), interval)
    title = f"{len(frame)} {judgements.noun}s by {len(board.games):,} judgements"
    simulated = " (SIMULATED)" if board.games.simulated else ""
    about: dict[str, Any] = {
        "title": title + simulated,
        "noun": judgements.noun,
        "first": judgements.sides[0],
        "second": judgements.sides[1],
        "data": board.games.name,
        "model": board.declared.entry.new or "Davidson",
        "method": board.method,
        "verdict": board.tree.attrs["verdict"],
        "converged": bool(board.tree.attrs["converged"]),
        "level": board.level,
        "interval": interval,
        "tier_probability": tier,
        "borders_expected_wrong": found.expected_wrong,
        "account": "; ".join(judgements.account),
        **shared,
        "note": f"Elo points; {board.level}. {interval:.0%} intervals. Tiers: P(leader stronger) >= {tier:g}; "
        f"{found.expected_wrong:.2f} of {len(found.borders)} borders expected wrong.{more}",
    }
    answer = Leaderboard(
        frame, about, board, found, stronger_table(board.ratings), style_table(board, interval),
        judge_table(board) if "sharpness" in board.declared.entry.effects.formulas else None,
        scores, findings, stability, clusters, categories, pairs,
        None if place is None else Path(place.shown),
    )  # fmt: skip
    if place is not None:
        write_files(answer, place)
    return answer


def cluster_finding(clusters: pd.DataFrame, name: str, count: int, noun: str) -> Finding:
    """Return where the bootstrap by clusters and the posterior differ."""
    wide = clusters[clusters["ratio"] > NOTABLE].sort_values("ratio", ascending=False)
    middle = float(clusters["ratio"].median())
    words = f"drawing {count:,} clusters ({name}) anew gives {middle:.2f} times the posterior's standard deviations"
    if len(wide):
        shown = ", ".join(f"{row.player} {row.ratio:.2f}" for row in wide.head(3).itertuples())
        words += f"; more than {NOTABLE} times for {len(wide)} {noun}s ({shown}): judgements of one {name} go together"
    numbers = {"cluster": name, "clusters": count, "median_ratio": middle, "wider": len(wide)}
    return Finding("clusters", bool(middle > NOTABLE), words, numbers)


def of_categories(board: Board, by: str, interval: float, tier: float, seed: int) -> dict[str, pd.DataFrame]:
    """Return a board of each level of a column, by itself; levels whose models never meet are left out."""
    made: dict[str, pd.DataFrame] = {}
    values = board.games.covariates[by]
    names, counts = np.unique(values, return_counts=True)
    for place in np.argsort(-counts, kind="stable"):
        games = board.games.take(values == names[place])
        part = Judgements(games, board.judgements.noun, board.judgements.sides, board.judgements.style)
        try:
            judges = "sharpness" in board.declared.entry.effects.formulas
            one = fit_board(part, judges, "normal", None, "largest", 500, 0, 4, seed)
        except (GameTableError, ValueError):
            continue
        made[str(names[place])] = listed(one, interval, tier)[0]
    return made


def write_files(answer: Leaderboard, place: Results) -> None:
    """Make list, audit, matrix and page."""
    from halfpoint.fields.arena.page import matrix_of, page_of

    audited = {"title": answer.title, "audit": [asdict(one) for one in answer.audit]}
    texts = {
        "leaderboard.csv": as_csv(answer.frame),
        "leaderboard.json": as_json_text(json.loads(json.dumps(answer.record(), default=plain))),
        "audit.json": as_json_text(json.loads(json.dumps(audited, default=plain))),
        "matrix.csv": as_csv(matrix_of(answer)),
        "leaderboard.html": page_of(answer),
    }
    for name, text in texts.items():
        place.text(name, text)

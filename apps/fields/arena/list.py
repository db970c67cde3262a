"""A leaderboard from a file of judgements: list with tiers, audit, held-out battles, one page.

Trace, list, audit and page are written together or not at all (`halfpoint.models.games.results`).
"""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.arena.asked import BoardOptions, JudgementOptions
from halfpoint.apps.fields.arena.board_answer import Leaderboard
from halfpoint.apps.fields.arena.certificate import certificate
from halfpoint.apps.fields.arena.checks import Finding, audit, cluster_finding, held_out
from halfpoint.apps.fields.arena.fit import Board, fit_board, judge_table, of_categories, style_table, style_words
from halfpoint.apps.fields.arena.frontier import Costs, in_words, line, read_costs
from halfpoint.apps.fields.arena.game_pairs import meetings, pair_keys, read_engine_games
from halfpoint.apps.fields.arena.read import Judgements, judgements_of, read_criteria
from halfpoint.apps.fields.arena.score_matrix import read_score_matrix
from halfpoint.apps.pages.listing import json_cell
from halfpoint.apps.workflows.answer import as_csv, as_json_text, convergence, put_page
from halfpoint.apps.workflows.beside.anchor_list import Anchored
from halfpoint.apps.workflows.intake import are_cells, files_of, games_of_cells, reader_options_keeping
from halfpoint.apps.workflows.options import Games, ReadingContext, Run, Say, no_progress, records_of, silent
from halfpoint.apps.workflows.trace_list import list_from_trace
from halfpoint.evaluation.statements import first_move_and_draws, stronger_table
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import effect_of
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.results import Results, results
from halfpoint.models.games.table import GameTable
from halfpoint.models.rows.effects import Effects
from halfpoint.readers.read import detect
from halfpoint.readers.words import ABOUT

FILES = ("leaderboard.csv", "leaderboard.json", "audit.json", "matrix.csv", "leaderboard.html")
type _Battles = Games | Judgements


@suggests_keywords
def leaderboard(
    battles: _Battles, out: str | Path | None = None, *, style: Sequence[str] = (), criteria: Sequence[str] = (),
    outcomes: str | Mapping[str, object] | None = None, reader: Mapping[str, object] | None = None,
    region: float | None = None, lower: bool = False, pairs: str = "auto", judges: bool = False,
    effects: Sequence[str] = (), grades: bool = True, honest: bool = False, reweighted: bool = False,
    by: str | None = None, fix: str | Sequence[str] | None = None, groups: str = "refuse", tier: float = 0.95,
    interval: float = 0.95, cluster: str | None = None, costs: Costs | None = None, checks: bool = True,
    anchors: Anchored | None = None, draws: int = 1000, tune: int = 200, chains: int = 4, seed: int = SAMPLING_SEED,
    sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto", force: bool = False,
    say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False, verbose: bool = False,
    executor: Executor | None = None,
) -> Leaderboard:  # fmt: skip
    """Rank models, engines, answers or items from judgements in pairs.

    Parameters
    ----------
    battles : str, Path, list of these, DataFrame, GameTable or Judgements
        JSON, Parquet or CSV of judgements (`halfpoint.apps.fields.arena.read`), or judgements in memory.
    out : str or Path, optional
        Folder for leaderboard.csv, leaderboard.json, audit.json, matrix.csv, leaderboard.html and trace.nc; by default
        no file is written.
    style, criteria, outcomes, reader, region, lower, pairs
        Reading of judgements (`halfpoint.apps.fields.arena.asked.JudgementOptions`).
    judges, effects, grades, honest, reweighted, by, fix, groups, tier, interval, cluster, costs, checks, anchors
        Use of judgements (`halfpoint.apps.fields.arena.asked.BoardOptions`).
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`). The same seed gives the same board.
    method, force, say, reading, progress, verbose, executor
        Method and progress reports (`halfpoint.apps.workflows.options.Run`); "auto" uses NUTS for up to 4,000
        judgements that differ for the model.

    Raises
    ------
    HalfpointError
        If an option or a file is invalid, or the competitors cannot be compared; the message is one line with the
        option of `halfpoint leaderboard`.

    Examples
    --------
    >>> from halfpoint.apps.fields.arena import leaderboard
    >>> from halfpoint.apps.fields.arena.simulate import simulate_arena
    >>> arena = simulate_arena(models=5, battles=1500, judges=20)
    >>> found = leaderboard(arena.battles, style=["length"], method="normal", checks=False)
    >>> found.frame.columns.tolist()[:4], round(float(found.frame["rating_elo"].mean()), 6)
    (['rank', 'model', 'rating_elo', 'sd_elo'], 1500.0)
    """
    return board_of(battles, out, *records_of(locals(), JudgementOptions, BoardOptions, Effort, Run))


def board_of(
    battles: _Battles,
    out: str | Path | None,
    judged: JudgementOptions,
    options: BoardOptions,
    settings: Effort,
    run: Run,
) -> Leaderboard:
    """Leaderboard; arguments as in `leaderboard`, options as records."""
    settings.require_intervals()
    run.require()
    names, reads = (*FILES, "trace.nc"), (*files_of(battles), options.anchors, options.costs)
    folder = nullcontext() if out is None else results(out, "leaderboard", names, reads=reads, force=run.force)
    with folder as place:
        judgements = _judgements_from(battles, _keeping(battles, judged, options.effects))
        options = replace(options, by=options.by or ("criterion" if judged.criteria else None))
        for line in judgements.account:
            run.say(line)
        for column, option in ((options.by, "--by"), (options.cluster, "--cluster")):
            if column is not None and column not in judgements.games.covariates:
                columns = ", ".join(name for name in judgements.games.covariates if name != "both_bad") or "none"
                raise GameTableError(option, f"one of the columns {columns}", repr(column))
        run.say(f"{len(judgements.games):,} {judgements.unit}s of {judgements.games.players.size} {judgements.noun}s")
        if place is not None:
            room = 16.0 * settings.draws * settings.chains * judgements.games.players.size
            require_disk(place.folder, place.shown, room, "--out")
        cost, cost_notes = (None, ()) if options.costs is None else read_costs(options.costs, judgements.games.players)
        for line in cost_notes:
            run.say(line)
        board = replace(fit_board(judgements, options, settings, run), cost=cost)
        run.say(f"{board.method}: {run.draws_text(board.tree.attrs['verdict'])}")
        if place is not None:
            write(board.tree, place.aside("trace.nc", precious=True))
        return _build_leaderboard(board, place, options, settings.seed, run.say)


def _keeping(battles: _Battles, judged: JudgementOptions, effects: Sequence[str]) -> JudgementOptions:
    """Options of reading judgements, with the columns used by effects."""
    columns = [column for text in effects for column in Effects(dict([effect_of(text)])).requested_columns]
    extra_columns = [column for column in columns if column not in (*ABOUT, *judged.style)]
    return (
        judged
        if isinstance(battles, Judgements)
        else replace(judged, reader=reader_options_keeping(battles, judged.reader, extra_columns))
    )


def _judgements_from(battles: _Battles, judged: JudgementOptions) -> Judgements:
    """Judgements from any source."""
    reader: dict[str, Any] = dict(judged.reader or {})
    style = list(judged.style)
    outcomes = reader.pop("outcomes", judged.outcomes)
    settings = {"--outcomes": outcomes, "--style": style, "--criteria": judged.criteria}
    settings["--columns, --ignore, --date-format, --effects"] = reader
    option = next((name for name, value in settings.items() if value), None)
    if judged.region is not None:
        option = next((name for name, value in list(settings.items())[:3] if value), None)
        strange = set(reader) - {"columns"}
        if option is not None or strange or isinstance(battles, GameTable | Judgements):
            what = option or ("--ignore" if strange else "--region")
            raise GameTableError(
                what, "judgements" if option else "a file of scores", "scores" if option else "another"
            )
        return read_score_matrix(battles, judged.region, judged.lower, reader.get("columns"))
    if judged.lower:
        raise GameTableError("--lower", "a file of scores, with --region", "judgements")
    if isinstance(battles, GameTable | Judgements):
        if option is not None:
            raise GameTableError(option, "a file or a data frame", "a table of games")
        if isinstance(battles, Judgements):
            return battles
        return Judgements(battles, "player", ("White", "Black"))
    if are_cells(battles):
        if option is not None or judged.pairs != JudgementOptions().pairs:
            raise GameTableError(option or "--pairs", "judgements", "cells, without columns and rounds")
        return Judgements(games_of_cells(battles), "player", ("White", "Black"))
    kinds = {detect(file, reader.get("form")) for file in files_of(battles)}
    if "pgn" in kinds:
        if len(kinds) > 1:
            raise GameTableError("leaderboard", "files of one format", " and ".join(sorted(kinds)))
        if option is not None:
            raise GameTableError(option, "JSON lines, Parquet or CSV", "PGN")
        return _engine_games(files_of(battles), judged.pairs)
    if judged.criteria:
        return read_criteria(battles, judged.criteria, style, {"outcomes": outcomes, **reader})
    return judgements_of(battles, style, {"outcomes": outcomes, **reader})


def _engine_games(files: Sequence[Path], by: str) -> Judgements:
    """Games of PGN files of engines, with the key of a pair of games as prompt."""
    games, _ = read_engine_games(files)
    keys, evidence = pair_keys(games, by)
    account = ["seats: White and Black"]
    if keys is not None:
        account.append(f"pairs of games: identified by {evidence}, {np.unique(keys).size:,} different pairs")
    covariates = {} if keys is None else {"prompt": keys}
    return Judgements(replace(games, covariates=covariates), "engine", ("White", "Black"), {}, tuple(account))


def _build_leaderboard(board: Board, place: Results | None, options: BoardOptions, seed: int, say: Say) -> Leaderboard:
    """Make the leaderboard of a fitted board, and write its files if there is a folder."""
    rating_list = list_from_trace(board.tree, board.judgements.noun, options.interval, options.tier)
    frame, borders = rating_list.ranking.frame, rating_list.ranking.tiers
    assert borders is not None
    covariates, judgements = board.games.covariates, board.judgements
    findings: list[Finding] = []
    scores, categories, certified = None, {}, None
    if options.checks:
        leaders = frame.drop_duplicates("tier")[board.judgements.noun].tolist()
        certified = certificate(board, leaders, options.tier)
        findings = audit(board, seed)
        scores, ties = held_out(board, seed)
        findings += ties
        findings.append(cluster_finding(board))
        for finding in findings:
            say(f"{'FOUND ' if finding.found else ''}{finding.name}: {finding.words}")
    if options.by is not None:
        categories = of_categories(board, options, seed)
    pairs, stronger = pd.DataFrame(), stronger_table(board.ratings)
    if judgements.noun == "engine":
        drawn = board.ratings.sel(player=board.games.players).stack(sample=("chain", "draw"))
        pairs = meetings(board.games, covariates.get("prompt"), drawn.to_numpy().T, options.interval)
        near = [100.0 * float(stronger.sel(player=better, other=worse)) for better, worse in pairwise(frame["engine"])]
        frame = frame.assign(los_percent=[*near, np.nan])
    clusters = board.clusters.ratio.copy()
    if not clusters.empty:
        clusters.insert(0, judgements.noun, board.declared.selection.players)
    frame = frame.join(board.beside(rating_list.ratings), on=judgements.noun)
    frontiers = {key: line(table) for key, table in ({"all": frame} | categories).items() if "cost" in table}
    faults = [finding.name for finding in findings if finding.found]
    audit_note = f" The audit found: {', '.join(faults)}." if faults else ""
    if judgements.style:
        frame = _beside_unstyled(frame, board, options, seed)
    superiority = " LOS: probability that each is stronger than the next." if "los_percent" in frame else ""
    shared = first_move_and_draws(board.tree["posterior"].to_dataset(), options.interval)
    remarks = (
        certified and certified.words,
        board.honest and board.honest.words,
        *style_words(board, options.interval),
    )
    further = "".join(f" {remark}" for remark in (*remarks, in_words(frontiers, judgements.noun)) if remark)
    title = f"{len(frame)} {judgements.noun}s by {len(board.games):,} {judgements.unit}s"
    simulated = " (SIMULATED)" if board.games.simulated else ""
    about: dict[str, object] = {
        "title": title + simulated, "noun": judgements.noun, "unit": judgements.unit, "first": judgements.sides[0],
        "second": judgements.sides[1], "data": board.games.name, "model": board.words,
        "method": board.method,
        **convergence([board.tree], str(board.tree.attrs["verdict"])), "level": rating_list.level,
        "interval": options.interval, "tier_probability": options.tier,
        "borders_expected_wrong": borders.expected_wrong, "tiers": borders.words,
        "widened": board.clusters.words, "account": "; ".join(judgements.account), **shared,
        "intervals": rating_list.ranking.intervals,
        "note": f"Elo points. {rating_list.level}. {rating_list.ranking.intervals} {borders.words}{superiority}"
        f"{audit_note}{further}",
    }  # fmt: skip
    answer = Leaderboard(
        frame, about, board, borders, stronger, style_table(board, options.interval),
        judge_table(board) if "sharpness" in board.declared.spec.effects.formulas else None,
        scores, findings, clusters, categories, frontiers, pairs, certified,
        None if place is None else Path(place.shown),
    )  # fmt: skip
    if place is not None:
        _write_files(answer, place)
    return answer


def _beside_unstyled(frame: pd.DataFrame, board: Board, options: BoardOptions, seed: int) -> pd.DataFrame:
    """List with the rank and rating of each competitor without the effects of style."""
    plain = replace(board.judgements, style={})
    unstyled = fit_board(plain, replace(options, judges=False, by=None), Effort(500, seed=seed), Run("normal"))
    noun = board.judgements.noun
    unstyled_frame = list_from_trace(unstyled.tree, noun).ranking.frame.set_index(noun).reindex(frame[noun])
    return frame.assign(
        rank_unstyled=unstyled_frame["rank"].to_numpy(), rating_unstyled_elo=unstyled_frame["rating_elo"].to_numpy()
    )


def _write_files(answer: Leaderboard, place: Results) -> None:
    """Make list, audit, matrix and page."""
    from halfpoint.apps.fields.arena.page import page_of

    order = answer.frame[answer.about["noun"]].tolist()
    matrix = pd.DataFrame(answer.stronger.sel(player=order, other=order).to_numpy(), columns=order)
    matrix.insert(0, answer.about["noun"], order, allow_duplicates=True)
    place.text("leaderboard.csv", as_csv(answer.frame))
    place.text("matrix.csv", as_csv(matrix))
    audited = {"title": answer.title, "audit": [asdict(finding) for finding in answer.audit]}
    for name, record in (("leaderboard.json", answer.record()), ("audit.json", audited)):
        place.text(name, as_json_text(json.loads(json.dumps(record, default=json_cell))))
    put_page(place, "leaderboard.html", page_of(answer))

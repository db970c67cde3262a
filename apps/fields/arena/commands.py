"""`halfpoint leaderboard`, `next` and `sprt`: a board from judgements, the next pairs, when a match may stop.

The first screen of a board follows public leaderboards: ranks, tier, rating, interval, votes, W-T-L.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halfpoint.apps.cli.options import (
    FIRST,
    IN_BRIEF,
    READING,
    Effects,
    Force,
    Tables,
    command,
    options_of,
    range_option,
    word_option,
)
from halfpoint.apps.cli.output import Answering, Running, Traced, end, flush_right, folder_beside, show, show_contexts
from halfpoint.apps.cli.scripting import put_json
from halfpoint.apps.cli.terminal import say
from halfpoint.apps.fields.arena.asked import (
    ELO,
    ERROR,
    INTERVAL,
    JUDGEMENTS,
    PAIRS,
    PRIOR,
    PRIOR_SD_ELO,
    REGION,
    BoardOptions,
    Hypotheses,
    JudgementOptions,
)
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import words_in

if TYPE_CHECKING:
    import pandas as pd


_MEETINGS = 12  # of engines that a terminal shows


def first_screen(frame: "pd.DataFrame", noun: str, unit: str, interval: float) -> "pd.DataFrame":
    """List as wide as a terminal, most important columns first, numbers as text."""
    import pandas as pd

    from halfpoint.evaluation.digits import digits_of, in_percent
    from halfpoint.evaluation.rating_list import results_as_text

    digits = digits_of(frame).get("rating_elo", 0)
    ties = "W-D-L" if unit == "game" else "W-T-L"
    columns = {
        "rank": frame["rank"].astype(str), "ranks": _spans(frame["rank_low"], frame["rank_high"], 0, "-"),
        noun: frame[noun], "rating": [f"{rating:.{digits}f}" for rating in frame["rating_elo"]],
        f"{interval:.0%}": _spans(frame["low_elo"], frame["high_elo"], digits),
        **({} if unit == "game" else {"votes": [f"{count:,}" for count in frame["games"]]}),
        ties: results_as_text(frame), "score": [in_percent(share) for share in frame["score"] / frame["games"]],
    }  # fmt: skip
    if "rating_unstyled_elo" in frame:
        plain = zip(frame["rank_unstyled"], frame["rating_unstyled_elo"], strict=True)
        columns["without style"] = [f"{rank:.0f}: {rating:.{digits}f}" for rank, rating in plain]
    if "los_percent" in frame:
        columns["LOS"] = ["" if pd.isna(percent) else in_percent(percent / 100.0) for percent in frame["los_percent"]]
    else:
        columns["strongest"] = [in_percent(percent / 100.0) for percent in frame["best_percent"]]
    columns["tier"] = frame["tier"].astype(str)
    return flush_right(pd.DataFrame(columns), (noun,))


def _spans(low: "pd.Series", high: "pd.Series", digits: int, between: str = " to ") -> list[str]:
    """Two ends as text each."""
    return [f"{start:.{digits}f}{between}{end:.{digits}f}" for start, end in zip(low, high, strict=True)]


def _meetings_shown(pairs: "pd.DataFrame") -> "pd.DataFrame":
    """Pairs of engines for the terminal: W-D-L, score, Elo with its interval, LOS, pentanomial."""
    import pandas as pd

    from halfpoint.apps.fields.arena.game_pairs import COLUMNS
    from halfpoint.evaluation.digits import decimals, in_percent
    from halfpoint.evaluation.rating_list import results_as_text

    rows = pairs.head(_MEETINGS)
    elo = rows[["elo", "low_elo", "high_elo"]].to_numpy()
    digits = decimals(float((elo[:, 2] - elo[:, 1]).min()))
    elo = elo.round(digits) + 0.0  # no minus before 0
    columns = {
        "first": rows["first"], "second": rows["second"], "W-D-L": results_as_text(rows),
        "score": [f"{percent:.1f}%" for percent in rows["score_percent"]],
        "Elo (95%)": [f"{mean:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})" for mean, low, high in elo],
        "LOS": [in_percent(percent / 100.0) for percent in rows["los_percent"]],
    }  # fmt: skip
    if "pairs" in rows:
        columns["pairs"] = [f"{count:,}" for count in rows["pairs"]]
        columns["pentanomial"] = [" ".join(map(str, counts)) for counts in rows[list(COLUMNS)].to_numpy().tolist()]
    return flush_right(pd.DataFrame(columns), ("first", "second"))


_SHOWN = 40


_PAIRED = typer.Option(help="PGN: how pairs of games are found: auto (FEN, rounds, colours) | order.")
_JUDGED = options_of(
    JudgementOptions(),
    READING,
    without=("outcomes", "reader"),
    style=word_option(parser=words_in),
    criteria=word_option(parser=words_in),
    region=REGION,
    pairs=_PAIRED,
)
_ASKED = options_of(
    BoardOptions(),
    "The board",
    effects=Effects,
    grades=typer.Option(" /--no-grades", help="Read a>>b as a>b.", show_default=False),
    by=typer.Option(rich_help_panel=FIRST),
    tier=range_option(INTERVAL, "--tiers"),
    interval=INTERVAL,
    checks=typer.Option(" /--no-checks", help="The list alone: no audit, no scores.", show_default=False),
    anchors=Annotated[Path | None, typer.Option()],
    costs=Annotated[Path | None, typer.Option()],
    fix=Annotated[list[str] | None, typer.Option()],
)
_TEST = options_of(Hypotheses(), elo0=ELO, elo1=ELO, alpha=ERROR, beta=ERROR)


@dataclass(frozen=True)
class _Judgements(Running):
    """Options of sampling a board."""

    method: Annotated[str, typer.Option(help="auto | nuts | normal (approximation, for many judgements).")] = "auto"
    force: Force = False


@command("Rate and list", 2)
def leaderboard_command(
    battles: Annotated[list[Path], typer.Argument(help="JSON, Parquet, CSV; PGN of engines; .gz .zst ... too.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the list, the page and the trace; default: NAME-board."),
    ] = None,
    judged: JudgementOptions = _JUDGED,
    options: BoardOptions = _ASKED,
    tables: Tables = Tables(),
    sampling: Effort = IN_BRIEF,
    running: _Judgements = _Judgements(),
) -> None:
    """Rank models, engines, answers or items from judgements in pairs.

    Writes leaderboard.csv and .json, audit.json, matrix.csv, leaderboard.html (one page) and trace.nc.
    """
    from halfpoint.apps.fields.arena.list import FILES, board_of
    from halfpoint.apps.pages.cells import Look

    out = out or folder_beside(battles, "board")
    judged, options = replace(judged, reader=tables.reader), replace(options, effects=options.effects or ())
    leaderboard = board_of(battles, out, judged, options, sampling, running.run)
    if running.as_json:
        put_json(leaderboard.record())
        end(leaderboard.about["verdict"])
        return
    remaining = len(leaderboard.frame) - _SHOWN
    cut = f"The first {_SHOWN} of {len(leaderboard.frame)}; all are in leaderboard.csv. " if remaining > 0 else ""
    about = leaderboard.about | {"note": cut + leaderboard.note}
    noun, unit = str(about["noun"]), str(about["unit"])
    show(first_screen(leaderboard.frame.head(_SHOWN), noun, unit, leaderboard.about["interval"]), about)
    if len(leaderboard.pairs):
        note = f"The first {_MEETINGS} of {len(leaderboard.pairs)}. " if len(leaderboard.pairs) > _MEETINGS else ""
        show(_meetings_shown(leaderboard.pairs), {"title": "Pairs", "note": note})
    if leaderboard.categories:
        show_contexts(leaderboard.frame.head(_SHOWN), leaderboard.categories, noun, options.by or "criterion")
    if leaderboard.scores is not None:
        about = {"title": f"Held-out {unit}s: lower is better", "note": ""}
        show(leaderboard.scores, about, look=Look(digits=4))
    say(f"{', '.join(FILES)} and trace.nc in {leaderboard.folder}")
    end(leaderboard.about["verdict"])


@command("Rate and list", 3)
def judges_command(
    battles: Annotated[Path, typer.Argument(help="JSON, Parquet, CSV of judgements with a column of judges.")],
    cheap: Annotated[
        str, typer.Option(help="Judges whose bias is estimated, separated by commas; all others count as unbiased.")
    ],
    tables: Tables = Tables(),
    sampling: Effort = IN_BRIEF,
    answer: Answering = Answering(),
) -> None:
    """Rank by expensive and cheap judges, with learned bias and sharpness; report the judges' agreement."""
    from halfpoint.apps.fields.arena.cheap_judges import JudgedBoard, cheap_judges
    from halfpoint.apps.pages.cells import Look
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.models.games.single_files import Files

    boards: list[JudgedBoard] = []

    def make_answer(_: Files) -> Answer:
        boards.append(replace(cheap_judges(battles, words_in(cheap), sampling, tables.reader), look=Look(digits=1)))
        return boards[0]

    answer.give(make_answer, battles)
    if not answer.as_json:
        show(
            boards[0].judges,
            {"title": "Cheap judges; expensive judges have sharpness 1 and bias 0"},
            look=Look(digits=2),
        )
    end(boards[0].about["verdict"])


@command("Plan", 1)
def next_command(
    trace: Annotated[Path, typer.Argument(help="NetCDF trace.")],
    pairs: Annotated[int, range_option(PAIRS, help="Number of pairs.")] = 20,
    target: Annotated[str, typer.Option(help="Quantity of interest: borders (of tiers) | all | A:B.")] = "borders",
    judgements: Annotated[int, range_option(JUDGEMENTS, help="Judgements per pair.")] = 1,
    tiers: Annotated[float, range_option(INTERVAL, help="Probability that separates tiers.")] = 0.95,
    answer: Traced = Traced(),
) -> None:
    """List the pairs whose comparison is expected to be most informative."""
    from halfpoint.apps.fields.arena.next_pairs import next_comparisons

    answer.give(lambda _: next_comparisons(trace, pairs, target, judgements, tiers), trace)


@command("Plan", 3)
def sprt_command(
    games: Annotated[
        list[Path] | None, typer.Argument(help="PGN of two engines; several files form one match.")
    ] = None,
    test: Hypotheses = _TEST,
    first: Annotated[str | None, typer.Option(help="Engine under test; default: White of the first game.")] = None,
    second: Annotated[str | None, typer.Option(help="Its opponent, if the file has more than two engines.")] = None,
    counts: Annotated[
        str | None,
        typer.Option(help="Counts in place of files: losses,draws,wins, or pairs by points, 0 to 2: 5,80,150,91,6."),
    ] = None,
    prior: Annotated[
        float, range_option(PRIOR, help="Prior standard deviation of the difference, Elo points.")
    ] = PRIOR_SD_ELO,
    width: Annotated[
        float | None,
        range_option(PRIOR, help="Also stop if the always-valid interval is at most this wide, Elo points."),
    ] = None,
    pairs: Annotated[str, _PAIRED] = "auto",
    answer: Answering = Answering(),
) -> None:
    """Test whether a match of two engines may stop: sequential test by pairs, Elo, expected games left."""
    from halfpoint.apps.fields.arena.engine_match import EXPECTED_COUNTS, sequential_test
    from halfpoint.apps.fields.arena.sprt import Sprt
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.models.games.single_files import Files

    if counts is not None and games:
        raise GameTableError("--counts", "counts or files", "both")
    words = words_in(counts or "")
    if not all(word.isdecimal() and len(word) < 20 for word in words):
        raise GameTableError("--counts", EXPECTED_COUNTS, str(counts))
    source = games or [] if counts is None else [int(word) for word in words]

    def make_answer(_: Files) -> Answer:
        return sequential_test(
            source, Sprt(**asdict(test)), first=first, second=second, prior_sd_elo=prior, pairs=pairs, width_elo=width
        )  # fmt: skip

    answer.give(make_answer, *(games or ()))

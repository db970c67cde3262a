"""The next round of a tournament, from a trace and the games so far: who should meet whom."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from halfpoint.evaluation.knockout import Decider
from halfpoint.evaluation.next_round import Aim, next_round
from halfpoint.games.readers.read import read as read_games
from halfpoint.workflows.answer import Answer, about_trace
from halfpoint.workflows.answers import Trace, players_asked, trace_from

SAID = {
    "top": "who is the best, bits", "all": "everybody's strength, bits", "even": "games between equals",
    "knockout": "the best goes on",
}  # fmt: skip
NOTHING = 0.0005  # bits


def pair(
    trace: Trace,
    players: str | Path | Sequence[str],
    aim: Aim = "top",
    results: str | Path | None = None,
    games: int = 2,
    decider: Decider = "replay",
) -> Answer:
    """Pair the next round so that it tells most of who is the best, or of everybody, is most even, or keeps the best.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes; for "even" of any.
    players : str, Path or sequence of str
        A text file with one player a line, or names: who is there.
    aim : {"top", "all", "even", "knockout"}
        What the round is for (`halfpoint.evaluation.next_round`).
    results : str or Path, optional
        File of the games so far: nobody meets again while it can be avoided, colours and byes go by turns. They are not
        learned: fit the trace anew for that.
    games, decider
        Games of a match of a knockout, and what decides a drawn one.

    Returns
    -------
    Answer
        board, white, black, expected_percent (of White) and what the pair is worth: bits, or best_goes_on_percent; in
        the note the round's total, beside that of the Swiss rule or of a bracket by rating, and byes.

    Raises
    ------
    HalfpointError
        If a name is nobody's or several players', or the aim or a result cannot be used.
    """
    tree = trace_from(trace)
    names = players_asked(tree, players)
    over = None if results is None else read_games(results)
    found = next_round(tree, names, aim, over, games, decider)
    white, black = found.boards.T
    worth = found.worth[white, black]
    frame = pd.DataFrame({
        "board": range(1, len(found.boards) + 1), "white": [names[one] for one in white],
        "black": [names[one] for one in black], "expected_percent": 100.0 * found.expected[white, black],
    })  # fmt: skip
    mine, plain = found.total(found.boards), found.total(found.plain)
    rule = "a bracket by rating" if aim == "knockout" else "the Swiss rule"
    if aim in ("top", "all"):
        frame["bits"] = worth
        subject = SAID[aim].partition(",")[0]
        note = f"The round tells {mine:.3f} bits of {subject}; pairs by {rule} {plain:.3f}."
        if mine < NOTHING:
            note = f"No round tells anything of {subject}: all pairings are worth less than a thousandth of a bit."
    elif aim == "knockout":
        frame["best_goes_on_percent"] = 100.0 * worth
        note = f"The best player goes on with {100 * mine:.1f}%; by {rule} with {100 * plain:.1f}%."
    else:
        apart = [(0.25 - found.worth[board[:, 0], board[:, 1]]).mean() ** 0.5 for board in (found.boards, found.plain)]
        found_apart, plain_apart = (f"{100 * one:.1f}%" for one in apart)
        note = f"Expected scores are {found_apart} from equal (root mean square); pairs by {rule} {plain_apart}."
    idle = [names[one] for one in found.byes]
    note += f" No game: {', '.join(idle)}." if idle else ""
    live = "" if over is None else f", {len(over)} games over"
    return Answer(
        frame, about_trace(tree, f"The next round of {len(names)} players{live}: {SAID[aim]}") | {"note": note}
    )

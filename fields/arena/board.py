"""The page of a leaderboard: one HTML file that holds everything it shows and works without a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from halfpoint.evaluation.report.page import ReportSection
from halfpoint.evaluation.report.templates import rendered
from halfpoint.fields.arena.audit import Finding


@dataclass(frozen=True)
class BoardSection:
    """A section of the page.

    Parameters
    ----------
    id, title : str
        Anchor and heading.
    section : ReportSection
        Tables, figures, text.
    findings : sequence of Finding
        Answers of an audit, above the rest.
    """

    id: str
    title: str
    section: ReportSection
    findings: Sequence[Finding] = ()


@dataclass(frozen=True)
class BoardPage:
    """Everything on the page of a leaderboard.

    Parameters
    ----------
    title, answer, verdict : str
        Heading, who is the strongest, and what the fit says of itself.
    simulated, trusted : bool
        Whether the judgements were simulated; whether the fit is to be trusted.
    about : mapping of str to str
        Facts on top.
    faults : sequence of str
        Names of the checks that found something.
    sections : sequence of BoardSection
        In order.
    """

    title: str
    answer: str
    verdict: str
    simulated: bool
    trusted: bool
    about: Mapping[str, str]
    faults: Sequence[str]
    sections: Sequence[BoardSection]


def board_page(board: BoardPage) -> str:
    """Return the page as HTML; every text is escaped, so that a name from a file is never markup.

    Parameters
    ----------
    board : BoardPage
        What it says.
    """
    return rendered("board.html.j2", board=board)

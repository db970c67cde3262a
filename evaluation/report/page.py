"""The report of a study run: one HTML page that holds everything it shows and works without a network.

Sections are templates of their own, in the order of `SECTIONS`; one is left out where the run has nothing for it. Jinja
escapes every text, so a name from a file is never markup.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from halfpoint.evaluation.report.tables import ReportTable
from halfpoint.evaluation.report.templates import rendered

SECTIONS = {
    "claims": "What survives",
    "list": "The printed list, corrected",
    "ratings": "Rating lists",
    "explore": "Explore",
    "forecasts": "Forecasts and their scores",
    "calibration": "Calibration",
    "figures": "Figures",
    "sensitivity": "Prior sensitivity",
    "convergence": "Convergence",
    "printed": "Against the printed numbers",
}


@dataclass(frozen=True)
class ReportFigure:
    """A figure inside the page.

    Parameters
    ----------
    id : str
        Anchor in the page.
    title, caption : str
        What it shows, and how to read it.
    png : bytes
        The picture.
    mark : str
        Why it is not to be trusted; empty if it is.
    """

    id: str
    title: str
    caption: str
    png: bytes
    mark: str = ""

    @property
    def source(self) -> str:
        """The picture as a data address."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode("ascii")


@dataclass(frozen=True)
class ReportSection:
    """What a section shows.

    Parameters
    ----------
    tables : sequence of ReportTable
        Shown at once.
    folded : sequence of ReportTable
        Shown when opened.
    figures : sequence of ReportFigure
        Pictures.
    text : sequence of str
        Paragraphs above.
    warning : str
        Which failed runs the section uses; empty if none.
    markup : Markup
        A part of the page that is HTML already.
    """

    tables: Sequence[ReportTable] = ()
    folded: Sequence[ReportTable] = ()
    figures: Sequence[ReportFigure] = ()
    text: Sequence[str] = ()
    warning: str = ""
    markup: Markup = field(default_factory=Markup)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.tables or self.folded or self.figures or self.markup)


@dataclass(frozen=True)
class Report:
    """Everything on the page.

    Parameters
    ----------
    data_name : str
        Name of the games.
    simulated : bool
        Whether they were simulated; the title says so.
    about : mapping of str to str
        Facts at the end: data, hash, versions, seed, settings.
    converged : bool
        Whether all runs converged.
    verdict : str
        The same in words.
    sections : mapping of str to ReportSection
        By the names of `SECTIONS`.
    question : str
        What the study asked, the page's heading; its title if empty.
    answer : ReportSection
        What comes first: the answer with its error and one figure.
    """

    data_name: str
    simulated: bool
    about: Mapping[str, str]
    converged: bool
    verdict: str
    sections: Mapping[str, ReportSection] = field(default_factory=dict)
    question: str = ""
    answer: ReportSection = field(default_factory=ReportSection)

    @property
    def title(self) -> str:
        """Title of the page."""
        name = self.data_name.replace("SIMULATED", "").strip()
        return f"SIMULATED: {name} report" if self.simulated else f"{name} report"

    @property
    def shown(self) -> list[tuple[str, str, ReportSection]]:
        """Sections that have something to show: name, title, content."""
        found = ((name, title, self.sections.get(name)) for name, title in SECTIONS.items())
        return [(name, title, section) for name, title, section in found if section is not None and not section.empty]


def report_page(report: Report) -> str:
    """Return the report as HTML.

    Parameters
    ----------
    report : Report
        What it says.
    """
    return rendered("report.html.j2", report=report)

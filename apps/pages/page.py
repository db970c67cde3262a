"""One page for every command: title, answer, facts, list; a single file that works offline.

A page is data: lists (`halfpoint.apps.pages.listing`), figures, and details of each player, drawn by one script
in one style, light and dark, on a telephone and on paper. Texts are escaped, so that a name from a file is never
markup.
"""

import json
import re
from base64 import b64encode
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from halfpoint.apps.pages.listing import Listing
from halfpoint.apps.pages.table import table_html

if TYPE_CHECKING:
    from jinja2 import Template

# a page is self-contained: it requests nothing from and sends nothing to any address; it runs its own scripts
_RULES = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src {}; img-src data:; form-action 'none'; base-uri 'none'"
)
_SUFFIX = re.compile(r"(?<=.)\.[A-Za-z]\w{1,8}(?:\.(?:gz|bz2|zst|zip))?\Z")  # of a file, and of its compression
_LIBRARIES = ("vendor/d3.min.js", "vendor/plot.umd.min.js", "figures.js")


@dataclass(frozen=True)
class Chart:
    """A figure drawn in the page."""

    id: str  # anchor, and its content in a sentence
    title: str  # likewise
    kind: str  # rows with intervals; lines over x; forecasts against results
    # intervals: name, mean, low, high. lines: series, x (a number, or a day as text), y, perhaps low and high.
    # reliability: series, x, y, low, high, games.
    rows: Sequence[Mapping[Hashable, object]]
    x: str  # labels of the axes, with units
    y: str = ""  # likewise
    zero: str = ""  # what lies at 0, where a line there means something

    def data(self) -> dict[str, object]:
        """Figure in the form that the script reads."""
        return {name: getattr(self, name) for name in ("title", "kind", "rows", "x", "y", "zero")}


@dataclass(frozen=True)
class Section:
    """A section: paragraphs, lists and figures; folded if secondary."""

    id: str
    title: str
    parts: Sequence[Listing | Chart] = ()
    text: Sequence[str] = ()
    warning: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Page:
    """Content of a page."""

    title: str  #: title, in words
    answer: str  #: the answer in a sentence
    sections: Sequence[Section] = ()  #: the first is the list
    facts: Mapping[str, str] = field(default_factory=dict)  #: at most four numbers on top
    warning: str = ""  #: the fault, in a line; empty without one
    simulated: bool = False  #: whether the games of the page are generated
    foot: Sequence[str] = ()  #: how it was made, a line each, folded at the end
    #: details of each player (`halfpoint.apps.pages.people`), for panels and pairs
    people: Mapping[str, object] | None = None
    picture: str = ""  #: file of the page's picture beside it; empty for none

    @property
    def parts(self) -> list[Listing | Chart]:
        """The lists and figures of all sections."""
        return [part for section in self.sections for part in section.parts]


def words_of(name: str) -> str:
    """Name of a file in words: without suffix and without the mark of simulated data.

    Examples
    --------
    >>> words_of("our_club-2024.pgn.gz SIMULATED"), words_of("Memorial of Dr.Adler.csv")
    ('our club-2024', 'Memorial of Dr.Adler')
    """
    plain = _SUFFIX.sub("", name.replace("SIMULATED", "").strip())
    return plain.replace("_", " ") or name


def packaged_text(name: str) -> str:
    """A text file that ships with the pages, or of another package: halfpoint.apps.fields.site:site.css."""
    package, _, file = name.rpartition(":")
    return files(package or "halfpoint.apps.pages").joinpath(file).read_text(encoding="utf-8")


def page_html(page: Page, index: str = "") -> str:
    """A page as HTML."""
    drawn = page.people is not None or any(isinstance(part, Chart) for part in page.parts)
    data = {
        "lists": {part.id: part.data() for part in page.parts if isinstance(part, Listing)},
        "charts": {part.id: part.data() for part in page.parts if isinstance(part, Chart)},
        "people": page.people,
    }
    # In a script element only "<" can end the data early, so it is written as an escape; ten digits are plenty.
    short = json.loads(json.dumps(data, allow_nan=False), parse_float=lambda digits: float(f"{float(digits):.10g}"))
    text = json.dumps(short, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    scripts = [packaged_text(name) for name in (*(_LIBRARIES if drawn else ()), "lists.js", "page.js")]
    terms = Markup(packaged_text("vendor/LICENSES.txt")) if drawn else ""
    shown = {"page": page, "index": index, "data": Markup(text), "terms": terms, "drawn": drawn}
    return render_template("page.html.j2", shown, scripts)


def _policy(scripts: Sequence[str]) -> str:
    """Content-Security-Policy of a page: only its own scripts, by their SHA-256."""
    hashes = [b64encode(sha256(script.encode("utf-8")).digest()).decode() for script in scripts]
    return _RULES.format(" ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'")


def render_template(template: str, shown: Mapping[str, object], scripts: Sequence[str] = ()) -> str:
    """Fill a template, with every text escaped; only the given scripts run."""
    frame = {"style": Markup(packaged_text("page.css")), "scripts": [Markup(script) for script in scripts]}
    return str(_template_of(template).render(shown, policy=Markup(_policy(scripts)), **frame))


@cache
def _template_of(name: str) -> "Template":
    """A packaged template, compiled once in a process."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # which most commands do without

    environment = Environment(
        loader=FunctionLoader(packaged_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["table_html"] = table_html
    return environment.get_template(name)

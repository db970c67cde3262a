"""Files that ship with the pages, and pages from templates in which every text is escaped."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

POLICY = Markup(  # a page needs nothing but itself: no address is asked for anything, and none is told anything
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'\">"
)


def packaged(name: str) -> str:
    """Return a text file that ships with halfpoint.evaluation."""
    return files("halfpoint.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def rendered(template: str, **shown: Any) -> str:
    """Return a page of the report's style as HTML; texts are escaped, so that a name from a file is never markup.

    Parameters
    ----------
    template : str
        Name of the template.
    **shown
        What it shows, beside its `style` and `script`.
    """
    environment = Environment(
        loader=FunctionLoader(packaged),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template(template)
    style, script = (Markup(packaged(name)) for name in ("report.css", "report.js"))
    return page.render(policy=POLICY, style=style, script=script, **shown)

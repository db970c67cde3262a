"""Files that ship with the pages, and pages from templates in which every text is escaped."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


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
    return page.render(style=Markup(packaged("report.css")), script=Markup(packaged("report.js")), **shown)

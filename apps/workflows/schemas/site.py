"""Answer of `halfpoint site`."""

from typing import Annotated, TypedDict

from halfpoint.apps.workflows.schemas.shared import ModelName, Simulated, Verdict

_CHANGE = "A number that moved by more than one unit, or who is new or no longer listed"


class SiteRow(TypedDict):
    """Change since the earlier edition."""

    name: Annotated[str, "Who changed"]
    what: Annotated[str, "Name of the number, or new, or no longer listed"]
    unit: Annotated[str, "Unit of the number; empty without one"]
    before: Annotated[float | None, "Value in the earlier edition"]
    after: Annotated[float | None, "Value in this edition"]


class SiteRecord(TypedDict):
    """Site of a competition."""

    title: Annotated[str, "Title of the site"]
    kind: Annotated[str, "Kind of competition: league, list, arena, bridge, or another that is installed"]
    simulated: Simulated
    verdict: Verdict
    converged: Annotated[bool, "True if the sampler converged"]
    model: ModelName
    answer: Annotated[str, "First sentence of the home page"]
    changed: Annotated[str, "The largest changes since the earlier edition in words; empty in the first"]
    edition: Annotated[int, "Number of the edition"]
    new: Annotated[bool, "True if files or settings changed since the last edition"]
    day: Annotated[str | None, "Day of the last game; null without days"]
    pages: Annotated[int, "Number of pages"]
    missing: Annotated[list[str], "What was left out, and the package that makes it"]
    index: Annotated[str, "Home page, in the folder"]
    folder: Annotated[str, "Folder of the site"]
    rows: Annotated[list[Annotated[SiteRow, _CHANGE]], "Every change above one unit since the earlier edition"]

"""Answers of the commands on files of games and on data sets."""

from typing import Annotated, Literal, TypedDict

from halfpoint.apps.workflows.schemas.shared import Data, Folder, Games, Record, Sha256, Simulated


class CellsRow(TypedDict):
    """File of games whose cells were counted."""

    file: str
    games: Annotated[int, "Games of the file"]
    cells: Annotated[int, "Cells of the file"]


class CellsRecord(Record):
    """Cells of files of games."""

    games: Annotated[int, "Games of all files"]
    cells: Annotated[int, "Cells that were written"]
    shards: Annotated[int, "Files that were written"]
    simulated: Simulated
    note: str
    rows: Annotated[list[CellsRow], "The files that were read"]


class DemoRow(TypedDict):
    """Command of the demonstration."""

    command: Annotated[str, "The command, to be run in the folder"]
    exit_code: Annotated[Literal[0, 3], "Its exit code, 3 if draws did not converge"]
    page: Annotated[str, "File of its page, in the folder"]
    href: Annotated[str, "The file as the address of a link"]
    title: Annotated[str, "Title of the page"]
    answer: Annotated[str, "The answer that the page gives, in a sentence"]


class DemoRecord(Record):
    """Demonstration of the commands."""

    simulated: Annotated[Literal[True], "Nobody played the games"]
    rows: Annotated[list[DemoRow], "One object a command, in the order in which they ran", {"minItems": 1}]
    index: Annotated[str, "File of the page with links to all, in the folder"]
    folder: Folder


class DataFetchRow(TypedDict, total=False):
    """Data set on this machine."""

    name: str | None
    path: str | None
    sha256: Sha256 | None


class DataListRow(TypedDict, total=False):
    """Data set that can be downloaded."""

    name: str | None
    file: str | None
    url: str | None
    bytes: Annotated[str | None, "Number of bytes of the file"]
    sha256: Sha256 | None
    description: str | None
    licence: str | None


class DataArchivesRow(TypedDict, total=False):
    """Public archive of games."""

    name: str | None
    address: str | None
    holds: str | None
    terms: str | None


DataTimeControlsRow = TypedDict("DataTimeControlsRow", {  # games of a class of time control, by its evidence
    "data": Data | None, "class": str | None, "by": str | None, "games": Games | None,
}, total=False)  # fmt: skip

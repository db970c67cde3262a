"""Answers of the commands on files of games and on data sets."""

from typing import Annotated, Literal, TypedDict

from halfpoint.apps.workflows.schemas.shared import Data, Folder, Games, Record, Sha256, Simulated


class CellsRow(TypedDict):
    """File of games whose cells were counted."""

    file: Annotated[str, "Name of the file"]
    games: Annotated[int, "Games of the file"]
    cells: Annotated[int, "Cells of the file"]


class CellsRecord(Record):
    """Cells of files of games."""

    games: Annotated[int, "Games of all files"]
    cells: Annotated[int, "Cells that were written"]
    shards: Annotated[int, "Files that were written"]
    simulated: Simulated
    note: Annotated[str, "Remarks on the files"]
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

    name: Annotated[str | None, "Name of the data set"]
    path: Annotated[str | None, "Its file on this machine"]
    sha256: Sha256 | None


class DataListRow(TypedDict, total=False):
    """Data set that can be downloaded."""

    name: Annotated[str | None, "Name of the data set"]
    file: Annotated[str | None, "Name of its file"]
    url: Annotated[str | None, "Address of the file"]
    bytes: Annotated[str | None, "Number of bytes of the file"]
    sha256: Sha256 | None
    description: Annotated[str | None, "What the file holds"]
    licence: Annotated[str | None, "Terms of use"]


class DataArchivesRow(TypedDict, total=False):
    """Public archive of games."""

    name: Annotated[str | None, "Name of the archive"]
    address: Annotated[str | None, "Its address"]
    holds: Annotated[str | None, "What it holds"]
    terms: Annotated[str | None, "Terms of use"]


DataTimeControlsRow = TypedDict("DataTimeControlsRow", {  # games of a class of time control, by its evidence
    "data": Data | None,
    "class": Annotated[str | None, "Class of the time control"],
    "by": Annotated[str | None, "Its evidence, such as the header or the event"],
    "games": Games | None,
}, total=False)  # fmt: skip

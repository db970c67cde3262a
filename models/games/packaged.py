"""Tables and texts that ship with halfpoint."""

import csv
import tomllib
from importlib.resources import files
from io import StringIO
from typing import Any


def packaged_text(package: str, file: str) -> str:
    """Read a text file of a package of halfpoint, such as evaluation.report."""
    return files(f"halfpoint.{package}").joinpath(file).read_text(encoding="utf-8")


def packaged_table(package: str, file: str) -> dict[str, Any]:
    """Read a TOML file of a package."""
    return tomllib.loads(packaged_text(package, file))


def packaged_rows(package: str, file: str) -> list[dict[str, str]]:
    """Read a CSV file of a package, each cell as text by its heading."""
    return list(csv.DictReader(StringIO(packaged_text(package, file))))

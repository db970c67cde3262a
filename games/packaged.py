"""Tables that ship with halfpoint beside the code that reads them."""

import tomllib
from importlib.resources import files
from typing import Any


def packaged_table(package: str, file: str) -> dict[str, Any]:
    """A TOML file of a package of halfpoint, such as systems, by its name there."""
    return tomllib.loads(files(f"halfpoint.{package}").joinpath(file).read_text(encoding="utf-8"))

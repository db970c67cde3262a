"""Packages: each folder of pyproject.toml's package-dir and those below it, as `halfpoint.FOLDER`; JSON Schemas.

HALFPOINT_REPOSITORY, which a release sets, is the address of the repository: links of README.md and of the package's
metadata lead there, so that a package index shows them. Without it links are relative and the metadata has none.
"""

import sys

if sys.version_info < (3, 12):  # noqa: UP036 - pip compares versions after this file has run
    release = "{}.{}".format(*sys.version_info)
    sys.exit(f"halfpoint needs Python 3.12 or newer, found {release}. Install it in an environment of such a Python.")

import os
import re
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType

from setuptools import find_packages, setup

FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
REPOSITORY = os.environ.get("HALFPOINT_REPOSITORY", "").rstrip("/")
here = Path(__file__).parent
version = tomllib.loads((here / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
readme, urls = (here / "README.md").read_text(encoding="utf-8"), {}
if REPOSITORY:
    pages = f"{REPOSITORY}/blob/v{version}"
    readme = re.sub(r"(!\[[^]]*\]\()(?!\w+:|#)", rf"\1{REPOSITORY}/raw/v{version}/", readme)  # pictures
    readme = re.sub(r"(\]\()(?!\w+:|#)", rf"\1{pages}/", readme)
    urls = {"Source": REPOSITORY, "Issues": f"{REPOSITORY}/issues"}
    urls |= {"Documentation": f"{pages}/docs/index.md", "Changelog": f"{pages}/CHANGELOG.md"}
found = find_packages(include=[pattern for one in FOLDERS for pattern in (one, f"{one}.*")], exclude=["apps.face"])
for name in ("halfpoint", "halfpoint.apps", "halfpoint.apps.workflows"):  # without their code, which imports libraries
    sys.modules[name] = package = ModuleType(name)
    package.__path__ = [str(here.joinpath(*name.split(".")[1:]))]
import_module("halfpoint.apps.workflows.schemas.make").write_schemas()
setup(
    packages=["halfpoint", *(f"halfpoint.{one}" for one in found)],
    long_description=readme,
    long_description_content_type="text/markdown",
    project_urls=urls,
)

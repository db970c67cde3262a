"""Packages: each folder of pyproject.toml's package-dir and those below it, as `halfpoint.FOLDER`."""

from setuptools import find_packages, setup

FOLDERS = ("games", "systems", "models", "inference", "evaluation", "workflows", "study", "fields", "cli")
found = find_packages(include=[pattern for one in FOLDERS for pattern in (one, f"{one}.*")])
setup(packages=["halfpoint", *(f"halfpoint.{one}" for one in found)])

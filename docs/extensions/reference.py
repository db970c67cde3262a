"""Write the reference of the public Python names, a page a package, before Sphinx reads its sources.

Public is what a package's `__init__.pyi` names, and the records of `RECORDS`: options that many functions share, and
what they return.
"""

import ast
import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import isclass
from pathlib import Path

from halfpoint.models.games.settings import help_texts

PACKAGES = {
    "readers": "read games",
    "models.games": "select and simulate games",
    "models": "declare models",
    "inference": "sample and fit models",
    "evaluation": "scores, matches and tournaments",
    "apps.workflows": "the commands as functions",
    "apps.fields.arena": "judgements, engines and leaderboards",
    "apps.fields.bridge": "duplicate bridge",
    "apps.fields.lineups": "line-ups and plus-minus",
    "apps.fields.office": "rating lists and performances",
    "apps.fields.races": "races and panels",
    "apps.study": "the study of 2014",
}
RECORDS = {
    "apps.workflows.answer": ("Answer",),
    "apps.workflows.options": ("Intake", "Run"),
    "inference.effort_limits": ("Effort",),
    "readers.options": ("ReaderOptions",),
    "apps.fields.arena.asked": ("JudgementOptions", "BoardOptions"),
    "models.games.rating_system": ("RatingSystem",),
    "systems.catalogue": ("SystemSpec",),
}


def names_of(package):
    """Public names of a package: the imports of its stub."""
    stub = Path(find_spec(package).origin).with_suffix(".pyi")
    imports = [one for one in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(one, ast.ImportFrom)]
    return [alias.asname or alias.name for one in imports for alias in one.names if one.module]


def directives(module, names):
    """Directives that document some names of a module."""
    found = import_module(module)
    for name in names:
        one = getattr(found, name)
        kind, more = (
            ("class", "\n   :members:") if isclass(one) else ("function", "") if callable(one) else ("data", "")
        )
        yield f".. auto{kind}:: {module}.{name}{more}\n"
        if is_dataclass(one):
            yield from settings(one)


def settings(record):
    """Directives of the fields of a record that have a help text, below the record's own."""
    texts = help_texts(record)
    for option in fields(record):
        if option.name in texts:
            words = re.sub(r"`([^`]+)`", r"``\1``", texts[option.name])
            yield f"   .. attribute:: {option.name}\n      :value: {option.default!r}\n\n      {words}\n"


def page(title, module, names):
    """Page of names."""
    about = (import_module(module).__doc__ or "").partition("\n")[0]
    return "\n".join([f"# {title}", "", about, "", "```{eval-rst}", *directives(module, names), "```", ""])


def face():
    """Page of `halfpoint`: each name and the place of its documentation."""
    lines = [
        "# halfpoint",
        "",
        "`import halfpoint as hp` offers these names; each is imported when it is first used.",
        "",
    ]
    lines += ["| name | documented as |", "| --- | --- |"]
    where = {name: package for package in reversed(PACKAGES) for name in names_of(f"halfpoint.{package}")}
    for name in names_of("halfpoint"):
        if name in where:
            lines.append(f"| `hp.{name}` | {{obj}}`halfpoint.{where[name]}.{name}` |")
    return "\n".join([*lines, ""])


def pages():
    """All pages by name."""
    made = {"halfpoint": face()}
    for package, title in PACKAGES.items():
        name = package.rpartition(".")[2]
        made[package] = page(f"{name}: {title}", f"halfpoint.{package}", names_of(f"halfpoint.{package}"))
    records = [line for module, names in RECORDS.items() for line in directives(f"halfpoint.{module}", names)]
    made["records"] = "\n".join(
        ["# Options and results", "", "Shared by several functions.", "", "```{eval-rst}", *records, "```", ""]
    )
    tree = [
        "# Python",
        "",
        "The public names, from their docstrings.",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
        *made,
        "```",
        "",
    ]
    return made | {"index": "\n".join(tree)}


def write(path, text):
    """Write a page if it changed, so that Sphinx rereads only what is new."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(app):
    """Write the pages under reference/."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    made = pages()
    for name, text in made.items():
        write(folder / f"{name}.md", text)
    for old in folder.iterdir():
        if old.stem not in {*made, "commands"}:  # commands.md: of the extension `commands`
            old.unlink()


def setup(app):
    """Generate when the builder starts."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

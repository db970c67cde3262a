"""Write one reference page a module of the installed package, before Sphinx reads its sources."""

import ast
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

NAMED = ("halfpoint.workflows", "halfpoint.study")  # packages that name functions of their modules (__all__)
FOREIGN = "   :exclude-members: DimShuffle\n"  # PyTensor's, whose docstring numpydoc cannot read
WITH_FUNCTIONS = ("halfpoint", "halfpoint.inference.gaussian", *NAMED)
PACKAGES = {
    "halfpoint": "halfpoint: what one asks for first",
    "halfpoint.games": "games: what happened",
    "halfpoint.games.readers": "games.readers: files and frames",
    "halfpoint.games.datasets": "games.datasets: the study's games and their replica",
    "halfpoint.models": "models: what we believe",
    "halfpoint.models.formulas": "models.formulas: outcomes",
    "halfpoint.models.parts": "models.parts: who is how strong, and what else counts",
    "halfpoint.models.graph": "models.graph: PyMC graphs, read",
    "halfpoint.systems": "systems: rating systems that learn game by game",
    "halfpoint.inference": "inference: how we compute",
    "halfpoint.inference.gaussian": "inference.gaussian: Gaussian variational approximation",
    "halfpoint.inference.gaussian.sparse": "inference.gaussian.sparse: sparse matrices",
    "halfpoint.inference.loops": "inference.loops: compiled log densities",
    "halfpoint.inference.diagnostics": "inference.diagnostics: is it to be believed",
    "halfpoint.inference.traces": "inference.traces: files of draws",
    "halfpoint.evaluation": "evaluation: how good it was",
    "halfpoint.evaluation.figures": "evaluation.figures",
    "halfpoint.evaluation.report": "evaluation.report: pages",
    "halfpoint.workflows": "workflows: what joins them",
    "halfpoint.study": "study: the thesis of 2014 reproduced",
    "halfpoint.study.printed": "study.printed: the numbers in print",
    "halfpoint.study.run": "study.run: the main job",
}


def write(path, text):
    """Write a page if it changed, so that Sphinx rereads only what is new."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def first_line(path):
    """The first line of a module's docstring."""
    documented = ast.get_docstring(ast.parse(Path(path).read_text(encoding="utf-8"))) or ""
    return documented.splitlines()[0] if documented else ""


def generate(app):
    """Write the pages under reference/."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    written = {"index.md"}
    index = ["# Reference", "", "One page a module, from the docstrings of the installed package.", ""]
    for package, title in PACKAGES.items():
        place = Path(next(iter(find_spec(package).submodule_search_locations)))
        names = sorted(found.name for found in iter_modules([str(place)]) if not found.ispkg)
        index += [f"## {title}", "", first_line(place / "__init__.py"), "", "```{toctree}", ":maxdepth: 1", ""]
        modules = [package] if package in WITH_FUNCTIONS else []
        for module in modules + [f"{package}.{name}" for name in names]:
            short = module.removeprefix("halfpoint.")
            further = "   :imported-members:\n" if module in NAMED else ""
            page = f"# {short}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n{FOREIGN}{further}```\n"
            write(folder / f"{module}.md", page)
            written.add(f"{module}.md")
            index.append(module)
        index += ["```", ""]
    write(folder / "index.md", "\n".join(index))
    written.add("commands.md")  # of the extension `commands`
    for old in folder.iterdir():
        if old.name not in written:
            old.unlink()


def setup(app):
    """Generate when the builder starts."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Do the tests catch a wrong line? Change a random operator, number or condition, and run the tests nearest to it.

    make mutants                                # 200 mutants by seed 1, hours
    make mutants MUTANTS=20 SEED=7              # fewer, others
    .venv/bin/python .ci/mutants.py --packages models/graph --count 10

A mutant is one change in a copy of a module in memory: the tests import the copy in place of the file, and no file of
the checkout changes. Caught: a test fails, or runs longer than its limit of CPU seconds. The tests are those named like
the module, then the smallest ones that import it, then those that import a module that imports it. Compiled code is
cached by file, so that mutants of code that numba compiles, or that code is written from, get empty caches.

Tools for the same purpose do not fit: mutmut wraps functions, which numba cannot compile, and cosmic-ray changes files
in place and runs the whole suite for each mutant.
"""

import argparse
import ast
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("models", "inference", "evaluation")
MOST_TESTS = 4  # files of tests for a mutant
CPU_SECONDS = 240  # of the tests of a mutant
_SWAPPED = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.Pow: ("**", "*"),
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
_NAMES = {"cumsum": "cumprod", "cumprod": "cumsum", "min": "max", "max": "min", "any": "all", "all": "any"}
_COMPILED = re.compile(r"njit|compiled\(|vector_arithmetic|halfpoint_formula|loops\.generator|linear_form")
_HOOK = """
import importlib.machinery, os
path, text = os.environ["MUTANT_OF"], os.environ["MUTANT_TEXT"]
plain = importlib.machinery.SourceFileLoader.get_code
def get_code(self, name):
    if os.path.realpath(self.path) != path:
        return plain(self, name)
    with open(text, "rb") as file:
        return compile(file.read(), self.path, "exec", dont_inherit=True)
importlib.machinery.SourceFileLoader.get_code = get_code
"""


@dataclass(frozen=True)
class Mutant:
    """One change in one file."""

    file: Path  # of the module
    line: int  # number of the line
    function: str  # with the change
    change: str  # in words
    source: bytes  # whole text of the changed module


def sites(file: Path) -> Iterator[tuple[ast.AST, str]]:
    """Yield operators, numbers and names in functions of a file that can be changed, with the name of the function."""
    tree = ast.parse(file.read_text(encoding="utf-8"))

    def visit(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or _is_docstring(child):
                    continue
                inside = function
                if isinstance(child, ast.FunctionDef | ast.ClassDef):
                    inside = f"{function}.{child.name}".lstrip(".")
                if function and _can_change(child):
                    yield child, function
                yield from visit(child, inside)

    return visit(tree, "")


def _is_docstring(node: ast.AST) -> bool:
    """True for an expression that is a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _can_change(node: ast.AST) -> bool:
    """True if a node has a change."""
    if isinstance(node, ast.BinOp):
        texts = any(isinstance(part, ast.JoinedStr) or _is_text(part) for part in (node.left, node.right))
        return type(node.op) in _SWAPPED and not texts
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and type(node.ops[0]) in _SWAPPED
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", getattr(node.func, "id", "")) in _NAMES
    return isinstance(node, ast.BoolOp | ast.IfExp | ast.If)


def _is_text(node: ast.AST) -> bool:
    """True for a constant text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def changed(file: Path, node: ast.AST, function: str) -> Mutant | None:
    """Mutant of a site; None if the change is no Python."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def begin(part: ast.AST) -> int:
        return starts[part.lineno - 1] + part.col_offset  # type: ignore[attr-defined]

    def end(part: ast.AST) -> int:
        return starts[part.end_lineno - 1] + part.end_col_offset  # type: ignore[attr-defined]

    if isinstance(node, ast.Constant):
        first, last = begin(node), end(node)
        old, new = source[first:last].decode(), repr(node.value + 1 if node.value else 1)  # type: ignore[operator]
    elif isinstance(node, ast.Call):
        last = end(node.func)
        old = getattr(node.func, "attr", getattr(node.func, "id", ""))
        first, new = last - len(old), _NAMES[old]
    elif isinstance(node, ast.If | ast.IfExp):
        first, last = begin(node.test), end(node.test)
        old = source[first:last].decode()
        new = f"not ({old})"
    else:
        parts = {ast.BinOp: ("left", "right"), ast.Compare: ("left", "comparators"), ast.BoolOp: ("values", "values")}
        one, other = (getattr(node, name) for name in parts[type(node)])
        one, other = one[0] if isinstance(one, list) else one, other[-1] if isinstance(other, list) else other
        if isinstance(node, ast.BoolOp):
            other = node.values[1]
        operator = node.ops[0] if isinstance(node, ast.Compare) else node.op  # type: ignore[attr-defined]
        old, new = _SWAPPED[type(operator)]
        first = source.find(old.encode(), end(one), begin(other))
        last = first + len(old)
        if first < 0:
            return None
    text = source[:first] + new.encode() + source[last:]
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    shown = " ".join(f"{old} -> {new}".split())
    return Mutant(file, node.lineno, function, shown if len(shown) < 60 else f"not ({old[:40]}...)", text)  # type: ignore[attr-defined]


@cache
def module_name(file: Path) -> str:
    """Import name of a file, by the table of folders in pyproject.toml."""
    from tomllib import loads

    mapped = loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    places = {place: name for name, place in mapped.items()}
    parts, folder = [file.stem] * (file.stem != "__init__"), file.relative_to(ROOT).parent
    while str(folder) not in places:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join([places[str(folder)], *parts])


@cache
def texts_of_tests() -> dict[Path, str]:
    """Texts of all files of tests."""
    return {file: file.read_text(encoding="utf-8") for file in sorted((ROOT / "tests").rglob("test_*.py"))}


@cache
def texts_of_modules() -> dict[Path, str]:
    """Texts of all modules, by file."""
    packages = sorted(path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests")
    files = [file for package in packages for file in package.rglob("*.py")]
    return {file: file.read_text(encoding="utf-8") for file in files}


def nearest_tests(file: Path, depth: int = 2) -> list[Path]:
    """Tests of a module: of its name, then the smallest that import it, then those of modules that import it."""
    module = module_name(file)
    imports = re.compile(
        rf"\b{re.escape(module)}\b(?!\.)|from {re.escape(module.rpartition('.')[0])} import .*\b{file.stem}\b"
    )
    tests = [test for test in texts_of_tests() if test.name == f"test_{file.stem}.py"]
    importing = [test for test, text in texts_of_tests().items() if imports.search(text)]
    tests += sorted(importing, key=lambda test: len(texts_of_tests()[test]))
    if len(dict.fromkeys(tests)) < MOST_TESTS and depth:
        users = [other for other, text in texts_of_modules().items() if other != file and imports.search(text)]
        for user in sorted(users, key=lambda path: path.parent != file.parent)[:6]:
            tests += nearest_tests(user, depth - 1)[:2]
    return list(dict.fromkeys(tests))[:MOST_TESTS]


def is_caught(mutant: Mutant, tests: list[Path]) -> tuple[bool, str]:
    """True if a test fails or takes too long, and the first such test."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "sitecustomize.py").write_text(_HOOK, encoding="utf-8")
        (place / "text.py").write_bytes(mutant.source)
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH")))),
            "MUTANT_OF": os.path.realpath(mutant.file), "MUTANT_TEXT": str(place / "text.py"),
            "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        if _COMPILED.search(mutant.source.decode()):
            environment |= {"NUMBA_CACHE_DIR": str(place / "numba"), "XDG_CACHE_HOME": str(place / "cache")}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["-m", "not slow and not browser and not real", *map(str, tests)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS)),
        )  # fmt: skip
    failed = next((line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), "")
    name = failed.partition(" - ")[0].partition("::")[2] or failed[:60]
    return done.returncode not in (0, 5), name or ("" if done.returncode in (0, 5) else "does not end")


def mutants(packages: list[str], seed: int) -> Iterator[Mutant]:
    """Yield mutants in random order, at most one a line."""
    files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
    every = [(file, node, function) for file in files for node, function in sites(file)]
    random.Random(seed).shuffle(every)
    lines = set()
    for file, node, function in every:
        if (file, node.lineno) in lines:  # type: ignore[attr-defined]
            continue
        lines.add((file, node.lineno))  # type: ignore[attr-defined]
        mutant = changed(file, node, function)
        if mutant is not None:
            yield mutant


def put(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run mutants; print a line for each, and the share that was caught."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--packages", nargs="*", default=list(PACKAGES))
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    chosen = options.parse_args()
    begin, caught, run = time.monotonic(), 0, 0
    put("| verdict | line | function | change | first failing test, or the tests run |\n|---|---|---|---|---|")
    for mutant in mutants(chosen.packages, chosen.seed):
        if run == chosen.count or time.monotonic() - begin > chosen.seconds:
            break
        tests = nearest_tests(mutant.file)
        failed, name = is_caught(mutant, tests) if tests else (False, "no test imports it")
        run, caught = run + 1, caught + failed
        place = f"{mutant.file.relative_to(ROOT)}:{mutant.line}"
        verdict = "caught" if failed else "survived"
        beside = name or ", ".join(test.name for test in tests)
        put(f"| {verdict} | {place} | {mutant.function} | `{mutant.change}` | {beside} |")
    put(f"\nSeed {chosen.seed}: {caught} of {run} mutants caught.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

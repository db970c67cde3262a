"""Do the tests catch a wrong line? Change a random operator, number or condition, and run the tests nearest to it.

    make mutants                                # 200 mutants by seed 1, hours
    make mutants MUTANTS=20 SEED=7              # fewer, others
    .venv/bin/python .ci/mutants.py --rows FILE # append to a file; the next run continues from it
    .venv/bin/python .ci/mutants.py --packages models/reading --count 10

A mutant is one change in a copy of a module in memory: the tests import the copy in place of the file, and no file of
the checkout changes. It is caught if a test fails, or if the tests do not end, or pytest itself fails, although they
end without the change. The tests of models, inference, evaluation, contracts, workflows, fields, systems and docstrings
first run once without a change to record which of them execute the line of a mutant (`.ci/reached_lines.py`). These
tests then run with the change: tests named after the module first, one case of each function before further cases, the
cheapest first, within a limit of CPU seconds, and then the tests named after the module, if none of them was chosen. A
line that no test executes as Python (compiled code, other processes) gets the four nearest files by name and imports,
with the marks of `make cases`. Each mutant runs in a fork of one process, which has imported PyMC and pytest. Compiled
code is cached by file, so mutants of code that numba compiles, or from which such code is generated, get empty caches
unless a test executes their line as Python (`tests/helpers/plain_loops.py`).

Existing tools are not suitable: mutmut wraps functions, which numba cannot compile, and cosmic-ray changes files in
place and runs the whole suite for each mutant.
"""

import argparse
import ast
import importlib
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from nearest_tests import ROOT, files_of_tests, nearest_tests

PACKAGES = ("models", "inference", "evaluation")
TOGETHER = 4  # files of tests that run together
BEGIN_SECONDS = 15  # CPU seconds after which no further test of a mutant begins
CPU_SECONDS = 60  # after which the tests of a mutant are stopped
COMPILING = 4  # times as many of both with empty caches
MOST_TESTS, FIRST = 120, 30  # that run a line; of these the number that runs first, alone
# whose tests are looked at for lines; those of commands run in other processes, and take a third of the time
LOOKED_AT = ("models", "inference", "evaluation", "contract", "apps/workflows", "apps/study", "apps/fields", "systems",
             "test_doctests.py")  # fmt: skip
FAST = "not slow and not further and not browser"
NEAR = "not slow and not browser"  # of lines that no fast test executes, as `make cases` runs them
_SWAPPED = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.Pow: ("**", "*"),
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
_NAMES = {"cumsum": "cumprod", "cumprod": "cumsum", "min": "max", "max": "min", "any": "all", "all": "any"}
_COMPILED = re.compile(
    r"njit|compile_lazily|import loop$|@_?loop$|vectorise|compiled\(|vector_arithmetic|halfpoint_formula"
    r"|loops\.generator|linear_form",
    re.MULTILINE,
)
_HEAD = ("| verdict | line | function | change | first failing test, or the tests run |", "|---|---|---|---|---|")
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
    """Mutant of a site; None if it is not valid Python."""
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
        if float(new) == node.value:  # 1e300 + 1
            return None
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


def preload() -> None:
    """Import the libraries that most tests use, once for all mutants, but no module of this package."""
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTENSOR_FLAGS": "traceback__limit=0"}
    for name in (
        *("pymc", "pytest", "numba", "nutpie", "arviz", "arviz_stats", "xarray", "h5netcdf", "polars"),
        *("scipy.stats", "scipy.optimize", "scipy.sparse.linalg", "jsonschema", "typer", "playwright"),
    ):
        importlib.import_module(name)


class Budget:
    """Plugin of pytest: no test begins after some CPU seconds, those of ended processes included."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def pytest_runtest_setup(self) -> None:
        """Skip tests after the seconds are over."""
        if sum(os.times()[:4]) > self.seconds:
            importlib.import_module("pytest").skip("the seconds for the tests of a mutant are over")


def run_tests(mutant: Mutant, tests: list[str], cold: bool, output: Path, marks: str = FAST) -> int | None:
    """Exit code of pytest on tests that import a mutant, in a process of its own, with empty caches if `cold`.

    None if they take too long.
    """
    place, more = output.parent, COMPILING if cold else 1
    (place / "sitecustomize.py").write_text(_HOOK, encoding="utf-8")
    (place / "text.py").write_bytes(mutant.source)
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS * more, CPU_SECONDS * more))
        with output.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.environ |= {
            "PYTHONPATH": os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH")))),
            "MUTANT_OF": os.path.realpath(mutant.file), "MUTANT_TEXT": str(place / "text.py"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        sys.dont_write_bytecode = True
        if cold:
            os.environ |= {"NUMBA_CACHE_DIR": str(place / "numba"), "XDG_CACHE_HOME": str(place / "cache")}
            importlib.import_module("numba.core.config").reload_config()
        exec(_HOOK, {})
        os.chdir(ROOT)
        command = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", marks]
        code = importlib.import_module("pytest").main([*command, *tests], plugins=[Budget(BEGIN_SECONDS * more)])
        sys.stdout.flush()
        os._exit(int(code))
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(99)


def verdict(mutant: Mutant, costs: dict[str, float]) -> tuple[str, str]:
    """Verdict on a mutant, and the first failing test: caught, survived, or open if its tests always take too long.

    `costs` has the CPU seconds of the tests that run its line.
    """
    tests = cheapest(costs, mutant.file.stem)
    near = named_tests(mutant.file, tests) if tests else nearest_tests(mutant.file, mutant.function)[:TOGETHER]
    files = [str(file.relative_to(ROOT)) for file in near]
    beside = f"{len(tests)} of {len(costs)} tests that run it" if tests else f"nearest: {', '.join(files)}"
    if not tests and not files:
        return "survived", "no test imports it"
    cold, marks = not tests and is_compiled(mutant), FAST if tests else NEAR
    for part in filter(None, (tests[:FIRST], tests[FIRST:], files)):
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "output"
            code = run_tests(mutant, part, cold, output, marks)
            lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
            if code is None:
                unchanged = replace(mutant, source=mutant.file.read_bytes())
                alike = run_tests(unchanged, part, cold, output, marks) is None
                return ("open", "tests take too long") if alike else ("caught", "does not end")
        if code in (1, 2, 4):  # failed, or not collected
            failed = next((line for line in lines if line.startswith(("FAILED", "ERROR"))), "not collected")
            return "caught", failed.partition(" - ")[0].partition("::")[2] or failed[:60]
        if code not in (0, 5):
            words = f"pytest ended with {code}: {lines[-1][:80] if lines else ''}"
            with tempfile.TemporaryDirectory() as folder:
                unchanged = replace(mutant, source=mutant.file.read_bytes())
                ends = run_tests(unchanged, part, cold, Path(folder) / "output", marks) in (0, 5)
            return "caught" if ends else "open", words
    return "survived", beside


def named_tests(file: Path, tests: list[str]) -> list[Path]:
    """Tests named after a module of which none is chosen: an earlier test may have cached the values that they read."""
    same_name = [test for test in files_of_tests() if test.name == f"test_{file.stem}.py"]
    return [test for test in same_name if not any(f"/{test.name}::" in name for name in tests)]


def cheapest(costs: dict[str, float], module: str) -> list[str]:
    """Tests for a mutant, within the CPU seconds: of the module's name first, first cases first, the cheapest first."""
    ranked: list[tuple[bool, int, float, str]] = []
    cases: Counter[str] = Counter()
    for test in sorted(costs, key=costs.__getitem__):
        function = test.partition("[")[0]
        ranked.append((f"/test_{module}.py" not in function, cases[function], costs[test], test))
        cases[function] += 1
    tests, spent = [], 0.0
    for *_, cost, test in sorted(ranked)[:MOST_TESTS]:
        if tests and spent + cost > BEGIN_SECONDS:
            break
        spent += cost
        tests.append(test)
    return tests


def reached(chosen: list[Mutant], file: Path) -> dict[str, dict[str, float]]:
    """CPU seconds of the tests that run the lines of mutants, from a file, which is made in a process of its own."""
    if not file.exists():
        child = os.fork()
        if child == 0:
            os.chdir(ROOT)
            lines = [(mutant.file, mutant.line) for mutant in chosen]
            write_map = importlib.import_module("reached_lines").write
            os._exit(write_map(file, lines, ["-m", FAST, *(f"tests/{place}" for place in LOOKED_AT)]))
        os.waitpid(child, 0)
    return json.loads(file.read_text(encoding="utf-8"))


def is_compiled(mutant: Mutant) -> bool:
    """True if the module of a mutant has code that is compiled, or written for a compiler."""
    return _COMPILED.search(mutant.source.decode()) is not None


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


def put(line: str, rows: Path | None = None) -> None:
    """Print a line immediately, and append it to a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if rows is not None:
        with rows.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def main() -> int:
    """Run mutants; print a line for each, and the share that was caught."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--packages", nargs="*", default=list(PACKAGES))
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rows", type=Path, help="append to this file, without the mutants that it has")
    options.add_argument("--lines", type=Path, help="file of the tests by line; made if it is not there")
    options.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    chosen = options.parse_args()
    begin, counts = time.monotonic(), Counter()
    rows = chosen.rows or Path(os.devnull)
    former = rows.read_text(encoding="utf-8").splitlines() if rows.exists() else []
    preload()
    for line in "" if former else _HEAD:
        put(line, rows)
    every = list(islice(mutants(chosen.packages, chosen.seed), chosen.count))
    costs = reached(every, chosen.lines or Path(tempfile.mkdtemp()) / "lines.json")
    for mutant in every:
        place, change = f"{mutant.file.relative_to(ROOT)}:{mutant.line}", f"`{mutant.change}`"
        line = next((line for line in former if f" | {place} | {mutant.function} | {change} | " in line), "")
        if not line:
            if time.monotonic() - begin > chosen.seconds:
                break
            result, beside = verdict(mutant, costs.get(f"{os.path.realpath(mutant.file)}:{mutant.line}", {}))
            line = f"| {result} | {place} | {mutant.function} | {change} | {beside} |"
            put(line, rows)
        counts[mutant.file.relative_to(ROOT).parts[0], line.split()[1]] += 1
    for package in dict.fromkeys(package.partition("/")[0] for package in chosen.packages):
        count = sum(number for (top, _), number in counts.items() if top == package)
        put(f"{package}: {counts[package, 'caught']} of {count} caught")
    caught = sum(n for (_, result), n in counts.items() if result == "caught")
    put(f"Seed {chosen.seed}: {caught} of {counts.total()} mutants caught.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

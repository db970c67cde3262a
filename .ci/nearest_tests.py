"""Files of tests that are the nearest to a function: by the name of its module, and by imports and names."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_TESTS = 12  # files of tests for a function


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


@dataclass(frozen=True)
class Text:
    """Imports and words of one file."""

    modules: frozenset[str]  # import names that the file imports, `from PACKAGE import NAME` as PACKAGE.NAME too
    words: frozenset[str]  # of the whole file
    definitions: dict[str, frozenset[str]]  # words of each function and class at the top of the file, by its name
    size: int  # characters


@cache
def text_of(file: Path) -> Text:
    """Imports and words of a file."""
    text = file.read_text(encoding="utf-8")
    tree, lines, modules, definitions = ast.parse(text), text.splitlines(), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    for node in tree.body:
        words = frozenset(re.findall(r"\w+", "\n".join(lines[node.lineno - 1 : node.end_lineno])))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            definitions[node.name] = words
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            definitions |= {target.id: words for target in targets if isinstance(target, ast.Name)}
    return Text(frozenset(modules), frozenset(re.findall(r"\w+", text)), definitions, len(text))


@cache
def files_of_tests() -> list[Path]:
    """Paths of all files of tests."""
    return sorted((ROOT / "tests").rglob("test_*.py"))


@cache
def files_of_modules() -> list[Path]:
    """Paths of all modules."""
    packages = sorted(path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests")
    return [file for package in packages for file in sorted(package.rglob("*.py"))]


def users_within(text: Text, names: set[str]) -> set[str]:
    """Names at the top of a file that use some names, directly or through each other, with these names."""
    while True:
        more = {name for name, words in text.definitions.items() if words & names} | names
        if more == names:
            return names
        names = more


def nearest_tests(file: Path, function: str, depth: int = 3) -> list[Path]:
    """Tests of a function: of its module's name, then those that import its users, with the rarest names of them first.

    The weight of a test file is the sum of 1 / (test files with the name) over the names of users that it imports,
    divided by the square root of its size, three times as much in the folder of the package, a third in that of apps.
    """
    tests = [test for test in files_of_tests() if test.name == f"test_{file.stem}.py"]
    package = file.relative_to(ROOT).parts[0]

    def weight(test: Path) -> float:
        """More for tests of the package, less for those of apps, which start processes."""
        folder = test.relative_to(ROOT / "tests").parts[0]
        return {package: 3.0, "apps": 1 / 3}.get(folder, 1.0)

    names = {file: users_within(text_of(file), {function.partition(".")[0]})}
    for _ in range(depth):
        calling: dict[Path, set[str]] = {}
        near: Counter[Path] = Counter()
        for user, used in names.items():
            module = module_name(user)
            for test in files_of_tests():
                if module in text_of(test).modules:
                    near[test] += sum(1 / count_of_word(name) for name in text_of(test).words & used)
            for other in files_of_modules():
                if other not in names and module in text_of(other).modules:
                    users = users_within(text_of(other), set(used)) - used
                    if users:
                        calling.setdefault(other, set()).update(users)
        worth = {test: total * weight(test) / text_of(test).size ** 0.5 for test, total in near.items() if total}
        tests += sorted(worth, key=lambda test: -worth[test])
        if len(set(tests)) >= MOST_TESTS:
            break
        names = calling
    return list(dict.fromkeys(tests))[:MOST_TESTS]


@cache
def count_of_word(word: str) -> int:
    """Number of files of tests with a word."""
    return sum(word in text_of(test).words for test in files_of_tests())

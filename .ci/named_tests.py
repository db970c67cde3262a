"""Which modules of the core have no test of their name? The list `modules_without_test.txt` must be exact.

    .venv/bin/python .ci/named_tests.py           # list them, and rewrite the list
    .venv/bin/python .ci/named_tests.py --check   # fail if the list differs: a module without a test, or one too many

A module `models/reading/affine.py` has its test in `test_affine.py` below `tests/models`.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ("readers", "models", "systems", "inference", "evaluation")
LIST = Path(__file__).with_name("modules_without_test.txt")


def without_test(root: Path = ROOT) -> tuple[list[str], int]:
    """Paths of modules without a test of their name, and the number of modules."""
    modules = [file for top in CORE for file in sorted((root / top).rglob("*.py")) if not file.name.startswith("__")]
    named = {top: {file.name for file in (root / "tests" / top).rglob("test_*.py")} for top in CORE}
    paths = [file.relative_to(root) for file in modules]
    return [path.as_posix() for path in paths if f"test_{path.name}" not in named[path.parts[0]]], len(paths)


def main() -> int:
    """Compare the list with the tree, or write it."""
    missing, count = without_test()
    listed = LIST.read_text(encoding="utf-8").split() if LIST.exists() else []
    if "--check" not in sys.argv[1:]:
        LIST.write_text("".join(f"{path}\n" for path in missing), encoding="utf-8")
    lines = [f"{path}: no test of its name; add tests/{path.partition('/')[0]}/**/test_{Path(path).name}"
             for path in missing if path not in listed]  # fmt: skip
    lines += [f"{path}: remove it from .ci/{LIST.name}" for path in listed if path not in missing]
    wrong = "--check" in sys.argv[1:] and bool(lines)
    lines = lines if wrong else missing if "--check" not in sys.argv[1:] else []
    lines.append(f"named tests: {count - len(missing)} of {count} modules of the core have a test of their name")
    sys.stdout.write("\n".join(lines) + "\n")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

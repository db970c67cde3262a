"""Check that pyproject.toml, CITATION.cff, the recipe and the changelog name the same version.

`python .ci/release.py --tag v0.2.0` also checks that the tag is that version and that the changelog has its section.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def versions() -> dict[str, str]:
    """Version in each file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {"pyproject.toml": str(project["version"])}
    for name, pattern in (
        ("CITATION.cff", r"(?m)^version: ['\"]?([^'\"\s]+)"),
        (".ci/conda/recipe.yaml", r'version: "([^"]+)"'),
    ):
        match = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"))
        found[name] = match[1] if match else "none"
    return found


def main() -> int:
    """Print differences; return 1 if there are any."""
    found = versions()
    wanted = found["pyproject.toml"]
    faults = [f"{name}: expected version {wanted}, found {one}" for name, one in found.items() if one != wanted]
    if "--tag" in sys.argv:
        tag = sys.argv[sys.argv.index("--tag") + 1]
        if tag != f"v{wanted}":
            faults.append(f"tag: expected v{wanted}, found {tag}")
        if not re.search(rf"(?m)^## .*{re.escape(wanted)}", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
            faults.append(f"CHANGELOG.md: expected a section of {wanted}, found none")
    for fault in faults:
        print(fault)  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

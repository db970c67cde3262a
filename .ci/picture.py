"""Draw the imports between folders from the code, into CONTRIBUTING.md and its picture; with --check, compare."""

import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from tomllib import loads

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
PICTURE = ROOT / "docs" / "figures" / "architecture.svg"
MARKS = "<!-- imports: begin -->\n", "\n<!-- imports: end -->"
QUESTIONS = {
    "apps": "commands, workflows, pages, fields, the study",
    "inference": "how we compute",
    "evaluation": "how good it was",
    "readers": "files of games",
    "systems": "game by game",
    "models": "what happened, and what we believe",
}
WIDTH, BOX, HEIGHT, GAP = 720, 340, 52, 46  # of the picture, the widest box, its height, and between rows, pixels
Edges = set[tuple[str, str]]


def layers() -> list[list[str]]:
    """The folders of each layer, the outermost first, as import-linter's contract has them."""
    settings = loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(one for one in settings["contracts"] if one["type"] == "layers")
    rows = [[name.strip().split(".")[1] for name in one.split("|")] for one in contract["layers"]]
    return [list(dict.fromkeys(row)) for row in rows]


def imports(folders: Iterable[str]) -> Edges:
    """Imports between the folders."""
    graph = grimp.build_graph("halfpoint", cache_dir=None)
    known = {f"halfpoint.{folder}" for folder in folders}
    edges = {
        (one.split(".")[1], other.split(".")[1])
        for one in graph.modules
        for other in graph.find_modules_directly_imported_by(one)
        if {".".join(end.split(".")[:2]) for end in (one, other)} <= known
    }
    return {(one, other) for one, other in edges if one != other}


def shortest(edges: Edges) -> Edges:
    """Edges that do not follow from longer paths; these are drawn."""

    def reached(start: str) -> set[str]:
        found = {other for one, other in edges if one == start}
        return found.union(*(reached(other) for other in found)) if found else found

    return {
        (one, other)
        for one, other in edges
        if not any(other in reached(between) for first, between in edges if first == one and between != other)
    }


def table(rows: list[list[str]], edges: Edges) -> str:
    """Markdown table: a row imports a column."""
    order = [folder for row in rows for folder in row]
    lines = [["imports", *order], ["---", *[":-:"] * len(order)]]
    lines += [[f"**{one}**", *("●" if (one, other) in edges else "" for other in order)] for one in order]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def picture(rows: list[list[str]], edges: Edges) -> str:
    """Layers as SVG: a box per folder, an arrow per import that does not follow from others."""
    places = {}
    for level, row in enumerate(rows):
        space = WIDTH / len(row)
        for number, folder in enumerate(row):
            places[folder] = (space * (number + 0.5), 10 + level * (HEIGHT + GAP))
    height = 20 + len(rows) * HEIGHT + (len(rows) - 1) * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="Imports between the folders" font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8Z" fill="#555555"/></marker></defs>',
    ]
    for one, other in sorted(edges):
        (x, y), (a, b) = places[one], places[other]
        lean = 0.25 * (a - x)
        parts.append(
            f'<line x1="{x + lean:.0f}" y1="{y + HEIGHT}" x2="{a - lean:.0f}" y2="{b}" stroke="#555555" '
            'stroke-width="1.5" marker-end="url(#head)"/>'
        )
    widths = {folder: min(BOX, WIDTH / len(row) - 16) for row in rows for folder in row}
    for folder, (x, y) in places.items():
        parts.append(
            f'<rect x="{x - widths[folder] / 2:.0f}" y="{y}" width="{widths[folder]:.0f}" '
            f'height="{HEIGHT}" rx="6" fill="#eef3f8" '
            'stroke="#2f5d8a"/>'
        )
        parts.append(f'<text x="{x:.0f}" y="{y + 22}" font-size="16" font-weight="bold">{folder}</text>')
        parts.append(f'<text x="{x:.0f}" y="{y + 41}" font-size="13">{escape(QUESTIONS[folder])}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def drawn() -> dict[Path, str]:
    """Page and picture made from the code."""
    rows = layers()
    edges = imports(folder for row in rows for folder in row)
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(MARKS[0])
    _, found, tail = rest.partition(MARKS[1])
    if not found:
        sys.exit(
            f"{PAGE.name}: expected the marks {MARKS[0].strip()} and {MARKS[1].strip()}, found at most one of them"
        )
    return {PAGE: f"{head}{MARKS[0]}{table(rows, edges)}{MARKS[1]}{tail}", PICTURE: picture(rows, shortest(edges))}


def main() -> None:
    """Write or check."""
    for path, text in drawn().items():
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)}: expected the imports of the code, found others. make picture")


if __name__ == "__main__":
    main()

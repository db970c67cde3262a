"""Check README.md, CONTRIBUTING.md, docs, notebooks and the help of every command for phrases that are hard to read.

Each pattern is a habit with a plain replacement. Code, tables of symbols and quoted output are not checked.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "extensions"))
PLAIN = {
    r"\b(is|are|was|were|be|been|being) (told|said)\b": "report, state, name",
    r"\b(tells|told|tell) (of|what|who|whether|how|which|apart|from)\b": "identify, report, distinguish",
    r"\bnobody('s)?\b": "no player, no game, not",
    r"\b(some|every)body('s)?\b": "a player, all players",
    r"\bwho(m)?ever\b": "any user, any player",
    r"(?:^|[.;:] )What (?!is\b[^.]*\?)[a-z][^?.]*\.": "a noun as the subject",
    r"(?:^|[.;:] )Who [a-z][^?.]*\.": "a noun as the subject",
    r"\bwhat (follows|stands|happened|is known|is not|was|they say|it says)\b": "a noun",
    r"\b(stands?|stood) (in|at|for|there|beside|twice|first|alone|around|on|by)\b": "is, appears, is listed",
    r"\bcannot be told\b": "is not significant",
    r"\bto be believed\b": "reliable, passes its checks",
    r"\bhears? of\b": "is reported to",
    r"\bat hand\b": "available",
    r"\btaken for\b": "interpreted as",
    r"\b(goes|go|went|going) on (from|where|to)\b": "continue, resume, update",
    r"\bby (itself|themselves|one's own|lot)\b": "separately, automatically, at random",
    r"\bof (those|these|whom|which) (that|who|alone|are|is)\b": "repeat the noun",
    r"\bby the others\b": "repeat the noun",
    r"\bfrom which on\b": "from ... on",
    r"\b(are|is) to be had\b": "is available",
    r"\b(lies|lie|lay) (in|around|within|beside)\b": "is in, varies around",
    r"\bhow much (stronger|better|is|they|it)\b(?![^.]*\?)": "the difference",
    r"\b(more|less|fewer) than (they|it) (says?|tells?)\b": "a comparison with a noun",
    r"\bas much (as|by)\b": "a number or 'equally'",
    r"\b(is|are) nothing\b|\bnothing (is|was|are) (said|told|known|looked)\b": "no ..., is unknown",
    r"\bwhere (there are|some are|one is) (none|some|one)\b": "if any",
    r"\bso many\b": "N",
}
FREE = (r"(?s)```.*?```", r"(?s)\$\$.*?\$\$", r"(?s)<!--.*?-->", r"`[^`\n]+`", r"\]\([^)]*\)", r'"[^"\n]*"')
QUOTED = ("models", "sources")  # equations of the models; a table of sources


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each document."""
    from commands import page

    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        yield name, (ROOT / name).read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").glob("*.md")):
        if path.stem not in QUOTED:
            yield f"docs/{path.name}", path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.py")):
        cells = [cell.source for cell in jupytext.read(path).cells if cell.cell_type == "markdown"]
        yield f"notebooks/{path.name}", "\n\n".join(cells)
    yield "help", page()


def faults(name: str, text: str) -> list[str]:
    """A line for each phrase to replace."""
    for pattern in FREE:
        text = re.sub(pattern, lambda found: "x" + "\n" * found[0].count("\n"), text)
    found = []
    for pattern, better in PLAIN.items():
        for one in re.finditer(pattern.replace(" ", r"\s"), text, re.MULTILINE):
            place = text.count("\n", 0, one.start()) + 1
            found.append(f"{name}:{place}: {' '.join(one[0].split())!r}. Use: {better}")
    return found


def main() -> int:
    """Check all texts."""
    found = [fault for name, text in texts() for fault in faults(name, text)]
    print("\n".join(found) or f"prose: {len(PLAIN)} patterns, nothing found")  # noqa: T201
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

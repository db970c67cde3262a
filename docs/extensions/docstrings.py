"""Show equations and lists of symbols in docstrings as they stand in the source, in letters of one width.

A block that is indented, or that has columns (two blanks inside a line), becomes a literal block. In the rest of a
module's docstring, marks that reStructuredText would read as its own are escaped.
"""

import re

COLUMNS = re.compile(r"\S {2,}\S")
STARRED = re.compile(r"(?<![\w*>])(\*{1,2})(?=\w)")
SECTION = re.compile(r"^-{3,}\s*$")


def paragraphs(lines):
    """Yield the blocks of lines between blank lines."""
    block = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []


def shown(block):
    """Block in a form for Sphinx; ambiguous headings are escaped."""
    if len(block) > 1 and SECTION.match(block[1]):
        return [f".. rubric:: {block[0]}", "", *(shown(block[2:]) if block[2:] else ())]
    if block[0].startswith(" ") or any(COLUMNS.search(line) for line in block):
        return ["::", "", *(f"    {line}" for line in block)]
    escaped = [re.sub(r"(?<!`)([*|])(?!`)", r"\\\1", line) for line in block]
    return [re.sub(r"(?<=\w)_(?=\W|$)", r"\\_", re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line)) for line in escaped]


def process(app, what, name, obj, options, lines):
    """Rewrite the docstring of a module; in others, only its plain introduction."""
    del app, name, obj, options
    end = len(lines)
    if what != "module":
        marks = [i for i, line in enumerate(lines) if line.startswith((":", ".. ")) or SECTION.match(line)]
        end = marks[0] - 1 if marks and SECTION.match(lines[marks[0]]) else marks[0] if marks else end
    head, tail = lines[:end], lines[end:]
    new = [line for block in paragraphs(head) for line in [*shown(block), ""]]
    tail = [line if ">>>" in line else STARRED.sub(lambda found: "\\*" * len(found[1]), line) for line in tail]
    lines[:] = [*new, *tail]


def setup(app):
    """Run before numpydoc."""
    app.connect("autodoc-process-docstring", process, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

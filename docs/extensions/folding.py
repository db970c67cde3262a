"""Fold long outputs: more than twenty lines collapse to their first line, tables scroll.

Browsers fold and scroll by themselves: no script. On paper everything is open.
"""

import re
from html import escape

from docutils import nodes

LONG = 20
PRINTED = ("text", "none", "default", "json", "console", "myst-ansi")


def folded(block):
    """Long block of text as nodes: a line to open, then the whole."""
    lines = block.astext().rstrip("\n").split("\n")
    command = lines[0].startswith("$ ")
    words = f"<code>{escape(lines[0])}</code> and {len(lines) - 1} lines" if command else f"{len(lines)} lines"
    opening = f'<details class="long"><summary>{words}</summary>\n'
    return [
        nodes.raw("", opening, format="html"),
        block.deepcopy(),
        nodes.raw("", "</details>\n", format="html"),
    ]


def scrolled(html):
    """HTML of a data frame in a box that scrolls if it is long or wide."""
    rows = len(re.findall(r"<tr", html))
    return f'<div class="wide{" long" if rows > LONG + 1 else ""}">\n{html}\n</div>' if "<table" in html else html


def fold(app, doctree, docname):
    """Fold a page's long outputs and let its long tables scroll, except docstrings and options."""
    if app.builder.format != "html" or docname.startswith("reference/"):
        return
    for block in list(doctree.findall(nodes.literal_block)):
        printed = block.get("language", "text") in PRINTED
        if printed and block.astext().rstrip("\n").count("\n") >= LONG:
            block.parent.replace(block, folded(block))
    for table in doctree.findall(nodes.table):
        if sum(1 for _ in table.findall(nodes.row)) > LONG + 1 and isinstance(table.parent, nodes.container):
            table.parent["classes"].append("long")


def setup(app):
    """Fold when a page is resolved, after the theme has put its tables in boxes."""
    app.connect("doctree-resolved", fold, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Equations as MathML, which browsers draw by themselves: no script, no fonts, no network."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def visit_math(self, node):
    """Write an equation in the line."""
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_block(self, node):
    """Write a displayed equation."""
    self.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

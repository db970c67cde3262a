"""Pages that are written into reference/ before Sphinx reads its sources."""

from pathlib import Path


def write_at_start(app, name, page):
    """Write reference/NAME.md from a function when the builder starts, after the pages of the modules."""

    def generate(app):
        path = Path(app.srcdir) / "reference" / f"{name}.md"
        text = page()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")

    app.connect("builder-inited", generate, priority=600)  # the pages of the modules clear the folder
    return {"parallel_read_safe": True, "parallel_write_safe": True}

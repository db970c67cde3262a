"""Sphinx configuration: pages in MyST Markdown, the reference from the installed package's docstrings."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "halfpoint"
author = "halfpoint maintainers"
copyright = "halfpoint maintainers, Apache-2.0"
release = version = installed_version("halfpoint")
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "mathml", "docstrings", "reference", "commands"]
extensions += ["sources", "gallery", "folding"]
nb_execution_mode = "off"  # notebooks/run.py runs them, see extensions/gallery.py
exclude_patterns = ["extensions", "templates"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 2
html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = "halfpoint"
html_static_path = ["static"]
html_css_files = ["halfpoint.css"]
html_js_files = ["versions.js"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
default_role = "code"
highlight_language = "text"
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

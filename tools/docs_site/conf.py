"""Sphinx's settings for the documentation site; `make docs-site` builds it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import boxwood

project = "boxwood"
author = "The boxwood developers"
copyright = "the boxwood developers, Apache License 2.0"
version = release = boxwood.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "mathml",
]
root_doc = "index"

smartquotes = False
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["amsmath", "deflist", "dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

autosummary_generate = False
autodoc_typehints = "none"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = f"boxwood {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_show_search_summary = False  # browsers do not fetch pages from file://
html_copy_source = False
html_use_index = False  # the API reference lists every name
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}

#: Folder -> the language of its pages, for screen readers and for the shapes of Chinese characters.
LANGUAGES = {"zh": "zh-CN", "ko": "ko"}


def _set_language(_app, page: str, _template: str, context: dict, _doctree) -> None:
    context["language"] = LANGUAGES.get(page.partition("/")[0], "en")


def setup(app) -> None:
    """Give each page its language."""
    app.connect("html-page-context", _set_language)

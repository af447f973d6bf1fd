"""The page itself: template, style, script and data in one HTML file that loads nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from string import Template

from ...tree.atomic import write_atomically
from ...views.words import plain
from .compact import compact_script, compact_style
from .contents import Contents, within_limit
from .document import to_json
from .kinds import PAGE

#: Scripts in the order in which they are in the page: first those that compute, then those that draw.
COMPUTES = ("model.js", "words.js", "rules.js", "conditions.js", "edits.js", "layout.js", "query.js")
DRAWS = (
    "elements.js",
    "boxes.js",
    "canvas.js",
    "paper.js",
    "overview.js",
    "details.js",
    "whatif.js",
    "pruning.js",
    "editing.js",
    "leaves.js",
    "app.js",
)

#: Height of the frame in a notebook, in pixels.
FRAME_HEIGHT = 760


@dataclass(frozen=True, eq=False)
class Page:
    """An HTML page with the report and the explorer of a tree. A notebook displays it; ``save(path)`` writes it.

    Attributes
    ----------
    html : str
        The whole file as text.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> page = CARTClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_.explore()
    >>> page.html.startswith("<!doctype html>"), page
    (True, <Page: save(path) writes it>)
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. An existing file is replaced only when the new one is complete.

        Parameters
        ----------
        path : str or path object
            The file to write.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        write_atomically(path, self.html.encode("utf-8"))

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return (
            f'<iframe title="Tree explorer" sandbox="allow-scripts allow-downloads" width="100%" '
            f'height="{FRAME_HEIGHT}" style="border:0" srcdoc="{html.escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return "<Page: save(path) writes it>"


def make_page(contents: Contents) -> Page:
    """The page of some contents.

    Raises
    ------
    ParameterError
        The tree is too large for a page.
    """
    contents = within_limit(contents)
    kinds = dict.fromkeys(script for feature in contents.tree.schema for script in PAGE.of(feature).scripts_of(feature))
    style, script = compact_style(asset("style.css")), script_of((*kinds, *COMPUTES, *DRAWS))
    parts = {
        "title": html.escape(_title(contents)),
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "data": to_json(contents),
        "summary": _report(contents),
        "open": "report" if contents.summaries else "explorer",
    }
    return Page(Template(asset("page.html")).substitute(parts))


def _report(contents: Contents) -> str:
    """The first page; several responses have one each, of which scripts hide all but the chosen one."""
    found = [summary.html() for summary in contents.summaries]
    return "\n".join(f'<div class="of-response">{each}</div>' for each in found) if len(found) > 1 else "".join(found)


@lru_cache(maxsize=2)
def script_of(files: tuple[str, ...]) -> str:
    """Some scripts as one, closed to the rest of the page."""
    return f'(() => {{\n"use strict";\n{joined(files)}}})();\n'


def joined(files: tuple[str, ...]) -> str:
    """Some scripts one after the other, without what only people read."""
    return compact_script("".join(map(asset, files)))


def asset(name: str) -> str:
    """A file of the page as text."""
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may load: nothing but this very style and this very script, known by their hashes."""
    return (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _title(contents: Contents) -> str:
    """What the window is called."""
    response = contents.tree.response
    what = "Classification" if contents.of_each[0].tree.response.labels else "Regression"
    # Half characters cannot be written as UTF-8: they are shown as escapes, as in the document.
    return f"{what} tree for {plain(response.name)}".encode("utf-8", "backslashreplace").decode("utf-8")

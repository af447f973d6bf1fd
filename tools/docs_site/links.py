"""Links of the site: rewritten for pages that move, and checked in the finished pages."""

from __future__ import annotations

import fnmatch
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LINK = re.compile(r"(\]\()([^()\s#:]+)((?:#[^()\s]*)?\))")
_CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_GLOB = re.compile(r"[a-z_/]*\*+[a-z_]*")
#: Attributes by which a page loads something, as opposed to links that a reader may follow.
_LOADING = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


def moved(text: str, page: Path, place: Path, places: dict[Path, Path]) -> str:
    """A page as it is at its place in the site: links to pages that moved follow them.

    Code blocks stay as they are. A link to a file that does not exist, or that the site lacks, stays for Sphinx to
    report.
    """
    root = place.parent

    def rewritten(found: re.Match) -> str:
        target = Path(os.path.normpath(page.parent / found[2]))
        if target not in places:
            return found.group()
        return found[1] + os.path.relpath(places[target], root) + found[3]

    parts, end = [], 0
    for block in _CODE.finditer(text):
        parts += [_LINK.sub(rewritten, text[end : block.start()]), block.group()]
        end = block.end()
    return "".join([*parts, _LINK.sub(rewritten, text[end:])])


def without_empty_globs(text: str, folder: Path) -> str:
    """A table of contents without its patterns that match no page, such as those of a section still to be written."""
    pages = [page.relative_to(folder).as_posix() for page in folder.rglob("*.md")]
    lines = [line for line in text.splitlines() if not _GLOB.fullmatch(line) or fnmatch.filter(pages, f"{line}.md")]
    return "\n".join([*lines, ""])


class _Page(HTMLParser):
    """The names of a page's elements, what it loads and what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif (tag, name) in _LOADING and value:
                self.loads.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)


def faults(folder: Path) -> list[str]:
    """What is wrong with the links of a finished site, one line each."""
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        pages[file] = _Page()
        pages[file].feed(file.read_text(encoding="utf-8"))
    found = []
    for file, page in pages.items():
        name = file.relative_to(folder)
        found += [f"{name} loads {to} from elsewhere" for to in page.loads if urlsplit(to).netloc]
        local = [to for to in (*page.loads, *page.links) if not urlsplit(to).scheme and not urlsplit(to).netloc]
        found += [f"{name} links to {to}, which does not exist" for to in local if not _exists(to, file, pages)]
    for sheet in folder.rglob("*.css"):
        if re.search(r"(url\(|@import)\s*[\"']?https?:", sheet.read_text(encoding="utf-8")):
            found.append(f"{sheet.relative_to(folder)} loads something from elsewhere")
    return found


def _exists(to: str, file: Path, pages: dict[Path, _Page]) -> bool:
    """Does a link within the site lead to a file, and to an element of it?"""
    parts = urlsplit(to)
    target = Path(os.path.normpath(file.parent / unquote(parts.path))) if parts.path else file
    if not target.exists():
        return False
    return not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].ids

"""Links between the project's pages lead to files and headings that exist, and follow pages that the site moves."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tools.docs_site import links, reference
from tools.pages import ROOT, pages

PAGES = sorted({*pages(), *ROOT.glob("*.md"), ROOT / "src/boxwood/data/datasets/README.md"})
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors that a code host and the site give to the headings of a page."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", head.lower().strip()).replace(" ", "-") for head in HEADING.findall(text)}


def dead_links(page: Path) -> list[str]:
    """Links of a page to files or headings that do not exist."""
    dead = []
    for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = unquote(target).partition("#")
        if re.match(r"[a-z]+:", target) or path.startswith(("reference/", "../reference/")):
            continue  # elsewhere; or a page of the API reference, which is written when the site is built
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            dead.append(target)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_somewhere(page):
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n[a](#a-page) [b](#none) [c](other.md) [d](https://example.org)\n", encoding="utf-8")
    assert dead_links(page) == ["#none", "other.md"]


def test_links_follow_pages_that_move(tmp_path):
    root, site = tmp_path / "root", tmp_path / "site"
    places = {root / "CHANGES.md": site / "project/changes.md", root / "docs/tree.md": site / "tree.md"}
    text = (
        "[tree](docs/tree.md#leaves) [self](CHANGES.md) [out](https://example.org)\n\n```md\n[x](docs/tree.md)\n```\n"
    )
    moved = links.moved(text, root / "CHANGES.md", site / "project/changes.md", places)
    assert moved.startswith("[tree](../tree.md#leaves) [self](changes.md) [out](https://example.org)\n")
    assert "[x](docs/tree.md)" in moved


def test_patterns_without_pages_leave_the_contents(tmp_path):
    (tmp_path / "algorithms").mkdir()
    (tmp_path / "algorithms/cart.md").touch()
    assert links.without_empty_globs("**cart\ntutorials/*\nalgorithms/*\n", tmp_path) == "**cart\nalgorithms/*\n"


def test_faults_of_a_finished_site_are_found(tmp_path):
    (tmp_path / "b.html").write_text('<h1 id="top">B</h1>', encoding="utf-8")
    page = '<script src="https://elsewhere/x.js"></script><a href="b.html#top">'
    page += '</a><a href="b.html#no"></a><a href="c"></a>'
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    (tmp_path / "s.css").write_text("@import 'https://elsewhere/font.css';", encoding="utf-8")
    assert [fault.partition(",")[0] for fault in links.faults(tmp_path)] == [
        "a.html loads https://elsewhere/x.js from elsewhere",
        "a.html links to b.html#no",
        "a.html links to c",
        "s.css loads something from elsewhere",
    ]


def test_the_reference_of_the_site_names_things_where_they_are():
    for _, names in reference.GROUPS.values():
        for name in names:
            assert reference.thing_at(name) is not None, name

"""The page in headless Chromium: how it looks, prints, reads aloud, and copes with ten thousand nodes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from boxwood import CARTClassifier
from explorer.visiting import Visit

#: Pictures of the pages are left in this folder, if it is named.
PICTURES = os.environ.get("BOXWOOD_PICTURES")


def axe() -> str | None:
    """The rules of accessibility, if the package axe-core lies on this machine."""
    npm = shutil.which("npm")
    roots = [Path(__file__).parents[2] / "node_modules"]
    if npm:
        roots.append(Path(subprocess.run([npm, "root", "-g"], capture_output=True, encoding="utf-8").stdout.strip()))
    found = [root / "axe-core" / "axe.min.js" for root in roots]
    return next((file.read_text(encoding="utf-8") for file in found if file.is_file()), None)


@pytest.mark.parametrize(("name", "scheme"), [("titanic", "light"), ("computers", "dark"), ("soybean", "light")])
def test_rules_of_accessibility(visit, name, scheme):
    rules = axe()
    if rules is None:
        pytest.skip("axe-core is not installed (npm install -g axe-core)")
    page = visit(name, color_scheme=scheme).page
    page.evaluate(rules)
    broken = {}
    for tab in ("tab-node", "tab-whatif", "tab-pruning", "tab-edit", "tab-leaves", "tab-report"):
        page.click(f"#{tab}")
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        assert len(found["passes"]) > 15
        broken |= {(tab, rule["id"]): [node["target"] for node in rule["nodes"]][:3] for rule in found["violations"]}
    assert broken == {}


def test_a_screen_reader_hears_the_tree(visit):
    spoken = visit("titanic").page.locator("[role=tree]").aria_snapshot()
    assert 'treeitem "sex = female; predicts yes 73.2 %; 276 of 376 rows;' in spoken.replace("'", "")


@pytest.mark.long
def test_ten_thousand_nodes(browser, tmp_path, record_property):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25_000, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 2 * rng.normal(size=len(X)) > 0).astype(int)
    model = CARTClassifier(pruning=None).fit(X, y)
    nodes = model.tree_.n_nodes
    assert nodes > 10_000
    model.prune(n_leaves=5_000).explore(path=tmp_path / "large.html")
    seen = Visit(browser, tmp_path / "large.html")
    took = seen.page.evaluate(
        """() => new Promise((done) => {
            const began = performance.now();
            document.getElementById("unfold").click();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
        })"""
    )
    shown = seen.page.get_attribute("[role=tree]", "aria-label")
    print(f"\n{shown}: drawn in {took:.0f} ms")
    record_property("milliseconds", took)
    assert int("".join(filter(str.isdigit, shown))) > 9_900
    assert seen.page.locator("[role=treeitem]").count() < 1_300
    began = time.perf_counter()
    seen.page.fill("#search", "n>100")
    seen.page.locator("#found:not(:empty)").wait_for(state="attached")  # the page lets no script text be evaluated
    print(f"searched in {1000 * (time.perf_counter() - began):.0f} ms")
    seen.page.press("#search", "Enter")  # brings a box near enough to be read
    assert seen.page.locator(".node.selected .condition").count() == 1
    seen.close()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("light", {}), ("dark", {"color_scheme": "dark"}), ("narrow", {"viewport": {"width": 390, "height": 844}}),
        ("report", {"part": "", "viewport": {"width": 1440, "height": 1150}}),
        ("calm", {"reduced_motion": "reduce", "forced_colors": "active"}),
    ],
)  # fmt: skip
def test_it_looks_right_everywhere(visit, tmp_path, name, options):
    """No part is wider than the window; pictures are kept where BOXWOOD_PICTURES points."""
    page = visit("titanic", **options).page
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    folder = Path(PICTURES) if PICTURES and name != "calm" else tmp_path
    page.screenshot(path=folder / f"explorer_{name}.png")
    assert (folder / f"explorer_{name}.png").stat().st_size > 5_000


@pytest.mark.parametrize("landscape", [False, True])
def test_it_prints_the_report_and_the_tree_and_no_panel(visit, tmp_path, landscape):
    page = visit("titanic").page
    page.emulate_media(media="print")
    assert page.locator("#report").is_visible()
    assert not page.locator("#explorer").is_visible()
    page.pdf(path=tmp_path / "page.pdf", format="A4", landscape=landscape)
    assert page.locator("#paper *").count() == 0  # drawn for paper only
    text = "".join(pages_of(tmp_path / "page.pdf"))
    for words in ("Copy rule", "Weakest-link pruning", "Competing splits", "Confidence"):
        assert words not in text


def test_large_trees_are_printed_in_parts_with_their_paths(visit, tmp_path):
    page = visit("branches", part="").page
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    text = "".join(pages_of(tmp_path / "page.pdf"))
    further = re.findall(r"▸ node (\d+)", text)
    assert len(further) > 3
    assert re.findall(r"Node (\d+): region ", text) == further
    assert text.index("Tree for y") < text.index(f"Node {further[0]}: ")


def test_the_report_comes_first_and_prints_with_the_tree(visit, tmp_path):
    seen = visit("titanic", part="")
    page = seen.page
    assert page.is_visible("#report")
    assert not page.is_visible("#tree")
    assert not page.is_visible("#search")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert page.is_visible("#report")
    text = pages_of(tmp_path / "report.pdf")
    assert len(text) >= 3
    assert "Evaluation on the training set" in text[0]
    assert "Variables used, by importance" in "".join(text[:3])
    assert "sex = male" in "".join(text[2:])  # the tree was never open, and is drawn for paper all the same
    page.click("#tab-explorer")
    assert page.is_visible("#tree")
    assert page.is_visible("#search")


def pages_of(file: Path) -> list[str]:
    """The text of each page of a PDF."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext is not installed (apt install poppler-utils)")
    done = subprocess.run([program, "-layout", str(file), "-"], capture_output=True, encoding="utf-8", check=True)
    return done.stdout.split("\f")[:-1]


@pytest.mark.parametrize("name", ["titanic", "computers", "melons", "soybean", "hostile", "leaf"])
def test_the_report_fits_a_phone(visit, name):
    page = visit(name, part="", viewport={"width": 390, "height": 844}).page
    assert page.is_visible("#report")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for part in (*page.locator(".sheet .scroll").all(), *page.locator(".sheet svg").all()):
        assert part.evaluate("part => part.scrollWidth <= part.clientWidth || part.tagName === 'svg'")
        assert part.bounding_box()["x"] + part.bounding_box()["width"] <= 390

"""The page on paper: trees in one piece or in parts, words of at least 5 points, and no page two thirds empty."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, CHAIDClassifier, ID3Classifier
from explorer.conftest import many_branches
from explorer.visiting import Visit

#: Pixels of margin of a page (12 mm) at the resolution at which pages are measured, and what is darker than paper.
DPI, MARGIN, PAPER = 36, 17, 235
LONG = [f"the average monthly balance of account number {i} in the last year" for i in range(6)]
CJK = ["上一学期平均学分绩点与排名", "家庭年收入", "出勤率", "선호하는 과목의 이름", "年龄", "兴趣"]
SHORT = ["age", "income", "balance", "tenure", "visits", "score"]
#: The size of the words of each figure in points, and how many nodes it has, once the page was made ready for paper.
FIGURES = """() => {
  dispatchEvent(new Event("beforeprint"));
  return [...document.querySelectorAll("#paper svg.drawn")].map((figure) => {
    const scale = figure.getAttribute("width") / figure.getAttribute("viewBox").split(" ")[2];
    const sizes = [...figure.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
    return [Math.min(...sizes) * scale * 0.75, figure.querySelectorAll(".node").length];
  });
}"""


@pytest.fixture(scope="module")
def grown() -> dict[str, tuple]:
    """Full trees of the same table with names of three kinds, and the table."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 3000)).round(2)
    noise = rng.random(3000)
    a, b, c, d, e, _ = values
    y = noise < 1 / (1 + np.exp(-(2 * np.sin(2 * a) + b * c + np.cos(2 * d) * e)))
    found = {}
    for kind, names, labels in (
        ("short", SHORT, ("no", "yes")), ("long", LONG, ("a class with a rather long name", "another class")),
        ("cjk", CJK, ("未通过", "通过考试")),
    ):  # fmt: skip
        X = dict(zip(names, values, strict=True))
        found[kind] = (
            CARTClassifier(pruning=None).fit(X, np.array(labels)[y.astype(int)]),
            X,
            np.array(labels)[y.astype(int)],
        )
    return found


def page_of(grown, name: str, file: Path) -> int:
    """Write the page of a tree; returns its number of leaves."""
    kind, _, leaves = name.partition(" ")
    if kind == "branches":
        X, y = many_branches()
        model = CHAIDClassifier(alpha_merge=0.6).fit(X, y)
    elif kind == "balanced":
        x = np.arange(1200) / 1200
        X, y = {"x": x}, np.floor(int(leaves) * x)
        model = CARTRegressor(pruning=None, max_depth=5).fit(X, y)
    else:
        full, X, y = grown[kind]
        model = full.prune(n_leaves=int(leaves))
    model.explore(X, y, file)
    return model.tree_.n_leaves


def fills(file: Path, folder: Path) -> list[float]:
    """How far down each page of a PDF is printed on, as a share of its height between the margins."""
    program, image = shutil.which("pdftoppm"), pytest.importorskip("PIL.Image")
    if program is None:
        pytest.skip("pdftoppm is not installed (apt install poppler-utils)")
    subprocess.run([program, "-r", str(DPI), "-gray", str(file), str(folder / "page")], check=True)
    shares = []
    for page in sorted(folder.glob("page-*.pgm")):
        with image.open(page) as opened:
            inked = np.flatnonzero((np.asarray(opened)[MARGIN:-MARGIN] < PAPER).any(axis=1))
            shares.append(float(inked[-1] + 1) / (opened.height - 2 * MARGIN) if len(inked) else 0.0)
    return shares


CASES = [
    "short 2", "short 5", "short 10", "short 24", "short 30", "short 32", "short 60", "short 200",
    "balanced 30", "balanced 31", "branches", "cjk 26", "long 24",
]  # fmt: skip


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_words_can_be_read_and_no_page_is_two_thirds_empty(browser, grown, tmp_path, name, size):
    leaves = page_of(grown, name, tmp_path / "page.html")
    seen = Visit(browser, tmp_path / "page.html", part="")
    figures = seen.page.evaluate(FIGURES)
    assert min(size for size, _ in figures) >= 5.0
    assert (len(figures) == 1) == (leaves <= 30)
    if leaves <= 30:
        assert figures[0][1] == 2 * leaves - 1
    seen.page.pdf(path=tmp_path / "page.pdf", format=size)
    seen.close()
    assert min(fills(tmp_path / "page.pdf", tmp_path)) > 1 / 3


@pytest.mark.parametrize("name", ["short 24", "balanced 30", "short 60"])
def test_a_report_printed_lying_leaves_the_tree_as_large(browser, grown, tmp_path, name):
    page_of(grown, name, tmp_path / "page.html")
    seen = Visit(browser, tmp_path / "page.html", part="")
    seen.page.pdf(path=tmp_path / "page.pdf", format="A4", landscape=True)
    seen.page.emulate_media(media="print")
    assert min(size for size, _ in seen.page.evaluate(FIGURES)) >= 5.0
    seen.close()
    assert min(fills(tmp_path / "page.pdf", tmp_path)) > 1 / 3


def test_of_a_huge_tree_sixty_parts_are_printed_and_the_rest_is_counted(browser, tmp_path):
    rng = np.random.default_rng(0)
    model = CARTRegressor(pruning=None).fit({"x": rng.random(6000)}, rng.random(6000))
    assert model.tree_.n_leaves > 2000
    model.explore(path=tmp_path / "page.html")
    seen = Visit(browser, tmp_path / "page.html", part="")
    began = time.perf_counter()
    assert len(seen.page.evaluate(FIGURES)) == 60
    print(f"made ready for paper in {1000 * (time.perf_counter() - began):.0f} ms")
    further = seen.page.locator("#paper > p").text_content()
    seen.close()
    assert re.fullmatch(r"\d+ parts more can be seen in the explorer\.", further)


def test_a_node_of_more_branches_than_a_page_holds_is_drawn_in_strips(browser, tmp_path):
    rng = np.random.default_rng(0)
    town = rng.integers(0, 90, 4000)
    X = {"town": np.array([f"town {i:02}" for i in range(90)])[town]}
    model = ID3Classifier().fit(X, (rng.random(4000) < town / 90).astype(int))
    assert model.tree_.n_leaves == 90
    model.explore(path=tmp_path / "page.html")
    seen = Visit(browser, tmp_path / "page.html", part="")
    figures = seen.page.evaluate(FIGURES)
    words = seen.page.locator("#paper .condition").all_text_contents()
    seen.page.pdf(path=tmp_path / "page.pdf", format="A4")
    seen.close()
    assert len(figures) == 3
    assert min(size for size, _ in figures) >= 5.0
    assert sorted(words) == ["all rows", *(f"town = town {i:02}" for i in range(90))]
    assert min(fills(tmp_path / "page.pdf", tmp_path)) > 1 / 3


def test_a_deep_tree_of_few_leaves_is_drawn_in_parts(browser, tmp_path):
    """A chain of 25 splits: no page has room for its depth at 5 points."""
    X = {"x": np.arange(26.0)}
    model = CARTRegressor(pruning=None).fit(X, 3.0 ** np.arange(26))
    assert model.tree_.max_depth > 15
    model.explore(path=tmp_path / "page.html")
    seen = Visit(browser, tmp_path / "page.html", part="")
    figures = seen.page.evaluate(FIGURES)
    captions = seen.page.locator("#paper figcaption").all_text_contents()
    seen.close()
    assert len(figures) > 2
    assert min(size for size, _ in figures) >= 5.0
    assert all(re.match(r"Node \d+: x ≤ ", words) for words in captions)

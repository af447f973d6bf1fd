"""In a real browser, with real fonts: words do not touch, and none leaves its box."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from boxwood import datasets
from boxwood.pictures.draw import tree_scene
from boxwood.pictures.options import PictureOptions
from boxwood.pictures.rows import read_rows
from boxwood.pictures.svg import scene_svg
from pictures.boxes import touching
from tree.random_trees import random_tree

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="needs chromium (package chromium)")

#: Writes the boxes of all words, and the size of the picture, where the test can read them.
MEASURE = """
const svg = document.querySelector('svg'), frame = svg.getBoundingClientRect();
const boxes = [...svg.querySelectorAll('text')].map(t => {
  const b = t.getBoundingClientRect(), size = parseFloat(getComputedStyle(t).fontSize);
  const base = t.getScreenCTM().f + parseFloat(t.getAttribute('y'));
  return [b.left - frame.left, base - 0.8 * size - frame.top, b.right - frame.left, base + 0.22 * size - frame.top,
          t.textContent];
});
document.title = 'done';
const out = document.createElement('pre');
out.id = 'out';
out.textContent = JSON.stringify([boxes, frame.width, frame.height]);
document.body.append(out);
"""


def measured(pictures: list[str], folder) -> list:
    """What the browser reports of each picture, in one start for all of them."""
    found = []
    for at, svg in enumerate(pictures):
        page = folder / f"{at}.html"
        page.write_text(f'<!doctype html><meta charset="utf-8"><body>{svg}<script>{MEASURE}</script>', encoding="utf-8")
        done = subprocess.run(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={folder}/user",
             page.as_uri()],
            capture_output=True, encoding="utf-8", timeout=300, check=True,
        )  # fmt: skip
        text = re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.DOTALL).group(1)
        for escape, sign in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
            text = text.replace(escape, sign)
        found.append(json.loads(text))
    return found


def test_words_do_not_touch_in_a_browser(tmp_path):
    from boxwood import CARTClassifier

    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier().fit(X, y)
    scenes = [
        tree_scene(random_tree(5, "classes", 61), PictureOptions(content="counts", max_leaves=None, title="标题 제목")),
        tree_scene(random_tree(6, "mean", 61), PictureOptions(direction="right", node_numbers=True)),
        tree_scene(model.tree_, PictureOptions(content="histogram"), read_rows(model.tree_, X, y)),
    ]
    for boxes, width, height in measured([scene_svg(scene) for scene in scenes], tmp_path):
        boxes = [tuple(box) for box in boxes]
        assert len(boxes) > 30
        assert touching(boxes, slack=0.5) == []
        assert [b[4] for b in boxes if b[0] < 0 or b[2] > width or b[1] < 0 or b[3] > height] == []

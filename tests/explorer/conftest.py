"""Headless Chromium, pages of several kinds of trees, and a visit to one of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from explorer.test_answers import hostile_table
from explorer.visiting import Visit

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window; the test is skipped, with the reason, where it or what leads it is not installed."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (apt install chromium)")
    with api.sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """Pages of several kinds of trees."""
    folder = tmp_path_factory.mktemp("pages")
    titanic = datasets.load("titanic")
    survived = pd.Series(titanic.pop("survived"), name="survived")
    computers = datasets.load("computer_hardware")
    speed = computers.pop("performance")
    melons = datasets.load("watermelon_3")
    ripe = melons.pop("好瓜")
    melons.pop("编号")
    soybean = datasets.load("soybean")
    disease = soybean.pop(list(soybean)[-1])
    X, y, _ = hostile_table()
    models = {
        "titanic": (CARTClassifier(max_competitors=3), titanic, survived),
        "computers": (CARTRegressor(), computers, speed),
        "melons": (C45Classifier(pruning=None), melons, ripe),
        "soybean": (C45Classifier(), soybean, disease),
        "chaid": (CHAIDClassifier(), titanic, survived),
        "branches": (CHAIDClassifier(alpha_merge=0.6), *many_branches()),
        "hostile": (CARTClassifier(pruning=None), X, y),
        "leaf": (CARTClassifier(max_depth=1, pruning=None), {"a": [1, 1]}, ["x", "x"]),
    }
    found = {}
    for name, (model, X, y) in models.items():
        found[name] = folder / f"{name}.html"
        model.fit(X, y).explore(X, y, found[name])
    return found


def many_branches() -> tuple[dict, np.ndarray]:
    """A table whose CHAID tree has 17 branches at the root, and more below."""
    rng = np.random.default_rng(117)
    region, colour = rng.integers(0, 18, 18_000), rng.choice(["红", "绿"], 18_000)
    y = rng.random(18_000) < (0.03 + 0.055 * region) * np.where(colour == "红", 0.6, 1.0)
    return {"region": np.array([f"region {chr(97 + i)}" for i in region]), "colour": colour}, y


@pytest.fixture
def visit(browser, files):
    """Opens a page by name; in the end nothing may have been requested, and nothing have failed."""
    opened = []

    def open_page(name: str, **options) -> Visit:
        opened.append(Visit(browser, files[name], **options))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()

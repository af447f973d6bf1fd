"""Editing in the page: its log is the one that Python writes, and replays to the same bytes."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood.cli import main
from boxwood.edits import PruneNode, SignNode, SplitNode
from explorer.visiting import Visit


@pytest.fixture(scope="module")
def loans(tmp_path_factory) -> Path:
    """A folder with rows, a model and its page."""
    folder, rng = tmp_path_factory.mktemp("loans"), np.random.default_rng(41)
    towns, n = ["Ulm", "Köln", "京都", "大阪", "São Paulo"], 900
    X = pd.DataFrame(
        {"town": rng.choice(towns, n), "年龄": rng.integers(18, 80, n), "income": rng.gamma(4, 900, n).round(2)}
    )
    odds = 0.25 + 0.3 * X["town"].isin(["京都", "大阪"]) + 0.25 * (X["年龄"] > 45) + 0.15 * (X["income"] > 4200)
    X.loc[rng.random(n) < 0.05, "income"] = np.nan
    X["批准"] = np.where(rng.random(n) < odds, "是", "否")
    X.to_csv(folder / "loans.csv", index=False)
    grown = ("--pruning", "none", "--max-depth", 3, "--max-competitors", 3)
    run("fit", folder / "loans.csv", "--target", "批准", *grown, "-o", folder / "loans.box")
    run("explore", folder / "loans.box", folder / "loans.csv", "-o", folder / "loans.html")
    return folder


def run(*words) -> None:
    assert main([*map(str, words)]) == 0


@pytest.fixture
def seen(browser, loans):
    visit = Visit(browser, loans / "loans.html")
    visit.page.click("#tab-edit")
    yield visit
    visit.close()


def choose(page, box: int) -> None:
    page.focus(f"#box{box}")
    page.locator(f"#box{box}").dispatch_event("click")


def saved(page) -> dict:
    with page.expect_download() as waiting:
        page.click("#edit-save")
    return json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))


def test_the_log_of_the_page_is_that_of_python_and_replays_to_the_same_bytes(seen, loans):
    page = seen.page
    page.fill("#who", "王伟")
    page.fill("#why", "too few rows")
    choose(page, 3)
    page.click("#edit-prune")
    choose(page, 9)  # now node 7
    page.fill("#edit-condition", "年龄 <= 60")
    page.click("#edit-by-condition")
    choose(page, 5)
    page.fill("[aria-label='cut 1 of 年龄, exact value']", "30")
    page.click("#edit-split")
    choose(page, 6)
    page.click("[data-rival='1']")
    page.click("#edit-undo")
    page.click("#edit-redo")
    choose(page, 0)
    page.focus("[aria-label='Köln, branch 1']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.click("#edit-split")
    log = saved(page)
    (loans / "edits.json").write_text(json.dumps(log, ensure_ascii=False), encoding="utf-8")
    assert all(datetime.fromisoformat(entry["when"]) for entry in log["edits"])

    table = pd.read_csv(loans / "loans.csv")
    y = table.pop("批准")
    model = boxwood.load(loans / "loans.box")
    editor = model.edit(table, y)
    verbs = [
        PruneNode(3),
        SplitNode(7, "年龄 <= 60"),
        SplitNode(5, ["年龄 <= 30", "年龄 > 30"]),
        SplitNode(6, competitor=1),
        SplitNode(0, ["town in {São Paulo, Ulm}", "town in {Köln, 京都, 大阪}"]),
    ]
    for verb, entry in zip(verbs, log["edits"], strict=True):
        editor.take(verb, who="王伟", when=entry["when"], why="too few rows" if verb == verbs[0] else None)
    computed = {"price", "effect"}
    assert log == editor.log | {"edits": [{k: e[k] for k in e.keys() - computed} for e in editor.log["edits"]]}
    run("edit", loans / "loans.box", loans / "loans.csv", "--log", loans / "edits.json", "-o", loans / "edited.box")
    model.save(loans / "python.box")
    assert (loans / "edited.box").read_bytes() == (loans / "python.box").read_bytes()
    assert editor.replay([]).taken == 0


def test_a_drag_takes_a_level_to_a_branch_and_none_may_be_empty(seen):
    page = seen.page
    branches = page.locator(".side")
    for town in ("京都", "大阪"):
        page.locator(".side button", has_text=town).drag_to(branches.first)
    assert branches.first.locator("button").count() == 5
    assert "No value that comes to this node goes down branch 2." in seen.text("#edit-node")
    assert page.is_disabled("#edit-split")
    page.locator(".side button", has_text="Ulm").drag_to(branches.last)
    assert "town in {Köln, São Paulo, 京都, 大阪} | town = Ulm" in seen.text("#edit-node")
    page.click("#edit-split")
    assert saved(page)["edits"][0]["condition"] == ["town in {Köln, São Paulo, 京都, 大阪}", "town = Ulm"]


def test_what_is_not_known_is_marked_and_undo_leads_back(seen):
    page = seen.page
    before = seen.text("#subtitle"), seen.text("#tree")
    choose(page, 4)
    page.click("[data-rival='1']")
    page.click("#tab-node")
    assert "its branches are computed when the log is replayed" in seen.text("#view-node")
    assert "† split by hand" in seen.text("#box4")
    assert seen.text("#subtitle").endswith("1 edit")
    assert page.evaluate("document.getElementById('view-pruning').inert")
    page.click("#tab-leaves")
    assert "† split by hand" in seen.text("#leaves")
    page.click("#tab-tree")
    page.click("#tab-edit")
    page.click("#edit-undo")
    assert (seen.text("#subtitle"), seen.text("#tree")) == before
    assert not page.evaluate("document.getElementById('view-pruning').inert")
    assert page.is_disabled("#edit-save")


def test_edits_are_made_to_the_tree_of_the_model(seen):
    page = seen.page
    page.click("#tab-pruning")
    page.focus("#prune")
    page.keyboard.press("Home")
    page.click("#tab-edit")
    assert page.locator("#edit-prune, #edit-condition").count() == 0
    page.click("#edit-selected")
    assert page.locator("#edit-prune, #edit-condition").count() == 2


def test_signed_nodes_are_not_changed(browser, tmp_path):
    model = boxwood.CARTClassifier(pruning=None).fit({"a": [1, 2, 3, 4]}, ["no", "no", "yes", "yes"])
    model.edit({"a": [1, 2, 3, 4]}, ["no", "no", "yes", "yes"]).take(SignNode(1), who="王伟")
    model.explore().save(tmp_path / "signed.html")
    visit = Visit(browser, tmp_path / "signed.html")
    visit.page.click("#tab-edit")
    assert "A node here was signed or overruled" in visit.text("#edit-node")
    assert visit.page.locator("#edit-node button").count() == 0
    visit.close()


def test_a_cut_is_pulled_on_the_histogram(seen):
    page = seen.page
    choose(page, 5)
    place = page.locator(".bins").bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + 20)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] / 4, place["y"] + 20)
    page.mouse.up()
    cut = int(page.input_value("[aria-label='cut 1 of 年龄, exact value']"))
    assert 20 <= cut <= 26
    assert f"年龄 <= {cut} | 年龄 > {cut}" in seen.text("#edit-node")
    page.focus("[aria-label='cut 1 of 年龄']")
    page.keyboard.press("ArrowRight")
    page.click("#edit-split")
    assert saved(page)["edits"][0]["condition"] == [f"年龄 <= {cut + 1}", f"年龄 > {cut + 1}"]

"""The page in headless Chromium: nothing is loaded, nothing fails, and everything on it works."""

from __future__ import annotations

from pathlib import Path

import pytest

NAMES = ("titanic", "computers", "melons", "soybean", "chaid", "hostile", "leaf")


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_without_a_request_or_an_error(visit, name):
    seen = visit(name)
    page = seen.page
    for wrong in ("null", "undefined", "NaN"):
        assert name == "hostile" or wrong not in page.inner_text("body"), wrong
    assert page.locator("[role=treeitem]").count() >= 1
    assert page.locator("[role=treeitem]").count() <= 60
    for tab in ("tab-whatif", "tab-pruning", "tab-edit", "tab-leaves", "tab-tree"):
        page.click(f"#{tab}")
        assert page.get_attribute(f"#{tab}", "aria-selected") == "true"


def test_clicks_choose_and_open_nodes(visit):
    seen = visit("titanic")
    page = seen.page
    assert seen.text("#view-node .kind").startswith("Node 0 · root")
    boxes = page.locator("[role=treeitem]").count()
    page.click("#box0 [data-knob]")
    assert page.locator("[role=treeitem]").count() == 1
    assert page.get_attribute("#box0", "aria-expanded") == "false"
    page.click("#box0 [data-knob]")
    assert page.locator("[role=treeitem]").count() == boxes
    page.click("#box2", position={"x": 30, "y": 10})
    assert page.get_attribute("#box2", "aria-selected") == "true"
    assert seen.text("#view-node .kind").startswith("Node 2 · ")
    assert seen.text("#view-node .rule") == "sex = female"
    assert "Competing splits" in seen.text("#view-node")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 700), (1440, 900)])
def test_the_children_of_the_root_are_open_and_no_knob_covers_a_count(visit, width, height):
    page = visit("branches", viewport={"width": width, "height": height}).page
    assert page.locator("[role=treeitem][aria-level='2']").count() == 17
    place = page.locator("#box0").bounding_box()
    canvas = page.locator("#tree").bounding_box()
    assert canvas["x"] < place["x"] < canvas["x"] + canvas["width"] - place["width"]
    assert canvas["y"] < place["y"] < canvas["y"] + canvas["height"] - place["height"]
    assert float(page.locator("#box0 .condition").bounding_box()["height"]) > 7
    for box in page.locator("[role=treeitem]:has([data-knob])").all():
        count, knob = box.locator(".rows").bounding_box(), box.locator("[data-knob]").bounding_box()
        assert count["x"] + count["width"] < knob["x"]


def test_keys_walk_and_open(visit):
    seen = visit("titanic")
    page = seen.page
    page.focus("#box0")
    for key, expected in (("ArrowRight", "box1"), ("ArrowRight", "box3"), ("ArrowDown", "box7"), ("ArrowUp", "box3")):
        page.keyboard.press(key)
        assert seen.focused() == expected, key
    page.keyboard.press("ArrowLeft")  # closes
    assert page.get_attribute("#box3", "aria-expanded") == "false"
    page.keyboard.press("ArrowLeft")  # to the parent
    assert seen.focused() == "box1"
    for key, state in (("Enter", "false"), (" ", "true")):
        page.keyboard.press(key)
        assert page.get_attribute("#box1", "aria-expanded") == state
    page.keyboard.press("End")
    last = seen.focused()
    page.keyboard.press("Home")
    assert seen.focused() == "box0" != last
    assert page.locator("[role=treeitem][tabindex='0']").count() == 1
    page.keyboard.press("/")
    assert seen.focused() == "search"


def test_search_and_filters(visit):
    seen = visit("titanic")
    page = seen.page
    nodes = int(page.evaluate("document.querySelectorAll('[role=treeitem]').length"))
    page.fill("#search", "sex = female")
    assert seen.text("#found") == f"5 of {nodes} nodes"  # the node and all below it: their rows fulfil the condition
    assert page.locator(".node.found").count() == 5
    assert page.locator(".node.dim").count() == nodes - 5
    page.press("#search", "Enter")
    assert page.get_attribute("#box2", "aria-selected") == "true"
    page.press("#search", "Escape")
    assert page.locator(".node.dim").count() == 0
    page.fill("#confidence", "90")
    page.click("#tab-leaves")
    assert page.locator("#leaves tbody tr").count() == page.locator("#leaves tbody tr", has_text="9").count() > 0
    sure = page.locator("#leaves tbody tr td:nth-child(6)").all_text_contents()
    assert all(float(text.removesuffix(" %")) >= 90 for text in sure)
    page.select_option("#class", label="yes")
    assert set(page.locator("#leaves tbody tr td:nth-child(5)").all_text_contents()) == {" yes"}


def test_the_table_of_leaves_is_sorted_and_saved(visit):
    seen = visit("computers")
    page = seen.page
    page.click("#tab-leaves")
    page.click("#sort-rows")
    rows = [int(text) for text in page.locator("#leaves tbody td:nth-child(3)").all_text_contents()]
    assert rows == sorted(rows, reverse=True)
    assert page.get_attribute("th:has(#sort-rows)", "aria-sort") == "descending"
    with page.expect_download() as waiting:
        page.click("#csv")
    lines = Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "node,rule,rows,share,mean,standard deviation"
    assert [int(line.split(",")[-4]) for line in lines[1:]] == rows
    page.click("#leaves tbody tr:nth-child(3) button")
    assert seen.focused().startswith("box")


def test_what_if(visit):
    seen = visit("titanic")
    page = seen.page
    page.click("#tab-whatif")
    sex = page.locator("select[aria-label=sex]")
    sex.select_option(label="female")
    page.locator("select[aria-label=class]").select_option(label="1st")
    assert seen.text("#prediction") == "yes"
    assert page.get_attribute("#box2", "class").split().count("live") == 1
    assert "93.4 %" in seen.text("#answer")
    sex.select_option(label="male")
    assert seen.text("#prediction") == "no"
    page.fill("input[aria-label='age, exact value']", "9.5")
    page.fill("input[aria-label='siblings_spouses, exact value']", "2.5")
    assert seen.text("#prediction") == "yes"
    page.fill("input[aria-label='siblings_spouses, exact value']", "2.5000000000000004")
    assert seen.text("#prediction") == "no"
    page.fill("input[aria-label='age, exact value']", "old")
    assert page.get_attribute("input[aria-label='age, exact value']", "aria-invalid") == "true"
    assert seen.text("#prediction") == "no"
    page.locator("fieldset", has_text="sex").get_by_label("missing").check()
    assert "sex is missing; surrogate 1:" in seen.text("#steps")
    page.locator("input[type=range][aria-label=fare]").focus()
    before = page.input_value("input[aria-label='fare, exact value']")
    page.keyboard.press("ArrowRight")
    assert page.input_value("input[aria-label='fare, exact value']") != before


def test_what_if_with_shares_and_levels_never_seen(visit):
    seen = visit("melons")
    page = seen.page
    page.click("#tab-whatif")
    page.locator("fieldset").first.get_by_label("missing").check()
    assert "goes down every branch by its share" in seen.text("#steps")
    total = sum(float(text.removesuffix(" %")) for text in page.locator(".bars .number").all_text_contents())
    assert abs(total - 100) < 0.2
    page.locator("fieldset").first.get_by_label("missing").uncheck()
    page.locator("fieldset select").first.select_option(label="(a level never seen)")
    assert "is a level not seen here" in seen.text("#steps")


def test_a_node_can_be_tried(visit):
    seen = visit("titanic")
    page = seen.page
    leaves = page.locator("[role=treeitem].leaf")
    for i in range(leaves.count()):
        page.click("#tab-node")
        name = leaves.nth(i).get_attribute("id")
        page.focus(f"#{name}")
        page.click(f"#{name}", position={"x": 30, "y": 10})
        page.click("#try-node")
        assert "live" in page.get_attribute(f"#{name}", "class").split(), name


def test_the_slider_prunes(visit):
    seen = visit("titanic")
    page = seen.page
    page.click("#tab-pruning")
    assert seen.text("#size") == "7 leaves, selected"
    slider = page.locator("#prune")
    slider.focus()
    page.keyboard.press("Home")
    assert seen.text("#size") == "1 leaf"
    assert page.locator("[role=treeitem]").count() == 1
    page.keyboard.press("End")
    assert int(seen.text("#size").split()[0]) > 100
    assert "held out" in seen.text("#prices")
    assert "given rows" in seen.text("#prices")
    assert page.locator("[data-mark=one-se]").count() == 2
    page.click("#one-se-folds")
    assert seen.text("#size") == "6 leaves"
    page.locator("#chart svg").click(position={"x": 60, "y": 100})
    assert "leaves" in seen.text("#size") or "leaf" in seen.text("#size")
    page.click("#to-force")
    cells = page.locator("#confusions table").first.locator("td").all_text_contents()
    assert sum(map(int, cells)) == 1109


def test_rules_are_copied(visit):
    seen = visit("titanic")
    page = seen.page
    seen.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#box2", position={"x": 30, "y": 10})
    page.click("#copy-sql")
    assert page.evaluate("navigator.clipboard.readText()").endswith("\"sex\" IN ('female')")
    page.click("#copy-rule")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("sex = female: survived = yes 73.2 % (276 of 376 rows)")


def test_the_overview_chooses_what_is_clicked(visit):
    seen = visit("titanic")
    frame = seen.page.locator("#overview").bounding_box()
    seen.page.mouse.click(frame["x"] + 20, frame["y"] + frame["height"] / 4 + 6)
    assert seen.text("#view-node .kind").startswith("Node 1 ")


def test_dragging_wheel_and_buttons_move_the_tree(visit):
    page = visit("titanic").page
    where = lambda: page.get_attribute("#tree > g", "transform")  # noqa: E731
    frame = page.locator("#tree").bounding_box()
    seen = [where()]
    page.mouse.move(frame["x"] + 300, frame["y"] + 40)
    page.mouse.down()
    page.mouse.move(frame["x"] + 340, frame["y"] + 90)
    page.mouse.up()
    seen.append(where())
    page.mouse.wheel(0, 60)
    seen.append(where())
    page.click("#closer")
    seen.append(where())
    page.click("#fit")
    seen.append(where())
    assert len(set(seen[:4])) == 4
    assert seen[4] == seen[0]


def test_hostile_names_stay_words(visit):
    seen = visit("hostile")
    page = seen.page
    for tab in ("tab-whatif", "tab-pruning", "tab-edit", "tab-leaves", "tab-tree", "tab-node"):
        page.click(f"#{tab}")
    page.click("#unfold")
    assert page.locator("script").count() == 2
    assert page.locator("b, img, iframe").count() == 0
    assert "</script><script>alert(1)</script>" in page.inner_text("body")
    assert page.title().startswith("Classification tree for")

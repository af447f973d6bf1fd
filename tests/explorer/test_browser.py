"""The page in headless Chromium: nothing is loaded, nothing fails, and everything on it works."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from explorer.test_answers import hostile_table

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (apt install chromium)")

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
#: Pictures of the pages are left in this folder, if it is named.
PICTURES = os.environ.get("BOXWOOD_PICTURES")


@pytest.fixture(scope="module")
def browser():
    with api.sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield running
        running.close()


class Visit:
    """A page that was opened, with everything it asked for and everything that went wrong."""

    def __init__(self, browser, file: Path, **options):
        self.context = browser.new_context(offline=True, **{"viewport": {"width": 1440, "height": 900}, **options})
        self.page = self.context.new_page()
        self.asked, self.wrong = [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text))
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.page.goto(file.as_uri())
        self.own = file.as_uri()

    def text(self, selector: str) -> str:
        return self.page.text_content(selector)

    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.id")

    def close(self) -> None:
        # Files that the page itself makes for the user (blob:) are no requests.
        assert [url for url in self.asked if not url.startswith("blob:")] == [self.own]
        assert self.wrong == []
        self.context.close()


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
        "hostile": (CARTClassifier(pruning=None), X, y),
        "leaf": (CARTClassifier(max_depth=1, pruning=None), {"a": [1, 1]}, ["x", "x"]),
    }
    found = {}
    for name, (model, X, y) in models.items():
        found[name] = folder / f"{name}.html"
        model.fit(X, y).explore(X, y, found[name])
    return found


@pytest.fixture
def visit(browser, files):
    opened = []

    def open_page(name: str, **options) -> Visit:
        opened.append(Visit(browser, files[name], **options))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()


NAMES = ("titanic", "computers", "melons", "soybean", "chaid", "hostile", "leaf")


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_without_a_request_or_an_error(visit, name):
    seen = visit(name)
    page = seen.page
    for wrong in ("null", "undefined", "NaN"):
        assert name == "hostile" or wrong not in page.inner_text("body"), wrong
    assert page.locator("[role=treeitem]").count() >= 1
    assert page.locator("[role=treeitem]").count() <= 60
    for tab in ("tab-whatif", "tab-pruning", "tab-leaves", "tab-tree"):
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
    assert seen.text("#found") == f"1 of {nodes} nodes"
    assert page.locator(".node.found").count() == 1
    assert page.locator(".node.dim").count() == nodes - 1
    page.press("#search", "Enter")
    assert page.get_attribute("#box2", "aria-selected") == "true"
    page.press("#search", "Escape")
    assert page.locator(".node.dim").count() == 0
    page.fill("#confidence", "90")
    page.click("#tab-leaves")
    assert page.locator("#leaves tbody tr").count() == page.locator("#leaves tbody tr", has_text="9").count() > 0
    sure = page.locator("#leaves tbody tr td:last-child").all_text_contents()
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
    assert "93.9 %" in seen.text("#answer")
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
    assert "sex is missing; surrogate 1 says" in seen.text("#steps")
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
    assert seen.text("#size") == "7 leaves, in force"
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
    assert seen.text("#size") == "7 leaves, in force"
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
    assert page.evaluate("navigator.clipboard.readText()").startswith("sex = female: survived = yes 73.4 %")


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
    for tab in ("tab-whatif", "tab-pruning", "tab-leaves", "tab-tree", "tab-node"):
        page.click(f"#{tab}")
    page.click("#unfold")
    assert page.locator("script").count() == 2
    assert page.locator("b, img, iframe").count() == 0
    assert "</script><script>alert(1)</script>" in page.inner_text("body")
    assert page.title().startswith("Classification tree for")


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
    for tab in ("tab-node", "tab-whatif", "tab-pruning", "tab-leaves"):
        page.click(f"#{tab}")
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        assert len(found["passes"]) > 15
        broken |= {(tab, rule["id"]): [node["target"] for node in rule["nodes"]][:3] for rule in found["violations"]}
    assert broken == {}


def test_a_screen_reader_hears_the_tree(visit):
    spoken = visit("titanic").page.locator("[role=tree]").aria_snapshot()
    assert 'treeitem "sex = female; says yes 73.4 %; 376 rows;' in spoken.replace("'", "")


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
        ("calm", {"reduced_motion": "reduce", "forced_colors": "active"}),
    ],
)  # fmt: skip
def test_it_looks_right_everywhere(visit, tmp_path, name, options):
    """No part is wider than the window; pictures are kept where BOXWOOD_PICTURES says."""
    page = visit("titanic", **options).page
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    folder = Path(PICTURES) if PICTURES and name != "calm" else tmp_path
    page.screenshot(path=folder / f"explorer_{name}.png")
    assert (folder / f"explorer_{name}.png").stat().st_size > 5_000


def test_it_prints_the_tree_the_leaves_and_the_node(visit, tmp_path):
    page = visit("titanic").page
    page.emulate_media(media="print")
    for part in ("#tree", "#leaves", "#view-node", "#view-pruning"):
        assert page.locator(part).is_visible()
    for part in ("#search", "#view-whatif", ".zoom", ".tabs"):
        assert not page.locator(part).first.is_visible()
    page.pdf(path=tmp_path / "page.pdf", format="A4", landscape=True)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")

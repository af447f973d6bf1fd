"""The page of several responses holds each; a selector takes another into view."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor
from explorer.visiting import Visit

HERE, NODE = Path(__file__).parent, shutil.which("node")
#: Unpacks the documents of a page, and writes what each predicts for a row and at its nodes.
SWITCHES = """
import { readFileSync } from "node:fs";
const { explorer } = await import(process.argv[2]);
const { document, rows } = JSON.parse(readFileSync(0, "utf-8"));
const found = explorer.documentsOf(document).map(explorer.unpack).map((tree) => ({
  name: tree.response.name, value: tree.value, levels: tree.features.map((about) => about.levels || null),
  rows: rows.map((row) => explorer.predict(tree, row, tree.pruning.selected).value), given: tree.given,
}));
console.log(JSON.stringify(found));
"""


def data() -> tuple[dict, dict, dict]:
    """Features, two numbers and two columns of classes."""
    rng = np.random.default_rng(42)
    X = {"年齢": rng.integers(0, 60, 300), "town": rng.choice(["京都", "Ulm", "Bonn"], 300)}
    tall = 100 + X["年齢"] + 9.0 * (X["town"] == "Ulm")
    numbers = {"身長": tall + rng.normal(0, 2, 300), "weight": tall / 3 + rng.normal(0, 2, 300)}
    classes = {"色": np.where(X["年齢"] > 30, "赤", "blue"), "size": rng.choice(["<s>", "m", "大"], 300)}
    classes["size"][X["town"] == "Ulm"] = "大"
    return X, numbers, classes


MODELS = {"numbers": (CARTRegressor, 1), "classes": (CARTClassifier, 2)}


@pytest.fixture(scope="module", params=MODELS)
def made(request, tmp_path_factory):
    """A model of several responses, the features, the responses, and the file with its page."""
    estimator, at = MODELS[request.param]
    found = data()
    X, Y = found[0], found[at]
    model = estimator(max_depth=3).fit(X, Y)
    file = tmp_path_factory.mktemp("several") / "page.html"
    model.explore(X, Y, file)
    return model, X, Y, file


def document_of(page: str) -> dict:
    """The document in a page."""
    return json.loads(re.search(r'<script type="application/json" id="document">(.*?)</script>', page, re.DOTALL)[1])


def test_each_response_has_its_report_and_its_document(made):
    _, _, Y, file = made
    page = file.read_text(encoding="utf-8")
    reports = page.split('<div class="of-response">')[1:]
    assert [name in report for name, report in zip(Y, reports, strict=True)] == [True, True]
    document = document_of(page)
    names = [each["response"]["name"] for each in (document, *document["others"])]
    assert names == list(Y)
    assert not {"kids", "splits", "rows", "missing"} & set(document["others"][0]["tree"])  # the tree is held once
    assert "of all responses" in document["pruning"]["loss"]
    assert document["pruning"]["given"]["loss"]
    marks = re.findall(r' id="([^"]+)"', page)
    assert len(marks) == len(set(marks))


def test_rows_without_responses_and_the_tree_alone(made):
    model, X, Y, _ = made
    for page in (model.explore(), model.explore(X), model.tree_.explore(X, Y)):
        document = document_of(page.html)
        assert [each["response"]["name"] for each in document["others"]] == list(Y)[1:]
    assert document_of(model.of_response(1).explore().html).get("others") is None


def test_pruning_adds_the_losses_of_the_responses(made):
    """At the root, the loss in training is that of the given rows, which are the same."""
    *_, file = made
    pruning = document_of(file.read_text(encoding="utf-8"))["pruning"]
    assert float(pruning["training"][-1]) == pytest.approx(float(pruning["given"]["loss"][-1]), rel=1e-4)


@pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")
def test_scripts_predict_each_response(made, tmp_path):
    model, X, Y, file = made
    document = document_of(file.read_text(encoding="utf-8"))
    levels = document["features"][1]["levels"]
    rows = [[int(age), levels.index(town)] for age, town in zip(X["年齢"], X["town"], strict=True)]
    script = tmp_path / "several.mjs"
    script.write_text(SWITCHES, encoding="utf-8")
    done = subprocess.run(
        [NODE, str(script), (HERE / "load.mjs").as_uri()], input=json.dumps({"document": document, "rows": rows}),
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for found, name in zip(json.loads(done.stdout), Y, strict=True):
        one = model.of_response(name)
        labels, expected = one.tree_.response.labels, one.predict(X)
        assert found["name"] == name
        assert found["levels"][1] == levels
        if labels:
            assert [labels[k] for k in found["rows"]] == expected.tolist()
            assert sum(found["given"]["moments"][: len(labels)]) == 300
        else:
            assert found["rows"] == expected.tolist()
            assert float(found["given"]["mean"][0]) == pytest.approx(Y[name].mean(), rel=1e-4)


def test_the_selector_takes_another_response_into_view(browser, made):
    model, _, Y, file = made
    seen, (first, second) = Visit(browser, file), Y
    page = seen.page
    assert seen.text("#title") == f"Tree for {first}"
    assert page.locator("#tab-edit").count() == 0
    page.click("#box1", position={"x": 30, "y": 10})
    before = {part: seen.text(part) for part in ("#view-node h2", "#box0", "#leaves", "#prediction", "#subtitle")}
    page.focus("#response")
    page.keyboard.press("ArrowDown")
    assert seen.text("#title") == f"Tree for {second}"
    assert seen.text("#subtitle") == before.pop("#subtitle")
    for part, words in before.items():
        assert seen.text(part) != words, part
    assert seen.text("#view-node .kind").startswith("Node 1 · ")
    assert page.locator("#responses tbody th").all_text_contents() == [first, second]
    assert seen.text("#view-node h2").startswith(f"{second} = ")
    assert seen.text("#responses tbody tr:nth-child(2) td") in seen.text("#view-node h2")
    assert seen.text("#announced") == f"Response {second}."
    labels = list(map(str, model.of_response(second).tree_.response.labels))
    options = [text.strip('"') for text in page.locator("#class option").all_text_contents()]
    assert options == (["any class", *labels] if labels else [])
    assert [text.strip() for text in page.locator("#legend li").all_text_contents()] == labels
    for tab in ("tab-whatif", "tab-pruning", "tab-leaves", "tab-report"):
        page.click(f"#{tab}")
    assert [report.is_visible() for report in page.locator(".of-response").all()] == [False, True]
    page.select_option("#response", label=first)
    page.click("#tab-explorer")
    page.click("#tab-tree")
    assert seen.text("#title") == f"Tree for {first}"
    assert {part: seen.text(part) for part in before} == before
    for wrong in ("null", "undefined", "NaN"):
        assert wrong not in page.inner_text("body")
    seen.close()

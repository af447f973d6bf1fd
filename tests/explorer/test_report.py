"""The first page: data, target, base rate, evaluation beside the baseline, calibration, variables, size."""

from __future__ import annotations

import datetime
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, ParameterError, __version__, datasets
from boxwood.algorithms import REGISTRY
from boxwood.cli import main
from boxwood.model.explorer.contents import MOST_NODES, within_limit
from boxwood.model.explorer.document import to_document
from boxwood.model.explorer_page import contents_of, given_to_show
from boxwood.model.splits.rivals import MOST_NODES as MOST_RIVAL_NODES


class Text(HTMLParser):
    """The words of a page up to its script."""

    def __init__(self, page: str):
        super().__init__()
        self.words, self.within = [], []
        self.feed(page.partition('<section id="explorer"')[0])

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "rect", "path", "input"):
            self.within.append(tag)

    def handle_endtag(self, tag):
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data):
        if "style" not in self.within and data.strip():
            self.words.append(data.strip())


def report_of(page) -> str:
    """The words of the first page, one piece a line."""
    return "\n".join(Text(page.html).words)


@pytest.fixture(scope="module")
def titanic():
    X, new = datasets.load("titanic"), datasets.load("titanic_new")
    y, truth = X.pop("survived"), new.pop("survived")
    return X, y, new, truth, CARTClassifier().fit(X, y)


def test_it_holds_what_a_committee_needs(titanic):
    X, _, new, truth, model = titanic
    found, text = model.evaluate(new, truth), report_of(model.explore(new, truth))
    assert found.headline in text
    assert f"Report, {datetime.date.today().isoformat()}, boxwood {__version__}" in text
    assert "Target\ny\nTraining set\n1,109 rows\nBase rate in training\nno 62.5 %, yes 37.5 %" in text
    assert "Base rate in these rows\nno 58.0 %, yes 42.0 %" in text
    for figure in found.figures:
        low, high = f"{figure.low:.3f}", f"{figure.high:.3f}"
        row = f"{figure.words}\n{figure.value:.3f}\n± {figure.se:.3f}\n{low} to {high}\n{figure.baseline:.3f}".replace(
            "\nnan", ""
        )
        assert row in text
    assert "Evaluation by cross-validation, 1,109 rows left out in turn" in text
    assert "Size\n7 leaves, depth 3; 253 leaves before pruning" in text
    assert "Uncertainty of the size\ntrees of 6 to 15 leaves are within one standard error of the best" in text
    for picture in ("ROC curve", "Calibration", "(gains)", "Precision and recall", "Confusion matrix"):
        assert picture in text
    importances = dict(zip(X, model.feature_importances_, strict=True))
    assert f"sex\nnominal\n1\n0.0 %\n{100 * importances['sex']:.1f} %" in text
    assert "Not used: parents_children, embarked." in text


def test_the_rows_of_the_fit_are_recognised(titanic):
    X, y, *_, model = titanic
    text = report_of(model.explore(X, y))
    assert "Evaluation on the training set, 1,109 rows: optimistic for new rows" in text
    assert "The rows given are those that the tree was fitted to" in text
    assert "Better than always predicting no: accuracy 0.814 against 0.625." in text  # by cross-validation
    weight = np.ones(1109)
    weight[0] = 2.0
    assert "are those that the tree was fitted to" in report_of(model.explore(X, y, sample_weight=weight))
    others = {name: [*values[1:], values[0]] for name, values in X.items()}
    assert "are those that the tree was fitted to" not in report_of(model.explore(others, y))


def test_without_rows_it_reports_what_the_fit_knows(titanic):
    model = titanic[-1]
    text = report_of(model.explore())
    assert "Better than always predicting no: accuracy 0.814 against 0.625." in text
    assert "Give rows with known response to see AUC, calibration and gains." in text
    bare = report_of(model.tree_.explore())
    assert "Not evaluated (training accuracy 0.820)." in bare
    X = titanic[2]
    assert "Evaluation data\n200 rows, response not known" in report_of(model.explore(X))


def test_the_class_that_matters(titanic):
    *_, new, truth, model = titanic
    found = model.evaluate(new, truth, target_class="no")
    text = report_of(model.explore(new, truth, target_class="no"))
    assert f"average precision\n{found['average_precision'].value:.3f}" in text
    assert "AUC, Gini, KS, lift and average precision are of no." in text
    with pytest.raises(ParameterError, match="target_class must be one of"):
        model.explore(new, truth, target_class="maybe")
    with pytest.raises(ParameterError, match="target_class must be one of"):
        model.explore(target_class="maybe")


def test_numbers_many_classes_and_rates():
    X = datasets.load("computer_hardware")
    y, _ = X.pop("performance"), X.pop("vendor")
    model = CARTRegressor().fit({k: v[::2] for k, v in X.items()}, y[::2])
    held_out = {k: v[1::2] for k, v in X.items()}, y[1::2]
    text = report_of(model.explore(*held_out))
    assert f"R²\n{model.evaluate(*held_out)['r2'].value:.3f}" in text
    assert "Mean in training" in text
    assert "actual - predicted" in text
    iris = datasets.load("iris")
    species = [{"setosa": "山", "versicolor": "川", "virginica": "<b>海</b>"}[v] for v in iris.pop("species")]
    page = C45Classifier().fit(iris, species).explore(iris, species)
    assert "<b>海" not in page.html
    assert "山 33.3 %" in report_of(page)
    rng = np.random.default_rng(0)
    x, years = rng.random(400), rng.uniform(0.5, 3.0, 400)
    claims = rng.poisson(years * (0.3 + x)).astype(float)
    rates = CARTRegressor(criterion="poisson").fit({"x": x}, claims, exposure=years)
    text = report_of(rates.explore({"x": x[:200]}, claims[:200], exposure=years[:200]))
    assert f"{rates.evaluate({'x': x[:200]}, claims[:200], exposure=years[:200])['d2'].value:.3f}" in text


def test_competing_splits_are_found_from_the_rows_given(titanic):
    X, y, new, truth, model = titanic
    document = to_document(replace(contents_of(model.model_), rivals=rivals_of(model, X, y)))["tree"]
    full = model.model_.full_tree
    inner = np.flatnonzero(~full.is_leaf)[:MOST_RIVAL_NODES]
    # For the rows of the fit, the best split by the feature of a node is the node's, and what comes after it is what a
    # fit with max_competitors keeps.
    np.testing.assert_allclose(document["own"][: len(inner)], full.score[inner], rtol=1e-4)
    kept = CARTClassifier(max_competitors=3).fit(X, y)
    assert kept.model_.full_tree.n_nodes == full.n_nodes
    expected = to_document(contents_of(kept.model_))["tree"]
    assert document["rivals"][: len(inner)] == expected["rivals"][: len(inner)]
    assert expected["own"] is None
    assert '"own":null' in model.explore().html
    assert '"own":[' in model.explore(new, truth).html
    assert '"own":null' in CHAIDClassifier().fit(X, y).explore(new, truth).html  # CHAID keeps its own


def rivals_of(model, X, y):
    """Competing splits of a model for some rows."""
    rows = given_to_show(model.tree_.response, model.tree_._read(X)[1], y)
    return REGISTRY["cart"].rivals(model.model_, rows)


def test_a_page_that_shows_a_smaller_tree_shows_no_rivals_of_other_nodes(titanic):
    X, y, *_, model = titanic
    rows = given_to_show(model.model_.tree.response, model.model_.tree._read(X)[1], y)
    contents = contents_of(model.model_, rows)
    assert within_limit(contents, MOST_NODES) is contents
    assert within_limit(contents, 50).rivals is None


def test_the_command_names_files_and_class(tmp_path):
    model, out = str(tmp_path / "t.box"), tmp_path / "t.html"
    assert main(["fit", str(datasets.path("titanic")), "--target", "survived", "-o", model, "--quiet"]) == 0
    words = ["explore", model, str(datasets.path("titanic_new")), "-o", str(out), "--target-class", "no", "--quiet"]
    assert main(words) == 0
    page = out.read_text(encoding="utf-8")
    assert "Report of t.box" in page
    assert "200 rows of titanic_new.csv" in page
    assert "average precision are of no" in page
    assert main([*words[:-2], "maybe", "--quiet"]) == 2

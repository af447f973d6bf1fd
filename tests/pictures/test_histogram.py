"""Histograms hold exactly the rows that pass a node, and mark the cut."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.errors import DataError, ParameterError, ResponseError
from boxwood.pictures.draw import tree_scene
from boxwood.pictures.histogram import bins
from boxwood.pictures.options import PictureOptions
from boxwood.pictures.rows import read_rows
from pictures.boxes import outside, touching, word_boxes


@pytest.fixture(scope="module")
def titanic():
    X = datasets.load("titanic")
    y = X.pop("survived")
    return CARTClassifier().fit(X, y), X, y


def test_every_row_with_a_value_is_in_one_bar(titanic):
    model, X, y = titanic
    tree = model.tree_
    rows = read_rows(tree, X, y)
    passed = model.decision_path(X).toarray().astype(bool)
    truth = np.asarray(y) == "yes"
    for node in np.flatnonzero(~tree.is_leaf):
        found = bins(rows, tree, node)
        name = tree.schema.names[tree.splits.feature[node]]
        values = np.array([v if v is not None else np.nan for v in X[name]], dtype=object)
        known = np.array([v == v for v in values]) & passed[:, node]
        assert found.counts.sum(axis=0).tolist() == [(known & ~truth).sum(), (known & truth).sum()]
        assert len(found.cuts) == 1


def test_bars_to_the_left_of_the_cut_go_left():
    x = np.array([0.0, 1.0, 2.0, 3.0, 10.0, 20.0])
    model = CARTClassifier(pruning=None).fit({"x": x}, ["a"] * 4 + ["b"] * 2)
    found = bins(read_rows(model.tree_, {"x": x}, ["a"] * 4 + ["b"] * 2), model.tree_, 0)
    assert found.cuts == [6.5 / 20]
    place = np.arange(20) / 20
    assert found.counts[place < found.cuts[0]].sum(axis=0).tolist() == [4, 0]
    assert found.names == ("0", "20")


def test_infinite_values_are_in_the_outer_bars_and_equal_ones_in_one():
    model = CARTRegressor(pruning=None, max_depth=1).fit({"x": [0.0, 1.0, 2.0, 3.0]}, [0, 0, 1, 1])
    found = bins(read_rows(model.tree_, {"x": [-np.inf, np.inf, 1.0, 1.0]}), model.tree_, 0)
    assert found.counts.sum() == 4
    assert found.means is None
    assert np.isfinite(found.cuts).all()
    same = bins(read_rows(model.tree_, {"x": [1.5, 1.5]}, [3.0, 5.0]), model.tree_, 0)
    assert same.counts.tolist() == [[2]]
    assert same.means.tolist() == [4.0]
    none = bins(read_rows(model.tree_, {"x": [np.nan, np.nan]}, [3.0, 5.0]), model.tree_, 0)
    assert none.counts.sum() == 0


def test_levels_are_ordered_by_branch_and_rare_ones_together():
    rng = np.random.default_rng(3)
    code = np.minimum(rng.geometric(0.12, 800), 18)
    X = {"城": [f"城{c:02d}" for c in code]}
    y = np.where(code % 2, "甲", "乙")
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, y)
    found = bins(read_rows(model.tree_, X, y), model.tree_, 0)
    assert found.counts.sum() == 800
    assert found.names.count("others") == 2
    assert len(found.names) == len(found.counts) <= 12
    # The cut lies between the two branches: every class is on its own side.
    left = (np.arange(len(found.counts)) + 0.5) / len(found.counts) < found.cuts[0]
    assert found.counts[left].all(axis=0).sum() == 1
    assert found.counts[left].sum() in ((y == "甲").sum(), (y == "乙").sum())
    assert found.counts[~left].sum() + found.counts[left].sum() == 800


def test_ordinal_levels_are_cut_between_levels():
    esoph = datasets.load("esoph")
    kinds = datasets.describe("esoph")
    y = esoph.pop(kinds.target)
    model = CARTClassifier(pruning=None, max_depth=3).fit(esoph, y)
    scene = tree_scene(model.tree_, PictureOptions(content="histogram"), read_rows(model.tree_, esoph, y))
    assert touching(word_boxes(scene)) == []


@pytest.mark.parametrize("direction", ["down", "right"])
def test_words_of_histograms_do_not_touch(titanic, direction):
    model, X, y = titanic
    scene = tree_scene(
        model.tree_, PictureOptions(content="histogram", direction=direction), read_rows(model.tree_, X, y)
    )
    boxes = word_boxes(scene)
    assert touching(boxes) == []
    assert outside(scene, boxes) == []


def test_rows_that_are_shared_out_are_in_every_branch():
    X = datasets.load("vote")
    y = X.pop(datasets.describe("vote").target)
    model = C45Classifier().fit(X, y)
    rows = read_rows(model.tree_, X, y)
    at = [set(rows.at(node).tolist()) for node in range(model.tree_.n_nodes)]
    first = int(model.tree_.first_child[0])
    below = [at[first + c] for c in range(int(model.tree_.n_children[0]))]
    assert set().union(*below) == at[0]
    assert below[0] & below[1]


def test_regression_shows_the_mean_of_each_bar():
    X = datasets.load("trees")
    y = X.pop(datasets.describe("trees").target)
    model = CARTRegressor(pruning=None, max_depth=2).fit(X, y)
    svg = model.to_svg(X, y, content="histogram")
    assert "Dots in histograms: mean of y in each bar." in svg
    assert "Dots in histograms" not in model.to_svg(X, content="histogram")


def test_what_is_missing_is_requested(titanic):
    model, X, y = titanic
    with pytest.raises(ParameterError, match="content='histogram' needs X, and y for classes"):
        model.to_svg(content="histogram")
    with pytest.raises(ParameterError, match="content='bars' takes no X and y"):
        model.to_svg(X, y)
    with pytest.raises(ParameterError, match="y without X"):
        model.to_svg(y=y)
    with pytest.raises(ParameterError, match="need X and y; give y too"):
        model.to_svg(X, content="histogram")
    with pytest.raises(ResponseError, match=r"did not occur in training: 'maybe' .*row 1 "):
        model.to_svg(X, ["no", "maybe", *y[2:]], content="histogram")
    with pytest.raises(DataError, match="inconsistent numbers"):
        model.to_svg(X, y[:-1], content="histogram")
    rate = CARTRegressor(criterion="poisson", pruning=None).fit({"x": [1, 2, 3, 4]}, [0, 1, 4, 5])
    with pytest.raises(ParameterError, match="rates show only the rows; leave y out"):
        rate.to_svg({"x": [1]}, [2], content="histogram")
    assert "dashed: the cut" in rate.to_svg({"x": [1, 3]}, content="histogram")

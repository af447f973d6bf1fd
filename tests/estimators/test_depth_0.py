"""A tree of depth 0 is one leaf: the first picture of lecture notes on CLS."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import datasets

LEVELS = ("CLSClassifier", "ID3Classifier")


@pytest.mark.parametrize("name", [*LEVELS, "C45Classifier", "CARTClassifier", "CHAIDClassifier"])
def test_one_leaf_of_classes(name, tmp_path):
    X = datasets.load("loan" if name in LEVELS else "titanic")
    y = X.pop("类别" if name in LEVELS else "survived")
    X.pop("id", None)
    model = getattr(boxwood, name)(max_depth=0).fit(X, y)
    assert (model.get_n_leaves(), model.get_depth()) == (1, 0)
    labels, counts = np.unique(y, return_counts=True)
    np.testing.assert_allclose(model.predict_proba(X)[0], counts / len(y), atol=0.01)
    assert set(model.predict(X)) == {labels[counts.argmax()]}
    assert model.explain_split(X, y, 0).note == "leaf: max_depth = 0 is reached"
    model.save(tmp_path / "leaf.box")
    assert boxwood.load(tmp_path / "leaf.box").max_depth == 0


@pytest.mark.parametrize(
    "model",
    [
        boxwood.CARTRegressor(max_depth=0),
        boxwood.CARTRegressor(max_depth=0, max_bins=8),
        boxwood.CHAIDRegressor(max_depth=0),
        boxwood.TreeRegressor(termination={"max_depth": 0}),
        boxwood.TreeRegressor(termination=boxwood.Termination(max_depth=0, stop=lambda node: False)),
    ],
    ids=["cart", "bins", "chaid", "dict", "record"],
)
def test_one_leaf_of_numbers(model):
    X = datasets.load("trees")
    y = X.pop("volume")
    assert model.fit(X, y).get_n_leaves() == 1
    np.testing.assert_allclose(model.predict(X), np.mean(y))


def test_one_leaf_of_a_stream():
    pieces = [{"x": np.arange(10.0) + start, "y": np.arange(10.0)} for start in (0, 10)]
    model = boxwood.CARTRegressor(max_depth=0, pruning=None).fit_stream(lambda: iter(pieces), target="y")
    assert model.get_n_leaves() == 1

"""Pictures through the public methods: of trees, estimators, notebooks."""

from __future__ import annotations

import pytest
from sklearn import config_context
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from boxwood import CARTClassifier, datasets
from boxwood.errors import UnseenLevelError
from boxwood.model.readable import readable
from tree.random_trees import random_tree


@pytest.fixture(scope="module")
def model():
    X = datasets.load("titanic")
    y = X.pop("survived")
    return CARTClassifier(pruning=None).fit(X, y)


def test_a_notebook_shows_the_tree_folded_to_31_nodes(model):
    html = model.tree_._repr_html_()
    assert html.startswith("<div")
    assert "<svg" in html
    assert "nodes</text>" in html
    small = readable(random_tree(2, n_nodes=9))
    assert "nodes</text>" not in small._repr_html_()


def test_an_estimator_shows_scikit_learns_block_and_its_tree(model):
    plain = CARTClassifier(pruning=None)
    assert "<svg xmlns" not in plain._repr_html_()
    html, forms = model._repr_html_(), model._repr_mimebundle_()
    assert "CARTClassifier" in html
    assert html.count("<title id=") == forms["text/html"].count("<title id=") == 1
    assert forms["text/plain"] == repr(model)
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        assert not hasattr(model, "_repr_html_")
    assert "CARTClassifier" in make_pipeline(FunctionTransformer(), model)._repr_html_()


def test_before_the_fit_there_is_nothing_to_draw():
    for draw in ("to_svg", "plot", "plot_importance", "plot_pruning"):
        with pytest.raises(NotFittedError):
            getattr(CARTClassifier(), draw)()


def test_policies_of_the_model_hold_for_histograms():
    X, y = {"c": ["a", "a", "b", "b"]}, [0, 0, 1, 1]
    strict = CARTClassifier(pruning=None, unseen="error").fit(X, y)
    assert "dashed: the cut" in strict.to_svg(X, y, content="histogram")
    with pytest.raises(UnseenLevelError, match="'z'"):
        strict.to_svg({"c": ["a", "z"]}, [0, 1], content="histogram")

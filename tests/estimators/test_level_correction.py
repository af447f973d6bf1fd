"""Classification takes chance off the decreases by default where a nominal feature has many levels, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.algorithms.cart_parameters import MANY_LEVELS
from boxwood.errors import ParameterTypeError


def table(levels: int, n: int = 1500):
    """A number that the response depends on, levels that it does not, and the response."""
    rng = np.random.default_rng(levels)
    codes = np.concatenate([np.arange(levels), rng.integers(0, levels, n - levels)])
    x = rng.normal(size=n)
    response = x + 2.0 * rng.normal(size=n)
    return {"town": np.array([f"t{code:04}" for code in codes]), "x": x}, response


def splits(model, X, y):
    """Features and sets of a grown tree."""
    tree = model.fit(X, y).tree_
    return tree.splits.feature.tolist(), tree.splits.index.tolist(), tree.splits.breaks.tolist()


def grown(X, y, estimator=CARTClassifier, **settings):
    return splits(estimator(pruning=None, max_depth=6, **settings), X, y)


@pytest.mark.parametrize("levels", [3, MANY_LEVELS - 1, MANY_LEVELS, 99, 300])
def test_from_so_many_levels_on(levels):
    X, response = table(levels)
    y = np.where(response > 0, "yes", "no")
    plain, corrected = (grown(X, y, level_correction=given) for given in (False, True))
    assert plain != corrected or levels in (3, 300)  # nothing to take off; all levels are rare and pooled
    assert grown(X, y) == (corrected if levels >= MANY_LEVELS else plain)
    assert grown(X, y, level_correction="auto") == grown(X, y)


def test_not_by_compat_nor_for_numbers_nor_for_identifiers():
    X, response = table(90)
    y = np.where(response > 0, "yes", "no")
    assert grown(X, y, compat="rpart") == grown(X, y, compat="rpart", level_correction=False)
    assert grown(X, response, CARTRegressor) == grown(X, response, CARTRegressor, level_correction=False)
    few, response = table(20)
    few["row"] = np.array([f"row {i}" for i in range(1500)])
    y = np.where(response > 0, "yes", "no")
    with pytest.warns(UserWarning, match="looks like an identifier"):
        assert grown(few, y) == grown(few, y, level_correction=False)


def test_levels_are_those_of_the_rows_of_the_fit():
    X, response = table(90)
    few = np.isin(X["town"], [f"t{code:04}" for code in range(25)])
    y = np.where(response > 0, "yes", "no")
    weight = few.astype(float)
    own = {name: column[few] for name, column in X.items()}
    model = CARTClassifier(pruning=None, max_depth=6)
    assert model.fit(X, y, sample_weight=weight).tree_.n_nodes == model.fit(own, y[few]).tree_.n_nodes


def test_an_explanation_reports_it():
    X, response = table(90)
    y = np.where(response > 0, "yes", "no")
    model = CARTClassifier(pruning=None, max_depth=3).fit(X, y)
    assert "after what many levels gain by chance is taken off" in str(model.explain_split(X, y, node=0))


def test_the_message_names_what_is_allowed():
    with pytest.raises(ParameterTypeError, match="level_correction must be 'auto', True or False; got 'always'"):
        CARTClassifier(level_correction="always").fit({"x": [1, 2]}, [0, 1])

"""Warnings about the small tables of lecture notes: limits that make a tree one leaf, and row numbers."""

from __future__ import annotations

import warnings

import pytest

from boxwood import C45Classifier, CARTClassifier, CHAIDClassifier, ID3Classifier, TreeClassifier, datasets
from boxwood.errors import DataTypeError, KindWarning


@pytest.fixture
def loan():
    X = datasets.load("loan")
    return X, X.pop("类别")


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (CHAIDClassifier(), "15 cases, fewer than min_samples_split = 100"),
        (CARTClassifier(min_samples_split=20, pruning=None), "15 rows, fewer than min_samples_split = 20"),
        (C45Classifier(min_branch_weight=8), "a weight of 15 is not enough for two branches of 8"),
        (TreeClassifier(termination={"max_depth": 0}), "max_depth = 0 is reached"),
        (
            CHAIDClassifier(min_samples_split=2, min_samples_leaf=1, alpha_split=1e-9),
            "no split meets the criterion and the limits of growth",
        ),
    ],
)
def test_a_single_leaf_names_the_limit(loan, model, reason):
    X, y = loan
    assert model.fit({name: column for name, column in X.items() if name != "id"}, y).get_n_leaves() == 1
    assert model.model_.notes == (f"The tree is a single leaf: {reason}.",)


def test_a_row_number_names_the_setting_that_leaves_it_out(loan):
    with pytest.raises(DataTypeError, match=r"column 'id' is numeric.*leave it out with X.drop\(columns=\['id'\]\)"):
        ID3Classifier().fit(*loan)


@pytest.mark.parametrize("model", [C45Classifier(), CARTClassifier(pruning=None)], ids=["c45", "cart"])
@pytest.mark.parametrize("start", [0, 1])
def test_a_split_by_the_number_of_the_row_is_reported(model, start):
    X = datasets.load("watermelon_2")
    y = X.pop("好瓜")
    X["编号"] = [start + i for i in range(17)]
    words = rf"splits on column '编号', which numbers the rows from {start} to {start + 16}\. .*X\.drop\(columns="
    with pytest.warns(KindWarning, match=words):
        model.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        type(model)(**model.get_params() | {"identifiers": "use"}).fit(X, y)
        model.fit({"编号": X["编号"]}, y)  # the only column
        model.fit(X | {"编号": [2 * i for i in X["编号"]]}, y)
        model.fit({name: column[::-1] for name, column in X.items()}, y[::-1])

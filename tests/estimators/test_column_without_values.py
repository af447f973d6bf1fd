"""A column without any value: algorithms that branch by levels learn from the others, however it is declared."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import CLSClassifier, DataTypeError, ID3Classifier

Y = ["n", "y"] * 4
EMPTY = {
    "None": [None] * 8,
    "text": pd.Series([None] * 8, dtype="string"),
    "categories": pd.Categorical([None] * 8, ["q", "r"]),
    "listed NaN": pd.Series([np.nan] * 8),
}


@pytest.mark.parametrize("missing", ["own_branch", "majority", "fractional"])
@pytest.mark.parametrize("kind", EMPTY)
@pytest.mark.parametrize("algorithm", [ID3Classifier, CLSClassifier])
def test_a_column_without_values_offers_no_split(algorithm, kind, missing):
    X = {"空": EMPTY[kind], "w": ["s", "t"] * 4}
    for listed in (["空"], "all") if kind == "listed NaN" else (["空"], "all", "from_dtype"):
        model = algorithm(missing=missing, categorical_features=listed).fit(X, Y)
        assert model.predict({"空": ["q", None], "w": ["s", "t"]}).tolist() == ["n", "y"]
        assert model.get_n_leaves() == 2


def test_a_column_of_numbers_without_values_is_to_be_listed():
    with pytest.raises(DataTypeError, match="List it in categorical_features"):
        ID3Classifier(missing="own_branch").fit({"a": np.full(8, np.nan), "w": ["s", "t"] * 4}, Y)

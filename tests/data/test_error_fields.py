"""Errors about data carry the column, row, value and remedy that they name."""

import numpy as np
import pytest

import boxwood


def test_fields_of_errors_about_data():
    with pytest.raises(boxwood.DataError) as caught:
        boxwood.CARTClassifier(missing="error").fit({"age": [1.0, np.inf, 3.0]}, ["a", "b", "a"])
    error = caught.value
    assert (error.argument, error.row, error.column, error.value) == ("missing", 1, "age", np.inf)
    assert error.remedy == "correct it, or choose another policy for missing values."


def test_columns_that_new_data_lack_are_named():
    model = boxwood.CARTClassifier(pruning=None).fit({"a": [1, 2], "größe": [3, 4]}, ["n", "y"])
    with pytest.raises(boxwood.ColumnError, match="now missing:\n- größe") as refused:
        model.predict({"a": [1]})
    assert refused.value.column == "größe"

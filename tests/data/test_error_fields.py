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

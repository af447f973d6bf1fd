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


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        (np.array([b"\xff", b"a"]), "decode it to strings first."),
        ([2**70, 1], "scale it down, or convert the column to floats."),
        (np.ones((2, 2)), None),
    ],
)
def test_what_a_column_cannot_hold_is_an_error_of_the_column(values, remedy):
    with pytest.raises(boxwood.BoxwoodError) as caught:
        boxwood.CARTClassifier(pruning=None).fit({"größe": values, "b": [1, 2]}, ["n", "y"])
    assert (caught.value.column, caught.value.remedy) == ("größe", remedy)


def test_the_file_is_named_once():
    from boxwood.cli.inputs import about

    with pytest.raises(boxwood.DataError) as caught, about("daten.csv"), about("daten.csv"):
        raise boxwood.DataError("row 3 is odd.")
    assert str(caught.value) == "daten.csv: row 3 is odd."


def test_columns_that_new_data_lack_are_named():
    model = boxwood.CARTClassifier(pruning=None).fit({"a": [1, 2], "größe": [3, 4]}, ["n", "y"])
    with pytest.raises(boxwood.ColumnError, match="now missing:\n- größe") as refused:
        model.predict({"a": [1]})
    assert refused.value.column == "größe"

"""Columns that are given to a measure by position: the error names the keywords."""

from __future__ import annotations

import inspect
import pickle

import pytest

from boxwood import measures
from boxwood.errors import DataError, ParameterError, ParameterTypeError

Y, X = ["yes", "no", "yes"], ["a", "b", "b"]
OTHERS = {"SignificanceTest", "Table", "group_moments", "table"}
MEASURES = [name for name in measures.__all__ if name not in OTHERS]


@pytest.mark.parametrize("name", MEASURES)
def test_columns_by_position_name_their_keywords(name):
    measure = getattr(measures, name)
    known = inspect.signature(measure).parameters
    count = 1 + sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in known.values())
    keywords = ", ".join(f"{column}=..." for column in ("y", "x") if column in known)
    with pytest.raises(ParameterTypeError) as raised:
        measure(*[Y] * count)
    message = str(raised.value)
    assert message.startswith(f"{name} takes only ")
    assert f"got {count} arguments" in message
    assert message.endswith(f"Give columns by keyword: {name}({keywords}).")


def test_the_whole_message():
    with pytest.raises(ParameterTypeError) as raised:
        measures.information_gain(X, Y)
    assert str(raised.value) == (
        "information_gain takes only counts by position; got 2 arguments. "
        "Give columns by keyword: information_gain(y=..., x=...)."
    )


def test_one_column_or_a_column_as_the_measure():
    with pytest.raises(DataError, match=r"shape \(3,\). Columns are given by keyword: y=, x=\.$"):
        measures.information_gain([0, 1, 1])
    with pytest.raises(ParameterError, match=r"got \['a', 'b', 'b'\]; columns are given by keyword: y=, x=\.$"):
        measures.impurity_decrease(Y, X)


def test_measures_stay_functions_with_their_own_name_and_signature():
    assert pickle.loads(pickle.dumps(measures.gini)) is measures.gini
    assert list(inspect.signature(measures.gini).parameters) == ["counts", "y", "sample_weight"]


def test_numbers_by_position_and_a_parameter_that_a_measure_lacks():
    with pytest.raises(DataError, match=r"^moments must have shape \(\.\.\., 3\).*Columns are given by keyword: y=\.$"):
        measures.regression_error([1, 2, 3, 6])
    with pytest.raises(ParameterTypeError, match=r"^gain_ratio has no parameter 'base': the base cancels, because"):
        measures.gain_ratio([[3, 6], [6, 0]], base=10)
    with pytest.raises(
        ParameterTypeError, match=r"^gini has no parameter 'bas': its parameters are counts, y, sample_"
    ):
        measures.gini([3, 6], bas=10)

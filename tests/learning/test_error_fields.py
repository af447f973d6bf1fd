"""Errors of a fit name the argument, the column, the value and what to do."""

from __future__ import annotations

import pytest

import boxwood
from boxwood import errors


def fit_error(model, X, y, **more):
    with pytest.raises(errors.BoxwoodError) as caught:
        model.fit(X, y, **more)
    return caught.value


def test_a_class_weight_names_argument_and_value():
    error = fit_error(boxwood.CARTClassifier(class_weight={"no": -1}), [[1], [2]], ["no", "yes"])
    assert (error.argument, error.value) == ("class_weight", -1)


def test_a_number_without_cuts_names_the_column():
    error = fit_error(boxwood.ID3Classifier(), {"age": [20.5, 30.5, 40.5]}, ["no", "yes", "no"])
    assert error.column == "age"


def test_bins_without_two_branches_name_argument_and_remedy():
    error = fit_error(boxwood.TreeClassifier(branching="multiway", max_bins=8), [[1], [2]], ["no", "yes"])
    assert (error.argument, error.remedy) == ("max_bins", "leave max_bins=None, or choose that branching.")


def test_a_limit_names_argument_and_value():
    with pytest.raises(errors.ParameterError) as caught:
        boxwood.Termination(min_samples_leaf=0)
    assert (caught.value.argument, caught.value.value) == ("min_samples_leaf", 0)

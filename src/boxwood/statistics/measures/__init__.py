"""The measures of the theory as public functions, from counts or straight from two columns.

One scheme for all of them. The first argument holds *counts*, that is weights of the classes in the last axis: shape
(..., K) for a measure of one distribution, (..., V, K) for a measure of a table whose rows are the V values of a
feature x and whose columns are the K classes of y. Leading axes are other tables, all done at once. Or give columns by
keyword: ``y=``, ``x=`` and ``sample_weight=``; then rows whose y or x is missing are left out (`table` can keep them
as a value of their own).

- **information**: self_information, entropy, joint_entropy, conditional_entropy, information_gain, intrinsic_value,
  gain_ratio
- **impurity**: gini, gini_index, classification_error, tsallis, regression_error; for any of them split_impurity and
  impurity_decrease
- **significance**: chi_squared, likelihood_ratio, f_statistic
- **from columns to counts**: table, group_moments

For a numeric target y, counts are replaced by *moments* (sum of weights, mean, sum of weighted squares about the
mean), shape (..., 3) or (..., V, 3).

Counts may be any weights of 0 or more, also probabilities. 0 log 0 = 0, and a distribution without any weight has
impurity 0.

Examples
--------
>>> from boxwood import datasets, measures
>>> loan = datasets.load("loan")
>>> round(measures.information_gain([[3, 6], [6, 0]]), 10)
0.419973094
>>> round(measures.information_gain(y=loan["类别"], x=loan["有工作"]), 10)
0.419973094
"""

from .gain_ratio import gain_ratio, intrinsic_value
from .impurity import (
    classification_error,
    gini,
    gini_index,
    impurity_decrease,
    regression_error,
    split_impurity,
    tsallis,
)
from .information import (
    conditional_entropy,
    entropy,
    information_gain,
    joint_entropy,
    self_information,
)
from .significance import SignificanceTest, chi_squared, f_statistic, likelihood_ratio
from .tables import Table, group_moments, table

__all__ = [
    "SignificanceTest",
    "Table",
    "chi_squared",
    "classification_error",
    "conditional_entropy",
    "entropy",
    "f_statistic",
    "gain_ratio",
    "gini",
    "gini_index",
    "group_moments",
    "impurity_decrease",
    "information_gain",
    "intrinsic_value",
    "joint_entropy",
    "likelihood_ratio",
    "regression_error",
    "self_information",
    "split_impurity",
    "table",
    "tsallis",
]

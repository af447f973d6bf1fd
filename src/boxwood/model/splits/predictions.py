"""Explanations of predictions of a fitted model: what influenced them, and what would change them."""

from __future__ import annotations

from ...data.columns.columns import Columns
from ...views.constraints import Constraints
from ...views.counterfactual import Counterfactuals
from ...views.counterfactual_search import counterfactuals
from ...views.reasons import ReasonCodes, ReasonOptions
from ...views.reasons import reason_codes as codes_of
from ...views.shapley import ShapValues, shapley_values
from ..tree_model import TreeModel


def shap_values(model: TreeModel, columns: Columns, background: Columns | None = None) -> ShapValues:
    """Shapley values of rows, against the weights of training or a background; by the model's policies.

    Raises
    ------
    DataError
        A value is missing and the model refuses that, or the background has no rows.
    """
    for rows in (columns, background):
        if rows is not None:
            model.refuse(rows)
    return shapley_values(model.tree, columns, background, model.unseen, model.threads)


def counterfactual(model: TreeModel, columns: Columns, target, constraints: Constraints) -> Counterfactuals:
    """The smallest changes of one row that lead to another answer, by the model's policies.

    Raises
    ------
    DataError, ParameterError, ParameterTypeError
        A value is missing and the model refuses that; or a constraint cannot be met.
    """
    model.refuse(columns)
    return counterfactuals(model.tree, columns, target, constraints, model.unseen)


def reason_codes(model: TreeModel, columns: Columns, asked: ReasonOptions) -> ReasonCodes:
    """The features that lowered (or raised) each prediction most, by the model's policies.

    Raises
    ------
    DataError, ParameterError, ParameterTypeError
        A value is missing and the model refuses that; or what is asked cannot be.
    """
    model.refuse(columns)
    return codes_of(model.tree, columns, asked, model.unseen)

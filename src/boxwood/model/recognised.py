"""Recognises the rows that a model was fitted to, whose figures mean little for new rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..data.columns.columns import Columns
from ..evaluation.evaluation import ROWS, Evaluation
from .protocol import Model


def recognised(found: Evaluation, model: Model, read: Callable[[], Columns]) -> Evaluation:
    """The evaluation of new rows, or of the training set if the rows are those of the fit.

    Parameters
    ----------
    found : Evaluation
    model : Model
    read : callable
        () -> the rows as the model reads them; called only if their number may be that of the fit.
    """
    rows = found.rows
    if found.of != ROWS[0] or not model.may_be_fitted_to(rows):
        return found
    columns = read()
    seen = columns.n == rows.count and model.was_fitted_to(columns, rows)
    return replace(found, of=ROWS[1]) if seen else found

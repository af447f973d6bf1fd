"""Recognises the rows that a model was fitted to, whose figures say little about new rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..data.columns.columns import Columns
from ..evaluation.evaluation import ROWS, Evaluation
from ..evaluation.rows import EvaluatedRows
from ..model.given_evaluation import is_training_set, same_shares
from ..statistics.response import RATE
from ..statistics.responses.class_weights import without_class_weights
from .mars import indicators


def recognised(found: Evaluation, model, read: Callable[[], Columns]) -> Evaluation:
    """The evaluation of new rows, or of the training set if the rows are those of the fit.

    Parameters
    ----------
    found : Evaluation
    model : Model
    read : callable
        () -> the rows as the model reads them; called only if their number is that of the fit.
    """
    rows = found.rows
    if found.of != ROWS[0]:
        return found
    n = {"tree": lambda: model.tree.rows[0], "MARS model": lambda: model.n}.get(model.kind, lambda: rows.weight.sum())()
    if not np.isclose(n, rows.count if model.kind == "tree" else rows.weight.sum(), rtol=1e-9):
        return found
    columns = read()
    if columns.n != rows.count:
        return found
    seen = {"tree": _tree, "set of rules": _rules, "MARS model": _splines}[model.kind](model, columns, rows)
    return replace(found, of=ROWS[1]) if seen else found


def _tree(model, columns: Columns, rows: EvaluatedRows) -> bool:
    y = rows.truth
    if model.tree.response.kind == RATE:
        y = np.column_stack((np.ones(len(y)) if rows.exposure is None else rows.exposure, y))
    return is_training_set(model.tree, columns, (y, rows.weight), model.route(columns))


def _rules(model, columns: Columns, rows: EvaluatedRows) -> bool:
    """Whether each rule covers as much of each class as in the fit."""
    rules, k = model.rule_set.rules, len(rows.labels)
    fitted = without_class_weights(np.array([rule.classes for rule in rules]), model.rule_set.class_weights)
    holds = [rule.holds(columns) for rule in rules]
    found = ([np.bincount(rows.truth, each * covers, k) for covers in holds] for each in (rows.weight, 1.0))
    return bool(rules) and any(same_shares(np.array(covered), fitted) for covered in found)


def _splines(model, columns: Columns, rows: EvaluatedRows) -> bool:
    """Whether least squares leaves the residuals that it left in the fit."""
    numbers = indicators(rows.truth, len(rows.labels)) if rows.labels else rows.truth[:, None]
    residuals = numbers - model.basis(columns) @ model.coefficients
    total = float(((numbers - numbers.mean(axis=0)) ** 2).sum())
    return bool(np.isclose(float(rows.weight @ (residuals**2).sum(axis=1)), model.rss, rtol=1e-6, atol=1e-12 * total))

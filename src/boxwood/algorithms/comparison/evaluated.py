"""The evaluation of one model by folds: its whole fit, pruning included, is repeated without each fold in turn."""

from __future__ import annotations

import logging
import warnings
from dataclasses import replace

import numpy as np

from ...errors import BoxwoodWarning
from ...evaluation.evaluation import Evaluation
from ...evaluation.rows import EvaluatedRows, coded_rows, number_rows
from ...statistics.responses.registry import loss_of
from .cross_validation import folds_of, learned_without
from .entrants import TreeEntrant

log = logging.getLogger("boxwood")

FOLDS = 10
#: With more rows only the first folds are evaluated, so that it takes about twice the time of the fit.
MOST_ROWS, FIRST_FOLDS = 100_000, 2


def cross_validated(entrant: TreeEntrant, salt: int | None = None, response_name: str = "y") -> Evaluation:
    """How good the predictions of rows are that the fit did not see.

    Parameters
    ----------
    entrant : TreeEntrant
        Algorithm, settings and rows.
    salt : int, optional
        Seed of the folds.
    response_name : str

    Raises
    ------
    ParameterError, DataError
        There are too few different rows, or the model cannot be fitted without some of them.
    """
    truth = entrant.truth
    fold = folds_of(entrant.columns, truth, FOLDS, salt)
    evaluated = FIRST_FOLDS if len(fold) > MOST_ROWS else FOLDS
    parts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)  # the fit to all rows has given its own
        for f in range(evaluated):
            log.info("evaluating: fold %d of %d", f + 1, evaluated)
            fitted, at = learned_without(entrant, fold, f), np.flatnonzero(fold == f)
            probability = fitted.evaluate(at, True) if truth.labels else None
            parts.append((at, fitted.evaluate(at, False), probability))
    return Evaluation(_rows(entrant, fold, parts), "cross-validation", None, None, response_name, (evaluated, FOLDS))


def _rows(entrant: TreeEntrant, fold: np.ndarray, parts: list[tuple]) -> EvaluatedRows:
    """The rows left out, fold by fold."""
    truth, at = entrant.truth, np.concatenate([part[0] for part in parts])
    predicted = np.concatenate([part[1] for part in parts])
    weight = None if truth.weight is None else truth.weight[at]
    if truth.labels:
        probability = np.concatenate([part[2] for part in parts])
        rows = coded_rows(truth.labels, truth.y[at], predicted, probability, weight)
    else:
        exposure = None if entrant.exposure is None else entrant.exposure[at]
        rows = number_rows(truth.y[at], predicted, weight, **loss_of(entrant.settings))
        rows = replace(rows, exposure=exposure)
    return replace(rows, fold=fold[at])

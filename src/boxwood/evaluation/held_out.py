"""What is known after a fit of rows that its tree did not learn from: those left out of folds, or held out."""

from __future__ import annotations

import numpy as np

from ..views.figures import number
from .evaluate import evaluated_counts
from .evaluation import Evaluation


def held_out_evaluation(labels: tuple, cv: dict | None, weight: np.ndarray, response_name: str) -> Evaluation | None:
    """The evaluation of the predicted classes of rows left out.

    Parameters
    ----------
    labels : tuple of K labels
    cv : dict or None
        ``TreeModel.cv``.
    weight : float64, shape (n,)
        Of the rows of the training set.
    response_name : str

    Returns
    -------
    Evaluation or None
        None where the fit kept no confusion matrix.
    """
    if cv is None or cv.get("confusion") is None:
        return None
    of = "held-out rows" if cv["judged_by"] == "validation" else "cross-validation"
    return evaluated_counts(labels, cv["confusion"], weight, of, response_name)


def folds_words(cv: dict) -> str:
    """How many folds were evaluated, where not all were, to follow what their loss is called.

    Examples
    --------
    >>> folds_words({"folds": (2, 10)}), folds_words({"folds": (10, 10)})
    (' (2 of 10 folds)', '')
    """
    evaluated, drawn = cv.get("folds") or (0, 0)
    return f" ({evaluated} of {drawn} folds)" if evaluated < drawn else ""


def held_out_words(cv: dict, mean: float, variance: float) -> str:
    """Whether held-out predictions of numbers are better than the mean of the training set, by their squared error.

    Parameters
    ----------
    cv : dict
        ``TreeModel.cv``.
    mean, variance : float
        Of the response in the training set.
    """
    mse, se = cv["error"], cv["se"]
    better = "No better" if mse >= variance else "Not clearly better" if variance - mse < 1.96 * se else "Better"
    share = f" (R² {number(1.0 - mse / variance)})" if variance > 0 else ""
    return (
        f"{better} than always predicting the mean {number(mean)}: root mean squared error {number(mse**0.5)} against "
        f"{number(variance**0.5)}{share}."
    )

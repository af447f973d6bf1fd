"""MARS: pairs of hinges are added while they help, then removed by generalised cross-validation (Friedman 1991).

Not a tree, but its cousin: where CART fits a step at a cut, MARS fits a pair of lines that join there,
and a parent stays in the model when its children are added.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.columns import Columns
from ..data.frames.target import read_classes, read_numbers
from ..data.frames.weights import check_lengths, read_weights
from ..errors import ParameterError, PruningWarning, ResponseError, level_outside
from ..learning.class_settings import settings_of_classes
from ..learning.learning_set import usable_threads
from ..learning.parameters import checked
from ..mars.design import indicators
from ..mars.fit import SplineProblem, fit_model
from ..mars.model import MARSModel
from ..mars.parameters import CLASSIFICATION, REGRESSION
from ..model.settings import plain
from ..statistics.responses.classes import Classes
from .fitting.declaration import Declaration
from .fitting.identifiers import without_identifiers


@dataclass(frozen=True)
class Splines(Declaration):
    """An algorithm of the registry whose model is a sum of terms.

    Attributes
    ----------
    streams : bool
        False: it learns from rows in memory.
    """

    streams: ClassVar[bool] = False

    def fit(self, columns: Columns, y, *, task: str, settings: dict | None = None, weight=None, exposure=None,
            response_name: str = "y") -> MARSModel:  # fmt: skip
        """Fit a model.

        Parameters
        ----------
        columns : Columns
            Learned from X by :func:`boxwood.data.frames.frame.learn_columns`.
        y : array-like of shape (n,), or numbers of shape (n, K)
        task : {"classification", "regression"}
        settings : dict
            Parameters that differ from their defaults.
        weight : array-like of shape (n,), optional
        exposure : None
            Only counts have one.
        response_name : str

        Raises
        ------
        ParameterError, DataError
        """
        settings = checked(self.parameters[task], settings or {})
        if exposure is not None:
            raise ParameterError(
                Setting("exposure"), " belongs to counts, which MARS does not model; divide y by it, weight by it.",
            )  # fmt: skip
        labels: tuple = ()
        if task == "classification":
            labels, codes = read_classes(y)
            settings = settings_of_classes(settings, Classes(labels=labels), lambda: np.bincount(codes))
            numbers = indicators(codes, len(labels))
        else:
            numbers = responses(y)
        check_lengths(columns.n, len(numbers))
        w = read_weights(weight, columns.n)
        without_identifiers(columns, settings)  # all are used; a warning names those of very many levels
        threads = usable_threads(settings["n_jobs"])
        model = fit_model(
            SplineProblem(columns, numbers, w, settings), task, labels, response_name, plain(settings), threads
        )
        for note in model.notes:
            warnings.warn(note, PruningWarning, stacklevel=level_outside())
        return model


def responses(y) -> np.ndarray:
    """One or several columns of numbers as an array of shape (n, K)."""
    nested = isinstance(y, (list, tuple)) and len(y) > 0 and isinstance(y[0], (list, tuple))
    if nested or len(getattr(y, "shape", ())) == 2:
        try:
            table = np.asarray(y)
        except ValueError as error:  # numpy makes no table of rows of different lengths
            raise ResponseError(
                "the rows of y have different lengths; ", remedy("give each as many numbers as others."),
            ) from error  # fmt: skip
        if table.ndim == 2 and table.shape[1] > 1:
            return np.column_stack([read_numbers(table[:, k], f"y, column {k}") for k in range(table.shape[1])])
    return read_numbers(y)[:, None]


MARS = Splines(
    name="mars",
    title="MARS: sums of hinges and their products, pruned by generalised cross-validation",
    parameters={"classification": CLASSIFICATION, "regression": REGRESSION},
    estimators={"classification": "mars_classifier.MARSClassifier", "regression": "mars_regressor.MARSRegressor"},
    examples=(
        "--target survived --algorithm mars --missing indicator --max-terms 9 -o mars.box",
        "--target fare --algorithm mars --missing indicator --missing-target drop -o fare.box",
    ),
)

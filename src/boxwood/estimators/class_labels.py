"""What the estimators of classes have in common: labels, and logarithms of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import TableLike


class ClassLabels:
    """The labels of an estimator of classes, over its model and its ``predict_proba``."""

    _fitted: Any
    predict_proba: Any

    @property
    def classes_(self) -> np.ndarray:
        """Class labels in sorted order, shape (K,).

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> CARTClassifier(pruning=None).fit([[1], [2], [3]], ["好", "bad", "好"]).classes_.tolist()
        ['bad', '好']
        """
        labels: np.ndarray = self._fitted().label_array
        labels.flags.writeable = False
        return labels

    def predict_log_proba(self, X: TableLike) -> Any:
        """Natural logarithm of the probability of each class, float64, shape (n, K); -inf for probability 0.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64 array of shape (n, K)
            -inf if the probability is 0.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(max_depth=1, pruning=None).fit([[1], [2], [3], [3]], ["a", "a", "a", "b"])
        >>> model.predict_log_proba([[0], [9]]).round(3).tolist()
        [[0.0, -inf], [-0.693, -0.693]]
        """
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return list(map(np.log, found)) if isinstance(found, list) else np.log(found)

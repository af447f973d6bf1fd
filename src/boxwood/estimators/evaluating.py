"""The evaluation of a fitted estimator on rows whose response is known."""

from __future__ import annotations

from ..errors import ParameterError
from ..evaluation.evaluation import Evaluation, evaluated_classes, evaluated_numbers
from .response import flat


class Evaluating:
    """The part of every estimator that evaluates its predictions."""

    def evaluate(self, X, y, sample_weight=None, *, exposure=None, target_class=None, threshold=None) -> Evaluation:
        """How good the predictions of rows are, each figure beside what always predicting the same gets.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows, best such that the model was not fitted to.
        y : column of n values
            Their response.
        sample_weight : column of n numbers, optional
        exposure : column of n numbers, optional
            Of counts, for models of rates (``criterion="poisson"``); the counts predicted are rate times exposure.
        target_class : label, optional
            The class that AUC, KS, lift and thresholds are about; the second of two by default.
        threshold : float, optional
            Predict the target class where its probability is at least this; for two classes.

        Returns
        -------
        Evaluation
            ``print`` it, ``to_frame()``, ``to_json()``, ``thresholds(costs)``, ``evaluation["auc"].value``; see
            docs/evaluation.md.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            There is no such class, or an argument does not go with the response.
        DataError, DataTypeError
            Rows that do not fit the model, or y or weights that cannot be used.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
        >>> model = CARTClassifier(pruning=None).fit(X, y)
        >>> found = model.evaluate({"age": [25, 40, 45, 70]}, ["no", "no", "yes", "yes"])
        >>> found["accuracy"].value, found["accuracy"].baseline, found["auc"].value
        (1.0, 0.5, 1.0)
        >>> found.confusion.tolist()
        [[2.0, 0.0], [0.0, 2.0]]
        """
        model = self._fitted()
        if not model.labels:
            if target_class is not None or threshold is not None:
                raise ParameterError("target_class and threshold are for models of classes; leave them out.")
            return evaluated_numbers(
                flat(y), self.predict(X), sample_weight, exposure, response_name=model.response_name
            )
        if exposure is not None:
            raise ParameterError("exposure is for models of rates; leave it out.")
        found = evaluated_classes(
            tuple(model.labels), flat(y), self.predict(X), self.predict_proba(X), sample_weight,
            target_class=target_class, response_name=model.response_name,
        )  # fmt: skip
        return found if threshold is None else found.at(threshold)

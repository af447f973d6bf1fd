"""The evaluation of a fitted estimator on rows with a known response."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from .._messages import Setting, remedy
from .._typing import ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..data.frames.alignment import check_aligned
from ..data.frames.class_labels import warn_of_new
from ..data.frames.frame import read_columns
from ..data.frames.weights import check_lengths, relative_weights
from ..errors import BoxwoodError, DataError, ParameterError
from ..evaluation.evaluate import evaluated_classes, evaluated_numbers, judged_by_costs, with_amounts
from ..evaluation.evaluation import Evaluation
from ..evaluation.grouping import taken_groups
from ..model.grouped import grouped, groups_by
from ..model.recognised import recognised
from ..statistics.responses.registry import loss_of
from .response import flat
from .several import evaluations_of_each
from .training_rows import rows_with_response, some_of


class ScoreMixin:
    """The documented ``score`` of an estimator, placed before scikit-learn's mixin in the class hierarchy."""

    def score(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> float:
        """The accuracy for classification, R² for regression; their mean for y of several columns.

        Parameters
        ----------
        X : table of shape (n, p)
        y : column of n values
        sample_weight : column of n numbers, optional

        Returns
        -------
        float

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``; y or the weights do not have one value for each row; or y holds labels of training
            written otherwise, or no label of training. Other new labels are warned of and count as errors.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> CARTClassifier(pruning=None).fit([[1], [2], [3]], ["no", "no", "yes"]).score([[1], [3]], ["no", "no"])
        0.5
        """
        try:
            check_aligned(X=X, y=y, sample_weight=sample_weight)
            if self._fitted().responses:  # type: ignore[attr-defined]
                means = self.evaluate(X, y, sample_weight).mean  # type: ignore[attr-defined]
                return means["accuracy"] if "accuracy" in means else means["r2"]
            labels = self._fitted().labels  # type: ignore[attr-defined]  # of an estimator
            if labels:
                with warnings.catch_warnings():  # scikit-learn warns of a column-vector itself
                    warnings.filterwarnings("ignore", "A column-vector")
                    warn_of_new(y, labels)
            if sample_weight is not None:
                sample_weight = relative_weights(sample_weight, len(y))
            return super().score(X, y, sample_weight)  # type: ignore[misc]  # of a mixin of scikit-learn
        except (BoxwoodError, NotFittedError):
            raise
        except (ValueError, TypeError) as error:
            raise DataError(
                "y or ", Setting("sample_weight"), f" cannot be compared with the predictions: {error}"
            ) from error


class Evaluating:
    """The part of every estimator that evaluates its predictions."""

    def evaluate(
        self,
        X: TableLike,
        y: ColumnLike,
        sample_weight: ColumnLike | None = None,
        *,
        exposure: ColumnLike | None = None,
        target_class: Any = None,
        threshold: float | None = None,
        new_labels: str = "error",
        by: Any = None,
        amount: ColumnLike | None = None,
    ) -> Evaluation:
        """Evaluate predictions: each measure with its standard error and its value for a constant prediction.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows to evaluate, preferably held out.
        y : column of n values
            Their response. With ``missing_target="drop"``, rows without one are left out.
        sample_weight : column of n numbers, optional
        exposure : column of n numbers, optional
            Exposures of counts, for models of rates (``criterion="poisson"``). The predicted count is rate times
            exposure.
        target_class : label, optional
            The class for AUC, KS, lift and thresholds; default: the class of interest of the model.
        threshold : float, optional
            For two classes: predict the target class if its probability is at least this.
        new_labels : {"error", "drop"}
            What is done with rows whose label did not occur in training: an error that names them, or leave them out.
        by : str, column of n values or dict of columns, optional
            Also evaluate each group of rows, in ``groups``: the name of a column of X, another column, or several by
            their names. A name such as "month:opened" ("quarter:", "year:") groups the dates of a column.
        amount : column of n numbers, optional
            For classes: an amount of money of each row, for the costs and the profit of ``thresholds``.

        Returns
        -------
        Evaluation
            ``print`` it, ``to_frame()``, ``to_json()``, ``thresholds(costs)``, ``evaluation["auc"].value``; see
            docs/evaluation.md. For y of several columns, SeveralEvaluations: ``found["height"]`` is that of a response,
            ``found.mean`` has the means of the figures.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such class, or an argument is not valid for this kind of target.
        DataError, DataTypeError
            The rows do not match the model, y or the weights cannot be used, or y holds labels that did not occur in
            training.

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
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure, by=by, amount=amount)
        estimator: Any = self  # of trees or of MARS
        if estimator._fitted().responses:
            options = {
                "sample_weight": sample_weight, "exposure": exposure, "target_class": target_class,
                "threshold": threshold, "new_labels": new_labels, "by": by, "amount": amount,
            }  # fmt: skip
            return evaluations_of_each(estimator, X, y, options)
        model, y = estimator._fitted(), flat(y)
        groups = groups_by(by, X, model.schema)
        keep = rows_with_response(y, model.settings)
        predicted, unseen = estimator.predict(X), model.settings.get("unseen", "missing")
        if keep is not None:
            check_lengths(len(predicted), len(keep))
            y, predicted = some_of(y, keep), predicted[keep]
            given = sample_weight, exposure, amount
            sample_weight, exposure, amount = (None if c is None else some_of(c, keep) for c in given)
            groups = [taken_groups(one, keep) for one in groups]

        def read() -> Columns:
            columns = read_columns(X, model.schema)
            return columns if keep is None else columns.take(np.flatnonzero(keep))

        if not model.labels:
            if target_class is not None or threshold is not None or amount is not None:
                names = Setting("target_class"), ", ", Setting("threshold"), " and ", Setting("amount")
                raise ParameterError(*names, " are for models of classes; ", remedy("leave them out."))
            about = {"response_name": model.response_name} | loss_of(model.settings)
            found = evaluated_numbers(y, predicted, sample_weight, exposure, **about)
            return grouped(recognised(found, model, read), model.tree, unseen, groups, read)
        if exposure is not None:
            raise ParameterError(Setting("exposure"), " is for models of rates; ", remedy("leave it out."))
        probability = estimator.predict_proba(X)
        found = evaluated_classes(
            tuple(model.labels), y, predicted, probability if keep is None else probability[keep], sample_weight,
            target_class=model.interest if target_class is None else target_class, new_labels=new_labels,
            response_name=model.response_name,
        )  # fmt: skip
        found = with_amounts(judged_by_costs(found, model.costs), amount, len(predicted))
        found = grouped(recognised(found, model, read), model.tree, unseen, groups, read)
        return found if threshold is None else found.at(threshold)

"""Pruning of a fitted estimator, without a refit."""

from __future__ import annotations

from typing import Self

from .._messages import Setting, remedy
from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import read_columns
from ..errors import ParameterError
from ..model.given_rows import given_rows
from ..pruning.pruners.registry import AnyPruner, read_pruner
from .fitted import FittedTree
from .response import flat


class Pruning(FittedTree):
    """The part of a tree estimator that prunes its model."""

    def prune(
        self,
        X: TableLike | None = None,
        y: ColumnLike | None = None,
        sample_weight: ColumnLike | None = None,
        *,
        pruner: AnyPruner | str | None = None,
        alpha: float | None = None,
        cp: float | None = None,
        n_leaves: int | None = None,
        exposure: ColumnLike | None = None,
        force: bool = False,
    ) -> Self:
        """Prune the full tree again, more or less than before, without another fit. This changes the model in place.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows for the pruner: held-out rows or the training data, depending on the pruner (docs/pruning.md).
        y : column of n values, optional
            Their response.
        sample_weight : column of n numbers, optional
            Their weights.
        pruner : pruner or str, optional
            An object from ``boxwood.pruners``, or its name.
        alpha : float, optional
            Penalty per leaf on scikit-learn's scale, as in ``cost_complexity_path_.ccp_alphas``; 0 keeps useful splits.
        cp : float, optional
            The same as a proportion of the risk of the root, as in ``cp_table()``.
        n_leaves : int, optional
            Select the largest tree of the weakest-link sequence with at most this many leaves.
        exposure : column of n positive numbers, optional
            Exposures, for models of rates.
        force : bool
            Also remove nodes that were signed or overruled (docs/edit.md); by default, nothing above them is pruned.

        Returns
        -------
        self

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            Not exactly one of pruner, alpha, cp and n_leaves is given, one is out of range, or the pruner needs rows.
        DataError, DataTypeError
            The rows do not match the model.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5])
        >>> model.prune(n_leaves=2).get_n_leaves(), model.prune(alpha=0.0).get_n_leaves()
        (2, 3)

        With rows that the tree was not grown from:

        >>> from boxwood import CostComplexity
        >>> model.prune([[1], [2], [4]], [0, 0, 4], pruner=CostComplexity()).get_n_leaves()
        2
        """
        model = self._fitted()
        if pruner is None:
            if X is not None or y is not None:
                raise ParameterError(
                    "X and y are for a pruner; ", remedy("name it: ", Setting("pruner"), "=."), " ",
                    Setting("alpha"), ", ", Setting("cp"), " and ", Setting("n_leaves"), " take no rows.",
                )  # fmt: skip
            self.model_ = model.prune(alpha, cp=cp, n_leaves=n_leaves, force=force)
            return self
        if any(value is not None for value in (alpha, cp, n_leaves)):
            others = Setting("alpha"), ", ", Setting("cp"), " and ", Setting("n_leaves")
            raise ParameterError(remedy("give exactly one of ", Setting("pruner"), ", ", *others, "."))
        read = read_pruner(pruner, model.settings.get("ccp_risk"), model.settings.get("loss"))
        if (X is None) != (y is None):
            raise ParameterError("a pruner takes X and y together; one of them is missing.")
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        rows = None
        if X is not None:
            columns = read_columns(X, model.schema, estimator=type(self).__name__)
            rows = given_rows(model, read, columns, flat(y), sample_weight, exposure)
        self.model_ = model.prune_by(read, rows, force)
        return self

"""Editing of a fitted estimator's tree by hand."""

from __future__ import annotations

from typing import Any

from .._messages import Setting
from .._typing import ColumnLike, TableLike
from ..algorithms.editing.editor import Editor
from ..algorithms.editing.rows_of_fit import RowsOfFit
from ..data.frames.alignment import check_aligned
from ..errors import ParameterTypeError
from .fitted import FittedTree
from .response import flat


class Editing(FittedTree):
    """The part of a tree estimator that edits its tree."""

    def edit(
        self,
        X: TableLike,
        y: ColumnLike,
        sample_weight: ColumnLike | None = None,
        *,
        exposure: ColumnLike | None = None,
        holdout: tuple[TableLike, ColumnLike] | None = None,
    ) -> Editor:
        """Start to edit the tree: each verb of :mod:`boxwood.edits` is priced, taken, logged, and can be undone.

        What the editor takes changes the model in place.

        Parameters
        ----------
        X : table of shape (n, p)
            As passed to ``fit``.
        y : column of n values
        sample_weight, exposure : column of n numbers, optional
            As passed to ``fit``.
        holdout : tuple (X, y), optional
            Rows that the tree was not grown from, on which prices are evaluated, too.

        Returns
        -------
        Editor
            ``price(verb)``, ``take(verb, who=, when=, why=)``, ``undo()``, ``redo()``, ``log``, ``replay(log)``.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The leaves are models, or the model was pruned after its edits.
        DataError, DataTypeError
            X and y cannot be read.

        Examples
        --------
        >>> from boxwood import CARTClassifier, datasets
        >>> from boxwood.edits import SplitNode
        >>> X = datasets.load("titanic")
        >>> y = X.pop("survived")
        >>> model = CARTClassifier(max_depth=2).fit(X, y)
        >>> editor = model.edit(X, y)
        >>> price = editor.take(SplitNode(2, "age <= 14"), who="A. Berg", why="children first")
        >>> model.edits_[0]["verb"], model.edits_[0]["condition"], model.edits_[0]["path"]
        ('split', 'age <= 14', ['sex = female'])
        """
        model = self._fitted()
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        _, columns = self._read(X)
        rows = RowsOfFit(columns, flat(y), sample_weight, exposure, self._settings_of_fit(model))
        return Editor(model, rows, self._held_out(holdout), self._take_over)

    def _held_out(self, holdout: Any) -> RowsOfFit | None:
        if holdout is None:
            return None
        if not isinstance(holdout, tuple) or len(holdout) != 2:
            raise ParameterTypeError(Setting("holdout"), " must be a tuple (X, y).")
        check_aligned(X=holdout[0], y=holdout[1])
        return RowsOfFit(self._read(holdout[0])[1], flat(holdout[1]))

    def _take_over(self, model: Any) -> None:
        self.model_ = model

    @property
    def edits_(self) -> list[dict[str, Any]]:
        """The log of edits as plain JSON values: verb, node, who, when, why, price.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2]], [0, 1]).edits_
        []
        """
        return list(self._fitted().edits)

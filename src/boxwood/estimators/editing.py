"""Editing of a fitted estimator's tree by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._messages import Setting
from .._typing import ColumnLike, TableLike
from ..algorithms.editing.editor import Editor
from ..algorithms.editing.rows_of_fit import RowsOfFit
from ..data.frames.alignment import check_aligned
from ..data.frames.weights import check_lengths
from ..errors import ParameterTypeError
from .fitted import FittedTree
from .response import flat
from .training_rows import rows_with_response, some_of


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
        settings = self._settings_of_fit(model)
        return Editor(model, self._rows(X, y, sample_weight, exposure, settings), self._held_out(holdout), self._adopt)

    def _rows(
        self, X: TableLike, y: ColumnLike, weight: Any = None, exposure: Any = None, settings: Any = None
    ) -> RowsOfFit:
        """Rows as the model reads them, without those that have no response where the fit dropped these."""
        _, columns = self._read(X)
        keep = rows_with_response(flat(y), self._fitted().settings)
        if keep is None:
            return RowsOfFit(columns, flat(y), weight, exposure, settings)
        check_lengths(columns.n, len(keep))
        y, weight, exposure = (None if given is None else some_of(given, keep) for given in (flat(y), weight, exposure))
        return RowsOfFit(columns.take(np.flatnonzero(keep)), y, weight, exposure, settings)

    def _held_out(self, holdout: Any) -> RowsOfFit | None:
        if holdout is None:
            return None
        if not isinstance(holdout, tuple) or len(holdout) != 2:
            raise ParameterTypeError(Setting("holdout"), " must be a tuple (X, y).")
        check_aligned(X=holdout[0], y=holdout[1])
        return self._rows(*holdout)

    def _adopt(self, model: Any) -> None:
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

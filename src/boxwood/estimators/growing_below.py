"""Growth below a node of a fitted estimator, and conditions on its nodes and on rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from .._messages import Message, Setting, Value, must_be
from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError, ParameterTypeError
from ..views.given_condition import fulfilled, nodes_within
from ..views.read_condition import read_condition
from .fitted import FittedTree
from .response import flat


class GrowingBelow(FittedTree):
    """The part of a tree estimator that grows nodes anew and reads conditions."""

    def grow_below(
        self,
        X: TableLike,
        y: ColumnLike,
        node: int,
        *,
        split: str | None = None,
        recipe: Any = None,
        sample_weight: ColumnLike | None = None,
        exposure: ColumnLike | None = None,
    ) -> Self:
        """Grow everything below one node anew, from the training data. This changes the model in place.

        The nodes below are grown as the fit grew them, without pruning; all others stay. The new tree is the full tree
        from now on, so that ``prune`` starts from it. A leaf can be grown too.

        Parameters
        ----------
        X : table of shape (n, p)
            As passed to ``fit``.
        y : column of n values
        node : int
            Number of a node of ``tree_``.
        split : str, optional
            A condition on one feature, such as ``"income <= 24.5"`` or ``"town in {Ulm, Bonn}"``, by which the node is
            split first. Rows that fulfil it go down the first branch; missing values as the policy of the recipe sends
            them, or by a condition such as ``"income <= 24.5 or missing"``.
        recipe : estimator, optional
            A tree estimator of the same task, whose parameters are used below the node; it need not be fitted. It must
            treat y as this one does (criterion "poisson", class weights, priors, costs). Default: this one.
        sample_weight, exposure : column of n numbers, optional
            As passed to ``fit``.

        Returns
        -------
        self

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The node does not exist or is empty, the condition cannot be read or divides none of its rows.
        DataError, DataTypeError
            X and y differ from the training data.

        Examples
        --------
        >>> from boxwood import CARTClassifier, datasets
        >>> X = datasets.load("titanic")
        >>> y = X.pop("survived")
        >>> model = CARTClassifier(max_depth=2).fit(X, y)
        >>> print(model.grow_below(X, y, 0, split="age <= 14").tree_.to_text())
        Decision tree (cart) for y: 7 nodes, 4 leaves, depth 2
        all rows (no 0.625, 693 of 1,109 rows)
        ├─ age <= 14 (yes 0.526, 55 of 104 rows)
        │  ├─ siblings_spouses <= 2.5 or missing* → yes 0.790 (53 of 66 rows)
        │  └─ siblings_spouses > 2.5 → no 0.931 (36 of 38 rows)
        └─ age > 14 or missing* (no 0.641, 644 of 1,005 rows)
           ├─ sex = male or missing* → no 0.831 (565 of 679 rows)
           └─ sex = female → yes 0.755 (247 of 326 rows)
        * surrogate splits are tried first
        """
        model = self._fitted()
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        chosen = None if recipe is None else self._recipe_of(recipe)
        _, columns = self._read(X)
        self.model_ = self._declared.grow_below(
            model, node, columns, flat(y), split=split, settings=self._settings_of_fit(model), weight=sample_weight,
            exposure=exposure, recipe=chosen,
        )  # fmt: skip
        return self

    def nodes_where(self, condition: str) -> np.ndarray:
        """Find the nodes whose rows all fulfil a condition, by the tests on their paths.

        Parameters
        ----------
        condition : str
            For example ``"income <= 24.5 and town in {Ulm, Bonn}"``; a missing value, which surrogates or the policy
            for missing values may bring to a node, counts as if it fulfilled the condition.

        Returns
        -------
        ndarray of int
            Node numbers, ascending.

        Raises
        ------
        ParameterError
            The condition cannot be read; the message names the place.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50, 60]}, [1, 5, 9, 9])
        >>> model.nodes_where("age <= 45")
        array([1, 3, 4])
        """
        tree = self._fitted().tree
        return np.array(nodes_within(read_condition(condition, tree.schema), tree), dtype=np.int64)

    def rows_where(self, X: TableLike, condition: str) -> np.ndarray:
        """Find the rows that fulfil a condition.

        Parameters
        ----------
        X : table of shape (n, p)
        condition : str
            As in :meth:`nodes_where`; a missing value fulfils only ``"income is missing"``, or ``or missing``.

        Returns
        -------
        ndarray of shape (n,), bool

        Raises
        ------
        ParameterError
            The condition cannot be read; the message names the place.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50, 60]}, [1, 5, 9, 9])
        >>> model.rows_where({"age": [40, 55, None]}, "25 < age <= 50 or missing")
        array([ True, False,  True])
        """
        model, columns = self._read(X)
        return fulfilled(read_condition(condition, model.schema), columns)

    def _recipe_of(self, recipe: Any) -> tuple[Any, dict[str, Any]]:
        """The algorithm of another estimator and its settings."""
        if not isinstance(recipe, FittedTree):
            such = Message("a tree estimator such as ", Setting("max_depth", 3, estimator="CARTClassifier"))
            raise ParameterTypeError(must_be("recipe", such, recipe))
        if recipe._task != self._task:
            given = Value(recipe, type(recipe).__name__)
            raise ParameterError(Setting("recipe"), f" must be for {self._task}, as this model; ", given, " is not.")
        return recipe._declared, recipe._settings(recipe._declared)

"""Views of a fitted estimator's model: tree, size, features, importance and pruning path."""

from __future__ import annotations

import numpy as np

from ..model.pruning_path import PruningPath, PruningSequence, cp_rows, pruning_path, pruning_sequence
from ..model.readable import ReadableTree
from ..views.feature_importance import FeatureImportance
from ..views.importance import importance, mdi
from ..views.row_table import RowTable
from .fitted import FittedTree


class Inspection(FittedTree):
    """The methods of a tree estimator that read ``model_``, which holds the result of the fit."""

    @property
    def tree_(self) -> ReadableTree:
        """The selected tree: print it, or see :class:`boxwood.Tree`.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> print(model.tree_)
        Decision tree (cart) for y: 3 nodes, 2 leaves, depth 1
        all rows (3 rows, no 0.667)
        ├─ age <= 40 or missing → no 1.000 [0.342 to 1.000] (2 rows)
        └─ age > 40 → yes 1.000 [0.207 to 1.000] (1 row)
        [ ] 95 % interval: both leaves hold fewer than 7 rows
        """
        return self._fitted().tree

    @property
    def feature_importances_(self) -> np.ndarray:
        """Normalised decrease in impurity by each feature, float64, shape (p,); sums to 1, or all 0.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 3, 4]
        >>> CARTRegressor(pruning=None).fit(X, y).feature_importances_.tolist()
        [0.9, 0.1]
        """
        return mdi(self._fitted().tree)

    def importance(self, kind: str = "mdi", *, normalize: bool = True) -> FeatureImportance:
        """The importance of each feature.

        Parameters
        ----------
        kind : {"mdi", "mdi+surrogates"}
            "mdi": the decrease in impurity by the splits on a feature, as in scikit-learn. "mdi+surrogates": the same
            plus the stored surrogates, weighted by their adjusted agreement, as in rpart (Breiman et al., 1984, section
            5.3.4).
        normalize : bool
            Divide by the sum. Otherwise, "mdi" is in units of impurity and "mdi+surrogates" in weight times impurity.

        Returns
        -------
        FeatureImportance
            Print it, or use ``to_frame()``; ``values`` contains the numbers, float64, shape (p,).

        Raises
        ------
        ParameterError
            There is no such kind.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = [[0, 1], [1, 2], [2, 3], [3, 4]], ["no", "no", "yes", "yes"]
        >>> CARTClassifier(pruning=None, max_surrogates=1).fit(X, y).importance("mdi+surrogates")
        feature  importance
        x0           0.5000
        x1           0.5000
        """
        tree = self._fitted().tree
        return FeatureImportance(tree.schema.names, importance(tree, kind, normalize))

    @property
    def cost_complexity_path_(self) -> PruningPath:
        """The nested sequence of pruned trees, computed on first use if the fit did not prune.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> path = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).cost_complexity_path_
        >>> path.ccp_alphas.tolist(), path.n_leaves.tolist()
        ([0.0, 2.0], [2, 1])
        """
        return pruning_path(self._fitted())

    @property
    def pruning_path_(self) -> PruningSequence:
        """The trees from which the pruner selected; ``to_frame()`` returns them as a table.

        Examples
        --------
        >>> from boxwood import CARTRegressor, CostComplexity
        >>> X, y = [[i] for i in range(40)], [i // 10 + i % 3 / 100 for i in range(40)]
        >>> model = CARTRegressor(pruning=CostComplexity(folds=4)).fit(X, y)
        >>> path = model.pruning_path_
        >>> path.pruner, path.parameter, int(path.n_leaves[path.row]) == model.get_n_leaves()
        ('cost_complexity', 'alpha', True)
        """
        return pruning_sequence(self._fitted())

    def get_depth(self) -> int:
        """Number of splits on the longest path from the root to a leaf.

        Returns
        -------
        int
            0 for a tree with a single leaf.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).get_depth()
        2
        """
        return self._fitted().tree.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves of the selected tree.

        Returns
        -------
        int

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).get_n_leaves()
        3
        """
        return self._fitted().tree.n_leaves

    def cp_table(self, style: str | None = None) -> RowTable:
        """The table of complexity parameters, as printed by rpart, starting with the root.

        Parameters
        ----------
        style : {"exact", "rpart"}, optional
            Exact weakest links, or rpart's one-pass complexity. Default: as the model was pruned.

        Returns
        -------
        RowTable
            Print it, iterate over its rows, or use ``to_frame()``. The columns are CP (alpha divided by the risk of the
            root), nsplit, and rel_error: the training loss (errors or costs, squared error, Poisson deviance) divided
            by that of the root. If there are held-out losses in this style, the table also has xerror and xstd: the
            loss on held-out rows and its standard error, divided by the training loss of the root.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such style.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> print(CARTRegressor(pruning=None).fit([[1], [2], [3], [4]], [0, 2, 4, 6]).cp_table())
            CP  nsplit  rel_error
        0.8000       0      1.000
        0.1000       1      0.200
        0.0000       3      0.000
        """
        return RowTable(cp_rows(self._fitted(), style))

"""A regression tree composed of user-selected choices, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import NumberEstimator


@declared
class TreeRegressor(NumberEstimator, Streaming):
    """A regression tree composed of the four choices of the theory, by name, as records or as your own functions.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads. docs/compose.md lists the valid combinations.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``.
    n_outputs_ : int
        Number of responses: 1, or the columns of y.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.
    feature_importances_ : float64 array of shape (p,)
        Normalised decrease in impurity by each feature.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the nested sequence of weakest-link pruning.
    edits_ : list of dict
        The log of edits by hand (docs/edit.md).
    pruning_path_ : PruningSequence
        The trees from which the pruner selected.
    model_ : TreeModel
        The complete model (full tree, pruning, settings), as written by ``save``.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, if a parameter is out of range or has the wrong type, if the choices cannot be combined, or if a
        criterion of your own fails.

    References
    ----------
    Hunt, Marin, Stone: Experiments in Induction, 1966. Breiman, Friedman, Olshen, Stone: Classification and Regression
    Trees, 1984. Quinlan: C4.5, 1993.

    Examples
    --------
    One branch per level, by the decrease of variance:

    >>> from boxwood import TreeRegressor
    >>> X = {"city": ["Ulm", "京都", "서울", "Ulm"], "area": [50, 60, 70, 90]}
    >>> model = TreeRegressor(branching="multiway", termination={"max_depth": 1}).fit(X, [2.0, 4.0, 6.0, 2.0])
    >>> print(model.tree_)
    Decision tree (tree) for y: 4 nodes, 3 leaves, depth 1
    all rows (4 rows, 3.5)
    ├─ city = Ulm or missing → 2 (2 rows)
    ├─ city = 京都 → 4 (1 row)
    └─ city = 서울 → 6 (1 row)
    all 3 leaves hold fewer than 7 rows
    """

    _algorithm: ClassVar[str] = "tree"

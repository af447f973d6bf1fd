"""CART for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import NumberEstimator


@declared
class CARTRegressor(NumberEstimator, Streaming):
    """A CART regression tree: binary splits by variance or Poisson deviance, surrogate splits, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads.

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
        By ``fit``, if a parameter is out of range or has the wrong type.

    References
    ----------
    Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X = {"size": [30, 45, 50, 60, 75, 90, 120], "city": ["Ulm", "Ulm", "Ulm", "京都", "Ulm", "京都", "京都"]}
    >>> rent = [300.0, 400.0, 450.0, 900.0, 650.0, 1200.0, 1500.0]
    >>> model = CARTRegressor(max_depth=1, pruning=None).fit(X, rent)
    >>> print(model.tree_)
    Decision tree (cart) for y: 3 nodes, 2 leaves, depth 1
    all rows (7 rows, 771.429)
    ├─ city = Ulm or missing* → 450 (4 rows)
    └─ city = 京都 → 1200 (3 rows)
    both leaves hold fewer than 7 rows
    * surrogate splits are tried first
    >>> model.predict({"size": [50], "city": ["京都"]}).tolist()
    [1200.0]
    """

    _algorithm: ClassVar[str] = "cart"

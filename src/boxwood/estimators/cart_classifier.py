"""CART for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class CARTClassifier(ClassEstimator, Streaming):
    """A CART classification tree: binary splits by impurity, surrogate splits, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_classes_ : int
        K.
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
    >>> from boxwood import CARTClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    >>> print(model.tree_)
    Decision tree (cart) for y: 7 nodes, 4 leaves, depth 2
    all rows (1109 rows, no 0.625)
    ├─ sex = male or missing* (733 rows, no 0.809)
    │  ├─ age <= 9.5 → yes 0.548 (42 rows)
    │  └─ age > 9.5 or missing* → no 0.831 (691 rows)
    └─ sex = female (376 rows, yes 0.734)
       ├─ class = 3rd → yes 0.506 (178 rows)
       └─ class in {1st, 2nd} or missing* → yes 0.939 (198 rows)
    * surrogate splits are tried first
    >>> model.predict(X)[:3].tolist(), round(model.score(X, y), 3)
    (['yes', 'yes', 'yes'], 0.787)
    """

    _algorithm: ClassVar[str] = "cart"

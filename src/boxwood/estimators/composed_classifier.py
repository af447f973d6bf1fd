"""A classification tree composed of user-selected choices, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class TreeClassifier(ClassEstimator, Streaming):
    """A classification tree composed of the four choices of the theory, by name, as records or as your own functions.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads. docs/compose.md lists the valid combinations.

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
        By ``fit``, if a parameter is out of range or has the wrong type, if the choices cannot be combined, or if a
        criterion of your own fails.

    References
    ----------
    Hunt, Marin, Stone: Experiments in Induction, 1966. Breiman, Friedman, Olshen, Stone: Classification and Regression
    Trees, 1984. Quinlan: C4.5, 1993.

    Examples
    --------
    ID3 put together from its parts:

    >>> from boxwood import TreeClassifier, datasets
    >>> X = datasets.load("play_tennis")
    >>> y, day = X.pop("play"), X.pop("day")
    >>> print(TreeClassifier(branching="multiway", criterion="gain", missing="error").fit(X, y).tree_)
    Decision tree (tree) for y: 8 nodes, 5 leaves, depth 2
    all rows (14 rows, yes 0.643)
    ├─ outlook = overcast → yes 1.000 [0.510 to 1.000] (4 rows)
    ├─ outlook = rain (5 rows, yes 0.600)
    │  ├─ windy = False → yes 1.000 [0.439 to 1.000] (3 rows)
    │  └─ windy = True → no 1.000 [0.342 to 1.000] (2 rows)
    └─ outlook = sunny (5 rows, no 0.600)
       ├─ humidity = high → no 1.000 [0.439 to 1.000] (3 rows)
       └─ humidity = normal → yes 1.000 [0.342 to 1.000] (2 rows)
    [ ] 95 % interval: all 5 leaves hold fewer than 7 rows; min_samples_leaf=7 avoids them

    A criterion of one's own: the weight of the branches that are pure.

    >>> def pure_weight(children, parent):
    ...     weight = children.sum(axis=2)
    ...     return (weight * (children.max(axis=2) == weight)).sum(axis=1)
    >>> model = TreeClassifier(criterion=pure_weight, termination={"max_depth": 2}).fit(X, y)
    >>> round(model.score(X, y), 3), model.get_n_leaves()
    (0.786, 3)
    """

    _algorithm: ClassVar[str] = "tree"

"""ID3 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class ID3Classifier(ClassEstimator, Streaming):
    """An ID3 tree: one branch per level, splits by information gain, each feature at most once on a path.

    A level that does not occur in a node still has a branch: an empty leaf that predicts the class distribution of its
    parent. If gains are equal, the feature whose column comes first is chosen. Numeric columns raise an error.

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
        Normalised decrease in entropy by each feature.
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
    DataTypeError
        By ``fit``, if a column is numeric.

    References
    ----------
    Quinlan: Induction of decision trees, Machine Learning 1, 1986.

    Examples
    --------
    >>> from boxwood import ID3Classifier, datasets
    >>> X = datasets.load("loan")
    >>> y, number = X.pop("类别"), X.pop("id")
    >>> print(ID3Classifier().fit(X, y).tree_)
    Decision tree (id3) for y: 5 nodes, 3 leaves, depth 2
    all rows (15 rows, 是 0.600)
    ├─ 有工作 = 否 (9 rows, 否 0.667)
    │  ├─ 有房子 = 否 → 否 1.000 [0.610 to 1.000] (6 rows)
    │  └─ 有房子 = 是 → 是 1.000 [0.439 to 1.000] (3 rows)
    └─ 有工作 = 是 → 是 1.000 [0.610 to 1.000] (6 rows)
    [ ] 95 % interval: all 3 leaves hold fewer than 7 rows
    >>> print(ID3Classifier(epsilon=0.5).fit(X, y).tree_)
    Decision tree (id3) for y: 1 node, 1 leaf, depth 0
    all rows → 是 0.600 (15 rows)
    """

    _algorithm: ClassVar[str] = "id3"

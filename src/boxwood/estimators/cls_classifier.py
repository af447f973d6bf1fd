"""CLS for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class CLSClassifier(ClassEstimator, Streaming):
    """A CLS tree: one branch per level, features in a given order, no splitting measure.

    CLS is the ancestor of ID3 (Hunt, 1966). Every node tests the next feature that has not been tested on the path and
    that is not constant in the node. The trees are usually deeper than those of ID3. Numeric columns raise an error.

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
    Hunt, Marin, Stone: Experiments in Induction, 1966.

    Examples
    --------
    >>> from boxwood import CLSClassifier, datasets
    >>> X = datasets.load("loan")
    >>> y, number = X.pop("类别"), X.pop("id")
    >>> print(CLSClassifier().fit(X, y).tree_)
    Decision tree (cls) for y: 14 nodes, 8 leaves, depth 3
    all rows (15 rows, 是 0.600)
    ├─ 年龄 = 中年 (5 rows, 是 0.600)
    │  ├─ 有工作 = 否 → 否 1.000 [0.342 to 1.000] (2 rows)
    │  └─ 有工作 = 是 → 是 1.000 [0.439 to 1.000] (3 rows)
    ├─ 年龄 = 老年 (5 rows, 是 0.800)
    │  ├─ 有工作 = 否 (3 rows, 是 0.667)
    │  │  ├─ 有房子 = 否 → 否 1.000 [0.207 to 1.000] (1 row)
    │  │  └─ 有房子 = 是 → 是 1.000 [0.342 to 1.000] (2 rows)
    │  └─ 有工作 = 是 → 是 1.000 [0.342 to 1.000] (2 rows)
    └─ 年龄 = 青年 (5 rows, 否 0.600)
       ├─ 有工作 = 否 (4 rows, 否 0.750)
       │  ├─ 有房子 = 否 → 否 1.000 [0.439 to 1.000] (3 rows)
       │  └─ 有房子 = 是 → 是 1.000 [0.207 to 1.000] (1 row)
       └─ 有工作 = 是 → 是 1.000 [0.207 to 1.000] (1 row)
    [ ] 95 % interval: all 8 leaves hold fewer than 7 rows
    >>> print(CLSClassifier(order=["有房子", "有工作"]).fit(X, y).tree_)
    Decision tree (cls) for y: 5 nodes, 3 leaves, depth 2
    all rows (15 rows, 是 0.600)
    ├─ 有房子 = 否 (9 rows, 否 0.667)
    │  ├─ 有工作 = 否 → 否 1.000 [0.610 to 1.000] (6 rows)
    │  └─ 有工作 = 是 → 是 1.000 [0.439 to 1.000] (3 rows)
    └─ 有房子 = 是 → 是 1.000 [0.610 to 1.000] (6 rows)
    [ ] 95 % interval: all 3 leaves hold fewer than 7 rows
    """

    _algorithm: ClassVar[str] = "cls"

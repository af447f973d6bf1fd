"""C4.5 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class C45Classifier(ClassEstimator, Streaming):
    """A C4.5 tree: gain ratio, one branch per level, thresholds, fractional weights, error-based pruning.

    The reference programs are Quinlan's release 8 and Weka's J48; ``compat`` reproduces either of them exactly. If a
    value is missing, the row follows every branch with a fraction of its weight, in growing, pruning and prediction.

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

    References
    ----------
    Quinlan: C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes in C4.5, JAIR 4, 1996.

    Examples
    --------
    >>> from boxwood import C45Classifier, datasets
    >>> titanic = datasets.load("titanic")
    >>> X, y = {name: titanic[name] for name in ("class", "sex", "age")}, titanic["survived"]
    >>> model = C45Classifier(min_branch_weight=20).fit(X, y)
    >>> print(model.tree_)
    Decision tree (c45) for y: 3 nodes, 2 leaves, depth 1
    all rows (1109 rows, no 0.625; missing: shared)
    ├─ sex = female → yes 0.734 (376 rows)
    └─ sex = male → no 0.809 (733 rows)
    >>> model.predict_proba({"class": ["1st"], "sex": ["male"], "age": [None]}).round(3).tolist()
    [[0.809, 0.191]]
    >>> C45Classifier(pruning=None).fit(X, y).get_n_leaves(), round(model.score(X, y), 3)
    (5, 0.784)
    """

    _algorithm: ClassVar[str] = "c45"

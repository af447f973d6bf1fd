"""CHAID for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .declared import declared
from .streaming import Streaming
from .tasks import ClassEstimator


@declared
class CHAIDClassifier(ClassEstimator, Streaming):
    """A CHAID classification tree: merged categories, chi-squared tests, multiway splits.

    Categories of a feature that do not differ significantly in y are merged. The node is split on the feature whose
    merged table is the most significant, with one branch for each group. p-values are adjusted for the number of ways
    to merge the categories (Bonferroni) and do not underflow. The same data give the same tree, regardless of the order
    of the rows and the number of threads. For the formulas and a worked example, see docs/chaid.md.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``; ``tree_.log_p`` is the natural logarithm of the
        adjusted p-value of each split.
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
        By ``fit``, if a parameter is out of range or has the wrong type, or if two of them exclude each other.

    References
    ----------
    Kass: An exploratory technique for investigating large quantities of categorical data. Applied Statistics 29, 1980.
    Biggs, de Ville, Suen: A method of choosing multiway partitions. Journal of Applied Statistics 18, 1991.

    Examples
    --------
    >>> from boxwood import CHAIDClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> model = CHAIDClassifier(max_depth=2).fit(X, y)
    >>> print(model.tree_)
    Decision tree (chaid) for y: 8 nodes, 5 leaves, depth 2
    all rows (1109 rows, no 0.625; p 5.75e-70, χ² 312.66, df 1; missing: stays)
    ├─ sex = female (376 rows, yes 0.734; p 1.16e-20, χ² 91.80, df 2; missing: stays)
    │  ├─ class = 1st → yes 0.973 (111 rows)
    │  ├─ class = 2nd → yes 0.897 (87 rows)
    │  └─ class = 3rd → yes 0.506 (178 rows)
    └─ sex = male (733 rows, no 0.809; p 1.53e-8, χ² 34.15, df 1; missing: stays)
       ├─ class = 1st → no 0.648 (159 rows)
       └─ class in {2nd, 3rd} → no 0.854 (574 rows)
    >>> model.predict(X)[:3].tolist(), round(model.score(X, y), 3)
    (['yes', 'no', 'yes'], 0.784)
    """

    _algorithm: ClassVar[str] = "chaid"

    def __sklearn_tags__(self) -> Any:
        """The default limits are made for surveys: they leave a few hundred rows with hardly a split."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.min_samples_split == 100 or self.min_samples_leaf == 50
        return tags

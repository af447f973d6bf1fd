"""CART for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class CARTClassifier(Streaming, ClassEstimator):
    """A CART classification tree: binary splits that lower impurity most, surrogates, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values are taken as they are. The same data give the same tree,
    whatever the order of rows and the number of threads.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error"}
        Measure of impurity; entropy is in bits; "log_loss" and "information" are other names of "entropy".
    max_depth : int or None
        Deepest level of the tree; the root is at depth 0. None = no limit.
    min_samples_split : int or float
        Rows a node needs to be split, counted without their weights; a float in (0, 1) is a share of all rows.
    min_samples_leaf : int or float
        Rows each branch must get, counted alike.
    max_leaf_nodes : int or None
        Keep the best splits of the whole tree until it has so many leaves.
    min_impurity_decrease : float
        Least decrease of impurity of a split, weighted by the node's share of all rows.
    max_bins : int or None
        Cut numeric columns of more distinct values into at most so many bins of about equal numbers of rows first, 2 to
        65,280: faster, and thresholds stand only between bins (docs/speed.md). None = every value counts.
    missing : {"surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"}
        Where a row goes whose value is missing: as surrogate splits say, else with the majority; with the majority;
        where it helped in training; into a branch of its own; nowhere, it is an error (and so are infinite numbers); as
        surrogate splits say, else it stays at the node; it stays.
    max_surrogates, max_competitors : int or "auto"
        Surrogate and runner-up splits kept at each node. "auto": 5 surrogates where the training data have a missing
        value, else none; no runners-up. With ``compat="rpart"``: 5 and 4, as rpart keeps.
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level that training did not have: as if missing; the branch with most weight; the row stays at
        the node; refuse it.
    class_weight : dict, "balanced" or None
        Factor on the weights of each class; "balanced" gives all classes the same total weight.
    priors : list of float, dict, "uniform" or None
        Probability of each class in the world, in the order of ``classes_`` or by label; None = shares of weight in the
        data.
    costs : square table of float or None
        Cost of each error: row = true class, column = class said, in the order of ``classes_``; None = every error 1.
    ccp_alpha : float
        If above 0: prune at this price of a leaf (risk per unit of weight) instead of asking ``pruning``.
    ccp_risk : {"error", "gini", "entropy"} or None
        Risk that is weighed against leaves; None = as ``criterion``.
    pruning : {"cv", "cv-1se"}, name of a pruner, pruner or None
        Where to prune: at the least loss in 10-fold cross-validation; at the smallest tree within one standard error of
        it; as the object says; None keeps the full tree. Folds come from the data's content, not from row order.
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal; by default those of strings, categories and booleans.
    random_state : int, RandomState, Generator or None
        Other numbers draw other folds; nothing else is random.
    n_jobs : int or None
        Threads; None and -1 = all cores. The result never depends on it.
    verbose : int
        1 shows on stderr what is being done.
    surrogate_style : {0, 1}
        Agreement of a surrogate over all rows, or over the rows that know both splits.
    min_samples_level : int or "auto"
        Levels with fewer rows in a node are pooled into one; "auto" = 50 for features of over 100 levels, else 1.
    level_correction : bool
        Take off what many levels gain by chance before features are compared.
    feature_costs : list of float, dict or None
        A positive number for each feature, or a dict by name; decreases are divided by it.
    compat : {"rpart"} or None
        Reproduce the program where it deviates from the book.

    Attributes
    ----------
    tree_ : Tree
        The tree in force: print it, or ask for ``tree_.to_frame()``.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_classes_ : int
        K.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, when it had names.
    feature_importances_ : float64 array of shape (p,)
        Share of each feature in the decrease of impurity.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the trees that weakest-link pruning can give.
    pruning_path_ : PruningSequence
        The trees among which the pruner in force chose.
    model_ : TreeModel
        All of it: full tree, pruning, settings; what ``save`` writes.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, when a parameter is out of range or of a wrong type.

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
    * surrogate splits are asked first
    >>> model.predict(X)[:3].tolist(), round(model.score(X, y), 3)
    (['yes', 'yes', 'yes'], 0.787)
    """

    _algorithm: ClassVar[str] = "cart"

    def __init__(
        self, *, criterion="gini", max_depth=None, min_samples_split=2, min_samples_leaf=1, max_leaf_nodes=None,
        min_impurity_decrease=0.0, missing="surrogate", max_surrogates="auto", max_competitors="auto", unseen="missing",
        class_weight=None, priors=None, costs=None, ccp_alpha=0.0, ccp_risk=None, pruning="cv",
        categorical_features="from_dtype", random_state=None, n_jobs=None, verbose=0, surrogate_style=0,
        min_samples_level="auto", level_correction=False, feature_costs=None, compat=None,
        max_bins=None,
    ):  # fmt: skip
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.missing = missing
        self.max_surrogates = max_surrogates
        self.max_competitors = max_competitors
        self.unseen = unseen
        self.class_weight = class_weight
        self.priors = priors
        self.costs = costs
        self.ccp_alpha = ccp_alpha
        self.ccp_risk = ccp_risk
        self.pruning = pruning
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.surrogate_style = surrogate_style
        self.min_samples_level = min_samples_level
        self.level_correction = level_correction
        self.feature_costs = feature_costs
        self.compat = compat
        self.max_bins = max_bins

"""C4.5 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class C45Classifier(Streaming, ClassEstimator):
    """A C4.5 tree: gain ratio, one branch a level, cuts of numbers, fractional rows, error-based pruning.

    Release 8 of Quinlan's program and Weka's J48 are the references; ``compat`` reproduces either to the last row. A
    row whose value is missing goes down every branch with a share of its weight, when the tree is grown, when it is
    pruned and when it predicts.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}
        Rank the features of at least average gain by gain / intrinsic value; or all features by gain (option -g).
    min_branch_weight : float
        Weight that at least two branches of a split need: C4.5's m. Weights count, not rows.
    max_depth : int or None
        Deepest level of the tree; the root is at depth 0. None = no limit.
    group_levels : bool
        Group the levels of a nominal feature before it is judged (option -s). Such a feature can be asked again below.
    cut_charge : bool
        Take log2(number of possible cuts) / weight off the gain of a cut, as release 8 does.
    data_cuts : bool
        Cut at the largest value of the data that is not above the middle between two values; else at the middle.
    collapse : bool
        Before pruning, a branch that makes no fewer errors on the training rows becomes a leaf.
    max_competitors : int
        Runner-up splits kept at each node.
    missing : {"error", "own_branch", "majority", "fractional"}
        What happens to a row whose value is missing at a node: it is an error; it takes a branch of its own ("level" is
        another name of it), in nodes that met missing values in training; it goes with the heaviest branch; it goes
        down every branch with a share of its weight, as in C4.5.
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level that training did not have: as if missing; the branch with most weight; the row ends at
        the node that asks; refuse it.
    class_weight : dict, "balanced" or None
        Factor on the weights of each class; "balanced" gives all classes the same total weight.
    pruning : "error_based", None, "cv", "cv-1se", the name of a pruner, or a pruner
        By estimated errors; None keeps the (collapsed) full tree; any other pruner can be asked, now or later.
    confidence : float
        With "error_based": CF, from 1e-300 to 0.5; the smaller, the more is pruned.
    raising : bool
        With "error_based": the largest branch may take the place of its parent.
    laplace : bool
        Add 1 to the weight of each class in a leaf before probabilities are taken (J48's -A).
    compat : {"c45", "j48"} or None
        Reproduce release 8 (values nearer than 1e-5 are one; its table of deviates, its 0.67 rule, the last of equally
        large branches, certainty of empty leaves) or J48 (values nearer than 1e-5 are one, ratios above 1e-6).
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal; by default those of strings, categories and booleans. Ordered categories are cut
        like numbers.
    random_state : int, RandomState, Generator or None
        Other numbers draw other folds for pruning; nothing else is random.
    n_jobs : int or None
        Threads; None and -1 = all cores. The result never depends on it.
    verbose : int
        1 shows on stderr what is being done.

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
        Share of each feature in the decrease of entropy.
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

    def __init__(
        self, *, criterion="gain_ratio", min_branch_weight=2.0, max_depth=None, group_levels=False,
        cut_charge=True, data_cuts=True, collapse=True, pruning="error_based", confidence=0.25,
        raising=True, laplace=False, missing="fractional", unseen="missing", class_weight=None,
        max_competitors=4, compat=None, categorical_features="from_dtype", random_state=None, n_jobs=None,
        verbose=0,
    ):  # fmt: skip
        self.criterion = criterion
        self.min_branch_weight = min_branch_weight
        self.max_depth = max_depth
        self.group_levels = group_levels
        self.cut_charge = cut_charge
        self.data_cuts = data_cuts
        self.collapse = collapse
        self.pruning = pruning
        self.confidence = confidence
        self.raising = raising
        self.laplace = laplace
        self.missing = missing
        self.unseen = unseen
        self.class_weight = class_weight
        self.max_competitors = max_competitors
        self.compat = compat
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

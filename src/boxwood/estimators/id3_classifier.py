"""ID3 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class ID3Classifier(Streaming, ClassEstimator):
    """An ID3 tree: one branch a level, the feature of largest information gain, each feature once on a path.

    A level that does not occur in a node gets a branch all the same; that empty leaf speaks with its parent's
    distribution. Equal gains go to the feature that stands first. Numeric columns are refused.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio"}
        What features are ranked by. "gain_ratio" is "C4.5" as many lecture notes tell it: of the features whose gain is
        at least the average, the one of the largest ratio of gain to intrinsic value.
    epsilon : float
        A node whose best gain (or ratio) is below this stays a leaf, in bits.
    max_depth : int or None
        Deepest level of the tree; the root is at depth 0. None = no limit.
    max_competitors : int
        Runner-up splits kept at each node.
    missing : {"error", "own_branch", "majority", "fractional"}
        What happens to a row whose value is missing at a node: it is an error; it takes a branch of its own ("level" is
        another name of it), in nodes that met missing values in training; it goes with the heaviest branch; it goes
        down every branch with a share of its weight, as in C4.5.
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level that training did not have: as if missing; the branch with most weight; the row ends at
        the node that asks, which says the same as an empty branch would; refuse it.
    class_weight : dict, "balanced" or None
        Factor on the weights of each class; "balanced" gives all classes the same total weight.
    pruning : None, "cv", "cv-1se", the name of a pruner, or a pruner
        None keeps the full tree, as the algorithm does; any pruner of boxwood can be asked, now or later.
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal; by default those of strings, categories and booleans. Numeric columns are refused.
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
    DataTypeError
        By ``fit``, when a column is numeric.

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
    │  ├─ 有房子 = 否 → 否 1 (6 rows)
    │  └─ 有房子 = 是 → 是 1 (3 rows)
    └─ 有工作 = 是 → 是 1 (6 rows)
    >>> print(ID3Classifier(epsilon=0.5).fit(X, y).tree_)
    Decision tree (id3) for y: 1 node, 1 leaf, depth 0
    all rows → 是 0.600 (15 rows)
    """

    _algorithm: ClassVar[str] = "id3"

    def __init__(
        self, *, criterion="gain", epsilon=0.0, max_depth=None, max_competitors=4, missing="error",
        unseen="stay", class_weight=None, pruning=None, categorical_features="from_dtype",
        random_state=None, n_jobs=None, verbose=0,
    ):  # fmt: skip
        self.criterion = criterion
        self.epsilon = epsilon
        self.max_depth = max_depth
        self.max_competitors = max_competitors
        self.missing = missing
        self.unseen = unseen
        self.class_weight = class_weight
        self.pruning = pruning
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

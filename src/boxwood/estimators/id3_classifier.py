"""ID3 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class ID3Classifier(ClassEstimator, Streaming):
    """An ID3 tree: one branch per level, splits by information gain, each feature at most once on a path.

    A level that does not occur in a node still has a branch: an empty leaf that predicts the class distribution of its
    parent. If gains are equal, the feature whose column comes first is chosen. Numeric columns raise an error.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio"}, default="gain"
        How features are ranked:

        - "gain" (also called "entropy" or "information_gain"): by information gain.
        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain. Many lecture notes
          call this C4.5.

    epsilon : float, default=0.0
        A node becomes a leaf if its best gain in bits (or its best gain ratio) is below this.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    max_competitors : int, default=4
        Number of competing splits stored at each node.
    missing : {"error", "own_branch", "majority", "fractional"}, default="error"
        How a row is routed when the value that a split tests is missing:

        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.

    unseen : {"missing", "majority", "stay", "error"}, default="stay"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"ignore", "use"}, default="use"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    ccp_alpha : float, default=0.0
        If positive, ``pruning`` is ignored, and the tree is the smallest one that minimises C_alpha(T) / N = sum of N_t
        H_t / N + ccp_alpha * leaves, where H_t is the entropy of leaf t in bits. It is the alpha of the lecture notes
        divided by the number of rows N: for alpha = 2 and 17 rows, set ``ccp_alpha=2/17``.
    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default=None
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that stand for a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single
        columns. The model stores them and applies them to new data. A column of strings becomes numeric if all
        remaining values are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress on stderr.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_classes_ : int
        K.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.
    feature_importances_ : float64 array of shape (p,)
        Normalised decrease in entropy by each feature.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the nested sequence of weakest-link pruning.
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

    def __init__(
        self, *, criterion: str = "gain", epsilon: float = 0.0, max_depth: int | None = None, max_competitors: int = 4,
        missing: str = "error", unseen: str = "stay", identifiers: str = "use", class_weight: Any = None,
        target_class: Any = None, ccp_alpha: float = 0.0, pruning: Any = None, loss: str | None = None,
        smoothing: Any = None, categorical_features: Any = "from_dtype", numeric_features: Any = None,
        date_formats: Any = None, missing_values: Any = None, missing_target: str = "error", random_state: Any = None,
        n_jobs: int | None = None, verbose: int = 0,
    ) -> None:  # fmt: skip
        self.criterion = criterion
        self.epsilon = epsilon
        self.max_depth = max_depth
        self.max_competitors = max_competitors
        self.missing = missing
        self.unseen = unseen
        self.identifiers = identifiers
        self.class_weight = class_weight
        self.target_class = target_class
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.loss = loss
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

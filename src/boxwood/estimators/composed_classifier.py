"""A classification tree composed of user-selected choices, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class TreeClassifier(ClassEstimator, Streaming):
    """A classification tree composed of the four choices of the theory, by name, as records or as your own functions.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads. docs/compose.md lists the valid combinations.

    Parameters
    ----------
    branching : {"binary", "multiway", "merged"}, record or function, default="binary"
        Choice 1: the number of branches of a split on a nominal feature. An ordered feature is split at a threshold, or
        with "merged" into the intervals that differ significantly.

        - "binary": two sets of levels.
        - "multiway": one branch for each level; each feature is used at most once on a path.
        - "merged": levels that do not differ significantly share a branch.
        - a record with settings: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged`.
        - a function ``branching(values)``: proposes C partitions of a node by one feature, as an array of integers of
          shape (C, V) with the branch of each of the V values in the node. See :class:`boxwood.Proposed`.

    criterion : str, record or function, default="gini"
        Choice 2: how splits are scored.

        - "gini", "entropy", "error": by the decrease in this impurity measure.
        - ``Tsallis(1.5)``: by the decrease in the Tsallis entropy of order q = 1.5.
        - "gain": by the decrease in entropy.
        - "gain_ratio": by the gain divided by the intrinsic value, among the features with at least average gain.
        - "in_order": not scored; the first remaining feature is chosen.
        - "significance": by the p-value of the chi-squared test.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, K) and
          ``parent`` of shape (K,) contain the weights of the K classes in each of the B branches and in the node. The
          function returns C numbers; larger is better, and NaN excludes a split.

    termination : dict, Termination, function or None, default=None
        Choice 3: when a node becomes a leaf. Pass a :class:`boxwood.Termination`, or its fields as a dict such as
        {"max_depth": 3, "min_samples_leaf": 5}. With None, a node becomes a leaf if it is pure or cannot be split. A
        function ``termination(node)`` returns True if the node must be a leaf; ``node`` has the attributes ``depth``,
        ``rows``, ``weight``, ``moments`` and ``impurity``.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"short", "exact"}, default="short"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.  A criterion with ``data_cuts=True`` cuts at values of the data.

    leaf : {"majority", "laplace"}, float or object, default="majority"
        Choice 4: the probability that a leaf predicts for a class with weight n_k of N. The first three predict the
        same class.

        - "majority": n_k / N.
        - "laplace": Laplace's rule (n_k + 1) / (N + K).
        - a number m: the m-estimate (n_k + m / K) / (N + m).
        - an object with ``fit(X, y)`` and ``predict_proba(X)``: a copy is fitted to the rows of each leaf with more
          than one class. X contains the columns as float64, with levels as codes and NaN where a value is missing; y
          contains class numbers. ``fit`` gets the weights as ``sample_weight`` if it has this parameter. Without
          ``predict_proba``, the class that ``predict(X)`` returns has probability 1.

    missing : {"majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error"} or None
        How a row is routed when the value that a split tests is missing. None means "floating" with merged branches and
        "majority" otherwise.

        - "majority": follow the branch with the largest training weight.
        - "own_branch" (also called "level"): follow a separate branch for missing values.
        - "fractional": follow every branch with a fraction of the weight of the row.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the branch of the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.

    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

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

    smoothing : {"auto", "laplace"}, float or None, default="auto"
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

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
        Normalised decrease in impurity by each feature.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the nested sequence of weakest-link pruning.
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

    def __init__(
        self, *, branching: Any = "binary", criterion: Any = "gini", termination: Any = None,
        max_bins: int | None = None, cuts: str = "short", leaf: Any = "majority", missing: str | None = None,
        unseen: str = "missing", pruning: Any = None, loss: str | None = None, smoothing: Any = "auto",
        class_weight: Any = None, target_class: Any = None, identifiers: str = "ignore",
        categorical_features: Any = "from_dtype", numeric_features: Any = None, date_formats: Any = None,
        missing_values: Any = None, missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:  # fmt: skip
        self.branching = branching
        self.criterion = criterion
        self.termination = termination
        self.max_bins = max_bins
        self.cuts = cuts
        self.leaf = leaf
        self.missing = missing
        self.unseen = unseen
        self.pruning = pruning
        self.loss = loss
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.target_class = target_class
        self.identifiers = identifiers
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

"""A regression tree composed of user-selected choices, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .streaming import Streaming
from .tasks import NumberEstimator


class TreeRegressor(NumberEstimator, Streaming):
    """A regression tree composed of the four choices of the theory, by name, as records or as your own functions.

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

    criterion : {"variance", "significance"}, record or function, default="variance"
        Choice 2: how splits are scored.

        - "variance": by the decrease in variance.
        - "significance": by the p-value of the F test of means.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, 3) and
          ``parent`` of shape (3,) contain the sum of weights, the mean of y and the sum of squared deviations from it,
          in each of the B branches and in the node. The function returns C numbers; larger is better, and NaN excludes
          a split.

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

    leaf : "mean" or object, default="mean"
        Choice 4: what a leaf predicts.

        - "mean": the weighted mean of y.
        - an object with ``fit(X, y)`` and ``predict(X)``, such as a linear model: a copy is fitted to the rows of each
          leaf in which y is not constant. X contains the columns as float64, with levels as codes and NaN where a value
          is missing. ``fit`` gets the weights as ``sample_weight`` if it has this parameter.

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

    loss : {"squared_error", "poisson", "gamma", "tweedie"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", or the deviance of counts and amounts:
        "poisson", "gamma" or "tweedie". None means that of the target.
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
    One branch per level, by the decrease of variance:

    >>> from boxwood import TreeRegressor
    >>> X = {"city": ["Ulm", "京都", "서울", "Ulm"], "area": [50, 60, 70, 90]}
    >>> model = TreeRegressor(branching="multiway", termination={"max_depth": 1}).fit(X, [2.0, 4.0, 6.0, 2.0])
    >>> print(model.tree_)
    Decision tree (tree) for y: 4 nodes, 3 leaves, depth 1
    all rows (4 rows, 3.5)
    ├─ city = Ulm or missing → 2 (2 rows)
    ├─ city = 京都 → 4 (1 row)
    └─ city = 서울 → 6 (1 row)
    all 3 leaves hold fewer than 7 rows
    """

    _algorithm: ClassVar[str] = "tree"

    def __init__(
        self, *, branching: Any = "binary", criterion: Any = "variance", termination: Any = None,
        max_bins: int | None = None, cuts: str = "short", leaf: Any = "mean", missing: str | None = None,
        unseen: str = "missing", pruning: Any = None, loss: str | None = None, identifiers: str = "ignore",
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
        self.identifiers = identifiers
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

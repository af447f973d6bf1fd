"""A regression tree composed of user-selected choices, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .tasks import NumberEstimator


class TreeRegressor(NumberEstimator):
    """A regression tree composed of the four choices of the theory: named, as records, or one's own code.

    Numbers, strings, categories, booleans and missing values are taken as they are. The same data give the same tree,
    whatever the order of rows and the number of threads. docs/compose.md says which parts go together.

    Parameters
    ----------
    branching : {"binary", "multiway", "merged"}, record or function, default="binary"
        Choice 1, the number of branches of a split on a nominal feature. Ordered features are cut in two (merged: into
        as many intervals as differ).

        - "binary": two sets of levels.
        - "multiway": one branch for each level, each feature once on a path.
        - "merged": levels that do not differ significantly share a branch.
        - a record: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged` with settings.
        - a function ``branching(values)``: proposes C partitions of a node by one feature, whole numbers of shape (C,
          V): the branch of each of the V values that occur there. See :class:`boxwood.Proposed`.

    criterion : {"variance", "significance"}, record or function, default="variance"
        Choice 2, how splits are scored:

        - "variance": by the decrease of variance.
        - "significance": by the p of the F test of means.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, 3) and
          ``parent`` of shape (3,) hold the sum of weights, the mean of y and the sum of squares about it in each of the
          B branches and in the node. It returns C numbers, the larger the better, and NaN for a split that must not be
          chosen.

    termination : dict, Termination, function or None, default=None
        Choice 3, when a node stays a leaf, such as {"max_depth": 3, "min_samples_leaf": 5}: the fields of
        :class:`boxwood.Termination`. With None, a node stays a leaf when it is pure or cannot be split. A function
        ``termination(node)`` returns True where a node must stay a leaf; it sees ``node.depth``, ``node.rows``,
        ``node.weight``, ``node.moments`` and ``node.impurity``.
    max_bins : int or None, default=None
        Cut numeric columns with more distinct values into at most this many bins of about equal numbers of rows before
        growing, from 2 to 65,280. This is faster, and thresholds then lie only between bins (docs/speed.md). None uses
        every value.
    leaf : "mean" or object, default="mean"
        Choice 4, what a leaf predicts:

        - "mean": the weighted mean of y.
        - an object with ``fit(X, y, weights)`` and ``predict(X)``, such as a linear model: a copy of it is fitted to
          the rows of each leaf in which y differs. X are the columns as float64, levels as their codes.

    missing : {"majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error"} or None
        How a row is routed when the value that a split tests is missing. None is "floating" with merged branches, and
        "majority" otherwise.

        - "majority": follow the branch with the largest training weight.
        - "own_branch": follow a separate branch for missing values; "level" is another name.
        - "fractional": follow every branch with a share of the row's weight.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict; infinite numbers are refused too.

    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the data's content,
        not on the order of rows.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum error of 10-fold cross-validation, which stops after the first folds
          where these hold enough rows, at least 20,000 (docs/pruning.md).
        - "cv-1se": the smallest tree whose error is within one standard error of that minimum.
        - the name of a pruner, or an object of ``boxwood.pruners``: as docs/pruning.md describes.

    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that name rows: those with a different level in nearly every row, or with a running number
        (docs/identifiers.md):

        - "ignore": they serve neither as split nor as surrogate, and the folds do not depend on them. A KindWarning
          names them.
        - "use": they are features like all others.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal. "from_dtype" takes columns of strings, categories and booleans.
    numeric_features : list of names or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format, such as ``{"opened": "%d/%m/%Y"}`` as in
        ``datetime.strptime``, or "iso" (docs/dates.md). Columns of dates and datetimes need none.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that stand for a missing value, such as ``["?", -999]``, in X and y; a dict gives codes to single columns.
        The model remembers them and reads other data in the same way. A column of strings in which only numbers are
        left becomes numeric (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows whose response is missing:

        - "error": raise ResponseError, which says how many there are.
        - "drop": leave them out, as if they had not been given.

    random_state : int, RandomState, Generator or None, default=None
        Draws other folds for cross-validation. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result never depends on it.
    verbose : int, default=0
        1 reports progress on stderr.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, when it had names.
    feature_importances_ : float64 array of shape (p,)
        Share of each feature in the decrease of impurity.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the trees that weakest-link pruning can give.
    pruning_path_ : PruningSequence
        The trees among which the pruner chose.
    model_ : TreeModel
        All of it: full tree, pruning, settings; what ``save`` writes.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, when a parameter is out of range or of a wrong type, when parts do not go together, or when a
        criterion of one's own fails.

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
    """

    _algorithm: ClassVar[str] = "tree"

    def __init__(
        self, *, branching: Any = "binary", criterion: Any = "variance", termination: Any = None,
        max_bins: int | None = None, leaf: Any = "mean", missing: str | None = None, unseen: str = "missing",
        pruning: Any = None, identifiers: str = "ignore", categorical_features: Any = "from_dtype",
        numeric_features: Any = None, date_formats: Any = None, missing_values: Any = None,
        missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None, verbose: int = 0,
    ) -> None:  # fmt: skip
        self.branching = branching
        self.criterion = criterion
        self.termination = termination
        self.max_bins = max_bins
        self.leaf = leaf
        self.missing = missing
        self.unseen = unseen
        self.pruning = pruning
        self.identifiers = identifiers
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

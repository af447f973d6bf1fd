"""CHAID for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from .._typing import ColumnLike, TableLike
from .streaming import Streaming
from .tasks import NumberEstimator


class CHAIDRegressor(NumberEstimator, Streaming):
    """A CHAID regression tree: merged categories, F tests of means, multiway splits.

    Categories of a feature that do not differ significantly in y are merged. The node is split on the feature whose
    merged table is the most significant, with one branch for each group. p-values are adjusted for the number of ways
    to merge the categories (Bonferroni) and do not underflow. The same data give the same tree, regardless of the order
    of the rows and the number of threads. For the formulas and a worked example, see docs/chaid.md.

    Parameters
    ----------
    exhaustive : bool, default=False
        Merge the categories of a feature down to two groups, then keep the most significant grouping (Biggs et al.,
        1991). ``alpha_merge`` is ignored.
    alpha_merge : float, default=0.05
        Merge the most similar pair of groups as long as its p-value is above this.
    alpha_split : float, default=0.05
        Split a node if the adjusted p-value of its best feature is at most this.
    split_merged : bool, default=False
        After each merge, split the new group again if the split is significant (groups of three or more categories).
    alpha_split_merged : float, default=0.05
        Split a merged group again if the p-value of the split is at most this. It must not exceed ``alpha_merge``.
    bonferroni : bool, default=True
        Multiply each p-value by the number of ways in which the categories could have been merged.
    multiplier : {"spss", "biggs"}, default="spss"
        With ``exhaustive``, the Bonferroni multiplier of a nominal feature with I categories:

        - "spss": I (I^2 - 1) / 2.
        - "biggs": I (I^2 - 1) / 6.

    rank_by : {"p", "log_p"}, default="p"
        How features are compared:

        - "p": by the adjusted p-value; if two p-values are within 1e-12 of each other, by the statistic.
        - "log_p": by the logarithm of the adjusted p-value, which distinguishes very small values.

    n_bins : int, default=10
        Before growing, a numeric feature is divided into at most this many ordered bins with about equal numbers of
        rows.
    min_segment : int or float, default=0
        Groups with fewer cases are merged before features are compared. A float in (0, 1) is a proportion of all cases.
    loss : {"squared_error", "poisson", "gamma", "tweedie"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", or the deviance of counts and amounts:
        "poisson", "gamma" or "tweedie". None means that of the target.
    max_depth : int or None, default=3
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=100
        Minimum number of cases in a node that is split; a weight of 3 counts as 3 cases. A float in (0, 1) is a
        proportion of all cases.
    min_samples_leaf : int or float, default=50
        Minimum number of cases in each branch; a smaller branch is merged with the most similar one. A float in (0, 1)
        is a proportion of all cases.
    max_competitors : int, default=4
        Number of competing features stored at each node, with their merged groups.
    weights : {"frequency", "case"}, default="frequency"
        What ``sample_weight`` means:

        - "frequency": the number of times that a row counts, also in the test.
        - "case": the importance of a row. It affects the expected counts or means of the test, but not the number of
          cases.

    missing : {"floating", "error"}, default="floating"
        How missing values are treated:

        - "floating": as a separate category. In a nominal feature it merges like any other category; in an ordered
          feature it merges with the most similar group.
        - "error": raise MissingValueError, also for infinite numbers.

    unseen : {"stay", "majority", "missing", "error"}, default="stay"
        How a row is routed when it has a category that did not occur at a node in training:

        - "stay": stop at the node and predict from it.
        - "majority": follow the branch with the largest training weight.
        - "missing": treat the category as a missing value.
        - "error": raise UnseenLevelError for levels that did not occur in training at all.

    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

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
        The selected tree: print it, or call ``tree_.to_frame()``; ``tree_.log_p`` is the natural logarithm of the
        adjusted p-value of each split.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.
    feature_importances_ : float64 array of shape (p,)
        Normalised decrease in variance by each feature.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the nested sequence of weakest-link pruning.
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
    >>> from boxwood import CHAIDRegressor
    >>> X = {"city": ["Ulm", "Ulm", "Bonn", "Bonn", "京都", "京都"] * 10}
    >>> rent = [400, 420, 410, 400, 900, 950] * 10
    >>> model = CHAIDRegressor(min_samples_split=20, min_samples_leaf=10).fit(X, rent)
    >>> print(model.tree_)
    Decision tree (chaid) for y: 3 nodes, 2 leaves, depth 1
    all rows (60 rows, 580; p 5.34e-70; missing: stays)
    ├─ city in {Bonn, Ulm} → 407.5 (40 rows)
    └─ city = 京都 → 925 (20 rows)
    >>> model.predict({"city": ["京都", None]}).tolist()
    [925.0, 580.0]
    """

    _algorithm: ClassVar[str] = "chaid"

    def __init__(
        self, *, exhaustive: bool = False, alpha_merge: float = 0.05, alpha_split: float = 0.05,
        split_merged: bool = False, alpha_split_merged: float = 0.05, bonferroni: bool = True, multiplier: str = "spss",
        rank_by: str = "p", n_bins: int = 10, min_segment: int | float = 0, loss: str | None = None,
        max_depth: int | None = 3, min_samples_split: int | float = 100, min_samples_leaf: int | float = 50,
        max_competitors: int = 4, weights: str = "frequency", missing: str = "floating", unseen: str = "stay",
        identifiers: str = "ignore", pruning: Any = None, categorical_features: Any = "from_dtype",
        numeric_features: Any = None, date_formats: Any = None, missing_values: Any = None,
        missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None, verbose: int = 0,
    ) -> None:  # fmt: skip
        self.exhaustive = exhaustive
        self.alpha_merge = alpha_merge
        self.alpha_split = alpha_split
        self.split_merged = split_merged
        self.alpha_split_merged = alpha_split_merged
        self.bonferroni = bonferroni
        self.multiplier = multiplier
        self.rank_by = rank_by
        self.n_bins = n_bins
        self.min_segment = min_segment
        self.loss = loss
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_competitors = max_competitors
        self.weights = weights
        self.missing = missing
        self.unseen = unseen
        self.identifiers = identifiers
        self.pruning = pruning
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(  # type: ignore[override]  # CHAID takes no exposure
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None
    ) -> Self:
        """Grow a tree and prune it as set by ``pruning``.

        Parameters
        ----------
        X : table of shape (n, p)
            A numpy array, a pandas, polars or pyarrow data frame, a list of rows, or a dictionary of columns; it is not
            modified. Strings, categories and booleans are nominal features. Missing values need no preparation.
        y : column of n finite numbers
        sample_weight : column of n numbers, optional
            Weights of at least 0; their meaning is set by ``weights``. Rows of weight 0 are omitted.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message gives the allowed values.
        DataError, DataTypeError
            The data cannot be used; the message names the column, row and value. A previously fitted model is kept.

        Examples
        --------
        >>> from boxwood import CHAIDRegressor
        >>> X = {"grade": ["a", "b", "c"] * 4}
        >>> model = CHAIDRegressor(min_samples_split=4, min_samples_leaf=2).fit(X, [1, 2, 9, 2, 1, 8] * 2)
        >>> model.predict({"grade": ["a", "c"]}).tolist()
        [1.5, 8.5]
        """
        return self._fit(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        """The default limits are made for surveys: they leave a few hundred rows with hardly a split."""
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self.min_samples_split == 100 or self.min_samples_leaf == 50
        return tags

"""CART for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .streaming import Streaming
from .tasks import NumberEstimator


class CARTRegressor(NumberEstimator, Streaming):
    """A CART regression tree: binary splits by variance or Poisson deviance, surrogate splits, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads.

    Parameters
    ----------
    criterion : {"variance", "poisson", "gamma", "tweedie"}, default="variance"
        Impurity measure:

        - "variance": the mean squared deviation from the mean (also called "squared_error" or "anova").
        - "poisson": the mean Poisson deviance of counts.
        - "gamma": the mean gamma deviance of positive numbers, which measures relative errors.
        - "tweedie", ``Tweedie(1.7)``, or the name "tweedie:1.7": the mean Tweedie deviance of numbers of at least 0, of
          the power 1.5 or 1.7.

    ccp_risk : {"variance", "poisson", "gamma", "tweedie"} or None, default=None
        Risk that pruning weighs against the number of leaves, that of the criterion: "variance", "poisson", "gamma" or
        "tweedie". None means ``criterion``.
    loss : {"squared_error", "poisson", "gamma", "tweedie"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", or the deviance of counts and amounts:
        "poisson", "gamma" or "tweedie". None means that of the target.
    shrink : float, default=0.0
        With ``criterion="poisson"``, the coefficient of variation of the prior on the rates. Rates of small leaves are
        shrunk towards the rate of the root; a smaller value shrinks more. 0 means no shrinkage.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows, regardless of their weights, in a node that is split. A float in (0, 1) is a proportion
        of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows, regardless of their weights, in each branch. A float in (0, 1) is a proportion of all
        rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum weight of each branch, as a fraction of the total weight of the rows: sample weights times class
        weights; priors and costs do not count.
    max_leaf_nodes : int or None, default=None
        Grow the tree best first until it has this many leaves. None sets no limit.
    min_impurity_decrease : float, default=0.0
        Minimum decrease in impurity of a split, weighted by the proportion of all rows that are in the node.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"auto", "short", "exact"}, default="auto"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.
        - "auto": "exact" with ``compat``, otherwise "short".

    min_samples_level : int or "auto", default="auto"
        Levels with fewer rows in a node are pooled: they follow the same branch in splits and in surrogates. "auto" is
        50 for features with more than 100 levels and 1 for all others.
    level_correction : bool, default=False
        Before features are compared, subtract from the decrease in impurity what a feature with this number of levels
        achieves by chance.
    feature_costs : list of float, dict or None, default=None
        A positive cost for each feature, in column order or by name. Decreases in impurity are divided by it.
    max_competitors : int or "auto", default="auto"
        Number of competing splits stored at each node. "auto" is 0, or 4 with ``compat="rpart"``.
    missing : {"surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"}
        How a row is routed when the value that a split tests is missing:

        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "majority": follow the branch with the larger training weight.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "own_branch": follow a separate branch for missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.
        - "surrogate_or_stay": as "surrogate", but if no value is known, stop at the node and predict from it.
        - "stay": stop at the node and predict from it.

    max_surrogates : int, default=5
        Number of surrogate splits stored at each node. They are also stored if the training data are complete, because
        a value may be missing in prediction. 0 saves the time to find them.
    surrogate_style : int, default=0
        How the agreement of a surrogate is measured: 0, over all rows; 1, over the rows in which both values are known.
    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    ccp_alpha : float, default=0.0
        If positive, prune at this alpha (risk per unit of weight for each leaf) and ignore ``pruning``.
    pruning : str, pruner or None, default="cv"
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    compat : {"rpart"} or None, default=None
        "rpart" reproduces R's rpart, also where it deviates from the book (docs/rpart.md).
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
        By ``fit``, if a parameter is out of range or has the wrong type.

    References
    ----------
    Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X = {"size": [30, 45, 50, 60, 75, 90, 120], "city": ["Ulm", "Ulm", "Ulm", "京都", "Ulm", "京都", "京都"]}
    >>> rent = [300.0, 400.0, 450.0, 900.0, 650.0, 1200.0, 1500.0]
    >>> model = CARTRegressor(max_depth=1, pruning=None).fit(X, rent)
    >>> print(model.tree_)
    Decision tree (cart) for y: 3 nodes, 2 leaves, depth 1
    all rows (7 rows, 771.429)
    ├─ city = Ulm or missing* → 450 (4 rows)
    └─ city = 京都 → 1200 (3 rows)
    both leaves hold fewer than 7 rows
    * surrogate splits are tried first
    >>> model.predict({"size": [50], "city": ["京都"]}).tolist()
    [1200.0]
    """

    _algorithm: ClassVar[str] = "cart"

    def __init__(
        self, *, criterion: Any = "variance", ccp_risk: str | None = None, loss: str | None = None, shrink: float = 0.0,
        max_depth: int | None = None, min_samples_split: int | float = 2, min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0, max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        max_bins: int | None = None, cuts: str = "auto", min_samples_level: int | str = "auto",
        level_correction: bool = False, feature_costs: Any = None, max_competitors: int | str = "auto",
        missing: str = "surrogate", max_surrogates: int = 5, surrogate_style: int = 0, unseen: str = "missing",
        identifiers: str = "auto", ccp_alpha: float = 0.0, pruning: Any = "cv", compat: str | None = None,
        categorical_features: Any = "from_dtype", numeric_features: Any = None, date_formats: Any = None,
        missing_values: Any = None, missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:  # fmt: skip
        self.criterion = criterion
        self.ccp_risk = ccp_risk
        self.loss = loss
        self.shrink = shrink
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.max_bins = max_bins
        self.cuts = cuts
        self.min_samples_level = min_samples_level
        self.level_correction = level_correction
        self.feature_costs = feature_costs
        self.max_competitors = max_competitors
        self.missing = missing
        self.max_surrogates = max_surrogates
        self.surrogate_style = surrogate_style
        self.unseen = unseen
        self.identifiers = identifiers
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.compat = compat
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

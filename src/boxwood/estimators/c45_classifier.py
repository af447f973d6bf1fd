"""C4.5 for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from .streaming import Streaming
from .tasks import ClassEstimator


class C45Classifier(ClassEstimator, Streaming):
    """A C4.5 tree: gain ratio, one branch per level, thresholds, fractional weights, error-based pruning.

    The reference programs are Quinlan's release 8 and Weka's J48; ``compat`` reproduces either of them exactly. If a
    value is missing, the row follows every branch with a fraction of its weight, in growing, pruning and prediction.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How features are ranked:

        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain.
        - "gain" (also called "entropy" or "information_gain"): by gain, as with C4.5's option -g.

    min_branch_weight : float, default=2.0
        Minimum weight in at least two branches of a split: C4.5's m. It is a sum of weights, not a number of rows.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    group_levels : bool, default=False
        Group the levels of a nominal feature before it is scored (C4.5's option -s). Such a feature can be tested again
        further down.
    one_level : bool, default=False
        Split a nominal feature into one level and the rest, instead of one branch for each level (J48's option -B). The
        feature can be tested again further down.
    cut_charge : bool, default=True
        Subtract log2(number of possible thresholds) / weight from the gain of a numeric split, as in release 8.
    data_cuts : bool, default=True
        Use as threshold the largest value of the data that does not exceed the midpoint between two values. False uses
        the midpoint, rounded as far as it parts the values.
    cuts : {"auto", "short", "exact"}, default="auto"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.
        - "auto": "exact" with ``compat``, otherwise "short".  It needs ``data_cuts=False``.

    collapse : bool, default=True
        Before pruning, collapse each branch that does not reduce the number of training errors.
    ccp_alpha : float, default=0.0
        If positive, ``pruning`` is ignored, and the tree is the smallest one that minimises C_alpha(T) / N = sum of N_t
        H_t / N + ccp_alpha * leaves, where H_t is the entropy of leaf t in bits. It is the alpha of the lecture notes
        divided by the number of rows N: for alpha = 2 and 17 rows, set ``ccp_alpha=2/17``.
    pruning : str, pruner or None, default="error_based"
        How the full tree is pruned; ``prune()`` can prune it again later.

        - "error_based": by estimated errors, as C4.5 does, with ``confidence`` and ``raising``.
        - None: keep the full tree, collapsed if ``collapse`` is True.
        - "cv", "cv-1se", the name of a pruner, or an object of ``boxwood.pruners``: as docs/pruning.md describes.

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

    confidence : float, default=0.25
        With "error_based", the confidence CF, from 1e-300 to 0.5. A smaller value prunes more.
    raising : bool, default=True
        With "error_based", allow the largest branch to replace its parent.
    laplace : bool, default=False
        Add 1 to the weight of each class in a leaf before probabilities are computed (J48's -A).
    missing : {"error", "own_branch", "majority", "fractional"}, default="fractional"
        How a row is routed when the value that a split tests is missing:

        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.

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

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    max_competitors : int, default=4
        Number of competing splits stored at each node.
    compat : {"c45", "j48"} or None, default=None
        Reproduce another program:

        - "c45": release 8. Values closer than 1e-5 are merged. Pruning uses its table of normal deviates, its 0.67 rule
          and the last of equally large branches. Empty leaves predict with certainty.
        - "j48": Weka's J48. Values closer than 1e-5 are merged, gain ratios must exceed 1e-6, and a numeric split needs
          twice as many rows as the minimum weight of each side. Pruning uses the last of equally large branches.

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
        self, *, criterion: str = "gain_ratio", min_branch_weight: float = 2.0, max_depth: int | None = None,
        group_levels: bool = False, one_level: bool = False, cut_charge: bool = True, data_cuts: bool = True,
        cuts: str = "auto", collapse: bool = True, ccp_alpha: float = 0.0, pruning: Any = "error_based",
        loss: str | None = None, smoothing: Any = None, confidence: float = 0.25, raising: bool = True,
        laplace: bool = False, missing: str = "fractional", unseen: str = "missing", identifiers: str = "auto",
        class_weight: Any = None, target_class: Any = None, max_competitors: int = 4, compat: str | None = None,
        categorical_features: Any = "from_dtype", numeric_features: Any = None, date_formats: Any = None,
        missing_values: Any = None, missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:  # fmt: skip
        self.criterion = criterion
        self.min_branch_weight = min_branch_weight
        self.max_depth = max_depth
        self.group_levels = group_levels
        self.one_level = one_level
        self.cut_charge = cut_charge
        self.data_cuts = data_cuts
        self.cuts = cuts
        self.collapse = collapse
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.loss = loss
        self.smoothing = smoothing
        self.confidence = confidence
        self.raising = raising
        self.laplace = laplace
        self.missing = missing
        self.unseen = unseen
        self.identifiers = identifiers
        self.class_weight = class_weight
        self.target_class = target_class
        self.max_competitors = max_competitors
        self.compat = compat
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

"""A tree composed by its user, for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar

from .tasks import NumberEstimator


class TreeRegressor(NumberEstimator):
    """A regression tree composed of the four choices of the theory: named, as records, or one's own code.

    Numbers, strings, categories, booleans and missing values are taken as they are. The same data give the same tree,
    whatever the order of rows and the number of threads. docs/compose.md says which parts go together.

    Parameters
    ----------
    branching : {"binary", "multiway", "merged"}, Binary, Multiway or Merged
        Choice 1, the number of branches of a split on a nominal feature: two sets of levels; one branch a level, the
        feature once on a path; levels that do not differ significantly share a branch. Ordered features are cut in two
        (merged: into as many intervals as differ).
    criterion : {"variance", "significance"}, record or function
        Choice 2, how splits are scored: by the decrease of variance, or by the F test of means. A function
        ``criterion(children, parent)`` scores C ways to part a node:
        ``children`` of shape (C, B, 3) and ``parent`` of shape (3,) hold sum of weights, mean of y and sum of squares
        about it in each of the B branches and in the node; it returns C numbers, the larger the better, NaN for what
        must not be chosen.
    termination : dict, Termination or None
        Choice 3, when a node stays a leaf, such as {"max_depth": 3, "min_samples_leaf": 5}; the fields of
        :class:`boxwood.Termination`. None = when it is pure or cannot be split.
    max_bins : int or None
        Cut numeric columns of more distinct values into at most so many bins of about equal numbers of rows first, 2 to
        65,280; goes with ``branching="binary"`` (docs/speed.md). None = every value counts.
    leaf : {"mean"}
        Choice 4, what a leaf says: the weighted mean.
    missing : {"majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error"} or None
        Where a row goes whose value is missing: with the majority; into a branch of its own; down every branch with a
        share of its weight; as surrogate splits say; where it helped in training; into the merged group most like it;
        nowhere, it is an error (and so are infinite numbers). None = "floating" with merged branches, else "majority".
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level that training did not have, or that it did not have at a node: as if missing; the branch
        with most weight; the row ends at the node; refuse levels that the data never had.
    pruning : str, pruner of docs/pruning.md or None
        Where to prune: "cv" at the least loss in 10-fold cross-validation; "cv-1se" at the smallest tree within one
        standard error of it; as any pruner says, by its name or as an object; None keeps the full tree.
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal; by default those of strings, categories and booleans.
    random_state : int, RandomState, Generator or None
        Other numbers draw other folds; nothing else is random.
    n_jobs : int or None
        Threads of the kernel; None and -1 = all cores. The result never depends on it.
    verbose : int
        1 shows on stderr what is being done.

    Attributes
    ----------
    tree_ : Tree
        The tree in force: print it, or ask for ``tree_.to_frame()``.
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
        By ``fit``, when a parameter is out of range or of a wrong type, when parts do not go together, or when a
        criterion of one's own fails.

    References
    ----------
    Hunt, Marin, Stone: Experiments in Induction, 1966. Breiman, Friedman, Olshen, Stone: Classification and Regression
    Trees, 1984. Quinlan: C4.5, 1993.

    Examples
    --------
    One branch a level, by the decrease of variance:

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
        self, *, branching="binary", criterion="variance", termination=None, leaf="mean", missing=None,
        unseen="missing", pruning=None, categorical_features="from_dtype", random_state=None, n_jobs=None,
        verbose=0, max_bins=None,
    ):  # fmt: skip
        self.branching = branching
        self.criterion = criterion
        self.termination = termination
        self.leaf = leaf
        self.missing = missing
        self.unseen = unseen
        self.pruning = pruning
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.max_bins = max_bins

"""The parameters of a composed tree: one for each choice, with its range, default, help and documentation."""

from __future__ import annotations

from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING
from ..statistics.class_measures import measure_setting
from .shared_parameters import CLASS_WEIGHT, IDENTIFIERS, MAX_BINS, PRUNING, unseen

#: Names of branchings, and of the policies for missing values; which go together is docs/compose.md.
BRANCHINGS = ("binary", "multiway", "merged")
POLICIES = ("majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error")

_BRANCHING = Parameter(
    "branching", "part", "binary", "number of branches, or Binary(...), Multiway(...), Merged(...), or a function",
    choices=BRANCHINGS, type='{"binary", "multiway", "merged"}, record or function',
    doc="""
    Choice 1, the number of branches of a split on a nominal feature. Ordered features are cut in two (merged: into as
    many intervals as differ).
    - "binary": two sets of levels.
    - "multiway": one branch for each level, each feature once on a path.
    - "merged": levels that do not differ significantly share a branch.
    - a record: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged` with settings.
    - a function ``branching(values)``: proposes C partitions of a node by one feature, whole numbers of shape (C, V):
      the branch of each of the V values that occur there. See :class:`boxwood.Proposed`.
    """,
)  # fmt: skip

_REST = (
    Parameter(
        "termination", "free", None, "limits as a dict, such as {'max_depth': 3}, or Termination(...)",
        type="dict, Termination, function or None",
        doc="""
        Choice 3, when a node stays a leaf, such as {"max_depth": 3, "min_samples_leaf": 5}: the fields of
        :class:`boxwood.Termination`. With None, a node stays a leaf when it is pure or cannot be split. A function
        ``termination(node)`` returns True where a node must stay a leaf; it sees ``node.depth``, ``node.rows``,
        ``node.weight``, ``node.moments`` and ``node.impurity``.
        """,
    ),
    MAX_BINS,
)  # fmt: skip

_POLICIES = (
    Parameter(
        "missing", "choice", None,
        "how to treat a missing value of the feature that a split tests; None = as usual with the branching",
        choices=POLICIES, aliases=(("level", "own_branch"),), optional=True,
        doc="""
        How a row is routed when the value that a split tests is missing. None is "floating" with merged branches, and
        "majority" otherwise.
        - "majority": follow the branch with the largest training weight.
        - "own_branch": follow a separate branch for missing values; "level" is another name.
        - "fractional": follow every branch with a share of the row's weight.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict; infinite numbers are refused too.
        """,
    ),
    unseen("missing"),
    PRUNING,
)  # fmt: skip

CLASSIFICATION = (
    _BRANCHING,
    Parameter(
        "criterion", "part", "gini", "how splits are scored, or a function (children, parent) -> scores",
        choices=("gini", "entropy", "error", "gain", "gain_ratio", "in_order", "significance"), reads=measure_setting,
        aliases=(("log_loss", "entropy"), ("information", "entropy"), ("chi_squared", "significance")),
        type="str, record or function",
        doc="""
        Choice 2, how splits are scored:
        - "gini", "entropy", "error": by the decrease of that measure of impurity.
        - ``Tsallis(1.5)``: by the decrease of Tsallis entropy of an order q.
        - "gain": by the decrease of entropy.
        - "gain_ratio": by the ratio of gain to intrinsic value, among gains of at least the average.
        - "in_order": not at all; the first feature that is left is taken.
        - "significance": by the p of the chi-squared test.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, K) and
          ``parent`` of shape (K,) hold the weights of the K classes in each of the B branches and in the node. It
          returns C numbers, the larger the better, and NaN for a split that must not be chosen.
        """,
    ),
    *_REST,
    Parameter(
        "leaf", "part", "majority", "shares of classes as they are; Laplace's rule; a number of rows added",
        choices=("majority", "laplace"), type='{"majority", "laplace"}, float or object',
        doc="""
        Choice 4, the probability that a leaf predicts for a class with weight n_k of N. The most probable class is the
        same.
        - "majority": n_k / N.
        - "laplace": Laplace's rule (n_k + 1) / (N + K).
        - a number m: the m-estimate (n_k + m / K) / (N + m).
        - an object with ``fit(X, y, weights)`` and ``predict_proba(X)``: a copy of it is fitted to the rows of each
          leaf that has several classes. X are the columns as float64, levels as their codes; y are numbers of classes.
        """,
    ),
    *_POLICIES,
    CLASS_WEIGHT,
    IDENTIFIERS,
    *RUNNING,
)  # fmt: skip

REGRESSION = (
    _BRANCHING,
    Parameter(
        "criterion", "part", "variance", "how splits are scored, or a function (children, parent) -> scores",
        choices=("variance", "significance"), aliases=(("squared_error", "variance"), ("anova", "variance")),
        type='{"variance", "significance"}, record or function',
        doc="""
        Choice 2, how splits are scored:
        - "variance": by the decrease of variance.
        - "significance": by the p of the F test of means.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, 3) and
          ``parent`` of shape (3,) hold the sum of weights, the mean of y and the sum of squares about it in each of the
          B branches and in the node. It returns C numbers, the larger the better, and NaN for a split that must not be
          chosen.
        """,
    ),
    *_REST,
    Parameter(
        "leaf", "part", "mean", "what a leaf predicts", choices=("mean",), type='"mean" or object',
        doc="""
        Choice 4, what a leaf predicts:
        - "mean": the weighted mean of y.
        - an object with ``fit(X, y, weights)`` and ``predict(X)``, such as a linear model: a copy of it is fitted to
          the rows of each leaf in which y differs. X are the columns as float64, levels as their codes.
        """,
    ),
    *_POLICIES,
    IDENTIFIERS,
    *RUNNING,
)  # fmt: skip

"""The parameters of a composed tree: one for each choice, with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING, TARGET_CLASS
from ..statistics.class_measures import measure_setting
from .shared_parameters import (
    CLASS_WEIGHT,
    CUTS,
    IDENTIFIERS,
    LOSS,
    LOSS_OF_NUMBERS,
    MAX_BINS,
    PRUNING,
    SMOOTHING,
    unseen,
)

#: Names of branchings, and of the policies for missing values; which go together is docs/compose.md.
BRANCHINGS = ("binary", "multiway", "merged")
POLICIES = ("majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error")

_BRANCHING = Parameter(
    "branching", "part", "binary", "number of branches, or Binary(...), Multiway(...), Merged(...), or a function",
    choices=BRANCHINGS, type='{"binary", "multiway", "merged"}, record or function',
    doc="""
    Choice 1: the number of branches of a split on a nominal feature. An ordered feature is split at a threshold, or
    with "merged" into the intervals that differ significantly.
    - "binary": two sets of levels.
    - "multiway": one branch for each level; each feature is used at most once on a path.
    - "merged": levels that do not differ significantly share a branch.
    - a record with settings: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged`.
    - a function ``branching(values)``: proposes C partitions of a node by one feature, as an array of integers of shape
      (C, V) with the branch of each of the V values in the node. See :class:`boxwood.Proposed`.
    """,
)  # fmt: skip

_REST = (
    Parameter(
        "termination", "free", None, 'limits as a dict, such as {"max_depth": 3}, or Termination(...)',
        type="dict, Termination, function or None",
        doc="""
        Choice 3: when a node becomes a leaf. Pass a :class:`boxwood.Termination`, or its fields as a dict such as
        {"max_depth": 3, "min_samples_leaf": 5}. With None, a node becomes a leaf if it is pure or cannot be split. A
        function ``termination(node)`` returns True if the node must be a leaf; ``node`` has the attributes ``depth``,
        ``rows``, ``weight``, ``moments`` and ``impurity``.
        """,
    ),
    MAX_BINS,
    replace(
        CUTS, default="short", help="thresholds: short numbers, or exact midpoints", choices=("short", "exact"),
        doc=CUTS.doc.partition('    - "auto"')[0] + """
    A criterion with ``data_cuts=True`` cuts at values of the data.
    """,
    ),
)  # fmt: skip

_POLICIES = (
    Parameter(
        "missing", "choice", None,
        "how to route a row if the value that a split tests is missing; None = depends on the branching",
        choices=POLICIES, aliases=(("level", "own_branch"),), optional=True,
        doc="""
        How a row is routed when the value that a split tests is missing. None means "floating" with merged branches and
        "majority" otherwise.
        - "majority": follow the branch with the largest training weight.
        - "own_branch" (also called "level"): follow a separate branch for missing values.
        - "fractional": follow every branch with a fraction of the weight of the row.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the branch of the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.
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
        """,
    ),
    *_REST,
    Parameter(
        "leaf", "part", "majority", "how a leaf estimates probabilities: majority, laplace, or the m of an m-estimate",
        choices=("majority", "laplace"), type='{"majority", "laplace"}, float or object',
        doc="""
        Choice 4: the probability that a leaf predicts for a class with weight n_k of N. The first three predict the
        same class.
        - "majority": n_k / N.
        - "laplace": Laplace's rule (n_k + 1) / (N + K).
        - a number m: the m-estimate (n_k + m / K) / (N + m).
        - an object with ``fit(X, y)`` and ``predict_proba(X)``: a copy is fitted to the rows of each leaf with more
          than one class. X contains the columns as float64, with levels as codes and NaN where a value is missing; y
          contains class numbers. ``fit`` gets the weights as ``sample_weight`` if it has this parameter. Without
          ``predict_proba``, the class that ``predict(X)`` returns has probability 1.
        """,
    ),
    *_POLICIES,
    LOSS,
    replace(SMOOTHING, default="auto"),
    CLASS_WEIGHT,
    TARGET_CLASS,
    IDENTIFIERS,
    *RUNNING,
)  # fmt: skip

REGRESSION = (
    _BRANCHING,
    Parameter(
        "criterion", "part", "variance", "how splits are scored, or a function (children, parent) -> scores",
        choices=("variance", "poisson", "gamma", "tweedie", "significance"),
        aliases=(("squared_error", "variance"), ("anova", "variance")),
        type='{"variance", "poisson", "gamma", "tweedie", "significance"}, record or function',
        doc="""
        Choice 2: how splits are scored.
        - "variance": by the decrease in variance.
        - "poisson", "gamma", "tweedie" or ``Tweedie(1.7)``: by the decrease in deviance of counts or amounts.
        - "significance": by the p-value of the F test of means.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, 3) and
          ``parent`` of shape (3,) contain the sum of weights, the mean of y and the sum of squared deviations from it,
          in each of the B branches and in the node. The function returns C numbers; larger is better, and NaN excludes
          a split.
        """,
    ),
    *_REST,
    Parameter(
        "leaf", "part", "mean", "what a leaf predicts", choices=("mean",), type='"mean" or object',
        doc="""
        Choice 4: what a leaf predicts.
        - "mean": the weighted mean of y.
        - an object with ``fit(X, y)`` and ``predict(X)``, such as a linear model: a copy is fitted to the rows of each
          leaf in which y is not constant. X contains the columns as float64, with levels as codes and NaN where a value
          is missing. ``fit`` gets the weights as ``sample_weight`` if it has this parameter.
        """,
    ),
    *_POLICIES,
    LOSS_OF_NUMBERS,
    IDENTIFIERS,
    *RUNNING,
)  # fmt: skip

"""Parameters that several tree algorithms share: depth, missing and unseen values, weights, pruning."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter
from ..statistics.responses.registry import NUMBERS

MAX_DEPTH = Parameter(
    "max_depth", "integer", None, "maximum depth of the tree", low=0, optional=True,
    doc="""
    Maximum depth of the tree; the root is at depth 0. None sets no limit.
    """,
)  # fmt: skip
MAX_COMPETITORS = Parameter(
    "max_competitors", "integer", 4, "competing splits stored at each node", low=0,
    doc="""
    Number of competing splits stored at each node.
    """,
)  # fmt: skip
MAX_BINS = Parameter(
    "max_bins", "integer", None,
    "bin numeric columns with more distinct values into at most N bins, never more than 255; None = every value",
    low=2, high=65_280, optional=True,
    doc="""
    Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280; more
    than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only between bins
    (docs/speed.md). None uses every value.
    """,
)  # fmt: skip
CUTS = Parameter(
    "cuts", "choice", "auto", "thresholds: short numbers, or exact midpoints; 'auto' = short, or exact with compat",
    choices=("auto", "short", "exact"),
    doc="""
    Where the threshold between two neighbouring training values of a node lies (docs/cart.md):
    - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
      digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
    - "exact": at the midpoint.
    - "auto": "exact" with ``compat``, otherwise "short".
    """,
)  # fmt: skip
MONOTONIC_CST = Parameter(
    "monotonic_cst", "free", None,
    "order of the predictions along features, such as income=+1,age=-1: 1 = never falling, -1 = never rising",
    type="list of int, dict or None",
    doc="""
    The order of the predictions along each feature, in column order or by name: 1 = they never fall where it
    rises, -1 = they never rise, 0 = any order. Of two classes, it is the order of the probability of the second
    one in ``classes_`` (docs/monotone.md).
    """,
)  # fmt: skip
INTERACTION_CST = Parameter(
    "interaction_cst", "free", None,
    "features that may follow each other on a path: 'pairwise', 'no_interactions', or groups as lists of names",
    type='{"pairwise", "no_interactions"}, list of lists or None',
    doc="""
    Which features may interact, that is, be tested on the same path, as in HistGradientBoostingClassifier
    (docs/monotone.md). Surrogates keep to it too.
    - a list of groups of features, by name or place: the features on a path all belong to one group. Those that no
      group names are one more group.
    - "pairwise": at most two different features on a path.
    - "no_interactions": one.
    """,
)  # fmt: skip
FORBIDDEN_FEATURES = Parameter(
    "forbidden_features", "free", None, "features that no split and no surrogate uses, by name",
    type="list of str or int, or None",
    doc="""
    Features that no split and no surrogate uses, by name or place.
    """,
)  # fmt: skip
FORCED_SPLITS = Parameter(
    "forced_splits", "free", None,
    "splits that the tree begins with: a condition, or nested as JSON with the keys split, yes and no",
    type="str, dict or None",
    doc="""
    Splits that the tree begins with, and that pruning keeps: a condition on one feature, such as "income <= 24.5", or a
    dict ``{"split": "income <= 24.5", "yes": "town in {Ulm, Bonn}", "no": {"split": ...}}`` (docs/monotone.md).
    """,
)  # fmt: skip
IDENTIFIERS = Parameter(
    "identifiers", "choice", "ignore", "ignore columns that identify rows, or use them like others",
    choices=("ignore", "use"),
    doc="""
    How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
    numbers (docs/identifiers.md):
    - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
    - "use": use them like any other feature.
    """,
)  # fmt: skip
IDENTIFIERS_OR_COMPAT = replace(
    IDENTIFIERS, default="auto", choices=("auto", "ignore", "use"),
    help="ignore columns that identify rows, or use them like others; 'auto' = ignore, or use with compat",
    doc=IDENTIFIERS.doc + """
    - "auto": "use" with ``compat``, otherwise "ignore".
    """,
)  # fmt: skip
CLASS_WEIGHT = Parameter(
    "class_weight", "free", None, "None, 'balanced' or a dict label -> weight", type='dict, "balanced" or None',
    doc="""
    Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    """,
)  # fmt: skip
CCP_ALPHA = Parameter(
    "ccp_alpha", "real", 0.0, "prune at this alpha per row (alpha / N of C_alpha(T)), and ignore pruning", low=0.0,
    doc="""
    If positive, ``pruning`` is ignored, and the tree is the smallest one that minimises
    C_alpha(T) / N = sum of N_t H_t / N + ccp_alpha * leaves, where H_t is the entropy of leaf t in bits. It is the
    alpha of the lecture notes divided by the number of rows N: for alpha = 2 and 17 rows, set ``ccp_alpha=2/17``.
    """,
)  # fmt: skip
LOSS = Parameter(
    "loss", "choice", None, "loss by which held-out rows choose the size of the tree; None = brier, or cost",
    choices=("brier", "log_loss", "error", "cost"), optional=True,
    doc="""
    Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner: "cv"
    takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error" or
    "cost".
    - "brier": squared distance of the probabilities of the leaves from the truth.
    - "log_loss": minus the logarithm of the probability of the true class.
    - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
    - "cost": the mean cost of the predictions, by ``costs``.
    """,
)  # fmt: skip
LOSS_OF_NUMBERS = replace(
    LOSS, help="loss by which held-out rows choose the size of the tree; None = that of the target",
    choices=tuple(loss for kind in NUMBERS.values() for loss in kind.losses),
    doc="""
    Loss by which held-out rows choose the size of the tree: "squared_error", the deviance of counts and amounts
    ("poisson", "gamma" or "tweedie"), "absolute_error" of medians, or "pinball" of quantiles. None means that of the
    target.
    """,
)  # fmt: skip
SMOOTHING = Parameter(
    "smoothing", "real", None, "smoothing of the probabilities of leaves: 'laplace', the m of an m-estimate, or None",
    choices=("auto", "laplace"), low=0.0, high=1e6, optional=True, type='{"auto", "laplace"}, float or None',
    doc="""
    How the probabilities of the leaves are smoothed:
    - None: not at all; they are the shares of the classes.
    - "laplace": Laplace's rule, (n_k + 1) / (n + K).
    - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
    - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.
    """,
)  # fmt: skip
PRUNING = Parameter(
    "pruning", "free", None, "None, 'cv', 'cv-1se', the name of a pruner or a pruner", type="str, pruner or None",
    doc="""
    How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the rows,
    not on their order.
    - None: keep the full tree.
    - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain enough
      rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
    - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
    - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).
    """,
)  # fmt: skip

_UNSEEN_VALUES = """
    - "missing": treat the level as a missing value.
    - "majority": follow the branch with the largest training weight.
    - "stay": stop at the node and predict from it.
    - "error": raise UnseenLevelError.
"""


def missing(default: str) -> Parameter:
    """How to treat a missing value in a tree with one branch per level."""
    return Parameter(
        "missing", "choice", default, "how to route a row if the value that a split tests is missing",
        choices=("error", "own_branch", "majority", "fractional"), aliases=(("level", "own_branch"),),
        doc="""
        How a row is routed when the value that a split tests is missing:
        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.
        """,
    )  # fmt: skip


def unseen(default: str) -> Parameter:
    """How to treat a level that did not occur in training."""
    return Parameter(
        "unseen", "choice", default, "how to route a level that did not occur in training",
        choices=("missing", "majority", "stay", "error"),
        doc="How a row is routed when it has a level that did not occur in training:" + _UNSEEN_VALUES,
    )  # fmt: skip

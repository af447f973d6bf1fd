"""Parameters that several tree algorithms share: depth, missing and unseen values, weights, pruning."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter

MAX_DEPTH = Parameter(
    "max_depth", "integer", None, "largest depth of the tree", low=1, optional=True,
    doc="""
    Largest depth of the tree; the root is at depth 0. None sets no limit.
    """,
)  # fmt: skip
MAX_COMPETITORS = Parameter(
    "max_competitors", "integer", 4, "runner-up splits kept at each node", low=0,
    doc="""
    Number of runner-up splits kept at each node.
    """,
)  # fmt: skip
MAX_BINS = Parameter(
    "max_bins", "integer", None,
    "first cut numeric columns with more distinct values into at most this many bins; None = every value counts",
    low=2, high=65_280, optional=True,
    doc="""
    Cut numeric columns with more distinct values into at most this many bins of about equal numbers of rows before
    growing, from 2 to 65,280. This is faster, and thresholds then lie only between bins (docs/speed.md). None uses
    every value.
    """,
)  # fmt: skip
IDENTIFIERS = Parameter(
    "identifiers", "choice", "ignore", "columns that name rows: 'ignore' them, or 'use' them like others",
    choices=("ignore", "use"),
    doc="""
    How to treat columns that name rows: those with a different level in nearly every row, or with a running
    number (docs/identifiers.md):
    - "ignore": they serve neither as split nor as surrogate, and the folds do not depend on them. A KindWarning names
      them.
    - "use": they are features like all others.
    """,
)  # fmt: skip
IDENTIFIERS_OR_COMPAT = replace(
    IDENTIFIERS, default="auto", choices=("auto", "ignore", "use"),
    help="columns that name rows: 'ignore' them, or 'use' them like others; 'auto' = 'use' with compat",
    doc=IDENTIFIERS.doc + """
    - "auto": "use" with ``compat``, and "ignore" without.
    """,
)  # fmt: skip
CLASS_WEIGHT = Parameter(
    "class_weight", "free", None, "None, 'balanced' or a dict label -> weight", type='dict, "balanced" or None',
    doc="""
    Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    """,
)  # fmt: skip
CCP_ALPHA = Parameter(
    "ccp_alpha", "real", 0.0, "prune at this alpha instead", low=0.0,
    doc="""
    If above 0, the tree is the smallest one of least C_alpha(T) = sum of N_t H_t / N + ccp_alpha * leaves, with the
    entropy H_t of leaf t in bits, and ``pruning`` is ignored. alpha of the lecture notes is N * ccp_alpha.
    """,
)  # fmt: skip
PRUNING = Parameter(
    "pruning", "free", None, "None, 'cv', 'cv-1se', the name of a pruner or a pruner", type="str, pruner or None",
    doc="""
    How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the data's content, not
    on the order of rows.
    - None: keep the full tree.
    - "cv": weakest-link pruning at the minimum error of 10-fold cross-validation, which stops after the first folds
      where these hold enough rows, at least 20,000 (docs/pruning.md).
    - "cv-1se": the smallest tree whose error is within one standard error of that minimum.
    - the name of a pruner, or an object of ``boxwood.pruners``: as docs/pruning.md describes.
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
        "missing", "choice", default, "how to treat a missing value of the feature that a split tests",
        choices=("error", "own_branch", "majority", "fractional"), aliases=(("level", "own_branch"),),
        doc="""
        How a row is routed when the value that a split tests is missing:
        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch": follow a separate branch for missing values, in nodes that had missing values in training.
          "level" is another name.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a share of the row's weight, as C4.5 does.
        """,
    )  # fmt: skip


def unseen(default: str) -> Parameter:
    """How to treat a level that did not occur in training."""
    return Parameter(
        "unseen", "choice", default, "how to treat a level not seen in training",
        choices=("missing", "majority", "stay", "error"),
        doc="How a row is routed when it has a level that did not occur in training:" + _UNSEEN_VALUES,
    )  # fmt: skip

"""Parameters that CLS, ID3 and C4.5 declare alike: what becomes of odd values, weights of classes, how a fit runs."""

from __future__ import annotations

from ..learning.parameters import Parameter

MAX_DEPTH = Parameter("max_depth", "integer", None, "deepest level of the tree", low=1, optional=True)
MAX_COMPETITORS = Parameter("max_competitors", "integer", 4, "runner-up splits kept a node", low=0)
CLASS_WEIGHT = Parameter("class_weight", "free", None, "None, 'balanced' or a dict label -> weight")
PRUNING = Parameter("pruning", "free", None, "None, 'cv', 'cv-1se', the name of a pruner or a pruner")

#: How a fit runs.
RUNNING = (
    Parameter(
        "categorical_features", "free", "from_dtype", "columns to read as nominal: 'all', names, positions or a mask",
        cli=False,
    ),
    Parameter(
        "random_state", "integer", None, "a number draws other folds; trees have no randomness", low=0, high=2**64 - 1,
        optional=True,
    ),
    Parameter("n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True),
    Parameter("verbose", "integer", 0, "1 tells what is being done", low=0),
)  # fmt: skip


def missing(default: str) -> Parameter:
    """What becomes of a missing value in a tree with one branch a level."""
    return Parameter(
        "missing", "choice", default, "what to do when the feature of a split is missing",
        choices=("error", "own_branch", "majority", "fractional"), aliases=(("level", "own_branch"),),
    )  # fmt: skip


def unseen(default: str) -> Parameter:
    """What becomes of a level that training did not have."""
    return Parameter(
        "unseen", "choice", default, "what to do with a level not seen in training",
        choices=("missing", "majority", "stay", "error"),
    )  # fmt: skip

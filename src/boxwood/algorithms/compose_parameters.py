"""What can be set about a composed tree: one parameter a choice, with its range, default and one line for people."""

from __future__ import annotations

from ..learning.parameters import Parameter

#: Names of branchings, and of the policies for missing values; which go together is docs/compose.md.
BRANCHINGS = ("binary", "multiway", "merged")
POLICIES = ("majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error")

_BRANCHING = Parameter(
    "branching", "part", "binary", "number of branches, or Binary(...), Multiway(...), Merged(...)",
    choices=BRANCHINGS,
)  # fmt: skip

_REST = (
    Parameter("termination", "free", None, "limits as a dict, such as {'max_depth': 3}, or Termination(...)"),
    Parameter(
        "max_bins", "integer", None,
        "cut numeric columns of more values into at most so many bins first; None = every value counts",
        low=2, high=65_280, optional=True,
    ),
)  # fmt: skip

_POLICIES = (
    Parameter(
        "missing", "choice", None, "what to do when the feature of a split is missing; None = as the branching usually",
        choices=POLICIES, aliases=(("level", "own_branch"),), optional=True,
    ),
    Parameter(
        "unseen", "choice", "missing", "what to do with a level not seen in training",
        choices=("missing", "majority", "stay", "error"),
    ),
    Parameter("pruning", "free", None, "'cv', 'cv-1se', the name of a pruner, None or a pruner"),
)  # fmt: skip

_RUNNING = (
    Parameter(
        "categorical_features", "free", "from_dtype", "columns to read as nominal: names, positions or a mask",
        cli=False,
    ),
    Parameter(
        "random_state", "integer", None, "a number draws other folds; trees have no randomness", low=0, high=2**64 - 1,
        optional=True,
    ),
    Parameter("n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True),
    Parameter("verbose", "integer", 0, "1 tells what is being done", low=0),
)  # fmt: skip

CLASSIFICATION = (
    _BRANCHING,
    Parameter(
        "criterion", "part", "gini", "how splits are scored, or a function (children, parent) -> scores",
        choices=("gini", "entropy", "error", "gain", "gain_ratio", "in_order", "significance"),
        aliases=(("log_loss", "entropy"), ("information", "entropy"), ("chi_squared", "significance")),
    ),
    *_REST,
    Parameter(
        "leaf", "part", "majority", "shares of classes as they are; Laplace's rule; a number of rows added",
        choices=("majority", "laplace"),
    ),
    *_POLICIES,
    Parameter("class_weight", "free", None, "None, 'balanced' or a dict label -> weight"),
    *_RUNNING,
)  # fmt: skip

REGRESSION = (
    _BRANCHING,
    Parameter(
        "criterion", "part", "variance", "how splits are scored, or a function (children, parent) -> scores",
        choices=("variance", "significance"), aliases=(("squared_error", "variance"), ("anova", "variance")),
    ),
    *_REST,
    Parameter("leaf", "part", "mean", "what a leaf says", choices=("mean",)),
    *_POLICIES,
    *_RUNNING,
)  # fmt: skip

"""What can be set about CART: every parameter once, with its range, default and one line for people."""

from __future__ import annotations

from ..learning.parameters import Parameter

_MISSING = ("surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay")

_GROWING = (
    Parameter("max_depth", "integer", None, "deepest level of the tree", low=1, optional=True),
    Parameter("min_samples_split", "count", 2, "rows a node needs to be split", low=2),
    Parameter("min_samples_leaf", "count", 1, "rows each branch must get", low=1),
    Parameter("max_leaf_nodes", "integer", None, "grow best first up to so many leaves", low=2, optional=True),
    Parameter("min_impurity_decrease", "real", 0.0, "least decrease, weighted by the node's share of rows", low=0.0),
    Parameter(
        "max_bins",
        "integer",
        None,
        "cut numeric columns of more values into at most so many bins first; None = every value counts",
        low=2,
        high=65_280,
        optional=True,
    ),
    Parameter(
        "min_samples_level",
        "integer",
        "auto",
        "levels with fewer rows in a node are pooled; 'auto' = 50 for features of over 100 levels",
        choices=("auto",),
        low=1,
    ),
    Parameter(
        "level_correction", "flag", False, "take off what many levels gain by chance before features are compared"
    ),
    Parameter(
        "feature_costs", "free", None, "a positive number a feature, or a dict by name; decreases are divided by it"
    ),
    Parameter(
        "max_competitors",
        "integer",
        "auto",
        "runner-up splits kept a node; 'auto' = none, 4 with compat='rpart'",
        choices=("auto",),
        low=0,
    ),
)

_MISSING_VALUES = (
    Parameter(
        "missing",
        "choice",
        "surrogate",
        "what to do when the feature of a split is missing",
        choices=_MISSING,
        aliases=(("level", "own_branch"),),
    ),
    Parameter(
        "max_surrogates",
        "integer",
        "auto",
        "surrogate splits kept a node; 'auto' = 5 if a value is missing in training or with compat='rpart', else none",
        choices=("auto",),
        low=0,
    ),
    Parameter(
        "surrogate_style", "integer", 0, "agreement over all rows (0) or rows that know both splits (1)", low=0, high=1
    ),
    Parameter(
        "unseen",
        "choice",
        "missing",
        "what to do with a level not seen in training",
        choices=("missing", "majority", "stay", "error"),
    ),
)

_PRUNING = (
    Parameter("ccp_alpha", "real", 0.0, "prune at this alpha instead of cross-validating", low=0.0),
    Parameter("pruning", "free", "cv", "None, 'cv', 'cv-1se', the name of a pruner or a pruner"),
)

_RUNNING = (
    Parameter(
        "compat", "choice", None, "reproduce another program where it deviates", choices=("rpart",), optional=True
    ),
    Parameter(
        "categorical_features",
        "free",
        "from_dtype",
        "columns to read as nominal: names, positions or a mask",
        cli=False,
    ),
    Parameter(
        "random_state",
        "integer",
        None,
        "a number draws other folds; trees have no randomness",
        low=0,
        high=2**64 - 1,
        optional=True,
    ),
    Parameter("n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True),
    Parameter("verbose", "integer", 0, "1 tells what is being done", low=0),
)

_SHARED = _GROWING + _MISSING_VALUES + _PRUNING + _RUNNING

_RISK = "risk that pruning weighs against leaves; None = the criterion"

CLASSIFICATION = (
    Parameter(
        "criterion",
        "choice",
        "gini",
        "measure of impurity",
        choices=("gini", "entropy", "error"),
        aliases=(("log_loss", "entropy"), ("information", "entropy")),
    ),
    Parameter("ccp_risk", "choice", None, _RISK, choices=("error", "gini", "entropy"), optional=True),
    Parameter("class_weight", "free", None, "None, 'balanced' or a dict label -> weight"),
    Parameter("priors", "free", None, "None, 'uniform', a list in the order of the labels or a dict by label"),
    Parameter("costs", "free", None, "None or a square table: row = true class, column = class said"),
    *_SHARED,
)

REGRESSION = (
    Parameter(
        "criterion",
        "choice",
        "variance",
        "measure of impurity",
        choices=("variance", "poisson"),
        aliases=(("squared_error", "variance"), ("anova", "variance")),
    ),
    Parameter(
        "ccp_risk",
        "choice",
        None,
        _RISK,
        choices=("variance", "poisson"),
        aliases=(("squared_error", "variance"), ("deviance", "poisson")),
        optional=True,
    ),
    Parameter("shrink", "real", 0.0, "poisson: pull rates of small leaves towards the root's; 0 = not", low=0.0),
    *_SHARED,
)

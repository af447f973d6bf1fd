"""The parameters of CART, each declared once with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..growing.missing import SURROGATES
from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING
from ..statistics.class_measures import measure_setting
from .shared_parameters import CLASS_WEIGHT, IDENTIFIERS_OR_COMPAT, MAX_BINS, MAX_DEPTH, PRUNING, unseen

_GROWING = (
    MAX_DEPTH,
    Parameter(
        "min_samples_split", "count", 2, "rows a node needs to be split", low=2,
        doc="""
        Number of rows a node needs to be split, whatever their weights. A float in (0, 1) is a share of all rows.
        """,
    ),
    Parameter(
        "min_samples_leaf", "count", 1, "rows each branch must get", low=1,
        doc="""
        Number of rows each branch must get, whatever their weights. A float in (0, 1) is a share of all rows.
        """,
    ),
    Parameter(
        "max_leaf_nodes", "integer", None, "keep the best splits up to this many leaves", low=2, optional=True,
        doc="""
        Keep the best splits of the whole tree until it has this many leaves. None sets no limit.
        """,
    ),
    Parameter(
        "min_impurity_decrease", "real", 0.0, "least decrease, weighted by the node's share of rows", low=0.0,
        doc="""
        Least decrease in impurity of a split, weighted by the node's share of all rows.
        """,
    ),
    MAX_BINS,
    Parameter(
        "min_samples_level", "integer", "auto",
        "levels with fewer rows in a node are pooled; 'auto' = 50 for features of over 100 levels", choices=("auto",),
        low=1,
        doc="""
        Levels with fewer rows in a node follow the same branch, in splits and in surrogates. "auto" uses 50 for
        features with more than 100 levels, and 1 for all others.
        """,
    ),
    Parameter(
        "level_correction", "flag", False, "subtract what many levels gain by chance before features are compared",
        doc="""
        Subtract from a feature's decrease what its number of levels gains by chance, before features are compared.
        """,
    ),
    Parameter(
        "feature_costs", "free", None,
        "a positive number for each feature, or a dict by name, that decreases are divided by",
        type="list of float, dict or None",
        doc="""
        A positive cost for each feature, in column order or by name. Decreases are divided by it.
        """,
    ),
    Parameter(
        "max_competitors", "integer", "auto",
        "runner-up splits kept at each node; 'auto' = none, 4 with compat='rpart'", choices=("auto",), low=0,
        doc="""
        Number of runner-up splits kept at each node. "auto" keeps none, and 4 with ``compat="rpart"``.
        """,
    ),
)  # fmt: skip

_MISSING_VALUES = (
    Parameter(
        "missing", "choice", "surrogate", "how to treat a missing value of the feature that a split tests",
        choices=("surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"),
        aliases=(("level", "own_branch"),),
        doc="""
        How a row is routed when the value that a split tests is missing:
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "majority": follow the branch with the larger training weight.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "own_branch": follow a separate branch for missing values.
        - "error": raise MissingValueError, in fit and in predict; infinite numbers are refused too.
        - "surrogate_or_stay": as "surrogate", but if no value is known, stop at the node and predict from it.
        - "stay": stop at the node and predict from it.
        """,
    ),
    Parameter(
        "max_surrogates", "integer", SURROGATES, "surrogate splits kept at each node; 0 = none", low=0,
        doc="""
        Number of surrogate splits kept at each node, also where the training data are complete: a value may be missing
        later. 0 keeps none, and saves the time to find them.
        """,
    ),
    Parameter(
        "surrogate_style", "integer", 0, "agreement over all rows (0) or rows with both values known (1)", low=0,
        high=1,
        doc="""
        How the agreement of a surrogate is measured: 0 over all rows, 1 over the rows in which both values are known.
        """,
    ),
    unseen("missing"),
)  # fmt: skip

_PRUNING = (
    Parameter(
        "ccp_alpha", "real", 0.0, "prune at this alpha instead of cross-validating", low=0.0,
        doc="""
        If above 0, prune at this alpha (risk per unit of weight for each leaf) and ignore ``pruning``.
        """,
    ),
    replace(PRUNING, default="cv"),
)  # fmt: skip

_COMPAT = Parameter(
    "compat", "choice", None, "reproduce another program where it deviates", choices=("rpart",), optional=True,
    doc="""
    "rpart" reproduces R's rpart where it deviates from the book.
    """,
)  # fmt: skip

_SHARED = (*_GROWING, *_MISSING_VALUES, IDENTIFIERS_OR_COMPAT, *_PRUNING, _COMPAT, *RUNNING)

_RISK = "risk that pruning weighs against leaves; None = the criterion"

CLASSIFICATION = (
    Parameter(
        "criterion", "choice", "gini", "measure of impurity", choices=("gini", "entropy", "error"),
        reads=measure_setting, aliases=(("log_loss", "entropy"), ("information", "entropy")),
        doc="""
        Measure of impurity:
        - "gini": the Gini index.
        - "entropy": entropy in bits; "log_loss" and "information" are other names.
        - "error": the share of rows outside the majority class.
        - ``Tsallis(1.5)``, or its name "tsallis:1.5": Tsallis entropy of an order q.
        """,
    ),
    Parameter(
        "ccp_risk", "choice", None, _RISK, choices=("error", "gini", "entropy"), optional=True,
        doc="""
        Risk that pruning weighs against the number of leaves: "error", "gini" or "entropy". None uses ``criterion``.
        """,
    ),
    CLASS_WEIGHT,
    Parameter(
        "priors", "free", None, "None, 'uniform', a list in the order of the labels or a dict by label",
        type='list of float, dict, "uniform" or None',
        doc="""
        Prior probability of each class, in the order of ``classes_`` or by label. None uses the shares of weight in the
        data.
        """,
    ),
    Parameter(
        "costs", "free", None, "None or a square table: row = true class, column = predicted class",
        type="square table of float or None",
        doc="""
        Cost of each error in the order of ``classes_``: row = true class, column = predicted class. None makes every
        error cost 1.
        """,
    ),
    *_SHARED,
)  # fmt: skip

REGRESSION = (
    Parameter(
        "criterion", "choice", "variance", "measure of impurity", choices=("variance", "poisson"),
        aliases=(("squared_error", "variance"), ("anova", "variance")),
        doc="""
        Measure of impurity:
        - "variance": the mean squared deviation; "squared_error" and "anova" are other names.
        - "poisson": the mean Poisson deviance of counts.
        """,
    ),
    Parameter(
        "ccp_risk", "choice", None, _RISK, choices=("variance", "poisson"),
        aliases=(("squared_error", "variance"), ("deviance", "poisson")), optional=True,
        doc="""
        Risk that pruning weighs against the number of leaves: "variance" or "poisson". None uses ``criterion``.
        """,
    ),
    Parameter(
        "shrink", "real", 0.0, "poisson: pull rates of small leaves towards the root's; 0 = not", low=0.0,
        doc="""
        With ``criterion="poisson"``, the coefficient of variation of the rates: rates of small leaves are pulled
        towards the root's rate, the more the smaller it is. 0 leaves them as they are.
        """,
    ),
    *_SHARED,
)  # fmt: skip

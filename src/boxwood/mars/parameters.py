"""The parameters of MARS, each declared once with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter
from ..learning.running_parameters import (
    CATEGORICAL_FEATURES,
    DATE_FORMATS,
    MISSING_TARGET,
    MISSING_VALUES,
    N_JOBS,
    NUMERIC_FEATURES,
    ORDINAL_FEATURES,
    RANDOM_STATE,
    TARGET_CLASS,
    VERBOSE,
)

_FORWARD = (
    Parameter(
        "max_degree", "integer", 1, "maximum number of features in a term", low=1, high=10,
        doc="""
        Maximum number of features in a term. With 1, the model is a sum of functions of single features.
        """,
    ),
    Parameter(
        "max_terms", "integer", None,
        "maximum number of terms of the forward pass; None = min(200, max(20, 2 columns)) + 1", low=3, high=10_000,
        optional=True,
        doc="""
        Maximum number of terms in the forward pass. None means min(200, max(20, 2 * columns)) + 1 (docs/mars.md).
        """,
    ),
    Parameter(
        "penalty", "real", None,
        "GCV penalty per knot; None = 2, or 3 with interactions, more with many columns; -1 = no penalty", low=-1.0,
        optional=True,
        doc="""
        GCV penalty per knot. None = 2, or 3 with interactions, more beyond 20 columns (docs/mars.md); -1 = no penalty.
        """,
    ),
    Parameter(
        "thresh", "real", 0.001, "stop when R2 increases by less than this, or is this close to 1; 0 = never",
        low=0.0, high=1.0,
        doc="""
        Stop the forward pass when R² increases by less than this or is this close to 1. 0 disables this rule.
        """,
    ),
    Parameter(
        "minspan", "integer", 0, "rows between knots; 0 = automatic; -k = k knots in each column", low=-10_000,
        doc="""
        Minimum number of rows between knots. 0 derives it from the numbers of rows and columns; -k places k knots in
        each column.
        """,
    ),
    Parameter(
        "endspan", "integer", 0, "rows without a knot at each end; 0 = automatic", low=0,
        doc="""
        Number of rows at each end of a column in which no knot is placed. 0 derives it from the numbers of rows and
        columns.
        """,
    ),
    Parameter(
        "adjust_endspan", "real", 2.0, "factor by which endspan is multiplied in interactions", low=0.0,
        doc="""
        Factor by which ``endspan`` is multiplied in interactions.
        """,
    ),
    Parameter(
        "fast_k", "integer", 20, "Fast MARS: number of parent terms tried in a step; 0 = all", low=0,
        doc="""
        Fast MARS: number of parent terms tried in a step. 0 tries all of them.
        """,
    ),
    Parameter(
        "fast_beta", "real", 1.0, "Fast MARS: how quickly the priority of untried parent terms increases", low=0.0,
        doc="""
        Fast MARS: how quickly the priority of a parent term increases while it is not tried.
        """,
    ),
    Parameter(
        "new_variable_penalty", "real", 0.0, "penalty for features that are not yet in the model", low=0.0,
        doc="""
        Penalty for features that are not yet in the model: their improvement is divided by 1 plus this value.
        """,
    ),
    Parameter(
        "auto_linear", "flag", True, "allow a linear term to replace a pair of hinges",
        doc="""
        Allow a linear term to replace a pair of hinges.
        """,
    ),
    Parameter(
        "linear_features", "free", None, "names or positions of features that enter only linearly",
        type="list of names or positions, or None",
        doc="""
        Features that enter the model only linearly.
        """,
    ),
    Parameter(
        "monotone", "free", None, "dict by feature: 1 = never decreasing, -1 = never increasing",
        type="dict or None",
        doc="""
        Features with a monotone effect: feature -> 1 (never decreasing) or -1 (never increasing). They do not interact.
        """,
    ),
    Parameter(
        "allowed", "free", None, "groups of features that may interact, or a function",
        type="list of groups of features, function or None",
        doc="""
        Features that may interact: those within a group, or those for which ``f(degree, feature, others)`` returns
        True. None allows all interactions.
        """,
    ),
)  # fmt: skip

_BACKWARD = (
    Parameter(
        "backward", "choice", "exchange", "how terms are removed",
        choices=("exchange", "plain", "exhaustive", "cv", "none"),
        doc="""
        How terms are removed after the forward pass:
        - "exchange": as in R's earth.
        - "plain": one by one.
        - "exhaustive": by comparing all subsets.
        - "cv": down to the size that cross-validation selects.
        - "none": not at all.
        """,
    ),
    Parameter(
        "max_kept", "integer", None, "maximum number of terms to keep", low=1, optional=True,
        doc="""
        Maximum number of terms to keep. None sets no limit.
        """,
    ),
    Parameter(
        "cv_folds", "integer", None, "folds for backward='cv' and intervals", low=2, high=1000, optional=True,
        doc="""
        Number of cross-validation folds. The held-out rows determine the intervals of ``predict_interval`` and, with
        ``backward="cv"``, the number of terms; the default is then 10.
        """,
    ),
)  # fmt: skip

_DATA = (
    Parameter(
        "nominal", "choice", "indicators", "encode nominal features by single levels, or by groups of levels",
        choices=("indicators", "grouped"),
        doc="""
        How nominal features are encoded:
        - "indicators": an indicator for each level.
        - "grouped": indicators of the first 1, 2, ... levels in the order of their mean response.
        """,
    ),
    Parameter(
        "missing", "choice", "error", "raise an error for missing values, or add an indicator column",
        choices=("error", "indicator"),
        doc="""
        How missing values are treated:
        - "error": raise MissingValueError.
        - "indicator": impute the mean and add an indicator column for missing values.
        """,
    ),
    Parameter(
        "unseen", "choice", "first",
        "treat a level that did not occur in training as the first level, or raise an error",
        choices=("first", "error"),
        doc="""
        How a level that did not occur in training is treated:
        - "first": as the first level. If levels are grouped, it is the level with the lowest mean; if they are ordered,
          the mean position. If the feature has an indicator column for missing values, this is set as well.
        - "error": raise UnseenLevelError.
        """,
    ),
    Parameter(
        "compat", "choice", None, "reproduce R's earth", choices=("earth",),
        optional=True,
        doc="""
        "earth" reproduces R's earth 5.3: its numbering of parents, bounds and ties, which depend on the order of rows.
        """,
    ),
    replace(CATEGORICAL_FEATURES, type='"from_dtype", None, or list of names, of positions or of booleans'),
    NUMERIC_FEATURES,
    ORDINAL_FEATURES,
    DATE_FORMATS,
    MISSING_VALUES,
    MISSING_TARGET,
    RANDOM_STATE,
    N_JOBS,
    VERBOSE,
)  # fmt: skip

REGRESSION = (*_FORWARD, *_BACKWARD, *_DATA)

CLASSIFICATION = (
    Parameter(
        "logistic", "flag", True,
        "fit probabilities by logistic regression; false = by least squares, clipped to [0, 1]",
        doc="""
        Fit probabilities by logistic regression on the selected terms; with more than two classes, one regression for
        each class. False fits them by least squares and clips them to [0, 1].
        """,
    ),
    TARGET_CLASS,
    *REGRESSION,
)  # fmt: skip

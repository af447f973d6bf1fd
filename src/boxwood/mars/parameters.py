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
    RANDOM_STATE,
    VERBOSE,
)

_FORWARD = (
    Parameter(
        "max_degree", "integer", 1, "largest number of features in a term", low=1, high=10,
        doc="""
        Largest number of features that a term multiplies; 1 is a sum of curves of single features.
        """,
    ),
    Parameter(
        "max_terms", "integer", None, "slots for terms; None = min(200, max(20, 2 columns)) + 1", low=3, high=10_000,
        optional=True,
        doc="""
        Slots for terms in the forward pass. None allows min(200, max(20, 2 columns)) + 1.
        """,
    ),
    Parameter(
        "penalty", "real", None, "price of a knot in GCV; None = 2, or 3 with products; -1 = knots are free", low=-1.0,
        optional=True,
        doc="""
        Price of a knot in GCV. None is 2, or 3 with products; -1 makes knots free.
        """,
    ),
    Parameter(
        "thresh", "real", 0.001, "stop when R2 rises by less, or is as close to 1; 0 = never", low=0.0, high=1.0,
        doc="""
        The forward pass ends when R² rises by less than this, or is this close to 1. 0 never ends it.
        """,
    ),
    Parameter(
        "minspan", "integer", 0, "rows between knots; 0 = by the data; -k = k knots for each column", low=-10_000,
        doc="""
        Number of rows between knots. 0 derives it from the number of rows and columns; -k places k knots in each
        column.
        """,
    ),
    Parameter(
        "endspan", "integer", 0, "rows without a knot at both ends; 0 = by the data", low=0,
        doc="""
        Number of rows without a knot at both ends. 0 derives it from the number of rows and columns.
        """,
    ),
    Parameter(
        "adjust_endspan", "real", 2.0, "factor on endspan for products", low=0.0,
        doc="""
        Factor by which ``endspan`` is multiplied for products.
        """,
    ),
    Parameter(
        "fast_k", "integer", 20, "parents tried in a step (Fast MARS); 0 = all", low=0,
        doc="""
        Fast MARS: number of parents tried in a step. 0 tries all.
        """,
    ),
    Parameter(
        "fast_beta", "real", 1.0, "how fast parents that have not been tried for long come back", low=0.0,
        doc="""
        Fast MARS: how fast parents that have not been tried for long come back.
        """,
    ),
    Parameter(
        "new_variable_penalty", "real", 0.0, "handicap of features not in the model yet", low=0.0,
        doc="""
        Handicap of features that are not in the model yet: their gain is divided by 1 + this.
        """,
    ),
    Parameter(
        "auto_linear", "flag", True, "a linear term may replace a pair of hinges",
        doc="""
        Allow a linear term to replace a pair of hinges.
        """,
    ),
    Parameter(
        "linear_features", "free", None, "names or positions of features that enter linearly only",
        type="list of names or positions, or None",
        doc="""
        Features that enter linearly only.
        """,
    ),
    Parameter(
        "monotone", "free", None, "dict by feature: 1 = never falling, -1 = never rising; no products of it",
        type="dict or None",
        doc="""
        Feature -> 1 (never falling) or -1 (never rising). Such a feature is in no products.
        """,
    ),
    Parameter(
        "allowed", "free", None, "groups of features that may interact, or a function",
        type="list of groups of features, function or None",
        doc="""
        Features that may interact: those of one group, or those for which ``f(degree, feature, others)`` is true. None
        allows all.
        """,
    ),
)  # fmt: skip

_BACKWARD = (
    Parameter(
        "backward", "choice", "exchange", "how terms are removed",
        choices=("exchange", "plain", "exhaustive", "cv", "none"),
        doc="""
        How terms are removed after the forward pass:
        - "exchange": as R's earth does.
        - "plain": one by one.
        - "exhaustive": by the best of all subsets.
        - "cv": to the size that cross-validation chooses.
        - "none": not at all.
        """,
    ),
    Parameter(
        "max_kept", "integer", None, "largest number of terms to keep", low=1, optional=True,
        doc="""
        Largest number of terms to keep. None sets no limit.
        """,
    ),
    Parameter(
        "cv_folds", "integer", None, "folds for backward='cv' and intervals", low=2, high=1000, optional=True,
        doc="""
        Number of folds whose held-out rows give ``predict_interval``, and the size with ``backward="cv"`` (10 there by
        default).
        """,
    ),
)  # fmt: skip

_DATA = (
    Parameter(
        "nominal", "choice", "indicators", "indicators of single levels, or of groups of levels",
        choices=("indicators", "grouped"),
        doc="""
        How nominal features enter:
        - "indicators": indicators of single levels.
        - "grouped": indicators of the first 1, 2, ... levels in order of the mean response.
        """,
    ),
    Parameter(
        "missing", "choice", "error", "refuse missing values, or give them a column of their own",
        choices=("error", "indicator"),
        doc="""
        How missing values are treated:
        - "error": raise MissingValueError.
        - "indicator": fill them with the mean and give them a column of their own.
        """,
    ),
    Parameter(
        "unseen", "choice", "first", "a level not seen in training counts as the first (or the mean), or is refused",
        choices=("first", "error"),
        doc="""
        How a level that did not occur in training is treated:
        - "first": as the first level; as the level of lowest mean where levels are grouped, as the mean position where
          they are ordered, and also as missing where missing values have a column.
        - "error": raise UnseenLevelError.
        """,
    ),
    Parameter(
        "compat", "choice", None, "number parents as earth does, with its bounds and its row order", choices=("earth",),
        optional=True,
        doc="""
        "earth" numbers parents as earth 5.3 does, with its bounds, ties and row order.
        """,
    ),
    replace(CATEGORICAL_FEATURES, type='"from_dtype", None, or list of names, of positions or of booleans'),
    NUMERIC_FEATURES,
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
        "logistic", "flag", True, "fit probabilities on the terms; False = least squares, cut to 0 and 1",
        doc="""
        Fit probabilities by logistic regression on the chosen terms, one regression for each class when there are more
        than two. False fits them by least squares.
        """,
    ),
    *REGRESSION,
)  # fmt: skip

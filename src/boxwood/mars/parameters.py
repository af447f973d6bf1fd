"""What can be set about MARS: every parameter once, with its range, default and one line for people."""

from __future__ import annotations

from ..learning.parameters import Parameter

_FORWARD = (
    Parameter("max_degree", "integer", 1, "most features that a term may multiply", low=1, high=10),
    Parameter(
        "max_terms", "integer", None, "slots for terms; None = min(200, max(20, 2 columns)) + 1",
        low=3, high=10_000, optional=True,
    ),
    Parameter(
        "penalty", "real", None, "price of a knot in GCV; None = 2, or 3 with products; -1 = knots are free",
        low=-1.0, optional=True,
    ),
    Parameter("thresh", "real", 0.001, "stop when R2 rises by less, or is as close to 1; 0 = never", low=0.0, high=1.0),
    Parameter("minspan", "integer", 0, "rows between knots; 0 = by the data; -k = k knots a column", low=-10_000),
    Parameter("endspan", "integer", 0, "rows without a knot at both ends; 0 = by the data", low=0),
    Parameter("adjust_endspan", "real", 2.0, "how much wider the ends are for products", low=0.0),
    Parameter("fast_k", "integer", 20, "parents asked in a step (Fast MARS); 0 = all", low=0),
    Parameter("fast_beta", "real", 1.0, "how fast parents that were not asked for long come back", low=0.0),
    Parameter("new_variable_penalty", "real", 0.0, "handicap of features not in the model yet", low=0.0),
    Parameter("auto_linear", "flag", True, "a linear term may take the place of a pair of hinges"),
    Parameter("linear_features", "free", None, "names or positions of features that enter linearly only"),
    Parameter("monotone", "free", None, "dict by feature: 1 = never falling, -1 = never rising; no products of it"),
    Parameter("allowed", "free", None, "groups of features that may interact, or a function"),
)  # fmt: skip

_BACKWARD = (
    Parameter(
        "backward", "choice", "exchange", "how terms are taken away",
        choices=("exchange", "plain", "exhaustive", "cv", "none"),
    ),
    Parameter("max_kept", "integer", None, "most terms to keep", low=1, optional=True),
    Parameter("cv_folds", "integer", None, "folds for backward='cv' and intervals", low=2, high=1000, optional=True),
)  # fmt: skip

_DATA = (
    Parameter(
        "nominal", "choice", "indicators", "indicators of single levels, or of groups of levels",
        choices=("indicators", "grouped"),
    ),
    Parameter(
        "missing", "choice", "error", "refuse missing values, or give them a column of their own",
        choices=("error", "indicator"),
    ),
    Parameter(
        "unseen", "choice", "first", "a level not seen in training counts as the first (or the mean), or is refused",
        choices=("first", "error"),
    ),
    Parameter(
        "compat", "choice", None, "number parents as earth does, with its bounds and its row order",
        choices=("earth",), optional=True,
    ),
    Parameter(
        "categorical_features", "free", "from_dtype", "columns to read as nominal: names, positions, a mask", cli=False
    ),
    Parameter("random_state", "integer", None, "a number draws other folds", low=0, high=2**64 - 1, optional=True),
    Parameter("n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True),
    Parameter("verbose", "integer", 0, "1 tells what is being done", low=0),
)  # fmt: skip

REGRESSION = (*_FORWARD, *_BACKWARD, *_DATA)

CLASSIFICATION = (
    Parameter("logistic", "flag", True, "fit probabilities on the terms; False = least squares, cut to 0 and 1"),
    *REGRESSION,
)

"""The parameters of CART, each declared once with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..growing.missing import SURROGATES
from ..learning.parameters import Parameter
from ..learning.running_parameters import RANDOM_STATE, RUNNING, TARGET_CLASS
from ..statistics.class_measures import measure_setting
from ..statistics.responses.registry import NUMBERS
from .draws import DRAWS
from .shared_parameters import (
    CLASS_WEIGHT,
    CUTS,
    FORBIDDEN_FEATURES,
    FORCED_SPLITS,
    IDENTIFIERS_OR_COMPAT,
    INTERACTION_CST,
    LOSS,
    LOSS_OF_NUMBERS,
    MAX_BINS,
    MAX_DEPTH,
    MONOTONIC_CST,
    PRUNING,
    SMOOTHING,
    unseen,
)

#: Levels of a nominal feature from which on chance is taken off in classification, by "auto".
MANY_LEVELS = 30

#: Of several columns of y.
RESPONSE_WEIGHTS = Parameter(
    "response_weights", "free", None,
    "how much each of several responses counts: 'equal', a list or a dict by name; None = each as much",
    type='list of float, dict, "equal" or None',
    doc="""
    For y of several columns, what the impurity of each is multiplied with before they are added:
    - None: 1 over its impurity at the root, so that all count as much, whatever their units.
    - a list in the order of the columns, or a dict by name: these numbers over the same.
    - "equal": the mean of the impurities as they are, as in scikit-learn.
    """,
)  # fmt: skip

_GROWING = (
    MAX_DEPTH,
    Parameter(
        "min_samples_split", "count", 2, "minimum number of rows in a node that is split", low=2,
        doc="""
        Minimum number of rows, regardless of their weights, in a node that is split. A float in (0, 1) is a proportion
        of all rows.
        """,
    ),
    Parameter(
        "min_samples_leaf", "count", 1, "minimum number of rows in each branch", low=1,
        doc="""
        Minimum number of rows, regardless of their weights, in each branch. A float in (0, 1) is a proportion of all
        rows.
        """,
    ),
    Parameter(
        "min_weight_fraction_leaf", "real", 0.0, "minimum weight of each branch, as a fraction of the total weight",
        low=0.0, high=0.5,
        doc="""
        Minimum weight of each branch, as a fraction of the total weight of the rows: sample weights times class
        weights; priors and costs do not count.
        """,
    ),
    Parameter(
        "max_leaf_nodes", "integer", None, "grow best first, up to this many leaves", low=2, optional=True,
        doc="""
        Grow the tree best first until it has this many leaves. None sets no limit.
        """,
    ),
    Parameter(
        "min_impurity_decrease", "real", 0.0,
        "minimum decrease in impurity, weighted by the proportion of rows in the node", low=0.0,
        doc="""
        Minimum decrease in impurity of a split, weighted by the proportion of all rows that are in the node.
        """,
    ),
    MAX_BINS,
    CUTS,
    Parameter(
        "min_samples_level", "integer", "auto",
        "pool levels with fewer rows in a node; 'auto' = 50 for features with over 100 levels", choices=("auto",),
        low=1,
        doc="""
        Levels with fewer rows in a node are pooled: they follow the same branch in splits and in surrogates. "auto" is
        50 for features with more than 100 levels and 1 for all others.
        """,
    ),
    Parameter(
        "level_correction", "flag", False, "subtract the decrease that many levels achieve by chance",
        doc="""
        Before features are compared, subtract from the decrease in impurity what a feature with this number of levels
        achieves by chance.
        """,
    ),
    Parameter(
        "feature_costs", "free", None,
        "positive costs by which the decreases of the features are divided, as a list or a dict by name",
        type="list of float, dict or None",
        doc="""
        A positive cost for each feature, in column order or by name. Decreases in impurity are divided by it.
        """,
    ),
    Parameter(
        "max_competitors", "integer", "auto",
        "competing splits stored at each node; 'auto' = 0, or 4 with compat='rpart'", choices=("auto",), low=0,
        doc="""
        Number of competing splits stored at each node. "auto" is 0, or 4 with ``compat="rpart"``.
        """,
    ),
    *DRAWS,
    RESPONSE_WEIGHTS,
    MONOTONIC_CST,
    INTERACTION_CST,
    FORBIDDEN_FEATURES,
    FORCED_SPLITS,
)  # fmt: skip

_MISSING_VALUES = (
    Parameter(
        "missing", "choice", "surrogate", "how to route a row if the value that a split tests is missing",
        choices=("surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"),
        aliases=(("level", "own_branch"),),
        doc="""
        How a row is routed when the value that a split tests is missing:
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "majority": follow the branch with the larger training weight.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "own_branch": follow a separate branch for missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.
        - "surrogate_or_stay": as "surrogate", but if no value is known, stop at the node and predict from it.
        - "stay": stop at the node and predict from it.
        """,
    ),
    Parameter(
        "max_surrogates", "integer", "auto",
        f"surrogate splits stored at each node; 'auto' = {SURROGATES}, or 0 for random trees", choices=("auto",),
        low=0,
        doc=f"""
        Number of surrogate splits stored at each node. They are also stored if the training data are complete, because
        a value may be missing in prediction. 0 saves the time to find them. "auto" is {SURROGATES}, or 0 with
        ``max_features`` or ``splitter="random"``, whose trees are made for ensembles.
        """,
    ),
    Parameter(
        "surrogate_style", "integer", 0, "measure agreement over all rows (0), or over rows with both values known (1)",
        low=0,
        high=1,
        doc="""
        How the agreement of a surrogate is measured: 0, over all rows; 1, over the rows in which both values are known.
        """,
    ),
    unseen("missing"),
)  # fmt: skip

_PRUNING = (
    Parameter(
        "ccp_alpha", "real", 0.0, "prune at this alpha, the risk per row for each leaf, and ignore pruning", low=0.0,
        doc="""
        If positive, prune at this alpha (risk per unit of weight for each leaf) and ignore ``pruning``.
        """,
    ),
    replace(
        PRUNING, default="auto",
        help="'auto', None, 'cv', 'cv-1se', the name of a pruner or a pruner; 'auto' = cv, or none for random trees",
        doc=PRUNING.doc + """
    - "auto": "cv", or None with ``max_features`` or ``splitter="random"``, whose trees are made for ensembles.
    """,
    ),
)  # fmt: skip

_COMPAT = Parameter(
    "compat", "choice", None, "reproduce another program", choices=("rpart",), optional=True,
    doc="""
    "rpart" reproduces R's rpart, also where it deviates from the book (docs/rpart.md).
    """,
)  # fmt: skip

_RANDOM_STATE = replace(
    RANDOM_STATE, help="seed of the cross-validation folds and of what nodes draw; nothing else is random",
    doc="""
    Seed of the cross-validation folds, and of what nodes draw with ``max_features`` and ``splitter="random"``. Nothing
    else is random.
    """,
)  # fmt: skip
_RUNNING = tuple(_RANDOM_STATE if one is RANDOM_STATE else one for one in RUNNING)

_SHARED = (*_GROWING, *_MISSING_VALUES, IDENTIFIERS_OR_COMPAT, *_PRUNING, _COMPAT, *_RUNNING)

#: Measures of all kinds of numbers.
_MEASURES = tuple(measure for kind in NUMBERS.values() for measure in kind.measures)
_RISK = "risk that pruning weighs against the number of leaves; None = the criterion"
_RISK_OF_CLASSES = "risk that pruning weighs against the number of leaves; None = the entropy, or the criterion"

#: Chosen by the figures in docs/nominal.md; for numbers they are for neither.
_LEVEL_CORRECTION = Parameter(
    "level_correction", "flag", "auto",
    f"subtract the decrease that many levels achieve by chance; 'auto' = if a feature has {MANY_LEVELS} levels or more",
    choices=("auto",),
    doc=f"""
    Before features are compared, subtract from the decrease in impurity what a feature with this number of levels
    achieves by chance. "auto" does so if at least one nominal feature has {MANY_LEVELS} levels or more, but not with
    ``compat="rpart"``.
    """,
)  # fmt: skip

CLASSIFICATION = (
    Parameter(
        "criterion", "choice", "gini", "impurity measure", choices=("gini", "entropy", "error"),
        reads=measure_setting, aliases=(("log_loss", "entropy"), ("information", "entropy")),
        doc="""
        Impurity measure:
        - "gini": the Gini impurity.
        - "entropy": the entropy in bits (also called "log_loss" or "information").
        - "error": the proportion of rows outside the majority class.
        - ``Tsallis(1.5)``, or the name "tsallis:1.5": the Tsallis entropy of order q = 1.5.
        """,
    ),
    Parameter(
        "ccp_risk", "choice", None, _RISK_OF_CLASSES, choices=("error", "gini", "entropy"), optional=True,
        doc="""
        Risk that pruning weighs against the number of leaves: "error", "gini" or "entropy". None means the entropy if
        held-out rows choose by "brier" or "log_loss", otherwise ``criterion``, as with ``ccp_alpha``.
        """,
    ),
    LOSS,
    replace(SMOOTHING, default="auto"),
    CLASS_WEIGHT,
    TARGET_CLASS,
    Parameter(
        "priors", "free", None, "None, 'uniform', a list in the order of the labels or a dict by label",
        type='list of float, dict, "uniform" or None',
        doc="""
        Prior probability of each class, in the order of ``classes_`` or by label. None uses the proportions of weight
        in the data.
        """,
    ),
    Parameter(
        "costs", "free", None,
        "None, a square table (row = actual class, column = predicted class) or a dict actual -> {predicted: cost}",
        type="square table of float, dict or None",
        doc="""
        Cost of each error, by labels as ``{("bad", "good"): 5}`` or ``{"bad": {"good": 5}}`` (actual class, predicted
        class; an error not named costs 1), or as a table in the order of ``classes_``: row = actual class, column =
        predicted class. With None, every error costs 1.
        """,
    ),
    *(_LEVEL_CORRECTION if one.name == _LEVEL_CORRECTION.name else one for one in _SHARED),
)  # fmt: skip

REGRESSION = (
    Parameter(
        "criterion", "choice", "variance", "impurity measure", choices=_MEASURES, reads=measure_setting,
        aliases=(("squared_error", "variance"), ("anova", "variance")),
        doc="""
        Impurity measure:
        - "variance": the mean squared deviation from the mean (also called "squared_error" or "anova").
        - "poisson": the mean Poisson deviance of counts.
        - "gamma": the mean gamma deviance of positive numbers, which measures relative errors.
        - "tweedie", ``Tweedie(1.7)``, or the name "tweedie:1.7": the mean Tweedie deviance of numbers of at least 0, of
          the power 1.5 or 1.7.
        - "absolute_error": the mean distance from the median, which is predicted.
        - "quantile", ``Quantile((0.5, 0.1, 0.9))``, or the name "quantile:0.5,0.1,0.9": the mean pinball loss about the
          first of these quantiles, 0.5 without any; all are predicted.
        """,
    ),
    Parameter(
        "ccp_risk", "choice", None, _RISK, choices=_MEASURES,
        aliases=(("squared_error", "variance"), ("deviance", "poisson")), optional=True,
        doc="""
        Risk that pruning weighs against the number of leaves, that of the criterion: "variance", "poisson", "gamma",
        "tweedie", "absolute_error" or "quantile". None means ``criterion``.
        """,
    ),
    LOSS_OF_NUMBERS,
    Parameter(
        "shrink", "real", 0.0, "for poisson: shrinkage of the rates of small leaves towards the rate of the root",
        low=0.0,
        doc="""
        With ``criterion="poisson"``, the coefficient of variation of the prior on the rates. Rates of small leaves are
        shrunk towards the rate of the root; a smaller value shrinks more. 0 means no shrinkage.
        """,
    ),
    Parameter(
        "positive_rates", "flag", False, "for poisson: no branch may have a rate of 0",
        doc="""
        Whether every branch of a split must have a mean above 0, so that ``criterion="poisson"`` never predicts a rate
        of 0 unless all events are 0.
        """,
    ),
    *_SHARED,
)  # fmt: skip

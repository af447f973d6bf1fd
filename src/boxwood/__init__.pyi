"""Classical decision trees that you can read, check and export; written by `make stubs`."""

from typing import Any

from . import datasets as datasets
from . import edits as edits
from . import errors as errors
from . import measures as measures
from . import pruners as pruners
from . import sklearn as sklearn
from ._version import __version__ as __version__
from .data.frames.config import config_context as config_context
from .data.frames.config import set_config as set_config
from .errors import BoxwoodError as BoxwoodError
from .errors import BoxwoodWarning as BoxwoodWarning
from .errors import ClusterError as ClusterError
from .errors import ColumnError as ColumnError
from .errors import DataError as DataError
from .errors import DataTypeError as DataTypeError
from .errors import FileError as FileError
from .errors import FontWarning as FontWarning
from .errors import FormatWarning as FormatWarning
from .errors import KindWarning as KindWarning
from .errors import MissingValueError as MissingValueError
from .errors import ModelFileError as ModelFileError
from .errors import NotAvailableError as NotAvailableError
from .errors import ParameterError as ParameterError
from .errors import ParameterTypeError as ParameterTypeError
from .errors import PruningWarning as PruningWarning
from .errors import ResponseError as ResponseError
from .errors import RowsLostError as RowsLostError
from .errors import TextResponseError as TextResponseError
from .errors import UnseenLevelError as UnseenLevelError
from .errors import UnseenLevelWarning as UnseenLevelWarning
from .errors import WeightError as WeightError
from .estimators.bin_features import bin_features as bin_features
from .estimators.c45_classifier import C45Classifier as _C45Classifier
from .estimators.c45_rules import C45Rules as _C45Rules
from .estimators.cart_classifier import CARTClassifier as _CARTClassifier
from .estimators.cart_regressor import CARTRegressor as _CARTRegressor
from .estimators.chaid_classifier import CHAIDClassifier as _CHAIDClassifier
from .estimators.chaid_regressor import CHAIDRegressor as _CHAIDRegressor
from .estimators.check_data import check_data as check_data
from .estimators.cls_classifier import CLSClassifier as _CLSClassifier
from .estimators.compare import compare as compare
from .estimators.composed_classifier import TreeClassifier as _TreeClassifier
from .estimators.composed_regressor import TreeRegressor as _TreeRegressor
from .estimators.diff import diff as diff
from .estimators.id3_classifier import ID3Classifier as _ID3Classifier
from .estimators.mars_classifier import MARSClassifier as _MARSClassifier
from .estimators.mars_regressor import MARSRegressor as _MARSRegressor
from .estimators.mars_transformer import MARSTransformer as _MARSTransformer
from .estimators.saved import load as load
from .growing.branching import Binary as Binary
from .growing.branching import Multiway as Multiway
from .growing.gain import Gain as Gain
from .growing.impurity_decrease import ImpurityDecrease as ImpurityDecrease
from .growing.in_order import InOrder as InOrder
from .growing.merged import Merged as Merged
from .growing.proposed import Proposed as Proposed
from .growing.scored import Scored as Scored
from .growing.significance import Significance as Significance
from .growing.termination import Termination as Termination
from .model.from_json import from_json as from_json
from .model.readers.lightgbm import from_lightgbm as from_lightgbm
from .model.readers.rpart import from_rpart as from_rpart
from .model.readers.sklearn import from_sklearn as from_sklearn
from .model.readers.xgboost import from_xgboost as from_xgboost
from .pruning.pruners.cost_complexity import CostComplexity as CostComplexity
from .pruning.pruners.error_based import ErrorBased as ErrorBased
from .statistics.quantile import Quantile as Quantile
from .statistics.tsallis import Tsallis as Tsallis
from .statistics.tweedie import Tweedie as Tweedie
from .tree.tree import Tree as Tree

__all__ = [
    "Binary",
    "BoxwoodError",
    "BoxwoodWarning",
    "C45Classifier",
    "C45Rules",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "CLSClassifier",
    "ClusterError",
    "ColumnError",
    "CostComplexity",
    "DataError",
    "DataTypeError",
    "ErrorBased",
    "FileError",
    "FontWarning",
    "FormatWarning",
    "Gain",
    "ID3Classifier",
    "ImpurityDecrease",
    "InOrder",
    "KindWarning",
    "MARSClassifier",
    "MARSRegressor",
    "MARSTransformer",
    "Merged",
    "MissingValueError",
    "ModelFileError",
    "Multiway",
    "NotAvailableError",
    "ParameterError",
    "ParameterTypeError",
    "Proposed",
    "PruningWarning",
    "Quantile",
    "ResponseError",
    "RowsLostError",
    "Scored",
    "Significance",
    "Termination",
    "TextResponseError",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "Tsallis",
    "Tweedie",
    "UnseenLevelError",
    "UnseenLevelWarning",
    "WeightError",
    "__version__",
    "bin_features",
    "check_data",
    "compare",
    "config_context",
    "datasets",
    "diff",
    "edits",
    "errors",
    "from_json",
    "from_lightgbm",
    "from_rpart",
    "from_sklearn",
    "from_xgboost",
    "load",
    "measures",
    "pruners",
    "set_config",
    "sklearn",
]

class C45Classifier(_C45Classifier):
    """A C4.5 tree: gain ratio, one branch per level, thresholds, fractional weights, error-based pruning.

    The reference programs are Quinlan's release 8 and Weka's J48; ``compat`` reproduces either of them exactly. If a
    value is missing, the row follows every branch with a fraction of its weight, in growing, pruning and prediction.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How features are ranked:

        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain.
        - "gain" (also called "entropy" or "information_gain"): by gain, as with C4.5's option -g.

    min_branch_weight : float, default=2.0
        Minimum weight in at least two branches of a split: C4.5's m. It is a sum of weights, not a number of rows.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    group_levels : bool, default=False
        Group the levels of a nominal feature before it is scored (C4.5's option -s). Such a feature can be tested again
        further down.
    one_level : bool, default=False
        Split a nominal feature into one level and the rest, instead of one branch for each level (J48's option -B). The
        feature can be tested again further down.
    cut_charge : bool, default=True
        Subtract log2(number of possible thresholds) / weight from the gain of a numeric split, as in release 8.
    data_cuts : bool, default=True
        Use as threshold the largest value of the data that does not exceed the midpoint between two values. False uses
        the midpoint, rounded as far as it parts the values.
    cuts : {"auto", "short", "exact"}, default="auto"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.
        - "auto": "exact" with ``compat``, otherwise "short".  It needs ``data_cuts=False``.

    collapse : bool, default=True
        Before pruning, collapse each branch that does not reduce the number of training errors.
    ccp_alpha : float, default=0.0
        If positive, ``pruning`` is ignored, and the tree is the smallest one that minimises C_alpha(T) / N = sum of N_t
        H_t / N + ccp_alpha * leaves, where H_t is the entropy of leaf t in bits. It is the alpha of the lecture notes
        divided by the number of rows N: for alpha = 2 and 17 rows, set ``ccp_alpha=2/17``.
    pruning : str, pruner or None, default="error_based"
        How the full tree is pruned; ``prune()`` can prune it again later.

        - "error_based": by estimated errors, as C4.5 does, with ``confidence`` and ``raising``.
        - None: keep the full tree, collapsed if ``collapse`` is True.
        - "cv", "cv-1se", the name of a pruner, or an object of ``boxwood.pruners``: as docs/pruning.md describes.

    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default=None
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    confidence : float, default=0.25
        With "error_based", the confidence CF, from 1e-300 to 0.5. A smaller value prunes more.
    raising : bool, default=True
        With "error_based", allow the largest branch to replace its parent.
    laplace : bool, default=False
        Add 1 to the weight of each class in a leaf before probabilities are computed (J48's -A).
    missing : {"error", "own_branch", "majority", "fractional"}, default="fractional"
        How a row is routed when the value that a split tests is missing:

        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.

    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    max_competitors : int, default=4
        Number of competing splits stored at each node.
    compat : {"c45", "j48"} or None, default=None
        Reproduce another program:

        - "c45": release 8. Values closer than 1e-5 are merged. Pruning uses its table of normal deviates, its 0.67 rule
          and the last of equally large branches. Empty leaves predict with certainty.
        - "j48": Weka's J48. Values closer than 1e-5 are merged, gain ratios must exceed 1e-6, and a numeric split needs
          twice as many rows as the minimum weight of each side. Pruning uses the last of equally large branches.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        min_branch_weight: float = 2.0,
        max_depth: int | None = None,
        group_levels: bool = False,
        one_level: bool = False,
        cut_charge: bool = True,
        data_cuts: bool = True,
        cuts: str = "auto",
        collapse: bool = True,
        ccp_alpha: float = 0.0,
        pruning: Any = "error_based",
        loss: str | None = None,
        smoothing: Any = None,
        confidence: float = 0.25,
        raising: bool = True,
        laplace: bool = False,
        missing: str = "fractional",
        unseen: str = "missing",
        identifiers: str = "auto",
        class_weight: Any = None,
        target_class: Any = None,
        max_competitors: int = 4,
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class C45Rules(_C45Rules):
    """Rules as in C4.5rules: the paths of an unpruned C4.5 tree, simplified, selected and ordered.

    Each leaf of the tree gives a rule. Conditions are dropped if this does not increase the estimated error rate. For
    each class, the subset of rules with the shortest description length is kept. Classes whose rules cause fewer false
    positives come first, and rules that increase the number of errors are removed. The first rule that applies decides;
    if none applies, the default class is predicted. A condition on a missing value does not hold.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How features are ranked:

        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain.
        - "gain" (also called "entropy" or "information_gain"): by gain, as with C4.5's option -g.

    min_branch_weight : float, default=2.0
        Minimum weight in at least two branches of a split: C4.5's m. It is a sum of weights, not a number of rows.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    group_levels : bool, default=False
        Group the levels of a nominal feature before it is scored (C4.5's option -s). Such a feature can be tested again
        further down.
    cut_charge : bool, default=True
        Subtract log2(number of possible thresholds) / weight from the gain of a numeric split, as in release 8.
    data_cuts : bool, default=True
        Use as threshold the largest value of the data that does not exceed the midpoint between two values. False uses
        the midpoint, rounded as far as it parts the values.
    confidence : float, default=0.25
        The confidence CF from 1e-300 to 0.5: the smaller, the more conditions and rules are dropped.
    theory_weight : float, default=0.5
        Weight of the description length of the rules against that of their exceptions. With 0, the length of the rules
        does not count.
    missing : {"error", "fractional"}, default="fractional"
        How missing values are treated:

        - "fractional": while the tree is grown, the row follows every branch with a fraction of its weight; in the
          rules, a missing value satisfies no condition.
        - "error": raise MissingValueError.

    unseen : {"missing", "error"}, default="missing"
        How a level that did not occur in training is treated:

        - "missing": it satisfies no condition.
        - "error": raise UnseenLevelError.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    compat : {"c45", "j48"} or None, default=None
        Reproduce another program:

        - "c45": release 8. Values closer than 1e-5 are merged. Pruning uses its table of normal deviates, its 0.67 rule
          and the last of equally large branches. Empty leaves predict with certainty.
        - "j48": Weka's J48. Values closer than 1e-5 are merged, gain ratios must exceed 1e-6, and a numeric split needs
          twice as many rows as the minimum weight of each side. Pruning uses the last of equally large branches.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    """
    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        min_branch_weight: float = 2.0,
        max_depth: int | None = None,
        group_levels: bool = False,
        cut_charge: bool = True,
        data_cuts: bool = True,
        confidence: float = 0.25,
        theory_weight: float = 0.5,
        missing: str = "fractional",
        unseen: str = "missing",
        class_weight: Any = None,
        compat: str | None = None,
        identifiers: str = "auto",
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        n_jobs: int | None = None,
        verbose: int = 0,
        target_class: Any = None,
    ) -> None: ...

class CARTClassifier(_CARTClassifier):
    """A CART classification tree: binary splits by impurity, surrogate splits, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error"}, default="gini"
        Impurity measure:

        - "gini": the Gini impurity.
        - "entropy": the entropy in bits (also called "log_loss" or "information").
        - "error": the proportion of rows outside the majority class.
        - ``Tsallis(1.5)``, or the name "tsallis:1.5": the Tsallis entropy of order q = 1.5.

    ccp_risk : {"error", "gini", "entropy"} or None, default=None
        Risk that pruning weighs against the number of leaves: "error", "gini" or "entropy". None means the entropy if
        held-out rows choose by "brier" or "log_loss", otherwise ``criterion``, as with ``ccp_alpha``.
    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default="auto"
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    priors : list of float, dict, "uniform" or None, default=None
        Prior probability of each class, in the order of ``classes_`` or by label. None uses the proportions of weight
        in the data.
    costs : square table of float, dict or None, default=None
        Cost of each error, by labels as ``{("bad", "good"): 5}`` or ``{"bad": {"good": 5}}`` (actual class, predicted
        class; an error not named costs 1), or as a table in the order of ``classes_``: row = actual class, column =
        predicted class. With None, every error costs 1.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows, regardless of their weights, in a node that is split. A float in (0, 1) is a proportion
        of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows, regardless of their weights, in each branch. A float in (0, 1) is a proportion of all
        rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum weight of each branch, as a fraction of the total weight of the rows: sample weights times class
        weights; priors and costs do not count.
    max_leaf_nodes : int or None, default=None
        Grow the tree best first until it has this many leaves. None sets no limit.
    min_impurity_decrease : float, default=0.0
        Minimum decrease in impurity of a split, weighted by the proportion of all rows that are in the node.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"auto", "short", "exact"}, default="auto"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.
        - "auto": "exact" with ``compat``, otherwise "short".

    min_samples_level : int or "auto", default="auto"
        Levels with fewer rows in a node are pooled: they follow the same branch in splits and in surrogates. "auto" is
        50 for features with more than 100 levels and 1 for all others.
    level_correction : bool or "auto", default="auto"
        Before features are compared, subtract from the decrease in impurity what a feature with this number of levels
        achieves by chance. "auto" does so if at least one nominal feature has 30 levels or more, but not with
        ``compat="rpart"``.
    feature_costs : list of float, dict or None, default=None
        A positive cost for each feature, in column order or by name. Decreases in impurity are divided by it.
    max_competitors : int or "auto", default="auto"
        Number of competing splits stored at each node. "auto" is 0, or 4 with ``compat="rpart"``.
    splitter : {"best", "random"}, default="best"
        Which partition of each feature is compared with those of the others (docs/random.md):

        - "best": the one that lowers the impurity most.
        - "random": one that is drawn, as in scikit-learn's extra-trees: a threshold between the least and the greatest
          value in the node, or a random set of its levels.

    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of features that are drawn at random at each node, as in scikit-learn (docs/random.md): a number, a share
        in (0, 1] of the features, "sqrt" or "log2" of their number, always at least 1. Only these are searched for a
        split; if they offer none, further ones are drawn until one does. None searches all features.
    response_weights : list of float, dict, "equal" or None, default=None
        For y of several columns, what the impurity of each is multiplied with before they are added:

        - None: 1 over its impurity at the root, so that all count as much, whatever their units.
        - a list in the order of the columns, or a dict by name: these numbers over the same.
        - "equal": the mean of the impurities as they are, as in scikit-learn.

    monotonic_cst : list of int, dict or None, default=None
        The order of the predictions along each feature, in column order or by name: 1 = they never fall where it rises,
        -1 = they never rise, 0 = any order. Of two classes, it is the order of the probability of the second one in
        ``classes_`` (docs/monotone.md).
    interaction_cst : {"pairwise", "no_interactions"}, list of lists or None, default=None
        Which features may interact, that is, be tested on the same path, as in HistGradientBoostingClassifier
        (docs/monotone.md). Surrogates keep to it too.

        - a list of groups of features, by name or place: the features on a path all belong to one group. Those that no
          group names are one more group.
        - "pairwise": at most two different features on a path.
        - "no_interactions": one.

    forbidden_features : list of str or int, or None, default=None
        Features that no split and no surrogate uses, by name or place.
    forced_splits : str, dict or None, default=None
        Splits that the tree begins with, and that pruning keeps: a condition on one feature, such as "income <= 24.5",
        or a dict ``{"split": "income <= 24.5", "yes": "town in {Ulm, Bonn}", "no": {"split": ...}}``
        (docs/monotone.md).
    missing : {"surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"}
        How a row is routed when the value that a split tests is missing:

        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "majority": follow the branch with the larger training weight.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "own_branch": follow a separate branch for missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.
        - "surrogate_or_stay": as "surrogate", but if no value is known, stop at the node and predict from it.
        - "stay": stop at the node and predict from it.

    max_surrogates : int or "auto", default="auto"
        Number of surrogate splits stored at each node. They are also stored if the training data are complete, because
        a value may be missing in prediction. 0 saves the time to find them. "auto" is 5, or 0 with ``max_features`` or
        ``splitter="random"``, whose trees are made for ensembles.
    surrogate_style : int, default=0
        How the agreement of a surrogate is measured: 0, over all rows; 1, over the rows in which both values are known.
    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    ccp_alpha : float, default=0.0
        If positive, prune at this alpha (risk per unit of weight for each leaf) and ignore ``pruning``.
    pruning : str, pruner or None, default="auto"
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).
        - "auto": "cv", or None with ``max_features`` or ``splitter="random"``, whose trees are made for ensembles.

    compat : {"rpart"} or None, default=None
        "rpart" reproduces R's rpart, also where it deviates from the book (docs/rpart.md).
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds, and of what nodes draw with ``max_features`` and ``splitter="random"``.
        Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        criterion: Any = "gini",
        ccp_risk: str | None = None,
        loss: str | None = None,
        smoothing: Any = "auto",
        class_weight: Any = None,
        target_class: Any = None,
        priors: Any = None,
        costs: Any = None,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        max_bins: int | None = None,
        cuts: str = "auto",
        min_samples_level: int | str = "auto",
        level_correction: bool | str = "auto",
        feature_costs: Any = None,
        max_competitors: int | str = "auto",
        splitter: str = "best",
        max_features: Any = None,
        response_weights: Any = None,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        forbidden_features: Any = None,
        forced_splits: Any = None,
        missing: str = "surrogate",
        max_surrogates: int | str = "auto",
        surrogate_style: int = 0,
        unseen: str = "missing",
        identifiers: str = "auto",
        ccp_alpha: float = 0.0,
        pruning: Any = "auto",
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class CARTRegressor(_CARTRegressor):
    """A CART regression tree: binary splits by variance or Poisson deviance, surrogate splits, weakest-link pruning.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads.

    Parameters
    ----------
    criterion : {"variance", "poisson", "gamma", "tweedie", "absolute_error", "quantile"}, default="variance"
        Impurity measure:

        - "variance": the mean squared deviation from the mean (also called "squared_error" or "anova").
        - "poisson": the mean Poisson deviance of counts.
        - "gamma": the mean gamma deviance of positive numbers, which measures relative errors.
        - "tweedie", ``Tweedie(1.7)``, or the name "tweedie:1.7": the mean Tweedie deviance of numbers of at least 0, of
          the power 1.5 or 1.7.
        - "absolute_error": the mean distance from the median, which is predicted.
        - "quantile", ``Quantile((0.5, 0.1, 0.9))``, or the name "quantile:0.5,0.1,0.9": the mean pinball loss about the
          first of these quantiles, 0.5 without any; all are predicted.

    ccp_risk : {"variance", "poisson", "gamma", "tweedie", "absolute_error", "quantile"} or None, default=None
        Risk that pruning weighs against the number of leaves, that of the criterion: "variance", "poisson", "gamma",
        "tweedie", "absolute_error" or "quantile". None means ``criterion``.
    loss : {"squared_error", "poisson", "gamma", "tweedie", "absolute_error", "pinball"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", the deviance of counts and amounts
        ("poisson", "gamma" or "tweedie"), "absolute_error" of medians, or "pinball" of quantiles. None means that of
        the target.
    shrink : float, default=0.0
        With ``criterion="poisson"``, the coefficient of variation of the prior on the rates. Rates of small leaves are
        shrunk towards the rate of the root; a smaller value shrinks more. 0 means no shrinkage.
    positive_rates : bool, default=False
        Whether every branch of a split must have a mean above 0, so that ``criterion="poisson"`` never predicts a rate
        of 0 unless all events are 0.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows, regardless of their weights, in a node that is split. A float in (0, 1) is a proportion
        of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows, regardless of their weights, in each branch. A float in (0, 1) is a proportion of all
        rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum weight of each branch, as a fraction of the total weight of the rows: sample weights times class
        weights; priors and costs do not count.
    max_leaf_nodes : int or None, default=None
        Grow the tree best first until it has this many leaves. None sets no limit.
    min_impurity_decrease : float, default=0.0
        Minimum decrease in impurity of a split, weighted by the proportion of all rows that are in the node.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"auto", "short", "exact"}, default="auto"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.
        - "auto": "exact" with ``compat``, otherwise "short".

    min_samples_level : int or "auto", default="auto"
        Levels with fewer rows in a node are pooled: they follow the same branch in splits and in surrogates. "auto" is
        50 for features with more than 100 levels and 1 for all others.
    level_correction : bool, default=False
        Before features are compared, subtract from the decrease in impurity what a feature with this number of levels
        achieves by chance.
    feature_costs : list of float, dict or None, default=None
        A positive cost for each feature, in column order or by name. Decreases in impurity are divided by it.
    max_competitors : int or "auto", default="auto"
        Number of competing splits stored at each node. "auto" is 0, or 4 with ``compat="rpart"``.
    splitter : {"best", "random"}, default="best"
        Which partition of each feature is compared with those of the others (docs/random.md):

        - "best": the one that lowers the impurity most.
        - "random": one that is drawn, as in scikit-learn's extra-trees: a threshold between the least and the greatest
          value in the node, or a random set of its levels.

    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of features that are drawn at random at each node, as in scikit-learn (docs/random.md): a number, a share
        in (0, 1] of the features, "sqrt" or "log2" of their number, always at least 1. Only these are searched for a
        split; if they offer none, further ones are drawn until one does. None searches all features.
    response_weights : list of float, dict, "equal" or None, default=None
        For y of several columns, what the impurity of each is multiplied with before they are added:

        - None: 1 over its impurity at the root, so that all count as much, whatever their units.
        - a list in the order of the columns, or a dict by name: these numbers over the same.
        - "equal": the mean of the impurities as they are, as in scikit-learn.

    monotonic_cst : list of int, dict or None, default=None
        The order of the predictions along each feature, in column order or by name: 1 = they never fall where it rises,
        -1 = they never rise, 0 = any order. Of two classes, it is the order of the probability of the second one in
        ``classes_`` (docs/monotone.md).
    interaction_cst : {"pairwise", "no_interactions"}, list of lists or None, default=None
        Which features may interact, that is, be tested on the same path, as in HistGradientBoostingClassifier
        (docs/monotone.md). Surrogates keep to it too.

        - a list of groups of features, by name or place: the features on a path all belong to one group. Those that no
          group names are one more group.
        - "pairwise": at most two different features on a path.
        - "no_interactions": one.

    forbidden_features : list of str or int, or None, default=None
        Features that no split and no surrogate uses, by name or place.
    forced_splits : str, dict or None, default=None
        Splits that the tree begins with, and that pruning keeps: a condition on one feature, such as "income <= 24.5",
        or a dict ``{"split": "income <= 24.5", "yes": "town in {Ulm, Bonn}", "no": {"split": ...}}``
        (docs/monotone.md).
    missing : {"surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay"}
        How a row is routed when the value that a split tests is missing:

        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "majority": follow the branch with the larger training weight.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "own_branch": follow a separate branch for missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.
        - "surrogate_or_stay": as "surrogate", but if no value is known, stop at the node and predict from it.
        - "stay": stop at the node and predict from it.

    max_surrogates : int or "auto", default="auto"
        Number of surrogate splits stored at each node. They are also stored if the training data are complete, because
        a value may be missing in prediction. 0 saves the time to find them. "auto" is 5, or 0 with ``max_features`` or
        ``splitter="random"``, whose trees are made for ensembles.
    surrogate_style : int, default=0
        How the agreement of a surrogate is measured: 0, over all rows; 1, over the rows in which both values are known.
    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    ccp_alpha : float, default=0.0
        If positive, prune at this alpha (risk per unit of weight for each leaf) and ignore ``pruning``.
    pruning : str, pruner or None, default="auto"
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).
        - "auto": "cv", or None with ``max_features`` or ``splitter="random"``, whose trees are made for ensembles.

    compat : {"rpart"} or None, default=None
        "rpart" reproduces R's rpart, also where it deviates from the book (docs/rpart.md).
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds, and of what nodes draw with ``max_features`` and ``splitter="random"``.
        Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        criterion: Any = "variance",
        ccp_risk: str | None = None,
        loss: str | None = None,
        shrink: float = 0.0,
        positive_rates: bool = False,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        max_bins: int | None = None,
        cuts: str = "auto",
        min_samples_level: int | str = "auto",
        level_correction: bool = False,
        feature_costs: Any = None,
        max_competitors: int | str = "auto",
        splitter: str = "best",
        max_features: Any = None,
        response_weights: Any = None,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        forbidden_features: Any = None,
        forced_splits: Any = None,
        missing: str = "surrogate",
        max_surrogates: int | str = "auto",
        surrogate_style: int = 0,
        unseen: str = "missing",
        identifiers: str = "auto",
        ccp_alpha: float = 0.0,
        pruning: Any = "auto",
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class CHAIDClassifier(_CHAIDClassifier):
    """A CHAID classification tree: merged categories, chi-squared tests, multiway splits.

    Categories of a feature that do not differ significantly in y are merged. The node is split on the feature whose
    merged table is the most significant, with one branch for each group. p-values are adjusted for the number of ways
    to merge the categories (Bonferroni) and do not underflow. The same data give the same tree, regardless of the order
    of the rows and the number of threads. For the formulas and a worked example, see docs/chaid.md.

    Parameters
    ----------
    exhaustive : bool, default=False
        Merge the categories of a feature down to two groups, then keep the most significant grouping (Biggs et al.,
        1991). ``alpha_merge`` is ignored.
    alpha_merge : float, default=0.05
        Merge the most similar pair of groups as long as its p-value is above this.
    alpha_split : float, default=0.05
        Split a node if the adjusted p-value of its best feature is at most this.
    split_merged : bool, default=False
        After each merge, split the new group again if the split is significant (groups of three or more categories).
    alpha_split_merged : float, default=0.05
        Split a merged group again if the p-value of the split is at most this. It must not exceed ``alpha_merge``.
    bonferroni : bool, default=True
        Multiply each p-value by the number of ways in which the categories could have been merged.
    multiplier : {"spss", "biggs"}, default="spss"
        With ``exhaustive``, the Bonferroni multiplier of a nominal feature with I categories:

        - "spss": I (I^2 - 1) / 2.
        - "biggs": I (I^2 - 1) / 6.

    rank_by : {"p", "log_p"}, default="p"
        How features are compared:

        - "p": by the adjusted p-value; if two p-values are within 1e-12 of each other, by the statistic.
        - "log_p": by the logarithm of the adjusted p-value, which distinguishes very small values.

    n_bins : int, default=10
        Before growing, a numeric feature is divided into at most this many ordered bins with about equal numbers of
        rows.
    min_segment : int or float, default=0
        Groups with fewer cases are merged before features are compared. A float in (0, 1) is a proportion of all cases.
    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default="auto"
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    test : {"pearson", "likelihood_ratio"}, default="pearson"
        Chi-squared statistic: "pearson" or "likelihood_ratio" (also called "lr").
    ordinal_target : list of float, bool or None, default=None
        Treat the classes as ordered. True assigns the scores 1, 2, ... in the order of ``classes_``; a list gives the
        score of each class. Groups are then compared by a row-effects model.
    max_iterations : int, default=100
        Maximum number of iterations when expected counts are fitted, for case weights or an ordinal target.
    tolerance : float, default=0.001
        Stop fitting when no expected count changes by more than this.
    max_depth : int or None, default=3
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=100
        Minimum number of cases in a node that is split; a weight of 3 counts as 3 cases. A float in (0, 1) is a
        proportion of all cases.
    min_samples_leaf : int or float, default=50
        Minimum number of cases in each branch; a smaller branch is merged with the most similar one. A float in (0, 1)
        is a proportion of all cases.
    max_competitors : int, default=4
        Number of competing features stored at each node, with their merged groups.
    weights : {"frequency", "case"}, default="frequency"
        What ``sample_weight`` means:

        - "frequency": the number of times that a row counts, also in the test.
        - "case": the importance of a row. It affects the expected counts or means of the test, but not the number of
          cases.

    missing : {"floating", "error"}, default="floating"
        How missing values are treated:

        - "floating": as a separate category. In a nominal feature it merges like any other category; in an ordered
          feature it merges with the most similar group.
        - "error": raise MissingValueError, also for infinite numbers.

    unseen : {"stay", "majority", "missing", "error"}, default="stay"
        How a row is routed when it has a category that did not occur at a node in training:

        - "stay": stop at the node and predict from it.
        - "majority": follow the branch with the largest training weight.
        - "missing": treat the category as a missing value.
        - "error": raise UnseenLevelError for levels that did not occur in training at all.

    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        exhaustive: bool = False,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        split_merged: bool = False,
        alpha_split_merged: float = 0.05,
        bonferroni: bool = True,
        multiplier: str = "spss",
        rank_by: str = "p",
        n_bins: int = 10,
        min_segment: int | float = 0,
        loss: str | None = None,
        smoothing: Any = "auto",
        target_class: Any = None,
        test: str = "pearson",
        ordinal_target: Any = None,
        max_iterations: int = 100,
        tolerance: float = 0.001,
        max_depth: int | None = 3,
        min_samples_split: int | float = 100,
        min_samples_leaf: int | float = 50,
        max_competitors: int = 4,
        weights: str = "frequency",
        missing: str = "floating",
        unseen: str = "stay",
        identifiers: str = "ignore",
        pruning: Any = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class CHAIDRegressor(_CHAIDRegressor):
    """A CHAID regression tree: merged categories, F tests of means, multiway splits.

    Categories of a feature that do not differ significantly in y are merged. The node is split on the feature whose
    merged table is the most significant, with one branch for each group. p-values are adjusted for the number of ways
    to merge the categories (Bonferroni) and do not underflow. The same data give the same tree, regardless of the order
    of the rows and the number of threads. For the formulas and a worked example, see docs/chaid.md.

    Parameters
    ----------
    exhaustive : bool, default=False
        Merge the categories of a feature down to two groups, then keep the most significant grouping (Biggs et al.,
        1991). ``alpha_merge`` is ignored.
    alpha_merge : float, default=0.05
        Merge the most similar pair of groups as long as its p-value is above this.
    alpha_split : float, default=0.05
        Split a node if the adjusted p-value of its best feature is at most this.
    split_merged : bool, default=False
        After each merge, split the new group again if the split is significant (groups of three or more categories).
    alpha_split_merged : float, default=0.05
        Split a merged group again if the p-value of the split is at most this. It must not exceed ``alpha_merge``.
    bonferroni : bool, default=True
        Multiply each p-value by the number of ways in which the categories could have been merged.
    multiplier : {"spss", "biggs"}, default="spss"
        With ``exhaustive``, the Bonferroni multiplier of a nominal feature with I categories:

        - "spss": I (I^2 - 1) / 2.
        - "biggs": I (I^2 - 1) / 6.

    rank_by : {"p", "log_p"}, default="p"
        How features are compared:

        - "p": by the adjusted p-value; if two p-values are within 1e-12 of each other, by the statistic.
        - "log_p": by the logarithm of the adjusted p-value, which distinguishes very small values.

    n_bins : int, default=10
        Before growing, a numeric feature is divided into at most this many ordered bins with about equal numbers of
        rows.
    min_segment : int or float, default=0
        Groups with fewer cases are merged before features are compared. A float in (0, 1) is a proportion of all cases.
    loss : {"squared_error", "poisson", "gamma", "tweedie", "absolute_error", "pinball"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", the deviance of counts and amounts
        ("poisson", "gamma" or "tweedie"), "absolute_error" of medians, or "pinball" of quantiles. None means that of
        the target.
    max_depth : int or None, default=3
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    min_samples_split : int or float, default=100
        Minimum number of cases in a node that is split; a weight of 3 counts as 3 cases. A float in (0, 1) is a
        proportion of all cases.
    min_samples_leaf : int or float, default=50
        Minimum number of cases in each branch; a smaller branch is merged with the most similar one. A float in (0, 1)
        is a proportion of all cases.
    max_competitors : int, default=4
        Number of competing features stored at each node, with their merged groups.
    weights : {"frequency", "case"}, default="frequency"
        What ``sample_weight`` means:

        - "frequency": the number of times that a row counts, also in the test.
        - "case": the importance of a row. It affects the expected counts or means of the test, but not the number of
          cases.

    missing : {"floating", "error"}, default="floating"
        How missing values are treated:

        - "floating": as a separate category. In a nominal feature it merges like any other category; in an ordered
          feature it merges with the most similar group.
        - "error": raise MissingValueError, also for infinite numbers.

    unseen : {"stay", "majority", "missing", "error"}, default="stay"
        How a row is routed when it has a category that did not occur at a node in training:

        - "stay": stop at the node and predict from it.
        - "majority": follow the branch with the largest training weight.
        - "missing": treat the category as a missing value.
        - "error": raise UnseenLevelError for levels that did not occur in training at all.

    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        exhaustive: bool = False,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        split_merged: bool = False,
        alpha_split_merged: float = 0.05,
        bonferroni: bool = True,
        multiplier: str = "spss",
        rank_by: str = "p",
        n_bins: int = 10,
        min_segment: int | float = 0,
        loss: str | None = None,
        max_depth: int | None = 3,
        min_samples_split: int | float = 100,
        min_samples_leaf: int | float = 50,
        max_competitors: int = 4,
        weights: str = "frequency",
        missing: str = "floating",
        unseen: str = "stay",
        identifiers: str = "ignore",
        pruning: Any = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class CLSClassifier(_CLSClassifier):
    """A CLS tree: one branch per level, features in a given order, no splitting measure.

    CLS is the ancestor of ID3 (Hunt, 1966). Every node tests the next feature that has not been tested on the path and
    that is not constant in the node. The trees are usually deeper than those of ID3. Numeric columns raise an error.

    Parameters
    ----------
    order : list of str or of int, or None, default=None
        Names or positions of the features in the order in which they are tested; features that are not listed are not
        used. None means all features in column order.
    min_impurity_decrease : float, default=0.0
        Minimum decrease in entropy (in bits) of a split, weighted by the proportion of all rows in the node. Features
        with a smaller decrease are skipped; if no feature is left, the node becomes a leaf. With 0, any feature that is
        not constant is used, as in CLS.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    max_competitors : int, default=4
        Number of competing splits stored at each node.
    missing : {"error", "own_branch", "majority", "fractional"}, default="error"
        How a row is routed when the value that a split tests is missing:

        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.

    unseen : {"missing", "majority", "stay", "error"}, default="stay"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"ignore", "use"}, default="use"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default=None
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        order: Any = None,
        min_impurity_decrease: float = 0.0,
        max_depth: int | None = None,
        max_competitors: int = 4,
        missing: str = "error",
        unseen: str = "stay",
        identifiers: str = "use",
        class_weight: Any = None,
        target_class: Any = None,
        pruning: Any = None,
        loss: str | None = None,
        smoothing: Any = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class ID3Classifier(_ID3Classifier):
    """An ID3 tree: one branch per level, splits by information gain, each feature at most once on a path.

    A level that does not occur in a node still has a branch: an empty leaf that predicts the class distribution of its
    parent. If gains are equal, the feature whose column comes first is chosen. Numeric columns raise an error.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio"}, default="gain"
        How features are ranked:

        - "gain" (also called "entropy" or "information_gain"): by information gain.
        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain. Many lecture notes
          call this C4.5.

    epsilon : float, default=0.0
        A node becomes a leaf if its best gain in bits (or its best gain ratio) is below this.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    max_competitors : int, default=4
        Number of competing splits stored at each node.
    missing : {"error", "own_branch", "majority", "fractional"}, default="error"
        How a row is routed when the value that a split tests is missing:

        - "error": raise MissingValueError, in fit and in predict.
        - "own_branch" (also called "level"): follow a separate branch for missing values, in nodes that had missing
          values in training.
        - "majority": follow the branch with the largest training weight.
        - "fractional": follow every branch with a fraction of the weight of the row, as in C4.5.

    unseen : {"missing", "majority", "stay", "error"}, default="stay"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    identifiers : {"ignore", "use"}, default="use"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    ccp_alpha : float, default=0.0
        If positive, ``pruning`` is ignored, and the tree is the smallest one that minimises C_alpha(T) / N = sum of N_t
        H_t / N + ccp_alpha * leaves, where H_t is the entropy of leaf t in bits. It is the alpha of the lecture notes
        divided by the number of rows N: for alpha = 2 and 17 rows, set ``ccp_alpha=2/17``.
    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default=None
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        criterion: str = "gain",
        epsilon: float = 0.0,
        max_depth: int | None = None,
        max_competitors: int = 4,
        missing: str = "error",
        unseen: str = "stay",
        identifiers: str = "use",
        class_weight: Any = None,
        target_class: Any = None,
        ccp_alpha: float = 0.0,
        pruning: Any = None,
        loss: str | None = None,
        smoothing: Any = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class MARSClassifier(_MARSClassifier):
    """MARS for classification: terms found by least squares on class indicators, probabilities by logistic regression.

    Parameters
    ----------
    logistic : bool, default=True
        Fit probabilities by logistic regression on the selected terms; with more than two classes, one regression for
        each class. False fits them by least squares and clips them to [0, 1].
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    max_degree : int, default=1
        Maximum number of features in a term. With 1, the model is a sum of functions of single features.
    max_terms : int or None, default=None
        Maximum number of terms in the forward pass. None means min(200, max(20, 2 * columns)) + 1 (docs/mars.md).
    penalty : float or None, default=None
        GCV penalty per knot. None = 2, or 3 with interactions, more beyond 20 columns (docs/mars.md); -1 = no penalty.
    thresh : float, default=0.001
        Stop the forward pass when R² increases by less than this or is this close to 1. 0 disables this rule.
    minspan : int, default=0
        Minimum number of rows between knots. 0 derives it from the numbers of rows and columns; -k places k knots in
        each column.
    endspan : int, default=0
        Number of rows at each end of a column in which no knot is placed. 0 derives it from the numbers of rows and
        columns.
    adjust_endspan : float, default=2.0
        Factor by which ``endspan`` is multiplied in interactions.
    fast_k : int, default=20
        Fast MARS: number of parent terms tried in a step. 0 tries all of them.
    fast_beta : float, default=1.0
        Fast MARS: how quickly the priority of a parent term increases while it is not tried.
    new_variable_penalty : float, default=0.0
        Penalty for features that are not yet in the model: their improvement is divided by 1 plus this value.
    auto_linear : bool, default=True
        Allow a linear term to replace a pair of hinges.
    linear_features : list of names or positions, or None, default=None
        Features that enter the model only linearly.
    monotone : dict or None, default=None
        Features with a monotone effect: feature -> 1 (never decreasing) or -1 (never increasing). They do not interact.
    allowed : list of groups of features, function or None, default=None
        Features that may interact: those within a group, or those for which ``f(degree, feature, others)`` returns
        True. None allows all interactions.
    backward : {"exchange", "plain", "exhaustive", "cv", "none"}, default="exchange"
        How terms are removed after the forward pass:

        - "exchange": as in R's earth.
        - "plain": one by one.
        - "exhaustive": by comparing all subsets.
        - "cv": down to the size that cross-validation selects.
        - "none": not at all.

    max_kept : int or None, default=None
        Maximum number of terms to keep. None sets no limit.
    cv_folds : int or None, default=None
        Number of cross-validation folds. The held-out rows determine the intervals of ``predict_interval`` and, with
        ``backward="cv"``, the number of terms; the default is then 10.
    nominal : {"indicators", "grouped"}, default="indicators"
        How nominal features are encoded:

        - "indicators": an indicator for each level.
        - "grouped": indicators of the first 1, 2, ... levels in the order of their mean response.

    missing : {"error", "indicator"}, default="error"
        How missing values are treated:

        - "error": raise MissingValueError.
        - "indicator": impute the mean and add an indicator column for missing values.

    unseen : {"first", "error"}, default="first"
        How a level that did not occur in training is treated:

        - "first": as the first level. If levels are grouped, it is the level with the lowest mean; if they are ordered,
          the mean position. If the feature has an indicator column for missing values, this is set as well.
        - "error": raise UnseenLevelError.

    compat : {"earth"} or None, default=None
        "earth" reproduces R's earth 5.3: its numbering of parents, bounds and ties, which depend on the order of rows.
    categorical_features : "from_dtype", None, or list of names, of positions or of booleans, default="from_dtype"
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        logistic: bool = True,
        target_class: Any = None,
        max_degree: int = 1,
        max_terms: int | None = None,
        penalty: float | None = None,
        thresh: float = 0.001,
        minspan: int = 0,
        endspan: int = 0,
        adjust_endspan: float = 2.0,
        fast_k: int = 20,
        fast_beta: float = 1.0,
        new_variable_penalty: float = 0.0,
        auto_linear: bool = True,
        linear_features: Any = None,
        monotone: Any = None,
        allowed: Any = None,
        backward: str = "exchange",
        max_kept: int | None = None,
        cv_folds: int | None = None,
        nominal: str = "indicators",
        missing: str = "error",
        unseen: str = "first",
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class MARSRegressor(_MARSRegressor):
    """Multivariate adaptive regression splines: a sum of hinge functions and their products, pruned by GCV.

    Parameters
    ----------
    max_degree : int, default=1
        Maximum number of features in a term. With 1, the model is a sum of functions of single features.
    max_terms : int or None, default=None
        Maximum number of terms in the forward pass. None means min(200, max(20, 2 * columns)) + 1 (docs/mars.md).
    penalty : float or None, default=None
        GCV penalty per knot. None = 2, or 3 with interactions, more beyond 20 columns (docs/mars.md); -1 = no penalty.
    thresh : float, default=0.001
        Stop the forward pass when R² increases by less than this or is this close to 1. 0 disables this rule.
    minspan : int, default=0
        Minimum number of rows between knots. 0 derives it from the numbers of rows and columns; -k places k knots in
        each column.
    endspan : int, default=0
        Number of rows at each end of a column in which no knot is placed. 0 derives it from the numbers of rows and
        columns.
    adjust_endspan : float, default=2.0
        Factor by which ``endspan`` is multiplied in interactions.
    fast_k : int, default=20
        Fast MARS: number of parent terms tried in a step. 0 tries all of them.
    fast_beta : float, default=1.0
        Fast MARS: how quickly the priority of a parent term increases while it is not tried.
    new_variable_penalty : float, default=0.0
        Penalty for features that are not yet in the model: their improvement is divided by 1 plus this value.
    auto_linear : bool, default=True
        Allow a linear term to replace a pair of hinges.
    linear_features : list of names or positions, or None, default=None
        Features that enter the model only linearly.
    monotone : dict or None, default=None
        Features with a monotone effect: feature -> 1 (never decreasing) or -1 (never increasing). They do not interact.
    allowed : list of groups of features, function or None, default=None
        Features that may interact: those within a group, or those for which ``f(degree, feature, others)`` returns
        True. None allows all interactions.
    backward : {"exchange", "plain", "exhaustive", "cv", "none"}, default="exchange"
        How terms are removed after the forward pass:

        - "exchange": as in R's earth.
        - "plain": one by one.
        - "exhaustive": by comparing all subsets.
        - "cv": down to the size that cross-validation selects.
        - "none": not at all.

    max_kept : int or None, default=None
        Maximum number of terms to keep. None sets no limit.
    cv_folds : int or None, default=None
        Number of cross-validation folds. The held-out rows determine the intervals of ``predict_interval`` and, with
        ``backward="cv"``, the number of terms; the default is then 10.
    nominal : {"indicators", "grouped"}, default="indicators"
        How nominal features are encoded:

        - "indicators": an indicator for each level.
        - "grouped": indicators of the first 1, 2, ... levels in the order of their mean response.

    missing : {"error", "indicator"}, default="error"
        How missing values are treated:

        - "error": raise MissingValueError.
        - "indicator": impute the mean and add an indicator column for missing values.

    unseen : {"first", "error"}, default="first"
        How a level that did not occur in training is treated:

        - "first": as the first level. If levels are grouped, it is the level with the lowest mean; if they are ordered,
          the mean position. If the feature has an indicator column for missing values, this is set as well.
        - "error": raise UnseenLevelError.

    compat : {"earth"} or None, default=None
        "earth" reproduces R's earth 5.3: its numbering of parents, bounds and ties, which depend on the order of rows.
    categorical_features : "from_dtype", None, or list of names, of positions or of booleans, default="from_dtype"
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        max_degree: int = 1,
        max_terms: int | None = None,
        penalty: float | None = None,
        thresh: float = 0.001,
        minspan: int = 0,
        endspan: int = 0,
        adjust_endspan: float = 2.0,
        fast_k: int = 20,
        fast_beta: float = 1.0,
        new_variable_penalty: float = 0.0,
        auto_linear: bool = True,
        linear_features: Any = None,
        monotone: Any = None,
        allowed: Any = None,
        backward: str = "exchange",
        max_kept: int | None = None,
        cv_folds: int | None = None,
        nominal: str = "indicators",
        missing: str = "error",
        unseen: str = "first",
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class MARSTransformer(_MARSTransformer):
    """Transform features to MARS terms: each row becomes the values of the selected terms.

    Parameters
    ----------
    max_degree : int, default=1
        Maximum number of features in a term. With 1, the model is a sum of functions of single features.
    max_terms : int or None, default=None
        Maximum number of terms in the forward pass. None means min(200, max(20, 2 * columns)) + 1 (docs/mars.md).
    penalty : float or None, default=None
        GCV penalty per knot. None = 2, or 3 with interactions, more beyond 20 columns (docs/mars.md); -1 = no penalty.
    thresh : float, default=0.001
        Stop the forward pass when R² increases by less than this or is this close to 1. 0 disables this rule.
    minspan : int, default=0
        Minimum number of rows between knots. 0 derives it from the numbers of rows and columns; -k places k knots in
        each column.
    endspan : int, default=0
        Number of rows at each end of a column in which no knot is placed. 0 derives it from the numbers of rows and
        columns.
    adjust_endspan : float, default=2.0
        Factor by which ``endspan`` is multiplied in interactions.
    fast_k : int, default=20
        Fast MARS: number of parent terms tried in a step. 0 tries all of them.
    fast_beta : float, default=1.0
        Fast MARS: how quickly the priority of a parent term increases while it is not tried.
    new_variable_penalty : float, default=0.0
        Penalty for features that are not yet in the model: their improvement is divided by 1 plus this value.
    auto_linear : bool, default=True
        Allow a linear term to replace a pair of hinges.
    linear_features : list of names or positions, or None, default=None
        Features that enter the model only linearly.
    monotone : dict or None, default=None
        Features with a monotone effect: feature -> 1 (never decreasing) or -1 (never increasing). They do not interact.
    allowed : list of groups of features, function or None, default=None
        Features that may interact: those within a group, or those for which ``f(degree, feature, others)`` returns
        True. None allows all interactions.
    backward : {"exchange", "plain", "exhaustive", "cv", "none"}, default="exchange"
        How terms are removed after the forward pass:

        - "exchange": as in R's earth.
        - "plain": one by one.
        - "exhaustive": by comparing all subsets.
        - "cv": down to the size that cross-validation selects.
        - "none": not at all.

    max_kept : int or None, default=None
        Maximum number of terms to keep. None sets no limit.
    cv_folds : int or None, default=None
        Number of cross-validation folds. The held-out rows determine the intervals of ``predict_interval`` and, with
        ``backward="cv"``, the number of terms; the default is then 10.
    nominal : {"indicators", "grouped"}, default="indicators"
        How nominal features are encoded:

        - "indicators": an indicator for each level.
        - "grouped": indicators of the first 1, 2, ... levels in the order of their mean response.

    missing : {"error", "indicator"}, default="error"
        How missing values are treated:

        - "error": raise MissingValueError.
        - "indicator": impute the mean and add an indicator column for missing values.

    unseen : {"first", "error"}, default="first"
        How a level that did not occur in training is treated:

        - "first": as the first level. If levels are grouped, it is the level with the lowest mean; if they are ordered,
          the mean position. If the feature has an indicator column for missing values, this is set as well.
        - "error": raise UnseenLevelError.

    compat : {"earth"} or None, default=None
        "earth" reproduces R's earth 5.3: its numbering of parents, bounds and ties, which depend on the order of rows.
    categorical_features : "from_dtype", None, or list of names, of positions or of booleans, default="from_dtype"
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        max_degree: int = 1,
        max_terms: int | None = None,
        penalty: float | None = None,
        thresh: float = 0.001,
        minspan: int = 0,
        endspan: int = 0,
        adjust_endspan: float = 2.0,
        fast_k: int = 20,
        fast_beta: float = 1.0,
        new_variable_penalty: float = 0.0,
        auto_linear: bool = True,
        linear_features: Any = None,
        monotone: Any = None,
        allowed: Any = None,
        backward: str = "exchange",
        max_kept: int | None = None,
        cv_folds: int | None = None,
        nominal: str = "indicators",
        missing: str = "error",
        unseen: str = "first",
        compat: str | None = None,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class TreeClassifier(_TreeClassifier):
    """A classification tree composed of the four choices of the theory, by name, as records or as your own functions.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads. docs/compose.md lists the valid combinations.

    Parameters
    ----------
    branching : {"binary", "multiway", "merged"}, record or function, default="binary"
        Choice 1: the number of branches of a split on a nominal feature. An ordered feature is split at a threshold, or
        with "merged" into the intervals that differ significantly.

        - "binary": two sets of levels.
        - "multiway": one branch for each level; each feature is used at most once on a path.
        - "merged": levels that do not differ significantly share a branch.
        - a record with settings: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged`.
        - a function ``branching(values)``: proposes C partitions of a node by one feature, as an array of integers of
          shape (C, V) with the branch of each of the V values in the node. See :class:`boxwood.Proposed`.

    criterion : str, record or function, default="gini"
        Choice 2: how splits are scored.

        - "gini", "entropy", "error": by the decrease in this impurity measure.
        - ``Tsallis(1.5)``: by the decrease in the Tsallis entropy of order q = 1.5.
        - "gain": by the decrease in entropy.
        - "gain_ratio": by the gain divided by the intrinsic value, among the features with at least average gain.
        - "in_order": not scored; the first remaining feature is chosen.
        - "significance": by the p-value of the chi-squared test.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, K) and
          ``parent`` of shape (K,) contain the weights of the K classes in each of the B branches and in the node. The
          function returns C numbers; larger is better, and NaN excludes a split.

    termination : dict, Termination, function or None, default=None
        Choice 3: when a node becomes a leaf. Pass a :class:`boxwood.Termination`, or its fields as a dict such as
        {"max_depth": 3, "min_samples_leaf": 5}. With None, a node becomes a leaf if it is pure or cannot be split. A
        function ``termination(node)`` returns True if the node must be a leaf; ``node`` has the attributes ``depth``,
        ``rows``, ``weight``, ``moments`` and ``impurity``.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"short", "exact"}, default="short"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.  A criterion with ``data_cuts=True`` cuts at values of the data.

    leaf : {"majority", "laplace"}, float or object, default="majority"
        Choice 4: the probability that a leaf predicts for a class with weight n_k of N. The first three predict the
        same class.

        - "majority": n_k / N.
        - "laplace": Laplace's rule (n_k + 1) / (N + K).
        - a number m: the m-estimate (n_k + m / K) / (N + m).
        - an object with ``fit(X, y)`` and ``predict_proba(X)``: a copy is fitted to the rows of each leaf with more
          than one class. X contains the columns as float64, with levels as codes and NaN where a value is missing; y
          contains class numbers. ``fit`` gets the weights as ``sample_weight`` if it has this parameter. Without
          ``predict_proba``, the class that ``predict(X)`` returns has probability 1.

    missing : {"majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error"} or None
        How a row is routed when the value that a split tests is missing. None means "floating" with merged branches and
        "majority" otherwise.

        - "majority": follow the branch with the largest training weight.
        - "own_branch" (also called "level"): follow a separate branch for missing values.
        - "fractional": follow every branch with a fraction of the weight of the row.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the branch of the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.

    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    loss : {"brier", "log_loss", "error", "cost"} or None, default=None
        Loss by which held-out rows choose the size of the tree (docs/pruning.md). None means the loss of the pruner:
        "cv" takes "brier", or "cost" if there are ``costs``; "one_leaf", "reduced_error" and "pre_pruning" take "error"
        or "cost".

        - "brier": squared distance of the probabilities of the leaves from the truth.
        - "log_loss": minus the logarithm of the probability of the true class.
        - "error": the proportion of wrong predictions. Choose it if only the accuracy matters.
        - "cost": the mean cost of the predictions, by ``costs``.

    smoothing : {"auto", "laplace"}, float or None, default="auto"
        How the probabilities of the leaves are smoothed:

        - None: not at all; they are the shares of the classes.
        - "laplace": Laplace's rule, (n_k + 1) / (n + K).
        - a number m: the m-estimate, (n_k + m pi_k) / (n + m), where pi_k is the share of class k in the root.
        - "auto": m = 2 if held-out rows chose the size of the tree by another loss than "error", otherwise None.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        branching: Any = "binary",
        criterion: Any = "gini",
        termination: Any = None,
        max_bins: int | None = None,
        cuts: str = "short",
        leaf: Any = "majority",
        missing: str | None = None,
        unseen: str = "missing",
        pruning: Any = None,
        loss: str | None = None,
        smoothing: Any = "auto",
        class_weight: Any = None,
        target_class: Any = None,
        identifiers: str = "ignore",
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

class TreeRegressor(_TreeRegressor):
    """A regression tree composed of the four choices of the theory, by name, as records or as your own functions.

    Numbers, strings, categories, booleans and missing values need no preparation. The same data give the same tree,
    regardless of the order of the rows and the number of threads. docs/compose.md lists the valid combinations.

    Parameters
    ----------
    branching : {"binary", "multiway", "merged"}, record or function, default="binary"
        Choice 1: the number of branches of a split on a nominal feature. An ordered feature is split at a threshold, or
        with "merged" into the intervals that differ significantly.

        - "binary": two sets of levels.
        - "multiway": one branch for each level; each feature is used at most once on a path.
        - "merged": levels that do not differ significantly share a branch.
        - a record with settings: :class:`boxwood.Binary`, :class:`boxwood.Multiway` or :class:`boxwood.Merged`.
        - a function ``branching(values)``: proposes C partitions of a node by one feature, as an array of integers of
          shape (C, V) with the branch of each of the V values in the node. See :class:`boxwood.Proposed`.

    criterion : {"variance", "poisson", "gamma", "tweedie", "significance"}, record or function, default="variance"
        Choice 2: how splits are scored.

        - "variance": by the decrease in variance.
        - "poisson", "gamma", "tweedie" or ``Tweedie(1.7)``: by the decrease in deviance of counts or amounts.
        - "significance": by the p-value of the F test of means.
        - a function ``criterion(children, parent)``: scores C ways to split a node. ``children`` of shape (C, B, 3) and
          ``parent`` of shape (3,) contain the sum of weights, the mean of y and the sum of squared deviations from it,
          in each of the B branches and in the node. The function returns C numbers; larger is better, and NaN excludes
          a split.

    termination : dict, Termination, function or None, default=None
        Choice 3: when a node becomes a leaf. Pass a :class:`boxwood.Termination`, or its fields as a dict such as
        {"max_depth": 3, "min_samples_leaf": 5}. With None, a node becomes a leaf if it is pure or cannot be split. A
        function ``termination(node)`` returns True if the node must be a leaf; ``node`` has the attributes ``depth``,
        ``rows``, ``weight``, ``moments`` and ``impurity``.
    max_bins : int or None, default=None
        Before growing, divide numeric columns with more distinct values into at most this many bins (from 2 to 65,280;
        more than 255 count as 255) with about equal numbers of rows. This is faster, but thresholds then lie only
        between bins (docs/speed.md). None uses every value.
    cuts : {"short", "exact"}, default="short"
        Where the threshold between two neighbouring training values of a node lies (docs/cart.md):

        - "short": at the midpoint, rounded to the fewest decimals that keep it strictly between the two values; three
          digits and the whole part always stay. All texts, pictures and exports show it with all its digits.
        - "exact": at the midpoint.  A criterion with ``data_cuts=True`` cuts at values of the data.

    leaf : "mean" or object, default="mean"
        Choice 4: what a leaf predicts.

        - "mean": the weighted mean of y.
        - an object with ``fit(X, y)`` and ``predict(X)``, such as a linear model: a copy is fitted to the rows of each
          leaf in which y is not constant. X contains the columns as float64, with levels as codes and NaN where a value
          is missing. ``fit`` gets the weights as ``sample_weight`` if it has this parameter.

    missing : {"majority", "own_branch", "fractional", "surrogate", "learned", "floating", "error"} or None
        How a row is routed when the value that a split tests is missing. None means "floating" with merged branches and
        "majority" otherwise.

        - "majority": follow the branch with the largest training weight.
        - "own_branch" (also called "level"): follow a separate branch for missing values.
        - "fractional": follow every branch with a fraction of the weight of the row.
        - "surrogate": follow the first surrogate split whose value is known; if none is, follow the majority branch.
        - "learned": follow the branch that gave the larger decrease in impurity during training.
        - "floating": follow the branch of the merged group that is most similar to the missing values.
        - "error": raise MissingValueError, in fit and in predict, also for infinite numbers.

    unseen : {"missing", "majority", "stay", "error"}, default="missing"
        How a row is routed when it has a level that did not occur in training:

        - "missing": treat the level as a missing value.
        - "majority": follow the branch with the largest training weight.
        - "stay": stop at the node and predict from it.
        - "error": raise UnseenLevelError.

    pruning : str, pruner or None, default=None
        How the full tree is pruned; ``prune()`` can prune it again later. The folds depend only on the content of the
        rows, not on their order.

        - None: keep the full tree.
        - "cv": weakest-link pruning at the minimum ``loss`` of 10-fold cross-validation. If the first folds contain
          enough rows, at least 20,000, the remaining folds are skipped (docs/pruning.md).
        - "cv-1se": the smallest tree whose loss is within one standard error of that minimum.
        - the name of a pruner, or an object from ``boxwood.pruners`` (docs/pruning.md).

    loss : {"squared_error", "poisson", "gamma", "tweedie", "absolute_error", "pinball"} or None, default=None
        Loss by which held-out rows choose the size of the tree: "squared_error", the deviance of counts and amounts
        ("poisson", "gamma" or "tweedie"), "absolute_error" of medians, or "pinball" of quantiles. None means that of
        the target.
    identifiers : {"ignore", "use"}, default="ignore"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names, dict of column -> str, or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict
        also gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    ordinal_features : dict of column -> list of levels, or None, default=None
        Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
        list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
        The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values
        are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """
    def __init__(
        self,
        *,
        branching: Any = "binary",
        criterion: Any = "variance",
        termination: Any = None,
        max_bins: int | None = None,
        cuts: str = "short",
        leaf: Any = "mean",
        missing: str | None = None,
        unseen: str = "missing",
        pruning: Any = None,
        loss: str | None = None,
        identifiers: str = "ignore",
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        ordinal_features: Any = None,
        date_formats: Any = None,
        missing_values: Any = None,
        missing_target: str = "error",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...

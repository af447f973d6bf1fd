"""C4.5: gain ratio among features of above-average gain, cuts, fractional rows, error-based pruning (Quinlan 1993).

The four choices: one branch per level, or a group of levels, two for ordered features; the largest gain ratio of those
whose gain is at least average; a node stays a leaf when it is pure, too light or no split is admissible; a leaf
predicts its shares of classes. Release 8 of the program is followed where texts differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .._messages import Setting, remedy
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..growing.branching import Multiway
from ..growing.gain import Gain
from ..growing.missing import Missing
from ..growing.recipe import Recipe
from ..growing.termination import Termination
from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING, TARGET_CLASS
from ..learning.target import Target
from ..pruning.collapse import collapse_errors
from ..pruning.pruners.error_based import ErrorBased
from ..pruning.pruners.evidence import Pruner
from ..pruning.pruners.registry import read_pruner
from ..statistics.responses.response import Response
from ..tree.tree import Tree
from .fitting.algorithm import Algorithm
from .levels_only import class_target
from .shared_parameters import (
    CCP_ALPHA,
    CLASS_WEIGHT,
    CUTS,
    IDENTIFIERS_OR_COMPAT,
    LOSS,
    MAX_COMPETITORS,
    MAX_DEPTH,
    PRUNING,
    SMOOTHING,
    missing,
    unseen,
)

#: C4.5's epsilon: gains this little below the average still count, and intrinsic values this small do not.
SLACK = 1e-3

#: Numbers closer than this are one value in release 8 and J48; J48 needs ratios of more than 1e-6.
NEAR, LEAST_RATIO = 1e-5, 1e-6

PARAMETERS = (
    Parameter(
        "criterion", "choice", "gain_ratio", "how features are ranked", choices=("gain_ratio", "gain"),
        aliases=(("entropy", "gain"), ("information_gain", "gain")),
        doc="""
        How features are ranked:
        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain.
        - "gain" (also called "entropy" or "information_gain"): by gain, as with C4.5's option -g.
        """,
    ),
    Parameter(
        "min_branch_weight", "real", 2.0, "minimum weight in at least two branches of a split (m)", low=0.0,
        doc="""
        Minimum weight in at least two branches of a split: C4.5's m. It is a sum of weights, not a number of rows.
        """,
    ),
    MAX_DEPTH,
    Parameter(
        "group_levels", "flag", False, "group the levels of a feature before it is scored (option -s)",
        doc="""
        Group the levels of a nominal feature before it is scored (C4.5's option -s). Such a feature can be tested again
        further down.
        """,
    ),
    Parameter(
        "one_level", "flag", False, "split a nominal feature into one level and the rest (option -B of J48)",
        doc="""
        Split a nominal feature into one level and the rest, instead of one branch for each level (J48's option -B). The
        feature can be tested again further down.
        """,
    ),
    Parameter(
        "cut_charge", "flag", True,
        "subtract log2(number of possible thresholds) / weight from the gain of a numeric split",
        doc="""
        Subtract log2(number of possible thresholds) / weight from the gain of a numeric split, as in release 8.
        """,
    ),
    Parameter(
        "data_cuts", "flag", True, "use a value of the data as threshold, not a midpoint",
        doc="""
        Use as threshold the largest value of the data that does not exceed the midpoint between two values. False uses
        the midpoint, rounded as far as it parts the values.
        """,
    ),
    replace(
        CUTS, help="thresholds with data_cuts=False: short numbers, or midpoints; 'auto' = short, or exact with compat",
        doc=CUTS.doc + """
    It needs ``data_cuts=False``.
    """,
    ),
    Parameter(
        "collapse", "flag", True, "before pruning, collapse branches that do not reduce the training errors",
        doc="""
        Before pruning, collapse each branch that does not reduce the number of training errors.
        """,
    ),
    CCP_ALPHA,
    replace(
        PRUNING, default="error_based", help="'error_based', None, 'cv', 'cv-1se' or another pruner",
        doc="""
        How the full tree is pruned; ``prune()`` can prune it again later.
        - "error_based": by estimated errors, as C4.5 does, with ``confidence`` and ``raising``.
        - None: keep the full tree, collapsed if ``collapse`` is True.
        - "cv", "cv-1se", the name of a pruner, or an object of ``boxwood.pruners``: as docs/pruning.md describes.
        """,
    ),
    LOSS,
    SMOOTHING,
    Parameter(
        "confidence", "real", 0.25, "for error_based: the confidence CF; a smaller value prunes more",
        low=1e-300, high=0.5,
        doc="""
        With "error_based", the confidence CF, from 1e-300 to 0.5. A smaller value prunes more.
        """,
    ),
    Parameter(
        "raising", "flag", True, "for error_based: allow the largest branch to replace its parent",
        doc="""
        With "error_based", allow the largest branch to replace its parent.
        """,
    ),
    Parameter(
        "laplace", "flag", False, "add 1 to each class of a leaf before probabilities are computed",
        doc="""
        Add 1 to the weight of each class in a leaf before probabilities are computed (J48's -A).
        """,
    ),
    missing("fractional"),
    unseen("missing"),
    IDENTIFIERS_OR_COMPAT,
    CLASS_WEIGHT,
    TARGET_CLASS,
    MAX_COMPETITORS,
    Parameter(
        "compat", "choice", None, "reproduce C4.5 release 8 or Weka's J48", choices=("c45", "j48"),
        optional=True,
        doc="""
        Reproduce another program:
        - "c45": release 8. Values closer than 1e-5 are merged. Pruning uses its table of normal deviates, its 0.67 rule
          and the last of equally large branches. Empty leaves predict with certainty.
        - "j48": Weka's J48. Values closer than 1e-5 are merged, gain ratios must exceed 1e-6, and a numeric split needs
          twice as many rows as the minimum weight of each side. Pruning uses the last of equally large branches.
        """,
    ),
    *RUNNING,
)  # fmt: skip


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of C4.5."""
    ratio, compat = settings["criterion"] == "gain_ratio", settings["compat"]
    if settings["data_cuts"] and settings["cuts"] != "auto":
        raise ParameterError(
            Setting("cuts", settings["cuts"]), " needs ", Setting("data_cuts", False),
            ": with True a cut is a value of the data.",
        )  # fmt: skip
    return Recipe(
        criterion=Gain(
            ratio=ratio,
            above_average=ratio,
            charge=settings["cut_charge"],
            epsilon=LEAST_RATIO if compat == "j48" else 0.0,
            slack=SLACK,
            data_cuts=settings["data_cuts"],
            value_tolerance=0.0 if compat is None else NEAR,
            count_rows=compat == "j48",
        ),
        branching=Multiway(grouping=settings["group_levels"], one_level=settings["one_level"]),
        termination=Termination(settings["max_depth"], min_branch_weight=settings["min_branch_weight"]),
        missing=Missing(settings["missing"]),
        max_competitors=settings["max_competitors"],
    )


def target(y, settings: dict, **more) -> Target:
    """Classes and weights; what leaves predict, Laplace's rule or not."""
    read = class_target(y, settings, **more)
    return replace(read, response=leaves(read.response, settings))


def leaves(response: Response, settings: dict) -> Response:
    """Shares by Laplace's rule, if set; an empty leaf predicts its parent's class, as release 8 does, or its shares."""
    if settings["laplace"] and settings.get("smoothing") is not None:
        raise ParameterError("give ", Setting("laplace", True), " or ", Setting("smoothing"), ", not both.")
    smoothing = (1.0,) * len(response.labels) if settings["laplace"] else ()
    return replace(response, smoothing=smoothing, empty="class" if settings["compat"] == "c45" else "distribution")


def finishing(settings: dict) -> Callable[[Tree], Tree] | None:
    """C4.5 collapses also the tree it calls unpruned."""
    return collapse_errors if settings["collapse"] else None


def pruner(settings: dict) -> Pruner | None:
    """Error-based pruning with ``confidence`` and ``raising``, or whatever ``pruning`` names.

    Raises
    ------
    ParameterError
        ``confidence`` or ``raising`` are set, but another pruner is chosen.
    """
    pruning = settings["pruning"]
    confidence, raising = settings["confidence"], settings["raising"]
    if isinstance(pruning, str) and pruning.lower().replace("-", "_") == ErrorBased.name:
        compat = settings["compat"]
        more = {"largest": "last"} if compat else {}
        if compat == "c45":
            more |= {"deviate": "table", "nearly_all": "two_thirds"}
        pruning = ErrorBased(confidence, raising, **more)
        return read_pruner(pruning, loss=settings["loss"])
    for name, value, default in (("confidence", confidence, 0.25), ("raising", raising, True)):
        if value != default:
            raise ParameterError(
                Setting(name), " belongs to ", Setting("pruning", "error_based"), "; ",
                remedy("leave it out, or give ", Setting("pruning"), f"=ErrorBased({name}={value!r})."),
            )  # fmt: skip
    return read_pruner(pruning, loss=settings["loss"])


C45 = Algorithm(
    name="c45",
    title="C4.5: gain ratio, fractional rows, error-based pruning",
    parameters={"classification": PARAMETERS},
    estimators={"classification": "c45_classifier.C45Classifier"},
    examples=(
        "--target survived --algorithm c45 --min-branch-weight 10 -o c45.box",
        "--target survived --algorithm c45 --group-levels true --confidence 0.1 -o grouped.box",
    ),
    recipe=recipe,
    target=target,
    leaves=leaves,
    streams=True,
    pruner=pruner,
    finishing=finishing,
)

"""C4.5rules: the rules that a C4.5 tree holds, simplified, chosen and put in order (Quinlan 1993, chapter 5)."""

from __future__ import annotations

from dataclasses import replace

from ..data.columns import Columns
from ..pruning.error_based import Pessimism
from ..training.learning_set import learning_set, usable_threads
from ..training.parameters import Parameter, checked
from ..training.rules import RuleSet, rule_set
from .c45 import C45
from .c45 import PARAMETERS as OF_TREES

#: What of the tree's settings matters for its rules: the tree is not pruned, and unknown values are shared out.
_KEPT = (
    "criterion", "min_branch_weight", "max_depth", "group_levels", "cut_charge", "data_cuts", "confidence",
    "class_weight", "compat", "categorical_features", "n_jobs", "verbose",
)  # fmt: skip

_BY_NAME = {p.name: p for p in OF_TREES}
PARAMETERS = (
    *(_BY_NAME[name] for name in _KEPT[:6]),
    replace(_BY_NAME["confidence"], help="the smaller, the more conditions and rules go (CF)"),
    Parameter(
        "theory_weight", "real", 0.5, "part of the bits of rules that counts against bits of exceptions", low=0.0
    ),
    *(_BY_NAME[name] for name in _KEPT[7:]),
)


def fit_rules(columns: Columns, y, settings: dict, weight=None, response_name: str = "y") -> RuleSet:
    """Grow a C4.5 tree and take the rules out of it.

    Parameters
    ----------
    columns : Columns
    y : array-like of shape (n,)
        Class labels.
    settings : dict
        Checked settings, see ``PARAMETERS``.
    weight : array-like of shape (n,), optional
    response_name : str

    Raises
    ------
    ParameterError, DataError
    """
    of_tree = {name: settings[name] for name in _KEPT if name != "confidence"}
    of_tree = checked(OF_TREES, of_tree | {"pruning": None, "max_competitors": 0})
    target = C45.target(y, of_tree, weight=weight, exposure=None, name=response_name, task="classification")
    tree = C45.fit_target(columns, target, "classification", of_tree).full_tree
    learning = learning_set(columns, target, usable_threads(settings["n_jobs"]))
    release_8 = settings["compat"] == "c45"
    pessimism = Pessimism(
        settings["confidence"], "table" if release_8 else "quantile", "two_thirds" if release_8 else "rest"
    )
    return rule_set(tree, learning.columns, learning.exact, pessimism, settings["theory_weight"])

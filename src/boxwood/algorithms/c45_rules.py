"""C4.5rules: the rules of a C4.5 tree, simplified, selected and ordered (Quinlan 1993, chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.identifiers import blank_identifiers
from ..learning.class_settings import settings_of_classes
from ..learning.learning_set import learning_set, usable_threads
from ..learning.parameters import Parameter, checked
from ..learning.running_parameters import TARGET_CLASS
from ..model.settings import plain
from ..pruning.error_based import Pessimism
from .c45 import C45
from .c45 import PARAMETERS as OF_TREES
from .fitting.declaration import Declaration
from .rules import RuleModel, rule_set

#: What of the tree's settings matters for its rules: the tree is not pruned, and unknown values are shared out.
_OF_TREE = (
    "criterion", "min_branch_weight", "max_depth", "group_levels", "cut_charge", "data_cuts", "class_weight",
    "compat", "identifiers", "categorical_features", "numeric_features", "ordinal_features", "date_formats",
    "missing_values", "missing_target", "n_jobs", "verbose",
)  # fmt: skip

_BY_NAME = {p.name: p for p in OF_TREES}
PARAMETERS = (
    *(_BY_NAME[name] for name in _OF_TREE[:6]),
    replace(
        _BY_NAME["confidence"], help="the smaller, the more conditions and rules are dropped (CF)",
        doc="""
        The confidence CF from 1e-300 to 0.5: the smaller, the more conditions and rules are dropped.
        """,
    ),
    Parameter(
        "theory_weight", "real", 0.5, "weight of the description length of the rules against that of their exceptions",
        low=0.0,
        doc="""
        Weight of the description length of the rules against that of their exceptions. With 0, the length of the rules
        does not count.
        """,
    ),
    Parameter(
        "missing", "choice", "fractional", "missing values satisfy no condition, or raise an error",
        choices=("error", "fractional"),
        doc="""
        How missing values are treated:
        - "fractional": while the tree is grown, the row follows every branch with a fraction of its weight; in the
          rules, a missing value satisfies no condition.
        - "error": raise MissingValueError.
        """,
    ),
    replace(
        _BY_NAME["unseen"], help="a level not seen in training satisfies no condition, or is refused",
        choices=("missing", "error"),
        doc="""
        How a level that did not occur in training is treated:
        - "missing": it satisfies no condition.
        - "error": raise UnseenLevelError.
        """,
    ),
    *(_BY_NAME[name] for name in _OF_TREE[6:]),
    TARGET_CLASS,
)  # fmt: skip


@dataclass(frozen=True)
class RuleLearner(Declaration):
    """An algorithm of the registry whose model is a set of rules.

    Attributes
    ----------
    streams : bool
        False: it learns from rows in memory.
    """

    streams: ClassVar[bool] = False

    def fit(self, columns: Columns, y, *, task: str = "classification", settings: dict | None = None, weight=None,
            exposure=None, response_name: str = "y") -> RuleModel:  # fmt: skip
        """Grow a C4.5 tree and take the rules out of it.

        Parameters
        ----------
        columns : Columns
            Learned from X by :func:`boxwood.data.frames.frame.learn_columns`.
        y : array-like of shape (n,)
            Class labels.
        task : {"classification"}
        settings : dict
            Parameters that differ from their defaults.
        weight : array-like of shape (n,), optional
        exposure : None
            Only counts have one.
        response_name : str

        Raises
        ------
        ParameterError, DataError
        """
        settings = checked(self.parameters[task], settings or {})
        of_tree = {name: settings[name] for name in (*_OF_TREE, "missing")}
        of_tree = checked(OF_TREES, of_tree | {"pruning": None, "max_competitors": 0})
        target = C45.target(y, of_tree, weight=weight, exposure=exposure, name=response_name, task=task)
        settings = settings_of_classes(settings, target.response, lambda: np.bincount(target.y))
        tree = C45.fit_target(columns, target, task, of_tree).full_tree
        columns = blank_identifiers(columns, tree.schema)
        learning = learning_set(columns, target, usable_threads(settings["n_jobs"]))
        release_8 = settings["compat"] == "c45"
        pessimism = Pessimism(
            settings["confidence"], "table" if release_8 else "quantile", "two_thirds" if release_8 else "rest"
        )
        found = rule_set(tree, learning.columns, learning.exact, pessimism, settings["theory_weight"])
        return RuleModel(found, plain(settings), response_name, threads=learning.threads)


RULES = RuleLearner(
    name="c45-rules",
    title="C4.5rules: the paths of a C4.5 tree as rules, simplified, chosen and put in order",
    parameters={"classification": PARAMETERS},
    estimators={"classification": "c45_rules.C45Rules"},
    examples=(
        "--target survived --algorithm c45-rules -o rules.box",
        "--target survived --algorithm c45-rules --confidence 0.1 --max-depth 4 -o short.box",
    ),
)

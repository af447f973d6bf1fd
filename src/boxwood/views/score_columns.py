"""Columns beside each prediction of a tree: node, intervals, reasons, the route of missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._messages import Setting, must_be, remedy
from ..data.columns.columns import Columns
from ..errors import ParameterError, ParameterTypeError
from ..statistics.intervals import check_level
from ..tree.descend import Routing
from ..tree.trace import KNOWN, MISSING, trace
from ..tree.tree import Tree
from .confidence import node_intervals
from .deciding import decided_words
from .row_reasons import row_reasons


@dataclass(frozen=True)
class ScoreOptions:
    """The columns that are added to each prediction.

    Attributes
    ----------
    proba : bool
        ``probability_<label>`` for every class.
    node : bool
        ``node``, the last node on the path of the row.
    interval : bool
        ``low`` and ``high``, the confidence interval of the number; of classes ``low_<label>`` and ``high_<label>``.
    reasons : int
        ``reason_1`` and so on: the features that moved the prediction most.
    missing_route : bool
        ``missing_route``: what decided where a value on the path was missing or a level not seen in training.
    level : float
        Confidence level of the intervals.
    target : label, optional
        The class whose probability the reasons explain; None = the predicted one.
    """

    proba: bool = False
    node: bool = False
    interval: bool = False
    reasons: int = 0
    missing_route: bool = False
    level: float = 0.95
    target: object = None

    def __post_init__(self) -> None:
        for name in ("proba", "node", "interval", "missing_route"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ParameterTypeError(must_be(name, "True or False", getattr(self, name)))
        check_level(self.level)
        if isinstance(self.reasons, bool) or not isinstance(self.reasons, (int, np.integer)) or self.reasons < 0:
            raise ParameterError(must_be("reasons", "a whole number of at least 0", self.reasons))

    def check(self, n_classes: int, n_features: int) -> None:
        """Raise ParameterError for what a model of so many classes and features cannot add."""
        if self.proba and not n_classes:
            why = " is for models of classes, and this one predicts numbers; "
            raise ParameterError(Setting("proba"), why, remedy("leave it out."))
        if self.reasons > n_features:
            most = f"at most {n_features}, the number of features of the model"
            raise ParameterError(must_be("reasons", most, self.reasons))

    @property
    def of_nodes(self) -> list[str]:
        """Names of the options that only a tree can serve."""
        return [name for name in ("node", "interval", "reasons", "missing_route") if getattr(self, name)]


def score_columns(
    tree: Tree, columns: Columns, routing: Routing, options: ScoreOptions, unseen: str = "missing"
) -> dict[str, np.ndarray]:
    """The columns of the options that only a tree can serve, by name, one value for each row."""
    found = {"node": routing.node.astype(np.int64)} if options.node else {}
    if options.interval:
        tree.response.need_one("interval")
        if not tree.response.has_interval:
            raise ParameterError(
                Setting("interval"), f" is not known of the {tree.response.value_name} of a node; ",
                remedy("predict further quantiles instead."),
            )  # fmt: skip
        found |= _intervals(tree, routing, options.level)
    if options.reasons:
        tree.response.need_one("reasons")
        reasons = row_reasons(tree, columns, routing, options.reasons, options.target, unseen)
        found |= {f"reason_{rank}": texts for rank, texts in enumerate(reasons, 1)}
    if options.missing_route:
        found["missing_route"] = _missing_routes(tree, columns, routing, unseen)
    return found


def _intervals(tree: Tree, routing: Routing, level: float) -> dict[str, np.ndarray]:
    """Both ends of the interval of each row; NaN for a row that was divided, which is in no single node."""
    low, high = (ends[routing.node] for ends in node_intervals(tree, np.arange(tree.n_nodes), level))
    low[routing.shared] = high[routing.shared] = np.nan
    labels = tree.response.labels
    if not labels:
        return {"low": low, "high": high}
    ends = {"low": low, "high": high}
    return {f"{name}_{label}": ends[name][:, k] for k, label in enumerate(labels) for name in ends}


def _missing_routes(tree: Tree, columns: Columns, routing: Routing, unseen: str) -> np.ndarray:
    """What decided where no known value did, as text; None for rows whose path has known values only."""
    found, words = np.full(columns.n, None, dtype=object), {}
    rows = np.flatnonzero(routing.is_unknown)
    if len(rows) == 0:
        return found
    some = columns.take(rows).with_fields(unseen=columns.unseen)
    steps = trace(tree, some, unseen)
    for s in np.flatnonzero(steps.met != KNOWN).tolist():
        # the words about a missing value are those of all rows that go the same way
        key = (steps.node[s], steps.branch[s], steps.surrogate[s]) if steps.met[s] == MISSING else s
        if key not in words:
            words[key] = decided_words(tree, steps, s, some)
        row = rows[steps.row[s]]
        found[row] = words[key] if found[row] is None else f"{found[row]} | {words[key]}"
    return found

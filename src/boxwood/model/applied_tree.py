"""A tree with the policies by which it reads rows: what a fitted model and a tree on its own have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from .._typing import ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..errors import check_one_of
from ..exports.plan import ExportPlan
from ..statistics.responses.response import Response
from ..tree.descend import Routing, answer, nodes_passed, route
from ..tree.plan import UNSEEN_POLICIES
from ..tree.tree import Tree
from ..views.constraints import Constraints
from ..views.counterfactual import Counterfactuals
from ..views.counterfactual_search import counterfactuals
from ..views.explanation import Explanation, explain_rows
from ..views.reasons import ReasonCodes, ReasonOptions, reason_codes
from ..views.score_columns import ScoreOptions, score_columns
from ..views.shapley import ShapValues, shapley_values
from .predictions import Predictions


class AppliedTree:
    """What a tree does with columns; levels not seen in training and missing values are treated by ``policies``."""

    tree: Tree
    threads: int

    @property
    def policies(self) -> dict[str, Any]:
        """``unseen``, the policy for levels not seen in training, and ``refuse_missing``."""
        raise NotImplementedError

    @property
    def responses(self) -> tuple[Response, ...]:
        """Several responses that are predicted at once; empty where it is one."""
        return self.tree.response.responses

    def under(self, unseen: str | None) -> Self:
        """The same with another policy for unseen levels, if one is given."""
        if unseen is None:
            return self
        check_one_of("unseen", unseen, UNSEEN_POLICIES)
        return self._with_policy(unseen)

    def _with_policy(self, unseen: str) -> Self:
        raise NotImplementedError

    @property
    def unseen(self) -> str:
        """Policy for levels not seen in training once rows that hold some have been refused, if they are."""
        unseen: str = self.policies["unseen"]
        return "missing" if unseen == "error" else unseen

    def refuse(self, columns: Columns) -> None:
        """Refuse missing values where the policy is "error"."""
        if self.policies["refuse_missing"]:
            columns.refuse_missing()

    def need_constant_leaves(self, what: str) -> None:
        """Refuse what only a tree with constant leaves, which predict one response, can do.

        Raises
        ------
        ParameterError
        """
        self.tree.response.need_one(what)

    def answer(self, columns: Columns, question: str) -> np.ndarray:
        """Predictions of the tree; see :func:`boxwood.tree.descend.answer`."""
        self.refuse(columns)
        return answer(self.tree, question, columns, self.policies["unseen"], self.threads)

    def route(self, columns: Columns) -> Routing:
        """Where rows end, and which missing values and unseen levels are on their paths."""
        self.refuse(columns)
        return route(self.tree, columns, self.policies["unseen"], self.threads)

    def score(self, columns: Columns, options: ScoreOptions) -> Predictions:
        """Predictions with the columns that the options name, and counts of missing and unseen values on the paths."""
        options.check(self.tree.response.n_classes, len(self.tree.schema))
        routing, tree = self.route(columns), self.tree
        probability = np.asarray(routing.probability(tree)) if options.proba else None
        fields = () if tree.response.responses else tree.response.further
        further = dict(zip(fields, routing.columns(tree)[:, 1:].T, strict=True)) if fields else {}
        further |= score_columns(tree, columns, routing, options, self.unseen)
        values = routing.answer(tree, "label")
        return Predictions(values, probability, routing.count(), further, tree.response.responses)

    def nodes_passed(self, columns: Columns) -> tuple[np.ndarray, ...]:
        """The nodes on the path of each row, as index arrays of a sparse matrix; see :meth:`boxwood.Tree.paths_to`."""
        self.refuse(columns)
        return nodes_passed(self.tree, columns, self.policies["unseen"], self.threads)

    def explain(self, columns: Columns, level: float = 0.95) -> Explanation:
        """The paths of rows down the tree, step by step; ``level`` is the confidence of the intervals."""
        self.need_constant_leaves("explain")
        self.refuse(columns)
        return explain_rows(self.tree, columns, self.unseen, level)

    def shap_values(self, columns: Columns, background: Columns | None = None) -> ShapValues:
        """Shapley values of rows, against the weights of training or a background."""
        self.need_constant_leaves("shap_values")
        for rows in (columns, background):
            if rows is not None:
                self.refuse(rows)
        return shapley_values(self.tree, columns, background, self.unseen, self.threads)

    def counterfactual(self, columns: Columns, target: Any, constraints: Constraints) -> Counterfactuals:
        """The smallest changes of one row that lead to another prediction."""
        self.need_constant_leaves("counterfactual")
        self.refuse(columns)
        return counterfactuals(self.tree, columns, target, constraints, self.unseen)

    def reason_codes(self, columns: Columns, options: ReasonOptions) -> ReasonCodes:
        """The features that lowered (or raised) each prediction most."""
        self.need_constant_leaves("reason_codes")
        self.refuse(columns)
        return reason_codes(self.tree, columns, options, self.unseen)

    def export_plan(self, refuse_missing: bool | None = None) -> ExportPlan:
        """The tree with its policies; ``refuse_missing`` in place of its own, if given."""
        self.need_constant_leaves("export")
        given = {} if refuse_missing is None else {"refuse_missing": refuse_missing}
        return ExportPlan(self.tree, **(self.policies | given))


@dataclass(frozen=True, eq=False)
class TreeAlone(AppliedTree):
    """A tree without a model."""

    tree: Tree
    policy: str = "missing"
    threads: int = 1

    @property
    def policies(self) -> dict[str, Any]:
        """The policy for unseen levels; missing values are never refused."""
        return {"unseen": self.policy, "refuse_missing": False}

    def _with_policy(self, unseen: str) -> TreeAlone:
        return replace(self, policy=unseen)


class HoldsTree:
    """Whatever holds a tree: a model, an estimator, or the tree itself; the base of their common methods."""

    def _used(self, unseen: str | None = None) -> AppliedTree:
        """The tree with its policies; ``unseen`` is a policy in place of its own."""
        raise NotImplementedError

    def _read(self, X: TableLike, unseen: str | None = None, match: str | None = None) -> tuple[AppliedTree, Any]:
        """The same, and rows as it reads them; ``match`` as in :func:`.data.frames.frame.read_columns`."""
        raise NotImplementedError

    def _response(self, y: ColumnLike | None) -> ColumnLike | None:
        """The response of rows as lower layers take it."""
        return y

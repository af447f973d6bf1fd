"""A tree as the plain dictionary that ``shap.TreeExplainer`` takes."""

from __future__ import annotations

import numpy as np

from .._messages import remedy
from ..tree.tree import Tree
from .bridges import as_cut, bridge_plan, unfolded
from .plan import ExportPlan
from .questions import Question
from .values import refuse_wide_cuts


def to_shap(tree: Tree, missing: str = "as_tree") -> dict:
    """The tree as a dictionary for shap, float64; its input is the matrix of ``tree.to_codes``.

    Parameters and errors as in :meth:`boxwood.model.readable.ReadableTree.to_shap`.
    """
    plan = bridge_plan(ExportPlan(tree), missing, "shap")
    refuse_wide_cuts(plan, "shap")
    advice = remedy("use shap_values, which knows them")
    found = unfolded(plan, "shap", lambda question: as_cut(plan, question, "shap", advice), copies=False, rising=True)
    questions, links = found.questions, found.links
    columns = _Columns(plan)
    if not questions:
        columns.leaf(~links[0][0])
    place = columns.questions(questions)
    for i, ends in enumerate(links if questions else ()):
        for side, link in zip((columns.left, columns.right), ends, strict=True):
            side[place[i]] = place[link] if link >= 0 else columns.leaf(~link)
    return {"trees": [columns.finished()], "input_dtype": np.float64, "internal_dtype": np.float64}


class _Columns:
    """The arrays of the dictionary, node by node."""

    def __init__(self, plan: ExportPlan):
        self._plan = plan
        self.left: list[int] = []
        self.right: list[int] = []
        self._to_left: list[bool] = []
        self._features: list[int] = []
        self._cuts: list[float] = []
        self._ends: list[int] = []

    def questions(self, questions: list[Question]) -> list[int]:
        """Add a node for each question; returns their places."""
        return [self._add(question.column, float(question.cut), question.missing, -1) for question in questions]

    def leaf(self, end: int) -> int:
        """Add a leaf; returns its place."""
        return self._add(-1, 0.0, False, end)

    def _add(self, feature: int, cut: float, to_left: bool, end: int) -> int:
        self._features.append(feature)
        self._cuts.append(cut)
        self._to_left.append(to_left)
        self._ends.append(end)
        self.left.append(-1)
        self.right.append(-1)
        return len(self._ends) - 1

    def finished(self) -> dict[str, np.ndarray]:
        """The arrays; weights and values of questions are the sums and means of what lies below."""
        plan, size = self._plan, len(self._ends)
        width = len(plan.tree.response.labels) if plan.has_classes else 1
        weight, total = np.zeros(size), np.zeros((size, width))
        values = np.zeros((size, width))
        for i, end in enumerate(self._ends):
            if end >= 0:
                weight[i], values[i] = _leaf(plan, end)
                total[i] = weight[i] * values[i]
        inner = [i for i, end in enumerate(self._ends) if end < 0]
        for i in reversed(inner):  # a question comes before those that follow it, and leaves are known
            for side in (self.left[i], self.right[i]):
                weight[i] += weight[side]
                total[i] += total[side]
            values[i] = total[i] / weight[i] if weight[i] > 0 else 0.0
        left, right = np.array(self.left, dtype=np.int32), np.array(self.right, dtype=np.int32)
        return {
            "children_left": left,
            "children_right": right,
            "children_default": np.where(self._to_left, left, right).astype(np.int32),
            "features": np.array(self._features, dtype=np.int32),
            "thresholds": np.array(self._cuts),
            "values": values,
            "node_sample_weight": weight,
        }


def _leaf(plan: ExportPlan, end: int) -> tuple[float, np.ndarray | float]:
    """Weight and words of an end; where rows stay at a node, the weight that went no further."""
    tree, t = plan.tree, end % plan.tree.n_nodes
    weight = float(tree.weight[t])
    if end >= tree.n_nodes:
        first = int(tree.first_child[t])
        weight = max(weight - float(tree.weight[first : first + int(tree.n_children[t])].sum()), 0.0)
    return weight, tree.probability[t] if plan.has_classes else float(tree.value[t])

"""The path of each row down a tree, as text and numbers, and the effect of each step on the prediction."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .._messages import Message, Row, Setting, must_be
from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..errors import ParameterError, ParameterTypeError, check_one_of
from ..statistics.intervals import check_level
from ..tree.one_response import of_response
from ..tree.plan import UNSEEN_POLICIES
from ..tree.trace import Trace, child_shares, trace
from ..tree.tree import SHARED, Tree
from .condition import condition
from .confidence import node_intervals
from .deciding import decided_words, state_words, value_words
from .predicted import columns_by_response
from .row_explanation import RowExplanation, Step
from .several import SeveralRowExplanation
from .table import frame_of

#: Rows that a text shows by default.
MOST_ROWS = 5


@dataclass(frozen=True, eq=False)
class Explanation:
    """The paths of rows down a tree: print it, index it by row, loop over it, or use ``to_frame()``.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
    >>> print(model.explain({"age": [None]}))
    row 0: y = no (probability 1.000)
    node 0 (3 rows): no 0.667 [0.208, 0.939]; age is missing; the branch with most weight → age <= 40 (+0.333)
      node 1 (2 rows): no 1.000 [0.342, 1.000]
    """

    tree: Tree
    columns: Columns
    steps: Trace
    level: float = 0.95
    #: Of several responses, the explanation of each.
    each: dict[str, Explanation] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.columns.n

    def __getitem__(self, row: int) -> RowExplanation:
        at = operator.index(row)
        if not -len(self) <= at < len(self):
            raise IndexError(Message("there is no ", Row(row), f"; rows are 0 to {len(self) - 1}."))
        at %= len(self)
        if self.each:
            return SeveralRowExplanation.beside(self.tree, {name: one[at] for name, one in self.each.items()})
        first, last = np.searchsorted(self.steps.row, [at, at + 1])
        steps = tuple(self._step(s) for s in range(first, last))
        return self._explained(at, steps)

    def __iter__(self) -> Iterator[RowExplanation]:
        return (self[row] for row in range(len(self)))

    def count(self) -> dict[str, int]:
        """Numbers of rows with missing values, unseen levels or surrogates, that stayed, or that were divided."""
        return self.steps.count()

    def to_records(self) -> dict[str, list[Any]]:
        """The steps as columns, one value per step.

        Returns
        -------
        dict of str to list
            row, node, depth, share, rows, weight, feature, given (the value of the row), met, decided, condition and
            goes_to; :class:`Step` describes them. In classification, ``p_<label>``, ``low_<label>`` and
            ``high_<label>`` (the ends of the interval), ``contribution_<label>`` and ``n_<label>`` (the weight of its
            rows) for each class; in regression
            prediction, low, high and contribution. Of several responses, these of each, its name after the first word.
        """
        explained = [*self]
        steps = [(row.row, step) for row in explained for step in row.steps]
        given = ("node", "depth", "share", "rows", "weight", "feature", "value", "met", "decided", "condition")
        found = {"row": [row for row, _ in steps]}
        found |= {("given" if name == "value" else name): [getattr(s, name) for _, s in steps] for name in given}
        found["goes_to"] = [", ".join(str(node) for node, _ in s.goes) or None for _, s in steps]
        return found | self._predicted(explained)

    def _predicted(self, explained: list[RowExplanation]) -> dict[str, list[Any]]:
        """What the steps predict and change, as columns."""
        if self.each:
            return columns_by_response((name, one._predicted([*one])) for name, one in self.each.items())
        steps, labels = [step for row in explained for step in row.steps], self.tree.response.labels
        if not labels:
            return {name: [float(get(s)) for s in steps] for name, get in _NUMBERS.items()}
        found: dict[str, list[Any]] = {}
        for name, get in _NUMBERS.items():
            name = "p" if name == "prediction" else name
            found |= {f"{name}_{label}": [float(get(s)[k]) for s in steps] for k, label in enumerate(labels)}
        counts = self.tree.counts
        return found | {f"n_{label}": [float(counts[s.node, k]) for s in steps] for k, label in enumerate(labels)}

    def to_frame(self, backend: str | None = None) -> Any:
        """The steps as a data frame, one row per step, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self, max_rows: int | None = MOST_ROWS) -> str:
        """The paths as text, one line per step.

        Parameters
        ----------
        max_rows : int or None
            Maximum number of rows to show; None shows all.

        Raises
        ------
        ParameterError
            ``max_rows`` is below 1.
        """
        if max_rows is not None and (isinstance(max_rows, bool) or not isinstance(max_rows, (int, np.integer))):
            raise ParameterTypeError(must_be("max_rows", "a whole number or None", max_rows))
        if max_rows is not None and max_rows < 1:
            raise ParameterError(must_be("max_rows", "at least 1 or None", max_rows))
        shown = len(self) if max_rows is None else min(max_rows, len(self))
        lines = [self[row].to_text() for row in range(shown)]
        if shown < len(self):
            lines.append(f"... {len(self) - shown} more rows; to_text({Setting('max_rows', None)}) shows all")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Explanation of {len(self)} row{'s' * (len(self) != 1)}>"

    @cached_property
    def _predictions(self) -> np.ndarray:
        """The prediction of every node: probabilities, shape (T, K), or values, shape (T,)."""
        return self.tree.response.as_given(self.tree.response.columns_of(self.tree))

    @cached_property
    def _sure(self) -> dict[int, np.ndarray]:
        """The intervals of the nodes that rows came to."""
        nodes = distinct(self.steps.node)
        ends = np.stack(node_intervals(self.tree, nodes, self.level), axis=-1)
        return dict(zip(nodes.tolist(), ends, strict=True))

    def _step(self, s: int) -> Step:
        """Step ``s`` of the trace as text."""
        tree, steps = self.tree, self.steps
        t, row, came = int(steps.node[s]), int(steps.row[s]), float(steps.share[s])
        leaf = bool(tree.is_leaf[t])
        goes = self._goes(t, int(steps.branch[s]))
        contribution = (
            sum(part * self._predictions[node] for node, part in goes) - self._predictions[t]
            if goes
            else 0 * self._predictions[t]
        )
        feature = None if leaf else tree.schema[int(tree.splits.feature[t])]
        branch = int(steps.branch[s])
        return Step(
            node=t,
            depth=int(tree.depth[t]),
            rows=int(tree.rows[t]),
            weight=float(tree.row_weight[t]),
            share=came,
            prediction=_plain(self._predictions[t]),
            interval=self._sure[t],
            feature=None if leaf else feature.name,
            value=None if leaf else value_words(self.columns, int(tree.splits.feature[t]), row),
            met=None if leaf else state_words(int(steps.met[s])),
            decided=decided_words(tree, steps, s, self.columns),
            goes=tuple((node, came * part) for node, part in goes),
            condition=condition(tree, t, branch) if branch >= 0 else None,
            contribution=_plain(came * contribution),
        )

    def _goes(self, t: int, branch: int) -> list[tuple[int, float]]:
        """The children that a step leads to, with their shares."""
        first = int(self.tree.first_child[t])
        if branch >= 0:
            return [(first + branch, 1.0)]
        if branch != SHARED:
            return []
        return [(first + c, float(part)) for c, part in enumerate(child_shares(self.tree, t)) if part > 0]

    def _explained(self, row: int, steps: tuple[Step, ...]) -> RowExplanation:
        """The prediction from where the row ends, added up over its shares."""
        tree = self.tree
        ends = [step for step in steps if not step.goes]
        mean = sum(step.share * step.prediction for step in ends)
        baseline = _plain(self._predictions[0])
        response, mean = tree.response, np.atleast_1d(mean)
        value = tree.value[ends[0].node] if len(ends) == 1 else response.decide(mean[None])[0]
        return RowExplanation(row, steps, response.label(value), response.as_probability(mean), baseline, tree)


def _plain(value: object) -> np.ndarray | float:
    return np.array(value) if np.ndim(value) else float(value)


#: Numbers of a step, by their names in the table.
_NUMBERS = {
    "prediction": lambda step: step.prediction,
    "low": lambda step: step.interval[..., 0],
    "high": lambda step: step.interval[..., 1],
    "contribution": lambda step: step.contribution,
}


def explain_rows(tree: Tree, columns: Columns, unseen: str = "missing", level: float = 0.95) -> Explanation:
    """The paths of rows down the tree.

    Parameters
    ----------
    tree : Tree
    columns : Columns
        Read with the tree's schema.
    unseen : {"missing", "majority", "stay", "error"}
        Policy for levels not seen in training; "error" refuses nothing here, that is up to who reads the rows.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Raises
    ------
    ParameterError
        The level is out of range.
    """
    check_level(level)
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
    steps = trace(tree, columns, "missing" if unseen == "error" else unseen)
    each = {
        one.name: Explanation(of_response(tree, one.name), columns, steps, level) for one in tree.response.responses
    }
    return Explanation(tree, columns, steps, level, each)

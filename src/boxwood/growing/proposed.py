"""Choice 1 as a user-defined function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import Setting, Value, shortened
from ..data.columns.distinct import distinct
from ..errors import ParameterError
from .branching import Branching
from .criterion import Criterion
from .termination import Termination
from .trials import NodeTable, Trials


@dataclass(frozen=True, eq=False)
class NodeValues:
    """What a branching of your own sees: the values of one feature that occur in a node.

    Attributes
    ----------
    name : str
        Of the feature.
    kind : {"numeric", "ordinal", "nominal"}
    values : tuple
        Rising numbers, or levels in their order; V of them.
    rows : int64, shape (V,)
        Number of samples with each value.
    moments : float64, shape (V, M)
        Weights of the K classes; or sum of weights, mean and sum of squares about it.
    """

    name: str
    kind: str
    values: tuple[Any, ...]
    rows: np.ndarray
    moments: np.ndarray


@dataclass(frozen=True)
class Proposed(Branching):
    """Choice 1 as a function of your own that proposes the candidate partitions of a node by one feature.

    Attributes
    ----------
    name : str
        The name in reports.
    propose : callable
        values -> branches. The argument describes the V values in the node: ``name``, ``kind``, ``values``, ``rows``
        and ``moments``. The result is an array of integers of shape (C, V): the branch of each value in each of C
        partitions. Branches are numbered from 0; those of an ordered feature are intervals, numbered from low to high.
        An array of shape (0, V) proposes nothing.

    Examples
    --------
    Numbers are cut into thirds of their distinct values, levels are kept apart:

    >>> import numpy as np
    >>> from boxwood import Proposed, TreeClassifier
    >>> def thirds(node):
    ...     size = len(node.values)
    ...     return np.arange(size)[None] if node.kind == "nominal" else (np.arange(size) * 3 // size)[None]
    >>> model = TreeClassifier(branching=Proposed("thirds", thirds), termination={"max_depth": 1})
    >>> tree = model.fit([[1], [2], [3], [4], [5], [6]], ["a", "a", "b", "b", "a", "a"]).tree_
    >>> tree.splits.breaks.tolist(), tree.n_leaves
    ([2.5, 4.5], 3)
    """

    name: str
    propose: Callable[[NodeValues], np.ndarray]

    def __post_init__(self) -> None:
        if not callable(self.propose):
            raise ParameterError(
                Setting("branching"), f" {self.name!r}", " must be a function of a node's values; got ",
                Value(self.propose, shortened(self.propose)),
            )  # fmt: skip

    def trials(self, node: NodeTable, criterion: Criterion, termination: Termination) -> Trials:
        branches = self._called(node)
        size = int(branches.max(initial=0)) + 1
        member = branches[:, :, None] == np.arange(size)  # (C, V, B)
        table = node.table
        rows = np.einsum("cvb,v->cb", member, table.rows)
        sums = np.array([[table.sums[b].sum(axis=0) for b in choice.T] for choice in member], dtype=table.sums.dtype)
        sums = sums.reshape(len(branches), size, table.sums.shape[1])
        return Trials(sums, rows, lambda c: branches[c], "proposed")

    def _called(self, node: NodeTable) -> np.ndarray:
        """What the function returns, checked: int64, shape (C, V).

        Raises
        ------
        ParameterError
            It fails, or does not return the branch of every value.
        """
        seen = _values_of(node)
        what = f"the branching {self.name!r}, asked about {seen.name!r} with {len(seen.values)} values,"
        try:
            given = np.asarray(self.propose(seen))
        except Exception as failure:
            raise ParameterError(f"{what} failed: {type(failure).__name__}: {failure}") from failure
        if given.ndim != 2 or given.shape[1] != len(seen.values):
            raise ParameterError(
                f"{what} must return whole numbers of shape (partitions, {len(seen.values)}), the branch of every "
                f"value; it returned shape {given.shape}. For a single partition return branches[None]."
            )
        branches = given.astype(np.int64) if np.issubdtype(given.dtype, np.number) or not given.size else None
        if branches is None or (branches != given).any() or not _are_numbered(branches):
            raise ParameterError(
                f"{what} must number the branches of each partition 0, 1, 2, ... without a gap; the "
                f"first partition has {distinct(given[:1])[:5].tolist()}."
            )
        if node.feature.feature.type.has_cuts and (np.diff(branches, axis=1) < 0).any():
            raise ParameterError(
                f"{what} must part an ordered feature into intervals: its branches, in the order of the values, must "
                "not fall."
            )
        return branches


def _are_numbered(branches: np.ndarray) -> bool:
    """Whether each row holds every number from 0 to its largest."""
    return all(np.array_equal(distinct(choice), np.arange(choice.max(initial=-1) + 1)) for choice in branches)


def _values_of(node: NodeTable) -> NodeValues:
    """The node as users see it, protected from changes."""
    feature = node.feature.feature
    rows, moments = node.table.rows.view(), node.moments.view()
    rows.flags.writeable = moments.flags.writeable = False
    return NodeValues(feature.name, feature.kind, node.values, rows, moments)

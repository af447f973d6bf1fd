"""The one Tree: an immutable struct of arrays in level order that all algorithms grow and all views read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from .._messages import must_be
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..statistics.class_measures import measure_name
from ..statistics.effective import effective
from ..statistics.responses.response import Response
from .lazy_arrays import LazyRecord, read_only
from .marks import Marks
from .node_moments import of_moments
from .node_numbers import known_nodes
from .paths import passed_nodes
from .predicting import of_predictions, predicting_moments, probability_at
from .side_by_side import figures
from .split import SplitTable

#: Values of Tree.missing that are not a branch: shared out over all branches by their weights; stays at this node.
SHARED, STAYS = -1, -2


@dataclass(frozen=True, eq=False)
class Tree(LazyRecord):
    """A decision tree with T nodes, numbered breadth first: node 0 is the root, and siblings have consecutive numbers.

    A branch that no training row followed is an empty leaf, with 0 rows and all moments 0. It predicts like its parent,
    and its impurity is 0. With ``missing = -1``, a row follows every branch with a fraction of its weight; ``rows``
    counts each fraction as a row, and moments are sums over fractions.

    Attributes
    ----------
    schema : Schema
    response : Response
    parent, first_child, n_children : int32, shape (T,)
        The child of branch c is ``first_child + c``. The parent of the root is -1, the first_child of leaves too.
    splits : SplitTable of T rows
        The split of each node; the feature is -1 at a leaf.
    missing : int32, shape (T,)
        Branch of a missing value if no surrogate decides; -1: divided by weights; -2: the row stops here (also leaves).
    heuristic : bool, shape (T,)
        Whether the search for a subset of levels was heuristic (more than two classes and many levels).
    moments : float64, shape (T, M)
        Sums over y of the rows in the node; see Response.kind.
    rows : int64, shape (T,)
        Number of rows in the node, regardless of weights; each fraction of a row counts as a row. 0 in an empty leaf.
    score : float64, shape (T,)
        Decrease in impurity by the split, per unit of weight of the node; NaN at leaves.
    surrogate_start, surrogates : int32, shape (T + 1,); SplitTable of S rows
        The surrogates of node t are rows surrogate_start[t]:surrogate_start[t+1], in the order they are tried.
    agreement, adjusted : float64, shape (S,)
        Share of weight that follows the branch of the primary split; the same, adjusted for the majority rule.
    competitor_start, competitors, competitor_score : int32, shape (T + 1,); SplitTable of C rows; float64, shape (C,)
        The competing splits of node t, best first, and their scores.
    made_by : dict
        Algorithm, parameters, measure, version: plain JSON values.
    log_p : float64, shape (T,), optional
        Natural logarithm of the adjusted p of each split, NaN where no test chose one; None in trees without tests.
    weight_squares : float64, shape (T,), optional
        Sum of the squared weights of the rows in each node, class weights left out; None if all weights are equal.
    marks : dict of int to Mark, optional
        Names, predictions and signatures that people gave to nodes.
    monotonic : int32, shape (2, F), optional
        The order of predictions along each feature (1, -1, 0 = any), and whether training rows lacked values of it.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> tree = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5]).tree_
    >>> tree.parent.tolist(), tree.first_child.tolist(), tree.depth.tolist(), tree.leaves.tolist()
    ([-1, 0, 0, 1, 1], [1, 3, -1, -1, -1], [0, 1, 1, 2, 2], [2, 3, 4])
    >>> tree.rows.tolist(), tree.value.tolist()
    ([3, 2, 1, 1, 1], [2.0, 0.5, 5.0, 0.0, 1.0])
    """

    schema: Schema
    response: Response
    parent: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    splits: SplitTable
    missing: np.ndarray
    heuristic: np.ndarray
    moments: np.ndarray
    rows: np.ndarray
    score: np.ndarray
    surrogate_start: np.ndarray
    surrogates: SplitTable
    agreement: np.ndarray
    adjusted: np.ndarray
    competitor_start: np.ndarray
    competitors: SplitTable
    competitor_score: np.ndarray
    made_by: dict[str, Any] = field(default_factory=dict)
    log_p: np.ndarray | None = None
    weight_squares: np.ndarray | None = None
    marks: Marks | None = None
    monotonic: np.ndarray | None = None

    @property
    def n_nodes(self) -> int:
        """Number of nodes T."""
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def is_leaf(self) -> np.ndarray:
        """Whether each node is a leaf, bool, shape (T,)."""
        return read_only(self.n_children == 0)

    @cached_property
    def leaves(self) -> np.ndarray:
        """Numbers of the leaves in ascending order, int64, shape (n_leaves,)."""
        return read_only(np.flatnonzero(self.is_leaf))

    @cached_property
    def depth(self) -> np.ndarray:
        """Number of branches between the root and each node, int32, shape (T,)."""
        depth = (np.arange(self.n_nodes) > 0).astype(np.int32)
        for up in self.binary_lifting():
            depth += depth[up]
        return read_only(depth)

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf; 0 if the root is a leaf."""
        return int(self.depth[-1])

    def binary_lifting(self) -> Iterator[np.ndarray]:
        """The 1st, 2nd, 4th, 8th ... ancestor of every node, each int32 of shape (T,); above the root, the root itself.

        Values that add up along the path to the root need only log2(max_depth) of these steps (pointer doubling).

        Examples
        --------
        >>> import boxwood
        >>> tree = boxwood.CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).tree_
        >>> [up.tolist() for up in tree.binary_lifting()]
        [[0, 0, 0, 1, 1]]
        """
        up = np.maximum(self.parent, 0)
        while up.any():
            yield up
            up = up[up]

    def path(self, node: int) -> np.ndarray:
        """The numbers of the nodes on the path from the root to ``node``, including both, int64.

        Parameters
        ----------
        node : int

        Raises
        ------
        ParameterError
            There is no such node.

        Examples
        --------
        >>> import boxwood
        >>> boxwood.CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).tree_.path(4).tolist()
        [0, 1, 4]
        """
        path = [at := int(known_nodes([node], self.n_nodes)[0])]
        while (at := int(self.parent[at])) >= 0:
            path.append(at)
        return np.array(path[::-1], dtype=np.int64)

    def paths_to(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nodes on the path of each row, given its last node, as index arrays of a sparse matrix.

        Parameters
        ----------
        nodes : int, shape (n,)
            The last node of each row: a leaf, or an internal node if the row stops there.

        Returns
        -------
        indptr : int64, shape (n + 1,)
        indices : int32, shape (indptr[-1],)
            Those of row i are ``indices[indptr[i]:indptr[i + 1]]``, starting with the root.

        Raises
        ------
        ParameterError
            A number is not a node of this tree.

        Examples
        --------
        >>> import boxwood
        >>> indptr, indices = boxwood.CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).tree_.paths_to([2, 4])
        >>> indptr.tolist(), indices.tolist()
        ([0, 2, 5], [0, 2, 0, 1, 4])
        """
        return passed_nodes(self.parent, self.depth, known_nodes(nodes, self.n_nodes))

    @cached_property
    def weight(self) -> np.ndarray:
        """Sum of the weights of the rows in each node, shape (T,)."""
        return read_only(of_moments(self, self.response.weight))

    @cached_property
    def counts(self) -> np.ndarray:
        """Weight of the rows of each class in each node, class weights left out; shape (T, K)."""
        return read_only(self.response.counts(self.moments))

    @cached_property
    def row_weight(self) -> np.ndarray:
        """Weight of the rows in each node, class weights left out; shape (T,)."""
        return read_only(self.response.row_weight(self.moments))

    @cached_property
    def effective_rows(self) -> np.ndarray:
        """As how many rows of equal weight the rows of each node count (Kish): (sum w)^2 / sum w^2, shape (T,)."""
        return read_only(effective(self.row_weight, self.weight_squares, self.rows))

    @cached_property
    def moments_node(self) -> np.ndarray:
        """The node whose moments predict for each node: itself, or the parent of an empty leaf; int64, shape (T,)."""
        return read_only(np.where(self.rows > 0, np.arange(self.n_nodes), np.maximum(self.parent, 0)))

    @cached_property
    def value(self) -> np.ndarray:
        """The prediction of each node: class number, mean or rate, shape (T,)."""
        return read_only(figures(self, "value", lambda at: of_predictions(at, at.response.value)))

    @cached_property
    def further(self) -> np.ndarray:
        """What each node predicts besides its value, shape (T, F), by the names in ``response.further``."""
        return read_only(self.response.further_of(predicting_moments(self, np.arange(self.n_nodes))))

    @cached_property
    def classes(self) -> np.ndarray:
        """Class labels as an array of their type, shape (K,); empty if the tree predicts a number."""
        labels = self.response.labels
        return read_only(np.array(labels, dtype=np.str_ if any(isinstance(v, str) for v in labels) else None))

    @cached_property
    def probability(self) -> np.ndarray:
        """Class probabilities of each node, shape (T, K).

        Raises
        ------
        ParameterError
            The tree predicts a number, not a class.
        """
        self.response.need_classes(f"this tree predicts a {self.response.kind}: it has no probability; use its value.")
        return read_only(figures(self, "probability", lambda at: probability_at(at, np.arange(at.n_nodes))))

    def impurity(self, measure: str | None = None) -> np.ndarray:
        """Impurity of each node per unit of weight, shape (T,); 0 in an empty leaf.

        Parameters
        ----------
        measure : {"gini", "entropy", "error", "variance", "poisson"} or Tsallis, optional
            Default: the measure with which the tree was grown, or the usual one if the tree does not record it.

        Raises
        ------
        ParameterError
            The measure is not valid for this kind of response.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> tree = CARTClassifier(pruning=None).fit([[1], [2], [3], [4]], ["a", "a", "b", "b"]).tree_
        >>> tree.impurity().tolist(), tree.impurity("entropy").tolist()
        ([0.5, 0.0, 0.0], [1.0, 0.0, 0.0])
        """
        fitting = self.response.measures
        if measure is None:
            grown_with = self.made_by.get("measure")
            measure = grown_with if self.response.fits(grown_with) else fitting[0]
        elif not self.response.fits(measure):
            raise ParameterError(
                must_be("measure", f"one of {', '.join(fitting)} for a tree of {self.response.kind}", measure)
            )
        name = measure_name(measure) or measure
        return of_moments(self, lambda moments: self.response.impurity(moments, name))

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields: derived facts and plans are computed again."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

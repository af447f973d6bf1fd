"""Error-based pruning: a leaf, or the largest branch below, replaces a branch with no fewer estimated errors (C4.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .. import _kernel
from .._messages import Setting, must_be, remedy
from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..errors import ParameterError, check_one_of
from ..growing.memory.source import EncodedColumns
from ..growing.memory.table_samples import share_shift
from ..statistics.exact import Exact
from ..statistics.normal import upper_deviate
from ..tree.lazy_arrays import with_arrays
from ..tree.rebuild import keep_nodes, take_nodes
from ..tree.tree import SHARED, Tree

#: A branch must promise this many errors fewer, in units of weight, to stay.
SLACK = 0.1

#: Release 8's table of normal deviates: confidence and deviate; between two entries it draws a straight line.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


@dataclass(frozen=True)
class Pessimism:
    """How pessimistic the estimate of a leaf's errors is: the upper limit of a binomial rate at some confidence.

    A leaf with weight N of which e are errors is expected to make U(N, e) errors on as many new rows. U(N, 0) / N is
    the exact limit 1 - CF^(1/N); with one error or more it is the limit of the normal approximation with continuity
    correction; between none and one, a straight line (Quinlan 1993, section 4.2).

    Parameters
    ----------
    confidence : float
        CF, from 1e-300 to 0.5; the smaller, the more is pruned.
    deviate : {"quantile", "table"}
        Normal deviate of CF: exact, or by release 8's table (0.6925 instead of 0.6745 for CF = 0.25).
    nearly_all : {"rest", "two_thirds"}
        What is added where e + 0.5 reaches N: N - e, or release 8's 0.67 (N - e).
    largest : {"first", "last"}
        Which of several branches with equally much weight counts as the largest; release 8 and J48 take the last.

    Examples
    --------
    >>> import numpy as np
    >>> Pessimism().limits(np.array([6.0, 14.0]), np.array([0.0, 5.0])).round(3).tolist()
    [1.238, 6.761]
    """

    confidence: float = 0.25
    deviate: str = "quantile"
    nearly_all: str = "rest"
    largest: str = "first"

    def __post_init__(self):
        number = isinstance(self.confidence, (int, float)) and not isinstance(self.confidence, bool)
        if not number or not 1e-300 <= self.confidence <= 0.5:
            raise ParameterError(must_be("confidence", "a number from 1e-300 to 0.5", self.confidence))
        choices = (("deviate", "quantile", "table"), ("nearly_all", "rest", "two_thirds"), ("largest", "first", "last"))
        for name, *allowed in choices:
            check_one_of(name, getattr(self, name), allowed)

    @property
    def z(self) -> float:
        """The normal deviate of the confidence."""
        if self.deviate == "quantile":
            return upper_deviate(float(self.confidence))
        return float(np.interp(self.confidence, _CONFIDENCES, _DEVIATES))

    def limits(self, weight: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """U(N, e), the errors expected of leaves of some weights with some errors; float64, shape (n,)."""
        weight, errors = (np.ascontiguousarray(a, dtype=np.float64) for a in (weight, errors))
        return errors + _kernel.added_errors(weight, errors, self.for_kernel())

    def for_kernel(self) -> dict:
        """The rule as the kernel takes it."""
        return {
            "log_confidence": math.log(self.confidence),
            "squared_z": self.z**2,
            "two_thirds": self.nearly_all == "two_thirds",
            "last_largest": self.largest == "last",
        }


def prune_by_errors(tree: Tree, rule: Pessimism) -> Tree:
    """Error-based pruning without raising, from the moments only.

    From the leaves to the root, a node becomes a leaf when its U(N, e) is at most that of its pruned branch plus 0.1.
    Rows that stay at a node count in it as if in a leaf of their own.

    Parameters
    ----------
    tree : Tree
        Of classes.
    rule : Pessimism

    Raises
    ------
    ParameterError
        The tree predicts a number.
    """
    _check_classes(tree)
    errors = tree.weight - tree.moments[np.arange(tree.n_nodes), tree.value.astype(np.int64)]
    limit = rule.limits(tree.weight, np.maximum(errors, 0.0)).tolist()
    below = _limits_of_staying(tree, rule).tolist()
    parent, inner = tree.parent.tolist(), (~tree.is_leaf).tolist()
    closed = np.zeros(tree.n_nodes, dtype=bool)
    for t in range(tree.n_nodes - 1, -1, -1):
        if inner[t]:
            if limit[t] <= below[t] + SLACK:
                closed[t] = True
            else:
                limit[t] = below[t]
        if t:
            below[parent[t]] += limit[t]
    return keep_nodes(tree, closed)


def _limits_of_staying(tree: Tree, rule: Pessimism) -> np.ndarray:
    """U(N, e) of the rows that stay at each inner node, float64, shape (T,); shares that were rounded are none."""
    below = np.zeros_like(tree.moments)
    np.add.at(below, tree.parent[1:], tree.moments[1:])
    rest = np.where(tree.is_leaf[:, None], 0.0, tree.moments - below)
    rest[np.abs(rest).sum(axis=1) <= 1e-9 * tree.weight] = 0.0
    rest = np.maximum(rest, 0.0)
    weight = rest.sum(axis=1)
    right = rest[np.arange(tree.n_nodes), tree.value.astype(np.int64)]
    return rule.limits(weight, weight - right)


def prune_and_raise(
    tree: Tree, rule: Pessimism, encoded: EncodedColumns, rows: np.ndarray, exact: Exact, by_rank: bool = False
) -> Tree:
    """Error-based pruning with subtree raising, as C4.5 does it.

    From the leaves to the root, the rows of each node are tried in three forms: as one leaf, divided over its pruned
    branches, and all together in its largest branch. The leaf is taken if it promises at most 0.1 errors more than
    both others; else the largest branch is lifted into the node's place if it promises at most 0.1 more than the
    branches, and is then pruned again with all the rows. A row whose value is missing is shared out among branches as
    in growth. The moments and rows of the new tree are those of this pass.

    Parameters
    ----------
    tree : Tree
        Of classes, without priors or costs.
    rule : Pessimism
    encoded : EncodedColumns
    rows : uint32, shape (n,)
        Rows of the encoded columns the tree is pruned by: those it was grown from.
    exact : Exact
        Classes and weights of these rows.
    by_rank : bool
        The tree's cuts are by rank (``Recipe.rank_cuts``).

    Raises
    ------
    ParameterError
        The tree predicts a number, has priors or costs, or a row stays at an inner node.
    """
    check_countable(tree)
    weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight.astype(np.int64)
    shift = share_shift(int(weight.sum())) if (tree.missing == SHARED).any() else 0
    unit = exact.unit * 2.0**-shift
    fractional = _may_be_shared(tree, encoded.grown_from, rows)
    cases = (rows, np.ascontiguousarray(exact.codes), weight << shift, fractional.astype(np.uint8))
    settings = rule.for_kernel() | {"unit": unit}
    columns = encoded.rank_table if by_rank else encoded.grown_from.for_kernel(in_place=True)
    try:
        found = _kernel.prune_and_raise(with_arrays(tree), columns, cases, settings, len(tree.response.labels))
    except ValueError as error:
        raise ParameterError(
            "raising needs rows that all reach a leaf, but one stays above; ",
            remedy("use ", Setting("raising", False), "."),
        ) from error  # fmt: skip
    origin, leaf, held, classes = found
    small = take_nodes(tree, origin.astype(np.int64), leaf.astype(bool))
    return replace(small, moments=classes.reshape(small.n_nodes, -1) * unit, rows=held)


def _may_be_shared(tree: Tree, columns: Columns, rows: np.ndarray) -> np.ndarray:
    """Rows that a node might share out, bool, shape (n,): a value is missing, or some split of it does not list all."""
    shares = (tree.missing == SHARED) & ~tree.is_leaf
    lists_all = np.diff(tree.splits.index_start) == tree.splits.n_positions
    found = np.zeros(len(rows), dtype=bool)
    for j in distinct(tree.splits.feature[shares]).tolist():
        values = columns.values[j]
        known = columns.schema[j].type.known(values)
        if not known.all():
            found |= ~known[rows]
        if not lists_all[shares & (tree.splits.feature == j)].all():
            found[:] = True
    return found


def check_countable(tree: Tree) -> None:
    """Raising counts the errors of a tree of classes without priors or costs.

    Raises
    ------
    ParameterError
    """
    _check_classes(tree)
    response = tree.response
    if response.costs is not None or any(factor != 1.0 for factor in response.factors):
        raise ParameterError(
            "raising counts errors, and all alike: with priors or costs use ", Setting("raising", False), ".",
        )  # fmt: skip


def _check_classes(tree: Tree) -> None:
    """Errors are counted of classes."""
    tree.response.need_classes(
        "error-based pruning counts wrong classes, but this tree predicts a number; for a numeric target or a "
        "rate use CostComplexity or ReducedError."
    )

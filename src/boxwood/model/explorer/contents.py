"""The contents of an explorer: a tree, its pruned versions, and rows to count at its nodes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ..._messages import Setting, remedy
from ...data.columns.columns import Columns
from ...errors import ParameterError
from ...pruning.cost_complexity import CostComplexityPath, risk_of, weakest_links
from ...tree.one_response import of_response
from ...tree.rebuild import keep_nodes
from ...tree.split import SplitTable
from ...tree.tree import Tree
from .summary import Summary

#: Larger trees make files that browsers open slowly.
MOST_NODES = 50_000


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Rows to look at a tree with.

    Attributes
    ----------
    columns : Columns
        Read with the tree's schema.
    weight : float64, shape (n,)
    y : shape (n,), or (n, 2) for rates, or (n, q) for q responses, or None
        Class numbers, numeric targets, or exposure and events; None when the truth is not known.
    threads : int
    """

    columns: Columns
    weight: np.ndarray
    y: np.ndarray | None = None
    threads: int = 1

    def of_response(self, r: int) -> GivenRows:
        """The same rows with one of several responses."""
        return self if self.y is None else replace(self, y=self.y[:, r])


@dataclass(frozen=True, eq=False)
class GivenRivals:
    """What features offer at nodes of a tree for the rows given, best first.

    Attributes
    ----------
    of_node : dict of int to (SplitTable, float64 array of shape (C,))
        The best split of each feature, and its score.
    """

    of_node: dict[int, tuple[SplitTable, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Contents:
    """Everything a page is made from.

    Attributes
    ----------
    tree : Tree
        The largest tree that the page can show.
    family : CostComplexityPath
        Of this tree, in units of weight.
    selected : int
        Row of the family that the model predicts with; -1 = the tree as it is.
    held_out : float64, shape (S, 2), or None
        Loss and standard error of each row of the family, by ``loss``.
    loss_from : {"folds", "validation"} or None
    unseen : {"missing", "majority", "stay", "error"}
        What is done with levels that a node has not seen.
    refuses_missing : bool
        The model takes no missing values.
    rows : GivenRows or None
    notes : tuple of str
        Sentences to show with the tree.
    summaries : tuple of Summary
        The first page, of each response its own; empty for none.
    rivals : GivenRivals or None
        Shown where the tree keeps no competing splits.
    loss : str or None
        Name of the losses held out; None = the loss of what is predicted.
    """

    tree: Tree
    family: CostComplexityPath
    selected: int = -1
    held_out: np.ndarray | None = None
    loss_from: str | None = None
    unseen: str = "missing"
    refuses_missing: bool = False
    rows: GivenRows | None = None
    notes: tuple[str, ...] = field(default=())
    summaries: tuple[Summary, ...] = ()
    rivals: GivenRivals | None = None
    loss: str | None = None

    @property
    def of_each(self) -> tuple[Contents, ...]:
        """The contents of each of several responses; those of one as they are."""
        several = range(len(self.tree.response.responses))
        return tuple(
            replace(self, tree=of_response(self.tree, r), rows=None if self.rows is None else self.rows.of_response(r))
            for r in several
        ) or (self,)


def of_tree(tree: Tree, rows: GivenRows | None = None, unseen: str = "missing") -> Contents:
    """A tree without a model: its pruning sequence is computed now.

    That of a tree whose predictions have an order is the tree alone: the values of its leaves depend on all of them, so
    they are not those of a smaller tree.

    Parameters
    ----------
    tree : Tree
    rows : GivenRows, optional
    unseen : {"missing", "majority", "stay", "error"}

    Raises
    ------
    ParameterError
        The tree has too many nodes to show.
    """
    refuse_large(tree)
    family = weakest_links(tree, risk_of(tree))
    if tree.monotonic is not None:
        stays, leaves = np.where(tree.is_leaf, 0.0, np.inf), np.array([tree.n_leaves])
        family = replace(family, alphas=family.alphas[:1], n_leaves=leaves, collapses_at=stays, risks=family.risks[:1])
    return Contents(tree, family, -1, unseen=unseen, refuses_missing=refuses(tree), rows=rows)


def refuses(tree: Tree) -> bool:
    """Whether the tree was grown to take no missing values."""
    return tree.made_by.get("missing") == "error"


def refuse_large(tree: Tree) -> None:
    """Raise ParameterError when a tree has more nodes than a page can hold."""
    if tree.n_nodes > MOST_NODES:
        raise ParameterError(
            f"the tree has {tree.n_nodes} nodes, and the explorer shows at most {MOST_NODES}; ",
            remedy("prune it first, for example with prune(", Setting("n_leaves", 1000), ")"), ".",
        )  # fmt: skip


def within_limit(contents: Contents, most: int = MOST_NODES) -> Contents:
    """The same without the largest trees of the family, where the first has more than ``most`` nodes.

    The selected tree always stays.

    Raises
    ------
    ParameterError
        Even the selected tree has too many nodes for a page.
    """
    tree, family = contents.tree, contents.family
    if tree.n_nodes <= most:
        return contents
    if contents.selected < 0:
        refuse_large(tree)
    first = 0
    while first < contents.selected and _nodes_at(tree, family, first) > most:
        first += 1
    price = family.alphas[first]
    small = keep_nodes(tree, family.collapses_at <= price)
    kept = _kept(tree, family.collapses_at <= price)
    refuse_large(small)
    shorter = replace(
        family, alphas=family.alphas[first:], n_leaves=family.n_leaves[first:], risks=family.risks[first:],
        collapses_at=np.maximum(family.collapses_at[kept], price),
    )  # fmt: skip
    held_out = None if contents.held_out is None else contents.held_out[first:]
    note = f"The tree as grown has {tree.n_nodes} nodes; the page begins with a pruned one of {small.n_nodes}."
    return replace(
        contents, tree=small, family=shorter, selected=contents.selected - first, held_out=held_out,
        notes=(*contents.notes, note), rivals=None,
    )  # fmt: skip


def _kept(tree: Tree, closed: np.ndarray) -> np.ndarray:
    """Nodes that are not below a closed one, int64, ascending."""
    below = closed[tree.parent]
    below[0] = False
    for up in tree.binary_lifting():
        below |= below[up]
    return np.flatnonzero(~below)


def _nodes_at(tree: Tree, family: CostComplexityPath, row: int) -> int:
    """Number of nodes of a tree of the family; the family is nested, so a node is there while its parent splits."""
    above = family.collapses_at[np.maximum(tree.parent, 0)] > family.alphas[row]
    above[0] = True
    return int(np.count_nonzero(above))

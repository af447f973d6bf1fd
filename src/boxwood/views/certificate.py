"""A certificate of the order of predictions: a proof over all rows, or two rows that are in the wrong order."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import _kernel
from .._messages import Setting, remedy
from ..data.columns.signs import signs_of
from ..errors import ParameterError, check_one_of
from ..tree.leaf_order import NodeBoxes
from ..tree.tree import Tree
from .order_search import OrderSearch, Violation
from .table import frame_of

#: Which rows with gaps are compared.
GAPS = ("training", "all", "none")


@dataclass(frozen=True, eq=False)
class Certificate:
    """Whether predictions rise, or fall, along features, for all rows that there can be.

    Attributes
    ----------
    holds : bool
        True: proved. False: ``violation`` has two rows for which it does not hold.
    order : dict of str to int
        1 or -1 for each feature along which predictions may only rise, or fall.
    gaps : tuple of str
        The features whose values the rows may lack, both the same ones.
    violation : Violation or None

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X, y = {"age": [20, 30, 40, 50], "km": [9, 8, 1, 2]}, [1, 4, 3, 9]
    >>> print(CARTRegressor(pruning=None, monotonic_cst={"age": 1}).fit(X, y).certificate())
    Proved: predictions never fall as age rises. 5 pairs of leaves are in order, for all complete rows.
    >>> print(CARTRegressor(pruning=None).fit(X, y).certificate({"age": 1}))
    Not in order: predictions fall as age rises.
      leaf 5 predicts 4, leaf 6 predicts 3
      age 35, km 0 -> 4
      age 45, km 0 -> 3
    """

    tree: Tree
    holds: bool
    order: dict[str, int]
    gaps: tuple[str, ...]
    violation: Violation | None

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The leaves of which the first of each pair must not be above the second: two of shape (P,), int32.

        Where rows with gaps are compared, they are all pairs that such rows could reach, and perhaps others.
        """
        low, high = _kernel.ordered_leaves(_boxes(self), compared_values(self.tree), True)
        at = np.lexsort((high, low))
        return low[at], high[at]

    def to_frame(self, backend: str | None = None) -> Any:
        """The pairs of leaves as a data frame: low, high, low_value, high_value.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        (low, high), value = self.pairs, compared_values(self.tree)
        columns = {"low": low, "high": high, "low_value": value[low], "high_value": value[high]}
        return frame_of({name: column.tolist() for name, column in columns.items()}, backend)

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values."""
        found = None if self.violation is None else asdict(self.violation)
        plain = {"holds": self.holds, "order": self.order, "gaps": list(self.gaps), "violation": found}
        return plain | ({"pairs": len(self.pairs[0])} if self.holds else {})

    def to_text(self) -> str:
        """The certificate in words."""
        if self.violation is None:
            among = f", and rows that lack values of {', '.join(self.gaps)}" if self.gaps else ""
            return (
                f"Proved: {self._words('never rise', 'never fall')}. "
                f"{len(self.pairs[0])} pairs of leaves are in order, for all complete rows{among}."
            )
        v = self.violation
        return "\n".join((
            f"Not in order: {self._words('rise', 'fall')}.",
            f"  leaf {v.low} predicts {v.low_value:.6g}, leaf {v.high} predicts {v.high_value:.6g}",
            f"  {_row(v.low_row)} -> {v.low_value:.6g}",
            f"  {_row(v.high_row)} -> {v.high_value:.6g}",
        ))  # fmt: skip

    def _words(self, falling: str, rising: str) -> str:
        parts = [
            f"{verb} as {' or '.join(names)} rises"
            for sign, verb in ((1, rising), (-1, falling))
            if (names := [name for name, of in self.order.items() if of == sign])
        ]
        labels = self.tree.response.labels
        return f"{f'probabilities of {labels[1]}' if labels else 'predictions'} {' and '.join(parts)}"

    def __str__(self) -> str:
        return self.to_text()


def certificate(tree: Tree, monotonic_cst: Any, gaps: str, unseen: str, refuse_missing: bool) -> Certificate:
    """Prove that the predictions of a tree keep an order, or find two rows that show that they do not.

    Parameters
    ----------
    tree : Tree
    monotonic_cst : dict, list or None
        None = the order that the tree was fitted with.
    gaps : {"training", "all", "none"}
    unseen : str
        Policy for levels that a node has not seen.
    refuse_missing : bool
        Rows with gaps are refused.

    Raises
    ------
    ParameterError
        There is no order, or the tree predicts more than two classes or has too many ways of treating gaps.
    """
    check_one_of("gaps", gaps, GAPS)
    signs, lacking = _requested(tree, monotonic_cst, gaps, refuse_missing)
    names = np.array(tree.schema.names, dtype=object)
    order = {name: sign for name, sign in zip(names.tolist(), signs.tolist(), strict=True) if sign}
    found = Certificate(tree, True, order, tuple(names[lacking].tolist()), None)
    value = compared_values(tree)
    if _leaves_decide(tree, signs, unseen):
        low, _ = _kernel.ordered_leaves(_boxes(found), value, False)
        if not len(low):
            return found
    violation = OrderSearch(tree, value, signs, lacking, unseen).find()
    return found if violation is None else Certificate(tree, False, order, found.gaps, violation)


def compared_values(tree: Tree) -> np.ndarray:
    """The numbers that have an order, shape (T,): predictions, or probabilities of the second class."""
    return np.ascontiguousarray(tree.probability[:, 1] if tree.response.labels else tree.value, dtype=np.float64)


def _requested(tree: Tree, given: Any, gaps: str, refuse_missing: bool) -> tuple[np.ndarray, np.ndarray]:
    """The order of each feature, and whether rows may lack its value."""
    if len(tree.response.labels) > 2:
        raise ParameterError("a tree of more than two classes predicts no single number that has an order.")
    known = tree.monotonic
    if given is None and known is None:
        raise ParameterError(
            "the tree was fitted without an order; ", remedy("give ", Setting("monotonic_cst"), "."),
        )  # fmt: skip
    signs = np.array(known[0] if given is None else signs_of(given, tree.schema))
    lacking = np.full(len(signs), gaps == "all")
    if gaps == "training" and known is not None:
        lacking = known[1].astype(bool)
    return signs, lacking & (not refuse_missing)


def _leaves_decide(tree: Tree, signs: np.ndarray, unseen: str) -> bool:
    """Whether pairs of leaves decide: no feature with an order is a surrogate, and no row stays at a node."""
    stays = (tree.missing[~tree.is_leaf] < 0).any() or unseen == "stay"
    return not stays and not signs[tree.surrogates.feature].any()


def _boxes(of: Certificate) -> dict[str, np.ndarray]:
    names = of.tree.schema.names
    signs = np.array([of.order.get(name, 0) for name in names])
    return NodeBoxes(of.tree, signs, np.array([name in of.gaps for name in names])).for_kernel()


def _row(row: dict[str, Any]) -> str:
    """A row as text."""
    words = ((name, "missing" if v is None else f"{v:.12g}" if isinstance(v, float) else v) for name, v in row.items())
    return ", ".join(f"{name} {value}" for name, value in words)

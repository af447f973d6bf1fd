"""Choice 3 of a recipe: when a node stays a leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from .._messages import Message, Phrase, Setting, Value, must_be, shortened
from ..errors import ParameterError
from .limits import check_real, check_whole

#: Weights this close to a limit keep it.
SLIGHT = 1e-9

#: Limits that only merged categories (CHAID) count.
OF_CASES = ("min_cases_split", "min_cases_leaf")


@dataclass(frozen=True, eq=False)
class NodeStats:
    """What a termination of your own sees of a node.

    Attributes
    ----------
    depth : int
        0 for the root.
    rows : int
    weight : float
    moments : float64, shape (M,)
        Weights of the K classes; or sum of weights, mean and sum of squares about it.
    impurity : float
        Per unit of weight, in the measure of the tree.
    """

    depth: int
    rows: int
    weight: float
    moments: np.ndarray
    impurity: float


@dataclass(frozen=True)
class Termination:
    """Choice 3, when a node becomes a leaf: if it is pure, too small or too deep, or if no split is good enough.

    Sizes are numbers of rows with positive weight.

    Attributes
    ----------
    max_depth : int or None
        Maximum depth of the tree; the root is at depth 0.
    min_samples_split, min_samples_leaf : int
        Minimum number of rows in a node that is split, and in each branch.
    min_impurity_decrease : float
        Minimum of weight(t) / weight(root) times the decrease in impurity.
    min_branch_weight : float
        C4.5's m: at least two branches of a split need this weight, and a node needs twice this weight.
    min_cases_split, min_cases_leaf : float
        CHAID's minimum number of cases (weights as frequencies, or rows) in a node that is split, and in each branch;
        a value below 1 is a proportion of all cases.
    collapse : bool
        C4.5's last step: once the tree is complete, collapse splits that do not reduce the number of training errors.
    stop : function or None
        Your own rule. It is called with every node that could be split (attributes ``depth``, ``rows``, ``weight``,
        ``moments``, ``impurity``) and returns True if the node must be a leaf.
    min_weight_fraction_leaf : float
        Minimum weight of each branch, as a fraction of the weight of the root, class weights included; at most 0.5.

    Examples
    --------
    >>> from boxwood import Termination, TreeRegressor
    >>> model = TreeRegressor(termination=Termination(max_depth=1, min_samples_leaf=2))
    >>> model.fit([[1], [2], [3], [4], [5]], [0, 1, 1, 5, 5]).tree_.rows.tolist()
    [5, 3, 2]
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0
    min_branch_weight: float = 0.0
    min_cases_split: float = 0.0
    min_cases_leaf: float = 0.0
    collapse: bool = False
    stop: Callable[[NodeStats], bool] | None = None
    min_weight_fraction_leaf: float = 0.0
    #: Of a branch, in a tree whose root is known (:func:`below_root`).
    _least_weight: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check_whole(self, "max_depth", 0, optional=True)
        check_whole(self, "min_samples_split", 2)
        check_whole(self, "min_samples_leaf", 1)
        check_real(self, "min_weight_fraction_leaf", 0.0, 0.5)
        check_real(self, "min_impurity_decrease", 0.0)
        for name in ("min_branch_weight", "min_cases_split", "min_cases_leaf"):
            check_real(self, name, 0.0)
        if self.stop is not None and not callable(self.stop):
            raise ParameterError(
                "Termination: ", must_be("stop", "a function of a node that returns True or False", self.stop),
            )  # fmt: skip

    def may_split(self, depth: int, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Whether nodes of one depth are large enough, and not too deep, to be split.

        Parameters
        ----------
        depth : int
        rows : int64, shape (L,)
        weight : float64, shape (L,)

        Returns
        -------
        ndarray of shape (L,), bool

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood import Termination
        >>> Termination(min_samples_split=5).may_split(1, np.array([4, 9]), np.array([4.0, 9.0]))
        array([False,  True])
        """
        if self.max_depth is not None and depth >= self.max_depth:
            return np.zeros(len(rows), dtype=bool)
        large = rows >= self.min_samples_split
        if self.min_branch_weight > 0.0:  # two branches of this weight must be possible (docs/c45.md)
            large &= weight >= 2.0 * self.min_branch_weight - SLIGHT
        return large

    def limit_at(self, depth: int, rows: int, weight: float) -> str:
        """The limit that makes a node a leaf, in words; "" if no limit of depth or size does.

        Parameters
        ----------
        depth, rows : int
        weight : float

        Returns
        -------
        str

        Examples
        --------
        >>> from boxwood import Termination
        >>> Termination(min_samples_split=20).limit_at(1, 15, 15.0)
        '15 rows, fewer than min_samples_split = 20'
        """
        if self.max_depth is not None and depth >= self.max_depth:
            return Message(Setting("max_depth"), f" = {self.max_depth} is reached")
        if rows < self.min_samples_split:
            return f"{rows} row{'s' * (rows != 1)}, fewer than min_samples_split = {self.min_samples_split}"
        if weight < self.min_cases_split:
            return f"{weight:.4g} cases, fewer than min_samples_split = {self.min_cases_split:.4g}"
        if weight < 2.0 * self.min_branch_weight - SLIGHT:
            return f"a weight of {weight:.4g} is not enough for two branches of {self.min_branch_weight:.4g}"
        return ""

    def stops(self, node: NodeStats) -> bool:
        """Whether the user's own function makes a node a leaf.

        Parameters
        ----------
        node : NodeStats
            The node, as passed to your own termination function.

        Returns
        -------
        bool

        Raises
        ------
        ParameterError
            The function raises an error, or returns neither True nor False.

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood import Termination
        >>> from boxwood.growing.termination import NodeStats
        >>> limit = Termination(stop=lambda node: node.impurity < 0.1)
        >>> limit.stops(NodeStats(1, 10, 10.0, np.array([9.5, 0.5]), 0.095))
        True
        """
        if self.stop is None:
            return False
        try:
            answer = self.stop(node)
        except Exception as failure:
            raise ParameterError(
                f"termination: stop failed at {node}: {type(failure).__name__}: {failure}"
            ) from failure
        if not isinstance(answer, (bool, np.bool_)):
            raise ParameterError(
                "termination: stop must return True or False; it returned ", Value(answer, shortened(answer)), ".",
            )  # fmt: skip
        return bool(answer)

    def admits(self, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Whether the branches of candidate partitions are large enough.

        Parameters
        ----------
        rows, weight : shape (C, B)
            Number of rows and weight of each branch of C partitions. A branch of missing values that ``weight`` has
            beside counts as one of two branches with ``min_branch_weight``.

        Returns
        -------
        ndarray of shape (C,), bool

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood import Termination
        >>> rows = np.array([[1, 4], [2, 3]])
        >>> Termination(min_samples_leaf=2).admits(rows, rows.astype(float))
        array([False,  True])
        """
        known = weight[:, : rows.shape[1]]
        sized = ((rows == 0) | ((rows >= self.min_samples_leaf) & (known >= self._least_weight))).all(axis=1)
        heavy = (weight >= self.min_branch_weight - SLIGHT).sum(axis=1) >= 2
        return sized & ((weight > 0).sum(axis=1) >= 2) & heavy

    def refuse(self, names: Sequence[str], *words: Phrase) -> None:
        """Raise an error for limits that would have no effect.

        Parameters
        ----------
        names : sequence of str
            Limits that would have no effect.
        *words : str or part
            The rest of the message after their names.

        Raises
        ------
        ParameterError

        Examples
        --------
        >>> from boxwood import Termination
        >>> Termination(max_depth=3).refuse(("min_cases_leaf",), " belongs to other branching.")
        """
        given = [name for name in names if getattr(self, name) != getattr(type(self), name)]
        if given:
            named = [part for name in given for part in (" and ", Setting(name))]
            raise ParameterError(*named[1:], *words)


def below_root(limits: Termination, weight: float) -> Termination:
    """The same limits in a tree whose root has this weight."""
    if limits.min_weight_fraction_leaf == 0.0:
        return limits
    found = replace(limits)
    object.__setattr__(found, "_least_weight", limits.min_weight_fraction_leaf * weight * (1.0 - SLIGHT))
    return found

"""Choice 3 of a recipe: when a node stays a leaf."""

from __future__ import annotations

from dataclasses import dataclass

from .limits import check_real, check_whole

#: Weights this close to a limit keep it (SPECS 0.8).
ROUNDING = 1e-9


@dataclass(frozen=True)
class Termination:
    """Choice 3, when a node stays a leaf: it is pure, too small, too deep, or no split is good enough.

    Sizes are counted in rows of positive weight. ``min_impurity_decrease`` is compared with weight(t) / weight(root)
    * decrease. ``min_branch_weight`` is C4.5's m: a split needs two branches of so much weight, a node twice of it.
    ``min_cases_split`` and ``min_cases_leaf`` are CHAID's: cases (weights as frequencies, or rows) that a node needs to
    be split and that each branch must get; below 1, shares of all cases. ``collapse`` is C4.5's last look: a split that
    saves no error on the rows it was grown from is taken back when the tree is complete.

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

    def __post_init__(self):
        check_whole(self, "max_depth", 1, optional=True)
        check_whole(self, "min_samples_split", 2)
        check_whole(self, "min_samples_leaf", 1)
        check_real(self, "min_impurity_decrease", 0.0)
        for name in ("min_branch_weight", "min_cases_split", "min_cases_leaf"):
            check_real(self, name, 0.0)

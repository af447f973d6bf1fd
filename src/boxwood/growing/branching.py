"""Choice 1 of a recipe: how many branches a split has."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .limits import check_flag, check_real, check_whole


@dataclass(frozen=True)
class Binary:
    """Choice 1, the number of branches: two, a nominal feature being cut into two sets of levels.

    Attributes
    ----------
    exhaustive_levels : int
        With three or more classes, up to this many present levels every subset is tried; above, levels are ordered
        along the principal direction of their class shares (Coppersmith et al. 1999) and the node says that it was
        heuristic.
    min_samples_level, pool_above : int
        In features with more than ``pool_above`` levels, levels with fewer than ``min_samples_level`` rows in the
        node are pooled into one before the search.
    correct_levels : bool
        Compare features after taking off what k unrelated levels would gain by chance: (k - 2) (2 / pi) I(t) / N_t.

    Examples
    --------
    >>> from boxwood import Binary, TreeClassifier
    >>> model = TreeClassifier(branching=Binary(exhaustive_levels=4), criterion="gain_ratio")
    >>> model.fit({"city": ["Ulm", "京都", "서울"]}, ["no", "yes", "no"]).tree_.heuristic.tolist()
    [False, False, False]
    """

    exhaustive_levels: int = 10
    min_samples_level: int = 1
    pool_above: int = 0
    correct_levels: bool = False

    def __post_init__(self):
        check_whole(self, "exhaustive_levels", 2)
        check_whole(self, "min_samples_level", 1)
        check_whole(self, "pool_above", 0)
        check_flag(self, "correct_levels")


@dataclass(frozen=True)
class Multiway:
    """Choice 1, the number of branches: one a level of a nominal feature, empty ones too; others are cut in two.

    Attributes
    ----------
    once : bool
        A nominal feature is tested at most once on a path (ID3 step 6; C4.5).
    grouping : bool
        Levels are merged into groups by hill climbing before a nominal feature of more than two levels is judged, and
        the feature may come again below (C4.5's option -s, SPECS 4.5).
    ordinal_levels : bool
        One branch a level of ordinal features too, instead of a cut (CLS, ID3).

    Examples
    --------
    >>> from boxwood import Multiway, TreeClassifier
    >>> X = {"sky": ["sun", "rain", "fog", "fog"], "wind": [1.0, 2.0, 3.0, 4.0]}
    >>> model = TreeClassifier(branching=Multiway(once=False), criterion="gain")
    >>> model.fit(X, ["yes", "no", "yes", "no"]).tree_.n_children.tolist()
    [3, 2, 0, 0, 0, 0]
    """

    once: bool = True
    grouping: bool = False
    ordinal_levels: bool = False

    def __post_init__(self):
        check_flag(self, "once", "grouping", "ordinal_levels")


@dataclass(frozen=True)
class Merged:
    """Choice 1, the number of branches: categories that do not differ significantly are merged (CHAID, SPECS 8.2).

    Attributes
    ----------
    exhaustive : bool
        Merge down to two groups and keep the most significant stage (Biggs, de Ville, Suen 1991).
    alpha_merge : float
        The most similar pair is merged when its p exceeds this.
    alpha_split_merged : float, optional
        A merged group of three or more categories is cut again when p is at most this; None = never.
    min_segment : float
        Groups with fewer cases (below 1: than this share of all) are merged with the most similar one before the
        feature is judged; 0 = none.
    n_bins : int
        A numeric feature is cut into at most so many ordered bins, once, on the whole learning set (SPECS 8.1).

    Raises
    ------
    ParameterError
        A number is out of range, or two of them exclude each other.

    Examples
    --------
    >>> from boxwood import Merged, TreeClassifier
    >>> X = {"city": ["Ulm", "Bonn", "京都"] * 20}
    >>> model = TreeClassifier(branching=Merged(exhaustive=True), criterion="significance", pruning=None)
    >>> print(model.fit(X, ["no", "no", "yes"] * 20).tree_)
    Decision tree (tree) for y: 3 nodes, 2 leaves, depth 1
    all rows (60 rows, no 0.667; p 1.14e-13; missing: stays)
    ├─ city in {Bonn, Ulm} → no 1 (40 rows)
    └─ city = 京都 → yes 1 (20 rows)
    """

    exhaustive: bool = False
    alpha_merge: float = 0.05
    alpha_split_merged: float | None = None
    min_segment: float = 0.0
    n_bins: int = 10

    def __post_init__(self):
        check_flag(self, "exhaustive")
        check_real(self, "alpha_merge", 0.0, 1.0)
        check_real(self, "min_segment", 0.0)
        check_whole(self, "n_bins", 2)
        if self.alpha_split_merged is None:
            return
        check_real(self, "alpha_split_merged", 0.0, 1.0)
        if self.exhaustive:
            raise ParameterError("exhaustive merging keeps the best stage and cuts no merged group again.")
        if self.alpha_split_merged > self.alpha_merge:
            raise ParameterError(
                "alpha_split_merged must be at most alpha_merge, or merging and cutting undo each other; got "
                f"{self.alpha_split_merged} above {self.alpha_merge}."
            )

"""Choices 1 and 2 of CHAID: how categories are merged, and the test by which the merged feature is judged."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .limits import check_choice, check_flag, check_real, check_whole


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


@dataclass(frozen=True)
class Significance:
    """Choice 2 of CHAID: the smallest adjusted p of the merged table (SPECS 8.5 to 8.7).

    Attributes
    ----------
    alpha : float
        A node is split when the adjusted p is at most this.
    test : {"pearson", "likelihood_ratio"}
        Statistic of tables of classes; a mean is tested by F.
    bonferroni : bool
    rank_by : {"p", "log_p"}
        Adjusted p's within 1e-12 of each other are equal, and the larger statistic decides (the tie rule, and what
        programs that compare p's do); or their logarithms are compared, however small they are.
    multiplier : {"spss", "biggs"}
        Bonferroni multiplier of nominal features in the exhaustive variant.
    case_weights : bool
        Weights change expected counts, not counts (SPECS 8.5); else a weight is the number of times a row counts.
    ordinal : bool
        The classes are ordered and tested by the row-effects model.
    scores : tuple of float
        Of ordered classes, one each; empty = 1, 2, ...
    max_iterations, tolerance : int, float
        Fitting of expected counts stops after so many rounds, or when no count moves by so much.

    Raises
    ------
    ParameterError
        A number or word is out of range.

    Examples
    --------
    >>> from boxwood import Significance, TreeClassifier
    >>> X = {"city": ["Ulm", "Bonn", "京都"] * 20}
    >>> strict = Significance(alpha=1e-6, test="likelihood_ratio")
    >>> model = TreeClassifier(branching="merged", criterion=strict, pruning=None)
    >>> model.fit(X, ["no", "no", "yes"] * 20).get_n_leaves()
    2
    """

    alpha: float = 0.05
    test: str = "pearson"
    bonferroni: bool = True
    rank_by: str = "p"
    multiplier: str = "spss"
    case_weights: bool = False
    ordinal: bool = False
    scores: tuple[float, ...] = ()
    max_iterations: int = 100
    tolerance: float = 1e-3

    def __post_init__(self):
        check_real(self, "alpha", 0.0, 1.0)
        check_choice(self, "test", ("pearson", "likelihood_ratio"))
        check_choice(self, "rank_by", ("p", "log_p"))
        check_choice(self, "multiplier", ("spss", "biggs"))
        check_flag(self, "bonferroni", "case_weights", "ordinal")
        check_whole(self, "max_iterations", 1)
        check_real(self, "tolerance", 0.0)

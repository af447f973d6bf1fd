"""Choice 1 of a recipe: how many branches a split has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._messages import Setting, remedy
from ..data.columns.schema import Feature
from ..errors import ParameterError
from .criterion import Criterion
from .groups import groups
from .limits import check_flag, check_whole
from .missing import Missing
from .termination import OF_CASES, Termination
from .trials import NodeTable, Trials, levels, sets, single_levels


class Branching:
    """How many branches a split has; its subclasses are frozen records.

    A new branching states :meth:`trials`: the candidate partitions of a node by one feature.

    Attributes
    ----------
    search : str or None
        Its search in the kernel, for the criteria that name it in ``Criterion.searches``; None = only in tables.
    usual_missing : str
        The usual policy for missing values.
    tabled : tuple of str
        Policies that only the search in tables serves.
    policies : tuple of str
        Policies of its search in the kernel.
    once : bool
        A feature with a branch a level is tested at most once on a path.
    grouping : bool
        Levels are merged into groups by the criterion.
    one_level : bool
        A nominal feature is cut into one level and the rest.
    correct_levels : bool
        Features are compared after what many levels gain by chance has been taken off.
    """

    search: ClassVar[str | None] = None
    usual_missing: ClassVar[str] = "majority"
    tabled: ClassVar[tuple[str, ...]] = ()
    policies: ClassVar[tuple[str, ...]] = ()
    once: bool = False
    grouping: bool = False
    one_level: bool = False
    correct_levels: bool = False

    def has_branch_per_level(self, feature: Feature) -> bool:
        """Whether a feature is split into all its levels, or into groups of them.

        Parameters
        ----------
        feature : Feature
            Name, kind and levels of a column.

        Returns
        -------
        bool

        Examples
        --------
        >>> from boxwood import Binary, Multiway
        >>> from boxwood.data.columns.schema import Feature
        >>> sky = Feature("sky", "nominal", ("fog", "rain", "sun"))
        >>> Binary().has_branch_per_level(sky), Multiway().has_branch_per_level(sky)
        (False, True)
        """
        return False

    def is_grouped(self, feature: Feature) -> bool:
        """Whether the levels of a feature are merged into groups by the criterion.

        Parameters
        ----------
        feature : Feature
            Name, kind and levels of a column.

        Returns
        -------
        bool

        Examples
        --------
        >>> from boxwood import Multiway
        >>> from boxwood.data.columns.schema import Feature
        >>> Multiway(grouping=True).is_grouped(Feature("sky", "nominal", ("fog", "rain", "sun")))
        True
        """
        return not feature.type.has_cuts and (self.one_level or (self.grouping and len(feature.levels) > 2))

    def trials(self, node: NodeTable, criterion: Criterion, termination: Termination) -> Trials:
        """The candidate partitions of a node by one feature.

        Parameters
        ----------
        node : NodeTable
            Table of value by response of one feature at a node.
        criterion : Criterion
            The branching criterion, choice 2.
        termination : Termination
            The limits of size, choice 3.

        Returns
        -------
        Trials
            Rows and moments of each branch of each partition.

        Examples
        --------
        Three values can be cut in two places:

        >>> import numpy as np
        >>> from boxwood import Binary, Gain, Termination
        >>> from boxwood.data.columns.schema import Feature
        >>> from boxwood.growing.tables import CodedFeature, tabulate
        >>> from boxwood.growing.trials import NodeTable
        >>> from boxwood.statistics.responses.classes import Classes
        >>> codes = np.array([0, 0, 1, 2])
        >>> wind = CodedFeature(Feature("wind", "numeric"), codes, ((1.0, 0.0), (2.0, 0.0), (5.0, 0.0)))
        >>> table = tabulate(codes, np.array([[1, 0], [0, 1], [0, 1], [0, 1]]))
        >>> node = NodeTable(wind, table, lambda sums: sums.astype(float), 4.0, Classes(labels=("no", "yes")))
        >>> Binary().trials(node, Gain(), Termination()).rows.tolist()
        [[2, 2], [3, 1]]
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method trials() that proposes partitions.")

    def check(self, criterion: Criterion) -> None:
        """Raise an error for a criterion or a setting that growing from tables does not support.

        Parameters
        ----------
        criterion : Criterion
            The branching criterion, choice 2.

        Raises
        ------
        ParameterError

        Examples
        --------
        >>> from boxwood import Binary, Gain
        >>> Binary(pool_above=3).check(Gain())
        Traceback (most recent call last):
        boxwood.errors.ParameterError: min_samples_level, pool_above and correct_levels go only with ...
        """

    def check_search(self, termination: Termination, missing: Missing) -> None:
        """Raise an error for limits and policies that the search in the kernel does not support.

        Parameters
        ----------
        termination : Termination
            The limits of size, choice 3.
        missing : Missing
            The policy for missing values.

        Raises
        ------
        ParameterError

        Examples
        --------
        >>> from boxwood import Merged, Termination
        >>> from boxwood.growing.missing import Missing
        >>> Merged().check_search(Termination(), Missing("majority"))
        Traceback (most recent call last):
        boxwood.errors.ParameterError: missing='majority' does not go with merged branches; use one of ...
        """


@dataclass(frozen=True)
class Binary(Branching):
    """Choice 1, the number of branches: two. A nominal feature is split into two sets of levels.

    Attributes
    ----------
    exhaustive_levels : int
        With three or more classes, every subset is tried if at most this many levels are present. With more levels,
        they are ordered along the principal direction of their class proportions (Coppersmith et al., 1999), and the
        node is marked as heuristic.
    min_samples_level, pool_above : int
        If a feature has more than ``pool_above`` levels, those with fewer than ``min_samples_level`` rows in the node
        are pooled before the search.
    correct_levels : bool
        Before features are compared, subtract what k unrelated levels would gain by chance: (k - 2) (2 / pi) I(t) /
        N_t.

    Examples
    --------
    >>> from boxwood import Binary, TreeClassifier
    >>> model = TreeClassifier(branching=Binary(exhaustive_levels=4), criterion="gain_ratio")
    >>> model.fit({"city": ["Ulm", "京都", "서울"]}, ["no", "yes", "no"]).tree_.heuristic.tolist()
    [False, False, False]
    """

    search: ClassVar[str] = "binary"
    tabled: ClassVar[tuple[str, ...]] = ("fractional",)
    policies: ClassVar[tuple[str, ...]] = ("error", "majority", "own_branch", "surrogate", "learned")

    exhaustive_levels: int = 10
    min_samples_level: int = 1
    pool_above: int = 0
    correct_levels: bool = False

    def __post_init__(self) -> None:
        check_whole(self, "exhaustive_levels", 2)
        check_whole(self, "min_samples_level", 1)
        check_whole(self, "pool_above", 0)
        check_flag(self, "correct_levels")

    def trials(self, node: NodeTable, criterion: Criterion, termination: Termination) -> Trials:
        if node.feature.feature.type.has_cuts:
            return criterion.cuts(node)
        ordering_is_exact = criterion.is_decrease and len(node.response.labels) <= 2
        return sets(node.table, node.response.place(node.moments), self.exhaustive_levels, ordering_is_exact)

    def check(self, criterion: Criterion) -> None:
        if self != Binary(self.exhaustive_levels):
            raise ParameterError(
                Setting("min_samples_level"), ", ", Setting("pool_above"), " and ", Setting("correct_levels"),
                " go only with the measures of impurity; ",
                remedy("leave them out, or use ", Setting("criterion", "gini"), ", 'entropy', 'error', 'variance' or "
                "'poisson'."),
            )  # fmt: skip

    def check_search(self, termination: Termination, missing: Missing) -> None:
        limits = ("min_branch_weight", *OF_CASES)
        use = remedy("use ", Setting("min_samples_leaf"), ".")
        termination.refuse(limits, " do not go with a measure of impurity; ", use)
        missing.check((*self.policies, *self.tabled), "two branches")


@dataclass(frozen=True)
class Multiway(Branching):
    """Choice 1, the number of branches: one for each level of a nominal feature; other features are split in two.

    Attributes
    ----------
    once : bool
        Test a nominal feature at most once on a path (step 6 of ID3; C4.5).
    grouping : bool
        Merge the levels of a nominal feature into groups by hill climbing before it is scored. The feature can be
        tested again further down (C4.5's option -s).
    ordinal_levels : bool
        Also make one branch for each level of an ordinal feature, instead of a threshold (CLS, ID3).
    one_level : bool
        Split a nominal feature into one level and the rest, instead of one branch for each level. The feature can be
        tested again further down (J48's option -B).

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
    one_level: bool = False

    def __post_init__(self) -> None:
        check_flag(self, "once", "grouping", "ordinal_levels", "one_level")

    @property
    def search(self) -> str | None:
        return None if self.one_level else "multiway"

    def has_branch_per_level(self, feature: Feature) -> bool:
        return bool(feature.levels) and (self.ordinal_levels or not feature.type.has_cuts)

    def trials(self, node: NodeTable, criterion: Criterion, termination: Termination) -> Trials:
        feature = node.feature.feature
        if not self.has_branch_per_level(feature):
            return criterion.cuts(node)
        if not self.is_grouped(feature):
            return levels(node.table, len(feature.levels))
        if self.one_level:
            return single_levels(node.table)
        gain = criterion.gain
        climb = {} if gain is None else {"ratio": gain.ratio, "slack": gain.slack}
        climb |= {"least": termination.min_branch_weight, "total": node.total}
        return groups(node.table, node.moments, len(feature.levels), climb)

    def check(self, criterion: Criterion) -> None:
        if self.grouping and self.one_level:
            both = Setting("grouping"), " and ", Setting("one_level")
            raise ParameterError(*both, " are two ways to split a nominal feature; ", remedy("choose one of them."))
        if criterion.gain is None and (self.one_level or self.grouping):
            use = remedy("use ", Setting("criterion", "gain"), " or 'gain_ratio' with it.")
            if self.one_level:
                raise ParameterError(Setting("one_level"), " chooses a level by gain; ", use)
            raise ParameterError(Setting("grouping"), " of levels climbs by gain; ", use)

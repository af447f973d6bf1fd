"""The parameters of CHAID, each declared once with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING, TARGET_CLASS
from .shared_parameters import IDENTIFIERS, LOSS, LOSS_OF_NUMBERS, MAX_COMPETITORS, MAX_DEPTH, PRUNING, SMOOTHING

_MERGING = (
    Parameter(
        "exhaustive", "flag", False, "merge down to two groups, then keep the most significant grouping",
        doc="""
        Merge the categories of a feature down to two groups, then keep the most significant grouping (Biggs et al.,
        1991). ``alpha_merge`` is ignored.
        """,
    ),
    Parameter(
        "alpha_merge", "real", 0.05, "merge the most similar pair of groups while its p-value is above this",
        low=0.0, high=1.0,
        doc="""
        Merge the most similar pair of groups as long as its p-value is above this.
        """,
    ),
    Parameter(
        "alpha_split", "real", 0.05, "split a node if the adjusted p-value is at most this", low=0.0, high=1.0,
        doc="""
        Split a node if the adjusted p-value of its best feature is at most this.
        """,
    ),
    Parameter(
        "split_merged", "flag", False, "try to split merged groups of three or more categories",
        doc="""
        After each merge, split the new group again if the split is significant (groups of three or more categories).
        """,
    ),
    Parameter(
        "alpha_split_merged", "real", 0.05, "split a merged group again if the p-value is at most this",
        low=0.0, high=1.0,
        doc="""
        Split a merged group again if the p-value of the split is at most this. It must not exceed ``alpha_merge``.
        """,
    ),
    Parameter(
        "bonferroni", "flag", True, "adjust p-values for the number of ways to merge the categories",
        doc="""
        Multiply each p-value by the number of ways in which the categories could have been merged.
        """,
    ),
    Parameter(
        "multiplier", "choice", "spss", "Bonferroni multiplier of nominal features, for exhaustive merging",
        choices=("spss", "biggs"),
        doc="""
        With ``exhaustive``, the Bonferroni multiplier of a nominal feature with I categories:
        - "spss": I (I^2 - 1) / 2.
        - "biggs": I (I^2 - 1) / 6.
        """,
    ),
    Parameter(
        "rank_by", "choice", "p", "compare features by adjusted p-value, or by its logarithm",
        choices=("p", "log_p"),
        doc="""
        How features are compared:
        - "p": by the adjusted p-value; if two p-values are within 1e-12 of each other, by the statistic.
        - "log_p": by the logarithm of the adjusted p-value, which distinguishes very small values.
        """,
    ),
    Parameter(
        "n_bins", "integer", 10, "maximum number of bins of a numeric feature", low=2, high=1000,
        doc="""
        Before growing, a numeric feature is divided into at most this many ordered bins with about equal numbers of
        rows.
        """,
    ),
    Parameter(
        "min_segment", "count", 0, "merge groups with fewer cases before features are compared; 0 = off", low=0,
        doc="""
        Groups with fewer cases are merged before features are compared. A float in (0, 1) is a proportion of all cases.
        """,
    ),
)  # fmt: skip

_GROWING = (
    replace(MAX_DEPTH, default=3),
    Parameter(
        "min_samples_split", "count", 100, "minimum number of cases in a node that is split", low=2,
        doc="""
        Minimum number of cases in a node that is split; a weight of 3 counts as 3 cases. A float in (0, 1) is a
        proportion of all cases.
        """,
    ),
    Parameter(
        "min_samples_leaf", "count", 50, "minimum number of cases in each branch", low=1,
        doc="""
        Minimum number of cases in each branch; a smaller branch is merged with the most similar one. A float in (0, 1)
        is a proportion of all cases.
        """,
    ),
    replace(
        MAX_COMPETITORS,
        doc="""
        Number of competing features stored at each node, with their merged groups.
        """,
    ),
)  # fmt: skip

_REST = (
    Parameter(
        "weights", "choice", "frequency", "what sample weights mean: frequencies, or importance of cases",
        choices=("frequency", "case"),
        doc="""
        What ``sample_weight`` means:
        - "frequency": the number of times that a row counts, also in the test.
        - "case": the importance of a row. It affects the expected counts or means of the test, but not the number of
          cases.
        """,
    ),
    Parameter(
        "missing", "choice", "floating",
        "treat missing values as a category that may merge with any group, or raise an error",
        choices=("floating", "error"),
        doc="""
        How missing values are treated:
        - "floating": as a separate category. In a nominal feature it merges like any other category; in an ordered
          feature it merges with the most similar group.
        - "error": raise MissingValueError, also for infinite numbers.
        """,
    ),
    Parameter(
        "unseen", "choice", "stay", "how to route a level that did not occur in training",
        choices=("stay", "majority", "missing", "error"),
        doc="""
        How a row is routed when it has a category that did not occur at a node in training:
        - "stay": stop at the node and predict from it.
        - "majority": follow the branch with the largest training weight.
        - "missing": treat the category as a missing value.
        - "error": raise UnseenLevelError for levels that did not occur in training at all.
        """,
    ),
    IDENTIFIERS,
    PRUNING,
    *RUNNING,
)  # fmt: skip

_OF_CLASSES = (
    LOSS,
    replace(SMOOTHING, default="auto"),
    TARGET_CLASS,
    Parameter(
        "test", "choice", "pearson", "chi-squared statistic", choices=("pearson", "likelihood_ratio"),
        aliases=(("lr", "likelihood_ratio"),),
        doc="""
        Chi-squared statistic: "pearson" or "likelihood_ratio" (also called "lr").
        """,
    ),
    Parameter(
        "ordinal_target", "free", None, "None, true or a list of scores, for ordered classes",
        type="list of float, bool or None",
        doc="""
        Treat the classes as ordered. True assigns the scores 1, 2, ... in the order of ``classes_``; a list gives the
        score of each class. Groups are then compared by a row-effects model.
        """,
    ),
    Parameter(
        "max_iterations", "integer", 100, "maximum number of iterations when fitting expected counts", low=1,
        doc="""
        Maximum number of iterations when expected counts are fitted, for case weights or an ordinal target.
        """,
    ),
    Parameter(
        "tolerance", "real", 1e-3, "stop fitting when no expected count changes by more than this", low=0.0,
        doc="""
        Stop fitting when no expected count changes by more than this.
        """,
    ),
)  # fmt: skip

CLASSIFICATION = (*_MERGING, *_OF_CLASSES, *_GROWING, *_REST)

REGRESSION = (*_MERGING, LOSS_OF_NUMBERS, *_GROWING, *_REST)

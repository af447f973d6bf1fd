"""The parameters of CHAID, each declared once with its range, default, help and documentation."""

from __future__ import annotations

from dataclasses import replace

from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING
from .shared_parameters import IDENTIFIERS, MAX_COMPETITORS, MAX_DEPTH, PRUNING

_MERGING = (
    Parameter(
        "exhaustive", "flag", False, "merge down to two groups and keep the most significant stage",
        doc="""
        Merge the categories of a feature down to two groups and keep the most significant stage (Biggs et al. 1991).
        ``alpha_merge`` is not used then.
        """,
    ),
    Parameter(
        "alpha_merge", "real", 0.05, "the most similar pair is merged when its p is above this", low=0.0, high=1.0,
        doc="""
        The most similar pair of groups is merged as long as its p is above this.
        """,
    ),
    Parameter(
        "alpha_split", "real", 0.05, "a node is split when the adjusted p is at most this", low=0.0, high=1.0,
        doc="""
        A node is split when the adjusted p of its best feature is at most this.
        """,
    ),
    Parameter(
        "split_merged", "flag", False, "cut merged groups of three or more categories again",
        doc="""
        After each merge, cut the new group again where that is significant (groups of three or more categories).
        """,
    ),
    Parameter(
        "alpha_split_merged", "real", 0.05, "a merged group is cut again when p is at most this", low=0.0, high=1.0,
        doc="""
        A merged group is cut again when the p of the cut is at most this; at most ``alpha_merge``.
        """,
    ),
    Parameter(
        "bonferroni", "flag", True, "adjust p for the number of ways to merge the categories",
        doc="""
        Multiply p by the number of ways in which the categories could have been merged.
        """,
    ),
    Parameter(
        "multiplier", "choice", "spss", "exhaustive merging: Bonferroni multiplier of nominal features",
        choices=("spss", "biggs"),
        doc="""
        With ``exhaustive``, the Bonferroni multiplier of a nominal feature with I categories:
        - "spss": I (I^2 - 1) / 2.
        - "biggs": I (I^2 - 1) / 6.
        """,
    ),
    Parameter(
        "rank_by", "choice", "p", "compare features by adjusted p, equal within 1e-12, or by its logarithm",
        choices=("p", "log_p"),
        doc="""
        How features are compared:
        - "p": by adjusted p; those within 1e-12 of each other by their statistic.
        - "log_p": by the logarithm of the adjusted p, which distinguishes the smallest values.
        """,
    ),
    Parameter(
        "n_bins", "integer", 10, "largest number of bins of a numeric feature", low=2, high=1000,
        doc="""
        A numeric feature is cut into at most this many ordered bins of about equal size before growing.
        """,
    ),
    Parameter(
        "min_segment", "count", 0, "smaller groups are merged before features are compared, in cases; 0 = none", low=0,
        doc="""
        Groups with fewer cases are merged before features are compared. A float in (0, 1) is a share of all cases.
        """,
    ),
)  # fmt: skip

_GROWING = (
    replace(MAX_DEPTH, default=3),
    Parameter(
        "min_samples_split", "count", 100, "cases a node needs to be split", low=2,
        doc="""
        Number of cases a node needs to be split; a weight of 3 counts as 3 cases. A float in (0, 1) is a share of all
        cases.
        """,
    ),
    Parameter(
        "min_samples_leaf", "count", 50, "cases each branch must get", low=1,
        doc="""
        Number of cases each branch must get; smaller branches are merged with the most similar one. A float in (0, 1)
        is a share of all cases.
        """,
    ),
    replace(
        MAX_COMPETITORS,
        doc="""
        Number of runner-up features kept at each node, with their merged groups.
        """,
    ),
)  # fmt: skip

_REST = (
    Parameter(
        "weights", "choice", "frequency", "meaning of sample weights: how often a row counts, or its importance",
        choices=("frequency", "case"),
        doc="""
        What ``sample_weight`` means:
        - "frequency": how often a row counts, also in the test.
        - "case": how important a row is. This changes the expected counts or means of the test, but not the number of
          cases.
        """,
    ),
    Parameter(
        "missing", "choice", "floating", "missing values are a category that may merge with any group, or refused",
        choices=("floating", "error"),
        doc="""
        How missing values are treated:
        - "floating": as a category of their own, which merges like any other in a nominal feature, and with the most
          similar group in an ordered one.
        - "error": raise MissingValueError; infinite numbers are refused too.
        """,
    ),
    Parameter(
        "unseen", "choice", "stay", "how to treat a level not seen in training",
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
    Parameter(
        "test", "choice", "pearson", "chi-squared statistic", choices=("pearson", "likelihood_ratio"),
        aliases=(("lr", "likelihood_ratio"),),
        doc="""
        Chi-squared statistic: "pearson" or "likelihood_ratio", of which "lr" is another name.
        """,
    ),
    Parameter(
        "ordinal_target", "free", None, "None, true or a list of scores: classes are ordered",
        type="list of float, bool or None",
        doc="""
        Treat the classes as ordered: True scores them 1, 2, ... in the order of ``classes_``, a list gives a score for
        each. Groups are then compared by a row-effects model.
        """,
    ),
    Parameter(
        "max_iterations", "integer", 100, "largest number of rounds when fitting expected counts", low=1,
        doc="""
        Largest number of rounds in which expected counts are fitted, for case weights or an ordinal target.
        """,
    ),
    Parameter(
        "tolerance", "real", 1e-3, "fitting stops when no expected count changes by more than this", low=0.0,
        doc="""
        Fitting stops when no expected count changes by more than this.
        """,
    ),
)  # fmt: skip

CLASSIFICATION = (*_MERGING, *_OF_CLASSES, *_GROWING, *_REST)

REGRESSION = (*_MERGING, *_GROWING, *_REST)

"""What can be set about CHAID: every parameter once, with its range, default and one line for people."""

from __future__ import annotations

from ..learning.parameters import Parameter
from .shared_parameters import MAX_COMPETITORS, PRUNING, RUNNING

_MERGING = (
    Parameter("exhaustive", "flag", False, "merge down to two groups and keep the most significant stage"),
    Parameter(
        "alpha_merge", "real", 0.05, "the most similar pair is merged when its p is above this", low=0.0, high=1.0
    ),
    Parameter("alpha_split", "real", 0.05, "a node is split when the adjusted p is at most this", low=0.0, high=1.0),
    Parameter("split_merged", "flag", False, "cut merged groups of three or more categories again"),
    Parameter(
        "alpha_split_merged", "real", 0.05, "a merged group is cut again when p is at most this", low=0.0, high=1.0
    ),
    Parameter("bonferroni", "flag", True, "adjust p for the number of ways to merge the categories"),
    Parameter(
        "multiplier",
        "choice",
        "spss",
        "exhaustive merging: Bonferroni multiplier of nominal features",
        choices=("spss", "biggs"),
    ),
    Parameter(
        "rank_by",
        "choice",
        "p",
        "compare features by adjusted p, equal within 1e-12, or by its logarithm",
        choices=("p", "log_p"),
    ),
    Parameter("n_bins", "integer", 10, "most bins a numeric feature is cut into", low=2, high=1000),
    Parameter(
        "min_segment", "count", 0, "smaller groups are merged before features are compared, in cases; 0 = none", low=0
    ),
)

_GROWING = (
    Parameter("max_depth", "integer", 3, "deepest level of the tree", low=1, optional=True),
    Parameter("min_samples_split", "count", 100, "cases a node needs to be split", low=2),
    Parameter("min_samples_leaf", "count", 50, "cases each branch must get", low=1),
    MAX_COMPETITORS,
)

_REST = (
    Parameter(
        "weights",
        "choice",
        "frequency",
        "what sample weights are: how often a row counts, or its importance",
        choices=("frequency", "case"),
    ),
    Parameter(
        "missing",
        "choice",
        "floating",
        "missing values are a category that may merge with any group, or refused",
        choices=("floating", "error"),
    ),
    Parameter(
        "unseen",
        "choice",
        "stay",
        "what to do with a level not seen in training",
        choices=("stay", "majority", "missing", "error"),
    ),
    PRUNING,
    *RUNNING,
)

_OF_CLASSES = (
    Parameter(
        "test",
        "choice",
        "pearson",
        "chi-squared statistic",
        choices=("pearson", "likelihood_ratio"),
        aliases=(("lr", "likelihood_ratio"),),
    ),
    Parameter("ordinal_target", "free", None, "None, true or a list of scores: classes are ordered"),
    Parameter("max_iterations", "integer", 100, "rounds of fitting expected counts", low=1),
    Parameter("tolerance", "real", 1e-3, "fitting stops when no expected count moves by so much", low=0.0),
)

CLASSIFICATION = (*_MERGING, *_OF_CLASSES, *_GROWING, *_REST)

REGRESSION = (*_MERGING, *_GROWING, *_REST)

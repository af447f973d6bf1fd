"""Parameters that every algorithm shares: which columns are nominal, other folds, threads, messages."""

from __future__ import annotations

from .parameters import Parameter

CATEGORICAL_FEATURES = Parameter(
    "categorical_features", "free", "from_dtype", "columns to read as nominal: 'all', names, positions or a mask",
    cli=False, type='"from_dtype", "all", None, or list of names, of positions or of booleans',
    doc="""
    Columns to read as nominal. "from_dtype" takes columns of strings, categories and booleans.
    """,
)  # fmt: skip
RANDOM_STATE = Parameter(
    "random_state", "integer", None, "a number draws other folds; trees have no randomness", low=0, high=2**64 - 1,
    optional=True, type="int, RandomState, Generator or None",
    doc="""
    Draws other folds for cross-validation. Nothing else is random.
    """,
)  # fmt: skip
N_JOBS = Parameter(
    "n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True,
    doc="""
    Number of threads. None and -1 use all cores. The result never depends on it.
    """,
)  # fmt: skip
VERBOSE = Parameter(
    "verbose", "integer", 0, "1 reports progress", low=0,
    doc="""
    1 reports progress on stderr.
    """,
)  # fmt: skip

RUNNING = (CATEGORICAL_FEATURES, RANDOM_STATE, N_JOBS, VERBOSE)

"""Parameters that every algorithm shares: reading of columns, folds, threads, messages."""

from __future__ import annotations

from .parameters import Parameter

CATEGORICAL_FEATURES = Parameter(
    "categorical_features", "free", "from_dtype", "columns to read as nominal: 'all', names, positions or a mask",
    cli=False, type='"from_dtype", "all", None, or list of names, of positions or of booleans',
    doc="""
    Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    """,
)  # fmt: skip
NUMERIC_FEATURES = Parameter(
    "numeric_features", "free", None, "columns of text that hold numbers: names, or dict of column -> form", cli=False,
    type="list of names, dict of column -> str, or None",
    doc="""
    Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md). A dict also
    gives the number 1234.5 as a column writes it, as in ``{"price": "1.234,5 €"}``.
    """,
)  # fmt: skip
DATE_FORMATS = Parameter(
    "date_formats", "free", None, "columns of text that hold dates or times: dict of column -> format", cli=False,
    type="dict of column -> str, or None",
    doc="""
    Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as in
    ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    """,
)  # fmt: skip
ORDINAL_FEATURES = Parameter(
    "ordinal_features", "free", None, "ordinal columns: dict of column -> list of levels in order", cli=False,
    type="dict of column -> list of levels, or None",
    doc="""
    Columns to treat as ordinal, each with its levels in order, as in ``{"size": ["S", "M", "L"]}``. Levels that the
    list lacks are an error. Ordered categories of pandas and polars need no declaration (docs/nominal.md).
    """,
)  # fmt: skip
MISSING_VALUES = Parameter(
    "missing_values", "free", None, "codes that mean a missing value: text, number, list, or dict by column",
    cli=False, type="str, number, list of these, dict of column -> such a list, or None",
    doc="""
    Codes that mean a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single columns.
    The model stores them and applies them to new data. A column of strings becomes numeric if all remaining values are
    numbers (docs/tables.md).
    """,
)  # fmt: skip
MISSING_TARGET = Parameter(
    "missing_target", "choice", "error", "rows without a response: an error, or 'drop' them", cli=False,
    choices=("error", "drop"),
    doc="""
    How to treat rows in which y is missing:
    - "error": raise ResponseError; the message gives their number.
    - "drop": omit them.
    """,
)  # fmt: skip
TARGET_CLASS = Parameter(
    "target_class", "label", None, "the class of interest; none = the rarer of two classes", type="label or None",
    doc="""
    Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
    """,
)  # fmt: skip
RANDOM_STATE = Parameter(
    "random_state", "integer", None, "seed of the cross-validation folds; nothing else is random",
    low=0, high=2**64 - 1,
    optional=True, type="int, RandomState, Generator or None",
    doc="""
    Seed of the cross-validation folds. Nothing else is random.
    """,
)  # fmt: skip
N_JOBS = Parameter(
    "n_jobs", "integer", None, "number of threads; -1 or none: all cores", low=-1, optional=True,
    doc="""
    Number of threads. None and -1 use all cores. The result does not depend on it.
    """,
)  # fmt: skip
VERBOSE = Parameter(
    "verbose", "integer", 0, "1: report progress and findings of a check of the data", low=0,
    doc="""
    With 1, report progress and the findings of a check of the data (docs/data_check.md) on stderr.
    """,
)  # fmt: skip

READING = (CATEGORICAL_FEATURES, NUMERIC_FEATURES, ORDINAL_FEATURES, DATE_FORMATS, MISSING_VALUES, MISSING_TARGET)
RUNNING = (*READING, RANDOM_STATE, N_JOBS, VERBOSE)

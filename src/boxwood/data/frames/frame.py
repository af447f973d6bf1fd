"""From X to columns: finds the kind of every feature in training, and reads later data by the same schema.

The written rule, by the type of a column:

===========================================  ========  =====================================================
column                                       kind      levels
===========================================  ========  =====================================================
floats, integers, decimals                   numeric
booleans                                     nominal   False, True
strings                                      nominal   distinct strings, sorted by code point
pandas category, Arrow dictionary            nominal   those declared that occur, sorted: numbers and booleans by
                                                       value, then strings by code point
the same declared ordered, polars Enum       ordinal   those declared that occur, in their order
polars Categorical                           nominal   like strings
Python objects                               by their values: all numbers (booleans among them count as 0 and
                                             1) numeric, all booleans or all strings nominal, a mixture of
                                             strings and numbers refused
no values at all                             numeric   (whatever comes at prediction counts as missing)
datetimes, dates, times of day, durations    numeric inside, whole numbers of their unit (:mod:`.temporal`)
complex, lists, bytes                        refused
===========================================  ========  =====================================================

``categorical_features`` overrides it: listed columns are nominal (an ordered category stays ordinal), the levels of a
listed column of numbers being its sorted distinct values, of dates their texts; infinity cannot be a level. With a
list, or None, a category column of numbers that is not listed is numeric, as in scikit-learn. Strings that all are
numbers or dates in one format (:mod:`.number_forms`, :mod:`.date_forms`) are read as such. Strings that look like plain
numbers, or are dates in several formats, stay strings, and 20210314 stays a number. A KindWarning names all of these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..._messages import must_be
from ...errors import DataError, ParameterError
from ..columns.columns import Columns, Matrix
from ..columns.days_in_numbers import noted
from ..columns.declared_readings import orders_of_columns
from ..columns.instants import as_instants
from ..columns.kinds.kind import ByKind
from ..columns.learned_features import declared_column, learn_feature, new_numbers, read_by_form, refuse_twice
from ..columns.levels import as_numbers, match_levels
from ..columns.matrices import coded_columns
from ..columns.missing_codes import (
    codes_of_columns,
    numeric_columns,
    taken_rows,
    text_to_numbers,
    without_codes,
)
from ..columns.names import check_names, declared_nominal, find_columns
from ..columns.raw import EMPTY, STRINGS, RawColumn, as_strings
from ..columns.schema import NAMES_ROWS, NUMBERS_IN_TEXT, NUMERIC, Feature, Schema
from ..columns.time_texts import forms_of_columns
from ..columns.zero_one import with_zero_one
from .alignment import check_aligned
from .config import finds_by_name
from .containers import as_table
from .one_row import named_row
from .table import TableReader
from .weights import check_lengths
from .zero_copy import zero_copy_columns


def learn_columns(
    X, categorical_features="from_dtype", missing_values=None, keep: np.ndarray | None = None, numeric_features=None,
    date_formats=None, declared_levels: bool = False, ordinal_features=None,
) -> Columns:  # fmt: skip
    """Read training data and find the kind of every feature by the rule of this module.

    Parameters
    ----------
    X : table of shape (n, p)
        numpy array, pandas, polars or pyarrow data frame, list of rows (lists or dictionaries), or dictionary of
        columns. It is never changed; an array of float64 or float32 is looked at in place, not copied.
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to take as nominal.
    missing_values : text, number, list of these, dict of column -> such a list, or None
        Codes that mean a missing value (:mod:`.missing_codes`); the features remember them.
    keep : bool, shape (n,), optional
        The rows to learn from; None = all.
    numeric_features : list of names, or dict of column -> form, optional
        Columns of text that hold numbers; a form is the number 1234.5 as a column writes it.
    date_formats : dict of column -> format, optional
        Columns of text that hold dates or times (:mod:`.time_texts`).
    declared_levels : bool
        Nominal levels that are declared, but that no row has, are levels too.
    ordinal_features : dict of column -> list of levels, optional
        Ordinal columns and the order of their levels.

    Returns
    -------
    Columns

    Raises
    ------
    DataError, DataTypeError
        The data cannot be used; the message names the column, row and value.
    ParameterError
        ``categorical_features`` does not fit the data.

    Examples
    --------
    >>> from boxwood.data.frames.frame import learn_columns
    >>> columns = learn_columns({"age": [31, 25, None], "city": ["北京", "Wien", "北京"]})
    >>> [(f.name, f.kind, f.levels) for f in columns.schema]
    [('age', 'numeric', ()), ('city', 'nominal', ('Wien', '北京'))]
    """
    by_type = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    table = as_table(X)
    by_kind = by_type or categorical_features is None
    as_typed = missing_values is None and numeric_features is None and date_formats is None and ordinal_features is None
    if as_typed and by_kind:
        found = table.numeric() if keep is None else table.sparse()
        if found is not None:
            return noted(with_zero_one(found) if keep is None else found.take(keep))
    codes = codes_of_columns(missing_values, table.names)
    table = table.without_objects(codes)
    if keep is not None:
        check_lengths(table.n, len(keep))
    listed = frozenset() if by_kind else declared_nominal(categorical_features, table.names, table.named)
    learned, numeric = [], numeric_columns(numeric_features, table.names)
    forms = forms_of_columns(date_formats, table.names)
    orders = {} if ordinal_features is None else orders_of_columns(ordinal_features, table.names)
    if numeric or forms or orders:
        refuse_twice(table.names, numeric, forms, orders, listed)
    for j, name in enumerate(table.names):
        column, declared = table.column(j), j in listed
        if keep is not None:
            column = taken_rows(column, keep)
        of_column = codes.get(name, ())
        column = without_codes(column, of_column) if of_column else column
        if name in numeric or name in forms or name in orders:
            column = declared_column(name, column, (numeric, forms, orders), of_column)
        elif column.why == STRINGS and not declared:
            column = read_by_form(name, column, of_column)
        learned.append(learn_feature(name, column, declared, by_type, declared_levels))
    features, values, low = zip(*learned, strict=True)
    schema = Schema(features, table.named)
    n = table.n if keep is None else int(keep.sum())
    return Columns(schema.with_codes(codes) if codes else schema, n, values, low, {})


def read_columns(X, schema: Schema, estimator: str = "this model", match: str | None = None) -> Columns:
    """Read data by the schema learned from the training data.

    Parameters
    ----------
    X : table of shape (n, p)
        Any container that ``learn_columns`` takes, not necessarily the one of training; or one row: a dictionary of
        single values, or a series of pandas, whose values are found by name.
    schema : Schema
    estimator : str
        Name of the model in messages.
    match : {"all", "name"}, optional
        By default as :func:`boxwood.set_config` has it. "all": the same columns in the same order, as scikit-learn
        requires. "name": columns are picked by name, others are ignored; when the data or the schema have no names this
        is the same as "all".

    Returns
    -------
    Columns
        Levels not seen in training have code -2 and are counted in ``unseen``.

    Raises
    ------
    ColumnError
        Lists the names that are missing, extra or in another order.
    DataError
        Another number of columns than in training.
    DataTypeError
        A numeric feature holds a string; the message names column, row and value.
    ParameterError
        ``match`` is something else.
    """
    if match is None:
        match = "name" if finds_by_name() else "all"
    elif match not in ("all", "name"):
        raise ParameterError(must_be("match", "'all' or 'name'", match))
    row = named_row(X, schema.names)
    X = X if row is None else row
    table = as_table(X)
    by_name = (match == "name" or schema.lacks_only_identifiers(table.names)) and schema.named and table.named
    as_given = not (schema.identifiers or schema.has_codes)
    if schema.is_numeric and as_given and (not by_name or table.names == schema.names):
        matrix = table.matrix
        if matrix is not None:
            _positions(table, schema, False, estimator)
            return Matrix(schema, matrix)
    positions = _positions(table, schema, by_name, estimator)
    if schema.is_numeric and not schema.has_codes:
        sparse = table.sparse(positions if by_name else None)
        if sparse is not None:
            return sparse.of_schema(schema)
    columns = table.in_place() if as_given else None
    if columns is None:
        check_aligned(X=X)
        return _read(_without_codes(table, schema) if schema.has_codes else table, positions, schema)
    read = partial(_read_whole, table, positions, schema)
    found = zero_copy_columns(table.n, [columns[j] for j in positions], schema, read)
    return read() if found is None else found


def _without_codes(table: TableReader, schema: Schema) -> TableReader:
    """A table to read by a schema, its columns without the codes of the features."""
    codes = {feature.name: feature.missing_values for feature in schema if feature.missing_values}
    by_name = table.named and schema.named
    numbers = (f for f in schema if f.kind == NUMERIC and (f.missing_values or f.why == NUMBERS_IN_TEXT))
    in_text = {f.name: None if f.written is None else f.written.form for f in numbers}

    def change(j: int, column: RawColumn) -> RawColumn:
        feature = table.names[j] if by_name else schema[j].name if j < len(schema) else ""
        of_column = codes.get(feature, ())
        column = without_codes(column, of_column)
        if feature not in in_text:
            return column
        column, form = as_strings(column), in_text[feature]
        return text_to_numbers(column) if form is None else without_codes(new_numbers(column, form), of_column)

    return table.without_objects(codes).changed(change)


def _positions(table: TableReader, schema: Schema, by_name: bool, estimator: str) -> list[int] | range:
    """The column of each feature, after a look at the names and their number."""
    if by_name:
        return find_columns(table.names, schema)
    check_names(table.names, table.named, schema, estimator)
    if len(table.names) != len(schema):
        raise DataError(
            f"X has {len(table.names)} features, but {estimator} is expecting {len(schema)} features as input."
        )
    return range(len(schema))


def describe(schema: Schema, columns: Columns) -> list[dict]:
    """What was read, one dictionary per feature: name, kind, why, levels (how many), missing (how many rows).

    Examples
    --------
    >>> from boxwood.data.frames.frame import describe, learn_columns
    >>> columns = learn_columns({"age": [31.0, None]})
    >>> describe(columns.schema, columns)
    [{'name': 'age', 'kind': 'numeric', 'why': 'numbers', 'levels': 0, 'missing': 1}]
    """
    return [
        {
            "name": feature.name,
            "kind": feature.kind_name,
            "why": feature.reason,
            "levels": len(feature.levels),
            "missing": int(np.count_nonzero(columns.missing(j))),
        }
        for j, feature in enumerate(schema)
    ]


def _read_whole(table: TableReader, positions, schema: Schema) -> Columns:
    """The columns of a table at ``positions``, one for each feature, all values made."""
    columns = None if table.named or table.matrix is None else coded_columns(table.matrix, schema)
    return _read(table, positions, schema) if columns is None else columns


def _read(table: TableReader, positions, schema: Schema) -> Columns:
    """The columns of a table at ``positions``, one for each feature."""
    values, low, unseen = [], [], {}
    for j, feature in zip(positions, schema, strict=True):
        if feature.why == NAMES_ROWS:  # whatever is there
            numbers, rest = np.zeros(table.n), None
        elif feature.why == EMPTY:  # no tree can split on it, so its values need not be understood
            numbers, rest = np.full(table.n, np.nan), None
        else:
            numbers, rest, new = _READERS.of(feature)(table.column(j), feature)
            if new:
                unseen[feature.name] = new
        values.append(numbers)
        low.append(rest)
    return Columns(schema, table.n, tuple(values), tuple(low), unseen)


def _numbers(column: RawColumn, feature: Feature) -> tuple:
    return *as_numbers(column), {}


def _times(column: RawColumn, feature: Feature) -> tuple:
    return *as_instants(column, feature), {}


def _levels(column: RawColumn, feature: Feature) -> tuple:
    codes, new = match_levels(column, feature)
    return codes, None, new


#: What reads a column as a feature: values, low parts, and the levels that are new.
_READERS: ByKind[Callable[[RawColumn, Feature], tuple]] = ByKind(
    numeric=_numbers, ordinal=_levels, nominal=_levels, temporal=_times
)

"""The check itself: every column by what its kind may have, then the columns together, then a second table."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from ..._messages import Column, DroppedColumn, Message, remedy
from ...data.columns.columns import Columns
from ...data.columns.date_forms import column_forms
from ...data.columns.identifiers import are_identifiers
from ...data.columns.kinds.kind import ByKind
from ...data.columns.schema import Feature, Schema
from ...data.frames.containers import TableReader, as_table
from ...data.frames.frame import read_columns
from ...errors import BoxwoodWarning, DataError, DataTypeError, KindWarning
from .codes import codes
from .column_values import ColumnValues
from .drift import drifts
from .emptiness import emptiness
from .finding import IMPORTANT, Finding
from .result import DataCheck
from .rows import duplicates
from .sentinels import numeric_sentinels, temporal_sentinels
from .spellings import spellings
from .targets import CheckedClasses, CheckedNumbers, CheckedTarget

_Check = Callable[[ColumnValues], Iterator[Finding]]
#: What columns of each kind are checked for, beside emptiness and leaks.
_OF_KIND: ByKind[tuple[_Check, ...]] = ByKind(
    numeric=(numeric_sentinels, codes), ordinal=(spellings,), nominal=(spellings,), temporal=(temporal_sentinels,)
)
_TARGETS: dict[str, type[CheckedClasses] | type[CheckedNumbers]] = {
    "classification": CheckedClasses, "regression": CheckedNumbers,
}  # fmt: skip


def target_as_read(labels: tuple, y: np.ndarray, name: str) -> CheckedTarget:
    """The same of y that has been read: positions among labels, numbers if there are none, or exposure and events."""
    if y.ndim == 2:
        return CheckedNumbers.of_numbers(y[:, 1] / y[:, 0], name)
    return CheckedClasses.of_codes(labels, y, name) if labels else CheckedNumbers.of_numbers(y, name)


@contextmanager
def kinds_collected() -> Iterator[list[KindWarning]]:
    """The warnings about doubtful kinds of columns that were given in the block; others are given again after it."""
    found: list[KindWarning] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BoxwoodWarning)
        yield found
    for warning in caught:
        if isinstance(warning.message, KindWarning):
            found.append(warning.message)
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def target_of(y, task: str, name: str) -> CheckedTarget:
    """The target of a check.

    Parameters
    ----------
    y : array-like of shape (n,)
    task : {"classification", "regression"}
    name : str
    """
    return _TARGETS[task].of(y, name)


def check_columns(
    columns: Columns, target: CheckedTarget | None = None, against=None, warned: Iterable[KindWarning] = ()
) -> DataCheck:
    """Check columns that have been read.

    Parameters
    ----------
    columns : Columns
    target : CheckedTarget, optional
    against : table, optional
        Newer rows, whose columns are found by name.
    warned : iterable of KindWarning
        Warnings about doubtful kinds, from reading the columns.
    """
    found = [Finding("kind", warning.column, columns.n, warning.message) for warning in warned]
    every = _values(columns)
    found += _of_columns(every, target)
    named = [feature for feature, is_name in zip(columns.schema, are_identifiers(columns), strict=True) if is_name]
    found += [_identifier(feature, columns.n) for feature in named]
    if columns.n:
        found += duplicates(every if target is None else [*every, target.column])
    drift = ()
    if against is not None:
        second, unlike = _second(columns.schema, against, {feature.name for feature in named})
        drift = tuple(drifts(columns, second)) if second is not None else ()
        found += [*unlike, *(finding for one in drift for finding in one.findings())]
    found.sort(key=lambda finding: finding.order)
    name = None if target is None else target.name
    return DataCheck(columns.n, len(columns.schema), name, tuple(found), drift)


def important_findings(columns: Columns, target: CheckedTarget) -> DataCheck:
    """The findings that a fit notes: those that change what its tree means."""
    found = [f for f in _of_columns(_values(columns), target) if f.kind in IMPORTANT]
    found.sort(key=lambda finding: finding.order)
    return DataCheck(columns.n, len(columns.schema), target.name, tuple(found))


def _values(columns: Columns) -> list[ColumnValues]:
    return [ColumnValues.of(feature, values) for feature, values in zip(columns.schema, columns.values, strict=True)]


def _of_columns(every: Sequence[ColumnValues], target: CheckedTarget | None) -> Iterator[Finding]:
    for column in every:
        yield from _of_column(column, target)
    if target is not None:
        for check in _OF_KIND.of(target.column.feature):
            yield from check(target.column)


def _of_column(column: ColumnValues, target: CheckedTarget | None) -> Iterator[Finding]:
    yield from emptiness(column)
    if len(column.values) < 2:
        return
    for check in _OF_KIND.of(column.feature):
        yield from check(column)
    if target is not None:
        yield from target.findings(column)


def _identifier(feature: Feature, n: int) -> Finding:
    message = Message(
        Column(feature.name, "Column"), " names the rows: nearly every row has a value of its own. A tree "
        "makes no use of it; ", remedy("leave it out: ", DroppedColumn(feature.name)), ".",
    )  # fmt: skip
    return Finding("identifier", feature.name, n, message)


def _second(schema: Schema, against, names_of_rows: set[str]) -> tuple[Columns | None, list[Finding]]:
    """The columns of a second table that the first has and that do not name rows, and findings about the others."""
    table = as_table(against)
    if not (schema.named and table.named):
        return read_columns(against, schema), []
    shared = [f for f in schema if f.name in table.names and f.name not in names_of_rows]
    found = [
        Finding("absent", feature.name, table.n, Message(
            Column(feature.name, "Column"), " is not in the second table; ",
            remedy("predictions need it: add it, or leave it out: ", DroppedColumn(feature.name)), ".",
        ))
        for feature in schema if feature.name not in table.names
    ]  # fmt: skip
    while shared:
        try:
            return read_columns(against, Schema(tuple(shared), True), match="name"), found
        except (DataError, DataTypeError) as error:
            unread = [feature for feature in shared if feature.name == error.column]
            if not unread:
                raise
            found.append(_unread(unread[0], error, table))
            shared.remove(unread[0])
    return None, found


def _unread(feature: Feature, error: DataError | DataTypeError, table: TableReader) -> Finding:
    """A column of the second table whose values are not of the kind of the first, with the form of its dates."""
    forms = column_forms(table.column(table.names.index(feature.name))) if feature.temporal else []
    which = f", whose texts are dates of the form {' or '.join(map(repr, forms))}" if forms else ""
    return Finding("unread", feature.name, table.n, Message(error.message, f" This is in the second table{which}."))

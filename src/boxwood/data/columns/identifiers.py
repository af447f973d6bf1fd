"""Columns that name rows instead of describing them: how they are found, and how a fit ignores them.

A column of levels names rows if nearly every row has a level of its own: more than :data:`MOST_DESCRIBED` levels, more
than :data:`SHARE_OF_LEVELS` of them for each row with a value, and no level in :data:`COMMON` rows or more. A column of
numbers names rows if it is a running number: whole numbers, more than :data:`SHARE_OF_NUMBERS` of them for each row
with a value, that fill over a third of the range from the least to the greatest. Measurements have decimals, repeat, or
lie further apart, however many of them differ. A numeric column that has the name of a column without a name, such as
``Unnamed: 0``, names rows in a table of any size if it counts them from 0 or 1 on, each number once.

All rows given count alike, whatever their weight. Beyond 32,768 different numbers a sample of the values shows how many
there are (:mod:`.sample`), in memory as in parts, so that the answer depends only on the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..._messages import Column, Message, Phrase, Setting, remedy
from .columns import Columns, Matrix
from .days_in_numbers import note_on_days
from .distinct import distinct
from .sample import Sample
from .schema import NAMES_ROWS, NOMINAL, NUMERIC, Feature, Schema
from .sparse import SparseColumns

#: So many levels, or different numbers, describe rows. CART pools rare levels of features that have more.
MOST_DESCRIBED = 100
#: A level of so many rows is informative; CART pools levels with fewer.
COMMON = 50
#: More different levels, or numbers, than this share of the rows with a value name rows.
SHARE_OF_LEVELS, SHARE_OF_NUMBERS = 0.9, 0.97
#: A column with more levels than this draws a warning when it is learned from.
MANY_LEVELS = 1000
#: Doubles distinguish whole numbers up to here.
MOST_WHOLE = 2.0**53

#: What programs call a first column without a name: pandas, R, data.table and boxwood itself.
NAMELESS = frozenset({"Unnamed: 0", "Unnamed: 0.1", "X", "X.1", "...1", "V1", "column_1"})

#: So many values identify most measurements; beyond so many rows repeats are first looked for in a part of them.
_HEAD, _FEW, _ONE_OF = 64, 1 << 13, 16


def are_names(rows_of_levels: Sequence[int] | np.ndarray) -> bool:
    """Whether a column of levels names rows, from the number of rows of each level.

    Examples
    --------
    >>> are_names([1] * 200), are_names([1] * 100), are_names([2] * 200)
    (True, False, False)
    """
    rows = np.asarray(rows_of_levels, dtype=np.int64)
    rows = rows[rows > 0]
    return bool(len(rows) > max(MOST_DESCRIBED, SHARE_OF_LEVELS * rows.sum()) and rows.max() < COMMON)


@dataclass
class WholeNumbers:
    """What is known of a column that may hold only whole numbers, from the parts seen so far.

    Attributes
    ----------
    all_whole : bool
    least, greatest : float
    """

    all_whole: bool = True
    least: float = np.inf
    greatest: float = -np.inf

    def add(self, values: np.ndarray) -> None:
        """Look at some values; NaN is left out."""
        self.all_whole = self.all_whole and _all_whole(values)
        if self.all_whole and len(values):
            least, greatest = _ends(values)
            self.least, self.greatest = min(self.least, least), max(self.greatest, greatest)

    def merge(self, other: WholeNumbers) -> None:
        """Look at what is known of other parts."""
        self.all_whole = self.all_whole and other.all_whole
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)

    @property
    def zero_one(self) -> bool:
        """Whether the values are 0 and 1."""
        return self.all_whole and (self.least, self.greatest) == (0.0, 1.0)

    def note_on_days(self, name: str, sample: Sample) -> Phrase:
        """The note on a column whose values may be days such as 20210314, or ""."""
        ends = self.least, self.greatest
        return note_on_days(name, sample.cuts(1 << 12)) if self.all_whole and note_on_days(name, np.array(ends)) else ""

    def run(self, sample: Sample, known: int, name: str = "") -> bool:
        """Whether the values of ``known`` rows are a running number; ``sample``: of these values."""
        if name in NAMELESS and self._count_rows(sample, known):
            return True
        if not (self.all_whole and _may_run(self.least, self.greatest, known)):
            return False
        is_full = self.greatest - self.least + 1.0 < 3.0 * sample.different
        return is_full and sample.different > max(MOST_DESCRIBED, SHARE_OF_NUMBERS * known)

    def _count_rows(self, sample: Sample, known: int) -> bool:
        """Whether the values count so many rows from 0 or 1 on, each once, in any order."""
        span = self.greatest - self.least + 1.0
        return self.all_whole and self.least in (0.0, 1.0) and span == known == sample.different


def are_identifiers(columns: Columns) -> list[bool]:
    """Which columns name rows, one bool per feature."""
    found = _by_values(columns)
    if not NAMELESS.isdisjoint(columns.schema.names):
        for j, feature in enumerate(columns.schema):
            if feature.name in NAMELESS and feature.kind_name == NUMERIC:
                found[j] = found[j] or _runs(_numbers(columns, j), feature.name)
    return found


def _numbers(columns: Columns, j: int) -> np.ndarray:
    if isinstance(columns, Matrix):
        return columns.matrix[:, j]
    return columns.column(j) if isinstance(columns, SparseColumns) else columns.values[j]


def _by_values(columns: Columns) -> list[bool]:
    if columns.n <= MOST_DESCRIBED:
        return [False] * len(columns.schema)
    if isinstance(columns, Matrix):
        # A first row with decimals everywhere rules out most tables. NaN and infinity have no remainder above 0.
        if all(value % 1.0 > 0.0 for value in columns.matrix[0].tolist()):
            return [False] * len(columns.schema)
        return [maybe and _runs(columns.matrix[:, j]) for j, maybe in enumerate(_likely(columns.matrix).tolist())]
    if isinstance(columns, SparseColumns):  # zeros repeat: only columns with few of them can run
        most = (1.0 - SHARE_OF_NUMBERS) * columns.n + 1
        zeros = columns.n - np.diff(columns.by_column.starts)
        return [few and _runs(columns.column(j)) for j, few in enumerate((zeros <= most).tolist())]
    given = zip(columns.schema, columns.values, strict=True)
    return [_names(feature, v) for feature, v in given]


def _names(feature: Feature, values: np.ndarray) -> bool:
    if feature.kind_name == NUMERIC:  # one date after the other is a time, not a name
        return _runs(values)
    return feature.kind == NOMINAL and _name_rows(values, len(feature.levels))


def _likely(matrix: np.ndarray) -> np.ndarray:
    """Columns of a matrix that a look at all of them at once does not rule out, bool, shape (p,)."""
    whole = np.ones(matrix.shape[1], dtype=bool)
    if matrix.dtype.kind == "f":
        down = np.trunc(matrix[:_HEAD])
        whole = ~((down < matrix[:_HEAD]) | (down > matrix[:_HEAD])).any(axis=0)
    if len(matrix) > _FEW or not whole.any():
        return whole
    with np.errstate(invalid="ignore"):
        least, greatest = (ends.astype(np.float64) for ends in (matrix.min(axis=0), matrix.max(axis=0)))
        return whole & (np.isnan(least) | _may_run(least, greatest, len(matrix)))


def _name_rows(codes: np.ndarray, n_levels: int) -> bool:
    return n_levels > MOST_DESCRIBED and are_names(np.bincount(codes[codes >= 0], minlength=n_levels))


def _may_run(least, greatest, known: int):
    """Whether ``known`` whole numbers with these ends can be a running number."""
    span = greatest - least + 1.0
    is_exact = (greatest < MOST_WHOLE) & (least > -MOST_WHOLE)
    return is_exact & (span > max(MOST_DESCRIBED, SHARE_OF_NUMBERS * known)) & (span < 3.0 * known)


def _all_whole(values: np.ndarray) -> bool:
    """Whether all values are whole numbers, or missing; the first values already exclude most measurements."""
    return values.dtype.kind != "f" or all(
        ((np.trunc(some) == some) & np.isfinite(some) | np.isnan(some)).all() for some in (values[:_HEAD], values)
    )


def _ends(values: np.ndarray) -> tuple[float, float]:
    """The least and the greatest value but for NaN; infinities where there is none."""
    least, greatest = float(values.min()), float(values.max())
    if not np.isnan(least):
        return least, greatest
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else (np.inf, -np.inf)


def _runs(values: np.ndarray, name: str = "") -> bool:
    """Whether a column is a running number; a few values already exclude most others."""
    if not _all_whole(values[:_HEAD]) or (len(values) > _FEW and _repeat(values)):
        return False
    known = len(values) - (int(np.count_nonzero(np.isnan(values))) if values.dtype.kind == "f" else 0)
    ends = _ends(values)
    if not (name in NAMELESS or _may_run(*ends, known)) or not _all_whole(values):
        return False
    sample = Sample()
    sample.add(np.ascontiguousarray(values, dtype=np.float64))
    return WholeNumbers(True, *ends).run(sample, known, name)


def _repeat(values: np.ndarray) -> bool:
    """Whether so many of a few values repeat that the column cannot run, whatever the others are."""
    some = values[: len(values) // _ONE_OF]
    some = some[~np.isnan(some)] if some.dtype.kind == "f" else some
    most = (1.0 - SHARE_OF_NUMBERS) + 0.025  # some more than may repeat, since a sample counts different values
    return len(some) - len(distinct(some)) > most * len(values)


def many_levels_note(place: Phrase, n_levels: int, n: int) -> str:
    """The warning about a column of n rows with very many levels that is learned from; "" when there are few."""
    if n_levels <= MANY_LEVELS:
        return ""
    return Message(
        place, f" has {n_levels} different levels in {n} rows. If it is only an identifier, leave it out: a tree can "
        "memorise such a column.",
    )  # fmt: skip


def with_ignored(schema: Schema, names: Sequence[bool], n: int, ignore: bool, warn: Callable[[str], None]) -> Schema:
    """The schema in which features that name rows are marked, if they are to be ignored and others are left.

    Parameters
    ----------
    schema : Schema
    names : sequence of bool
        Which features name rows.
    n : int
        Number of rows.
    ignore : bool
    warn : callable
        Takes a sentence for people about a feature that names rows.
    """
    if not any(names):
        return schema
    marked = ignore and not all(names)
    for feature in (feature for feature, is_name in zip(schema, names, strict=True) if is_name):
        sentence = _identifier_note(feature) if marked else many_levels_note(_place(feature), len(feature.levels), n)
        if sentence:
            warn(sentence)
    if not marked:
        return schema
    features = [
        Feature(feature.name, NUMERIC, (), NAMES_ROWS) if is_name else feature
        for feature, is_name in zip(schema, names, strict=True)
    ]
    return replace(schema, features=tuple(features))


def _place(feature: Feature) -> Column:
    return Column(feature.name, "Column")


def _identifier_note(feature: Feature) -> Message:
    what = "level" if feature.kind == NOMINAL else "number"
    return Message(
        _place(feature), f" looks like an identifier: nearly every row has a different {what}. It is "
        "not used for splits or surrogates, the folds do not depend on it, and new data do not need it. ",
        remedy("To use it, set ", Setting("identifiers", "use"), "."),
    )  # fmt: skip


def blank_identifiers(columns: Columns, schema: Schema) -> Columns:
    """The columns, those that the schema marks with the same value in every row: nothing can be learned from them.

    Parameters
    ----------
    columns : Columns
    schema : Schema
        From :func:`with_ignored`, or of a model.
    """
    if not schema.identifiers:
        return columns
    if isinstance(columns, SparseColumns):
        return columns.without(schema.identifiers).of_schema(schema)
    if isinstance(columns, Matrix):
        matrix = columns.matrix.copy()
        matrix[:, list(schema.identifiers)] = 0
        return Matrix(schema, matrix)
    values, low = list(columns.values), list(columns.low)
    for j in schema.identifiers:
        values[j], low[j] = np.zeros(columns.n), None
    return Columns(schema, columns.n, tuple(values), tuple(low), columns.unseen)

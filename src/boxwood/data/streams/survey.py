"""The type of a column, found part by part: its form, its levels with their counts, and a sample of its numbers.

Summaries of parts merge in any order to the summary of the whole, and result in what :func:`.frame.learn_columns` would
find of all rows at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..._messages import Column, short
from ...errors import DataError, DataTypeError
from ..columns.identifiers import WholeNumbers, are_names
from ..columns.instants import with_resolution
from ..columns.kind_warnings import LevelSummary, kind_warning, refuse_infinite_level
from ..columns.levels import as_numbers, distinct, nominal_feature
from ..columns.raw import BOOLEANS, CATEGORIES, EMPTY, STRINGS, RawColumn, joint_why, level_order
from ..columns.sample import Sample
from ..columns.schema import MISSING, NUMBERS_IN_TEXT, NUMERIC, ORDINAL, Feature
from ..columns.temporal import Temporal, joint_temporal
from ..columns.written_numbers import WrittenNumbers

#: A column may have this many levels; each is kept in memory with its name.
MOST_LEVELS = 1_000_000
_NUMBERS, LISTED, _ORDERED = "numbers", "listed numbers", "ordered categories"
#: Forms of columns of levels; the others hold numbers, or dates and times, which are described by what they are.
_WITH_LEVELS = (BOOLEANS, STRINGS, CATEGORIES, LISTED, _ORDERED)


@dataclass(frozen=True)
class Reading:
    """How a column is to be read, whatever is in it.

    Attributes
    ----------
    declared : bool
        It is listed in ``categorical_features``.
    by_type : bool
        Columns that are not listed have the kind of their type, so that categories of numbers stay categories.
    declared_levels : bool
        Levels that are declared, but that no row has, are levels too.
    """

    declared: bool = False
    by_type: bool = True
    declared_levels: bool = False

    def form_of(self, column: RawColumn) -> str:
        """What a part of the column holds, as text."""
        if column.levels is None:
            if column.why == EMPTY:
                return EMPTY
            if column.temporal is not None:
                return STRINGS if self.declared else column.temporal.described
            return LISTED if self.declared else _NUMBERS
        if column.why in (BOOLEANS, STRINGS):
            return column.why
        if column.ordered:
            return _ORDERED
        return _NUMBERS if self._is_numeric(column) else CATEGORIES

    def _is_numeric(self, column: RawColumn) -> bool:
        if self.declared or self.by_type:
            return False
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in column.levels)


@dataclass(eq=False)
class ColumnSummary:
    """What is known of a column from the parts seen so far.

    Attributes
    ----------
    name : str
    reading : Reading
    n : int
        Rows seen.
    missing : int
        How many of them have no value.
    form : str
        What it holds; "no values" until there is one.
    why : str
        The rule that found the kind.
    integer : bool
        All numbers came as integers or booleans.
    infinite : bool
        There is an infinite number.
    long : bool
        There is a whole number beyond 2**53 that no float64 holds.
    counts : dict
        Level -> rows that have it; levels in the order in which they were seen.
    seen : set
        Levels of the rows that are learned from; others of ``counts`` are declared only, or have no weight.
    place : dict
        Level -> where it was first declared; levels of ordered categories only.
    sample : Sample
        Of its numbers.
    whole : WholeNumbers
        Whether they are whole, and how far they reach.
    temporal : Temporal, optional
        What they count, where they are dates or times.
    written : WrittenNumbers, optional
        The form of the texts that they were.
    """

    name: str
    reading: Reading = Reading()
    n: int = 0
    missing: int = 0
    form: str = EMPTY
    why: str = EMPTY
    integer: bool = True
    infinite: bool = False
    long: bool = False
    counts: dict = field(default_factory=dict)
    seen: set = field(default_factory=set)
    place: dict = field(default_factory=dict)
    sample: Sample = field(default_factory=Sample)
    whole: WholeNumbers = field(default_factory=WholeNumbers)
    temporal: Temporal | None = None
    written: WrittenNumbers | None = None

    def add(self, column: RawColumn, order: tuple[int, int], keep: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Look at a part.

        Parameters
        ----------
        column : RawColumn
        order : tuple of int
            The position of the part among all parts.
        keep : bool, shape (n,), or slice
            The rows to learn from: those of positive weight.

        Returns
        -------
        ndarray of shape (n,)
            Numbers, float32 if it holds all of them and else float64, NaN = missing; or positions in ``counts``,
            int32, -1 = missing. Of a part without values an int32 array of -1. :func:`low_parts` gives what is lost of
            whole numbers beyond 2**53.

        Raises
        ------
        DataError, DataTypeError
            The part holds something else than earlier parts, or too many levels.
        """
        form = self.reading.form_of(column)
        self.n += len(column.values)
        if form == EMPTY:
            self.missing += len(column.values)
            return np.full(len(column.values), MISSING, dtype=np.int32)
        self._join(form, self._why(form, column))
        if form == _NUMBERS:
            return self._numbers(column)
        if form not in _WITH_LEVELS:
            return self._times(column)
        codes = self._levels(column, form, order)
        there = (np.bincount(codes[keep] + 1, minlength=len(self.counts) + 1)[1:] > 0) | self.reading.declared_levels
        self.seen.update(level for level, is_there in zip(self.counts, there, strict=True) if is_there)
        return codes

    def _why(self, form: str, column: RawColumn) -> str:
        return "categories of numbers, not listed" if form == _NUMBERS and column.levels is not None else column.why

    def _join(self, form: str, why: str) -> None:
        if self.form == EMPTY:
            self.form, self.why = form, why
            return
        if form != self.form:
            raise DataTypeError(
                f"Column {short(self.name)} holds {form}, but another part of the data holds {self.form}; "
                "make the column one type in all parts."
            )
        self.why = joint_why(self.why, why)

    def _times(self, column: RawColumn) -> np.ndarray:
        self._join_times(with_resolution(column).temporal)
        return self._seen(column.values, column.low)

    def _join_times(self, found: Temporal | None) -> None:
        self.temporal = found if self.temporal is None or found is None else joint_temporal(self.temporal, found)

    def _numbers(self, column: RawColumn) -> np.ndarray:
        values, low = as_numbers(column)
        self.written = self.written or column.written
        self.integer &= all(isinstance(v, int) for v in column.levels) if column.levels else column.integer
        return self._seen(values, low)

    def _seen(self, values: np.ndarray, low: np.ndarray | None) -> np.ndarray:
        self.long = self.long or low is not None
        look = self.sample.add(values)
        self.whole.add(values)
        self.missing += look.missing
        self.infinite = self.infinite or look.infinite > 0
        return values.astype(np.float32) if look.is_short else values

    def _levels(self, column: RawColumn, form: str, order: tuple[int, int]) -> np.ndarray:
        levels, codes = distinct(column)
        if form == LISTED:
            self.integer &= column.integer
        counted = np.bincount(codes[codes >= 0], minlength=len(levels)).tolist()
        self.missing += len(codes) - sum(counted)
        for level, rows in zip(levels, counted, strict=True):
            self.counts[level] = self.counts.get(level, 0) + rows
        self._refuse_many()
        if form == _ORDERED:
            for i, level in enumerate(levels):
                self.place[level] = min(self.place.get(level, (*order, i)), (*order, i))
        position = {level: i for i, level in enumerate(self.counts)} if len(self.counts) else {}
        table = np.array([position[level] for level in levels] + [MISSING], dtype=np.int32)
        return table[codes]

    def _refuse_many(self) -> None:
        if len(self.counts) > MOST_LEVELS:
            raise DataError(
                f"Column {short(self.name)} has more than {MOST_LEVELS} different levels; drop it, since a tree can "
                "learn nothing from names of single rows."
            )

    def merge(self, other: ColumnSummary) -> None:
        """Look at what another summary of the same column holds; see :meth:`add` for the errors."""
        self.n += other.n
        self.missing += other.missing
        if other.form == EMPTY:
            return
        self._join(other.form, other.why)
        self._join_times(other.temporal)
        self.written = self.written or other.written
        self.integer, self.infinite = self.integer and other.integer, self.infinite or other.infinite
        self.long = self.long or other.long
        for level, rows in other.counts.items():
            self.counts[level] = self.counts.get(level, 0) + rows
        self.seen |= other.seen
        self._refuse_many()
        for level, place in other.place.items():
            self.place[level] = min(self.place.get(level, place), place)
        self.sample.merge(other.sample)
        self.whole.merge(other.whole)

    @property
    def keeps_low(self) -> bool:
        """Whether low parts of its numbers are kept: with numbers of a float type it is a column of floats."""
        return self.long and not (self.form == _NUMBERS and self.why.startswith("float"))

    @property
    def names_rows(self) -> bool:
        """Whether the column names rows instead of describing them (:mod:`.identifiers`)."""
        if self.form == _NUMBERS:
            return self.whole.run(self.sample, self.n - self.missing, self.name)
        if self.form == _ORDERED:
            return False
        return are_names([self.counts[level] for level in self.seen])

    def levels(self) -> tuple:
        """The levels seen in the order of the schema: of ordered categories as declared, else sorted."""
        if self.form == BOOLEANS:
            return (False, True)
        if self.form == _ORDERED:
            return tuple(sorted(self.seen, key=self.place.__getitem__))
        if self.form == LISTED:
            return tuple(sorted({(int if self.integer else float)(level) for level in self.seen}))
        return tuple(sorted(self.seen, key=level_order if self.form == CATEGORIES else None))

    def feature(self, warn: Callable[[str], None]) -> Feature:
        """The feature that the column is; what is doubtful about its kind goes to ``warn``.

        Raises
        ------
        DataError
            A level is infinite.
        """
        if self.form == EMPTY:
            return Feature(self.name, NUMERIC, (), EMPTY)
        if self.form not in _WITH_LEVELS:
            why = NUMBERS_IN_TEXT if self.written else self.why
            are_numbers = self.temporal is None
            zero_one = are_numbers and self.whole.zero_one
            if note := are_numbers and self.whole.note_on_days(self.name, self.sample):
                warn(note)
            return Feature(self.name, NUMERIC, (), why, self.integer, (), self.temporal, self.written, zero_one)
        if not (levels := self.levels()):
            return Feature(self.name, NUMERIC, (), EMPTY)
        for level in levels:
            refuse_infinite_level(Column(self.name, "Column"), level, "")
        if self.form == _ORDERED:
            return Feature(self.name, ORDINAL, levels, self.why)
        warning = kind_warning(self._summary(levels))
        if warning:
            warn(warning)
        return nominal_feature(self.name, levels, "declared" if self.reading.declared else self.why)

    def _summary(self, levels: tuple) -> LevelSummary:
        return LevelSummary(
            Column(self.name, "Column"), self.name, levels, self.n, self.form == STRINGS, self.reading.declared,
            lambda: [self.counts[level] for level in levels],
            lambda odd: ("another row", levels[odd.index(True)]),
        )  # fmt: skip

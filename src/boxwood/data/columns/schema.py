"""What each feature is: its name, its kind, its levels, and why that kind was found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise

from .kinds.kind import MISSING as MISSING
from .kinds.kind import UNSEEN as UNSEEN
from .kinds.kind import Kind
from .kinds.nominal import Nominal
from .kinds.numeric import Numeric
from .kinds.ordinal import Ordinal
from .temporal import Temporal
from .written_numbers import WrittenNumbers

NUMERIC, ORDINAL, NOMINAL = KINDS = Numeric.name, Ordinal.name, Nominal.name
_KINDS: dict[str, Kind] = {NUMERIC: Numeric(), ORDINAL: Ordinal(), NOMINAL: Nominal()}

#: Stored in ``why`` of a feature that is ignored because it names rows (:mod:`.identifiers`); part of the file format.
NAMES_ROWS = "names the rows"
#: Why a column of text is numeric.
NUMBERS_IN_TEXT = "numbers in text"
#: Why a numeric feature is shown as sets of whole numbers: it holds the codes of categories of another program.
CODES = "codes of categories"


#: Digits that are read as one number; more than these would take long.
_DIGITS = re.compile(r"([0-9]{1,18})")


def _natural_key(text: str) -> tuple:
    """The words of a text, and the numbers between them as numbers."""
    return tuple(int(part) if at % 2 else part for at, part in enumerate(_DIGITS.split(text)))


@dataclass(frozen=True)
class Feature:
    """One column of X.

    Attributes
    ----------
    name : str
        Column name; ``x0``, ``x1`` ... when the container has none.
    kind : {"numeric", "ordinal", "nominal"}
        How the feature may be split: by order of its values, by order of its levels, by sets of levels.
    levels : tuple of (str | bool | int | float)
        Ordinal: in declared order; nominal: sorted; numeric: none. Levels are matched by value, never by code.
    why : str
        The rule that found the kind, for people ("float64 column", "strings", "declared").
    integer : bool
        The values came as integers or booleans: thresholds may be shown without decimals.
    missing_values : tuple of (str | int | float)
        Codes that mean a missing value in tables that are read (:mod:`.missing_codes`).
    temporal : Temporal, optional
        What the whole numbers of a feature of dates, times or durations count; to a tree it is numeric.
    written : WrittenNumbers, optional
        The form of the numbers where they are formatted in text, such as 1.234,50 €.
    zero_one : bool
        Its known values in training were 0 and 1: a condition then reads ``item = 1`` instead of ``item > 0.5``.
    """

    name: str
    kind: str
    levels: tuple = ()
    why: str = ""
    integer: bool = False
    missing_values: tuple = ()
    temporal: Temporal | None = None
    written: WrittenNumbers | None = None
    zero_one: bool = False

    @cached_property
    def type(self) -> Kind:
        """The kind as an object; of dates, times and durations ``temporal``, of numbers with a form ``written``."""
        return self.temporal or self.written or _KINDS[self.kind]

    @property
    def kind_name(self) -> str:
        """The kind as people know it: a temporal feature is a datetime, date, time or duration."""
        return self.type.kind_name

    @property
    def reason(self) -> str:
        """``why`` as people read it."""
        return "nearly all values differ" if self.why == NAMES_ROWS else self.why

    @cached_property
    def code_of(self) -> dict:
        """Level -> its code; made when first read, and not pickled."""
        return {level: code for code, level in enumerate(self.levels)}

    def naturally(self, codes: Iterable[int]) -> list[int]:
        """Codes of levels in the order in which people list them: of nominal levels "2" before "10"."""
        return sorted(codes, key=self.natural_rank.__getitem__) if self.natural_rank else list(codes)

    @cached_property
    def natural_rank(self) -> list[int]:
        """The place of each level in that order; empty where it is the order of the codes, or that of the caller."""
        texts = self.kind == NOMINAL and all(isinstance(level, str) for level in self.levels)
        if not texts or any(one > other for one, other in pairwise(self.levels)):
            return []
        keys = [_natural_key(level) for level in self.levels]
        if all(one <= other for one, other in pairwise(keys)):
            return []
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return [code for _, code in sorted(zip(order, range(len(keys)), strict=True))]

    def __getstate__(self) -> dict:
        """The fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class Schema:
    """The features of X in column order.

    Attributes
    ----------
    features : tuple of Feature
    named : bool
        Whether the names came with the data (a data frame) or were made up here (an array).
    """

    features: tuple[Feature, ...]
    named: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names in column order."""
        return tuple(f.name for f in self.features)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether all features are plain numbers; dates are not, since their columns are not numbers as they come."""
        return all(f.kind_name == NUMERIC for f in self.features)

    @cached_property
    def has_codes(self) -> bool:
        """Whether some feature has codes for missing values, or holds numbers in text."""
        return any(f.missing_values or f.why == NUMBERS_IN_TEXT for f in self.features)

    @cached_property
    def identifiers(self) -> tuple[int, ...]:
        """Positions of the features that a learner ignores because they name rows."""
        return tuple(j for j, f in enumerate(self.features) if f.why == NAMES_ROWS)

    @cached_property
    def names_of_rows(self) -> frozenset[str]:
        """Names of the features that a learner ignores because they name rows."""
        return frozenset(self.features[j].name for j in self.identifiers)

    def lacks_only_identifiers(self, names: tuple[str, ...]) -> bool:
        """Whether ``names`` are those of the features in their order but for some that name rows."""
        found = set(names)
        return names != self.names and names == tuple(
            f.name for f in self.features if f.name in found or f.name not in self.names_of_rows
        )

    def with_codes(self, codes: Mapping[str, tuple]) -> Schema:
        """The schema whose features have the codes for missing values that ``codes`` gives by name."""
        if not codes:
            return self
        return replace(self, features=tuple(replace(f, missing_values=codes.get(f.name, ())) for f in self.features))

    @cached_property
    def _marked(self) -> dict[tuple[int, ...], Schema]:
        """What :meth:`with_zero_one` has made: the schema of frames of the same types is kept, and so is this."""
        return {}

    def with_zero_one(self, positions: tuple[int, ...]) -> Schema:
        """The schema that marks the features at some positions as those of 0 and 1."""
        if positions not in self._marked:
            marked = (replace(f, zero_one=True) if j in positions else f for j, f in enumerate(self.features))
            self._marked[positions] = replace(self, features=tuple(marked))
        return self._marked[positions]

    def __getstate__(self) -> dict:
        """The fields alone, so that a pickled tree does not depend on what was read from its schema before."""
        return {"features": self.features, "named": self.named}

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, j: int) -> Feature:
        return self.features[j]

    def __iter__(self):
        return iter(self.features)

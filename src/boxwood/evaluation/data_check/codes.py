"""Whole numbers that are codes of categories, such as postal codes or regions, but would be read as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ..._messages import Message, Setting, remedy
from .column_values import ColumnValues
from .finding import Finding

#: Words in the names of columns of codes.
_NAMES = frozenset((
    "branch", "category", "cluster", "code", "codes", "county", "department", "dept", "district", "filiale", "fips",
    "icd", "id", "industry", "kategorie", "mcc", "naics", "occupation", "plz", "postal", "postcode", "product",
    "region", "sector", "segment", "sic", "sku", "store", "zip", "zipcode",
))  # fmt: skip
_NAMES_OF_CJK = ("编码", "代码", "编号", "邮编", "地区", "郵便", "코드", "지역")
#: Codes by their values: so many different ones at most and at least, each in so many rows on average.
_MOST, _LEAST, _ROWS = 100, 5, 5


def words_of(name: str) -> list[str]:
    """The words of a column's name.

    Examples
    --------
    >>> from boxwood.evaluation.data_check.codes import words_of
    >>> words_of("homeZipCode"), words_of("region_2")
    (['home', 'zip', 'code'], ['region'])
    """
    return re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())


def codes(column: ColumnValues) -> Iterator[Finding]:
    """Whole numbers that the column's name, or their form, shows to be codes."""
    values = column.values
    if len(values) < 3 or not bool((values == np.floor(values)).all()) or values[0] < 0:
        return
    repeated = int(column.counts.sum()) >= 2 * len(values)
    named = any(word in _NAMES for word in words_of(column.name)) or any(w in column.name for w in _NAMES_OF_CJK)
    if not repeated or not (named or _look_like_codes(values, column)):
        return
    message = Message(
        column.column, f" holds {len(values)} different whole numbers, {column.original(0)} to "
        f"{column.original(len(values) - 1)}, that look like codes of categories, but is read as numeric. If their "
        "order means nothing, list it in ", remedy(Setting("categorical_features", [column.name])), ".",
    )  # fmt: skip
    yield Finding("codes", column.name, len(values), message)


def _look_like_codes(values: np.ndarray, column: ColumnValues) -> bool:
    """Whether numbers of one length, three digits or more, lie irregularly and far apart; years do not."""
    if not (_LEAST <= len(values) <= _MOST and column.counts.sum() >= _ROWS * len(values)) or values[-1] >= 2.0**53:
        return False
    least, greatest = int(values[0]), int(values[-1])
    one_length = len(str(least)) == len(str(greatest)) >= 3
    are_years = least >= 1800 and greatest <= 2100
    sparse = greatest - least >= 3 * len(values)
    irregular = np.gcd.reduce(np.diff(values).astype(np.int64)) == 1
    return one_length and not are_years and sparse and bool(irregular)

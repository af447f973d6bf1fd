"""Names, texts and numbers in SQL; what a database cannot represent raises an error."""

from __future__ import annotations

import datetime
import math
import re
from fractions import Fraction

from .._messages import Column, remedy
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, DATETIME, TIME, Temporal
from ..errors import ParameterError
from .moments import Moment


class Sql:
    """Standard SQL; each database that differs is a subclass in :mod:`boxwood.exports.sql_dialects`.

    Attributes
    ----------
    dialect : str
    same_case : bool
        Whether names that differ in upper and lower case only are one name, though quoted.
    longest_name : int or None
        Most bytes of a name; longer ones would be cut or refused.
    empty_names : bool
        Whether a name may be empty.
    truths : tuple of str
        How false and true are written.
    number_type, text_type, zoned_type : str
        Types of doubles, of texts and of instants.
    infinities : tuple of str
        How minus infinity and infinity are written; empty where a column cannot hold them.
    materialized, hint : str
        What keeps a stage from being written into the next one, where its expressions would be repeated: a word behind
        AS, or a hint behind SELECT.
    from_nothing : str
        What a SELECT without a table ends with.
    most_whole : int
        Largest whole number that compares exactly.
    trims : str
        How a text loses the blanks at its ends.
    settings, of_joins : str
        Settings that every query ends with, and those of queries that join.
    """

    dialect = "standard"
    same_case = True
    longest_name: int | None = None
    empty_names = False
    truths = ("FALSE", "TRUE")
    number_type = "DOUBLE PRECISION"
    zoned_type = "TIMESTAMP WITH TIME ZONE"
    text_type = "VARCHAR"
    infinities: tuple[str, ...] = ()
    materialized = ""
    hint = ""
    from_nothing = ""
    most_whole = 10**37
    trims = "TRIM({})"
    settings = ""
    of_joins = ""

    def name(self, text: str) -> str:
        """A name between quotation marks.

        Raises
        ------
        ParameterError
            The database has no such names.
        """
        self._refuse_name(text, "\0" in text, "a name cannot hold the character NUL")
        self._refuse_name(text, not text and not self.empty_names, "a name cannot be empty")
        too_long = self.longest_name is not None and len(text.encode("utf-8", "replace")) > self.longest_name
        self._refuse_name(text, too_long, f"a name has at most {self.longest_name} bytes")
        return self._quoted(text)

    def nearest_name(self, text: str, otherwise: str) -> str:
        """A name of our own choice: this one if the database can write it, with room for a sign more; else another."""
        try:
            self.name(f"{text}__")
        except ParameterError:
            return otherwise
        return text

    def _refuse_name(self, text: str, wrong: bool, why: str) -> None:
        if wrong:
            raise ParameterError(
                f"SQL for {self.dialect} cannot name the ", Column(text, "column"), f": {why}; ",
                remedy("rename the feature and fit again"), ".",
            )  # fmt: skip

    def _quoted(self, text: str) -> str:
        return quoted(text)

    def text(self, text: str) -> str:
        """A text between apostrophes.

        Raises
        ------
        ParameterError
            The database has no such texts.
        """
        if "\0" in text:
            raise ParameterError(f"SQL cannot write the level {text!r}: a text cannot hold the character NUL.")
        return self._apostrophed(text)

    def _apostrophed(self, text: str) -> str:
        return apostrophed(text)

    def number(self, value: float) -> str:
        """A double that is read back as the same number; a bare decimal would be an exact number in most databases."""
        if math.isinf(value):
            return self.infinities[int(value > 0)]
        return self._double(value)

    def _double(self, value: float) -> str:
        return double(value)

    def whole(self, value: int) -> str:
        """A whole number.

        Raises
        ------
        ParameterError
            It is too large to be compared exactly.
        """
        if abs(value) > self.most_whole:
            raise ParameterError(f"SQL for {self.dialect} cannot compare with the whole number {value} exactly.")
        return str(value)

    def moment(self, value: Moment, zoned: bool) -> str:
        """A date, a datetime or a time of day; ``zoned``: an instant, in UTC."""
        if isinstance(value, datetime.datetime):
            text = value.replace(tzinfo=None).isoformat(" ")
            return f"{self.zoned_type} '{text}+00:00'" if zoned else f"TIMESTAMP '{text}'"
        return f"{'TIME' if isinstance(value, datetime.time) else 'DATE'} '{value.isoformat()}'"

    def moment_type(self, temporal: Temporal) -> str:
        """The type of a column of dates or times."""
        kinds = {DATE: "DATE", DATETIME: "TIMESTAMP", TIME: "TIME"}
        return self.zoned_type if temporal.zone else kinds[temporal.kind]

    def check_moments(self, feature: Feature) -> None:
        """Raise ParameterError when the database has no type for a feature of dates or times."""

    def value(self, level: str | bool | int | float) -> str:
        """A level or label."""
        if isinstance(level, bool):
            return self.truths[level]
        if isinstance(level, int):
            return self.whole(level)
        return self.number(level) if isinstance(level, float) else self.text(level)

    def as_number(self, column: str) -> str:
        """The double in a column; NULL where it is not a number."""
        return f"CAST({column} AS {self.number_type})"

    def as_text(self, column: str) -> str:
        """The text in a column, compared sign by sign."""
        return f"CAST({column} AS {self.text_type})"

    def trimmed(self, text: str) -> str:
        """A text without blanks at its ends."""
        return self.trims.format(text)

    def one_of(self, column: str, levels: list, none: bool = False) -> str:
        """Whether a column holds one of some levels, or with ``none`` a value that is none of them."""
        left, values = self._sides(column, levels)
        if len(values) == 1:
            return f"{left} {'<>' if none else '='} {values[0]}"
        return f"{left} {'NOT IN' if none else 'IN'} ({', '.join(values)})"

    def rows(self, names: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
        """A query of some rows of written values."""
        first = ", ".join(f"{value} AS {name}" for value, name in zip(rows[0], names, strict=True))
        return [f"SELECT {first}{self.from_nothing}", *self._more_rows(rows[1:])]

    def _more_rows(self, rows: list[tuple[str, ...]]) -> list[str]:
        return [f"UNION ALL SELECT {', '.join(row)}{self.from_nothing}" for row in rows]

    def _sides(self, column: str, levels: list) -> tuple[str, list[str]]:
        return column, [self.value(v) for v in levels]


def quoted(name: str) -> str:
    """A name between quotation marks."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def apostrophed(text: str) -> str:
    """A text between apostrophes."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def double(value: float) -> str:
    """A double, with as few digits as bring it back; a bare decimal would be an exact number in most databases."""
    digits = repr(float(value))
    return digits if "e" in digits else f"{digits}e0"


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken, which is taken from now on; compared without case, as many databases do."""
    lower = {known.lower() for known in taken}
    while name.lower() in lower:
        name += "_"
    taken.add(name)
    return name


def column_names(what: str, labels: tuple) -> list[tuple[str, str]]:
    """Names of the columns of several classes, each with another name for databases that cannot write it.

    Whatever is not a letter, digit or underscore, in any script, becomes an underscore.

    Examples
    --------
    >>> from boxwood.exports.sql_text import column_names
    >>> [name for name, _ in column_names("probability", ("bad", "not so bad", "好", "?", ""))]
    ['probability_bad', 'probability_not_so_bad', 'probability_好', 'probability__', 'probability_4']
    """
    words = [re.sub(r"\W+", "_", str(label)) for label in labels]
    return [(f"{what}_{word}" if word else f"{what}_{k}", f"{what}_{k}") for k, word in enumerate(words)]


def binary_number(value: float) -> str:
    """A double as a quotient or product of whole numbers, for databases that read decimals only nearly right.

    A decimal of few digits that is the double exactly stays a decimal.

    Examples
    --------
    >>> from boxwood.exports.sql_text import binary_number
    >>> binary_number(41.5), binary_number(0.1)
    ('41.5', '(3602879701896397.0 / 36028797018963968 /* 0.1 */)')
    """
    digits = repr(float(value))
    if "e" not in digits and len(digits) <= 17 and Fraction(digits) == Fraction(value):
        return digits
    top, bottom = float(value).as_integer_ratio()
    sign, top = ("-", -top) if top < 0 else ("", top)
    twos = (top & -top).bit_length() - 1 if top else 0
    steps = "".join(f" * {step}" for step in _powers(twos)) + "".join(
        f" / {s}" for s in _powers(bottom.bit_length() - 1)
    )
    return f"({sign}{top >> twos}.0{steps} /* {digits} */)"


def _powers(twos: int) -> list[int]:
    """Powers of two up to 2**62 whose product is 2**twos."""
    whole, rest = divmod(twos, 62)
    return [1 << 62] * whole + [1 << rest] * bool(rest)

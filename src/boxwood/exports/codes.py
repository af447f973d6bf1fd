"""The codes for missing values of a column, in the forms that exports need: texts, numbers, dates and times."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.columns.missing_codes import matcher, numbers_of
from ..data.columns.schema import Feature
from ..data.columns.time_texts import instants_in


@dataclass(frozen=True)
class MissingCodes:
    """The codes of one feature; it is false when there are none.

    Attributes
    ----------
    texts : tuple of str
        A text that equals one of these, blanks at both ends removed, is missing; "" is any blank text.
    numbers : tuple of (int | float)
        A number, or a text that is a number, that equals one of these is missing; codes such as "-999" are here too.
        Values of a column of dates or times are not numbers, but such numbers as 99999999 in a column of text are.
    instants : tuple of int
        A date or time that is one of these, in whole numbers of its unit (``Temporal.unit``), is missing: the codes in
        ISO 8601.
    """

    texts: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()
    instants: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Whether there are some."""
        return bool(self.texts or self.numbers or self.instants)


def codes_of(feature: Feature) -> MissingCodes:
    """The codes of a feature.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature
    >>> from boxwood.exports.codes import codes_of
    >>> codes_of(Feature("age", "numeric", missing_values=(-9, "?", "-1")))
    MissingCodes(texts=('?', '-1'), numbers=(-9, -1), instants=())
    """
    codes = feature.missing_values
    texts = tuple(code for code in codes if isinstance(code, str))
    instants: tuple[int, ...] = ()
    if feature.temporal is not None:  # codes in a format of texts are codes of texts
        instants = tuple(sorted(instants_in(feature.temporal, codes)))
    return MissingCodes(texts, tuple(dict.fromkeys(numbers_of(codes))), instants)


def is_code_of(feature: Feature):
    """A function that tests whether a text or number, as a table has it, is a code of the feature."""
    return matcher(feature.missing_values)


def spelled(feature: Feature) -> MissingCodes:
    """The same for languages that compare texts sign by sign: with texts of the numbers, as they are usually written.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature
    >>> from boxwood.exports.codes import spelled
    >>> spelled(Feature("age", "numeric", missing_values=(-9,))).texts
    ('-9', '-9.0')
    """
    codes = codes_of(feature)
    numbers = [text for number in codes.numbers for text in _spellings(number)]
    return MissingCodes(tuple(dict.fromkeys((*codes.texts, *numbers))), codes.numbers, codes.instants)


def _spellings(number: int | float) -> list[str]:
    if isinstance(number, int):
        return [str(number), f"{number}.0"]
    return [repr(number), str(int(number))] if number.is_integer() else [repr(number)]

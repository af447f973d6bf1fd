"""The forms in which all texts of a column are numbers, found part by part, and columns read by a form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, remedy
from ...errors import DataTypeError
from .raw import MISSING_WORDS, STRINGS, RawColumn, no_values
from .schema import NUMBERS_IN_TEXT
from .written_numbers import MINUS, PLAIN, WrittenNumbers, plain_number, usual_signs

_SIGNS = "$€£¥￥₩₹₽₺₴₫₱₪฿₦"
#: What may come before a number: a currency. Words there, as in Room 12, make a name.
_CURRENCIES = frozenset(
    ("AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "Euro",
     "Fr.", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "JPY", "Kč", "kr", "kr.", "KRW", "MXN", "MYR", "NOK", "NZD",
     "PEN", "PHP", "PLN", "RMB", "RON", "Rs", "Rs.", "RUB", "SAR", "SEK", "SFr.", "SGD", "THB", "TRY", "TWD", "UAH",
     "USD", "VND", "ZAR", "zł")
)  # fmt: skip
#: What after a number makes it a name: 1st, 3号.
_NAMING = frozenset(
    ("st", "nd", "rd", "th", "er", "re", "e", "º", "ª", "号", "號", "班", "組", "组", "호", "반", "번", "番")
)  # fmt: skip
_TEXT = re.compile(
    rf"(?P<open>\()?[-+]? ?(?P<before>[^\W\d_]{{0,4}}\.?[{_SIGNS}]?)(?P<gap> ?)[-+]? ?"
    r"(?P<number>[.,]?[0-9](?:[.,' ]?[0-9])*)(?P<minus>-?)(?P<space> ?)"
    rf"(?P<after>(?:[^\W\d_]|[%‰％°{_SIGNS}])[^\d()\[\]\\+,'<>=:;?!\n-]{{0,14}})?(?P<close>\))?"
)
_SIGN = re.compile("[-+]")
_DIGIT, _DIGITS = re.compile("[0-9]"), re.compile("[0-9]*")
_MARKS = tuple((thousands, decimal) for thousands in ("", *",.' ") for decimal in ".," if thousands != decimal)
#: Digits in groups, with commas also as in India: 12,34,901.
_GROUPED = {thousands: f"[1-9][0-9]{{0,2}}([{thousands}][0-9]{{3}})+" for thousands in ",.' "}
_GROUPED[","] += "|[1-9][0-9]?(,[0-9]{2})+,[0-9]{3}"
_FITS = {
    (thousands, decimal): re.compile(
        (f"({_GROUPED[thousands]}|[1-9][0-9]{{0,3}}|0)" if thousands else "(0|[1-9][0-9]*)?") + f"([{decimal}][0-9]+)?"
    )
    for thousands, decimal in _MARKS
}


@dataclass
class FormSearch:
    """What the texts of a column show of the form of its numbers; texts may come part by part.

    Attributes
    ----------
    is_over : bool
        Some text is not a number, or of another form than the others.
    example : str
        The first text with a mark.
    """

    is_over: bool = False
    example: str = ""
    _unit: tuple[str, str, str, str] | None = None
    _marks: tuple = _MARKS
    _used: set[str] = field(default_factory=set)
    _lengths: set[int] = field(default_factory=set)
    _longest_bare: int = 0
    _longest_whole: int = 0
    _ends_in_zero: bool = False
    _all_plain: bool = True
    _all_closed: bool = True

    @property
    def has_numbers(self) -> bool:
        """Whether all texts so far may be numbers, and there are some."""
        return self._unit is not None and not self.is_over

    def add(self, texts: Iterable[str]) -> None:
        """Look at some texts; words for missing values are skipped."""
        for text in texts:
            if self.is_over:
                return
            if text.strip() not in MISSING_WORDS:
                self.is_over = not (_DIGIT.search(text) and self._takes(usual_signs(text)))
                self._all_plain &= MINUS.isdisjoint(text)

    def _takes(self, text: str) -> bool:
        found = _TEXT.fullmatch(text)
        if found is None or not _is_signed_once(found) or not _is_unit(found):
            return False
        before, after, number = found["before"], found["after"] or "", found["number"]
        self._unit = self._unit or (before, found["gap"], found["space"], after)
        if (before, after) != (self._unit[0], self._unit[3]):
            return False
        self._marks = tuple(marks for marks in self._marks if _FITS[marks].fullmatch(number))
        marks = {sign for sign in number if not sign.isdigit()}
        self._used |= marks
        self.example = self.example or (text if marks else "")
        self._lengths.add(len(number))
        whole = len(_DIGITS.match(number).group())
        self._longest_whole = max(self._longest_whole, whole)
        self._longest_bare = max(self._longest_bare, 0 if marks else whole)
        self._ends_in_zero |= bool(marks) and number.endswith("0")
        self._all_plain &= bool(PLAIN.fullmatch(text))
        self._all_closed &= found["open"] is not None
        return bool(self._marks)

    def forms(self) -> list[str]:
        """The forms by which all texts are numbers; none where all are plain numbers, or where they may be names.

        Examples
        --------
        >>> from boxwood.data.columns.number_forms import possible_number_forms
        >>> possible_number_forms(["1.234,50 €", "12,00 €"]), possible_number_forms(["1,234", "2,345"])
        (['1.234,5 €'], ['1,234.5', '1.234,5'])
        >>> possible_number_forms(["1,234,000", "950"]), possible_number_forms(["123 456 789", "234 567 890"])
        (['1,234.5'], [])
        """
        if not self.has_numbers or self._all_plain or self._all_closed:
            return []
        found = {(t if t in self._used else "", d if d in self._used else "") for t, d in self._marks}
        if len(found) > 1 and self._shows_thousands:
            found = {(thousands, decimal) for thousands, decimal in found if thousands}
        has_unit = bool(self._unit[0] or self._unit[3])
        # Telephone numbers have such groups, too, but all are of one length.
        found = {(t, d) for t, d in found if t not in (" ", ".") or d or has_unit or len(self._lengths) > 1}
        return [self._form(thousands, decimal) for thousands, decimal in sorted(found, reverse=True)]

    @property
    def both_forms(self) -> tuple[str, str] | None:
        """The forms whose thousands mark and whose decimal mark the only mark of all texts may be; None if just one is.

        Examples
        --------
        >>> from boxwood.data.columns.number_forms import searched
        >>> searched(["1.200", "950"]).both_forms
        ('1.234,5', '1,234.5')
        """
        if self.is_over or len(self._used) != 1 or self._longest_bare > 3:
            return None
        (mark,) = self._used
        thousands, decimals = ({marks[place] for marks in self._marks} for place in (0, 1))
        return (self._form(mark, ""), self._form("", mark)) if mark in thousands & decimals else None

    @property
    def _shows_thousands(self) -> bool:
        """Whether groups of three digits are thousands, not decimals: these are all of one length, or end in no 0."""
        return self._ends_in_zero and 0 < self._longest_bare <= 3

    def _form(self, thousands: str, decimal: str) -> str:
        """The number 1234.5; a mark that no text has is the usual one beside the other."""
        if not thousands and self._longest_whole <= 3:
            thousands = {".": ",", ",": "."}.get(decimal, "")
        decimal = decimal or ("," if thousands in (".", " ") else ".")
        before, gap, space, after = self._unit
        return f"{before}{gap if before else ''}1{thousands}234{decimal}5{space if after else ''}{after}"


def _is_signed_once(found: re.Match) -> bool:
    """Whether parentheses are closed, and a minus after a number is the only sign of an amount, not part of a name."""
    is_open, is_closed = found["open"] is not None, found["close"] is not None
    other_sign = is_open or bool(_SIGN.search(found.string, 0, found.start("number")))
    return is_open == is_closed and not (found["minus"] and (other_sign or found["number"].isdigit()))


def _is_unit(found: re.Match) -> bool:
    """Whether what surrounds a number is a unit and not a part of a name, as in A12, 12A and 1st."""
    before, after = found["before"], found["after"] or ""
    if (
        before
        and before not in _CURRENCIES
        and not (before[-1] in _SIGNS and before[:-1].isupper() | (len(before) == 1))
    ):
        return False
    letter = len(after) == 1 and after.isascii() and after.isalpha() and not found["space"]
    return not letter and after not in _NAMING and not (before and after)


def searched(texts: Iterable[str]) -> FormSearch | None:
    """What some texts show; None if they are not all numbers."""
    search = FormSearch()
    search.add(texts)
    return search if search.has_numbers else None


def possible_number_forms(texts: Iterable[str]) -> list[str]:
    """The forms by which all of some texts are numbers (:meth:`FormSearch.forms`)."""
    search = searched(texts)
    return [] if search is None else search.forms()


def common_form(texts: Sequence[str]) -> tuple[list[bool], list[str]]:
    """Which of some texts are numbers of the commonest unit, and their forms; no forms where these are plain numbers.

    Examples
    --------
    >>> from boxwood.data.columns.number_forms import common_form
    >>> common_form(["1,5 kg", "-", "12 kg", "2 t"])
    ([True, False, True, False], ['1.234,5 kg'])
    """
    units = [_unit_of(text) for text in texts]
    counted = Counter(unit for unit in units if unit is not None)
    if counted:
        (common, _), *_ = counted.most_common(1)
        forms = possible_number_forms(text for text, unit in zip(texts, units, strict=True) if unit == common)
        if forms:
            return [unit == common for unit in units], forms
    return [bool(PLAIN.fullmatch(text)) for text in texts], []


def _unit_of(text: str) -> tuple[str, str] | None:
    """What is before and after the number that a text is; None for other texts."""
    found = _TEXT.fullmatch(usual_signs(text)) if _DIGIT.search(text) else None
    return (found["before"], found["after"] or "") if found and _is_unit(found) else None


def read_numbers(column: RawColumn, form: str) -> RawColumn:
    """A column of texts as the numbers of a form; other columns as they are.

    Where all texts are plain numbers and some are none of the form, all are read as plain numbers.

    Raises
    ------
    DataTypeError
        A text is not a number of the form; the message names its row.
    """
    if column.why != STRINGS:
        return column
    kind = WrittenNumbers(form)
    missing = [level.strip() in MISSING_WORDS for level in column.levels]
    there = [level for level, lost in zip(column.levels, missing, strict=True) if not lost]
    read = plain_number if _are_plain(there, kind) else kind.read
    found = [0 if lost else read(level) for level, lost in zip(column.levels, missing, strict=True)]
    if None in found:
        raise _unread(column, form, found.index(None))
    if not there:
        return no_values(column.place, len(column.values))
    return replace(as_read(column, found, missing), written=kind)


def _are_plain(texts: list[str], kind: WrittenNumbers) -> bool:
    """Whether some texts are numbers, but not of the form."""
    return all(map(PLAIN.fullmatch, texts)) and not all(kind.matches(usual_signs(text)) for text in texts)


def as_read(column: RawColumn, exact: list[int | float], missing: list[bool]) -> RawColumn:
    """A column of texts as the numbers that they are."""
    near = np.array([np.nan if lost else float(v) for v, lost in zip(exact, missing, strict=True)] + [np.nan])
    low = np.array([float(v - int(float(v))) if isinstance(v, int) else 0.0 for v in exact] + [0.0])
    codes = column.values
    whole = all(isinstance(v, int) for v in exact)
    return RawColumn(column.place, near[codes], NUMBERS_IN_TEXT, low[codes] if low.any() else None, whole)


def _unread(column: RawColumn, form: str, code: int) -> DataTypeError:
    row, text = int(np.argmax(column.values == code)), column.levels[code]
    return DataTypeError(
        column.place, ", ", Row(row), FromZero(), " holds ", Value(text),
        f", which is not a number of the form {form}; ",
        remedy("write it in this form, or name it in ", Setting("missing_values", [text.strip()]), "."),
    )  # fmt: skip

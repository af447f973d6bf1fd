"""Numbers in text: plain ones, and formatted ones with units and marks, such as 1.234,50 € or (1,234).

A form is the number 1234.5 as a column writes it, for example ``1.234,5 €``: it shows the thousands mark, the decimal
mark, and a unit before or after the number, which is no part of the value. A number in parentheses, with a minus after
it or a △ before it is negative. Groups of digits are thousands, or as in India: 12,34,901.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..._messages import Setting, Value, remedy
from ...errors import ParameterError
from .kinds.numeric import Numeric

#: Numbers as programs write them.
PLAIN = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_WHOLE = re.compile(r"\s*[-+]?\d+\s*", re.ASCII)
#: Signs that mean minus.
MINUS = frozenset("\u2212\u25b3")
#: Signs that count as others: spaces that do not break, narrow spaces, curved apostrophes, minus signs.
ALIKE = {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2019": "'", **dict.fromkeys(sorted(MINUS), "-")}
_ALIKE = str.maketrans(ALIKE)
_UNIT = r"[^\d()\[\]\\+,'\n-]{0,20}?"
_FORM = re.compile(rf"(?P<before>{_UNIT})1(?P<thousands>[,.' ]?)234(?P<decimal>[,.])5(?P<after>{_UNIT})")


@dataclass(frozen=True)
class WrittenNumbers(Numeric):
    """The kind of columns whose texts are numbers of one form.

    Attributes
    ----------
    form : str
        The number 1234.5 as the column writes it.
    """

    form: str

    def read(self, text: str) -> int | float | None:
        """The number that a text is, with or without the unit; a plain number too; None for other texts.

        Examples
        --------
        >>> from boxwood.data.columns.written_numbers import WrittenNumbers
        >>> [WrittenNumbers("$1,234.5").read(text) for text in ("$12,500", "($1,000.50)", "$3-", "12", "1,5")]
        [12500, -1000.5, -3, 12, None]
        """
        text = usual_signs(text)
        if not self.matches(text):
            return plain_number(text)
        units, _, decimal = marks_of(self.form)
        for unit in units:
            text = text.replace(unit, "")
        digits = "".join(sign for sign in text if sign.isdigit() or sign == decimal)
        return plain_number(("-" if "-" in text or "(" in text else "") + digits.replace(decimal, "."))

    def matches(self, text: str) -> bool:
        """Whether a text with usual signs is a number of the form."""
        return bool(_pattern(self.form).fullmatch(text))


def usual_signs(text: str) -> str:
    """A text without blanks at its ends, with the spaces and apostrophes of forms."""
    return text.translate(_ALIKE).strip()


def plain_number(text: str) -> int | float | None:
    """The number that a text is as programs write it; None for other texts."""
    if _WHOLE.fullmatch(text) and fits(int(text)):
        return int(text)
    return float(text) if PLAIN.fullmatch(text) else None


def fits(value: int) -> bool:
    """Whether an integer fits 64 bits, signed or unsigned."""
    return -(2**63) <= value < 2**64


@lru_cache(maxsize=256)
def marks_of(form: str) -> tuple[tuple[str, ...], str, str]:
    """The units of a form, its thousands mark and its decimal mark.

    Examples
    --------
    >>> from boxwood.data.columns.written_numbers import marks_of
    >>> marks_of("1.234,5 €"), marks_of("US$1234.5")
    ((('€',), '.', ','), (('US$',), '', '.'))
    """
    found = _FORM.fullmatch(form)
    units = tuple(filter(None, (found["before"].strip(), found["after"].strip())))
    return units, found["thousands"], found["decimal"]


@lru_cache(maxsize=256)
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(pattern_of(form))


def pattern_of(form: str) -> str:
    """The regular expression of the texts of a form with usual signs, in the syntax that all languages share."""
    found = _FORM.fullmatch(form)
    before, thousands, decimal, after = (
        "".join(f"[{sign}]" if sign in ".$^*?|{}" else sign for sign in mark.strip() or mark[:1])
        for mark in found.groups()
    )
    grouped = f"[0-9]{{1,3}}({thousands}[0-9]{{2,3}})*{thousands}[0-9]{{3}}|" if thousands else ""
    number = f"(({grouped}[0-9]+)({decimal}[0-9]*)?|{decimal}[0-9]+)"
    start = f"({before} ?)?[-+]? ?" if before.strip() else ""
    end = f"( ?{after})?" if after.strip() else ""
    signed = f"[-+]? ?{start}{number}"
    return f"([(]{signed}{end}[)]|{signed}-?{end})"


def check_number_form(form: str, what: Setting | str) -> None:
    """Refuse what is not the number 1234.5.

    Raises
    ------
    ParameterError
    """
    found = _FORM.fullmatch(form)
    if found is None or found["thousands"] == found["decimal"] or usual_signs(form) != form:
        raise ParameterError(
            what, " is ", Value(form), "; ",
            remedy("give the number 1234.5 as the column writes it, such as '1.234,5 €'."),
        )  # fmt: skip

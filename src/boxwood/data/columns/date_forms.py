"""The forms in which all texts of a column are dates, found part by part."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from .raw import MISSING_WORDS, STRINGS, RawColumn
from .time_texts import ISO, reader_of

#: Dates as nations write them, most with a pattern of digits; names of months are English.
_DATES = {
    "%Y/%m/%d": r"\d{4}/\d{1,2}/\d{1,2}", "%Y.%m.%d": r"\d{4}\.\d{1,2}\.\d{1,2}",
    "%d.%m.%Y": r"\d{1,2}\.\d{1,2}\.\d{4}",
    "%d/%m/%Y": r"\d{1,2}/\d{1,2}/\d{4}", "%m/%d/%Y": r"\d{1,2}/\d{1,2}/\d{4}",
    "%d-%m-%Y": r"\d{1,2}-\d{1,2}-\d{4}", "%m-%d-%Y": r"\d{1,2}-\d{1,2}-\d{4}",
    "%Y年%m月%d日": r"\d{4}年\d{1,2}月\d{1,2}日", "%Y년 %m월 %d일": r"\d{4}년 \d{1,2}월 \d{1,2}일",
    "%Y. %m. %d.": r"\d{4}\. \d{1,2}\. \d{1,2}\.",
    "%d %b %Y": r"\d{1,2} [A-Za-z]{3} \d{4}", "%d-%b-%Y": r"\d{1,2}-[A-Za-z]{3}-\d{4}",
    "%d%b%Y": r"\d{1,2}[A-Za-z]{3}\d{4}", "%b %d, %Y": r"[A-Za-z]{3} \d{1,2}, \d{4}",
    "%d %B %Y": r"\d{1,2} [A-Za-z]{3,9} \d{4}", "%B %d, %Y": r"[A-Za-z]{3,9} \d{1,2}, \d{4}",
}  # fmt: skip
#: Times of day, as Arrow finds them in text files.
TIMES_OF_DAY = {"%H:%M": r"\d\d:\d\d", "%H:%M:%S": r"\d\d:\d\d:\d\d"}
#: What a note tells of, but which is read only by request: the century is a guess, or a month or a time is enough.
_SHORT = TIMES_OF_DAY | {
    "%d.%m.%y": r"\d{1,2}\.\d{1,2}\.\d\d", "%d/%m/%y": r"\d{1,2}/\d{1,2}/\d\d", "%m/%d/%y": r"\d{1,2}/\d{1,2}/\d\d",
    "%d-%b-%y": r"\d{1,2}-[A-Za-z]{3}-\d\d", "%Y-%m": r"\d{4}-\d\d", "%m/%Y": r"\d{1,2}/\d{4}",
    "%Y年%m月": r"\d{4}年\d{1,2}月", "%b %Y": r"[A-Za-z]{3} \d{4}", "%B %Y": r"[A-Za-z]{3,9} \d{4}",
}  # fmt: skip
_CLOCKS = {
    "": "", " %H:%M": r" \d{1,2}:\d\d", " %H:%M:%S": r" \d{1,2}:\d\d:\d\d", " %I:%M %p": r" \d{1,2}:\d\d [AaPp][Mm]",
    " %I:%M:%S %p": r" \d{1,2}:\d\d:\d\d [AaPp][Mm]",
}  # fmt: skip
_FORMS = {d + c: re.compile(dp + cp, re.ASCII) for c, cp in _CLOCKS.items() for d, dp in _DATES.items()}
_PATTERNS = _FORMS | {form: re.compile(pattern, re.ASCII) for form, pattern in _SHORT.items()}
_DIGIT = re.compile("[0-9]")
#: All forms that a note may name.
FORMS_IN_NOTES = (ISO, *_PATTERNS)


@dataclass
class DateSearch:
    """What the texts of a column show of the form of its dates; texts may come part by part."""

    _forms: list[str] = field(default_factory=lambda: [ISO, *_FORMS])
    _any_text: bool = False

    @property
    def is_over(self) -> bool:
        """Whether some text is not a date, or of another form than the others."""
        return not self._forms

    @property
    def has_dates(self) -> bool:
        """Whether all texts so far may be dates, and there are some."""
        return self._any_text and not self.is_over

    def add(self, texts: Iterable[str]) -> None:
        """Look at some texts; words for missing values are skipped."""
        for text in texts:
            if self.is_over:
                return
            if text.strip() not in MISSING_WORDS:
                self._any_text = True
                if not _DIGIT.search(text):
                    self._forms = []
                    return
                likely = [form for form in self._forms if form == ISO or _PATTERNS[form].fullmatch(text.strip())]
                self._forms = [form for form in likely if reader_of(form)(text) is not None]

    def forms(self) -> list[str]:
        """The forms by which all texts are dates; none where there are no texts."""
        return list(self._forms) if self._any_text else []


def possible_forms(texts: Iterable[str], among: Collection[str] | None = None) -> list[str]:
    """The forms by which all of some texts are dates, words for missing values aside; none where there are no texts.

    Parameters
    ----------
    texts : iterable of str
    among : list of str, optional
        Forms to try; None = all that are known here.

    Examples
    --------
    >>> from boxwood.data.columns.date_forms import possible_forms
    >>> possible_forms(["14.03.2021", "1.4.2021"]), possible_forms(["01/02/2023"]), possible_forms(["2023年3月14日"])
    (['%d.%m.%Y'], ['%d/%m/%Y', '%m/%d/%Y'], ['%Y年%m月%d日'])
    """
    search = DateSearch() if among is None else DateSearch(list(among))
    search.add(texts)
    return search.forms()


def column_forms(column: RawColumn, among: Collection[str] | None = None) -> list[str]:
    """The forms by which all texts of a column are dates."""
    return possible_forms(column.levels, among) if column.why == STRINGS else []

"""The forms by which all texts of a column are numbers or dates, found part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .date_forms import DateSearch
from .number_forms import FormSearch


@dataclass
class TextSearch:
    """What the texts of a column show of its form; most columns are neither numbers nor dates and end the search early.

    Examples
    --------
    >>> from boxwood.data.columns.text_searches import TextSearch
    >>> search = TextSearch()
    >>> search.add(["5.3.2020", "14.03.2021"])
    >>> search.dates.forms(), search.numbers.forms(), search.is_over
    (['%d.%m.%Y'], [], False)
    """

    numbers: FormSearch = field(default_factory=FormSearch)
    dates: DateSearch = field(default_factory=DateSearch)

    @property
    def is_over(self) -> bool:
        """Whether the texts have no form."""
        return self.numbers.is_over and self.dates.is_over

    @property
    def has_form(self) -> bool:
        """Whether all texts so far may be numbers, or may be dates, and there are some."""
        return self.numbers.has_numbers or self.dates.has_dates

    def add(self, texts: Iterable[str]) -> None:
        """Look at some texts; words for missing values are skipped."""
        texts = list(texts)
        self.numbers.add(texts)
        self.dates.add(texts)

    def add_days(self) -> None:
        """Look at a part that was read as days in ISO 8601."""
        self.numbers.is_over = True
        self.dates.add(["2000-01-01"])

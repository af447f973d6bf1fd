"""How a fit treats columns that name rows: it ignores them unless identifiers="use"."""

from __future__ import annotations

import warnings

from ..data.columns import Columns
from ..data.identifiers import naming, passed_over, with_ignored
from ..errors import KindWarning, level_outside


def ignored(settings: dict) -> bool:
    """Whether columns that name rows are ignored; "auto" uses them where another program is reproduced."""
    choice = settings.get("identifiers", "use")
    return choice == "ignore" or (choice == "auto" and settings.get("compat") is None)


def without_identifiers(columns: Columns, settings: dict) -> Columns:
    """The columns that a fit in memory learns from; a warning names those that it passes over."""

    def warn(text: str) -> None:
        warnings.warn(text, KindWarning, stacklevel=level_outside())

    return passed_over(columns, with_ignored(columns.schema, naming(columns), columns.n, ignored(settings), warn))

"""Settings that a cluster does not support, refused rather than treated differently from one machine."""

from __future__ import annotations

from collections.abc import Iterable

from ..._messages import Column, Setting, remedy
from ...data.columns.date_forms import possible_forms
from ...data.columns.number_forms import possible_number_forms
from ...data.columns.raw import STRINGS
from ...data.streams.survey import ColumnSummary
from ...errors import DataTypeError, ParameterError


def refuse_rules(settings: dict) -> None:
    """Refuse what workers do not do with the rows that they read.

    Raises
    ------
    ParameterError
    """
    defaults = {"missing_values": None, "missing_target": "error", "numeric_features": None, "date_formats": None}
    defaults["ordinal_features"] = None
    for name, default in defaults.items():
        if settings.get(name, default) != default:
            raise ParameterError(
                f"{name} is not available on a cluster, whose workers read the values as stored. Change the data "
                "first, or fit without a client."
            )


def refuse_forms(columns: Iterable[ColumnSummary]) -> None:
    """Refuse columns that one machine would read by a form, as numbers or dates; workers do not.

    Raises
    ------
    DataTypeError
    """
    for column in columns:
        if column.form != STRINGS or column.reading.declared:
            continue
        of_dates = possible_forms(column.counts)
        if len(of_dates) == 1:
            instead = "store dates as dates, or write text files with dates in ISO 8601"
            raise _unread(column.name, f"dates in the format {of_dates[0]}", instead)
        of_numbers = possible_number_forms(column.counts)
        if len(of_numbers) == 1:
            raise _unread(column.name, f"numbers of the form {of_numbers[0]}", "write plain numbers")


def _unread(name: str, what: str, instead: str) -> DataTypeError:
    return DataTypeError(
        Column(name, "Column"), f" contains {what}, which the workers of a cluster cannot read; ",
        remedy(
            f"{instead}. To keep the column as text, list it in ", Setting("categorical_features"),
            "; to leave it out, list it in drop.",
        ),
    )  # fmt: skip

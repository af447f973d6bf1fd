"""Settings that a cluster does not support, refused rather than treated differently from one machine."""

from __future__ import annotations

from collections.abc import Iterable

from ..._messages import Column, Setting, remedy
from ...data.columns.raw import STRINGS
from ...data.columns.time_texts import possible_forms
from ...data.streams.survey import ColumnSummary
from ...errors import DataTypeError, ParameterError


def refuse_rules(settings: dict) -> None:
    """Refuse what workers do not do with the rows that they read.

    Raises
    ------
    ParameterError
    """
    defaults = {"missing_values": None, "missing_target": "error", "numeric_features": None, "date_formats": None}
    for name, default in defaults.items():
        if settings.get(name, default) != default:
            raise ParameterError(
                f"{name} is not available on a cluster, whose workers read the values as stored. Change the data "
                "first, or fit without a client."
            )


def refuse_national_dates(columns: Iterable[ColumnSummary]) -> None:
    """Refuse columns of text files that one machine would read as dates: workers read dates in ISO 8601 alone.

    Raises
    ------
    DataTypeError
    """
    for column in columns:
        forms = [] if column.form != STRINGS or column.reading.declared else possible_forms(column.counts)
        if len(forms) == 1:
            raise DataTypeError(
                Column(column.name, "Column"), f" contains dates in the format {forms[0]}, which the workers of a "
                "cluster cannot read; ", remedy("write Parquet files, or dates in ISO 8601. To keep the column as "
                "text, list it in ", Setting("categorical_features"), "; to leave it out, list it in drop."),
            )  # fmt: skip

"""Dates in the columns of text of a file that is read as a whole."""

from __future__ import annotations

import warnings

from .._messages import Message, Setting
from ..data.columns.kind_warnings import dates_found
from ..data.columns.missing_codes import codes_of_columns, matcher
from ..data.columns.time_texts import possible_forms
from ..errors import KindWarning
from .tables import read_options


def _are_days(column) -> bool:
    """Whether all numbers of a column are days such as 20210314."""
    import pyarrow.compute as compute

    ends = compute.min_max(column).as_py()
    if ends["min"] is None or ends["min"] < 19_000_101 or ends["max"] > 21_001_231:
        return False
    months = {divmod(number, 100) for number in compute.unique(column.drop_null()).to_pylist()}
    return all(1 <= month % 100 <= 12 and 1 <= day <= 31 for month, day in months)


def forms_of_table(table, features: list[str], categorical: tuple[str, ...], codes=None) -> dict[str, str]:
    """The date formats of columns of text, from the options and from the texts.

    Parameters
    ----------
    table : pyarrow.Table
    features : list of str
    categorical : tuple of str
        Columns in which no dates are looked for.
    codes : list, dict or None
        For missing values, as ``missing_values`` has them.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    given = read_options()
    forms = given.forms(table.column_names)
    aside = {*forms, *(given.numeric_features(features) or ()), *given.orders(table.column_names), *categorical}
    possible, of_columns = {}, codes_of_columns(codes, features)
    for name in features:
        column = table.column(name)
        if name not in aside and (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            is_code = matcher(of_columns.get(name, ()))
            texts = (text for text in compute.unique(column).to_pylist() if text is not None)
            possible[name] = possible_forms(text for text in texts if not is_code(text))
        elif name not in aside and pa.types.is_integer(column.type) and _are_days(column):
            warnings.warn(
                Message(
                    f"Column {name!r} contains integers that look like dates, such as {column[0]}. To read them as "
                    "dates, set ", Setting("date_formats", "%Y%m%d", key=name), ".",
                ),
                KindWarning,
                stacklevel=3,
            )  # fmt: skip
    return forms | dates_found(possible)

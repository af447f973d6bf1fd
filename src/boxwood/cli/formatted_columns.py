"""Formatted numbers in new data of columns that held plain numbers in training."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .._messages import Column, Message, Value, remedy
from ..data.columns.number_forms import FormSearch, possible_number_forms
from ..data.columns.raw import place_of
from ..data.columns.schema import NUMBERS_IN_TEXT, NUMERIC
from ..data.columns.written_numbers import WrittenNumbers, marks_of
from ..data.frames.amounts import as_amounts
from ..data.frames.containers import open_column
from ..errors import KindWarning
from ..learning.suggested_task import MOST_CLASSES

if TYPE_CHECKING:
    import pyarrow as pa

    from ..data.columns.schema import Schema


def amounts_of_texts(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """A target, weights or amounts as numbers where all are texts of one form, with a warning; others as they are."""
    import pyarrow as pa

    if not pa.types.is_string(column.type):
        return column
    read = as_amounts(open_column(column, place_of(name))[0])
    return column if read.levels is not None else pa.chunked_array([pa.array(read.values, from_pandas=True)])


def numbers_form(texts: Sequence[str]) -> str:
    """The form of a text target that seems to hold numbers: more different ones than classes; "" = there is none."""
    forms = possible_number_forms(texts) if len(texts) > MOST_CLASSES else []
    return forms[0] if len(forms) == 1 else ""


def warn_of_new_decimals(searches: Mapping[str, FormSearch]) -> None:
    """The warning when columns of whole numbers now have three decimals or none, which may be thousands."""
    for name, search in searches.items():
        if search.both_forms is not None:
            read, instead = (WrittenNumbers(form).read(search.example) for form in reversed(search.both_forms))
            note = Message(
                Column(name, "Column"), " held whole numbers in training and now has three decimals: ",
                Value(search.example), f" is read as {read}. ",
                remedy(f"If it is {instead}, write it without the mark."),
            )  # fmt: skip
            warnings.warn(note, KindWarning, stacklevel=2)


def with_plain_numbers(table: pa.Table, schema: Schema) -> pa.Table:
    """A table whose columns of formatted numbers are numbers where training had numbers; a warning names them.

    Numbers with units stay text, and are an error later: 12 % may have been 0.12 in training.
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    for feature in schema:
        if feature.kind_name != NUMERIC or feature.why == NUMBERS_IN_TEXT or feature.name not in table.column_names:
            continue
        column = table.column(feature.name)
        if not pa.types.is_string(column.type):
            continue
        texts = compute.unique(column).to_pylist()
        forms = [form for form in possible_number_forms(filter(None, texts)) if not marks_of(form)[0]]
        if len(forms) != 1:
            continue
        read = {text: WrittenNumbers(forms[0]).read(text) for text in texts if text}
        numbers = pa.chunked_array([pa.array([read.get(text) for text in column.to_pylist()], pa.float64())])
        table = table.set_column(table.column_names.index(feature.name), feature.name, numbers)
        note = f" contains numbers of the form {forms[0]}, where training had plain numbers, and is read by this form."
        warnings.warn(Message(Column(feature.name, "Column"), note), KindWarning, stacklevel=2)
    return table

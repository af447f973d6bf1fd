"""Columns of a text file whose numbers all have three decimals or none: the marks may be those of thousands.

Once Arrow has read them, 1.200 is 1.2: the texts of columns that may be so are looked at again, the first ones first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..columns.number_forms import FormSearch
from ..frames.arrow_tables import is_number_type, need_pyarrow

#: Values, and bytes of text, that exclude most columns.
_FIRST, _HEAD = 256, 1 << 12


def look_for_thousands(searches: Mapping[str, FormSearch], columns: Mapping, data: bytes, parsed: Callable) -> None:
    """Add the texts of some columns to their searches, which are over where the numbers cannot be thousands.

    Parameters
    ----------
    searches : dict of str to FormSearch
    columns : dict of str to pyarrow.ChunkedArray
        The columns of a block as they were read.
    data : bytes
        Its text, with the line of names.
    parsed : callable
        (text, names of columns) -> iterable of the texts of each column.
    """
    for rows, text in ((_FIRST, _first_rows(data)), (None, data)):
        maybe = [name for name in columns if name in searches and not searches[name].is_over]
        for name in maybe:
            searches[name].is_over = not _may_be_thousands(columns[name].slice(0, rows))
        maybe = [name for name in maybe if not searches[name].is_over]
        for name, texts in zip(maybe, parsed(text, maybe) if maybe else (), strict=True):
            search = searches[name]
            search.add(texts)
            search.is_over |= bool(search.example) and search.both_forms is None


def _may_be_thousands(column) -> bool:
    """Whether a column holds numbers below 1,000 of at most three decimals, none of them with a 0 before the mark."""
    pa = need_pyarrow()
    if pa.types.is_null(column.type):
        return True
    if not is_number_type(column.type):
        return False
    values = column.drop_null().to_numpy()
    size = np.abs(values[np.isfinite(values)].astype(np.float64))
    if (size >= 1000).any() or ((size < 1) & (size > 0)).any():
        return False
    return bool((np.abs(size * 1000 - np.rint(size * 1000)) < 1e-6).all())


def _first_rows(data: bytes) -> bytes:
    """Some of the first rows of a text; all where quotes are not closed in them."""
    head = data[:_HEAD]
    cut = head.rfind(b"\n") + 1
    return data[:cut] if cut and data.count(b'"', 0, cut) % 2 == 0 else data

"""Text in Arrow columns, read through Arrow's dictionary instead of one Python string per row."""

from __future__ import annotations

import numpy as np

from ..columns.raw import STRINGS, RawColumn, no_values


def from_arrow_text(place: str, column) -> RawColumn | None:
    """A pyarrow column of strings as levels in code point order, as :func:`.objects.from_objects` gives them.

    None for columns of other types.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column = from_arrow_text("Column 'city'", pa.chunked_array([["Wien", None, "北京", "Wien"]]))
    >>> column.levels, column.values.tolist()
    (('Wien', '北京'), [0, -1, 1, 0])
    """
    import pyarrow as pa

    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    found = coded.dictionary.to_pylist()
    if not found:
        return no_values(place, len(column))
    order = sorted(range(len(found)), key=found.__getitem__)
    number = np.empty(len(found) + 1, dtype=np.int32)
    number[order] = np.arange(len(found), dtype=np.int32)
    number[-1] = -1  # what the code of a missing value, -1, looks up
    codes = number[coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)]
    return RawColumn(place, codes, STRINGS, levels=tuple(found[i] for i in order))

"""Data frames of R as Arrow tables: factors keep the order of their levels, ordered factors are ordinal."""

from __future__ import annotations

import struct

import numpy as np

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, one_line
from .opened import Form
from .r_objects import ObjectReader, Pairs, Vector
from .typed_files import as_whole
from .workbooks import OTHER_SHEETS, chosen

_NA = -(2**31)
#: What reading of damaged data may raise.
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, struct.error)
_SECONDS = {"secs": 1, "mins": 60, "hours": 3600, "days": 86400, "weeks": 604800}


def read_r(data: bytes, name: str, form: Form):
    """A data frame in a file of R as a table; of several, the first or the one that ``form.sheet`` names.

    Raises
    ------
    FileError
        The file cannot be read, or holds no data frame.
    """
    try:
        frames = _frames(data, form.encoding)
        if not frames:
            raise FileError(f"{name} holds no data frame; save one in R with saveRDS.")
        table = _table(frames[chosen(list(frames), form.sheet, name, "data frame")], name)
    except FileError:
        raise
    except _DAMAGED as error:
        raise_if_ran_out(error)
        raise FileError(f"{name} starts like a file of R but cannot be read as one: {one_line(error)}.") from error
    if form.sheet is not None or len(frames) < 2:
        return table
    return table.replace_schema_metadata({OTHER_SHEETS: f"{len(frames)} data frames ({listed(list(frames))})"})


def _frames(data: bytes, encoding: str | None) -> dict[str, Vector]:
    """The data frames in a file, by their names."""
    found = ObjectReader(data[7 if data.startswith(b"RDX") else 2 :], encoding).read()
    objects = found if isinstance(found, Pairs) else [("", found)]
    return {key: v for key, v in objects if isinstance(v, Vector) and "data.frame" in v.texts("class")}


def _table(frame: Vector, name: str):
    pa = need_pyarrow()
    names = frame.texts("names")
    arrays = [_array(column, f"{name}: column {key!r}") for key, column in zip(names, frame.values, strict=True)]
    return pa.table(arrays, names=names)


def _array(column: Vector, place: str):
    """A column as an Arrow array."""
    pa = need_pyarrow()
    values = getattr(column, "values", None)
    is_list = isinstance(values, list) and not all(v is None or isinstance(v, str) for v in values)
    is_complex = isinstance(values, np.ndarray) and values.dtype.kind == "c"
    if values is None or is_list or is_complex or "dim" in column.attributes:
        raise FileError(f"{place} holds no numbers, texts, factors or times; leave it out in R.")
    if isinstance(values, list):
        return pa.array(values, pa.string())
    classes = column.texts("class")
    if "integer64" in classes:
        whole = values.view(np.int64)
        return pa.array(whole, mask=whole == np.iinfo(np.int64).min)
    missing = values == _NA if values.dtype == np.int32 else np.isnan(values)
    if column.is_logical:
        return pa.array(values != 0, mask=missing)
    if "factor" in classes:
        codes = pa.array(values.astype(np.int32) - 1, mask=missing)
        levels = pa.array(column.texts("levels"), pa.string())
        return pa.DictionaryArray.from_arrays(codes, levels, ordered="ordered" in classes)
    if {"Date", "POSIXct", "difftime"} & set(classes):
        return _times(column, missing | ~np.isfinite(values))
    return as_whole(pa.array(values, mask=missing))


def _times(column: Vector, missing: np.ndarray):
    """Dates, times in UTC, or durations."""
    pa = need_pyarrow()
    known, classes = np.where(missing, 0, column.values), column.texts("class")
    with np.errstate(invalid="raise"):
        if "Date" in classes:
            return pa.array(np.floor(known).astype(np.int32), pa.date32(), mask=missing)
        if "POSIXct" in classes:
            return pa.array(np.round(known * 1e6).astype(np.int64), pa.timestamp("us"), mask=missing)
        seconds = _SECONDS[(column.texts("units") or ["secs"])[0]]
        return pa.array(np.round(known * seconds * 1e6).astype(np.int64), pa.duration("us"), mask=missing)

"""Data frames and their columns, read through narwhals: pandas, polars, pyarrow and others."""

from __future__ import annotations

import numpy as np

from ..._fast_record import cached
from ...errors import DataTypeError
from ..columns.instants import from_counts, from_numpy_times
from ..columns.names import resolve_names
from ..columns.raw import (
    RawColumn,
    checked_codes,
    from_booleans,
    from_categories,
    from_numbers,
    no_values,
    place_of,
    refuse_nested,
)
from ..columns.temporal import DATE, DATETIME, DURATION, TIME, Temporal
from .arrow_tables import from_arrow_text, need_pyarrow
from .objects import from_array, from_objects
from .table import TableReader, check_shape

_TIMES = {"Datetime": DATETIME, "Date": DATE, "Time": TIME, "Duration": DURATION}
_NESTED = {"List", "Array", "Struct", "Binary"}


class FrameTable(TableReader):
    """Any data frame that narwhals reads."""

    def __init__(self, frame, names: list):
        self._frame, self.n = frame, len(frame)
        self.names, self.named = resolve_names(names)
        check_shape((self.n, len(self.names)))

    @cached
    def _series(self) -> list:
        # All at once: a look-up by position lists all columns of the frame every time.
        return list(as_frame(self._frame).iter_columns())

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        return from_series(place_of(self.names[j]), self._series[j])


def as_frame(X):
    """``X`` as a narwhals frame or series, or None when it is neither.

    Raises
    ------
    DataTypeError
        For a lazy frame that does not compute its rows here.
    """
    import narwhals.stable.v2 as nw

    if type(X).__module__.startswith("dask") and hasattr(X, "map_partitions"):
        raise DataTypeError(
            "A Dask data frame or series has no rows yet; estimators with fit_stream(frame, target) learn from it, all "
            "others take the computed one, X.compute()."
        )
    found = nw.from_native(X, pass_through=True, allow_series=True)
    if isinstance(found, nw.LazyFrame):  # polars, DuckDB and others, which compute their rows here
        if hasattr(X, "collect") and type(X).__module__.startswith("polars"):
            return nw.from_native(X.collect())
        if not hasattr(X, "__arrow_c_stream__"):
            raise DataTypeError(
                f"A lazy frame ({type(X).__module__.split('.')[0]} {type(X).__name__}) has no rows yet; "
                "pass the collected one, for example X.collect() or X.compute()."
            )
    if isinstance(found, (nw.DataFrame, nw.Series)):
        return found
    if hasattr(X, "__arrow_c_stream__") or (hasattr(X, "__arrow_c_array__") and hasattr(X, "num_columns")):
        need_pyarrow()
        return nw.from_arrow(X, backend="pyarrow")
    return None


def is_series(frame) -> bool:
    """Whether what ``as_frame`` found is one column."""
    return not hasattr(frame, "columns")


def from_series(place: str, series) -> RawColumn:
    """Read a narwhals series of n values.

    Raises
    ------
    DataTypeError, DataError
        For columns of lists, records, bytes, complex numbers or other objects.
    """
    kind = series.dtype
    name = type(kind).__name__
    if kind.is_integer() and "128" not in name:
        mask = series.is_null().to_numpy()
        return from_numbers(place, series.fill_null(0).to_numpy(), mask) if mask.any() else _from_numpy(place, series)
    if kind.is_float():
        return _from_numpy(place, series)
    if name == "Boolean":
        mask = series.is_null().to_numpy()
        return from_booleans(place, series.fill_null(False).to_numpy().astype(bool), mask)
    if name in ("Categorical", "Enum"):
        return _from_categorical(place, series)
    if name in _TIMES:
        return _from_times(place, series, name)
    if name in _NESTED:
        raise refuse_nested(place, kind)
    if name == "Unknown":
        _refuse_arrow_nested(place, series.to_native())
        return no_values(place, len(series)) if series.is_null().all() else _from_numpy(place, series)
    found = _arrow_text(place, series.to_native()) if name == "String" else None
    return from_objects(place, series.to_list()) if found is None else found


def _arrow_text(place: str, native) -> RawColumn | None:
    """A column of text that Arrow holds, also inside pandas; None for any other."""
    if type(native).__module__.startswith("pandas"):
        if not hasattr(native.array, "__arrow_array__") or getattr(native.dtype, "storage", "pyarrow") != "pyarrow":
            return None
        native = native.array.__arrow_array__()
    if not type(native).__module__.startswith("pyarrow"):
        return None
    return from_arrow_text(place, native)


def from_native_categorical(place: str, native) -> RawColumn:
    """Read anything with pandas' ``codes``, ``categories`` and ``ordered``."""
    categories = native.categories
    listed = categories.to_list() if hasattr(categories, "to_list") else list(categories)  # an Index walks slowly
    return from_categories(place, np.asarray(native.codes), listed, bool(native.ordered))


def _from_times(place: str, series, name: str) -> RawColumn:
    """Read a series of dates, datetimes, times of day or durations."""
    native, kind = series.to_native(), _TIMES[name]
    unit = "D" if kind == DATE else "ns" if kind == TIME else series.dtype.time_unit
    zone = series.dtype.time_zone if kind == DATETIME else None
    if hasattr(native, "to_physical"):  # polars counts as we do
        missing = native.is_null().to_numpy()
        counts = native.to_physical().cast(int).fill_null(0).to_numpy()
        return from_counts(place, counts, missing, Temporal(kind, unit, unit, zone))
    if hasattr(native, "dt") and isinstance(native.dtype, np.dtype):
        return from_numpy_times(place, native.to_numpy())
    if type(getattr(native, "dtype", None)).__name__ == "DatetimeTZDtype":
        return from_numpy_times(place, native.dt.tz_convert(None).to_numpy(), zone)
    return _from_arrow_times(place, series.to_arrow(), kind)


def _from_arrow_times(place: str, column, kind: str) -> RawColumn:
    """Read an Arrow column of such."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
        column = column if not isinstance(column, pa.ChunkedArray) else pa.concat_arrays(column.chunks)
    found = column.type
    width = pa.int64() if found.bit_width == 64 else pa.int32()
    missing = column.is_null().to_numpy(zero_copy_only=False)
    counts = column.cast(width).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    unit = getattr(found, "unit", "D") if kind != DATE else "D"
    if pa.types.is_date64(found):
        counts = counts // 86_400_000
    return from_counts(place, counts, missing, Temporal(kind, unit, unit, getattr(found, "tz", None)))


def _from_numpy(place: str, series) -> RawColumn:
    """Read a series through its numpy array."""
    return from_array(place, np.asarray(series.to_numpy()))


def _refuse_arrow_nested(place: str, native) -> None:
    """Refuse Arrow's own nested types (unions, maps, list views), for which the frame library has no name."""
    kind = getattr(native, "type", None)
    # run-end encoding only packs the values; it has parts, but is not nested
    if getattr(kind, "num_fields", 0) and not str(kind).startswith("run_end_encoded"):
        raise refuse_nested(place, kind)


def _from_categorical(place: str, series) -> RawColumn:
    """Read a categorical series; a polars Categorical has the levels that occur, like strings."""
    native = series.to_native()
    if hasattr(native, "array") and hasattr(native.array, "__arrow_array__"):
        native = native.array.__arrow_array__()  # an Arrow dictionary inside pandas
    if hasattr(native, "chunks"):
        return _from_dictionary(place, native)
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        return from_native_categorical(place, native.cat)
    if type(series.dtype).__name__ == "Enum":
        categories = series.cat.get_categories().to_list()
        position = {v: i for i, v in enumerate(categories)}
        codes = np.fromiter((position.get(v, -1) for v in series.to_list()), np.int32, len(series))
        return from_categories(place, codes, categories, ordered=True)
    return from_objects(place, series.to_list())


def _from_dictionary(place: str, chunked) -> RawColumn:
    """Read an Arrow dictionary column; chunks may have dictionaries of their own, levels are matched by value."""
    codes, categories, offset = [np.zeros(0, dtype=np.int64)], [], 0
    for chunk in chunked.chunks:
        index = chunk.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        index = checked_codes(place, index, len(chunk.dictionary))
        codes.append(np.where(index < 0, -1, index + offset))
        categories += chunk.dictionary.to_pylist()
        offset = len(categories)
    return from_categories(place, np.concatenate(codes), categories, bool(chunked.type.ordered))

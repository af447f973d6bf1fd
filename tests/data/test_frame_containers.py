"""The same table in any container gives the same columns."""

import decimal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.errors import DataError
from data.same_columns import assert_same, exact

CITIES = ["北京", "東京", None, "서울", "Wien", "北京"]
AGES = [31, 25, 2**60 + 1, None, 2**60, 7]
SIZES = [1.5, None, float("inf"), -0.0, 2.0, 1e-300]
FLAGS = [True, None, False, True, True, False]

CONTAINERS = {
    "numpy objects": lambda: np.array([AGES, SIZES, CITIES, FLAGS], dtype=object).T,
    "rows": lambda: [list(row) for row in zip(AGES, SIZES, CITIES, FLAGS, strict=True)],
    "records": lambda: [
        dict(zip(["age", "size", "city", "flag"], row, strict=True))
        for row in zip(AGES, SIZES, CITIES, FLAGS, strict=True)
    ],
    "mapping": lambda: {"age": AGES, "size": np.array(SIZES, dtype=float), "city": pl.Series(CITIES), "flag": FLAGS},
    "pandas": lambda: pd.DataFrame(
        {"age": pd.array(AGES, "Int64"), "size": SIZES, "city": CITIES, "flag": pd.array(FLAGS, "boolean")}
    ),
    "pandas objects": lambda: pd.DataFrame({"age": AGES, "size": SIZES, "city": CITIES, "flag": FLAGS}, dtype=object),
    "pandas arrow": lambda: pd.DataFrame(
        {
            "age": pd.array(AGES, "int64[pyarrow]"),
            "size": pd.array(SIZES, "double[pyarrow]"),
            "city": pd.array(CITIES, "string[pyarrow]"),
            "flag": pd.array(FLAGS, "bool[pyarrow]"),
        }
    ),
    "polars": lambda: pl.DataFrame({"age": AGES, "size": SIZES, "city": CITIES, "flag": FLAGS}),
    "pyarrow": lambda: pa.table({"age": AGES, "size": SIZES, "city": CITIES, "flag": FLAGS}),
    "pyarrow large": lambda: pa.table(
        {"age": AGES, "size": SIZES, "city": pa.array(CITIES, pa.large_string()), "flag": FLAGS}
    ),
    "pyarrow batch": lambda: pa.RecordBatch.from_pydict({"age": AGES, "size": SIZES, "city": CITIES, "flag": FLAGS}),
    "pyarrow chunks": lambda: pa.concat_tables(
        pa.table({"age": pa.array(AGES[s], pa.int64()), "size": SIZES[s], "city": CITIES[s], "flag": FLAGS[s]})
        for s in (slice(0, 2), slice(2, 6))
    ),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_are_equal(name):
    columns = learn_columns(CONTAINERS[name]())
    assert [f.kind for f in columns.schema] == ["numeric", "numeric", "nominal", "nominal"]
    assert columns.schema[2].levels == ("Wien", "北京", "東京", "서울")
    assert columns.schema[3].levels == (False, True)
    assert exact(columns, 0) == AGES
    assert exact(columns, 1) == SIZES
    assert [None if c < 0 else columns.schema[2].levels[c] for c in columns.values[2]] == CITIES
    assert columns.values[3].tolist() == [1, -1, 0, 1, 1, 0]
    assert columns.schema.named == (name not in ("numpy objects", "rows"))
    assert columns.schema.names == (
        ("age", "size", "city", "flag") if columns.schema.named else ("x0", "x1", "x2", "x3")
    )


@pytest.mark.parametrize("name", [n for n in CONTAINERS if n not in ("numpy objects", "rows")])
@pytest.mark.parametrize("other", ["pandas", "polars", "pyarrow"])
def test_train_on_one_predict_on_another(name, other):
    learned = learn_columns(CONTAINERS[other]())
    read = read_columns(CONTAINERS[name](), learned.schema)
    assert_same(learned, read)
    assert read.unseen == {}


@pytest.mark.parametrize("name", ["polars", "pyarrow", "pandas objects"])
def test_integer_flag(name):
    assert [f.integer for f in learn_columns(CONTAINERS[name]()).schema][:2] == [True, False]


LAYOUTS = {
    "fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "big endian": lambda X: X.astype(X.dtype.newbyteorder(">")),
    "matrix": lambda X: X.view(np.matrix),
    "masked": lambda X: np.ma.MaskedArray(np.where(np.isnan(X), 5, X), mask=np.isnan(X)),
    "objects": lambda X: X.astype(object),
    "lists": lambda X: X.tolist(),
    "pandas": pd.DataFrame,
    "polars": lambda X: pl.from_numpy(X.astype(np.float64)),
    "long double": lambda X: X.astype(np.longdouble),
}


def unaligned(X):
    raw = bytearray(X.nbytes + 1)
    moved = np.ndarray(X.shape, X.dtype, buffer=raw, offset=1)
    moved[...] = X
    return moved


LAYOUTS["unaligned"] = unaligned


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout, dtype):
    X = np.array([[0.1, 2, np.nan], [-np.inf, 0.3, 4], [7, 8, 9], [1e-4, np.inf, 0]], dtype=dtype)
    other = LAYOUTS[layout](X)
    if isinstance(other, np.ndarray):
        other.flags.writeable = False
    before = X.copy()
    columns = learn_columns(other)
    for j, values in enumerate(columns.values):
        assert values.strides[0] % values.itemsize == 0
        assert values.flags.aligned
        assert values.dtype.isnative
        np.testing.assert_array_equal(values, X[:, j].astype(np.float64))
    read = read_columns(other, learn_columns(X).schema)
    assert_same(read, columns)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, ">i8", ">u4", np.int64, np.uint64])
def test_integer_types(dtype):
    X = np.array([[1, 2], [3, 100]], dtype=dtype)
    columns = learn_columns(X)
    assert [v.tolist() for v in columns.values] == [[1, 3], [2, 100]]
    assert all(f.kind == "numeric" and f.integer for f in columns.schema)


def test_float64_columns_are_shared_not_copied():
    X = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert all(np.shares_memory(X, v) for v in learn_columns(X).values)
    frame = pd.DataFrame({"a": np.arange(3.0)})
    assert np.shares_memory(frame["a"].to_numpy(), learn_columns(frame).values[0])


def test_memory_mapped(tmp_path):
    X = np.arange(12.0).reshape(4, 3)
    np.save(tmp_path / "x.npy", X)
    assert_same(learn_columns(np.load(tmp_path / "x.npy", mmap_mode="r")), learn_columns(X))


def test_masked_arrays_are_missing_whatever_their_type():
    mask = [[False], [True]]
    for data in ([[1], [2]], [[1.0], [2.0]], [["a"], ["b"]], [[True], [False]]):
        columns = learn_columns(np.ma.MaskedArray(data, mask=mask))
        assert columns.missing(0).tolist() == [False, True]


def test_structured_array_has_named_columns():
    X = np.array([(1.5, "a"), (2.5, "b")], dtype=[("size", "f8"), ("city", "U2")])
    columns = learn_columns(X)
    assert columns.schema.named
    assert columns.schema.names == ("size", "city")
    assert columns.values[0].tolist() == [1.5, 2.5]
    assert columns.values[1].tolist() == [0, 1]


@pytest.mark.parametrize("dtype", ["U5", "S5", "StringDType", object])
def test_numpy_strings_of_every_type(dtype):
    if dtype == "StringDType":
        if not hasattr(np.dtypes, dtype):
            pytest.skip("numpy before 2.0 has no StringDType")
        dtype = np.dtypes.StringDType()
    columns = learn_columns(np.array([["b"], ["a"]], dtype=dtype))
    assert columns.schema[0].levels == ("a", "b")
    assert type(columns.schema[0].levels[0]) is str


def test_objects_that_offer_an_array():
    class Holder:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1.0, 2.0]])

    assert learn_columns(Holder()).values[1].tolist() == [2.0]


def test_decimals_are_nearest_floats():
    values = [decimal.Decimal("0.1"), None, decimal.Decimal("123456789.123456789")]
    of_polars = pl.DataFrame({"a": values}, strict=False)  # polars 1.0 calls decimals of two scales mixed types
    for X in (pd.DataFrame({"a": values}), of_polars, pa.table({"a": values}), {"a": values}):
        columns = learn_columns(X)
        assert columns.schema[0].kind == "numeric"
        np.testing.assert_array_equal(columns.values[0], [0.1, np.nan, 123456789.123456789])


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this polars has no integers of 128 bits")
def test_polars_128_bit_integers():
    assert exact(learn_columns(pl.DataFrame({"a": pl.Series([2**60 + 1, None], dtype=pl.Int128)})), 0) == [
        2**60 + 1,
        None,
    ]
    with pytest.raises(DataError, match=r"Column 'a', row 0 .* does not fit 64 bits"):
        learn_columns(pl.DataFrame({"a": pl.Series([2**100], dtype=pl.Int128)}))


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [None, None]}, dtype=object),
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": pa.nulls(2)}),
        {"a": [None, float("nan")]},
        {"a": [pd.NA, pd.NaT]},
    ],
)
def test_no_values_at_all_is_numeric(X):
    columns = learn_columns(X)
    assert columns.schema[0].kind == "numeric"
    assert columns.missing(0).all()


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_wide_frames_are_read_without_a_look_up_for_each_column(make, monkeypatch):
    """A look-up by position, or by name, costs a pass over all columns, so wide frames took quadratic time."""
    counted = []
    for name in ("__getitem__", "get_column"):
        original = getattr(nw.DataFrame, name)
        monkeypatch.setattr(nw.DataFrame, name, lambda *a, original=original: counted.append(a) or original(*a))
    names = nw.DataFrame.columns
    monkeypatch.setattr(nw.DataFrame, "columns", property(lambda self: counted.append(self) or names.fget(self)))
    work = []
    for width in (3, 30):
        counted.clear()
        columns = learn_columns(make({f"c{j}": [j + 0.0, j + 0.5] for j in range(width)}))
        assert [v.tolist() for v in columns.values] == [[j + 0.0, j + 0.5] for j in range(width)]
        work.append(len(counted))
    assert work[0] == work[1]

"""CSV, Parquet and Arrow files with odd fields and broken bytes: read and learned from, in memory and as a stream."""

from __future__ import annotations

import io
import random
import tempfile
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.files.files import read_table
from boxwood.errors import BoxwoodError
from written import table_bytes

FIELDS = (
    *("1", "2", "3.5", "-0", "1e308", "1e999", "nan", "NaN", "NA", "", " ", "inf", "-inf", "True", "false", "x", "中"),
    *("2020-01-01", "9223372036854775808", "18446744073709551616", "0x10", "1,5", '"a""b"', '"', '"a\nb"', "=1+1"),
    *("\0", "\ufeff", "é", "\u202e", "a" * 3000, "1_000", "1e", "+1", "'", "\\", "00012", "5e-324", "null", "None"),
)
NAMES = ("a", "b", "y", "", "a", "中", " ", "x;y", '"q"', "\0", "__proto__", "=1", "x\ny", "a" * 500)
TYPES = (
    *(pa.int8(), pa.uint64(), pa.int64(), pa.float16(), pa.float32(), pa.float64(), pa.string(), pa.large_string()),
    *(pa.bool_(), pa.binary(), pa.date32(), pa.timestamp("ns"), pa.decimal128(10, 2), pa.decimal128(38, 0), pa.null()),
    *(pa.duration("s"), pa.time64("us"), pa.list_(pa.int64()), pa.struct([("s", pa.int64())])),
    pa.dictionary(pa.int32(), pa.string()),
)
VALUES = (0, 1, 2, -1, 3, 100, 7, None)


def draw(draw: random.Random) -> bytes:
    """The content of a file."""
    data = _typed(draw) if draw.random() < 0.5 else _csv(draw)
    return _broken(data, draw) if draw.random() < 0.5 else data


def _csv(draw: random.Random) -> bytes:
    columns, separator = draw.randint(1, 5), draw.choice(",,,;\t|")
    names = [draw.choice(NAMES) if draw.random() < 0.2 else f"c{j}" for j in range(columns - 1)] + ["y"]
    pools = [draw.sample(FIELDS, draw.randint(1, 4)) for _ in names]
    rows = [names, *([draw.choice(pool) for pool in pools] for _ in range(draw.randint(0, 30)))]
    encoding = draw.choice(("utf-8",) * 6 + ("utf-8-sig", "utf-16", "latin-1"))
    return draw.choice(("\n", "\n", "\r\n")).join(map(separator.join, rows)).encode(encoding, "replace")


def _typed(draw: random.Random) -> bytes:
    n, columns, names = draw.randint(0, 30), [], []
    for j in range(draw.randint(1, 4)):
        kind = draw.choice(TYPES)
        names.append(draw.choice(NAMES) if draw.random() < 0.1 else f"c{j}")
        columns.append(_column(kind, draw.choices(VALUES, k=n)))
    names[-1] = "y"
    table, sink = pa.table(columns, names=names), io.BytesIO()
    if draw.random() < 0.3:
        with pa.ipc.new_file(sink, table.schema) as file:
            file.write_table(table)
        return sink.getvalue()
    try:
        pq.write_table(table, sink, compression=draw.choice(("none", "snappy", "gzip")))
    except pa.ArrowException:  # a type that Parquet does not have
        return b"PAR1"
    return sink.getvalue()


def _column(kind: pa.DataType, values: list) -> pa.Array:
    """Values of a type, as far as it has them."""
    if pa.types.is_list(kind):
        return pa.array([None if v is None else [v] for v in values], kind)
    if pa.types.is_struct(kind):
        return pa.array([None if v is None else {"s": v} for v in values], kind)
    if pa.types.is_dictionary(kind):
        return pa.array([None if v is None else str(v) for v in values], pa.string()).dictionary_encode().cast(kind)
    if pa.types.is_unsigned_integer(kind):
        return pa.array([None if v is None else abs(v) for v in values], kind)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind):
        return pa.array([None if v is None else str(v) for v in values], kind)
    if kind == pa.bool_():
        return pa.array([None if v is None else bool(v) for v in values], kind)
    if pa.types.is_decimal(kind):
        return pa.array([None if v is None else Decimal(v) for v in values], kind)
    if kind == pa.null():
        return pa.nulls(len(values), kind)
    return pa.array(values, pa.int32() if kind == pa.date32() else pa.int64()).cast(kind, safe=False)


def _broken(data: bytes, draw: random.Random) -> bytes:
    """Bytes changed, left out, or written twice."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        if not found:
            break
        at, what = draw.randrange(len(found)), draw.randrange(4)
        if what == 0:
            found[at] = draw.randrange(256)
        elif what == 1:
            del found[at : at + draw.randint(1, 9)]
        elif what == 2:
            found[at:at] = found[at : at + draw.randint(1, 40)]
        else:
            found[at:at] = draw.choice((b'"', b"\0", b"\xff", b"\n", b",", b"\xef\xbb\xbf", b"PAR1"))
    return bytes(found)


def run(data: bytes) -> None:
    """Read the file, write what was read, and learn from both."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_bytes(data)
        errors = []
        for step in (_stream, _memory):
            try:
                step(path)
            except BoxwoodError as error:
                if not str(error):
                    raise AssertionError(f"{type(error).__name__} without a word") from error
                errors.append(error)
        if errors:
            raise errors[-1]


def _memory(path: Path) -> None:
    table = read_table(path)
    for name in ("w.csv", "w.parquet"):
        other = path.with_name(name)
        other.write_bytes(table_bytes(table, name))
        again = read_table(other)
        if again.num_rows != table.num_rows:
            raise AssertionError(f"{name}: {again.num_rows} rows of {table.num_rows} came back")
    X, y = table.drop_columns(["y"]) if "y" in table.column_names else table, table.column(table.num_columns - 1)
    if X.num_columns:
        model = CARTClassifier(pruning=None).fit(X, y)
        if len(model.predict(X)) != table.num_rows:
            raise AssertionError("predict gave another number of rows")
        str(model.tree_)
        CARTRegressor(pruning=None).fit(X, y)


def _stream(path: Path) -> None:
    CARTClassifier(pruning=None).fit_stream(path, "y")

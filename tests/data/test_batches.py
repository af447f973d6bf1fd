"""Batches of every source are the rows of the source, whole and in order; what cannot be read is named."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as dataset
import pyarrow.parquet as parquet
import pytest

from boxwood._messages import FromZero, Row
from boxwood.data.files.csv_blocks import CsvFile
from boxwood.data.streams.batch_readers import FrameReader
from boxwood.data.streams.batches import Batches
from boxwood.data.streams.row_rules import RowRules
from boxwood.errors import ColumnError, DataError, DataTypeError, FileError

TABLE = pa.table(
    {"数": [1, 2, 3, 4, 5], "city": ["北京", None, "Wien", "a,b", 'say "hi"'], "flag": [True, None, False, True, True]}
)


def cells(batches: Batches) -> list[tuple]:
    rows = []
    for batch in batches.read(batches.names):
        columns = [batch.column(name) for name in batches.names]
        for i in range(batch.table.n):
            values = []
            for column in columns:
                value = column.values[i].item()
                if column.levels is None:
                    values.append(None if value != value else value)
                else:
                    values.append(None if value < 0 else column.levels[value])
            rows.append(tuple(values))
    return rows


EXPECTED = list(zip(*TABLE.to_pydict().values(), strict=True))


def written(folder, kind: str) -> str:
    path = str(folder / f"数据.{kind}")
    if kind == "parquet":
        parquet.write_table(TABLE, path)
    else:
        pd.DataFrame(TABLE.to_pydict()).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("rows", [1, 2, 1000])
@pytest.mark.parametrize(
    "make",
    [
        lambda folder: TABLE,
        lambda folder: TABLE.to_pandas(),
        lambda folder: pl.from_arrow(TABLE),
        lambda folder: [TABLE.slice(0, 2), TABLE.to_pandas().iloc[2:3], pl.from_arrow(TABLE.slice(3))],
        lambda folder: TABLE.to_batches,
        lambda folder: lambda: pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(2)),
        lambda folder: lambda: (frame for frame in [TABLE.slice(0, 0), TABLE]),
        lambda folder: written(folder, "parquet"),
        lambda folder: written(folder, "csv"),
        lambda folder: dataset.dataset(written(folder, "parquet")),
        lambda folder: (written(folder, "parquet"), str(folder))[1],
        lambda folder: (written(folder, "csv"), str(folder / "*.c?v"))[1],
    ],
)
def test_all_rows_in_order_as_often_as_requested(make, rows, tmp_path):
    batches = Batches(make(tmp_path), rows=rows)
    assert batches.names == ["数", "city", "flag"]
    assert cells(batches) == EXPECTED
    assert cells(batches) == EXPECTED


def test_files_of_a_folder_come_in_the_order_of_their_names(tmp_path):
    for name, value in (("b.parquet", 2), ("a.parquet", 1), ("_c.parquet", 3)):
        parquet.write_table(pa.table({"x": [value]}), tmp_path / name)
    assert [row[0] for row in cells(Batches(str(tmp_path)))] == [1.0, 2.0]


class Searched(tuple):
    """Names that count how often one is searched for among them."""

    searches = 0

    def __contains__(self, name):
        Searched.searches += 1
        return super().__contains__(name)

    def index(self, name):
        Searched.searches += 1
        return super().index(name)


def test_wide_batches_are_read_without_a_search_for_each_column(monkeypatch):
    """A search for each name among all names took quadratic time: 5 s for two batches of 10,000 columns."""
    frame = {f"c{j}": [1.0] for j in range(30)}
    monkeypatch.setattr(FrameReader, "names", lambda self, known=FrameReader.names: Searched(known(self)))
    batches = Batches([pa.table(frame), pa.table(frame)])
    for batch in batches.read(list(batches.names)):
        batch.table.names = Searched(batch.table.names)
        assert [batch.column(name).values.tolist() for name in batches.names] == [[1.0]] * 30
    assert Searched.searches == 0


def test_columns_are_found_by_name_whatever_their_order():
    assert cells(Batches([pa.table({"a": [1], "b": [2]}), pa.table({"b": [4], "a": [3]})])) == [(1, 2), (3, 4)]


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ([], DataError, "no batches"),
        (lambda: iter([]), DataError, "empty iterator"),
        (lambda: pd.DataFrame({"a": [1]}), DataTypeError, "iterator of frames"),
        ([TABLE, TABLE.drop(["flag"])], ColumnError, r"batch 1 of the source .* lacks .*'flag'"),
        ([TABLE, TABLE.append_column("new", [[1] * 5])], ColumnError, r"batch 1 .* has the column\(s\) 'new'"),
        ([[1, 2], [3, 4]], DataError, "batch 0"),
        ("nowhere/*.parquet", FileError, "matches no file"),
        ("nowhere.csv", FileError, "does not exist"),
        ("-", FileError, "only once"),
        (pa.RecordBatchReader.from_batches(TABLE.schema, []), DataError, "no batches"),
        ((frame for frame in ()), DataError, "no batches"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(source, error, words):
    with pytest.raises(error, match=words):
        Batches(source)


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="no rows"):
        cells(Batches(TABLE.slice(0, 0)))


def test_errors_of_a_column_name_batch_and_rows():
    bad = pa.table({"when": pa.array([b"a", b"b"])})
    with pytest.raises(DataTypeError, match=r"batch 0 of the source .*rows 1 to 1.*'when'.*Binary"):
        [batch.column("when") for batch in list(Batches([bad], rows=1).read(["when"]))[1:]]


@pytest.mark.parametrize("needed", [None, "y"])
def test_errors_give_the_number_of_a_row_in_its_file(needed):
    """Of rows in a later batch, and where rows before it were left out; quoted names keep their numbers."""
    table = pa.table({"y": [1.0, None, 3.0, None, 5.0, float("inf")]})
    batches = Batches([table, table], rows=4)
    batches.rules = RowRules(needed=needed)
    _, batch, *_ = batches.read(["y"])
    error = batch.about(DataError(Row(1, "Row"), FromZero(), " of 'row 1' is inf"))
    assert str(error).endswith("rows 4 to 5 (counted from 0): Row 5 (counted from 0) of 'row 1' is inf")
    first = next(iter(batches.read(["y"])))
    assert str(first.about(DataError(Row(1)))).endswith("row 2" if needed else "row 1")


TEXT = 'x,名\n1,"a\nb"\n2,c\n,"d ""e"""\n4.5,NA\n'


@pytest.mark.parametrize("size", [1, 3, 8, 11, 1 << 20])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blocks_of_text_end_where_rows_end(size, end, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(("\ufeff" + TEXT.replace("\n", end)).encode())
    file = CsvFile(str(path), "t.csv")
    types, _ = file.survey(size)
    found = pa.concat_tables(file.tables(size, types)).to_pydict()
    inside = f"a{end}b"
    assert found == {"x": [1.0, 2.0, None, 4.5], "名": [inside, "c", 'd "e"', "NA"]}


@pytest.mark.parametrize("size", [16, 1 << 20])
def test_a_quote_inside_a_field_is_no_quote(size, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('x,size\n1,5" disk\n2,"two\nlines"\n3,plain\n')
    file = CsvFile(str(path), "t.csv")
    assert pa.concat_tables(file.tables(size, file.survey(size)[0])).column("size").to_pylist() == [
        '5" disk', "two\nlines", "plain",
    ]  # fmt: skip


def test_types_suit_all_files(tmp_path):
    for name, text in (("a", "p,q,r\n1,1,\n"), ("b", "p,q,r\n2.5,x,\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    batches = Batches(str(tmp_path))
    assert cells(batches) == [(1.0, "1", None), (2.5, "x", None)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a,b\n1,2\n3\n", "row 2"),
        (b"a,b\n1,\xff\n", "not UTF-8"),
        (b"a,a\n1,2\n", "more than one column"),
        (b"\xff\xfea\x00\n", r" is not utf-16 text.*'gb18030'\.$"),
        (b"PAR1rubbish", "cannot be read as one"),
        (b"\n", "not a list of column names|empty"),
    ],
)
def test_damaged_files_are_named(content, words, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=f"bad.csv.*({words})"):
        cells(Batches(str(path)))

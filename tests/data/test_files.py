"""Data files: what is read, what is refused and with which sentence; what is written."""

import csv
import decimal
import io
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import datasets
from boxwood.data.files.delimited import check_quotes
from boxwood.data.files.files import read_table
from boxwood.errors import FileError, ParameterError
from effort import examples
from written import table_bytes


@pytest.fixture
def write(tmp_path):
    def writer(data, name="t.csv"):
        file = tmp_path / name
        file.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        return file

    return writer


def kinds(table):
    return [str(t) for t in table.schema.types]


def test_kinds_and_missing(write):
    table = read_table(write("a,b,c,d,e\n1,1.5,true,x,\n2,,False,,NA\nNA,inf,,NA,3\n"))
    assert kinds(table) == ["int64", "double", "bool", "string", "int64"]
    assert table.to_pydict() == {
        "a": [1, 2, None],
        "b": [1.5, None, float("inf")],
        "c": [True, False, None],
        "d": ["x", None, "NA"],
        "e": [None, None, 3],
    }


def test_quoted_empty_field_is_missing(write):
    assert read_table(write('"a","b"\n"1",""\n"","x"\n')).to_pydict() == {"a": [1, None], "b": [None, "x"]}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_separators_line_ends_and_byte_order_mark(write, separator, end, start):
    rows = [["年龄", "有工作"], ["青年", "是"], ["老年", "否"]]
    data = start + end.join(separator.join(row) for row in rows).encode("utf-8")
    assert read_table(write(data)).to_pydict() == {"年龄": ["青年", "老年"], "有工作": ["是", "否"]}


def test_utf16_with_mark(write):
    assert read_table(write("a\tb\n1\t日本\n".encode("utf-16"))).to_pydict() == {"a": [1], "b": ["日本"]}


def test_quoted_separators_and_newlines(write):
    table = read_table(write('a,b\n"x, y","line 1\nline 2"\nz,"say ""hi"""\n'))
    assert table.to_pydict() == {"a": ["x, y", "z"], "b": ["line 1\nline 2", 'say "hi"']}


def test_decimal_comma_only_beside_semicolons(write):
    assert read_table(write("a;b\n1,5;x\n2,25;y\n")).to_pydict()["a"] == [1.5, 2.25]
    assert read_table(write("a;b\n1.5;x\n2,25;y\n")).to_pydict()["a"] == ["1.5", "2,25"]


def test_column_that_turns_out_to_be_text_late(write):
    lines = ["a,b"] + [f"{i},{i}" for i in range(300_000)] + ["1,x"]
    assert kinds(read_table(write("\n".join(lines)))) == ["int64", "string"]


def test_parquet_by_content(write):
    sink = io.BytesIO()
    parquet.write_table(pa.table({"a": [1, 2], "b": ["x", None]}), sink)
    file = write(sink.getvalue(), "no_suffix")
    assert read_table(file).to_pydict() == {"a": [1, 2], "b": ["x", None]}
    with pytest.raises(FileError, match="starts like a Parquet file but cannot be read"):
        read_table(write(sink.getvalue()[:50], "cut.parquet"))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n1\n")))
    assert read_table("-").to_pydict() == {"a": [1]}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", r"t\.csv is empty; a data file starts with a line of column names"),
        (" \n\n", r"t\.csv is empty"),
        ("a,b", r"t\.csv holds column names but no rows"),
        ("a,b\n", r"t\.csv holds column names but no rows"),
        (
            "a,b\n1,2\n3\n",
            r"t\.csv: row 2 \(line 3\) has 1 field where the first line has 2: it ends before column 'b'",
        ),
        (
            "a,b\n1,2,3\n",
            r"row 1 \(line 2\) has 3 fields .* first line has 2: it goes on after the last column 'b'",
        ),
        ('a,b\n1,"x\ny"\n2\n', r"row 2 \(line 4\) has 1 field"),
        ("a,b,a\n1,2,3\n", r"t\.csv has more than one column named 'a'; give every column its own name"),
        ("a,名\n1,x\n2,".encode() + b"\xe9\n", r"t\.csv: row 2, column '名' holds a byte \(0xe9\) that is not UTF-8"),
        (b"caf\xe9,b\n1,x\n", r"the line of column names holds a byte \(0xe9\) that is not UTF-8"),
        (b"\xff\xfea", r"starts like UTF-16 text but is not"),
        ("a,b\n1,x\n".encode("utf-32"), r"t\.csv is UTF-32 text; save it as UTF-8"),
        ("a,b\n1,x\n".encode("utf-32-be"), r"t\.csv is UTF-32 text"),
        ("a,b\n1,x\n".encode("utf-16-le"), r"t\.csv is UTF-16 \(without a byte-order mark\) text"),
        (b"a\0b,c\n1,x\n", r"t\.csv: the column name 'a\\x00b' holds a NUL character; remove it"),
        (b"a,\0c\n1,x\n", r"t\.csv: the column name '\\x00c' holds a NUL character"),
        (b'[{"a": ' + b"[" * 100_000, r"cannot be read as JSON lines \(an object a line\): it is nested too deeply\."),
        (b'[{"a": ' + b"9" * 6000 + b"}]", r"an object a line\): a whole number in it has too many digits\."),
        ("a,b\n1,x\n".encode("utf-16-be"), r"t\.csv is UTF-16 \(without a byte-order mark\) text"),
        ('a,b\n1,u\n2,"v\n3,u\n4,u\n', r"t\.csv: row 2 \(line 3\) opens a quote that is never closed; close it"),
        ('a,b\n1,"x\ny"\n\n2,"v""\n', r"row 2 \(line 5\) opens a quote that is never closed"),
        ('a,b\r1,5"\r2,"v\r3,u\r', r"row 2 \(line 3\) opens a quote that is never closed"),
        ('a,"b\n1,2\n', r"t\.csv: the line of column names opens a quote that is never closed"),
        ('a,b\n1,"v\n2,u\n3,"w\n', r"row 1 \(line 2\) opens a quote that is closed only in line 4, in the middle"),
        ("é" * 300 + "," + "é" * 300 + "\n1,2\n", r"more than one column named '.{56}\.\.\.; give"),
    ],
)
def test_refused_in_one_sentence(write, data, sentence):
    with pytest.raises(FileError, match=sentence) as caught:
        read_table(write(data))
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(FileError, match=r"none\.csv does not exist"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(FileError, match="is a folder"):
        read_table(tmp_path)


def test_quotes_in_the_middle_of_fields_are_text(write):
    table = read_table(write('a,b\n5" pipe,"x"\n"7"" pipe",""\n"8" pipe,y\n'))
    assert table.to_pydict() == {"a": ['5" pipe', '7" pipe', "8 pipe"], "b": ["x", None, "y"]}


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.lists(st.text('",\n\ra '), min_size=2, max_size=2), min_size=1, max_size=6))
def test_quotes_that_a_writer_wrote_are_accepted(rows):
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    check_quotes(text.getvalue().encode(), ",", "t.csv")


def test_long_cells_and_long_headers(write):
    assert read_table(write('a,b\n1,"' + "x\n" * 1_500_000 + '"\n2,y\n')).num_rows == 2
    names = [f"column {i}" for i in range(9000)]
    table = read_table(write(",".join(names) + "\n" + ",".join("1" * 9000) + "\n"))
    assert table.column_names == names
    names[-1] = names[0]
    with pytest.raises(FileError, match="more than one column named 'column 0'"):
        read_table(write(",".join(names) + "\n" + ",".join("1" * 9000) + "\n"))


def test_parquet_decimals_and_short_floats_become_floats(write):
    def of(table):
        sink = io.BytesIO()
        parquet.write_table(table, sink)
        return write(sink.getvalue(), "t.parquet")

    exact = [decimal.Decimal("1.50"), None]
    table = read_table(
        of(
            pa.table(
                {
                    "d": exact,
                    "e": pa.array(exact, pa.decimal256(60, 3)),
                    "f": pa.array([np.float16(0.5), None], pa.float16()),
                }
            )
        )
    )
    assert kinds(table) == ["double"] * 3
    assert table.to_pydict() == {"d": [1.5, None], "e": [1.5, None], "f": [0.5, None]}
    with pytest.raises(FileError, match="more than one column named 'a'; give"):
        read_table(of(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])))


def test_file_names_in_messages(tmp_path):
    for name in ("", "a\0b"):
        with pytest.raises(FileError, match="is not the name of a file; give the name"):
            read_table(name)
    with pytest.raises(FileError, match=r"年\\n\\x1b\.csv does not exist"):
        read_table(tmp_path / "年\n\x1b.csv")
    with pytest.raises(FileError) as caught:
        read_table("x" * 5000 + ".csv")
    assert len(str(caught.value)) < 300


def test_every_beginning_of_a_file_is_read_or_refused(write):
    data = 'a,b\n1,"x\ny"\n2,é\n3,"q""r"\n'.encode()
    refused = []
    for cut in range(len(data) + 1):
        try:
            read_table(write(data[:cut]))
        except FileError:
            refused.append(cut)
    # in 7 to 10, 20, 21, 23 and 24 a quote is open
    assert refused == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 15, 18, 20, 21, 23, 24]


def test_text_is_written_as_it_is(tmp_path):
    table = pa.table({"=t": ["+", "-", "=1+1", "@x", None], "n": list(range(-2, 3))})
    (tmp_path / "o.csv").write_bytes(table_bytes(table, "o.csv"))
    assert read_table(tmp_path / "o.csv").equals(table)


def test_formulas_are_disarmed_in_csv_on_request(tmp_path):
    cells = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "safe", None, "a=b", "中文"]
    table = pa.table({"=t": cells, "n": list(range(-5, 5))})
    (tmp_path / "o.csv").write_bytes(table_bytes(table, "o.csv", spreadsheet_safe=True))
    back = read_table(tmp_path / "o.csv").to_pydict()
    assert back["'=t"] == ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", "safe", None, "a=b", "中文"]
    assert back["n"] == list(range(-5, 5))
    (tmp_path / "o.parquet").write_bytes(table_bytes(table, "o.PARQUET", spreadsheet_safe=True))
    assert read_table(tmp_path / "o.parquet").equals(table)


@pytest.mark.parametrize("columns", [{"a": [[1], None]}, {"a": [1, 2], "b": [{"c": 1}, {"c": 2}]}])
def test_csv_has_no_field_for_lists_and_records(columns):
    with pytest.raises(FileError, match=r"column '[ab]' holds values of type (list|struct).*\.parquet"):
        table_bytes(pa.table(columns), "o.csv")
    assert table_bytes(pa.table(columns), "o.parquet").startswith(b"PAR1")


def test_numbers_survive_csv(tmp_path):
    values = [0.1, 1 / 3, 1e-320, -1.7976931348623157e308, 123456789.123456789]
    (tmp_path / "o.csv").write_bytes(table_bytes(pa.table({"x": values}), "o.csv"))
    assert read_table(tmp_path / "o.csv").to_pydict()["x"] == values


def test_bundled_tables():
    for name in datasets.names():
        columns = {column: list(values) for column, values in datasets.load(name).items()}
        assert columns == read_table(datasets.path(name)).to_pydict()
    with pytest.raises(ParameterError, match="must be one of the bundled tables"):
        datasets.load("mtcars")


def test_titanic_is_whole_and_split_without_overlap():
    learn, new = datasets.load("titanic"), datasets.load("titanic_new")
    rows = [list(zip(*part.values(), strict=True)) for part in (learn, new)]
    assert [len(r) for r in rows] == [1109, 200]
    assert not set(rows[0]) & set(rows[1])
    both = {name: learn[name] + new[name] for name in learn}
    missing = {name: both[name].count(None) for name in both if None in both[name]}
    assert missing == {"age": 263, "fare": 1, "embarked": 2}
    assert both["survived"].count("yes") == 500
    assert [both["class"].count(c) for c in ("1st", "2nd", "3rd")] == [323, 277, 709]

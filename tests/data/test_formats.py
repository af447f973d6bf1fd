"""Files of every kind that people have: encodings, compressions, workbooks, Arrow, ORC, JSON, addresses."""

import bz2
import gzip
import lzma
import sqlite3
import sys
import tarfile
import zipfile

import fsspec
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, orc, parquet

from boxwood import CARTClassifier
from boxwood.data.files.encodings import found_encoding
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import Form
from boxwood.data.streams.batches import Batches
from boxwood.errors import FileError, FormatWarning, NotAvailableError, ParameterError

GBK = {
    "城市": ["北京", "上海", "广州", "深圳"], "收入": [9, 12, 7, 15], "违约": ["是", "否", "是", "否"]
}  # fmt: skip
WORDS = {
    "utf-8-sig": GBK, "utf-16": GBK, "gbk": GBK, "gb18030": GBK,
    "big5": {"城市": ["臺北", "高雄", "臺中", "花蓮"], "姓名": ["張偉", "李娜", "劉洋", "陳靜"]},
    "shift_jis": {"都市": ["東京", "大阪", "京都", "札幌"], "名前": ["山田", "さとう", "スズキ", "田中"]},
    "euc_kr": {"도시": ["서울", "부산", "인천", "대구"], "이름": ["김철수", "이영희", "박지성", "홍길동"]},
    "latin-1": {"Stadt": ["Köln", "München", "Düsseldorf", "Zürich"], "Größe": ["groß", "klein", "üblich", "weiß"]},
}  # fmt: skip


def table_of(columns, times=50):
    return pa.table({name: values * times for name, values in columns.items()})


def csv_text(table) -> str:
    return table.to_pandas().to_csv(index=False)


@pytest.mark.parametrize("encoding", WORDS)
def test_csv_of_an_encoding_is_read_as_named_and_as_found(tmp_path, encoding):
    table, file = table_of(WORDS[encoding]), tmp_path / "a.csv"
    file.write_bytes(csv_text(table).encode(encoding))
    assert read_table(file, form=Form(encoding=encoding)).equals(table)
    if encoding.startswith("utf"):
        assert read_table(file).equals(table)
        return
    with pytest.warns(FormatWarning, match="is not UTF-8; it is read as"):
        assert read_table(file).equals(table)


def test_a_few_rows_tell_gbk():
    with pytest.warns(FormatWarning, match="gb18030"):
        assert found_encoding("x,城市\n1,北京\n3,上海\n".encode("gbk"), "a.csv") == "gb18030"


def test_encodings_that_do_not_fit_are_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes(csv_text(table_of(GBK)).encode("gbk"))
    with pytest.raises(FileError, match="is not utf-8 text at byte 0"):
        read_table(tmp_path / "a.csv", form=Form(encoding="utf-8"))
    for wrong in ("klingon", "base64", ""):
        with pytest.raises(ParameterError, match="is not an encoding of text"):
            read_table(tmp_path / "a.csv", form=Form(encoding=wrong))


PACKERS = {
    "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
    "zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True),
}  # fmt: skip


@pytest.mark.parametrize("ending", PACKERS)
def test_compressed_files_are_unpacked_and_damaged_ones_refused(tmp_path, ending):
    table, file = table_of(GBK), tmp_path / f"a.csv.{ending}"
    packed = PACKERS[ending](csv_text(table).encode("utf-8"))
    file.write_bytes(packed)
    assert read_table(file).equals(table)
    file.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FileError, match=r"a\.csv\.\w+ (is compressed with|cannot be read|holds)"):
        read_table(file)


def write_ods(file, rows):
    def cell(value):
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    spaces = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("table", "table"), ("text", "text"))
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="S">{body}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    manifest = '<?xml version="1.0"?><m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    with zipfile.ZipFile(file, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("content.xml", content)
        book.writestr("META-INF/manifest.xml", manifest)


def write_typed(table, file):
    writers = {
        "arrow": lambda: pl.from_arrow(table).write_ipc(file),
        "arrows": lambda: pl.from_arrow(table).write_ipc_stream(file),
        "feather": lambda: feather.write_feather(table, file, version=2),
        "orc": lambda: orc.write_table(table, file),
        "parquet": lambda: pl.from_arrow(table).write_parquet(file),
        "jsonl": lambda: pl.from_arrow(table).write_ndjson(file),
        "json": lambda: pl.from_arrow(table).write_json(file),
        "xlsx": lambda: table.to_pandas().to_excel(file, index=False),
        "ods": lambda: write_ods(file, [table.column_names, *zip(*table.to_pydict().values(), strict=True)]),
    }
    writers[file.suffix[1:]]()


@pytest.mark.parametrize("ending", ["arrow", "arrows", "feather", "orc", "parquet", "jsonl", "json", "xlsx", "ods"])
def test_every_kind_of_file_gives_the_same_table_whatever_its_name(tmp_path, ending):
    table, file = table_of(GBK), tmp_path / f"a.{ending}"
    write_typed(table, file)
    assert read_table(file).to_pydict() == table.to_pydict()
    file.rename(tmp_path / "data")
    assert read_table(tmp_path / "data").to_pydict() == table.to_pydict()


@pytest.mark.parametrize("ending", ["arrow", "arrows", "feather", "orc", "parquet", "xlsx"])
def test_files_cut_short_are_refused_by_what_they_are(tmp_path, ending):
    file = tmp_path / f"a.{ending}"
    write_typed(table_of(GBK), file)
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(FileError, match=r"cannot be read"):
        read_table(file)


@pytest.fixture
def workbook(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["note"])
    sheet = book.create_sheet("数据")
    for row in (
        ["age", "zip", "sex", "ok", None],
        [31, "01234", "f", True],
        ["?", "00001", "m", False],
        [2.5, "7", 1, True],
    ):
        sheet.append(row)
    sheet.append([None, None, None, None])
    book.save(tmp_path / "a.xlsx")
    return tmp_path / "a.xlsx"


@pytest.mark.parametrize("sheet", ["数据", "2"])
def test_sheets_are_chosen_by_name_or_number_and_their_cells_keep_their_types(workbook, sheet):
    found = read_table(workbook, form=Form(sheet=sheet)).to_pydict()
    assert found == {
        "age": ["31", "?", "2.5"], "zip": ["01234", "00001", "7"], "sex": ["f", "m", "1"], "ok": [True, False, True]
    }  # fmt: skip


def test_codes_leave_numbers_in_a_workbook(workbook):
    from boxwood.data.files.csv_tables import CsvFields

    found = read_table(workbook, lambda names: CsvFields({"age": ("?",)}), Form(sheet="2"))
    assert found.column("age").to_pylist() == [31.0, None, 2.5]


def test_a_sheet_that_is_not_there_is_refused(workbook):
    with pytest.raises(FileError, match=r"no sheet '3'; its sheets are 'Sheet', '数据'"):
        read_table(workbook, form=Form(sheet="3"))


def test_options_of_another_kind_of_file_are_refused(tmp_path, workbook):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match="sheet='1' is for workbooks"):
        read_table(tmp_path / "a.csv", form=Form(sheet="1"))
    with pytest.raises(ParameterError, match="encoding='gbk' is for text files"):
        read_table(workbook, form=Form(encoding="gbk"))


def test_a_workbook_without_its_package_is_named(workbook, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    with pytest.raises(NotAvailableError, match="is an Excel or OpenDocument workbook, which python-calamine reads"):
        read_table(workbook)


def test_what_cannot_be_read_is_named(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("create table t (x)")
    base.close()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("a.csv", "a\n1\n")
    (tmp_path / "a.html").write_text("<!DOCTYPE html><p>Sign in")
    CARTClassifier(pruning=None).fit([[1], [2]], [0, 1]).save(tmp_path / "a.box")
    frame = pd.DataFrame({"a": [1]})
    frame.to_html(tmp_path / "a.xls")  # as many systems "export to Excel"
    frame.to_stata(tmp_path / "a.dta")
    frame.to_pickle(tmp_path / "a.pkl")
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as packed:
        packed.add(tmp_path / "a.html")
    for name, what in (
        ("xls", "a page of HTML"),
        ("dta", "a Stata file"),
        ("pkl", "a pickle of Python"),
        ("tgz", "a tar archive"),
        ("db", "an SQLite database"),
        ("zip", "a zip archive"),
        ("html", "a page of HTML"),
        ("box", "a boxwood model"),
    ):
        with pytest.raises(FileError, match=f"is {what}, not a data file"):
            read_table(tmp_path / f"a.{name}")


@pytest.mark.parametrize("orient", ["columns", "index", "table"])
def test_json_of_columns_names_the_remedy(tmp_path, orient):
    pd.DataFrame(GBK).to_json(tmp_path / "a.json", orient=orient)
    with pytest.raises(FileError, match="write an object a line, or a list of objects"):
        read_table(tmp_path / "a.json")


@pytest.mark.parametrize(("packed", "module"), [("bz2", "bz2"), ("xz", "lzma")])
def test_a_python_without_a_kind_of_compression_reports_it(tmp_path, monkeypatch, packed, module):
    text = csv_text(table_of(GBK)).encode("utf-8")
    (tmp_path / "a.csv").write_bytes(text)
    (tmp_path / f"a.csv.{packed}").write_bytes(PACKERS[packed](text))
    monkeypatch.setitem(sys.modules, module, None)
    assert read_table(tmp_path / "a.csv").num_rows
    with pytest.raises(NotAvailableError, match=f"is compressed with {packed}, and this Python was built without it"):
        read_table(tmp_path / f"a.csv.{packed}")


def test_addresses_are_opened(tmp_path):
    table = table_of(GBK)
    with fsspec.open("memory://tables/a.csv.gz", "wb") as file:
        file.write(gzip.compress(csv_text(table).encode("utf-8")))
    assert read_table("memory://tables/a.csv.gz").equals(table)
    (tmp_path / "城 市.csv").write_text(csv_text(table), encoding="utf-8")
    assert read_table((tmp_path / "城 市.csv").as_uri()).equals(table)
    with pytest.raises(FileError, match="does not exist"):
        read_table((tmp_path / "no.csv").as_uri())
    for use in (read_table, Batches):
        with pytest.raises(FileError, match=r"'file://\[' is not an address"):
            use("file://[")


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    income, city = rng.integers(1, 60, 600), np.array(["北京", "上海", "广州"])[rng.integers(0, 3, 600)]
    late = np.where((income < 30) ^ (rng.random(600) < 0.2), "是", "否")
    return pd.DataFrame({"城市": city, "收入": income, "违约": late})


@pytest.mark.parametrize("kind", ["gbk", "utf-16", "gz", "zst", "arrow", "arrows", "feather", "orc", "memory", "file"])
def test_parts_of_every_kind_give_the_tree_of_the_rows_in_memory(tmp_path, people, kind):
    source, text, encoding = tmp_path / f"a.{kind}", people.to_csv(index=False), None
    if kind in ("gbk", "utf-16"):
        source.write_bytes(text.encode(kind))
        encoding = kind if kind == "gbk" else None
    elif kind in PACKERS:
        source.write_bytes(PACKERS[kind](text.encode("utf-8")))
    elif kind == "memory":
        source = "memory://parts/a.csv"
        with fsspec.open(source, "wb") as file:
            file.write(text.encode("utf-8"))
    elif kind == "file":
        (tmp_path / "a.csv").write_text(text, encoding="utf-8")
        source = (tmp_path / "a.csv").as_uri()
    else:
        write_typed(pa.Table.from_pandas(people, preserve_index=False), source)
    model = CARTClassifier().fit_stream(source, "违约", memory="64MB", encoding=encoding)
    expected = CARTClassifier().fit(people[["城市", "收入"]], people["违约"])
    assert model.tree_.to_text() == expected.tree_.to_text()


def test_kinds_that_are_not_read_in_parts_are_refused(tmp_path, people):
    for ending in ("xlsx", "jsonl"):
        write_typed(pa.Table.from_pandas(people, preserve_index=False), tmp_path / f"a.{ending}")
        with pytest.raises(FileError, match="which cannot be read in parts; read it whole"):
            CARTClassifier().fit_stream(tmp_path / f"a.{ending}", "违约")
    with pytest.raises(ParameterError, match="encoding='gbk' is for text files"):
        CARTClassifier().fit_stream(people, "违约", encoding="gbk")


def test_copies_go_with_the_model_fitted(tmp_path, people, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(people.to_csv(index=False).encode("utf-8")))
    CARTClassifier().fit_stream(tmp_path / "a.csv.gz", "违约", memory="64MB")
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("write", [feather.write_feather, parquet.write_table], ids=["arrow", "parquet"])
def test_text_that_contradicts_itself_is_refused(tmp_path, write):
    """Arrow reads such files as they are; the offset beyond the text ended the process."""
    words, file = ["Ulm", "Köln", "Bonn", "Graz"] * 30, tmp_path / "a.file"
    unpacked = {"compression": "uncompressed"} if write is feather.write_feather else {"compression": "none"}
    write(pa.table({"city": words, "y": words}), file, **unpacked)
    whole = file.read_bytes()
    offsets = np.cumsum([0, *(len(word.encode()) for word in words)]).astype(np.int32).tobytes()
    for sound, damaged in ((offsets, offsets[:-4] + b"\xff\xff\xff\x7f"), ("ö".encode(), b"\xff\xff")):
        if sound in whole:
            file.write_bytes(whole.replace(sound, damaged))
            for read in (read_table, lambda path: CARTClassifier().fit_stream(path, "y")):
                with pytest.raises(FileError, match="cannot be read"):
                    read(file)

"""Data frames of R: types, factors with their order, missing values; the files were written by r_files/make.R."""

import datetime
from pathlib import Path

import pyarrow as pa
import pytest

from boxwood import FileError
from boxwood.data.columns.schema import NOMINAL, ORDINAL
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import Form
from boxwood.data.frames.frame import learn_columns
from boxwood.data.streams.batches import Batches

FILES = Path(__file__).parent / "r_files"


@pytest.mark.parametrize("file", ["frame.rds", "frame_xz_2.rds", "frames.RData"])
def test_a_data_frame(file):
    table = read_table(FILES / file)
    hour = datetime.timedelta(hours=1)
    assert table.to_pydict() == {
        "x": [1.5, None, 3], "i": [1, None, 3], "w": [1, 2, None],
        "f": ["b", "a", None], "o": ["low", "high", "mid"],
        "s": ["x", None, "北京"], "l": [True, False, None], "n": [1, 2, 3], "t": ["4", "5", "6"],
        "d": [datetime.date(2020, 1, 1), None, datetime.date(2021, 3, 4)],
        "c": [datetime.datetime(2020, 1, 1, 10), None, datetime.datetime(2020, 1, 1, 12)],
        "h": [hour, 2 * hour, 3 * hour],
    }  # fmt: skip
    assert table["w"].type == pa.int64()
    schema = learn_columns(table.select(["f", "o"])).schema
    assert [(f.kind, f.levels) for f in schema] == [(NOMINAL, ("a", "b")), (ORDINAL, ("low", "mid", "high"))]


def test_several_data_frames_in_a_workspace():
    assert read_table(FILES / "frames.RData", form=Form(sheet="e")).to_pydict() == {"a": [1, 2]}
    assert read_table(FILES / "frames.RData", form=Form(sheet="2")).to_pydict() == {"a": [1, 2]}
    with pytest.raises(FileError, match="has no data frame '北京'; its data frames are 'd', 'e'"):
        read_table(FILES / "frames.RData", form=Form(sheet="北京"))


def test_in_parts():
    batches = Batches(FILES / "frame.rds", rows=2)
    assert [batch.table.n for batch in batches.read(["o", "x"])] == [2, 1]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("vector.rds", "holds no data frame; save one in R with saveRDS"),
        ("list.rds", "column 'list' holds no numbers, texts, factors or times; leave it out in R"),
        ("function.RData", "it holds a function or another object that is no data; save the data frame alone"),
    ],
)
def test_other_objects(file, why):
    with pytest.raises(FileError, match=why):
        read_table(FILES / file)


def test_damaged_files(tmp_path):
    import gzip

    data = gzip.decompress((FILES / "frame.rds").read_bytes())
    for size in range(20, len(data), 7):
        (tmp_path / "cut.rds").write_bytes(data[:size])
        with pytest.raises(FileError, match="starts like a file of R but cannot be read as one"):
            read_table(tmp_path / "cut.rds")

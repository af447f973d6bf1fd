"""Folders and patterns at addresses: the same files, columns and tree as on this machine."""

from __future__ import annotations

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import fs

from boxwood import CARTClassifier
from boxwood.data.files import addresses
from boxwood.data.files.addresses import files_at, is_pattern, shown_address
from boxwood.data.files.data_paths import base_folder, find_files, folder_columns, names_many
from boxwood.data.files.stacked import stacked
from boxwood.errors import ColumnError, FileError


def sales(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    amount = rng.integers(1, 90, 200)
    return pd.DataFrame({"金额": amount, "退货": np.where((amount < 30 + seed) ^ (rng.random(200) < 0.1), "是", "否")})


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """A bucket that pyarrow reads: s3://bucket/ is a folder of this machine."""

    def system(path):
        inside = fs.FileSystem.from_uri(addresses.quote(path.replace("s3://", "file:///"), safe="/:?=&%"))[1]
        return fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), inside.lstrip("/")

    monkeypatch.setattr(addresses, "_arrow_system", system)
    return tmp_path / "bucket"


@pytest.mark.parametrize("scheme", ["s3", "memory"])
def test_folders_and_patterns_name_the_files_of_the_same_folder_here(bucket, scheme):
    keys = ["销 售/year=2023/a.csv", "销 售/year=2024/b [1].csv", "销 售/year=2024/_notes.csv", "销 售/readme.txt"]
    for seed, key in enumerate(keys):
        (bucket / key).parent.mkdir(parents=True, exist_ok=True)
        sales(seed).to_csv(bucket / key, index=False)
        with fsspec.open(f"memory://bucket/{key}", "wb") as file:
            file.write((bucket / key).read_bytes())
    here, there = str(bucket / "销 售"), f"{scheme}://bucket/销 售"
    for part in ("", "/", "/*/*.csv", "/**/*.csv", "/year=2024/b*", "/year=202[3]/*.csv", "/year=2023"):
        local, remote = find_files([here + part]), find_files([there + part])
        assert [shown_address(file.path)[len(there) :] for file in remote] == [file.path[len(here) :] for file in local]
        assert [file.partition for file in remote] == [file.partition for file in local]
        assert all(file.packed == "an address" for file in remote)
        assert names_many(there + part)
    assert find_files([there + "/year=2024/*.csv"])[0].partition == {}
    model = CARTClassifier().fit_stream(there, "退货", memory="64MB")
    assert model.tree_.to_text() == CARTClassifier().fit_stream(here, "退货", memory="64MB").tree_.to_text()
    assert [feature.name for feature in model.tree_.schema] == ["金额", "year"]
    single = (there.replace(" ", "%20") if scheme == "s3" else there) + "/year=2023/a.csv"
    assert not names_many(single)
    assert [file.partition for file in find_files([single])] == [{}]
    assert folder_columns([single]) == [{"year": 2023}]
    assert base_folder(single) == there + "/year=2023"
    with pytest.raises(FileError, match=r"contains no \.parquet or \.csv file; check the address"):
        find_files([there + "/*.orc"])
    with pytest.raises(FileError, match="does not exist"):
        find_files([f"{scheme}://bucket/none"])


def test_names_of_keys_are_quoted_and_options_kept(bucket):
    name = "城市=S%C3%A3o/a#b?.csv"
    (bucket / "t" / name).parent.mkdir(parents=True)
    (bucket / "t" / name).write_text("x,y\n1,a\n", encoding="utf-8")
    (found,) = files_at("s3://bucket/t?region=eu-1", "t")
    assert found == "s3://bucket/t/%E5%9F%8E%E5%B8%82%3DS%25C3%25A3o/a%23b%3F.csv?region=eu-1"
    assert shown_address(found) == f"s3://bucket/t/{name}"
    assert folder_columns([found], "s3://bucket/t") == [{"城市": "São"}]


def test_pages_have_no_folders():
    assert files_at("https://example.org/a[1]*.csv?b=*", "a page") is None
    assert not is_pattern("https://example.org/*.csv")
    assert not is_pattern("s3://bucket/a.csv?x=*")
    assert is_pattern("s3://bucket/*.csv?x=y")


def test_spaces_and_other_scripts_reach_the_storage():
    pytest.importorskip("pyarrow._s3fs")
    assert addresses._arrow_system("s3://bucket/城 市/[1].csv?region=us-east-1")[1] == "bucket/城 市/[1].csv"
    assert addresses._arrow_system("s3://bucket/a%20b.csv?region=us-east-1")[1] == "bucket/a b.csv"


def test_the_error_of_an_unreadable_storage_gives_the_cause(monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(addresses, "_arrow_system", refused)
    with pytest.raises(FileError, match=r"s3://bucket/x cannot be read: permission denied\."):
        find_files(["s3://bucket/x"])


def test_files_of_other_columns_are_not_stacked():
    one = pa.table({"x": [1], "y": ["a"]})
    with pytest.raises(ColumnError, match=r"b\.csv lacks the column\(s\) 'y', which a\.csv has"):
        stacked([one, one.select(["x"])], ["a.csv", "b.csv"])
    with pytest.raises(ColumnError, match=r"b\.csv has the column\(s\) 'z', which a\.csv lacks"):
        stacked([one, one.append_column("z", [[1]])], ["a.csv", "b.csv"])
    with pytest.raises(FileError, match=r"b\.csv and a\.csv hold values of different kinds: .*'?x'?"):
        stacked([one, pa.table({"x": ["1"], "y": ["a"]})], ["a.csv", "b.csv"])

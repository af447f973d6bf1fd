"""Columns that only the names of folders hold: found however several files are read, as Arrow does."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as dataset
import pyarrow.parquet as parquet
import pytest

from boxwood import CARTClassifier
from boxwood.cli import main
from boxwood.data.files.partitions import partitions
from boxwood.data.streams.batches import Batches
from boxwood.errors import ColumnError, FileError
from cluster.in_process import InProcess

EMPTY = "__HIVE_DEFAULT_PARTITION__"


def written(folder, tables: dict[str, object]) -> str:
    """Files by their name below a folder."""
    for name, table in tables.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".parquet"):
            parquet.write_table(pa.table(table), path)
        else:
            pd.DataFrame(table).to_csv(path, index=False)
    return str(folder)


def rows(source, **how) -> list[dict]:
    """All rows of a source, missing values as None."""
    batches, found = Batches(source, **how), []
    for batch in batches.read(batches.names):
        columns = {name: batch.column(name) for name in batches.names}
        for i in range(batch.table.n):
            row = {}
            for name, column in columns.items():
                value = column.values[i].item()
                known = value == value if column.levels is None else value >= 0
                row[name] = None if not known else value if column.levels is None else column.levels[value]
            found.append(row)
    return found


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("size", [1, 1000])
def test_folders_are_columns(ending, size, tmp_path):
    tables = {
        f"year=2023/city=S%C3%A3o Paulo%2FX/a.{ending}": {"x": [1, 2]},
        f"year={EMPTY}/city=/b.{ending}": {"x": [3]},
        f"year=2024/city=7/c.{ending}": {"x": [4]},
    }
    assert rows(written(tmp_path, tables), rows=size) == [
        {"x": 1, "year": 2023, "city": "São Paulo/X"},
        {"x": 2, "year": 2023, "city": "São Paulo/X"},
        {"x": 4, "year": 2024, "city": "7"},
        {"x": 3, "year": None, "city": None},
    ]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_only_folder_columns_are_requested(ending, tmp_path):
    source = written(tmp_path, {f"year=1/a.{ending}": {"x": [1, 2, 3]}, f"year=2/a.{ending}": {"x": [4]}})
    found = [batch.column("year").values.tolist() for batch in Batches(source, rows=2).read(["year"])]
    assert found == [[1, 1], [1], [2]]


def test_as_a_data_set_of_arrow(tmp_path):
    table = pa.table({"x": range(6), "year": [1, 1, 2, 2, None, 3], "city": ["a/b", "ü", None, "ü", "a b", "a=b"]})
    dataset.write_dataset(table, tmp_path, format="parquet", partitioning=["year", "city"], partitioning_flavor="hive")
    by_arrow = dataset.dataset(str(tmp_path), partitioning="hive")

    def in_order(found):
        return sorted(found, key=lambda row: row["x"])

    assert in_order(rows(str(tmp_path))) == in_order(rows(by_arrow)) == in_order(table.to_pylist())


def test_below_what_all_paths_share(tmp_path):
    written(tmp_path, {f"run=9/year={y}/month=1/a.csv": {"x": [y]} for y in (2023, 2024)})
    top = tmp_path / "run=9"
    with_month = [{"x": y, "year": y, "month": 1} for y in (2023, 2024)]
    years = [top / "year=2023", top / "year=2024"]
    for source in (top, top / "year=*/month=*/*.csv", top / "**/*.csv", years, [f"{y}/month=1/a.csv" for y in years]):
        assert rows(source) == with_month
    assert rows(str(top / "year=2023")) == [{"x": 2023, "month": 1}]
    assert rows(str(top / "year=2023" / "*" / "*.csv")) == [{"x": 2023, "month": 1}]
    assert rows(str(top / "year=2023" / "month=1" / "a.csv")) == [{"x": 2023}]


@pytest.mark.skipif(
    "partition_by" not in inspect.signature(pl.DataFrame.write_parquet).parameters,
    reason="this polars does not write partitions",
)
def test_partitions_that_polars_wrote(tmp_path):
    pl.DataFrame({"x": [1, 2], "year": [2.5, 4.0]}).write_parquet(tmp_path / "by_polars", partition_by="year")
    assert rows(str(tmp_path / "by_polars")) == [{"x": 1, "year": 2.5}, {"x": 2, "year": 4.0}]


def test_the_columns_of_a_file_come_first(tmp_path):
    written(tmp_path / "own", {"when=2023-01-01/a.csv": {"x": [1], "when": ["noon"]}, "when=no/b.csv": {"x": [2]}})
    assert rows(str(tmp_path / "own")) == [{"x": 1, "when": "noon"}, {"x": 2, "when": "no"}]


@pytest.mark.parametrize("other", ["zone=x/b.csv", "z.csv"])
def test_folders_that_disagree_are_refused(other, tmp_path):
    source = written(tmp_path, {"year=1/a.csv": {"x": [1]}, other: {"x": [2]}})
    with pytest.raises(ColumnError, match="'year'"):
        Batches(source)


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(FileError, match=r"folder year=%FF is not UTF-8"):
        partitions(["/d/year=%FF/a.csv"], "/d")


def test_numbers_are_numbers_only_together():
    paths = ["code=007/k=1/a", "code=7a/k=20000000000/a", "=3/k=-1/k2/a"]
    assert partitions(paths, "") == [{"code": "007", "k": 1}, {"code": "7a", "k": 20000000000}, {"k": -1}]
    assert partitions(["code=007/a"], "", {"code"}) == [{"code": "007"}]


def sales(seed: int, years) -> dict[str, pd.DataFrame]:
    """Rows whose classes depend on year and code."""
    rng, tables = np.random.default_rng(seed), {}
    for year in years:
        for code in ("007", "x y"):
            x = rng.integers(0, 9, 40)
            y = np.where((year > 2021) ^ (code == "007") ^ (x > 6), "yes", "no")
            tables[f"year={year}/code={code.replace(' ', '%20')}/part.parquet"] = pd.DataFrame({"x": x, "y": y})
    return tables


@pytest.mark.parametrize("cached", [False, True])
def test_a_stream_gives_the_model_of_memory(cached, tmp_path):
    source = written(tmp_path / "sales", {k: pa.Table.from_pandas(v) for k, v in sales(0, (2020, 2022)).items()})
    frame = dataset.dataset(source, partitioning="hive").to_table().to_pandas()
    model = CARTClassifier(pruning=None)
    cache = str(tmp_path / "cache") if cached else None
    for _ in range(2):
        streamed = CARTClassifier(pruning=None).fit_stream(source, "y", cache=cache)
        model.fit(frame.drop(columns="y"), frame["y"])
        assert [f.name for f in streamed.tree_.schema] == ["x", "year", "code"]
        assert streamed.predict(frame.drop(columns="y")).tolist() == frame["y"].tolist()
        assert streamed.tree_.splits.breaks.tolist() == model.tree_.splits.breaks.tolist()


def test_a_cluster_gives_the_same_model(tmp_path):
    tables = {k: pa.Table.from_pandas(v) for k, v in sales(0, (2020, 2022)).items()}
    mixed = {k if i else k.replace(".parquet", ".csv"): v for i, (k, v) in enumerate(tables.items())}
    for name, files in (("parquet", tables), ("mixed", {k: v.to_pandas() for k, v in mixed.items()})):
        source = written(tmp_path / name, files)
        expected = CARTClassifier(pruning=None).fit_stream(source, "y").model_.to_bytes()
        assert CARTClassifier(pruning=None).fit_stream(source, "y", client=InProcess()).model_.to_bytes() == expected


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "sales", {k: pa.Table.from_pandas(v) for k, v in sales(0, (2020, 2022)).items()})
    assert main(["fit", "sales", "--target", "y", "-o", "m.box", "--quiet", "--pruning", "none"]) == 0
    for code in ("007", "x%20y"):
        file = f"sales/year=2022/code={code}/part.parquet"
        assert main(["evaluate", "m.box", file, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["figures"]["accuracy"]["value"] == 1
        assert main(["predict", "m.box", file, "-o", "p.csv", "--quiet"]) == 0
        assert pd.read_csv("p.csv").iloc[:, 0].tolist() == parquet.ParquetFile(file).read()["y"].to_pylist()
    parquet.write_table(parquet.ParquetFile(file).read(), "beside.parquet")
    assert main(["evaluate", "m.box", "beside.parquet"]) == 1
    assert "'year'" in capsys.readouterr().err

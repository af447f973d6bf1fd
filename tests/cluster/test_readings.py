"""Formatted numbers and ordered levels on workers: the model of memory, byte for byte."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import DataError, DataTypeError, KindWarning, ParameterError
from boxwood.growing.parts.layout import Roles
from cluster.in_process import InProcess

CART, SETTINGS = REGISTRY["cart"], {"pruning": None, "max_depth": 5}
GERMAN = str.maketrans(",.", ".,")


def table(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    amount, size = rng.uniform(-900, 40_000, n), rng.choice(["小", "中", "大"], n)
    X = pd.DataFrame({"金额": [f"{value:,.2f} €".translate(GERMAN) for value in amount], "größe": size})
    X["dots"] = [f"{1 + i % 60}.{i * 37 % 1000:03}" for i in range(n)]
    X.loc[::20, "金额"] = None
    X["y"] = np.where((amount > 20_000) ^ (size == "大"), "ja", "nein")
    return X


def fitted(source, **more) -> bytes:
    return fit_cluster(
        CART, source, Roles("y"), "classification", SETTINGS | more, Cluster(InProcess(2), rows=60)
    ).to_bytes()


def in_memory(X: pd.DataFrame, **more) -> bytes:
    columns = learn_columns(X.drop(columns="y"), **more)
    return CART.fit(columns, X["y"], task="classification", settings=SETTINGS | more, response_name="y").to_bytes()


@pytest.mark.parametrize(
    "more",
    [
        {"numeric_features": {"dots": "1.234,5"}}, {"numeric_features": {"dots": "1.234,5", "金额": None}},
        {"numeric_features": {"dots": "1.234,5"}, "ordinal_features": {"größe": ["小", "中", "大"]}},
        {"numeric_features": {"dots": "1,234.5"}, "categorical_features": ["金额"]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("source", ["frames", "csv", "parquet"])
def test_workers_read_forms_and_orders_as_memory_does(tmp_path, more, source):
    X = table()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KindWarning)
        expected = in_memory(X, **more)
        if source == "frames":
            found = fitted([X.iloc[part] for part in np.array_split(np.arange(300), 5)], **more)
        elif source == "csv":
            X.to_csv(tmp_path / "a.csv", index=False)
            found = fitted(str(tmp_path / "a.csv"), **more)
        else:
            X.to_parquet(tmp_path / "a.parquet")
            found = fitted(str(tmp_path / "a.parquet"), **more)
    assert found == expected


def test_the_notes_are_those_of_memory():
    X = table().drop(columns="größe")
    for more in ({}, {"numeric_features": ["dots"]}):
        with pytest.warns(KindWarning) as one:
            in_memory(X, **more)
        with pytest.warns(KindWarning) as other:
            fitted([X.iloc[:100], X.iloc[100:]], **more)
        assert {str(warning.message) for warning in one} == {str(warning.message) for warning in other}


def test_decimals_of_text_files_that_may_be_thousands_are_noted(tmp_path):
    X = table()[["dots", "y"]]
    X["未定"] = [str(i * 7 % 90) for i in range(300)]
    for i, rows in enumerate((X.iloc[:100], X.iloc[100:])):
        rows.to_csv(tmp_path / f"{i}.csv", index=False)
    files = [str(tmp_path / f"{i}.csv") for i in range(2)]
    with pytest.warns(KindWarning, match="'dots' contains numbers with three decimals or none, .*'1.000' is read as 1"):
        fitted(files)
    with warnings.catch_warnings():
        warnings.simplefilter("error", KindWarning)
        fitted(files, numeric_features={"dots": "1,234.5"})
        X.assign(dots="0.5").to_csv(files[1], index=False)
        fitted(files)


def test_errors_name_column_and_value():
    X = table()
    with pytest.raises(DataError, match=r"'größe'.* holds the level '大', which is not among its ordered levels"):
        fitted([X], ordinal_features={"größe": ["小", "中"]}, categorical_features=["金额", "dots"])
    with pytest.raises(DataTypeError, match="is not a number of the form"):
        fitted([X], numeric_features={"größe": "1.234,5"}, categorical_features=["金额", "dots"])
    with pytest.raises(ParameterError, match="missing_values is not available on a cluster") as caught:
        fitted([X], missing_values=["?"])
    assert caught.value.argument == "missing_values"

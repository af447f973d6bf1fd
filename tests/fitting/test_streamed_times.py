"""Dates and times from files and frames in parts: the model of the same rows in memory, byte for byte."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boxwood import CARTClassifier
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.algorithms.fitting.streams import How, fit_stream
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import DataTypeError, KindWarning, ParameterError
from boxwood.growing.parts.layout import Roles

pytestmark = pytest.mark.usefixtures("parts")
N = 400
CART = REGISTRY["cart"]


def frame(unit: str = "us") -> pd.DataFrame:
    rng = np.random.default_rng(4)
    opened = pd.Series(pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 1500, N), unit="D"))
    at = pd.Series(pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 10**17, N), unit="ns"))
    X = pd.DataFrame({"opened": opened.astype(f"datetime64[{unit}]"), "at": at.dt.tz_localize("Asia/Tokyo")})
    X["took"] = pd.to_timedelta(rng.integers(0, 10**6, N), unit="s")
    X.loc[rng.random(N) < 0.1, "opened"] = pd.NaT
    X["y"] = np.where((X["opened"] < "2021-03-15") ^ (at.dt.hour > 20), "good", "bad")
    return X


SETTINGS = {"pruning": None, "max_depth": 5}


def in_memory(X: pd.DataFrame, **more) -> bytes:
    columns = learn_columns(X.drop(columns="y"), **more)
    return CART.fit(columns, X["y"], task="classification", settings=SETTINGS | more, response_name="y").to_bytes()


def streamed(source, how: How | None = None, **more) -> bytes:
    return fit_stream(CART, source, Roles("y"), "classification", SETTINGS | more, how or How()).to_bytes()


@pytest.mark.sample(3)
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
@pytest.mark.parametrize("rows", [37, 1000])
def test_frames_in_parts_give_the_model_of_memory(unit, rows, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", 40)
    X = frame(unit)
    expected = in_memory(X)
    assert streamed([X.iloc[:150], X.iloc[150:]], How(rows=rows)) == expected
    assert streamed(X.sample(frac=1, random_state=0), How(rows=rows)) == expected


def test_parquet_files_by_polars(tmp_path):
    X = frame()
    table = pl.from_pandas(X)
    table[:100].write_parquet(tmp_path / "a.parquet")
    table[100:].write_parquet(tmp_path / "b.parquet")
    assert streamed(str(tmp_path)) == in_memory(table.to_pandas())
    assert streamed(str(tmp_path)) == streamed([table[:300], table[300:]])


def text(tmp_path, form: str, *cuts: int):
    """Text files of the dates in a form, cut at some rows; and the frame with these texts."""
    X = frame()[["opened", "y"]]
    X["opened"] = X["opened"].dt.strftime(form)
    ends = [0, *cuts, len(X)]
    paths = [str(tmp_path / f"{i}.csv") for i in range(len(ends) - 1)]
    for path, (start, end) in zip(paths, pairwise(ends), strict=True):
        X.iloc[start:end].to_csv(path, index=False)
    return paths, X


@pytest.mark.parametrize(
    "form", ["%d.%m.%Y", "%m/%d/%Y", "%Y年%m月%d日", "%Y년 %m월 %d일", "%d %b %Y", "%d.%m.%Y %H:%M"]
)
def test_national_forms_are_found_in_all_files_together(form, tmp_path):
    paths, X = text(tmp_path, form, 100, 250)
    with pytest.warns(KindWarning, match="'opened' contains dates in the format"):
        found = streamed(paths)
    named = CART.fit(
        learn_columns(X[["opened"]], date_formats={"opened": form}),
        X["y"],
        task="classification",
        settings=SETTINGS,
        response_name="y",
    ).to_bytes()
    assert found == named


def test_iso_dates_need_no_form(tmp_path):
    paths, X = text(tmp_path, "%Y-%m-%d", 100)
    X["opened"] = pd.to_datetime(X["opened"]).dt.date
    assert streamed(paths) == in_memory(X)


def test_dates_and_datetimes_of_several_files_are_datetimes(tmp_path):
    (tmp_path / "a.csv").write_text("at,y\n" + "2021-03-14,no\n" * 5)
    (tmp_path / "b.csv").write_text("at,y\n" + "2021-03-15 10:30:15,yes\n" * 5)
    model = fit_stream(CART, str(tmp_path), Roles("y"), "classification", SETTINGS)
    assert model.schema[0].temporal.kind == "datetime"
    assert "at <= 2021-03-14 17:15:07" in model.tree.to_text()


def test_day_and_month_that_are_ambiguous_stay_text_until_they_are_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "at,y\n" + "".join(f"0{i % 9 + 1}/0{i % 7 + 1}/2023,{'yes' if i % 2 else 'no'}\n" for i in range(90))
    )
    with pytest.warns(KindWarning, match="'%d/%m/%Y'.* or .*'%m/%d/%Y'"):
        model = fit_stream(CART, str(path), Roles("y"), "classification", SETTINGS)
    assert model.schema[0].kind == "nominal"
    first = streamed(str(path), date_formats={"at": "%d/%m/%Y"})
    assert first != streamed(str(path), date_formats={"at": "%m/%d/%Y"})
    with pytest.raises(ParameterError, match="date_formats and in categorical"):
        streamed(str(path), date_formats={"at": "%d/%m/%Y"}, categorical_features=["at"])


def test_parts_of_different_kinds_are_named():
    X = frame()
    with pytest.raises(DataTypeError, match=r"'opened' holds datetimes \(ns.*another part .*datetimes \(us"):
        streamed([X, X.assign(opened=X["opened"].astype("datetime64[ns]"))])
    with pytest.raises(DataTypeError, match="'opened'"):
        streamed([X, X.assign(opened=1.0)])


def test_a_cache_keeps_dates(tmp_path):
    X, folder = frame(), str(tmp_path / "cache")
    one = CARTClassifier(pruning=None).fit_stream(X, "y", cache=folder)
    again = CARTClassifier(pruning=None).fit_stream(folder, "y")
    assert (
        again.tree_.to_text()
        == one.tree_.to_text()
        == CARTClassifier(pruning=None).fit(X.drop(columns="y"), X["y"]).tree_.to_text()
    )
    assert (again.predict(X.drop(columns="y")) == one.predict(X.drop(columns="y"))).all()


def test_declared_dates_are_levels_in_parts():
    X = frame()[["opened", "y"]]
    assert streamed(X, How(rows=50), categorical_features=["opened"]) == in_memory(X, categorical_features=["opened"])


def test_codes_for_missing_dates_in_parts(tmp_path):
    paths, X = text(tmp_path, "%d.%m.%Y", 100)
    X["opened"] = X["opened"].fillna("?")
    X.to_csv(paths[0], index=False)
    with pytest.warns(KindWarning):
        model = fit_stream(
            CART, paths[0], Roles("y"), "classification", SETTINGS | {"missing_values": ["?", "01.01.2020"]}
        )
    assert model.schema[0].temporal.form == "%d.%m.%Y"
    expected = X["opened"].isin(["?", "01.01.2020"]).sum()
    assert expected > 0
    assert model.tree.missing[0] >= 0


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%Y年%m月%d日", "%Y-%m-%d"])
def test_texts_of_one_format_are_dates_in_frames_and_files_as_in_memory(form, tmp_path):
    X = frame()[["opened", "y"]].assign(opened=lambda X: X["opened"].dt.strftime(form))
    with pytest.warns(KindWarning, match="is read as dates"):
        expected = in_memory(X)
    with pytest.warns(KindWarning, match="is read as dates") as found:
        assert streamed([X.iloc[:150], X.iloc[150:]]) == expected
    assert len(found) == 1
    X.to_parquet(tmp_path / "x.parquet", index=False)
    with pytest.warns(KindWarning, match="is read as dates"):
        assert streamed(tmp_path / "x.parquet") == expected
    X.iloc[:, ::-1].to_csv(tmp_path / "x.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KindWarning)
        columns = learn_columns(X[["opened"]])
        tree = CART.fit(columns, X["y"], task="classification", settings=SETTINGS, response_name="y").tree
        read = fit_stream(CART, tmp_path / "x.csv", Roles("y"), "classification", SETTINGS, How())
    assert str(read.tree) == str(tree)


def test_a_source_that_is_read_once_keeps_texts_as_levels_and_names_the_setting():
    X = frame()[["opened", "y"]].assign(opened=lambda X: X["opened"].dt.strftime("%d.%m.%Y"))
    with pytest.warns(KindWarning, match=r"look like dates.*set date_formats=\{'opened': '%d\.%m\.%Y'\}"):
        streamed(iter([X]))
    read = streamed(iter([X]), date_formats={"opened": "%d.%m.%Y"})
    assert read == in_memory(X, date_formats={"opened": "%d.%m.%Y"})


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
def test_codes_in_iso_8601_are_missing_in_texts_of_any_format(tmp_path):
    X = frame()[["opened", "y"]].assign(opened=lambda X: X["opened"].dt.strftime("%d.%m.%Y").fillna("31.12.9999"))
    expected = in_memory(X, missing_values={"opened": ["9999-12-31"]})
    X.to_parquet(tmp_path / "x.parquet", index=False)
    for source in (X, tmp_path / "x.parquet"):
        assert streamed(source, missing_values={"opened": ["9999-12-31"]}) == expected

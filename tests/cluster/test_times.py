"""Dates, times and durations on workers: the model of memory, byte for byte."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import DataTypeError, ParameterError
from boxwood.growing.parts.layout import Roles
from cluster.in_process import InProcess

CART, SETTINGS = REGISTRY["cart"], {"pruning": None, "max_depth": 5}


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    opened = pd.Series(pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 1500, 300), unit="D"))
    at = pd.Series(pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 10**17, 300), unit="ns"))
    X = pd.DataFrame({"opened": opened, "at": at.dt.tz_localize("Asia/Tokyo")})
    X["took"] = pd.to_timedelta(rng.integers(0, 10**6, 300), unit="s")
    X["y"] = np.where((opened < "2021-03-15") ^ (at.dt.hour > 20), "good", "bad")
    X.loc[rng.random(300) < 0.1, "opened"] = pd.NaT
    return X


def fitted(pieces: list[pd.DataFrame], **more) -> bytes:
    cluster = Cluster(InProcess(2), rows=60)
    return fit_cluster(CART, pieces, Roles("y"), "classification", SETTINGS | more, cluster).to_bytes()


def test_workers_grow_the_tree_of_memory():
    X = frame()
    columns = learn_columns(X.drop(columns="y"))
    expected = CART.fit(columns, X["y"], task="classification", settings=SETTINGS, response_name="y").to_bytes()
    assert fitted([X.iloc[part] for part in np.array_split(np.arange(300), 5)]) == expected


def test_what_workers_do_not_do_with_dates_is_refused():
    X = frame()
    with pytest.raises(ParameterError, match="date_formats is not available on a cluster"):
        fitted([X], date_formats={"opened": "iso"})
    with pytest.raises(DataTypeError, match="'opened' holds datetimes"):
        fitted([X, X.assign(opened=X["opened"].astype("datetime64[ns]"))])


def test_national_dates_of_text_files_are_refused(tmp_path):
    X = frame().dropna()
    plain = pd.DataFrame({"opened": X["opened"].dt.strftime("%d.%m.%Y"), "y": X["y"]})
    plain.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(
        DataTypeError, match=r"contains dates in the format %d\.%m\.%Y, which the workers of a cluster cannot read"
    ):
        fitted(tmp_path / "a.csv")
    assert fitted(tmp_path / "a.csv", categorical_features=["opened"])
    formatted = pd.DataFrame({"opened": [f"{i % 50},5 €" for i in range(len(X))], "y": X["y"]})
    with pytest.raises(DataTypeError, match=r"contains numbers of the form 1\.234,5 €, which the workers of a cluster"):
        fitted([formatted])
    iso = plain.assign(opened=X["opened"].dt.strftime("%Y-%m-%d"))
    iso.to_csv(tmp_path / "a.csv", index=False)
    assert fitted(tmp_path / "a.csv")
    with pytest.raises(DataTypeError, match=r"contains dates in the format %d\.%m\.%Y"):
        fitted([plain])

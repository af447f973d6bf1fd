"""Dates, times and durations on workers: the model of memory, byte for byte."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import DataTypeError, KindWarning
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


def test_dates_of_two_resolutions_are_refused():
    X = frame()
    with pytest.raises(DataTypeError, match="'opened' holds datetimes"):
        fitted([X, X.assign(opened=X["opened"].astype("datetime64[ns]"))])


@pytest.mark.parametrize("more", [{}, {"date_formats": {"opened": "%d.%m.%Y"}}])
def test_national_dates_are_read_as_in_memory(tmp_path, more):
    X = frame().dropna()
    plain = pd.DataFrame({"opened": X["opened"].dt.strftime("%d.%m.%Y"), "y": X["y"]})
    plain.to_csv(tmp_path / "a.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if more else "ignore", KindWarning)
        columns = learn_columns(plain[["opened"]], date_formats=more.get("date_formats"))
        settings = SETTINGS | more
        expected = CART.fit(columns, plain["y"], task="classification", settings=settings, response_name="y").to_bytes()
        parts = [plain.iloc[part] for part in np.array_split(np.arange(len(plain)), 3)]
        assert fitted(tmp_path / "a.csv", **more) == expected
        assert fitted(parts, **more) == expected
        assert fitted(tmp_path / "a.csv", categorical_features=["opened"]) != expected

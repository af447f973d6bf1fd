"""A Dask data frame finds its client, or is read here one partition after the other; a refusal is all that is heard."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import boxwood
from boxwood.errors import BoxwoodError, DataError, DataTypeError, ParameterError, ResponseError
from boxwood.growing.cluster.dask import default_client
from cluster.tables import SETTINGS, in_memory, table

distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")

FRAME = table()
X = FRAME.drop(columns=["種類", "menge", "w"])


@pytest.fixture
def client():
    with (
        distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(params=[False, True], ids=["no client", "a default client"])
def with_client(request, caplog):
    """Whether there is a client; after the fit, whether workers read the pieces must agree with it."""
    caplog.set_level("INFO", "boxwood")
    if request.param:
        request.getfixturevalue("client")
    yield request.param
    assert any("read: piece" in record.getMessage() for record in caplog.get_records("call")) == request.param


def test_fit_stream_needs_no_client(with_client):
    frame = dd.from_pandas(FRAME, npartitions=3)
    model = boxwood.CARTClassifier(**SETTINGS).fit_stream(frame, "種類", sample_weight="w", drop=["menge"])
    assert model.model_.to_bytes() == in_memory(FRAME, "種類", "w")


def test_fit_takes_a_frame_and_series(with_client):
    frame = dd.from_pandas(FRAME, npartitions=3)
    model = boxwood.CARTRegressor(**SETTINGS).fit(frame[list(X.columns)], frame["menge"], sample_weight=frame["w"])
    assert model.model_.to_bytes() == in_memory(FRAME, "menge", "w")


def rows_in_memory():
    model = boxwood.MARSRegressor(missing="indicator").fit(X, FRAME["menge"])
    assert len(model.model_.terms) > 2
    return model.model_.to_bytes()


def test_what_needs_all_rows_reads_the_partitions_here():
    frame = dd.from_pandas(FRAME, npartitions=3)
    model = boxwood.MARSRegressor(missing="indicator")
    assert model.fit(frame[list(X.columns)], frame["menge"]).model_.to_bytes() == rows_in_memory()


def test_also_from_files_and_frames_for_workers(client, tmp_path):
    FRAME.to_parquet(tmp_path / "all.parquet")
    model = boxwood.MARSRegressor(missing="indicator")
    for source in (tmp_path / "all.parquet", dd.from_pandas(FRAME, npartitions=3)):
        model.fit_stream(source, "menge", drop=["種類", "w"], client=client)
        assert model.model_.to_bytes() == rows_in_memory()
    pruned = boxwood.C45Classifier().fit(X, FRAME["種類"]).model_  # with raising, which divides rows of missing values
    found = boxwood.C45Classifier().fit_stream(source, "種類", drop=["menge", "w"], client=client).model_
    assert found.to_bytes() == pruned.to_bytes()
    rules = boxwood.C45Rules().fit_stream(dd.from_pandas(FRAME, npartitions=3), "種類", drop=["menge", "w"])
    assert rules.rules_ == boxwood.C45Rules().fit(X, FRAME["種類"]).rules_


def test_columns_of_any_name_and_index_are_put_beside_x():
    named = X.rename(columns={"x": "sample_weight"})
    parts, weight = dd.from_pandas(named, npartitions=3), FRAME["w"].rename("f").to_frame()
    y = dd.from_pandas(FRAME["menge"].rename(None), npartitions=3)
    moved = dd.from_pandas(weight.set_axis(np.arange(len(weight)) + 10**6), npartitions=3)["f"]
    found = boxwood.CARTRegressor(**SETTINGS).fit(parts, y, sample_weight=moved).model_
    assert found.schema.names == tuple(named.columns)
    assert found.to_bytes() == boxwood.CARTRegressor(**SETTINGS).fit(
        named, FRAME["menge"].rename(None), sample_weight=FRAME["w"]
    ).model_.to_bytes()  # fmt: skip


def test_a_cache_is_made_on_this_machine(client, tmp_path):
    frame = dd.from_pandas(FRAME, npartitions=3)
    first = boxwood.CARTClassifier(**SETTINGS).fit_stream(
        frame, "種類", sample_weight="w", drop=["menge"], cache=tmp_path / "cache"
    )
    assert first.model_.to_bytes() == in_memory(FRAME, "種類", "w")


def test_only_a_frame_of_dask_has_a_default_client(client):
    assert default_client(dd.from_pandas(FRAME, npartitions=2)) is client
    assert default_client(FRAME) is None
    assert default_client("*.parquet") is None


def test_what_workers_cannot_do_is_reported_without_a_client_that_nobody_gave(client):
    with pytest.raises(ParameterError, match="Change the data first, or fit without a client"):
        boxwood.CARTClassifier(missing_values=-1).fit_stream(dd.from_pandas(FRAME, npartitions=2), "種類")


FRAMED = dd.from_pandas(FRAME, npartitions=3)
REFUSED = [
    (boxwood.CARTClassifier, FRAMED, FRAMED["種類"], DataError, "X has a column '種類', the name of y"),
    (boxwood.CARTClassifier, FRAMED, FRAME["種類"], DataTypeError, r"y must be a Dask series.*fit_stream\(frame"),
    (boxwood.CARTClassifier, FRAMED, FRAMED[["種類"]], DataTypeError, "y must be a Dask series"),
    (boxwood.CARTClassifier, X, FRAMED["種類"], ResponseError, r"X\.compute\(\)"),
    (
        boxwood.CARTClassifier, FRAMED[["x"]], FRAMED.repartition(npartitions=2)["種類"], DataError,
        "X has 3 partitions and y has 2",
    ),
    (
        boxwood.CARTClassifier, FRAMED[["x"]], FRAMED[FRAMED["z"] > 3]["種類"], DataError,
        "a partition of X has 200 rows, and",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("estimator", "x", "y", "error", "text"), REFUSED)
def test_what_cannot_be_fitted_is_refused_with_the_remedy(estimator, x, y, error, text):
    with pytest.raises(error, match=text):
        estimator().fit(x, y)


def test_errors_in_partitions_read_here_name_them():
    broken = FRAME.assign(menge=np.where(np.arange(len(FRAME)) == 400, np.nan, FRAME["menge"]))
    with pytest.raises(BoxwoodError, match="partition 1"):
        boxwood.CARTRegressor(pruning=None).fit_stream(dd.from_pandas(broken, npartitions=2), "menge")


NOISE = """
    import gc, time
    import dask.dataframe as dd, pandas as pd
    from distributed import Client, LocalCluster
    import boxwood

    def slow(part):
        time.sleep(0.0 if part.index[0] == 0 else 0.3)
        return part

    data = pd.DataFrame({"x": range(80), "y": [None] + ["甲", "乙"] * 39 + ["甲"]})
    with LocalCluster(n_workers=2, processes=False, dashboard_address=":0") as cluster, Client(cluster) as client:
        frame = dd.from_pandas(data, npartitions=8)
        slowly = frame.map_partitions(slow, meta=frame._meta)
        for model in (boxwood.CARTClassifier(), boxwood.C45Classifier(raising=False)):
            try:
                model.fit_stream(slowly, "y", client=client)
            except boxwood.BoxwoodError as error:
                print(error)
        while any(client.run(lambda dask_worker: len(dask_worker.state.executing)).values()):
            time.sleep(0.1)  # until the readers that are still asleep have ended; Dask logs if it is closed before
    gc.collect()
"""


def test_nothing_but_the_refusal_is_heard():
    """The other readers are at work when one finds the error."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    script = [sys.executable, "-c", textwrap.dedent(NOISE)]
    done = subprocess.run(script, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.count("Row 0 (counted from 0) is the first of 1 without a value") == 2
    assert "never retrieved" not in done.stderr  # a busy machine may warn of a slow event loop
    assert "Traceback" not in done.stderr


def test_c45_raises_branches_on_workers(client):
    whole = FRAME.dropna().drop(columns=["w", "menge"])
    model = boxwood.C45Classifier(confidence=0.1)
    expected = model.fit(whole.drop(columns="種類"), whole["種類"]).model_.to_bytes()
    found = model.fit_stream(dd.from_pandas(whole, npartitions=3), "種類").model_
    assert found.to_bytes() == expected
    assert found.tree.n_nodes < found.full_tree.n_nodes

"""Spark's tasks give the model of memory, byte for byte; runs where pyspark and Java are installed."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.parts.layout import Roles
from cluster.tables import SETTINGS, TARGETS, in_memory, roles, table

sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

FRAME = table()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.log.level", "ERROR")
    session = builder.config("spark.local.dir", str(tmp_path_factory.mktemp("spark"))).getOrCreate()
    yield session
    session.stop()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("target", "weight"), [("種類", "w"), ("menge", None)])
def test_spark_tasks_give_the_model_of_memory(spark, tmp_path, target, weight):
    from boxwood.growing.cluster.spark import SparkWorkers

    plain = FRAME.assign(size=FRAME["size"].astype(str))
    plain.iloc[:250].to_parquet(tmp_path / "a.parquet")
    plain.iloc[250:].to_parquet(tmp_path / "b.parquet")
    with SparkWorkers(spark, 2) as workers:
        for _ in range(2):
            cluster = Cluster(workers, rows=150)
            task = dict(TARGETS)[target]
            found = fit_cluster(REGISTRY["cart"], str(tmp_path), roles(target, weight), task, SETTINGS, cluster)
            assert found.to_bytes() == in_memory(plain, target, weight)


@pytest.mark.filterwarnings("ignore")
def test_chaid_by_spark_tasks(spark, tmp_path):
    from boxwood.growing.cluster.spark import SparkWorkers

    X, settings = FRAME.drop(columns=["size", "menge", "種類", "w"]), {"min_samples_split": 40, "min_samples_leaf": 10}
    X.assign(menge=FRAME["menge"]).iloc[:250].to_parquet(tmp_path / "a.parquet")
    X.assign(menge=FRAME["menge"]).iloc[250:].to_parquet(tmp_path / "b.parquet")
    with SparkWorkers(spark, 2) as workers:
        cluster, chaid = Cluster(workers, rows=100), REGISTRY["chaid"]
        found = fit_cluster(chaid, str(tmp_path), Roles("menge"), "regression", settings, cluster)
    given = {"task": "regression", "settings": settings, "response_name": "menge"}
    assert found.to_bytes() == chaid.fit(learn_columns(X), FRAME["menge"], **given).to_bytes()

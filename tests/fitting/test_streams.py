"""A model learned from a stream is, byte for byte, the model of the same rows in memory."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CostComplexity
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.memory_size import memory_size
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.algorithms.fitting.streams import How, fit_stream
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import (
    ColumnError,
    DataError,
    DataTypeError,
    FileError,
    MissingValueError,
    ParameterError,
    ParameterTypeError,
    ResponseError,
    WeightError,
)
from boxwood.growing.parts.layout import Roles

pytestmark = pytest.mark.usefixtures("parts")
CART = REGISTRY["cart"]
COUNTS = CARTRegressor(criterion="poisson", pruning=None)


def frame(n: int, seed: int) -> pd.DataFrame:
    """Every kind of column, missing values, rows of weight 0."""
    rng = np.random.default_rng(seed)
    kinds = ["lo", "mid", "hi"]
    made = pd.DataFrame(
        {
            "年龄": rng.normal(size=n).astype(np.float32),
            "whole": rng.integers(0, 50, n),
            "flag": rng.random(n) < 0.5,
            "城": rng.choice(["北京", "東京", "Wien", None], n),
            "kind": pd.Categorical(rng.choice(kinds, n), categories=[*kinds, "never"]),
            "order": pd.Categorical(rng.choice(kinds, n), categories=kinds, ordered=True),
            "nan": np.full(n, np.nan),
            "none": [None] * n,
            "w": rng.choice([[0, 1.0, 2.0], [0.3, 0.6, 1.5], [0.1, np.pi, 0.0]][seed % 3], n),
        }
    )
    made.loc[rng.random(n) < 0.1, "年龄"] = np.nan
    made["y"] = np.where(made["whole"] + 10 * made["flag"] + rng.normal(size=n) * 8 > 30, "是", "否")
    made["z"] = made["whole"] * 0.3 + made["flag"] + rng.normal(size=n) + [0, 1e9][seed % 2]
    return made


def in_memory(data: pd.DataFrame, task: str, weighted: bool, settings: dict) -> bytes:
    target = "y" if task == "classification" else "z"
    weight = data["w"] if weighted else None
    X = data.drop(columns=["y", "z", "w"])
    return CART.fit(
        learn_columns(X), data[target], task=task, settings=settings, weight=weight, response_name=target
    ).to_bytes()


def streamed(source, task: str, weighted: bool, settings: dict, how: How) -> bytes:
    target, other = ("y", "z") if task == "classification" else ("z", "y")
    roles = Roles(target, "w" if weighted else None, (other,) if weighted else (other, "w"))
    return fit_stream(CART, source, roles, task, settings, how).to_bytes()


@pytest.mark.sample(8)
@pytest.mark.parametrize("capacity", [3, 40, 10**6])
@pytest.mark.parametrize("rows", [1, 7, 1000])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_model_of_memory_byte_for_byte(task, rows, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", capacity)
    for seed in range(4 if rows > 1 else 2):  # each seed has other weights of rows and classes
        data = frame(25 if rows == 1 else 150, seed)
        settings = {"pruning": None, "max_depth": 4, "ccp_alpha": [0.0, 0.01][seed % 2]}
        if task == "classification":
            settings |= {"class_weight": [None, "balanced"][seed % 2], "priors": [None, "uniform"][seed // 3 % 2]}
        weighted = seed % 4 != 0
        source = [[data.iloc[i : i + 37] for i in range(0, len(data), 37)], pa.Table.from_pandas(data)][seed % 2]
        assert streamed(source, task, weighted, settings, How(rows=rows)) == in_memory(data, task, weighted, settings)


def test_files_in_any_order_give_one_model(tmp_path, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", 50)
    data, settings = frame(300, 1), {"pruning": None, "max_depth": 5}
    paths = []
    for i in range(0, 300, 60):
        paths.append(str(tmp_path / f"{i}.parquet"))
        data.iloc[i : i + 60].to_parquet(paths[-1])
    expected = streamed(paths, "classification", True, settings, How())
    for order in ([4, 0, 3, 1, 2], [2, 1, 0, 4, 3]):
        assert streamed([paths[i] for i in order], "classification", True, settings, How(rows=11)) == expected
    assert streamed(str(tmp_path), "classification", True, settings, How("64MB")) == expected
    shuffled = data.sample(frac=1, random_state=0)
    assert streamed(shuffled, "classification", True, settings, How(rows=50)) == expected


def test_text_files_give_the_model_of_the_table(tmp_path):
    data = frame(200, 2)[["whole", "城", "flag", "y"]]
    for i in (0, 100):
        data.iloc[i : i + 100].to_csv(tmp_path / f"{i}.csv", index=False)
    table = pa.Table.from_pandas(data, preserve_index=False)
    roles, settings = Roles("y"), {"pruning": None}
    one = fit_stream(CART, str(tmp_path), roles, "classification", settings)
    assert one.to_bytes() == fit_stream(CART, table, roles, "classification", settings).to_bytes()


def test_numbers_that_are_listed_are_levels():
    data = frame(200, 3)[["whole", "y"]]
    settings = {"pruning": None, "categorical_features": ["whole"]}
    columns = learn_columns(data[["whole"]], ["whole"])
    expected = CART.fit(columns, data["y"], task="classification", settings=settings, response_name="y")
    found = fit_stream(CART, data, Roles("y"), "classification", settings, How(rows=30))
    assert found.to_bytes() == expected.to_bytes()


def long_numbers(kind: str) -> tuple[list[pd.DataFrame], pd.DataFrame, list[str]]:
    """Frames with whole numbers beyond 2**53, the same as one frame, and columns that are levels."""
    rng = np.random.default_rng(5)
    base, n = 2**60, 240
    number = base + rng.integers(-40, 40, n)
    data = pd.DataFrame(
        {"番号": number, "x": rng.normal(size=n), "y": np.where((number - base) // 13 % 2 == 0, "a", "b")}
    )
    data["z"] = (number - base) + data["x"]
    parts = [data.iloc[:100].copy(), data.iloc[100:150].copy(), data.iloc[150:].copy()]
    if kind == "small in one part":
        parts[0]["番号"] = np.arange(100)
        parts[1]["番号"] = np.arange(50, dtype=np.int32)
    elif kind == "floats in one part":
        parts[1]["番号"] = parts[1]["番号"].astype(np.float64)
    elif kind == "gaps":
        parts = [part.assign(番号=part["番号"].astype("Int64").mask(part["x"] > 1.2)) for part in parts]
    elif kind == "labels":
        parts = [part.assign(y=2**60 + (part["番号"] % 3)) for part in parts]
    return parts, pd.concat(parts, ignore_index=True), ["番号"] if kind == "levels" else []


@pytest.mark.sample(10)
@pytest.mark.parametrize("capacity", [20, 10**6])
@pytest.mark.parametrize("kind", ["all", "small in one part", "floats in one part", "gaps", "levels", "labels"])
@pytest.mark.parametrize("name", ["cart", "c45"])
def test_whole_numbers_beyond_doubles_are_exact(name, kind, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", capacity)
    parts, whole, levels = long_numbers(kind)
    settings = {"pruning": None} | ({"categorical_features": levels} if levels else {})
    tasks = [("y", "z", "classification"), ("z", "y", "regression")]
    for target, other, task in tasks if name == "cart" else tasks[:1]:
        columns = learn_columns(whole.drop(columns=["y", "z"]), levels or "from_dtype")
        expected = REGISTRY[name].fit(columns, whole[target], task=task, settings=settings, response_name=target)
        roles = Roles(target, drop=(other,))
        for rows in (40, 1000):
            found = fit_stream(REGISTRY[name], parts, roles, task, settings, How(rows=rows))
            assert found.to_bytes() == expected.to_bytes()
        assert kind not in ("all", "gaps") or expected.tree.splits.breaks_low.any()


def binned_frame(seed: int) -> pd.DataFrame:
    """Columns that bins find hard: few values, one in most rows, infinities, tiny and huge numbers, whole ones."""
    rng = np.random.default_rng(seed)
    n = 600
    data = frame(n, seed)
    data["heavy"] = np.where(rng.random(n) < 0.7, 1.5, 1.5 + rng.normal(size=n) * 1e-9)
    data["wide"] = rng.choice([-1.0, 1.0], n) * 10.0 ** rng.integers(-300, 300, n)
    data["ends"] = rng.choice([-np.inf, np.inf, 0.0, -0.0, *np.linspace(-2, 2, 40)], n)
    data["few"] = rng.integers(0, 5, n).astype(np.float32)
    data["long"] = 2**60 + rng.integers(0, 200, n)
    return data


@pytest.mark.sample(6)
@pytest.mark.parametrize("capacity", [30, 10**6])
@pytest.mark.parametrize("bins", [2, 9, 40, 5000])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_bins_are_those_of_memory(task, bins, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", capacity)
    for seed in range(3):
        data = binned_frame(seed)
        settings = {"pruning": None, "max_depth": 5, "max_bins": bins, "max_competitors": seed}
        if task == "classification":
            settings |= {"class_weight": [None, {"是": 0.0}, "balanced"][seed]}
        for rows in (1000, 90):
            found = streamed(data, task, seed == 1, settings, How(rows=rows))
            assert found == in_memory(data, task, seed == 1, settings)


def test_bins_are_baked_into_a_cache(tmp_path):
    data, folder = binned_frame(0).drop(columns=["z", "w"]), str(tmp_path / "cache")
    expected = CARTClassifier(pruning=None, max_bins=9).fit_stream(data, "y", cache=folder).model_.to_bytes()
    for model in (CARTClassifier(pruning=None, max_bins=9), CARTClassifier(pruning=None)):
        assert model.fit_stream(folder, "y").model_.to_bytes() == expected
    with pytest.raises(DataError, match="made with max_bins=9, and now max_bins=8"):
        CARTClassifier(pruning=None, max_bins=8).fit_stream(folder, "y")
    with pytest.raises(DataError, match="at most 9 bins, and c45 learns from exact values"):
        C45Classifier(pruning=None).fit_stream(folder, "y")


def test_classes_of_weight_zero_are_left_out():
    data = frame(200, 4)
    settings = {"pruning": None, "class_weight": {"是": 0.0}}
    assert streamed(data, "classification", False, settings, How(rows=30)) == in_memory(
        data, "classification", False, settings
    )


def test_extreme_weights_and_a_constant_response():
    data = frame(80, 5).assign(z=2.5)
    data["w"] = np.where(data["flag"], 1e250, 3e250)
    settings = {"pruning": None}
    for task in ("classification", "regression"):
        assert streamed(data, task, True, settings, How(rows=9)) == in_memory(data, task, True, settings)


def test_the_estimators_have_it_and_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    data = frame(100, 0)
    model = CARTClassifier(pruning=None, max_depth=3).fit_stream(data, "y", sample_weight="w", drop="z")
    same = CARTClassifier(pruning=None, max_depth=3).fit(data.drop(columns=["y", "z", "w"]), data["y"], data["w"])
    assert model.model_.to_bytes() == same.model_.to_bytes()
    CARTRegressor(pruning=None).fit_stream(data, "z", drop=["y"], memory=10**8)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("model", "arguments", "error", "words"),
    [
        (CARTClassifier(pruning=CostComplexity(folds=[0, 1] * 25)), {}, ParameterError, "must be a number of folds"),
        (CARTRegressor(), {"target": "whole", "exposure": "order"}, ParameterError, "exposure is for counts"),
        (CARTClassifier(pruning=None), {"exposure": "whole"}, ParameterError, "exposure is for counts"),
        (COUNTS, {"target": "z"}, ResponseError, "y counts events and cannot be negative; row 0"),
        (COUNTS, {"target": "whole", "exposure": "z"}, ResponseError, "exposure must be positive .* row 0"),
        (COUNTS, {"target": "whole", "exposure": "年龄"}, ResponseError, "exposure contains NaN"),
        (COUNTS, {"target": "whole", "exposure": "nobody"}, ColumnError, "exposure: there is no column 'nobody'"),
        (COUNTS, {"target": "whole", "exposure": "whole"}, ColumnError, "exposure must be another column"),
        (CARTClassifier(pruning=None, missing="error"), {}, MissingValueError, "missing='error'"),
        (CARTClassifier(pruning=None), {"target": "nobody"}, ColumnError, "target: there is no column 'nobody'"),
        (CARTClassifier(pruning=None), {"target": 3}, ParameterTypeError, "target must be the name"),
        (CARTClassifier(pruning=None), {"drop": ["q"]}, ColumnError, "drop: there is no column 'q'"),
        (CARTClassifier(pruning=None), {"sample_weight": "y"}, ColumnError, "another column than the target"),
        (CARTClassifier(pruning=None), {"sample_weight": "z"}, WeightError, r"batch|rows .*sample_weight, row"),
        (CARTClassifier(pruning=None), {"target": "年龄"}, ResponseError, r"rows 0 to .*y contains NaN"),
        (CARTRegressor(pruning=None), {"target": "年龄"}, ResponseError, r"rows 0 to .*y contains NaN"),
        (CARTRegressor(pruning=None), {"target": "城"}, ResponseError, "string"),
        (CARTClassifier(pruning=None), {"memory": "much"}, ParameterError, "memory must be a size"),
    ],
)  # fmt: skip
def test_what_a_stream_cannot_do_is_refused_by_name(model, arguments, error, words):
    data = frame(50, 0).assign(z=-1.0)
    with pytest.raises(error, match=words):
        model.fit_stream(data, **({"target": "y"} | arguments))
    assert not hasattr(model, "model_")


def test_sizes_of_memory():
    assert [memory_size(m) for m in ("2GB", "512 MiB", 10**8, "0.05TB")] == [2 * 10**9, 2**29, 10**8, 5 * 10**10]
    for wrong in ("", "GB", "2 parsecs", "-1GB", 10, "1MB"):
        with pytest.raises(ParameterError, match="memory must be"):
            memory_size(wrong)
    for wrong in (None, True, 1.5):
        with pytest.raises(ParameterTypeError, match="memory must be"):
            memory_size(wrong)


def kept(tmp_path) -> tuple[str, str, str]:
    """A data file, its cache, and a part of the cache."""
    path, folder = str(tmp_path / "数据.parquet"), str(tmp_path / "cache")
    frame(120, 1).drop(columns=["z", "w"]).to_parquet(path)
    CARTClassifier(pruning=None).fit_stream(path, "y", cache=folder)
    return path, folder, os.path.join(folder, "part-00000.box")


def test_a_cache_knows_its_class_weights_and_those_of_rows(tmp_path):
    data, folder = frame(120, 2).drop(columns="z"), str(tmp_path / "cache")
    given = {"class_weight": "balanced", "pruning": None}
    X, weight = data.drop(columns=["y", "w"]), data["w"]
    expected = CARTClassifier(**given).fit(X, data["y"].rename("y"), sample_weight=weight).tree_
    for source, cache in (([data], folder), (folder, None)):
        tree = CARTClassifier(**given).fit_stream(source, "y", sample_weight="w", cache=cache).tree_
        assert tree.response.class_weights == expected.response.class_weights != ()
        assert np.array_equal(tree.weight_squares, expected.weight_squares)
        assert np.isclose(tree.counts[0].sum(), weight.sum())


def test_a_cache_that_stays_is_used_again(tmp_path):
    path, folder, _ = kept(tmp_path)
    expected = CARTClassifier(pruning=None, max_depth=2).fit_stream(path, "y").model_.to_bytes()
    for source, cache in ((path, folder), (folder, None)):
        model = CARTClassifier(pruning=None, max_depth=2).fit_stream(source, "y", cache=cache)
        assert model.model_.to_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["cache", "数据.parquet"]


def test_a_cache_is_not_used_for_anything_else(tmp_path):
    path, folder, _ = kept(tmp_path)
    other = str(tmp_path / "other.parquet")
    parquet.write_table(pa.table({"a": [1, 2], "y": ["a", "b"]}), other)
    with pytest.raises(DataError, match="from other files"):
        CARTClassifier(pruning=None).fit_stream(other, "y", cache=folder)
    with pytest.raises(DataError, match="made with target='y', and now target='flag'"):
        CARTClassifier(pruning=None).fit_stream(folder, "flag")
    with pytest.raises(DataError, match="class_weight=None, and now class_weight='balanced'"):
        CARTClassifier(pruning=None, class_weight="balanced").fit_stream(folder, "y")
    with pytest.raises(FileError, match="exists already"):
        CARTClassifier(pruning=None).fit_stream(path, "y", cache=str(tmp_path))
    os.utime(path)
    with pytest.raises(FileError, match=r"数据\.parquet has changed"):
        CARTClassifier(pruning=None).fit_stream(folder, "y")


@pytest.mark.parametrize("how", ["flip", "cut", "missing", "header", "format", "no header"])
def test_a_damaged_cache_is_refused_by_the_name_of_the_file(how, tmp_path):
    _, folder, part = kept(tmp_path)
    header = os.path.join(folder, "boxwood-cache.json")
    words = {"header": r"boxwood-cache\.json: its checksum", "format": "format 99", "no header": "without .parquet"}
    with open(header if how in ("header", "format") else part, "r+b") as file:
        content = bytearray(file.read())
        content[len(content) // 2] ^= 1
        if how in ("flip", "header"):
            file.seek(0)
            file.write(content)
        elif how == "cut":
            file.truncate(100)
    if how == "missing":
        os.unlink(part)
    if how == "no header":
        os.unlink(header)
    if how == "format":
        body = Path(header).read_bytes().partition(b"\n")[0].replace(b'"format": 4', b'"format": 99')
        with open(header, "wb") as file:
            file.write(body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n")
    with pytest.raises(FileError, match=words.get(how, r"damaged in part-00000\.box")):
        CARTClassifier(pruning=None).fit_stream(folder, "y")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
@pytest.mark.parametrize("keep", [False, True])
def test_an_interrupt_leaves_nothing_behind(error, keep, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    def frames():
        yield frame(50, 0)
        assert any("boxwood-cache" in name or "partial" in name for name in os.listdir(tmp_path))
        raise error

    model = CARTClassifier(pruning=None)
    monkeypatch.setattr("boxwood.algorithms.fitting.encoding.Budget.part_rows", lambda self, width: 10)
    calls = iter([[frame(50, 0)], frames()])
    with pytest.raises(error):
        model.fit_stream(lambda: next(calls), "y", cache=str(tmp_path / "cache") if keep else None)
    assert os.listdir(tmp_path) == []


def test_a_batch_of_another_type_is_named():
    with pytest.raises(DataTypeError, match=r"batch 1 of the source .*'a' holds strings, but another part"):
        CARTClassifier(pruning=None).fit_stream(
            [pa.table({"a": [1.0], "y": ["u"]}), pa.table({"a": ["x"], "y": ["v"]})], "y"
        )


def test_progress_is_reported_through_the_log(caplog, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", 60)
    with caplog.at_level("INFO", logger="boxwood"):
        CARTClassifier(pruning=None).fit_stream(frame(300, 0).drop(columns=["z", "w"]), "y")
    messages = [record.getMessage() for record in caplog.records]
    assert any(line.startswith("encoded: 300 rows") for line in messages)
    assert any(line.startswith("growing: depth 1, ") for line in messages)
    done = [line.split()[1:4] for line in messages if line.endswith("from their rows")]
    assert done[-1][0] == done[-1][2] != "0"

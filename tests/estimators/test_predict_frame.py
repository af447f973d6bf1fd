"""predict_frame: predictions beside kept columns, in a table of the caller's kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.errors import ColumnError, DataTypeError, ParameterError, ParameterTypeError

X = {"年龄": [20, 30, 50, 60], "城": ["Ulm", "Ulm", "京都", "京都"]}
NEW = pd.DataFrame({"键": ["a", "b"], "城": ["Ulm", "京都"], "年龄": [25, None]}, index=[7, 9])
MODEL = CARTClassifier(pruning=None, max_surrogates=1).fit(X, ["no", "no", "yes", "yes"])


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_the_table_is_of_the_kind_of_the_data(kind):
    given = kind(NEW) if kind is pd.DataFrame else kind(NEW.reset_index(drop=True))
    for holder in (MODEL, MODEL.tree_):
        found = holder.predict_frame(given, keep=["键"], proba=True, node=True, reasons=2, missing_route=True)
        assert type(found) is type(given)
        frame = found if kind is pd.DataFrame else found.to_pandas()
        assert list(frame) == [
            "键", "y", "probability_no", "probability_yes", "node", "reason_1", "reason_2", "missing_route"
        ]  # fmt: skip
        assert frame.iloc[1].tolist()[:6] == ["b", "yes", 0.0, 1.0, 2, "年龄 is missing (+0.500)"]
        assert frame.missing_route.notna().tolist() == [False, True]
    assert kind is not pd.DataFrame or found.index.tolist() == [7, 9]


def test_arrays_lists_and_dictionaries_give_pandas(monkeypatch):
    model = CARTRegressor(pruning=None).fit([[1, 5], [2, 5], [3, 6]], [0.0, 1.0, 5.0])
    for given in (np.array([[0.0, 5.0], [9.0, 6.0]]), [[0.0, 5.0], [9.0, 6.0]]):
        found = model.predict_frame(given, keep="all", interval=True)
        assert list(found) == ["x0", "x1", "y", "low", "high"]
        assert found.y.tolist() == model.predict(given).tolist()
    assert MODEL.predict_frame({"年龄": 25, "城": "Ulm"}, keep=["城"]).values.tolist() == [["Ulm", "no"]]
    records = [{"年龄": 25, "城": "Ulm"}, {"年龄": 60, "城": "Ulm"}]
    assert MODEL.predict_frame(records, keep=["年龄"]).values.tolist() == [[25, "no"], [60, "yes"]]
    monkeypatch.setattr("boxwood.data.frames.beside.find_spec", lambda name: None)
    found = MODEL.predict_frame(X, keep=["年龄"])
    assert (found["年龄"], found["y"].tolist()) == (X["年龄"], ["no", "no", "yes", "yes"])


@pytest.mark.parametrize("estimator", [CARTClassifier(), C45Classifier(), CARTRegressor()])
@pytest.mark.parametrize("target", [None, "yes"])
def test_reasons_are_the_contributions_of_explain(estimator, target):
    """Also of rows that C4.5 divides; the second way, row by row, is that of ``explain``."""
    rows = datasets.load("titanic")
    y = rows.pop("survived")
    if isinstance(estimator, CARTRegressor):
        y, target = rows.pop("fare"), None
        known = ~np.isnan(np.asarray(y, dtype=float))
        rows = {name: np.asarray(values)[known] for name, values in rows.items()}
        y = np.asarray(y)[known]
    model = estimator.fit(rows, y)
    found = model.predict_frame(rows, reasons=3, target_class=target)
    for i, row in enumerate(model.explain(rows)):
        if i % 11:
            continue
        label = row.prediction if target is None else target
        k = list(model.classes_).index(label) if hasattr(model, "classes_") else 0
        moved = sorted((float(np.atleast_1d(c)[k]) for c in row.contributions.values()), key=abs, reverse=True)
        moved = [m for m in moved if abs(m) > 1e-12][:3]
        texts = [found[f"reason_{rank}"][i] for rank in (1, 2, 3)]
        numbers = [
            float(text.rpartition("(")[2][:-1].replace("−", "-").replace(",", ""))
            for text in texts
            if isinstance(text, str)
        ]
        assert numbers[: len(moved)] == pytest.approx(moved, rel=2e-2, abs=6e-4)


def test_a_divided_row_has_no_interval():
    rows = datasets.load("titanic")
    y = rows.pop("survived")
    model = C45Classifier().fit(rows, y)
    found = model.predict_frame(rows, interval=True)
    divided = (model.routing(rows).flags & 16) > 0
    assert divided.any()
    assert np.array_equal(np.isnan(found["low_yes"]), divided)


def test_what_cannot_be_is_named():
    with pytest.raises(ColumnError, match=r"column '年龄' is kept.*set prefix='predicted_'"):
        MODEL_OF_AGE.predict_frame(NEW, keep=["年龄"])
    assert list(MODEL_OF_AGE.predict_frame(NEW, keep=["年龄"], prefix="predicted_")) == ["年龄", "predicted_年龄"]
    with pytest.raises(ColumnError, match="keep names the column 'z', which the data lack"):
        MODEL.predict_frame(NEW, keep=["z"])
    with pytest.raises(ParameterTypeError, match="keep must be a list"):
        MODEL.predict_frame(NEW, keep="键")
    with pytest.raises(ParameterError, match="reasons must be a whole number"):
        MODEL.predict_frame(NEW, reasons=-1)
    with pytest.raises(ParameterError):
        MODEL.predict_frame(NEW, interval=True, level=2.0)


MODEL_OF_AGE = CARTRegressor(pruning=None).fit(pd.DataFrame({"城": X["城"]}), pd.Series(X["年龄"], name="年龄"))


def test_arguments_of_other_types_are_refused_by_name():
    X = {"age": [20, 30, 50, 60] * 5}
    y = ["no", "no", "yes", "yes"] * 5
    model = CARTClassifier(pruning=None).fit(X, y)
    with pytest.raises(ParameterTypeError, match="node must be True or False") as refused:
        model.predict_frame(X, node=np.zeros(2))
    assert refused.value.argument == "node"
    with pytest.raises(ParameterTypeError, match="ordinal_features must be a dict"):
        CARTClassifier(ordinal_features=np.zeros(2)).fit(X, y)
    with pytest.raises(DataTypeError, match="Column 'age' must be one-dimensional"):
        model.evaluate(X, y, by={"age": 3})

"""Dates and times in words, counterfactuals, explanations, rules, pictures and splines."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CHAIDClassifier,
    CLSClassifier,
    ID3Classifier,
    MARSRegressor,
    load,
)
from boxwood.errors import DataTypeError, ParameterError

RNG = np.random.default_rng(2)
DAYS = np.datetime64("2019-01-01") + RNG.integers(0, 1500, 300)
SPANS = RNG.integers(0, 10**6, 300).astype("m8[s]")
X = {"opened": DAYS.astype("M8[us]"), "took": SPANS, "size": RNG.normal(size=300).round(2)}
Y = np.where((np.datetime64("2021-03-15") > DAYS) ^ (np.timedelta64(800_000, "s") < SPANS), "good", "bad")
ROW = {"opened": datetime.date(2021, 6, 1), "took": datetime.timedelta(hours=3), "size": 0.0}


@pytest.fixture(scope="module")
def model():
    return CARTClassifier(max_depth=3, pruning=None).fit(X, Y)


def test_every_view_shows_dates(model):
    tree = model.tree_
    condition = tree.to_frame(backend="dict")["condition"][1]
    assert condition.startswith("opened <= 2021-0")
    day = condition.rpartition(" ")[2]
    shown = [
        tree.to_text(), tree.to_svg(), tree.export("dot"), "\n".join(map(str, model.rules())),
        str(model.explain({name: values[:1] for name, values in X.items()})), str(model.explain_split(node=0)),
    ]  # fmt: skip
    for text in shown:
        assert day in text
    assert "opened = 2021-06-01" in str(model.explain({name: [value] for name, value in ROW.items()}))


def test_counterfactuals_change_dates_by_whole_days(model):
    found = model.counterfactual(ROW, "good")
    change = found[0].changes[0]
    assert change.feature == "opened"
    assert change.new == found[0].row["opened"] == datetime.datetime.combine(change.new.date(), datetime.time())
    assert f"opened: 2021-06-01 → {change.new.date()}" in str(found)
    next_day = found[0].row | {"opened": change.new + datetime.timedelta(days=1)}
    rows = [found[0].row, next_day]
    assert model.predict({name: [row[name] for row in rows] for name in X}).tolist() == ["good", "bad"]


def test_what_a_date_may_become(model):
    found = model.counterfactual(ROW, "good", allowed={"opened": ("2020-05-01", datetime.date(2020, 6, 1))})
    assert found[0].changes[0].new == datetime.datetime(2020, 6, 1)
    longer = model.counterfactual(ROW, "good", allowed={"opened": "increase"})
    assert [change.feature for change in longer[0].changes] == ["took"]
    assert isinstance(longer[0].changes[0].new, datetime.timedelta)
    month = model.counterfactual(ROW, "good", scale={"opened": datetime.timedelta(days=30)})
    days = (datetime.datetime(2021, 6, 1) - month[0].changes[0].new).days
    assert month[0].distance == pytest.approx(days / 30)
    with pytest.raises(ParameterError, match="'soon'"):
        model.counterfactual(ROW, "good", allowed={"opened": ("soon", None)})


@pytest.mark.parametrize("estimator", [C45Classifier(pruning=None), CHAIDClassifier(), C45Rules()])
def test_other_algorithms(estimator, tmp_path):
    fitted = estimator.fit(X, Y)
    text = fitted.to_text() if isinstance(fitted, C45Rules) else str(fitted.tree_)
    assert "opened <= 20" in text
    assert (fitted.predict(X) == Y).mean() > 0.75
    fitted.save(tmp_path / "m.box")
    assert (load(tmp_path / "m.box").predict(X) == fitted.predict(X)).all()


@pytest.mark.parametrize("estimator", [CLSClassifier(), ID3Classifier()])
def test_levels_alone_take_dates_as_names(estimator):
    with pytest.raises(DataTypeError, match="'opened' is datetime"):
        estimator.fit({"opened": X["opened"]}, Y)
    months = {"month": DAYS.astype("M8[M]")}
    fitted = estimator.set_params(categorical_features=["month"]).fit(months, Y)
    assert "month = 2021-03-01" in fitted.tree_.to_text(max_lines=None)


def test_splines_count_in_days(tmp_path):
    days = (DAYS - np.datetime64("2021-01-01")).astype(float)
    y = np.maximum(days, 0.0) * 0.5
    dates, numbers = MARSRegressor().fit({"opened": X["opened"]}, y), MARSRegressor().fit({"opened": days}, y)
    assert np.allclose(dates.predict({"opened": X["opened"]}), numbers.predict({"opened": days}), atol=1e-6)
    assert "h(opened-2021-0" in dates.summary() or "h(opened-2020-1" in dates.summary()
    assert "opened stands for whole days since 1970-01-01" in dates.export("formula")
    assert dates.verify_export("python", {"opened": X["opened"]})
    dates.save(tmp_path / "m.box")
    assert np.array_equal(
        load(tmp_path / "m.box").predict({"opened": X["opened"]}), dates.predict({"opened": X["opened"]})
    )

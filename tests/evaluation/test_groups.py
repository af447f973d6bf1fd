"""Evaluations by group: figures with intervals, calibration, selection, stability, periods of dates."""

import datetime
import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import boxwood
from boxwood.cli import main
from boxwood.data import datasets
from boxwood.errors import ColumnError, DataError, DataTypeError, ParameterError
from boxwood.evaluation.stability import stability

REGIONS = ["北京", "Ost", "서울", None]


def claims(n=600, seed=0):
    """Two classes that depend on x, with a region, a day of opening and a weight of each row."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(rng.random(n) < 1.0 / (1.0 + np.exp(-x)), "yes", "no")
    region = [REGIONS[k] for k in rng.choice(4, n, p=[0.5, 0.3, 0.19, 0.01])]
    day = [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(d)) for d in rng.integers(0, 366, n)]
    return {"x": x}, y, region, day, rng.gamma(2.0, size=n)


@pytest.fixture(scope="module")
def model():
    X, y, *_ = claims(seed=1)
    return boxwood.CARTClassifier(target_class="yes").fit(X, y)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_figures_of_a_group_are_those_of_its_rows(model, weighted):
    X, y, region, _, weight = claims()
    weight = weight if weighted else None
    found = model.evaluate(X, y, sample_weight=weight, by={"region": region}).groups["region"]
    assert [group.label for group in found.groups] == ["Ost", "北京", "서울", None]
    for group in found.groups:
        at = np.array([value == group.label for value in region])
        part = model.evaluate({"x": X["x"][at]}, y[at], sample_weight=None if weight is None else weight[at])
        assert group.rows == part.rows.count == at.sum()
        for name in ("accuracy", "auc", "log_loss"):
            assert group.figures[name].value == pytest.approx(part[name].value, rel=1e-12, nan_ok=True)
        excess = group.figures["predicted"].value - group.figures["observed"].value
        assert excess == pytest.approx(part["calibration"].value, abs=1e-12)
        recall = {figure.label: figure.value for figure in part.by_class if figure.name == "recall"}
        assert group.figures["recall"].value == pytest.approx(recall["yes"], nan_ok=True)
    assert found.whole.rows == 600
    assert found.whole.figures["accuracy"].value == model.evaluate(X, y, sample_weight=weight)["accuracy"].value
    assert "missing" in str(found)
    assert "서울" in str(found)


def test_small_groups_have_wide_intervals(model):
    X, y, *_ = claims(n=8)
    y = model.predict(X)
    found = model.evaluate(X, y, by=["a"] * 7 + ["b"]).groups["group"]
    large, small = found.groups
    assert large.figures["accuracy"] == pytest.approx((1.0, 0.6457, 1.0), abs=1e-4)
    assert small.figures["accuracy"].low < 0.21
    assert small.figures["log_loss"].low == 0.0
    assert small.figures["log_loss"].high == np.inf
    assert np.isnan(small.figures["auc"].value)
    assert large.figures["auc"].low < 0.6


def test_equal_opportunity_is_the_difference_of_recalls_with_newcombes_interval(model):
    X, y, *_ = claims()
    group = np.where(np.arange(600) % 3 == 0, "a", "b")
    found = model.evaluate(X, y, by=group).groups["group"]
    one, other = found.groups
    assert one.figures["equal_opportunity"].value == pytest.approx(
        one.figures["recall"].value - other.figures["recall"].value
    )
    assert one.figures["equal_opportunity"].low == pytest.approx(-other.figures["equal_opportunity"].high)
    rates = [each.figures["selection_rate"].value for each in found.groups]
    assert found.selection_ratio == pytest.approx(min(rates) / max(rates))
    assert "their ratio is" in str(found)


def test_intervals_hold_the_truth_as_often_as_they_tell():
    rng = np.random.default_rng(3)
    X, y = {"x": np.arange(40.0)}, np.array(["no"] * 20 + ["yes"] * 20)
    model = boxwood.CARTClassifier(pruning=None).fit(X, y)
    held = {"accuracy": 0, "equal_opportunity": 0}
    for _ in range(300):
        x = rng.integers(0, 40, 60).astype(float)
        right = rng.random(60) < 0.8
        truth = np.where((x >= 20) == right, "yes", "no")
        (group, *_) = model.evaluate({"x": x}, truth, by=rng.choice(2, 60, p=[0.3, 0.7])).groups["group"].groups
        for name, value in (("accuracy", 0.8), ("equal_opportunity", 0.0)):
            held[name] += group.figures[name].low <= value <= group.figures[name].high
    assert min(held.values()) > 0.92 * 300


def test_the_index_of_stability_has_its_size():
    rng = np.random.default_rng(0)
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    found = [
        stability(rng.multinomial(200, shares) * 1.0, 200.0, rng.multinomial(1000, shares) * 1.0, 1000.0)
        for _ in range(500)
    ]
    assert np.mean([one.psi for one in found]) == pytest.approx(found[0].expected, rel=0.1)
    assert np.mean([one.p_value < 0.05 for one in found]) == pytest.approx(0.05, abs=0.03)
    table = np.array([[30.0, 70.0, 0.0], [500.0, 480.0, 20.0]])
    assert stability(table[0], 100.0, table[1], 1000.0).p_value == pytest.approx(
        stats.chi2_contingency(table, correction=False).pvalue
    )


def test_leaves_and_scores_are_compared_with_the_training_set(model):
    X, y, *_ = claims(seed=1)
    whole = model.evaluate(X, y, by=["one"] * 600).groups["group"].whole
    assert whole.psi_leaves.psi == pytest.approx(0.0, abs=1e-12)
    assert whole.psi_score.p_value == pytest.approx(1.0)
    assert np.isnan(whole.figures["accuracy"].low)  # the training set
    moved = {"x": X["x"] + 2.0}
    found = model.evaluate(moved, y, by=["one"] * 600).groups["group"].whole
    assert found.psi_leaves.psi > 0.5
    assert found.psi_leaves.p_value < 1e-9


def test_a_model_that_is_no_tree_is_compared_with_the_other_rows():
    X, y, region, *_ = claims()
    found = boxwood.MARSClassifier().fit(X, y).evaluate(*claims(seed=2)[:2], by=region).groups["group"]
    assert found.reference == "other rows"
    assert all(np.isnan(group.psi_leaves.psi) for group in found.groups)
    assert found.groups[0].psi_score.psi > 0.0
    assert np.isnan(found.whole.psi_score.psi)


def test_numbers_and_rates_by_group():
    rng = np.random.default_rng(0)
    x, years = rng.random(800), rng.uniform(0.5, 3.0, 800)
    events = rng.poisson(years * (0.3 + x)).astype(float)
    model = boxwood.CARTRegressor(criterion="poisson").fit({"x": x}, events, exposure=years)
    part = slice(0, 300)
    group = rng.integers(0, 3, 300)
    events[part][group == 2] = 0.0
    found = model.evaluate({"x": x[part]}, events[part], exposure=years[part], by=group).groups["group"]
    for g, one in enumerate(found.groups):
        at = group == g
        assert one.figures["observed"].value == pytest.approx(events[part][at].sum() / years[part][at].sum())
        assert one.figures["poisson_deviance"].value > 0.0
    none = found.groups[2].figures["observed_to_predicted"]
    assert none.value == none.low == 0.0 < none.high
    weighted = model.evaluate({"x": x[part]}, events[part], np.full(300, 7.0), exposure=years[part], by=group).groups[
        "group"
    ]
    assert weighted.groups[0].figures["observed"] == pytest.approx(found.groups[0].figures["observed"])
    plain = boxwood.CARTRegressor().fit({"x": x}, 10.0 * x)
    of_numbers = plain.evaluate({"x": x[part]}, 10.0 * x[part] + 1.0, by=group).groups["group"].groups[0]
    assert of_numbers.figures["rmse"].low < of_numbers.figures["rmse"].value < of_numbers.figures["rmse"].high
    assert of_numbers.figures["observed_to_predicted"].low > 1.0


@pytest.mark.parametrize(
    "column",
    [
        lambda day: day,
        lambda day: [f"{d:%d.%m.%Y}" for d in day],
        lambda day: pd.Series(pd.to_datetime(day)).dt.tz_localize("Asia/Tokyo"),
    ],
)
def test_periods_of_dates(model, column):
    X, y, _, day, _ = claims()
    found = model.evaluate(X, y, by={f"{period}:개설": column(day) for period in ("month", "quarter", "year")})
    assert list(found.groups) == ["month:개설", "quarter:개설", "year:개설"]
    months = found.groups["month:개설"].groups
    assert [group.label for group in months] == [f"2024-{m:02}" for m in range(1, 13)]
    assert [group.rows for group in months] == [sum(d.month == m for d in day) for m in range(1, 13)]
    assert [group.label for group in found.groups["quarter:개설"].groups] == [f"2024 Q{q}" for q in range(1, 5)]
    assert [group.label for group in found.groups["year:개설"].groups] == ["2024"]


def test_what_is_not_a_column_or_not_a_date_is_refused(model):
    X, y, region, *_ = claims()
    with pytest.raises(ColumnError, match="X has no column 'X'; did you mean 'x'"):
        model.evaluate(X, y, by="X")
    with pytest.raises(DataTypeError, match="holds 'Ost', which is not a date") as raised:
        model.evaluate(X, y, by={"month:region": region})
    assert raised.value.argument == "by"
    with pytest.raises(DataError, match="can be read in 2 ways: %d/%m/%Y or %m/%d/%Y; write them as 2021-03-14"):
        model.evaluate(X, y, by={"month:day": ["01/02/2024"] * 600})
    with pytest.raises(DataTypeError, match=r"holds 1\.0, which is not a date"):
        model.evaluate(X, y, by={"year:day": [1.0] * 600})
    with pytest.raises(DataError, match="600"):
        model.evaluate(X, y, by=[1, 2])
    with pytest.raises(ParameterError, match="figure must be one of 'accuracy', 'auc'"):
        model.evaluate(X, y, by=region).groups["group"].to_svg("r2")


def test_twenty_groups_are_listed_and_all_others_pooled(model):
    X, y, *_ = claims()
    found = model.evaluate(X, y, by=[f"k{k % 23}" for k in range(600)]).groups["group"]
    assert len(found.groups) == 21
    assert found.groups[-1].label == "(3 other groups)"
    assert sum(group.rows for group in found.groups) == 600
    assert len(found.to_frame("dict")["auc"]) == 22


def test_rows_that_are_left_out_are_in_no_group():
    X, y, region, _, weight = claims()
    model = boxwood.CARTClassifier(missing_target="drop", target_class="yes").fit(X, y)
    lost, weight[5:10] = np.array(y, dtype=object), 0.0
    lost[:5], lost[20] = None, "new"
    found = model.evaluate(X, lost, weight, new_labels="drop", by=region, threshold=0.3)
    kept = [k for k in range(600) if k >= 10 and k != 20]
    groups = found.groups["group"]
    assert {g.label: g.rows for g in groups.groups} == {
        label: sum(region[k] == label for k in kept) for label in ("Ost", "北京", "서울", None)
    }
    selected = (model.predict_proba(X)[kept, 1] >= 0.3) @ weight[kept] / weight[kept].sum()
    assert groups.whole.figures["selection_rate"].value == pytest.approx(selected)


def test_the_command_prints_writes_and_draws_groups(tmp_path, capsys):
    X, y, region, day, weight = claims(n=300)
    table = {"x": X["x"], "y": y, "Region": region, "날짜": [f"{d:%d.%m.%Y}" for d in day], "w": weight}
    file, model = str(tmp_path / "자료.csv"), str(tmp_path / "m.box")
    pd.DataFrame(table).to_csv(file, index=False)
    assert main(["fit", file, "--target", "y", "--drop", "Region,날짜,w", "-o", model, "--quiet"]) == 0
    new = str(tmp_path / "new.csv")
    pd.DataFrame(table).iloc[:200].to_csv(new, index=False)
    words = ["evaluate", model, new, "--sample-weight", "w", "--by"]
    assert main([*words, "Region", "--by", "quarter:날짜"]) == 0
    out = capsys.readouterr().out
    assert "By Region, with 95 % intervals" in out
    assert "  2024 Q1 " in out
    assert main([*words, "Region", "--json", "--chart", str(tmp_path / "g.svg"), "--figure", "auc"]) == 0
    facts = json.loads(capsys.readouterr().out)["groups"][0]
    read = pd.read_csv(new)
    fitted = boxwood.load(model)
    expected = fitted.evaluate(read[["x"]], read["y"], read["w"], by=read["Region"]).groups["Region"]
    assert [g["accuracy_low"] for g in facts["groups"]] == [g.figures["accuracy"].low for g in expected.groups]
    assert "AUC" in (tmp_path / "g.svg").read_text(encoding="utf-8")
    for wrong, message in (
        (["regio"], "there is no column 'regio'; did you mean 'Region'?"),
        (["month:Region"], "which is not a date; group by its values, without a period, in --by"),
        (["Region", "--chart", new], "--chart must end in .svg, .png or .pdf"),
        (["Region", "--figure", "auc"], "--figure goes with --chart"),
        (["Region", "--by", "w", "--chart", "g.svg"], "--chart goes with one --by, or with --thresholds"),
        (["Region", "--chart", str(tmp_path / "h.svg"), "--figure", "r2"], "--figure must be one of"),
    ):
        assert main([*words, *wrong]) != 0
        assert message in capsys.readouterr().err


def test_a_picture_of_the_bundled_data(model):
    X, new = datasets.load("titanic"), datasets.load("titanic_new")
    y, y_new = X.pop("survived"), new.pop("survived")
    found = boxwood.CARTClassifier().fit(X, y).evaluate(new, y_new, by="class").groups["class"]
    svg = found.to_svg("observed_to_predicted", theme="light")
    for word in ("1st", "3rd", "observed / predicted", "all rows"):
        assert word in svg


def test_the_report_compares_groups(tmp_path, capsys):
    X, y, region, *_ = claims(n=300)
    learn, model, page = str(tmp_path / "l.csv"), str(tmp_path / "m.box"), tmp_path / "p.html"
    pd.DataFrame({"x": X["x"], "y": y}).to_csv(learn, index=False)
    pd.DataFrame({"x": X["x"], "y": y, "지역": region}).iloc[:200].to_csv(tmp_path / "new.csv", index=False)
    assert main(["fit", learn, "--target", "y", "-o", model, "--quiet"]) == 0
    assert main(["explore", model, str(tmp_path / "new.csv"), "--by", "지역", "-o", str(page), "--quiet"]) == 0
    html = page.read_text(encoding="utf-8")
    for words in ("By 지역, with 95 % intervals", "Stability against the training set", "observed / predicted", "서울"):
        assert words in html
    fitted = boxwood.load(model)
    assert "Selection of" in fitted.explore({"x": X["x"][:200]}, y[:200], by={"지역": region[:200]}).html
    assert "Selection of" not in fitted.explore(X, y).html
    with pytest.raises(ParameterError, match="by compares evaluated rows; give X and y too"):
        fitted.explore(X, by=region)
    assert main(["explore", model, "--by", "지역", "-o", str(page)]) != 0
    assert "--by goes with DATA" in capsys.readouterr().err

"""Costs and profit with an amount of each row: thresholds in Python and on the command line."""

import json

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood.cli import main
from boxwood.errors import DataError, ParameterError


def loans(n=400, seed=0):
    """Loans that are paid back or not, with an amount and a weight of each."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(rng.random(n) < 1.0 / (1.0 + np.exp(1.0 - 1.5 * x)), "불량", "정상")
    return {"x": x}, y, rng.gamma(2.0, 500.0, n), rng.gamma(2.0, size=n)


@pytest.fixture(scope="module")
def model():
    X, y, *_ = loans(seed=1)
    return boxwood.CARTClassifier(target_class="불량").fit(X, y)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_profit_is_the_sum_over_the_rows(model, weighted):
    X, y, amount, weight = loans()
    weight = weight if weighted else np.ones(len(y))
    found = model.evaluate(X, y, weight, amount=amount)
    table = found.thresholds((20, 5), amount_costs=(0.6, 0.1))
    score = model.predict_proba(X)[:, list(model.classes_).index("불량")]
    bad, miss, alarm = y == "불량", 20 + 0.6 * amount, 5 + 0.1 * amount
    for k, limit in enumerate(table.threshold):
        flagged = score >= limit
        each = flagged * np.where(bad, miss, -alarm)
        assert table.profit[k] == pytest.approx(weight @ each)
        cost = weight @ np.where(bad, ~flagged * miss, flagged * alarm) / weight.sum()
        assert table.cost[k] == pytest.approx(cost)
        spread = np.sqrt(weight**2 @ (each - weight @ each / weight.sum()) ** 2)
        assert table.se[k] == pytest.approx(spread)
    assert table.profit.max() == table.profit[table.threshold.tolist().index(table.best)]
    assert "cost of a miss 20 + 0.6 x amount, of a false alarm 5 + 0.1 x amount" in str(table)
    assert "compared with predicting 불량 for no row." in str(table)


def test_without_more_words_a_miss_costs_its_amount(model):
    X, y, amount, _ = loans()
    found = model.evaluate(X, y, amount=amount)
    one, same = found.thresholds((0, 10)), found.thresholds((0, 10), amount_costs=(1, 0))
    assert one.profit.tolist() == same.profit.tolist()
    assert one.saved[-1] == pytest.approx(amount[y == "불량"].sum())
    equal = model.evaluate(X, y, amount=np.full(len(y), 5.0)).thresholds((0, 1))
    assert equal.profit == pytest.approx(model.evaluate(X, y).thresholds((5, 1)).profit)
    by_share = found.thresholds(amount_costs=(0.6, 0.1))
    assert by_share.profit[-1] == pytest.approx(0.6 * amount[y == "불량"].sum() - 0.1 * amount[y != "불량"].sum())
    assert "(cost of a miss 0.6 x amount, of a false alarm 0.1 x amount)" in str(by_share)
    svg = one.to_svg("light")
    assert "profit of flagging 불량" in svg
    assert "best threshold" in svg


def test_amounts_go_with_their_rows():
    X, y, amount, _ = loans()
    lost = np.array(y, dtype=object)
    lost[:7], lost[9] = None, "new"
    model = boxwood.CARTClassifier(missing_target="drop", target_class="불량").fit(X, y)
    found = model.evaluate(X, lost, new_labels="drop", amount=amount)
    kept = [k for k in range(400) if k >= 7 and k != 9]
    assert found.rows.amount.tolist() == amount[kept].tolist()
    assert model.evaluate(X, y, amount=amount).thresholds((0, 1)).se.tolist() == pytest.approx(
        [np.nan] * len(found.thresholds((0, 1)).se), nan_ok=True
    )  # the training set


def test_amounts_that_cannot_be_used_are_refused(model):
    X, y, amount, _ = loans()
    with pytest.raises(DataError, match=r"amount must not be negative; row 3 \(counted from 0\) holds -1\.0") as raised:
        model.evaluate(X, y, amount=np.where(np.arange(400) == 3, -1.0, amount))
    assert (raised.value.argument, raised.value.row, raised.value.value) == ("amount", 3, -1.0)
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        model.evaluate(X, y, amount=amount[:5])
    with pytest.raises(ParameterError, match="a false alarm has no cost; give costs, such as 0,10"):
        model.evaluate(X, y, amount=amount).thresholds()
    with pytest.raises(ParameterError, match="amount_costs goes with amount of evaluate"):
        model.evaluate(X, y).thresholds((1, 1), amount_costs=(1, 0))
    with pytest.raises(ParameterError, match="amount_costs must be two numbers"):
        model.evaluate(X, y, amount=amount).thresholds((0, 1), amount_costs=(-1, 0))
    with pytest.raises(ParameterError, match="amount are for models of classes"):
        boxwood.CARTRegressor().fit(X, amount).evaluate(X, amount, amount=amount)


def test_the_command_reads_amounts(tmp_path, capsys, model):
    X, y, amount, _ = loans()
    new, file, chart = str(tmp_path / "새.csv"), str(tmp_path / "m.box"), tmp_path / "profit.svg"
    pd.DataFrame({**X, "y": y, "금액": amount}).to_csv(new, index=False)
    learn = str(tmp_path / "learn.csv")
    pd.DataFrame({**loans(seed=1)[0], "y": loans(seed=1)[1]}).to_csv(learn, index=False)
    assert main(["fit", learn, "--target", "y", "--target-class", "불량", "-o", file, "--quiet"]) == 0
    words = ["evaluate", file, new, "--thresholds", "--amount", "금액"]
    assert main([*words, "--costs", "0,10", "--amount-costs", "0.5,0", "--json", "--chart", str(chart)]) == 0
    facts = json.loads(capsys.readouterr().out)
    expected = model.evaluate(X, y, amount=amount).thresholds((0, 10), amount_costs=(0.5, 0))
    assert facts["best_threshold"] == expected.best
    assert facts["thresholds"]["profit"] == pytest.approx(expected.profit.tolist())
    assert "profit of flagging 불량" in chart.read_text(encoding="utf-8")
    for wrong, message in (
        (["evaluate", file, new, "--amount", "금액"], "--amount goes with --thresholds"),
        ([*words], "a false alarm has no cost; give --costs, such as 0,10."),
        ([*words, "--costs", "0,1", "--amount-costs", "x,1"], "--amount-costs must be two numbers"),
        (["evaluate", file, new, "--thresholds", "--amount", "y"], "the amount column 'y' must hold numbers"),
    ):
        assert main(wrong) != 0
        assert message in capsys.readouterr().err

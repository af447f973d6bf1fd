"""The profit of the rules of a tree: by the rows of training, and by amounts of other rows."""

import csv
import io
import json

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.cli import main
from boxwood.errors import ParameterError


@pytest.fixture(scope="module")
def titanic():
    X, new = datasets.load("titanic"), datasets.load("titanic_new")
    y, y_new = X.pop("survived"), new.pop("survived")
    return CARTClassifier(max_depth=3, pruning=None, target_class="yes").fit(X, y), X, y, new, y_new


def test_profit_of_training_is_that_of_the_gains_table(titanic):
    model, *_ = titanic
    rules = model.rules().with_profit((3, 1))
    table = rules.to_records()
    assert table["profit"] == [3 * a - b for a, b in zip(table["n_yes"], table["n_no"], strict=True)]
    assert table["profit_per_row"] == [p / n for p, n in zip(table["profit"], table["weight"], strict=True)]
    gains = rules.gains().to_records()
    assert dict(zip(table["node"], table["profit"], strict=True)) == dict(
        zip(gains["node"], gains["profit"], strict=True)
    )
    assert gains == model.rules().gains("yes", (3, 1)).to_records()
    most = max(gains["cumulative_profit"])
    total = sum(p for p, value in zip(table["profit"], table["value"], strict=True) if value == "yes")
    text = rules.to_text().splitlines()
    assert f"rows of training (cost of a miss 3, of a false alarm 1): {total:g}, " in text[-2]
    assert text[-1].startswith(f"Largest profit: {most:g}, by predicting yes where its probability is at least 0.")
    assert sum("profit of predicting yes: " in line for line in text) == len(rules)
    assert "profit" not in model.rules().to_text()


def test_profit_of_other_rows_by_hand(titanic):
    model, _, _, new, y_new = titanic
    weight = np.arange(len(y_new)) % 3 + 1.0
    rules = model.evaluate_rules(
        new, y_new, (2, 10), amount=new["fare"], amount_costs=(0.5, 0.1), sample_weight=weight
    )  # fmt: skip
    node, fare, hit = model.apply(new), np.asarray(new["fare"]), np.asarray(y_new) == "yes"
    each = weight * np.where(hit, 2 + 0.5 * fare, -10 - 0.1 * fare)
    table, each = rules.to_records(), each * rules.profits.weight.sum() / weight.sum()
    assert table["profit"] == pytest.approx([each[node == t].sum() for t in table["node"]])
    limits = model.evaluate(
        new, y_new, amount=new["fare"], sample_weight=weight
    ).thresholds((2, 10), amount_costs=(0.5, 0.1))  # fmt: skip
    most, threshold = rules.profits.best()
    assert (most, threshold) == (pytest.approx(limits.profit.max()), limits.best)
    assert rules.gains().to_records()["cumulative_profit"][-1] == pytest.approx(each.sum())
    assert "(cost of a miss 2 + 0.5 x amount, of a false alarm 10 + 0.1 x amount)" in str(rules.gains())


def test_rows_of_fractions_and_rows_without_a_response(titanic):
    _, X, y, new, y_new = titanic
    model = C45Classifier(missing_target="drop", pruning=None).fit(X, y)
    holes = [None if i % 5 == 0 else sex for i, sex in enumerate(new["sex"])]
    answers = [None if i % 7 == 0 else label for i, label in enumerate(y_new)]
    rows = dict(new) | {"sex": holes}
    found = model.evaluate_rules(rows, answers, (1, 0), target_class="yes")
    assert found.profits.profit.sum() == pytest.approx(answers.count("yes"))
    assert found.profits.weight.sum() == pytest.approx(len(answers) - answers.count(None))
    assert (found.profits.hits % 1 > 0).any()


def test_costs_that_make_no_sense(titanic):
    model, X, y, *_ = titanic
    with pytest.raises(ParameterError, match="costs must be two numbers"):
        model.rules().with_profit((1, -1))
    with pytest.raises(ParameterError, match="costs are of classes; leave them out"):
        CARTRegressor(pruning=None).fit([[1], [2]], [1.0, 2.0]).rules().with_profit((1, 1))
    with pytest.raises(ParameterError, match="amount_costs goes with amount of evaluate"):
        model.evaluate_rules(X, y, (1, 1), amount_costs=(1, 1))
    never = model.rules().with_profit((0, 1)).to_text()
    assert never.endswith("Largest profit: 0, by predicting yes for no row.")


def test_the_command_rules(tmp_path, capsys):
    ages, risk = [20, 25, 30, 35, 50, 55, 60, 65] * 5, ["好"] * 4 + ["坏"] * 4
    model = CARTClassifier(pruning=None).fit({"年龄": ages}, risk * 5)
    model.model_.save(tmp_path / "m.box")
    (tmp_path / "new.csv").write_text("年龄,y,金额\n25,好,7\n45,坏,80\n70,好,9\n58,坏,100\n", encoding="utf-8")
    words = ["rules", str(tmp_path / "m.box"), str(tmp_path / "new.csv"), "--target-class", "坏", "--costs", "0,10"]

    def run(*more):
        code = main([*words, *more])
        return code, *capsys.readouterr()

    expected = model.evaluate_rules(
        {"年龄": [25, 45, 70, 58]}, ["好", "坏", "好", "坏"], (0, 10), amount=[7, 80, 9, 100], target_class="坏"
    )  # fmt: skip
    assert expected.to_records()["profit"] == [-10.0, 170.0]
    code, out, _ = run("--amount", "金额")
    assert (code, out.strip()) == (0, str(expected).strip())
    assert "profit of predicting 坏: 170 (56.667 per row), 2 of 3 evaluated rows are 坏" in out
    facts = json.loads(run("--amount", "金额", "--json")[1])
    assert (facts["rules"]["profit"], facts["profit"], facts["best_profit"]) == ([-10.0, 170.0], 170.0, 170.0)
    rows = list(csv.DictReader(io.StringIO(run("--amount", "金额", "--format", "csv", "--gains")[1])))
    assert [row["profit"] for row in rows] == ["170.0", "-10.0"]
    assert "Largest profit: 170" in run("--amount", "金额", "--gains")[1]
    assert "no column 'amount'" in run("--amount", "amount")[2]
    assert "--amount-costs goes with --amount" in run("--amount-costs", "1,1")[2]
    words[2:] = ["--amount", "金额"]
    assert "--amount and --sample-weight are columns of DATA" in run()[2]
    words[2:] = ["--target-class", "坏", "--costs", "3,1"]
    assert run()[1].strip() == str(model.rules().with_profit((3, 1), "坏")).strip()

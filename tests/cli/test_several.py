"""Several targets on the command line: --target a,b, and a model of one of them."""

import csv
import json

import numpy as np
import pytest

import boxwood


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A file with two targets that are numbers and two that are classes."""
    rng, n = np.random.default_rng(1), 200
    age, town = rng.normal(size=n).round(2), rng.choice(["Ulm", "京都", "Bonn"], n)
    columns = {
        "年齢": age, "town": town, "身長": 160 + 10 * (age > 0) + rng.normal(size=n).round(3),
        "weight": 60 - 5 * (town == "京都") + rng.normal(size=n).round(3),
        "色": np.where((age > 0) ^ (rng.random(n) < 0.1), "red", "blue"), "size": np.where(town == "京都", "L", "S"),
    }  # fmt: skip
    path = tmp_path_factory.mktemp("several") / "data.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


@pytest.fixture
def fitted(data, run, tmp_path):
    """Fits a tree to some targets; returns the model file."""

    def fit(target, drop, *words):
        file = tmp_path / "model.box"
        code, _, err = run("fit", data, "--target", target, "--drop", drop, "-o", file, "--quiet", *words)
        assert (code, err) == (0, "")
        return file

    return fit


def test_fit_show_predict_and_evaluate(data, run, tmp_path):
    file = tmp_path / "model.box"
    code, out, _ = run("fit", data, "--target", "身長,weight", "--drop", "色,size", "-o", file)
    assert code == 0
    assert "Target 身長: numeric" in out
    assert "Target weight: numeric" in out
    assert "Note: several responses are not evaluated by folds" in out
    assert "Mean over the responses\nr2 " in out
    assert "→ 身長 1" in run("show", file)[1]
    assert "value_weight" in run("show", file, "--format", "table")[1]
    predicted = tmp_path / "predicted.csv"
    assert run("predict", file, data, "-o", predicted)[0] == 0
    assert predicted.read_text(encoding="utf-8").startswith("身長,weight\n")
    found = json.loads(run("evaluate", file, data, "--json")[1])
    assert set(found["responses"]) == {"身長", "weight"}
    assert found["mean"]["r2"] > 0.7
    model = boxwood.load(file)
    assert model.tree_.response.names == ["身長", "weight"]


def test_classes_with_probabilities(data, fitted, run, tmp_path):
    file = fitted("色,size", "身長,weight", "--response-weights", '{"色": 2, "size": 1}')
    predicted = tmp_path / "predicted.csv"
    assert run("predict", file, data, "-o", predicted, "--proba")[0] == 0
    head = predicted.read_text(encoding="utf-8").splitlines()[0]
    assert head == "色,probability_色_blue,probability_色_red,size,probability_size_L,probability_size_S"
    code, out, _ = run("evaluate", file, data)
    assert code == 0
    assert "Confusion matrix" in out
    assert "Mean over the responses\naccuracy" in out


def test_a_model_of_one_response(data, fitted, run, tmp_path):
    file, one = fitted("身長,weight", "色,size"), tmp_path / "one.box"
    code, out, _ = run("response", file, "weight", "-o", one)
    assert code == 0
    assert out.endswith("weight alone.\n")
    assert run("export", one, "--format", "python", "-o", tmp_path / "one.py")[0] == 0
    assert "weight is" in run("rules", one)[1]
    assert json.loads(run("response", file, "身長", "-o", one, "--json")[1])["response"] == "身長"
    code, _, err = run("response", file, "height", "-o", one)
    assert code == 2
    assert "response must be one of '身長', 'weight'" in err


def test_export(data, fitted, run, tmp_path):
    file, program = fitted("身長,weight", "色,size"), {}
    for name in ("several.py", "several.json"):
        code, _, err = run("export", file, "-o", tmp_path / name, "--verify", data)
        assert (code, err) == (0, "")
    exec((tmp_path / "several.py").read_text(encoding="utf-8"), program)
    assert list(program["predict"]({"年齢": 1.0, "town": "京都"})) == ["身長", "weight"]


@pytest.mark.parametrize(("targets", "others"), [("身長,weight", "色,size"), ("色,size", "身長,weight")])
def test_explore(targets, others, data, fitted, run, tmp_path):
    file, page, counted = fitted(targets, others), tmp_path / "page.html", tmp_path / "counted.csv"
    first, second = targets.split(",")
    assert run("explore", file, data, "-o", page, "--by", "town", "--quiet") == (0, "", "")
    html = page.read_text(encoding="utf-8")
    assert html.count('<div class="of-response">') == 2
    for name in (first, second):
        assert f'<p class="kind">Decision tree for {name}</p>' in html
    counted.write_text("年齢,town\n1.0,京都\n", encoding="utf-8")
    code, _, err = run("explore", file, counted, "-o", page)
    assert code == 0
    assert f"counted.csv has no column '{first}': its rows are counted" in err
    counted.write_text(f"年齢,town,{second}\n1.0,京都,1\n", encoding="utf-8")
    code, _, err = run("explore", file, counted, "-o", page)
    assert code == 1
    assert f"there is no column '{first}'" in err


def test_rules_and_explanations(data, fitted, run):
    file = fitted("身長,weight", "色,size")
    code, out, _ = run("rules", file)
    assert code == 0
    assert "then 身長 is " in out
    assert "\n  weight: mean " in out
    assert run("show", file, "--format", "rules")[1].strip() == out.strip()
    records = json.loads(run("rules", file, "--json")[1])["rules"]
    assert {"value_身長", "low_weight", "lift_weight"} < set(records)
    code, out, _ = run("explain", file, data, "--row", "1")
    assert code == 0
    assert out.startswith("row 1: 身長 = ")
    steps = json.loads(run("explain", file, data, "--row", "1", "--json")[1])["steps"]
    assert {"prediction_身長", "contribution_weight"} < set(steps)
    out = run("rules", fitted("色,size", "身長,weight"))[1]
    assert " and size is " in out
    assert "\n  色: probability " in out


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "MODEL", "--gains"], ["rules", "MODEL", "DATA", "--costs", "5,1"],
        ["export", "MODEL", "--format", "c"],
        ["refresh", "MODEL", "DATA"], ["letter", "MODEL", "DATA", "--row", "1"],
        ["counterfactual", "MODEL", "DATA", "--row", "1", "--target-range", "1:2"],
        ["explain-split", "MODEL", "DATA", "--node", "0"], ["dossier", "MODEL", "DATA", "-o", "OUT"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_commands_of_one_response_are_refused_by_name(words, data, fitted, run, tmp_path):
    names = {"MODEL": fitted("身長,weight", "色,size"), "DATA": data, "OUT": tmp_path / "out.html"}
    code, _, err = run(*(names.get(word, word) for word in words))
    assert code == 2
    assert "reads one response, and the model predicts 2: '身長', 'weight'; take one of them" in err


def test_refusals(data, fitted, run, tmp_path):
    file = tmp_path / "other.box"
    code, _, err = run("fit", data, "--target", "身長,town", "-o", file)
    assert code == 2
    assert "the targets are of different kinds, '身長': regression (numbers), 'town': classification (text)" in err
    assert "name one with --task" in err
    code, _, err = run("fit", data, "--target", "身長,zz", "-o", file)
    assert code == 1
    assert "there is no column 'zz'" in err
    code, _, err = run("fit", data, "--target", "身長,weight,身長", "-o", file)
    assert code == 2
    assert "--target names '身長' twice; name each column once." in err
    code, _, err = run("fit", data, "--target", "身長,weight", "-o", file, "--memory", "1GB")
    assert code == 2
    assert "several targets (身長,weight) need all rows in memory" in err
    code, _, err = run("fit", data, "--target", "身長,weight", "-o", file, "--algorithm", "chaid")
    assert code == 1
    assert "got 2 columns instead" in err
    code, _, err = run("evaluate", fitted("色,size", "身長,weight"), data, "--thresholds")
    assert code == 2
    assert "--thresholds reads one response" in err

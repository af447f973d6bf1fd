"""Orders of predictions on the command line: from memory and from a stream, by names in any script."""

import json

import numpy as np
import pandas as pd
import pytest

from boxwood import load
from boxwood.cli import main


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"收入": rng.normal(size=400).round(2), "age": rng.integers(18, 80, 400)})
    y = rng.random(400) < 1 / (1 + np.exp(-X["收入"] + (X["age"] - 45) / 20))
    X.assign(town=rng.choice(["Ulm", "Bonn"], 400), ok=np.where(y, "yes", "no")).to_csv(tmp_path / "t.csv", index=False)
    return tmp_path / "t.csv"


@pytest.mark.parametrize("more", [(), ("--memory", "100MB")])
def test_an_order_is_given_as_text_or_json(file, tmp_path, capsys, more):
    written = []
    for given in ("收入=+1,age=-1", '{"收入": 1, "age": -1}'):
        words = ["fit", str(file), "--target", "ok", "--monotonic-cst", given, "-o", str(tmp_path / "m.box"), *more]
        assert main(words) == 0
        written.append(load(tmp_path / "m.box"))
    capsys.readouterr()
    tree = written[0].tree_
    assert tree.monotonic.tolist() == [[1, -1, 0], [0, 0, 0]]
    np.testing.assert_array_equal(written[1].tree_.value, tree.value)
    ages = pd.DataFrame({"收入": np.linspace(-2, 2, 50), "age": 40, "town": "Ulm"})
    assert (np.diff(written[0].predict_proba(ages)[:, 1]) >= 0).all()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--monotonic-cst", "town=1"), "Error: --monotonic-cst town: column 'town' is nominal"),
        (("--monotonic-cst", "size=1"), "Error: --monotonic-cst names 'size'"),
        (("--monotonic-cst", "age=1", "--missing", "stay"), "Error: --missing stay does not keep the order that"),
        (("--algorithm", "chaid", "--monotonic-cst", "age=1"), "--monotonic-cst is not an option of chaid"),
    ],
)
def test_refusals_name_the_option(file, tmp_path, capsys, words, error):
    assert main(["fit", str(file), "--target", "ok", *words, "-o", str(tmp_path / "m.box")]) > 0
    assert error in capsys.readouterr().err


def test_the_certificate_is_printed_and_is_an_exit_code(file, tmp_path, capsys):
    models = [str(tmp_path / name) for name in ("ordered.box", "free.box")]
    fit = ["fit", str(file), "--target", "ok", "--pruning", "none", "-o"]
    assert main([*fit, models[0], "--monotonic-cst", "收入=1"]) == 0
    assert "Proved: probabilities of yes never fall as 收入 rises." in capsys.readouterr().out
    assert main([*fit, models[1], "--quiet"]) == 0
    assert main(["certificate", models[0]]) == 0
    assert capsys.readouterr().out.startswith("Proved: probabilities of yes never fall as 收入 rises.")
    assert main(["certificate", models[1], "--monotonic-cst", "收入=1", "--gaps", "all"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("Not in order: probabilities of yes fall as 收入 rises.\n  leaf ")
    assert main(["certificate", models[1], "--monotonic-cst", '{"收入": 1}', "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["violation"]["low_row"]["town"] in ("Ulm", "Bonn")
    assert main(["certificate", models[1]]) == 2
    assert "Error: the tree was fitted without an order; give --monotonic-cst." in capsys.readouterr().err

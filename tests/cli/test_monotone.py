"""Orders of predictions on the command line: from memory and from a stream, by names in any script."""

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

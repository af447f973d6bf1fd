"""Rules in another language predict exactly what the rules predict, on random tables and in the corners."""

from __future__ import annotations

import json
import shutil
import warnings

import numpy as np
import pytest

from boxwood import BoxwoodWarning, C45Rules, ParameterError
from boxwood.algorithms.rules.export_json import read
from boxwood.errors import ModelFileError
from exports.problems import classes, table

ENGINES = {"python": "python3", "c": "cc", "js": "node", "r": "Rscript", "json": "python3", "sqlite": "python3"}


@pytest.fixture(params=[*ENGINES, "duckdb"])
def check(request):
    """Verifies rules in a language whose engine is there."""
    dialect = {"dialect": request.param} if request.param in ("sqlite", "duckdb") else {}
    if request.param == "duckdb":
        pytest.importorskip("duckdb")
    elif shutil.which(ENGINES[request.param]) is None:
        pytest.skip(f"there is no {ENGINES[request.param]}")

    def run(model: C45Rules, rows) -> None:
        verdict = model.verify_export("sql" if dialect else request.param, rows, **dialect)
        assert verdict, str(verdict)
        assert verdict.rows == len(next(iter(rows.values())))

    return run


def fitted(seed: int, gaps: bool = True, n: int = 400, **settings) -> C45Rules:
    rows = table(n, seed, gaps)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        return C45Rules(**settings).fit(rows, classes(rows, seed))


@pytest.mark.parametrize("seed", range(3))
def test_random_tables(seed, check):
    check(fitted(seed), table(200, seed + 10))


def test_what_the_rules_refuse_is_refused(check):
    check(fitted(4, gaps=False, missing="error", unseen="error"), table(100, 5))


def test_more_rules_than_one_chain_holds(check):
    rng = np.random.default_rng(0)
    rows = {"a": rng.integers(0, 60, 3000).tolist(), "b": rng.normal(size=3000).round(2).tolist()}
    y = [(a * 7919 % 13 + (b > 0)) % 3 for a, b in zip(rows["a"], rows["b"], strict=True)]
    model = C45Rules(categorical_features=["a"], theory_weight=0.0).fit(rows, y)
    assert len(model.rules_) > 100
    check(model, {name: values[:300] for name, values in rows.items()})


def test_ordered_levels_dates_and_codes(check):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    codes, days = rng.integers(0, 4, 300), rng.integers(0, 4000, 300)
    size = np.where(rng.random(300) < 0.2, -9.0, rng.normal(size=300).round(2))
    X = pd.DataFrame({
        "grade": pd.Categorical.from_codes(codes, ["low", "mid", "high", "top"], ordered=True),
        "day": pd.Timestamp("2001-01-01") + pd.to_timedelta(days, "D"),
        "size": size,
    })  # fmt: skip
    y = np.where((codes > 1) & (days > 2000), "a", np.where(size > 0.3, "b", "c"))
    model = C45Rules(missing_values={"size": -9}).fit(X, y)
    used = {condition.feature for rule in model.rules_ for condition in rule.conditions}
    assert used == {0, 1, 2}
    check(
        model,
        {"grade": [*["low", "mid", "high", "top"] * 20], "day": X["day"].tolist()[:80], "size": size[:80].tolist()},
    )


def test_no_rule_at_all(check):
    check(C45Rules().fit({"x": [1, 2, 3]}, ["a", "b", "b"]), {"x": [1, 2]})


def test_the_node_is_the_rule_and_json_gives_it_back():
    rows = table(200, 3)
    model = fitted(3)
    space: dict = {}
    exec(model.export("python"), space)
    found = [space["node"](dict(zip(rows, values, strict=True))) for values in zip(*rows.values(), strict=True)]
    fired = model.apply(rows)
    assert found == np.where(fired < 0, len(model.rules_), fired).tolist()
    text = model.export("json")
    again = read(text).rule_set
    assert (again.rules, again.default, again.rest) == (model.rules_, model.rule_set_.default, model.rule_set_.rest)
    assert [rule["class"] for rule in json.loads(text)["rules"]] == [rule.code for rule in model.rules_]
    with pytest.raises(ModelFileError, match="this JSON holds no rules"):
        read("{}")


def test_other_formats_are_refused_with_a_list():
    with pytest.raises(ParameterError, match="a set of rules cannot be written in the format 'onnx'; format must be"):
        fitted(1).export("onnx")


def test_a_file_takes_its_format_from_its_name(tmp_path):
    model = fitted(1)
    assert model.export(path=tmp_path / "rules.js") == (tmp_path / "rules.js").read_text(encoding="utf-8")

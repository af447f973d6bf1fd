"""A model in another language predicts what the model predicts, on random rows and in the corners."""

from __future__ import annotations

import ctypes
import json
import math
import re
import shutil
import sqlite3
import subprocess
import warnings

import numpy as np
import pytest

from boxwood import MARSClassifier, MARSRegressor, ParameterError, UnseenLevelWarning
from boxwood.exports.sql_text import quoted
from mars.fitted_models import KINDS, Case, case

CLOSE = {"rtol": 1e-11, "atol": 1e-9}


@pytest.fixture(scope="module", params=KINDS)
def fitted(request) -> Case:
    return case(request.param)


def expected(model, rows) -> np.ndarray:
    """Predictions of the library: numbers as (n, K), or probabilities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)
        if isinstance(model, MARSClassifier):
            return model.predict_proba(rows)
        said = model.predict(rows)
        return said.reshape(len(said), -1)


def labels(model, rows) -> list:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)
        return model.predict(rows).tolist()


def run_python(source: str) -> dict:
    space: dict = {}
    exec(source, space)
    return space


def test_python(fitted):
    space = run_python(fitted.model.export("python"))
    rows = [fitted.row(i) for i in range(fitted.n)]
    if isinstance(fitted.model, MARSClassifier):
        assert [space["predict"](row) for row in rows] == labels(fitted.model, fitted.rows)
        said = [list(space["predict_proba"](row).values()) for row in rows]
    else:
        said = [np.atleast_1d(space["predict"](row)) for row in rows]
    np.testing.assert_allclose(said, expected(fitted.model, fitted.rows), **CLOSE)


def ask_sql(model, rows: dict, name: str = 'my "table" 表') -> tuple[list[str], list[tuple]]:
    """The answers of the SELECT on a table in memory: names of the added columns, their rows."""
    db = sqlite3.connect(":memory:")
    db.create_function("EXP", 1, lambda z: None if z is None else math.exp(z))
    columns = ", ".join(quoted(c) for c in rows)
    db.execute(f"CREATE TABLE {quoted(name)} ({columns})")
    marks = ", ".join("?" for _ in rows)
    db.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", list(zip(*rows.values(), strict=True)))
    found = db.execute(model.export("sql", table=name))
    names = [column[0] for column in found.description]
    assert names[: len(rows)] == list(rows)
    return names[len(rows) :], [row[len(rows) :] for row in found]


def test_sql(fitted):
    names, found = ask_sql(fitted.model, fitted.rows)
    want = expected(fitted.model, fitted.rows)
    if isinstance(fitted.model, MARSClassifier):
        assert [row[-1] for row in found] == labels(fitted.model, fitted.rows)
        assert names[-1] == "predicted"
        found = [row[-1 - want.shape[1] : -1] for row in found]
    np.testing.assert_allclose(np.array(found, dtype=float), want, **CLOSE)


def as_codes(model, rows: dict) -> np.ndarray:
    """Rows as the C functions take them."""
    out = []
    for feature in model.model_.schema:
        values = rows[feature.name]
        if feature.levels:
            known = {level: code for code, level in enumerate(feature.levels)}
            out.append([-1.0 if v is None else float(known.get(v, -2)) for v in values])
        else:
            out.append([math.nan if v is None else float(v) for v in values])
    return np.ascontiguousarray(np.array(out).T)


def compiled(source: str, folder):
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "g++"))), None)
    assert compiler, "boxwood is built with a compiler, so one that takes C must be there"
    (folder / "model.c").write_text(source, encoding="utf-8")
    flags = [
        "-x",
        "c",
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
        "-O1",
        "-ffp-contract=off",
        "-shared",
        "-fPIC",
    ]
    done = subprocess.run(
        [compiler, *flags, "model.c", "-o", "model.so", "-x", "none", "-lm"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "model.so"))


def ask_c(model, rows: dict, folder) -> tuple[np.ndarray, list[int]]:
    """What the compiled functions say: numbers or probabilities, and the numbers of the labels."""
    library, x = compiled(model.export("c"), folder), as_codes(model, rows)
    classes = isinstance(model, MARSClassifier)
    width = len(model.model_.labels) or model.model_.coefficients.shape[1]
    out = np.zeros((len(x), width))
    pointer = ctypes.POINTER(ctypes.c_double)
    function = library.predict_proba if classes else library.predict
    function.restype = None
    best = []
    for row, said in zip(x, out, strict=True):
        function(row.ctypes.data_as(pointer), said.ctypes.data_as(pointer))
        if classes:
            best.append(library.predict(row.ctypes.data_as(pointer)))
    return out, best


def test_c(fitted, tmp_path):
    said, best = ask_c(fitted.model, fitted.rows, tmp_path)
    np.testing.assert_allclose(said, expected(fitted.model, fitted.rows), **CLOSE)
    if best:
        assert [fitted.model.classes_[k] for k in best] == labels(fitted.model, fitted.rows)


def read_json(text: str, row: dict) -> list[float]:
    """Predictions from the JSON form, read as docs/mars.md says and by nothing else."""
    facts = json.loads(text)
    values = []
    for column in facts["columns"]:
        feature = facts["features"][column["feature"]]
        value = row[feature["name"]]
        known = value is not None and (feature["kind"] == "numeric" or value in feature["levels"])
        if column["what"] == "missing":
            values.append(0.0 if known else 1.0)
        elif column["what"] == "levels":
            values.append(float(known and feature["levels"].index(value) in column["levels"]))
        elif not known:
            values.append(feature["fill"])
        else:
            values.append(value if feature["kind"] == "numeric" else feature["levels"].index(value) + 1.0)
    sums = [0.0] * len(facts["terms"][0]["coefficients"])
    for term in facts["terms"]:
        product = 1.0
        for factor in term["factors"]:
            x, cut = values[factor["column"]], factor["cut"]
            product *= {2: x, 1: max(0.0, x - cut), -1: max(0.0, cut - x)}[factor["direction"]]
        sums = [s + c * product for s, c in zip(sums, term["coefficients"], strict=True)]
    if facts["link"] == "identity":
        return sums
    each = [min(max(s, 0.0), 1.0) if facts["link"] == "clip" else 1.0 / (1.0 + math.exp(-max(s, -700.0))) for s in sums]
    if len(facts["labels"]) == 2:
        return [1.0 - each[0], each[0]]
    return [p / sum(each) if sum(each) else 1.0 / len(each) for p in each]


def test_json(fitted):
    text = fitted.model.export("json")
    said = [read_json(text, fitted.row(i)) for i in range(fitted.n)]
    np.testing.assert_allclose(said, expected(fitted.model, fitted.rows), **CLOSE)


def sums_of_formula(model, row: dict) -> list[float]:
    """The sums of the formula's lines for a row, its names replaced by their values."""
    named, design = {}, model.model_.design
    for j, column in enumerate(design.columns):
        feature = model.model_.schema[column.feature]
        value = row[feature.name]
        if column.what == "missing":
            named[design.name(j)] = float(value is None or (bool(feature.levels) and value not in feature.levels))
        elif column.what == "levels":
            named[design.name(j)] = float(value in [feature.levels[v] for v in column.levels])
        else:
            named[design.name(j)] = design.fill[column.feature] if value is None else float(value)
    text = model.export("formula").split("\nwhere")[0]
    pattern = "|".join(re.escape(name) for name in sorted(named, key=len, reverse=True))
    text = re.sub(pattern, lambda found: f"({named[found.group()]!r})", text)
    sums = [part.split("\n", 1)[1] for part in re.split(r"(?m)^(?=\S)", text) if part]
    return [eval(f"({s})", {"h": lambda z: max(z, 0.0)}) for s in sums]


@pytest.mark.parametrize("kind", ["numbers", "gaps", "several"])
def test_formula(kind):
    fitted = case(kind)
    said = [sums_of_formula(fitted.model, fitted.row(i)) for i in range(fitted.n)]
    np.testing.assert_allclose(said, expected(fitted.model, fitted.rows), **CLOSE)


def test_formula_of_classes_tells_what_probabilities_are():
    text = case("yes or no").model.export("formula")
    assert text.startswith("log odds of 是 'x' =\n  ")
    assert "and probability of 是 'x' is 1 / (1 + exp(-log odds))\n" in text
    text = case("three classes").model.export("formula")
    assert [line for line in text.splitlines() if line.endswith(" =")] == [f"log odds of {k} =" for k in range(3)]
    assert "its probability is this, divided by the sum over the classes" in text


REFUSED = {"missing": {'size "a"': None}, "missing level": {"city": None}, "unseen": {"city": "Paris"}}


@pytest.mark.parametrize("kind", ["numbers", "yes or no", "three classes"])
@pytest.mark.parametrize("why", REFUSED)
def test_what_the_model_refuses_is_refused(kind, why, tmp_path):
    model = case(kind, unseen="error").model
    row = {'size "a"': 0.5, "高さ": 1, "city": "Ulm", "smoker": True}
    asked = {name: [value] for name, value in (row | REFUSED[why]).items()}
    with pytest.raises(ValueError, match=r"missing|Paris"):
        model.predict(asked)
    with pytest.raises(ValueError, match=r"missing|Paris"):
        run_python(model.export("python"))["predict"](row | REFUSED[why])
    assert set(ask_sql(model, asked)[1][0]) == {None}
    said, best = ask_c(model, asked, tmp_path)
    assert np.isnan(said).all()
    assert best in ([], [-1])


def test_unseen_levels_are_refused_but_missing_ones_filled_where_the_settings_say_so(tmp_path):
    model = case("gaps", unseen="error").model
    row = {'size "a"': [None, 1.0], "高さ": [1, 1], "city": [None, "Paris"], "smoker": [True, True]}
    first = {name: values[:1] for name, values in row.items()}
    want = model.predict(first)[0]
    (sql,), (refused,) = ask_sql(model, row)[1]
    said, _ = ask_c(model, row, tmp_path)
    np.testing.assert_allclose([sql, said[0, 0]], want, **CLOSE)
    assert refused is None
    assert np.isnan(said[1, 0])


def test_ordered_levels_count_by_their_place(tmp_path):
    pd = pytest.importorskip("pandas")
    grades = ["low", "mid", "high", "top"]
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, size=80)
    X = pd.DataFrame({"grade": pd.Categorical.from_codes(codes, grades, ordered=True), "x": rng.normal(size=80)})
    model = MARSRegressor(missing="indicator", minspan=1, endspan=1).fit(
        X, np.array([0.0, 0.0, 1.0, 5.0])[codes] + X["x"]
    )
    assert "grade" in model.export("formula")
    rows = {"grade": [*grades, None, "other"], "x": [0.5] * 6}
    want = expected(model, rows)[:, 0]
    predict = run_python(model.export("python"))["predict"]
    said = [predict({name: values[i] for name, values in rows.items()}) for i in range(6)]
    np.testing.assert_allclose(said, want, **CLOSE)
    np.testing.assert_allclose([row[0] for row in ask_sql(model, rows)[1]], want, **CLOSE)
    np.testing.assert_allclose(ask_c(model, rows, tmp_path)[0][:, 0], want, **CLOSE)


@pytest.mark.parametrize("to", ["python", "sql", "c", "json", "formula"])
def test_a_constant_can_be_exported(to, tmp_path):
    rows = {"x": [1.0, 2.0, 3.0, 4.0]}
    model = MARSRegressor().fit(rows, [2.5, 2.5, 2.5, 2.5])
    assert "2.5" in model.export(to)
    said = {
        "python": lambda: run_python(model.export("python"))["predict"]({"x": 1.0}),
        "sql": lambda: ask_sql(model, rows)[1][0][0],
        "c": lambda: ask_c(model, rows, tmp_path)[0][0, 0],
        "json": lambda: read_json(model.export("json"), {"x": 1.0})[0],
        "formula": lambda: sums_of_formula(model, {"x": 1.0})[0],
    }
    assert said[to]() == 2.5


def test_sql_gives_new_columns_names_that_are_free():
    rows = {"Predicted": [float(i) for i in range(30)], "x": [float(i % 7) for i in range(30)]}
    model = MARSRegressor().fit(rows, [2.0 * v for v in rows["Predicted"]])
    assert ask_sql(model, rows)[0] == ["predicted_"]


def test_unknown_languages_are_refused():
    model = MARSRegressor().fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(
        ParameterError, match="format must be one of 'formula', 'python', 'sql', 'c', 'json'; got 'cobol'"
    ):
        model.export("cobol")


def test_codes_for_missing_values_are_obeyed(tmp_path):
    rng = np.random.default_rng(0)
    a = [-999.0 if i % 7 == 0 else float(v) for i, v in enumerate(rng.normal(size=300).round(2))]
    town = ["? " if i % 11 == 0 else "pqr"[i % 3] for i in range(300)]
    y = [
        5.0 * (v == -999.0) + abs(v) % 900 + 2.0 * (t == "p") + 4.0 * (t == "? ") for v, t in zip(a, town, strict=True)
    ]
    X = {"a": a, "town": town}
    model = MARSRegressor(missing_values={"a": -999, "town": "?"}, missing="indicator").fit(X, y)
    want = model.predict(X)
    space: dict = {}
    exec(model.export("python"), space)
    said = [space["predict"]({"a": v, "town": t}) for v, t in zip(a, town, strict=True)]
    assert np.allclose(said, want, rtol=1e-12)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (a REAL, town TEXT)")
    base.executemany("INSERT INTO data VALUES (?, ?)", zip(a, town, strict=True))
    said = [row[-1] for row in base.execute(model.export("sql", table="data")).fetchall()]
    assert np.allclose(said, want, rtol=1e-12)
    source = model.export("c")
    assert "x[0] == -999.0" in source
    assert "/* x[0]: a; -999 is missing */" in source

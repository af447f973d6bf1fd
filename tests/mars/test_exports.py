"""A MARS model in another language predicts exactly what the model predicts, on random rows and in the corners."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import sqlite3
import warnings

import numpy as np
import pytest

from boxwood import MARSClassifier, MARSRegressor, ParameterError
from boxwood.data.frames.frame import read_columns
from boxwood.exports.sql_dialects import DIALECTS
from boxwood.mars.exports import plan_of
from mars.fitted_models import KINDS, Case, case

ENGINES = {"python": "python3", "c": "cc", "js": "node", "r": "Rscript", "json": "python3", "sql": "python3"}


@pytest.fixture(scope="module", params=KINDS)
def fitted(request) -> Case:
    return case(request.param)


@pytest.fixture(params=[*ENGINES, "sqlite"])
def check(request):
    """Verifies a plan, a model or an estimator in a language whose engine is there."""
    name = "sql" if request.param == "sqlite" else request.param
    if request.param == "sql":
        pytest.importorskip("duckdb")
    elif shutil.which(ENGINES[name]) is None:
        pytest.skip(f"there is no {ENGINES[name]}")

    def run(model, rows) -> None:
        options = {"dialect": request.param} if request.param == "sqlite" else {}
        verdict = model.verify_export(name, rows, **options)
        assert verdict, str(verdict)

    return run


def test_every_language_gives_what_predict_gives(fitted, check):
    check(fitted.model, fitted.rows)


def dated(n: int = 300) -> tuple[dict[str, list], list[float]]:
    """Dates and times of every kind, one as texts, with codes for missing values among numbers."""
    rng = np.random.default_rng(0)
    whole = lambda low, high: rng.integers(low, high, n).tolist()  # noqa: E731
    start, utc = datetime.datetime(1969, 1, 1), datetime.UTC
    days = [datetime.date(2001, 1, 1) + datetime.timedelta(days=d) for d in whole(-20_000, 5000)]
    rows = {
        "day": days,
        "instant": [start.replace(tzinfo=utc) + datetime.timedelta(seconds=s) for s in whole(-(10**9), 10**9)],
        "moment": [start + datetime.timedelta(milliseconds=s) for s in whole(-(10**12), 10**12)],
        "clock": [datetime.time(h, m) for h, m in zip(whole(0, 24), whole(0, 60), strict=True)],
        "span": [datetime.timedelta(seconds=s) for s in whole(-(10**6), 10**6)],
        "text": [day.strftime("%d.%m.%Y") for day in reversed(days)],
        "size": [None if i % 9 == 0 else -999 if i % 7 == 0 else v for i, v in enumerate(rng.normal(size=n).round(2))],
    }
    y = [max(d.year - 1990, 0) + max(int(t[-4:]) - 1980, 0) / 3 for d, t in zip(days, rows["text"], strict=True)]
    y = [
        v + abs(c.hour - 9) + max(s.total_seconds(), 0) / 1e5
        for v, c, s in zip(y, rows["clock"], rows["span"], strict=True)
    ]
    y = [v + max(m.year - 1970, 0) for v, m in zip(y, rows["moment"], strict=True)]
    y = [v + max(i.year - 1975, 0) / 2 for v, i in zip(y, rows["instant"], strict=True)]
    return rows, [v + 3 * max(s or 0, 0) for v, s in zip(y, rows["size"], strict=True)]


DATED, OF_DATES = dated()


def dated_model() -> MARSRegressor:
    settings = {"date_formats": {"text": "%d.%m.%Y"}, "missing_values": {"size": -999}}
    return MARSRegressor(missing="indicator", **settings).fit(DATED, OF_DATES)


def test_dates_times_and_codes_are_read_as_by_predict(check):
    model = dated_model()
    assert set(plan_of(model.model_).features) == set(range(len(DATED)))
    check(model, DATED)


def test_postgres(database, monkeypatch):
    for name, value in database.items():
        monkeypatch.setenv(name, value)
    for model, rows in [(dated_model(), DATED), *((case(kind).model, case(kind).rows) for kind in KINDS)]:
        verdict = model.verify_export("sql", rows, dialect="postgres")
        assert verdict, str(verdict)


@pytest.mark.filterwarnings("ignore::boxwood.BoxwoodWarning")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_sql(dialect):
    sqlglot = pytest.importorskip("sqlglot")
    read = {"sqlserver": "tsql"}.get(dialect, dialect)
    names = {'size "a"': "size", "高さ": "height"}
    small = case("yes or no with gaps")
    rows = {names.get(name, name): values for name, values in small.rows.items()}
    labels = ["yes" if label == "是 'x'" else "no" for label in small.model.predict(small.rows)]
    model = MARSClassifier(missing="indicator", minspan=1, endspan=1).fit(rows, labels)
    dates = {"day": DATED["day"], "moment": DATED["moment"]}
    for each in (model, MARSRegressor().fit(dates, OF_DATES)):
        text = each.export("sql", dialect=dialect, table=("shop", "people"), key="id")
        if dialect == "oracle":
            text = re.sub(r"(\d)d\b", r"\1", text)  # the parser does not know Oracle's sign of a double
        (found,) = sqlglot.parse(text, read=read)
        assert found.named_selects[:2] == ["id", "predicted"]


def test_json_is_read_as_the_page_describes_it(fitted):
    facts = json.loads(fitted.model.export("json"))
    assert facts["format"] == "boxwood mars"
    assert facts["link"] in ("identity", "clip", "logistic")
    assert len(facts["terms"]) == fitted.model.model_.size


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
    found = [sums_of_formula(fitted.model, fitted.row(i)) for i in range(fitted.n)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = fitted.model.predict(fitted.rows).reshape(fitted.n, -1)
    np.testing.assert_allclose(found, want, rtol=1e-11, atol=1e-9)


def test_formula_of_classes_tells_what_probabilities_are():
    text = case("yes or no").model.export("formula")
    assert text.startswith("log odds of 是 'x' =\n  ")
    assert "and probability of 是 'x' is 1 / (1 + exp(-log odds))\n" in text
    text = case("three classes").model.export("formula")
    assert [line for line in text.splitlines() if line.endswith(" =")] == [f"log odds of {k} =" for k in range(3)]
    assert "its probability is this, divided by the sum over the classes" in text


ROW = {'size "a"': 0.5, "高さ": 1, "city": "Ulm", "smoker": True}
ODD = [{}, {'size "a"': None}, {"city": None}, {"city": "Paris"}, {'size "a"': float("inf")}, {"高さ": -float("inf")}]


@pytest.mark.parametrize("kind", ["numbers", "gaps", "several", "yes or no", "three classes"])
@pytest.mark.parametrize("unseen", ["first", "error"])
def test_what_the_model_refuses_is_refused(kind, unseen, check):
    """Missing values, infinities and new levels: the verdict counts a row that is not refused as different."""
    model = case(kind, unseen=unseen).model.model_
    listed = [ROW | odd for odd in ODD]
    columns = read_columns({name: [row[name] for row in listed] for name in ROW}, model.schema)
    refused = plan_of(model).refused(columns)
    assert refused[-2:].all()
    assert refused.sum() == 2 + 2 * (kind != "gaps") + (unseen == "error")
    check(model, columns)


def test_ordered_levels_count_by_their_place(check):
    pd = pytest.importorskip("pandas")
    grades = ["low", "mid", "high", "top"]
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, size=80)
    X = pd.DataFrame({"grade": pd.Categorical.from_codes(codes, grades, ordered=True), "x": rng.normal(size=80)})
    y = np.array([0.0, 0.0, 1.0, 5.0])[codes] + X["x"]
    model = MARSRegressor(missing="indicator", minspan=1, endspan=1).fit(X, y)
    assert "grade" in model.export("formula")
    check(model, {"grade": [*grades, None, "other"], "x": [0.5] * 6})


@pytest.fixture(scope="module")
def long_sum() -> Case:
    """A model of noise with more terms than anybody needs."""
    rng = np.random.default_rng(0)
    X = {name: rng.normal(size=500).tolist() for name in "abcd"}
    settings = {"max_terms": 450, "thresh": 0.0, "penalty": -1, "minspan": 1, "endspan": 1, "fast_k": 1}
    return Case(MARSRegressor(**settings).fit(X, rng.normal(size=500)), {name: X[name][:30] for name in X})


def test_more_terms_than_one_stage_of_a_query_holds(long_sum, check):
    assert long_sum.model.model_.size > 210
    check(long_sum.model, long_sum.rows)


def test_a_constant_can_be_exported(check):
    check(MARSRegressor().fit({"x": [1.0, 2.0, 3.0, 4.0]}, [2.5, 2.5, 2.5, 2.5]), {"x": [1.0]})


@pytest.mark.filterwarnings("ignore:all rows with a positive weight")
def test_one_class_can_be_exported(check):
    check(MARSClassifier().fit({"x": [1.0, 2.0, 3.0]}, ["a", "a", "a"]), {"x": [1.0]})


def test_sql_gives_new_columns_names_that_are_free():
    rows = {"Predicted": [float(i) for i in range(30)], "x": [float(i % 7) for i in range(30)]}
    model = MARSRegressor().fit(rows, [2.0 * v for v in rows["Predicted"]])
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (Predicted REAL, x REAL)")
    found = base.execute(model.export("sql", dialect="sqlite"))
    assert [column[0] for column in found.description] == ["Predicted", "predicted_"]


@pytest.mark.parametrize(("to", "why"), [
    ("cobol", "format must be one of 'sql', 'python', 'c', 'js', 'r', 'json', 'formula'; got 'cobol'"),
    ("pmml", "a MARS model cannot be written in the format 'pmml'; format must be one of 'sql', 'python'"),
])  # fmt: skip
def test_other_languages_are_refused(to, why):
    model = MARSRegressor().fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ParameterError, match=why):
        model.export(to)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_numbers_in_a_column_of_texts_are_numbers(dialect):
    rng = np.random.default_rng(2)
    size = [["1", " 2.5 ", "n.a.", "7e0", "4", None][i] for i in rng.integers(0, 6, 240)]
    y = [2.0 if t in ("n.a.", None) else max(float(t) - 2, 0.0) for t in size]
    model = MARSRegressor(missing_values={"size": "n.a."}, missing="indicator").fit({"size": size}, y)
    assert model.verify_export("sql", {"size": [*size[:40], " n.a.", "3"]}, dialect=dialect)

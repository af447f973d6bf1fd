"""Trees that cut dates, times and durations: every engine that can be run here answers like predict."""

from __future__ import annotations

import datetime
import io
import math
import shutil
import subprocess
import warnings

import numpy as np
import openpyxl
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor
from boxwood.errors import DataTypeError, NotAvailableError, ParameterError
from boxwood.exports.xlsx_cells import MILLISECONDS

BERLIN = datetime.timezone(datetime.timedelta(hours=1))
START = datetime.datetime(2019, 1, 1)


def seconds(rng, n) -> list[datetime.datetime]:
    return [START + datetime.timedelta(seconds=int(s)) for s in rng.integers(0, 10**8, n)]


VALUES = {
    "days": lambda rng, n: [(START + datetime.timedelta(days=int(d))).date() for d in rng.integers(-(10**5), 1500, n)],
    "midnights": lambda rng, n: (np.datetime64("2019-01-01") + rng.integers(0, 1500, n)).astype("M8[ns]"),
    "seconds": seconds,
    "micros": lambda rng, n: np.datetime64("2019-01-01", "us") + rng.integers(0, 10**14, n),
    "nanos": lambda rng, n: np.datetime64("2019-01-01", "ns") + rng.integers(0, 10**17, n),
    "zoned": lambda rng, n: [v.replace(tzinfo=BERLIN) for v in seconds(rng, n)],
    "clocks": lambda rng, n: [datetime.time(int(m) // 60, int(m) % 60) for m in rng.integers(0, 1440, n)],
    "spans": lambda rng, n: rng.integers(-(10**6), 10**6, n).astype("m8[s]"),
}
FORMATS = {
    "python": {}, "js": {}, "c": {}, "json": {}, "onnx": {}, "r": {},
    "duckdb": {"dialect": "duckdb"}, "sqlite": {"dialect": "sqlite"},
}  # fmt: skip
#: What a target cannot hold.
REFUSED = {("sqlite", "micros"), ("sqlite", "nanos"), ("c", "nanos"), ("onnx", "nanos"), ("r", "nanos")}


def fitted(kind: str, missing: str = "surrogate"):
    rng = np.random.default_rng(11)
    values = list(VALUES[kind](rng, 300))
    place = np.argsort(np.argsort(np.array(values, dtype=object)))
    values[3] = values[200] = None
    X = {"when": values, "size": rng.normal(size=300).round(2).tolist()}
    y = place + 40 * (np.array(X["size"]) > 0.5) + rng.normal(0, 10, 300)
    return CARTRegressor(max_depth=4, pruning=None, missing=missing).fit(X, y), X


@pytest.mark.sample(12)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", VALUES)
def test_engines_answer_as_predict_does(kind, format):
    model, X = fitted(kind)
    options = FORMATS[format]
    name = "sql" if "dialect" in options else format
    if (format, kind) in REFUSED:
        with pytest.raises(ParameterError, match=r"milliseconds|microseconds|2\*\*53"):
            model.tree_.export(name, **options)
        return
    try:
        verdict = model.tree_.verify_export(name, X, **options)
    except NotAvailableError as error:
        pytest.skip(str(error))
    assert verdict, str(verdict)
    assert verdict.rows + verdict.left_out == 300
    assert verdict.left_out == 0 or (format, kind) in {("js", "micros"), ("js", "nanos")} or kind == "nanos"


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", VALUES)
def test_postgres_answers_as_predict_does(kind, database, monkeypatch):
    for name, value in database.items():
        monkeypatch.setenv(name, value)
    model, X = fitted(kind)
    verdict = model.tree_.verify_export("sql", X, dialect="postgres")
    assert verdict, str(verdict)
    assert verdict.rows == 300 or kind == "nanos"


CLOCKS = [
    ("%H:%M", ["08:30", "9:15", "10:00", "22:45"], ["08:30:15", "22:45:10", "09:37:59"]),
    ("%I.%M %p", ["8.30 am", "9.15 AM", "10.00 am", "10.45 PM"], ["00:10:00", "12:10:00", "09:37:59"]),
    ("%H時%M分", ["8時30分", "9時15分", "10時00分", "22時45分"], ["08:30:15", "22:45:10"]),
]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres"])
@pytest.mark.parametrize(("form", "texts", "typed"), CLOCKS)
def test_texts_of_times_of_day(form, texts, typed, dialect, request, monkeypatch):
    """By the form of the fit, or as databases write their own times, with seconds."""
    if dialect == "postgres":
        for name, value in request.getfixturevalue("database").items():
            monkeypatch.setenv(name, value)
    model = CARTClassifier(pruning=None, date_formats={"時": form}).fit({"時": texts * 3}, list("aabb") * 3)
    for rows in (texts, [*texts, None], typed):
        assert model.verify_export("sql", {"時": rows}, dialect=dialect)
        assert model.verify_export("python", {"時": rows})
    assert model.predict({"時": typed}).tolist() == ["b" if text > "09:38" else "a" for text in typed]
    with pytest.raises(DataTypeError, match=r"write it in this form, or as 10:30:15\."):
        model.predict({"時": ["morgens"]})


@pytest.mark.parametrize("kind", ["seconds", "days"])
@pytest.mark.parametrize("missing", ["learned", "own_branch", "surrogate_or_stay"])
def test_policies_for_missing_dates(kind, missing):
    model, X = fitted(kind, missing)
    assert model.tree_.verify_export("python", X)
    assert model.tree_.verify_export("sql", X, dialect="sqlite")


def test_rows_with_missing_dates_that_are_shared_out():
    _, X = fitted("seconds")
    y = ["old" if v is None or v.year < 2021 else "new" for v in X["when"]]
    tree = C45Classifier(pruning=None).fit(X, y).tree_
    assert tree.verify_export("python", X)
    assert tree.verify_export("sql", X, dialect="sqlite", key=["row"])


def test_languages_compare_dates():
    X = {"opened": [datetime.date(2021, 3, 14), datetime.date(2021, 3, 15)] * 10}
    tree = CARTClassifier(pruning=None).fit(X, ["old", "new"] * 10).tree_
    assert "opened <= 2021-03-14" in tree.to_text()
    assert "x['opened'] < date(2021, 3, 15)" in tree.export("python")
    assert 'x["opened"] < Date.UTC(2021, 2, 15)' in tree.export("js")
    assert "whole days since 1970-01-01" in tree.export("c")
    assert "x[0] <= 18700.0" in tree.export("c")
    literals = {
        "duckdb": "DATE '2021-03-15'", "postgres": "DATE '2021-03-15'", "mysql": "DATE '2021-03-15'",
        "sqlserver": "CAST('2021-03-15' AS DATE)", "bigquery": "DATE '2021-03-15'", "oracle": "DATE '2021-03-15'",
        "snowflake": "DATE '2021-03-15'", "sqlite": "'2021-03-15'", "databricks": "DATE '2021-03-15'",
        "clickhouse": "toDate32('2021-03-15')",
    }  # fmt: skip
    for dialect, literal in literals.items():
        assert f"< {literal}" in tree.export("sql", dialect=dialect), dialect


def test_datetimes_in_every_dialect():
    at = datetime.datetime(2021, 3, 14, 10, 30, 15)
    literals = {
        "duckdb": ("TIMESTAMP '{}'", "TIMESTAMP WITH TIME ZONE '{}+00:00'"),
        "mysql": ("TIMESTAMP '{}'", "TIMESTAMP '{}+00:00'"),
        "sqlserver": ("CAST('2021-03-14T10:30:16' AS DATETIME2)", "AS DATETIMEOFFSET)"),
        "bigquery": ("DATETIME '{}'", "TIMESTAMP '{}+00:00'"),
        "snowflake": ("CAST('{}' AS TIMESTAMP_NTZ)", "CAST('{}+00:00' AS TIMESTAMP_TZ)"),
        "oracle": ("TIMESTAMP '{}'", "TIMESTAMP '{}+00:00'"),
        "sqlite": ("'{}'", "'{}'"),
        "databricks": ("TIMESTAMP '{}'", "TIMESTAMP '{}+00:00'"),
        "clickhouse": ("toDateTime64('{}', 6)", "toDateTime64('{}', 6, 'UTC')"),
    }
    for zone, which in ((None, 0), (datetime.UTC, 1)):
        values = [at.replace(tzinfo=zone), (at + datetime.timedelta(seconds=1)).replace(tzinfo=zone)] * 10
        tree = CARTClassifier(pruning=None).fit({"at": values}, ["old", "new"] * 10).tree_
        for dialect, literal in literals.items():
            assert literal[which].format("2021-03-14 10:30:16") in tree.export("sql", dialect=dialect), dialect


def test_values_finer_than_training_count_as_what_they_have_begun():
    model, _ = fitted("midnights")
    space: dict = {}
    exec(model.tree_.export("python"), space)
    rng = np.random.default_rng(1)
    for when in seconds(rng, 200):
        row = {"when": when, "size": 0.1}
        assert space["predict"](row) == model.predict({"when": [when], "size": [0.1]})[0]
        assert space["predict"](row | {"when": when.date()}) == space["predict"](row)


def test_the_python_module_refuses_what_is_no_date():
    model, _ = fitted("days")
    space: dict = {}
    exec(model.tree_.export("python"), space)
    with pytest.raises(TypeError, match="a date is expected"):
        space["predict"]({"when": 18700, "size": 0.0})
    with pytest.raises(TypeError, match="'14 March' is not a text of a date in ISO 8601"):
        space["predict"]({"when": "14 March", "size": 0.0})
    for text in ("2021-03-14", " 2021-03-14 10:30"):  # as predict reads them
        assert space["predict"]({"when": text, "size": 0.0}) == model.predict({"when": [text], "size": [0.0]})[0]
    assert space["predict"]({"when": None, "size": 0.0}) == model.predict({"when": [None], "size": [0.0]})[0]


@pytest.mark.parametrize("kind", ["days", "seconds", "clocks", "spans"])
def test_a_workbook_counts_its_days(kind):
    """The formula that reads a cell of "predict", worked out here on the days that a spreadsheet holds."""
    model, X = fitted(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # our workbook has no style sheet
        book = openpyxl.load_workbook(io.BytesIO(model.tree_.export("xlsx")))
    sheet = book["nodes"]
    row = next(cells for cells in sheet.iter_rows(max_row=4) if cells[0].value == "value of when")
    formula = next(cell.value for cell in row[4:] if isinstance(cell.value, str))
    inner = formula.split(",", 1)[1].rsplit(",", 1)[0]
    cell = inner[inner.index("predict!") : inner.index(")") if "-" not in inner else inner.index("-")].split("*")[0]
    columns = model.tree_._read(X)[1]
    temporal = columns.schema[0].temporal
    for value, count in zip(X["when"], columns.values[0].tolist(), strict=True):
        if value is None:
            continue
        days = openpyxl.utils.datetime.to_excel(value) if kind != "spans" else value / np.timedelta64(1, "D")
        found = eval(inner.replace(cell, repr(float(days))), {"INT": math.floor, "ROUND": round})
        assert found == int(count) // temporal.step
    assert MILLISECONDS == 24 * 3600 * 1000


@pytest.mark.parametrize(("kind", "text"), [("zoned", "no time zones"), ("micros", "millisecond")])
def test_what_a_workbook_cannot_hold(kind, text):
    with pytest.raises(ParameterError, match=text):
        fitted(kind)[0].tree_.export("xlsx")


def test_cuts_beyond_the_years_of_a_language_are_refused():
    X = {"when": np.array(["20000-01-01", "30000-01-01"] * 10, dtype="M8[s]")}
    tree = CARTClassifier(pruning=None).fit(X, ["old", "new"] * 10).tree_
    for name in ("python", "js", "sql"):
        with pytest.raises(ParameterError, match="'when'"):
            tree.export(name)
    assert tree.verify_export("c", X)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not installed")
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_r_takes_its_own_dates_and_times(zone, tmp_path):
    rng = np.random.default_rng(5)
    X = {
        "opened": np.datetime64("2019-01-01") + rng.integers(0, 1500, 200),
        "seen": np.datetime64("2019-01-01", "ms") + rng.integers(0, 10**11, 200),
        "held": rng.integers(-1000, 1000, 200).astype("m8[s]"),
    }
    y = X["opened"].astype(int) / 500 + X["seen"].astype(int) / 1e10 + X["held"].astype(int) / 500
    model = CARTRegressor(max_depth=4, pruning=None).fit(X, y)
    (tmp_path / "tree.R").write_text(model.tree_.export("r"), encoding="utf-8")
    moments = ",".join(f'"{str(v).replace("T", " ")}"' for v in X["seen"])
    (tmp_path / "rows.R").write_text(
        f"""source("tree.R")
rows <- data.frame(seen = as.POSIXct(c({moments}), tz = "{zone}", format = "%Y-%m-%d %H:%M:%OS"))
rows$opened <- as.Date(c({",".join(f'"{v}"' for v in X["opened"])}))
rows$held <- as.difftime(c({",".join(map(str, X["held"].astype(int)))}), units = "secs")
cat(sprintf("%a", tree$predict(rows)))
"""
    )
    done = subprocess.run(["Rscript", "--vanilla", "rows.R"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [float.fromhex(v) for v in done.stdout.split()] == model.predict(X).tolist()

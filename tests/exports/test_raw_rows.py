"""Exports obey codes for missing values, texts of dates and of numbers, and blanks, on rows as a table has them."""

from __future__ import annotations

import datetime
import re
import shutil
import sqlite3
import subprocess

import pytest

import boxwood
from boxwood import CARTClassifier
from boxwood.errors import NotAvailableError, ParameterError
from boxwood.exports.codes import codes_of
from boxwood.exports.raw_rows import raw_rows
from boxwood.exports.registry import DIALECTS

ENGINES = {
    "python": ("python", {}), "json": ("json", {}), "js": ("js", {}), "c": ("c", {}), "r": ("r", {}),
    "sqlite": ("sql", {"dialect": "sqlite"}), "duckdb": ("sql", {"dialect": "duckdb"}),
}  # fmt: skip
FORMATS = (
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y%m%d",
    "%d%b%Y",
    "%B %d, %Y",
    "%Y年%m月%d日",
    "%d.%m.%Y %H:%M",
    "%d-%m-%Y %I:%M %p",
    "iso",
)
CODES = {
    "income": [-999, "-1"],
    "age": ["?", "", "n.a."],
    "town": ["?", -7],
    "area": [-1],
    "start": ["?", "9999-12-31"],
}


def table(form: str = "%d.%m.%Y") -> tuple[dict, list]:
    """Numbers, numbers in text, texts, numbers that are names, dates in text; codes in all of them."""
    start = datetime.datetime(2019, 11, 3, 9, 30)
    days = [start + datetime.timedelta(days=11 * i, minutes=37 * i) for i in range(40)]
    rows = {
        "income": [10.5, -999, 12.0, None, 44.0, 40.25, -1, 46.0] * 5,
        "age": ["31", "?", " 45 ", "", "6e1", "n.a.", "18", None] * 5,
        "town": ["Ulm", "Bonn", " ? ", "-7", "京都", "Ulm", "-7.0", None] * 5,
        "area": [3, 17, -1, 40, 3, None, 17, 40] * 5,
        "start": [day.isoformat(" ") if form == "iso" else day.strftime(form) for day in days],
    }
    rows["start"][7], rows["start"][20] = "?", None
    late = [day.year > 2020 for day in days]
    return rows, [
        str(int(late[i]) + (rows["income"][i] or 0 > 30) * 0 + int(rows["town"][i] == "Ulm") + (i % 8 in (1, 5)))
        for i in range(40)
    ]


def fitted(columns: list[str], form: str = "%d.%m.%Y", **settings) -> tuple[CARTClassifier, dict]:
    rows, y = table(form)
    rows = {name: rows[name] for name in columns}
    codes = {name: CODES[name] for name in columns}
    forms = {"start": form} if "start" in columns else None
    model = CARTClassifier(
        missing_values=codes, date_formats=forms, pruning=None, min_samples_leaf=1, min_samples_split=2,
        categorical_features=[name for name in columns if name == "area"], **settings,
    )  # fmt: skip
    return model.fit(rows, y), rows


def verified(model, rows, engine: str):
    name, options = ENGINES[engine]
    try:
        return model.verify_export(name, rows, **options)
    except NotAvailableError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("column", CODES)
@pytest.mark.parametrize("missing", ["surrogate", "majority", "own_branch"])
def test_codes_are_missing_values_in_every_language(column, engine, missing):
    model, rows = fitted([column], missing=missing)
    verdict = verified(model, rows, engine)
    assert verdict, str(verdict)
    assert verdict.rows == 40
    assert verdict.made > 5


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", FORMATS)
def test_texts_of_dates(form, engine):
    model, rows = fitted(["start", "town"], form)
    assert model.tree_.splits.feature.tolist().count(0)
    verdict = verified(model, rows, engine)
    assert verdict, str(verdict)
    assert verdict.rows == 40


@pytest.mark.parametrize("engine", ENGINES)
def test_a_code_in_the_spelling_of_the_table_is_a_date_in_any(engine):
    texts = ["01.03.2021", "02.03.2021", "31.12.9999", "05.04.2021", "09.05.2021", "31.12.9999"]
    model = CARTClassifier(
        pruning=None, date_formats={"至": "%d.%m.%Y"}, missing_values={"至": ["31.12.9999"]}, missing="own_branch",
    ).fit({"至": texts * 3}, list("aacbbc") * 3)  # fmt: skip
    typed = [datetime.date(*map(int, reversed(text.split(".")))) for text in texts]
    for rows in (texts, typed, [day.isoformat() for day in typed]):
        assert model.predict({"至": rows}).tolist() == list("aacbbc")
        verdict = verified(model, {"至": rows}, engine)
        assert verdict, str(verdict)


def test_postgres(database, monkeypatch):
    for name, value in database.items():
        monkeypatch.setenv(name, value)
    for form in FORMATS:
        for columns in (["start", "town"], ["income", "age", "area"]):
            model, rows = fitted(columns, form)
            verdict = model.verify_export("sql", rows, dialect="postgres")
            assert verdict, str(verdict)
            assert verdict.rows == 40


def test_a_code_is_found_out_where_an_export_does_not_know_it():
    model, rows = fitted(["income"], missing="majority")
    source = model.export("python")
    assert not model.verify_export("python", {"income": [1.0]}, source.replace("-999", "-998"))
    assert model.verify_export("python", rows, source)


def test_the_codes_of_a_feature():
    model, _ = fitted(list(CODES))
    income, age, town, area, start = (codes_of(feature) for feature in model.tree_.schema)
    assert (income.texts, income.numbers) == (("-1",), (-999, -1))
    assert age.texts == ("?", "", "n.a.")
    assert (town.texts, town.numbers) == (("?",), (-7,))
    assert area.numbers == (-1,)
    days = datetime.date(9999, 12, 31).toordinal() - datetime.date(1970, 1, 1).toordinal()
    assert start.instants == (days,)


def test_raw_rows_keep_what_is_in_the_table():
    model, rows = fitted(list(CODES))
    raw = raw_rows(rows, model.tree_.schema, [0, 1, 4])
    assert raw.values == {0: rows["income"], 1: rows["age"], 4: rows["start"]}
    assert raw.columns.missing(0).tolist()[:8] == [False, True, False, True, False, False, True, False]
    decoded = raw_rows(raw.columns, model.tree_.schema, [0, 4])
    assert decoded.values[0][:3] == [10.5, None, 12.0]
    assert decoded.values[4][0] == datetime.date(2019, 11, 3)


def test_blank_text_in_a_numeric_column_of_sqlite():
    """As an import of CSV leaves them: blanks are missing, other text that is not a number ends the query."""
    X = {"age": [20.0, 25.0, 30.0, 60.0, 65.0, 70.0, 75.0] * 10}
    model = CARTClassifier(pruning=None, missing="majority").fit(X, (["young"] * 3 + ["old"] * 4) * 10)
    query = model.export("sql", dialect="sqlite", table="people", key="id")
    for kind in ("REAL", "TEXT", "NUMERIC", ""):
        base = sqlite3.connect(":memory:")
        base.execute(f"CREATE TABLE people (id INTEGER, age {kind})")
        values = ["22", "", None, 68.0, " ", "\t\n", " 21 ", "2.2e1"]
        base.executemany("INSERT INTO people VALUES (?, ?)", enumerate(values))
        predicted = [row[2] for row in sorted(base.execute(query).fetchall())]
        assert predicted == ["young", "old", "old", "old", "old", "old", "young", "young"], kind
        base.execute("INSERT INTO people VALUES (99, 'sixty')")
        with pytest.raises(sqlite3.OperationalError, match="\"age\" holds ''sixty'', which is not a number"):
            base.execute(query).fetchall()


def test_a_text_in_another_format_ends_a_query():
    model, _ = fitted(["start"])
    query = model.export("sql", dialect="sqlite")
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (start TEXT)")
    for text in ("11/03/2019", "31.02.2020", "2019-02-31", "soon", "3.11.19"):
        base.execute("DELETE FROM data")
        base.execute("INSERT INTO data VALUES (?)", (text,))
        with pytest.raises(
            sqlite3.OperationalError, match=re.escape(f"\"start\" holds ''{text}'', which is not a date")
        ):
            base.execute(query).fetchall()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_head_of_a_query_names_types_formats_and_codes(dialect):
    text = fitted(list(CODES))[0].export("sql", dialect=dialect)
    head = text[: text.index("WITH\n")]
    assert "--   income: numbers (" in head
    assert "; -999 and -1 are missing\n" in head
    assert "texts in the format %d.%m.%Y; ? and 9999-12-31 are missing\n" in head
    assert {"sqlite": "-999.0", "duckdb": "-999.0e0"}.get(dialect, "-999") in text


def test_javascript_and_r_refuse_texts_of_dates(tmp_path):
    model, _ = fitted(["start"])
    if shutil.which("node"):
        source = f"{model.export('js')}\nconsole.log(tree.predict({{start: '03.11.2019'}}));"
        done = subprocess.run(["node", "-e", source], capture_output=True, text=True, check=False)
        assert "a Date is expected, not 03.11.2019" in done.stderr
    if shutil.which("Rscript"):
        source = f"{model.export('r')}\ntree$predict(data.frame(start = '03.11.2019'))"
        (tmp_path / "tree.R").write_text(source, encoding="utf-8")
        done = subprocess.run(["Rscript", str(tmp_path / "tree.R")], capture_output=True, text=True, check=False)
        assert "start must be a column of numbers" in done.stderr


def test_trees_read_back_obey_codes():
    model, rows = fitted(list(CODES))
    again = boxwood.from_json(model.export("json"))
    want = model.predict(rows).tolist()
    assert model.tree_.predict(rows).tolist() == want
    assert again.predict(rows).tolist() == want


def test_the_verdict_counts_rows_that_were_made():
    model, rows = fitted(["income", "start"])
    verdict = model.verify_export("python", {name: values[:3] for name, values in rows.items()})
    assert verdict.rows == 3
    assert f"all of 3 rows and {verdict.made} rows made to test the edges" in str(verdict)


def test_a_wrong_type_is_refused_where_predict_refuses_it():
    model, rows = fitted(["income"])
    space: dict = {}
    exec(model.export("python"), space)
    for value in ("abc", "", datetime.date(2020, 1, 1)):
        with pytest.raises(boxwood.DataTypeError):
            model.predict({"income": [value]})
        with pytest.raises(TypeError):
            space["predict"]({"income": value})
    lenient = model.export("python").replace(
        'raise TypeError(f"a number is expected, not the text {value!r}")', "return nan"
    )
    verdict = model.verify_export("python", rows, lenient)
    assert not verdict
    assert verdict.examples[0].expected == -1


def test_a_query_that_fails_is_an_error():
    model, rows = fitted(["income"])
    with pytest.raises(ParameterError, match=r"SQLite .* ends with an error"):
        model.verify_export(
            "sql", rows, model.export("sql", dialect="sqlite").replace("FROM inputs", "FROM nothing"), dialect="sqlite"
        )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("unseen", ["missing", "stay", "error"])
def test_a_truth_value_among_levels_that_are_numbers(engine, unseen):
    rows = {"area": [0, 1, 2, 3] * 10}
    model = CARTClassifier(pruning=None, categorical_features=["area"], unseen=unseen).fit(rows, ["a", "b"] * 20)
    assert verified(model, rows, engine)
    verdict = verified(model, {"area": [True, False]}, engine)
    assert verdict, str(verdict)
    if engine in ("sqlite", "duckdb"):  # a column of numbers would hold 1 and 0
        assert verdict.left_out == 2


@pytest.mark.parametrize("engine", [*ENGINES, "dmn", "onnx"])
@pytest.mark.parametrize("gap", [None, 99999999])
def test_dates_as_whole_numbers(engine, gap):
    """20210314 counts as its text, in a column of doubles too; 99999999 may be a code for a missing date."""
    days = [datetime.date(2001, 1, 1) + datetime.timedelta(days=97 * i) for i in range(60)]
    rows = {"day": [gap if i % 13 == 5 else int(day.strftime("%Y%m%d")) for i, day in enumerate(days)]}
    model = CARTClassifier(pruning=None, max_depth=3, date_formats={"day": "%Y%m%d"}, missing_values={"day": 99999999})
    model.fit(rows, [day.month > 6 for day in days])
    format, options = ENGINES.get(engine, (engine, {}))
    verdict = model.verify_export(format, rows, **options)
    assert verdict.mismatches == 0, str(verdict)
    assert (verdict.rows, verdict.left_out) == (60, 0)

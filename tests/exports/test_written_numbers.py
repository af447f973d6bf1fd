"""Exports read formatted numbers, such as 1.234,50 €, by the form that the model stores."""

from __future__ import annotations

import pytest

from boxwood import CARTClassifier, MARSRegressor
from boxwood.errors import KindWarning, ModelFileError, NotAvailableError, ParameterError
from boxwood.exports.registry import DIALECTS

ENGINES = {
    "python": ("python", {}), "json": ("json", {}), "js": ("js", {}), "r": ("r", {}), "c": ("c", {}),
    "pmml": ("pmml", {}), "onnx": ("onnx", {}), "dmn": ("dmn", {}), "xlsx": ("xlsx", {}),
    "sqlite": ("sql", {"dialect": "sqlite"}), "duckdb": ("sql", {"dialect": "duckdb"}),
}  # fmt: skip
WRITTEN = {
    "1.234,5 €": lambda amount: f"{amount:,.2f} €".translate(str.maketrans(",.", ".,")),
    "$1,234.5": lambda amount: f"${amount:,.2f}" if amount >= 0 else f"(${-amount:,.2f})",
    "1 234,5 %": lambda amount: f"{amount:,.2f}\u202f%".translate(str.maketrans({",": "\u00a0", ".": ","})),
    "CHF 1'234.5": lambda amount: f"CHF {amount:,.2f}".replace(",", "’"),
    "1234.5岁": lambda amount: f"{amount:.0f}岁",
    "₹1,234.5": lambda amount: f"₹{'-' * (amount < 0)}12,{abs(amount) + 10_000:09,.2f}",
    "1.234,5 EUR": lambda amount: f"{abs(amount):,.2f}{'-' * (amount < 0)} EUR".translate(str.maketrans(",.", ".,")),
    "1,234.5": lambda amount: f"{'△' * (amount < 0)}{abs(amount):,.1f}",
}
AMOUNTS = [-1200.5 + 97.25 * i for i in range(120)]
PAID = ["yes" if (amount > 2500) != (i % 9 == 0) else "no" for i, amount in enumerate(AMOUNTS)]


def fitted(form: str) -> tuple[CARTClassifier, dict]:
    write = WRITTEN[form]
    rows = {"金额": [*map(write, AMOUNTS[:-2]), "k.A.", "NA"], "rest": list(map(write, reversed(AMOUNTS)))}
    with pytest.warns(KindWarning, match="and is read as numeric"):
        model = CARTClassifier(pruning=None, max_depth=4, missing_values=["k.A.", -999]).fit(rows, PAID)
    assert [feature.written.form for feature in model.tree_.schema] == [form, form]
    return model, rows


@pytest.mark.sample(15)
@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_answer_as_predict_does(engine, form):
    model, rows = fitted(form)
    target, options = ENGINES[engine]
    try:
        verdict = model.verify_export(target, rows, **options)
    except NotAvailableError as error:
        pytest.skip(str(error))
    assert verdict, str(verdict)
    assert verdict.rows >= 118


@pytest.mark.parametrize("form", ["1.234,5 €", "1 234,5 %"])
def test_postgres_answers_as_predict_does(form, database, monkeypatch):
    for name, value in database.items():
        monkeypatch.setenv(name, value)
    model, rows = fitted(form)
    assert (verdict := model.verify_export("sql", rows, dialect="postgres")), str(verdict)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_query_names_what_the_column_holds(dialect):
    model, _ = fitted("1.234,5 €")
    query = model.export("sql", dialect=dialect)
    texts = "texts of numbers of the form 1.234,5 €; k.A. and -999 are missing"
    assert texts in query
    assert ("), or texts of" in query) == (dialect in ("duckdb", "sqlite", "postgres"))


def test_sums_of_terms_read_them_too():
    _, rows = fitted("1.234,5 €")
    with pytest.warns(KindWarning):
        model = MARSRegressor().fit({"金额": rows["rest"]}, [abs(amount - 900) for amount in AMOUNTS])
    for engine in ("python", "js", "r", "sqlite", "duckdb"):
        target, options = ENGINES[engine]
        assert (verdict := model.verify_export(target, {"金额": rows["rest"]}, **options)), str(verdict)


def test_sql_refuses_texts_of_numbers_that_doubles_do_not_hold():
    big = [f"{2**60 + i:,}" for i in range(20)]
    with pytest.warns(KindWarning):
        model = CARTClassifier(pruning=None).fit({"x": big}, ["a"] * 9 + ["b"] * 11)
    assert model.verify_export("python", {"x": big})
    with pytest.raises(ParameterError, match=r"'x'.*texts of whole numbers beyond 2\*\*53"):
        model.export("sql")


def test_the_model_file_holds_the_form(tmp_path):
    import boxwood

    model, rows = fitted("1.234,5 €")
    model.save(tmp_path / "m.box")
    again = boxwood.load(tmp_path / "m.box")
    assert again.tree_.schema[0] == model.tree_.schema[0]
    assert (again.predict(rows) == model.predict(rows)).all()
    text = model.export("json")
    assert '"form": "1.234,5 €"' in text or '"form":"1.234,5 €"' in text
    with pytest.raises(ModelFileError, match="its form is '1,234,5 €'"):
        boxwood.from_json(text.replace("1.234,5 €", "1,234,5 €"))
    with pytest.raises(ModelFileError, match="exactly numbers in text have the field 'form'"):
        boxwood.from_json(text.replace("numbers in text", "strings"))


def test_a_column_that_is_ignored_keeps_its_form_in_the_file(tmp_path):
    import boxwood

    rows = {"nr": [f"{i} kg" for i in range(1, 301)], "x": [i % 7 for i in range(300)]}
    with pytest.warns(KindWarning):
        model = CARTClassifier(pruning=None).fit(rows, ["a" if x > 3 else "b" for x in rows["x"]])
    model.save(tmp_path / "m.box")
    assert boxwood.load(tmp_path / "m.box").predict({"nr": ["?"], "x": [1]}).tolist() == ["b"]

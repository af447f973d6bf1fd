"""What check_data finds in tables with one fault each, and that it finds nothing where there is none."""

from __future__ import annotations

import datetime
import time
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

import boxwood
from boxwood import C45Rules, CARTClassifier, CARTRegressor, MARSClassifier, datasets
from boxwood.errors import BoxwoodError
from boxwood.evaluation.data_check.finding import IMPORTANT

N = 600


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def died(rng):
    return np.where(rng.random(N) < 0.3, "dead", "alive")


def found(X, y=None, **more) -> list[tuple[str, str | None]]:
    return [(f.kind, f.column) for f in boxwood.check_data(X, y, **more).findings]


def only(X, y=None, **more):
    findings = boxwood.check_data(X, y, **more).findings
    assert len(findings) == 1, findings
    return findings[0]


#: What is true of the bundled tables and deserves a look, though no tree goes wrong by it.
FACTS = {
    "computer_hardware": ["duplicates"],  # machines of one family
    "digits": ["constant"] * 3,  # pixels at the edge
    "labor": ["mostly_missing"] * 5,
}


@pytest.mark.parametrize("name", datasets.names())
def test_bundled_tables_raise_no_false_alarm(name):
    table = datasets.load(name)
    described = str(datasets.describe(name)).splitlines()
    response = next((line.split(":")[0].strip() for line in described if ": response" in line), None)
    y = table.pop(response) if response else None
    result = boxwood.check_data(table, y)
    assert [f.kind for f in result.findings] == FACTS.get(name, [])
    assert not {f.kind for f in result.findings} & set(IMPORTANT)


def test_the_two_files_of_the_titanic_have_no_drift():
    X, new = datasets.load("titanic"), datasets.load("titanic_new")
    y = X.pop("survived")
    new.pop("survived", None)
    result = boxwood.check_data(X, y, against=new)
    assert result.findings == ()
    assert len(result.drift) == len(X)


@pytest.mark.parametrize(
    "make",
    [
        lambda y, rng: (y == "dead").astype(int),  # a copy
        lambda y, rng: np.where(y == "dead", "D", "A"),  # a one-to-one map of levels
        lambda y, rng: np.where(y == "dead", rng.choice(["d1", "d2"], len(y)), rng.choice(["a1", "a2", "a3"], len(y))),
        lambda y, rng: np.where(y == "dead", 1 + rng.random(len(y)) * 50, 0.0),  # an amount that only events have
        lambda y, rng: np.where(y == "dead", rng.random(len(y)), np.nan),  # a value that only events have
    ],
)
def test_copies_and_consequences_of_classes(make, died, rng):
    findings = boxwood.check_data({"x": make(died, rng), "z": rng.normal(size=N)}, died).findings
    leak = findings[0]
    assert (leak.kind, leak.column, leak.amount) == ("leak", "x", 1.0)
    assert "X.drop(columns=['x'])" in leak.remedy


def test_a_column_that_nearly_separates_two_classes_is_named_with_its_auc(died, rng):
    x = np.where(died == "dead", 1.0, 0.0) + rng.random(N) * 0.99
    at = np.argsort(x)[np.count_nonzero(died == "alive") :][0]
    x[at] = 0.98
    leak = only({"x": x}, died)
    assert leak.kind == "leak"
    assert 0.9995 <= leak.amount < 1.0
    assert "AUC 1.000" in leak.message


def test_three_classes(rng):
    y = rng.choice(["低", "中", "高"], N)
    x = np.where(y == "低", 0, np.where(y == "中", 1, 2)) + rng.random(N)
    assert found({"收入": x}, y) == [("leak", "收入")]
    assert found({"x": x + rng.normal(size=N)}, y) == []


@pytest.mark.parametrize(
    "make", [lambda y: 2 * y + 1, lambda y: np.exp(y / 10), lambda y: np.digitize(y, [-10, 0, 10]),
             lambda y: np.array(list("abcd"))[np.digitize(y, [-10, 0, 10])]],
)  # fmt: skip
def test_copies_and_intervals_of_numbers(make, rng):
    y = rng.normal(size=N) * 10
    assert found({"x": make(y), "z": y + rng.normal(size=N) * 3}, y) == [("leak", "x")]


def test_chance_gives_no_leak(rng):
    y = rng.choice(["a", "b"], 20)
    for _ in range(50):
        assert not boxwood.check_data({"x": rng.normal(size=20), "k": rng.choice(list("pqrs"), 20)}, y).findings
    ids = [f"customer {i}" for i in range(N)]
    assert found({"id": ids}, rng.choice(["a", "b"], N)) == [("identifier", "id")]
    assert found({"id": ids}, rng.normal(size=N)) == [("identifier", "id")]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (lambda rng: np.where(rng.random(N) < 0.1, -999, rng.integers(18, 80, N)), [-999]),
        (lambda rng: rng.choice([1, 2, 3, 4, 5, 99], N), [99]),
        (lambda rng: rng.choice([1, 2, 3, 4, 5, 9], N), [9]),
        (lambda rng: rng.choice([1, 2, 3, 4, 5, 98, 99], N), [98, 99]),
        (lambda rng: rng.choice([0, 1, 2, 3, 4, 5, 6, -9], N), [-9]),
        (lambda rng: np.where(rng.random(N) < 0.1, 9999.0, rng.normal(50, 9, N)), [9999]),
    ],
)
def test_sentinels(values, codes, rng):
    x = values(rng)
    finding = only({"x": x})
    assert (finding.kind, finding.amount) == ("sentinel", np.isin(x, codes).sum())
    assert finding.remedy == f"missing_values={{'x': {codes}}}"
    assert found({"x": x}, missing_values={"x": codes}) == []


@pytest.mark.parametrize(
    "values",
    [[1, 2, 4, 8], [0, 1, 2, 3, 4, 5, 8], [-1, 0, 1], [-2, -1, 0, 1, 2], [4, 6, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
)
def test_small_numbers_are_no_sentinels(values, rng):
    assert found({"x": rng.choice(values, N)}) == []


def test_a_date_without_end(rng):
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=int(i)) for i in rng.integers(0, 700, N)]
    days[::2] = [datetime.date(9999, 12, 31)] * (N // 2)
    finding = only(pl.DataFrame({"until": days}))
    assert finding.kind == "sentinel"
    assert "9999-12-31" in finding.remedy


def test_spellings_of_features_and_of_the_target(rng):
    words = rng.choice(["Yes", "yes", "YES ", "no"], N)
    finding = only({"smoker": words})
    assert finding.kind == "spellings"
    assert finding.amount < np.count_nonzero(words != "no")
    assert found({"x": rng.normal(size=N)}, words) == [("spellings", "y")]
    assert found({"x": rng.choice(["Ａ型", "A型", "B型"], N)}) == [("spellings", "x")]
    assert found({"x": rng.choice(["A", "B", "AB"], N)}) == []


def test_codes_by_name_and_by_form(rng):
    mcc = rng.choice([5411, 5812, 7995, 4829, 6011], N)
    for name in ("x", "merchantCode", "邮编"):
        finding = only({name: mcc})
        assert (finding.kind, finding.remedy) == ("codes", f"categorical_features=[{name!r}]")
        assert found({name: mcc}, categorical_features=[name]) == []
    assert found({"region": rng.integers(1, 9, N)}) == [("codes", "region")]
    for harmless in ([1, 2, 5, 10, 20, 50, 100], [1990, 1995, 2001, 2010, 2019], [100, 200, 300, 500, 900]):
        assert found({"x": rng.choice(harmless, N)}) == []


def test_follow_up_time(died, rng):
    days = np.where(died == "dead", rng.exponential(300, N), rng.exponential(900, N) + 200).round()
    finding = only({"days": days}, died)
    assert finding.kind == "follow_up"
    assert "criterion='poisson'" in finding.message
    assert found({"futime": days}, (died == "dead").astype(int)) == [("follow_up", "futime")]
    assert found({"days": days}, np.where(died == "dead", "b", "a")) == []  # no event in sight
    assert found({"time": rng.permutation(days)}, died) == []  # not shorter
    assert found({"age": days}, died) == []


def test_empty_and_constant_columns(rng):
    assert found({"x": ["a"] * N}) == [("constant", "x")]
    assert found({"x": [None] * N}) == [("mostly_missing", "x")]
    assert found({"x": np.where(rng.random(N) < 0.8, np.nan, rng.normal(size=N))}) == [("mostly_missing", "x")]


def test_duplicates_but_not_of_few_levels(rng):
    X = pd.DataFrame(rng.normal(size=(N, 3)), columns=list("abc"))
    twice = pd.concat([X, X[:30]], ignore_index=True)
    finding = only(twice)
    assert (finding.kind, finding.amount) == ("duplicates", 30)
    assert f"row {N}" in finding.message
    assert found({"a": rng.choice(["p", "q"], N), "b": rng.choice(["p", "q"], N)}) == []


def test_doubtful_kinds_are_findings_and_not_warnings():
    finding = only({"x": ["1.5", "2.5", "3"] * 20})
    assert (finding.kind, finding.column) == ("kind", "x")


def test_drift_unseen_levels_and_absent_columns(rng):
    X = pd.DataFrame({"x": rng.normal(size=N), "z": rng.normal(size=N), "town": rng.choice(["Ulm", "京都"], N)})
    new = pd.DataFrame({"x": rng.normal(0.7, size=N), "town": rng.choice(["Ulm", "京都"], N)})
    new.loc[:4, "town"] = "Wien"
    result = boxwood.check_data(X, against=new)
    assert [(f.kind, f.column) for f in result.findings] == [("unseen", "town"), ("absent", "z"), ("drift", "x")]
    x, town = result.drift
    assert (x.test, town.test, town.unseen) == ("KS", "chi-squared", {"Wien": 5})
    assert x.psi > 0.25 > town.psi
    assert x.missing == (0.0, 0.0)
    assert "x  " in str(result)
    again = boxwood.check_data(X.to_numpy()[:, :2].astype(float), against=rng.normal(size=(N, 2)))
    assert not again.findings
    assert len(again.drift) == 2


def test_newer_rows_with_dates_of_another_form():
    X = {"到着": [f"{1 + i % 28:02}.03.2021" for i in range(N)], "x": [i % 7 for i in range(N)]}
    new = {"到着": ["03/14/2021", None, "02/28/2022"], "x": [1, 2, 3]}
    result = boxwood.check_data(X, against=new, date_formats={"到着": "%d.%m.%Y"})
    (finding,) = [f for f in result.findings if f.kind == "unread"]
    assert (finding.column, finding.amount) == ("到着", 3)
    assert "row 0 (counted from 0) holds '03/14/2021', which is not a date of the form '%d.%m." in str(finding.message)
    assert str(finding.message).endswith("the second table, whose texts are dates of the form '%m/%d/%Y'.")
    assert finding.remedy.startswith("write it in this form")
    assert [one.column for one in result.drift] == ["x"]
    result = boxwood.check_data(X, against={"到着": ["昨日"], "x": ["?"]}, date_formats={"到着": "%d.%m.%Y"})
    assert [f.column for f in result.findings if f.kind == "unread"] == ["到着", "x"]
    assert not result.drift


def test_values_that_go_missing_are_drift(rng):
    x = rng.normal(size=N)
    result = boxwood.check_data({"x": x}, against={"x": np.where(rng.random(N) < 0.3, np.nan, x)})
    assert [f.kind for f in result.findings] == ["drift"]
    assert "missing 0.0 % before and" in result.findings[0].message


def test_few_rows_are_no_drift(rng):
    false = sum(bool(boxwood.check_data({"x": rng.normal(size=30)}, against={"x": rng.normal(size=20)}).findings)
                for _ in range(60))  # fmt: skip
    assert false <= 6


def test_long_tables_list_twenty_columns_and_count_the_rest():
    result = boxwood.check_data({f"c{i}": [1] * 30 for i in range(300)})
    lines = result.to_text().splitlines()
    assert len(lines) == 22
    assert lines[-1] == "- 280 columns more: constant."
    assert result.to_html().count("<li>") == 21
    assert len(result.to_records()["column"]) == 300


def test_forms_of_the_result(died, rng):
    result = boxwood.check_data({"<b>": (died == "dead").astype(int)}, died)
    assert "<b>" not in result.to_html()
    assert "&lt;b&gt;" in result.to_html()
    assert list(result.to_frame("dict")) == ["kind", "column", "amount", "message", "remedy"]
    assert result.to_dict()["findings"][0]["kind"] == "leak"
    assert str(boxwood.check_data({"x": rng.normal(size=N)})).endswith("1 column: no findings.")


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict])
def test_every_container(make, died, rng):
    assert found(make({"x": (died == "dead").astype(int)}), died) == [("leak", "x")]
    assert found(rng.normal(size=(N, 2)), rng.normal(size=N)) == []


def test_errors():
    with pytest.raises(boxwood.ParameterError, match="task must be") as error:
        boxwood.check_data({"x": [1]}, [1], task="classes")
    assert error.value.argument == "task"
    with pytest.raises(boxwood.DataError):
        boxwood.check_data({"x": [1, 2]}, [1])
    assert len(boxwood.check_data({"x": [1.0]}, [0])) == 0


def test_a_hundred_thousand_rows_take_about_a_second(rng):
    n = 100_000
    X = pd.DataFrame(
        {f"x{i}": rng.normal(size=n) for i in range(15)} | {f"k{i}": rng.integers(0, 9, n) for i in range(5)}
    )
    y = rng.random(n) < 0.3
    began = time.process_time()
    boxwood.check_data(X, y)
    assert time.process_time() - began < 4.0  # 0.6 s on a quiet machine


def test_the_report_shows_what_changes_the_meaning_of_its_tree(died, rng):
    X = {"age": rng.integers(18, 80, N), "死因": np.where(died == "dead", "<b>", "none")}
    model = boxwood.CARTClassifier().fit(X, died)
    page = model.explore(X, died).html
    assert "<h3>Check of the data</h3>" in page
    assert "Column &#39;死因&#39; alone determines the class" in page
    assert "Check of the data" not in model.explore(X).html
    X = datasets.load("iris")
    y = X.pop("species")
    assert "Check of the data" not in boxwood.CARTClassifier().fit(X, y).explore(X, y).html


def test_reports_of_rates(died, rng):
    days = np.where(rng.random(N) < 0.1, -999, rng.integers(0, 50, N))
    exposure = rng.random(N) + 0.1
    events = (died == "dead").astype(float)
    model = boxwood.CARTRegressor(criterion="poisson").fit({"x": days}, events, exposure=exposure)
    assert "missing_values=" in model.explore({"x": days}, events, exposure=exposure).html


def test_sparse_tables(rng):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(N, 3, density=0.3, random_state=0, format="csr")
    y = rng.choice(["a", "b"], N)
    assert boxwood.check_data(X, y).findings == ()


@pytest.mark.parametrize("estimator", [CARTClassifier, C45Rules, partial(MARSClassifier, logistic=False)])
def test_a_fit_with_verbose_reports_the_findings(estimator, capsys):
    draw = np.random.default_rng(0)
    y = draw.choice(["ja", "nein"], 300)
    X = {"年龄": draw.integers(20, 60, 300).astype(float), "复制": (y == "ja") * 1.0}
    X["t"] = np.where(draw.random(300) < 0.1, -999, draw.normal(50, 5, 300))
    estimator(verbose=1).fit(X, y)
    notes = [line for line in capsys.readouterr().err.splitlines() if line.startswith("boxwood: note:")]
    assert len(notes) == 2
    assert "Column '复制' alone determines the class of 'y'" in notes[0]
    assert "missing_values={'t': [-999]}" in notes[1]
    estimator().fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("y", [None, [1] * 19, [[[1, 2]]] * 20, [np.nan] * 20, [1, "a"] * 10, [], "abc"])
def test_verbose_leaves_errors_about_y_as_they_are(y):
    X = np.arange(40.0).reshape(20, 2)
    found = []
    for verbose in (0, 1):
        with pytest.raises(BoxwoodError) as error:
            CARTRegressor(verbose=verbose).fit(X, y)
        found.append(str(error.value))
    assert found[0] == found[1]

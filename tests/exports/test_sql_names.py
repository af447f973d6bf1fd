"""Names of the columns of a query's answer: without blanks, of any script, and free."""

from __future__ import annotations

import sqlite3

import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.exports.registry import DIALECTS


def answer_of(model, rows: dict, **options) -> tuple[list[str], list[tuple]]:
    """Names of the columns of the answer, and its rows."""
    database = sqlite3.connect(":memory:")
    quoted = [f'"{name}"' for name in rows]
    database.execute(f"CREATE TABLE data ({', '.join(quoted)})")
    marks = ", ".join("?" for _ in rows)
    database.executemany(f"INSERT INTO data VALUES ({marks})", list(zip(*rows.values(), strict=True)))
    found = database.execute(model.export("sql", dialect="sqlite", **options))
    return [column[0] for column in found.description], found.fetchall()


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (("bad", "good"), ["probability_bad", "probability_good"]),
        (("好瓜", "不好 的瓜"), ["probability_不好_的瓜", "probability_好瓜"]),
        (("a b", "a-b"), ["probability_a_b", "probability_a_b_"]),
        (("Bad", "bad"), ["probability_Bad", "probability_bad_"]),
        (("'; DROP TABLE data; --", '"'), ["probability__", "probability__DROP_TABLE_data_"]),
        (("", "x"), ["probability_0", "probability_x"]),
        ((False, True), ["probability_False", "probability_True"]),
        ((-1, 1), ["probability__1", "probability_1"]),
    ],
)
def test_names_of_probabilities(labels, names):
    y = [labels[i > 2] for i in range(6)]
    rows = {"x": [float(i) for i in range(6)]}
    model = CARTClassifier(pruning=None).fit(rows, y)
    found, answers = answer_of(model, rows)
    assert found == ["x", "node", "predicted", *names]
    assert [row[2] for row in answers] == y
    assert [row[3:] for row in answers] == [tuple(p) for p in model.predict_proba(rows).tolist()]


def test_columns_of_the_table_keep_their_names():
    rows = {"Predicted": [1.0, 2.0, 3.0, 4.0], "probability_no": [0.0] * 4, "node": [0.0, 0.0, 1.0, 1.0]}
    model = CARTClassifier(pruning=None, max_surrogates=0).fit(rows, ["no", "no", "yes", "yes"])
    names, _ = answer_of(model, rows, key=["Predicted", "probability_no", "node"])
    assert names == [
        "Predicted",
        "probability_no",
        "node",
        "node_",
        "predicted__",
        "probability_no_",
        "probability_yes",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_labels_that_a_database_cannot_name_are_numbered(dialect):
    long = CARTClassifier(pruning=None).fit([[1.0], [2.0]], ["x" * 400, "y"]).export("sql", dialect=dialect)
    assert ("probability_0" in long) == (dialect not in ("duckdb", "sqlite", "clickhouse"))
    assert "probability_y" in long
    assert "probability " not in CARTRegressor(pruning=None).fit([[1.0], [2.0]], [1.0, 2.0]).export(
        "sql", dialect=dialect
    )


@pytest.mark.parametrize(
    ("other", "dialect"), [("tsql", "sqlserver"), ("spark", "databricks"), ("postgresql", "postgres")]
)
def test_dialects_by_their_other_names(other, dialect):
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0]], ["no", "yes"])
    assert model.export("sql", dialect=other) == model.export("sql", dialect=dialect)

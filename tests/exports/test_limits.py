"""The ends of what can be written: whole numbers beyond 2**53, types of labels, deep trees, names, keys, tampering."""

from __future__ import annotations

import shutil
import sqlite3

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, ParameterError, ParameterTypeError
from boxwood.data.columns.columns import Columns
from boxwood.exports.export import export, verify
from boxwood.exports.plan import ExportPlan
from boxwood.exports.registry import DIALECTS as OFFERED
from boxwood.exports.sql_dialects import DIALECTS
from boxwood.exports.sql_text import binary_number
from exports.problems import case
from tree.random_trees import chain

BIG = 2**53
HERE = [
    name
    for name, needed in {"python": "python3", "c": "cc", "js": "node", "r": "Rscript"}.items()
    if shutil.which(needed)
]


def wide_rows() -> tuple[dict, list]:
    """Whole numbers that doubles do not keep apart, and labels that hang on each of them."""
    code = [BIG + i for i in range(-3, 9)] + [2**60 + i for i in range(6)] + [-(2**61) + i for i in range(6)]
    return {"code": np.array(code)}, [f"c{i % 3}" for i in range(len(code))]


@pytest.mark.parametrize(("to", "dialect"), [("python", None), ("js", None), ("sql", "sqlite"), ("sql", "duckdb")])
def test_whole_numbers_beyond_doubles(to, dialect):
    if to == "js" and "js" not in HERE:
        pytest.skip("there is no node")
    if dialect == "duckdb":
        pytest.importorskip("duckdb")
    X, y = wide_rows()
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.predict(X).tolist() == y
    verdict = model.verify_export(to, X, **({"dialect": dialect} if dialect else {}))
    assert verdict, str(verdict)
    assert verdict.rows == len(y)


@pytest.mark.parametrize("to", ["c", "xlsx", "r"])
def test_what_takes_doubles_refuses_them(to):
    X, y = wide_rows()
    with pytest.raises(ParameterError, match=r"2\*\*53|does not hold numbers"):
        CARTClassifier(pruning=None).fit(X, y).export(to)


@pytest.mark.parametrize("to", [*(to for to in HERE if to != "r"), "sql"])
def test_levels_that_are_whole_numbers_beyond_doubles(to):
    X, y = wide_rows()
    model = CARTClassifier(pruning=None, categorical_features=["code"]).fit(X, y)
    new = {"code": [*X["code"].tolist(), BIG + 100, None]}
    verdict = model.verify_export(to, new, **({"dialect": "sqlite"} if to == "sql" else {}))
    assert verdict, str(verdict)
    assert verdict.rows == len(y) + 2


@pytest.mark.parametrize("labels", [(False, True), (3, 17), (2.0, 17.0), ("", "ß")])
@pytest.mark.parametrize("to", [*HERE, "sql", "json"])
def test_types_of_labels(labels, to):
    y = [labels[i > 2] for i in range(6)]
    model = CARTClassifier(pruning=None).fit([[float(i)] for i in range(6)], y)
    verdict = model.verify_export(to, [[1.0], [2.5], [9.0], [None]], **({"dialect": "sqlite"} if to == "sql" else {}))
    assert verdict, str(verdict)


@pytest.mark.parametrize("to", [*HERE, "sql"])
def test_a_tree_of_one_leaf_and_a_deep_one(to):
    options = {"dialect": "sqlite"} if to == "sql" else {}
    one = CARTRegressor(pruning=None).fit([[1.0], [1.0]], [2.5, 2.5])
    verdict = one.verify_export(to, [[1.0], [None]], **options)
    assert verdict, str(verdict)
    tree = chain(300)
    age = np.concatenate([np.arange(-2, 304) / 2, [np.nan, np.inf]])
    values = [age if f.kind == "numeric" else np.zeros(len(age), np.int32) for f in tree.schema]
    verdict = verify(
        ExportPlan(tree), Columns(tree.schema, len(age), tuple(values), (None,) * len(values), {}), to, **options
    )
    assert verdict, str(verdict)


def test_binary_numbers_are_read_exactly_by_sqlite():
    rng = np.random.default_rng(0)
    values = [
        *rng.normal(size=300),
        *np.exp(rng.normal(scale=200, size=200)),
        0.1,
        -0.3,
        5e-324,
        1.7976931348623157e308,
    ]
    values += [0.0, -0.0, 41.5, 1e16, 1e22, 2.0**1000, 123456789.123456789]
    database = sqlite3.connect(":memory:")
    for value in map(float, values):
        assert database.execute(f"SELECT {binary_number(value)}").fetchone() == (value,), value


def test_every_dialect_that_is_offered_is_there():
    assert tuple(DIALECTS) == OFFERED


def fitted(names: list[str], levels: tuple[str, str] = ("a", "b")):
    rows = {name: [levels[i >> k & 1] for i in range(8)] for k, name in enumerate(names)}
    return CARTClassifier(pruning=None, max_surrogates=0).fit(rows, [bin(i).count("1") % 2 for i in range(8)])


@pytest.mark.parametrize(
    ("names", "dialect", "why"),
    [
        (["x" * 64], "postgres", "at most 63 bytes"),
        (["城" * 22], "postgres", "at most 63 bytes"),
        (["age", "Age"], "duckdb", "upper and lower case only"),
        (["a\0b"], "sqlite", "character NUL"),
        ([""], "duckdb", "cannot be empty"),
        (['a"b'], "oracle", "cannot hold a quotation mark"),
        (["a.b"], "bigquery", "cannot hold '.'"),
        (["a "], "mysql", "cannot end with a blank"),
        (["${a}"], "databricks", "cannot hold '"),
        (["a\0"], "clickhouse", "character NUL"),
    ],
)
def test_names_that_a_database_does_not_have(names, dialect, why):
    with pytest.raises(ParameterError, match=why):
        fitted(names).export("sql", dialect=dialect)


def test_names_that_it_does_have():
    assert "[a]]b]" in fitted(["a]b"]).export("sql", dialect="sqlserver")
    assert "`a``b`" in fitted(["a`b"]).export("sql", dialect="mysql")
    assert "`a``b`" in fitted(["a`b"]).export("sql", dialect="databricks")
    assert r"`a\`\\b`" in fitted(["a`\\b"]).export("sql", dialect="clickhouse")
    text = fitted(["age", "Age"]).export("sql", dialect="postgres")
    assert '"age"' in text
    assert '"Age"' in text


def test_texts_that_look_equal_to_a_database():
    assert "_utf8mb4 X'615c62'" in fitted(["x"], ("a\\b", "c")).export("sql", dialect="mysql")
    assert r"'a\\b\nc'" in fitted(["x"], ("a\\b\nc", "c")).export("sql", dialect="bigquery")
    assert "N'a\\' + N'\nb.'" in fitted(["x"], ("a\\\nb", "c")).export("sql", dialect="sqlserver")
    assert r"E'a\\b'" in fitted(["x"], ("a\\b", "c")).export("sql", dialect="postgres")
    assert r"'\u0024{a} \\\''" in fitted(["x"], ("${a} \\'", "c")).export("sql", dialect="databricks")
    assert r"'a\\\''" in fitted(["x"], ("a\\'", "c")).export("sql", dialect="clickhouse")
    with pytest.raises(ParameterError, match="tell the level '' from a missing value"):
        fitted(["x"], ("", "c")).export("sql", dialect="oracle")
    with pytest.raises(ParameterError, match="character NUL"):
        fitted(["x"], ("a\0", "c")).export("c")


def test_mixed_levels_are_refused_by_sql():
    pandas = pytest.importorskip("pandas")
    mixed = pandas.DataFrame({"x": pandas.Categorical([1, "1", 1, "1"])})
    model = CARTClassifier(pruning=None).fit(mixed, [0, 1, 0, 1])
    with pytest.raises(ParameterError, match="mixes texts, numbers or truth values"):
        model.export("sql")
    with pytest.raises(ParameterError, match="levels of several types, and R knows one type per column") as refused:
        model.export("r")
    assert (refused.value.column, refused.value.remedy) == ("x", "turn them all into text and fit again")
    for to in HERE:
        assert to == "r" or model.verify_export(to, mixed)


def test_nan_and_short_floats_in_a_database():
    duckdb = pytest.importorskip("duckdb")
    model = CARTClassifier(pruning=None, missing="own_branch").fit(
        [[0.1], [0.1], [0.1], [np.nan], [0.3], [0.3]], ["low", "low", "low", "lost", "high", "high"]
    )
    cut = float(model.tree_.splits.breaks[0])
    with duckdb.connect() as database:
        database.execute("CREATE TABLE data (x0 FLOAT)")
        database.execute(f"INSERT INTO data VALUES ('NaN'), (NULL), (CAST({cut!r} AS FLOAT))")
        found = database.execute(model.export("sql")).fetchall()
    short = "low" if float(np.float32(cut)) <= cut else "high"
    assert [row[2] for row in found] == ["lost", "lost", short]


def test_sql_adds_up_by_a_key_that_tells_rows_apart():
    rows = {"x": ["a", "b", "c", None] * 5, "z": [1.0, 2.0] * 10}
    model = C45Classifier(pruning=None).fit(rows, ["no", "yes", "yes", "no"] * 5)
    with pytest.raises(ParameterError, match="give key="):
        model.export("sql")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (id, x, z)")
    database.executemany("INSERT INTO data VALUES (?, ?, ?)", [(1, "a", 1.0), (2, None, 2.0), (2, "b", 1.0)])
    found = database.execute(model.export("sql", dialect="sqlite", key="id")).fetchall()
    want = model.predict_proba({"x": ["a"], "z": [1.0]})[0].tolist()
    assert sorted(found) == [(1, model.predict({"x": ["a"], "z": [1.0]})[0], *want), (2, None, None, None)]


@pytest.mark.parametrize("table", ["asked", "stage_1", "Branches", 'my "table" 表'])
def test_names_of_tables_and_keys(table):
    problem = case("c45")
    some = problem.columns.take(np.arange(50))
    verdict = problem.model.verify_export("sql", some, dialect="sqlite", table=table, key=["node", "share", "row"])
    assert verdict, str(verdict)
    verdict = case("chaid").model.verify_export("sql", some, dialect="sqlite", table=table, key="node")
    assert verdict, str(verdict)


@pytest.mark.parametrize("to", ["python", "sql"])
def test_a_changed_export_is_found_out(to):
    model = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 7.25])
    options = {"dialect": "sqlite"} if to == "sql" else {}
    text = model.export(to, **options)
    verdict = model.verify_export(to, [[1.0], [2.5], [3.0]], text.replace("7.25", "7.5"), **options)
    assert verdict.rows == 3
    assert 1 < verdict.mismatches <= verdict.made + 1
    assert (verdict.examples[0].row, verdict.examples[0].what) == (2, "prediction")
    assert (verdict.examples[0].expected, verdict.examples[0].found) == (7.25, 7.5)
    assert f"in {verdict.mismatches} of 3 rows and {verdict.made} rows made to test the edges" in str(verdict)
    assert "\n  row 2 {'x0': 3.0}: prediction 7.5, not 7.25" in str(verdict)


def test_options_are_checked():
    model = fitted(["x"])
    with pytest.raises(ParameterError, match=r"format must be one of 'sql', .*got 'cobol'"):
        model.export("cobol")
    with pytest.raises(ParameterError, match=r"no format has the suffix '.cob'"):
        model.export(path="tree.cob")
    with pytest.raises(ParameterError, match="dialect is not an option of the format 'c'; its options are prefix"):
        model.export("c", dialect="sqlite")
    with pytest.raises(ParameterError, match="dialect must be one of 'duckdb'"):
        model.export("sql", dialect="dbase")
    with pytest.raises(ParameterTypeError, match="table must be a text or a list of texts; got 3"):
        model.export("sql", table=3)
    with pytest.raises(ParameterError, match="prefix must be letters"):
        model.export("c", prefix="a-b")
    with pytest.raises(ParameterError, match="unseen must be one of"):
        model.tree_.export("python", unseen="maybe")
    with pytest.raises(ParameterError, match="no engine here that runs SQL for mysql"):
        model.verify_export("sql", {"x": ["a"]}, dialect="mysql")


def test_files_are_written_whole(tmp_path):
    model = fitted(["x"])
    for name in ("tree.py", "tree.sql", "tree.c", "tree.js", "tree.json", "tree.dot", "tree.xlsx"):
        content = model.export(path=tmp_path / name)
        written = (tmp_path / name).read_bytes()
        assert written == (content if isinstance(content, bytes) else content.encode())
    assert export(ExportPlan(model.tree_), "js") == (tmp_path / "tree.js").read_text(encoding="utf-8")


@pytest.mark.skipif("c" not in HERE, reason="there is no C compiler")
@pytest.mark.parametrize("kind", ["surrogates", "c45 deep", "refuses gaps", "rates"])
def test_c_gives_no_warning(kind, tmp_path):
    import subprocess

    (tmp_path / "tree.c").write_text(case(kind).model.export("c", prefix="a_"), encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-overlength-strings"]
    done = subprocess.run(["cc", *flags, "-c", "tree.c"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

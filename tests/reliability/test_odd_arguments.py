"""Arguments that once led to a raw error of Python, numpy or scikit-learn: each now names what is allowed."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.tree import DecisionTreeClassifier

import boxwood
from boxwood import CARTClassifier, CARTRegressor, measures
from boxwood.data.columns.schema import NUMERIC, Feature, Schema
from boxwood.data.files.files import read_table
from boxwood.data.files.text_writers import CsvWriter
from boxwood.errors import (
    BoxwoodError,
    DataError,
    DataTypeError,
    FileError,
    ParameterError,
    ParameterTypeError,
    ResponseError,
)
from boxwood.exports.export import export
from boxwood.exports.plan import ExportPlan
from boxwood.pruning.error_based import Pessimism
from boxwood.tree.tree import STAYS
from boxwood.views.words import rounded
from tree.random_trees import random_tree

X = {"a": [1.0, 2, 3, 4] * 6, "b": ["x", "y"] * 12}
Y = ["p", "q", "q", "p"] * 6
MODEL = CARTClassifier(pruning=None).fit(X, Y)
NUMBERS = CARTRegressor(pruning=None).fit(X, range(24))
TREE = MODEL.tree_
NO_WORDS = [np.array(["split", "up"]), pd.DataFrame({"a": [1, 2]}), pd.Series(["x", "y"]), pd.NA, {}, ["gini"], 3]

CHOICES = {
    "by": lambda v: MODEL.reason_codes(X, "p", by=v),
    "direction": lambda v: MODEL.reason_codes(X, "p", direction=v),
    "kind": lambda v: MODEL.importance(v),
    "branches": lambda v: MODEL.explain_split(X, Y, branches=v),
    "style": lambda v: MODEL.cp_table(v),
    "unseen": lambda v: TREE.predict(X, unseen=v),
    "unseen of export": lambda v: TREE.export("sql", unseen=v),
    "unseen of explain": lambda v: TREE.explain(X, unseen=v),
    "unseen of shap_values": lambda v: TREE.shap_values(X, unseen=v),
    "unseen of explore": lambda v: TREE.explore(unseen=v),
    "backend": lambda v: TREE.to_frame(v),
    "kind of plot_gains": lambda v: MODEL.plot_gains(X, Y, "p", kind=v),
    "direction of to_svg": lambda v: MODEL.to_svg(direction=v),
    "rule": lambda v: boxwood.CostComplexity(rule=v),
    "largest": lambda v: Pessimism(largest=v),
    "ties": lambda v: boxwood.pruners.ReducedError(ties=v),
    "unreached": lambda v: boxwood.pruners.PrePruning(unreached=v),
    "by of counterfactual": lambda v: MODEL.counterfactual({"a": [1.0], "b": ["x"]}, "q", by=v),
}


@pytest.mark.parametrize("given", NO_WORDS, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_that_is_no_word_names_the_words(choice, given):
    with pytest.raises(ParameterError, match=rf"{choice.split()[0]} must be one of '.*; got "):
        CHOICES[choice](given)


@pytest.mark.parametrize("given", NO_WORDS, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda v: MODEL.reason_codes(X, v),
        lambda v: MODEL.plot_gains(X, Y, v),
        lambda v: MODEL.counterfactual({"a": [1.0], "b": ["x"]}, v),
        lambda v: MODEL.counterfactual({"a": [1.0], "b": ["x"]}, "q", allowed=v if not isinstance(v, dict) else [1]),
        lambda v: MODEL.reason_codes(X, "p", codes=v if not isinstance(v, dict) else [1]),
        lambda v: MODEL.verify_export("python", X, v),
        lambda v: MODEL.importance(normalize=v),
        lambda v: MODEL.explain(X).to_text(v if not isinstance(v, int) else "x"),
        lambda v: MODEL.score(X, v),
        lambda v: NUMBERS.score(X, v),
        lambda v: TREE.impurity(v),
    ],
)
def test_an_argument_of_a_wrong_kind_raises_our_error(call, given):
    with pytest.raises(BoxwoodError) as raised:
        call(given)
    assert str(raised.value)


def test_responses_of_different_lengths():
    spline = boxwood.MARSRegressor().fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 4.0])
    for use in (lambda y: spline.fit([[1.0], [2.0]], y), lambda y: spline.anova([[1.0], [2.0]], y)):
        with pytest.raises(ResponseError, match="the rows of y have different lengths"):
            use([[1, 2], [3]])


def test_score_still_scores():
    assert MODEL.score(X, Y) == np.mean(MODEL.predict(X) == Y)
    assert NUMBERS.score(X, list(range(24)), [1.0] * 24) <= 1.0
    with pytest.raises(DataError, match="cannot be compared with the predictions"):
        MODEL.score(X, Y[:3])


@pytest.mark.parametrize("content", ["", "x", "x = 1", b"\0", "def f(:", "raise KeyError"])
@pytest.mark.parametrize("format", ["python", "sql"])
def test_a_content_that_is_no_export(format, content):
    with pytest.raises(ParameterError, match="content cannot be run as"):
        MODEL.verify_export(format, X, content)
    with pytest.raises(ParameterTypeError, match=r"content must be what export gave"):
        MODEL.verify_export(format, X, {})


def test_measures_of_text():
    with pytest.raises(DataError, match="p must be an array of numbers"):
        measures.self_information("x")


def test_half_of_a_surrogate_pair_is_refused_by_every_format_of_text():
    schema = Schema((Feature("a\ud800", NUMERIC, (), "float64 column"),), named=True)
    tree = random_tree(3, "classes", 9, schema)
    for dialect in ("mysql", "duckdb", "sqlite"):
        with pytest.raises(ParameterError, match="half of a surrogate pair"):
            export(ExportPlan(replace(tree, missing=np.full_like(tree.missing, STAYS))), "sql", dialect=dialect)
    for form in ("python", "json", "dot", "js"):
        with contextlib.suppress(ParameterError):
            export(ExportPlan(tree), form).encode()


def test_a_table_of_one_column_keeps_its_rows(tmp_path):
    for column in (["x", None, "=1", 'a"b'], [1.5, None, None], [None, True]):
        table = pa.table({"a": column})
        with open(tmp_path / "t.csv", "wb") as file:
            CsvWriter(file).write(table)
        back = read_table(tmp_path / "t.csv").column(0).to_pylist()
        assert len(back) == len(column)
        assert [value is None for value in back] == [value is None for value in column]


@pytest.mark.parametrize("beside", [{}, {"b": [1, 2]}])
def test_bytes_that_are_no_text_are_not_lost_in_csv(beside):
    """Beside another column, only the line of names was written."""
    for kind in (pa.binary(), pa.large_binary(), pa.binary(2)):
        table = pa.table({"a": pa.array([b"\xff\xfe", None], kind), **beside})
        with pytest.raises(FileError, match="column 'a' holds bytes that are not text"):
            CsvWriter(io.BytesIO()).write(table)


def test_any_number_of_digits():
    assert rounded("0.1", 0.1, 2**70) == rounded("0.1", 0.1, 18) == "0.1"
    assert rounded("24.808349999999997", 24.808349999999997, 2**70) == "24.808349999999997"


def test_a_source_that_takes_arguments_or_fails():
    with pytest.raises(DataTypeError, match="callable without arguments"):
        CARTClassifier().fit_stream(lambda path: [], "y")

    def fails():
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        CARTClassifier().fit_stream(fails, "y")


def test_a_damaged_tree_of_scikit_learn():
    for odd in (-9, 99):
        model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
        state = model.tree_.__getstate__()
        state["nodes"]["feature"][0] = odd
        model.tree_.__setstate__(state)
        with pytest.raises(DataTypeError, match="a feature that it does not have"):
            boxwood.from_sklearn(model)


def test_the_report_names_the_deviance_of_counts():
    x = np.arange(200.0)[:, None]
    counts = (np.arange(200) // 50) + np.arange(200) % 2
    for criterion, words in (("poisson", "mean Poisson deviance"), ("variance", "mean squared error")):
        model = boxwood.CARTRegressor(criterion=criterion).fit(x, counts)
        assert words in " ".join(model.model_.remarks())


def test_flags_and_words_refuse_tables():
    table = pd.DataFrame({"a": [1, 2]})
    with pytest.raises(ParameterTypeError, match="refuse_missing must be True or False"):
        MODEL.tree_.verify_export("python", X, refuse_missing=np.array(["a", "b"]))
    with pytest.raises(ParameterError, match="missing must be"):
        measures.table(["a", "b"], ["x", "y"], missing=table)
    with pytest.raises(ParameterError, match="target_class must be one of"):
        MODEL.evaluate(X, Y, target_class=table)


@pytest.mark.parametrize("method", ["explain", "shap_values", "apply", "decision_path"])
def test_no_table_is_no_table_of_rows(method):
    for holder in (MODEL, TREE):
        with pytest.raises((DataError, DataTypeError)):
            getattr(holder, method)(None)

"""What changed between two trees: complete, disjoint, in words, and applied to the first it predicts as the second."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxwood
from boxwood import BoxwoodWarning, C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, CHAIDRegressor
from boxwood.errors import DataError, ParameterError, ParameterTypeError
from boxwood.model.applied_tree import TreeAlone
from boxwood.model.diff.diff import diff_of
from boxwood.model.readable import readable
from effort import examples
from tree.random_trees import random_tree
from tree.slow_descent import random_columns

KINDS = {
    "surrogates": lambda: CARTClassifier(pruning=None, max_depth=4),
    "pruned": CARTClassifier,
    "learned": lambda: CARTClassifier(pruning=None, max_depth=4, missing="learned", unseen="majority"),
    "branch": lambda: CARTClassifier(pruning=None, max_depth=4, missing="own_branch", unseen="stay"),
    "costs": lambda: CARTClassifier(pruning=None, max_depth=3, costs=[[0, 1, 2], [3, 0, 1], [1, 5, 0]]),
    "c45": lambda: C45Classifier(max_depth=3),
    "c45 all": lambda: C45Classifier(max_depth=3, unseen="majority"),
    "id3": lambda: boxwood.ID3Classifier(missing="majority", max_depth=3),
    "cls": lambda: boxwood.CLSClassifier(missing="own_branch", max_depth=3),
    "chaid": lambda: CHAIDClassifier(min_samples_split=20, min_samples_leaf=8),
}
NUMBERS = {
    "means": lambda: CARTRegressor(pruning=None, max_depth=4),
    "absent": lambda: CARTRegressor(pruning=None, max_depth=4, missing="own_branch"),
    "chaid": lambda: CHAIDRegressor(min_samples_split=20, min_samples_leaf=8),
    "rates": lambda: CARTRegressor(pruning=None, max_depth=3, criterion="poisson"),
}


def rows(n: int, seed: int, cities: str = "東西南北") -> dict[str, list]:
    """Numbers, levels, truth values and dates, each with gaps."""
    rng = np.random.default_rng(seed)
    found = {
        "size": rng.normal(size=n).round(1).tolist(),
        "count": rng.integers(-5, 6, n).tolist(),
        "都市": [cities[i] for i in rng.integers(0, len(cities), n)],
        "flag": [bool(v) for v in rng.integers(0, 2, n)],
    }
    return {k: [None if lost else v for lost, v in zip(rng.random(n) < 0.12, c, strict=True)] for k, c in found.items()}


def signal(X: dict[str, list], seed: int) -> np.ndarray:
    size, count = (np.array([0.5 if v is None else v for v in X[name]], float) for name in ("size", "count"))
    city = np.array([1.0 if v is None else "東西南北中".index(v) for v in X["都市"]])
    return size * (city > 1) + 0.4 * count + city + np.random.default_rng(seed).normal(scale=0.6, size=len(size))


def fitted(make, seed: int, cities: str = "東西南北"):
    model, X = make(), rows(300, seed, cities)
    if type(model).__name__ in ("ID3Classifier", "CLSClassifier"):
        X = {name: X[name] for name in ("都市", "flag")}
    value = signal(rows(300, seed, cities), seed)
    y = [["低", "mid", "high"][int(v)] for v in np.digitize(value, [-0.5, 2.0])]
    if boxwood.__dict__["CARTRegressor"] is type(model) or type(model).__name__ == "CHAIDRegressor":
        y = np.floor(np.abs(value)) if getattr(model, "criterion", "") == "poisson" else value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        return model.fit(X, y)


def check_applied(a, b, X) -> None:
    """The diff applied to a gives b; and it is empty only where both agree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        with boxwood.config_context(columns="by_name"):
            found = boxwood.diff(a, b, X)
            old, new, applied = a.predict(X), b.predict(X), found.apply(a)
            assert applied.predict(X).tolist() == new.tolist()
            if found.labels:
                ours, theirs = applied.predict_proba(X), b.predict_proba(X)
                theirs = dict(zip(b.classes_.tolist(), theirs.T, strict=True))
                for label, column in zip(found.labels, ours.T, strict=True):
                    np.testing.assert_allclose(column, theirs.get(label, 0.0), rtol=1e-9, atol=1e-12)
    moved = sum(s.rows for s in found if s.changes_class or not found.labels)
    assert moved == (old != new).sum()


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_applied_to_the_first_it_predicts_as_the_second(first, second):
    a, b = fitted(KINDS[first], 1), fitted(KINDS[second], 2, "東西北中")
    check_applied(a, b, rows(500, 3, "東西南北中新"))


@pytest.mark.parametrize("first", NUMBERS)
@pytest.mark.parametrize("second", NUMBERS)
def test_numbers(first, second):
    a, b = fitted(NUMBERS[first], 1), fitted(NUMBERS[second], 2, "東西北中")
    check_applied(a, b, rows(500, 3, "東西南北中新"))


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["classes", "mean", "rate"]))
def test_random_trees(seed, kind):
    a, b = (
        TreeAlone(readable(random_tree(seed + k, kind, 9)), ("missing", "majority", "stay")[(seed + k) % 3])
        for k in (0, 1)
    )
    columns = random_columns(a.tree.schema, seed, 100)
    found = diff_of(a, b)
    cell, old, new = found.cell_of(columns), a.answer(columns, "value"), b.answer(columns, "value")
    inside = cell >= 0
    assert new[inside].tolist() == pytest.approx([found.cells[c].new.value for c in cell[inside]], rel=1e-9)
    assert old[inside].tolist() == pytest.approx([found.cells[c].old.value for c in cell[inside]], rel=1e-9)
    assert old[~inside].tolist() == pytest.approx(new[~inside].tolist(), rel=1e-9)
    for i, one in enumerate(found.cells):
        for other in found.cells[:i]:
            assert any(not p.within(q) for p, q in zip(one.box, other.box, strict=True))


def test_a_tree_and_itself_and_the_same_tree_built_otherwise_do_not_differ():
    a = fitted(KINDS["surrogates"], 1)
    assert len(boxwood.diff(a, a)) == 0
    assert str(boxwood.diff(a, a)) == "Both models give every row the same answer."
    X = {"x": [1, 2, 3, 4], "z": [1, 1, 2, 2]}
    one = CARTRegressor(pruning=None, missing="majority").fit(X, [0, 1, 2, 3])
    other = CARTRegressor(pruning=None, missing="majority").fit(X, [0, 1, 2, 3])
    assert len(boxwood.diff(one, other.tree_)) == 0


def test_segments_in_words_with_rows_and_errors():
    X = {"年龄": [20, 30, 40, 50, 60, 70], "city": ["Ulm"] * 3 + ["京都"] * 3}
    a = CARTClassifier(pruning=None, missing="majority").fit(X, ["拒绝"] * 3 + ["批准"] * 3)
    b = CARTClassifier(pruning=None, missing="majority").fit(X, ["拒绝"] * 4 + ["批准"] * 2)
    found = boxwood.diff(a, b, X, ["拒绝"] * 4 + ["批准"] * 2)
    assert str(found) == (
        "1 of 6 rows (16.7 %) gets another answer; 1 (16.7 %) another class.\n"
        "  1. 45 < 年龄 <= 55: 批准 → 拒绝, probability of 拒绝 0.000 → 1.000; 1 row (16.7 %); wrong 100.0 % → 0.0 %"
    )
    assert str(boxwood.diff(a, b)).splitlines()[0] == "1 segment gets another answer; 1 another class."
    (segment,) = found
    assert (segment.old, segment.new, segment.change, segment.rows) == ("批准", "拒绝", 1.0, 1)
    assert found.to_records()["where"] == [segment.where]
    assert found.to_frame("dict")["rows"] == [1]
    assert "<td>45 &lt; 年龄 &lt;= 55</td>" in found.to_html()
    conditions = {"年龄": {"intervals": [[45.0, 55.0]], "missing": False}}
    assert found.to_dict()["cells"] == [{"conditions": conditions, "old": [1.0, 0.0], "new": [0.0, 1.0]}]


def test_sums_of_parts_add_up():
    a, b, X = fitted(KINDS["pruned"], 1), fitted(KINDS["learned"], 2), rows(200, 3)
    found = boxwood.diff(a, b, X, a.predict(X))
    columns, y = a._read(X)[1], a.predict(X)
    halves = [found.sums_of(columns.take(part), y[part]) for part in (np.arange(90), np.arange(90, 200))]
    assert found.with_sums(halves[0] + halves[1]).to_dict() == found.to_dict()


def test_classes_and_features_that_only_one_model_knows():
    X, y = {"x": [1, 2, 3, 4]}, ["a", "a", "b", "b"]
    a = CARTClassifier(pruning=None).fit(X, y)
    b = CARTClassifier(pruning=None).fit({"z": [1, 2, 3, 4], "x": [0, 0, 0, 0]}, ["a", "a", "c", "c"])
    found, both = boxwood.diff(a, b), {"x": [1, 4, 1, 4, None], "z": [1, 1, 4, 4, 4]}
    assert found.labels == ("a", "b", "c")
    assert found.apply(a).predict(both).tolist() == ["a", "a", "c", "c", "c"]
    assert found.apply(a).predict_proba(both)[3].tolist() == [0.0, 0.0, 1.0]


def test_true_is_not_one():
    a = CARTClassifier(pruning=None).fit({"x": [1, 2]}, [True, False])
    b = CARTClassifier(pruning=None).fit({"x": [1, 2]}, [1, 0])
    assert boxwood.diff(a, b).labels == (False, True, 0, 1)


def test_dates_and_numbers_beyond_floats():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"opened": pd.date_range("2020-01-01", periods=40, freq="17h"), "id": 2**60 + np.arange(40)})
    y, other = np.arange(40) > 20, np.arange(40) > 25
    for columns in (["opened"], ["id"]):
        a, b = (CARTClassifier(pruning=None).fit(X[columns], which) for which in (y, other))
        found = boxwood.diff(a, b, X[columns])
        assert [segment.rows for segment in found] == [5]
        assert found.apply(a).predict(X[columns]).tolist() == other.tolist()


def test_ordered_levels_that_differ_are_a_set():
    pd = pytest.importorskip("pandas")

    def frame(levels: str, order: list[str]):
        return pd.DataFrame({"grade": pd.Categorical(list(levels), order, ordered=True)})

    a = CARTClassifier(pruning=None).fit(frame("abc", ["a", "b", "c"]), [0, 0, 1])
    b = CARTClassifier(pruning=None).fit(frame("abcd", ["a", "b", "c", "d"]), [0, 1, 1, 1])
    assert [segment.where for segment in boxwood.diff(a, b)] == ["grade in {b, d} or missing or new"]


def test_arrays_are_read_by_position():
    X, y = np.random.default_rng(0).normal(size=(100, 3)), np.arange(100) % 3
    a, b = CARTRegressor(max_depth=3).fit(X, y), CARTRegressor(max_depth=4, pruning=None).fit(X, y)
    assert boxwood.diff(a, b, X).apply(a).predict(X).tolist() == b.predict(X).tolist()
    with pytest.raises(ParameterTypeError, match="model must be the first model of the diff; got None"):
        boxwood.diff(a, b).apply(None)
    with pytest.raises(DataError, match="3 features without names and the second 2"):
        boxwood.diff(a, CARTRegressor().fit(X[:, :2], y))


def test_rows_that_one_model_refuses():
    X, y = {"x": [1.0, 2.0, 3.0, 4.0]}, ["a", "a", "b", "b"]
    a = CARTClassifier(pruning=None).fit(X, y)
    b = CARTClassifier(pruning=None, missing="error").fit(X, ["a", "b", "b", "b"])
    found = boxwood.diff(a, b)
    assert found.apply(a).predict({"x": [2.0]}).tolist() == ["b"]
    with pytest.raises(
        DataError, match=r"column 'x' holds a value in row 1 .* one of the two models refuses"
    ) as caught:
        found.apply(a).predict({"x": [2.0, None]})
    assert (caught.value.column, caught.value.row) == ("x", 1)


def test_what_cannot_be_compared_is_refused_by_name():
    X, y = {"x": [1, 2, 3, 4], "c": list("uvuv")}, ["a", "a", "b", "b"]
    a = CARTClassifier(pruning=None).fit(X, y)
    number = CARTRegressor(pruning=None).fit(X, [1, 2, 3, 4])
    with pytest.raises(DataError, match="predicts classes and the second numbers"):
        boxwood.diff(a, number)
    text = CARTClassifier(pruning=None).fit({"x": list("mmnn"), "c": X["c"]}, y)
    with pytest.raises(DataError, match="column 'x' is numeric in the first model and nominal in the second") as caught:
        boxwood.diff(a, text)
    assert caught.value.column == "x"
    assert caught.value.remedy
    coded = CARTClassifier(pruning=None, missing_values={"x": [9]}).fit(X, y)
    with pytest.raises(DataError, match="column 'x' has other codes for missing values"):
        boxwood.diff(a, coded)
    pd = pytest.importorskip("pandas")
    days, hours = (pd.DataFrame({"at": pd.date_range("2020-01-01", periods=4, freq=f)}) for f in ("D", "h"))
    first, second = (CARTClassifier(pruning=None).fit(each, y) for each in (days, hours))
    with pytest.raises(DataError, match="column 'at' is counted in another unit or time zone"):
        boxwood.diff(first, second)
    with pytest.raises(ParameterTypeError, match="b must be a fitted tree estimator or a Tree; got 'x'"):
        boxwood.diff(a, "x")
    with pytest.raises(ParameterError, match="y needs rows; give X as well"):
        boxwood.diff(a, a, y=y)
    with pytest.raises(ParameterError, match="model must be the first model of the diff"):
        boxwood.diff(a, a).apply(number)
    with pytest.raises(ParameterError, match="max_segments must be a whole number of at least 1 or None; got 0"):
        boxwood.diff(a, a).to_text(0)
    rates = CARTRegressor(pruning=None, criterion="poisson").fit(X, [1, 2, 3, 4])
    with pytest.raises(ParameterError, match="y holds counts"):
        boxwood.diff(rates, rates, X, [1, 2, 3, 4])


def test_too_many_boxes_are_refused(monkeypatch):
    monkeypatch.setattr("boxwood.model.diff.cells._MOST", 3)
    with pytest.raises(DataError, match="more than 3 boxes in common"):
        boxwood.diff(fitted(KINDS["surrogates"], 1), fitted(KINDS["surrogates"], 2))


def test_texts_may_be_written_in_another_form():
    days = [f"{day:02}.{month:02}.2021" for month in (3, 4) for day in (2, 9, 14, 28)]
    iso = ["-".join(reversed(day.split("."))) for day in days]
    old = CARTClassifier(pruning=None, date_formats={"時刻": "%d.%m.%Y"}).fit({"時刻": days}, list("aaabbbbb"))
    new = CARTClassifier(pruning=None, date_formats={"時刻": "iso"}).fit({"時刻": iso}, list("aaaaabbb"))
    found = boxwood.diff(old, new, {"時刻": days})
    assert str(found).splitlines()[1].startswith("  1. 2021-03-21 < 時刻 <= 2021-04-05 or missing: b → a")
    assert [segment.rows for segment in found] == [2]
    assert found.apply(old).predict({"時刻": days}).tolist() == list("aaaaabbb")
    assert [segment.rows for segment in boxwood.diff(new, old, {"時刻": iso})] == [2]
    written = CARTClassifier(pruning=None, numeric_features={"preis": "1.234,5 €"})
    written.fit({"preis": [f"{price},50 €" for price in range(8)]}, list("aaabbbbb"))
    plain = CARTClassifier(pruning=None).fit({"preis": [price + 0.5 for price in range(8)]}, list("aaaabbbb"))
    assert str(boxwood.diff(plain, written)).splitlines()[1].startswith("  1. 3 < preis <= 4 or missing: a → b")

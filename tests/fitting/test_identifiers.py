"""Columns that name rows change neither splits nor surrogates nor folds, in memory, in parts and at workers."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    MARSRegressor,
    TreeClassifier,
)
from boxwood.algorithms.cart import CART
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.cli import main
from boxwood.data.columns.identifiers import are_identifiers, are_names
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import DataError, KindWarning
from boxwood.growing.parts.layout import Roles
from cluster.in_process import InProcess

N = 800
RNG = np.random.default_rng(1)
ORDER = RNG.permutation(N)
TEXT = np.array([f"c{i:04}" for i in ORDER])
#: Columns that name the rows of the table.
NAMING = {
    "rising": np.arange(N),
    "mixed, from 1000": 1000 + ORDER,
    "as floats": ORDER.astype(float),
    "text": TEXT,
    "some missing": np.where(np.arange(N) % 7 == 0, np.nan, ORDER),
    "two of three": ORDER * 3 // 2,
    "text, some twice": np.array([f"c{i if i % 30 else 1}" for i in ORDER]),
}
#: Columns that describe them.
DESCRIBING = {
    "floats": RNG.normal(size=N),
    "floats of one decimal": ORDER / 10,
    "whole numbers far apart": ORDER * ORDER,
    "whole numbers that repeat": ORDER // 2,
    "levels of two rows": np.array([f"c{i // 2}" for i in ORDER]),
    "one level in many rows": np.where(ORDER < 60, "none", TEXT),
    "infinite": np.where(ORDER == 0, np.inf, ORDER),
    "beyond 2**53": ORDER + 2**60,
}


def table(missing: float = 0.0) -> tuple[dict, np.ndarray]:
    """Numbers, whole numbers and levels that tell something of two classes; a share of the numbers is missing."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=N), rng.integers(0, 5, N)
    y = np.where(a + 0.5 * (b > 2) + rng.normal(size=N) * 0.7 > 0.5, "p", "n")
    a = np.where(rng.random(N) < missing, np.nan, a)
    return {"a": a, "b": b, "c": np.array(list("xyz"))[rng.integers(0, 3, N)]}, y


def fitted(model, X, y):
    """The model, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return model, [str(w.message) for w in caught if w.category is KindWarning]


def same_tree(one, other) -> bool:
    names = ("parent", "missing", "moments", "rows")
    tests = ("feature", "breaks", "index")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names) and all(
        np.array_equal(getattr(getattr(one, of), n), getattr(getattr(other, of), n))
        for of in ("splits", "surrogates") for n in tests
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMING)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_column_that_names_rows_changes_nothing(name, missing):
    X, y = table(missing)
    plain, none = fitted(CARTClassifier(), X, y)
    model, notes = fitted(CARTClassifier(), {"id": NAMING[name], **X}, y)
    behind, _ = fitted(CARTClassifier(), {**X, "id": NAMING[name]}, y)
    assert none == []
    assert len(notes) == 1
    assert notes[0].startswith("Column 'id' looks like an identifier: nearly every row has a ")
    assert same_tree(behind.model_.full_tree, plain.model_.full_tree)
    assert same_tree(behind.tree_, plain.tree_)
    assert model.get_n_leaves() == plain.get_n_leaves()
    assert model.cost_complexity_path_.cv_mean.tolist() == plain.cost_complexity_path_.cv_mean.tolist()
    assert model.importance("mdi+surrogates")[0] == 0.0
    assert np.array_equal(model.predict({"id": np.array(["new"] * N), **X}), plain.predict(X))


@pytest.mark.parametrize("name", DESCRIBING)
def test_what_describes_rows_is_a_feature(name):
    columns = learn_columns({"id": DESCRIBING[name], "other": np.arange(N) / 3})
    assert are_identifiers(columns) == [False, False]


def test_few_levels_and_few_rows_name_nothing():
    assert not are_names([1] * 100)
    assert are_names([1] * 101)
    for n, named in ((100, False), (101, True)):
        columns = learn_columns({"id": np.arange(n), "day": [f"D{i}" for i in range(n)]})
        assert are_identifiers(columns) == [named, named]
    assert are_identifiers(learn_columns(np.column_stack([np.arange(101), np.ones(101)]))) == [True, False]
    assert are_identifiers(learn_columns(np.column_stack([np.arange(101), np.ones(101, dtype=int)]))) == [True, False]


def test_a_long_column_is_counted_by_a_sample():
    n = 200_000
    mixed = np.random.default_rng(3).permutation(n)
    columns = {"id": mixed, "half": mixed // 2, "apart": mixed * 4, "x": mixed / 3, "few": mixed % 7}
    assert are_identifiers(learn_columns(columns)) == [True, False, False, False, False]
    assert are_identifiers(learn_columns(np.column_stack([*columns.values()]))) == [True, False, False, False, False]
    assert are_identifiers(learn_columns(np.where(mixed % 3 == 0, np.nan, mixed)[:, None])) == [True]


def test_nothing_else_to_learn_from():
    X, y = {"t": np.arange(N)}, np.arange(N) > 300
    model, notes = fitted(CARTClassifier(), X, y)
    assert model.get_n_leaves() == 2
    assert notes == []


@pytest.mark.parametrize(
    ("model", "uses"),
    [
        (CARTClassifier(), False),
        (CARTClassifier(identifiers="use"), True),
        (CARTClassifier(compat="rpart"), True),
        (CARTClassifier(compat="rpart", identifiers="ignore"), False),
        (C45Classifier(), False),
        (C45Classifier(compat="j48"), True),
        (CHAIDClassifier(), False),
        (CHAIDClassifier(identifiers="use"), True),
        (TreeClassifier(), False),
        (C45Rules(), False),
        (C45Rules(compat="c45"), True),
    ],
)
def test_who_ignores_identifiers(model, uses):
    X, y = table()
    row = np.argsort(y, kind="stable").argsort()  # tells the classes, as the place in a sorted file does
    _, notes = fitted(model, {**X, "id": row}, y)
    if isinstance(model, C45Rules):
        used = {model.rule_set_.schema[c.feature].name for rule in model.rules_ for c in rule.conditions}
    else:
        used = {model.tree_.schema[j].name for j in model.tree_.splits.feature if j >= 0}
    assert ("id" in used) == uses
    assert len(notes) == (0 if uses else 1)


def test_id3_keeps_its_preference_for_names():
    X, y = table()
    levels = {"c": X["c"], "day": TEXT}
    model, notes = fitted(ID3Classifier(), levels, y)
    assert model.tree_.splits.feature[0] == 1
    assert notes == []
    model, notes = fitted(ID3Classifier(identifiers="ignore"), levels, y)
    assert model.tree_.splits.feature[0] == 0
    assert len(notes) == 1


def test_columns_of_very_many_levels_that_are_used_are_still_warned_of():
    X = {"id": np.array([f"c{i}" for i in range(1500)]), "x": np.arange(1500.0) % 7}
    y = X["x"] > 3
    for model in (CARTClassifier(identifiers="use"), CARTClassifier()):
        _, notes = fitted(model, X, y)
        assert len(notes) == 1
    _, notes = fitted(MARSRegressor(max_terms=3), {"id": X["id"], "x": X["x"]}, y.astype(float))
    assert len([note for note in notes if "memorise such a column" in note]) == 1


def test_why_a_node_was_split_without_the_identifier():
    X, y = table()
    X |= {"id": np.argsort(y, kind="stable").argsort()}
    model, _ = fitted(CARTClassifier(max_depth=2), X, y)
    best = model.explain_split(X, y, 0).to_frame("dict")
    assert best["feature"][0] == "a"
    assert json.dumps(best, default=str).count('"id"') <= 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["mixed, from 1000", "text", "some missing"])
def test_the_same_tree_from_parts_and_at_workers(name, tmp_path):
    X, y = table(0.1)
    data = pa.table({**X, "id": NAMING[name], "y": y})
    roles = Roles("y")
    model, _ = fitted(CARTClassifier(), data.drop_columns(["y"]), y)
    with pytest.warns(KindWarning, match="Column 'id' looks like an identifier"):
        streamed = CARTClassifier().fit_stream([data.slice(0, 300), data.slice(300, 7), data.slice(307)], "y")
    assert streamed.model_.to_bytes() == model.model_.to_bytes()
    frames = [data.slice(0, 300).to_pandas(), data.slice(300).to_pandas()]
    with pytest.warns(KindWarning, match="Column 'id' looks like an identifier"):
        at_workers = fit_cluster(CART, frames, roles, "classification", {}, Cluster(InProcess(2), rows=150))
    assert at_workers.to_bytes() == model.model_.to_bytes()


def test_numbers_beyond_the_sample_are_counted_alike_in_parts():
    n = 70_000
    mixed = np.random.default_rng(4).permutation(n)
    data = pa.table({"id": mixed, "x": mixed % 11, "y": (mixed % 11 > 4).astype(float)})
    with pytest.warns(KindWarning, match="'id' looks like an identifier"):
        streamed = CARTRegressor(pruning=None).fit_stream([data.slice(0, 50_000), data.slice(50_000)], "y")
    model, _ = fitted(CARTRegressor(pruning=None), data.drop_columns(["y"]), data["y"])
    assert streamed.model_.to_bytes() == model.model_.to_bytes()


def test_the_command_line_names_them_once_and_predicts(tmp_path, capsys):
    X, y = table()
    file, new = tmp_path / "a.csv", tmp_path / "new.csv"
    pyarrow.csv.write_csv(pa.table({"id": TEXT, **X, "y": y}), file)
    pyarrow.csv.write_csv(pa.table({"id": np.array([f"n{i}" for i in range(N)]), **X}), new)
    model, predictions = str(tmp_path / "m.box"), str(tmp_path / "predictions.csv")
    assert main(["fit", str(file), "--target", "y", "-o", model]) == 0
    out = capsys.readouterr().out
    assert out.count("looks like an identifier") == 1
    assert "--identifiers use" in out
    assert main(["predict", model, str(new), "-o", predictions]) == 0
    assert main(["fit", str(file), "--target", "y", "-o", model, "--force", "--identifiers", "use"]) == 0
    assert "looks like an identifier" not in capsys.readouterr().out


def test_a_code_cache_records_how_it_was_made(tmp_path):
    X, y = table()
    file, cache = tmp_path / "a.csv", str(tmp_path / "cache")
    pyarrow.csv.write_csv(pa.table({"id": TEXT, **X, "y": y}), file)
    assert main(["encode", str(file), "--target", "y", "-o", cache, "--quiet"]) == 0
    assert CARTClassifier().fit_stream(cache, "y").get_n_leaves() > 1
    with pytest.raises(DataError, match="identifiers='ignore', and now identifiers='use'"):
        CARTClassifier(identifiers="use").fit_stream(cache, "y")

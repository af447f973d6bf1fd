"""Little tables and matrices as they lie: the same trees as from columns one by one, and records that travel."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood._fast_record import record
from boxwood.data.frames.target import read_classes
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.memory.coded import read_settings
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.responses.classes import Classes


def layouts(X: np.ndarray):
    yield np.asfortranarray(X)
    yield np.ascontiguousarray(X[::-1])[::-1]
    yield np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
    yield np.ascontiguousarray(X[:, ::-1])[:, ::-1]
    buffer = bytearray(X.nbytes + 1)
    aside = np.frombuffer(buffer, dtype=X.dtype, offset=1, count=X.size).reshape(X.shape)
    aside[:] = X
    yield aside


@pytest.mark.parametrize("n", [1, 2, 7, 40, 150, 1024, 1025])
@pytest.mark.parametrize("kind", ["spread", "few", "heavy", "one apart", "float32"])
def test_a_matrix_is_read_as_its_columns_are(n, kind):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 5))
    if kind == "few":
        X = np.round(X)
    if kind == "heavy":
        X = np.exp(8 * X)
        X[rng.random(n) < 0.02] = np.inf
    if kind == "one apart":
        X[:] = np.where(np.arange(n)[:, None] == n // 2, 1e300, 1.0 + np.round(X) * 1e-16)
    X = X.astype(np.float32) if kind == "float32" else X
    y = np.arange(n) % 3 if n < 3 else (np.nan_to_num(X[:, 0], posinf=9.0) > 1).astype(int) + (rng.random(n) < 0.2)
    columns = {f"x{j}": X[:, j].tolist() for j in range(5)}
    wanted = CARTClassifier(pruning=None, max_competitors=1).fit(columns, y).tree_
    for given in (X, *layouts(X)):
        tree = CARTClassifier(pruning=None).fit(given, y).tree_
        assert np.array_equal(tree.splits.feature, wanted.splits.feature)
        assert np.array_equal(tree.splits.breaks, wanted.splits.breaks)
        assert np.array_equal(tree.moments, wanted.moments)


def test_a_recipe_travels_without_what_the_kernel_read():
    recipe = Recipe(ImpurityDecrease("gini"))
    before = pickle.dumps(recipe)
    settings = read_settings(recipe)
    assert read_settings(recipe) is settings
    assert pickle.dumps(recipe) == before
    assert pickle.loads(before) == recipe
    assert read_settings(replace(recipe, termination=Termination(max_depth=1))) is not settings


def test_limits_are_refused_at_every_fit():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    for _ in range(2):
        CARTClassifier(pruning=None).fit(X, y)
        with pytest.raises(ValueError, match="criterion"):
            CARTRegressor(pruning=None, criterion="gini").fit(X, y)


def test_a_fast_record_is_the_record():
    labels = read_classes(["no", "yes"])[0]
    quick = record(Classes, labels=labels, factors=(1.0, 1.0))
    slow = Classes(labels=labels, factors=(1.0, 1.0))
    assert quick == slow
    assert hash(quick) == hash(slow)
    assert repr(quick) == repr(slow)
    assert pickle.loads(pickle.dumps(quick)) == slow
    assert replace(quick, name="z") == replace(slow, name="z")
    with pytest.raises(AttributeError):
        quick.name = "z"

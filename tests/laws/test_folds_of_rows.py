"""Folds are of rows: tables in which rows repeat are pruned by the rows, however they are given."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boxwood import CARTClassifier, CARTRegressor, CostComplexity, datasets
from boxwood.mars.folds import content_folds
from boxwood.model.tree_model import TreeModel
from boxwood.pruners import OneLeaf, PrePruning, ReducedError

SHAPES = [(2,) * 10, (2,) * 4, (2,) * 8, (3,) * 4, (10, 10)]


def levels(shape: tuple[int, ...], n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """n rows over all combinations of levels, and a chance of 0.2 or 0.8 by the first column."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, k, n) for k in shape])
    return X, rng.random(n) < 0.2 + 0.6 * (X[:, 0] >= shape[0] / 2)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("pruning", ["cv", OneLeaf(folds=5), ReducedError(), PrePruning()], ids=str)
def test_tables_of_all_combinations_are_pruned(shape, pruning):
    X, y = levels(shape, 5000 if len(shape) < 10 else 20_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = CARTClassifier(pruning=pruning, loss="error").fit(X, np.where(y, "y", "n"))
        by_default = CARTClassifier().fit(X, np.where(y, "y", "n"))
        number = CARTRegressor(pruning=pruning).fit(X, y + np.random.default_rng(1).normal(size=len(y)))
    by_folds = pruning == "cv" or isinstance(pruning, OneLeaf)
    # a holdout keeps splits that happen to help on it, above all of noisy numbers
    assert model.get_n_leaves() <= (3 if by_folds else 12)
    assert number.get_n_leaves() <= (3 if by_folds else 0.8 * np.prod(shape))
    assert by_default.get_n_leaves() <= 8
    assert model.score(X, np.where(y, "y", "n")) > 0.78


def test_equal_rows_of_different_classes():
    X = datasets.load("titanic_crew")
    y = X.pop("survived")
    model = CARTClassifier(pruning=CostComplexity(folds=5, loss="error")).fit(X, y)
    assert 4 <= model.get_n_leaves() <= 9
    by_default = CARTClassifier(pruning=CostComplexity(folds=5)).fit(X, y)
    assert 4 <= by_default.get_n_leaves() <= 12
    assert (
        min(model.score(X, y), by_default.score(X, y)) > 0.78
    )  # a fold that held out the dead of a pattern knew only its survivors: 0.677


@pytest.mark.parametrize("seed", range(4))
def test_pruning_is_no_worse_than_none(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, k, 6000) for k in (2, 3, 4, 5)])
    y = rng.random(6000) < rng.choice([0.15, 0.35, 0.65, 0.85], (2, 3, 4, 5))[tuple(X.T)]
    scores = [CARTClassifier(pruning=p).fit(X[:3000], y[:3000]).score(X[3000:], y[3000:]) for p in ("cv", None)]
    assert scores[0] > scores[1] - 0.01


def copies(n: int = 400) -> pd.DataFrame:
    """Few patterns, many rows of each, of both classes and of several weights."""
    rng = np.random.default_rng(5)
    made = pd.DataFrame({"城": rng.choice(["Ulm", "京都", "서울"], n), "a": rng.integers(0, 3, n).astype(float)})
    made["b"] = rng.integers(0, 2, n).astype(float)
    made["w"] = rng.choice([1.0, 2.5, 3.0], n)
    made["y"] = np.where(rng.random(n) < 0.2 + 0.3 * (made["a"] > 0) + 0.2 * (made["城"] == "Ulm"), "ja", "nein")
    made["z"] = made["a"] + rng.integers(0, 3, n)
    return made


def structure(model: bytes) -> tuple:
    """A tree but for its schema, which knows what kind of text a column was."""
    tree = TreeModel.from_bytes(model).tree
    return tuple(part.tobytes() for part in (tree.parent, tree.splits.feature, tree.splits.index, tree.moments))


@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("pruning", ["cv", OneLeaf(folds=4), ReducedError()], ids=str)
def test_row_order_containers_and_threads_change_no_byte(target, pruning, tmp_path):
    table = copies().drop(columns="z" if target == "y" else "y")
    kind = CARTClassifier if target == "y" else CARTRegressor

    moved = table.sample(frac=1.0, random_state=3).reset_index(drop=True)
    names, weight = ["城", "a", "b"], moved["w"].to_numpy()

    def fitted(X, n_jobs: int = 1) -> bytes:
        return kind(pruning=pruning, n_jobs=n_jobs).fit(X, moved[target], sample_weight=weight).model_.to_bytes()

    X = moved[names]
    given = {"sample_weight": table["w"]}
    wanted = kind(pruning=pruning, n_jobs=1).fit(table[names], table[target], **given).model_.to_bytes()
    by_appearance = pa.Table.from_pandas(X).set_column(0, "城", pa.array(X["城"]).dictionary_encode())
    plain = {name: X[name].to_numpy() for name in X}
    for each in (X, plain, pl.from_pandas(X), pa.Table.from_pandas(X), by_appearance):
        assert fitted(each) == wanted
    assert structure(fitted(X.astype({"城": "category"}))) == structure(wanted)
    assert structure(fitted(X, n_jobs=2)) == structure(wanted)
    pq.write_table(pa.Table.from_pandas(moved, preserve_index=False), tmp_path / "t.parquet", row_group_size=70)
    for source in ([moved.iloc[i : i + 57] for i in range(0, 400, 57)], str(tmp_path / "t.parquet")):
        streamed = kind(pruning=pruning, n_jobs=1).fit_stream(source, target, sample_weight="w", memory="64MB")
        assert streamed.model_.to_bytes() == wanted


@pytest.mark.parametrize("shape", [(2,) * 6, (3,) * 4], ids=str)
def test_a_stream_distinguishes_what_symmetries_exchange_as_memory_does(shape):
    cells = np.tile(np.indices(shape).reshape(len(shape), -1), 4)
    table = pd.DataFrame(dict(zip("abcdef", cells.astype(float), strict=False)))
    table = table.assign(y=(cells[:2].sum(axis=0) + np.arange(cells.shape[1]) % 2) / 2)
    model = CARTRegressor(pruning=CostComplexity(folds=4), n_jobs=1)
    wanted = model.fit(table.drop(columns="y"), table["y"]).model_.to_bytes()
    moved = table.sample(frac=1.0, random_state=2)
    for rows in (19, 1000):
        batches = [moved.iloc[i : i + rows] for i in range(0, len(moved), rows)]
        assert model.fit_stream(batches, "y", memory="64MB").model_.to_bytes() == wanted


def test_the_order_of_columns_changes_no_fold():
    table = copies()
    forward, backward = (
        CARTClassifier().fit(table[names], table["y"], sample_weight=table["w"])
        for names in (["城", "a", "b"], ["b", "a", "城"])
    )
    assert forward.model_.cv["error"] == backward.model_.cv["error"]
    assert forward.get_n_leaves() == backward.get_n_leaves()


@pytest.mark.parametrize("where", ["first", "last"])
def test_a_column_that_names_rows_redraws_no_fold(where):
    table = copies()
    X, number = table[["城", "a", "b"]], pd.Series(np.random.default_rng(1).permutation(400), name="id")
    wide = pd.concat([number, X] if where == "first" else [X, number], axis=1)
    given = {"sample_weight": table["w"].to_numpy()}
    plain = CARTClassifier().fit(X, table["y"], **given)
    with pytest.warns(UserWarning, match="looks like an identifier"):
        named = CARTClassifier().fit(wide, table["y"], **given)
    with pytest.warns(UserWarning, match="looks like an identifier"):
        streamed = CARTClassifier().fit_stream(
            [wide.assign(y=table["y"], w=table["w"])], "y", sample_weight="w", memory="64MB"
        )
    for model in (named, streamed):
        assert model.model_.cv["error"] == plain.model_.cv["error"]
        assert model.get_n_leaves() == plain.get_n_leaves()


def test_folds_of_mars_are_drawn_by_the_same_means():
    table = copies()
    a, b, y, w = (table[name].to_numpy(dtype=np.float64) for name in ("a", "b", "z", "w"))
    content = np.unique(np.column_stack([a, b, y, w]), axis=0, return_inverse=True)[1].ravel()

    def drawn(columns: list[np.ndarray], order: np.ndarray, salt: int | None = None) -> list:
        """Content and fold of each row, sorted: equal rows may change places."""
        rows = [x[order] for x in columns]
        folds = content_folds(rows, y[order, None], w[order], 5, salt, 1)
        assert sorted(map(len, folds)) == [80] * 5
        return sorted((content[order[i]], f) for f, held_out in enumerate(folds) for i in held_out.tolist())

    kept = np.arange(400)
    wanted = drawn([a, b], kept)
    for columns in ([b, a], [a, b, a, np.ones(400)], [np.exp(a), 3.0 - b]):
        assert drawn(columns, kept) == wanted
    assert drawn([a, b], np.random.default_rng(1).permutation(400)) == wanted
    assert drawn([a, b], kept, salt=1) != wanted

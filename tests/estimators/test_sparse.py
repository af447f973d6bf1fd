"""Sparse tables at the estimators: the model of the dense table, from every format, for every method that takes X."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import boxwood
from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDRegressor,
    CostComplexity,
    MARSRegressor,
    TreeClassifier,
)
from boxwood.data.columns.sparse import SparseColumns
from boxwood.errors import BoxwoodWarning, DataError, DataTypeError, MissingValueError
from twins.test_codes import assert_equal

FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr")


def example(n: int = 400, p: int = 12, missing: float = 0.0, seed: int = 0):
    """A table with few cells that are not zero, classes and numbers that depend on it."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, p)) < 0.15, rng.integers(-3, 6, (n, p)) / 2, 0.0)
    score = X @ rng.normal(size=p) + 0.3 * rng.normal(size=n)
    X[rng.random((n, p)) < missing] = np.nan
    return X, np.where(score > 0, "好", "bad"), score


@pytest.fixture
def no_dense_table(monkeypatch):
    """Fails where all cells of a sparse table are made."""

    def refused(n, width):
        raise AssertionError("a sparse table was made dense")

    monkeypatch.setattr("boxwood.data.columns.sparse.refuse_too_large", refused)


@pytest.mark.usefixtures("no_dense_table")
@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format(form, kind):
    X, y, _ = example()
    given = getattr(sp, f"{form}_{kind}")(X)
    model, dense = CARTClassifier().fit(given, y), CARTClassifier().fit(X, y)
    assert isinstance(boxwood.data.frames.frame.learn_columns(given), SparseColumns)
    assert_equal(model.tree_, dense.tree_)
    assert model.model_.schema == dense.model_.schema
    assert np.array_equal(model.predict(given), dense.predict(X))


@pytest.mark.usefixtures("no_dense_table")
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(
    "estimator",
    [
        CARTClassifier(),
        CARTClassifier(pruning=CostComplexity("1se", folds=5), missing="learned", criterion="entropy"),
        CARTClassifier(pruning="reduced_error", missing="own_branch", random_state=3),
        CARTClassifier(compat="rpart", missing="surrogate_or_stay"),
        CARTRegressor(missing="majority", max_leaf_nodes=9),
        CARTRegressor(criterion="poisson", pruning=None),
    ],
)
def test_every_method(estimator, missing):
    X, classes, score = example(missing=missing)
    y = classes if isinstance(estimator, CARTClassifier) else np.maximum(np.round(score), 0)
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    given = sp.csr_array(X)
    model, dense = (type(estimator)(**estimator.get_params()).fit(Z, y, sample_weight=weight) for Z in (given, X))
    assert_equal(model.tree_, dense.tree_)
    if model.model_.alpha is not None:
        assert model.model_.alpha == dense.model_.alpha
    for Z in (given, sp.csc_matrix(X)):
        for method in ("predict", "apply", *(["predict_proba"] if y is classes else [])):
            assert np.array_equal(getattr(model, method)(Z), getattr(dense, method)(X))
        assert (model.decision_path(Z) != dense.decision_path(X)).nnz == 0
        assert model.score(Z, y) == dense.score(X, y)


@pytest.mark.parametrize("odd", [999, -5, 2**31 - 1])
@pytest.mark.parametrize(
    ("form", "name"),
    [(form, name) for form in ("csr", "csc", "bsr") for name in ("indices", "indptr")]
    + [("coo", "row"), ("coo", "col")],
)
def test_indices_outside_of_the_table_are_refused(form, name, odd):
    """scipy and the kernel read memory at them: what another thread writes into them ended the process."""
    X, y, _ = example(60)
    model = CARTClassifier(pruning=None).fit(X, y)
    damaged = getattr(sp, f"{form}_matrix")(X)
    getattr(damaged, name)[len(getattr(damaged, name)) // 2] = odd
    for use in (
        lambda: CARTClassifier().fit(damaged, y),
        lambda: C45Classifier().fit(damaged, y),
        lambda: model.predict(damaged),
    ):
        with pytest.raises(DataError, match=r"the sparse table X is damaged: .*; create it again"):
            use()


#: The last one falls by so much that its difference is positive in 32 bits.
FALLING = [[0, 7, -1], [0, 7, 0], [0, -7, 2], [1, 1, 2], [0, 2_000_000_000, -2_000_000_000, 2]]


@pytest.mark.parametrize("pointers", FALLING)
def test_index_pointers_that_fall_are_refused(pointers):
    damaged = sp.csr_array(np.eye(len(pointers) - 1))
    damaged.indptr[:] = pointers
    with pytest.raises(DataError, match="damaged"):
        boxwood.data.frames.frame.learn_columns(damaged)


def test_a_list_of_lists_that_does_not_match_is_refused():
    damaged = sp.lil_array(np.eye(3))
    damaged.rows[1] = [1, 99]
    with pytest.raises(DataError, match="damaged"):
        boxwood.data.frames.frame.learn_columns(damaged)


@pytest.mark.parametrize("rows", [[0, 9], [1, 1], [-1, 2]])
def test_sparse_columns_of_pandas_with_other_rows_are_refused(rows):
    column = pd.arrays.SparseArray([0.0, 1.0, 2.0, 0.0], fill_value=0.0, kind="integer")
    column.sp_index.indices[:] = rows
    with pytest.raises(DataError, match="'a' stores cells in rows that it does not have"):
        boxwood.data.frames.frame.learn_columns(pd.DataFrame({"a": column}))


def test_what_was_read_stays_when_the_table_changes():
    X, _, _ = example()
    for form in FORMATS:
        given = getattr(sp, f"{form}_array")(X)
        columns = boxwood.data.frames.frame.learn_columns(given)
        if hasattr(given, "data") and isinstance(given.data, np.ndarray) and given.data.dtype != object:
            given.data[:] = np.nan
        assert np.array_equal(np.array(columns.values), X.T), form


def test_what_is_explained_and_evaluated_with_dense_blocks():
    X, y, _ = example()
    given = sp.csr_array(X)
    model, dense = CARTClassifier().fit(given, y), CARTClassifier().fit(X, y)
    assert str(model.explain(given[:2])) == str(dense.explain(X[:2]))
    assert str(model.explain_split(given, y, 0)) == str(dense.explain_split(X, y, 0))
    assert str(model.evaluate(given, y)) == str(dense.evaluate(X, y))
    assert np.array_equal(model.shap_values(given[:5]), dense.shap_values(X[:5]))


@pytest.mark.parametrize(
    "estimator",
    [
        C45Classifier(),
        C45Rules(),
        TreeClassifier(branching="multiway", pruning="cv"),
        CARTClassifier(max_bins=4),
        CHAIDRegressor(),
        MARSRegressor(),
    ],
)
def test_other_algorithms_learn_from_the_dense_table(estimator):
    X, classes, score = example(300, 6)
    y = score if isinstance(estimator, (CHAIDRegressor, MARSRegressor)) else classes
    dense = type(estimator)(**estimator.get_params()).fit(X, y).predict(X)
    given = sp.csr_matrix(X)
    assert np.array_equal(estimator.fit(given, y).predict(given), dense)


def test_no_memory_for_all_cells(monkeypatch):
    monkeypatch.setattr("boxwood._free_memory.free_memory", lambda: 10_000)
    X, y, score = example()
    given = sp.csr_matrix(X)
    for estimator, target in ((C45Classifier(), y), (MARSRegressor(), score), (CARTClassifier(max_bins=8), y)):
        with pytest.raises(DataError, match=r"sparse.*400 rows of 12 columns take 0\.0 GB.*Keep fewer columns.*CART"):
            estimator.fit(given, target)
    assert CARTClassifier().fit(given, y).predict(given).shape == (400,)


@pytest.mark.usefixtures("no_dense_table")
def test_given_matrices_are_not_changed_and_repeats_add_up():
    X, y, _ = example()
    rows, columns = np.nonzero(X)
    twice = sp.csr_matrix(X)
    data, indices = np.repeat(twice.data / 2, 2), np.repeat(twice.indices, 2)
    given = sp.csr_matrix((data, indices, twice.indptr * 2), shape=X.shape)
    zeros = sp.coo_matrix(
        (np.append(X[rows, columns], [0.0, -0.0]), (np.append(rows, [0, 1]), np.append(columns, [0, 0])))
    )
    copies = given.data.copy(), given.indices.copy()
    expected = CARTClassifier().fit(X, y)
    for Z in (given, given.tocsc(), zeros):
        assert_equal(CARTClassifier().fit(Z, y).tree_, expected.tree_)
        assert np.array_equal(expected.predict(Z), expected.predict(X))
    assert np.array_equal(given.data, copies[0])
    assert np.array_equal(given.indices, copies[1])


def test_types_of_numbers():
    X, y, _ = example()
    whole = np.round(np.nan_to_num(X)).astype(np.int64)
    for kind in (np.int8, np.int64, np.float32):
        given = sp.csr_array(whole.astype(kind))
        assert_equal(CARTClassifier().fit(given, y).tree_, CARTClassifier().fit(whole.astype(kind), y).tree_)
    huge = whole.copy()
    huge[0, 0], huge[1, 0] = 2**60, 2**60 + 1
    model = CARTClassifier(pruning=None).fit(sp.csr_array(huge), y)
    assert_equal(model.tree_, CARTClassifier(pruning=None).fit(huge, y).tree_)
    with pytest.raises(ValueError, match="Complex data not supported"):
        CARTClassifier().fit(sp.csr_array(X + 1j), y)
    ones = sp.csr_array(X != 0)
    assert_equal(CARTClassifier().fit(ones, y).tree_, CARTClassifier().fit(ones.astype(float), y).tree_)


def test_missing_values_and_infinities_are_refused_by_the_policy_error():
    X, y, _ = example()
    bad = sp.csr_array(X)
    for value in (np.nan, np.inf):
        bad.data[7] = value
        row, column = int(np.searchsorted(bad.indptr, 7, side="right")) - 1, bad.indices[7]
        with pytest.raises(MissingValueError, match=rf"column 'x{column}' .* row {row} "):
            CARTClassifier(missing="error").fit(bad, y)


def test_empty_shapes_and_other_containers():
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        CARTClassifier().fit(sp.csr_array((3, 0)), [1, 2, 3])
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        CARTClassifier().fit(sp.csr_array((0, 3)), [])
    X, y, _ = example()
    model = CARTClassifier().fit(sp.csr_array(X), y)
    with pytest.raises(ValueError, match="X has 3 features, but CARTClassifier is expecting 12 features"):
        model.predict(sp.csr_array(X[:, :3]))
    empty = sp.csr_array((5, 12))
    assert np.array_equal(model.predict(empty), model.predict(np.zeros((5, 12))))
    constant = CARTClassifier(pruning=None).fit(sp.csr_array((400, 3)), y)
    assert constant.tree_.n_nodes == 1


def test_a_pipeline_from_text_to_a_tree():
    texts = ["cheap pills now", "meeting at noon", "cheap cheap pills", "lunch at noon", "pills", "meeting notes"] * 10
    spam = np.array(["spam", "ham", "spam", "ham", "spam", "ham"] * 10)
    model = make_pipeline(CountVectorizer(), CARTClassifier(pruning=None))
    assert cross_val_score(model, texts, spam, cv=3).min() == 1.0


def sparse_frame(X: np.ndarray, fill=0.0) -> pd.DataFrame:
    names = [f"列{j}" for j in range(X.shape[1])]
    return pd.DataFrame({name: pd.arrays.SparseArray(X[:, j], fill_value=fill) for j, name in enumerate(names)})


@pytest.mark.usefixtures("no_dense_table")
@pytest.mark.parametrize("fill", [0.0, np.nan, 1.5])
def test_frames_of_sparse_columns(fill):
    X, y, _ = example(missing=0.02)
    frame = sparse_frame(X, fill)
    frame["dense"] = X[:, 0] * 2
    plain = pd.DataFrame({name: np.asarray(column) for name, column in frame.items()})
    model, dense = CARTClassifier().fit(frame, y), CARTClassifier().fit(plain, y)
    assert_equal(model.tree_, dense.tree_)
    assert model.model_.schema.names == dense.model_.schema.names
    for one in (frame, plain):
        assert np.array_equal(model.predict(one), dense.predict(plain))
        assert np.array_equal(model.predict_proba(one[:7]), dense.predict_proba(plain[:7]))


def test_frames_with_sparse_columns_and_levels():
    X, y, _ = example()
    frame = sparse_frame(X)
    frame["city"] = np.where(np.arange(len(X)) % 3 == 0, "Ulm", "京都")
    plain = pd.DataFrame({name: np.asarray(column) for name, column in frame.items()})
    model = CARTClassifier().fit(frame, y)
    assert_equal(model.tree_, CARTClassifier().fit(plain, y).tree_)
    assert np.array_equal(model.predict(frame), model.predict(plain))


def test_rows_without_a_response_and_codes_for_missing_values():
    X, y, _ = example()
    y = np.where(np.arange(len(y)) % 7 == 0, None, y)
    models = [CARTClassifier(missing_target="drop", missing_values=-1.5).fit(Z, y) for Z in (sp.csr_array(X), X)]
    assert_equal(*(model.tree_ for model in models))


def test_a_warning_names_the_size_of_a_large_table_made_dense(monkeypatch):
    X, y, _ = example()
    monkeypatch.setattr("boxwood._free_memory.LARGE", 8 * X.size)
    message = f"{len(X)} rows of {X.shape[1]} columns take 0.0 GB as they are made dense; to avoid this"
    for model in (C45Classifier(), CARTClassifier(max_bins=8)):
        with pytest.warns(BoxwoodWarning, match=message):
            model.fit(sp.csr_array(X), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CARTClassifier().fit(sp.csr_array(X), y).predict(sp.csr_array(X))


def test_rows_without_a_response_leave_the_table_sparse(monkeypatch):
    X, y, _ = example()
    y = np.where(np.arange(len(y)) % 7 == 0, None, y)
    expected = CARTClassifier(missing_target="drop", pruning=None).fit(X, y)
    monkeypatch.setattr("boxwood.data.frames.arrays.SparseTable.column", None)
    assert_equal(CARTClassifier(missing_target="drop", pruning=None).fit(sp.csr_array(X), y).tree_, expected.tree_)


def test_columns_that_number_rows_are_left_out():
    X, y, _ = example()
    given = sp.csr_array(np.column_stack([np.arange(len(X)), X]))
    with pytest.warns(UserWarning, match="'x0' looks like an identifier"):
        model = CARTClassifier().fit(given, y)
    assert 0 not in model.tree_.splits.feature
    with pytest.warns(UserWarning, match="'x0' looks like an identifier"):
        dense = CARTClassifier().fit(given.toarray(), y)
    assert_equal(model.tree_, dense.tree_)
    assert np.array_equal(model.predict(given), dense.predict(given.toarray()))


def test_a_sparse_container_of_another_kind_is_named():
    class Sparse:
        nnz, shape, dtype = 3, (3, 2), np.dtype(float)

        def toarray(self):
            raise AssertionError

    with pytest.raises(DataTypeError, match=r"type Sparse.*X\.toarray\(\)"):
        CARTClassifier().fit(Sparse(), [1, 2, 3])

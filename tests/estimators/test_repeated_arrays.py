"""Arrays that are given again and again are read and coded once; trees are the same, and every change is found."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier
from boxwood.data.frames import repeated

N, P = 600, 6


@pytest.fixture(autouse=True)
def _small_arrays_too(monkeypatch):
    monkeypatch.setattr(repeated, "_LEAST_VALUES", 100)
    monkeypatch.setattr(repeated, "_given", ())


def _numbers(kind=np.float64, missing=True):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, P)).round(1) * 10
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    return X.astype(kind)


def _objects():
    rng = np.random.default_rng(1)
    X = _numbers().astype(object)
    X[:, 0] = rng.choice(["京都", "Ulm", "Wien", None], N)
    X[0, 0] = "only here"
    X[:, 1] = rng.random(N) < 0.5
    return X


TABLES = {
    "rows": _numbers,
    "columns": lambda: np.asfortranarray(_numbers()),
    "view": lambda: _numbers()[::2, ::-1],
    "float32": lambda: _numbers(np.float32),
    "integers": lambda: _numbers(np.int16, missing=False),
    "objects": _objects,
}
MODELS = {
    "free": CARTClassifier(pruning=None),
    "drawn": CARTClassifier(max_features="sqrt", pruning=None, random_state=7),
    "pruned": CARTClassifier(random_state=1),
    "ranks": CARTClassifier(compat="rpart", pruning=None),
    "bins": CARTClassifier(pruning=None, max_bins=16),
    "C4.5": C45Classifier(),
    "CHAID": CHAIDClassifier(),
}


def _y(X):
    return np.where([str(value) > "2" for value in X[:, 2]], "是", "否")


def _weights(n):
    """None, those of a bootstrap sample, and doubles."""
    rng = np.random.default_rng(2)
    sample = np.bincount(rng.integers(0, n, n), minlength=n)
    return None, sample, rng.random(n), np.where(np.arange(n) == 0, 0, 1)


def _kept():
    return [given for given in repeated._given if given.copy is not None]


@pytest.mark.filterwarnings("ignore::boxwood.errors.BoxwoodWarning")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("table", TABLES)
def test_trees_are_the_same_as_when_every_fit_reads(table, name):
    X, model = TABLES[table](), MODELS[name]
    y = _y(X)
    for weight in _weights(len(X)) * 2:
        with boxwood.config_context(repeated="read"):
            expected = clone(model).fit(X, y, weight)
            answer = expected.predict_proba(X)
        found = clone(model).fit(X, y, weight)
        assert found.model_.to_bytes() == expected.model_.to_bytes()
        assert np.array_equal(found.predict_proba(X), answer)
    assert len(_kept()) == 1


@pytest.mark.parametrize("table", TABLES)
def test_a_change_in_place_is_found(table):
    X = TABLES[table]()
    X = X if table == "view" else X.copy(order="K")
    y, model = _y(X), CARTClassifier(pruning=None)
    for _ in range(4):
        model.fit(X, y)
    X[:, 3], X[:, 2] = X[:, 2].copy(), X[:, 3].copy()
    with boxwood.config_context(repeated="read"):
        expected = CARTClassifier(pruning=None).fit(X, y)
    for _ in range(4):
        assert model.fit(X, y).model_.to_bytes() == expected.model_.to_bytes()
    assert len(_kept()) == 1


def test_one_value_that_becomes_its_neighbour_is_found():
    X = _numbers()
    y = X[:, 2] > 3
    for _ in range(3):
        CARTClassifier(pruning=None).fit(X, y)
    (before,) = _kept()
    X[N - 1, P - 1] = np.nextafter(X[N - 1, P - 1], np.inf)
    CARTClassifier(pruning=None).fit(X, y)
    assert before not in _kept()


@pytest.mark.filterwarnings("ignore::boxwood.UnseenLevelWarning")
def test_objects_are_read_once_for_prediction_too(monkeypatch):
    X = _objects()
    y, reads = _y(X), []
    read = repeated.read_columns
    monkeypatch.setattr(repeated, "read_columns", lambda *given: reads.append(1) or read(*given))
    models = [CARTClassifier(pruning=None, max_depth=depth).fit(X, y) for depth in (1, 2, 3, 4)]
    new = X[::-1].copy()
    answers = [model.predict(new) for model in models]
    assert len(reads) == 2, "as new, and of the copy"
    new[:, 0] = "天津"
    changed = [model.predict(new) for model in models]
    assert len(reads) == 4
    for model, answer, other in zip(models, answers, changed, strict=True):
        assert np.array_equal(answer, model.predict(X)[::-1])
        assert np.array_equal(other, model.predict(new.tolist()))


def test_the_copy_goes_with_the_array_and_only_two_are_kept():
    arrays = [_numbers() + shift for shift in range(3)]
    y = arrays[0][:, 2] > 3
    for X in arrays:
        for _ in range(3):
            CARTClassifier(pruning=None).fit(X, y)
    del X
    assert [given.array() is array for given, array in zip(_kept(), arrays[:0:-1], strict=True)] == [True, True]
    copies = [weakref.ref(given.copy.values) for given in _kept()]
    codes = [weakref.ref(given.copy.readings[0].derived["encoded"]) for given in _kept()]
    arrays.clear()
    gc.disable()
    try:
        assert repeated._given == ()
        assert [one() for one in copies + codes] == [None] * 4
    finally:
        gc.enable()


def test_arrays_given_once_frames_and_lists_are_not_copied():
    X = _numbers()
    y = X[:, 2] > 3
    CARTClassifier(pruning=None).fit(X, y)
    for _ in range(3):
        CARTClassifier(pruning=None).fit(X.tolist(), y)
        CARTClassifier(pruning=None).fit(dict(enumerate(X.T)), y)
        CARTClassifier(pruning=None).fit(X[::2], y[::2])
    assert _kept() == []
    with boxwood.config_context(repeated="read"):
        CARTClassifier(pruning=None).fit(X, y)
        CARTClassifier(pruning=None).fit(X, y)
    assert _kept() == []


def test_settings_by_which_columns_are_read_are_distinguished():
    X = _numbers(np.int16, missing=False)
    y = X[:, 2] > 3
    for categorical in (None, "from_dtype", [2], None, [2], "from_dtype"):
        model = CARTClassifier(pruning=None, categorical_features=categorical).fit(X, y)
        assert model.tree_.schema[2].kind == ("nominal" if categorical == [2] else "numeric")


def test_threads_grow_the_trees_of_one():
    X = _numbers()
    y = _y(X)
    samples = [np.bincount(np.random.default_rng(i).integers(0, N, N), minlength=N) for i in range(24)]

    def grown(sample):
        return CARTClassifier(pruning=None).fit(X, y, sample_weight=sample).model_.to_bytes()

    with boxwood.config_context(repeated="read"):
        expected = [grown(sample) for sample in samples]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(grown, samples)) == expected


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_scikit_learns_ensembles_are_the_same_with_workers(backend):
    X = _numbers(missing=False)
    y = _y(X)
    bagging = BaggingClassifier(CARTClassifier(pruning=None), n_estimators=6, random_state=0)
    boosting = AdaBoostClassifier(CARTClassifier(pruning=None, max_depth=2), n_estimators=6, random_state=0)
    with boxwood.config_context(repeated="read"):
        expected = [clone(model).fit(X, y).predict_proba(X) for model in (bagging, boosting)]
    with parallel_config(backend, n_jobs=2, max_nbytes="1K" if backend == "loky" else None):
        found = [clone(model).fit(X, y).predict_proba(X) for model in (bagging, boosting)]
    assert all(map(np.array_equal, found, expected))


def test_weights_of_a_bootstrap_sample_are_repeated_rows():
    X = _numbers(missing=False)
    y, z = _y(X), X[:, 3] - X[:, 2]
    sample = np.bincount(np.random.default_rng(3).integers(0, N, N), minlength=N)
    rows = np.repeat(np.arange(N), sample)
    for model, truth in ((CARTClassifier(pruning=None), y), (CARTRegressor(pruning=None), z)):
        for _ in range(3):
            by_weight = clone(model).fit(X, truth, sample_weight=sample).tree_
        by_rows = clone(model).fit(X[rows], truth[rows]).tree_
        assert np.array_equal(by_weight.splits.feature, by_rows.splits.feature)
        assert np.array_equal(by_weight.splits.breaks, by_rows.splits.breaks)
        assert np.array_equal(by_weight.moments, by_rows.moments)
        assert by_weight.rows[0] == np.count_nonzero(sample) < by_rows.rows[0] == N

"""Model files: estimators come back with their parameters, damaged or foreign files are refused."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CostComplexity
from boxwood.errors import FileError, ModelFileError
from boxwood.tree import store

X, Y = load_iris(return_X_y=True)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "模型.box"


def test_an_estimator_comes_back(file):
    model = CARTClassifier(max_depth=3, class_weight={0: 1.0, 1: 2.0}, priors=np.array([0.2, 0.4, 0.4])).fit(X, Y)
    model.save(file)
    again = boxwood.load(file)
    assert type(again) is CARTClassifier
    assert again.get_params() == {**model.get_params(), "priors": [0.2, 0.4, 0.4]}
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.cp_table() == model.cp_table()
    assert again.model_.to_bytes() == model.model_.to_bytes() == file.read_bytes()
    assert again.fit(X, Y).model_.to_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    "settings",
    [
        {"pruning": None, "ccp_alpha": 0.01},
        {"pruning": None},
        {"pruning": "cv-1se", "ccp_risk": "error"},
        {"pruning": CostComplexity("1se", folds=4, cp=0.01, risk="entropy", style="rpart")},
        {"pruning": CostComplexity(rule="none", folds=None, cp=0.05)},
        {"feature_costs": {"x0": 2.0}},
        {"categorical_features": [3], "random_state": 5, "n_jobs": 1},
        {"min_impurity_decrease": 1e300, "class_weight": "balanced"},
        {"costs": ((0, 1, 1), (2, 0, 2), (1, 1, 0)), "missing": "learned"},
    ],
)
def test_settings_go_to_the_file_and_back(file, settings):
    model = CARTClassifier(**settings).fit(X, Y)
    model.save(file)
    again = boxwood.load(file)
    plain = {name: [list(row) for row in v] if name == "costs" else v for name, v in settings.items()}
    for name, value in plain.items():
        found = getattr(again, name)
        assert repr(found) == repr(value)
    assert again.fit(X, Y).model_.to_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ((1.0, 2.0), [1.0, 2.0]),
        (np.array([True, False]), [True, False]),
        ({"b", "a"}, ["a", "b"]),
        ({True: 1, "甲": 2}, {True: 1, "甲": 2}),
        (np.float32(0.5), 0.5),
    ],
)
def test_other_containers_come_back_as_lists(given, stored):
    from boxwood.model.settings import plain, restored

    again = restored(plain({"x": given}))["x"]
    assert again == stored
    assert type(again) is type(stored)


def test_folds_of_rows_come_back_as_their_number(file):
    model = CARTClassifier(pruning=CostComplexity(folds=np.arange(150) % 3)).fit(X, Y)
    model.save(file)
    assert boxwood.load(file).pruning.folds == 3


def test_a_regressor_pruned_after_the_fit_comes_back_pruned(file):
    model = CARTRegressor(criterion="poisson").fit(X, Y, exposure=np.ones(150)).prune(n_leaves=2)
    model.save(file)
    again = boxwood.load(file)
    assert again.get_n_leaves() == 2
    assert again.prune(alpha=0.0).get_n_leaves() == model.prune(alpha=0.0).get_n_leaves() > 2


def test_a_failed_save_leaves_the_old_file(file):
    CARTClassifier(pruning=None).fit(X, Y).save(file)
    before = file.read_bytes()
    with pytest.raises(FileError):
        CARTClassifier().fit(X, Y).save(file / "inside a file.box")
    assert file.read_bytes() == before


def test_files_that_are_no_models(file):
    with pytest.raises(FileError):
        boxwood.load(file)
    CARTClassifier().fit(X, Y).save(file)
    data = bytearray(file.read_bytes())
    data[-9] ^= 1
    file.write_bytes(data)
    with pytest.raises(ModelFileError):
        boxwood.load(file)


def forged(file, change):
    """Rewrite a model file with something changed and all checksums right."""
    CARTClassifier(pruning=CostComplexity(folds=3)).fit(X, Y).save(file)
    tree, extra, arrays = store.from_bytes(file.read_bytes())
    arrays = dict(arrays)
    change(extra, arrays)
    file.write_bytes(store.to_bytes(tree, extra, arrays))


@pytest.mark.parametrize(
    "change",
    [
        lambda extra, arrays: extra.update(algorithm="oracle"),
        lambda extra, arrays: extra.update(task="clustering"),
        lambda extra, arrays: extra.pop("settings"),
        lambda extra, arrays: extra["settings"].update(max_depth="deep"),
        lambda extra, arrays: extra["settings"].update(n_jobs=0),
        lambda extra, arrays: extra["settings"].update(magic=1),
        lambda extra, arrays: extra["settings"].update(class_weight={"pairs": [[[1], 2]]}, unseen={"pairs": 3}),
        lambda extra, arrays: extra["settings"].update(priors={"record": "Branching", "fields": {}}),
        lambda extra, arrays: extra["settings"]["pruning"].update(risk=["error"]),
        lambda extra, arrays: extra["settings"]["pruning"].update(rule="best"),
        lambda extra, arrays: extra["settings"]["pruning"].pop("rule"),
        lambda extra, arrays: arrays.pop("alpha"),
        lambda extra, arrays: arrays.pop("path.risks"),
        lambda extra, arrays: arrays.update({"path.alphas": arrays["path.alphas"][::-1]}),
        lambda extra, arrays: arrays.update(alpha=np.array([np.nan, 1.0])),
        lambda extra, arrays: arrays.update(held_out=np.zeros((1, 2))),
        lambda extra, arrays: arrays.update(confusion=np.zeros((2, 2))),
    ],
)
def test_forged_files_are_refused(file, change):
    forged(file, change)
    with pytest.raises(ModelFileError):
        boxwood.load(file)

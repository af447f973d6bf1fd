"""What a fitted estimator knows: the tree, who goes where, importances, pruning without a refit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeRegressor

from boxwood import CARTClassifier, CARTRegressor, CostComplexity, Tree
from boxwood.data.frames.frame import read_columns
from boxwood.errors import NotAvailableError, ParameterError, PruningWarning, UnseenLevelError

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def full():
    return CARTClassifier(pruning=None).fit(X, Y)


def test_shape_of_the_tree(full):
    assert isinstance(full.tree_, Tree)
    assert (full.get_depth(), full.get_n_leaves()) == (full.tree_.max_depth, full.tree_.n_leaves)
    assert full.classes_.tolist() == [0, 1, 2]
    assert full.n_classes_ == 3
    assert full.feature_importances_.shape == (4,)
    assert full.feature_importances_.sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="read-only"):
        full.classes_[0] = 7


def test_probabilities(full):
    shares = CARTClassifier(max_depth=1, pruning=None).fit(X, Y).predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert np.array_equal(full.predict(X), full.classes_[full.predict_proba(X).argmax(axis=1)])
    assert np.array_equal(np.exp(full.predict_log_proba(X)), full.predict_proba(X))
    assert np.isneginf(full.predict_log_proba(X)).any()


def test_where_rows_end(full):
    node = full.apply(X)
    assert node.dtype == np.int64
    assert set(node) == set(full.tree_.leaves)
    path = full.decision_path(X)
    assert path.shape == (150, full.tree_.n_nodes)
    assert path.format == "csr"
    assert np.array_equal(path.sum(axis=0).A1, full.tree_.rows)
    assert all(path[i, node[i]] == 1 for i in range(150))


def test_a_tree_answers_for_itself(full):
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = CARTClassifier(pruning=None).fit(frame, Y)
    assert np.array_equal(model.tree_.predict(frame), model.predict(frame))
    assert np.array_equal(model.tree_.apply(pl.from_pandas(frame)), model.apply(frame))
    columns = read_columns(X, full.tree_.schema)
    assert np.array_equal(full.tree_.apply(columns), full.apply(X))
    regressor = CARTRegressor().fit(X, X[:, 3])
    assert np.array_equal(regressor.tree_.predict(X), regressor.predict(X))
    named = CARTClassifier(pruning=None).fit({"c": ["a", "b"]}, ["x", "y"])
    with pytest.raises(UnseenLevelError):
        named.tree_.predict({"c": ["q"]}, unseen="error")
    assert named.tree_.predict({"c": ["b"]}).tolist() == ["y"]


def test_alphas_and_impurities_are_on_scikit_learn_s_scale():
    rng = np.random.default_rng(0)
    x = rng.permutation(60)[:, None].astype(float)
    y = np.sin(x[:, 0] / 7) + rng.normal(size=60)
    path = CARTRegressor(pruning=None).fit(x, y).cost_complexity_path_
    theirs = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(x, y)
    assert np.allclose(path.ccp_alphas, theirs.ccp_alphas)
    assert np.allclose(path.impurities, theirs.impurities)
    assert path.cv_mean is None
    assert path.cv_se is None


def test_the_path_as_a_frame():
    path = CARTClassifier().fit(X, Y).cost_complexity_path_
    names = ["ccp_alphas", "impurities", "n_leaves", "training_losses", "cv_mean", "cv_se"]
    assert list(path.to_frame().columns) == path.to_frame("polars").columns == names
    assert path.to_frame("pyarrow").column_names == names
    assert path.to_frame("dict")["n_leaves"] == path.n_leaves.tolist()
    assert path.n_leaves[-1] == 1
    assert path.cv_mean[-1] > path.cv_mean[0]
    with pytest.raises(ParameterError, match="backend"):
        path.to_frame("excel")


def test_the_path_without_a_frame_library(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    path = CARTClassifier(pruning=None).fit(X, Y).cost_complexity_path_
    with pytest.raises(NotAvailableError, match="dict"):
        path.to_frame()


def test_an_unpruned_fit_does_not_pay_for_the_path(full):
    model = CARTClassifier(pruning=None).fit(X, Y)
    assert model.model_.family is None
    before = model.model_.to_bytes()
    assert model.cost_complexity_path_.n_leaves[-1] == 1
    assert model.model_.to_bytes() == before
    assert b"path.alphas" not in before


def test_prune_goes_along_the_path_and_back():
    model = CARTClassifier(pruning=None).fit(X, Y)
    path, leaves = model.cost_complexity_path_, model.get_n_leaves()
    for alpha, size in zip(path.ccp_alphas, path.n_leaves, strict=True):
        assert model.prune(alpha=alpha) is model
        assert model.get_n_leaves() == size
        refit = CARTClassifier(pruning=None, ccp_alpha=float(alpha)).fit(X, Y)
        assert alpha == 0 or np.array_equal(refit.predict_proba(X), model.predict_proba(X))
    assert model.prune(n_leaves=3).get_n_leaves() == 3
    assert model.prune(cp=0.0).get_n_leaves() == path.n_leaves[0] <= leaves
    for wrong in ({}, {"alpha": 0.1, "cp": 0.1}, {"alpha": -1.0}, {"n_leaves": 0}):
        with pytest.raises(ParameterError):
            model.prune(**wrong)
    assert model.get_n_leaves() == path.n_leaves[0]


def test_cp_table_counts_losses_of_given_folds_as_shares_of_the_root_s():
    fold = np.arange(150) % 5
    model = CARTClassifier(pruning=CostComplexity(folds=fold, risk="error", loss="error")).fit(X, Y)
    rows = model.cp_table()
    assert list(rows[0]) == ["CP", "nsplit", "rel_error", "xerror", "xstd"]
    assert (rows[0]["nsplit"], rows[0]["rel_error"]) == (0, 1.0)
    wrong = sum(
        np.count_nonzero(Y[fold == f] != np.bincount(Y[fold != f]).argmax()) for f in range(5)
    )  # what roots alone predict for the rows they have not seen
    assert rows[0]["xerror"] == pytest.approx(wrong / 100)
    assert rows[-1]["xerror"] < 0.15
    assert [row["nsplit"] + 1 for row in rows][::-1] == model.cost_complexity_path_.n_leaves.tolist()
    assert "xerror" not in model.cp_table("rpart")[0]
    with pytest.raises(ParameterError, match="style"):
        model.cp_table("table")


def test_cp_table_in_the_style_it_was_pruned_with():
    data = load_diabetes(return_X_y=True)
    model = CARTRegressor(pruning=CostComplexity(folds=5, cp=0.01, style="rpart")).fit(*data)
    rows = model.cp_table()
    assert rows == model.cp_table("rpart")
    assert rows[0]["xerror"] == pytest.approx(1.0, abs=0.05)
    assert rows[-1]["CP"] == pytest.approx(0.01)
    assert "xerror" not in CARTRegressor(pruning=None).fit(*data).cp_table()[0]


def test_verbose_tells_on_stderr_and_leaves_no_trace(capsys):
    import logging

    log = logging.getLogger("boxwood")
    before = (log.level, list(log.handlers))
    CARTClassifier(verbose=1).fit(X, Y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "boxwood: grown: 17 nodes" in shown.err
    assert "fold 10" in shown.err
    assert (log.level, list(log.handlers)) == before
    CARTClassifier().fit(X, Y)
    assert capsys.readouterr().err == ""


def test_verbose_fits_at_the_same_time_each_tell_their_own(capsys):
    import logging
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: CARTClassifier(pruning=None, verbose=1).fit(X, Y), range(20)))
    assert capsys.readouterr().err.count("grown: 17 nodes") == 20
    log = logging.getLogger("boxwood")
    assert (log.level, log.handlers) == (logging.NOTSET, [])


def test_too_few_rows_for_folds_are_reported_where_fit_was_called():
    with pytest.warns(PruningWarning, match="too few rows") as shown:
        model = CARTClassifier().fit([[1], [2]], [0, 1])
    assert shown[0].filename == __file__
    assert model.get_n_leaves() == 2


def test_an_estimator_shows_itself(full):
    assert repr(full) == "CARTClassifier(pruning=None)"
    assert "CARTClassifier" in full._repr_html_()


def test_verbose_leaves_a_program_s_own_logging_alone(capsys, caplog):
    import logging

    with caplog.at_level(logging.INFO, logger="boxwood"):
        CARTClassifier(pruning=None, verbose=1).fit(X, Y)
    assert [record.getMessage()[:5] for record in caplog.records] == ["grown"]
    assert capsys.readouterr().err == ""


def test_weights_of_whole_numbers_are_repeated_rows():
    weight = np.arange(150) % 3
    weighted = CARTClassifier(pruning=None).fit(X, Y, sample_weight=weight)
    repeated = CARTClassifier(pruning=None).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_priors_costs_and_class_weights():
    data, response = [[1], [1], [1], [2]], ["a", "a", "b", "b"]
    plain = CARTClassifier(pruning=None).fit(data, response)
    assert plain.predict([[1]]).tolist() == ["a"]
    assert CARTClassifier(pruning=None, priors=[0.2, 0.8]).fit(data, response).predict([[1]]).tolist() == ["b"]
    assert CARTClassifier(pruning=None, class_weight={"b": 3}).fit(data, response).predict([[1]]).tolist() == ["b"]
    costly = CARTClassifier(pruning=None, costs=[[0, 1], [5, 0]]).fit(data, response)
    assert costly.predict([[1]]).tolist() == ["b"]
    assert costly.predict_proba([[1]])[0, 0] == pytest.approx(2 / 3)


def test_rates_are_events_per_exposure():
    events, exposure = [1, 1, 6, 6], [1.0, 1.0, 2.0, 2.0]
    model = CARTRegressor(criterion="poisson", pruning=None).fit([[1], [1], [2], [2]], events, exposure=exposure)
    assert model.predict([[1], [2]]).tolist() == [1.0, 3.0]


def test_importance_of_both_kinds():
    model = CARTClassifier(pruning=None, max_surrogates=5).fit(X, Y)
    np.testing.assert_allclose(model.importance(), model.feature_importances_)
    raw = model.importance("mdi+surrogates", normalize=False).values
    np.testing.assert_allclose(model.importance("mdi+surrogates"), raw / raw.sum())
    assert (raw > 0).all()  # on iris every feature is a surrogate of another somewhere
    with pytest.raises(ParameterError, match="mdi"):
        model.importance("gain")


def test_a_pruner_without_a_risk_takes_ccp_risk():
    def alphas(**settings):
        return CARTClassifier(**settings).fit(X, Y).cost_complexity_path_.ccp_alphas

    bare, own = CostComplexity(rule="none", folds=None), CostComplexity(rule="none", folds=None, risk="error")
    assert np.array_equal(alphas(pruning=bare, ccp_risk="error"), alphas(pruning=own))
    assert np.array_equal(alphas(pruning=own, ccp_risk="entropy"), alphas(pruning=own))
    assert not np.array_equal(alphas(pruning=bare), alphas(pruning=own))
    one = CARTClassifier(pruning=bare, ccp_risk="error").fit(X, Y).cp_table()
    assert one == CARTClassifier(pruning=own).fit(X, Y).cp_table()

"""Charts: importance, gains and lift show the numbers that the library gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.errors import DataError, ParameterError, ParameterTypeError
from boxwood.pictures.gains_chart import gains

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def titanic():
    X = datasets.load("titanic")
    y = X.pop("survived")
    new = datasets.load("titanic_new")
    return CARTClassifier().fit(X, y), new, new.pop("survived")


def lines(ax) -> dict:
    return {line.get_label(): line for line in ax.lines}


@pytest.mark.parametrize("kind", ["mdi", "mdi+surrogates"])
def test_bars_are_the_importances(titanic, kind):
    model = titanic[0]
    ax = model.plot_importance(kind=kind)
    names = [text.get_text() for text in ax.get_yticklabels()]
    found = dict(zip(names, (bar.get_width() / 100 for bar in ax.patches), strict=True))
    wanted = {name: v for name, v in zip(model.feature_names_in_, model.importance(kind), strict=True) if v > 0}
    assert found == pytest.approx(wanted)
    assert [bar.get_width() for bar in ax.patches] == sorted((bar.get_width() for bar in ax.patches), reverse=True)


def test_the_number_of_bars_can_be_limited(titanic):
    from matplotlib.figure import Figure

    given_ax = Figure().subplots()
    ax = titanic[0].tree_.plot_importance(top=2, ax=given_ax)
    assert ax is given_ax
    assert len(ax.patches) == 2
    assert ax.get_title(loc="right") == "3 more features with less"
    with pytest.raises(ParameterError, match="top must be at least 1 or None; got 0"):
        titanic[0].plot_importance(top=0)
    with pytest.raises(ParameterTypeError, match="top must be a whole number or None; got '5'"):
        titanic[0].plot_importance(top="5")
    with pytest.raises(ParameterError, match="kind must be one of"):
        titanic[0].plot_importance(kind="gain")


def test_a_tree_without_splits_has_no_bars():
    model = CARTClassifier(pruning=None).fit({"x": [1, 2]}, ["a", "a"])
    assert len(model.plot_importance().patches) == 0


def test_gains_by_hand(titanic):
    model, X, y = titanic
    line = lines(model.plot_gains(X, y, "yes"))["this tree"]
    p = model.predict_proba(X)[:, 1]
    hit = np.asarray(y) == "yes"
    for share, found in zip(line.get_xdata()[1:], line.get_ydata()[1:], strict=True):
        least = np.sort(p)[::-1][round(share / 100 * len(p)) - 1]
        assert found == pytest.approx(100 * hit[p >= least].sum() / hit.sum())
    lift = lines(model.plot_gains(X, y, kind="lift"))["this tree"]
    assert lift.get_ydata() == pytest.approx(line.get_ydata()[1:] / line.get_xdata()[1:])
    assert model.plot_gains(X, y, "no").get_ylabel() == "% of y = no found"


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_order_of_rows_and_repetition_do_not_matter(rows):
    score, target, weight = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    if (target * weight).sum() == 0:
        with pytest.raises(DataError, match="nothing to be found"):
            gains(score, target, weight)
        return
    curve = gains(score, target, weight)
    assert curve.tested[-1] == pytest.approx(1.0)
    assert curve.found[-1] == pytest.approx(1.0)
    order = np.argsort(-np.arange(len(score)))
    again = gains(score[order], target[order], weight[order])
    np.testing.assert_allclose(again.found, curve.found)
    copies = np.repeat(np.arange(len(score)), weight.astype(int))
    repeated = gains(score[copies], target[copies])
    np.testing.assert_allclose(repeated.tested, curve.tested)
    np.testing.assert_allclose(repeated.found, curve.found)
    best = np.interp(curve.tested, *curve.best)
    assert (best >= curve.found - 1e-12).all()


def test_gains_of_numbers_add_up_y():
    X = {"x": [1.0, 2.0, 3.0, 4.0]}
    model = CARTRegressor(pruning=None, max_depth=1).fit(X, [0.0, 0.0, 4.0, 6.0])
    line = lines(model.plot_gains(X, [1.0, 0.0, 4.0, 5.0]))["this tree"]
    assert line.get_xdata().tolist() == [0.0, 50.0, 100.0]
    assert line.get_ydata().tolist() == [0.0, 90.0, 100.0]
    with pytest.raises(DataError, match="must not be negative"):
        model.plot_gains(X, [-1.0, 0.0, 4.0, 5.0])
    with pytest.raises(ParameterError, match="target_class is for trees of classes"):
        model.plot_gains(X, [1.0, 0.0, 4.0, 5.0], 3)


def test_weights_count(titanic):
    model, X, y = titanic
    weight = np.arange(len(y)) % 3
    line = lines(model.plot_gains(X, y, "yes", sample_weight=weight))["this tree"]
    rows = np.repeat(np.arange(len(y)), weight)
    some = {name: np.asarray(column, dtype=object)[rows] for name, column in X.items()}
    twice = lines(model.plot_gains(some, np.asarray(y)[rows], "yes"))["this tree"]
    np.testing.assert_allclose(line.get_ydata(), twice.get_ydata())


def test_the_class_must_be_one_of_the_labels(titanic):
    model, X, y = titanic
    with pytest.raises(ParameterError, match="target_class must be one of 'no', 'yes'; got 'maybe'"):
        model.plot_gains(X, y, "maybe")
    with pytest.raises(ParameterError, match="kind must be one of 'gains', 'lift'; got 'roc'"):
        model.plot_gains(X, y, kind="roc")
    iris = datasets.load("iris")
    species = iris.pop("species")
    flowers = CHAIDClassifier().fit(iris, species)
    with pytest.raises(
        ParameterError, match="target_class must be one of 'setosa', 'versicolor', 'virginica'; got None"
    ):
        flowers.plot_gains(iris, species)
    numbers = CARTClassifier(pruning=None).fit({"x": [1, 2, 3]}, [0, 1, 2])
    assert numbers.plot_gains({"x": [1, 2, 3]}, [0, 1, 2], np.int64(2)).get_ylabel() == "% of y = 2 found"
    with pytest.raises(ParameterError, match="target_class must be one of 0, 1, 2; got '2'"):
        numbers.plot_gains({"x": [1, 2, 3]}, [0, 1, 2], "2")

"""The picture of a pruning sequence shows every tree and marks the selected one."""

import builtins

import numpy as np
import pytest

from boxwood import CARTClassifier, CostComplexity, datasets, pruners
from boxwood.errors import NotAvailableError


@pytest.fixture(scope="module")
def model():
    X = datasets.load("iris")
    y = X.pop("species")
    return CARTClassifier(pruning=CostComplexity(folds=5)).fit(X, y)


def test_both_kinds_of_rows_and_the_tree_in_force(model):
    path = model.pruning_path_
    ax = path.plot()
    assert ax.get_legend_handles_labels()[1][0] == "training set"
    assert f"selected: {model.get_n_leaves()} leaves" in ax.get_legend_handles_labels()[1]
    training, held_out = ax.lines[0], ax.lines[1]
    assert np.array_equal(training.get_ydata(), path.training_losses)
    assert not np.array_equal(path.training_losses, path.risks)  # errors here as there, no Gini index
    assert np.array_equal(held_out.get_ydata(), path.losses)
    assert np.array_equal(training.get_xdata(), path.n_leaves)


def test_an_axes_may_be_given_and_nothing_held_out(model):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    X = datasets.load("iris")
    y = X.pop("species")
    full = CARTClassifier(pruning=None).fit(X, y)
    assert full.pruning_path_.plot(ax) is ax
    assert np.array_equal(ax.lines[0].get_ydata(), full.pruning_path_.training_losses)
    drawn = model.cost_complexity_path_.plot()
    assert np.array_equal(drawn.lines[0].get_ydata(), model.cost_complexity_path_.training_losses)
    assert np.array_equal(drawn.lines[1].get_ydata(), model.cost_complexity_path_.cv_mean)


def test_a_pruner_s_own_risk_is_not_drawn_beside_errors():
    X = datasets.load("iris")
    y = X.pop("species")
    own = CARTClassifier(pruning=pruners.OneLeaf(folds=5, risk="gini")).fit(X, y).pruning_path_
    assert own.training_losses is None
    assert np.array_equal(own.plot().lines[0].get_ydata(), own.losses)
    usual = CARTClassifier(pruning=pruners.OneLeaf(folds=5)).fit(X, y).pruning_path_
    assert np.array_equal(usual.plot().lines[0].get_ydata(), usual.risks)


def test_without_matplotlib(model, monkeypatch):
    real = builtins.__import__

    def absent(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(NotAvailableError, match="plot needs matplotlib"):
        model.pruning_path_.plot()

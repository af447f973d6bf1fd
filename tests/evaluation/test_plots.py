"""Pictures show the curves of scikit-learn, and any script."""

import io

import numpy as np
import pytest
from sklearn import metrics

from boxwood.errors import ParameterError
from boxwood.evaluation.evaluate import evaluated_classes, evaluated_numbers
from boxwood.evaluation.plots import CLASS_KINDS, calibration


def found():
    rng = np.random.default_rng(0)
    p = np.round(rng.random(300), 2)
    y = np.where(rng.random(300) < p, "yes", "no")
    return evaluated_classes(("no", "yes"), y, np.where(p > 0.5, "yes", "no"), np.column_stack((1 - p, p))), y, p


@pytest.mark.parametrize("kind", CLASS_KINDS)
def test_every_kind_is_drawn(kind):
    ax = found()[0].plot(kind)
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg")
    assert file.getvalue().startswith(b"<?xml")
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_curves_are_those_of_scikit_learn():
    evaluation, y, p = found()
    alarms, hits, _ = metrics.roc_curve(y == "yes", p, drop_intermediate=False)
    line = evaluation.plot("roc").lines[0]
    np.testing.assert_allclose(line.get_xdata(), alarms, atol=1e-12)
    np.testing.assert_allclose(line.get_ydata(), hits, atol=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(y == "yes", p)
    line = evaluation.plot("precision_recall").lines[0]
    np.testing.assert_allclose(line.get_xdata()[1:], recall[-2::-1], atol=1e-12)
    np.testing.assert_allclose(line.get_ydata()[1:], precision[-2::-1], atol=1e-12)


def test_calibration_has_groups_of_about_equal_weight_and_intervals_around_their_shares():
    evaluation, y, p = found()
    said, share, low, high = calibration(evaluation.ranking())
    assert len(said) == 10
    assert (low <= share).all()
    assert (share <= high).all()
    assert ((low <= said) & (said <= high)).mean() >= 0.8
    assert np.mean(share) == pytest.approx(np.mean(y == "yes"), abs=0.02)
    assert np.mean(said) == pytest.approx(p.mean(), abs=0.02)


def test_residuals_of_numbers_and_kinds_that_there_are_not():
    evaluation = evaluated_numbers([1.0, 2.0, 4.0], np.array([1.5, 1.5, 4.0]))
    line = evaluation.plot("residuals").lines[0]
    assert line.get_ydata().tolist() == [-0.5, 0.5, 0.0]
    with pytest.raises(ParameterError, match="kind must be one of 'residuals' for numbers; got 'roc'"):
        evaluation.plot("roc")
    with pytest.raises(ParameterError, match="kind must be one of 'roc'"):
        found()[0].plot("residuals")

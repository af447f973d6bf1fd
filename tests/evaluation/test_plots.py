"""Pictures show the curves of scikit-learn, and any script."""

import io
import re
from xml.etree import ElementTree

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
    picture = found()[0].to_svg(kind)
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    shown = "".join(ElementTree.fromstring(picture).itertext())
    assert ax.get_xlabel() in shown
    assert ax.get_ylabel() in shown
    assert all(name in shown for name in ax.get_legend_handles_labels()[1])


def test_curves_are_those_of_scikit_learn():
    evaluation, y, p = found()
    alarms, hits, _ = metrics.roc_curve(y == "yes", p, drop_intermediate=False)
    line = evaluation.plot("roc").lines[0]
    np.testing.assert_allclose(line.get_xdata(), alarms, atol=1e-12)
    np.testing.assert_allclose(line.get_ydata(), hits, atol=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(y == "yes", p)
    line = evaluation.plot("precision_recall").lines[0]
    np.testing.assert_allclose(line.get_xdata()[1::2], recall[-2::-1], atol=1e-12)
    np.testing.assert_allclose(line.get_ydata()[1::2], precision[-2::-1], atol=1e-12)


def test_calibration_has_groups_of_about_equal_weight_and_intervals_around_their_shares():
    evaluation, y, p = found()
    predicted, share, low, high = calibration(evaluation.ranking())
    assert len(predicted) == 10
    assert (low <= share).all()
    assert (share <= high).all()
    assert ((low <= predicted) & (predicted <= high)).mean() >= 0.8
    assert np.mean(share) == pytest.approx(np.mean(y == "yes"), abs=0.02)
    assert np.mean(predicted) == pytest.approx(p.mean(), abs=0.02)


def test_residuals_of_numbers_and_kinds_that_there_are_not():
    evaluation = evaluated_numbers([1.0, 2.0, 4.0], np.array([1.5, 1.5, 4.0]))
    line = evaluation.plot("residuals").lines[0]
    assert line.get_ydata().tolist() == [-0.5, 0.5, 0.0]
    with pytest.raises(ParameterError, match="kind must be one of 'residuals' for numbers; got 'roc'"):
        evaluation.plot("roc")
    with pytest.raises(ParameterError, match="kind must be one of 'roc'"):
        found()[0].plot("residuals")


def test_the_svg_and_matplotlib_have_the_same_points():
    evaluation, _, _ = found()
    line = evaluation.plot("roc").lines[0]
    path = re.search(r'<path d="(M[^"]+)" fill="none" stroke="#0072b2"', evaluation.to_svg("roc", theme="light")).group(
        1
    )
    drawn = np.array([step.split() for step in re.split("[ML]", path)[1:]], dtype=float)
    for mine, theirs in ((drawn[:, 0], line.get_xdata()), (drawn[:, 1], line.get_ydata())):
        scale = (mine[-1] - mine[0]) / (theirs[-1] - theirs[0])
        np.testing.assert_allclose((mine - mine[0]) / scale, theirs, atol=1e-4)


def test_pictures_of_hostile_names_and_of_any_theme():
    labels = ("<script>", "好 & 'x'")
    y = [labels[i % 2] for i in range(40)]
    p = np.linspace(0.0, 1.0, 40)
    evaluation = evaluated_classes(labels, y, y, np.column_stack((1 - p, p)), response_name="]]>")
    for kind in CLASS_KINDS:
        for theme in ("auto", "light", "dark"):
            ElementTree.fromstring(evaluation.to_svg(kind, theme=theme))
    with pytest.raises(ParameterError, match="theme must be one of"):
        evaluation.to_svg("roc", theme="blue")

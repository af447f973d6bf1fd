"""Pictures show the parts of the decomposition."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from boxwood import MARSRegressor, NotAvailableError, ParameterError
from boxwood.mars.anova import groups
from mars.fitted_models import KINDS, case


def test_pictures_report_what_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    model = MARSRegressor().fit({"x": [1.0, 2.0, 3.0]}, [1, 2, 3])
    with pytest.raises(NotAvailableError, match="pip install matplotlib"):
        model.plot_effects()


@pytest.fixture(autouse=True)
def _matplotlib(request):
    if "monkeypatch" not in request.fixturenames:
        pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(5)
    rows = {
        "a": rng.uniform(-1, 1, 300), "b": rng.uniform(-1, 1, 300), "c": rng.uniform(-1, 1, 300),
        "kind": np.array(["s", "t", "u"])[rng.integers(0, 3, 300)],
    }  # fmt: skip
    y = np.maximum(0, rows["a"]) * (2 + 3 * rows["b"]) + np.abs(rows["c"]) * (1 + 2 * (rows["kind"] == "t"))
    return MARSRegressor(max_degree=2).fit(rows, y + 0.5 * (rows["kind"] == "u") + rng.normal(scale=0.01, size=300))


def shown(figure) -> list[str]:
    return [axes.get_xlabel() for axes in figure.axes if axes.get_xlabel()]


def at(model, **values) -> float:
    """The prediction at a point less the constant."""
    row = {"a": -1.0, "b": 0.0, "c": 0.0, "kind": "s"} | values
    return float(model.predict({name: [value] for name, value in row.items()})[0])


def test_a_line_is_the_main_effect(model):
    (axes,) = model.plot_effects([["c"]]).axes
    x, y = axes.lines[0].get_data()
    predicted = [at(model, c=v) for v in x]
    np.testing.assert_allclose(np.diff(y), np.diff(predicted), atol=1e-9)
    knots = [line.get_xdata()[0] for line in axes.lines[1:]]
    assert knots
    assert set(knots) <= set(x)


def test_lines_of_levels_hold_the_main_effects(model):
    (axes,) = model.plot_effects([["c", "kind"]]).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["s", "t", "u"]
    for line, kind in zip(axes.lines, "stu", strict=True):
        x, y = line.get_data()
        predicted = [at(model, c=v, kind=kind) for v in x]
        np.testing.assert_allclose(np.diff(y), np.diff(predicted), atol=1e-9)
    np.testing.assert_allclose(
        axes.lines[1].get_ydata() - axes.lines[0].get_ydata(),
        [at(model, c=v, kind="t") - at(model, c=v) for v in axes.lines[0].get_xdata()], atol=1e-9,
    )  # fmt: skip


def test_a_surface_is_drawn_for_two_numbers(model):
    figure = model.plot_effects([("a", "b")])
    assert shown(figure) == ["a"]
    assert figure.axes[0].get_ylabel() == "b"
    assert len(figure.axes) == 2  # the surface and its scale


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore:Glyph", "ignore::boxwood.FontWarning")
def test_every_model_can_be_drawn(kind):
    fitted = case(kind).model
    figure = fitted.plot_effects()
    parts = [part for part in groups(fitted.model_.design, fitted.model_.kept) if len(part) <= 2]
    assert len(shown(figure)) == len(parts)
    file = io.BytesIO()
    figure.savefig(file, format="svg")
    assert file.getvalue().startswith(b"<?xml")


def test_a_constant_can_be_drawn():
    figure = MARSRegressor().fit([[1.0], [2.0], [3.0]], [2.0, 2.0, 2.0]).plot_effects()
    assert figure.get_suptitle() == "y: a constant"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"features": [["nothing"]]}, "not a column of the model"),
        ({"features": [["a", "c"]]}, "no term holds exactly"),
        ({"response": 1}, "response must be a whole number from 0 to 0; got 1"),
        ({"response": "y"}, "response must be a whole number"),
    ],
)
def test_what_is_not_there_cannot_be_drawn(model, given, message):
    with pytest.raises(ParameterError, match=message):
        model.plot_effects(**given)

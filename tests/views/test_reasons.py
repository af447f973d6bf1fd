"""Reason codes: the strongest pulls, with the texts that were given."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.errors import ParameterError, ParameterTypeError


def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.mark.parametrize("by", ["contributions", "shap"])
@pytest.mark.parametrize("direction", ["down", "up"])
def test_reasons_are_the_strongest_pulls(by, direction):
    X, y = titanic()
    model = CARTClassifier(max_depth=5, pruning=None).fit(X, y)
    some = {name: column[:50] for name, column in X.items()}
    found = model.reason_codes(some, "yes", n=2, by=by, direction=direction)
    pulls = model.shap_values(some).values[:, :, 1]
    if by == "contributions":
        pulls = np.array([[row.contributions.get(name, [0, 0])[1] for name in X] for row in model.explain(some)])
    sign = -1 if direction == "down" else 1
    for row, reasons in enumerate(found):
        assert len(reasons) == min(2, np.count_nonzero(sign * pulls[row] > 0))
        top = np.sort(sign * pulls[row])[::-1][: len(reasons)]
        np.testing.assert_allclose([sign * reason.contribution for reason in reasons], top)


def test_texts_codes_and_missing_values():
    X, y = titanic()
    model = C45Classifier().fit(X, y)
    one = {name: [column[0]] for name, column in X.items()} | {"sex": [None]}
    assert "sex is missing" not in model.reason_codes(one, "yes", codes={"sex": "No sex given"}).to_text()
    male = one | {"sex": ["male"]}
    assert model.reason_codes(male, "yes").to_text().splitlines()[1].startswith("  1. sex = male (-")
    found = model.reason_codes(male, "yes", codes={"sex": (7, "男性")})
    assert (found[0][0].code, found[0][0].text, found[0][0].value) == ("7", "男性", "male")
    assert "[7] 男性 (-" in str(found)
    assert found.to_frame("dict")["given"][0] == "male"
    means = CARTRegressor(pruning=None).fit({"x": [1, 2]}, [0, 1])
    assert str(means.reason_codes({"x": [2]})) == "row 0: y lowered by: no reasons"
    assert str(means.reason_codes({"x": [1]})) == "row 0: y lowered by\n  1. x = 1 (-0.500)"


@pytest.mark.parametrize(("options", "error", "words"), [
    ({}, ParameterError, "target_class must be the desired class, such as 'no'"),
    ({"target_class": "maybe"}, ParameterError, "target_class must be one of"),
    ({"target_class": "yes", "n": 0}, ParameterError, "n must be"),
    ({"target_class": "yes", "by": "lime"}, ParameterError, "by must be one of 'contributions', 'shap'"),
    ({"target_class": "yes", "direction": "left"}, ParameterError, "direction must be one of"),
    ({"target_class": "yes", "codes": {"size": "x"}}, ParameterError, "codes names 'size'"),
    ({"target_class": "yes", "codes": {"age": 3}}, ParameterTypeError, r"codes\['age'\] must be a text or a pair"),
])  # fmt: skip
def test_wrong_questions_are_refused(options, error, words):
    X, y = titanic()
    model = CARTClassifier(max_depth=1, pruning=None).fit(X, y)
    with pytest.raises(error, match=words):
        model.reason_codes(X, **options)

"""Models of every kind keep one protocol, so that commands need not test what a model has."""

import numpy as np
import pytest

from boxwood import C45Rules, CARTClassifier, CARTRegressor, MARSClassifier, MARSRegressor, datasets
from boxwood.data.frames.frame import learn_columns
from boxwood.model.protocol import Model

IRIS = datasets.load("iris")
SPECIES = IRIS.pop("species")
WIDTH = IRIS["petal_width"]
FEATURES = {name: column for name, column in IRIS.items() if name != "petal_width"}

FITTED = {
    "tree": CARTClassifier().fit(FEATURES, SPECIES),
    "tree of numbers": CARTRegressor().fit(FEATURES, WIDTH),
    "set of rules": C45Rules().fit(FEATURES, SPECIES),
    "MARS model": MARSClassifier(logistic=False).fit(FEATURES, SPECIES),
    "MARS model of numbers": MARSRegressor().fit(FEATURES, WIDTH),
}


@pytest.mark.parametrize("name", FITTED)
def test_models_keep_the_protocol(name):
    estimator = FITTED[name]
    model = estimator.model_
    assert isinstance(model, Model)
    assert name.startswith(model.kind)
    assert (model.tree is None) == (model.kind != "tree")
    columns = learn_columns(FEATURES)
    found = model.predictions(columns, proba=bool(model.labels))
    assert np.array_equal(found.values, estimator.predict(FEATURES))
    assert (found.probability is None) == (not model.labels)
    if model.labels:
        assert np.array_equal(found.probability, estimator.predict_proba(FEATURES))
    assert model.predictions(columns, proba=False).probability is None
    assert bool(found.met) == (model.kind == "tree")

"""Fits of R's earth that the data sets do not call for: long queues, weights, handicaps, several responses."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms.mars import MARS
from boxwood.data.frames.frame import learn_columns
from golden.oracles import PACKED, read

FITS = read(PACKED / "others" / "earth.json.gz")

#: Our names of earth's arguments.
NAMES = {
    "degree": "max_degree", "nk": "max_terms", "thresh": "thresh", "fast.k": "fast_k", "fast.beta": "fast_beta",
    "newvar.penalty": "new_variable_penalty", "Auto.linpreds": "auto_linear",
}  # fmt: skip


def fitted(fit: dict):
    """The model of a problem with earth's settings."""
    X = pd.DataFrame({k: pd.Categorical(v) if isinstance(v[0], str) else v for k, v in fit["x"].items()})
    settings = {NAMES[name]: value for name, (value,) in dict(fit["call"]).items()}
    whole = {name: bool(value) if name == "auto_linear" else int(value) for name, value in settings.items()}
    settings |= {name: whole[name] for name in ("max_degree", "max_terms", "fast_k", "auto_linear") if name in whole}
    y, weight = np.column_stack(fit["y"]), None if fit["weights"] is None else np.array(fit["weights"], dtype=float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        settings["compat"] = "earth"
        return MARS.fit(learn_columns(X), y, task="regression", settings=settings, weight=weight)


def test_some_queues_are_longer_than_fast_k():
    assert sum(len(fit["dirs"]) > 20 for fit in FITS.values()) >= 4


@pytest.mark.parametrize("name", FITS)
def test_fit_is_that_of_earth(name):
    fit = FITS[name]
    model = fitted(fit)
    assert list(model.design.names) == fit["predictors"]
    np.testing.assert_array_equal(model.terms.directions, fit["dirs"])
    np.testing.assert_allclose(model.terms.cuts, np.where(np.array(fit["dirs"]) != 0, fit["cuts"], 0.0), rtol=1e-12)
    assert model.subsets.rss == pytest.approx(fit["rss"], rel=1e-7, abs=1e-9 * fit["rss"][0])
    gcv = np.array([np.inf if value is None else value for value in fit["gcv"]])
    np.testing.assert_allclose(model.gcv, gcv, rtol=1e-7)
    place = {int(term) - 1: row for row, term in enumerate(fit["selected"])}
    assert sorted(place) == sorted(model.chosen)
    theirs = np.array([[response[place[term]] for response in fit["coefficients"]] for term in model.chosen])
    np.testing.assert_allclose(model.coefficients, theirs, rtol=1e-6, atol=1e-6 * np.abs(theirs).max())

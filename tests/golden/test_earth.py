"""What R's earth makes of the data sets: terms, knots, coefficients, subsets, importance (compat="earth")."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from boxwood.algorithms.mars import MARS
from boxwood.data.frames.frame import learn_columns
from boxwood.mars.design import indicators
from golden.oracles import data_set, fit_of, fits, frame, task_of, unnumbered

ALL = fits("earth")


def _exact(name: str, fit_id: str) -> bool:
    return bool((fit_of(name, "earth", fit_id)["robust"] or {}).get("with_queue_numbering"))


EXACT = [pair for pair in ALL if _exact(*pair)]


def settings_of(fit: dict, as_earth: bool = True) -> dict:
    """The call of a fit as settings."""
    call = fit["call"]

    def given(name: str, kind=int):
        found = re.search(rf"[ (]{re.escape(name)}=(-?[\d.]+)", call)
        return kind(found.group(1)) if found else None

    method = re.search(r'pmethod="(\w+)"', call)
    found = {
        "max_degree": given("degree"), "max_terms": given("nk"), "penalty": given("penalty", float),
        "minspan": given("minspan"), "endspan": given("endspan"), "fast_k": given("fast.k"),
        "max_kept": given("nprune"), "backward": method.group(1) if method else None,
    }  # fmt: skip
    found = {key: value for key, value in found.items() if value is not None}
    if "Auto.linpreds=FALSE" in call:
        found["auto_linear"] = False
    if "linpreds=1" in call:
        found["linear_features"] = [0]
    return found | ({"compat": "earth"} if as_earth else {})


def model_of(name: str, fit_id: str, as_earth: bool = True):
    """The data set fitted with earth's settings."""
    data, fit = data_set(name), fit_of(name, "earth", fit_id)
    task = task_of(data, fit)
    n = len(next(iter(data["data"].values())))
    rows = np.arange(n) if fit["rows_used"] == "all" else np.array(fit["rows_used"]) - 1
    columns = learn_columns(frame(data, "data", fit["predictors"], rows))
    target = next(column for column in data["columns"] if column["name"] == task["target"])
    y = np.array(data["data"][task["target"]], dtype=float)[rows]
    if target["type"] != "numeric":
        two = fit.get("response", "").startswith("1 for")
        y = indicators(y.astype(int), 2 if two else len(target["levels"]))
    weight = np.array(data["data"][task["weights"]], dtype=float)[rows] if task.get("weights") else None
    settings = settings_of(fit, as_earth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return MARS.fit(columns, y, task="regression", settings=settings, weight=weight), fit["result"]


def column_names(model) -> list[str]:
    """Names of the columns of the design, as R writes them."""
    return [unnumbered(name) for name in model.design.names]


def terms_are_equal(model, result: dict) -> bool:
    """Names of columns, directions and cuts of all terms of the forward pass."""
    if column_names(model) != result["dirs"]["predictors"]:
        return False
    directions, cuts = np.array(result["dirs"]["values"]), np.array(result["cuts"]["values"], dtype=float)
    return np.array_equal(directions, model.terms.directions) and np.allclose(cuts, model.terms.cuts, rtol=1e-12)


def test_all_fits_marked_exact_are_here():
    assert len(EXACT) >= 50  # 91 where the oracle folder is at hand; the packed files hold the free data sets


@pytest.mark.parametrize(("name", "fit_id"), EXACT)
def test_fit_is_that_of_earth(name, fit_id):
    model, result = model_of(name, fit_id)
    assert terms_are_equal(model, result)
    assert model.subsets.rss == pytest.approx(result["rss_per_subset"], rel=1e-8)
    gcv = np.array([np.inf if v == "inf" else v for v in result["gcv_per_subset"]], dtype=float)
    finite = np.isfinite(gcv)
    assert model.gcv[finite] == pytest.approx(gcv[finite], rel=1e-8)
    assert sorted(model.chosen) == sorted(i - 1 for i in result["selected_terms"])
    place = {term - 1: row for row, term in enumerate(result["selected_terms"])}
    theirs = np.array([result["coefficients"][place[term]] for term in model.chosen])
    assert model.coefficients == pytest.approx(theirs, rel=1e-8, abs=1e-8 * np.abs(theirs).max())
    assert model.r_squared == pytest.approx(result["rsq"], abs=1e-9)
    assert model.gr_squared == pytest.approx(result["grsq"], abs=1e-9)


@pytest.mark.parametrize(("name", "fit_id"), EXACT)
def test_importance_is_that_of_earth(name, fit_id):
    model, result = model_of(name, fit_id)
    found, rows = model.importance(by_column=True), result["evimp"]["values"]
    place = {name: i for i, name in enumerate(result["evimp"]["columns"])}
    for row in rows:
        j = int(row[place["col"]]) - 1
        assert found.n_subsets[j] == row[place["nsubsets"]]
        assert found.gcv[j] == pytest.approx(row[place["gcv"]], abs=1e-5)
        assert found.rss[j] == pytest.approx(row[place["rss"]], abs=1e-5)


GLM = [(name, fit_id) for name, fit_id in ALL if "family = binomial" in fit_of(name, "earth", fit_id)["call"]]


@pytest.mark.parametrize(("name", "fit_id"), GLM)
def test_logistic_step_is_that_of_glm(name, fit_id):
    data, fit = data_set(name), fit_of(name, "earth", fit_id)
    model, result = model_of(name, fit_id)
    if not terms_are_equal(model, result) or task_of(data, fit).get("weights"):
        return
    task = task_of(data, fit)
    n = len(data["data"][task["target"]])
    rows = np.arange(n) if fit["rows_used"] == "all" else np.array(fit["rows_used"]) - 1
    columns = learn_columns(frame(data, "data", fit["predictors"], rows))
    y = np.array(data["data"][task["target"]])[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logistic = MARS.fit(columns, y, task="classification", settings=settings_of(fit))
    theirs = np.array(result["glm_coefficients"])
    assert logistic.log_odds == pytest.approx(theirs, rel=1e-6, abs=1e-6 * np.abs(theirs).max())


def test_right_queue_is_better_in_most_where_it_changes_the_model():
    better = worse = 0
    for name, fit_id in ALL:
        model, result = model_of(name, fit_id, as_earth=False)
        if model.settings["max_degree"] == 1 or terms_are_equal(model, result):
            continue
        chosen = float(model.gcv[model.size - 1])
        better += chosen <= result["gcv"] * (1.0 + 1e-9)
        worse += chosen > result["gcv"] * (1.0 + 1e-9)
    print(f"\nright queue against earth's numbering: lower or equal GCV in {better} of {better + worse} changed fits")
    assert better > worse

"""Dossiers: made again they are the same, a changed byte is found, and what people fill in is theirs."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.algorithms.dossier.facts import as_json, fingerprint, to_text
from boxwood.algorithms.dossier.tripod import ITEMS
from boxwood.algorithms.dossier.verified import discrepancies, read_dossier
from boxwood.edits import SignNode
from boxwood.errors import DataError, ParameterError, ParameterTypeError
from effort import examples

MODELS = {
    "cart": lambda: CARTClassifier(max_depth=3),
    "priors": lambda: CARTClassifier(max_depth=2, priors="uniform", pruning=None),
    "c45": lambda: C45Classifier(max_depth=3),
    "chaid": CHAIDClassifier,
    "monotone": lambda: CARTClassifier(max_depth=3, monotonic_cst={"age": -1}, pruning=None),
}


def titanic() -> tuple[dict, list]:
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture(scope="module")
def made():
    X, y = titanic()
    model = CARTClassifier(max_depth=3).fit(X, y)
    new = datasets.load("titanic_new")
    holdout = new, new.pop("survived")
    return model, X, y, holdout, model.dossier(X, y, holdout=holdout, by="class")


@pytest.mark.parametrize("kind", MODELS)
def test_a_dossier_is_verified_and_holds_the_figures_of_evaluate(kind):
    X, y = titanic()
    model = MODELS[kind]().fit(X, y)
    found = model.dossier(X, y, by=["sex"], formats=["json"])
    assert model.verify_dossier(X, y, found.to_json()) == ()
    figures = found.facts["evaluation"]["data"]["figures"]
    assert figures["accuracy"]["value"] == model.evaluate(X, y)["accuracy"].value
    assert found.facts["exports"]["json"]["mismatches"] == 0
    assert (found.facts["certificate"] is not None) == (kind == "monotone")
    assert model.dossier(X, y, by=["sex"], formats=["json"]).to_json() == found.to_json()


def test_numbers():
    X = datasets.load("computer_hardware")
    y = X.pop(list(X)[-1])
    model = CARTRegressor(max_depth=3).fit(X, y)
    found = model.dossier(X, y)
    assert model.verify_dossier(X, y, found) == ()
    assert found.facts["tripod_ai"]["15 Model output"] == "a number"


def test_another_model_other_rows_and_another_holdout_are_found(made):
    model, X, y, holdout, found = made
    assert model.verify_dossier(X, y, found, holdout=holdout) == ()
    other = CARTClassifier(max_depth=2).fit(X, y)
    places = {one.place for one in other.verify_dossier(X, y, found, holdout=holdout)}
    assert {"model.sha256", "model.leaves", "fingerprint"} <= places
    ages = [age if i else 99.0 for i, age in enumerate(X["age"])]
    places = {one.place for one in model.verify_dossier(X | {"age": ages}, y, found, holdout=holdout)}
    assert "rows.data.sha256" in places
    flipped = [y[0], "yes" if y[1] == "no" else "no", *y[2:]]
    places = {one.place for one in model.verify_dossier(X, flipped, found, holdout=holdout)}
    assert {"rows.data.sha256", "evaluation.data.figures.accuracy.value"} <= places
    places = {one.place for one in model.verify_dossier(X, y, found)}
    assert "rows.holdout" in places


def test_every_changed_byte_is_found(made):
    """Not only where the file is no JSON any more; blanks are for people."""
    found = made[-1]
    text, draw = found.to_json(), random.Random(1)
    end = text.index('"blanks"')
    for _ in range(examples(400)):
        at = draw.randrange(end)
        new = draw.choice([c for c in '0123456789aeflnorstu ,.:"{}[]\n-' if c != text[at]])
        changed = text[:at] + new + text[at + 1 :]
        try:
            stated = read_dossier(changed)
        except DataError:
            continue
        assert discrepancies(stated, found.facts, changed), (at, text[at - 20 : at + 20], new)


def test_a_forged_number_with_a_new_fingerprint_is_found(made):
    model, X, y, holdout, found = made
    forged = json.loads(found.to_json())
    forged["evaluation"]["holdout"]["figures"]["auc"]["value"] = 0.99
    forged["fingerprint"] = fingerprint(forged)
    places = {one.place for one in model.verify_dossier(X, y, to_text(forged), holdout=holdout)}
    assert places == {"evaluation.holdout.figures.auc.value", "fingerprint"}


def test_blanks_are_named_and_may_be_filled_in(made):
    model, X, y, holdout, found = made
    facts = json.loads(found.to_json())
    assert "17 Ethical approval" in facts["blanks"]
    assert len(facts["blanks"]) + len(facts["tripod_ai"]) == len(ITEMS) == 52
    facts["blanks"]["17 Ethical approval"] = "倫理委員会 2026-11"
    text = json.dumps(facts, ensure_ascii=False, indent=2) + "\n"
    assert model.verify_dossier(X, y, text, holdout=holdout) == ()
    del facts["blanks"]["17 Ethical approval"]
    assert model.verify_dossier(X, y, json.dumps(facts), holdout=holdout)


def test_the_page_has_the_parts_of_the_dossier(made):
    *_, found = made
    html = found.page().html
    for part in ("SHA-256", found.facts["fingerprint"], "TRIPOD+AI", "Ethical approval", "python"):
        assert part in html


def test_edits_are_part_of_it():
    X, y = titanic()
    model = CARTClassifier(max_depth=2).fit(X, y)
    model.edit(X, y).take(SignNode(1), who="陳", why="checked")
    found = model.dossier(X, y, formats=[])
    assert found.facts["edits"][0]["who"] == "陳"
    assert "sign at node 1: checked" in found.page().html
    assert model.verify_dossier(X, y, found) == ()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"format": "boxwood-dossier-1", "options": {"by": [1], "formats": []}}',
             "[" * 100_000, '{"format": NaN}']
)  # fmt: skip
def test_what_is_no_dossier_is_refused_in_a_sentence(made, text):
    model, X, y, *_ = made
    with pytest.raises(DataError, match="dossier"):
        model.verify_dossier(X, y, text)


def test_weights_and_exposures_count():
    rng = np.random.default_rng(5)
    X = {"x": rng.normal(size=80), "stadt": rng.choice(["Ulm", "京都"], 80).tolist()}
    y, weight, years = rng.poisson(1.0, 80).astype(float), rng.integers(1, 4, 80).astype(float), rng.random(80) + 0.5
    y[3] = np.nan
    model = CARTRegressor(criterion="poisson", max_depth=2, pruning=None, missing_target="drop")
    model.fit(X, y, weight, exposure=years)
    held = X, rng.poisson(1.0, 80).astype(float), weight[::-1], years[::-1]
    found = model.dossier(X, y, weight, exposure=years, holdout=held, by="stadt")
    expected = model.evaluate(X, y, weight, exposure=years)
    assert found.facts["evaluation"]["data"]["figures"] == as_json(expected.to_dict()["figures"])
    assert found.facts["rows"]["data"]["sample_weight"] == weight[np.arange(80) != 3].sum()
    assert found.page().html
    given = {"exposure": years, "holdout": held}
    assert model.verify_dossier(X, y, found, weight, **given) == ()
    assert model.verify_dossier(X, y, found.to_json(), weight, **given) == ()
    for other in (
        (weight[::-1], given),
        (weight, given | {"exposure": years * 2}),
        (weight, given | {"holdout": held[:2]}),
    ):
        assert "sha256" in " ".join(one.place for one in model.verify_dossier(X, y, found, other[0], **other[1]))


def test_wrong_options_are_refused_by_name(made):
    model, X, y, *_ = made
    with pytest.raises(ParameterError, match="format must be one of"):
        model.dossier(X, y, formats=["xyz"])
    with pytest.raises(ParameterTypeError, match=r"holdout must be a tuple \(X, y\)"):
        model.dossier(X, y, holdout=X)
    with pytest.raises(ParameterTypeError, match="dossier must be a dossier or the text of its file; got 3"):
        model.verify_dossier(X, y, 3)


def test_many_rows_are_given_to_exports_in_part():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 3)), rng.integers(0, 2, 3000)
    model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    found = model.dossier(X, y, target_class=1)
    assert found.facts["exports"]["python"]["rows"] == 1000
    assert model.verify_dossier(X, y, found) == ()

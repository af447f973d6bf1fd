"""Summary, tables and names of terms show what the model holds."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import MARSClassifier, MARSRegressor, MARSTransformer, ParameterError, datasets
from boxwood.mars.terms import Terms
from boxwood.mars.words import term_name, term_names, term_words
from boxwood.views.aligned import aligned
from boxwood.views.words import columns
from mars.fitted_models import KINDS, case


def volume_of_trees():
    X = datasets.load("trees")
    y = X.pop("volume")
    return MARSRegressor().fit(X, y)


def test_summary_of_trees():
    text = volume_of_trees().summary().splitlines()
    assert text[0] == "MARS for y: 4 of 5 terms, 2 of 2 features"
    assert [line.split()[0] for line in text[2:6]] == ["(constant)", "h(girth-14.2)", "h(14.2-girth)", "h(height-75)"]
    assert text[7] == "GCV 11.2544  RSS 209.114  GRSq 0.960  RSq 0.974"


@pytest.mark.parametrize("kind", KINDS)
def test_summary_names_every_term_and_response(kind):
    model = case(kind).model
    text, found = model.summary(), model.model_
    for name in term_names(found.design, found.kept):
        assert f"\n{name} " in text
    heads = {"several": ["y[0]", "y[1]"], "three classes": ["0", "1", "2"], "shares": ["0", "1", "2"]}
    heads |= {"yes or no": ["是", "'x'"], "yes or no with gaps": ["是", "'x'"]}
    assert text.splitlines()[1].split() == heads.get(kind, ["coefficient"])
    assert ("log odds" in text) == (found.log_odds is not None)


def test_terms_as_a_table():
    model = case("yes or no with gaps").model
    frame = model.to_frame(backend="dict")
    assert frame["term"] == term_names(model.model_.design, model.model_.kept)
    assert frame["是 'x' (log odds)"] == model.model_.log_odds[:, 0].tolist()
    assert frame["是 'x'"] == model.model_.coefficients[:, 0].tolist()
    assert frame["degree"] == model.model_.kept.degree.tolist()
    assert frame["words"][0] == "always"
    assert "1 if city is 京都" in frame["words"]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("what", ["terms", "subsets", "importance"])
def test_tables_in_every_package(what, backend):
    pytest.importorskip(backend)
    model = volume_of_trees()
    frame = model.to_frame(what, backend)
    assert len(frame) == {"terms": 4, "subsets": 5, "importance": 2}[what]


def test_subsets_as_a_table():
    model = volume_of_trees()
    frame = model.to_frame("subsets", "dict")
    assert frame["terms"] == [1, 2, 3, 4, 5]
    assert frame["chosen"] == [False, False, False, True, False]
    assert frame["gcv"] == model.model_.gcv.tolist()
    assert frame["grsq"][3] == pytest.approx(0.9597, abs=1e-4)


def test_unknown_tables_are_refused():
    with pytest.raises(ParameterError, match="what must be 'terms', 'subsets' or 'importance'; got 'x'"):
        volume_of_trees().to_frame("x")


def test_words_of_terms():
    design = case("gaps").model.model_.design
    at = {name: j for j, name in enumerate(design.names)}
    products = [
        [(at["高さ"], 1, -2.0)],
        [(at["高さ"], -1, 1.5), (at["city京都"], 2, 0.0)],
        [(at["missing(city)"], 2, 0.0)],
        [(at["city京都"], -1, 1.0)],
    ]
    terms = Terms.of([[], *products], len(design))
    assert [term_name(design, terms, m) for m in range(5)] == [
        "(constant)", "h(高さ+2)", "h(1.5-高さ)*city京都", "missing(city)", "h(1-city京都)",
    ]  # fmt: skip
    assert [term_words(design, terms, m) for m in range(5)] == [
        "always",
        "how far 高さ is above -2",
        "how far 高さ is below 1.5 times 1 if city is 京都",
        "1 if city is missing or not known",
        "how far city京都 is below 1",
    ]


def test_knots_that_six_digits_cannot_tell_apart_are_written_in_full():
    design = volume_of_trees().model_.design
    terms = Terms.of([[], [(0, 1, 1234567.25)], [(0, 1, 1234567.75)], [(0, 1, 3.0)]], 2)
    assert term_names(design, terms) == ["(constant)", "h(girth-1234567.25)", "h(girth-1234567.75)", "h(girth-3)"]


def test_names_of_the_transformer_are_those_of_the_summary():
    X = datasets.load("trees")
    y = X.pop("volume")
    assert MARSTransformer().fit(X, y).get_feature_names_out().tolist() == [
        "h(girth-14.2)",
        "h(14.2-girth)",
        "h(height-75)",
    ]


def test_wide_characters_count_two():
    lines = aligned([["", "数"], ["京都", "1"], ["x", "-22"]])
    assert [columns(line) for line in lines] == [9, 9, 9]


def test_a_note_about_separated_classes_does_not_stop_the_summary():
    x = np.arange(40.0)
    with pytest.warns(UserWarning, match="without error"):
        model = MARSClassifier(minspan=1, endspan=1).fit({"x": x}, x > 19)
    assert "True" in model.summary()

"""The class of interest, from the fit to every figure; costs by labels; labels that no training row had."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import boxwood
from boxwood.cli import main
from boxwood.errors import ParameterError, ResponseError
from boxwood.views.target import target_of

pytestmark = pytest.mark.filterwarnings("ignore::boxwood.errors.PruningWarning")

MAKERS = {
    "cart": boxwood.CARTClassifier,
    "c45": boxwood.C45Classifier,
    "chaid": boxwood.CHAIDClassifier,
    "id3": boxwood.ID3Classifier,
    "cls": boxwood.CLSClassifier,
    "c45-rules": boxwood.C45Rules,
    "mars": boxwood.MARSClassifier,
    "tree": boxwood.TreeClassifier,
}


def credit(n=400, labels=("bad", "good"), seed=0):
    """Rows of which about a quarter are of the first class."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, n), rng.integers(0, 3, n)
    first = rng.uniform(size=n) < 0.05 + 0.12 * a
    return {"a": np.array(list("uvwx"))[a], "b": np.array(list("rst"))[b]}, np.where(first, *labels)


@pytest.mark.parametrize("name", MAKERS)
def test_the_class_of_interest_is_the_rarer_one_or_the_one_named(name, tmp_path):
    X, y = credit()
    for given, expected in ((None, "bad"), ("good", "good"), (np.str_("good"), "good")):
        model = MAKERS[name](target_class=given).fit(X, y)
        assert model.classes_.tolist() == ["bad", "good"]
        assert model.model_.settings["target_class"] == expected
        found = model.evaluate(*credit(seed=1))
        assert found["average_precision"].label == expected
        assert found.thresholds().label == expected
        other = "bad" if expected == "good" else "good"
        assert model.evaluate(*credit(seed=1), target_class=other)["ks"].label == other
        model.save(tmp_path / "m.box")
        again = boxwood.load(tmp_path / "m.box")
        assert again.target_class == again.model_.settings["target_class"] == expected
    with pytest.raises(ParameterError, match="one of 'bad', 'good'; got 'goood'; did you mean 'good'"):
        MAKERS[name](target_class="goood").fit(X, y)


def test_classes_are_counted_by_rows_whatever_they_weigh_and_ties_go_to_the_second():
    X, y = credit()
    weight = np.where(y == "bad", 100.0, 1.0)
    for more in ({"class_weight": {"bad": 50}}, {"priors": {"bad": 0.9, "good": 0.1}}):
        assert boxwood.CARTClassifier(**more).fit(X, y).model_.settings["target_class"] == "bad"
    assert boxwood.CARTClassifier().fit(X, y, sample_weight=weight).model_.settings["target_class"] == "bad"
    assert boxwood.CARTClassifier().fit([[1], [2]], ["ja", "nein"]).model_.settings["target_class"] == "nein"
    three = boxwood.CARTClassifier(target_class=2).fit([[1], [2], [3]], [1, 2, 3])
    assert three.evaluate([[1], [2], [3.5]], [1, 2, 3])["auc"].label == 2
    assert boxwood.CARTClassifier().fit([[1], [2], [3]], [1, 2, 3]).model_.settings["target_class"] is None


def test_a_tree_without_the_setting_has_the_rarer_class_of_its_root():
    X, y = credit()
    tree = boxwood.CARTClassifier(pruning=None).fit(X, y).tree_
    object.__setattr__(tree, "made_by", {})
    assert target_of(tree.response).code(tree, None) == 0
    assert tree.rules().gains().to_text().startswith("Gains for y = bad")


def test_report_gains_and_rules_speak_of_the_class_of_interest():
    X, y = credit()
    model = boxwood.CARTClassifier().fit(X, y)
    new, truth = credit(seed=1)
    assert "AUC, Gini, KS, lift and average precision are of bad." in model.explore(new, truth).html
    assert model.rules().gains().to_text().startswith("Gains for y = bad")
    ax = model.plot_gains(new, truth)
    assert "bad" in ax.get_title() + ax.get_ylabel() + ax.get_xlabel()


def test_rows_in_parts_give_the_same_file_as_rows_in_memory(tmp_path, capsys):
    X, y = credit()
    pd.DataFrame({**X, "y": y, "w": np.where(y == "bad", 9, 1)}).to_csv(tmp_path / "t.csv", index=False)
    for words in ([], ["--target-class", "good"], ["--sample-weight", "w"], ["--class-weight", '{"bad": 9}']):
        files = []
        for name, more in (("one", []), ("two", ["--memory", "1GB"])):
            files.append(tmp_path / f"{name}.box")
            args = ["fit", str(tmp_path / "t.csv"), "--target", "y", "-o", str(files[-1]), *words, *more, "--quiet"]
            assert main(args + ([] if "w" in words else ["--drop", "w"])) == 0
        assert files[0].read_bytes() == files[1].read_bytes()
        assert boxwood.load(files[0]).target_class == ("good" if "good" in words else "bad")
    assert (
        main(["fit", str(tmp_path / "t.csv"), "--target", "y", "--target-class", "goodd", "-o", str(tmp_path / "x")])
        == 2
    )
    assert "--target-class must be one of 'bad', 'good'; got 'goodd'; did you mean 'good'?" in capsys.readouterr().err


def test_numbers_are_named_on_the_command_line_as_they_are_written(tmp_path, capsys):
    X, y = credit(labels=(1, 0))
    pd.DataFrame({**X, "y": y}).to_csv(tmp_path / "t.csv", index=False)
    args = ["fit", str(tmp_path / "t.csv"), "--target", "y", "-o", str(tmp_path / "m.box"), "--json"]
    assert main([*args, "--target-class", "0", "--costs", '{"1": {"0": 5}}']) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["evaluation"]["target_class"], facts["algorithm"]["parameters"]["target_class"]) == (0, 0)
    assert facts["algorithm"]["parameters"]["costs"] == [[0.0, 1.0], [5.0, 0.0]]


@pytest.mark.parametrize("costs", [{("bad", "good"): 5}, {"bad": {"good": 5}}, [[0, 5], [1, 0]]])
def test_costs_by_labels_are_the_table_in_the_order_of_the_classes(costs, tmp_path):
    X, y = credit()
    model = boxwood.CARTClassifier(costs=costs, pruning=None).fit(X, y)
    model.save(tmp_path / "m.box")
    again = boxwood.load(tmp_path / "m.box")
    assert again.tree_.response.costs == ((0.0, 5.0), (1.0, 0.0))
    assert again.fit(X, y).predict(X).tolist() == model.predict(X).tolist()


def test_costs_by_labels_that_are_none_are_named():
    X, y = credit()
    for costs, words in (
        ({("bad", "goood"): 5}, "a label of costs must be one of 'bad', 'good'; got 'goood'; did you mean 'good'"),
        ({"bad": 5}, r"costs must be \{\(.*\): cost\}"),
        ({("bad", "bad"): 5}, "zeros on the diagonal"),
    ):
        with pytest.raises(ParameterError, match=words):
            boxwood.CARTClassifier(costs=costs).fit(X, y)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    ("labels", "given", "why"),
    [
        ((1, 0), ("1", "0"), "did you mean"),
        (("yes", "no"), ("yes ", "no "), "blank"),
        (("yes", "no"), ("yes.", "no."), "full stop"),
        (("yes", "no"), ("Yes", "No"), "capitals"),
        (("1", "0"), (1, 0), "is a number"),
    ],
)
def test_labels_that_differ_in_form_are_refused_with_the_reason(name, labels, given, why):
    X, y = credit(labels=labels)
    model = MAKERS[name]().fit(X, y)
    _, other = credit(labels=given)
    for call in (model.evaluate, model.score):
        for container in (np.array, list, pd.Series, pa.array):
            with pytest.raises(ResponseError, match="labels that did not occur in training") as error:
                call(X, container(other.tolist()))
            assert why in str(error.value).replace("Did", "did")


def test_a_new_label_beside_known_ones_is_named_with_its_rows_and_can_be_left_out():
    X, y = credit()
    model = boxwood.CARTClassifier().fit(X, y)
    truth = y.astype(object)
    truth[[3, 7]] = "unclear"
    words = r"a label that did not occur in training: 'unclear' \(2 rows\); row 3 \(counted from 0\) is the first of 2"
    for call in (model.evaluate, model.explore, model.plot_gains):
        with pytest.raises(ResponseError, match=words):
            call(X, truth)
    found = model.evaluate(X, truth, new_labels="drop")
    keep = truth != "unclear"
    assert found.to_json() == model.evaluate({k: v[keep] for k, v in X.items()}, y[keep]).to_json()
    with pytest.raises(ParameterError, match="new_labels must be one of"):
        model.evaluate(X, truth, new_labels="ignore")
    with pytest.raises(ResponseError, match="did not occur"):
        model.evaluate(X, ["unclear"] * len(y), new_labels="drop")


def test_a_class_too_rare_for_a_fold_counts_as_an_error_of_the_score():
    model = boxwood.CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"])
    with pytest.warns(boxwood.UnseenLevelWarning, match=r"did not occur in training: 'c' \(1 row\)"):
        assert model.score([[1], [3]], ["a", "c"]) == 0.5
    with pytest.raises(boxwood.ResponseError, match="One has a blank at an end"):
        model.score([[1], [3]], ["a", "b "])

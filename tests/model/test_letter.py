"""Letters: they state what the model predicts and does, in every language, for every row of the test tables."""

from __future__ import annotations

import json
import time
import warnings

import numpy as np
import pytest

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.errors import DataError, FileError, ParameterError, ParameterTypeError
from boxwood.model.letter.sentences import LANGUAGES, sentences_of

MODELS = {
    "cart": lambda: CARTClassifier(pruning=None, max_depth=5),
    "branch": lambda: CARTClassifier(pruning=None, max_depth=5, missing="own_branch"),
    "stay": lambda: CARTClassifier(pruning=None, max_depth=5, missing="surrogate_or_stay", unseen="stay"),
    "c45": C45Classifier,
    "chaid": CHAIDClassifier,
}
TABLES = {
    "titanic": "survived", "iris": "species", "german_credit": "credit", "vote": "party", "loan": "类别",
    "labor": "contract", "breast_cancer": "diagnosis", "watermelon_3": "好瓜",
}  # fmt: skip


def loaded(name: str) -> tuple[dict, list]:
    X = datasets.load(name)
    target = TABLES[name] if TABLES[name] in X else list(X)[-1]
    return X, X.pop(target)


def fitted(make, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make().fit(X, y)


def changed(X: dict, row: int, change) -> dict:
    """A row with the changes of a letter."""
    return {name: values[row] for name, values in X.items()} | {c.feature: c.new for c in change.changes}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", MODELS)
def test_every_row_gets_what_predict_gives(table, kind):
    X, y = loaded(table)
    model = fitted(MODELS[kind], X, y)
    letters = model.letter(X, can_change=list(X)[:3])
    predicted, sure = model.predict(X).tolist(), model.predict_proba(X).max(axis=1)
    assert [letter.prediction for letter in letters] == predicted
    for row, letter in enumerate(letters):
        assert str(letter).startswith(f"Decision on y: {predicted[row]}\n")
        assert letter.probability == pytest.approx(sure[row])
        if letter.change is not None:
            assert model.predict(changed(X, row, letter.change)).tolist() == [letter.change.prediction]
            assert letter.change.prediction != letter.prediction
            assert {c.feature for c in letter.change.changes} <= set(list(X)[:3])


def test_reasons_and_steps_are_those_of_explain():
    X, y = loaded("titanic")
    model = CARTClassifier().fit(X, y)
    letters, why = model.letter(X), model.explain(X)
    for letter, explained in zip(letters, why, strict=True):
        assert len(letter.steps) == len(explained.steps) - 1
        k = model.classes_.tolist().index(letter.prediction)
        contributions = {name: float(change[k]) for name, change in explained.contributions.items()}
        best = sorted((-change, name) for name, change in contributions.items() if change > 1e-12)[:4]
        assert [moved for *_, moved in letter.reasons] == pytest.approx([-change for change, _ in best])


def test_languages_hold_the_same_sentences_with_the_same_places():
    places = {}
    for language in LANGUAGES:
        texts = sentences_of(language).texts
        assert list(texts) == list(sentences_of("en").texts)
        places[language] = {
            name: sorted(part for part in ("name", "value", "answer", "condition", "reason", "number", "rows", "change",
            "changes", "names", "values", "first", "second", "above", "upto", "share", "old", "new", "response",
            "probability") if f"{{{part}}}" in text) for name, text in texts.items()
        }  # fmt: skip
    assert all(found == places["en"] for found in places.values())


def test_german_numbers_and_missing_values():
    X, y = loaded("titanic")
    model = CARTClassifier().fit(X, y)
    row = {"sex": None, "age": None, "class": "4th", "siblings_spouses": 3, "parents_children": 2, "fare": 10.5}
    text = str(model.letter(row | {"embarked": None}, language="de", can_change=["fare"]))
    for line in (
        "Die geschätzte Wahrscheinlichkeit für no beträgt 87,9 %.", "- sex: keine Angabe", "- fare: 10,5",
        "1. sex ist nicht angegeben; stattdessen entschied: fare ist höchstens 75,246.",
        "3. class ist 4th, was in solchen Fällen bisher nicht vorkam; stattdessen entschied: fare ist höchstens 26,27.",
        "Frühere Fälle in derselben Gruppe: 535.", "Eine Änderung allein von fare hätte nichts geändert.",
    ):  # fmt: skip
        assert line in text.splitlines()


def test_numbers_are_raised_and_lowered():
    X = {"面积": [30, 40, 60, 90] * 5, "floor": ["low", "low", "high", "high"] * 5}
    model = CARTRegressor(pruning=None).fit(X, [300, 380, 600, 14200] * 5)
    letter = model.letter({"面积": 35, "floor": "low"}, target_range=(500, None), can_change=["面积"], language="zh")[0]
    assert letter.text.splitlines()[0] == "y的估计值：300"
    assert letter.reasons[0][0] == "面积"
    assert letter.reasons[0][2] == 300 - 3870
    assert "1. 面积：35（使估计值降低 3570）" in letter.text
    assert letter.text.splitlines()[-1] == "如果面积为51而不是35，答案会是：600。"
    assert letter.to_dict()["change"]["changes"] == [{"feature": "面积", "old": 35, "new": 51}]


def test_a_change_of_a_number_needs_its_range_when_the_letter_is_made():
    model = CARTRegressor(pruning=None).fit({"面积": [1, 2, 3, 4]}, [1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ParameterError, match="target_range must be a pair"):
        model.letter({"面积": 1}, can_change=["面积"])


def test_fractions_and_levels_and_dates():
    X, y = loaded("titanic")
    model = C45Classifier().fit(X, y)
    row = dict.fromkeys(X) | {"sex": "male", "fare": 10.5}
    text = str(model.letter(row))
    assert "parents_children is not given; all answers were weighed by how frequent they are." in text
    assert "(counts " in text
    pd = pytest.importorskip("pandas")
    days = pd.DataFrame({"opened": pd.date_range("2020-01-01", periods=40)})
    letter = CARTClassifier(pruning=None).fit(days, np.arange(40) > 20).letter(days[:1], can_change=["opened"])[0]
    assert "1. opened is at most 2020-01-21." in letter.text
    assert letter.text.endswith("With opened 2020-01-22 instead of 2020-01-01, the answer would have been True.")


def test_own_sentences_and_words(tmp_path):
    X, y = loaded("loan")
    model = CARTClassifier(pruning=None).fit(X, y)
    file = tmp_path / "한국어.json"
    own = {
        "title": "{response}에 대한 결정: {answer}",
        "names": {"有工作": "직업", "y": "대출"},
        "answers": {"否": "거절"},
    }
    file.write_text(json.dumps(own, ensure_ascii=False), encoding="utf-8")
    row = {name: values[0] for name, values in X.items()}
    for given in (own, file, str(file)):
        text = str(model.letter(row, sentences=given))
        assert text.startswith("대출에 대한 결정: 거절\nThe estimated probability of 거절 is ")
        assert "- 직업: " in text
    with pytest.raises(ParameterError, match="sentences holds 'titel', which is no sentence of a letter; did you mean"):
        model.letter(row, sentences={"titel": "x"})
    with pytest.raises(ParameterError, match=r"sentences\['title'\] has the place 'answer\.__class__'"):
        model.letter(row, sentences={"title": "{answer.__class__}"})
    with pytest.raises(ParameterError, match=r"sentences\['title'\] has a brace without its other"):
        model.letter(row, sentences={"title": "{answer"})
    with pytest.raises(ParameterTypeError, match=r"sentences\['names'\] must be a table of texts"):
        model.letter(row, sentences={"names": ["x"]})
    with pytest.raises(ParameterTypeError, match="sentences must be a JSON file or a dictionary; got 3"):
        model.letter(row, sentences=3)
    with pytest.raises(FileError, match="cannot read the sentences in"):
        model.letter(row, sentences=tmp_path / "none.json")


def test_wrong_options_are_refused_by_name():
    model = CARTClassifier(pruning=None).fit({"x": [1, 2], "z": [1, 1]}, ["a", "b"])
    with pytest.raises(ParameterError, match="can_change names 'w', which is not a feature") as caught:
        model.letter({"x": 1, "z": 1}, can_change=["w"])
    assert (caught.value.argument, caught.value.value) == ("can_change", "w")
    with pytest.raises(ParameterTypeError, match="can_change must be a list of names; got 'x'"):
        model.letter({"x": 1, "z": 1}, can_change="x")
    with pytest.raises(ParameterError, match="allowed names 'z'; name it in can_change as well"):
        model.letter({"x": 1, "z": 1}, can_change=["x"], allowed={"z": (0, 1)})
    with pytest.raises(
        ParameterError, match="target_class is where a change leads; name what can change in can_change"
    ):
        model.letter({"x": 1, "z": 1}, "a")
    with pytest.raises(ParameterError, match="reasons must be a whole number of at least 1; got 0"):
        model.letter({"x": 1, "z": 1}, reasons=0)
    with pytest.raises(ParameterError, match="language must be one of 'en', 'de', 'ja', 'zh'; got 'fr'"):
        model.letter({"x": 1, "z": 1}, language="fr")
    refuses = CARTClassifier(pruning=None, missing="error").fit({"x": [1.0, 2.0]}, ["a", "b"])
    with pytest.raises(DataError, match="column 'x' has a missing value"):
        refuses.letter({"x": [None]})


def test_ten_thousand_letters_a_minute():
    X, y = loaded("titanic")
    model = CARTClassifier().fit(X, y)
    least = np.inf
    for _ in range(3):
        start = time.process_time()
        for letter in model.letter({name: values[:200] for name, values in X.items()}, can_change=["class", "fare"]):
            assert str(letter)
        least = min(least, time.process_time() - start)
    assert least / 200 < 60 / 10_000


def test_a_tree_alone_and_a_tree_of_one_leaf():
    X = {"x": [1, 2, 3]}
    model = CARTClassifier(max_depth=1, pruning=None).fit(X, ["a", "a", "a"])
    text = str(model.tree_.letter({"x": 1}))
    assert "All cases are treated alike." in text
    assert "No single piece of data decided." in text
    assert len(boxwood.CARTClassifier(pruning=None).fit(X, ["a", "b", "b"]).tree_.letter(X)) == 3

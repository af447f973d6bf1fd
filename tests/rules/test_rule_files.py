"""Files of rules: what was saved comes back, and damaged or hostile files are refused or sound."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import C45Rules, CARTClassifier
from boxwood.algorithms.rules import RuleModel
from boxwood.data.frames.frame import read_columns
from boxwood.errors import MissingValueError, ModelFileError, ParameterError, ParameterTypeError, UnseenLevelError
from tree.forge import forge, open_up


def problem(n: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers with infinities and whole numbers beyond 2**53, an ordinal and a nominal feature, missing values."""
    rng = np.random.default_rng(3)
    city = np.array(["上海", "北京", "O'Hara", "서울", "東京", ""], dtype=object)[rng.integers(0, 6, n)]
    size = pd.Categorical.from_codes(rng.integers(0, 4, n), ["小", "中", "大", "巨"], ordered=True)
    x = rng.choice([-np.inf, -1.0, 0.0, 0.5, 2.0, np.inf], n)
    big = 2**53 + rng.integers(0, 12, n)
    y = (x > 0.0).astype(int) + (size.codes > 1) * (city == "北京") + (big > 2**53 + 5)
    frame = pd.DataFrame({"x": x, "城市": city, "size": size, "big": big})
    return frame.mask(pd.DataFrame(rng.random((n, 4)) < [0.1, 0.1, 0.1, 0.0], columns=frame.columns)), y


X, Y = problem()
MODEL = C45Rules(group_levels=True).fit(X, Y, np.random.default_rng(1).integers(1, 4, len(Y)))


def test_rules_come_back(tmp_path):
    file = tmp_path / "规则.box"
    MODEL.save(file)
    again = boxwood.load(file)
    assert type(again) is C45Rules
    assert again.get_params() == MODEL.get_params() | {"target_class": MODEL.model_.settings["target_class"]}
    assert again.to_text() == MODEL.to_text()
    assert np.array_equal(again.apply(X), MODEL.apply(X))
    assert np.array_equal(again.predict_proba(X), MODEL.predict_proba(X))
    assert again.model_.to_bytes() == pickle.loads(pickle.dumps(MODEL)).model_.to_bytes() == file.read_bytes()
    assert RuleModel.load(file).to_bytes() == file.read_bytes()
    assert {c.cut == () for rule in MODEL.rules_ for c in rule.conditions} == {True, False}


def test_probabilities_are_counts_of_the_rows_that_the_deciding_rule_covers():
    columns, fired = read_columns(X, MODEL.model_.schema), MODEL.apply(X)
    weight = np.random.default_rng(1).integers(1, 4, len(Y))
    covered = np.zeros(len(Y), dtype=bool)
    predicted = MODEL.predict_proba(X)
    for r, rule in enumerate(MODEL.rules_):
        rows = rule.holds(columns)
        covered |= rows
        counts = np.bincount(Y[rows], weight[rows], len(MODEL.classes_))
        assert rule.classes == tuple(counts)
        assert (rule.weight, rule.errors) == (counts.sum(), counts.sum() - counts[rule.code])
        assert np.array_equal(predicted[fired == r], np.tile(counts / counts.sum(), (np.sum(fired == r), 1)))
    rest = ~covered if (~covered).any() else covered
    assert MODEL.rule_set_.rest == tuple(np.bincount(Y[rest], weight[rest], len(MODEL.classes_)))
    nothing = pd.DataFrame({name: X[name].iloc[:1].where([False]) for name in X})
    assert MODEL.apply(nothing).tolist() == [-1]
    assert MODEL.predict_proba(nothing).tolist() == [
        (np.array(MODEL.rule_set_.rest) / sum(MODEL.rule_set_.rest)).tolist()
    ]


def test_policies_refuse_what_they_should():
    whole = X.dropna()
    model = C45Rules(missing="error", unseen="error").fit(whole.drop(columns="x"), Y[whole.index])
    with pytest.raises(MissingValueError, match="missing='error'"):
        model.predict(X.drop(columns="x"))
    with pytest.raises(UnseenLevelError, match="'Ulm' in 1 row"):
        model.predict_proba(whole.drop(columns="x").iloc[:1].assign(城市="Ulm"))
    with pytest.raises(MissingValueError):
        C45Rules(missing="error").fit(X, Y)
    with pytest.raises(ParameterError, match="missing must be one of 'error', 'fractional'; got 'majority'"):
        C45Rules(missing="majority").fit(X, Y)
    with pytest.raises(ParameterError, match="exposure"):
        boxwood.algorithms.REGISTRY["c45-rules"].fit(
            boxwood.data.frames.frame.learn_columns(whole), Y[whole.index], exposure=np.ones(len(whole))
        )


def test_one_class_and_nothing_to_test_give_the_default_class(tmp_path):
    for labels in (["a"] * 6, ["a", "b"] * 3):
        model = C45Rules().fit([[1.0]] * 6, labels)
        model.save(tmp_path / "m.box")
        assert boxwood.load(tmp_path / "m.box").rules_ == ()
        assert model.predict([[None]]).tolist() == ["a"]
        assert model.predict_proba([[3.0]]).tolist() == [[1 / len(set(labels))] * len(set(labels))]


def test_files_of_other_models_are_reported_apart(tmp_path):
    tree = CARTClassifier(pruning=None).fit([[1], [2]], [0, 1])
    with pytest.raises(ModelFileError, match="holds no rules"):
        RuleModel.from_bytes(tree.model_.to_bytes())
    with pytest.raises(ModelFileError):
        type(tree.model_).from_bytes(MODEL.model_.to_bytes())
    with pytest.raises(ParameterTypeError, match="bytes"):
        RuleModel.from_bytes("rules")


def _changed(header: dict, draw: random.Random) -> None:
    """One value somewhere in the header becomes an odd one."""
    here, path = header["rules"], []
    while isinstance(here, (dict, list)) and here and (not path or draw.random() < 0.8):
        key = draw.choice(sorted(here) if isinstance(here, dict) else range(len(here)))
        path.append((here, key))
        here = here[key]
    holder, key = path[-1]
    holder[key] = draw.choice(
        [None, True, -1, 0, 1, 99, 2**70, 0.5, "", "x", [], [[]], {}, [0, 1], [1, 0], [0, False, []]]
    )


def test_forged_files_are_refused_or_sound():
    draw, data = random.Random(1), MODEL.model_.to_bytes()
    columns, read = read_columns(X, MODEL.model_.schema), 0
    for turn in range(1500):
        header, sections = open_up(data)
        if turn % 3:
            _changed(header, draw)
        else:
            at = draw.randrange(len(sections))
            numbers = np.frombuffer(sections[at], "<f8").copy()
            numbers[draw.randrange(len(numbers))] = draw.choice([np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 7.0])
            sections[at] = numbers.tobytes()
        try:
            model = RuleModel.from_bytes(forge(header, sections))
        except ModelFileError:
            continue
        read += 1
        assert RuleModel.from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()
        model.rule_set.to_text()
        if model.settings["missing"] != "error" and model.schema == MODEL.model_.schema:
            assert np.isfinite(model.predict_proba(columns)).all()
            assert len(model.predict(columns)) == columns.n
    assert 20 < read < 1000

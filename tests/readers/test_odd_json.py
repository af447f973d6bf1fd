"""Models of other programs with odd values: a tree, or an error of ours; never another exception."""

from __future__ import annotations

import copy
import json
import random
import warnings

import numpy as np
import pytest

import boxwood
from boxwood.errors import BoxwoodError, ModelFileError
from effort import examples
from readers.test_others import LIGHTGBM, XGBOOST
from readers.test_rpart import FITS as RPART
from tree.forge import places

ODD = [None, True, 0, 1, -1, -7, 2**70, 1.5, 1e308, "", "x", "1", "中", [], [0], [None], {}, {"a": 1}]
READERS = {"lightgbm": boxwood.from_lightgbm, "xgboost": boxwood.from_xgboost, "rpart": boxwood.from_rpart}
MODELS = {
    "lightgbm": [case["dump"] for case in LIGHTGBM.values()],
    "xgboost": [case["saved"] for case in XGBOOST.values()],
    "rpart": [json.loads(fit["dump"]) for fit in RPART.values()],
}


def change(model, draw):
    found = places(model)
    if not found:  # an earlier change emptied it
        return
    place = draw.choice(found)
    key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
    if draw.random() < 0.2:
        del place[key]
    else:
        place[key] = copy.deepcopy(draw.choice(ODD))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("program", READERS)
def test_odd_values_are_refused_or_read(program, seed):
    draw, refused = random.Random(f"{program} {seed}"), 0
    for turn in range(examples(1000)):
        model = copy.deepcopy(MODELS[program][turn % len(MODELS[program])])
        change(model, draw)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                str(READERS[program](model))
            except BoxwoodError:
                refused += 1
    assert refused > 0


@pytest.mark.parametrize("draws", range(2))
def test_odd_words_in_a_text_of_lightgbm(draws):
    draw = random.Random(draws)
    texts = [case["text"] for case in LIGHTGBM.values()]
    for turn in range(examples(1000)):
        lines = texts[turn % len(texts)].split("\n")
        at = draw.randrange(min(len(lines), 40))
        name, equals, values = lines[at].partition("=")
        words = values.split(" ")
        words[draw.randrange(len(words))] = draw.choice(["-9", "nan", "x", "", "1e999", "99999999999", "0"])
        lines[at] = name + equals + " ".join(words)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                str(boxwood.from_lightgbm("\n".join(lines)))
            except BoxwoodError:
                continue


def test_texts_where_numbers_belong_and_children_that_are_not_there():
    leaf = {"leaf_value": 1.0, "leaf_count": 3}
    root = {"split_feature": 0, "threshold": 1.5, "decision_type": "<=", "default_left": False,
            "missing_type": "NaN", "left_child": leaf, "right_child": leaf}  # fmt: skip
    for name, odd in (("threshold", "x"), ("threshold", None), ("default_left", "false"), ("split_feature", -1)):
        dump = {"feature_names": ["a"], "tree_info": [{"tree_structure": root | {name: odd}}]}
        with pytest.raises(ModelFileError):
            boxwood.from_lightgbm(dump)
    tree = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
            "split_conditions": [9.5, -1.0, 2.0], "default_left": [0, 0, 0], "sum_hessian": [4, 3, 1]}  # fmt: skip
    for odd in (
        {"right_children": [-2, -1, -1]}, {"left_children": [7, -1, -1]}, {"split_indices": [-1, 0, 0]},
        {"default_left": ["no", 0, 0]}, {"split_conditions": ["x", 1, 2]}, {"sum_hessian": None},
    ):  # fmt: skip
        booster = {"name": "gbtree", "model": {"trees": [tree | odd]}}
        learner = {"learner_model_param": {"num_feature": "1"}, "gradient_booster": booster}
        with pytest.raises(ModelFileError):
            boxwood.from_xgboost({"learner": learner})


def test_a_nul_in_a_path(tmp_path):
    for use in (boxwood.from_lightgbm, boxwood.from_xgboost, boxwood.from_rpart, boxwood.load):
        with pytest.raises(boxwood.FileError):
            use("a\0b.json")
    model = boxwood.CARTClassifier(pruning=None).fit([[1], [2]], [0, 1])
    for use in (
        model.save,
        lambda path: model.export("sql", path),
        model.plot,
        lambda path: model.explore(path=path),
    ):
        with pytest.raises((boxwood.FileError, boxwood.ParameterError)):
            use(str(tmp_path / "a\0b.svg"))
    for source in ("a\0b.csv", "a\0b.parquet"):
        with pytest.raises(boxwood.BoxwoodError):
            boxwood.CARTClassifier().fit_stream(source, "y")

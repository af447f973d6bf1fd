"""Logs of edits with wrong content: refused, or replayed to a tree that is sound, saved and undone."""

from __future__ import annotations

import json
import random
from functools import cache

import numpy as np

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier
from boxwood.model.tree_model import TreeModel
from reliability.forged_models import CLASS, NUMBER, ODD_VALUES, X

_CONDITIONS = [
    "age <= 40", "30 < age <= 50 or missing", "city in {Ulm, 京都}", "flag = True", "size is missing",
    ["city = Ulm", "city = Bonn", "city = 京都"], ["age <= 40", "age <= 50"], "age <=", "x = 1", "", ["flag = True"],
]  # fmt: skip
_RECIPES = [None, {}, {"algorithm": "chaid"}, {"max_depth": 2}, {"algorithm": "mars"}, {"max_depth": "x"}, {"x": 1}, []]
#: Values of fields; those behind are drawn rarely.
_FIELDS = {
    "condition": _CONDITIONS, "competitor": [None, 1, 2, 9, 0], "recipe": _RECIPES, "to": ["own", 1, 2, 5, "x"],
    "siblings": [[1], [2], [3, 4], [9, 9], []], "name": ["女", "", "x" * 300],
    "prediction": ["yes", 3.5, "no", None, 1e400], "who": ["x", ""], "why": ["x", 5], "when": ["now"],
    "force": [True, False, 1], "path": [["age <= 40"], [], "x"], "others": [["city = Ulm"], [], [1]],
    "levels": [{"city": ["Ulm", "x"]}, {}, {"city": [[]]}], "effect": [[1, 2], [], ["x"]], "price": [{"before": 1}, []],
}  # fmt: skip
_OF_VERB = {
    "split": ("condition", "competitor"), "prune": (), "grow": ("recipe",), "missing": ("to",), "merge": ("siblings",),
    "rename": ("name",), "overrule": ("prediction", "why"), "sign": ("who",), "x": (),
}  # fmt: skip


@cache
def _models() -> list:
    """Fitted estimators with their response; a case works on a copy of the model."""
    small = {"min_samples_split": 4, "min_samples_leaf": 2}
    classes = [CARTClassifier(pruning=None, **small), C45Classifier(), CHAIDClassifier(alpha_split=0.9, **small)]
    fitted = [(model.fit(X, CLASS), CLASS) for model in classes]
    return [*fitted, (CARTRegressor(**small).fit(X, NUMBER), NUMBER)]


def _often_first(values: list, draw: random.Random, power: float) -> object:
    """One of some values, the first ones most often."""
    return values[int(len(values) * draw.random() ** power)]


def prepare() -> None:
    """Fit the models once, outside of the time of a case."""
    _models()


def draw(draw: random.Random) -> bytes:
    """A log of up to six edits, a few of them with odd fields, and the number of a model."""
    edits = []
    for _ in range(draw.randint(1, 6)):
        verb = _often_first(list(_OF_VERB), draw, 1.2)
        names = {*_OF_VERB[verb], *draw.sample(list(_FIELDS), draw.choice([0, 0, 1, 2]))}
        entry = {"verb": verb, "node": draw.choice([0, 1, 2, 3, 4, 5, 99])}
        entry |= {name: _often_first(_FIELDS[name], draw, 2.5) for name in names}
        if draw.random() < 0.02:
            entry[draw.choice([*entry, "x"])] = draw.choice(ODD_VALUES)
        edits.append(entry)
    return json.dumps([draw.randrange(4), edits]).encode()


def run(data: bytes) -> None:
    """Replay the log; what it gives is saved as it is, predicts, and is undone to the model before."""
    number, edits = json.loads(data)
    model, y = _models()[number]
    before = model.model_
    try:
        editor = model.edit(X, y)
        replay = editor.replay(edits)
        after = model.model_.to_bytes()
        again = TreeModel.from_bytes(after)
        assert again.to_bytes() == after
        np.testing.assert_array_equal(again.tree.predict(X), model.predict(X))
        assert "\n" not in "".join(map(str, replay.findings))
        assert str(model)
        for _ in range(replay.taken):
            editor.undo()
        assert model.model_.to_bytes() == before.to_bytes()
    finally:
        model.model_ = before

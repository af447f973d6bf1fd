"""Models of other programs with odd values: LightGBM, XGBoost, rpart, our own JSON, and arrays of scikit-learn."""

from __future__ import annotations

import copy
import json
import random
from functools import cache

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import boxwood
from readers.test_odd_json import MODELS, change
from readers.test_others import LIGHTGBM
from reliability.forged_models import ODD_FLOATS, ODD_WORDS, fitted

READERS = {
    "lightgbm": boxwood.from_lightgbm,
    "xgboost": boxwood.from_xgboost,
    "rpart": boxwood.from_rpart,
    "json": lambda model: boxwood.from_json(json.dumps(model)),
}
WORDS = ("-9", "nan", "x", "", "1e999", "99999999999", "0", "-1", "中", "1.5", "\0")


@cache
def _sklearn() -> list:
    """Fitted trees of scikit-learn."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
    return [DecisionTreeClassifier(max_depth=4).fit(X, y), DecisionTreeRegressor(max_depth=4).fit(X, X[:, 0])]


@cache
def _own() -> list:
    """Our own JSON of every tree."""
    return [json.loads(model.export("json")) for model in fitted()[:6]]


def prepare() -> None:
    """Fit the models once, outside of the time of a case."""
    _own()
    _sklearn()


def draw(draw: random.Random) -> bytes:
    """Who reads it, and what: JSON in all cases."""
    reader = draw.choice(("lightgbm", "xgboost", "rpart", "json", "text", "sklearn"))
    if reader == "sklearn":
        changes = [
            [draw.randrange(99), draw.randrange(99), repr(draw.choice(ODD_WORDS + ODD_FLOATS))]
            for _ in range(draw.randint(1, 3))
        ]
        return json.dumps([reader, draw.randrange(2), changes]).encode()
    if reader == "text":
        return json.dumps([reader, _changed_text(draw)]).encode()
    model = copy.deepcopy(draw.choice(_own() if reader == "json" else MODELS[reader]))
    for _ in range(draw.randint(1, 3)):
        change(model, draw)
    return json.dumps([reader, model]).encode()


def _changed_text(draw: random.Random) -> str:
    """A model file of LightGBM with odd words, or without some of its characters."""
    text = draw.choice([case["text"] for case in LIGHTGBM.values()])
    if draw.random() < 0.2:
        at = draw.randrange(len(text))
        return text[:at] + text[at + draw.randrange(1, 400) :]
    lines = text.split("\n")
    at = draw.randrange(min(len(lines), 60))
    name, equals, values = lines[at].partition("=")
    words = values.split(" ")
    words[draw.randrange(len(words))] = draw.choice(WORDS)
    lines[at] = name + equals + " ".join(words)
    return "\n".join(lines)


def run(data: bytes) -> None:
    """Read the model and use it."""
    reader, model, *changes = json.loads(data)
    if reader == "text":
        read = boxwood.from_lightgbm(model)
    elif reader == "sklearn":
        read = boxwood.from_sklearn(_with_changes(model, changes[0]))
    else:
        read = READERS[reader](model)
    _use(read)


def _with_changes(which: int, changes: list):
    """A tree of scikit-learn whose arrays hold odd values."""
    model = copy.deepcopy(_sklearn()[which])
    state = model.tree_.__getstate__()
    nodes = state["nodes"].copy()
    for column, row, value in changes:
        name = nodes.dtype.names[column % len(nodes.dtype.names)]
        with np.errstate(all="ignore"):
            odd = np.array(float(value)).astype(nodes.dtype[name])
        nodes[name][row % len(nodes)] = odd
    if changes[0][0] % 4 == 0:
        with np.errstate(all="ignore"):
            state["values"] = state["values"] * float(changes[0][2])
    model.tree_.__setstate__(state | {"nodes": nodes})
    return model


def _use(read) -> None:
    """The words, rules, drawings, programs and predictions of a tree that was read."""
    str(read)
    read.rules().to_text()
    read.to_svg()
    row = {f.name: [f.levels[0] if f.levels else 1.0, None] for f in read.schema}
    before = read.predict(row)
    if not isinstance(before, np.ndarray) or len(before) != 2:
        raise AssertionError(f"predict gave {before!r} for two rows")
    for form in ("python", "json"):
        read.export(form)

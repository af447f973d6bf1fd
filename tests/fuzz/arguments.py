"""Arguments of public functions and settings of estimators, with values of every wrong kind: refused by name."""

from __future__ import annotations

import inspect
import json
import os
import random
import tempfile
from functools import cache

import numpy as np
import pandas as pd

import boxwood
from boxwood import measures

TABLE = {"a": [1.0, 2, 3, 4] * 6, "b": ["x", "y"] * 12}
Y = ["p", "q", "q", "p"] * 6
#: Every kind of value that a user may give by mistake; each is made anew.
ODD = {
    "none": lambda: None,
    "true": lambda: True,
    "zero": lambda: 0,
    "minus": lambda: -1,
    "three": lambda: 3,
    "huge": lambda: 2**70,
    "half": lambda: 0.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "text": lambda: "x",
    "empty text": lambda: "",
    "nul": lambda: "a\0b",
    "bytes": lambda: b"x",
    "list": list,
    "names": lambda: ["a", "b"],
    "nested": lambda: [[1, 2], [3]],
    "tuple": lambda: (1, None),
    "dict": dict,
    "of lists": lambda: {"a": [1]},
    "set": lambda: {"a"},
    "array": lambda: np.zeros(3),
    "texts": lambda: np.array(["gini", "x"]),
    "objects": lambda: np.array([None, {}], dtype=object),
    "scalar": lambda: np.float32(2),
    "frame": lambda: pd.DataFrame({"a": [1, 2]}),
    "series": lambda: pd.Series(["x", "y"]),
    "NA": lambda: pd.NA,
    "object": object,
    "class": lambda: dict,
    "function": lambda: len,
    "complex": lambda: 1j,
    "table": lambda: TABLE,
    "column": lambda: Y,
}


#: Values that fit, by the name of the argument.
FITS = {"X": TABLE, "y": Y, "x": {"a": [1.0], "b": ["x"]}, "target": "p", "format": "python", "data": {**TABLE, "y": Y}}
READERS = ("load", "from_json", "from_lightgbm", "from_xgboost", "from_sklearn", "from_rpart", "compare")
#: Methods that need a cluster, a window or a long time.
LEFT_OUT = ("fit_cluster", "fit_dask", "fit_spark", "show")


@cache
def _objects() -> dict:
    """Objects that users hold, by a name."""
    numbers = list(range(24))
    tree = boxwood.CARTClassifier(pruning=None).fit(TABLE, Y)
    spline = boxwood.MARSRegressor().fit({"a": np.arange(24.0)}, np.arange(24.0))
    return {
        "classifier": tree,
        "regressor": boxwood.CARTRegressor(pruning=None).fit(TABLE, numbers),
        "c45": boxwood.C45Classifier().fit(TABLE, Y),
        "rule set": boxwood.C45Rules().fit(TABLE, Y),
        "spline": spline,
        "tree": tree.tree_,
        "rules": tree.rules(),
        "explanation": tree.explain(TABLE),
    }


@cache
def calls() -> dict:
    """The functions by name, each with arguments that fit; those that it has no value for have a default."""
    found = {}
    for held, owner in _objects().items():
        for name in dir(owner):
            method = getattr(type(owner), name, None)
            if (
                not name.startswith(("_", "set_", "get_"))
                and name not in LEFT_OUT
                and inspect.isroutine(method)
                and callable(getattr(owner, name))
            ):
                found[f"{held}.{name}"] = getattr(owner, name)
    found |= {name: getattr(boxwood, name) for name in READERS}
    found |= {f"measures.{name}": getattr(measures, name) for name in measures.__all__ if name[0].islower()}
    called = {name: (function, _fitting(name, function)) for name, function in found.items()}
    settings = {name: getattr(boxwood, name) for name in ESTIMATORS}
    return called | {name: (_fits(kind), kind().get_params()) for name, kind in settings.items()}


def _fitting(name: str, function) -> dict:
    """Values for the arguments of a function, as far as there are some; None for those left to it."""
    known = FITS | {"y": list(range(24))} if name.startswith("regressor") else FITS
    if name.startswith("spline"):
        known = {"X": {"a": [1.0, 2.0]}, "y": [1.0, 2.0], "to": "python"}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {
        each.name: known.get(each.name, _LEFT) if each.default is each.empty else each.default
        for each in inspect.signature(function).parameters.values()
        if each.kind in named
    }


#: An argument that has neither a default nor a value that fits.
_LEFT = "?"


#: Estimators whose settings are tried one after another.
ESTIMATORS = (
    *("CARTClassifier", "CARTRegressor", "C45Classifier", "ID3Classifier", "CLSClassifier", "CHAIDClassifier"),
    *("CHAIDRegressor", "MARSRegressor", "MARSClassifier", "TreeClassifier", "TreeRegressor", "C45Rules"),
)


def _fits(kind):
    """Fit and predict with some settings."""

    def call(**settings):
        model = kind(**settings)
        X = {"b": TABLE["b"]} if kind.__name__ in ("ID3Classifier", "CLSClassifier") else TABLE
        numeric = kind.__name__.endswith("Regressor")
        model.fit(X, list(range(24)) if numeric else Y).predict(X)

    return call


def prepare() -> None:
    """Fit the models once, outside of the time of a case."""
    calls()


def draw(draw: random.Random) -> bytes:
    """The function, and odd values for one or two of its arguments."""
    name = draw.choice([name for name, (_, fitting) in calls().items() if fitting])
    arguments = draw.sample(sorted(calls()[name][1]), min(len(calls()[name][1]), 1 + (draw.random() < 0.2)))
    return json.dumps([name, {argument: draw.choice(sorted(ODD)) for argument in arguments}]).encode()


def run(data: bytes) -> None:
    """Call it, in a folder of its own, since a text may be taken for the name of a file."""
    name, odd = json.loads(data)
    function, fitting = calls()[name]
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            function(**fitting | {argument: ODD[value]() for argument, value in odd.items()})
        finally:
            os.chdir(here)

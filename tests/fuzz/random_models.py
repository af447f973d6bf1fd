"""Random models of LightGBM, XGBoost, scikit-learn and rpart: read or exported, they predict the same."""

from __future__ import annotations

import json
import random
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from readers.drawn_tables import Drawn
from readers.test_random_models import has_rpart

PROGRAMS = ("lightgbm", "xgboost", "sklearn", "rpart")
#: Rows of each model that the exported program decides, one by one.
EXPORTED = 40


def prepare() -> None:
    """Import the programs that are there outside of the time of a case."""
    for program in PROGRAMS[:3]:
        if find_spec(program):
            import_module(f"readers.drawn_{program}")
    has_rpart()


def draw(draw: random.Random) -> bytes:
    """Which program, and the number of its model."""
    program = draw.choices(PROGRAMS, (4, 4, 4, 1))[0]
    return json.dumps([program, draw.randrange(1000, 2**31 - 1)]).encode()


def run(data: bytes) -> None:
    """Fit the model, read it, and compare; a program that is not installed is passed over."""
    program, seed = json.loads(data)
    if program == "rpart":
        if has_rpart():
            module = import_module("readers.drawn_rpart")
            _check([case for line in module.fitted(seed, seed) for case in module.read(line)])
    elif find_spec(program):
        with tempfile.TemporaryDirectory() as folder:
            _check(import_module(f"readers.drawn_{program}").drawn(seed, Path(folder)))


def _check(cases) -> None:
    """The trees, their words and their program in Python."""
    for case in cases:
        case.check()
        str(case.tree)
        case.tree.rules().to_text()
        check_export(case)


def check_export(case: Drawn) -> None:
    """The exported Python program predicts for some rows what the tree does."""
    space: dict = {}
    exec(case.tree.export("python"), space)
    predicted = case.tree.predict(case.rows)[:EXPORTED]
    found = [space["predict"](row) for row in rows_of(case)]
    np.testing.assert_array_equal(np.array(found, dtype=predicted.dtype), predicted)


def rows_of(case: Drawn) -> list[dict]:
    """Some rows as plain dictionaries."""
    names = [feature.name for feature in case.tree.schema]
    columns = case.rows.T if isinstance(case.rows, np.ndarray) else [case.rows[name] for name in names]
    plain = [np.asarray(column, dtype=object)[:EXPORTED].tolist() for column in columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*plain, strict=True)]

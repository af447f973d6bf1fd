"""Model files with right checksums and wrong content, drawn by chance, and all that can be done with what was read."""

from __future__ import annotations

import contextlib
import copy
import warnings
from functools import cache

import numpy as np
import pandas as pd

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDRegressor,
    ID3Classifier,
    MARSClassifier,
    MARSRegressor,
)
from boxwood.edits import GrowBelow, OverruleLeaf, RenameNode, SignNode, SplitNode
from boxwood.errors import BoxwoodError
from boxwood.pruners import ReducedError
from tree.forge import forge, open_up, places

DRAW = np.random.default_rng(0)
N = 60
X = {
    "age": DRAW.normal(40, 10, N).round(1),
    "city": DRAW.choice(["Ulm", "Bonn", "京都"], N),
    "flag": DRAW.random(N) > 0.5,
    "size": np.where(DRAW.random(N) < 0.1, np.nan, DRAW.integers(0, 5, N) * 1.0),
}
NAMES = {"city": X["city"], "flag": X["flag"]}
CLASS = np.where(X["flag"], np.where((X["age"] > 40) ^ (X["city"] == "Ulm"), "yes", "no"), "maybe")
NUMBER = X["age"] * 2 + (X["city"] == "Ulm") * 10 + DRAW.normal(size=N)
TIMES = {
    "opened": np.datetime64("2020-01-01") + DRAW.integers(0, 1000, N),
    "at": pd.to_datetime(DRAW.integers(0, 10**18, N), utc=True).tz_convert("Asia/Tokyo"),
    "took": DRAW.integers(0, 10**6, N).astype("m8[s]"),
    "came": [f"{day:02d}.03.2021" for day in DRAW.integers(1, 29, N)],
}
DATED = {"date_formats": {"came": "%d.%m.%Y"}}
ONE = {name: values[:1] for name, values in X.items()}

ODD_WORDS = [0, 1, -1, -2, 3, 100, 2**31 - 1, -(2**31)]
ODD_FLOATS = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 1e200, 5e-324]
ODD_VALUES = [
    *(None, True, False, 0, 1, -1, 2**70, 1.5, -0.0, 1.7e308, 5e-324, "", "x", "中", "\0", "</script>"),
    *([], [0], [[]], [None], ["a", "a"], {}, {"a": 1}, "nominal", "mean"),
]  # fmt: skip


@cache
def fitted():
    """A model of every kind that a file can hold; do not change them."""
    few = {"min_samples_split": 4, "min_samples_leaf": 2}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            CARTClassifier().fit(X, CLASS),
            CARTRegressor().fit(X, NUMBER),
            CARTRegressor(criterion="poisson", pruning=None).fit(X, np.abs(NUMBER).round()),
            CARTClassifier(pruning=ReducedError()).fit(X, CLASS),
            C45Classifier().fit(X, CLASS),
            ID3Classifier().fit(NAMES, CLASS),
            CHAIDRegressor(**few).fit(X, NUMBER),
            C45Rules().fit(X, CLASS),
            MARSClassifier(missing="indicator", cv_folds=3).fit(X, CLASS),
            MARSRegressor(missing="indicator", max_degree=2, cv_folds=3).fit(X, NUMBER),
            CARTClassifier(**DATED).fit(TIMES, CLASS),
            C45Rules(**DATED).fit(TIMES, CLASS),
            MARSRegressor(cv_folds=3, **DATED).fit(TIMES, NUMBER),
            edited(),
        ]


def edited():
    """A model that was edited by hand."""
    model = CARTClassifier(pruning=None).fit(X, CLASS)
    editor = model.edit(X, CLASS)
    editor.take(SplitNode(0, "city in {Ulm, 京都}"), who="京都")
    editor.take(GrowBelow(1))
    editor.take(OverruleLeaf(2, "yes"), why="the law")
    editor.take(RenameNode(1, "here"))
    editor.take(SignNode(1), who="x")
    return model


def use(model):
    """Whatever can be done with a model that was loaded; an error of ours may be raised."""
    names = [feature.name for feature in model.model_.schema]
    dated = any(feature.temporal is not None for feature in model.model_.schema)
    tables = (TIMES, {name: values[:1] for name, values in TIMES.items()}) if dated else (X, ONE)
    rows, one = (dict(zip(names, table.values(), strict=False)) for table in tables)
    of_all = [lambda: model.predict(rows), lambda: model.model_.to_bytes(), lambda: repr(model)]
    if hasattr(model, "predict_proba"):
        of_all.append(lambda: model.predict_proba(rows))
    if isinstance(model, C45Rules):
        of_all += [model.to_text, model.to_frame, lambda: model.apply(rows)]
    elif isinstance(model, (MARSClassifier, MARSRegressor)):
        of_all += [model.summary, model.to_frame, lambda: model.anova(rows), lambda: model.export("python")]
    else:
        of_all += [lambda: str(model.tree_), model.rules, model.to_svg, model.explore, model.cp_table, model.importance]
        of_all += [lambda: model.edit(X, CLASS).replay(model.edits_), lambda: model.edit(X, CLASS).undo()]
        of_all += [lambda: model.prune(n_leaves=2), lambda: str(model.explain(one)), lambda: model.shap_values(one)]
        of_all += [lambda form=form: model.export(form) for form in ("sql", "python", "js", "json", "pmml", "xlsx")]
    for each in of_all:
        with contextlib.suppress(BoxwoodError):
            each()


def change_header(header, draw):
    sections = header.pop("sections")
    place = draw.choice(places(header))
    key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
    what = draw.randrange(6)
    if what == 0:
        del place[key]
    elif what == 1 and isinstance(place, list):
        place.append(copy.deepcopy(place[key]))
    else:
        place[key] = copy.deepcopy(draw.choice(ODD_VALUES))
    header["sections"] = sections


def change_section(header, sections, draw):
    at = draw.randrange(len(sections))
    entry = header["sections"][at]
    kind = np.dtype(entry["dtype"])
    words = np.frombuffer(sections[at], kind).copy()
    if not len(words):
        return
    if draw.random() < 0.1 and kind.itemsize == 8:
        entry["dtype"] = "int64" if kind.kind == "f" else "float64"
    odd = np.array(draw.choice(ODD_FLOATS if kind.kind == "f" else ODD_WORDS)).astype(kind)
    words[slice(None) if draw.random() < 0.2 else draw.randrange(len(words))] = odd
    sections[at] = words.tobytes()


def forged(data, draw):
    """The bytes of a model file with one or two changes of its header or its arrays."""
    header, sections = open_up(data)
    for _ in range(draw.randint(1, 2)):
        if draw.random() < 0.6:
            change_header(header, draw)
        else:
            change_section(header, sections, draw)
    return forge(header, sections)

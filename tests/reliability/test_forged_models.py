"""Model files of every algorithm with right checksums and wrong content: refused, or every view of them works."""

import contextlib
import copy
import random
import warnings

import numpy as np
import pytest

import boxwood
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
from boxwood.errors import BoxwoodError, ModelFileError
from boxwood.pruners import ReducedError
from effort import examples
from tree.forge import forge, open_up

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
ONE = {name: values[:1] for name, values in X.items()}

ODD_WORDS = [0, 1, -1, -2, 3, 100, 2**31 - 1, -(2**31)]
ODD_FLOATS = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 1e200, 5e-324]
ODD_VALUES = [
    *(None, True, False, 0, 1, -1, 2**70, 1.5, -0.0, 1.7e308, 5e-324, "", "x", "中", "\0", "</script>"),
    *([], [0], [[]], [None], ["a", "a"], {}, {"a": 1}, "nominal", "mean"),
]  # fmt: skip


@pytest.fixture(scope="module")
def models():
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
        ]


def use(model):
    """Whatever can be done with a model that was loaded; an error of ours may be raised."""
    names = [feature.name for feature in model.model_.schema]
    rows, one = (dict(zip(names, table.values(), strict=False)) for table in (X, ONE))
    of_all = [lambda: model.predict(rows), lambda: model.model_.to_bytes(), lambda: repr(model)]
    if hasattr(model, "predict_proba"):
        of_all.append(lambda: model.predict_proba(rows))
    if isinstance(model, C45Rules):
        of_all += [model.to_text, model.to_frame, lambda: model.apply(rows)]
    elif isinstance(model, (MARSClassifier, MARSRegressor)):
        of_all += [model.summary, model.to_frame, lambda: model.anova(rows), lambda: model.export("python")]
    else:
        of_all += [lambda: str(model.tree_), model.rules, model.to_svg, model.explore, model.cp_table, model.importance]
        of_all += [lambda: model.prune(n_leaves=2), lambda: str(model.explain(one)), lambda: model.shap_values(one)]
        of_all += [lambda form=form: model.export(form) for form in ("sql", "python", "json", "pmml", "xlsx")]
    for each in of_all:
        with contextlib.suppress(BoxwoodError):
            each()


def places(value):
    """Every container inside a JSON value that holds something."""
    found, open_ones = [], [value]
    while open_ones:
        value = open_ones.pop()
        if isinstance(value, (dict, list)) and value:
            found.append(value)
            open_ones += list(value.values()) if isinstance(value, dict) else value
    return found


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


@pytest.mark.parametrize("seed", range(8))
def test_forged_files_are_refused_or_every_view_of_them_works(models, seed, tmp_path):
    draw, read = random.Random(seed), 0
    for turn in range(examples(500)):
        header, sections = open_up(models[turn % len(models)].model_.to_bytes())
        for _ in range(draw.randint(1, 2)):
            if draw.random() < 0.6:
                change_header(header, draw)
            else:
                change_section(header, sections, draw)
        (tmp_path / "m.box").write_bytes(forge(header, sections))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                loaded = boxwood.load(tmp_path / "m.box")
            except ModelFileError:
                continue
            use(loaded)
        read += 1
    assert 0 < read < examples(500)


def changed(model, change):
    """The file of a model with a change of its header and arrays by name."""
    header, sections = open_up(model.model_.to_bytes())
    arrays = {}
    for entry, piece in zip(header["sections"], sections, strict=True):
        arrays[entry["name"]] = np.frombuffer(piece, entry["dtype"]).copy()
    change(header, arrays)
    return forge(header, [array.tobytes() for array in arrays.values()])


TREE, NUMBERS, RULES, MARS = 0, 1, 7, 8


@pytest.mark.parametrize(
    ("which", "change", "named"),
    [
        (TREE, lambda h, a: h["made_by"].update(measure=["gini"]), "made_by.*'measure' must be text"),
        (TREE, lambda h, a: h["extra"].update(notes=[1]), "notes must be a list of texts"),
        (TREE, lambda h, a: h["extra"].update(task="regression"), "task must be one of 'classification'"),
        (TREE, lambda h, a: h["extra"].update(judged_by=[]), "judged_by must be one of"),
        (TREE, lambda h, a: a["agreement"].fill(1.7e308), "agreement.*outside 0 to 1"),
        (TREE, lambda h, a: a["adjusted"].fill(1.7e308), "adjusted.*above 1"),
        (TREE, lambda h, a: a["moments"].fill(1e308), "moments"),
        (TREE, lambda h, a: a["extra.path.n_leaves"].fill(-1), "n_leaves.*below 1"),
        (TREE, lambda h, a: a["extra.confusion"].fill(-1.0), "confusion.*below 0"),
        (NUMBERS, lambda h, a: h["extra"]["settings"].update(unseen=7), "setting 'unseen'"),
        (RULES, lambda h, a: a["accuracy"].fill(2.0), "accuracy.*above 1"),
        (RULES, lambda h, a: h["rules"].update(notes=[None]), "'notes' must be a list of texts"),
        (MARS, lambda h, a: h["mars"].update(labels=[["a"], "b", "c"]), "label.*must be text"),
        (MARS, lambda h, a: h["mars"].update(cv={"rows": 3}), "'cv'.*'r_squared'"),
        (MARS, lambda h, a: h["mars"].update(n=-1.0), "'n' must be above 0"),
        (MARS, lambda h, a: h["mars"].update(notes=[{}]), "'notes' must be a list of texts"),
        (MARS, lambda h, a: a["directions"].fill(0), "only the first term is the constant"),
        (MARS, lambda h, a: a["rss"].fill(-1.0), "rss.*below 0"),
    ],
)
def test_every_field_has_a_type_and_a_range(models, which, change, named, tmp_path):
    (tmp_path / "m.box").write_bytes(changed(models[which], lambda h, a: None))
    boxwood.load(tmp_path / "m.box")
    (tmp_path / "m.box").write_bytes(changed(models[which], change))
    with pytest.raises(ModelFileError, match=named):
        boxwood.load(tmp_path / "m.box")


def test_the_largest_numbers_are_shown(models, tmp_path):
    def large(header, arrays):
        arrays["competitor_score"].fill(1.7976931348623157e308)
        arrays["score"][np.isfinite(arrays["score"])] = 1.7976931348623157e308

    (tmp_path / "m.box").write_bytes(changed(models[TREE], large))
    assert "1.797" in boxwood.load(tmp_path / "m.box").explore().html

"""Arguments of a wrong type, and names with a NUL: public functions raise our errors, never raw ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, MARSRegressor, measures
from boxwood.algorithms import REGISTRY
from boxwood.cli import main
from boxwood.errors import BoxwoodError, DataTypeError, FileError, ParameterTypeError
from boxwood.estimators.saved import every_estimator
from boxwood.learning.parameters import Parameter

TABLE = {"a": [1.0, 2, 3, 4] * 3, "b": ["x", "y"] * 6}
Y = ["p", "q", "q", "p"] * 3
TREE = CARTClassifier(pruning=None).fit(TABLE, Y)
TERMS = MARSRegressor().fit({"a": np.arange(12.0)}, np.arange(12.0))
NUL = "a\0b"
ESTIMATORS = every_estimator()


@pytest.mark.parametrize("given", [{}, [], 3, object(), b"x", np.zeros(2), TREE], ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda v: TREE.export(v),
        lambda v: TREE.export(path=v),
        lambda v: TREE.tree_.export(v),
        lambda v: TREE.verify_export(v, TABLE),
        lambda v: TREE.fit_stream({**TABLE, "y": Y}, "y", drop=[3] if isinstance(v, (dict, list, bytes)) else v),
        lambda v: TREE.fit_stream({**TABLE, "y": Y}, "y", cache=v),
        lambda v: TREE.plot(ax=v),
        lambda v: TREE.plot_importance(ax=v),
        lambda v: TREE.plot_gains(TABLE, Y, "p", ax=v),
        lambda v: TREE.rules().to_text(max_rules=0 if isinstance(v, int) else v),
        lambda v: TERMS.export(v),
        lambda v: TERMS.to_frame(v),
        lambda v: TERMS.plot_effects([v] if np.iterable(v) else v),
        lambda v: boxwood.from_json(v),
        lambda v: measures.split_impurity([[1, 2], [3, 4]], measure=v),
        lambda v: boxwood.ImpurityDecrease(v),
    ],
)  # fmt: skip
def test_an_argument_of_a_wrong_type_raises_our_error(call, given):
    with pytest.raises(BoxwoodError) as raised:
        call(given)
    assert str(raised.value)


def test_the_errors_name_what_was_given():
    with pytest.raises(ParameterTypeError, match="format must be text; got dict"):
        TREE.export({})
    with pytest.raises(ParameterTypeError, match="path must be text or a path; got int"):
        TREE.export(path=3)
    with pytest.raises(ParameterTypeError, match="ax must be axes of matplotlib or None; got str"):
        TREE.plot(ax="here")
    with pytest.raises(DataTypeError, match="text must be the JSON of a tree; got dict"):
        boxwood.from_json({})


@pytest.mark.parametrize(
    "call",
    [
        lambda path: TREE.save(path),
        lambda path: TERMS.save(path),
        lambda path: boxwood.load(path),
        lambda path: TREE.export("sql", path),
        lambda path: TREE.explore(path=path),
        lambda path: TREE.plot(f"{path}.svg"),
        lambda path: TREE.fit_stream(path, "y"),
        lambda path: TREE.fit_stream([path, "*.csv"], "y"),
        lambda path: TREE.fit_stream({**TABLE, "y": Y}, "y", cache=path),
        lambda path: boxwood.from_lightgbm(path),
        lambda path: boxwood.from_xgboost(Path(path)),
        lambda path: boxwood.from_rpart(path),
    ],
)
@pytest.mark.parametrize("path", [NUL, f"{NUL}/x", Path(NUL)], ids=repr)
def test_a_name_with_a_nul_is_no_name_of_a_file(call, path):
    with pytest.raises(FileError):
        call(path)


@pytest.mark.parametrize(
    "words",
    [
        ["fit", NUL, "--target", "y"],
        ["fit", NUL, "d.csv", "--target", "y", "-o", "m.box"],
        ["fit", "d.csv", "--target", "y", "-o", NUL],
        ["encode", "d.csv", "--target", "y", "-o", NUL],
        ["show", NUL],
        ["predict", NUL, "d.csv"],
        ["predict", "m.box", NUL],
        ["predict", "m.box", "d.csv", "-o", NUL],
        ["evaluate", "m.box", NUL],
        ["export", "m.box", "--format", "sql", "-o", NUL],
        ["plot", "m.box", "-o", f"{NUL}.svg"],
        ["explore", "m.box", "d.csv", "-o", f"{NUL}.html"],
        ["prune", "m.box", "-o", NUL],
    ],
    ids=lambda words: " ".join(words).replace("\0", "0"),
)
def test_a_command_reports_it_too(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    TREE.save("m.box")
    Path("d.csv").write_text("a,b,y\n" + "1,x,p\n2,y,q\n" * 10)
    assert main(words) == 2
    assert "holds a NUL character" in capsys.readouterr().err


def _compared(**more):
    return boxwood.compare([[1], [2]], ["a", "b"], **({"models": ["cart"]} | more))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: boxwood.datasets.load("tenis"), r"^name must be .*; did you mean 'play_tennis'\?$"),
        (lambda: _compared(models=["chaidd"]), r"^models must be one of c45, .*; did you mean 'chaid'\?$"),
        (lambda: _compared(scoring="roc_auc"), r"^scoring must be one of .*; did you mean 'auc'\?$"),
        (lambda: boxwood.CARTClassifier(criterion="Ginni").fit([[1], [2]], [0, 1]), r"; did you mean 'gini'\?$"),
        (lambda: boxwood.CARTClassifier(pruning="reduced_eror").fit([[1], [2]], [0, 1]), r"mean 'reduced_error'\?$"),
        (lambda: boxwood.CARTClassifier().fit_stream(boxwood.datasets.path("titanic"), "survive"),
         r"^target: there is no column 'survive'; did you mean 'survived'\?$"),
    ],
)  # fmt: skip
def test_misspelt_words_are_recognised(call, message):
    with pytest.raises(boxwood.BoxwoodError, match=message):
        call()


#: Settings under which others are not read.
APART = ({}, {"ccp_alpha": 0.01}, {"pruning": None}, {"compat": "rpart"}, {"compat": "c45"}, {"compat": "j48"},
         {"compat": "earth"}, {"backward": "none"}, {"missing": "error"}, {"logistic": False}, {"criterion": "poisson"},
         {"max_surrogates": 0}, {"raising": False}, {"split_merged": True})  # fmt: skip


def _wrong(parameter: Parameter) -> list:
    """Values that a parameter cannot have."""
    wrong = [object(), float("nan")] if parameter.name == "missing_values" else [object(), "typo"]
    return wrong + [parameter.low - 1] * (parameter.low > -np.inf) + [1e300] * (parameter.high < np.inf)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("of", ESTIMATORS, ids="-".join)
def test_fit_refuses_a_wrong_value_of_any_parameter_whatever_the_others_are(of):
    """A model with a value that cannot be read again would be saved and lost."""
    name, task = of
    declared = {parameter.name: parameter for parameter in REGISTRY[name].parameters[task]}
    y = Y if task == "classification" else np.arange(12.0)
    needed = {"categorical_features": "all"} if name in ("id3", "cls") else {}
    for apart in APART:
        (key, value), *_ = (*apart.items(), ("n_jobs", None))
        if key not in declared or value not in (declared[key].choices or (value,)):
            continue
        ESTIMATORS[of](**needed, **apart).fit(TABLE, y)
        for parameter in declared.values():
            for wrong in _wrong(parameter):
                with pytest.raises(BoxwoodError):
                    ESTIMATORS[of](**needed | apart | {parameter.name: wrong}).fit(TABLE, y)

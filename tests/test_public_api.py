"""`import boxwood` is cheap and offers exactly the public names."""

import inspect
import subprocess
import sys

import pytest

import boxwood
from boxwood import errors

HEAVY = ("numpy", "sklearn", "scipy", "narwhals", "pandas", "polars", "pyarrow", "click")


def run(code: str) -> str:
    """Output of a fresh interpreter."""
    environment = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def test_import_loads_no_other_package():
    loaded = run(f"import sys, boxwood; print([name for name in {HEAVY} if name in sys.modules])")
    assert loaded == "[]"


def test_a_fit_on_an_array_loads_scikit_learn_and_nothing_more_of_the_heavy_ones():
    code = (
        f"import sys, sklearn.base; before = set(sys.modules) & set({HEAVY}); import boxwood;"
        "boxwood.CARTClassifier(pruning=None).fit([[1.0], [2.0]], [0, 1]).predict([[1.0]]);"
        f"print(sorted(set(sys.modules) & set({HEAVY}) - before))"
    )
    assert run(code) == "[]"


def test_the_floors_below_the_estimators_load_only_numpy():
    code = (
        "import sys; from boxwood.algorithms import REGISTRY; from boxwood.data.frames.frame import learn_columns;"
        "REGISTRY['cart'].fit(learn_columns([[1.0]] * 30), [0, 1] * 15, task='classification', settings={});"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    assert run(code) == "['numpy']"


def test_a_tree_needs_no_scikit_learn():
    assert run("import sys, boxwood; boxwood.Tree, boxwood.CostComplexity; print('sklearn' in sys.modules)") == "False"


@pytest.mark.parametrize("name", boxwood.__all__)
def test_public_names_are_there(name):
    assert getattr(boxwood, name) is not None
    assert name in dir(boxwood)


def test_every_error_is_public():
    classes = {name for name, thing in vars(errors).items() if inspect.isclass(thing)}
    assert classes <= set(boxwood.__all__)


def test_completion_offers_public_names_only():
    assert set(dir(errors)) <= set(boxwood.__all__)
    assert {"BoxwoodError", "KindWarning"} <= set(dir(errors))
    assert dir(boxwood.pruners) == boxwood.pruners.__all__


def test_star_import():
    assert run("from boxwood import *; print(CARTClassifier.__name__, len(datasets.names()) > 0)").startswith("CART")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'forest'"):
        boxwood.forest  # noqa: B018


def test_version_is_that_of_the_package():
    assert boxwood.__version__.count(".") >= 1

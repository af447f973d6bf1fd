"""How scikit-learn's own tests are run with the classes of boxwood.sklearn; `make sklearn-suite` runs them."""

from __future__ import annotations

import tomllib

from tools.sklearn_suite import __main__ as suite


def test_only_imports_of_the_four_classes_differ():
    source = "import sklearn\nfrom sklearn.tree import (\n    DecisionTreeClassifier,\n    plot_tree,\n)\n\nX = 1\n"
    assert suite.with_ours(source).splitlines() == [
        "import sklearn", "from sklearn.tree import plot_tree", "from boxwood.sklearn import DecisionTreeClassifier",
        "", "X = 1",
    ]  # fmt: skip
    others = "from sklearn.tree import plot_tree\nfrom sklearn.tree._tree import Tree\n"
    assert suite.with_ours(others) == others


def test_every_exception_has_a_reason():
    listed = tomllib.loads((suite.HERE / "exceptions.toml").read_text(encoding="utf-8"))["exception"]
    assert all(set(one) == {"tests", "reason"} and one["reason"].endswith(".") for one in listed)
    patterns = [pattern for one in listed for pattern in one["tests"]]
    assert len(patterns) == len(set(patterns))

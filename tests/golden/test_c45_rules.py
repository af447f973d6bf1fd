"""C4.5rules: the rules release 8 keeps are among ours, condition by condition; rule sets are compared by errors."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Rules
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.c45 import PARAMETERS
from boxwood.algorithms.rules.ruleset import candidates
from boxwood.data.frames.frame import learn_columns
from boxwood.learning.learning_set import learning_set
from boxwood.learning.parameters import checked
from boxwood.pruning.error_based import Pessimism
from golden.c45_oracles import fit_of, names, results
from golden.oracles import unnumbered
from golden.test_c45 import TIED, Problem

RELEASE_8 = Pessimism(0.25, "table", "two_thirds")


def fits() -> list[tuple[str, str]]:
    """(data set, fit) of everything C4.5rules was run on."""
    return [(name, fit["id"]) for name in names() for fit in results(name)["c45"] if fit["rules"]]


def simplified(problem: Problem) -> set:
    """(class, expected accuracy in per cent, conditions in words) of every rule before the selection."""
    algorithm, columns = REGISTRY["c45"], learn_columns(problem.X)
    settings = checked(PARAMETERS, {"pruning": None, "compat": "c45"})
    target = algorithm.target(problem.y, settings, weight=None, exposure=None, name="y", task="classification")
    tree = algorithm.fit_target(columns, target, "classification", settings).full_tree
    learning = learning_set(columns, target, 1)
    _, rules = candidates(tree, learning.columns, learning.exact, RELEASE_8)
    words = lambda c: unnumbered(c.text(columns.schema[c.feature])).replace(".0", "")  # noqa: E731
    labels = tree.response.labels
    return {(labels[r.code], round(100 - 100 * r.rate, 1), frozenset(map(words, r.conditions))) for r in rules}


@pytest.mark.parametrize(("name", "fit_id"), fits())
def test_rules_of_release_8(name, fit_id):
    fit = fit_of(name, "c45", fit_id)
    problem = Problem(name, fit)
    model = problem.fit(C45Rules(compat="c45"))
    wrong = int(np.sum(model.predict(problem.X) != problem.y))
    assert wrong <= fit["rules"]["errors"] + 0.01 * len(problem.y)
    if (name, fit_id) not in TIED and fit["robust"].get("unpruned"):
        ours = simplified(problem)
        theirs = {(k, p, frozenset(test.replace(".0", "") for test in tests)) for k, p, tests in fit["rules"]["rules"]}
        # On stagec release 8 drops one condition more of one rule.
        assert len(theirs - ours) <= (name == "stagec")

"""The kernel's CHAID equals the plain one: groups, statistic, p and multiplier of every kind of feature and test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, ORDINAL, Feature, Schema
from boxwood.growing.merged import Merged
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.significance import Significance
from boxwood.growing.termination import Termination
from boxwood.learning.learning_set import learning_set
from boxwood.learning.target import Target
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from effort import examples
from twins.plain_chaid import NA, Cases, Options, log_multiplier, merge, p_of_groups

OPTIONS = st.builds(
    Options,
    exhaustive=st.booleans(),
    alpha_merge=st.sampled_from([0.05, 0.2, 0.5]),
    likelihood_ratio=st.booleans(),
    bonferroni=st.booleans(),
    biggs=st.booleans(),
) | st.builds(Options, alpha_merge=st.just(0.3), alpha_cut=st.sampled_from([0.05, 0.3]))


def kernel_test(cases: Cases, ordered: bool, options: Options):
    """What the kernel finds about the one feature of these cases."""
    levels = tuple(f"l{i}" for i in range(int(cases.category.max()) + 2))
    schema = Schema((Feature("x", ORDINAL if ordered else NOMINAL, levels),))
    columns = Columns(schema, len(cases.y), (cases.category.astype(np.int32),), (None,), {})
    k = cases.n_classes
    response = Classes("y", tuple(range(k)), (1.0,) * k) if k else Means("y")
    learning = learning_set(columns, Target(response, cases.y, cases.weight.astype(float)), 1)
    recipe = Recipe(
        Significance(
            test="likelihood_ratio" if options.likelihood_ratio else "pearson",
            bonferroni=options.bonferroni,
            multiplier="biggs" if options.biggs else "spss",
        ),
        Merged(options.exhaustive, options.alpha_merge, options.alpha_cut),
        Termination(),
        Missing("floating"),
    )
    return learning.source(recipe).tests(recipe, np.arange(learning.n))[0]


@settings(max_examples=examples(250), deadline=None)
@given(
    seed=st.integers(0, 10**6), n=st.integers(2, 60), levels=st.integers(1, 7), k=st.sampled_from([0, 2, 3]),
    ordered=st.booleans(), missing=st.booleans(), options=OPTIONS,
)  # fmt: skip
def test_kernel_equals_plain(seed, n, levels, k, ordered, missing, options):
    rng = np.random.default_rng(seed)
    category = rng.integers(-1 if missing else 0, levels, n)
    y = (rng.integers(0, k, n) if k else rng.integers(0, 8, n) + category // 2).astype(np.int32 if k else float)
    cases = Cases(category, y, rng.integers(1, 4, n), k)
    found = kernel_test(cases, ordered, options)
    present = set(category.tolist())
    if len(present) < 2:
        assert found.state == "constant"
        return
    groups = merge(cases, ordered, options)
    assert [sorted(group) for group in found.groups] == [sorted(group) for group in groups]
    statistic, log_p = p_of_groups(cases, groups, options)
    assert found.statistic == pytest.approx(statistic, rel=1e-8, abs=1e-9)
    assert found.log_p == pytest.approx(log_p, rel=1e-8, abs=1e-9)
    kind = "nominal" if not ordered else "floating" if NA in present else "ordinal"
    assert found.kind == kind
    assert found.log_multiplier == pytest.approx(log_multiplier(len(present), len(groups), kind, options), abs=1e-12)
    assert found.log_adjusted_p == pytest.approx(min(0.0, found.log_p + found.log_multiplier))


@pytest.mark.parametrize("options", [Options(), Options(exhaustive=True)])
@pytest.mark.parametrize("k", [0, 2, 4])
def test_same_groups_of_many_categories(k, options):
    """Few cases a category: equal statistics, p = 1, and degrees of freedom that differ from pair to pair."""
    rng = np.random.default_rng(k)
    category = rng.integers(0, 16, 90)
    y = np.minimum(rng.integers(0, k, 90), category % (k + 1)) if k else rng.integers(0, 8, 90) + category // 4
    cases = Cases(category, y.astype(np.int32 if k else float), rng.integers(1, 3, 90), k)
    found, groups = kernel_test(cases, False, options), merge(cases, False, options)
    assert [sorted(group) for group in found.groups] == [sorted(group) for group in groups]


@pytest.mark.parametrize("ordered", [False, True])
def test_many_categories_do_not_overflow(ordered):
    rng = np.random.default_rng(0)
    category = np.repeat(np.arange(400), 3)
    cases = Cases(category, rng.integers(0, 2, 1200).astype(np.int32), np.ones(1200, int), 2)
    found = kernel_test(cases, ordered, Options())
    exact = log_multiplier(400, len(found.groups), "ordinal" if ordered else "nominal", Options())
    assert math.isfinite(found.log_multiplier)
    assert found.log_multiplier == pytest.approx(exact, rel=1e-12)

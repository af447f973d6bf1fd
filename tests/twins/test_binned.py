"""With max_bins all growers grow the tree of the bins' numbers; thresholds lie between neighbouring values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, ParameterError, TreeClassifier, TreeRegressor, _kernel
from boxwood.data.columns.kinds.numeric import rounded_between
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.grow import grow
from boxwood.growing.memory.binned import MOST_BINS, BinnedColumns, BinnedSource, in_thresholds
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from oracle.source import ReferenceSource
from twins.numeric_problems import column, mixed, problem
from twins.test_codes import assert_equal, sized

BINS = (2, 3, 10, 40, 255, 256, 257, 1000, 65_280)


def bins_of(X: np.ndarray, max_bins: int, threads: int = 1) -> BinnedColumns:
    return BinnedColumns(learn_columns(X), threads, max_bins)


def known(X: np.ndarray, j: int) -> np.ndarray:
    """The distinct values of a column, ascending."""
    return np.unique(X[~np.isnan(X[:, j]), j] + 0.0)


def tables(first: int, count: int):
    """Random tables of several columns and of all sizes, some with missing values."""
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        n = int(rng.choice([rng.integers(1, 30), rng.integers(30, 900), rng.integers(900, 9000)]))
        X = np.column_stack([column(rng, n) for _ in range(int(rng.choice([1, 5, 18])))])
        if seed % 3 == 0:
            X[rng.random(X.shape) < 0.1] = np.nan
        yield seed, X, BINS[seed % len(BINS)]


def test_more_bins_than_a_table_has_are_not_made():
    for seed, X, _ in tables(700, 12):
        y = np.random.default_rng(seed).integers(0, 3, len(X))
        most, more = (CARTClassifier(pruning=None, max_bins=m).fit(X, y).tree_ for m in (MOST_BINS, 1000))
        assert_equal(most, more)


@pytest.mark.parametrize("threads", [1, 2])
def test_values_are_counted_wherever_they_are(threads):
    rng = np.random.default_rng(8)
    n = 6_000
    columns = []
    for values in (16, 17, 255, 256, 257, 300):
        few = np.zeros(n)
        few[rng.permutation(n)[:values]] = np.arange(values)
        late = np.zeros(n)
        late[-values:] = rng.normal(size=values)
        often = rng.permutation(np.arange(n) % values).astype(float)
        columns += [few, late, often, np.where(rng.random(n) < 0.1, np.nan, often)]
    X = np.column_stack(columns)
    for most in (16, 255, 256):
        encoded = bins_of(X, most, threads)
        for j in range(X.shape[1]):
            assert (j in encoded.cuts) == (len(known(X, j)) > min(most, MOST_BINS))


def test_cuts_lie_between_neighbouring_values():
    for _, X, most in tables(0, 63):
        encoded = bins_of(X, most)
        for j in range(X.shape[1]):
            values = known(X, j)
            assert (j in encoded.cuts) == (len(values) > min(most, MOST_BINS))
            if j not in encoded.cuts:
                continue
            cuts = encoded.cuts[j][:-1]
            assert 1 <= len(cuts) < min(most, MOST_BINS)
            assert encoded.cuts[j][-1] == values[-1]
            place = np.searchsorted(values, cuts, side="right")
            below, above = values[place - 1], values[place]
            with np.errstate(all="ignore"):
                middle = below / 2 + above / 2
            short = [
                rounded_between(*each) for each in zip(middle.tolist(), below.tolist(), above.tolist(), strict=True)
            ]
            np.testing.assert_array_equal(cuts, np.where(middle < above, short, below))
            number = np.searchsorted(cuts, X[:, j], side="left").astype(float)
            number[np.isnan(X[:, j])] = np.nan
            np.testing.assert_array_equal(encoded.binned.values[j], number)


def test_thresholds_are_the_same_alone_and_beside_other_columns():
    rng = np.random.default_rng(7)
    n = 5_003
    heap = np.where(rng.random(n) < 0.3, 0.0, rng.standard_normal(n))
    far = rng.standard_normal(n) * 10.0 ** rng.integers(-300, 300, n)
    far[rng.random(n) < 0.01] = -np.inf
    gaps = np.where(rng.random(n) < 0.1, np.nan, 100 + rng.standard_normal(n))
    X = np.column_stack([rng.standard_normal(n), heap, far, gaps] + [rng.random(n) for _ in range(14)])
    for j, expected in bins_of(X, 255, threads=2).cuts.items():
        assert np.array_equal(bins_of(X[:, [j]], 255).cuts[0], expected)


def test_bins_hold_about_as_many_rows_each():
    for _, X, most in tables(200, 63):
        encoded = bins_of(X, most)
        for j in encoded.cuts:
            _, counts = np.unique(X[~np.isnan(X[:, j]), j] + 0.0, return_counts=True)
            held = np.bincount(encoded.binned.values[j][~np.isnan(X[:, j])].astype(int), minlength=2)
            assert held.min() > 0
            # between two middles of values lie less than two shares and half a heaviest value at each end
            assert held.max() <= 2 * counts.sum() / min(most, MOST_BINS) + counts.max()


def test_order_threads_copies_and_width_of_floats_change_no_cut():
    for seed, X, most in tables(400, 27):
        rng = np.random.default_rng(seed)
        expected = bins_of(X, most).cuts
        for other in (X[rng.permutation(len(X))], np.repeat(X, 3, axis=0), np.asfortranarray(X)):
            found = bins_of(other, most, threads=2).cuts
            assert found.keys() == expected.keys()
            assert all(np.array_equal(found[j], expected[j]) for j in found)
        with np.errstate(over="ignore"):
            narrow = X.astype(np.float32)
        wide, found = bins_of(narrow.astype(float), most).cuts, bins_of(narrow, most).cuts
        assert found.keys() == wide.keys()
        assert all(np.array_equal(found[j], wide[j]) for j in found)


def test_sorted_rows_and_counted_ones_make_the_same_bins():
    """Few rows are sorted, many are counted; cuts depend on nothing but the share of the rows that have each value."""
    for _, X, most in tables(1200, 40):
        few = bins_of(X, most)
        many = bins_of(np.tile(X, (16_384 // len(X) + 1, 1)), most)
        if len(X) <= min(most, MOST_BINS):  # nothing is binned, so nor is the larger table
            assert not few.cuts
            assert not many.cuts
            continue
        assert few.cuts.keys() == many.cuts.keys()
        for j, cuts in few.cuts.items():
            np.testing.assert_array_equal(cuts, many.cuts[j])
            np.testing.assert_array_equal(few.binned.values[j], many.binned.values[j][: len(X)])


@pytest.mark.parametrize("part", range(4))
def test_all_growers_grow_the_tree_of_the_numbers_of_bins(part):
    for seed in range(9000 + 50 * part, 9050 + 50 * part):
        given = problem(seed)
        given = given._replace(recipe=replace(given.recipe, rank_cuts=seed % 5 == 0))
        encoded = BinnedColumns(given.columns, 1, BINS[seed % len(BINS)])
        rows = np.arange(given.exact.n, dtype=np.uint32)
        plain = EncodedColumns(encoded.binned, 1)
        expected = grow(MemorySource(plain, rows, given.response, given.exact), given.recipe, {})
        if not given.recipe.rank_cuts:
            expected = in_thresholds(expected, encoded.cuts)
        for kind in (MemorySource, sized(64, 16)):
            source = kind(encoded, rows, given.response, given.exact, 2)
            assert_equal(grow(source, given.recipe, {}), expected)
        if seed % 4 == 0 and given.exact.n < 200:
            source = ReferenceSource(encoded.binned, given.response, given.exact)
            found = grow(BinnedSource(source, encoded), given.recipe, {})
            for part in ("feature", "breaks_start", "breaks", "position", "index"):
                np.testing.assert_array_equal(getattr(found.splits, part), getattr(expected.splits, part), part)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_rows(threads):
    for seed in range(9300, 9308):
        given = mixed(seed, 20_000)
        encoded = BinnedColumns(given.columns, threads, (255, 40, 256)[seed % 3])
        rows = np.arange(given.exact.n, dtype=np.uint32)
        trees = [
            grow(kind(encoded, rows, given.response, given.exact, threads), given.recipe, {})
            for kind in (sized(1_000, 500), sized(10, 5), sized(10**6, 1))
        ]
        assert_equal(trees[0], trees[2])
        assert_equal(trees[1], trees[2])


def test_rows_of_training_go_where_growth_sent_them():
    for seed, X, most in tables(600, 40):
        y = np.random.default_rng(seed).integers(0, 3, len(X))
        model = CARTClassifier(pruning=None, max_bins=most, max_depth=6).fit(X, y)
        tree = model.tree_
        if not np.isnan(X).any():
            np.testing.assert_array_equal(
                np.bincount(model.apply(X), minlength=tree.n_nodes)[tree.is_leaf], tree.rows[tree.is_leaf]
            )


def test_enough_bins_change_nothing():
    rng = np.random.default_rng(1)
    X, y = np.round(rng.normal(size=(500, 4)), 1), rng.integers(0, 2, 500)
    exact = CARTClassifier(pruning=None).fit(X, y).tree_
    assert_equal(CARTClassifier(pruning=None, max_bins=200).fit(X, y).tree_, exact)


ANY = {"pruning": None, "max_bins": 8}


@pytest.mark.parametrize(
    "model",
    [
        CARTClassifier(**ANY), CARTClassifier(**ANY, criterion="error"), CARTClassifier(**ANY, max_competitors=3),
        CARTClassifier(max_bins=8), CARTClassifier(max_bins=8, pruning="error-based", missing="majority"),
        TreeClassifier(max_bins=8),
        TreeClassifier(max_bins=8, criterion=lambda children, parent: -children.min(axis=2).sum(axis=1)),
        CARTRegressor(**ANY), CARTRegressor(max_bins=8, criterion="poisson"), TreeRegressor(max_bins=8),
    ],
)  # fmt: skip
def test_every_path_cuts_at_the_bins(model):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (np.nan_to_num(X[:, 0]) > 0.3).astype(int) + (rng.random(400) < 0.1)
    y = np.minimum(y, 1)
    weight = rng.integers(1, 4, 400).astype(float)
    tree = model.fit(X, y, sample_weight=weight).tree_
    cuts = bins_of(X, 8).cuts
    for table in (tree.splits, tree.surrogates, tree.competitors):
        for s in range(len(table)):
            assert np.isin(
                table.breaks_of(s)[np.isfinite(table.breaks_of(s))], cuts.get(int(table.feature[s]), [])
            ).all()
    assert tree.n_nodes > 1
    assert tree.made_by["parameters"]["max_bins"] == 8
    assert np.mean(model.predict(X) == y) > 0.5 or not hasattr(model, "classes_")


def test_levels_and_large_whole_numbers_are_kept():
    rng = np.random.default_rng(3)
    big = (2**60 + rng.integers(0, 9, 60)).tolist()
    table = {"a": rng.normal(size=60).tolist(), "town": rng.choice(["京都", "Ulm", "서울"], 60).tolist(), "big": big}
    encoded = BinnedColumns(learn_columns(table), 1, 4)
    assert list(encoded.cuts) == [0]
    CARTClassifier(max_bins=4, pruning=None).fit(table, rng.integers(0, 2, 60))


def test_explains_a_split_between_bins():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    model = CARTClassifier(max_bins=6, max_depth=3, pruning=None).fit(X, y)
    shown = model.explain_split(X, y, 0)
    assert shown.candidates[0].chosen
    assert shown.candidates[0].feature == model.tree_.schema.names[model.tree_.splits.feature[0]]


def test_refuses_what_has_no_bins():
    X, y = [[1.0], [2.0]], [0, 1]
    with pytest.raises(ParameterError, match="max_bins"):
        CARTClassifier(max_bins=255, compat="rpart").fit(X, y)
    with pytest.raises(ParameterError, match="max_bins"):
        TreeClassifier(max_bins=255, branching="multiway").fit(X, y)
    for wrong in (1, 65_281, 0.5):
        with pytest.raises((ParameterError, TypeError, ValueError), match="max_bins"):
            CARTClassifier(max_bins=wrong).fit(X, y)
    with pytest.raises(ValueError, match="bins"):
        _kernel.Codes([("numeric", np.zeros(2), None)], 2, 1, 1)

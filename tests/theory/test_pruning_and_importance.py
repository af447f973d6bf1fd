"""Section 7 of the theory checklist: pruning and importance figures of the lecture notes, by item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.pruning.cost_complexity import risk_of, subtree, weakest_links
from boxwood.pruning.one_leaf import one_leaf_fewer
from boxwood.pruning.validation import HeldOutRows, heldout_losses
from boxwood.views.importance import mdi
from pruning.trees import classes, pruned_trees, random_shape, tree_from_arrays, tree_of

#: Counts are (是, 否) or (yes, no).
YES_NO = classes(2)
LOAN = ("有工作", ("有房子", (0, 6), (3, 0)), (6, 0))
WATERMELON_ID3 = (
    "纹理",
    ("根蒂", (5, 0), ("色泽", (1, 0), ("触感", (1, 0), (0, 1)), (0, 0)), (0, 1)),
    ("触感", (0, 4), (1, 0)),
    (0, 3),
)
WATERMELON_ID3_WITHOUT_EMPTY = (
    "纹理",
    ("根蒂", (5, 0), ("色泽", (1, 0), ("触感", (1, 0), (0, 1))), (0, 1)),
    ("触感", (0, 4), (1, 0)),
    (0, 3),
)
WATERMELON_CART = (
    "纹理",
    ("触感", (6, 0), ("色泽", ("根蒂", (1, 0), (0, 1)), (0, 1))),
    ("色泽", ("敲声", (1, 0), (0, 1)), (0, 6)),
)
TENNIS_ID3 = ("outlook", ("humidity", (0, 3), (2, 0)), (4, 0), ("windy", (3, 0), (0, 2)))
TENNIS_CART = (
    "outlook",
    (4, 0),
    ("humidity", ("windy", (3, 0), ("outlook", (1, 0), (0, 1))), ("outlook", (0, 3), ("windy", (1, 0), (0, 1)))),
)


def entropy_path(nested):
    """Tree and weakest links of C_alpha = sum N_t H_t + alpha |T|."""
    tree = tree_of(nested, YES_NO)
    return tree, weakest_links(tree, risk_of(tree, "entropy"))


def importance(nested, measure, normalize=True):
    """Feature -> importance."""
    tree = tree_of(nested, YES_NO)
    return dict(zip(tree.schema.names, mdi(tree, measure, normalize).tolist(), strict=True))


class TestEntropyCost:
    """S0-28: C_alpha(T) = sum_t N_t H_t + alpha |T|, entropies in bits."""

    def test_s0_28_loan(self):
        tree, path = entropy_path(LOAN)
        assert path.n_leaves.tolist() == [3, 1]
        assert path.alphas == pytest.approx([0, 7.2821294584], abs=1e-10)
        assert path.risks == pytest.approx([0, 14.5642589168], abs=1e-10)
        # The branch at 有工作 = 否 alone would need more than the whole tree, so it never appears.
        assert risk_of(tree, "entropy")[1] == pytest.approx(8.2646625065, abs=1e-10)

    def test_s0_28_watermelon_with_the_empty_leaf(self):
        _, path = entropy_path(WATERMELON_ID3)
        assert path.n_leaves.tolist() == [9, 6, 4, 1]
        assert path.alphas == pytest.approx([0, 0.9182958341, 2.0614765282, 3.3599009099], abs=1e-10)
        assert path.risks == pytest.approx([0, 2.7548875022, 6.8778405586, 16.9575432883], abs=1e-10)
        # In level order node 5 is the branch 根蒂 = 稍蜷, node 1 is 纹理 = 清晰.
        assert np.flatnonzero(path.collapses_at == path.alphas[1])[0] == 5
        assert np.flatnonzero(path.collapses_at == path.alphas[2]).tolist() == [1]

    def test_s0_28_watermelon_without_the_empty_leaf(self):
        _, path = entropy_path(WATERMELON_ID3_WITHOUT_EMPTY)
        assert path.n_leaves[0] == 8
        assert path.alphas[1] == pytest.approx(1.3774437511, abs=1e-10)

    def test_s0_28_tennis(self):
        _, path = entropy_path(TENNIS_ID3)
        assert path.n_leaves.tolist() == [5, 1]
        assert path.alphas == pytest.approx([0, 3.2910008553], abs=1e-10)
        assert path.risks == pytest.approx([0, 13.1640034214], abs=1e-10)

    @pytest.mark.parametrize("nested", [LOAN, WATERMELON_ID3, WATERMELON_CART, TENNIS_ID3, TENNIS_CART])
    def test_s0_29_the_least_cost_of_all_pruned_trees(self, nested):
        tree, path = entropy_path(nested)
        assert subtree(tree, path, 0.0).n_leaves == tree.n_leaves
        assert subtree(tree, path, np.inf).n_leaves == 1
        risk = risk_of(tree, "entropy")
        everything = pruned_trees(tree)
        sizes = []
        for alpha in (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 9.0):
            chosen = subtree(tree, path, alpha)
            cost = risk_of(chosen, "entropy")[chosen.is_leaf].sum() + alpha * chosen.n_leaves
            assert cost == pytest.approx(min(risk[list(leaves)].sum() + alpha * len(leaves) for leaves in everything))
            sizes.append(chosen.n_leaves)
        assert sizes == sorted(sizes, reverse=True)


class TestOneLeafRemoved:
    """S1-15 to S1-17: G(0), G(1), ... one leaf fewer each, and the choice among them."""

    @pytest.mark.parametrize(
        ("nested", "errors"),
        [(LOAN, [0, 3, 6]), (WATERMELON_CART, [0, 1, 1, 2, 3, 3, 8]), (TENNIS_CART, [0, 1, 1, 2, 2, 5, 5])],
    )
    def test_s1_16_errors(self, nested, errors):
        tree = tree_of(nested, YES_NO)
        path = one_leaf_fewer(tree, risk_of(tree, "error"), ties="depth")
        assert path.risks.tolist() == errors
        assert path.n_leaves.tolist() == list(range(tree.n_leaves, 0, -1))

    def test_s1_16_ties_by_node_number_give_another_sequence_as_good_at_each_step(self):
        tree = tree_of(WATERMELON_CART, YES_NO)
        path = one_leaf_fewer(tree, risk_of(tree, "error"))
        assert path.risks.tolist() == [0, 1, 1, 2, 2, 3, 8]

    @given(st.integers(0, 2**32), st.integers(2, 15))
    def test_s1_16_length_and_leaves(self, seed, n_leaves):
        tree, _ = random_classes(seed, n_leaves)
        path = one_leaf_fewer(tree, risk_of(tree, "error"))
        assert len(path) - 1 == tree.n_leaves - 1
        assert [smaller.n_leaves for smaller in path] == list(range(tree.n_leaves, 0, -1))
        assert (np.diff(path.risks) >= 0).all()

    @given(st.integers(0, 2**32), st.integers(2, 15), st.floats(0, 10))
    def test_s1_15_the_least_error_plus_lambda_times_leaves(self, seed, n_leaves, price):
        tree, _ = random_classes(seed, n_leaves)
        path = one_leaf_fewer(tree, risk_of(tree, "error"))
        costs = path.risks + price * path.n_leaves
        step = path.best_for(price)
        assert costs[step] == pytest.approx(costs.min())

    @given(st.integers(0, 2**32), st.integers(2, 15))
    def test_s1_17_the_least_validation_error(self, seed, n_leaves):
        tree, rng = random_classes(seed, n_leaves)
        path = one_leaf_fewer(tree, risk_of(tree, "error"))
        rows = HeldOutRows(rng.choice(tree.leaves, 20), rng.integers(0, 2, 20), np.ones(20))
        losses = heldout_losses(tree, path.collapses_at, np.arange(len(path)), rows).totals
        step = path.best_by_validation(losses)
        assert losses[step] == losses.min()
        assert (losses[step + 1 :] > losses.min()).all()


def random_classes(seed, n_leaves):
    """A random binary tree whose counts add up."""
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves)
    moments = np.where((count == 0)[:, None], rng.integers(0, 5, (len(count), 2)), 0).astype(float)
    moments[count == 0, 0] += 1
    parent = np.concatenate(([-1], np.repeat(np.arange(len(count)), count)))
    for t in range(len(count) - 1, 0, -1):
        moments[parent[t]] += moments[t]
    return tree_from_arrays(count, moments, YES_NO), rng


class TestImportance:
    """S3-09 and S3-10: decrease of impurity by node and by feature."""

    @pytest.mark.parametrize("measure", ["entropy", "gini"])
    @pytest.mark.parametrize("nested", [LOAN, WATERMELON_ID3, WATERMELON_CART, TENNIS_ID3, TENNIS_CART])
    def test_s3_09_both_forms(self, nested, measure):
        tree = tree_of(nested, YES_NO)
        impurity = np.where(tree.weight > 0, tree.response.impurity(np.maximum(tree.moments, 1e-300), measure), 0.0)
        share = tree.weight / tree.weight[0]
        by_feature = np.zeros(len(tree.schema))
        for t in np.flatnonzero(~tree.is_leaf):
            children = np.arange(tree.first_child[t], tree.first_child[t] + tree.n_children[t])
            difference = share[t] * impurity[t] - share[children] @ impurity[children]
            gain = impurity[t] - tree.weight[children] / tree.weight[t] @ impurity[children]
            assert difference == pytest.approx(share[t] * gain)
            by_feature[tree.splits.feature[t]] += difference
        assert mdi(tree, measure, normalize=False) == pytest.approx(by_feature)

    def test_s3_10_loan(self):
        raw = importance(LOAN, "entropy", normalize=False)
        assert raw == pytest.approx({"有工作": 0.4199730940, "有房子": 0.5509775004}, abs=1e-10)
        shares = importance(LOAN, "entropy")
        assert shares == pytest.approx({"有工作": 0.4325380678, "有房子": 0.5674619322}, abs=1e-10)
        assert importance(LOAN, "gini", normalize=False) == pytest.approx({"有工作": 16 / 75, "有房子": 4 / 15})
        assert importance(LOAN, "gini") == pytest.approx({"有工作": 4 / 9, "有房子": 5 / 9})

    def test_s3_10_watermelon(self):
        assert importance(WATERMELON_ID3, "entropy") == pytest.approx(
            {"纹理": 0.3815447878, "触感": 0.3308050216, "根蒂": 0.2431338659, "色泽": 0.0445163246}, abs=1e-10
        )
        # The leaves are pure, so the splits take away all of H(D).
        total = sum(importance(WATERMELON_ID3, "entropy", normalize=False).values())
        assert total == pytest.approx(0.9975025464, abs=1e-10)
        assert importance(WATERMELON_CART, "gini") == pytest.approx(
            {"纹理": 2209 / 5184, "触感": 17 / 81, "色泽": 221 / 1728, "根蒂": 17 / 144, "敲声": 17 / 144}
        )

    def test_s3_10_tennis(self):
        assert importance(TENNIS_ID3, "entropy") == pytest.approx(
            {"outlook": 0.2624199771, "humidity": 0.3687900114, "windy": 0.3687900114}, abs=1e-10
        )
        assert importance(TENNIS_CART, "gini") == pytest.approx(
            {"outlook": 106 / 225, "humidity": 7 / 25, "windy": 56 / 225}
        )

    def test_s3_10_no_split_no_importance(self):
        assert mdi(tree_from_arrays([0], [[3.0, 2.0]], YES_NO, names=("a", "b"))).tolist() == [0.0, 0.0]

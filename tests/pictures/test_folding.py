"""What is shown of a tree: the heaviest nodes first, never some children alone, and what is hidden is counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.errors import ParameterError, ParameterTypeError
from boxwood.pictures.folding import shown_nodes
from boxwood.pictures.options import PictureOptions
from tree.random_trees import random_tree


@settings(deadline=None)
@given(st.integers(0, 200), st.integers(1, 40), st.one_of(st.none(), st.integers(0, 6)), st.sampled_from([0, 0.1, 0.4]))
def test_limits_are_kept_and_the_hidden_are_counted(seed, most, depth, share):
    tree = random_tree(seed, n_nodes=61)
    shown = shown_nodes(tree, PictureOptions(max_leaves=most, max_depth=depth, min_share=share))
    nodes = set(shown.nodes)
    ends = [n for n in shown.nodes if tree.is_leaf[n] or int(tree.first_child[n]) not in nodes]
    assert len(ends) <= most
    assert depth is None or max(int(tree.depth[n]) for n in nodes) <= depth
    for at, node in enumerate(shown.nodes):
        first, count = int(tree.first_child[node]), int(tree.n_children[node])
        below = [first + c in nodes for c in range(count)]
        assert all(below) or not any(below)
        assert shown.parent[at] == (-1 if node == 0 else shown.nodes.index(int(tree.parent[node])))
        opened = count > 0 and all(below)
        assert not opened or tree.weight[node] >= share * tree.weight[0]
        assert (shown.folded[at] > 0) == (count > 0 and not opened)
    assert sum(shown.folded) + len(nodes) == tree.n_nodes


def test_the_heaviest_nodes_are_opened_first():
    tree = random_tree(3, n_nodes=61)
    shown = shown_nodes(tree, PictureOptions(max_leaves=8))
    opened = {int(tree.parent[n]) for n in shown.nodes if n}
    left = [n for n in shown.nodes if not tree.is_leaf[n] and n not in opened]
    room = 8 - sum(1 for n in shown.nodes if n not in opened)
    for node in left:
        assert tree.n_children[node] - 1 > room or any(tree.weight[node] <= tree.weight[o] for o in opened)
    assert np.array_equal(shown_nodes(tree, PictureOptions(max_leaves=None)).nodes, np.arange(tree.n_nodes))


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"max_depht": 3}, TypeError, "unexpected keyword argument 'max_depht'"),
        ({"max_leaves": "many"}, ParameterTypeError, "max_leaves must be a whole number, 'all' or None; got 'many'"),
        ({"max_leaves": 0}, ParameterError, "max_leaves must be at least 1 or None; got 0"),
        ({"max_depth": 2.5}, ParameterTypeError, "max_depth must be a whole number or None; got 2.5"),
        ({"min_share": 1.5}, ParameterError, "min_share must be a number from 0 to 1; got 1.5"),
        ({"min_share": "x"}, ParameterTypeError, "min_share must be a number"),
        ({"content": "pie"}, ParameterError, "content must be one of 'bars', 'counts', 'histogram', 'text'; got 'pie'"),
        ({"direction": "up"}, ParameterError, "direction must be one of 'down', 'right'"),
        ({"node_size": "tiny"}, ParameterError, "node_size must be one of 'normal', 'small'; got 'tiny'"),
        ({"fit": "width"}, ParameterError, "fit must be one of 'page'; got 'width'"),
        ({"align_leaves": 1}, ParameterTypeError, "align_leaves must be True, False or None; got 1"),
        ({"node_size": "small", "content": "counts"}, ParameterError, "has room for content 'bars' or 'text' only"),
        ({"theme": "pink"}, ParameterError, "theme must be one of"),
        ({"title": 3}, ParameterTypeError, "title must be text or None; got 3"),
        ({"node_numbers": "yes"}, ParameterTypeError, "node_numbers must be True or False"),
    ],
)
def test_wrong_options_are_refused(given, error, message):
    with pytest.raises(error, match=message):
        PictureOptions(**given)

"""Trees of many leaves and of many classes: pages, small nodes, leaves in one row, colours of a class, short levels."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor
from boxwood.errors import ParameterError
from boxwood.pictures.conditions import conditions_of, without_common_part
from boxwood.pictures.draw import tree_scene
from boxwood.pictures.layout import Gaps, centres
from boxwood.pictures.node_colours import ink_on, target_shades
from boxwood.pictures.options import DIRECTIONS, PictureOptions
from boxwood.pictures.scene import Group, Rect, every_label
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from pictures.boxes import crossed_words, outside, touching, word_boxes
from tree.random_trees import chain, random_tree

A4 = {(841.89, 595.28), (595.28, 841.89)}
#: Between points on a page and in a drawing that was made smaller.
SLACK = 1e-6


def smallest_word(scene) -> float:
    """The smallest size of any word on a page: of conditions, counts and notes as well as names."""
    return min(label.size for *_, label in every_label(scene.items))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from([CLASSES, MEAN, RATE]), st.sampled_from(DIRECTIONS), st.booleans(),
    st.sampled_from([None, "page"]), st.one_of(st.none(), st.integers(1, 12)), st.sampled_from(["bars", "text"]),
)  # fmt: skip
def test_words_never_touch_in_small_nodes(seed, kind, direction, aligned, fit, most, content):
    tree = random_tree(seed, kind, 61)
    target = tree.response.labels[seed % len(tree.response.labels)] if kind == CLASSES and seed % 3 == 0 else None
    options = PictureOptions(
        direction=direction, align_leaves=aligned, fit=fit, node_size="small",
        max_leaves=most or (30 if fit else None), content=content,
        node_numbers=seed % 2 == 0, target_class=target,
    )  # fmt: skip
    scene = tree_scene(tree, options)
    boxes = word_boxes(scene)
    assert touching(boxes) == []
    assert outside(scene, boxes) == []
    assert crossed_words(scene) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("n_nodes", [1, 31, 201, 601])
@pytest.mark.parametrize("kind", [CLASSES, MEAN])
def test_a_page_holds_a_tree_of_any_size(n_nodes, kind):
    scene = tree_scene(random_tree(7, kind, n_nodes), PictureOptions(fit="page", max_leaves=300, title="제목 标题"))
    assert smallest_word(scene) >= 5.0
    assert (scene.width, scene.height) in A4
    boxes = word_boxes(scene)
    assert touching(boxes) == []
    assert [b[4] for b in boxes if min(b[0], b[1]) < 14 or b[2] > scene.width - 14 or b[3] > scene.height - 14] == []


def test_a_page_takes_the_layout_that_is_largest():
    tree = random_tree(3, CLASSES, 21)

    def size(**options):
        scene = tree_scene(tree, PictureOptions(fit="page", max_leaves=None, **options))
        return min(8.0, smallest_word(scene))  # larger ones are no better

    best = size()
    for direction in DIRECTIONS:
        for aligned in (False, True):
            assert best >= size(direction=direction, node_size="small", align_leaves=aligned) - SLACK
    wide = tree_scene(tree, PictureOptions(max_leaves=None))
    assert wide.width > max(max(A4))


def test_words_that_nobody_can_read_are_refused_or_folded():
    tree = random_tree(3, CLASSES, 201)
    with pytest.raises(ParameterError, match=r"no room for 122 leaves: words .* below 5 .*; set max_leaves=\d+") as e:
        tree_scene(tree, PictureOptions(fit="page", max_leaves="all"))
    assert e.value.argument == "max_leaves"
    folded = tree_scene(tree, PictureOptions(fit="page", max_leaves=100))
    texts = [label.text for *_, label in every_label(folded.items)]
    assert "Folded further, so that words are 5 points high." in texts
    assert smallest_word(folded) >= 5.0
    largest = int(re.search(r"max_leaves=(\d+)", str(e.value)).group(1))
    drawn = tree_scene(tree, PictureOptions(fit="page", max_leaves=largest))
    assert smallest_word(drawn) >= 5.0


def test_a_page_with_room_has_the_whole_name_of_a_class():
    name = "a class of which the name is rather long, so that it is cut"
    model = CARTClassifier(pruning=None).fit({"a": [1, 2, 3, 4]}, [name, name, "b", "b"])
    assert f">{name}</text>" not in model.to_svg(node_size="normal")
    assert f">{name}</text>" in model.to_svg(node_size="normal", fit="page")


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_names_of_features_take_the_room_that_is_free(direction):
    """A name that is cut at a node of two leaves is whole where there is more below."""
    name = "上一学期平均学分绩点与排名"
    rng = np.random.default_rng(0)
    x = rng.random(800)
    tree = CARTRegressor(pruning=None, max_depth=4).fit({name: x}, np.floor(16 * x)).tree_
    for node_size in ("normal", "small"):
        scene = tree_scene(tree, PictureOptions(direction=direction, node_size=node_size))
        texts = [label.text for *_, label in every_label(scene.items) if label.bold]
        assert name in "".join(texts)
        assert touching(word_boxes(scene)) == []


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("node_size", ["normal", "small"])
def test_leaves_are_in_one_row(direction, node_size):
    tree = random_tree(5, CLASSES, 61)
    options = PictureOptions(direction=direction, node_size=node_size, align_leaves=True, max_leaves=None)
    scene = tree_scene(tree, options)
    assert crossed_words(scene) == []
    assert touching(word_boxes(scene)) == []
    (drawn,) = [item for item in scene.items if any(isinstance(part, Group) and part.note for part in item.items)]
    cells = {int(re.match(r"node (\d+)", part.note).group(1)): part for part in drawn.items if isinstance(part, Group)}
    across = {node: part.x if direction == "right" else part.y for node, part in cells.items()}
    assert len({round(across[node], 6) for node in tree.leaves.tolist()}) == 1
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    assert max(across[node] for node in inner) < min(across[node] for node in tree.leaves.tolist())


def test_a_leaf_in_the_row_keeps_its_place_free_on_every_level():
    # Node 1 is a leaf in the row of the deepest: nothing of its cousins may be above it.
    parent, size = [-1, 0, 0, 2, 2, 4, 4], [4.0] * 7
    middle = centres(parent, size, Gaps(1.0, 1.0), [1, 3, 1, 2, 1, 1, 1])
    for node in range(2, 7):
        assert middle[node] - middle[1] >= 5.0 - SLACK
    middle = centres([-1, 0, 0, 1, 1, 1], [4.0] * 6, Gaps(1.0, 1.0), [1, 1, 2, 1, 1, 1])
    assert middle[2] - middle[5] >= 5.0 - SLACK
    assert centres([-1, 0, 0, 1, 1, 1], [4.0] * 6, Gaps(1.0, 1.0))[2] - middle[5] < 5.0


def test_a_chain_of_a_thousand_nodes_can_be_aligned():
    tree = chain(1200)
    scene = tree_scene(tree, PictureOptions(align_leaves=True, node_size="small", direction="right", max_leaves=None))
    assert scene.width > 1200 * 16


def table(levels, n=400, seed=0):
    rng = np.random.default_rng(seed)
    level = rng.integers(0, len(levels), n)
    return {"purpose": np.array(levels)[level].tolist()}, level


def test_siblings_of_long_levels_read_differently_and_a_note_tells_what_they_share():
    levels = [f"a credit that is wanted for the purpose of: {what}" for what in ("cars", "houses", "schools")]
    X, level = table(levels)
    tree = CARTClassifier(pruning=None).fit(X, np.array(["no", "yes", "yes"])[level]).tree_
    shown = [label.text for *_, label in every_label(tree_scene(tree, PictureOptions()).items)]
    assert "= …cars or missing" in shown or "= …cars" in shown
    assert any("…houses" in text for text in shown)
    assert 'purpose: … stands for "a credit that is wanted for the purpose of: "' in " ".join(shown)


def test_levels_that_fit_stay_whole():
    X, level = table(["credit: cars", "credit: houses"])
    tree = CARTClassifier(pruning=None).fit(X, level).tree_
    shown = [label.text for *_, label in every_label(tree_scene(tree, PictureOptions()).items)]
    assert not any("…" in text for text in shown)
    assert any("credit: cars" in text for text in shown)


@pytest.mark.parametrize("size", [8.5, 10.5])
@pytest.mark.parametrize(
    "levels",
    [
        [f"{'x' * 60}{i}{'y' * 60}" for i in range(6)],
        [f"{'非常长的名称' * 8}{i}" for i in range(6)],
        [f"{'매우 긴 이름 ' * 8}{i} {'끝' * 30}" for i in range(6)],
        [f"{i % 2}{'z' * 80}{i}" for i in range(6)],
    ],
)
def test_no_two_siblings_read_the_same(levels, size):
    X, level = table(levels)
    y = np.array([0.0, 10.0, 20.0, 31.0, 45.0, 60.0])[level]
    tree = CARTRegressor(pruning=None).fit(X, y).tree_
    found = conditions_of(tree, range(tree.n_nodes), size, 100.0)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        first, count = int(tree.first_child[node]), int(tree.n_children[node])
        lines = [tuple(found.lines[child]) for child in range(first, first + count)]
        assert len(set(lines)) == count, lines


def test_a_level_that_is_the_beginning_of_another_keeps_something():
    from boxwood.data.columns.schema import Feature

    short, note = without_common_part(Feature("f", "nominal", ("new car", "new car, used once", "new car: leased")))
    assert short == ["…car", "…car, used once", "…car: leased"]
    assert note == 'f: … stands for "new "'
    assert without_common_part(Feature("f", "nominal", ("red", "green"))) is None
    assert without_common_part(Feature("f", "nominal", ("alone in the world",))) is None


def test_colours_by_the_probability_of_a_class():
    tree = random_tree(11, CLASSES, 31)
    label = tree.response.labels[1]
    shades = target_shades(tree, list(range(tree.n_nodes)), label)
    p = tree.probability[:, 1]
    assert (shades.low, shades.high) == (p.min(), p.max())
    scene = tree_scene(tree, PictureOptions(target_class=label, max_leaves=None))
    fills = {item.fill for group in scene.items for part in group.items if isinstance(part, Group)
             for item in part.items if isinstance(item, Rect)}  # fmt: skip
    assert {shades.fill(node) for node in range(tree.n_nodes)} <= fills
    shown = [text.text for *_, text in every_label(scene.items)]
    assert f"probability of {tree.response.name} = {label}" in shown
    assert shown.count(str(label)) == tree.n_nodes
    assert f"Bold: {label} is predicted." in shown
    bold = [text for *_, text in every_label(scene.items) if text.text == str(label) and text.bold]
    assert len(bold) == int((tree.value == 1).sum())
    predicted = sum(text.startswith("predicted: ") for text in shown)
    assert predicted == tree.n_nodes - len(bold)


@pytest.mark.parametrize("share", np.linspace(0, 1, 21).tolist())
def test_words_on_any_shade_stand_out(share):
    from boxwood.pictures.colours import shade
    from pictures.test_svg import luminance

    light, deep = sorted((luminance(shade(share)), luminance(ink_on(shade(share)))), reverse=True)
    assert (light + 0.05) / (deep + 0.05) >= 4.5


def test_a_target_class_must_be_one_of_the_tree():
    tree = random_tree(1, CLASSES, 5)
    with pytest.raises(ParameterError, match="target_class must be one of"):
        tree_scene(tree, PictureOptions(target_class="never"))
    with pytest.raises(ParameterError, match="target_class is for trees of classes"):
        tree_scene(random_tree(1, MEAN, 5), PictureOptions(target_class="never"))


def test_of_fifty_classes_the_largest_three_are_named_and_the_rest_counted():
    rng = np.random.default_rng(1)
    y = np.concatenate([np.arange(50), rng.integers(0, 5, 500)])
    tree = CARTClassifier(pruning=None, max_depth=2).fit({"x": rng.random(len(y))}, [f"c{k}" for k in y]).tree_
    for content in ("bars", "counts"):
        shown = [label.text for *_, label in every_label(tree_scene(tree, PictureOptions(content=content)).items)]
        for node in range(tree.n_nodes):
            p = tree.probability[node]
            predicted = int(tree.value[node])
            top = [predicted, *(k for k in np.argsort(-p, kind="stable").tolist() if k != predicted and p[k] > 0)][:3]
            assert all(tree.response.labels[k] in shown for k in top)
        assert "47 others" in shown
    text = [label.text for *_, label in every_label(tree_scene(tree, PictureOptions(content="text")).items)]
    assert "47 others" not in text


def test_a_png_of_a_page_is_as_large_as_the_page(tmp_path):
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    from boxwood.pictures.files import save_scene

    rng = np.random.default_rng(2)
    tree = CARTRegressor(pruning=None, max_depth=7).fit(rng.random((400, 3)), rng.random(400)).tree_
    scene = tree_scene(tree, PictureOptions(fit="page", max_leaves=30))
    save_scene(scene, tmp_path / "page.png", dpi=72)
    with image.open(tmp_path / "page.png") as png:
        assert png.size in {(841, 595), (595, 841), (842, 595), (595, 842)}

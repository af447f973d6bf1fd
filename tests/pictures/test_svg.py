"""SVG: words never touch, hostile names are harmless, screen readers are served, colours can be distinguished."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.model.readable import readable
from boxwood.pictures.colours import OKABE_ITO, ROLES, class_inks, shade
from boxwood.pictures.draw import tree_scene
from boxwood.pictures.options import CONTENTS, DIRECTIONS, PictureOptions
from boxwood.pictures.svg import scene_svg
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from effort import examples
from pictures.boxes import crossed_words, outside, touching, word_boxes
from tree.random_trees import chain, random_tree

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\"'&]]>\x00\u202e\ufffe"


def well_formed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def words(svg: str) -> list[str]:
    return [text.text for text in well_formed(svg).iter(f"{SVG}text")]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([CLASSES, MEAN, RATE]),
    st.sampled_from([c for c in CONTENTS if c != "histogram"]),
    st.sampled_from(DIRECTIONS),
    st.one_of(st.none(), st.integers(1, 12)),
)
def test_words_never_touch_each_other_nor_a_line(seed, kind, content, direction, most):
    tree = random_tree(seed, kind, 45)
    options = PictureOptions(
        content=content, direction=direction, max_leaves=most, title="树 " * 40, node_numbers=seed % 2 == 0
    )
    scene = tree_scene(tree, options)
    boxes = word_boxes(scene)
    assert touching(boxes) == []
    assert outside(scene, boxes) == []
    assert crossed_words(scene) == []
    well_formed(scene_svg(scene))


LONG = (
    "a very long name of a feature that nobody should ever give to anything at all",
    "非常长的特征名称非常长的特征名称非常长的特征名称",
    "とても長い名前の列とても長い名前の列",
    "매우 긴 이름의 열 매우 긴 이름의 열",
    HOSTILE,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 3,
    "🌳🌲" * 20,
)


@pytest.mark.parametrize("kind", [CLASSES, MEAN, RATE])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_long_wide_and_hostile_names_fit_too(kind, direction):
    levels = tuple(f"{i} {name}" for i, name in enumerate(LONG))
    nominal = [Feature(name, NOMINAL, levels) for name in LONG[:4]]
    schema = Schema((*nominal, Feature(HOSTILE, NUMERIC)), named=True)
    tree = random_tree(11, kind, 31, schema)
    labels = {"labels": (HOSTILE, LONG[1], LONG[2])} if kind == CLASSES else {}
    tree = replace(tree, response=replace(tree.response, name=HOSTILE, **labels))
    scene = tree_scene(tree, PictureOptions(direction=direction, max_leaves=None, title=HOSTILE))
    boxes = word_boxes(scene)
    assert touching(boxes) == []
    assert outside(scene, boxes) == []
    svg = scene_svg(scene)
    root = well_formed(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "pattern", "rect", "circle", "path", "g", "text",
    }  # fmt: skip
    assert not any(name.startswith("on") or "href" in name for element in root.iter() for name in element.attrib)
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_the_picture_shows_what_the_tree_predicts():
    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    shown = words(model.to_svg(title="Titanic"))
    for word in ("Titanic", "sex", "= male or missing*", "≤ 9.5", "in {1st, 2nd} or missing*", "83.1 %", "691 rows"):
        assert word in shown
    assert shown.count("yes") == 5  # the legend and the nodes that predict it: 2, 3, 5 and 6
    assert "* surrogate splits are tried first" in shown
    assert model.to_svg() == model.tree_.to_svg() == model.to_svg()


def test_notes_and_description_hold_everything():
    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    root = well_formed(model.to_svg())
    assert root.attrib["role"] == "img"
    title, desc = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], desc.attrib["id"]]
    assert title.text == "Decision tree (cart) for y, 4 leaves"
    assert "age <= 9.5" in desc.text
    notes = [note.text for group in root.iter(f"{SVG}g") for note in group.findall(f"{SVG}title")]
    assert len(notes) == model.tree_.n_nodes
    assert "node 5: class = 3rd\n178 rows\nyes: 0.506 (90)\nno: 0.494 (88)" in notes


def test_cuts_are_exact_in_the_note_and_in_the_picture():
    X = {"x": [0.1, 0.2, 0.30000000000000004, 0.7]}
    model = CARTRegressor(pruning=None, max_depth=1).fit(X, [0, 0, 5, 5])
    svg = model.to_svg()
    assert "≤ 0.25" in words(svg)
    model = CARTRegressor(pruning=None, max_depth=1).fit({"x": [0.1, 0.1 + 1e-9]}, [0.0, 1.0])
    assert float(model.tree_.splits.breaks_of(0)[0]) == 0.1000000005
    assert "≤ 0.1000000005" in words(model.to_svg())
    assert "x &lt;= 0.1000000005" in model.to_svg()
    exact = CARTRegressor(pruning=None, max_depth=1, cuts="exact").fit({"x": [24.8, 24.8167]}, [0.0, 1.0])
    assert "≤ 24.80835" in words(exact.to_svg())


def test_means_and_spreads_are_shown_in_few_digits():
    model = CARTRegressor(pruning=None, max_depth=1).fit({"x": [1, 2, 3, 4]}, [10.0, 10.0, 20.125, 20.25])
    shown = words(model.to_svg())
    assert {"15.09", "sd 5.094", "20.19", "sd 0.0625", "mean of y"} <= set(shown)
    notes = model.to_svg()
    assert "mean 20.1875" in notes


def test_cuts_that_would_look_alike_are_written_exactly():
    from boxwood import CHAIDRegressor

    x = np.repeat([1.0, 1.0 + 1e-9, 1.0 + 2e-9], 100)
    tree = CHAIDRegressor(min_samples_split=2, min_samples_leaf=1).fit({"x": x}, np.repeat([0.0, 5.0, 9.0], 100)).tree_
    assert tree.n_leaves == 3
    labels = [word for word in words(tree.to_svg()) if word.startswith(("≤", ">", "("))]
    assert len(set(labels)) == 3


def test_p_values_and_missing_directions_are_shown():
    X = datasets.load("titanic")
    y = X.pop("survived")
    shown = words(CHAIDClassifier().fit(X, y).to_svg())
    assert "missing: stays here" in shown
    assert any(word.startswith("p ") and "e-" in word for word in shown)
    own = CARTClassifier(missing="own_branch", pruning=None, max_depth=4).fit(X, y)
    assert "missing" in words(own.to_svg())


def test_folded_nodes_are_counted():
    tree = readable(chain(40))
    shown = words(tree.to_svg(max_leaves=5))
    assert f"+ {2 * 36} nodes" in shown
    assert not any(word.startswith("+") for word in words(tree.to_svg(max_leaves=None)))
    assert well_formed(readable(chain(1200)).to_svg(max_leaves=None, direction="right")) is not None


def test_a_tree_of_one_leaf_can_be_drawn():
    model = CARTClassifier(pruning=None).fit({"x": [1, 2]}, ["a", "a"])
    assert "100.0 %" in words(model.to_svg())
    assert "The wider a line, the more rows go down it." not in words(model.to_svg())


def test_themes():
    tree = readable(random_tree(1))
    auto, light, dark = (tree.to_svg(theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme: dark" in auto
    assert "<style" not in light + dark
    assert ROLES["ground"][0] in light
    assert ROLES["ground"][1] not in light
    assert ROLES["ground"][1] in dark
    painted = set(re.findall(r"bw-[fs]-(\w+)", auto.split("</style>")[1]))
    ruled = set(re.findall(r"bw-[fs]-(\w+)", auto.split("</style>")[0]))
    assert painted <= ruled == set(ROLES)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [0, 1])
def test_words_stand_out_from_their_ground(dark):
    """WCAG 2 requires 4.5 : 1."""
    for ink, ground in itertools.product(("text", "faint"), ("ground", "panel", "strip")):
        light, deep = sorted((luminance(ROLES[ink][dark]), luminance(ROLES[ground][dark])), reverse=True)
        assert (light + 0.05) / (deep + 0.05) >= 4.5, (ink, ground)


#: Machado, Oliveira and Fernandes (2009), severity 1: what is seen without red, green or blue cones.
BLINDNESS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "none": np.eye(3).tolist(),
}


def lab(colour: str, seen: list) -> np.ndarray:
    """CIE L*a*b* of a colour as it is seen."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(seen) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    f = np.cbrt(to_xyz @ linear / np.array([0.95047, 1.0, 1.08883]))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("blindness", list(BLINDNESS))
def test_colours_are_reported_apart_by_everybody(blindness):
    seen = [lab(colour, BLINDNESS[blindness]) for colour in OKABE_ITO]
    pairs = itertools.combinations(range(len(OKABE_ITO)), 2)
    nearest = min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in pairs)
    assert nearest[0] > 9.0, nearest
    first = np.linalg.norm(seen[0] - seen[1])
    assert first > 50.0, "two classes, the commonest case, get the clearest pair"


def test_many_classes_get_stripes_then_are_together():
    rng = np.random.default_rng(0)
    for count in (7, 8, 21, 22, 40):
        y = np.concatenate([np.arange(count), rng.integers(0, count, 400)])
        model = CARTClassifier(pruning=None, max_depth=1).fit({"x": rng.random(len(y))}, y)
        inks = class_inks(model.tree_)
        own = [ink for ink in inks if ink.ink != "others"]
        assert len(set(own)) == len(own) == (count if count <= 21 else 20)
        svg = model.to_svg()
        assert ("<pattern" in svg) == (count > 7)
        # Beyond 21 the legend has a line of others, beyond 8 every node.
        others = sum(word.endswith(" others") for word in words(svg))
        assert others == (count > 21) + model.tree_.n_nodes * (count > 8)
        assert touching(word_boxes(tree_scene(model.tree_, PictureOptions(content="counts")))) == []


def test_deeper_shades_are_darker():
    levels = [luminance(shade(share)) for share in (-1, 0, 0.25, 0.5, 0.75, 1, 2)]
    assert levels[0] == levels[1] > levels[2] > levels[3] > levels[4] > levels[5] == levels[6]


def test_several_pictures_can_be_in_one_page():
    first, second = (readable(random_tree(seed)).to_svg() for seed in (1, 2))
    names = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert not names[0] & names[1]
